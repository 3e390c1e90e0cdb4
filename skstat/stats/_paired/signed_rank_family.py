"""Signed-rank tests of all pairs of a table, without an outcome for each."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import mid_ranks_of_counts, mid_ranks_of_numbers
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    OutcomeFamily,
    above_zero,
    effect_sizes,
    one_sided,
    sides_of_order,
    smallest_of_signs,
)
from skstat.stats._samples import (
    PairedScores,
    PairsOfTable,
    ScorePairs,
    SignedRows,
    signed_rows,
)

# The exact distribution costs about n^3 / 2 additions; at this size it differs
# from the normal one in the fourth digit only.
EXACT_UP_TO = 200

# Up to here listing all averages is faster than finding out which ones to list.
LIST_UP_TO = 128
_EPSILON, _LARGEST = float(np.finfo(float).eps), float(np.finfo(float).max)

Numbers = NDArray[np.float64]

# Numbers of one block of pairs, which their averages are.
_BLOCK = 1 << 18


def signed_ranks(sample: PairedScores, zero_method: str) -> tuple[np.ndarray, np.ndarray]:
    """Signs of the differences and mid-ranks of their sizes, without float noise."""
    steps = sample.steps
    if zero_method == "wilcox":
        steps = steps[steps != 0]
    return np.sign(steps), mid_ranks_of_numbers(np.abs(steps).astype(np.intp))


def exact_tails(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    """P(R+ <= rank_sum) and P(R+ >= rank_sum) over all sign patterns."""
    return tails_of(rank_sum_law(ranks), rank_sum)


def tails_of(law: tuple[np.ndarray, int], rank_sum: float) -> tuple[float, float]:
    """Return the same, by the law of the ranks."""
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


def pvalue_of_tails(lower: Any, upper: Any, alternative: str) -> float:
    """Return the p-value of a rank sum by its tails."""
    of = {"less": lower, "greater": upper}
    return above_zero(of.get(alternative, np.minimum(1.0, 2 * np.minimum(lower, upper))))


def chance_of_sum_up_to(rank_sum: int, n: int) -> float:
    """P(R+ <= rank_sum) for n untied units, by the law that gives the interval."""
    if n > EXACT_UP_TO:
        mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return float(special.ndtr((rank_sum + 0.5 - mean) / sd))
    return min(1.0, float(untied_law(n)[: rank_sum + 1].sum()))


def largest_sums_below(tails: ArrayLike, n: int) -> NDArray[np.int64]:
    """Largest w with P(R+ <= w) <= tail for n untied units, of each tail; below 0 if none."""
    tails = np.asarray(tails, dtype=float)
    if n > EXACT_UP_TO:
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        found = np.floor(mean + special.ndtri(tails) * math.sqrt(variance) - 0.5)
        return np.maximum(found, -1).astype(np.int64)
    cumulative = np.cumsum(untied_law(n))
    return np.asarray(np.searchsorted(cumulative, tails * (1 + 1e-12), side="right") - 1)


@lru_cache(maxsize=128)
def limits_of_averages(
    confidence_level: float, n: int, alternative: str
) -> tuple[int, int] | None:
    """Ranks (from 0) of the Walsh averages that are the limits; None where none are."""
    alpha = 1 - confidence_level
    cut = int(largest_sums_below(alpha / 2 if alternative == "two-sided" else alpha, n))
    return None if cut < 0 else (cut, n * (n + 1) // 2 - 1 - cut)


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


class _Rows:
    """Differences of some pairs, their ranks and their averages."""

    def __init__(self, signed: SignedRows) -> None:
        self.signed = signed
        listed = ListedAverages.can_list(signed.differences)
        self._averages = ListedAverages(signed.differences) if listed else None

    def averages(self, row: int, ranks: Sequence[float]) -> list[float]:
        """Return order statistics of the averages of one pair."""
        if self._averages is not None:
            return [self._averages.at(row, rank) for rank in ranks]
        return walsh_averages(self.signed.differences[row], ranks)


class SignedRankFamily(OutcomeFamily):
    """Outcomes of Wilcoxon's test of pairs of a table, by the ranks of all of them at once.

    Estimates and limits need the averages of all differences of a pair: they are found for
    pairs that somebody looks at. On which side of 0 the limits lie is known from the ranks.

    Parameters
    ----------
    sample : ScorePairs
        The pairs.
    alternative : {"two-sided", "less", "greater"}
        Direction of all of them.
    ask : callable
        From a sample to its outcome: that of one pair has the words of all by the same law.
    """

    _rows: tuple[int, int, _Rows | None] = 0, 0, None

    def __init__(
        self, sample: ScorePairs, alternative: str, ask: Callable[[PairedScores], Outcome]
    ) -> None:
        self._sample, self._alternative, self._ask = sample, alternative, ask

    def __len__(self) -> int:
        return len(self._sample.pairs)

    @property
    def differences(self) -> PairsOfTable:
        return self._sample.differences

    @cached_property
    def _effects(self) -> dict[str, Any]:
        return effect_sizes(self._sample)

    @cached_property
    def representatives(self) -> tuple[int, ...]:
        firsts = {int(np.argmax(self._exact == kind)) for kind in np.unique(self._exact)}
        return tuple(sorted(firsts))

    def _built(self, place: int) -> Outcome:
        alike = next(p for p in self.representatives if self._exact[p] == self._exact[place])
        if place == alike:
            return self._ask(self._sample.table.pair(*self._sample.pairs[place]))
        rows, row = self._rows_with(place)
        differences = rows.signed.differences[row].copy()
        numbers: dict[str, Any] = {
            "estimate": rows.averages(row, [middle_rank(len(differences))])[0],
            "rank_sum": float(self.statistics[place]),
            "tail_pvalue": float(self.pvalues[place]),
            "differences": differences,
            "ranks": rows.signed.ranks[row][differences != 0],
        }
        effects = {name: float(sizes[place]) for name, sizes in self._effects.items()}
        return replace(self[alike], effect_sizes=effects, **numbers)

    def interval_at(self, place: int, level: float) -> ConfidenceInterval:
        ends = limits_of_averages(level, self.differences.n_units, self._alternative)
        if ends is None:
            return one_sided(self._alternative, -np.inf, np.inf)
        rows, row = self._rows_with(place)
        return one_sided(self._alternative, *rows.averages(row, ends))

    def _rows_with(self, place: int) -> "tuple[_Rows, int]":
        """Return the numbers of all units of a few pairs next to this one, and its row.

        They are kept for those who walk over the pairs: whoever asks here and there gets one.
        """
        start, stop, rows = self._rows
        if rows is None or not start <= place < stop:
            n = self.differences.n_units
            size = max(1, _BLOCK // (n * min(n, LIST_UP_TO))) if place == stop else 1
            start, stop = place, min(place + size, len(self))
            first, second = (end[start:stop] for end in self._sample.ends)
            rows = _Rows(signed_rows(self._sample.table.scores, first, second))
            self._rows = start, stop, rows
        return rows, place - start

    @property
    def _n_ranked(self) -> Numbers:
        return np.asarray(self.differences.n_units - self.differences.n_equal)

    @cached_property
    def _exact(self) -> NDArray[np.bool_]:
        return self._n_ranked <= EXACT_UP_TO

    @cached_property
    def statistics(self) -> Numbers:
        # Zeros are ranked, and their ranks dropped (Pratt): the others stand above them.
        found = self.differences
        return np.asarray(found.rank_sums + found.n_equal * found.n_won)

    @property
    def directions(self) -> Numbers:
        return np.asarray(np.sign(2 * self.statistics - self._totals))

    @cached_property
    def pvalues(self) -> Numbers:
        n, zeros = self._n_ranked, self.differences.n_equal
        squares = self.differences.rank_squares + zeros * n * (n + 1) + zeros**2 * n
        lower, upper = normal_tails(self.statistics, self._totals, squares)
        for place, (below, above) in self._exact_tails().items():
            lower[place], upper[place] = below, above
        return np.asarray(pvalue_of_tails(lower, upper, self._alternative))

    @property
    def smallest_pvalues(self) -> Numbers:
        least = smallest_of_signs(self._alternative, self._n_ranked)
        return np.where(self._exact, least, 0.0)

    def beside_zero(self, levels: Numbers) -> Numbers:
        found = self.differences
        n = found.n_units
        alpha = 1 - levels
        cut = largest_sums_below(alpha / 2 if self._alternative == "two-sided" else alpha, n)
        counts = n * (n + 1) // 2, found.n_above, found.n_below
        return sides_of_order(*counts, cut, self._alternative)

    @property
    def _totals(self) -> Numbers:
        """Sums of all ranks of every pair."""
        n, zeros = self._n_ranked, self.differences.n_equal
        return np.asarray(n * (n + 1) / 2 + zeros * n)

    def _exact_tails(self) -> dict[int, tuple[float, float]]:
        """Return the same of the pairs whose law is known, which those of equal ranks share."""
        found, n = self.differences, self.differences.n_units
        kinds: dict[tuple[int, bytes], list[int]] = {}
        for place in np.flatnonzero(self._exact).tolist():
            kind = (int(found.n_equal[place]), found.ties.get(place, b""))
            kinds.setdefault(kind, []).append(place)
        tails: dict[int, tuple[float, float]] = {}
        for (zeros, ties), places in kinds.items():
            law = rank_sum_law(zeros + _ranks(ties, n - zeros))
            sums = self.statistics[places].tolist()
            of_sum = {rank_sum: tails_of(law, rank_sum) for rank_sum in set(sums)}
            tails |= {place: of_sum[own] for place, own in zip(places, sums, strict=True)}
        return tails


def _ranks(ties: bytes, n: int) -> Numbers:
    """Ranks of n differences, by how often each of their sizes occurs."""
    if not ties:
        return np.arange(1.0, n + 1)
    times = np.frombuffer(ties, dtype=np.int32)
    return np.repeat(mid_ranks_of_counts(times), times)
