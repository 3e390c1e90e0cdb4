"""The root of a function between two numbers."""

from collections.abc import Callable


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
