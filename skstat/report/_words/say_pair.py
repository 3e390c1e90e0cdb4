"""What was found of two systems: how large, how certain, how probable; and who is the best."""

from collections.abc import Iterator, Mapping
from math import isfinite, isinf, isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.terms import (
    MINUS,
    decimals_for,
    fixed,
    good,
    good_best,
    is_turned,
    join_items,
    of_metric,
    percent,
    probability_text,
    pvalue_text,
    short,
    span,
    units,
    verb,
    what,
)
from skstat.stats import Posterior
from skstat.stats._outcomes import unit_word

# What everybody asks for, unless they say otherwise.
PROBABLE = 0.95
_WORTH_NAMING = 0.01  # less is said of all together
_MOST_TOLD = 3
_OF_ALL = ("rope", "where", "lead", "caveat", "model", "n_drawn")  # of all pairs the same


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
    rejects = p.p < r.alpha
    if isnan(p.equivalence_p) or (rejects and (isnan(p.low) or p.toward == 0)):
        return "unjudged"
    if rejects:
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
    could_reject = p.p >= r.alpha > r.smallest_pvalue and not r.identical
    if could_reject and r.alternative == "two-sided":
        found = f"No significant difference was found ({_evidence(r, p)})."
    return f"{equal} {found}"


def _margin(r: Report, p: Pair, found: str) -> str:
    """Say what was found of the difference, then how it stands to the margin."""
    a, b = map(shown_name, p[:2])
    margin, stands = f"the margin of {short(r.margin)}", beside_margin(r, p)
    if stands == "unjudged":
        return f"{found} Nor can {margin} be judged."
    if stands == "beyond":
        return f"{found} The interval lies beyond {margin}: the difference is more than that."
    if stands == "beyond, unasked":
        better, worse = (a, b) if (p.inner_low > 0) != is_turned(r) else (b, a)
        return (
            f"{found} {better} is {good(r)} than {worse} by more than {margin}, which was not "
            f"the question asked ({_of_margin(r, p)})."
        )
    if p.p < r.alpha:
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
    plain, sign = r.scale == "score" and r.quantity.is_difference, f"{a} {MINUS} {b}"
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
    sided = "one-sided " * (isinf(low) != isinf(high))
    colon = "" if isfinite(low + high) else ":"
    limits = span(low, high, decimals, sign=sign)
    return f"{kind}{sided}{percent(level or r.confidence_level)} interval{colon} {limits}"


def interval_kind(r: Report) -> str:
    """Say for what intervals are adjusted; empty if for nothing."""
    if r.simultaneous:
        return "simultaneous "
    return "adjusted " * (bool(r.adjustment) if r.is_pair else r.n_family > 1)


# --- probabilities ---


def probabilities_of(
    posterior: Posterior, confidence_level: float | None = None
) -> dict[str, Any]:
    """Return what a posterior says as plain values, for dictionaries and rows.

    Parameters
    ----------
    posterior : Posterior
        That of the pair.
    confidence_level : float, optional
        Level of its interval; default only what those of all pairs have in common.
    """

    def plain(found: Any) -> Any:
        return None if found is None else found._asdict()

    found = {name: getattr(posterior, name) for name in _OF_ALL}
    if confidence_level is None:
        return found
    return {
        **found,
        **posterior.probabilities._asdict(),
        "another": posterior.another,
        "subject": posterior.subject,
        "monte_carlo_errors": plain(posterior.monte_carlo_errors),
        "expected": plain(posterior.expected),
        "bounds": posterior.bounds and [*map(plain, posterior.bounds)],
        "drawn": posterior.how_drawn,
        "confidence_level": confidence_level,
        "interval": posterior._limits(confidence_level),
    }


