"""A t test over repeated partitions whose variance is projected on the rows."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from skstat.stats._common import procedure, tails
from skstat.stats._estimates import MeanEstimate
from skstat.stats._literature import HAJEK_1968, WANG_ET_AL_2017
from skstat.stats._outcomes import (
    BEYOND_THE_POPULATION,
    ConfidenceInterval,
    MeanOutcome,
    effect_sizes,
    estimand,
    null_hypothesis,
)
from skstat.stats._samples import (
    FEW_IN_FOLD,
    RELATIVE_RESOLUTION,
    FoldScores,
    FoldScoreTable,
    PairedFoldScores,
    PairedScores,
    ProjectionVariance,
    check_alternative,
)

FEWEST_REPEATS = 3
_TEST = "projection t test"


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
class ProjectionOutcome(MeanOutcome):
    """Outcome of the projection t test: estimate, standard error, df, and its parts.

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
        Correlation that is assumed between the instabilities of two splits. None in outcomes
        that were stored by a version that did not keep it.
    """

    _newer = MeanOutcome._newer | {"instability_correlation"}
    # Other rows of the same population are what the standard error is about.
    ignored_variance: ClassVar[tuple[str, ...]] = BEYOND_THE_POPULATION

    _signed = (*MeanOutcome._signed, "half_estimate")

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
    units=("split",),
    suited_splits="Leave cv out, or pass cv=RepeatedHalves(15, balanced=True).",
    references=(HAJEK_1968, WANG_ET_AL_2017),
)
def projection_t(
    sample: PairedFoldScores, *, alternative: str = "two-sided"
) -> ProjectionOutcome:
    """Paired t test on repeated K-fold cross-validation, for many learners and metrics.

    The variance of the mean difference over data sets is estimated by its first-order
    (Hájek) projection: the effect of every row as a test row, and as a training row, is
    estimated from repeated partitions in which each row is tested once per repetition. What
    the learners change beyond that (their instability) is measured separately, and added. The
    statistic is compared with Student's t of as many degrees of freedom as repetitions, or of
    the effective number of groups or of weighted rows less one, if that is smaller.

    Parameters
    ----------
    sample : PairedFoldScores
        Scores of A and B on repeated partitions, with what every row contributed.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    ProjectionOutcome
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
    >>> from skstat.stats import PairedFoldScores, projection_t
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> right_a, right_b = rng.random((15, 60)) < 0.8, rng.random((15, 60)) < 0.6
    >>> outcome = projection_t(PairedFoldScores.from_row_scores(right_a, right_b, folds))
    >>> outcome.df, round(outcome.estimate, 3), outcome.pvalue < 0.001
    (15, 0.147, False)
    """
    check_alternative(alternative)
    check_rows(sample, "projection_t")
    standard_error, sampling, instability = _errors(sample.parts, sample.a, sample.b)
    return ProjectionOutcome(
        test=f"{_TEST} on {_design(sample.parts)}",
        estimand=estimand(sample),
        null_hypothesis=null_hypothesis(sample, alternative),
        alternative=alternative,
        assumptions=assumptions_about(sample),
        effect_sizes=effect_sizes(sample),
        estimate=float(np.mean(sample.differences)),
        standard_error=standard_error,
        df=sample.df,
        sampling_error=sampling,
        instability_error=instability,
        sampled_unit=sample.size_unit,
        n_sampled=sample.rows.n_units,
        instability_correlation=sample.rows.instability_correlation,
        **_beside_halves(sample),
    )


@procedure(
    title="the one-sample projection t test",
    when="a score known in advance",
    because="this test measures the part of each row in the variance",
    references=(HAJEK_1968, WANG_ET_AL_2017),
)
def one_sample_projection_t(
    sample: FoldScores, constant: float, *, alternative: str = "two-sided"
) -> ProjectionOutcome:
    """Test the expected score of one system against a constant, on repeated partitions.

    The variance is that of :func:`projection_t` [1]_ [2]_.

    Parameters
    ----------
    sample : FoldScores
        Scores of the system, with what every row contributed.
    constant : float
        The score to compare with, known in advance: chance, a published result.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the system scores higher than the constant.

    Returns
    -------
    ProjectionOutcome
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
    >>> from skstat.stats import FoldScores, RowContributions, one_sample_projection_t
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> rows = RowContributions((rng.random((15, 60, 1)) < 0.8).astype(float), folds)
    >>> scores = rows.fold_means(rows.values).ravel()
    >>> outcome = one_sample_projection_t(FoldScores(scores, rows=rows, n_repeats=15), 0.5)
    >>> round(outcome.estimate, 3), outcome.pvalue < 0.001
    (0.29, True)
    """
    check_alternative(alternative)
    check_rows(sample, "one_sample_projection_t")
    pairs: PairedScores = sample.against(constant)
    standard_error, sampling, instability = _errors(sample.parts, pairs.a, pairs.b)
    b = f"the constant {constant:g}"
    return ProjectionOutcome(
        test=f"one-sample {_TEST} on {_design(sample.parts)}",
        estimand=estimand(pairs, b=b),
        null_hypothesis=null_hypothesis(pairs, alternative, b=b),
        alternative=alternative,
        assumptions=(*assumptions_about(sample), f"{b} was known in advance"),
        effect_sizes=effect_sizes(pairs),
        estimate=float(np.mean(pairs.differences)),
        standard_error=standard_error,
        df=sample.df,
        sampling_error=sampling,
        instability_error=instability,
        sampled_unit=sample.size_unit,
        n_sampled=sample.rows.n_units,
        instability_correlation=sample.rows.instability_correlation,
    )


@procedure(references=(HAJEK_1968, WANG_ET_AL_2017))
def projection_estimate(
    sample: FoldScores | PairedFoldScores, *, quantity: str = "score"
) -> MeanEstimate:
    """Estimate the expected score of a learner from repeated partitions, for any metric.

    The standard error is that of :func:`projection_t` [1]_ [2]_. The interval is one of
    Student's t; where the estimate is said to have two bounds, as in
    ``estimate.within(0, 1)``, it is made on the scale of the logit.

    Parameters
    ----------
    sample : FoldScores or PairedFoldScores
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
    >>> from skstat.stats import FoldScores, RowContributions, projection_estimate
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> rows = RowContributions((rng.random((15, 60, 1)) < 0.8).astype(float), folds)
    >>> scores = rows.fold_means(rows.values).ravel()
    >>> estimate = projection_estimate(FoldScores(scores, rows=rows, n_repeats=15))
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


def check_rows(sample: FoldScores | PairedFoldScores | FoldScoreTable, procedure: str) -> None:
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


def _beside_halves(sample: PairedFoldScores) -> dict[str, Any]:
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
    sample: FoldScores | PairedFoldScores | FoldScoreTable,
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
