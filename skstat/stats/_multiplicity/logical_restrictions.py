"""Adjustments for logically related hypotheses: those of all pairs of systems.

If A equals B and B equals C, then A equals C. So not every subset of the pairs can be the
set of all true hypotheses, only an exhaustive one: the pairs within the blocks of a
partition of the systems.
"""

from itertools import combinations, product
from math import comb, isqrt

import numpy as np

MOST_SYSTEMS = 16  # time triples with every system: a second or two for 16


def shaffer_multipliers(m: int) -> np.ndarray:
    """Largest numbers of true hypotheses while 0, 1, ... of the m are rejected."""
    k = _n_systems(m, "shaffer")
    # Bit s of possible[n]: some partition of n systems has s pairs within its blocks.
    possible = [1]
    for n in range(1, k + 1):
        bits = 0
        for block in range(1, n + 1):
            bits |= possible[n - block] << comb(block, 2)
        possible.append(bits)
    counts = [s if possible[k] >> s & 1 else 0 for s in range(m + 1)]
    return np.maximum.accumulate(counts)[:0:-1]


def bergmann_hommel(p: np.ndarray) -> np.ndarray:
    """Largest size times smallest p of the exhaustive sets that each pair is in."""
    k = _n_systems(len(p), "bergmann-hommel")
    if k > MOST_SYSTEMS:
        raise ValueError(
            f"method='bergmann-hommel' takes at most {MOST_SYSTEMS} systems, but the "
            f"{len(p)} p-values are those of {k}; use method='shaffer'."
        )
    # There are too many partitions to list, but for a given smallest p only the largest
    # partition matters, and that is made of one block and the largest partition of the rest.
    # A set of systems is an index of 0 and 1; axis i says whether system i is in it.
    levels = np.unique(p)
    size = np.indices((2,) * k, dtype=np.int16).sum(axis=0, dtype=np.int16)
    n_pairs = size * (size - 1) // 2
    smallest = np.full((2,) * k, np.inf)
    for pair, pvalue in zip(combinations(range(k), 2), p, strict=True):
        containing = smallest[_sets_with(pair, k)]
        np.minimum(containing, pvalue, out=containing)
    n_levels = np.searchsorted(levels, smallest, side="right")
    # most[systems][i]: pairs in the largest partition without a p below levels[i].
    most = np.zeros((2,) * k + (len(levels),), dtype=np.int16)
    for block in product((0, 1), repeat=k):
        if not any(block):
            continue
        # The block holds the first system of the set, so that the rest is done already.
        start = block.index(1) + 1
        within = (slice(n_levels[block]),)
        later = block[start:]
        rest = (0,) * start + tuple(0 if i else slice(None) for i in later) + within
        joined = block[:start] + tuple(1 if i else slice(None) for i in later) + within
        np.maximum(most[joined], most[rest] + n_pairs[block], out=most[joined])
    # Reversed axes: all systems but those of the block.
    largest = n_pairs[..., None] + most[(slice(None, None, -1),) * k]
    products = np.where(levels <= smallest[..., None], levels * largest, 0).max(axis=-1)
    return np.array([products[_sets_with(pair, k)].max() for pair in combinations(range(k), 2)])


def _sets_with(pair: tuple[int, int], k: int) -> tuple:
    return (*(1 if i in pair else slice(None) for i in range(k)), ...)


def _n_systems(m: int, method: str) -> int:
    k = (1 + isqrt(1 + 8 * m)) // 2
    if comb(k, 2) != m:
        raise ValueError(
            f"method={method!r} needs the p-values of all pairs of systems, which are 1, 3, "
            f"6, 10, ... for 2, 3, 4, 5, ... systems, but there are {m}."
        )
    return k
