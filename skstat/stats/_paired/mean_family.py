"""Student t tests of the mean differences of all pairs of a table."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import tails
from skstat.stats._outcomes import (
    Limits,
    MeanOutcome,
    Outcome,
    OutcomeFamily,
    above_zero,
    check_level,
    effect_sizes_at,
)
from skstat.stats._samples import PairsOfTable, ScoreTable, pairs_of_table

Pair = tuple[str, str]
Numbers = NDArray[np.float64]


class MeanFamily(OutcomeFamily):
    """Outcomes of a t test of pairs of a table, by the means and variances of all of them.

    The first pair is tested as it is alone: its words are those of all.

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
    variance_factor : callable
        From the table to the variance of a mean over that of the differences.
    """

    def __init__(
        self,
        table: ScoreTable,
        pairs: Sequence[Pair],
        alternative: str,
        ask: Callable[[Pair], Outcome],
        *,
        variance_factor: Callable[[ScoreTable], float],
    ) -> None:
        first = ask(pairs[0])
        assert isinstance(first, MeanOutcome)
        self._first, self._unit = first, str(table.unit)
        self._n_pairs, self._alternative = len(pairs), alternative
        self._factor = variance_factor(table)
        place = {name: number for number, name in enumerate(table.names)}
        ends = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
        self._differences = pairs_of_table(table.scores, ends[:, 0], ends[:, 1])

    def __len__(self) -> int:
        return self._n_pairs

    def _built(self, place: int) -> Outcome:
        return replace(
            self._first,
            estimate=float(self.estimates[place]),
            standard_error=float(self.standard_errors[place]),
            effect_sizes=effect_sizes_at(self.differences, place, self._unit),
        )

    @property
    def representatives(self) -> Sequence[int]:
        return (0,)

    @property
    def differences(self) -> PairsOfTable:
        return self._differences

    @property
    def estimates(self) -> Numbers:
        return self._differences.means

    @cached_property
    def standard_errors(self) -> Numbers:
        found = self._differences
        return np.where(found.varies, found.spreads * math.sqrt(self._factor), 0.0)

    @cached_property
    def statistics(self) -> Numbers:
        estimates, errors = self.estimates, self.standard_errors
        alone = np.where(estimates == 0, 0.0, np.copysign(np.inf, estimates))
        return np.divide(estimates, errors, out=alone, where=errors != 0)

    @cached_property
    def pvalues(self) -> Numbers:
        df, t = self._first.df, self.statistics
        if self._alternative == "two-sided":
            found = 2 * tails.t_sf(np.abs(t), df)
        else:
            found = tails.t_sf(t if self._alternative == "greater" else -t, df)
        # Without variance a t test has nothing to judge a difference by.
        alone = np.where(self.estimates == 0, 1.0, np.nan)
        tested = np.maximum(found, above_zero(0.0))
        return np.where(self.standard_errors != 0, tested, alone)

    @property
    def smallest_pvalues(self) -> Numbers:
        return np.zeros(len(self))

    @property
    def directions(self) -> Numbers:
        return np.asarray(np.sign(self.estimates))

    def limits(self, confidence_level: float = 0.95) -> Limits:
        check_level(confidence_level)
        return self._limits(self._first.critical_value(1 - confidence_level))

    def beside_zero(self, levels: Numbers) -> Numbers:
        tail = (1 - levels) / (2 if self._alternative == "two-sided" else 1)
        everything = levels >= 1
        critical = tails.t_isf(np.where(everything, 0.25, tail), self._first.df)
        low, high = self._limits(critical)
        sides = np.where(low > 0, 1.0, np.where(high < 0, -1.0, 0.0))
        return np.where(everything, 0.0, np.where(np.isnan(low), np.nan, sides))

    def pvalues_beyond(self, bound: float, alternative: str) -> Numbers:
        errors = self.standard_errors
        shifted = self.estimates - bound
        t = np.divide(shifted, errors, out=np.full(len(self), np.nan), where=errors != 0)
        found = tails.t_sf(t if alternative == "greater" else -t, self._first.df)
        return np.maximum(found, above_zero(0.0))  # nan stays nan

    def without_interval(
        self, confidence_level: float, places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        return np.asarray((self.standard_errors == 0) & (self.estimates != 0))[places]

    def _limits(self, critical: float | Numbers) -> Limits:
        estimates, errors = self.estimates, self.standard_errors
        half = critical * errors
        unknown = (errors == 0) & (estimates != 0)
        open_below, open_above = (self._alternative == side for side in ("less", "greater"))
        low = np.full(len(self), -np.inf) if open_below else estimates - half
        high = np.full(len(self), np.inf) if open_above else estimates + half
        return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)
