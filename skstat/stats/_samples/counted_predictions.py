"""Predictions that are known by counts alone, resampled as the rows would be."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling import CellPlan, Kernel, SumKernel
from skstat.stats._samples.prediction_counts import PredictionCounts
from skstat.stats._samples.predictions import Draw, Metric, PairedPredictions, Predictions

# Numbers drawn at once: counts are for test sets that no memory is to be spent on.
_AT_ONCE = 1 << 20


class _KindsPlan(CellPlan):
    """Cells, drawn in smaller blocks than those of rows in memory."""

    @property
    def block_size(self) -> int:
        return max(1, min(super().block_size, _AT_ONCE // self.n_atoms))


@dataclass(frozen=True, eq=False)
class _KindsOfRows(Predictions):
    """One row of each kind, and how many there are of it."""

    counts: Any = None


class _Counted:
    """What is said of rows is said of as many as there are of each kind."""

    y_true: Any
    outputs: Any
    metric: Any
    counts: Any
    draw: Any

    @property
    def n_rows(self) -> int:
        """Number of rows of the test set, not of their kinds."""
        return int(self.counts.sum())

    @cached_property
    def kernel(self) -> Kernel:
        """The metric, ready for resampling: one row of each kind, drawn as all of them."""
        if not isinstance(self.metric, Metric):
            raise ValueError(_no_formula("the metric"))
        kinds = _KindsOfRows._of_checked(
            self.y_true, self.outputs, metric=self.metric, draw="rows", counts=self.counts
        )
        kernel = self.metric.kernel(kinds)
        if not isinstance(kernel, SumKernel):
            raise ValueError(_no_formula(f"metric={self.metric.name!r}"))
        counts = self.counts
        # Metrics of one call share all kinds, and so draws.
        if kernel.is_mean and self.draw != "joint":
            kernel, counts = _of_fewer_kinds(kernel, counts)
        how = f"counts of {len(counts)} kinds of rows"
        return replace(kernel, plan=_KindsPlan(counts), how=how)

    def pair(self, a: str, b: str) -> "CountedPair":
        """Return two of the systems as a paired sample."""
        counts = PredictionCounts(self.y_true, self.outputs, self.counts).of(a, b)
        return CountedPair(
            counts.y_true, counts.outputs, self.metric, counts=counts.counts, draw=self.draw
        )


@dataclass(frozen=True, eq=False)
class CountedPredictions(_Counted, Predictions):
    """Outputs of several systems, with the number of rows of each kind."""

    counts: Any = None


@dataclass(frozen=True, eq=False)
class CountedPair(_Counted, PairedPredictions):
    """Outputs of two systems, with the number of rows of each kind."""

    counts: Any = None


def counted_predictions(
    counts: PredictionCounts, metric: Any, *, joint: bool = False
) -> CountedPredictions:
    """Return counts as predictions to be scored by a metric, or `joint` by several."""
    draw: Draw = "joint" if joint else "cells"
    return CountedPredictions(
        counts.y_true, counts.outputs, metric, counts=counts.counts, draw=draw
    )


def _of_fewer_kinds(
    kernel: SumKernel, counts: NDArray[np.int64]
) -> tuple[SumKernel, NDArray[np.int64]]:
    """Add up kinds of rows that a mean does not tell from each other."""
    terms = np.hstack([kernel.common, *kernel.own])
    _, first, of_kind = np.unique(terms, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros(len(first), dtype=np.int64)
    np.add.at(sums, of_kind.ravel(), counts)
    fewer = replace(
        kernel, common=kernel.common[first], own=tuple(part[first] for part in kernel.own)
    )
    return fewer, sums


def rows_where(predictions: Predictions, kinds: NDArray[np.bool_]) -> int:
    """Count the rows, of which an array has one entry each, or one for each kind."""
    counts = getattr(predictions, "counts", None)
    return int(np.count_nonzero(kinds) if counts is None else counts[kinds].sum())


def _no_formula(what: str) -> str:
    return (
        f"{what} is not a function of sums over rows, and PredictionCounts tell no more: "
        "pass the rows, compare_predictions(y_true, predictions), or use a metric of labels "
        "or a mean over rows."
    )
