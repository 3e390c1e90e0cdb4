"""Student t procedures on paired scores: textbook, corrected for resampling, in time order."""

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import check_choice, procedure
from skstat.stats._family import Comparison, of_mean
from skstat.stats._law import Student
from skstat.stats._literature import (
    BOUCKAERT_2003,
    DIEBOLD_MARIANO_1995,
    HARVEY_ET_AL_1997,
    LAZARUS_ET_AL_2018,
    NADEAU_BENGIO_2003,
    STUDENT_1908,
)
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    PairedScores,
    ScorePairs,
    Scores,
    check_alternative,
    check_enough_units,
    check_plain_splits,
    warn_if_dependent,
)
from skstat.stats._words import unit_word

# Fewer cosines would leave Student's t hardly any power.
LEAST_COSINES = 3
# Share by which the variance may be expected to come out too small.
MOST_BIAS = 0.1
# Estimates above this say no more than that the series wanders.
_LARGEST_AUTOCORRELATION = 0.97
_NORMAL = "the differences are close to normal, with equal variances"
_STATIONARY = (
    "the differences are stationary: mean, variance and autocorrelation do not change over time"
)


@procedure(
    title="the paired t test",
    when="100 rows or 30 data sets, on one scale",
    independent_units=True,
    t_of_mean=True,
    references=(STUDENT_1908,),
)
def paired_t(
    sample: PairedScores | ScorePairs, *, alternative: str = "two-sided"
) -> Comparison:
    """Textbook paired t test; valid for independent units only.

    ``t = mean(d) / (sd(d) / sqrt(J))`` with J - 1 degrees of freedom, where
    d = a - b [2]_. On splits of one data set, which share training rows, its type I
    error is far above the nominal level (Dietterich, 1998) [1]_.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If there are fewer than two units, or three splits.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    See Also
    --------
    corrected_t : The same for splits, with the variance corrected.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([5.1, 4.8, 6.0, 5.5], [4.7, 4.9, 5.2, 5.0], unit="seed")
    >>> outcome = paired_t(sample)
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (2.138, 3, 0.122)
    """
    check_enough_units(sample, 3 if sample.unit == "split" else 2, "paired_t")
    warn_if_dependent(sample, "paired_t")
    return _mean_outcome(
        sample,
        test="paired t test (uncorrected)",
        variance_factor=1 / sample.n_units,
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other", _NORMAL),
    )


@procedure(
    title="the corrected resampled t test",
    when="accuracy on random splits, to compare with older results",
    because="this test allows for training rows that splits share",
    units=("split",),
    t_of_mean=True,
    references=(NADEAU_BENGIO_2003,),
    read_as=("correlated_posterior", "correlated_t", "bayesian_correlated_t"),
)
def corrected_t(
    sample: PairedScores | ScorePairs, *, alternative: str = "two-sided"
) -> Comparison:
    """Paired t test corrected for overlapping splits (Nadeau & Bengio, 2003).

    ``t = mean(d) / (sd(d) * sqrt(1/J + n_test/n_train))`` with J - 1 degrees of
    freedom ([1]_, eq. 9 and section 5). For repeated K-fold cross-validation
    n_test/n_train is 1/(K - 1) ([2]_). Unequal splits use the ratio of the sums.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same splits, with their sizes or `n_repeats`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the units are not splits, their sizes are unknown, or there are fewer
        than three.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of
       significance tests for comparing learning algorithms. PAKDD, 3-12.
       :doi:`10.1007/978-3-540-24775-3_3`

    Examples
    --------
    >>> from skstat.stats import PairedScores, corrected_t
    >>> a = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
    >>> sample = PairedScores(a, [0.7] * 10, n_train=900, n_test=100)
    >>> outcome = corrected_t(sample, alternative="greater")
    >>> round(outcome.statistic, 4), round(outcome.pvalue, 4)
    (0.3025, 0.3846)
    """
    ratio = _ratio(sample, "corrected_t")
    if sample.n_folds is None:
        test = "corrected resampled t test"
    elif sample.n_repeats == 1:
        test = "corrected K-fold t test"
    else:
        test = "corrected repeated K-fold t test (Bouckaert & Frank 2004)"
    return _mean_outcome(
        sample,
        test=test,
        variance_factor=1 / sample.n_units + ratio,
        alternative=alternative,
        assumptions=(
            _NORMAL,
            "the differences of two splits have the correlation "
            f"n_test/(n_train + n_test) = {ratio / (1 + ratio):.3f}",
        ),
    )


