"""Diebold and Mariano's test: mean differences of scores in time order."""

import math
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import DIEBOLD_MARIANO_1995, HARVEY_ET_AL_1997, LAZARUS_ET_AL_2018
from skstat.stats._outcomes import Comparison, Student, of_mean
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    PairedScores,
    check_alternative,
    check_enough_units,
)

# Fewer cosines would leave Student's t hardly any power.
LEAST_COSINES = 3
# Share by which the variance may be expected to come out too small.
MOST_BIAS = 0.1
# Estimates above this say no more than that the series wanders.
_LARGEST_AUTOCORRELATION = 0.97


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
    if horizon is None:
        return _by_cosines(sample, alternative)
    n = sample.n_units
    if isinstance(horizon, bool) or not isinstance(horizon, Integral) or not 1 <= horizon < n:
        raise ValueError(
            f"horizon={horizon!r} must be a whole number of steps, at least 1 and less "
            f"than the {n} {sample.unit}s, or None."
        )
    return _by_horizon(sample, int(horizon), alternative)


def _by_cosines(sample: PairedScores, alternative: str) -> Comparison:
    differences, n = sample.differences, sample.n_units
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
            standard_error=_error(sample, variance),
            df=df,
            autocorrelation=autocorrelation,
            expected_bias=bias_of_cosines(n, df, autocorrelation),
        ),
    )


def _by_horizon(sample: PairedScores, horizon: int, alternative: str) -> Comparison:
    n = sample.n_units
    variance, bartlett = _long_run_variance(sample.differences, horizon)
    # (n + 1 - 2h + h(h - 1)/n) / n, in a form that cannot lose its sign to rounding.
    factor = (n - horizon) * (n + 1 - horizon) / n**2
    error = _error(sample, variance / factor)
    return of_mean(
        sample,
        alternative,
        test="Diebold-Mariano test, corrected for small samples"
        + (", Bartlett weights" if bartlett else ""),
        assumptions=(_STATIONARY, _correlation(horizon, bartlett)),
        law=Student(estimate=sample.mean, standard_error=error, df=n - 1),
    )


_STATIONARY = (
    "the differences are stationary: mean, variance and autocorrelation do not change over time"
)


def _error(sample: PairedScores, variance: float) -> float:
    """Standard error of the mean difference, given its long-run variance."""
    return math.sqrt(variance / sample.n_units) if sample.spread else 0.0


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


def _correlation(horizon: int, bartlett: bool) -> str:
    if horizon == 1:
        return "differences at different times are uncorrelated (horizon 1)"
    text = f"differences {horizon} or more steps apart are uncorrelated (horizon {horizon})"
    if bartlett:
        text += "; the sum of autocovariances was not positive, Bartlett weights replace it"
    return text


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
