"""Signed-rank tests of all pairs of a table, without an outcome for each."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import mid_ranks_of_counts
from skstat.stats._outcomes import (
    ArrayFamily,
    ConfidenceInterval,
    one_sided,
    sides_of_order,
    smallest_of_signs,
)
from skstat.stats._paired.rank_sum_law import (
    EXACT_UP_TO,
    largest_sums_below,
    limits_of_averages,
    normal_tails,
    pvalue_of_tails,
    rank_sum_law,
    tails_of,
)
from skstat.stats._paired.walsh_averages import (
    LIST_UP_TO,
    ListedAverages,
    middle_rank,
    walsh_averages,
)
from skstat.stats._samples import SignedRows, signed_rows

Numbers = NDArray[np.float64]

# Numbers of one block of pairs, which their averages are.
_BLOCK = 1 << 18


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


class SignedRankFamily(ArrayFamily):
    """Outcomes of Wilcoxon's test of pairs of a table, by the ranks of all of them at once.

    Estimates and limits need the averages of all differences of a pair: they are found for
    pairs that somebody looks at. On which side of 0 the limits lie is known from the ranks.
    """

    _rows: tuple[int, int, _Rows | None] = 0, 0, None

    @cached_property
    def representatives(self) -> tuple[int, ...]:
        firsts = {int(np.argmax(self._exact == kind)) for kind in np.unique(self._exact)}
        return tuple(sorted(firsts))

    def _alike(self, place: int) -> int:
        return next(p for p in self.representatives if self._exact[p] == self._exact[place])

    def _numbers_at(self, place: int) -> dict[str, Any]:
        rows, row = self._rows_with(place)
        differences = rows.signed.differences[row].copy()
        return {
            "estimate": rows.averages(row, [middle_rank(len(differences))])[0],
            "rank_sum": float(self.statistics[place]),
            "tail_pvalue": float(self.pvalues[place]),
            "differences": differences,
            "ranks": rows.signed.ranks[row][differences != 0],
        }

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
            first, second = (end[start:stop] for end in self._ends)
            rows = _Rows(signed_rows(self.table.scores, first, second))
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
