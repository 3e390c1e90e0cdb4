"""Sums of differences under sign flips: over all patterns of signs, or drawn ones."""

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling.plans import fair_bits, stream

EXHAUSTIVE_UP_TO = 20  # 2^20 patterns take milliseconds and 16 MB
# Tables of 64 bytes of signs fill 128 kB: they and what is read from them stay in
# cache. Both numbers are constants, so that results never depend on the machine.
_BYTES_AT_ONCE = 64
_PATTERNS_AT_ONCE = 1024


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
