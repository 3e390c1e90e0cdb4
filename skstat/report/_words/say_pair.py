"""The conclusion on two systems: what was found, how large, how certain."""

from math import isinf, isnan

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.probabilities import probability_sentence
from skstat.report._words.terms import (
    decimals_for,
    fixed,
    good,
    is_turned,
    of_metric,
    percent,
    pvalue_text,
    short,
    units,
    verb,
    what,
)
from skstat.stats._outcomes import unit_word


def conclude_pair(r: Report, p: Pair, brief: bool = False) -> str:
    """Write the conclusion on a difference, and on the margin where there is one.

    A p-value never comes without difference and interval. The margin comes first if the
    systems are equivalent, and else after the difference.

    Parameters
    ----------
    r : Report
        The report.
    p : Pair
        Its comparison.
    brief : bool, default=False
        Whether it is left out what an interval means.
    """
    invalid = f"The p-value is not valid: {r.invalid}. " if r.invalid else ""
    found = _difference(r, p, brief)
    if p.verdict == "equivalent":
        found = _equivalent(r, p, found)
    elif r.margin is not None:
        found = _margin(r, p, found)
    said = [r.preface, f"{invalid}{found}", _means(r, p)]
    if r.probabilities is not None:
        said.append(probability_sentence(r, p))
    return " ".join(filter(None, said))


def _difference(r: Report, p: Pair, brief: bool) -> str:
    """Say what was found of the difference from zero."""
    a, b = map(shown_name, p[:2])
    no, few = "", units(r.n_units, r.unit)
    if r.identical:
        return (
            f"No difference was found: {a} and {b} have the same {r.metric} on all {few} "
            f"(difference 0; {_pvalue(r, p)})."
        )
    if isnan(p.p):
        no = f"No test is possible between {a} and {b}: {next(iter(r.why_no_pvalue))}."
    elif r.smallest_pvalue >= r.alpha:
        if r.n_resamples and 1 / (1 + r.n_resamples) == r.smallest_pvalue:
            few = units(r.n_resamples, "resample")
        no = (
            f"No rejection is possible with {few}: the smallest p this test can give is "
            f"{r.smallest_pvalue:.3g}."
        )
    if no:
        return f"{no} In {what(r)} {_estimate_is(r, p)}."
    if p.p < r.alpha:
        return _rejection(r, p)
    if r.alternative != "two-sided":
        asked = verb(r, r.alternative == "greater")
        estimate = _estimate_is(r, p, what(r))
        return f"It was not shown that {a} {asked} than {b}{of_metric(r)}: {estimate}."
    compatible = ""
    if p.low <= 0 <= p.high and not brief:
        compatible = "; every difference in this interval is compatible with the data"
    return (
        f"No significant difference in {what(r)} between {a} and {b} was found: "
        f"{_estimate_is(r, p)}{compatible}."
    )


def _rejection(r: Report, p: Pair) -> str:
    a, b = map(shown_name, p[:2])
    estimate = _estimate_is(r, p, what(r))
    if p.toward == 0 or isnan(p.low):
        return (
            f"{a} and {b} differ in {r.metric}, but in no common direction or size: {estimate}."
        )
    if r.alternative == "two-sided" and p.toward < 0:  # else the question names the first first
        a, b = b, a
    claim = f"{a} {verb(r, r.alternative != 'less')} than {b}{of_metric(r)}"
    if r.scale == "score" and not r.quantity.is_difference:
        return f"{claim}: {estimate}."
    evidence = _evidence(r, p, turned=(p.toward < 0) != is_turned(r), sign=False)
    of = "" if r.scale == "score" else f" in {r.scale}"
    return f"{claim}, by {fixed(abs(p.estimate), _decimals(p))}{of} ({evidence})."


# --- the margin ---


def beside_margin(r: Report, p: Pair) -> str:
    """Say how a difference that is not equivalent stands to the margin.

    Returns
    -------
    {"unjudged", "beyond", "beyond, unasked", "open"}
        Beyond it: all of the interval is. Unasked: on the side that a one-sided question did
        not ask about.
    """
    assert r.margin is not None
    if isnan(p.equivalence_p):
        return "unjudged"
    if p.p < r.alpha:
        return "beyond" if max(p.low, -p.high) > r.margin else "open"
    beyond = max(p.inner_low, -p.inner_high) > r.margin
    return "beyond, unasked" if beyond and r.alternative != "two-sided" else "open"


def _equivalent(r: Report, p: Pair, found: str) -> str:
    """Say that both are equivalent, then what was found of the difference."""
    a, b = map(shown_name, p[:2])
    equal = (
        f"{a} and {b} are equivalent in {what(r)} within the margin of {short(r.margin)}: "
        f"{_estimate_is(r, p, evidence=_of_margin(r, p))}."
    )
    if r.beside_equivalent:
        equal += f" Both are {r.beside_equivalent}."
    if p.p < r.alpha:
        return f"{equal} The difference is real but smaller than the margin: {found}"
    judged = r.smallest_pvalue < r.alpha and not isnan(p.p)
    if r.identical or not judged or r.alternative != "two-sided":
        return f"{equal} {found}"
    return f"{equal} No significant difference was found ({_evidence(r, p)})."


