"""Predictions of several systems for one test set, and how to resample them."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, Self, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import (
    LARGEST_EXACT,
    Known,
    Written,
    check_choice,
    codes_of,
    in_time_order,
    numbered,
    rows_by_group,
    rows_together,
    score_by,
    weights_of,
)
from skstat.stats._kernels import CallableKernel, Kernel, SumKernel
from skstat.stats._resampling import CellPlan, UnitPlan, block_length_of
from skstat.stats._samples.noise import resolution_of
from skstat.stats._samples.scores import MIN_GROUPS, places_of

Draw = Literal["cells", "joint", "rows"]
# Numbers drawn at once: counts are for test sets that no memory is to be spent on.
_AT_ONCE = 1 << 20


@dataclass(kw_only=True, eq=False)
class Work:
    """What was found out about the rows of one test set.

    Only what is found of checked rows is put here, by whoever finds it first. None, and an
    entry that is missing, say that nobody asked yet.

    Attributes
    ----------
    plan : UnitPlan or None
        Draws rows or groups one by one.
    known : Known
        What was made of single arrays, such as their order.
    family : Predictions or None
        The systems that these two were taken from.
    pairs : dict of (str, str) to Work
        What was found out about pairs of the systems.
    facts : dict
        What was found out about all of these systems, by what finds it.
    """

    plan: UnitPlan | None = None
    known: Known = field(default_factory=Known)
    family: "Predictions | None" = None
    pairs: dict[tuple[str, str], "Work"] = field(default_factory=dict)
    facts: dict[Hashable, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        # Another process is asked about some systems alone: it takes how rows are drawn.
        return {**vars(Work()), "plan": self.plan}


@runtime_checkable
class Metric(Protocol):
    """A metric that knows how it behaves when rows are resampled."""

    name: str
    is_loss: bool

    def kernel(self, predictions: "Predictions") -> Kernel:
        """Make ready for resampling."""
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
    metric : Metric or callable
        A metric of :mod:`skstat.metrics`, or a function ``(y_true, y_pred)`` to a
        score, higher is better; it gets ``sample_weight`` too if weights are given.
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

    Attributes
    ----------
    counts : ndarray of int or None
        How many rows each of these stands for, where they come from
        :class:`PredictionCounts`; None where they are the rows themselves.

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

    _written_as: ClassVar[str] = "_summary"

    made_by: ClassVar[str] = "Predictions(y_true, {'a': a, 'b': b}, metric)"

    y_true: Any
    outputs: Mapping[str, Any]
    metric: Any
    groups: Any = None
    sample_weight: Any = None
    strata: Any = None
    order: Any = None
    block_length: int | None = None
    draw: Draw = "cells"
    counts: Any = field(init=False, repr=False, default=None)
    work: Work = field(init=False, repr=False, default_factory=Work)

    n_repeats: ClassVar[None] = None
    n_folds: ClassVar[None] = None
    test_train_ratio: ClassVar[None] = None

    @classmethod
    def _of_checked(cls, y_true: Any, outputs: Mapping[str, Any], **given: Any) -> Self:
        """Make a sample of parts of one that was checked: nothing is looked at again."""
        found = object.__new__(cls)
        given |= {"y_true": y_true, "outputs": outputs}
        given.setdefault("draw", "cells")
        if "work" not in given:
            given["work"] = Work()
        for item in fields(cls):
            object.__setattr__(found, item.name, given.get(item.name))
        return found

    def __post_init__(self) -> None:
        put = object.__setattr__
        beside = ("groups", "strata", "order", "sample_weight")
        if not hasattr(self.outputs, "items"):
            raise TypeError(
                "outputs must be a mapping of name to predictions, got "
                f"{type(self.outputs).__name__}."
            )
        outputs = dict(self.outputs.items())
        if not outputs:
            raise ValueError("predictions is empty; name the outputs of a system.")
        if not (isinstance(self.metric, Metric) or callable(self.metric)):
            raise TypeError(
                f"metric={self.metric!r} must be a function (y_true, y_pred) to a score; of "
                "the name of one skstat.metrics.as_metric(name) makes it."
            )
        check_choice("draw", self.draw, get_args(Draw))
        rows = rows_together(
            self.y_true, outputs, {name: getattr(self, name) for name in beside}
        )
        put(self, "y_true", rows.y_true)
        put(self, "outputs", rows.outputs)
        for name, values in rows.beside.items():
            put(self, name, values)
        if self.groups is not None and (self.strata is not None or self.order is not None):
            raise ValueError(
                "groups cannot be combined with strata or order: one says that groups are "
                "the units, the other that rows are."
            )
        if self.strata is not None and self.order is not None:
            raise ValueError("strata and order cannot be combined.")
        if self.sample_weight is not None:
            put(self, "sample_weight", weights_of(self.sample_weight))
        for name in ("groups", "strata"):
            if getattr(self, name) is not None:
                put(self, name, codes_of(getattr(self, name), name))
        self._check_groups()
        self._check_strata()
        self._sort()

    def _check_groups(self) -> None:
        if self.groups is None:
            return
        n_groups = int(self.groups.max()) + 1
        if n_groups < MIN_GROUPS:
            raise ValueError(
                f"groups has {n_groups} different values; at least {MIN_GROUPS} groups "
                "are needed to say anything about groups that were not seen. Collect "
                "more, or leave groups out and claim nothing beyond these groups."
            )

    def _check_strata(self) -> None:
        if self.strata is not None and np.bincount(self.strata).min() < 2:
            raise ValueError(
                "strata has a stratum of one row, which every resample would repeat as it is: "
                "nothing would vary. Join small strata; for rows that belong together pass "
                "groups."
            )

    def _sort(self) -> None:
        length = self.block_length
        if self.order is None:
            if length is not None:
                raise ValueError("block_length needs order: only ordered rows form blocks.")
            return
        by_time = in_time_order(self.order)
        put = object.__setattr__
        for name in ("y_true", "sample_weight"):
            values = getattr(self, name)
            put(self, name, None if values is None else values[by_time])
        put(self, "outputs", {name: out[by_time] for name, out in self.outputs.items()})
        put(self, "block_length", block_length_of(length, self.n_rows, "row"))

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the systems."""
        return tuple(self.outputs)

    @property
    def n_rows(self) -> int:
        """Number of rows of the test set; of counts, all that they stand for."""
        counted = self.counts is not None and self.draw != "rows"
        return int(self.counts.sum()) if counted else len(self.y_true)

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

    @property
    def plan(self) -> UnitPlan:
        """Plan that resamples rows or groups one by one; metrics share it."""
        if self.work.plan is None:
            self.work.plan = UnitPlan(self.n_units, self.strata, self.block_length)
        return self.work.plan

    @property
    def known(self) -> Known:
        """What was made of single arrays: metrics share it, and so do pairs of systems."""
        return self.work.known

    @property
    def family(self) -> "Predictions | None":
        """The systems that these two were taken from, scored by the same metric."""
        found = self.work.family
        if found is not None and found.metric is not self.metric:
            found = self.work.family = found.with_metric(self.metric)
        return found

    @cached_property
    def kernel(self) -> Kernel:
        """The metric, ready for resampling."""
        if self.counts is not None and self.draw != "rows":
            return _kernel_of_counts(self)
        if isinstance(self.metric, Metric):
            return self.metric.kernel(self)
        return callable_kernel(self, self.metric)

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score of every system."""
        scores = self.kernel.scores
        undefined = np.flatnonzero(~np.isfinite(scores))
        if undefined.size:
            raise ValueError(
                f"the metric is undefined ({scores[undefined[0]]}) for "
                f"predictions[{self.names[undefined[0]]!r}] on the whole test set (does y_true "
                "hold only one class, or one value?): there is nothing to compare."
            )
        return scores

    def summaries(self) -> list[dict[str, float | None]]:
        """Score of every system."""
        return [{"mean": float(score), "sd": None} for score in self.scores]

    @property
    def _summary(self) -> "PredictionsSummary":
        """What a report needs: the scores, not the rows."""
        return PredictionsSummary(
            names=self.names,
            unit=self.unit,
            n_units=self.n_units,
            n_rows=self.n_rows,
            ordered=self.ordered,
            scores=tuple(self.scores.tolist()),
        )

    def pair(self, a: str, b: str) -> "PairedPredictions":
        """Return two of the systems as a paired sample.

        Parameters
        ----------
        a, b : str
            Their labels.
        """
        places_of(self.names, (a, b))
        if a == b:
            raise ValueError(f"a paired sample holds two systems, got {a!r} twice.")
        if self.counts is not None:
            return PairedPredictions._of_checked(
                **{**self._some(a, b), "work": Work(family=self)}
            )
        fields_of_pair = self._with({a: self.outputs[a], b: self.outputs[b]})
        if self.names == (a, b):  # the same rows, which need no coding again
            fields_of_pair["work"] = self.work
        else:  # nor do they for another metric
            own = self.work.pairs.setdefault((a, b), fields_of_pair["work"])
            own.family = self
            fields_of_pair["work"] = own
        return PairedPredictions._of_checked(**fields_of_pair)

    def alone(self, name: str) -> "Predictions":
        """Return the predictions of one system, drawn as if there were no other.

        Parameters
        ----------
        name : str
            Its label.
        """
        return Predictions._of_checked(**{**self._some(name), "draw": "cells"})

    def _some(self, *names: str) -> dict[str, Any]:
        """Arguments for some systems; kinds of rows on which they are alike are one."""
        columns = [self.y_true, *(self.outputs[name] for name in names)]
        counts = self.counts
        if counts is not None:
            columns, counts = added_up(columns, counts)
        outputs = dict(zip(names, columns[1:], strict=True))
        given = {"y_true": columns[0], "outputs": outputs, "counts": counts, "work": Work()}
        return {**self._fields(), **given}

    def recoded(self, y_true: Any, outputs: Mapping[str, Any]) -> "Predictions":
        """Return the same rows with truth and outputs in another form.

        Parameters
        ----------
        y_true : ndarray of shape (n_rows, ...)
            Truth, in the order of the rows here.
        outputs : mapping of str to ndarray
            Outputs of the systems.
        """
        return Predictions._of_checked(**{**self._with(outputs), "y_true": y_true})

    def with_rows(self) -> "Predictions":
        """Return the same predictions with every row, or kind of row, as a unit of its own."""
        return self._of_checked(**{**self._fields(), "draw": "rows", "work": Work()})

    def on_rows(self, rows: NDArray[np.int64]) -> "Predictions":
        """Return the predictions for some rows, which are then independent units.

        Parameters
        ----------
        rows : ndarray of int
            Their numbers.
        """
        weight = self.sample_weight
        return Predictions._of_checked(
            self.y_true[rows],
            {name: output[rows] for name, output in self.outputs.items()},
            metric=self.metric,
            sample_weight=None if weight is None else weight[rows],
        )

    def _with(self, outputs: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments for the same test set with other outputs, on the same draws."""
        work = Work(plan=self.plan, known=self.known)
        return {**self._fields(), "outputs": outputs, "work": work}

    def _fields(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def with_metric(self, metric: Any) -> Self:
        """Return the same predictions, to be scored by another metric on the same draws."""
        return self._of_checked(**{**self._fields(), "metric": metric})


@dataclass(frozen=True, eq=False)
class PairedPredictions(Predictions):
    """Outputs of two systems A and B for the rows of one test set.

    Parameters
    ----------
    y_true, outputs, metric, groups, sample_weight, strata, order, block_length, draw
        As in :class:`Predictions`; `outputs` holds A and B, in this order.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedPredictions
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0]}
    >>> PairedPredictions([1, 0, 1, 1], outputs, accuracy).difference
    0.25
    """

    made_by: ClassVar[str] = "PairedPredictions(y_true, {'a': a, 'b': b}, metric)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.outputs) != 2:
            raise ValueError(
                f"a paired sample holds two systems, got {len(self.outputs)}; take them "
                "from Predictions with pair(a, b)."
            )

    @property
    def difference(self) -> float:
        """score(A) - score(B); float noise is set to zero."""
        a, b = self.scores
        return 0.0 if abs(a - b) <= self.noise else float(a - b)

    @property
    def noise(self) -> float:
        """Difference below which two scores count as equal."""
        return resolution_of(np.asarray(self.scores))

    @cached_property  # asked by the test and by several doubts, and it looks at every row
    def identical(self) -> bool:
        """Whether no swap of outputs could change a score."""
        return not self.kernel.differing.any()

    @property
    def _summary(self) -> "PredictionsSummary":
        return replace(super()._summary, identical=self.identical)


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionsSummary(Written):
    """What a report keeps of predictions, without the rows.

    Of one pair it says whether the two are identical, and maybe standard deviations over seeds.
    """

    names: tuple[str, ...] = ()
    unit: str
    n_units: int
    n_rows: int
    ordered: bool
    scores: tuple[float, ...]
    sds: tuple[float | None, ...] = ()
    identical: bool | None = None

    def __post_init__(self) -> None:
        sds = self.sds or [None] * len(self.scores)
        for name, values in (("names", self.names), ("scores", self.scores), ("sds", sds)):
            object.__setattr__(self, name, tuple(values))

    def summaries(self) -> list[dict[str, float | None]]:
        """Score of every system."""
        both = zip(self.scores, self.sds, strict=True)
        return [{"mean": score, "sd": sd} for score, sd in both]

    def turned(self) -> Self:
        """Return the summary of B and A."""
        sided = {name: getattr(self, name)[::-1] for name in ("names", "scores", "sds")}
        return replace(self, **sided)


class _KindsPlan(CellPlan):
    """Cells, drawn in smaller blocks than those of rows in memory."""

    @property
    def block_size(self) -> int:
        return max(1, min(super().block_size, _AT_ONCE // self.n_atoms))


def _kernel_of_counts(predictions: Predictions) -> Kernel:
    """The metric of one row of each kind, drawn as all of them."""
    metric, counts = predictions.metric, predictions.counts
    kernel = metric.kernel(predictions.with_rows()) if isinstance(metric, Metric) else None
    if not isinstance(kernel, SumKernel):
        what = "the metric" if kernel is None else f"metric={metric.name!r}"
        raise ValueError(
            f"{what} is not a function of sums over rows, and PredictionCounts tell no more: "
            "pass the rows, compare_predictions(y_true, predictions), or use a metric of "
            "labels or a mean over rows."
        )
    # Metrics of one call share all kinds, and so draws. A mean does not tell all kinds apart.
    if kernel.is_mean and predictions.draw != "joint":
        terms = np.hstack([kernel.common, *kernel.own])
        _, first, of_kind = np.unique(terms, axis=0, return_index=True, return_inverse=True)
        counts = sums_of_kinds(of_kind.ravel(), counts)
        own = tuple(part[first] for part in kernel.own)
        kernel = replace(kernel, common=kernel.common[first], own=own)
    how = f"counts of {len(counts)} kinds of rows"
    return replace(kernel, plan=_KindsPlan(counts), how=how)


def added_up(
    columns: list[NDArray[Any]], counts: NDArray[np.int64]
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Add up kinds that are alike, and put them in ascending order."""
    codes = np.zeros(len(counts), dtype=np.int64)
    for column in columns:
        _, (number,) = numbered([column])
        # Numbered anew after every column, so that the product cannot overflow.
        _, codes = np.unique(codes * (int(number.max()) + 1) + number, return_inverse=True)
    _, first = np.unique(codes, return_index=True)
    return [column[first] for column in columns], sums_of_kinds(codes, counts)


def sums_of_kinds(of_kind: NDArray[np.intp], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up the counts of every kind."""
    sums = np.zeros(int(of_kind.max()) + 1, dtype=np.int64)
    np.add.at(sums, of_kind, counts)
    return sums


def rows_where(predictions: Predictions, kinds: NDArray[np.bool_]) -> int:
    """Count the rows, of which an array has one entry each, or one for each kind."""
    counts = predictions.counts
    return int(np.count_nonzero(kinds) if counts is None else counts[kinds].sum())


def callable_kernel(predictions: Predictions, score: Callable[..., float]) -> CallableKernel:
    """Make any ``score(y_true, y_pred)`` ready for resampling."""
    rows = None
    if predictions.groups is not None:
        rows = rows_by_group(predictions.groups)
    return CallableKernel(
        plan=predictions.plan,
        metric=_OnRows(score, predictions.y_true, predictions.sample_weight),
        outputs=_alike(predictions.outputs),
        rows_of=rows,
    )


def _alike(outputs: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """Outputs of one type, so that those of one system can stand among another's."""
    shapes = {name: output.shape[1:] for name, output in outputs.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"the predictions differ in shape ({shapes}); they cannot be swapped.")
    numeric = all(output.dtype.kind in "biuf" for output in outputs.values())
    common: Any = np.result_type(*outputs.values()) if numeric else object
    if numeric and common.kind == "f" and any(map(_needs_integers, outputs.values())):
        common = object
    return tuple(output.astype(common, copy=False) for output in outputs.values())


def _needs_integers(output: NDArray[Any]) -> bool:
    """Whether floats would make other whole numbers of these."""
    return output.dtype.kind in "iu" and bool(
        output.max() > LARGEST_EXACT or output.min() < -LARGEST_EXACT
    )


@dataclass(frozen=True, eq=False)
class _OnRows:
    """A metric, applied to some rows of the truth; a class, so that workers can have it."""

    score: Callable[..., float]
    y_true: Any
    sample_weight: Any

    def __call__(self, rows: NDArray[np.int64], y_pred: Any) -> float:
        weight = self.sample_weight
        options = {} if weight is None else {"sample_weight": weight[rows]}
        if isinstance(self.score, Metric):  # it says itself what is wrong
            return self.score(self.y_true[rows], y_pred, **options)
        return score_by(self.score, self.y_true[rows], y_pred, **options)
