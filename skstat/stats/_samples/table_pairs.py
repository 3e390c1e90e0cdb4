"""The differences of many pairs of a table at once, as `PairedScores` has them of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.scores import RELATIVE_RESOLUTION

# Numbers of one block of pairs: a few arrays of that size fit in the cache of a processor.
_BLOCK = 1 << 16

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsOfTable:
    """What is known of the differences A - B of many pairs; every array has one value each.

    Attributes
    ----------
    n_units : int
        Units that every pair is scored on.
    means : ndarray
        Mean differences.
    varies : ndarray of bool
        Whether the differences vary by more than float noise.
    n_equal, n_won : ndarray
        Units on which both systems score the same, and on which A scores higher.
    rank_sums : ndarray
        Sums of the mid-ranks of the differences above 0; equal scores have no rank.
    rank_squares : ndarray
        Sums of the squares of all ranks.
    n_above, n_below : ndarray
        Averages of two differences, or of one with itself, above and below 0.
    ties : mapping of int to bytes
        Places of the pairs with differences of one size, and what tells such pairs with the
        same ranks from others.
    """

    n_units: int
    means: Numbers
    varies: NDArray[np.bool_]
    n_equal: Numbers
    n_won: Numbers
    rank_sums: Numbers
    rank_squares: Numbers
    n_above: Numbers
    n_below: Numbers
    ties: Mapping[int, bytes]

    @property
    def identical(self) -> NDArray[np.bool_]:
        """Whether both systems score the same on every unit."""
        return np.asarray(self.n_equal == self.n_units)

    @property
    def shares_equal(self) -> Numbers:
        """Shares of units on which both score the same."""
        return np.asarray(self.n_equal / self.n_units)

    @property
    def shares_won(self) -> Numbers:
        """Shares of units on which A scores higher, equal scores counted half."""
        return np.asarray((self.n_won + self.n_equal / 2) / self.n_units)

    @cached_property
    def rank_biserial(self) -> Numbers:
        """Rank-biserial correlation of the signed ranks."""
        n_ranked = self.n_units - self.n_equal
        total = n_ranked * (n_ranked + 1) / 2
        signed = 2 * self.rank_sums - total
        return np.divide(signed, total, out=np.zeros(len(total)), where=total > 0)


def pairs_of_table(scores: Numbers, first: Places, second: Places) -> PairsOfTable:
    """Look at many pairs of the columns of `scores`, two units or more, none missing.

    Every number is the one that `PairedScores` and `effect_sizes` give of the pair alone.
    """
    systems = np.ascontiguousarray(scores.T)
    n_pairs, n_units = len(first), systems.shape[1]
    found = {name: np.empty(n_pairs) for name in _COLUMNS}
    ties: dict[int, bytes] = {}
    noise = RELATIVE_RESOLUTION * float(np.abs(systems).max())
    size = max(1, _BLOCK // n_units)
    for start in range(0, n_pairs, size):
        a, b = (systems[ends[start : start + size]] for ends in (first, second))
        columns, distinct = _distinct(a, b, noise)
        for name, column in columns.items():
            found[name][start : start + size] = column
        rest = np.flatnonzero(~distinct)
        if len(rest):
            columns, kinds = _with_ties(a[rest], b[rest])
            for name, column in columns.items():
                found[name][start + rest] = column
            ties |= {start + int(rest[row]): kind for row, kind in kinds.items()}
    varies = found.pop("varies") > 0
    return PairsOfTable(n_units=n_units, varies=varies, ties=ties, **found)


_COLUMNS = (
    "means", "varies", "n_equal", "n_won", "rank_sums", "rank_squares", "n_above", "n_below",
)  # fmt: skip


def _distinct(
    a: Numbers, b: Numbers, noise: float
) -> tuple[dict[str, Numbers], NDArray[np.bool_]]:
    """Look at pairs whose differences are all of different sizes, and none of them is 0.

    The second value says of which pairs that is true, more than by the `noise` of the largest
    score: their differences need not be looked at unit by unit.
    """
    n_pairs, n = a.shape
    differences = a - b
    bits = differences.view(np.uint64)
    # The sign behind the size: sorted as whole numbers they stand by size, and keep the sign.
    ordered = np.sort((bits << np.uint64(1)) | (bits >> np.uint64(63)), axis=1)
    won = (ordered & np.uint64(1)) == 0
    ordered >>= np.uint64(1)
    sizes = ordered.view(np.float64)
    closest = np.minimum(sizes[:, 0], np.diff(sizes, axis=1).min(axis=1))
    spread = np.std(differences, axis=1, ddof=1)
    rank_sums = won @ np.arange(1.0, n + 1)
    columns = {
        "means": np.mean(differences, axis=1),
        "varies": np.ones(n_pairs),
        "n_equal": np.zeros(n_pairs),
        "n_won": won.sum(axis=1),
        "rank_sums": rank_sums,
        "rank_squares": np.full(n_pairs, n * (n + 1) * (2 * n + 1) / 6),
        "n_above": rank_sums,
        "n_below": n * (n + 1) / 2 - rank_sums,
    }
    return columns, np.asarray((closest > noise) & (spread > noise))


def _with_ties(a: Numbers, b: Numbers) -> tuple[dict[str, Numbers], dict[int, bytes]]:
    # Operation by operation as in PairedScores: the last bit must be the same.
    scales = np.maximum(np.abs(a), np.abs(b))
    middle = np.median(scales, axis=1, keepdims=True)
    noise = RELATIVE_RESOLUTION * np.maximum(scales, 1e-3 * middle)
    differences = a - b
    differences = np.where(np.abs(differences) <= noise, 0.0, differences)
    resolution = np.max(noise, axis=1, where=differences != 0, initial=0.0)
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    noise = np.take_along_axis(np.where(differences == 0, 0.0, noise), order, axis=1)
    sizes = np.take_along_axis(sizes, order, axis=1)
    signs = np.take_along_axis(np.sign(differences), order, axis=1)
    before = np.concatenate([np.zeros((len(noise), 1)), noise[:, :-1]], axis=1)
    apart = np.diff(sizes, prepend=0.0, axis=1) > np.maximum(noise, before)
    ranks, times = _mid_ranks(np.cumsum(apart, axis=1))
    columns = {
        "means": np.mean(differences, axis=1),
        "varies": np.std(differences, axis=1, ddof=1) > resolution,
        "n_equal": np.sum(sizes == 0, axis=1),
        "n_won": np.sum(signs > 0, axis=1),
        "rank_sums": np.sum(ranks, axis=1, where=signs > 0),
        "rank_squares": np.sum(ranks**2, axis=1),
        "n_above": _averages_beyond(sizes, signs > 0),
        "n_below": _averages_beyond(sizes, signs < 0),
    }
    tied = np.flatnonzero((times > 1).any(axis=1)).tolist()
    return columns, {row: times[row].astype(np.int32).tobytes() for row in tied}


def _mid_ranks(numbers: Places) -> tuple[Numbers, Places]:
    """Ranks of sizes that stand in ascending order by their numbers, and how often each is.

    Equal scores, whose number is 0, have no rank.
    """
    n_pairs, n_units = numbers.shape
    places = numbers + (n_units + 1) * np.arange(n_pairs)[:, None]
    times = np.bincount(places.ravel(), minlength=n_pairs * (n_units + 1))
    times = times.reshape(n_pairs, n_units + 1)
    times[:, 0] = 0
    # The mid-rank of a size is that of the last of its ties, less half of the others.
    mid = np.take_along_axis(np.cumsum(times, axis=1) - (times - 1) / 2, numbers, axis=1)
    return np.where(numbers > 0, mid, 0.0), times


def _averages_beyond(sizes: Numbers, on_side: NDArray[np.bool_]) -> Numbers:
    """Count the averages of two differences, or of one with itself, on one side of 0.

    The larger of the two decides, and none does where they are of one size and cancel.
    """
    n_pairs, n = sizes.shape
    begins = np.ones((n_pairs, n), dtype=bool)
    begins[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    start = np.maximum.accumulate(np.where(begins, np.arange(n), 0), axis=1)
    so_far = np.cumsum(on_side, axis=1)
    earlier: Places = np.take_along_axis(so_far - on_side, start, axis=1)
    return np.asarray(np.sum(start + so_far - earlier, axis=1, where=on_side), dtype=float)
