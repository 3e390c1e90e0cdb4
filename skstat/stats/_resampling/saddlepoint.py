"""Laws of resampled sums and means by saddlepoint, without drawing anything.

The tail of a sum follows from its cumulant generating function K: where ``K'(t) = x``,
``w = sign(t) sqrt(2 (t x - K(t)))`` and ``u = t sqrt(K''(t))``, the chance of x or more is that
of a standard normal above ``r = w + log(u / w) / w`` (Robinson, 1982, for permutations; Davison
and Hinkley, 1997, section 9.5, for the bootstrap; r as Barndorff-Nielsen writes it). The error
is relative to the tail, however small that is.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

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
_STEPS = 100
_EXACT = 1e-12

Cumulants = tuple[float, float, float]


class SmoothLaw(ABC):
    """A law of mean 0 and variance 1 that is a sum of many parts, up to place and scale."""

    centre: float
    scale: float

    @abstractmethod
    def cumulants(self, t: float) -> Cumulants:
        """Cumulant generating function at `t`, and its first two derivatives."""

    @property
    @abstractmethod
    def third_and_fourth(self) -> tuple[float, float]:
        """Standardised third and fourth cumulants."""

    @property
    @abstractmethod
    def reach(self) -> tuple[float, float]:
        """Smallest and largest value, standardised."""

    def above(self, x: float) -> float:
        """Chance of `x` or more."""
        return float(special.ndtr(-self.normal(x)))

    def below(self, x: float) -> float:
        """Chance of `x` or less."""
        return float(special.ndtr(self.normal(x)))

    def normal(self, x: float) -> float:
        """Normal score of `x`: as much of the law is below as of the normal one below this."""
        if self.scale == 0:
            return math.copysign(math.inf, x - self.centre) if x != self.centre else 0.0
        wanted = (x - self.centre) / self.scale
        low, high = self.reach
        if not low * (1 - _EXACT) < wanted < high * (1 - _EXACT):
            return math.copysign(math.inf, wanted)

        def step(t: float) -> tuple[float, float]:
            _, slope, curve = self.cumulants(t)
            return slope - wanted, curve

        return self._root(solve(step, wanted))

    def quantile(self, score: float) -> float:
        """Value whose normal score is `score`."""
        if self.scale == 0:
            return self.centre

        def step(t: float) -> tuple[float, float]:
            _, _, curve = self.cumulants(t)
            return self._root(t) - score, math.sqrt(curve)

        _, slope, _ = self.cumulants(solve(step, score))
        return self.centre + self.scale * slope

    def _root(self, t: float) -> float:
        k, slope, curve = self.cumulants(t)
        deviance = max(0.0, 2 * (t * slope - k))
        w = math.copysign(math.sqrt(deviance), t)
        if abs(w) < _NEAR_CENTRE:  # where the quotient of two small numbers has few digits
            third, fourth = self.third_and_fourth
            return w + third / 6 + w * (fourth / 8 - 7 * third**2 / 36)
        return w + math.log(t * math.sqrt(curve) / w) / w


@dataclass(frozen=True, eq=False)
class FlippedSum(SmoothLaw):
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

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "FlippedSum":
        """Law for single parts, which are many."""
        return cls(*atoms(np.abs(values)))

    centre = 0.0

    @cached_property
    def scale(self) -> float:  # type: ignore[override]
        """Standard deviation of the sum."""
        largest = float(np.abs(self.values).max(initial=0.0))
        if largest == 0:
            return 0.0
        return largest * math.sqrt(self.counts @ (self.values / largest) ** 2)

    @cached_property
    def _parts(self) -> NDArray[np.float64]:
        return np.abs(self.values) / self.scale

    @cached_property
    def third_and_fourth(self) -> tuple[float, float]:
        return 0.0, -2 * float(self.counts @ self._parts**4)

    @cached_property
    def reach(self) -> tuple[float, float]:
        most = float(self.counts @ self._parts)
        return -most, most

    def cumulants(self, t: float) -> Cumulants:
        size = abs(t) * self._parts
        shrunk = np.exp(-2 * size)
        tangent = -np.expm1(-2 * size) / (1 + shrunk)
        log_cosh = size + np.log1p(shrunk) - math.log(2)
        slope = float(self.counts @ (self._parts * tangent))
        curve = self.counts @ (self._parts**2 * (4 * shrunk / (1 + shrunk) ** 2))
        return float(self.counts @ log_cosh), math.copysign(slope, t), float(curve)


@dataclass(frozen=True, eq=False)
class ResampledMean(SmoothLaw):
    """Law of the mean of units that are drawn with replacement.

    Parameters
    ----------
    values : ndarray
        Values of the units.
    counts : ndarray
        How many units have each value.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "ResampledMean":
        """Law for single units, which are many."""
        return cls(*atoms(values))

    @cached_property
    def n(self) -> float:
        """Number of units."""
        return float(self.counts.sum())

    @cached_property
    def centre(self) -> float:  # type: ignore[override]
        """Mean of the units."""
        return float(self.counts @ self.values) / self.n

    @cached_property
    def scale(self) -> float:  # type: ignore[override]
        """Standard deviation of the mean."""
        return math.sqrt(self.counts @ (self.values - self.centre) ** 2) / self.n

    @cached_property
    def _parts(self) -> NDArray[np.float64]:
        parts = (self.values - self.centre) / (self.scale * self.n)
        return parts - (self.counts @ parts) / self.n

    @cached_property
    def third_and_fourth(self) -> tuple[float, float]:
        third, fourth = (float(self.counts @ self._parts**power) for power in (3, 4))
        return third, fourth - 3 / self.n

    @cached_property
    def reach(self) -> tuple[float, float]:
        return self.n * float(self._parts.min()), self.n * float(self._parts.max())

    def cumulants(self, t: float) -> Cumulants:
        exponents = t * self._parts
        shares = self.counts / self.n
        if abs(t) * max(-self._parts.min(), self._parts.max()) < 1:
            growth = float(shares @ np.expm1(exponents))
            k, tilted = math.log1p(growth), shares * np.exp(exponents) / (1 + growth)
        else:
            top = exponents.max()
            raw = shares * np.exp(exponents - top)
            total = float(raw.sum())
            k, tilted = top + math.log(total), raw / total
        mean = float(tilted @ self._parts)
        curve = float(tilted @ (self._parts - mean) ** 2)
        return float(self.n * k), self.n * mean, self.n * curve


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
    return _no_large_part(sizes) and _off_lattice(sizes, len(sizes), np.cos, 0.5)


