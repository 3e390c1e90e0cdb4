"""Tests over splits of one data set that are laid out for the test, or know every row."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Quantity, of_usable_size, procedure, tails
from skstat.stats._estimates import MeanEstimate
from skstat.stats._family import Comparison, effect_sizes, of_mean
from skstat.stats._law import Law, Student
from skstat.stats._literature import (
    ALPAYDIN_1999,
    DIETTERICH_1998,
    EFRON_STEIN_1981,
    HAJEK_1968,
    WANG_ET_AL_2017,
)
from skstat.stats._samples import (
    FEW_IN_FOLD,
    RELATIVE_RESOLUTION,
    AlternativeError,
    PairedScores,
    ProjectionVariance,
    Resampled,
    Scores,
    check_plain_splits,
    off_diagonal,
)
from skstat.stats._words import BEYOND_THE_POPULATION, ConfidenceInterval, above_zero, estimand

_ASSUMPTIONS = (
    "the differences are close to normal, with equal variances",
    "the five repeats behave as if independent of each other",
)
_SUITED = "five_by_two_cv_test makes such splits."

_FIRST = Quantity(name="first difference", is_difference=False)

FEWEST_REPEATS = 3
_TEST = "projection t test"


def assumptions(n_blocks: int) -> tuple[str, ...]:
    """State what the block jackknife assumes; nothing of it is about learner or metric."""
    return (
        independent_blocks(n_blocks),
        "the order of the rows does not matter to the learners",
        f"Student's t with {n_blocks - 1} degrees of freedom is a fair approximation",
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockJackknife(Student):
    """Student's t with a standard error over blocks."""

    sampled_unit: ClassVar[str] = "block"

    @property
    def n_sampled(self) -> int:
        """Number of blocks."""
        return int(self.df) + 1


def independent_blocks(n_blocks: int) -> str:
    """State what is assumed of the blocks."""
    return (
        "the rows, or the groups where rows come in groups, are independent and from one "
        f"population, and were dealt to {n_blocks} blocks of nearly equal size at random"
    )


