"""One plain sentence: what was found, how large, how sure."""

from dataclasses import dataclass
from math import inf, isfinite, isnan

from skstat.report._numbers import decimals_for, every, fixed, percent, pvalue_text, units


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the sentence is made of."""

    names: tuple[str, str]
    metric: str
    is_loss: bool
    unit: str
    n_units: int
    estimate: float
    interval: tuple[float, float]
    confidence_level: float
    pvalue: float
    alternative: str
    identical: bool
    smallest_pvalue: float = 0.0
    adjustment: str | None = None

    @property
    def rejects(self) -> bool:
        return self.pvalue < 1 - self.confidence_level


def conclude(finding: Finding) -> str:
    """Write the conclusion; a p-value never comes without difference and interval."""
    a, b = finding.names
    if finding.identical:
        return (
            f"No difference was found: {a} and {b} have the same {_metric(finding)} on "
            f"all {units(finding.n_units, finding.unit)} (difference 0; {_p(finding)})."
        )
    if isnan(finding.pvalue):
        return (
            f"No test is possible: {a} {_direction(finding)} {b} in "
            f"{_metric(finding)} by {_size(finding)}, but the {every(finding.unit)}s show no "
            "variance to judge it by."
        )
    if finding.smallest_pvalue >= 1 - finding.confidence_level:
        return (
            f"No rejection is possible with {units(finding.n_units, finding.unit)}: the "
            f"smallest p this test can give is {finding.smallest_pvalue:.3g}. The "
            f"estimated difference in {_metric(finding)} between {a} and {b} is "
            f"{_estimate(finding)} "
            f"({_interval(finding)}; {_p(finding)})."
        )
    if finding.rejects:
        winner, loser, verb = _order(finding)
        return (
            f"{winner} {verb} {loser} in {_metric(finding)}, by {_size(finding)} "
            f"({_interval(finding, oriented=True)}; {_p(finding)})."
        )
    if finding.alternative == "two-sided":
        low, high = finding.interval
        compatible = ""
        if low <= 0 <= high:
            compatible = "; every difference in this interval is compatible with the data"
        return (
            f"No difference in {_metric(finding)} between {a} and {b} was found: the "
            f"estimate is {_estimate(finding)} ({_interval(finding)}; {_p(finding)})"
            f"{compatible}."
        )
    claim = "higher" if finding.alternative == "greater" else "lower"
    if finding.is_loss:
        claim = "lower" if claim == "higher" else "higher"
        return (
            f"It was not shown that {a} has {_a(claim)} {_metric(finding)} than {b}: the "
            f"estimated difference in score is {_estimate(finding)} "
            f"({_interval(finding)}; {_p(finding)})."
        )
    return (
        f"It was not shown that {a} scores {claim} than {b} in {_metric(finding)}: the "
        f"estimate is {_estimate(finding)} ({_interval(finding)}; {_p(finding)})."
    )


def _order(finding: Finding) -> tuple[str, str, str]:
    """Winner first; with a one-sided question, A first."""
    a, b = finding.names
    a_wins = finding.estimate > 0 if finding.alternative == "two-sided" else True
    better = finding.alternative != "less"
    if finding.is_loss:
        verb = "has a lower error than" if better else "has a higher error than"
    else:
        verb = "scores higher than" if better else "scores lower than"
    return (a, b, verb) if a_wins else (b, a, verb)


def _direction(finding: Finding) -> str:
    higher = finding.estimate > 0
    if finding.is_loss:
        return "has a lower error than" if higher else "has a higher error than"
    return "scores higher than" if higher else "scores lower than"


def _metric(finding: Finding) -> str:
    name = finding.metric
    return name.removeprefix("neg_") if finding.is_loss else name


def _decimals(finding: Finding) -> int:
    return decimals_for([finding.estimate, *finding.interval])


def _estimate(finding: Finding) -> str:
    return fixed(finding.estimate, _decimals(finding), sign=True)


def _size(finding: Finding) -> str:
    return fixed(abs(finding.estimate), _decimals(finding))


def _interval(finding: Finding, *, oriented: bool = False) -> str:
    low, high = finding.interval
    flip = (
        finding.estimate < 0
        if finding.alternative == "two-sided"
        else (finding.alternative == "less")
    )
    if oriented and flip:
        low, high = -high, -low
    level = f"{percent(finding.confidence_level)} interval"
    decimals = _decimals(finding)
    signed = not oriented
    if isnan(low) or isnan(high):
        return f"{level}: none exists"
    if low == -inf and high == inf:
        return f"{level}: too few {every(finding.unit)}s for a limit"
    if not isfinite(high):
        return f"one-sided {level}: at least {fixed(low, decimals, sign=signed)}"
    if not isfinite(low):
        return f"one-sided {level}: at most {fixed(high, decimals, sign=signed)}"
    return (
        f"{level} {fixed(low, decimals, sign=signed)} to {fixed(high, decimals, sign=signed)}"
    )


def _p(finding: Finding) -> str:
    text = pvalue_text(finding.pvalue)
    return f"{text} {finding.adjustment}" if finding.adjustment else text


def _a(word: str) -> str:
    return f"a {word}"
