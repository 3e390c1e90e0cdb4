"""Power of t tests: of independent units, and of splits of one data set (corrected t)."""

import math

import numpy as np
from scipy import stats as law
from scipy.optimize import brentq
from scipy.special import gammaln, ndtr

_NODES = 1201


def t_power(noncentrality: float, df: float, *, alpha: float = 0.05) -> float:
    """Power of a two-sided t test: trapezoids in the logarithm of chi-squared.

    The noncentral t of SciPy is nan for large noncentralities; this integral is not.
    """
    low, high = math.log(law.chi2.ppf(1e-18, df)), math.log(law.chi2.isf(1e-18, df))
    u = np.linspace(low, high, _NODES)
    density = np.exp(df * (u - math.log(2)) / 2 - np.exp(u) / 2 - gammaln(df / 2))
    beyond = law.t.isf(alpha / 2, df) * np.exp((u - math.log(df)) / 2)
    rejects = ndtr(noncentrality - beyond) + ndtr(-noncentrality - beyond)
    return float(min(1.0, np.trapezoid(density * rejects, u)))


def t_size(effect: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Smallest number of independent units; `effect` is mean / standard deviation."""
    if effect == 0:
        raise ValueError("effect=0: no number of units shows a difference that does not exist.")

    def reaches(n: int) -> bool:
        return t_power(abs(effect) * math.sqrt(n), n - 1, alpha=alpha) >= power

    high = 2
    while not reaches(high):
        high *= 2
    low = max(1, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def splits_power(n_splits: float, ratio: float, effect: float, *, alpha: float = 0.05) -> float:
    """Power of the corrected t test.

    `ratio` is n_test / n_train, `effect` the difference over the standard deviation of the
    differences of splits. ``n_splits=inf`` is what more splits cannot pass.
    """
    error = math.sqrt(1 / n_splits + ratio)
    if math.isinf(n_splits):
        z, shift = law.norm.isf(alpha / 2), abs(effect) / error
        return float(ndtr(shift - z) + ndtr(-shift - z))
    return t_power(abs(effect) / error, n_splits - 1, alpha=alpha)


def splits_detectable(
    n_splits: float, ratio: float, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """Smallest effect with this power, in standard deviations of a split's difference."""
    high = 1.0
    while splits_power(n_splits, ratio, high, alpha=alpha) < power:
        high *= 2
    return float(
        brentq(lambda e: splits_power(n_splits, ratio, e, alpha=alpha) - power, 0.0, high)
    )
