"""Power of t tests: of independent units, and of splits of one data set (corrected t)."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr

from skstat.stats._planning.checks import (
    MOST,
    check_number,
    check_power,
    check_test_level,
    laws,
    root_of,
    smallest,
)

_NODES = 1201


@lru_cache(maxsize=256)
def _chi(df: float) -> tuple[NDArray, NDArray]:
    """Return values of ``sqrt(chi2 / df)``, and weights of a mean over them."""
    low, high = math.log(laws().chi2.ppf(1e-18, df)), math.log(laws().chi2.isf(1e-18, df))
    u = np.linspace(low, high, _NODES)
    density = np.exp(df * (u - math.log(2)) / 2 - np.exp(u) / 2 - gammaln(df / 2))
    weights = density * (u[1] - u[0])
    weights[[0, -1]] /= 2
    return np.exp((u - math.log(df)) / 2), weights


def mean_over_chi(values: Callable[[NDArray], NDArray], df: float) -> float:
    """Mean of a function of ``s = sqrt(chi2 / df)``: trapezoids in the logarithm of chi2."""
    s, weights = _chi(df)
    return float(min(1.0, weights @ values(s)))


def z_power(shift: float, *, alpha: float = 0.05, one_sided: bool = False) -> float:
    """Power of a test by the normal law; `shift` is difference / standard error."""
    z = laws().norm.isf(alpha if one_sided else alpha / 2)
    return float(ndtr(shift - z) + (0.0 if one_sided else ndtr(-shift - z)))


def t_power(
    noncentrality: float, df: float, *, alpha: float = 0.05, one_sided: bool = False
) -> float:
    """Power of a t test: the mean over s of the power of a test by the normal law.

    Given ``s = sqrt(chi2 / df)`` the test rejects beyond t s (Johnson, Kotz and Balakrishnan,
    1995, equation 31.1). SciPy's noncentral t is nan for large noncentralities; this integral
    is not.
    """
    check_test_level(alpha)
    check_number("noncentrality", noncentrality)
    check_number("df", df, above=0, what="a number of degrees of freedom above 0")
    beyond = laws().t.isf(alpha if one_sided else alpha / 2, df)

    def rejects(s: NDArray) -> NDArray:
        upper: NDArray = ndtr(noncentrality - beyond * s)
        return upper if one_sided else upper + ndtr(-noncentrality - beyond * s)

    return mean_over_chi(rejects, df)


def t_size(effect: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Smallest number of independent units; `effect` is mean / standard deviation."""
    check_test_level(alpha)
    check_power(power, alpha)
    if effect == 0:
        raise ValueError("effect=0: no number of units shows a difference that does not exist.")

    def reaches(n: int) -> bool:
        return t_power(abs(effect) * math.sqrt(n), n - 1, alpha=alpha) >= power

    return smallest(reaches, least=2) or MOST


def splits_power(n_splits: float, ratio: float, effect: float, *, alpha: float = 0.05) -> float:
    """Power of the corrected t test (Nadeau and Bengio, 2003, section 3).

    `ratio` is n_test / n_train, `effect` the difference over the standard deviation of the
    differences of splits. ``n_splits=inf`` is what more splits cannot pass.
    """
    check_test_level(alpha)
    check_number("ratio", ratio, above=0, what="test rows over training rows, above 0")
    if not n_splits >= 2:
        raise ValueError(f"n_splits={n_splits!r} must be at least 2.")
    shift = abs(effect) / math.sqrt(1 / n_splits + ratio)
    if math.isinf(n_splits):
        return z_power(shift, alpha=alpha)
    return t_power(shift, n_splits - 1, alpha=alpha)


def splits_detectable(
    n_splits: float, ratio: float, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """Smallest effect with this power, in standard deviations of a split's difference."""
    check_test_level(alpha)
    check_power(power, alpha)
    high = 1.0
    while splits_power(n_splits, ratio, high, alpha=alpha) < power:
        high *= 2
    return float(
        root_of(lambda e: splits_power(n_splits, ratio, e, alpha=alpha) - power, 0.0, high)
    )
