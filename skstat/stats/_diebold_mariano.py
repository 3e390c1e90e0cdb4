"""Diebold and Mariano's test: mean differences of scores in time order."""

import math
from numbers import Integral

import numpy as np

from skstat.stats._effect_sizes import effect_sizes
from skstat.stats._meaning import estimand, null_hypothesis
from skstat.stats._outcomes import MeanOutcome
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    PairedScores,
    check_alternative,
    check_enough_units,
)


def diebold_mariano(
    sample: PairedScores, *, horizon: int = 1, alternative: str = "two-sided"
) -> MeanOutcome:
    """Compare two forecasters whose scores stand in time order.

    Differences of scores of forecasts h steps ahead correlate over up to h - 1 steps,
    so that ``var(mean(d)) = (gamma_0 + 2 sum_{l<h} gamma_l) / n`` with the
    autocovariances gamma_l, sums divided by n [1]_. The
    statistic is multiplied by ``sqrt((n + 1 - 2h + h(h - 1)/n) / n)`` and referred to
    Student's t with n - 1 degrees of freedom [2]_; here the factor is
    part of the standard error, so that the interval is that of the same test. With a
    horizon of 1 it is the paired t test.

    The sum of autocovariances can be negative. Then Bartlett's weights 1 - l/h, which
    keep it positive [3]_, take its place; the name of the test says so. The type I
    error grows with the horizon: with moving averages of h normal shocks it was measured
    as .04 to .07 up to h = n/20, .07 to .10 at n/10, .09 to .15 at n/5, at a nominal .05.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same instances, in time order: ``unit="instance"``
        and ``ordered=True``. A score is higher for the better forecast: minus the
        squared or absolute error.
    horizon : int, default=1
        Number of steps that the forecasts look ahead.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher.

    Returns
    -------
    MeanOutcome
        The test's numbers.

    Raises
    ------
    ValueError
        If the sample is not in time order or too short for the horizon.

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

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, diebold_mariano
    >>> d = [0.5, 0.7, 0.1, -0.2, 0.3, 0.6, 0.4, -0.1, 0.2, 0.5]
    >>> sample = PairedScores(d, np.zeros(10), unit="instance", ordered=True)
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
    n = sample.n_units
    if isinstance(horizon, bool) or not isinstance(horizon, Integral) or not 1 <= horizon < n:
        raise ValueError(
            f"horizon={horizon!r} must be a whole number of steps, at least 1 and less "
            f"than the {n} {sample.unit}s."
        )
    h = int(horizon)
    differences = sample.differences
    variance, bartlett = _long_run_variance(differences, h)
    # (n + 1 - 2h + h(h - 1)/n) / n, in a form that cannot lose its sign to rounding.
    factor = (n - h) * (n + 1 - h) / n**2
    varies = float(np.std(differences)) > sample.resolution
    return MeanOutcome(
        test="Diebold-Mariano test (Harvey, Leybourne & Newbold 1997)"
        + (", Bartlett weights" if bartlett else ""),
        estimand=estimand(sample),
        null_hypothesis=null_hypothesis(sample, alternative),
        alternative=alternative,
        assumptions=(
            "the differences are stationary: mean, variance and autocorrelation do not "
            "change over time",
            _correlation(h, bartlett),
        ),
        effect_sizes=effect_sizes(sample),
        estimate=float(np.mean(differences)),
        standard_error=math.sqrt(variance / n / factor) if varies else 0.0,
        df=n - 1,
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


def _correlation(horizon: int, bartlett: bool) -> str:
    if horizon == 1:
        return "differences at different times are uncorrelated (horizon 1)"
    text = f"differences {horizon} or more steps apart are uncorrelated (horizon {horizon})"
    if bartlett:
        text += "; the sum of autocovariances was not positive, Bartlett weights replace it"
    return text
