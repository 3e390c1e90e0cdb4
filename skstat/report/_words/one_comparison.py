"""One plain sentence on a comparison: what was found, how large, how certain."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Any

from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text, units
from skstat.report._words.shown_metric import ShownMetric
from skstat.stats import OmnibusOutcome, Quantity
from skstat.stats._common import DIFFERENCE
from skstat.stats._outcomes import alpha_of, unit_word


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the sentence is made of."""

    names: tuple[str, str]
    metric: str
    is_loss: bool
    unit: str
    n_units: int
    estimate: float
    direction: int
    interval: tuple[float, float]
    confidence_level: float
    pvalue: float
    alternative: str
    identical: bool
    smallest_pvalue: float = 0.0
    why_no_pvalue: str = "nothing varies to test it against"
    adjustment: str | None = None
    simultaneous: bool = False
    scale: str = "score"
    quantity: Quantity = DIFFERENCE
    means: tuple[float, float] | None = None  # scores of both, for a test of another quantity
    n_resamples: int | None = None
    margin: float | None = None
    equivalent: bool = False
    # Of A not being worse than B by the margin, of B not being, and of both.
    equivalence_pvalues: tuple[float, float, float] | None = None
    equivalence_interval: tuple[float, float] | None = None
    equivalence_adjustment: str | None = None
    invalid: str = ""  # the doubt for which the p-value does not mean what it says
    beside_equivalent: str = ""  # the doubt that takes its worth from an equivalence
    probabilities: Mapping[str, Any] | None = None  # what it comes to, where that was asked

    @property
    def rejects(self) -> bool:
        return self.pvalue < self.alpha

    @property
    def alpha(self) -> float:
        """Level of the verdict, without the float noise of a difference from 1."""
        return alpha_of(self.confidence_level)

    @property
    def shown(self) -> ShownMetric:
        return ShownMetric(self.metric, self.is_loss)

    @property
    def shows_losses(self) -> bool:
        """Whether differences are shown with the sign of losses."""
        return self.is_loss and self.scale == "score"


def conclude(finding: Finding) -> str:
    """Write the conclusion; a p-value never comes without difference and interval."""
    a, b = finding.names
    if finding.identical:
        return (
            f"No difference was found: {a} and {b} have the same {finding.shown.name} on "
            f"all {units(finding.n_units, finding.unit)} (difference 0; "
            f"{shown_pvalue(finding)})."
        )
    if isnan(finding.pvalue):
        found = (
            f"{a} {_verb(finding, better=finding.estimate > 0)} {b}{_of(finding)} by "
            f"{_by(finding)}{_quantity_of(finding)}, but"
        )
        if finding.estimate == 0:
            found = f"{a} and {b} are estimated to be equal in {finding.shown.name}, and"
        return f"No test is possible: {found} {finding.why_no_pvalue}. There is no p-value."
    if finding.smallest_pvalue >= finding.alpha:
        few = units(finding.n_units, finding.unit)
        if finding.n_resamples and 1 / (1 + finding.n_resamples) == finding.smallest_pvalue:
            few = units(finding.n_resamples, "resample")
        return (
            f"No rejection is possible with {few}: the "
            f"smallest p this test can give is {finding.smallest_pvalue:.3g}. The "
            f"{estimated(finding)} in {what(finding)} between {a} and {b} is "
            f"{estimate_text(finding)} ({above_0(finding)}{_evidence(finding)})."
        )
    if finding.rejects:
        return _rejection(finding)
    if finding.alternative == "two-sided":
        low, high = finding.interval
        compatible = ""
        if low <= 0 <= high:
            compatible = "; every difference in this interval is compatible with the data"
        evidence = f"{estimate_text(finding)} ({above_0(finding)}{_evidence(finding)})"
        if finding.quantity.of_units:
            return (
                f"No significant difference between {a} and {b} in {what(finding)} was "
                f"found: the {estimated(finding)} is {evidence}{compatible}."
            )
        named = estimated(finding) if _of_another_quantity(finding) else "estimate"
        return (
            f"No significant difference in {what(finding)} between {a} and {b} was found: the "
            f"{named} is {evidence}{compatible}."
        )
    better = finding.alternative == "greater"
    return (
        f"It was not shown that {a} {_verb(finding, better=better)} {b}{_of(finding)}: the "
        f"{estimated(finding)}{in_what(finding)} is {estimate_text(finding)} "
        f"({above_0(finding)}{_evidence(finding)})."
    )


def no_difference(finding: Finding) -> str:
    """Write that no difference was found, behind a sentence that has the estimate."""
    judged = finding.smallest_pvalue < finding.alpha and not isnan(finding.pvalue)
    if finding.identical or not judged or finding.alternative != "two-sided":
        return conclude(finding)
    return f"No significant difference was found ({_evidence(finding)})."


def differing(omnibus: OmnibusOutcome, metric: str) -> str:
    """Name what a test of all systems at once speaks of: their scores, or ranks by them."""
    return metric if omnibus.scale == "score" else f"{omnibus.scale} by {metric}"


