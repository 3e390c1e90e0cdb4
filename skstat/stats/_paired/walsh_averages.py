"""Order statistics of the Walsh averages (d_i + d_j) / 2 without listing them all."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Up to here listing all averages is faster than finding out which ones to list.
LIST_UP_TO = 128
_EPSILON, _LARGEST = float(np.finfo(float).eps), float(np.finfo(float).max)


def walsh_average(differences: np.ndarray, rank: float) -> float:
    """Order statistic `rank` (from 0) of the Walsh averages over i <= j.

    A half rank gives the mean of its two neighbours, so that the middle rank is
    the Hodges-Lehmann estimate.
    """
    return walsh_averages(differences, [rank])[0]


def hodges_lehmann(differences: np.ndarray) -> float:
    """Median of the Walsh averages."""
    return walsh_average(differences, middle_rank(len(differences)))


def walsh_averages(differences: np.ndarray, ranks: Sequence[float]) -> list[float]:
    """Order statistics of the Walsh averages, each as `walsh_average` gives it.

    They are, to the last bit, the numbers in the sorted list of all averages. Memory
    stays proportional to the number of differences: for n = 100 000 that list would
    take 40 GB.
    """
    ordered = np.sort(np.asarray(differences, dtype=float))
    neighbours = np.array([[math.floor(rank), math.ceil(rank)] for rank in ranks])
    averages = _sums_at(ordered, neighbours) / 2
    return [(low + high) / 2 for low, high in averages.tolist()]


def middle_rank(n: int) -> float:
    """Rank of the median among the Walsh averages of n differences."""
    return (n * (n + 1) // 2 - 1) / 2


class ListedAverages:
    """All Walsh averages of several pairs with as many differences, which are few.

    Parameters
    ----------
    differences : ndarray of shape (n_pairs, n_units)
        A row for every pair.
    """

    def __init__(self, differences: NDArray[np.float64]) -> None:
        n = differences.shape[1]
        i, j = np.nonzero(np.tri(n, dtype=bool))
        ordered = np.sort(differences, axis=1)
        self._sums = ordered[:, i] + ordered[:, j]
        self._sums.sort(axis=1)

    @staticmethod
    def can_list(differences: NDArray[np.float64]) -> bool:
        """Whether listing them all is the quickest way, as of one pair, and overflows not."""
        sizes = np.abs(differences)
        return differences.shape[1] <= LIST_UP_TO and float(sizes.max()) <= _LARGEST / 4

    def at(self, pair: int, rank: float) -> float:
        """Return what `walsh_average` does of one of the pairs."""
        low, high = (
            self._sums.item(pair, math.floor(rank)),
            self._sums.item(pair, math.ceil(rank)),
        )
        return (low / 2 + high / 2) / 2


def _sums_at(ordered: NDArray[np.float64], ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums d_i + d_j, i <= j, at `ranks`, each row of which holds ranks side by side."""
    n = len(ordered)
    if n <= LIST_UP_TO or abs(ordered[[0, -1]]).max() > _LARGEST / 4:  # or overflow
        sums = (ordered[:, None] + ordered)[np.tri(n, dtype=bool)]
        return np.partition(sums, ranks.ravel())[ranks]
    values, found = _Values(ordered), np.empty(ranks.shape)
    missing = list(range(len(ranks)))
    # The first limits enclose some 2 n sums and rarely miss the wanted ones. With more
    # slack and less thinning they cannot miss for long, and do not enclose many more:
    # among m thinned values, the rank of a sum is off by about 2 m at most.
    step, slack = round(n ** (1 / 3)) | 1, 1.0
    while missing:
        limits = _limits(ordered, ranks[missing], step, slack)
        for row, (low, high) in zip(missing.copy(), limits.tolist(), strict=True):
            sums = values.sums_within(low, high, ranks[row])
            if sums is not None:
                found[row] = sums
                missing.remove(row)
        step, slack = max(3, step // 2 | 1), 4 * slack
    return found


def _limits(
    ordered: NDArray[np.float64], ranks: NDArray[np.int64], step: int, slack: float
) -> NDArray[np.float64]:
    """Sums that should enclose those at `ranks`, found among every step-th value only."""
    n = len(ordered)
    # With as much left over at both ends, ranks in the middle are not shifted.
    thinned = ordered[(n - 1) % step // 2 :: step]
    m = len(thinned)
    last = m * (m + 1) // 2 - 1
    centres = ranks[:, [0, -1]] * (last / (n * (n + 1) // 2 - 1))
    wanted = np.rint(centres + slack * math.sqrt(m) * np.array([-1, 1])).astype(np.int64)
    limits = _sums_at(thinned, np.clip(wanted, 0, last).reshape(-1, 1)).reshape(-1, 2)
    limits[wanted < 0] = -math.inf
    limits[wanted > last] = math.inf
    return limits


class _Values:
    """The different values of sorted differences, and how often each of them occurs.

    Different values have no sum more than about n times, so that few sums lie between
    two limits even where most averages are ties.
    """

    def __init__(self, ordered: NDArray[np.float64]) -> None:
        changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        self.before = np.concatenate([[0], changes, [len(ordered)]])
        self.values = ordered[self.before[:-1]]
        self.times = np.diff(self.before)
        self.tied = len(self.values) < len(ordered)

    def sums_within(
        self, low: float, high: float, ranks: NDArray[np.int64]
    ) -> NDArray[np.float64] | None:
        """Sums at `ranks` if they lie between the limits, else None."""
        values, noise = self.values, 4 * _EPSILON  # near ties of a limit are listed too
        rows = values[: values.searchsorted((high + noise * abs(high)) / 2, "right")]
        i, sizes = np.arange(len(rows)), np.abs(rows)
        from_low = low - rows - noise * (abs(low) + sizes)
        past_high = high - rows + noise * (abs(high) + sizes)
        start = np.maximum(values.searchsorted(from_low, "left"), i)
        stop = np.maximum(values.searchsorted(past_high, "right"), start)
        below, members = self._pairs(start), self._pairs(stop)
        if not below <= ranks[0] <= ranks[-1] < members:
            return None
        found = self._listed(start, stop, ranks - below)
        # The sums that were not listed, as they are after rounding, have the last word.
        padded = np.concatenate([values, [math.inf]])
        lower = np.where(start > i, rows + values[start - 1], -math.inf).max()
        higher = min((rows + padded[stop]).min(), 2 * padded[len(rows)])
        return None if lower > found[0] or found[-1] > higher else found

    def _pairs(self, stop: NDArray[np.int64]) -> int:
        """Number of pairs i <= j < stop[i] of differences."""
        i = np.arange(len(stop))
        if not self.tied:
            return int(np.sum(stop - i))
        times = self.times[: len(stop)]
        squares = times * (self.before[stop] - self.before[: len(stop)])
        return int(np.sum(squares - np.where(stop > i, times * (times - 1) // 2, 0)))

    def _listed(
        self, start: NDArray[np.int64], stop: NDArray[np.int64], ranks: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Order statistics of the sums with start[i] <= j < stop[i]."""
        counts = stop - start
        ends = np.cumsum(counts)
        j = np.arange(ends[-1]) + np.repeat(stop - ends, counts)
        sums = np.repeat(self.values[: len(counts)], counts) + self.values[j]
        if not self.tied:
            return np.partition(sums, ranks.ravel())[ranks]
        i = np.repeat(np.arange(len(counts)), counts)
        pairs = np.where(i == j, self.times[i] + 1, 2 * self.times[j]) * self.times[i] // 2
        order = np.argsort(sums)
        return sums[order][np.searchsorted(np.cumsum(pairs[order]), ranks, side="right")]
