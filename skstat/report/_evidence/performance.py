"""What a report on how good estimators are rests on."""

from dataclasses import dataclass
from typing import Any

from skstat.report._evidence.evidence import Evidence
from skstat.report._own_scores import OwnScores
from skstat.stats import ConfidenceInterval, Estimate
from skstat.stats._common import Stored


@dataclass(frozen=True, kw_only=True, eq=False)
class Performance(Stored):
    """How good one estimator is, or how far two are apart.

    Attributes
    ----------
    name : str
        Label of the estimator, or ``"A - B"`` for two.
    estimate : Estimate
        The estimate, with its interval and what it means.
    training_score : float or None
        Mean score on the rows that the models were fitted to; None for a difference. It is
        optimistic, and not an estimate.
    """

    name: str
    estimate: Estimate
    training_score: float | None = None

    @property
    def gap(self) -> float | None:
        """How much better the score is on rows that a model has seen."""
        if self.training_score is None:
            return None
        return self.training_score - self.estimate.estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PerformanceEvidence(Evidence):
    """What a report on how good estimators are rests on.

    Attributes
    ----------
    rows : tuple of Performance
        The estimators, in the order they were given.
    difference : Performance or None
        First minus second estimator, where there are two and the method knows of it.
    method : str
        Name of the method, as it is asked for.
    reason : str
        Why this method was chosen; empty if it was the caller who did.
    training_share : float or None
        Share of the rows, or of the groups, in the training sets that the estimate is for;
        None where it is not for training sets smaller than all.
    n_fits : int
        Fits that were made, of all estimators together.
    """

    rows: tuple[Performance, ...]
    difference: Performance | None = None
    method: str = ""
    reason: str = ""
    training_share: float | None = None
    n_fits: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the estimators."""
        return tuple(row.name for row in self.rows)

    @property
    def first(self) -> Estimate:
        """The estimate of the first estimator."""
        return self.rows[0].estimate

    def shown_interval(self, confidence_level: float) -> ConfidenceInterval:
        """Interval of the score of the first estimator, as readers see it."""
        ends = self.first.confidence_interval(confidence_level)
        return ConfidenceInterval(*self.shown_metric.interval(*ends))

    @property
    def own(self) -> OwnScores:
        """How good every estimator is."""
        estimates = {row.name: row.estimate for row in self.rows}
        return OwnScores.of_estimates(estimates, self.confidence_level)

    def systems_with_samples(self) -> list[Any]:
        """Return nothing: the estimates say all of single systems."""
        return []
