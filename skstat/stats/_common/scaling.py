"""Numbers in the unit of the score, brought to the size of 1 and back.

Squares of numbers beyond 2**512 overflow, those of numbers below 2**-512 vanish, and fourth
powers sooner. A power of two changes no digit, so that an answer about scores of size 1 is
that about the scores themselves.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common.numbers import read_numbers

# Beyond these powers of two the fourth powers of many scores may overflow or vanish.
_SAFE = 200

# Scores of a size that no procedure scales, whichever two systems it is asked of.
_SMALLEST, _LARGEST = 2.0**-100, 2.0**100


class InScoreUnits:
    """What holds numbers in the unit of the score, and can be given in another unit."""

    in_score_units: ClassVar[tuple[str, ...]] = ()

    def magnitude(self) -> float:
        """Size of the largest finite number; 0 if there is none."""
        return max(
            (magnitude_of(getattr(self, name)) for name in self.in_score_units), default=0
        )

    def times(self, exponent: int) -> Self:
        """Return the same in another unit of the score: all scores times 2**exponent.

        Parameters
        ----------
        exponent : int
            The power of two; numbers are exact unless they leave the range of floats.

        Returns
        -------
        same type
            A copy, whose numbers in the unit of the score are multiplied.
        """
        found = {name: times(getattr(self, name), exponent) for name in self.in_score_units}
        return replace(self, **found)  # type: ignore[type-var]


class Amount(float):
    """A number that is in the unit of the score, among others that are not."""


def amounts_times(values: Mapping[str, float], exponent: int) -> dict[str, float]:
    """Multiply by 2**exponent what is in the unit of the score."""
    return {
        name: Amount(times(value, exponent)) if isinstance(value, Amount) else value
        for name, value in values.items()
    }


def magnitude_of(value: Any) -> float:
    """Size of the largest finite number; 0 if there is none."""
    if isinstance(value, InScoreUnits):
        return value.magnitude()
    if value is None:
        return 0.0
    try:
        sizes = np.abs(read_numbers("values", value)).ravel()
    except ValueError:  # no numbers: refused by whoever reads them
        return 0.0
    return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))


def times(value: Any, exponent: int) -> Any:
    """Multiply by 2**exponent, exactly unless the number leaves the range of floats."""
    if value is None:
        return None
    if isinstance(value, InScoreUnits):
        return value.times(exponent)
    if not hasattr(value, "index") or isinstance(value, list | tuple):  # labels are kept
        value = np.asarray(value, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        found = np.ldexp(value, exponent)
    return float(found) if np.ndim(value) == 0 else found


def exponent_of(*values: Any) -> int:
    """Power of two that brings numbers to the size of 1; 0 where that is not needed."""
    _, exponent = math.frexp(max(map(magnitude_of, values), default=0.0))
    return exponent if abs(exponent) > _SAFE else 0


def are_usual(values: NDArray[np.float64]) -> bool:
    """Whether numbers are of a size that no procedure scales, or 0, and none is missing."""
    sizes = np.abs(values)
    return bool(np.all((sizes == 0) | ((sizes >= _SMALLEST) & (sizes <= _LARGEST))))


def spread(values: NDArray[np.float64]) -> float:
    """Return the standard deviation, whatever the size of the values."""
    exponent = exponent_of(values)
    return float(times(float(np.std(times(values, -exponent), ddof=1)), exponent))


def average(values: NDArray[np.float64]) -> float:
    """Return the mean, whatever the size of the values."""
    exponent = exponent_of(values)
    return float(times(float(np.mean(times(values, -exponent))), exponent))
