"""What was found about a margin: are both the same, or is one not worse?"""

from math import inf, isnan

from skstat.report._words.numbers import fixed, percent, pvalue_text, short
from skstat.report._words.one_comparison import (
    Finding,
    _decimals,
    above_0,
    as_shown,
    conclude,
    described,
    estimate_text,
    estimated,
    in_what,
    no_difference,
    what,
)
from skstat.report._words.probabilities import probability_sentence
from skstat.stats._outcomes import alpha_of, unit_word


def conclude_margin(finding: Finding) -> str:
    """Write the conclusion on a difference, and on the margin where there is one.

    The margin comes first if the systems are equivalent, and else after the difference.
    Where a test is not of the difference of the scores, that is described behind it. At the
    end stands what the comparison comes to as probabilities, where that was asked.
    """
    warned = f"The p-value is not valid: {finding.invalid}. " if finding.invalid else ""
    return f"{warned}{_conclude(finding)}{described(finding)}{_probable(finding)}"


def _probable(finding: Finding) -> str:
    """Say what the comparison comes to as probabilities, where that was asked."""
    if finding.probabilities is None:
        return ""
    said = probability_sentence(
        finding.probabilities,
        finding.names,
        unit=finding.unit,
        invalid=bool(finding.invalid),
        of_family=finding.adjustment is not None,
    )
    return f" {said}"


def _conclude(finding: Finding) -> str:
    found = conclude(finding)
    if finding.margin is None:
        return found
    a, b = finding.names
    margin = _margin(finding)
    if finding.equivalent:
        equal = (
            f"{a} and {b} are equivalent in {what(finding)} within {margin}: the "
            f"{estimated(finding)}{in_what(finding)} is {estimate_text(finding)} "
            f"({above_0(finding)}{_margin_evidence(finding)})."
        )
        if finding.beside_equivalent:
            equal += f" Both are {finding.beside_equivalent}."
        if finding.rejects:
            return f"{equal} The difference is real but smaller than the margin: {found}"
        return f"{equal} {no_difference(finding)}"
    assert finding.equivalence_pvalues is not None
    a_by, b_by, both = finding.equivalence_pvalues
    if isnan(both):
        return f"{found} {_unjudged(finding)}"
    if finding.rejects:
        return f"{found} {_against_margin(finding)}"
    unasked = _beyond_where_not_asked(finding)
    if unasked is not None:
        return f"{found} {unasked}"
    alpha = alpha_of(finding.confidence_level)
    not_worse = [
        (better, worse, pvalue)
        for better, worse, pvalue in ((a, b, a_by), (b, a, b_by))
        if pvalue < alpha
    ]
    if len(not_worse) == 1:
        ((better, worse, pvalue),) = not_worse
        return (
            f"{found} It was shown that {better} is at most {short(finding.margin)} worse than "
            f"{worse} ({pvalue_text(pvalue)}{_adjusted(finding)}). Equivalence was not shown: "
            f"{better} may be better by {margin} or more ({_margin_evidence(finding)})."
        )
    return (
        f"{found} Nor were they shown to be equivalent within {margin}"
        f"{_what_is_missing(finding)} ({_margin_evidence(finding)})."
    )


def _unjudged(finding: Finding) -> str:
    margin = _margin(finding)
    if isnan(finding.pvalue):
        return f"Nor can {margin} be judged."
    return (
        f"Equivalence within {margin} cannot be judged: the {unit_word(finding.unit)}s show no "
        "variance to test it against."
    )


def _against_margin(finding: Finding) -> str:
    """Compare a difference that was found with the margin, by the report's own interval."""
    assert finding.margin is not None
    low, high = finding.interval
    margin = _margin(finding)
    if isnan(low) or finding.direction == 0:
        return f"Nor was a size shown that could be compared with {margin}."
    side = finding.direction if finding.alternative == "two-sided" else 0
    if finding.alternative == "greater" or side > 0:
        more = low > finding.margin
    else:
        more = high < -finding.margin
    if not more:
        return (
            f"The difference may be smaller than {margin}: the interval contains such "
            f"differences too (equivalence {_margin_pvalue(finding)})."
        )
    return f"The interval lies beyond {margin}: the difference is more than that."


def _beyond_where_not_asked(finding: Finding) -> str | None:
    """Say that a difference in the other direction than asked exceeds the margin."""
    assert finding.margin is not None
    assert finding.equivalence_interval is not None
    if finding.alternative == "two-sided":
        return None
    low, high = finding.equivalence_interval
    if low > finding.margin:
        better, worse = finding.names
    elif high < -finding.margin:
        worse, better = finding.names
    else:
        return None
    adjusted = ", not adjusted," if finding.equivalence_adjustment else ""
    return (
        f"The {_level(finding)} interval{adjusted} {_limits(low, high, finding)} lies beyond "
        f"{_margin(finding)}: {better} is better than {worse} by more than that, which was not "
        "the question asked."
    )


def _what_is_missing(finding: Finding) -> str:
    """Say in which directions the margin is not excluded."""
    assert finding.margin is not None
    assert finding.equivalence_interval is not None
    low, high = finding.equivalence_interval
    if isnan(low):
        return ""
    a, b = finding.names
    if low <= -finding.margin and high >= finding.margin:
        return ": either may be better by as much or more"
    if high >= finding.margin:
        return f": {a} may be better by as much or more"
    if low <= -finding.margin:
        return f": {b} may be better by as much or more"
    return ""


def _margin(finding: Finding) -> str:
    return f"the margin of {short(finding.margin)}"


def _margin_evidence(finding: Finding) -> str:
    """Write the 1 - 2 alpha interval, and the p-value of equivalence."""
    assert finding.equivalence_interval is not None
    low, high = finding.equivalence_interval
    interval = f"{_level(finding)} interval {_limits(low, high, finding)}"
    if finding.equivalence_adjustment:
        interval += ", not adjusted"
    return f"{interval}; equivalence {_margin_pvalue(finding)}"


def _level(finding: Finding) -> str:
    return percent(round(2 * finding.confidence_level - 1, 12))


def _margin_pvalue(finding: Finding) -> str:
    assert finding.equivalence_pvalues is not None
    return f"{pvalue_text(finding.equivalence_pvalues[2])}{_adjusted(finding)}"


def _limits(low: float, high: float, finding: Finding) -> str:
    decimals = _decimals(finding)
    if isnan(low):
        return "none exists"
    if low == -inf and high == inf:
        return f"has no limit with so few {unit_word(finding.unit)}s"
    low, high = as_shown(finding, low, high)
    return f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"


def _adjusted(finding: Finding) -> str:
    return f" {finding.equivalence_adjustment}" if finding.equivalence_adjustment else ""
