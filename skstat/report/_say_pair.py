"""Sentences on two systems: size, evidence and probability; and on which one is the best."""

from collections.abc import Iterator, Mapping
from math import isfinite, isinf, isnan
from typing import Any

from skstat._names import shown_name
from skstat.report import _terms as say
from skstat.report._model import Pair, Report
from skstat.stats import Posterior
from skstat.stats._words import unit_word

# The usual threshold of a probability.
PROBABLE = 0.95
_WORTH_NAMING = 0.01  # systems with a smaller probability are summed up
_MOST_LISTED = 3
_OF_ALL = ("rope", "where", "lead", "caveat", "model", "n_drawn")  # the same for all pairs


def conclude_pair(r: Report, p: Pair) -> str:
    """Write the conclusion on a difference, and on the margin if there is one.

    A p-value is always given with the difference and its interval. The margin comes first if
    the systems are equivalent, else after the difference.
    """
    texts = [_difference(r, p)]
    if p.verdict == "equivalent":
        texts = _equivalent(r, p, *texts)
    elif r.margin is not None:
        texts += _margin(r, p)
    invalid = f"The p-value is not valid: {r.invalid}." if r.invalid else ""
    parts = [r.preface, invalid, *texts]
    if not (r.quantity.is_difference or r.identical):
        parts.append(_means(r, p))
    if r.probabilities is not None:
        parts.append(probability_sentence(r, p))
    return " ".join(filter(None, parts))


def _difference(r: Report, p: Pair) -> str:
    """Write the result of the test of a difference from zero."""
    a, b = map(shown_name, p[:2])
    impossible, few = "", say.units(r.n_units, r.unit)
    if r.identical:
        same = f"{a} and {b} have the same {r.metric} on all {few}"
        return f"No difference was found: {same} (difference 0; {_pvalue(r, p.p)})."
    if isnan(p.p):
        impossible = f"No test is possible between {a} and {b}: {next(iter(r.why_no_pvalue))}."
    elif r.smallest_pvalue >= r.alpha:
        if r.n_resamples and 1 / (1 + r.n_resamples) == r.smallest_pvalue:
            few = say.units(r.n_resamples, "resample")
        smallest = f"the smallest p this test can give is {r.smallest_pvalue:.3g}"
        impossible = f"No rejection is possible with {few}: {smallest}."
    if impossible:
        return f"{impossible} In {r.words.what} {_estimate_is(r, p)}."
    if p.p < r.alpha:
        return _rejection(r, p)
    if r.alternative != "two-sided":
        verb = r.words.verb(r.alternative == "greater")
        estimate = _estimate_is(r, p, r.words.what)
        return f"It was not shown that {a} {verb} than {b}{r.words.of_metric}: {estimate}."
    compatible = "; every difference in this interval is compatible with the data"
    compatible *= p.low <= 0 <= p.high
    lead = f"No significant difference in {r.words.what} between {a} and {b} was found"
    return f"{lead}: {_estimate_is(r, p)}{compatible}."


def _rejection(r: Report, p: Pair) -> str:
    a, b = map(shown_name, p[:2])
    estimate = _estimate_is(r, p, r.words.what)
    if p.toward == 0 or isnan(p.low):
        differ = f"{a} and {b} differ in {r.metric}"
        return f"{differ}, but the test shows no direction or size: {estimate}."
    if r.alternative == "two-sided" and p.toward < 0:  # one-sided, keep the order asked for
        a, b = b, a
    claim = f"{a} {r.words.verb(r.alternative != 'less')} than {b}{r.words.of_metric}"
    if r.scale == "score" and not r.quantity.is_difference:
        return f"{claim}: {estimate}."
    evidence = _evidence(r, p, turned=(p.toward < 0) != r.is_turned, sign=False)
    of = "" if r.scale == "score" else f" in {r.scale}"
    size = say.fixed(abs(p.estimate), say.decimals_of_pairs(p))
    return f"{claim}, by {size}{of} ({evidence})."


# --- the margin ---


