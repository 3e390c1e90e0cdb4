"""What any report rests on, and what one on the performance of systems does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from skstat import stats
from skstat._times import Times
from skstat.report._about_tests import Recommendation
from skstat.report._doubts import Doubt
from skstat.report._terms import ShownMetric
from skstat.stats._family import alpha_of
from skstat.stats._stored import Stored


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnScores(Stored):
    """How good every system is by itself.

    Attributes
    ----------
    scores : mapping of str to tuple
        By system: estimate and both limits, higher is better, and how they were computed.
        Limits are nan where the scores do not vary.
    confidence_level : float
        Level of each interval.
    why_none : str
        Why there are none, as the end of a sentence; else empty.
    """

    scores: Mapping[str, tuple[float, float, float, str]]
    confidence_level: float
    why_none: str = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evidence(Stored):
    """What a report rests on: samples, outcomes and facts, in the sign of scores.

    Here higher is better, and a loss is its negative: the report turns it.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    direction_assumed : str
        Where which way the metric is better is a guess, because neither the user nor a log
        or scorer says it: what to say otherwise with. Else empty.
    confidence_level : float
        Level of intervals; verdicts use alpha = 1 - confidence_level.
    design : mapping
        How the scores came about, where that is known.
    ignored_variance : tuple of str
        Sources of variation that the tests do not cover.
    doubts : sequence of Doubt
        Coded reasons to trust the conclusion less.
    choice : Recommendation, partial or None
        Which test was chosen and why, when it was not the caller who chose; or a function of
        nothing that says it, as :attr:`chosen` does.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, of systems
        that were fitted here. No second run repeats them to the last digit.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : OwnScores or None
        Intervals of the scores of single systems that a restored report keeps. Else they are
        computed when somebody asks for them, as a summary table does.
    """

    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: Sequence[Doubt] = ()
    choice: Recommendation | partial[Recommendation] | None = None
    margin: float | None = None
    times: Mapping[str, Times] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | None = None

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @cached_property
    def chosen(self) -> Recommendation | None:
        """Which test was chosen and why."""
        return self.choice() if isinstance(self.choice, partial) else self.choice

    @property
    def shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    @property
    def unit(self: Any) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self: Any) -> int:
        """Number of observations."""
        return int(self.sample.n_units)


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
    estimate: stats.Estimate
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
    def sample(self) -> stats.Estimate:
        """The estimate of the first estimator."""
        return self.rows[0].estimate

    def shown_interval(self, confidence_level: float) -> stats.ConfidenceInterval:
        """Interval of the score of the first estimator, as readers see it."""
        ends = self.sample.confidence_interval(confidence_level)
        return stats.ConfidenceInterval(*self.shown_metric.interval(*ends))
