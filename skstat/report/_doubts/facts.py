"""The input of the rules for doubts: facts of a comparison, and its pairs in columns."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.metrics._known import lies_between_0_and_1
from skstat.report._terms import ShownMetric
from skstat.stats._bootstrap import Replicates
from skstat.stats._family import OutcomeFamily, alpha_of, family_of
from skstat.stats._score_table import ScorePairs
from skstat.stats._t_tests import Projection

Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64]
FEW = 10  # units


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs of systems in columns: one, or all that are compared together.

    Attributes
    ----------
    names : sequence of tuple of str
        Both systems of every pair.
    outcomes : OutcomeFamily
        Outcomes of their comparisons.
    identical : ndarray of bool
        Whether both systems score the same on every unit.
    levels : ndarray
        Levels of the intervals that agree with the p-values of the verdicts.
    adjusted : ndarray or None
        Adjusted p-values; None where those of the outcomes decide.
    judged : bool
        Whether the verdicts follow from these p-values; they do not for one of several pairs,
        whose p-value is adjusted later.
    scored : sequence of PairedScores, or of one ScorePairs
        Their scores on every unit, where each unit has a score.
    posteriors : sequence of Posterior
        One for every pair, where probabilities were asked for.
    """

    names: Sequence[tuple[str, str]] = ()
    outcomes: OutcomeFamily = field(default_factory=lambda: family_of(()))
    identical: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    levels: Numbers = field(default_factory=lambda: np.zeros(0))
    adjusted: Numbers | None = None
    judged: bool = True
    scored: Sequence[stats.PairedScores | ScorePairs] = ()
    posteriors: Sequence[stats.Posterior] = ()


