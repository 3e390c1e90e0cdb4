"""What one of several comparisons has that are judged together, whatever their law is."""

from dataclasses import dataclass
from typing import Any

from skstat.stats._common import Quantity
from skstat.stats._outcomes import ConfidenceInterval, Outcome, Posterior


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedTogether(Outcome):
    """One of several comparisons, with an interval that is simultaneous with theirs.

    Attributes
    ----------
    own : Outcome
        What the comparison found by itself, and its p-value; a margin is judged by it.
    joint_pvalue : float
        p-value adjusted for the family.
    """

    simultaneous = True

    own: Outcome
    joint_pvalue: float

    @property
    def quantity(self) -> Quantity:
        return self.own.quantity

    @property
    def pvalue(self) -> float:
        return self.own.pvalue

    @property
    def by_itself(self) -> Outcome:
        return self.own

    def _interval_alone(self, confidence_level: float) -> ConfidenceInterval:
        # The law is that of a family, and of its direction.
        return self.own._interval_alone(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        return self.own._pvalue_beyond(bound, alternative)

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        return self.own._posterior(rope, n_draws=n_draws, rng=rng)
