"""How often each unit comes in a resample, which units swap, and which signs are flipped."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import root_between, tails

DEFAULT_RESAMPLES = 9_999


def draw_seed(rng: int | np.random.Generator | None) -> int:
    """Draw one number that repeats everything."""
    try:
        if isinstance(rng, bool | np.bool_):  # NumPy takes it for 0 or 1
            raise TypeError
        return int(np.random.default_rng(rng).integers(2**32))
    except (TypeError, ValueError):
        raise ValueError(f"rng={rng!r} must be a whole number, a Generator or None.") from None


# Above, blocks are drawn. Their number is a prime: what repeats in the order of the units, such
# as the topics of questions, does not repeat with the blocks.
MANY_UNITS, N_BLOCKS = 1 << 16, 16_381

EXHAUSTIVE_UP_TO = 20  # 2^20 patterns take milliseconds and 16 MB
# Tables of 64 bytes of signs fill 128 kB: they and what is read from them stay in
# cache. Both numbers are constants, so that results never depend on the machine.
_BYTES_AT_ONCE = 64
_PATTERNS_AT_ONCE = 1024


def many_units(n: int) -> bool:
    """Whether so many units are taken together in blocks."""
    return n > MANY_UNITS


def sums_of_blocks(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the terms of every block; its units stand `N_BLOCKS` apart.

    Parameters
    ----------
    terms : ndarray of shape (n_units, n_terms)
        Terms of the units.

    Returns
    -------
    ndarray of shape (N_BLOCKS, n_terms)
        Sums, of blocks whose sizes differ by one unit at most.
    """
    n, n_terms = terms.shape
    whole = n - n % N_BLOCKS
    sums = terms[:whole].reshape(-1, N_BLOCKS, n_terms).sum(axis=0)
    sums[: n - whole] += terms[whole:]
    return np.asarray(sums)


# Numbers of one block, a constant of the problem: neither the cores nor the memory of a
# machine may change which block a resample belongs to, and so its random numbers.
_BLOCK = 1 << 22
_LARGEST_BLOCK = 1 << 12
# Below this many units scattered draws are hardly slower than Poisson counts, of which too
# many would have to be filled up one by one.
_FEW_UNITS = 128
_DRAWN_AT_ONCE = 1 << 18  # bytes; stays in a core's own cache