@procedure(
    title="the block jackknife t test",
    when="nothing should be assumed about learners and metric",
    because="leaving out blocks needs the scores alone",
    needs="n_blocks",
    units=("split",),
    references=(EFRON_STEIN_1981,),
)
def block_jackknife_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Block jackknife t test: its variance is not too small for any learner and metric.

    The rows are cut into K blocks, and both learners are fitted without every pair of them.
    theta_(g), the mean over h of the difference on block h of the models without g and h, is
    a cross-validation that has never seen block g. The test is
    ``t = mean(theta) / sqrt(V)`` with ``V = sum_g (theta_(g) - mean(theta))^2`` and K - 1
    degrees of freedom. By the inequality of Efron and Stein ([1]_, eq. 1.6) V is on average
    not below the variance of theta_(g), for every learner and every metric, if the blocks are
    independent: stratified blocks are not. That t follows Student's law is an approximation,
    which fails for a learner that makes one choice for a whole block.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on every block of every pair that was left out.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers. The p-value is nan where the theta_(g) are one number that is not
        zero, and 1 where there is no difference.

    Raises
    ------
    ValueError
        If the sample is not one of all pairs of blocks.

    See Also
    --------
    skstat.evaluation.LeaveTwoBlocksOut : The splits.
    corrected_t : More power, with assumptions about learner and metric.

    Notes
    -----
    Let X_1, ..., X_K be the blocks, independent and of one law, and S the difference of the
    (K - 1)-fold cross-validations of the two learners on K - 1 blocks, which does not depend
    on their order. Then theta_(g) = S(X without X_g). Hoeffding's decomposition gives S
    orthogonal parts of 1, 2, ..., K - 1 blocks; all parts of k blocks have one variance,
    s_k. With the binomials c_k = (K - 1 over k),

    - Var theta_(g) = sum_k c_k s_k;
    - Var mean(theta) = sum_k (K - k)/K c_k s_k, because a part of k blocks is in K - k of
      the K values theta_(g);
    - E V = K (Var theta_(g) - Var mean(theta)) = sum_k k c_k s_k.

    So E V >= Var theta_(g) >= Var mean(theta), term by term, and the estimate is covered,
    with room. For what is linear in the blocks (k = 1) alone, E V is K/(K - 1) times the
    variance of the estimate; ``(K - 1)/K * V``, the jackknife's own variance, would be equal
    to it there, and is not below it in general either, as k (K - 1) >= K - k. V is the more
    conservative one: the inequality is about means, and the law of t with so few blocks is an
    approximation.

    Learners that draw random numbers anew in every fit are covered too. Let v be the
    variance of a score given the rows, and c the covariance of the two scores of one fit.
    The draws add v/(K - 1) to Var theta_(g), (v + c)/(K (K - 1)) to Var mean(theta), and
    v - c/(K - 1) to E V, which is larger for K >= 3. If the blocks hold the same number of
    rows of each class, all of this holds given these numbers.

    The price is power: in simulations with 8 blocks it was 0.21 times that of the corrected t
    test in the median setting in which that test is valid, and 0.12 to 0.44 times in half of
    them.

    References
    ----------
    .. [1] Efron, B. & Stein, C. (1981). The jackknife estimate of variance. Annals of
       Statistics, 9(3), 586-596. :doi:`10.1214/aos/1176345462`

    Examples
    --------
    >>> from skstat.stats import PairedScores, block_jackknife_t
    >>> a = [[None, 0.7, 0.8], [0.9, None, 0.8], [0.9, 0.7, None]]
    >>> b = [[None, 0.6, 0.8], [0.8, None, 0.7], [0.8, 0.7, None]]
    >>> outcome = block_jackknife_t(PairedScores.from_matrices(a, b))
    >>> round(outcome.estimate, 4), round(outcome.standard_error, 4), outcome.df
    (0.0667, 0.0408, 2)
    >>> round(outcome.pvalue, 3)
    0.244
    """
    means = sample.left_out_means
    return of_mean(
        sample,
        alternative,
        test="block jackknife t test",
        assumptions=assumptions(sample.n_blocks),
        law=BlockJackknife(
            estimate=float(np.mean(means)),
            standard_error=standard_error(means, sample.resolution),
            df=sample.n_blocks - 1,
        ),
    )


def block_jackknife_estimate(
    scores: ArrayLike,
    *,
    n_train: int | None = None,
    size_unit: str = "row",
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the expected score of a learner by the block jackknife.

    The same formula as that of :func:`block_jackknife_t`, for the scores of one learner.

    Parameters
    ----------
    scores : array-like of shape (n_blocks, n_blocks)
        In row g and column h the score of the model without blocks g and h on block h. The
        diagonal is ignored, and may be nan.
    n_train : int, optional
        Size of the training sets, for the words of the estimand.
    size_unit : {"row", "group"}, default="row"
        What `n_train` counts.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval.

    Raises
    ------
    ValueError
        If the matrix is not square, or a score is not finite.

    See Also
    --------
    block_jackknife_t : The test of two learners; its notes derive the formula.

    Examples
    --------
    >>> from skstat.stats import block_jackknife_estimate
    >>> scores = [[None, 0.7, 0.8], [0.9, None, 0.8], [0.9, 0.7, None]]
    >>> estimate = block_jackknife_estimate(scores)
    >>> round(estimate.estimate, 3), round(estimate.standard_error, 3)
    (0.8, 0.071)
    """
    values = off_diagonal("scores", scores)
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite, but for the diagonal.")
    (values,) = of_usable_size("scores", values)
    n_blocks = len(np.asarray(scores))
    means = values.reshape(n_blocks, -1).mean(axis=1)
    size = "" if n_train is None else f"{n_train} {size_unit}s, "
    return MeanEstimate(
        method=f"block jackknife of {n_blocks} blocks",
        estimand=f"expected {quantity} of the learner over training sets of {size}"
        f"{n_blocks - 2} of {n_blocks} blocks",
        unit="split",
        n_units=len(values),
        estimate=float(means.mean()),
        standard_error=standard_error(means, RELATIVE_RESOLUTION * float(np.abs(values).max())),
        df=n_blocks - 1,
        assumptions=assumptions(n_blocks),
        references=(EFRON_STEIN_1981,),
    )