def margin_result(r: Report, p: Pair) -> str:
    """Return the result about the margin for a pair that is not equivalent.

    Returns
    -------
    {"unjudged", "beyond", "beyond, unasked", "open"}
        "beyond": the whole interval lies beyond the margin. "beyond, unasked": it does so on
        the side that a one-sided test does not look at.
    """
    assert r.margin is not None
    rejects = p.p < r.alpha
    if isnan(p.equivalence_p) or (rejects and (isnan(p.low) or p.toward == 0)):
        return "unjudged"
    if rejects:
        return "beyond" if max(p.low, -p.high) > r.margin else "open"
    beyond = max(p.inner_low, -p.inner_high) > r.margin
    return "beyond, unasked" if beyond and r.alternative != "two-sided" else "open"


def _equivalent(r: Report, p: Pair, difference: str) -> list[str]:
    """Write that both are equivalent, then the result of the test of the difference."""
    a, b = map(shown_name, p[:2])
    within = f"within the margin of {say.short(r.margin)}"
    estimate = _estimate_is(r, p, evidence=_of_margin(r, p))
    texts = [f"{a} and {b} are equivalent in {r.words.what} {within}: {estimate}."]
    if r.beside_equivalent:
        texts.append(f"Both are {r.beside_equivalent}.")
    if p.p < r.alpha:
        return [*texts, f"The difference is real but smaller than the margin: {difference}"]
    could_reject = p.p >= r.alpha > r.smallest_pvalue and not r.identical
    if could_reject and r.alternative == "two-sided":
        difference = f"No significant difference was found ({_evidence(r, p)})."
    return [*texts, difference]


def _margin(r: Report, p: Pair) -> Iterator[str]:
    """Write the result about the margin for a pair that is not equivalent."""
    margin, result = f"the margin of {say.short(r.margin)}", margin_result(r, p)
    a, b = map(shown_name, p[:2])
    if result == "unjudged":
        yield f"Nor can {margin} be judged."
    elif result == "beyond":
        yield f"The interval lies beyond {margin}: the difference is more than that."
    elif result == "beyond, unasked":
        better, worse = (a, b) if (p.inner_low > 0) != r.is_turned else (b, a)
        more = f"{better} is {r.words.good} than {worse} by more than {margin}"
        yield f"{more}, which was not the question asked ({_of_margin(r, p)})."
    else:
        worse, by = r.words.bad, f"by {say.short(r.margin)}"
        for system, other, pvalue in ((a, b, p.noninferior_p), (b, a, p.noninferior_p_second)):
            if pvalue < r.alpha <= p.p:
                shown = f"{system} is not {worse} than {other} {by}"
                yield f"It was shown that {shown} ({_pvalue(r, pvalue)})."
        yield f"Equivalence within {margin} was not shown ({_of_margin(r, p)})."


def _of_margin(r: Report, p: Pair) -> str:
    """Write the 1 - 2 alpha interval, and the p-value of equivalence."""
    level = round(2 * r.confidence_level - 1, 12)
    text = interval_text(r, p.inner_low, p.inner_high, say.decimals_of_pairs(p), level=level)
    text += ", not adjusted" * (r.n_family > 1)
    return f"{text}; {_pvalue(r, p.equivalence_p, 'equivalence ')}"


# --- numbers ---


def _evidence(r: Report, p: Pair, *, turned: bool = False, sign: bool = True) -> str:
    """Write interval and p-value; if turned, the interval of the second minus the first."""
    low, high = (0.0 - p.high, 0.0 - p.low) if turned else (p.low, p.high)
    text = interval_text(r, low, high, say.decimals_of_pairs(p), sign=sign)
    return f"{text}; {_pvalue(r, p.p)}"


def _pvalue(r: Report, pvalue: float, of: str = "") -> str:
    adjusted = "adjusted " * (r.n_family > 1)
    return f"{adjusted}{of}{say.pvalue_text(pvalue)}{', not valid' * bool(r.invalid)}"


