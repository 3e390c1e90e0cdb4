"""How a metric is spoken of: who scores higher, whose error is lower, who ranks better."""

from dataclasses import dataclass
from typing import Any

from skstat._directions import is_amount, is_negated_loss
from skstat.report._model import Report
from skstat.stats._outcomes import unit_word

_COSTS = ("cost", "cost_sensitive_error")


def word(r: Report) -> str:
    """Call a value of the metric: score, error, cost."""
    if not r.lower:
        return "score"
    if r.metric.endswith(_COSTS):
        return "cost"
    if not is_amount(r.metric):
        return "error"
    return "value" if r.metric.endswith("s") else r.metric


def side(r: Report, up: bool) -> str:
    """Say how the value of the better system lies to the other, or that of the worse one."""
    return "lower" if up == r.lower else "higher"


def best(r: Report) -> str:
    """Say how the best value lies to all others."""
    return "lowest" if r.lower else "highest"


def good(r: Any, up: bool = True) -> str:
    """Call a system better or worse; higher or lower where nobody knows which is good."""
    if r.direction_assumed:
        return "higher" if up else "lower"
    return "better" if up else "worse"


def good_best(r: Any) -> str:
    """Call a system the best; the highest where nobody knows which end is good."""
    return "highest" if r.direction_assumed else "best"


def verb(r: Report, up: bool, plural: bool = False) -> str:
    """Say that a system is better, or worse, in the terms of the metric: "scores higher"."""
    s = "" if plural else "s"
    if r.scale != "score":
        return f"rank{s} {good(r, up)}"
    if r.lower:
        return f"{'have' if plural else 'has'} a {side(r, up)} {word(r)}"
    return f"score{s} {side(r, up)}"


def claim(r: Report) -> str:
    """Say how the better of a pair is better, where it is not in the scores as a whole."""
    return f" {r.quantity.claim.format(unit=unit_word(r.unit))}" if r.quantity.claim else ""


def of_metric(r: Report) -> str:
    """Name the score that a claim is about, unless its verb does."""
    if r.quantity.claim:
        return claim(r)
    named = r.lower and r.metric == word(r) and r.scale == "score"
    return "" if named else f" in {r.metric}"


def what(r: Report) -> str:
    """Name what the systems differ in."""
    if r.quantity.of_units:
        return f"the {r.metric} of single {unit_word(r.unit)}s"
    return r.metric if r.scale == "score" else f"{r.scale} by {r.metric}"


def is_plain(r: Report) -> bool:
    """Whether the estimates are differences of the scores."""
    return r.scale == "score" and r.quantity.is_difference


def is_turned(r: Report) -> bool:
    """Whether a positive estimate speaks against the first system: one of losses does."""
    return r.lower and r.scale == "score"


def direction(r: Any) -> str:
    """Say which way the values are better."""
    if r.direction_assumed:
        return "no direction is known"
    return f"{'lower' if r.lower else 'higher'} is better"


@dataclass(frozen=True)
class ShownMetric:
    """A metric as a reader meets it: a loss under its own name, with its own sign.

    Inside, higher is better: the score of a loss is its negative, and the effect is
    score(A) - score(B). A reader meets the loss itself, and differences of losses.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    """

    metric: str
    is_loss: bool = False

    @property
    def name(self) -> str:
        """Name of the metric; of a negated loss that of the loss."""
        negated = self.is_loss and is_negated_loss(self.metric)
        return self.metric.removeprefix("neg_") if negated else self.metric

    @property
    def better(self) -> str:
        """How the better value lies to the other."""
        return "lower" if self.is_loss else "higher"

    @property
    def best(self) -> str:
        """How the best value lies to all others."""
        return f"{self.better.removesuffix('er')}est"

    def value(self, score: Any) -> Any:
        """Return a score, or a difference of scores, as it is shown; an array too."""
        return 0.0 - score if self.is_loss else score  # not -0.0

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Return limits as they are shown, low before high."""
        return (0.0 - high, 0.0 - low) if self.is_loss else (low, high)
