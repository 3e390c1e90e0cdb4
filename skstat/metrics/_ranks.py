"""Metrics of ranked scores, such as ROC AUC and average precision, from one sort."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.metrics._output_kinds import sorted_labels
from skstat.stats import Predictions
from skstat.stats._chance import ResamplingPlan, in_parts
from skstat.stats._kernels import Kernel
from skstat.stats._ordering import Ordering

# Weights scored together: their running sums stay in cache.
_IN_CACHE = 1 << 17
# Rows of either class from which the first-order approximation of a metric is good enough.
_MANY_OF_A_CLASS = 5_000


@dataclass(frozen=True, eq=False)
class RankedRows:
    """One score for every row, sorted, so that any weights of the rows can be scored.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_rows,)
        Rows of the positive class.
    ordering : Ordering
        Order of the scores; higher means more likely positive.
    """

    positive: NDArray[np.bool_]
    ordering: Ordering

    @cached_property
    def _auc_order(self) -> tuple[Any, Any, Any, Any]:
        """Rows of the larger class in order; those of the other, and their ranks among them.

        Cumulative sums cost less than lookups: they run over the larger class. Counting from
        above instead of below exchanges the classes.
        """
        members, ordering = self.positive, self.ordering
        is_turned = 2 * np.count_nonzero(members) > len(members)
        order = ordering.falling if is_turned else ordering.rising
        members = ~members if is_turned else members
        is_smaller = members[order]
        larger, smaller = order[~is_smaller], order[is_smaller]
        # In ascending order memory is read sequentially.
        up_to = np.cumsum(~is_smaller)
        if not ordering.tied:
            below = up_to[is_smaller]
            return larger, smaller, below, below  # no ties: one lookup is enough
        sizes = ordering.sizes[::-1] if is_turned else ordering.sizes
        of_run = up_to[np.cumsum(sizes) - 1]
        below = np.repeat(np.append(0, of_run[:-1]), sizes)[is_smaller]
        not_above = np.repeat(of_run, sizes)[is_smaller]
        if np.array_equal(below, not_above):
            not_above = below
        return larger, smaller, below, not_above

    @cached_property
    def _precision_order(self) -> tuple[Any, Any, Any, Any]:
        """Rows by falling score; positives among them, and the last row tied with each."""
        order = self.ordering.falling
        last = at = np.flatnonzero(self.positive[order])
        if self.ordering.tied:
            sizes = self.ordering.sizes[::-1]
            last = np.repeat(np.cumsum(sizes) - 1, sizes)[at]
        last_positive = np.searchsorted(at, last, side="right") - 1
        return order, order[at], last, last_positive

    def auc(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Return the area under the ROC curve for each row of weights; nan for one class."""
        larger, smaller, below, not_above = self._auc_order
        w_smaller = weights.take(smaller, axis=1)
        total = accumulate(weights.take(larger, axis=1))
        twice = _dot(w_smaller, total.take(below, axis=1))
        if not_above is below:
            twice *= 2
        else:
            twice += _dot(w_smaller, total.take(not_above, axis=1))
        pairs = total[:, -1].astype(np.float64) * w_smaller.sum(axis=1, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return twice / 2 / pairs

    def average_precision(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Return the average precision for each row of weights; nan without positives."""
        order, positives, last, last_positive = self._precision_order
        w_pos = weights.take(positives, axis=1)
        seen = accumulate(weights.take(order, axis=1))[:, 1:].take(last, axis=1)
        hits = accumulate(w_pos)[:, 1:]
        total = hits[:, -1].astype(np.float64)
        hits = hits.take(last_positive, axis=1)
        # Where the sum is 0, the weight of the row is 0 too.
        precision = hits / np.maximum(seen, np.finfo(np.float64).tiny)
        with np.errstate(divide="ignore", invalid="ignore"):
            return _dot(w_pos, precision) / total

    def break_even(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Return the precision where it equals recall; nan without one class.

        There as many rows are predicted positive as are positive; tied rows count in part.
        """
        order, *_ = self._precision_order
        falling = self.ordering.values[order]
        ends = np.append(np.flatnonzero(falling[1:] < falling[:-1]), len(order) - 1) + 1
        drawn, ends = weights.take(order, axis=1), np.append(0, ends)
        seen, hits = (
            accumulate(each).take(ends, axis=1).astype(np.float64)
            for each in (drawn, drawn * self.positive[order])
        )
        total, rows = hits[:, -1], np.arange(len(hits))
        # The run of tied scores in which the cut falls.
        place = np.minimum((seen[:, 1:] < total[:, None]).sum(axis=1), len(ends) - 2)
        (n, right), (n_after, right_after) = (
            (seen[rows, at], hits[rows, at]) for at in (place, place + 1)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (right + (total - n) / (n_after - n) * (right_after - right)) / total
        return np.where(seen[:, -1] > total, value, np.nan)

    @cached_property
    def _wins(self) -> NDArray[np.float64]:
        """Number of rows of the other class that each row beats; ties count half."""
        larger, smaller, below, not_above = self._auc_order
        wins, n_larger = np.empty(len(self.positive)), len(larger)
        wins[smaller] = (below + not_above) / 2
        # The others above each of the many are counted from their places.
        up_to = np.cumsum(np.bincount(below, minlength=n_larger + 1))[:n_larger]
        before = np.cumsum(np.bincount(not_above, minlength=n_larger + 1))[:n_larger]
        wins[larger] = len(smaller) - (up_to + before) / 2
        return wins

    @cached_property
    def _own_and_other(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Number of rows of the class of each row, and of the other class."""
        own = np.where(self.positive, self.positive.sum(), (~self.positive).sum())
        return own, len(own) - own

    def auc_without_each(self) -> NDArray[np.float64]:
        """Return the AUC without each of the rows."""
        own, other = self._own_and_other
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self._wins[self.positive].sum() - self._wins) / ((own - 1) * other)

    def auc_influence(self) -> NDArray[np.float64]:
        """Return the influence of each row on the AUC: the deviation of its placement.

        A placement is the share of the other class that the row is ranked on the right side
        of (DeLong, DeLong & Clarke-Pearson, 1988).
        """
        own, other = self._own_and_other
        area = self._wins[self.positive].sum() / (own * other)
        return np.asarray(len(own) / own * (self._wins / other - area))

    def average_precision_influence(self) -> NDArray[np.float64]:
        """Return the influence of each row on the average precision.

        With H_i positives among the S_i rows down to positive i's score, the metric is the
        mean of H_i / S_i. A row above i adds ``-H_i / S_i^2`` to it, and a positive one also
        ``1 / S_i``.
        """
        order, _, last, last_positive = self._precision_order
        n, n_positive = len(order), len(last)
        seen, hits = last + 1.0, last_positive + 1.0
        # Row number q of the order counts for the positives whose last tied row is below.
        above = np.bincount(last, -hits / seen**2, n)[::-1].cumsum()[::-1]
        own = np.bincount(last, 1 / seen, n)[::-1].cumsum()[::-1]
        slope = above
        where = np.flatnonzero(self.positive[order])
        precision = hits / seen
        slope[where] += own[where] + precision - precision.mean()
        influence = np.empty(n)
        influence[order] = slope * (n / n_positive)
        return influence


RankMetric = Literal["auc", "average_precision", "break_even"]


@dataclass(frozen=True, eq=False)
class RankKernel(Kernel):
    """ROC AUC or average precision of several systems; several classes are averaged.

    Parameters
    ----------
    plan : ResamplingPlan
        Units, and how they are drawn.
    rankings : sequence of sequence of RankedRows
        Of every system the ranked rows of each task; one task per class.
    metric : {"auc", "average_precision", "break_even"}
        Metric of each task.
    offset : float
        What is added to it.
    by_prevalence : bool
        Whether classes weigh as much as they are frequent, or all alike.
    groups : ndarray of int of shape (n_rows,), optional
        Unit of every row; by default a unit is a row.
    sample_weight : ndarray of shape (n_rows,), optional
        Weights of the rows.
    """

    plan: ResamplingPlan
    rankings: tuple[tuple[RankedRows, ...], ...]
    metric: RankMetric
    offset: float = 0.0
    by_prevalence: bool = False
    groups: NDArray[np.int64] | None = None
    sample_weight: NDArray[np.float64] | None = None
    how: str = "one sort for all resamples"
    what_swaps: str = "mid-ranks of the scores"

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """Rows of the positive class of every task."""
        return np.stack([task.positive for task in self.rankings[0]])

    def of_systems(self, indices: Sequence[int]) -> "RankKernel":
        kernel = replace(self, rankings=tuple(self.rankings[i] for i in indices))
        return self._with_scores(kernel, indices)

    @property
    def block_size(self) -> int:
        rows = self.positive.shape[1]
        return max(1, min(self.plan.block_size, (1 << 21) // rows))

    @property
    def differing(self) -> NDArray[np.bool_]:
        # A rank metric depends on mid-ranks alone.
        gaps = [a.ordering.mid_ranks != b.ordering.mid_ranks for a, b in self._tasks_of_two]
        differ = np.any(gaps, axis=0)
        if self.groups is None:
            return np.asarray(differ)
        return np.bincount(self.groups, differ, self.plan.n_atoms) > 0

    @property
    def class_sizes(self) -> tuple[int, ...]:  # type: ignore[override]
        """Rows of both classes of every task, which have equal weight in it."""
        positives = self.positive.sum(axis=1)
        sizes = np.concatenate([positives, self.positive.shape[1] - positives])
        return tuple(int(size) for size in sizes if size)

    @property
    def _tasks_of_two(self) -> list[tuple[RankedRows, RankedRows]]:
        """Every task of the first system with that of the second."""
        return list(zip(*self.rankings[:2], strict=True))

    @cached_property
    def _union(self) -> list[RankedRows]:
        """The rows of A and of B stacked and ranked together, so that swaps are weights."""
        return [
            RankedRows(
                np.concatenate([a.positive, a.positive]),
                Ordering(np.concatenate([a.ordering.mid_ranks, b.ordering.mid_ranks])),
            )
            for a, b in self._tasks_of_two
        ]

    @cached_property
    def resampled(self) -> Kernel:
        if self._influence_of_rows is None or not self.plan.has_many_units:
            return self
        if min(self.class_sizes, default=0) < _MANY_OF_A_CLASS:
            return self
        return self.to_first_order()

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        rows = self._of_rows(weights)
        return np.column_stack([self._score(tasks, rows) for tasks in self.rankings])

    def swapped(self, swaps: NDArray[Any]) -> NDArray[np.float64]:
        flips = np.asarray(swaps).astype(np.int64, copy=False)
        moved, stayed = self._of_rows(flips), self._of_rows(1 - flips)
        sides = np.hstack([stayed, moved]), np.hstack([moved, stayed])
        return np.column_stack([self._score(self._union, rows) for rows in sides])

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        plain = self.groups is None and self.sample_weight is None
        if not plain or self.metric != "auc" or len(self.positive) > 1:
            return super().left_out
        areas = np.column_stack([tasks[0].auc_without_each() for tasks in self.rankings])
        return areas + self.offset

    @property
    def _influence_of_rows(self) -> Callable[[RankedRows], NDArray[np.float64]] | None:
        """Formula of the influences of rows on one task; None where there is none."""
        if self.groups is not None or self.sample_weight is not None or self.by_prevalence:
            return None
        return {
            "auc": RankedRows.auc_influence,
            "average_precision": RankedRows.average_precision_influence,
        }.get(self.metric)

    def influence(self) -> NDArray[np.float64]:
        formula = self._influence_of_rows
        if formula is None:
            return super().influence()
        return np.column_stack(
            [np.mean([formula(task) for task in tasks], axis=0) for tasks in self.rankings]
        )

    def _of_rows(self, weights: NDArray[Any]) -> NDArray[Any]:
        rows = weights if self.groups is None else weights[:, self.groups]
        return rows if self.sample_weight is None else rows * self.sample_weight

    def _score(self, tasks: Sequence[RankedRows], rows: NDArray[Any]) -> NDArray[np.float64]:
        parts = [rows[part] for part in in_parts(len(rows), rows.shape[1], _IN_CACHE)]
        scores = [
            np.concatenate([getattr(task, self.metric)(part) for part in parts])
            for task in tasks
        ]
        if len(tasks) == 1:
            return scores[0] + self.offset
        if not self.by_prevalence:
            return np.mean(scores, axis=0)
        prevalence = np.array(
            [rows[:, task.positive].sum(axis=1, dtype=np.float64) for task in tasks]
        )
        # A missing class has weight 0, and an undefined AUC.
        weighted = np.where(prevalence > 0, prevalence * np.asarray(scores), 0.0)
        with np.errstate(invalid="ignore"):  # rows without any weight
            return weighted.sum(axis=0) / prevalence.sum(axis=0)


def of_ranks(
    name: RankMetric, predictions: Predictions, metric: Any, *, offset: float = 0.0
) -> RankKernel | None:
    """Build the kernel of a metric, as builders in ``_sums.py`` do."""
    outputs, options = list(predictions.outputs.values()), dict(metric.options)
    if metric.is_loss != bool(offset):
        return None
    tasks: list[tuple[Any, int | None]] = [(1, None)]
    average, several = options.pop("average", "macro"), [p.ndim == 2 for p in outputs]
    if all(several) and options.get("multi_class") == "ovr" and name == "auc" and not offset:
        classes = list(options.get("labels") or sorted_labels(predictions.y_true))
        tasks = [(label, column) for column, label in enumerate(classes)]
        fits = all(p.shape[1] == len(classes) for p in outputs)
        if average not in ("macro", "weighted") or not fits:
            return None
    elif any(several) or options.pop("multi_class", "ovr") != "ovr" or options:
        return None
    return RankKernel(
        plan=predictions.plan,
        rankings=tuple(tuple(_ranked(predictions, p, *one) for one in tasks) for p in outputs),
        metric=name,
        offset=offset,
        by_prevalence=len(tasks) > 1 and average == "weighted",
        groups=predictions.groups,
        sample_weight=predictions.sample_weight,
    )


def _ranked(
    predictions: Predictions, scores: NDArray[Any], label: Any, column: int | None
) -> RankedRows:
    """Return the cached ranking of one score of one system, against one class."""
    cache, y = predictions.cache, predictions.y_true
    positive = cache.once(("positive", label), lambda: y == label, y)
    column_, key = scores if column is None else scores[:, column], ("ranked", column)
    return cache.once(key, lambda: RankedRows(positive, Ordering(column_)), scores, positive)


def accumulate(weights: NDArray[Any]) -> NDArray[Any]:
    """Return cumulative sums along each row, starting with 0."""
    exact = np.int32 if weights.dtype.kind in "iu" else np.float64
    total = np.zeros((weights.shape[0], weights.shape[1] + 1), dtype=exact)
    np.cumsum(weights, axis=1, dtype=exact, out=total[:, 1:])
    return total


def _dot(weights: NDArray[Any], values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum of weights * values along each row, without overflow."""
    product = weights * values
    kind = np.int64 if product.dtype.kind in "iu" else np.float64
    return product.sum(axis=1, dtype=kind).astype(np.float64)
