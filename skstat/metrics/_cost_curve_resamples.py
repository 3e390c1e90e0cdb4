"""Cost curves of resamples, on a grid of P(+)cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling import UnitPlan

# Numbers worked on at a time: they are gone through for every point of the grid.
_IN_CACHE = 1 << 15
_NUMBERS_OF_A_BLOCK = 1 << 21


@dataclass(frozen=True, eq=False)
class EnvelopeKernel:
    """Cost curves of several systems for any weights of the rows.

    Parameters
    ----------
    plan : UnitPlan
        Units, and how they are drawn.
    positive : ndarray of bool of shape (n_rows,)
        Rows of the positive class.
    scores : sequence of ndarray of shape (n_rows,)
        Scores of each system.
    grid : ndarray of shape (n_points,)
        P(+)cost at which curves are wanted.
    groups : ndarray of int of shape (n_rows,), optional
        Unit of every row; by default a unit is a row.
    """

    plan: UnitPlan
    positive: NDArray[np.bool_]
    scores: Sequence[NDArray[np.float64]]
    grid: NDArray[np.float64]
    groups: NDArray[np.int64] | None = None

    @property
    def block_size(self) -> int:
        """Resamples of a block; their weights take a bounded space."""
        return max(1, min(self.plan.block_size, _NUMBERS_OF_A_BLOCK // len(self.positive)))

    @property
    def resampled(self) -> "EnvelopeKernel":
        """What a bootstrap draws from: costs are not functions of sums, so these units."""
        return self

    @cached_property
    def _cuts(self) -> list[tuple[NDArray[np.int64], ...]]:
        return [_cuts(self.positive, scores) for scores in self.scores]

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Costs of resamples.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_units)
            How often each unit comes.

        Returns
        -------
        ndarray of shape (n_resamples, n_systems * n_points)
            Costs on the grid, one system after the other; nan where a class is missing.
        """
        rows = weights if self.groups is None else weights[:, self.groups]
        return np.hstack([self._envelope(cuts, rows) for cuts in self._cuts])

    def _envelope(
        self, cuts: tuple[NDArray[np.int64], ...], rows: NDArray[Any]
    ) -> NDArray[np.float64]:
        positives, negatives, n_positive, n_negative = cuts
        costs = np.empty((len(rows), len(self.grid)))
        step = max(1, _IN_CACHE // len(n_positive))
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            fnr = 1 - _shares(part, positives, n_positive)
            fpr = _shares(part, negatives, n_negative)
            fnr -= fpr
            line = np.empty_like(fpr)
            for j, x in enumerate(self.grid.tolist()):
                np.multiply(fnr, x, out=line)
                line += fpr
                np.min(line, axis=1, out=costs[start : start + step, j])
        return costs


def _cuts(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> Any:
    """Rows of both classes by falling score, and how many of them each threshold takes.

    Only thresholds between a positive row and a negative one that follows it can be best,
    whatever the rows weigh: elsewhere one step up or down costs no more.
    """
    order = np.argsort(-scores, kind="stable")
    falling, truth = scores[order], positive[order]
    last = np.append(np.flatnonzero(falling[1:] < falling[:-1]), len(order) - 1) + 1
    n_positive = np.concatenate([[0], np.cumsum(truth)[last - 1]])
    n_negative = np.concatenate([[0], np.cumsum(~truth)[last - 1]])
    useful = np.ones(len(n_positive), dtype=bool)
    useful[1:-1] = (np.diff(n_positive)[:-1] > 0) & (np.diff(n_negative)[1:] > 0)
    return order[truth], order[~truth], n_positive[useful], n_negative[useful]


def _shares(
    rows: NDArray[Any], members: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Share of the weight of a class that its first rows have."""
    total = np.zeros((len(rows), len(members) + 1))
    np.cumsum(rows.take(members, axis=1), axis=1, out=total[:, 1:])
    with np.errstate(invalid="ignore"):
        return total.take(counts, axis=1) / total[:, -1:]
