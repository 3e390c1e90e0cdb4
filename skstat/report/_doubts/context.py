"""What is known beside the numbers: a record from each of those who know."""

from collections.abc import Collection
from dataclasses import dataclass

from skstat.report._words import ShownMetric
from skstat.stats import PairedScores


@dataclass(frozen=True, kw_only=True)
class MetricFacts:
    """The metric, and how its differences are judged.

    Attributes
    ----------
    name : str
        Its name.
    is_loss : bool
        Whether smaller is better.
    margin : float or None
        Largest difference that does not matter.
    n_unadjusted : int
        Metrics that are judged together, without an adjustment.
    of_labels : bool or None
        Whether it is one of predicted labels; None where that is not known.
    is_mean : bool
        Whether it is a mean over rows.
    rows_unknown : bool
        Whether it is not known what every row contributes to it.
    """

    name: str = "score"
    is_loss: bool = False
    margin: float | None = None
    n_unadjusted: int = 1
    of_labels: bool | None = None
    is_mean: bool = False
    rows_unknown: bool = False

    @property
    def shown(self) -> ShownMetric:
        """How its values are shown."""
        return ShownMetric(self.name, self.is_loss)


@dataclass(frozen=True, kw_only=True)
class DesignFacts:
    """The splits, data sets or seeds that the units come from.

    Attributes
    ----------
    independent_units : bool
        Whether the test assumes independent units.
    treated_as_independent : bool
        Whether it assumes that of units that are not independent.
    splits_groups : bool
        Whether groups have rows in training and in test sets.
    n_groups : int or None
        Groups of rows that the splits keep together.
    min_test_rows : int or None
        Rows of the smallest test set; of all blocks but the largest.
    min_scored_rows : int or None
        Rows of the smallest set that has a score of its own, a split's or a block's.
    repeated_splits : int
        Splits whose test set is that of another split.
    same_class_shares : bool
        Whether all splits hold the same share of every class.
    split_spread : float or None
        Variance between splits over what their test rows imply.
    smallest_class : int or None
        Rows of the rarest class, where the metric is not a mean over rows.
    n_copies, n_rows : int
        Rows that repeat another row, in X and in y, and all rows of the data.
    degenerate : str or None
        Why the splits could not be tested, and what was tested instead.
    left_out : tuple of str
        Data sets that are left out, and why.
    n_seeds : int or None
        Seeds of the system that has fewer.
    pooled_seeds : bool
        Whether every row counts once per seed.
    """

    independent_units: bool = False
    treated_as_independent: bool = False
    splits_groups: bool = False
    n_groups: int | None = None
    min_test_rows: int | None = None
    min_scored_rows: int | None = None
    repeated_splits: int = 0
    same_class_shares: bool = False
    split_spread: float | None = None
    smallest_class: int | None = None
    n_copies: int = 0
    n_rows: int = 0
    degenerate: str | None = None
    left_out: tuple[str, ...] = ()
    n_seeds: int | None = None
    pooled_seeds: bool = False


@dataclass(frozen=True, kw_only=True)
class RowFacts:
    """The rows of a test set.

    Attributes
    ----------
    scores : PairedScores or None
        Scores of both systems on every row, where each row has its own.
    n_differing : int or None
        Rows, or groups, on which the outputs differ.
    n_effective : float or None
        Groups of one size that would weigh as these do.
    equal_to_truth : tuple of str
        Systems whose predictions are the truth.
    class_counts : tuple of int or None
        Rows of the positive and of the negative class, where a test counts them.
    rarest_class : int or None
        Rows of the rarest class, where the metric counts classes alike.
    rarest_label : str
        Its label; empty where it is not known.
    smallest_stratum : int or None
        Rows of the smallest stratum.
    largest_share : float or None
        Largest share of a row, or group, in the variance of the difference.
    aucs : tuple of float
        Areas under the ROC curves of both systems, where these are compared.
    neighbours_alike : float or None
        Correlation of neighbours in rows without order, where no luck explains it.
    neighbours : float or None
        Correlation of neighbours in time order.
    autocorrelation : float or None
        Correlation beyond what the test allows for, where no luck explains it.
    block_length : int or None
        Rows that are resampled together.
    horizon : int or None
        Steps ahead that the rows were predicted.
    """

    scores: PairedScores | None = None
    n_differing: int | None = None
    n_effective: float | None = None
    equal_to_truth: tuple[str, ...] = ()
    class_counts: tuple[int, int] | None = None
    rarest_class: int | None = None
    rarest_label: str = ""
    smallest_stratum: int | None = None
    largest_share: float | None = None
    aucs: tuple[float, ...] = ()
    neighbours_alike: float | None = None
    neighbours: float | None = None
    autocorrelation: float | None = None
    block_length: int | None = None
    horizon: int | None = None


