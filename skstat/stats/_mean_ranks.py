"""What a comparison of two mean ranks found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from skstat.stats._omnibus import unit_word
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    above_zero,
    check_level,
    limit,
)
from skstat.stats._rank_sums import rank_sum_pvalues
from skstat.stats._rankings import Ranking
from skstat.stats._score_table import ScoreTable


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanRankOutcome(Outcome):
    """Two of several systems, compared by their mean ranks; two-sided.

    The estimate is R_B - R_A: rank 1 is best, so that positive values favour A.

    Attributes
    ----------
    n_units, n_systems : int
        Size of the table that was ranked.
    largest : float
        Largest estimate that these units can give: A the best on all, B the worst.
    exact : bool
        Whether p-values count the rank sums, instead of taking them for normal.
    """

    scale = "mean rank"

    n_units: int
    n_systems: int
    largest: float
    exact: bool = False
    statistic_name: str = "z"

    @property
    def statistic(self) -> float:
        if self.standard_error:
            return self.estimate / self.standard_error
        return 0.0 if self.estimate == 0 else math.copysign(math.inf, self.estimate)

    @property
    def pvalue(self) -> float:
        return self._pvalue_of(self.estimate)

    @property
    def smallest_pvalue(self) -> float:
        return self._pvalue_of(self.largest) if self.df is None else 0.0

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval estimate -+ quantile * standard error.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in ranks; infinite when no difference of this
            many units is significant, nan when all units agree and leave no error to
            judge a difference by.
        """
        check_level(confidence_level)
        if not self.standard_error and self.estimate != 0:
            return ConfidenceInterval(math.nan, math.nan)
        half_width = self.critical_value(1 - confidence_level) * (self.standard_error or 0.0)
        if self.exact:  # rank sums one smaller than the critical one are kept
            half_width -= 1 / self.n_units
        return ConfidenceInterval(self.estimate - half_width, self.estimate + half_width)

    def critical_value(self, alpha: float = 0.05) -> float:
        """Quantile that abs(statistic) must exceed to reject, or reach where `exact`.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test.

        Returns
        -------
        float
            The quantile of z or t; infinite when no difference rejects.
        """
        check_level(1 - alpha, name="1 - alpha")
        if self.exact:
            rejecting = np.flatnonzero(rank_sum_pvalues(self.n_units, self.n_systems) <= alpha)
            return limit(rejecting, "greater") / self.n_units / (self.standard_error or 0.0)
        return float(-ndtri(alpha / 2) if self.df is None else -stdtrit(self.df, alpha / 2))

    def _pvalue_of(self, estimate: float) -> float:
        if self.exact:
            difference = round(abs(estimate) * self.n_units)
            return above_zero(rank_sum_pvalues(self.n_units, self.n_systems)[difference])
        if not self.standard_error:
            # All units agree to a hair: there is no error to judge a difference by.
            return 1.0 if estimate == 0 else math.nan
        z = -abs(estimate) / self.standard_error
        return above_zero(2 * (ndtr(z) if self.df is None else stdtr(self.df, z)))


AnyMeanRankOutcome = TypeVar("AnyMeanRankOutcome", bound=MeanRankOutcome)


def compare_mean_ranks(
    outcome: type[AnyMeanRankOutcome],
    table: ScoreTable,
    ranking: Ranking,
    pairs: Sequence[tuple[str, str]],
    standard_error: float,
    *,
    assumptions: tuple[str, ...],
    **rest: Any,
) -> tuple[AnyMeanRankOutcome, ...]:
    """One outcome for every pair."""
    number = {name: i for i, name in enumerate(table.names)}
    sums, total = ranking.sums.tolist(), float(ranking.weights.sum())
    mean_ranks = table.mean_ranks.tolist()
    wins = (table.wins() + table.ties() / 2).tolist()
    largest = ranking.largest_difference
    n, k, unit = table.n_units, table.n_systems, unit_word(table.unit)
    assumptions = (f"the {unit}s are independent of each other", *assumptions)
    among = f"over {unit}s, among these {k} systems"
    found = []
    for a, b in pairs:
        i, j = number[a], number[b]
        found.append(
            outcome(
                estimand=f"{ranking.label} of B - that of A, {among}",
                null_hypothesis=f"on every {unit} all {k} systems could change places",
                assumptions=assumptions,
                effect_sizes={
                    "difference in mean rank": mean_ranks[j] - mean_ranks[i],
                    "share of wins, ties half": wins[i][j] / n,
                },
                estimate=(sums[j] - sums[i]) / total,
                standard_error=standard_error,
                n_units=n,
                n_systems=k,
                largest=largest,
                **rest,
            )
        )
    return tuple(found)


def friedman_error(n_units: int, n_systems: int) -> float:
    """Standard error of a difference of two mean ranks without ties."""
    return math.sqrt(n_systems * (n_systems + 1) / (6 * n_units))


def enough_units(table: ScoreTable) -> str:
    """Say what it takes to use the normal distribution."""
    return f"the {unit_word(table.unit)}s are many enough for mean ranks to be normal"