class EstimationMethod:
    """Properties of a method that doubts depend on; the defaults are of tests over splits.

    Attributes
    ----------
    by_splits : bool
        Whether the standard error comes from the scores of splits.
    by_contributions : bool
        Whether it needs the contribution of every row to the scores of the splits.
    corrected : bool
        Whether the standard error is corrected for shared training rows by the sizes of
        training and test sets alone.
    one_model : bool
        Whether one fitted model is tested, on one test set.
    assumes_stability : bool
        Whether it assumes that the models of all splits are much alike.
    stable_from : float or None
        Ratio of test to training rows from which that assumption did no harm in simulations.
    coverage_of_other_metrics : str
        How often the interval contained the truth in simulations where the metric is not one
        of predicted labels; empty where that does no harm.
    fit_whole : bool
        Whether it also uses the training score of a fit to all rows.
    """

    by_splits: bool = True
    by_contributions: bool = False
    corrected: bool = True
    one_model: bool = False
    assumes_stability: bool = False
    stable_from: float | None = None
    coverage_of_other_metrics: str = ""
    fit_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts of a comparison; the default of a fact means that it is unknown, or false.

    They are filled in where they are known, mostly in ``skstat/comparison/_engine``.

    Attributes
    ----------
    names : tuple of str
        The systems.
    metric, is_loss : str, bool
        Name of the metric, and whether smaller is better.
    confidence_level : float
        Level of the intervals.
    margin : float or None
        Largest difference that does not matter.
    of_labels : bool or None
        Whether the metric is one of predicted labels; None where that is not known.
    is_mean : bool
        Whether it is a mean over rows.
    rows_unknown : bool
        Whether it is unknown what every row contributes to it.
    unit, n_units : str, int
        What one observation is, and how many there are.
    sample, outcome : object, Comparison
        The data of two systems, or of one and a constant, and the outcome of the test.
    of_family : bool
        Whether they are one of several pairs with a joint adjustment.
    retest : callable or None
        The same test as a function of another sample, such as one with fewer units.
    posterior : Posterior or None
        Probabilities of two systems, where they were asked for and it is the only pair.
    verdicts : Pairs
        All pairs of several systems, with a joint adjustment.
    table : ScoreTable or None
        Scores of several systems over data sets.
    pairwise, omnibus : PairwiseOutcome, OmnibusOutcome, or None
        Outcomes for several systems, in pairs and all at once.
    skewness : float or None
        Largest absolute skewness of the difference of two systems over the root of the number
        of units, where the question is which of several systems may be the best.
    strengths : BradleyTerryPosterior or None
        Which of several systems is the best, with what probability.
    preferences : Preferences or None
        The comparisons that a ranking rests on.
    stability : Stability or None
        Verdicts on other partitions of the same rows.
    independent_units : bool
        Whether the test assumes independent units.
    treated_as_independent : bool
        Whether it assumes independence of units that are dependent.
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
        Variance between splits over the variance that their test rows imply.
    n_copies, n_rows : int
        Rows that repeat another row, in X and in y, and all rows of the data.
    degenerate : str
        Why the splits could not be tested, and what was tested instead.
    left_out : tuple of str
        Data sets that are left out, and why.
    n_seeds : int or None
        Seeds of the system that has fewer.
    pooled_seeds : bool
        Whether every row counts once per seed.
    scores : PairedScores or None
        Scores of both systems on every row of a test set, where each row has a score.
    n_differing : float
        Rows, or groups, on which the outputs differ; infinite where that is not known.
    n_weighed : float or None
        Effective number of groups, if they differ in size.
    equal_to_truth : tuple of str
        Systems whose predictions are the truth.
    rarest_class, rarest_label : int or None, str
        Rows of the rarest class, where the metric or the test is one of classes and not a mean
        over rows, and its label.
    smallest_stratum : int or None
        Rows of the smallest stratum.
    largest_share : float or None
        Largest share of a row, or group, in the variance of the difference.
    aucs : tuple of float
        Areas under the ROC curves of both systems, where these are compared.
    neighbours_alike : float or None
        Correlation of neighbours in rows without order, where it is significant.
    neighbours : float or None
        Correlation of neighbours in time order.
    autocorrelation : float or None
        Correlation beyond what the test allows for, where it is significant.
    block_length, horizon : int or None
        Rows that are resampled together, and steps ahead that they were predicted.
    n_items, n_items_left_out : int
        Items of the results, and those of them that are left out.
    limited : tuple of (str, int, int)
        Systems that were not evaluated on all items: on how many, and of how many.
    evaluations_differ : tuple of str
        Aspects in which the evaluations of the systems differ.
    one_log_twice : tuple of str
        Systems that have the same scores from the same file or folder.
    unused_groups : tuple of (str, int, float)
        Columns that may be groups: how many these are, and their design effect.
    unstable : collection of str or None
        Learners that a small change of the training rows may change much.
    unseeded : collection of str
        Learners that draw without a seed, and ``"cv"`` where the splits do.
    n_candidates : int or None
        Candidates of a search, of which one is the best by the same scores.
    is_baseline : bool
        Whether the second system is a baseline that ignores X.
    better_guess : tuple of (str, float) or None
        A guess that is better than the one compared with, and its expected score.
    accuracies, largest_class : mapping of str to float, float
        The share of the `n_rows` rows on which every system is right, and the share of the
        largest class.
    at_guess, n_datasets : tuple of str, int
        Data sets on which no system is right on more rows than are of the largest class, and
        the number of all data sets where that is known.
    labels, n_predicted, n_true : sequence of str, mapping of str to ndarray, ndarray
        The classes; by learner the number of rows predicted as each class, of shape (test sets,
        classes); and the number of rows of each class, of the same shape.
    estimate, method : Estimate or None, EstimationMethod
        Estimated performance of one estimator, and the method. The default of the method is
        that of comparisons.
    gap : float or None
        How much better its training score is.
    fell_back : bool
        Whether the scores of the method's own units did not vary.
    untested : tuple of str
        Classes of which no row is ever tested.
    nested_repeats : int or None
        Repeats of a nested cross-validation.
    """

    names: tuple[str, ...] = ()
    metric: str = "score"
    is_loss: bool = False
    confidence_level: float = 0.95
    margin: float | None = None
    of_labels: bool | None = None
    is_mean: bool = False
    rows_unknown: bool = False
    unit: str = ""
    n_units: int = 0
    sample: Any = None
    outcome: stats.Comparison | None = None
    of_family: bool = False
    retest: Callable[[Any], stats.Comparison] | None = None
    posterior: stats.Posterior | None = None
    verdicts: Pairs = Pairs()
    table: stats.ScoreTable | None = None
    pairwise: stats.PairwiseOutcome | None = None
    omnibus: stats.OmnibusOutcome | None = None
    skewness: float | None = None
    strengths: stats.BradleyTerryPosterior | None = None
    preferences: stats.Preferences | None = None
    stability: Any = None
    independent_units: bool = False
    treated_as_independent: bool = False
    splits_groups: bool = False
    n_groups: int | None = None
    min_test_rows: int | None = None
    min_scored_rows: int | None = None
    repeated_splits: int = 0
    same_class_shares: bool = False
    split_spread: float | None = None
    n_copies: int = 0
    n_rows: int = 0
    degenerate: str = ""
    left_out: tuple[str, ...] = ()
    n_seeds: int | None = None
    pooled_seeds: bool = False
    scores: stats.PairedScores | None = None
    n_differing: float = math.inf
    n_weighed: float | None = None
    equal_to_truth: tuple[str, ...] = ()
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
    n_items: int = 0
    n_items_left_out: int = 0
    limited: tuple[tuple[str, int, int], ...] = ()
    evaluations_differ: tuple[str, ...] = ()
    one_log_twice: tuple[str, ...] = ()
    unused_groups: tuple[tuple[str, int, float], ...] = ()
    unstable: Collection[str] | None = None
    unseeded: Collection[str] = ()
    n_candidates: int | None = None
    is_baseline: bool = False
    better_guess: tuple[str, float] | None = None
    accuracies: Mapping[str, float] | None = None
    largest_class: float = 0.0
    at_guess: tuple[str, ...] = ()
    n_datasets: int = 0
    labels: Sequence[str] = ()
    n_predicted: Mapping[str, NDArray[np.int64]] | None = None
    n_true: NDArray[np.int64] | None = None
    estimate: stats.Estimate | None = None
    method: EstimationMethod | type[EstimationMethod] = EstimationMethod
    gap: float | None = None
    fell_back: bool = False
    untested: tuple[str, ...] = ()
    nested_repeats: int | None = None

    # Facts that `complete` computes from these; the last line has indices of pairs.
    pairs = Pairs()
    alpha = 0.05
    identical = ordered = resampled = few = False
    over_splits = by_split_variance = is_single_k_fold = carried = False
    shown: ClassVar[ShownMetric]
    n_effective: ClassVar[float]
    law: ClassVar[Any] = None
    folds: ClassVar[Any] = None
    n_folds: ClassVar[int | None] = None
    pvalues: ClassVar[Numbers]
    decided: ClassVar[Mask]
    scored = posteriors = ()
    alike = untestable = without_interval = undecided = significant = ()

    def complete(self) -> None:
        """Compute the facts that follow from others, so that most rules need not even run.

        For two systems `pairs` has their only pair, `law` is the law of its outcome, and
        `identical` tells whether they score the same everywhere. `folds` is a sample with a
        design of repeated partitions, of `n_folds` folds each, and `carried` tells whether its
        variance was found on halves. `over_splits` tells of a test over splits that is not
        valid for any learner, `by_split_variance` of one that uses the variance of the scores
        of splits, and `is_single_k_fold` of a test that is corrected, on a partition without
        repeats. `resampled` tells of resampled rows of systems that differ, and `few` whether
        the number of units is a reason for doubt. The rest are indices of pairs: those that are
        `alike`, `untestable` or `without_interval`, and with differences on a known scale those
        that are `undecided` or `significant` by a test that could reject.
        """
        sample, outcome, pairs, scored = self.sample, self.outcome, self.verdicts, self.scores
        law, identical, alpha = None, False, alpha_of(self.confidence_level)
        if outcome is not None:
            law, identical = outcome.law, bool(sample.identical)
            if isinstance(sample, stats.PairedScores):
                scored = sample
            elif isinstance(sample, stats.SeedScores) and sample.of_instances:
                scored = sample.per_instance()
            pairs = Pairs(
                names=((self.names[0], self.names[1]),),
                outcomes=family_of((outcome,)),
                identical=np.array([identical]),
                levels=np.array([self.confidence_level]),
                judged=not self.of_family,
                scored=() if scored is None else (scored,),
                posteriors=() if self.posterior is None else (self.posterior,),
            )
        folds = None if getattr(sample, "rows", None) is None else sample
        tested = outcome is not None or self.table is not None
        covers = isinstance(law, Projection) or getattr(sample, "n_blocks", None) is not None
        over_splits = self.unit == "split" and outcome is not None and not covers
        corrected = self.method.corrected and not self.treated_as_independent
        single = corrected and getattr(sample, "n_repeats", None) == 1
        resampled = isinstance(law, Replicates) and not identical
        vars(self).update(
            pairs=pairs,
            alpha=alpha,
            law=law,
            identical=identical,
            aucs=tuple(getattr(law, "aucs", self.aucs)),
            neighbours=getattr(law, "autocorrelation", self.neighbours),
            ordered=getattr(sample, "ordered", False),
            shown=ShownMetric(self.metric, self.is_loss),
            n_effective=self.n_units if self.n_weighed is None else self.n_weighed,
            folds=folds,
            carried=folds is not None and folds.rows.halves is not None,
            n_folds=getattr(sample, "n_folds", None),
            over_splits=over_splits,
            by_split_variance=over_splits and not self.treated_as_independent,
            is_single_k_fold=single,
            few=tested and self.n_units < FEW and not (self.unit == "group" or single),
            resampled=resampled,
            scored=pairs.scored,
            posteriors=pairs.posteriors,
            **self._judged(pairs, alpha),
        )

    def _judged(self, pairs: Pairs, alpha: float) -> dict[str, Any]:
        """Return the indices of the pairs that a doubt may be about, by their p-values."""
        family, raw = pairs.outcomes, pairs.outcomes.numbers("pvalue")
        pvalues = raw if pairs.adjusted is None else pairs.adjusted
        none = decided = empty = np.zeros(len(raw), dtype=bool)
        done = pairs.adjusted is not None and not pairs.scored  # each pair had its own doubts
        single = self.table is None  # over data sets these doubts are not raised for pairs
        if single and not done:
            empty = np.isnan(family.limits(self.confidence_level)[0]) & ~np.isnan(raw)
        if single and pairs.judged:
            possible = family.numbers("smallest_pvalue") < alpha
            decided = ~pairs.identical & ~np.isnan(pvalues) & possible
        # Whether it is known what a large difference is.
        sized = decided.any() and family.distinct("scale") == ("score",)
        sized = sized and (self.margin is not None or lies_between_0_and_1(self.metric))
        masks = {
            "alike": none if done or self.degenerate else pairs.identical,
            "untestable": np.isnan(raw) if single and not done else none,
            "without_interval": empty,
            "undecided": decided & sized & ~(pvalues < alpha),
            "significant": decided & sized & (pvalues < alpha),
        }
        indices: dict[str, Any] = {
            name: np.flatnonzero(mask).tolist() for name, mask in masks.items()
        }
        if self.degenerate:
            indices["untestable"] = [None]
        return {"pvalues": pvalues, "decided": decided, **indices}