@dataclass(frozen=True, kw_only=True)
class ResultFacts:
    """The results of evaluations that were read.

    Attributes
    ----------
    n_items : int or None
        Items, before any is left out.
    n_items_left_out : int
        Items that are left out.
    limited : tuple of (str, int, int)
        Systems that were not evaluated on all items: on how many, and of how many.
    evaluations_differ : tuple of str
        In what the evaluations of the systems differ.
    one_log_twice : tuple of str
        Systems that have the same scores from one place.
    unused_groups : tuple of (str, int, float)
        Columns that may be groups: how many these are, and their design effect.
    """

    n_items: int | None = None
    n_items_left_out: int = 0
    limited: tuple[tuple[str, int, int], ...] = ()
    evaluations_differ: tuple[str, ...] = ()
    one_log_twice: tuple[str, ...] = ()
    unused_groups: tuple[tuple[str, int, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class LearnerFacts:
    """The learners that are compared.

    Attributes
    ----------
    unstable : collection of str or None
        Those that a small change of the training rows may change much.
    unseeded : collection of str
        Those that draw without a seed, and ``"cv"`` where the splits do.
    n_candidates : int or None
        Candidates of a search, of which one is the best by the same scores.
    """

    unstable: Collection[str] | None = None
    unseeded: Collection[str] = ()
    n_candidates: int | None = None


@dataclass(frozen=True, kw_only=True)
class BaselineFacts:
    """What a guess that ignores X scores.

    Attributes
    ----------
    majority_share : float or None
        Share of the rows that are of the largest class.
    n_classes : int or None
        Number of classes.
    guesses_alike : bool
        Whether all guesses have the same expected score.
    share_of_hits : bool
        Whether the metric is the accuracy, by whatever name.
    better_guess : tuple of (str, float) or None
        A guess that is better than the one compared with, and its expected score.
    """

    majority_share: float | None = None
    n_classes: int | None = None
    guesses_alike: bool = False
    share_of_hits: bool = False
    better_guess: tuple[str, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is known beside the numbers; the default of a fact says that it is not known."""

    metric: MetricFacts = MetricFacts()
    design: DesignFacts = DesignFacts()
    rows: RowFacts = RowFacts()
    results: ResultFacts = ResultFacts()
    learners: LearnerFacts = LearnerFacts()
    baseline: BaselineFacts = BaselineFacts()


class InContext:
    """A case with what is known beside its numbers."""

    context: Context

    @property
    def metric(self) -> MetricFacts:
        """The metric, and how its differences are judged."""
        return self.context.metric

    @property
    def design(self) -> DesignFacts:
        """The splits, data sets or seeds that the units come from."""
        return self.context.design

    @property
    def rows(self) -> RowFacts:
        """The rows of a test set."""
        return self.context.rows

    @property
    def results(self) -> ResultFacts:
        """The results of evaluations that were read."""
        return self.context.results

    @property
    def learners(self) -> LearnerFacts:
        """The learners that are compared."""
        return self.context.learners

    @property
    def baseline(self) -> BaselineFacts:
        """What a guess that ignores X scores."""
        return self.context.baseline