def standard_error(means: NDArray[np.float64], resolution: float) -> float:
    """Root of the sum of squares about the mean; 0 where the values differ by noise only."""
    error = math.sqrt(float(np.square(means - means.mean()).sum()))
    return error if error > resolution * math.sqrt(len(means) - 1) else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class FiveByTwo(Law):
    """Sums of squares of ten differences over those within repeats: F with 10 and 5 degrees.

    The limits contain all shifts that the test does not reject; they are nan when no shift
    passes, or when the variance is zero.

    Attributes
    ----------
    estimate : float
        Mean of all ten differences.
    squares : float
        Sum of their squares.
    within : float
        Sum of the variances of the repeats.
    """

    statistic_name = "F"
    df: tuple[int, int] = (10, 5)
    squares: float
    within: float

    @property
    def statistic(self) -> float:
        return self._f(0.0)

    def pvalue(self, alternative: str) -> float:
        if not self.within:
            return math.nan if self.squares else 1.0
        return above_zero(tails.f_sf(self.statistic, *self.df))

    def tails(self, bound: float) -> tuple[float, float]:
        if not self.within:
            return math.nan, math.nan
        half = above_zero(tails.f_sf(self._f(bound), *self.df)) / 2  # belongs to either side
        return (half, 1 - half) if self.estimate < bound else (1 - half, half)

    def limits(self, tail: float) -> tuple[float, float]:
        # ``{delta : sum((p - delta)^2) / (2 sum(s^2)) <= F_crit}`` is a quadratic in delta
        # around the mean of the ten differences, because no s_i^2 depends on delta. It excludes
        # 0 exactly when p < alpha.
        if not self.within:
            limit = math.nan if self.squares else 0.0
            return limit, limit
        allowed = 2 * self.within * self.quantile(tail)
        allowed -= self.squares - 10 * self.estimate**2
        half = math.sqrt(allowed / 10) if allowed >= 0 else math.nan
        return self.estimate - half, self.estimate + half

    def quantile(self, tail: float) -> float:
        """F that is exceeded with chance `tail` on either side of the estimate."""
        return float(tails.f_isf(2 * tail, *self.df))

    def _f(self, bound: float) -> float:
        squares = self.squares - 10 * bound * (2 * self.estimate - bound)
        if self.within:
            return squares / (2 * self.within)
        return math.inf if squares else 0.0


@procedure(
    title="the 5x2cv F test",
    when="accuracy on 5x2 halves, to compare with older results",
    because="this test uses all ten differences",
    units=("split",),
    suited_splits=_SUITED,
    references=(ALPAYDIN_1999,),
)
def five_by_two_f(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Combined 5x2cv F test (Alpaydin, 1999).

    ``F = sum_ij p_ij^2 / (2 sum_i s_i^2)`` with 10 and 5 degrees of freedom ([1]_,
    eq. 4), where p_i1 and p_i2 are the differences of repeat i and s_i^2 their sum
    of squared deviations from their mean.

    Parameters
    ----------
    sample : PairedScores
        Ten scores of A and B from five repeats of two folds, repeat by repeat.
    alternative : {"two-sided"}, default="two-sided"
        The F statistic has no direction.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the mean of all ten differences.

    Raises
    ------
    ValueError
        If the sample is not a 5x2 cross-validation, or `alternative` is one-sided.

    References
    ----------
    .. [1] Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised
       classification learning algorithms. Neural Computation, 11(8), 1885-1892.
       :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> from skstat.stats import PairedScores, five_by_two_f
    >>> a = [0.82, 0.80, 0.83, 0.79, 0.81, 0.84, 0.80, 0.82, 0.83, 0.81]
    >>> b = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]
    >>> outcome = five_by_two_f(PairedScores(a, b, n_repeats=5))
    >>> round(outcome.statistic, 3), round(outcome.pvalue, 3)
    (3.0, 0.118)
    """
    if alternative != "two-sided":
        raise AlternativeError(
            f"alternative={alternative!r}: the F statistic has no direction. Use "
            "alternative='two-sided', or five_by_two_t."
        )
    differences, within = _halves(sample, "five_by_two_f")
    return of_mean(
        sample,
        alternative,
        test="5x2cv F test",
        assumptions=_ASSUMPTIONS,
        law=FiveByTwo(
            estimate=float(differences.mean()),
            squares=float(np.sum(differences**2)),
            within=within,
        ),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstDifference(Student):
    """Student's t about the first of ten differences."""

    quantity = _FIRST


