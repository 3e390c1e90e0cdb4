"""Sums of signed ranks and averages of differences: their laws, and how to find them."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import mid_ranks_of_counts, mid_ranks_of_numbers
from skstat.stats._outcomes import NOISE
from skstat.stats._samples import PairedScores, ScorePairs

# The exact distribution costs about n^3 / 2 additions; at this size it differs
# from the normal one in the fourth digit only.
EXACT_UP_TO = 200

# Up to here listing all averages is faster than finding out which ones to list.
LIST_UP_TO = 128
_EPSILON, _LARGEST = float(np.finfo(float).eps), float(np.finfo(float).max)

Numbers = NDArray[np.float64]


class RankSums(NamedTuple):
    """Rank sums of the differences above 0, of one comparison or of many.

    Attributes
    ----------
    found : float or ndarray
        The sums R+.
    total : float or ndarray
        Sums of all ranks that count.
    squares : float or ndarray
        Sums of their squares.
    n_untied : int or ndarray
        Differences that are not 0.
    offset : float or ndarray
        What differences of 0 add on either side, if their ranks are split.
    zeros : int or ndarray
        Differences of 0 that are ranked.
    ranks : ndarray, or mapping of int to bytes
        The ranks that count; of many, by place, how often each size occurs where some do
        more than once.
    """

    found: Any
    total: Any
    squares: Any
    n_untied: Any
    offset: Any
    zeros: Any
    ranks: Any

    @classmethod
    def of(cls, sample: PairedScores, zero_method: str) -> "RankSums":
        """Return those of one comparison."""
        steps = sample.steps
        if zero_method == "wilcox":
            steps = steps[steps != 0]
        signs, ranks = np.sign(steps), mid_ranks_of_numbers(np.abs(steps).astype(np.intp))
        own, split = ranks[signs != 0], zero_method == "zsplit"
        return cls(
            found=float(ranks[signs > 0].sum()),
            total=float(own.sum()),
            squares=float(np.sum(own**2)),
            n_untied=len(own),
            offset=float(ranks[signs == 0].sum()) / 2 if split else 0.0,
            zeros=len(steps) - len(own),
            ranks=own,
        )

    @classmethod
    def of_pairs(cls, sample: ScorePairs, zero_method: str) -> "RankSums":
        """Return those of many, by what is known of the differences of all pairs at once."""
        found = sample.differences
        n = np.asarray(found.n_units - found.n_equal)
        # Zeros are ranked, and their ranks dropped (Pratt): the others stand above them.
        zeros = np.zeros(len(n)) if zero_method == "wilcox" else found.n_equal
        return cls(
            found=found.rank_sums + zeros * found.n_won,
            total=n * (n + 1) / 2 + zeros * n,
            squares=found.rank_squares + zeros * n * (n + 1) + zeros**2 * n,
            n_untied=n,
            offset=zeros * (zeros + 1) / 4 if zero_method == "zsplit" else np.zeros(len(n)),
            zeros=zeros,
            ranks=found.ties,
        )

    def tails(self, exact: Any) -> tuple[Any, Any]:
        """P(R+ <= found) and P(R+ >= found), over all sign patterns where it is `exact`."""
        if not np.ndim(self.found) and exact:
            return tails_of(rank_sum_law(self.ranks), self.found)
        lower, upper = normal_tails(self.found, self.total, self.squares)
        if not np.any(exact):
            return lower, upper
        kinds: dict[tuple[int, int, bytes], list[int]] = {}
        for place in np.flatnonzero(exact).tolist():
            ties = self.ranks.get(place, b"")
            kind = int(self.zeros[place]), int(self.n_untied[place]), ties
            kinds.setdefault(kind, []).append(place)
        for (zeros, n, ties), alike in kinds.items():
            times = np.frombuffer(ties, dtype=np.int32) if ties else np.ones(n, dtype=np.int32)
            law, sums = rank_sum_law(ranks_of_counts(times, zeros)), self.found[alike].tolist()
            of_sum = {rank_sum: tails_of(law, rank_sum) for rank_sum in set(sums)}
            lower[alike], upper[alike] = np.transpose([of_sum[own] for own in sums])
        return lower, upper


def ranks_of_counts(times: NDArray[Any], zeros: int) -> Numbers:
    """Mid-ranks of differences, by how often each of their sizes occurs, above ranked zeros."""
    return np.asarray(np.repeat(mid_ranks_of_counts(times), times) + zeros)


def ranks_of(differences: Numbers, zeros: int) -> Numbers:
    """Return the same of the sizes of differences; those within float noise are tied."""
    sizes = np.sort(np.abs(differences[differences != 0]))
    apart = np.diff(sizes, prepend=-math.inf) > NOISE * sizes.max(initial=0.0)
    places = np.flatnonzero(apart)
    return ranks_of_counts(np.diff(places, append=len(sizes)), zeros)


def tails_of(law: tuple[np.ndarray, int], rank_sum: float) -> tuple[float, float]:
    """P(R+ <= rank_sum) and P(R+ >= rank_sum), by the law of the ranks."""
    chances, scale = law
    observed, total = int(np.rint(scale * rank_sum)), len(chances) - 1
    # The law is symmetric; both tails are summed from below so that swapping A and
    # B gives the same numbers to the last bit.
    lower, upper = chances[: observed + 1].sum(), chances[: total - observed + 1].sum()
    return min(1.0, float(lower)), min(1.0, float(upper))


def rank_sum_law(ranks: np.ndarray) -> tuple[np.ndarray, int]:
    """Law of R+ on the grid of whole numbers, or of halves, and points of it per 1."""
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64))  # mid-ranks are halves
    if np.any(doubled % 2):
        return _subset_sum_law(doubled), 2
    whole = doubled // 2
    n = len(whole)
    if n <= EXACT_UP_TO and np.array_equal(whole, np.arange(1, n + 1)):
        return untied_law(n), 1
    return _subset_sum_law(whole), 1


# One comparison asks for the same number of units again and again.
@lru_cache(maxsize=32)
def untied_law(n: int) -> np.ndarray:
    """Law of R+ of n untied units: the chance of 0, 1, ... to n (n + 1) / 2."""
    law = _subset_sum_law(np.arange(1, n + 1))
    law.setflags(write=False)
    return law


def _subset_sum_law(weights: np.ndarray) -> np.ndarray:
    """Law of the sum of `weights`, each taken or left by a fair coin."""
    law = np.zeros(int(weights.sum()) + 1)
    law[0] = 1.0
    reach = 0
    for weight in weights.tolist():
        shifted = law[: reach + 1] / 2
        law[: reach + 1] = shifted
        reach += weight
        law[weight : reach + 1] += shifted
    return law


def normal_tails(rank_sum: Any, total: Any, squares: Any) -> tuple[Any, Any]:
    """Return the same by the normal distribution, by the sum of ranks and of their squares."""
    z = (rank_sum - total / 2) / np.sqrt(np.where(squares > 0, squares, 1.0) / 4)
    lower, upper = (np.where(squares > 0, special.ndtr(side * z), 1.0) for side in (1, -1))
    return lower, upper


def chances_of_sums_up_to(rank_sums: NDArray[np.int64], n: int) -> Numbers:
    """P(R+ <= rank_sum) for n untied units, by the law that gives the interval."""
    if n > EXACT_UP_TO:
        mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return np.asarray(special.ndtr((rank_sums + 0.5 - mean) / sd))
    chances = [float(untied_law(n)[: rank_sum + 1].sum()) for rank_sum in rank_sums.tolist()]
    return np.minimum(1.0, chances)


def largest_sums_below(tails: ArrayLike, n: int) -> NDArray[np.int64]:
    """Largest w with P(R+ <= w) <= tail for n untied units, of each tail; below 0 if none."""
    tails = np.asarray(tails, dtype=float)
    if n > EXACT_UP_TO:
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        found = np.floor(mean + special.ndtri(tails) * math.sqrt(variance) - 0.5)
        return np.maximum(found, -1).astype(np.int64)
    cumulative = np.cumsum(untied_law(n))
    return np.asarray(np.searchsorted(cumulative, tails * (1 + 1e-12), side="right") - 1)


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
