"""Signed-rank tests of all pairs of a table, without an outcome for each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    OutcomeFamily,
    above_zero,
    effect_sizes_at,
    one_sided,
    smallest_of_signs,
)
from skstat.stats._paired.rank_sum_law import (
    EXACT_UP_TO,
    largest_sums_below,
    limits_of_averages,
    rank_sum_law,
    tails_of,
)
from skstat.stats._paired.walsh_averages import (
    LIST_UP_TO,
    ListedAverages,
    middle_rank,
    walsh_averages,
)
from skstat.stats._samples import (
    PairsOfTable,
    ScoreTable,
    SignedRows,
    pairs_of_table,
    signed_rows,
)

Pair = tuple[str, str]
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


class SignedRankFamily(OutcomeFamily):
    """Outcomes of Wilcoxon's test of pairs of a table, by the ranks of all of them at once.

    Estimates and limits need the averages of all differences of a pair: they are found for
    pairs that somebody looks at. On which side of 0 the limits lie is known from the ranks.

    Parameters
    ----------
    table : ScoreTable
        Scores of usual size, none missing, of two units or more.
    pairs : sequence of tuple of str
        The comparisons.
    alternative : {"two-sided", "less", "greater"}
        Direction of all of them.
    ask : callable
        From a pair to its outcome.
    """

    def __init__(
        self,
        table: ScoreTable,
        pairs: Sequence[Pair],
        alternative: str,
        ask: Callable[[Pair], Outcome],
    ) -> None:
        place = {name: number for number, name in enumerate(table.names)}
        ends = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
        self._pairs, self._alternative, self._ask = pairs, alternative, ask
        self._table, self._ends = table, ends
        # Zeros are ranked, and their ranks dropped (Pratt): the others stand above them.
        found = self.differences
        self._n_ranked = found.n_units - found.n_equal
        self._rank_sums = found.rank_sums + found.n_equal * found.n_won
        self._exact = self._n_ranked <= EXACT_UP_TO
        self._rows: tuple[int, _Rows] | None = None

    def __len__(self) -> int:
        return len(self._pairs)

    def _built(self, place: int) -> Outcome:
        alike = next(p for p in self.representatives if self._exact[p] == self._exact[place])
        if place == alike:
            return self._ask(self._pairs[place])
        with_the_same_words: Any = self[alike]
        rows, row = self._rows_with(place)
        differences = rows.signed.differences[row].copy()
        found: Outcome = replace(
            with_the_same_words,
            effect_sizes=effect_sizes_at(self.differences, place, str(self._table.unit)),
            estimate=rows.averages(row, [middle_rank(len(differences))])[0],
            rank_sum=float(self._rank_sums[place]),
            tail_pvalue=float(self.pvalues[place]),
            differences=differences,
            ranks=rows.signed.ranks[row][differences != 0],
        )
        return found

    def interval_at(self, place: int, level: float) -> ConfidenceInterval:
        ends = limits_of_averages(level, self.differences.n_units, self._alternative)
        if ends is None:
            return one_sided(self._alternative, -np.inf, np.inf)
        rows, row = self._rows_with(place)
        return one_sided(self._alternative, *rows.averages(row, ends))

    def _rows_with(self, place: int) -> "tuple[_Rows, int]":
        """Return the numbers of all units of a few pairs next to this one, and its row.

        They are kept, because the next question often is about the next pair.
        """
        n = self.differences.n_units
        size = max(1, _BLOCK // (n * min(n, LIST_UP_TO)))
        start = place - place % size
        if self._rows is None or self._rows[0] != start:
            first, second = self._ends[start : start + size].T
            self._rows = start, _Rows(signed_rows(self._table.scores, first, second))
        return self._rows[1], place - start

    @cached_property
    def differences(self) -> PairsOfTable:
        return pairs_of_table(self._table.scores, self._ends[:, 0], self._ends[:, 1])

    @cached_property
    def representatives(self) -> tuple[int, ...]:
        firsts = {int(np.argmax(self._exact == kind)) for kind in np.unique(self._exact)}
        return tuple(sorted(firsts))

    @property
    def statistics(self) -> Numbers:
        return self._rank_sums

    @property
    def directions(self) -> Numbers:
        return np.asarray(np.sign(2 * self._rank_sums - self._totals))

    @cached_property
    def pvalues(self) -> Numbers:
        lower, upper = self._normal_tails()
        for place, (below, above) in self._exact_tails().items():
            lower[place], upper[place] = below, above
        of = {"less": lower, "greater": upper}
        found = of.get(self._alternative, np.minimum(1.0, 2 * np.minimum(lower, upper)))
        return np.maximum(found, above_zero(0.0))

    @cached_property
    def smallest_pvalues(self) -> Numbers:
        counts, kinds = np.unique(self._n_ranked, return_inverse=True)
        least = [smallest_of_signs(self._alternative, int(count)) for count in counts.tolist()]
        return np.where(self._exact, np.array(least)[kinds.ravel()], 0.0)

    def beside_zero(self, levels: Numbers) -> Numbers:
        found = self.differences
        n = found.n_units
        alpha = 1 - levels
        cut = largest_sums_below(alpha / 2 if self._alternative == "two-sided" else alpha, n)
        n_averages = n * (n + 1) // 2
        # The limits are the averages that as many others lie beyond as may be cut off.
        above = (n_averages - found.n_above <= cut) & (self._alternative != "less")
        below = (n_averages - found.n_below <= cut) & (self._alternative != "greater")
        return np.where(above, 1.0, np.where(below, -1.0, 0.0))

    @property
    def _totals(self) -> Numbers:
        """Sums of all ranks of every pair."""
        n, zeros = self._n_ranked, self.differences.n_equal
        return np.asarray(n * (n + 1) / 2 + zeros * n)

    def _normal_tails(self) -> tuple[Numbers, Numbers]:
        """Chances of a rank sum up to that of each pair, and of one from it on."""
        n, found = self._n_ranked, self.differences
        zeros = found.n_equal
        squares = found.rank_squares + zeros * n * (n + 1) + zeros**2 * n
        sd = np.sqrt(np.where(n > 0, squares, 1.0) / 4)
        z = (self._rank_sums - self._totals / 2) / sd
        return special.ndtr(z), special.ndtr(-z)

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
            sums = self._rank_sums[places].tolist()
            of_sum = {rank_sum: tails_of(law, rank_sum) for rank_sum in set(sums)}
            tails |= {place: of_sum[own] for place, own in zip(places, sums, strict=True)}
        return tails


def _ranks(ties: bytes, n: int) -> Numbers:
    """Ranks of n differences, by how often each of their sizes occurs."""
    if not ties:
        return np.arange(1.0, n + 1)
    times = np.frombuffer(ties, dtype=np.int32)
    return np.repeat(np.cumsum(times) - (times - 1) / 2, times)