@procedure(
    when="the older test, one-sided too: depends on which half came first",
    units=("split",),
    suited_splits=_SUITED,
    references=(DIETTERICH_1998,),
)
def five_by_two_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """5x2cv paired t test (Dietterich, 1998).

    ``t = p_11 / sqrt(sum_i s_i^2 / 5)`` with 5 degrees of freedom ([1]_, section
    3.5). Only the first of the ten differences stands in the numerator, so that
    estimate and interval are centred on that one and the answer depends on which
    half came first. :func:`five_by_two_f` uses all ten.

    Parameters
    ----------
    sample : PairedScores
        Ten scores of A and B from five repeats of two folds, repeat by repeat.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the first difference.

    Raises
    ------
    ValueError
        If the sample is not a 5x2 cross-validation.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`

    Examples
    --------
    >>> from skstat.stats import PairedScores, five_by_two_t
    >>> a = [0.82, 0.80, 0.83, 0.79, 0.81, 0.84, 0.80, 0.82, 0.83, 0.81]
    >>> b = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]
    >>> outcome = five_by_two_t(PairedScores(a, b, n_repeats=5))
    >>> round(outcome.statistic, 3), round(outcome.critical_value(0.05), 4)
    (2.272, 2.5706)
    """
    differences, within = _halves(sample, "five_by_two_t")
    # A first difference of 0 says nothing of equality where others differ.
    undefined = within == 0 and differences[0] == 0 and differences.any()
    return of_mean(
        sample,
        alternative,
        test="5x2cv paired t test",
        estimand=f"{estimand(sample)}, estimated by the first of the ten differences",
        assumptions=_ASSUMPTIONS,
        effect_sizes=effect_sizes(sample)
        | {"mean of all ten differences": float(differences.mean())},
        law=FirstDifference(
            estimate=float(differences[0]),
            standard_error=math.nan if undefined else math.sqrt(within / 5),
            df=5,
        ),
    )


def _halves(sample: PairedScores, procedure: str) -> tuple[np.ndarray, float]:
    """Differences of the ten halves, and the sum of the repeats' s_i^2."""
    check_plain_splits(sample, procedure)
    if sample.n_repeats != 5 or sample.n_folds != 2:
        raise ValueError(
            f"{procedure} needs five repeats of twofold cross-validation (10 scores, "
            f"n_repeats=5); this sample has {sample.n_units} {sample.unit}s and "
            f"n_repeats={sample.n_repeats}."
        )
    differences = sample.differences
    pairs = differences.reshape(5, 2)
    # s_i^2 = (p_i1 - m_i)^2 + (p_i2 - m_i)^2 = (p_i1 - p_i2)^2 / 2
    gaps = pairs[:, 0] - pairs[:, 1]
    gaps = np.where(np.abs(gaps) <= sample.resolution, 0.0, gaps)
    return differences, float(np.sum(gaps**2) / 2)


class SizeChange(NamedTuple):
    """What more training rows change.

    Attributes
    ----------
    half : float
        Difference of learners trained on half of the rows.
    half_interval : ConfidenceInterval
        Its limits.
    change : float
        Difference of those trained on more, less `half`.
    interval : ConfidenceInterval
        Limits of the change.
    """

    half: float
    half_interval: ConfidenceInterval
    change: float
    interval: ConfidenceInterval


