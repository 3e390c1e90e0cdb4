"""What a comparison of two mean ranks found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from skstat.stats._common import Quantity
from skstat.stats._multiplicity import Adjustment, adjust_pvalues
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    above_zero,
    check_alpha,
    check_level,
    interval_about,
    limit,
    t_of,
    unit_word,
)
from skstat.stats._post_hoc.rankings import Ranking
from skstat.stats._samples import ScoreTable


@lru_cache(maxsize=8)
def rank_sum_pvalues(n: int, k: int) -> NDArray[np.float64]:
    """Two-sided p-values of the differences 0, 1, ..., n (k - 1).

    On one unit without ties two of k systems differ by d ranks with probability (k -
    |d|) / (k (k - 1)); over n units these add up (Eisinga et al., 2017).
    """
    distances = np.abs(np.arange(-(k - 1), k))
    one = np.where(distances, (k - distances) / (k * (k - 1)), 0.0)
    # Sums of products of positive numbers keep every tail to all digits; a Fourier
    # transform would not.
    found, power, left = np.ones(1), one, n
    while left:
        if left % 2:
            found = np.convolve(found, power)
        left //= 2
        if left:
            power = np.convolve(power, power)
    middle = n * (k - 1)
    tail = np.cumsum(found[: middle + 1])[::-1]  # smallest numbers first
    tail = np.minimum(1.0, 2 * tail)
    tail.setflags(write=False)
    return tail


_IN_RANKS = Quantity(name="difference in mean rank", is_difference=False, compares_sizes="no")
_IN_RANKS_BY_SIZE = replace(_IN_RANKS, compares_sizes="strongly")


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanRankOutcome(Outcome):
    """Two of several systems, compared by their mean ranks; two-sided.

    The estimate is R_B - R_A: rank 1 is best, so that positive values favour A.

    The interval is the estimate minus and plus a quantile times the standard error, in ranks;
    it is nan when all units agree: they leave a p-value, but no error to say how far from zero
    the difference is. `critical_value` is that quantile of z or t, which abs(statistic) must
    exceed, or reach where `exact`.

    Attributes
    ----------
    n_units, n_systems : int
        Size of the table that was ranked.
    largest : float
        Largest estimate that these units can give: A the best on all, B the worst.
    by_size : bool
        Whether the sizes of differences on different units decide about the ranks, as they
        do about aligned ranks and Quade's.
    exact : bool
        Whether p-values count the rank sums, instead of treating them as normal.
    floor : float
        Least p-value that rearranging the ranks within units can give, below which no t
        is trusted; 0 where there is no such bound.
    compared : str
        Name of what the estimate is a difference of, as ``"weighted mean rank"``.
    """

    scale = "mean rank"
    _chances = ("share of wins, ties half",)

    n_units: int
    n_systems: int
    largest: float
    by_size: bool = False
    exact: bool = False
    floor: float = 0.0
    compared: str = "mean rank"
    statistic_name: str = "z"

    @property
    def quantity(self) -> Quantity:
        return _IN_RANKS_BY_SIZE if self.by_size else _IN_RANKS

    @property
    def statistic(self) -> float:
        return t_of(self)

    @property
    def pvalue(self) -> float:
        return self._pvalue_of(self.estimate)

    @property
    def smallest_pvalue(self) -> float:
        return self._pvalue_of(self.largest) if self.df is None else self.floor

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        alpha = 1 - confidence_level
        critical = self.critical_value(alpha)
        if math.isinf(critical):
            return ConfidenceInterval(-math.inf, math.inf)
        if self.exact:
            # In whole numbers: 0 is in it if and only if the test does not reject.
            difference = round(self.estimate * self.n_units)
            kept = self._critical_count(alpha) - 1
            low, high = difference - kept, difference + kept
            return ConfidenceInterval(low / self.n_units, high / self.n_units)
        return interval_about(self, critical)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        if self.exact:
            return self._critical_count(alpha) / self.n_units / (self.standard_error or 0.0)
        if self.floor > alpha:
            return math.inf
        return float(-ndtri(alpha / 2) if self.df is None else -stdtrit(self.df, alpha / 2))

    def _critical_count(self, alpha: float) -> float:
        """Least difference of two rank sums that rejects; infinite if none does."""
        pvalues = rank_sum_pvalues(self.n_units, self.n_systems)
        # 1 - confidence_level is not alpha to the last bit.
        return limit(np.flatnonzero(pvalues <= alpha * (1 + 1e-12)), "greater")

    def _pvalue_of(self, estimate: float) -> float:
        if self.exact:
            difference = round(abs(estimate) * self.n_units)
            return above_zero(rank_sum_pvalues(self.n_units, self.n_systems)[difference])
        if not self.standard_error:
            # All units agree: there is no error to judge a difference by, but agreement
            # has a probability.
            return 1.0 if estimate == 0 else self.floor or math.nan
        z = -abs(estimate) / self.standard_error
        pvalue = 2 * (ndtr(z) if self.df is None else stdtr(self.df, z))
        return above_zero(max(pvalue, self.floor))


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
                estimand=f"{ranking.label} of B - {ranking.label} of A, {among}",
                null_hypothesis=f"all {k} systems are exchangeable on every {unit}",
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
                compared=ranking.label,
                by_size=ranking.by_size,
                **rest,
            )
        )
    return tuple(found)


def smallest_adjusted(
    outcomes: Sequence[MeanRankOutcome],
    ranking: Ranking,
    adjustment: Adjustment,
    *,
    with_control: bool,
) -> float | None:
    """Bound of the smallest adjusted p-value that exchanges within units can give.

    Only the best and the worst system can be as far apart as possible. The j largest
    differences add up to no more than they can where all units agree on one ranking,
    and the smallest of them is at most their mean. None for a procedure that asks which
    pair has which p-value: the bound of all pairs at their smallest has to do.
    """
    if adjustment == "bergmann-hommel":
        return None
    first = outcomes[0]
    agreed = ranking.weights @ np.sort(ranking.ranks, axis=1) / ranking.weights.sum()
    sums = _of_control(agreed) if with_control else _of_pairs(agreed)
    differences = sums / np.arange(1, len(outcomes) + 1)
    if first.exact:  # whole rank sums
        differences = np.floor(differences * first.n_units + 1e-9) / first.n_units
    pvalues = [first._pvalue_of(difference) for difference in differences.tolist()]
    return float(np.min(adjust_pvalues(pvalues, adjustment)))


def _of_pairs(agreed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Largest sums of 1, 2, ... differences, of ascending mean ranks."""
    differences = [high - low for low, high in combinations(agreed.tolist(), 2)]
    return np.cumsum(sorted(differences, reverse=True))


def _of_control(agreed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Largest sums of 1, 2, ... distances from a control, wherever that ranks."""
    k = len(agreed)
    found = []
    for j in range(1, k):
        rest = [0] * (k - 1 - j)
        # The control ranks behind a of the j systems and ahead of the others.
        signs = [sorted([2 * a - j, *[-1] * a, *[1] * (j - a), *rest]) for a in range(j + 1)]
        found.append(float(np.max(np.array(signs) @ agreed)))
    return np.array(found)


def friedman_error(n_units: int, n_systems: int) -> float:
    """Standard error of a difference of two mean ranks without ties."""
    return math.sqrt(n_systems * (n_systems + 1) / (6 * n_units))


def enough_units(table: ScoreTable) -> str:
    """Say what it takes to use the normal distribution."""
    return f"there are enough {unit_word(table.unit)}s for mean ranks to be close to normal"
