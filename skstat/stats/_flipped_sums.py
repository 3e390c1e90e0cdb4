"""The law of a sum whose parts change their signs: counted, drawn, or by saddlepoint."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _tails as tails
from skstat.stats._ranks import sign_pvalue
from skstat.stats._resampling import fair_bits, stream
from skstat.stats._stored import Stored
from skstat.stats._tails import root_between
from skstat.stats._words import TOWARDS, Turns, above_zero, smallest_of_signs

Numbers = NDArray[np.float64]

EXHAUSTIVE_UP_TO = 20  # 2^20 patterns take milliseconds and 16 MB
# Tables of 64 bytes of signs fill 128 kB: they and what is read from them stay in
# cache. Both numbers are constants, so that results never depend on the machine.
_BYTES_AT_ONCE = 64
_PATTERNS_AT_ONCE = 1024
FEWEST_UNITS = 500
# Sum of the fourth powers over the squared sum of squares: one over the number of units that
# matter, were these alike.
_LARGEST_KURTOSIS = 0.05
# Steps this small, relative to the spread of the sum, move a p-value of 0.05 by a 500th.
_FINE = 1e-3
_ATOMS = 4096
_LOOKED_AT = 2000
# exp(-7): what a lattice may still show of itself in the law of a sum.
_SMOOTH = -7.0
_NEAR_CENTRE = 0.02
_FURTHEST = 1e9
_EXACT = 1e-12
_NO_CHANCE = 1e-20
_ALIKE = 20  # units for each term
_ROUNDING = 1e-12


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
        The parts.
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

    @property
    def score(self) -> float:
        """Normal score of the sum with the signs that its parts have."""
        return self.normal(float(self.counts @ self.values))

    def normal(self, x: float) -> float:
        """Normal score of `x`: as much of the law is below as of the normal one below this."""
        if self.scale == 0:
            return math.copysign(math.inf, x) if x != 0 else 0.0
        wanted = x / self.scale
        if not abs(wanted) < float(self.counts @ self._parts) * (1 - _EXACT):
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
    place = np.minimum(((values - low) / width).astype(np.int64), _ATOMS - 1)
    counts = np.bincount(place, minlength=_ATOMS)
    filled = np.flatnonzero(counts)
    centres = low + (np.arange(_ATOMS) + 0.5) * width
    rest = values - centres[place]
    mean, square = (
        np.bincount(place, each, _ATOMS)[filled] / counts[filled] for each in (rest, rest**2)
    )
    spread = np.sqrt(np.maximum(0.0, square - mean**2))
    middle = centres[filled] + mean
    return np.concatenate([middle - spread, middle + spread]), np.tile(counts[filled] / 2, 2)


def flips_are_smooth(values: NDArray[np.float64]) -> bool:
    """Whether the sum of values under flips of their signs has a smooth law.

    There are many of them, none of which counts for many others, and they do not stand on a
    lattice, as differences of ranks or of counts do: the law of these has steps.
    """
    parts = np.abs(values)
    largest = float(parts.max(initial=0.0))
    if len(parts) < FEWEST_UNITS or not (largest > 0 and math.isfinite(largest)):
        return False
    squares = (parts / largest) ** 2
    few = float(squares @ squares) > _LARGEST_KURTOSIS * float(squares.sum()) ** 2
    return not few and _off_lattice(parts)


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Permuted(Stored, Turns):
    """Law of a statistic under swaps.

    Attributes
    ----------
    terms : ndarray or None
        Differences of units whose sum is the statistic, and whose signs are flipped.
    counts : ndarray or None
        How many units each term stands for, if the law is that of a saddlepoint
        approximation; else all patterns of signs are counted.
    values : ndarray or None
        Instead of terms: the statistic on every permutation.
    chances : ndarray or None
        Chance of every value; None where each is a drawn permutation, so that the one
        observed is counted beside them.
    noise : float
        What is less apart is tied.
    n_differing : int
        Units that a swap can change. Their signs bound what the p-value can show.
    """

    _signed = ("terms", "values")

    terms: NDArray[np.float64] | None = None
    counts: NDArray[np.float64] | None = None
    values: NDArray[np.float64] | None = None
    chances: NDArray[np.float64] | None = None
    noise: float
    n_differing: int

    @cached_property
    def smooth(self) -> FlippedSum | None:
        """The saddlepoint approximation, where nothing is counted."""
        if self.terms is None or self.counts is None:
            return None
        return FlippedSum(self.terms, self.counts)

    @property
    def drawn(self) -> bool:
        """Whether the permutations were drawn."""
        return self.values is not None and self.chances is None

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        reached = float(TOWARDS[alternative](observed))
        least = smallest_of_signs(alternative, self.n_differing)
        if self.smooth is not None:
            chance = float(special.ndtr(-self.smooth.normal(reached)))
            chance *= 1 + (alternative == "two-sided")
        else:
            extreme = TOWARDS[alternative](self._values) >= reached - self.noise
            if self.chances is not None:
                chance = float(self.chances[extreme].sum())
            else:
                chance = float((extreme.sum() + self.drawn) / (len(extreme) + self.drawn))
        return above_zero(min(1.0, max(least, chance)))

    def largest_kept(self, alpha: float, alternative: str) -> float:
        """Largest value whose p-value is not below `alpha`; infinite if none is."""
        least = smallest_of_signs(alternative, self.n_differing)
        if self.smooth is not None:
            tail = alpha / 2 if alternative == "two-sided" else alpha
            score = -float(special.ndtri(tail))
            return math.inf if least >= alpha else self.smooth.quantile(score)
        ordered, above = self._extremes(alternative)
        level = alpha * (1 - _ROUNDING)
        kept = above[np.searchsorted(ordered, ordered - self.noise)] >= level
        if max(least, above[-1]) >= level or not kept.any():
            return math.inf
        return float(ordered[np.flatnonzero(kept)[-1]])

    def largest(self, alternative: str) -> float:
        """Largest value of all."""
        if self.smooth is not None:
            return float(self.smooth.counts @ np.abs(self.smooth.values))
        return float(self._extremes(alternative)[0][-1])

    @cached_property
    def _values(self) -> Numbers:
        if self.terms is None:
            return np.asarray(self.values)
        return float(self.terms.sum()) - 2 * all_flips(self.terms)[0]

    def _extremes(self, alternative: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sorted values, and the chance of each and all above it; that of none last."""
        if alternative not in self._sorted:
            values = TOWARDS[alternative](self._values)
            order = np.argsort(values, kind="stable")
            if self.chances is None:
                counts = np.arange(len(values), -1, -1, dtype=np.float64)
                above = (counts + self.drawn) / (len(values) + self.drawn)
            else:
                above = np.append(np.cumsum(self.chances[order][::-1])[::-1], 0.0)
            self._sorted[alternative] = values[order], above
        return self._sorted[alternative]

    @cached_property
    def _sorted(self) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        return {}


