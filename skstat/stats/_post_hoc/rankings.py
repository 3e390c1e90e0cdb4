"""Three ways to rank the scores of a table: Friedman's, aligned, and Quade's."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._omnibus import ranked_together
from skstat.stats._samples import ScoreTable

RankingName = Literal["friedman", "aligned", "quade"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranks of a table's scores, 1 for the best, and a weight of every unit.

    They go `by_size` where sizes of differences on different units are compared.
    Sums of ranks and weights are exact: both are multiples of one half.
    """

    label: str
    ranks: NDArray[np.float64]
    weights: NDArray[np.float64]
    by_size: bool = False

    @property
    def sums(self) -> NDArray[np.float64]:
        """Weighted rank sum of every system."""
        return np.asarray(self.weights @ self.ranks)

    @property
    def largest_difference(self) -> float:
        """Difference of mean ranks if one system were the best on all units, one the worst.

        Ties are not evidence: on a unit where all are tied nobody is better.
        """
        return float(self.weights @ np.ptp(self.ranks, axis=1) / self.weights.sum())

    @property
    def permutation_error(self) -> float:
        """Standard error of a difference of mean ranks, by exchanging systems within units.

        Two of k numbers drawn without replacement differ with variance 2 SS / (k - 1),
        SS their sum of squares about their mean; ties need no correction.
        """
        k = self.ranks.shape[1]
        squares = np.sum((self.ranks - self.ranks.mean(axis=1, keepdims=True)) ** 2, axis=1)
        variance = 2 / (k - 1) * (self.weights**2 @ squares)
        return float(np.sqrt(variance) / self.weights.sum())


def rank(table: ScoreTable, ranking: str) -> Ranking:
    """Rank a complete table."""
    equal = np.ones(table.n_units)
    if ranking == "friedman":
        return Ranking("mean rank", table.ranks, equal)
    if ranking not in ("aligned", "quade"):
        raise ValueError(
            f"ranking={ranking!r} is unknown; use 'friedman', 'aligned' or 'quade'."
        )
    sizes = np.abs(table.scores).max(axis=1)
    if ranking == "quade":
        weights = ranked_together(np.ptp(table.scores, axis=1), sizes)
        return Ranking("weighted mean rank", table.ranks, weights, by_size=True)
    aligned = table.scores.mean(axis=1, keepdims=True) - table.scores
    ranks = ranked_together(aligned.ravel(), np.repeat(sizes, table.n_systems))
    ranks = ranks.reshape(aligned.shape)
    return Ranking("mean aligned rank", ranks, equal, by_size=True)
