"""The case that doubts are looked for in: the numbers, and what else is known."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skstat._names import shown_name
from skstat.report._doubts.context import Context, InContext
from skstat.report._words import SystemsLike, interval_of, level_of
from skstat.stats import (
    BradleyTerryPosterior,
    ClusteredScores,
    ConfidenceInterval,
    CrossedScores,
    Estimate,
    FoldScores,
    Outcome,
    PairedBlockScores,
    PairedFoldScores,
    PairedScores,
    Posterior,
    Preferences,
)
from skstat.stats._outcomes import alpha_of


@dataclass(frozen=True, kw_only=True)
class Case(InContext):
    """One comparison, as the doubts look at it."""

    sample: Any
    outcome: Outcome
    confidence_level: float
    names: tuple[str, str] = ("the first system", "the second system")
    context: Context = field(default_factory=Context)
    adjusted_pvalue: float | None = None
    posterior: Posterior | None = None  # where probabilities were asked
    asked_again: Callable[[Any], Outcome] | None = None  # of fewer units
    of_family: bool = False  # of comparisons that are judged together

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return int(self.sample.n_units)

    @property
    def identical(self) -> bool:
        """Whether both systems score the same on every unit."""
        return bool(self.sample.identical)

    @property
    def without_pvalue(self) -> bool:
        """Whether the procedure found no p-value."""
        return math.isnan(self.outcome.pvalue)

    @property
    def carried(self) -> bool:
        """Whether the variance was found on halves, and carried over to more rows."""
        return self.splits is not None and self.splits.halves is not None

    @property
    def splits(self) -> PairedFoldScores | FoldScores | None:
        """The scores with the design of the splits of repeated partitions."""
        return self.sample if isinstance(self.sample, PairedFoldScores | FoldScores) else None

    @property
    def leaves_out_blocks(self) -> bool:
        """Whether the units are blocks of rows that were left out, one by one and in pairs."""
        return isinstance(self.sample, PairedBlockScores)

    @property
    def differences(self) -> np.ndarray | None:
        """Differences of a paired sample."""
        return self.sample.differences if isinstance(self.sample, PairedScores) else None

    @property
    def pairs(self) -> PairedScores | None:
        """Scores of both systems, of every unit or every row, where each has its own."""
        if isinstance(self.sample, PairedScores):
            return self.sample
        if isinstance(self.sample, ClusteredScores):
            return self.sample.instances
        if isinstance(self.sample, CrossedScores):
            return self.sample.per_instance()
        return self.rows.scores

    @property
    def baseline_score(self) -> float | None:
        """Mean score of the second system, if it is a baseline that ignores X."""
        if self.baseline.majority_share is None or self.pairs is None:
            return None
        return float(np.mean(self.pairs.b))

    @property
    def n_effective(self) -> float:
        """Number of units, or of groups of one size that would weigh as these do."""
        n = self.rows.n_effective
        return self.n_units if n is None else n

    @property
    def alpha(self) -> float:
        """Level of the verdict."""
        return alpha_of(self.confidence_level)

    @cached_property
    def pvalue(self) -> float:
        """The p-value that the verdict rests on."""
        return self.outcome.pvalue if self.adjusted_pvalue is None else self.adjusted_pvalue

    @property
    def by_itself(self) -> Outcome:
        """What the procedure found, where the outcome is that of a family."""
        return self.outcome.by_itself

    @cached_property
    def level(self) -> float:
        """Level of the interval that agrees with the p-value of the verdict."""
        return level_of(self.outcome, self.confidence_level, self.adjusted_pvalue)

    @cached_property
    def interval(self) -> ConfidenceInterval:
        """Interval at that level."""
        return interval_of(self.outcome, self.confidence_level, self.adjusted_pvalue)

    @cached_property
    def is_decided(self) -> bool | None:
        """Whether the test rejects; None where it could not, whatever the scores."""
        if self.identical or np.isnan(self.pvalue):
            return None
        if self.outcome.smallest_pvalue >= self.alpha:
            return None
        return bool(self.pvalue < self.alpha)

    @property
    def n_folds(self) -> int | None:
        """Folds of each partition of the data, if the units are its splits."""
        return getattr(self.sample, "n_folds", None)

    @property
    def n_repeats(self) -> int | None:
        """Partitions of the data, if the units are their splits."""
        return getattr(self.sample, "n_repeats", None)

    @property
    def ordered(self) -> bool:
        """Whether the units stand in time order."""
        return bool(getattr(self.sample, "ordered", False))

    @property
    def test_train_ratio(self) -> float | None:
        """Test rows over training rows, if the units are splits and this is known."""
        return getattr(self.sample, "test_train_ratio", None)


# What of a case, and of its outcome, differs from pair to pair of one design. (Whether both
# systems are the same does too, and doubts are looked for in pairs of either kind.)
OF_ONE_PAIR = frozenset(
    {"sample", "differences", "pairs", "is_decided", "level", "interval"}
    | {"estimate", "standard_error", "statistic", "direction", "effect_sizes", "magnitude"}
    | {"pvalue", "joint_pvalue", "flip_pvalue", "monte_carlo_error"}
    | {"confidence_interval", "critical_value"}
)


@dataclass(frozen=True, kw_only=True)
class SystemsCase:
    """The verdicts on several systems, taken together.

    Attributes
    ----------
    report : SystemsReport or DatasetsReport
        The comparison.
    skewness : float or None
        Largest absolute skewness of the difference of two systems over the root of the
        number of units; None where the scores are not means.
    """

    report: SystemsLike
    skewness: float | None = None


@dataclass(frozen=True, kw_only=True)
class LargestClassCase:
    """Shares of rows that systems are right on, beside what the largest class has of them.

    Attributes
    ----------
    right : mapping of str to float
        By system, on how many of the rows it is right, as a share.
    share : float
        Share of the rows that are of the largest class.
    n_rows : int
        Number of rows.
    """

    right: Mapping[str, float]
    share: float
    n_rows: int

    @property
    def standard_error(self) -> float:
        """Standard error of the share."""
        return math.sqrt(self.share * (1 - self.share) / self.n_rows)

    @property
    def no_better(self) -> tuple[str, ...]:
        """Systems that are right no more often, or by less than one standard error."""
        most = self.share + self.standard_error + 1e-9
        return tuple(name for name, right in self.right.items() if right <= most)


@dataclass(frozen=True, kw_only=True)
class NamedRowsCase:
    """On how many rows of some test sets learners name each class.

    Attributes
    ----------
    labels : sequence of str
        The classes.
    named : mapping of str to ndarray of int of shape (n_tests, n_classes)
        By learner, the rows of every test set on which it names each class.
    held : ndarray of int of shape (n_tests, n_classes)
        The rows that are of each class.
    """

    labels: Sequence[str]
    named: Mapping[str, NDArray[np.int64]]
    held: NDArray[np.int64]


class StrengthsLike(Protocol):
    """A report that may have strengths."""

    @property
    def strengths(self) -> BradleyTerryPosterior | None:
        """Which system is the best, with what probability."""


@dataclass(frozen=True, kw_only=True)
class PreferencesCase:
    """A ranking by preferences.

    Attributes
    ----------
    sample : Preferences
        The comparisons.
    report : LeaderboardReport
        The ranking.
    """

    sample: Preferences
    report: StrengthsLike


@dataclass(frozen=True, kw_only=True)
class DatasetsOfLargestClass:
    """Data sets on which no system is right more often than by the largest class.

    Attributes
    ----------
    names : tuple of str
        These data sets.
    n_datasets : int
        Number of all data sets whose class shares are known.
    """

    names: tuple[str, ...]
    n_datasets: int


class EstimatedRow(Protocol):
    """A row of a report on performance, as far as the doubts look at it."""

    @property
    def name(self) -> str:
        """Name of the estimator."""

    @property
    def estimate(self) -> Estimate:
        """The estimate, with its standard error."""

    @property
    def gap(self) -> float | None:
        """How much better its training score is."""


@dataclass(frozen=True, kw_only=True)
class EstimationMethod:
    """What a method of estimating a performance declares, for the doubts to go by.

    Attributes
    ----------
    by_splits : bool
        Whether the standard error comes from the scores of splits.
    by_contributions : bool
        Whether it needs what every row contributed to the scores of the splits.
    corrected : bool
        Whether that is corrected for training rows that splits share, by their sizes alone.
    one_model : bool
        Whether one fitted model is tested, on one test set.
    of_fitted_models : bool
        Whether the estimand is the mean score of the fitted models, not of the learner.
    assumes_stability : bool
        Whether the models of all splits are taken for much alike.
    stable_from : float or None
        Ratio of test to training rows from which that did no harm in simulations.
    coverage_of_other_metrics : str
        How often the interval contained the truth in simulations where the metric is not one
        of predicted labels; empty where that does no harm.
    fit_whole : bool
        Whether it needs a fit to all rows too, whose training score is a part of it.
    """

    by_splits: bool = False
    by_contributions: bool = False
    corrected: bool = False
    one_model: bool = False
    of_fitted_models: bool = False
    assumes_stability: bool = False
    stable_from: float | None = None
    coverage_of_other_metrics: str = ""
    fit_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class PerformanceCase(Case):
    """An estimate of how good one estimator is, and the splits that it rests on.

    Attributes
    ----------
    method : EstimationMethod
        What is known of the method.
    row : PerformanceRow
        The estimate.
    fell_back : bool
        Whether the scores of the method's own units did not vary.
    untested : tuple of str
        Classes of which no row is ever tested.
    nested_repeats : int or None
        Repeats of a nested cross-validation.
    rarest : int or None
        Rows of the rarest class; None without classes.
    is_mean : bool
        Whether the metric is a mean over rows.
    of_labels : bool
        Whether it is known to be a metric of predicted labels, such as accuracy or F1.
    """

    outcome: Any = None
    sample: Any = None
    confidence_level: float = 0.95
    method: EstimationMethod = EstimationMethod()
    row: EstimatedRow
    fell_back: bool = False
    untested: tuple[str, ...] = ()
    nested_repeats: int | None = None
    rarest: int | None = None
    is_mean: bool = True
    of_labels: bool = True


def rows_of_rarest(case: Case) -> str:
    """Ask for rows of the rarest class, by its label where that is known."""
    label = case.rows.rarest_label
    return f"add rows of class {shown_name(label)}" if label else "add rows of the rarest class"