def law_of_flips(
    terms: Numbers,
    counts: NDArray[np.int64],
    *,
    noise: float,
    alike: float,
    n_resamples: int,
    seed: int,
    may_be_smooth: bool,
    alternative: str,
) -> tuple[Permuted, float]:
    """Flip the signs of terms, which stand for so many units each.

    Returns the law of their sum, and the p-value of the sum with the signs that they have.

    Parameters
    ----------
    terms, counts : ndarray of shape (n_terms,)
        The terms, and how many units are alike in each.
    noise : float
        Sums that are less apart are tied.
    alike : float
        Sizes of terms that are less apart are the same.
    n_resamples, seed : int
        Patterns to draw where they are too many to count, and their seed.
    may_be_smooth : bool
        Whether a saddlepoint approximation may answer.
    alternative : {"two-sided", "less", "greater"}
        Direction of the test.
    """
    moves = terms != 0  # flipping a zero changes nothing
    active, times = terms[moves], counts[moves]
    n, sizes, observed = int(times.sum()), np.abs(active), float(times @ active)
    law_of = partial(Permuted, noise=noise, n_differing=n)
    if n and np.ptp(sizes) <= alike:
        # Twenty standard deviations from the middle the chance is below exp(-200).
        reach = 10 * math.isqrt(n) + 10
        near = np.arange(max(0, n // 2 - reach), min(n, n // 2 + reach) + 1)
        chances = tails.laws().binom.pmf(near, n, 0.5)
        likely = chances > _NO_CHANCE  # of a million counts, some thousands
        values = float(sizes.mean()) * (2.0 * near[likely] - n)
        # Of signs alone the p-value has a formula with more digits.
        pvalue = sign_pvalue(int(times[active > 0].sum()), n, alternative)
        return law_of(values=values, chances=chances[likely]), float(pvalue)
    if n > _ALIKE * len(active):  # many units of few kinds: draw how many of each flip
        rng = np.random.default_rng(seed)
        flipped = rng.binomial(times, 0.5, (n_resamples, len(active))) @ active
        law = law_of(values=observed - 2 * flipped)
    elif countable(n, n_resamples):
        law = law_of(terms=np.repeat(active, times))
    else:
        units = np.repeat(active, times)
        if may_be_smooth and flips_are_smooth(units):
            values, stand_for = atoms(np.repeat(terms, counts))
            law = law_of(terms=values, counts=stand_for)
        else:
            law = law_of(values=observed - 2 * drawn_flips(units, n_resamples, seed)[0])
    return law, law.pvalue(observed, alternative)
