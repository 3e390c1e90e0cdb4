"""Sign tests of all pairs of a table, by how often each system is ahead."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import tails
from skstat.stats._outcomes import (
    Outcome,
    OutcomeFamily,
    effect_sizes_at,
    smallest_of_signs,
)
from skstat.stats._samples import PairsOfTable, ScoreTable, pairs_of_table

Pair = tuple[str, str]
Numbers = NDArray[np.float64]


class SignFamily(OutcomeFamily):
    """Outcomes of the sign test of pairs of a table, by the wins of all of them.

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
    pvalue : callable
        From wins, units without a tie and the alternative to the p-value.
    """

    def __init__(
        self,
        table: ScoreTable,
        pairs: Sequence[Pair],
        alternative: str,
        ask: Callable[[Pair], Outcome],
        *,
        pvalue: Callable[[int, int, str], float],
    ) -> None:
        place = {name: number for number, name in enumerate(table.names)}
        ends = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
        self._table, self._pairs, self._ends = table, pairs, ends
        self._alternative, self._ask, self._pvalue = alternative, ask, pvalue

    def __len__(self) -> int:
        return len(self._pairs)

    def _built(self, place: int) -> Outcome:
        if place == 0:
            return self._ask(self._pairs[0])
        with_the_same_words: Any = self[0]
        differences = self._table.pair(*self._pairs[place]).differences
        found: Outcome = replace(
            with_the_same_words,
            effect_sizes=effect_sizes_at(self.differences, place, str(self._table.unit)),
            estimate=float(np.median(differences)),
            wins=int(self.statistics[place]),
            losses=int(self._losses[place]),
            differences=differences,
        )
        return found

    @property
    def representatives(self) -> Sequence[int]:
        return (0,)

    @cached_property
    def differences(self) -> PairsOfTable:
        return pairs_of_table(self._table.scores, self._ends[:, 0], self._ends[:, 1])

    @property
    def statistics(self) -> Numbers:
        return self.differences.n_won

    @property
    def _losses(self) -> Numbers:
        found = self.differences
        return np.asarray(found.n_units - found.n_equal - found.n_won)

    @property
    def directions(self) -> Numbers:
        return np.asarray(np.sign(self.statistics - self._losses))

    @cached_property
    def pvalues(self) -> Numbers:
        return self._by_counts(
            lambda wins, untied: (
                self._pvalue(wins, untied, self._alternative) if untied else 1.0
            )
        )

    @cached_property
    def smallest_pvalues(self) -> Numbers:
        return self._by_counts(lambda _, untied: smallest_of_signs(self._alternative, untied))

    def beside_zero(self, levels: Numbers) -> Numbers:
        n = self.differences.n_units
        alpha = 1 - levels
        tail = alpha / 2 if self._alternative == "two-sided" else alpha
        # The limits are the differences that as many others lie beyond as may be cut off.
        chances = tails.binomial_cdf(np.arange(n + 1), n, 0.5)
        cut = np.searchsorted(chances, tail, side="right") - 1
        above = (n - self.statistics <= cut) & (self._alternative != "less")
        below = (n - self._losses <= cut) & (self._alternative != "greater")
        return np.where(above, 1.0, np.where(below, -1.0, 0.0))

    def _by_counts(self, number: Callable[[int, int], float]) -> Numbers:
        """Return a number that wins and untied units decide, which many pairs share."""
        counts = np.column_stack([self.statistics, self.statistics + self._losses])
        kinds, of_pair = np.unique(counts.astype(np.int64), axis=0, return_inverse=True)
        found = [number(wins, untied) for wins, untied in kinds.tolist()]
        return np.array(found)[of_pair.ravel()]
