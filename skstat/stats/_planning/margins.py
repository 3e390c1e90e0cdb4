"""Rows that show equivalence (two one-sided tests), or that one is not worse by a margin."""

import math
from collections.abc import Callable

from scipy import stats as law
from scipy.special import ndtr


def equivalence_power(
    n: int, psi: float, margin: float, *, delta: float = 0.0, alpha: float = 0.05
) -> float:
    """Power of two one-sided z tests of accuracies, where the true difference is `delta`."""
    error, z = math.sqrt((psi - delta * delta) / n), law.norm.isf(alpha)
    both = ndtr((margin - delta) / error - z) + ndtr((margin + delta) / error - z)
    return float(max(0.0, both - 1))


def equivalence_size(
    psi: float, margin: float, *, delta: float = 0.0, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Smallest number of rows on which equivalence is shown with this power."""
    if not abs(delta) < margin:
        raise ValueError(f"delta={delta!r} must lie within the margin={margin!r}.")
    return _smallest(
        lambda n: equivalence_power(n, psi, margin, delta=delta, alpha=alpha) >= power
    )


def noninferiority_size(
    psi: float, margin: float, *, delta: float = 0.0, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Smallest number of rows on which a system is shown not to be worse by the margin."""
    if not -delta < margin:
        raise ValueError(f"delta={delta!r}: the system is worse by the margin={margin!r}.")
    z = law.norm.isf(alpha) + law.norm.ppf(power)
    return math.ceil(z * z * (psi - delta * delta) / (margin + delta) ** 2)


def _smallest(reaches: Callable[[int], bool]) -> int:
    low, high = 0, 1
    while not reaches(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