def probability_texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Write each of the three probabilities, as `probabilities_of` returned them."""
    errors = found["monte_carlo_errors"] or {}
    return {
        name: probability_text(found[name], found["n_drawn"], errors.get(name))
        for name in ("better", "same", "worse")
    }


def _claims(r: Report, p: Pair, *, than: bool = False) -> dict[str, str]:
    """Say what may be true of two systems, by the names of the probabilities."""
    rope, a, b = (r.probabilities or {})["rope"], shown_name(p.first), shown_name(p.second)
    beyond = f" by more than {short(rope)}" if rope else ""
    both = f"{a} and {b}" if than else "they"
    same = {"same": f"{both} are practically the same"} if rope else {}
    return {
        "better": f"{a} is {good(r)}{f' than {b}' * than}{beyond}",
        **same,
        "worse": f"{b} is {good(r)}{f' than {a}' * than}{beyond}",
    }


def where_text(found: Mapping[str, Any], unit: str) -> str:
    """Say where the probabilities hold, once for all of them; empty if they do as they are."""
    return str(found["where"].format(unit=unit_word(unit)))


def _lead(r: Report, found: Mapping[str, Any], *kept: str) -> str:
    """Begin a sentence on probabilities, with what must be kept in mind of them."""
    where = where_text(found, r.unit)
    kept = (found["caveat"], *filter(None, kept))
    return f"{found['lead']} ({', '.join(kept)}){', ' * bool(where)}{where}"


def behind_probabilities(r: Report, p: Pair) -> Iterator[str]:
    """Say what the probabilities of a pair are wherever the prior is put, and their draws."""
    found = r.probabilities or {}
    bounds, errors = found["bounds"], found["monte_carlo_errors"]
    if bounds is not None:
        ends = (
            f"{' to '.join(f'{end[name]:.2f}' for end in bounds)} that {claim}"
            for name, claim in _claims(r, p).items()
        )
        yield f"wherever the prior is put, {', '.join(ends)}"
    if errors is not None:
        said = f"{found['n_drawn']} draws{found['drawn']}"
        yield f"{said}, Monte Carlo error {max(errors.values()):.1g}"


def probability_sentence(r: Report, p: Pair) -> str:
    """Say after the conclusion what it comes to as probabilities: not as a second finding."""
    found = r.probabilities or {}
    if isnan(p.p_better):
        return "Nor are there probabilities: nothing varies to test the difference against."
    claims, shown, expected = _claims(r, p), probability_texts(found), found["expected"]
    adjusted = "not adjusted for other comparisons" * bool(r.adjustment)
    lead = _lead(r, found, adjusted, "as little valid" * bool(r.invalid))
    three = ", ".join(f"{shown[name]} that {claim}" for name, claim in claims.items())
    said = f"{lead}: {three}."
    if expected is None or not found["another"]:
        return said
    # Which of the three comes most often says little beside how often each is expected.
    *first, last = [probability_text(expected[name], error=0.01) for name in claims]
    values = f"{', '.join(first)} and {last}"
    more = found["another"].format(unit=unit_word(r.unit), values=values)
    return f"{said} {more[0].upper()}{more[1:]}."


def probable_pairs(r: Report) -> str:
    """Say which pairs of several systems have probabilities that most people ask for."""
    found = r.probabilities or {}
    claims = [
        (share, claim)
        for p in r.pairs
        for name, claim in _claims(r, p, than=True).items()
        if (share := getattr(p, f"p_{name}")) >= PROBABLE
    ]
    claims.sort(key=lambda one: -one[0])
    lead = _lead(r, found, "not adjusted for the number of pairs")
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    n = found["n_drawn"]
    told = [f"{probability_text(share, n)} that {claim}" for share, claim in claims]
    return f"{lead}: {join_items(told, _MOST_TOLD)}."


def probable_best(r: Report) -> str:
    """Say which systems are the best with what probability, by one model of all of them."""
    if r.strengths is None:
        shares = {one.name: one.probability_best for one in r.systems}
        return f"Taking all systems together: {best_chances(r, shares, r.best_draws)}."
    of = "scores" if r.strengths.shares is not None else "comparisons"
    model, side, preferred = r.strengths.model, r.strengths.side, ""
    if side is not None:
        preferred = (
            " The one that is shown first is preferred to an equal one with the chance "
            f"{side.mean:.2f} (90% interval {side.low:.2f} to {side.high:.2f}), which is "
            "allowed for."
        )
    chances = best_chances(r, model.best_probabilities, model.effective_size)
    return (
        f"By a Bradley-Terry model of all systems (of the same {of} as the p-values): "
        f"{chances}.{preferred}"
    )


def best_chances(r: Report, shares: Mapping[str, float], n_drawn: float) -> str:
    """Write the probabilities of those that may be the best, and of the others together."""
    ordered, n = sorted(shares.items(), key=lambda one: -one[1]), int(n_drawn)
    named = [one for one in ordered[:_MOST_TOLD] if one[1] >= _WORTH_NAMING] or ordered[:1]
    bits = [f"{probability_text(share, n)} that {shown_name(name)} is" for name, share in named]
    bits[0] += f" the {good_best(r)}"
    if n_others := len(ordered) - len(named):
        rest = max(0.0, 1 - sum(share for _, share in named))
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{probability_text(rest, n)} that {other} is")
    return ", ".join(bits)
