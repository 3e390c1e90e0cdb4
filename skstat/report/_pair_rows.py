"""What a report on several systems knows of its pairs: as arrays, and as rows when read."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.report._adapter import signed
from skstat.report._words import (
    ShownMetric,
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
    is_told : bool, default=False
        Whether verdicts name no winner where the direction is not known.
    """

    def __init__(self, report: Any, *, is_told: bool = False) -> None:
        self._report, self._is_told = report, is_told

    def told(self) -> "PairRows":
        """Return the rows as a reader gets them: no winner where the direction is not known."""
        if not self._report.direction_assumed:
            return self
        return PairRows(self._report, is_told=True)

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
    def adjusted(self) -> NDArray[np.float64]:
        """Adjusted p-values; nan where there is none."""
        return self._report.pairwise.adjusted_pvalues

    @cached_property
    def n_units(self) -> NDArray[np.int64]:
        """Units that each pair was compared on."""
        return self._report._n_units_of_pairs()

    @cached_property
    def _tests(self) -> tuple[str, ...]:
        return self._report.pairwise.family.distinct("test")

    @cached_property
    def _levels(self) -> NDArray[np.float64]:
        return levels_of(self._report.pairwise, self._report.confidence_level)

    @cached_property
    def _interval_at(self) -> Callable[[int], tuple[float, float]]:
        return self._report.pairwise.family.intervals_at(self._levels)

    def _built(self, place: int) -> Row:
        report, pairwise = self._report, self._report.pairwise
        outcome, pair = pairwise.outcomes[place], pairwise.pairs[place]
        adjusted = float(pairwise.adjusted_pvalues[place])
        same: EquivalenceOutcome | None = None
        if report.equivalences:
            same = report.equivalences[place]
        turn = ShownMetric(report.metric, report.is_loss and outcome.scale == "score")
        shown = signed(outcome, turn)
        low, high = turn.interval(*self._interval_at(place))
        verdict = self.verdicts[place]
        row = {
            "first": pair[0],
            "second": pair[1],
            "metric": report.metric,
            "scale": outcome.scale,
            "quantity": outcome.quantity.name,
            "n_units": int(self.n_units[place]),
            "estimate": to_plain(turn.value(outcome.estimate)),
            "low": to_plain(low),
            "high": to_plain(high),
            "simultaneous": outcome.simultaneous,
            "confidence_level": report.confidence_level,
            "interval_level": float(self._levels[place]),
            "statistic": to_plain(shown.statistic),
            "df": to_plain(outcome.df),
            "pvalue": to_plain(outcome.pvalue),
            "adjusted_pvalue": to_plain(adjusted),
            "verdict": verdict,
            "better": better_of(verdict, *pair),
            "test": report.test if len(self._tests) == 1 else outcome.test,
            "effect_sizes": to_plain(shown.effects),
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
