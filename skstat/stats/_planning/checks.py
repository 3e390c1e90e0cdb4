"""What may be asked of a plan."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from skstat.stats._outcomes import check_alpha
from skstat.stats._samples import shown

MOST = 10**8  # units: what would take more is not planned


def laws() -> Any:
    """Return ``scipy.stats``, which takes long to import, when a plan is made."""
    from scipy import stats

    return stats


def root_of(function: Callable[[float], float], low: float, high: float, **how: float) -> float:
    """Return the root of a function between two numbers."""
    from scipy.optimize import brentq

    return float(brentq(function, low, high, **how))


def check_power(power: Any, alpha: float) -> float:
    """Return a power above the level of the test and below 1; refuse anything else."""
    number = isinstance(power, Real) and not isinstance(power, bool | np.bool_)
    if not number or not alpha < float(power) < 1:
        raise ValueError(
            f"power={shown(power)} must lie between alpha={alpha:g} and 1; write power=0.8."
        )
    return float(power)


def check_test_level(alpha: Any) -> float:
    """Return the level of a test that is planned; refuse anything outside (0, 0.5)."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 in a plan; write alpha=0.05.")
    return float(alpha)


def check_number(
    name: str,
    value: Any,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    what: str = "a finite number",
) -> float:
    """Return a finite number within limits; refuse anything else by its name."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    found = float(value) if number else math.nan
    if not (math.isfinite(found) and found > above and least <= found <= most):
        raise ValueError(f"{name}={shown(value)} must be {what}.")
    return found


def check_sd(name: str, value: Any, *, zero: bool = False) -> float:
    """Return a standard deviation above 0, or of at least 0."""
    words = "a finite standard deviation, in the unit of the score, "
    if zero:
        return check_number(name, value, least=0, what=words + "of at least 0")
    return check_number(name, value, above=0, what=words + "above 0")


def check_share(name: str, value: Any) -> float:
    """Return a share above 0 and at most 1."""
    return check_number(name, value, above=0, most=1, what="a share above 0 and at most 1")


def smallest(reaches: Callable[[int], bool], *, least: int = 1) -> int | None:
    """Return the smallest whole number from which something holds; None above `MOST`.

    It must hold for all larger numbers then.
    """
    low, high = least - 1, least
    while not reaches(high):
        if high >= MOST:
            return None
        low, high = high, min(2 * high, MOST)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