@dataclass(frozen=True, kw_only=True, eq=False)
class Projection(Student):
    """Student's t with a standard error of rows and instability, and its parts.

    Attributes
    ----------
    sampling_error : float
        Part of the standard error that is due to the rows being a sample.
    instability_error : float
        Part that is due to the learners changing with their training rows beyond that.
        The squares of both add up to that of the standard error.
    sampled_unit : str
        What was drawn from the population: rows, or groups of them.
    n_sampled : int or None
        How many of them; the standard error is one over such samples.
    half_estimate, half_error : float or None
        Estimate and standard error for learners trained on half of the rows, where the estimate
        is for more and its variance was found on halves.
    change_error : float or None
        Standard error of the change from the one to the other.
    instability_correlation : float or None
        Correlation that is assumed between the instabilities of two splits.
    """

    _signed = (*Student._signed, "half_estimate")

    sampling_error: float
    instability_error: float
    sampled_unit: str = "row"
    n_sampled: int | None = None
    half_estimate: float | None = None
    half_error: float | None = None
    change_error: float | None = None
    instability_correlation: float | None = None

    def change(self, confidence_level: float = 0.95) -> SizeChange | None:
        """Change of the difference from half of the rows to the training sets of the estimate.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Level of the intervals.

        Returns
        -------
        SizeChange or None
            None where the estimate is not beside one on halves.
        """
        if self.half_estimate is None or self.half_error is None or self.change_error is None:
            return None
        quantile = float(tails.t_isf((1 - confidence_level) / 2, self.df))
        change = self.estimate - self.half_estimate
        return SizeChange(
            half=self.half_estimate,
            half_interval=_around(self.half_estimate, quantile * self.half_error),
            change=change,
            interval=_around(change, quantile * self.change_error),
        )


