"""The law of a sum under flips of signs by saddlepoint, without drawing anything.

The tail of a sum follows from its cumulant generating function K: where ``K'(t) = x``,
``w = sign(t) sqrt(2 (t x - K(t)))`` and ``u = t sqrt(K''(t))``, the chance of x or more is that
of a standard normal above ``r = w + log(u / w) / w`` (Robinson, 1982; r as Barndorff-Nielsen
writes it). The error is relative to the tail, however small that is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import root_between

FEWEST_UNITS = 500
# Sum of the fourth powers over the squared sum of squares: one over the number of units that
# matter, were these alike.
_LARGEST_KURTOSIS = 0.05
# Steps this small, relative to the spread of the sum, move a p-value of 0.05 by a 500th.
_FINE = 1e-3
_ATOMS = 4096
_LOOKED_AT = 2000
_AT_ONCE = 1 << 14  # values that stay in cache
# exp(-7): what a lattice may still show of itself in the law of a sum.
_SMOOTH = -7.0
_NEAR_CENTRE = 0.02
_FURTHEST = 1e9
_EXACT = 1e-12


@dataclass(frozen=True, eq=False)
class FlippedSum:
    """Law of a sum whose parts have random signs.

    Parameters
    ----------
    values : ndarray
        The parts; their own signs do not matter.
    counts : ndarray
        How many parts each value stands for.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.float64]

    @cached_property
    def scale(self) -> float:
        """Standard deviation of the sum."""
        largest = float(np.abs(self.values).max(initial=0.0))
        if largest == 0:
            return 0.0
        return largest * math.sqrt(self.counts @ (self.values / largest) ** 2)

    @cached_property
    def largest(self) -> float:
        """Largest value, in standard deviations."""
        return float(self.counts @ self._parts)

    def above(self, x: float) -> float:
        """Chance of `x` or more."""
        return float(special.ndtr(-self.normal(x)))

    def normal(self, x: float) -> float:
        """Normal score of `x`: as much of the law is below as of the normal one below this."""
        if self.scale == 0:
            return math.copysign(math.inf, x) if x != 0 else 0.0
        wanted = x / self.scale
        if not abs(wanted) < self.largest * (1 - _EXACT):
            return math.copysign(math.inf, wanted)

        t = root_of_rising(lambda t: self._cumulants(t)[1] - wanted, wanted)
        return self._root(t)

    def quantile(self, score: float) -> float:
        """Value whose normal score is `score`."""
        if self.scale == 0:
            return 0.0
        t = root_of_rising(lambda t: self._root(t) - score, score)
        return self.scale * self._cumulants(t)[1]

    @cached_property
    def _parts(self) -> NDArray[np.float64]:
        return np.abs(self.values) / self.scale

    def _cumulants(self, t: float) -> tuple[float, float, float]:
        """Cumulant generating function of the standardised sum, and two derivatives."""
        size = abs(t) * self._parts
        shrunk = np.exp(-2 * size)
        tangent = -np.expm1(-2 * size) / (1 + shrunk)
        log_cosh = size + np.log1p(shrunk) - math.log(2)
        slope = float(self.counts @ (self._parts * tangent))
        curve = self.counts @ (self._parts**2 * (4 * shrunk / (1 + shrunk) ** 2))
        return float(self.counts @ log_cosh), math.copysign(slope, t), float(curve)

    def _root(self, t: float) -> float:
        k, slope, curve = self._cumulants(t)
        deviance = max(0.0, 2 * (t * slope - k))
        w = math.copysign(math.sqrt(deviance), t)
        if abs(w) < _NEAR_CENTRE:  # where the quotient of two small numbers has few digits
            return w - w * float(self.counts @ self._parts**4) / 4
        return w + math.log(t * math.sqrt(curve) / w) / w


def atoms(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum up many values by few, with how many each stands for.

    The values of a narrow bin become two, with their mean and their variance. What is lost is
    of the third order in the width of a bin, which is small against the sum of them all.
    """
    if len(values) <= 2 * _ATOMS:
        return values, np.ones(len(values))
    low, high = float(values.min()), float(values.max())
    width = (high - low) / _ATOMS
    if not width > 0:
        return values[:1], np.array([float(len(values))])
    centres = low + (np.arange(_ATOMS) + 0.5) * width
    counts, sums, squares = np.zeros(_ATOMS), np.zeros(_ATOMS), np.zeros(_ATOMS)
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        place = np.minimum(((part - low) / width).astype(np.int64), _ATOMS - 1)
        rest = part - centres[place]
        counts += np.bincount(place, minlength=_ATOMS)
        sums += np.bincount(place, rest, _ATOMS)
        squares += np.bincount(place, rest * rest, _ATOMS)
    filled = counts > 0
    counts, centres = counts[filled], centres[filled]
    mean, square = sums[filled] / counts, squares[filled] / counts
    spread = np.sqrt(np.maximum(0.0, square - mean**2))
    middle = centres + mean
    return np.concatenate([middle - spread, middle + spread]), np.tile(counts / 2, 2)


def flips_are_smooth(values: NDArray[np.float64]) -> bool:
    """Whether the sum of values under flips of their signs has a smooth law.

    There are many of them, none of which counts for many others, and they do not stand on a
    lattice, as differences of ranks or of counts do: the law of these has steps.
    """
    sizes = np.abs(values)
    return _no_large_part(sizes) and _off_lattice(sizes)


def _no_large_part(parts: NDArray[np.float64]) -> bool:
    largest = float(np.abs(parts).max(initial=0.0))
    if len(parts) < FEWEST_UNITS or not (largest > 0 and math.isfinite(largest)):
        return False
    squares = (parts / largest) ** 2
    return float(squares @ squares) <= _LARGEST_KURTOSIS * float(squares.sum()) ** 2


def _off_lattice(parts: NDArray[np.float64]) -> bool:
    """Whether no step of a lattice is seen in the characteristic function of a sum."""
    n = len(parts)
    looked_at = parts[:: max(1, n // _LOOKED_AT)]
    sizes = np.sort(looked_at[looked_at != 0])
    if not len(sizes):
        return False
    noise = 1e-9 * float(sizes[-1])
    again = sizes[1:][np.diff(sizes) <= noise]
    if not len(again):
        return True
    spread = math.sqrt(n * float(np.mean(looked_at**2)))
    for step in (_common_step(again, noise), float(again[0]), float(np.median(again))):
        if step <= _FINE * spread:
            continue
        waves = np.abs(np.cos(math.pi * looked_at / step))
        with np.errstate(divide="ignore"):
            if n * float(np.mean(np.log(waves))) > _SMOOTH:
                return False
    return True


def _common_step(sizes: NDArray[np.float64], noise: float) -> float:
    """Largest number of which all sizes are multiples, by Euclid's algorithm."""
    step = float(sizes[0])
    for size in sizes.tolist():
        other = size
        while other > 4 * noise:
            step, other = other, step % other
            if step - other <= 4 * noise:  # a whole multiple, but for noise
                other = 0.0
    return step


def root_of_rising(function: Callable[[float], float], start: float) -> float:
    """Root of a growing function, looked for from a start on."""
    step = -1.0 if function(start) > 0 else 1.0
    other = start + step
    while step * function(other) < 0:
        if abs(step) > _FURTHEST:
            return other
        step *= 2
        other += step
    return root_between(function, *sorted((start, other)), xtol=_EXACT)