def _estimate_is(r: Report, p: Pair, of: str = "", *, evidence: str = "") -> str:
    """Write a signed estimate, which difference it is, of what, and its evidence."""
    a, b = map(shown_name, p[:2])
    plain, sign = r.scale == "score" and r.quantity.is_difference, f"{a} {say.MINUS} {b}"
    noun = r.quantity.name if r.scale == "score" and not plain else "estimate"
    if of and not plain:
        noun += f" in {of}"
    if r.lower or not plain:
        sign = f"{'below' if r.is_turned else 'above'} 0, {a} is {r.words.good}"
    value = say.fixed(p.estimate, say.decimals_of_pairs(p), sign=True)
    return f"the {noun} is {value} ({sign}; {evidence or _evidence(r, p)})"


def _means(r: Report, p: Pair) -> str:
    """Give the difference of the means where the test is of another quantity."""
    first, second = r.systems.column("mean")
    if isnan(first + second):
        return ""
    size = say.fixed(first - second, max(3, say.decimals_for([first - second])), sign=True)
    of = f"{r.metric}, {size} ({f' {say.MINUS} '.join(map(shown_name, p[:2]))})"
    return f"The test does not estimate the difference of the means in {of}."


def interval_text(
    r: Report, low: float, high: float, decimals: int, *, sign: bool = True, level: float = 0
) -> str:
    """Write an interval with its kind and level; with a `level` of its own, without kind."""
    kind = "" if level else interval_kind(r)
    sided = "one-sided " * (isinf(low) != isinf(high))
    colon = "" if isfinite(low + high) else ":"
    limits = say.span(low, high, decimals, sign=sign)
    return f"{kind}{sided}{say.percent(level or r.confidence_level)} interval{colon} {limits}"


def interval_kind(r: Report) -> str:
    """Return "simultaneous " or "adjusted " for intervals that are; else empty."""
    return "simultaneous " if r.simultaneous else "adjusted " * (r.n_family > 1)


# --- probabilities ---


def probabilities_of(
    posterior: Posterior, confidence_level: float | None = None
) -> dict[str, Any]:
    """Return the results of a posterior as plain values, for dictionaries and rows.

    Parameters
    ----------
    posterior : Posterior
        The posterior of one pair.
    confidence_level : float, optional
        Level of its interval; without it only the facts that all pairs share are returned.
    """

    def plain(values: Any) -> Any:
        return None if values is None else values._asdict()

    facts = {name: getattr(posterior, name) for name in _OF_ALL}
    if confidence_level is None:
        return facts
    limits = getattr(posterior, "credible_interval", lambda level: None)  # not all have one
    return {
        **facts,
        **posterior.probabilities._asdict(),
        "another": posterior.another,
        "subject": posterior.subject,
        "monte_carlo_errors": plain(posterior.monte_carlo_errors),
        "expected": plain(posterior.expected),
        "bounds": posterior.lowest and [*map(plain, (posterior.lowest, posterior.highest))],
        "drawn": posterior.how_drawn,
        "confidence_level": confidence_level,
        "interval": limits(confidence_level),
    }


def _claims(r: Report, p: Pair, *, than: bool = False) -> dict[str, str]:
    """Write the possible statements on two systems, by the names of their probabilities."""
    rope, a, b = (r.probabilities or {})["rope"], shown_name(p.first), shown_name(p.second)
    beyond = f" by more than {say.short(rope)}" if rope else ""
    both = f"{a} and {b}" if than else "they"
    same = {"same": f"{both} are practically the same"} if rope else {}
    return {
        "better": f"{a} is {r.words.good}{f' than {b}' * than}{beyond}",
        **same,
        "worse": f"{b} is {r.words.good}{f' than {a}' * than}{beyond}",
    }


def where_text(facts: Mapping[str, Any], unit: str) -> str:
    """Write the restriction under which the probabilities hold; empty without one."""
    return str(facts["where"].format(unit=unit_word(unit)))


def _lead(r: Report, facts: Mapping[str, Any], *caveats: str) -> str:
    """Write the start of a sentence on probabilities, with its caveats."""
    where = where_text(facts, r.unit)
    caveats = (facts["caveat"], *filter(None, caveats))
    return f"{facts['lead']} ({', '.join(caveats)}){', ' * bool(where)}{where}"