@procedure(
    title="the projection t test",
    when="the part of every row in the metric is known",
    because="this test measures the part of each row in the variance",
    needs="rows",
    units=("split",),
    suited_splits="Leave cv out, or pass cv=RepeatedHalves(15, balanced=True).",
    references=(HAJEK_1968, WANG_ET_AL_2017),
)
def projection_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Paired t test on repeated K-fold cross-validation, for many learners and metrics.

    The variance of the mean difference over data sets is estimated by its first-order
    (Hájek) projection: the effect of every row as a test row, and as a training row, is
    estimated from repeated partitions in which each row is tested once per repetition. What
    the learners change beyond that (their instability) is measured separately, and added. The
    statistic is compared with Student's t of as many degrees of freedom as repetitions, or of
    the effective number of groups or of weighted rows less one, if that is smaller.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on repeated partitions, with what every row contributed.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the rows' contributions are not known, or there are fewer than three repetitions.

    See Also
    --------
    corrected_t : Needs the scores of splits alone; holds its level for fewer metrics.
    block_jackknife_t : Assumes nothing about the learner and the metric, and has less power.

    Notes
    -----
    With theta_r the mean difference of repetition r, T_rk that of fold k in it, p = 1/K,
    alpha_i the mean contribution of row i over repetitions, and a_rk the mean over the rows
    of fold (r, k) of their contributions in all other repetitions, centred within r,

    - instability ``v_e = K var(theta_r)``;
    - ``v_1 = max(sum (T_rk - theta_r)^2 / (R (K - 1)) - v_e, 0) (K - 1) / K``;
    - ``v_alpha = max(var(alpha_i) - mean_i var_r(alpha_ri) / R, 0)``;
    - ``c = sum (T_rk - theta_r) a_rk / (R (K - 1)) (K - 1) / K``;
    - ``F = v_alpha / (n p^2) - 2 c / p + (1 - p) v_1 / p``;
    - ``SE^2 = max(F, v_alpha / n) m / (m - 1) + v_e (kappa + 1 / (R K))``.

    kappa is the correlation that is assumed between the instabilities of two splits: 1/7 for
    means over rows, and 1/4 for other metrics. The factor
    ``m / (m - 1)`` is that of m effective groups or weighted rows, and 1 otherwise. Folds that
    hold the same share of every class do not show the part of v_alpha between classes in c and
    v_1; it then enters as v_alpha / n, and what class shares do in training is not measured.
    :doc:`/any_metric` derives F, and shows how often the test rejects true null hypotheses.

    References
    ----------
    .. [1] Hájek, J. (1968). Asymptotic normality of simple linear rank statistics under
       alternatives. The Annals of Mathematical Statistics, 39(2), 325-346.
       :doi:`10.1214/aoms/1177698394`
    .. [2] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
       cross-validated estimator of the generalization error. Neural Computation, 29(2),
       519-554. :doi:`10.1162/NECO_a_00923`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, projection_t
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> right_a, right_b = rng.random((15, 60)) < 0.8, rng.random((15, 60)) < 0.6
    >>> outcome = projection_t(PairedScores.from_row_scores(right_a, right_b, folds))
    >>> outcome.df, round(outcome.estimate, 3), outcome.pvalue < 0.001
    (15, 0.147, False)
    """
    check_rows(sample, "projection_t")
    return _by_projection(sample, sample, alternative)


def _by_projection(
    sample: PairedScores | Scores,
    pairs: PairedScores,
    alternative: str,
    name: str = _TEST,
    more: tuple[str, ...] = (),
    **told: Any,
) -> Comparison:
    standard_error, sampling, instability = _errors(sample.parts, pairs.a, pairs.b)
    return of_mean(
        pairs,
        alternative,
        test=f"{name} on {_design(sample.parts)}",
        assumptions=(*assumptions_about(sample), *more),
        # Other rows of the same population are what the standard error is about.
        ignored_variance=BEYOND_THE_POPULATION,
        law=Projection(
            estimate=pairs.mean,
            standard_error=standard_error,
            df=sample.df,
            sampling_error=sampling,
            instability_error=instability,
            sampled_unit=sample.size_unit,
            n_sampled=sample.rows.n_units,
            instability_correlation=sample.rows.instability_correlation,
            **_beside_halves(sample) if isinstance(sample, PairedScores) else {},
        ),
        **told,
    )


@procedure(
    title="the one-sample projection t test",
    when="a score known in advance",
    because="this test measures the part of each row in the variance",
    needs="rows",
    references=(HAJEK_1968, WANG_ET_AL_2017),
)
def one_sample_projection_t(
    sample: Scores, constant: float, *, alternative: str = "two-sided"
) -> Comparison:
    """Test the expected score of one system against a constant, on repeated partitions.

    The variance is that of :func:`projection_t` [1]_ [2]_.

    Parameters
    ----------
    sample : Scores
        Scores of the system, with what every row contributed.
    constant : float
        The score to compare with, known in advance: chance, a published result.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the system scores higher than the constant.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If `constant` is not finite, or as in :func:`projection_t`.

    References
    ----------
    .. [1] Hájek, J. (1968). Asymptotic normality of simple linear rank statistics under
       alternatives. The Annals of Mathematical Statistics, 39(2), 325-346.
       :doi:`10.1214/aoms/1177698394`
    .. [2] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
       cross-validated estimator of the generalization error. Neural Computation, 29(2),
       519-554. :doi:`10.1162/NECO_a_00923`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import RowContributions, Scores, one_sample_projection_t
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> rows = RowContributions((rng.random((15, 60, 1)) < 0.8).astype(float), folds)
    >>> scores = rows.fold_means(rows.values).ravel()
    >>> outcome = one_sample_projection_t(Scores(scores, rows=rows, n_repeats=15), 0.5)
    >>> round(outcome.estimate, 3), outcome.pvalue < 0.001
    (0.29, True)
    """
    check_rows(sample, "one_sample_projection_t")
    b, pairs = f"the constant {constant:g}", sample.against(constant)
    known = (f"{b} was known in advance",)
    return _by_projection(sample, pairs, alternative, f"one-sample {_TEST}", known, b=b)


@procedure(needs="rows", references=(HAJEK_1968, WANG_ET_AL_2017))
def projection_estimate(
    sample: Scores | PairedScores, *, quantity: str = "score"
) -> MeanEstimate:
    """Estimate the expected score of a learner from repeated partitions, for any metric.

    The standard error is that of :func:`projection_t` [1]_ [2]_. The interval is one of
    Student's t; where the estimate is said to have two bounds, as in
    ``estimate.within(0, 1)``, it is made on the scale of the logit.

    Parameters
    ----------
    sample : Scores or PairedScores
        Scores of the system, or of two whose difference is meant.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval.

    Raises
    ------
    ValueError
        As in :func:`projection_t`.

    References
    ----------
    .. [1] Hájek, J. (1968). Asymptotic normality of simple linear rank statistics under
       alternatives. The Annals of Mathematical Statistics, 39(2), 325-346.
       :doi:`10.1214/aoms/1177698394`
    .. [2] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
       cross-validated estimator of the generalization error. Neural Computation, 29(2),
       519-554. :doi:`10.1162/NECO_a_00923`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import RowContributions, Scores, projection_estimate
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> rows = RowContributions((rng.random((15, 60, 1)) < 0.8).astype(float), folds)
    >>> scores = rows.fold_means(rows.values).ravel()
    >>> estimate = projection_estimate(Scores(scores, rows=rows, n_repeats=15))
    >>> [round(limit, 2) for limit in estimate.confidence_interval()]
    [0.71, 0.87]
    """
    check_rows(sample, "projection_estimate")
    values = sample.differences if isinstance(sample, PairedScores) else sample.values
    standard_error, *_ = _errors(sample.parts, values)
    size = sample.training_size
    of_size = "" if size is None else f" of {size:.0f} {sample.size_unit}s"
    return MeanEstimate(
        method=f"first-order projection over {_design(sample.parts)}",
        estimand=f"expected {quantity} of the learner over training sets{of_size}",
        unit=sample.size_unit,
        n_units=sample.rows.n_units,
        estimate=float(np.mean(values)),
        standard_error=standard_error,
        df=sample.df,
        by_logit=True,
        assumptions=assumptions_about(sample),
    )


def check_rows(sample: Resampled, procedure: str) -> None:
    """Refuse too few repeats."""
    measured = sample if sample.halves is None else sample.halves
    if measured.rows.n_repeats < FEWEST_REPEATS:
        raise ValueError(
            f"{procedure} needs at least {FEWEST_REPEATS} repeated partitions of the rows, got "
            f"{measured.rows.n_repeats}; 15 repetitions of 2 folds are the default."
        )
    if sample.rows.n_repeats < 2:
        raise ValueError(
            f"{procedure} needs two repetitions or more of the folds that halves are beside, "
            "got 1."
        )


def _errors(variance: ProjectionVariance, *scores: Any) -> tuple[float, float, float]:
    """Standard error, and its parts by sampling and by instability; 0 if they are noise."""
    total = math.sqrt(float(variance.total[0, 0]))
    if total <= RELATIVE_RESOLUTION * np.abs(scores).max():
        return 0.0, 0.0, 0.0
    sampling, instability = variance.sampling[0, 0], variance.instability[0, 0]
    return total, math.sqrt(float(sampling)), math.sqrt(float(instability))


def _beside_halves(sample: PairedScores) -> dict[str, Any]:
    """Say what the same systems score on the halves that the variance is carried over from.

    Nothing of a metric that is another quantity in small folds than in halves.
    """
    halves, change = sample.halves, sample.parts.change
    if halves is None or change is None:
        return {}
    rows = sample.rows
    if not rows.of_mean and sample.size_unit == "row" and rows.sizes.min() < FEW_IN_FOLD:
        return {}
    return {
        "half_estimate": float(np.mean(halves.differences)),
        "half_error": _errors(halves.parts, halves.a, halves.b)[0],
        "change_error": math.sqrt(float(change[0, 0])),
    }


def _around(estimate: float, width: float) -> ConfidenceInterval:
    return ConfidenceInterval(estimate - width, estimate + width)


def _design(variance: ProjectionVariance) -> str:
    folds = f"{variance.n_repeats} x {variance.n_folds} folds"
    halvings = variance.n_halvings
    return folds if halvings is None else f"{folds}, with the variance of {halvings} halvings"


def assumptions_about(
    sample: Resampled,
) -> tuple[str, ...]:
    """Say what must hold for the projected variance to be right."""
    unit = sample.size_unit
    correlation = round(1 / sample.rows.instability_correlation)
    return (
        f"the {unit}s are independent draws from one population",
        f"the mean over splits is close to normal over data sets, and {unit}s affect it "
        f"nearly one by one",
        f"the instabilities of two splits have a correlation of at most 1/{correlation}",
    )
