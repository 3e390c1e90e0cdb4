"""Predictions of several systems for one test set, with their resampling scheme."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Protocol, Self, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _read as read
from skstat.stats._chance import ResamplingPlan, block_length_of, plan_of_units
from skstat.stats._kernels import CallableKernel, Kernel, SumKernel
from skstat.stats._ordering import Cache, resolution_of
from skstat.stats._procedure import check_choice
from skstat.stats._scores import MIN_GROUPS, indices_of
from skstat.stats._stored import Written

Draw = Literal["cells", "joint", "rows"]
_ROW_FIELDS = ("groups", "strata", "order", "sample_weight", "counts")
# Numbers drawn at once: counts are for test sets that do not fit in memory.
_AT_ONCE = 1 << 20


@dataclass(kw_only=True, eq=False)
class Work:
    """Cached results about the rows of one test set.

    Only results of checked rows are stored here, by the code that computes them first. None,
    or a missing entry, means that it was not computed yet.

    Attributes
    ----------
    cache : Cache
        Results computed from single arrays, such as their order.
    family : Predictions or None
        The systems that these two were taken from.
    pairs : dict of (str, str) to Work
        Results about pairs of the systems.
    facts : dict
        Results about all of these systems, by keys of the code that computes them.
    """

    cache: Cache = field(default_factory=Cache)
    family: "Predictions | None" = None
    pairs: dict[tuple[str, str], "Work"] = field(default_factory=dict)
    facts: dict[Hashable, Any] = field(default_factory=dict)


@runtime_checkable
class Metric(Protocol):
    """A metric that knows how it behaves when rows are resampled."""

    name: str
    is_loss: bool

    def kernel(self, predictions: "Predictions") -> Kernel:
        """Return the kernel that computes scores of resamples."""
        ...


@dataclass(frozen=True, eq=False)
class Predictions(Written):
    """Outputs of one system or more for the rows of one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        What should have been predicted.
    outputs : mapping of str to array-like
        Outputs of each system, in the order of `y_true`; labelled rows (a pandas index,
        the keys of a mapping) are matched by their labels.
    metric : Metric or callable, optional
        A metric of :mod:`skstat.metrics`, or a function ``(y_true, y_pred)`` to a
        score, higher is better; it gets ``sample_weight`` too if weights are given. May be
        left out of counts that are handed to :func:`~skstat.compare_predictions`.
    groups : array-like of shape (n_rows,), optional
        Group (document, user, article) of every row: groups are resampled and
        swapped as a whole.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the metric.
    strata : array-like of shape (n_rows,), optional
        Strata whose sizes every bootstrap resample keeps.
    order : array-like of shape (n_rows,), optional
        Time of every row. Rows are put in this order, and resampled in blocks.
    block_length : int, optional
        Length of the blocks; default the cube root of the number of rows, rounded up.
    draw : {"cells", "joint", "rows"}, default="cells"
        What is drawn of independent rows: how many come of each kind of rows that are alike
        for the metric; the same of rows that are alike for all metrics, which then share
        draws; or the rows one by one.

    counts : array-like of int of shape (n_rows,), optional
        How many rows of the test set each of these stands for, as ``GROUP BY`` truth and
        outputs counts them: a test set of any size is compared by them, where the rows lie.
        Rows that are alike are added up, so that counts of several parts may stand one behind
        the other.

    Raises
    ------
    ValueError
        If lengths differ, there is no system or there are fewer than six groups, `draw` is
        unknown, or arguments exclude each other.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> sample = Predictions([1, 0, 1, 1], {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0]}, accuracy)
    >>> sample.n_units, sample.scores.tolist()
    (4, [0.75, 0.5])
    """

    example: ClassVar[str] = "Predictions(y_true, {'a': a, 'b': b}, metric)"

    y_true: Any
    outputs: Mapping[str, Any]
    metric: Any = None
    groups: Any = None
    sample_weight: Any = None
    strata: Any = None
    order: Any = None
    block_length: int | None = None
    draw: Draw = "cells"
    counts: Any = None

    def __post_init__(self) -> None:
        metric_follows = self.metric is None and self.counts is not None
        if not (metric_follows or callable(self.metric) or hasattr(self.metric, "kernel")):
            raise TypeError(
                f"metric={self.metric!r} must be a function; skstat.metrics.as_metric makes "
                "one of a name."
            )
        check_choice("draw", self.draw, get_args(Draw))
        columns = {name: getattr(self, name) for name in _ROW_FIELDS}
        truth, outputs, others = read.rows_together(self.y_true, self.outputs, columns)
        state = {"y_true": truth, "outputs": outputs, **others}
        schemes = [n for n in ("groups", "strata", "order", "counts") if state[n] is not None]
        if self.counts is not None and self.sample_weight is not None:
            schemes.insert(0, "sample_weight")
        if len(schemes) > 1:
            raise ValueError(f"{schemes[0]} cannot be combined with {schemes[1]}.")
        if self.sample_weight is not None:
            state["sample_weight"] = read.weights_of(state["sample_weight"]).copy()
        for name in {"groups", "strata"}.intersection(schemes):
            state[name] = read.codes_of(state[name], name)
        vars(self).update(state)
        if (counts := self.counts) is not None:  # checked, and rows of a kind added up
            for name, values in {"y_true": self.y_true, **self.outputs}.items():
                if values.ndim > 1:
                    raise ValueError(
                        f"{name} has shape {values.shape}: rows are counted by one label or "
                        "number each. Pass the rows themselves, without counts."
                    )
            if counts.ndim != 1 or counts.dtype.kind not in "biuf":
                raise ValueError("counts must hold one whole number for each kind of row.")
            whole = np.floor(counts) == counts
            valid = whole & (counts >= 0) & (counts < read.LARGEST_EXACT)
            if not valid.all():
                row = int(np.argmin(valid))
                raise ValueError(
                    f"counts[{row}] is {counts[row]}, no count; pass weights as sample_weight=."
                )
            if not counts.any():
                raise ValueError("counts are 0 everywhere: there are no rows.")
            vars(self).update(self._rows(counts > 0))
            vars(self).update(self._kinds(self.names))
        if self.groups is not None and self.n_units < MIN_GROUPS:
            raise ValueError(
                f"groups has {self.n_units} different values, and {MIN_GROUPS} are the fewest; "
                "collect more, or leave groups out and claim nothing beyond these groups."
            )
        if self.strata is not None and np.bincount(self.strata).min() < 2:
            raise ValueError("strata has a stratum of one row; join small strata.")
        if self.order is not None:
            length = block_length_of(self.block_length, len(self.y_true), "row")
            vars(self).update(self._rows(read.in_time_order(self.order)), block_length=length)
        elif self.block_length is not None:
            raise ValueError("block_length needs order: only ordered rows form blocks.")

    def _rows(self, rows: Any) -> dict[str, Any]:
        """Return truth, outputs, weights and counts of some rows."""
        columns = {name: getattr(self, name) for name in ("y_true", "sample_weight", "counts")}
        taken = {name: None if x is None else x[rows] for name, x in columns.items()}
        return {**taken, "outputs": {name: x[rows] for name, x in self.outputs.items()}}

    def _kinds(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the distinct rows of truth and outputs of some systems, and their counts."""
        columns = [self.y_true, *(self.outputs[name] for name in names)]
        codes = np.column_stack([read.numbered([column])[1][0] for column in columns])
        _, first, kind = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        truth, *outputs = (column[first] for column in columns)
        counts = sums_of_kinds(kind.ravel(), self.counts)
        by_name = dict(zip(names, outputs, strict=True))
        return {"y_true": truth, "outputs": by_name, "counts": counts}

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the systems."""
        return tuple(self.outputs)

    @property
    def n_rows(self) -> int:
        """Number of rows of the test set; of counts, all that they stand for."""
        are_kinds = self.counts is not None and self.draw != "rows"
        return int(self.counts.sum()) if are_kinds else len(self.y_true)

    @property
    def unit(self) -> str:
        """What is resampled: ``"instance"`` or ``"group"``."""
        return "instance" if self.groups is None else "group"

    @property
    def n_units(self) -> int:
        """Number of rows, or of groups."""
        return self.n_rows if self.groups is None else int(self.groups.max()) + 1

    @property
    def ordered(self) -> bool:
        """Whether the rows stand in time order."""
        return self.order is not None

    @cached_property
    def plan(self) -> ResamplingPlan:
        """Plan that resamples rows or groups one by one."""
        return plan_of_units(self.n_units, self.strata, self.block_length)

    @cached_property  # no field: another process may get some of the systems only
    def work(self) -> Work:
        """Cached results about the rows."""
        return Work()

    @property
    def cache(self) -> Cache:
        """Results computed from single arrays, shared by metrics and pairs of systems."""
        return self.work.cache

    @property
    def family(self) -> "Predictions | None":
        """The systems that these two were taken from, scored by the same metric."""
        family = self.work.family
        if family is not None and family.metric is not self.metric:
            family = self.work.family = family.with_(metric=self.metric)
        return family

    @cached_property
    def kernel(self) -> Kernel:
        """The metric, ready for resampling."""
        metric, counts = self.metric, self.counts
        has_kernel = isinstance(metric, Metric)
        if counts is None or self.draw == "rows":
            if metric is None:
                raise ValueError("there is no metric to score by: give metric=.")
            return metric.kernel(self) if has_kernel else callable_kernel(self, metric)
        kernel = metric.kernel(self.with_rows()) if has_kernel else None
        if not isinstance(kernel, SumKernel):
            what = "the metric" if kernel is None else f"metric={metric.name!r}"
            raise ValueError(
                f"{what} is not a function of sums over rows, which counts need: pass the "
                "rows themselves."
            )
        # With "joint", the metrics of one call share all kinds, and so draws. Otherwise rows
        # with the same terms of a mean are one kind.
        if kernel.is_mean and self.draw != "joint":
            terms = np.hstack([kernel.common, *kernel.own])
            _, first, kinds = np.unique(terms, axis=0, return_index=True, return_inverse=True)
            counts = sums_of_kinds(kinds.ravel(), counts)
            own = tuple(part[first] for part in kernel.own)
            kernel = replace(kernel, common=kernel.common[first], own=own)
        how = f"counts of {len(counts)} kinds of rows"
        return replace(kernel, plan=ResamplingPlan(counts, at_once=_AT_ONCE), how=how)

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score of every system."""
        scores = self.kernel.scores
        undefined = np.flatnonzero(~np.isfinite(scores))
        if undefined.size:
            raise ValueError(
                f"the metric is undefined ({scores[undefined[0]]}) for "
                f"predictions[{self.names[undefined[0]]!r}]; has y_true one class or one value?"
            )
        return scores

    def summaries(self) -> list[dict[str, float | None]]:
        """Score of every system."""
        return [{"mean": float(score), "sd": None} for score in self.scores]

    def _plain(self) -> dict[str, Any]:
        # A report needs the scores, not the rows.
        names = ("names", "unit", "n_units", "n_rows", "ordered")
        state = {name: getattr(self, name) for name in names}
        scores = tuple(self.scores.tolist())
        same = self.identical if len(scores) == 2 else None
        return PredictionsSummary(**state, scores=scores, identical=same)._plain()

    @property
    def difference(self) -> float:
        """Score of A minus score of B, of two systems; 0.0 if it is float noise."""
        self.check_two()
        a, b = self.scores
        return 0.0 if abs(a - b) <= self.noise else float(a - b)

    @property
    def noise(self) -> float:
        """Size below which a difference of two scores is float noise."""
        return resolution_of(self.scores)

    @cached_property  # the test and several doubts use it, and it takes a pass over the rows
    def identical(self) -> bool:
        """Whether no row can change the difference of two systems, for the metric."""
        self.check_two()
        return not self.kernel.differing.any()

    def check_two(self) -> None:
        """Raise ValueError unless there are two systems."""
        if len(self.outputs) != 2:
            raise ValueError(
                f"two systems are needed, not {len(self.outputs)}; take pair(a, b)."
            )

    def pair(self, a: str, b: str) -> Self:
        """Return two of the systems.

        Parameters
        ----------
        a, b : str
            Their labels.
        """
        indices_of(self.names, (a, b))
        if a == b:
            raise ValueError(f"a paired sample holds two systems, got {a!r} twice.")
        if self.names == (a, b):  # keep the cached results
            return self
        if self.counts is not None:
            return self.with_(**self._kinds((a, b)), work=Work(family=self))
        new = Work(cache=self.cache)  # shared with other metrics
        work = self.work.pairs.setdefault((a, b), new)
        work.family = self
        return self.with_(outputs={a: self.outputs[a], b: self.outputs[b]}, work=work)

    def alone(self, name: str) -> Self:
        """Return one of the systems, resampled by its own kinds of rows."""
        changes = {"outputs": {name: self.outputs[name]}}
        changes = changes if self.counts is None else self._kinds((name,))
        return self.with_(**changes, draw="cells", work=Work())

    def recoded(self, y_true: Any, outputs: Mapping[str, Any]) -> Self:
        """Return the same rows with truth and outputs in another form."""
        return self.with_(y_true=y_true, outputs=outputs, work=Work(cache=self.cache))

    def with_rows(self) -> Self:
        """Return the same rows, drawn one by one; with counts, one row of each kind."""
        return self.with_(draw="rows", work=Work())

    def on_rows(self, rows: NDArray[np.int64] | slice) -> Self:
        """Return some of the rows with the metric, without the resampling scheme."""
        return self.of_checked(metric=self.metric, **self._rows(rows))

    def with_(self, **changes: Any) -> Self:
        """Return a copy with changes that need no check, such as another metric."""
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        return self.of_checked(**state | {"work": self.work} | changes)


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionsSummary(Written):
    """Summary of predictions that a report stores, without the rows.

    For a pair it holds whether the two are identical, and maybe standard deviations over seeds.
    """

    names: tuple[str, ...] = ()
    unit: str
    n_units: int
    n_rows: int
    ordered: bool
    scores: tuple[float, ...]
    sds: tuple[float | None, ...] = ()
    identical: bool | None = None

    def summaries(self) -> list[dict[str, float | None]]:
        """Score of every system."""
        pairs = zip(self.scores, self.sds or [None] * len(self.scores), strict=True)
        return [{"mean": score, "sd": sd} for score, sd in pairs]

    def turned(self) -> Self:
        """Return the summary of B and A."""
        swapped = {name: getattr(self, name)[::-1] for name in ("names", "scores", "sds")}
        return replace(self, **swapped)


