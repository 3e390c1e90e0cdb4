"""The differences of many pairs of a table at once, as `PairedScores` has them of one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.scores import RELATIVE_RESOLUTION

# Numbers of one block of pairs: a few arrays of that size fit in the cache of a processor.
_BLOCK = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsOfTable:
    """What is known of the differences A - B of many pairs; every array has one value each.

    Attributes
    ----------
    means : ndarray
        Mean differences.
    varies : ndarray of bool
        Whether the differences vary by more than float noise.
    identical : ndarray of bool
        Whether both systems score the same on every unit.
    ties : ndarray
        Shares of units on which both score the same.
    won : ndarray
        Shares of units on which A scores higher, ties counted half.
    rank_biserial : ndarray
        Rank-biserial correlation of the signed ranks.
    """

    means: NDArray[np.float64]
    varies: NDArray[np.bool_]
    identical: NDArray[np.bool_]
    ties: NDArray[np.float64]
    won: NDArray[np.float64]
    rank_biserial: NDArray[np.float64]


def pairs_of_table(
    scores: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> PairsOfTable:
    """Look at many pairs of the columns of `scores`, two units or more, none missing.

    Every number is the one that `PairedScores` and `effect_sizes` give of the pair alone.
    """
    systems = np.ascontiguousarray(scores.T)
    blocks = list(_blocks(systems, first, second))
    names = ("means", "varies", "identical", "ties", "won", "rank_biserial")
    columns = zip(*blocks, strict=True)
    return PairsOfTable(**{n: np.concatenate(c) for n, c in zip(names, columns, strict=True)})


def _blocks(
    systems: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> Iterator[tuple[NDArray[Any], ...]]:
    size = max(1, _BLOCK // systems.shape[1])
    for start in range(0, len(first), size):
        a, b = (systems[ends[start : start + size]] for ends in (first, second))
        # Operation by operation as in PairedScores: the last bit must be the same.
        scales = np.maximum(np.abs(a), np.abs(b))
        middle = np.median(scales, axis=1, keepdims=True)
        noise = RELATIVE_RESOLUTION * np.maximum(scales, 1e-3 * middle)
        differences = a - b
        differences = np.where(np.abs(differences) <= noise, 0.0, differences)
        resolution = np.max(noise, axis=1, where=differences != 0, initial=0.0)
        signs = np.sign(differences)
        yield (
            np.mean(differences, axis=1),
            np.asarray(np.std(differences, axis=1, ddof=1) > resolution),
            np.logical_not(differences.any(axis=1)),
            np.mean(differences == 0, axis=1),
            np.mean((signs + 1) / 2, axis=1),
            _rank_biserial(differences, noise, signs),
        )


def _rank_biserial(
    differences: NDArray[np.float64], noise: NDArray[np.float64], signs: NDArray[np.float64]
) -> NDArray[np.float64]:
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    noise = np.take_along_axis(np.where(differences == 0, 0.0, noise), order, axis=1)
    gaps = np.diff(np.take_along_axis(sizes, order, axis=1), prepend=0.0, axis=1)
    before = np.concatenate([np.zeros((len(noise), 1)), noise[:, :-1]], axis=1)
    numbers = np.cumsum(gaps > np.maximum(noise, before), axis=1)
    # The mid-rank of a size is that of the last of its ties, less half of the others.
    n_pairs, n_units = sizes.shape
    places = numbers + (n_units + 1) * np.arange(n_pairs)[:, None]
    times = np.bincount(places.ravel(), minlength=n_pairs * (n_units + 1))
    times = times.reshape(n_pairs, n_units + 1)
    times[:, 0] = 0  # equal scores have no rank
    mid = np.take_along_axis(np.cumsum(times, axis=1) - (times - 1) / 2, numbers, axis=1)
    ranks = np.where(numbers > 0, mid, 0.0)
    total = ranks.sum(axis=1)
    signed = (ranks * np.take_along_axis(signs, order, axis=1)).sum(axis=1)
    return np.asarray(np.divide(signed, total, out=np.zeros(n_pairs), where=total > 0))