def draws_are_smooth(values: NDArray[np.float64]) -> bool:
    """Whether the mean of values drawn with replacement has a smooth law."""
    looked_at = np.sort(_some(values))
    starts = np.flatnonzero(np.append(True, looked_at[1:] != looked_at[:-1]))
    longest = np.argmax(np.diff(np.append(starts, len(looked_at))))
    around = values - looked_at[starts[longest]]

    def turned(angles: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.full(len(angles), abs(np.mean(np.exp(1j * angles))))

    return _no_large_part(values - values.mean()) and _off_lattice(
        around, len(values), turned, 1.0
    )


def _no_large_part(parts: NDArray[np.float64]) -> bool:
    largest = float(np.abs(parts).max(initial=0.0))
    if len(parts) < FEWEST_UNITS or not (largest > 0 and math.isfinite(largest)):
        return False
    squares = (parts / largest) ** 2
    return float(squares @ squares) <= _LARGEST_KURTOSIS * float(squares.sum()) ** 2


def _some(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[:: max(1, len(values) // _LOOKED_AT)]


def _off_lattice(
    parts: NDArray[np.float64],
    n: int,
    shape: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    turns: float,
) -> bool:
    """Whether no step of a lattice is seen in the characteristic function of a sum."""
    looked_at = _some(parts)
    sizes = np.sort(np.abs(looked_at[looked_at != 0]))
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
        waves = np.abs(shape(2 * math.pi * turns * looked_at / step))
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


def solve(step: Callable[[float], tuple[float, float]], start: float) -> float:
    """Root of a growing function by Newton's method, between bounds that close in."""
    low, high, t = -math.inf, math.inf, start
    for _ in range(_STEPS):
        excess, slope = step(t)
        if excess == 0 or low >= high:
            break
        low, high = (low, t) if excess > 0 else (t, high)
        change = -excess / slope if slope > 0 else -math.copysign(math.inf, excess)
        furthest = 2 * abs(t) + 1  # a tangent may be flat far from the centre
        there = t + min(max(change, -furthest), furthest)
        if not low < there < high:
            there = (low + high) / 2
        if abs(there - t) <= _EXACT * max(1.0, abs(t)):
            return there
        t = there
    return t