@procedure(
    when="10x10 folds: its own calibration",
    units=("split",),
    suited_splits="Pass cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10).",
    references=(BOUCKAERT_2003,),
)
def bouckaert_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Calibrated t test for 10x10 cross-validation (Bouckaert, 2003).

    ``t = mean(d) * sqrt(11) / sd(d)`` over all 100 differences, with the 10
    degrees of freedom that were calibrated for this design alone [1]_.

    Parameters
    ----------
    sample : PairedScores
        100 scores of A and B from 10 repeats of 10-fold cross-validation.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the sample is not a 10x10 cross-validation.

    References
    ----------
    .. [1] Bouckaert, R. R. (2003). Choosing between two learning algorithms based
       on calibrated tests. ICML, 51-58.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, bouckaert_t
    >>> d = np.tile([0.0, 0.01, 0.02, 0.03, -0.01], 20)
    >>> sample = PairedScores(0.8 + d, np.full(100, 0.8), n_repeats=10)
    >>> outcome = bouckaert_t(sample)
    >>> outcome.df, round(outcome.statistic, 3)
    (10, 2.333)
    """
    check_plain_splits(sample, "bouckaert_t")
    if sample.n_repeats != 10 or sample.n_folds != 10:
        raise ValueError(
            "bouckaert_t was calibrated for 10 repeats of 10-fold cross-validation "
            f"only; this sample has {sample.n_units} {sample.unit}s and n_repeats="
            f"{sample.n_repeats}. Use corrected_t, which fits any design."
        )
    df = 10
    return _mean_outcome(
        sample,
        test="calibrated 10x10 t test",
        variance_factor=1 / (df + 1),
        df=df,
        alternative=alternative,
        assumptions=(_NORMAL, "the calibration to 10 degrees of freedom carries over"),
    )


@procedure(
    title="the one-sample t test",
    when="a score known in advance",
    references=(STUDENT_1908,),
)
def one_sample_t(
    sample: Scores,
    constant: float,
    *,
    correction: Literal["nadeau-bengio"] | None = "nadeau-bengio",
    alternative: str = "two-sided",
) -> Comparison:
    """Test the mean score of one system against a constant known in advance.

    ``t = (mean - constant) / (sd * sqrt(1/J + n_test/n_train))`` with J - 1
    degrees of freedom. A baseline estimated on the same data (a dummy
    classifier) needs the paired test on the same splits instead.

    Parameters
    ----------
    sample : Scores
        Scores of the system.
    constant : float
        The score to compare with: chance, a published result, human agreement.
    correction : {"nadeau-bengio"} or None, default="nadeau-bengio"
        Correct the variance for overlapping splits [1]_; only used when the units are
        splits. None is the textbook test [2]_.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the system scores higher than the constant.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If `constant` is not finite or the sizes of the splits are unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits and ``correction=None``.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import Scores, one_sample_t
    >>> a = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
    >>> outcome = one_sample_t(Scores(a, n_repeats=1), 0.7, alternative="greater")
    >>> round(outcome.statistic, 4), round(outcome.pvalue, 4)
    (0.3025, 0.3846)
    """
    check_choice("correction", correction, ("nadeau-bengio", None))
    pairs = sample.against(constant)
    check_enough_units(pairs, 3 if pairs.unit == "split" else 2, "one_sample_t")
    b = f"the constant {constant:g}"
    if correction is not None and sample.unit == "split":
        ratio = _ratio(pairs, "one_sample_t")
        name, shared = "corrected one-sample t test", ratio
        dependence = (
            "the scores of two splits have the correlation "
            f"n_test/(n_train + n_test) = {ratio / (1 + ratio):.3f}"
        )
    else:
        warn_if_dependent(sample, "one_sample_t without correction")
        correctable = " (uncorrected)" if sample.unit == "split" else ""
        name, shared = f"one-sample t test{correctable}", 0.0
        dependence = f"the {unit_word(sample.unit)}s are independent of each other"
    return _mean_outcome(
        pairs,
        test=name,
        variance_factor=1 / pairs.n_units + shared,
        alternative=alternative,
        assumptions=(_NORMAL, dependence, f"{b} was known in advance"),
        b=b,
        references=(NADEAU_BENGIO_2003,) if shared else (),
    )


def _ratio(sample: PairedScores | ScorePairs, procedure: str) -> float:
    if sample.unit != "split":
        raise ValueError(
            f"{procedure} corrects for overlapping splits, but unit={sample.unit!r}; "
            "use the uncorrected test."
        )
    check_plain_splits(sample, procedure)
    check_enough_units(sample, 3, procedure)
    ratio = sample.test_train_ratio
    if ratio is None:
        raise ValueError(
            f"{procedure} needs the sizes of the splits: give n_train and n_test (or "
            "n_repeats for complete partitions; results of scikit-learn's cross_validate hold "
            "them with return_indices=True). Without them only the uncorrected "
            "test is possible, and it must be asked for by name."
        )
    return ratio


def _mean_outcome(
    sample: PairedScores | ScorePairs,
    alternative: str,
    variance_factor: float,
    df: int | None = None,
    **told: Any,
) -> Comparison:
    error = sample.spread * math.sqrt(variance_factor)
    df = sample.n_units - 1 if df is None else df
    law = Student(estimate=sample.mean, standard_error=error, df=df)
    return of_mean(sample, alternative, law=law, **told)


@dataclass(frozen=True, kw_only=True, eq=False)
class LongRun(Student):
    """Student's t with a long-run variance by cosines.

    Attributes
    ----------
    autocorrelation : float
        Correlation of neighbouring differences by which the number of cosines, `df`,
        was chosen; from 0 to 0.97.
    expected_bias : float
        Share by which the variance of the mean is expected to come out too small, if
        correlations fade as those of an autoregression of order one do.
    """

    autocorrelation: float
    expected_bias: float


@procedure(
    title="the test of Diebold and Mariano",
    when="rows in time order, a mean over rows",
    because="this test allows for neighbours that are alike",
    ordered_units=True,
    references=(DIEBOLD_MARIANO_1995, HARVEY_ET_AL_1997),
)
def diebold_mariano(
    sample: PairedScores, *, horizon: int | None = None, alternative: str = "two-sided"
) -> Comparison:
    """Compare two forecasters whose scores stand in time order.

    Neighbouring differences d may be similar, which makes their mean less precise. How much
    less precise is estimated in one of two ways.

    Without `horizon`, from the data. The variance of the mean is the mean square of the first
    nu cosine coefficients of the series, ``sqrt(2 / n) sum_t d_t cos(pi j (t - 1/2) / n)``,
    over n, and t is referred to Student's t with nu degrees of freedom: few cosines for a
    variance that is poorly known, and a law that allows for it [4]_. nu is ``floor(0.4
    n^(2/3))`` as recommended there, or fewer where neighbours correlate so much that the
    variance would come out more than a tenth too small, but no fewer than three.

    With `horizon` h, from a formula. Differences of scores of forecasts h steps ahead
    correlate over up to h - 1 steps, so that ``var(mean(d)) = (gamma_0 + 2 sum_{l<h} gamma_l)
    / n`` with the autocovariances gamma_l, sums divided by n [1]_. The statistic is multiplied
    by ``sqrt((n + 1 - 2h + h(h - 1)/n) / n)`` and referred to Student's t with n - 1 degrees
    of freedom [2]_; here the factor is part of the standard error, so that the interval is
    that of the same test. With a horizon of 1 it is the paired t test. The sum of
    autocovariances can be negative. Then Bartlett's weights 1 - l/h, which keep it positive
    [3]_, take its place; the name of the test says so.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same instances, in time order: ``unit="instance"``
        and ``ordered=True``. A score is higher for the better forecast: minus the
        squared or absolute error.
    horizon : int, optional
        Number of steps that the forecasts look ahead, for the variance from the formula. By
        default the data show how far the differences correlate.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; a :class:`LongRun` without `horizon`.

    Raises
    ------
    ValueError
        If the sample is not in time order or too short for the horizon.

    Notes
    -----
    Measured type I error at a nominal 0.05, 10,000 simulations each, of autoregressions of
    order one with coefficient r:

    ==== ============ ==== ==== ==== ==== ====
    n    Variance     r=0  .3   .6   .8   .9
    ==== ============ ==== ==== ==== ==== ====
    50   by the data  .048 .052 .063 .078 .131
    50   horizon=1    .051 .146 .330 .536 .679
    200  by the data  .051 .050 .054 .064 .070
    200  horizon=1    .053 .143 .328 .517 .662
    ==== ============ ==== ==== ==== ==== ====

    With moving averages of h shocks `horizon` = h was at .04 to .07 up to h = n/20, .07 to
    .10 at n/10, .09 to .15 at n/5; the variance by the data at .05 to .06 up to n/10 and
    .07 at n/5. The price is power: of 50 independent differences nu is 5.

    References
    ----------
    .. [1] Diebold, F. X. & Mariano, R. S. (1995). Comparing predictive accuracy.
       Journal of Business & Economic Statistics, 13(3), 253-263.
       :doi:`10.1080/07350015.1995.10524599`
    .. [2] Harvey, D., Leybourne, S. & Newbold, P. (1997). Testing the equality of
       prediction mean squared errors. International Journal of Forecasting, 13(2),
       281-291. :doi:`10.1016/S0169-2070(96)00719-4`
    .. [3] Newey, W. K. & West, K. D. (1987). A simple, positive semi-definite,
       heteroskedasticity and autocorrelation consistent covariance matrix.
       Econometrica, 55(3), 703-708. :doi:`10.2307/1913610`
    .. [4] Lazarus, E., Lewis, D. J., Stock, J. H. & Watson, M. W. (2018). HAR inference:
       recommendations for practice. Journal of Business & Economic Statistics, 36(4),
       541-559. :doi:`10.1080/07350015.2018.1506926`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, diebold_mariano
    >>> d = [0.5, 0.7, 0.1, -0.2, 0.3, 0.6, 0.4, -0.1, 0.2, 0.5]
    >>> sample = PairedScores(d, np.zeros(10), unit="instance", ordered=True)
    >>> outcome = diebold_mariano(sample)
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (4.184, 3, 0.025)

    Forecasts two steps ahead, by the formula:

    >>> outcome = diebold_mariano(sample, horizon=2)
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (2.521, 9, 0.033)
    """
    check_alternative(alternative)
    if sample.unit not in ("instance", "group", "seed") or not sample.ordered:
        raise ValueError(
            "diebold_mariano needs instances in time order: give the scores of every "
            "forecast, oldest first, as PairedScores(a, b, unit='instance', "
            f"ordered=True). This sample has unit={sample.unit!r}, "
            f"ordered={sample.ordered}."
        )
    check_enough_units(sample, 2, "diebold_mariano")
    n, differences = sample.n_units, sample.differences
    if horizon is None:
        autocorrelation = first_autocorrelation(differences)
        df = number_of_cosines(n, autocorrelation)
        variance = cosine_variance(differences, df)
        if variance <= RELATIVE_RESOLUTION * float(np.var(differences)):
            # A series that the first cosines do not see; all of them give the sample variance.
            df = n - 1
            variance = cosine_variance(differences, df)
        return of_mean(
            sample,
            alternative,
            test="Diebold-Mariano test (long-run variance by cosines)",
            references=(DIEBOLD_MARIANO_1995, LAZARUS_ET_AL_2018),
            assumptions=(
                _STATIONARY,
                f"their correlation fades within the {n} {sample.unit}s",
            ),
            law=LongRun(
                estimate=sample.mean,
                standard_error=math.sqrt(variance / n) if sample.spread else 0.0,
                df=df,
                autocorrelation=autocorrelation,
                expected_bias=bias_of_cosines(n, df, autocorrelation),
            ),
        )
    if isinstance(horizon, bool) or not isinstance(horizon, Integral) or not 1 <= horizon < n:
        raise ValueError(
            f"horizon={horizon!r} must be a whole number of steps, at least 1 and less "
            f"than the {n} {sample.unit}s, or None."
        )
    h = int(horizon)
    variance, bartlett = _long_run_variance(differences, h)
    # (n + 1 - 2h + h(h - 1)/n) / n, in a form that cannot lose its sign to rounding.
    variance /= (n - h) * (n + 1 - h) / n**2
    correlation = f"differences {h} or more steps apart are uncorrelated (horizon {h})"
    if h == 1:
        correlation = "differences at different times are uncorrelated (horizon 1)"
    if bartlett:
        correlation += (
            "; the sum of autocovariances was not positive, Bartlett weights replace it"
        )
    return of_mean(
        sample,
        alternative,
        test="Diebold-Mariano test, corrected for small samples"
        + (", Bartlett weights" if bartlett else ""),
        assumptions=(_STATIONARY, correlation),
        law=Student(
            estimate=sample.mean,
            standard_error=math.sqrt(variance / n) if sample.spread else 0.0,
            df=n - 1,
        ),
    )


def _long_run_variance(differences: np.ndarray, horizon: int) -> tuple[float, bool]:
    """Return the sum of autocovariances, and whether it had to be weighted."""
    n = len(differences)
    centred = differences - differences.mean()
    gammas = np.array([centred[lag:] @ centred[: n - lag] / n for lag in range(horizon)])
    variance = float(gammas[0] + 2 * gammas[1:].sum())
    if variance > RELATIVE_RESOLUTION * gammas[0]:
        return variance, False
    weights = 1 - np.arange(1, horizon) / horizon
    return float(gammas[0] + 2 * weights @ gammas[1:]), horizon > 1


def cosine_variance(series: NDArray[np.float64], n_cosines: int) -> float:
    """Estimate n times the variance of the mean by equally weighted cosines.

    The mean of the squares of ``sqrt(2 / n) sum_t d_t cos(pi j (t - 1/2) / n)`` over j =
    1, ..., n_cosines. They are nearly independent and of one variance, so that the mean
    over the root of it has a t distribution with as many degrees of freedom.
    """
    from scipy import fft  # takes longer to load than all that is here

    projections = fft.dct(series - series.mean(), type=2, norm="ortho")
    return float(np.mean(projections[1 : n_cosines + 1] ** 2))


def first_autocorrelation(series: NDArray[np.float64]) -> float:
    """Correlation of neighbours, from 0 to 0.97.

    The estimate of a short series is too small by about (1 + 3 r) / n, which is added
    (Kendall, 1954). A negative one counts as 0: it makes a mean more precise than it
    looks.
    """
    centred = series - series.mean()
    squares = float(centred @ centred)
    if squares == 0:
        return 0.0
    n = len(series)
    found = float(centred[1:] @ centred[:-1]) / squares
    if n > LEAST_COSINES:
        found = (n * found + 1) / (n - 3)
    return min(max(found, 0.0), _LARGEST_AUTOCORRELATION)


def number_of_cosines(n: int, autocorrelation: float) -> int:
    """Choose how many cosines to take for n steps.

    ``0.4 n^(2/3)``, or as many fewer as keep the expected bias within a tenth; no fewer
    than three.
    """
    most = max(LEAST_COSINES, math.floor(0.4 * n ** (2 / 3)))
    if autocorrelation > 0:
        per_square = bias_of_cosines(n, 1, autocorrelation)
        most = min(most, math.floor(math.sqrt(MOST_BIAS / per_square)))
    return min(max(most, LEAST_COSINES), n - 1)


def bias_of_cosines(n: int, n_cosines: int, autocorrelation: float) -> float:
    """Share by which cosines are expected to understate the long-run variance.

    ``(pi^2 / 6) (n_cosines / n)^2 sum_l l^2 gamma_l / sum_l gamma_l`` to the first order,
    with the autocovariances gamma of an autoregression of order one, for which the ratio
    is 2 r / (1 - r)^2.
    """
    curvature = 2 * autocorrelation / (1 - autocorrelation) ** 2
    return math.pi**2 / 6 * (n_cosines / n) ** 2 * curvature


def bias_of_blocks(length: int, autocorrelation: float) -> float:
    """Share by which blocks of that length are expected to understate it.

    ``sum_l |l| gamma_l / (length sum_l gamma_l)``, 2 r / (1 - r^2) over the length for an
    autoregression of order one.
    """
    return 2 * autocorrelation / (1 - autocorrelation**2) / length
