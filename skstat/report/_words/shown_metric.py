"""How readers see the values of a metric: a loss under its own name, with its own sign."""

from dataclasses import dataclass
from typing import Any

from skstat._directions import is_negated_loss


@dataclass(frozen=True)
class ShownMetric:
    """A metric as a reader meets it.

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
        return "lowest" if self.is_loss else "highest"

    def value(self, score: Any) -> Any:
        """Return a score, or a difference of scores, as it is shown; an array too."""
        return 0.0 - score if self.is_loss else score  # not -0.0

    def interval(self, low: float, high: float) -> tuple[float, float]:
        """Return limits as they are shown, low before high."""
        return (0.0 - high, 0.0 - low) if self.is_loss else (low, high)
