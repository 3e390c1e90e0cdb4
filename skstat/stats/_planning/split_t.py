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

Law = tuple[NDArray, NDArray]  # values, and weights of a mean over them


@lru_cache(maxsize=256)
def errors_of(df: float) -> Law:
    """Law of an estimated standard error over the true one: ``sqrt(chi2 / df)``.

    Trapezoids in the logarithm of chi2.
    """
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    low, high = math.log(laws().chi2.ppf(1e-18, df)), math.log(laws().chi2.isf(1e-18, df))
    u = np.linspace(low, high, _NODES)
    density = np.exp(df * (u - math.log(2)) / 2 - np.exp(u) / 2 - gammaln(df / 2))
    weights = density * (u[1] - u[0])
    weights[[0, -1]] /= 2
    return np.exp((u - math.log(df)) / 2), weights


def mean_over(law: Law, values: Callable[[NDArray], NDArray]) -> float:
    """Mean of a function of the estimated standard error over the true one."""
    s, weights = law
    return float(min(1.0, weights @ values(s)))


def quantile(alpha: float, df: float) -> float:
    """Quantile of Student's t that is passed with probability `alpha`."""
    return float(laws().norm.isf(alpha) if math.isinf(df) else laws().t.isf(alpha, df))


def power_of(
    law: Law, noncentrality: float, df: float, *, alpha: float, one_sided: bool
) -> float:
    """Power of a test that compares the estimate over its standard error with Student's t.

    Given that the standard error is s times the true one, the test rejects beyond t s
    (Johnson, Kotz and Balakrishnan, 1995, equation 31.1).
    """
    beyond = quantile(alpha if one_sided else alpha / 2, df)

    def rejects(s: NDArray) -> NDArray:
        upper: NDArray = ndtr(noncentrality - beyond * s)
        return upper if one_sided else upper + ndtr(-noncentrality - beyond * s)

    return mean_over(law, rejects)


def t_power(
    noncentrality: float, df: float, *, alpha: float = 0.05, one_sided: bool = False
) -> float:
    """Power of a t test, of a normal law where `df` is infinite.

    SciPy's noncentral t is nan for large noncentralities; this integral is not.
    """
    check_test_level(alpha)
    check_number("noncentrality", noncentrality)
    if not df > 0:
        raise ValueError(f"df={df!r} must be a number of degrees of freedom above 0.")
    return power_of(errors_of(df), noncentrality, df, alpha=alpha, one_sided=one_sided)


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
