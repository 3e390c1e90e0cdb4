"""What a report on several systems knows of its pairs: as arrays, and as rows when read."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.report._words import (
    SystemsLike,
    better_of,
    levels_of,
    verdict_by,
    without_direction,
)
from skstat.stats import EquivalenceOutcome
from skstat.stats._common import LazySequence, to_plain

Row = dict[str, Any]


class PairRows(LazySequence[Row]):
    """One row per pair: difference, interval, p-values and verdict.

    A row is built when it is read. What is asked of all pairs is answered by arrays, so that
    a report on very many pairs builds those that it shows.

    Parameters
    ----------
    report : SystemsReport
        The report.
    turned : callable, optional
        What is done with every row, as for losses.
    """

    def __init__(
        self,
        report: SystemsLike,
        turned: Callable[[Row], Row] | None = None,
        *,
        is_told: bool = False,
    ) -> None:
        self._report, self._turned, self._is_told = report, turned, is_told

    def turned(self, turn: Callable[[Row], Row]) -> "PairRows":
        """Return the rows as another function shows them."""
        return PairRows(self._report, turn, is_told=self._is_told)

    def told(self) -> "PairRows":
        """Return the rows as a reader gets them: no winner where the direction is not known."""
        if not self._report.direction_assumed:
            return self
        return PairRows(self._report, self._turned, is_told=True)

    def __len__(self) -> int:
        return len(self._report.pairwise.pairs)

    @cached_property
    def verdicts(self) -> list[str]:
        """The verdict on every pair."""
        report = self._report
        ahead = np.where(self.adjusted < report.alpha, self.toward, 0.0)
        same = not_worse = np.zeros(len(self), dtype=bool)
        if report._against_margin is not None:
            same = report._against_margin.equivalent(report.alpha)
            not_worse = report._against_margin.noninferior(report.alpha, ~same & (ahead == 0))
        each = zip(ahead.tolist(), same.tolist(), not_worse.tolist(), strict=True)
        found = [verdict_by(*one) for one in each]
        return [*map(without_direction, found)] if self._is_told else [*found]

    @cached_property
    def toward(self) -> NDArray[np.float64]:
        """Which of both is better, should they differ: 1 the first, -1 the second, 0 none."""
        pairwise = self._report.pairwise
        # Without limits there is no common direction, whatever the p-value.
        asked: Sequence[str] = pairwise.family.distinct("alternative")
        if len(asked) > 1:
            asked = [outcome.alternative for outcome in pairwise.family]
        toward = np.array([{"greater": 1.0, "less": -1.0}.get(each, 0.0) for each in asked])
        ahead = np.where(toward == 0, pairwise.directions, toward)
        limited = ~np.isnan(pairwise.family.beside_zero(self._levels))
        return np.asarray(np.where(limited, ahead, 0.0))

    @property
    def ends(self) -> Sequence[tuple[str, str]]:
        """Names of both systems of every pair."""
        return self._report.pairwise.pairs

    @property
    def adjusted(self) -> NDArray[np.float64]:
        """Adjusted p-values; nan where there is none."""
        return self._report.pairwise.adjusted_pvalues

    @cached_property
    def n_units(self) -> NDArray[np.int64]:
        """Units that each pair was compared on."""
        return self._report._n_units_of_pairs()

    @cached_property
    def surest(self) -> NDArray[np.intp]:
        """Places of the pairs, the smallest adjusted p-value first; without one, last."""
        alone = self._report.pairwise.pvalues
        known = (np.where(np.isnan(p), 2.0, p) for p in (alone, self.adjusted))
        return np.asarray(np.lexsort([*known]))

    def with_system(self, name: str, better: str | None = None) -> dict[str, Row]:
        """Return the rows of the pairs with one system by the other one, in their order.

        With `better` those in which that system is the better one.
        """
        found = {}
        for place in self._places_with(name):
            first, second = self._report.pairwise.pairs[place]
            if better is None or better_of(self.verdicts[place], first, second) == better:
                found[second if first == name else first] = self[place]
        return found

    def surest_winner(self, name: str) -> tuple[str, Row]:
        """Return the system that is better than another: of several by the smallest p-value.

        Where none is, one that differs significantly from it.
        """
        places = self._places_with(name)
        ends = [self._report.pairwise.pairs[place] for place in places]
        others = [b if a == name else a for a, b in ends]
        ahead = [
            (self.adjusted[place], self._rank[other], other, place)
            for (a, b), other, place in zip(ends, others, places, strict=True)
            if better_of(self.verdicts[place], a, b) == other
        ] or [
            (self.adjusted[place], self._rank[other], other, place)
            for other, place in zip(others, places, strict=True)
            if self.adjusted[place] < self._report.alpha
        ]
        *_, winner, place = min(ahead)
        return winner, self[place]

    @cached_property
    def _rank(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._report.order)}

    @cached_property
    def _places_by_system(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, pair in enumerate(self._report.pairwise.pairs):
            for name in pair:
                found.setdefault(name, []).append(place)
        return found

    def _places_with(self, name: str) -> list[int]:
        return self._places_by_system.get(name, [])

    def _built(self, place: int) -> Row:
        row = self._plain_row(place)
        return row if self._turned is None else self._turned(row)

    @cached_property
    def _tests(self) -> tuple[str, ...]:
        return self._report.pairwise.family.distinct("test")

    @cached_property
    def _levels(self) -> NDArray[np.float64]:
        return levels_of(self._report.pairwise, self._report.confidence_level)

    @cached_property
    def _interval_at(self) -> Callable[[int], tuple[float, float]]:
        return self._report.pairwise.family.intervals_at(self._levels)

    def _plain_row(self, place: int) -> Row:
        report, pairwise = self._report, self._report.pairwise
        outcome, pair = pairwise.outcomes[place], pairwise.pairs[place]
        adjusted = float(pairwise.adjusted_pvalues[place])
        same: EquivalenceOutcome | None = None
        if report.equivalences:
            same = report.equivalences[place]
        low, high = self._interval_at(place)
        verdict = self.verdicts[place]
        row = {
            "first": pair[0],
            "second": pair[1],
            "metric": report.metric,
            "scale": outcome.scale,
            "quantity": outcome.quantity.name,
            "n_units": int(self.n_units[place]),
            "estimate": to_plain(outcome.estimate),
            "low": to_plain(low),
            "high": to_plain(high),
            "simultaneous": outcome.simultaneous,
            "confidence_level": report.confidence_level,
            "interval_level": float(self._levels[place]),
            "statistic": to_plain(outcome.statistic),
            "df": to_plain(outcome.df),
            "pvalue": to_plain(outcome.pvalue),
            "adjusted_pvalue": to_plain(adjusted),
            "verdict": verdict,
            "better": better_of(verdict, *pair),
            "test": report.test if len(self._tests) == 1 else outcome.test,
            "effect_sizes": to_plain(outcome.effect_sizes),
        }
        if same is not None:
            row |= {
                "margin": report.margin,
                "equivalence_pvalue": to_plain(same.adjusted_pvalue),
            }
        if report.posteriors is not None:
            found = report.posteriors[place]
            named = found.probabilities._asdict().items()
            row |= {"rope": found.rope}
            row |= {f"probability_{name}": to_plain(value) for name, value in named}
        return row
