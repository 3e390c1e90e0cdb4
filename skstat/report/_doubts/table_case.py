"""The case of a table over data sets, and of two of its systems."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.report._doubts.case import Case
from skstat.report._doubts.context import Context, InContext
from skstat.report._doubts.family import Mask, Numbers
from skstat.report._words import sides_of
from skstat.stats import OmnibusOutcome, PairwiseOutcome, ScoreTable
from skstat.stats._outcomes import alpha_of
from skstat.stats._samples import PairsOfTable, ends_of, pairs_of_table


@dataclass(frozen=True, kw_only=True)
class TablePairCase(Case):
    """The scores of two of the systems of a table."""


@dataclass(frozen=True, kw_only=True)
class TablePairVerdict(Case):
    """The verdict on two of the systems of a table, without their scores."""

    sample: Any = None


@dataclass(frozen=True, kw_only=True)
class TableCase(InContext):
    """A comparison of several systems over data sets."""

    table: ScoreTable
    omnibus: OmnibusOutcome
    pairwise: PairwiseOutcome
    confidence_level: float
    context: Context = field(default_factory=Context)

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @cached_property
    def sides(self) -> Numbers:
        """Sides of 0 that the intervals of the pairs lie on; nan where there is none."""
        return sides_of(self.pairwise, self.confidence_level)

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.table.unit)

    @cached_property
    def pairs(self) -> PairsOfTable | None:
        """What is known of the differences of all pairs; None where scores are missing."""
        found = self.pairwise.family.differences
        if found is not None or self.table.n_units < 2 or self.table.missing.any():
            return found
        return pairs_of_table(self.table.scores, *self._ends)

    def of_pair(self, case: type[Case], place: int) -> Case:
        """Return the case of one pair: its verdict, or its scores."""
        pair, scores = self.pairwise.pairs[place], case is TablePairCase
        return case(
            sample=self.table.pair(*pair) if scores else None,
            outcome=self.pairwise.outcomes[place],
            names=pair,
            confidence_level=self.confidence_level,
            context=self.context,
            adjusted_pvalue=None if scores else float(self.pairwise.adjusted_pvalues[place]),
        )

    @cached_property
    def _ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Columns of both systems of every pair."""
        return ends_of(self.table.names, self.pairwise.pairs)

    @cached_property
    def suspicious(self) -> Mask:
        """Pairs with many ties, or whose mean and wins or ranks point in two directions."""
        first, second = self._ends
        wins, ties = self.table.wins(), self.table.ties()[first, second]
        ahead, behind = wins[first, second], wins[second, first]
        if self.pairs is not None:
            means, ranks = self.pairs.means, self.pairs.rank_biserial
        else:
            scores = self.table.scores.T
            ends = zip(scores[first], scores[second], strict=True)
            means = np.array([np.nanmean(a - b) for a, b in ends])
            effects = [outcome.effect_sizes for outcome in self.pairwise.family]
            ranks = np.array([found.get("rank-biserial", 0.0) for found in effects])
        against = (means * (ahead - behind) < 0) | (means * ranks < 0)
        return np.asarray((2 * ties >= ahead + behind + ties) | against)