class ResamplingPlan(ABC):
    """Units to be resampled: rows, groups of rows, or cells of rows that are alike.

    An atom is what is counted; it stands for `multiplicity` exchangeable units.
    """

    multiplicity: NDArray[np.int64]
    strata: NDArray[np.int64] | None

    @property
    def parts(self) -> list[NDArray[np.intp]]:
        """Atoms of every stratum."""
        if self.strata is None:
            return [np.arange(self.n_atoms)]
        return [np.flatnonzero(self.strata == each) for each in range(self.strata.max() + 1)]

    def _to_totals(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bring gamma weights to the numbers of units, in every stratum."""
        for members in self.parts:
            own, total = weights[:, members], self.multiplicity[members].sum()
            weights[:, members] = own * (total / own.sum(axis=1))[:, None]
        return weights

    @property
    def n_atoms(self) -> int:
        return len(self.multiplicity)

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def block_size(self) -> int:
        """Resamples drawn from one stream of random numbers."""
        return max(1, min(_LARGEST_BLOCK, _BLOCK // self.n_atoms))

    @property
    def has_many_units(self) -> bool:
        """Whether there are so many units that a bootstrap draws blocks of them."""
        return False

    @abstractmethod
    def weights(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        """Draw bootstrap resamples: how often each atom comes, shape (size, n_atoms)."""

    @abstractmethod
    def smooth_weights(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw weights of the Bayesian bootstrap: a Dirichlet law, one for every unit.

        They add up to the number of units, in every stratum to its own. Those of an atom are
        the sum over its units.
        """

    @abstractmethod
    def swaps(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        """Draw permutations: how many units of each atom swap, shape (size, n_atoms)."""


@dataclass(frozen=True, eq=False)
class UnitPlan(ResamplingPlan):
    """Every atom is one unit, drawn with equal chance.

    Parameters
    ----------
    n : int
        Number of units.
    strata : ndarray of int of shape (n,), optional
        Strata whose sizes every resample keeps.
    block_length : int, optional
        Length of the moving blocks that a resample of an ordered sample is made of.
    """

    n: int
    strata: NDArray[np.int64] | None = None
    block_length: int | None = None

    @property
    def multiplicity(self) -> NDArray[np.int64]:  # type: ignore[override]
        return np.ones(self.n, dtype=np.int64)

    @property
    def has_many_units(self) -> bool:
        free = self.strata is None and self.block_length is None
        return free and many_units(self.n)

    def weights(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        if self.block_length is not None:
            return _moving_blocks(rng, size, self.n, self.block_length)
        if self.strata is None:
            return equal_counts(rng, size, self.n)
        weights = np.empty((size, self.n), dtype=np.uint8)
        for members in self.parts:
            weights[:, members] = equal_counts(rng, size, len(members))
        return weights

    def smooth_weights(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        if self.block_length is not None:
            raise ValueError(
                "the Bayesian bootstrap weighs independent units, and these rows stand in time "
                "order."
            )
        weights = rng.standard_exponential((size, self.n))
        return self._to_totals(weights)

    def swaps(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        return np.unpackbits(fair_bits(rng, size, self.n), axis=1, count=self.n)


@dataclass(frozen=True, eq=False)
class CellPlan(ResamplingPlan):
    """Atoms are cells of units that are alike, so that the cost is that of the cells.

    Drawing rows and counting them by cell is a multinomial draw of the cells' counts;
    swapping every row of a cell with chance 1/2 is a binomial one. Nothing is
    approximated.

    Parameters
    ----------
    counts : ndarray of int of shape (n_cells,)
        Units in every cell.
    strata : ndarray of int of shape (n_cells,), optional
        Strata whose sizes every resample keeps.
    """

    counts: NDArray[np.int64]
    strata: NDArray[np.int64] | None = None

    @property
    def multiplicity(self) -> NDArray[np.int64]:  # type: ignore[override]
        return self.counts

    def weights(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        weights = np.empty((size, self.n_atoms), dtype=np.int64)
        for members in self.parts:
            counts = self.counts[members]
            total = int(counts.sum())
            weights[:, members] = rng.multinomial(total, counts / total, size)
        return weights

    def smooth_weights(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        weights = rng.standard_gamma(self.counts.astype(np.float64), (size, self.n_atoms))
        return self._to_totals(weights)

    def swaps(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        return rng.binomial(self.counts, 0.5, (size, self.n_atoms))


def stream(seed: np.random.SeedSequence) -> np.random.Generator:
    """Return the generator of one block."""
    return np.random.Generator(np.random.SFC64(seed))


def fair_bits(rng: np.random.Generator, size: int, n: int) -> NDArray[np.uint8]:
    """Draw fair bits, n in each row, eight to a byte."""
    n_bytes = -(-n // 8)
    return _bytes(rng, size * n_bytes).reshape(size, n_bytes)


def equal_counts(rng: np.random.Generator, size: int, n: int) -> NDArray[np.uint8]:
    """Draw `size` times multinomial counts of n draws among n units of equal chance.

    For many units the counts start as independent Poisson numbers of a mean slightly
    below 1, which given their sum are multinomial; the draws that are still missing
    follow one by one. A resample with a sum above n is drawn again: given its sum the
    law is the same, so that this changes nothing.
    """
    if n < _FEW_UNITS:
        rows = np.arange(size, dtype=np.int64)[:, None] * n
        drawn = rng.integers(0, n, (size, n), dtype=np.int64) + rows
        few = np.bincount(drawn.ravel(), minlength=size * n)
        return few.astype(np.uint8).reshape(size, n)
    mean = 1 - 3 / math.sqrt(n)
    counts = _poisson(rng, size, n, mean)
    totals = counts.sum(axis=1, dtype=np.int64)
    while (full := np.flatnonzero(totals > n)).size:
        counts[full] = _poisson(rng, len(full), n, mean)
        totals[full] = counts[full].sum(axis=1, dtype=np.int64)
    missing = n - totals
    rows = np.repeat(np.arange(size, dtype=np.int64) * n, missing)
    np.add.at(counts.reshape(-1), rows + rng.integers(0, n, int(missing.sum())), np.uint8(1))
    return counts


def _poisson(rng: np.random.Generator, size: int, n: int, mean: float) -> NDArray[np.uint8]:
    """Poisson counts from one byte each, and a second number where a byte cannot tell.

    The counts 0 to 4 own as many whole bytes as their probability has 256ths; the
    bytes that are left belong to the remainders of all counts, which are drawn exactly.
    """
    edges, remainder = _thresholds(mean)
    width = -(-n // 8) * 8
    counts = np.empty(size * width, dtype=np.uint8)
    for start in range(0, counts.size, _DRAWN_AT_ONCE):
        part = counts[start : start + _DRAWN_AT_ONCE]
        drawn = _bytes(rng, part.size)
        np.greater_equal(drawn, edges[0], out=part.view(np.bool_))
        for edge in edges[1:4]:
            part += np.greater_equal(drawn, edge).view(np.uint8)
        unsure = np.flatnonzero(drawn >= edges[4])
        part[unsure] = np.searchsorted(remainder, rng.random(unsure.size), side="right")
    return np.ascontiguousarray(counts.reshape(size, width)[:, :n])


@lru_cache(maxsize=64)
def _thresholds(mean: float) -> tuple[tuple[int, ...], NDArray[np.float64]]:
    """Bytes up to which a count is 0, 1, ..., and the law of those that they leave open."""
    probabilities = tails.poisson_pmf(np.arange(64), mean)
    owned = np.floor(256 * probabilities[:5])
    probabilities[:5] -= owned / 256
    edges = tuple(int(edge) for edge in np.cumsum(owned))
    return edges, np.cumsum(probabilities / probabilities.sum())


def _bytes(rng: np.random.Generator, n: int) -> NDArray[np.uint8]:
    # Whole words are drawn faster than bytes; their order must not be the machine's.
    words = rng.integers(0, 1 << 64, -(-n // 8), dtype=np.uint64, endpoint=False)
    return words.astype("<u8", copy=False).view(np.uint8)[:n]


def _moving_blocks(
    rng: np.random.Generator, size: int, n: int, length: int
) -> NDArray[np.int64]:
    """Count how often each of n ordered units comes in blocks drawn with replacement."""
    n_blocks = -(-n // length)
    starts = rng.integers(0, n - length + 1, (size, n_blocks), dtype=np.int64)
    ends = starts + length
    ends[:, -1] -= n_blocks * length - n  # the last block is cut to give n units
    rows = np.arange(size, dtype=np.int64)[:, None] * (n + 1)
    steps = np.bincount((starts + rows).ravel(), minlength=size * (n + 1))
    steps -= np.bincount((ends + rows).ravel(), minlength=size * (n + 1))
    return np.cumsum(steps.reshape(size, n + 1)[:, :n], axis=1)


def countable(n: int, n_resamples: int) -> bool:
    """Whether all sign patterns of n differences are few enough to be counted."""
    return n <= EXHAUSTIVE_UP_TO or 2**n <= n_resamples


def all_flips(
    differences: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum and number of the flipped differences of all 2^n patterns.

    The pattern without a flip comes first.
    """
    sums, counts = np.zeros(1), np.zeros(1, dtype=np.int64)
    for difference in differences:
        sums = np.concatenate([sums, sums + difference])
        counts = np.concatenate([counts, counts + 1])
    return sums, counts


def drawn_flips(
    differences: NDArray[np.float64], n_resamples: int, seed: int, *, count: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum of the flipped differences of drawn patterns, and their number if asked.

    Eight signs come as one byte, and a table gives the sum of the eight differences
    for every byte (the method of the four Russians; Arlazarov et al., 1970).

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Differences to flip.
    n_resamples : int
        Patterns to draw.
    seed : int
        Seed of the patterns.
    count : bool, default=False
        Whether to count the flips, which takes as long again.
    """
    rng = stream(np.random.SeedSequence(seed))
    sums = np.zeros(n_resamples)
    counts = np.zeros(n_resamples, dtype=np.int64)
    for start in range(0, len(differences), 8 * _BYTES_AT_ONCE):
        part = differences[start : start + 8 * _BYTES_AT_ONCE]
        octets = np.zeros((-(-len(part) // 8), 8))
        octets.reshape(-1)[: len(part)] = part
        table = _sums_of_octets(octets)
        real = np.packbits(np.arange(octets.size) < len(part))  # the rest is padding
        offsets = np.arange(0, table.size, 256, dtype=np.intp)[:, None]
        for first in range(0, n_resamples, _PATTERNS_AT_ONCE):
            patterns = slice(first, min(first + _PATTERNS_AT_ONCE, n_resamples))
            # One column is one pattern: bytes that share a table lie side by side.
            n_patterns = patterns.stop - first
            signs = fair_bits(rng, len(octets), 8 * n_patterns)
            sums[patterns] += table.take(signs + offsets).sum(axis=0)
            if count:
                flips = np.bitwise_count(signs & real[:, None])
                counts[patterns] += flips.sum(axis=0, dtype=np.int64)
    return sums, counts


def _sums_of_octets(octets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of all 256 subsets of every eight differences, one after the other."""
    table = np.zeros((len(octets), 1))
    for column in octets.T[::-1]:  # the first difference is the highest bit
        table = np.concatenate([table, table + column[:, None]], axis=1)
    return table.ravel()


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
    """Law of a sum whose parts have random signs, by saddlepoint, without drawing anything.

    The tail of a sum follows from its cumulant generating function K: where ``K'(t) = x``,
    ``w = sign(t) sqrt(2 (t x - K(t)))`` and ``u = t sqrt(K''(t))``, the chance of x or more is
    that of a standard normal above ``r = w + log(u / w) / w`` (Robinson, 1982; r as
    Barndorff-Nielsen writes it). The error is relative to the tail, however small that is.

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