def _margin(r: Report, p: Pair, found: str) -> str:
    """Say what was found of the difference, then how it stands to the margin."""
    a, b = map(shown_name, p[:2])
    margin, stands = f"the margin of {short(r.margin)}", beside_margin(r, p)
    if stands == "unjudged":
        why = "" if isnan(p.p) else f": the {unit_word(r.unit)}s show no variance"
        return f"{found} Nor can {margin} be judged{why}."
    if stands == "beyond":
        return f"{found} The interval lies beyond {margin}: the difference is more than that."
    if stands == "beyond, unasked":
        better, worse = (a, b) if (p.inner_low > 0) != is_turned(r) else (b, a)
        return (
            f"{found} {better} is {good(r)} than {worse} by more than {margin}, which was not "
            f"the question asked ({_of_margin(r, p)})."
        )
    if p.p < r.alpha:
        if isnan(p.low) or p.toward == 0:
            return f"{found} Nor was a size shown that could be compared with {margin}."
        return (
            f"{found} The difference may be smaller than {margin}: the interval contains such "
            f"differences too (equivalence {_adjusted(r, p.equivalence_p)})."
        )
    shown, who = "", "either"
    sides = [(a, b, p.noninferior_p), (b, a, p.noninferior_p_second)]
    for better, worse, pvalue in sides:
        if pvalue < r.alpha:
            who = better
            shown = (
                f" It was shown that {better} is at most {short(r.margin)} "
                f"{good(r, up=False)} than {worse} ({_adjusted(r, pvalue)})."
            )
    return (
        f"{found}{shown} Equivalence within {margin} was not shown: {who} may be {good(r)} by "
        f"as much or more ({_of_margin(r, p)})."
    )


def _of_margin(r: Report, p: Pair) -> str:
    """Write the 1 - 2 alpha interval, and the p-value of equivalence."""
    level, pvalue = round(2 * r.confidence_level - 1, 12), _adjusted(r, p.equivalence_p)
    text = interval_text(r, p.inner_low, p.inner_high, _decimals(p), level=level)
    is_adjusted = bool(r.equivalence and r.equivalence["adjustment"])
    return f"{text}{', not adjusted' * is_adjusted}; equivalence {pvalue}"


def _adjusted(r: Report, pvalue: float) -> str:
    """Write a p-value of the margin, and how it is adjusted."""
    how = (r.equivalence or {}).get("adjustment")
    return f"{pvalue_text(pvalue)} {how}" if how else pvalue_text(pvalue)


# --- numbers ---


def _evidence(r: Report, p: Pair, *, turned: bool = False, sign: bool = True) -> str:
    """Write interval and p-value; turned, the interval of the second minus the first."""
    low, high = (0.0 - p.high, 0.0 - p.low) if turned else (p.low, p.high)
    text = interval_text(r, low, high, _decimals(p), sign=sign)
    return f"{text}; {_pvalue(r, p)}{f' {r.adjustment}' if r.adjustment else ''}"


def _pvalue(r: Report, p: Pair) -> str:
    return pvalue_text(p.p) + (", not valid" if r.invalid else "")


def _estimate_is(r: Report, p: Pair, of: str = "", *, evidence: str = "") -> str:
    """Write a signed estimate, which difference it is, of what, and its evidence."""
    a, b = map(shown_name, p[:2])
    plain, sign = r.scale == "score" and r.quantity.is_difference, f"{a} \N{MINUS SIGN} {b}"
    named = r.quantity.name if r.scale == "score" and not plain else "estimate"
    if of and not plain:
        named += f" in {of}"
    if r.lower or not plain:
        sign = f"{'below' if is_turned(r) else 'above'} 0, {a} is {good(r)}"
    value = fixed(p.estimate, _decimals(p), sign=True)
    return f"the {named} is {value} ({sign}; {evidence or _evidence(r, p)})"


def _decimals(p: Pair) -> int:
    return decimals_for([p.estimate, p.low, p.high])


def _means(r: Report, p: Pair) -> str:
    """Give the difference of the scores where the test is of another quantity."""
    first, second = (one.mean for one in r.systems)
    if r.quantity.is_difference or isnan(first + second) or r.identical:
        return ""
    a, b = map(shown_name, p[:2])
    decimals = max(3, decimals_for([first - second]))
    size = fixed(first - second, decimals, sign=True)
    return (
        f"In {r.metric} the mean over all {units(r.n_units, r.unit)} is "
        f"{fixed(first, decimals)} for {a} and {fixed(second, decimals)} for {b}, a difference "
        f"of {size}, which this test does not estimate."
    )


def interval_text(
    r: Report,
    low: float,
    high: float,
    decimals: int,
    *,
    sign: bool = True,
    level: float | None = None,
) -> str:
    """Write an interval with its level, of whatever kind it is; one of another `level`."""
    kind = interval_kind(r) if level is None else ""
    text = f"{percent(level or r.confidence_level)} interval"
    low_text, high_text = (fixed(end, decimals, sign=sign) for end in (low, high))
    if isnan(low) or isnan(high):
        return f"{kind}{text}: none exists"
    if isinf(low) and isinf(high):
        return f"{kind}{text}: too few {unit_word(r.unit)}s for a limit"
    if isinf(high):
        return f"{kind}one-sided {text}: at least {low_text}"
    if isinf(low):
        return f"{kind}one-sided {text}: at most {high_text}"
    return f"{kind}{text} {low_text} to {high_text}"


def interval_kind(r: Report) -> str:
    """Say for what intervals are adjusted; empty if for nothing."""
    if r.simultaneous:
        return "simultaneous "
    adjusted = bool(r.adjustment) if r.is_pair else r.n_family > 1
    return "adjusted " if adjusted else ""