def sums_of_kinds(of_kind: NDArray[np.intp], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of the counts of every kind, which are exact below 2^53."""
    return np.bincount(of_kind, counts).astype(np.int64)


def rows_where(predictions: Predictions, kinds: NDArray[np.bool_]) -> int:
    """Return the number of rows where a mask, of rows or of kinds, is true."""
    counts = predictions.counts
    return int(np.count_nonzero(kinds) if counts is None else counts[kinds].sum())


def callable_kernel(predictions: Predictions, score: Callable[..., float]) -> CallableKernel:
    """Return the kernel of any function ``score(y_true, y_pred)``."""
    groups, y_true, weight = predictions.groups, predictions.y_true, predictions.sample_weight
    shapes = {name: output.shape[1:] for name, output in predictions.outputs.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"the predictions differ in shape ({shapes}); they cannot be swapped.")
    # Outputs of a common type, so that those of two systems can be swapped.
    columns = predictions.outputs.values()
    numeric = all(column.dtype.kind in "biuf" for column in columns)
    common: Any = np.result_type(*columns) if numeric else object
    if numeric and common.kind == "f":  # floats do not hold every whole number
        integers = [column for column in columns if column.dtype.kind in "iu"]
        if any(max(column.max(), -column.min()) > read.LARGEST_EXACT for column in integers):
            common = object
    rows_of = None
    if groups is not None:
        order = np.argsort(groups, kind="stable")
        rows_of = np.split(order, np.cumsum(np.bincount(groups))[:-1])
    return CallableKernel(
        plan=predictions.plan,
        metric=partial(_score_of_rows, score, y_true, weight),
        outputs=tuple(column.astype(common, copy=False) for column in columns),
        rows_of=rows_of,
    )


def _score_of_rows(
    score: Callable[..., float], y_true: Any, weight: Any, rows: NDArray[np.int64], y_pred: Any
) -> float:
    """Score outputs for some rows, with the truth and the weights of these rows."""
    options = {} if weight is None else {"sample_weight": weight[rows]}
    if isinstance(score, Metric):  # it raises errors of its own
        return score(y_true[rows], y_pred, **options)
    return read.score_by(score, y_true[rows], y_pred, **options)
