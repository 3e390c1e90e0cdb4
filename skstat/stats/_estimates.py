"""Estimates from the scores of single rows out of fold: cross-validation, and nested."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._bootstrap import quantiles
from skstat.stats._common import (
    MeansNames,
    Reference,
    Stored,
    aligned,
    check_choice,
    of_usable_size,
    procedure,
    read_numbers,
    tails,
)
from skstat.stats._family import Comparison
from skstat.stats._literature import BATES_ET_AL_2024, BAYLE_ET_AL_2020, NADEAU_BENGIO_2003
from skstat.stats._mcnemar import proportion_interval
from skstat.stats._samples import Scores, check_enough_units, resolution_of
from skstat.stats._words import ConfidenceInterval, check_level

_LARGEST_EXPONENT = 700.0  # of e, in floats

Numbers = NDArray[np.float64]

_NORMAL = "the mean over splits is near normal"


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate(Stored, MeansNames, ABC):
    """The estimate of a score, or of the difference of two, and how it was found.

    Attributes
    ----------
    method : str
        Name of the method.
    estimand : str
        The quantity that is estimated, in words.
    unit : str
        What varies between the observations that the standard error comes from.
    n_units : int
        Number of these observations.
    estimate : float
        Point estimate; higher is better.
    standard_error : float or None
        Its standard error; None where the interval needs none.
    assumptions : tuple of str
        What must hold for the interval to cover at its level.
    ignored_variance : tuple of str
        What varies in reality, and was held fixed.
    bounds : tuple of float
        Lowest and highest value that the quantity can have; the interval ends there.
    references : tuple of Reference
        The works that describe the method.
    """

    df: ClassVar[float | None] = None

    method: str
    estimand: str
    unit: str
    n_units: int
    estimate: float
    standard_error: float | None = None
    assumptions: tuple[str, ...] = ()
    ignored_variance: tuple[str, ...] = ()
    bounds: tuple[float | None, float | None] = (None, None)
    references: tuple[Reference, ...] = ()

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two-sided interval of the estimand.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score; nan where the scores do
            not vary, so that nothing is known about their spread.
        """
        check_level(confidence_level)
        low, high = self._interval(confidence_level)
        return ConfidenceInterval(*(_kept(end, self.bounds) for end in (low, high)))

    @abstractmethod
    def _interval(self, confidence_level: float) -> tuple[float, float]:
        """Interval as the method has it, which may leave the bounds."""

    def within(self, low: float | None, high: float | None) -> Self:
        """Return the same estimate of a quantity that cannot leave these bounds.

        Parameters
        ----------
        low, high : float or None
            The bounds; None for none.

        Returns
        -------
        Estimate
            With an estimate and intervals that keep to them.
        """
        return replace(self, bounds=(low, high), estimate=_kept(self.estimate, (low, high)))


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanEstimate(Estimate):
    """An estimate with a standard error and the law of Student's t, or the normal one.

    Attributes
    ----------
    df : float or None
        Degrees of freedom; None for the normal distribution.
    by_logit : bool
        Whether the interval is made on the scale of the logit, if the quantity has two
        bounds: close to one of them an estimate varies more on the other side.
    """

    df: float | None = None  # type: ignore[misc]
    by_logit: bool = False

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        if not self.standard_error:
            return math.nan, math.nan
        tail = (1 - confidence_level) / 2
        df = self.df
        critical = tails.normal_isf(tail) if df is None else tails.t_isf(tail, df)
        half_width = float(critical) * self.standard_error
        least, most = self.bounds
        if self.by_logit and least is not None and most is not None:
            return by_logit(self.estimate, half_width, least, most)
        return self.estimate - half_width, self.estimate + half_width


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareEstimate(Estimate):
    """A share of rows that are right, such as an accuracy on a test set.

    Attributes
    ----------
    successes : int
        Rows that are right, of `n_units`.
    interval : {"wilson", "clopper-pearson", "jeffreys"}
        Method of the interval, see :func:`proportion_interval`.
    offset : float
        What is added to the share: -1 for a negated share of errors.
    """

    successes: int
    interval: str = "wilson"
    offset: float = 0.0

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        low, high = proportion_interval(
            self.successes, self.n_units, confidence_level, method=self.interval
        )
        return low + self.offset, high + self.offset


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplicatesEstimate(Estimate):
    """An estimate with bootstrap replicates, of which the interval takes percentiles.

    Attributes
    ----------
    replicates : ndarray of shape (n_resamples,)
        The score on every resample of the test set.
    seed : int
        Seed of the resamples.
    """

    replicates: Any
    seed: int

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        replicates = np.asarray(self.replicates, dtype=float)
        if np.ptp(replicates) == 0:
            return math.nan, math.nan
        low, high = quantiles(
            replicates, [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        )
        return low, high


@dataclass(frozen=True, kw_only=True, eq=False)
class OutcomeEstimate(Estimate):
    """A difference whose interval is that of a test of :mod:`skstat.stats`.

    Attributes
    ----------
    outcome : Comparison
        What the test found.
    """

    outcome: Comparison

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        low, high = self.outcome.confidence_interval(confidence_level)
        return (low, high) if low < high else (math.nan, math.nan)


@dataclass(frozen=True, kw_only=True, eq=False)
class OutOfBagEstimate(MeanEstimate):
    """An estimate from bootstrap samples.

    Attributes
    ----------
    noise : float
        Share of the variance, before it was taken off, that is due to the number of samples
        being finite; 1 if nothing else was left of it.
    """

    noise: float = 0.0


def by_logit(
    estimate: float, half_width: float, least: float, most: float
) -> tuple[float, float]:
    """Make an interval of ``log((x - least) / (most - x))``, by the delta method."""
    below, above, size = estimate - least, most - estimate, most - least
    if below <= 0 or above <= 0:  # at a bound, where the scale has no slope
        return estimate - half_width, estimate + half_width
    stretch = math.exp(min(half_width * size / (below * above), _LARGEST_EXPONENT))
    return (
        least + size * below / (below + above * stretch),
        most - size * above / (above + below * stretch),
    )


def _kept(value: float, bounds: tuple[float | None, float | None]) -> float:
    """Keep a value within bounds; nan stays nan."""
    least, most = bounds
    if math.isnan(value):
        return value
    value = value if least is None else max(value, least)
    return value if most is None else min(value, most)


@dataclass(frozen=True, kw_only=True)
class VarianceShares:
    """Parts of the variance of an item's difference between two systems.

    Of more than two systems they are those of the average pair.

    Attributes
    ----------
    groups, items : float or None
        Variance between groups, and between items of a group, of what a system scores on an
        item on average over its samples. Groups: None without them.
    samples : float or None
        What is added because items have few samples; None if no item has two.
    standard_error : float
        Of the mean difference over the items: cluster-robust (CR1) with groups.
    n_items : int
        Number of items.
    n_samples : float
        Samples of each item, on average.
    """

    groups: float | None
    items: float
    samples: float | None
    standard_error: float
    n_items: int
    n_samples: float = 1.0

    @property
    def total(self) -> float:
        """Variance of an item's difference."""
        return (self.groups or 0.0) + self.items + (self.samples or 0.0)

    def error_with(self, factor: float) -> float:
        """Return the standard error that another number of samples of each item would give.

        With n items and K samples it is sqrt(Var(x) / n + E[sigma^2] / (n K)), x the expected
        difference on an item and sigma^2 the variance of its samples (Miller, 2024). With
        f times the samples its square is at least one f-th of what it is now, whatever the
        estimates are.

        Parameters
        ----------
        factor : float
            Samples of each item, in multiples of those that there are; may be infinite.

        Returns
        -------
        float
            The standard error.
        """
        less = (self.samples or 0.0) * (1 - 1 / factor) / self.n_items
        square = self.standard_error**2
        return math.sqrt(max(square / factor, square - less))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers."""
        known = {"groups": self.groups, "items": self.items, "samples": self.samples}
        found = {name: value for name, value in known.items() if value is not None}
        errors = {"standard_error": self.standard_error}
        if self.samples is not None:
            errors |= {
                "standard_error_with_twice_the_samples": self.error_with(2),
                "standard_error_with_any_number": self.error_with(math.inf),
                "n_samples": self.n_samples,
            }
        return found | errors


def variance_shares(
    means: Numbers,
    variances: Numbers,
    counts: NDArray[Any],
    groups: NDArray[np.int64] | None = None,
) -> VarianceShares | None:
    """Estimate the parts by mean squares of the nested analysis of variance.

    Negative estimates are set to 0.

    Parameters
    ----------
    means : ndarray of shape (n_items, n_systems)
        Mean score of the samples of each item.
    variances : ndarray of shape (n_items, n_systems)
        Sample variances of the samples of each item; nan where there is one only.
    counts : ndarray of int of shape (n_items, n_systems)
        Numbers of samples.
    groups : ndarray of int of shape (n_items,), optional
        Number of every item's group, from 0.

    Returns
    -------
    VarianceShares or None
        None where there are too few items or groups to estimate anything.
    """
    n, k = means.shape
    n_groups = n if groups is None else int(groups.max()) + 1
    if n < 2 or n_groups < 2:
        return None
    # The sum over pairs of squared differences is k times that of deviations from their mean.
    z = means - means.mean(axis=1, keepdims=True)
    z = z - z.mean(axis=0)
    of_pairs = 2 / (k - 1)
    total = of_pairs * float(np.sum(z**2))
    if groups is None:
        between, within = None, total / (n - 1)
        error = math.sqrt(within / n)
    else:
        sizes = np.bincount(groups)
        sums = np.column_stack([np.bincount(groups, column) for column in z.T])
        of_groups = of_pairs * float(np.sum(sums**2 / sizes[:, None]))
        if n > n_groups:
            within = (total - of_groups) / (n - n_groups)
            size = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
            between = max(0.0, (of_groups / (n_groups - 1) - within) / size)
        else:  # groups of one item each
            between, within = None, total / (n - 1)
        squares = of_pairs * float(np.sum(sums**2))
        error = math.sqrt(n_groups / (n_groups - 1) * squares) / n
    samples = _of_samples(variances, counts)
    items = within if samples is None else max(0.0, within - samples)
    return VarianceShares(
        groups=between, items=items, samples=samples, standard_error=error, n_items=n,
        n_samples=float(np.mean(counts)),
    )  # fmt: skip


def _of_samples(variances: Numbers, counts: NDArray[Any]) -> float | None:
    """Average variance, because of its samples, of the difference of two systems' means."""
    several = counts > 1
    if not several.any(axis=0).all():
        return None
    of_systems = 0.0
    for column, own, n in zip(variances.T, several.T, counts.T, strict=True):
        # An item with one sample is taken to have the variance of the others.
        usual = float(np.mean(column[own]))
        of_systems += float(np.mean(np.where(own, column, usual) / n))
    return 2 * of_systems / variances.shape[1]


@procedure(references=(NADEAU_BENGIO_2003,))
def corrected_t_estimate(sample: Scores, *, quantity: str = "score") -> MeanEstimate:
    """Estimate the expected score of a learner by the corrected resampled t interval.

    ``mean(s) -+ t * sd(s) * sqrt(1/J + n_test/n_train)`` with J - 1 degrees of freedom,
    where s are the scores of J random splits. The second term stands for the covariance of
    splits that share training rows (Nadeau & Bengio, 2003, section 3) [1]_.

    Parameters
    ----------
    sample : Scores
        Scores of the splits, with their training and test sizes. For the difference of two
        learners, their differences.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval.

    Raises
    ------
    ValueError
        If the units are not splits, their sizes are unknown, or there are fewer than three.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from skstat.stats import Scores, corrected_t_estimate
    >>> sample = Scores([0.81, 0.79, 0.84, 0.8, 0.82], n_train=90, n_test=10)
    >>> low, high = corrected_t_estimate(sample).confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.782, 0.842)
    """
    check_enough_units(sample, 3, "corrected_t_estimate")
    ratio = sample.test_train_ratio
    if sample.unit != "split" or ratio is None:
        raise ValueError(
            "corrected_t_estimate needs splits with known sizes: pass Scores(values, "
            "n_train=, n_test=)."
        )
    values = np.asarray(sample.values)
    n = len(values)
    error = float(values.std(ddof=1)) * math.sqrt(1 / n + ratio)
    size = sample.training_size
    of_size = "" if size is None else f" of {size:.4g} {sample.size_unit}s"
    return MeanEstimate(
        method=f"corrected resampled t over {n} splits",
        estimand=f"expected {quantity} of the learner over training sets{of_size}",
        unit="split",
        n_units=n,
        estimate=float(values.mean()),
        standard_error=error if error > resolution_of(values) else 0.0,
        df=n - 1,
        assumptions=(
            _NORMAL,
            "the correlation of two splits is their share of test rows, "
            f"{ratio:.3g} test per training {sample.size_unit}",
        ),
    )


FoldVariance = Literal["all-pairs", "within-fold"]
_STABLE = "a small change in the training rows changes the loss only a little"


def cross_validation_estimate(
    scores: ArrayLike,
    folds: ArrayLike,
    *,
    variance: FoldVariance = "all-pairs",
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the mean score of the K models of one cross-validation.

    The mean of the rows' scores, each by the model that was trained without its fold, with
    the normal law and ``sd / sqrt(n)``, where the variance is that of all scores
    (``"all-pairs"``) or the mean of those within the folds (Bayle, Bayle, Janson & Mackey,
    2020, eq. 3.1 and 3.2) [1]_. The target is the K models of this cross-validation, not
    the learner: other training rows are not covered.

    Parameters
    ----------
    scores : array-like of shape (n_rows,)
        Score of every row out of fold. For the difference of two learners, the differences.
    folds : array-like of shape (n_rows,)
        The fold that every row is in.
    variance : {"all-pairs", "within-fold"}, default="all-pairs"
        Which variance. The second needs two rows in every fold.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If lengths differ, a score is not finite, or there are too few folds or rows.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.

    Examples
    --------
    >>> from skstat.stats import cross_validation_estimate
    >>> right = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    >>> estimate = cross_validation_estimate(right, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> estimate.estimate, round(estimate.standard_error, 4)
    (0.8, 0.1265)
    """
    given = aligned({"scores": scores, "folds": folds}, unit="score")
    (values,) = of_usable_size("scores", _rows(given["scores"]))
    codes = np.unique(np.asarray(given["folds"]), return_inverse=True)[1]
    check_choice("variance", variance, get_args(FoldVariance))
    if codes.shape != values.shape:
        raise ValueError(
            f"folds has shape {np.shape(folds)} and scores {values.shape}: every row needs "
            "its fold."
        )
    sizes = np.bincount(codes)
    if len(sizes) < 2:
        raise ValueError("folds holds one fold only; cross-validation has at least two.")
    if variance == "all-pairs":
        spread = float(values.var())
    else:
        if sizes.min() < 2:
            raise ValueError(
                "variance='within-fold' needs two rows in every fold; use 'all-pairs'."
            )
        spread = float(np.mean([values[codes == k].var(ddof=1) for k in range(len(sizes))]))
    n = len(values)
    return MeanEstimate(
        method=f"{len(sizes)}-fold cross-validation, {variance} variance",
        estimand=f"mean {quantity} of the {len(sizes)} fitted models on new rows",
        unit="instance",
        n_units=n,
        estimate=float(values.mean()),
        standard_error=math.sqrt(spread / n),
        assumptions=("the rows are independent of each other", _STABLE),
        ignored_variance=("training rows", "how the rows are split"),
        references=(BAYLE_ET_AL_2020,),
    )


def nested_cv_estimate(
    outer: Sequence[Sequence[ArrayLike]],
    inner: Sequence[Sequence[ArrayLike]],
    *,
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the expected score of a learner by nested cross-validation.

    Every fold is held out once, and predicted by a cross-validation of the other
    folds: the distance of the held-out fold's mean from that prediction gives the mean squared
    error of cross-validation itself, ``MSE = mean((e_in - e_out)^2) - mean(var_out / n_out)``
    (Bates, Hastie & Tibshirani, 2024, algorithm 1) [1]_. The standard error is the naive one
    times ``sqrt(MSE) / naive``, kept between 1 and sqrt(K); the estimate is that of the inner
    cross-validations, less ``(1 + (K - 2)/K) (e_in - e_cv)`` for their smaller training sets.

    Parameters
    ----------
    outer : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of this fold, by the model that was
        trained on all others. For two learners, the differences.
    inner : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of all other folds, each by the
        model that was trained without this fold and its own.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If the arrays do not fit together, or there are fewer than three folds.

    Notes
    -----
    The models trained without folds i and j serve both as outer folds: K (K + 1) / 2 fits
    for each repeat, where the algorithm as printed needs K^2.

    References
    ----------
    .. [1] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical
       Association, 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import nested_cv_estimate
    >>> rng = np.random.default_rng(0)
    >>> outer = [[rng.normal(size=20) for fold in range(5)] for repeat in range(10)]
    >>> inner = [[rng.normal(size=80) for fold in range(5)] for repeat in range(10)]
    >>> estimate = nested_cv_estimate(outer, inner)
    >>> low, high = estimate.confidence_interval()
    >>> bool(low < 0 < high)
    True
    """
    for name, given in (("outer", outer), ("inner", inner)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(
                f"{name} must hold a list of folds for every repeat, and each fold its scores."
            )
    held_out = [[_rows(fold) for fold in repeat] for repeat in outer]
    within = [[_rows(fold) for fold in repeat] for repeat in inner]
    n, n_folds = _check_nested(held_out, within)
    pairs = [
        pair for both in zip(held_out, within, strict=True) for pair in zip(*both, strict=True)
    ]
    errors = np.array([(e_in.mean() - e_out.mean()) ** 2 for e_out, e_in in pairs])
    noise = np.array([e_out.var(ddof=1) / len(e_out) for e_out, _ in pairs])
    squared = max(0.0, float(errors.mean() - noise.mean()))
    e_in = np.concatenate([e_in for _, e_in in pairs])
    e_cv = np.concatenate([e_out for e_out, _ in pairs])
    sd = float(e_in.std(ddof=1))
    inflation = 1.0
    if sd:
        naive = sd / math.sqrt(n * (n_folds - 1) / n_folds)
        inflation = min(max(math.sqrt(squared) / naive, 1.0), math.sqrt(n_folds))
    bias = (1 + (n_folds - 2) / n_folds) * float(e_in.mean() - e_cv.mean())
    return MeanEstimate(
        method=f"nested {n_folds}-fold cross-validation, {len(held_out)} "
        f"repeat{'s' * (len(held_out) > 1)} (standard error {inflation:.2f} times the naive "
        "one)",
        estimand=f"expected {quantity} of the learner over training sets of about all rows",
        unit="instance",
        n_units=n,
        estimate=float(e_in.mean()) - bias,
        standard_error=inflation * sd / math.sqrt(n),
        assumptions=(
            "the rows are independent of each other",
            "the error of cross-validation on all rows is like that on K - 1 folds",
        ),
        references=(BATES_ET_AL_2024,),
    )


def _check_nested(
    outer: list[list[NDArray[np.float64]]], inner: list[list[NDArray[np.float64]]]
) -> tuple[int, int]:
    """Rows and folds of every repeat, which must be the same."""
    if not outer or [len(r) for r in outer] != [len(r) for r in inner]:
        raise ValueError("outer and inner need the same repeats and folds, and at least one.")
    n_folds = len(outer[0])
    if n_folds < 3:
        raise ValueError(f"outer has {n_folds} folds; nested cross-validation needs three.")
    n = sum(map(len, outer[0]))
    for folds, others in zip(outer, inner, strict=True):
        if len(folds) != n_folds or sum(map(len, folds)) != n:
            raise ValueError("outer has repeats of different folds or rows.")
        for fold, rest in zip(folds, others, strict=True):
            if len(fold) < 2 or len(fold) + len(rest) != n:
                raise ValueError(
                    f"a fold of {len(fold)} rows has {len(rest)} inner scores; it needs two "
                    f"rows, and a score for each of the other {n - len(fold)}."
                )
    return n, n_folds


def _rows(scores: ArrayLike) -> NDArray[np.float64]:
    values = read_numbers("scores", scores)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("scores must be one-dimensional and finite.")
    return values
