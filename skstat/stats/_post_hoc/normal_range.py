"""Tukey's q for infinite degrees of freedom, with the small p-values that SciPy's loses.

It is the range of k independent standard normals. ``scipy.stats.studentized_range.sf(q, k,
inf)`` is 1 - cdf: it has nine digits of 5e-8 (k = 3, q = 8), none of 6e-17 (q = 12), and
gives 0 or 1e-16 beyond. Its quantiles are those of that function, and take about 10 to 80
times as long.
"""

import math
import sys
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from skstat.stats._common import root_between

# The trapezoid rule is exact to rounding for so smooth an integrand: these nodes give all
# digits for up to 100 normals. Beyond the ends it holds less than 1e-15 of the integral.
_STEP = 0.125
_NODES = np.arange(-7, 8.5 + _STEP / 2, _STEP)


def range_sf(q: ArrayLike, k: int) -> NDArray[np.float64]:
    """P(largest - smallest of k standard normals > q), for q >= 0.

    With x the largest value, P(R > q) = k int phi(x) {Phi(x)^(k-1) - [Phi(x) - Phi(x -
    q)]^(k-1)} dx (Hartley, 1942, Biometrika 32, 334-348). Written as a product, the
    difference of powers loses no digit in the upper tail. Never 0, as `above_zero`.
    """
    half = np.asarray(q, dtype=float)[..., None] / 2
    x = half + _NODES  # in the tail the largest value lies near q/2
    below = ndtr(x)
    with np.errstate(divide="ignore", under="ignore"):  # log 0 where q = 0
        missed = -np.expm1((k - 1) * np.log1p(-ndtr(_NODES - half) / below))
        integrand = np.exp(-x * x / 2) * below ** (k - 1) * missed
    total = k * _STEP / math.sqrt(2 * math.pi) * integrand.sum(axis=-1)
    return np.asarray(np.clip(total, sys.float_info.min, 1.0))


@lru_cache(maxsize=256)
def range_isf(alpha: float, k: int) -> float:
    """Value that the range of k standard normals exceeds with probability `alpha`."""
    # One pair differs by more than all bounds require; k(k-1)/2 pairs by Bonferroni's.
    low = -math.sqrt(2) * float(ndtri(alpha / 2))
    high = -math.sqrt(2) * float(ndtri(alpha / (k * (k - 1))))
    if k == 2:
        return low

    def excess(q: float) -> float:
        return math.log(float(range_sf(q, k))) - math.log(alpha)

    # For tiny alpha Bonferroni's bound is sharp to all digits.
    return root_between(excess, low * (1 - 1e-9), high * (1 + 1e-9), xtol=1e-13, rtol=1e-14)