def _rejection(finding: Finding) -> str:
    a, b = finding.names
    if isnan(finding.interval[0]) or finding.direction == 0:
        return (
            f"{a} and {b} differ in {finding.shown.name}, but in no common direction or "
            f"size: the mean difference{in_what(finding)} is {estimate_text(finding)} "
            f"({above_0(finding)}{_evidence(finding)})."
        )
    if finding.alternative == "two-sided":
        winner, loser = (a, b) if finding.direction > 0 else (b, a)
        better = True
    else:  # the question names A first
        winner, loser, better = a, b, finding.alternative == "greater"
    claim = f"{winner} {_verb(finding, better=better)} {loser}{_of(finding)}"
    if _of_another_quantity(finding):
        return (
            f"{claim}: the {estimated(finding)}{in_what(finding)} is "
            f"{estimate_text(finding)} ({above_0(finding)}{_evidence(finding)})."
        )
    if finding.estimate == 0:
        return f"{claim}, but the estimate is 0 ({_evidence(finding, oriented=True)})."
    return f"{claim}, by {_by(finding)} ({_evidence(finding, oriented=True)})."


def _evidence(finding: Finding, *, oriented: bool = False) -> str:
    interval = _interval(finding, oriented=oriented)
    if finding.simultaneous:
        return f"simultaneous {interval}; {shown_pvalue(finding)} {finding.adjustment}"
    if finding.adjustment:
        return f"adjusted {interval}; {shown_pvalue(finding)} {finding.adjustment}"
    return f"{interval}; {shown_pvalue(finding)}"


def described(finding: Finding) -> str:
    """Give the difference of the scores where the test is of another quantity."""
    if finding.quantity.is_difference or finding.means is None or finding.identical:
        return ""
    a, b = finding.names
    shown = finding.shown
    means = [shown.value(mean) for mean in finding.means]
    decimals = max(3, decimals_for([means[0] - means[1]]))
    of_a, of_b = (fixed(mean, decimals) for mean in means)
    size = fixed(means[0] - means[1], decimals, sign=True)
    return (
        f" In {shown.name} the mean over all {units(finding.n_units, finding.unit)} is {of_a} "
        f"for {a} and {of_b} for {b}, a difference of {size}, which this test does not "
        "estimate."
    )


def shown_pvalue(finding: Finding) -> str:
    """Write the p-value, marked where it does not mean what it says."""
    return pvalue_text(finding.pvalue) + (", not valid" if finding.invalid else "")


def _of_another_quantity(finding: Finding) -> bool:
    return finding.scale == "score" and not finding.quantity.is_difference


def estimated(finding: Finding) -> str:
    """Name the estimate."""
    return finding.quantity.name if _of_another_quantity(finding) else "estimated difference"


def _quantity_of(finding: Finding) -> str:
    return f" ({finding.quantity.name})" if _of_another_quantity(finding) else ""


def _verb(finding: Finding, *, better: bool) -> str:
    if finding.scale != "score":
        return "ranks better than" if better else "ranks worse than"
    shown = finding.shown
    side = shown.better if better else shown.worse
    return f"has a {side} {shown.word} than" if shown.is_loss else f"scores {side} than"


def _of(finding: Finding) -> str:
    """Name the score of a claim, unless its verb does."""
    shown, quantity = finding.shown, finding.quantity
    if quantity.claim:
        return f" {quantity.claim.format(unit=unit_word(finding.unit))}"
    named = shown.is_loss and shown.name == shown.word and finding.scale == "score"
    return "" if named else f" in {shown.name}"


def what(finding: Finding) -> str:
    """Name what the estimate is a difference in."""
    metric = finding.shown.name
    if finding.quantity.of_units:
        return f"the {metric} of single {unit_word(finding.unit)}s"
    return metric if finding.scale == "score" else f"{finding.scale} by {metric}"


def in_what(finding: Finding) -> str:
    """Name what a signed difference is of, where that is not the score."""
    own = finding.scale == "score" and finding.quantity.is_difference
    return "" if own else f" in {what(finding)}"


def above_0(finding: Finding) -> str:
    """Say which difference it is, and what its sign means where it is not a score's."""
    a, b = finding.names
    if not finding.is_loss and finding.scale == "score" and finding.quantity.is_difference:
        return f"{a} \N{MINUS SIGN} {b}; "
    side = finding.shown.favours_a if finding.shows_losses else "above"
    return f"{side} 0, {a} is better; "


def _decimals(finding: Finding) -> int:
    return decimals_for([finding.estimate, *finding.interval])


def estimate_text(finding: Finding) -> str:
    estimate = finding.estimate
    if finding.shows_losses:
        estimate = finding.shown.value(estimate)
    return fixed(estimate, _decimals(finding), sign=True)


def as_shown(finding: Finding, low: float, high: float) -> tuple[float, float]:
    """Limits of a difference A - B, with the sign of losses where it is one of losses."""
    return finding.shown.interval(low, high) if finding.shows_losses else (low, high)


def _by(finding: Finding) -> str:
    size = fixed(abs(finding.estimate), _decimals(finding))
    return size if finding.scale == "score" else f"{size} in {finding.scale}"


def _interval(finding: Finding, *, oriented: bool = False) -> str:
    low, high = finding.interval
    flip = finding.alternative == "less"
    if finding.alternative == "two-sided":
        flip = finding.direction < 0
    if not oriented:
        low, high = as_shown(finding, low, high)
    elif flip:
        low, high = -high, -low
    level = f"{percent(finding.confidence_level)} interval"
    decimals = _decimals(finding)
    signed = not oriented
    if isnan(low) or isnan(high):
        return f"{level}: none exists"
    if low == -inf and high == inf:
        return f"{level}: too few {unit_word(finding.unit)}s for a limit"
    if not isfinite(high):
        return f"one-sided {level}: at least {fixed(low, decimals, sign=signed)}"
    if not isfinite(low):
        return f"one-sided {level}: at most {fixed(high, decimals, sign=signed)}"
    return (
        f"{level} {fixed(low, decimals, sign=signed)} to {fixed(high, decimals, sign=signed)}"
    )