def probability_details(r: Report, p: Pair) -> Iterator[str]:
    """Write the ranges of probabilities over all places of the prior, and their draws."""
    facts = r.probabilities or {}
    bounds, errors = facts["bounds"], facts["monte_carlo_errors"]
    if bounds is not None:
        ends = (
            f"{' to '.join(f'{end[name]:.2f}' for end in bounds)} that {claim}"
            for name, claim in _claims(r, p).items()
        )
        yield f"wherever the prior is put, {', '.join(ends)}"
    if errors is not None:
        text = f"{facts['n_drawn']} draws{facts['drawn']}"
        yield f"{text}, Monte Carlo error {max(errors.values()):.1g}"


def probability_sentence(r: Report, p: Pair) -> str:
    """Write the probabilities of a pair, which follow the conclusion."""
    facts = r.probabilities or {}
    if isnan(p.p_better):
        return "Nor are there probabilities: nothing varies to test the difference against."
    claims, shown, expected = _claims(r, p), say.probability_texts(facts), facts["expected"]
    adjusted = "not adjusted for other comparisons" * bool(r.adjustment)
    lead = _lead(r, facts, adjusted, "as little valid" * bool(r.invalid))
    listed = ", ".join(f"{shown[name]} that {claim}" for name, claim in claims.items())
    text = f"{lead}: {listed}."
    if expected is None or not facts["another"]:
        return text
    # A probability of coming most often says little without how often each is expected.
    *first, last = [say.probability_text(expected[name], error=0.01) for name in claims]
    values = f"{', '.join(first)} and {last}"
    more = facts["another"].format(unit=unit_word(r.unit), values=values)
    return f"{text} {more[0].upper()}{more[1:]}."


def chances(r: Report) -> Iterator[str]:
    """Write the probable differences of pairs of several systems, and the probable best."""
    if r.probabilities is not None and r.strengths is None:
        yield _probable_pairs(r)
    if r.strengths is not None or r.best_draws:
        yield _probable_best(r)


def _probable_pairs(r: Report) -> str:
    """Write the pairs of several systems whose probabilities reach the usual threshold."""
    facts = r.probabilities or {}
    claims = [
        (share, claim)
        for p in r.pairs
        for name, claim in _claims(r, p, than=True).items()
        if (share := getattr(p, f"p_{name}")) >= PROBABLE
    ]
    claims.sort(key=lambda item: -item[0])
    lead = _lead(r, facts, "not adjusted for the number of pairs")
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    n = facts["n_drawn"]
    texts = [f"{say.probability_text(share, n)} that {claim}" for share, claim in claims]
    return f"{lead}: {say.join_items(texts, _MOST_LISTED)}."


def _probable_best(r: Report) -> str:
    """Write the probabilities to be the best, by one model of all systems."""
    if r.strengths is None:
        shares = {one.name: one.probability_best for one in r.systems}
        return f"Taking all systems together: {best_chances(r, shares, r.best_draws)}."
    of = "scores" if r.strengths.shares is not None else "comparisons"
    model, side, preferred = r.strengths.model, r.strengths.side, ""
    if side is not None:
        limits = f"90% interval {side.low:.2f} to {side.high:.2f}"
        chance = f"with the chance {side.mean:.2f} ({limits}), which is allowed for"
        preferred = f" The one that is shown first is preferred to an equal one {chance}."
    chances = best_chances(r, model.best_probabilities, model.effective_size)
    lead = f"By a Bradley-Terry model of all systems (of the same {of} as the p-values)"
    return f"{lead}: {chances}.{preferred}"


def best_chances(r: Report, shares: Mapping[str, float], n_drawn: float) -> str:
    """Write the probabilities to be the best of the leading systems, and of all others."""
    ordered, n = sorted(shares.items(), key=lambda item: -item[1]), int(n_drawn)
    named = [item for item in ordered[:_MOST_LISTED] if item[1] >= _WORTH_NAMING] or ordered[:1]
    bits = [f"{say.probability_text(p, n)} that {shown_name(name)} is" for name, p in named]
    bits[0] += f" the {r.words.top}"
    if n_others := len(ordered) - len(named):
        others = max(0.0, 1 - sum(share for _, share in named))
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{say.probability_text(others, n)} that {other} is")
    return ", ".join(bits)
