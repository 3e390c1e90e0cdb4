"""Tails and quantiles of laws, as ``scipy.stats`` has them to the last bit, and roots.

``scipy.stats`` takes longer to import than all that is used of it here takes to run, and its
methods check arguments for as long as a hundred tails take. Where ``scipy.special`` has no
public function of the same accuracy, ``scipy.stats`` is loaded when it is first asked.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

normal_cdf = special.ndtr
normal_ppf = special.ndtri


def normal_isf(q: Any) -> Any:
    """Number that a standard normal one exceeds with chance `q`."""
    return -special.ndtri(q)


def t_sf(x: Any, df: Any) -> Any:
    """Chance that Student's t exceeds `x`."""
    return special.stdtr(df, np.negative(x))


def t_isf(q: Any, df: Any) -> Any:
    """Number that Student's t exceeds with chance `q`."""
    found = -special.stdtrit(df, q)
    # At the ends of the law, releases of SciPy differ.
    return np.where(np.equal(q, 0), np.inf, np.where(np.equal(q, 1), -np.inf, found))[()]


def chi2_sf(x: Any, df: Any) -> Any:
    """Chance that chi-squared exceeds `x`."""
    return special.chdtrc(df, np.maximum(x, 0))


def chi2_isf(q: Any, df: Any) -> Any:
    """Number that chi-squared exceeds with chance `q`."""
    return special.chdtri(df, q)


def f_sf(x: Any, df: Any, df_below: Any) -> Any:
    """Chance that F exceeds `x`."""
    return special.fdtrc(df, df_below, np.maximum(x, 0))


def f_isf(q: Any, df: Any, df_below: Any) -> Any:
    """Number that F exceeds with chance `q`."""
    found = special.fdtri(df, df_below, np.subtract(1, q))
    return np.where(np.equal(q, 0), np.inf, np.where(np.equal(q, 1), 0.0, found))[()]


def laws() -> Any:
    """``scipy.stats``, whose import takes time."""
    from scipy import stats

    return stats


def poisson_pmf(k: Any, mean: Any) -> Any:
    """Chance of the count `k` where `mean` are expected."""
    return np.exp(special.xlogy(k, mean) - special.gammaln(np.add(k, 1)) - mean)


def beta_ppf(q: float, a: float, b: float) -> float:
    """Number that a beta law falls below with chance `q`."""
    found = float(special.betaincinv(a, b, q))
    if np.isnan(found):  # very far out
        return float(laws().beta.ppf(q, a, b))
    return found


def root_between(
    function: Callable[[float], float], low: float, high: float, **tolerances: float
) -> float:
    """Return where a function is zero, by ``scipy.optimize.brentq``, loaded when first asked.

    Parameters
    ----------
    function : callable
        A function of one number, with different signs at both ends.
    low, high : float
        Ends of the search.
    **tolerances : float
        `xtol` and `rtol` of ``brentq``.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, **tolerances))


def root_of_rising(function: Callable[[float], float], start: float) -> float:
    """Root of a growing function, looked for from a start on."""
    step = -1.0 if function(start) > 0 else 1.0
    other = start + step
    while step * function(other) < 0:
        if abs(step) > 1e9:
            return other
        step *= 2
        other += step
    return root_between(function, *sorted((start, other)), xtol=1e-12)
