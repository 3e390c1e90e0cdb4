"""How many rows of a test set are alike: all that many metrics need to know of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import LARGEST_EXACT, rows_together
from skstat.stats._resampling import CellPlan, Kernel, SumKernel
from skstat.stats._samples.predictions import Draw, Metric, PairedPredictions, Predictions

# Numbers drawn at once: counts are for test sets that no memory is to be spent on.
_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class PredictionCounts:
    """How often each combination of the truth and all predictions comes in a test set.

    Metrics that are made of sums over rows need no more than this, however many rows there
    are. The counts of several files or workers add up: ``first + second``, ``sum(counts)``.
    :func:`skstat.compare_predictions` takes them in place of rows.

    Parameters
    ----------
    y_true : array-like of shape (n_kinds,)
        The truth of each kind of row: a label or a number.
    outputs : mapping of str to array-like of shape (n_kinds,)
        What each system predicted for it.
    counts : array-like of shape (n_kinds,)
        How many rows are of this kind: whole numbers.

    Attributes
    ----------
    y_true, outputs, counts
        The same, with kinds that are alike added up, those of no row left out, and the rest
        in ascending order. So the counts of a test set are the same however it was split.

    Raises
    ------
    ValueError
        If lengths differ, a value is missing, or a count is not a whole number of at least 0.

    See Also
    --------
    skstat.compare_predictions : Compare systems by such counts, or by rows.
    AgreementTable : Counts of right and wrong answers only.

    Examples
    --------
    >>> from skstat.stats import PredictionCounts
    >>> monday = PredictionCounts([0, 0, 1], {"a": [0, 1, 1], "b": [0, 0, 1]}, [50, 4, 30])
    >>> tuesday = PredictionCounts.from_rows([0, 1, 1], {"a": [0, 1, 0], "b": [0, 1, 1]})
    >>> counts = monday + tuesday
    >>> counts.n_rows, counts.n_kinds
    (87, 4)
    >>> counts.counts.tolist()
    [51, 4, 1, 31]
    """

    y_true: Any
    outputs: Mapping[str, Any]
    counts: Any

    def __post_init__(self) -> None:
        if not hasattr(self.outputs, "items"):
            raise TypeError(
                "outputs must be a mapping of name to predictions, got "
                f"{type(self.outputs).__name__}."
            )
        given = dict(self.outputs.items())
        if not given:
            raise ValueError("outputs is empty; name at least one system.")
        rows = rows_together(self.y_true, given, {"counts": self.counts})
        named = {f"outputs[{name!r}]": values for name, values in rows.outputs.items()}
        for name, values in {"y_true": rows.y_true, **named}.items():
            if values.ndim > 1:
                raise ValueError(
                    f"{name} has shape {values.shape}: rows are counted by one label or number "
                    "each. Pass the rows to compare_predictions(y_true, predictions)."
                )
        counts = _whole(rows.beside["counts"])
        kept = counts > 0
        columns = [column[kept] for column in (rows.y_true, *rows.outputs.values())]
        columns, counts = _added_up(columns, counts[kept])
        put = object.__setattr__
        put(self, "y_true", columns[0])
        put(self, "outputs", dict(zip(rows.outputs, columns[1:], strict=True)))
        put(self, "counts", counts)

    @classmethod
    def from_rows(cls, y_true: Any, predictions: Mapping[str, Any]) -> Self:
        """Count rows that are alike.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The truth.
        predictions : mapping of str to array-like of shape (n_rows,)
            Predictions of the systems, by name.

        Returns
        -------
        PredictionCounts
            Their counts, to be added to those of other rows.
        """
        return cls(y_true, predictions, np.ones(len(y_true), dtype=np.int64))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str,
        count: str = "count",
        systems: Iterable[str] | None = None,
    ) -> Self:
        """Read counts from a table with one row for each kind of row.

        Parameters
        ----------
        frame : DataFrame, or mapping of str to array-like
            A pandas or polars DataFrame, or the columns by name.
        y_true : str
            Column of the truth.
        count : str, default="count"
            Column of the counts.
        systems : iterable of str, optional
            Columns of the predictions; by default all others.

        Returns
        -------
        PredictionCounts
            The counts.

        Examples
        --------
        >>> from skstat.stats import PredictionCounts
        >>> columns = {"truth": [0, 1], "a": [0, 1], "b": [0, 0], "count": [900, 100]}
        >>> PredictionCounts.from_frame(columns, y_true="truth").names
        ('a', 'b')
        """
        columns = _columns_of(frame)
        for argument, column in (("y_true", y_true), ("count", count)):
            if column not in columns:
                raise ValueError(
                    f"{argument}={column!r} is not a column of frame, which has {columns}."
                )
        named = _systems(columns, systems, (y_true, count))
        return cls(frame[y_true], {name: frame[name] for name in named}, frame[count])

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the systems."""
        return tuple(self.outputs)

    @property
    def n_rows(self) -> int:
        """Number of rows of the test set."""
        return int(self.counts.sum())

    @property
    def n_kinds(self) -> int:
        """Number of kinds of rows: those that differ in the truth or in a prediction."""
        return len(self.counts)

    def of(self, *names: str) -> "PredictionCounts":
        """Return the counts of some of the systems.

        Parameters
        ----------
        *names : str
            Their labels.
        """
        for name in names:
            if name not in self.outputs:
                raise ValueError(f"{name!r} is not one of the systems {list(self.names)}.")
        if names == self.names:
            return self
        chosen = {name: self.outputs[name] for name in names}
        return PredictionCounts(self.y_true, chosen, self.counts)

    def __add__(self, other: Any) -> "PredictionCounts":
        if not isinstance(other, PredictionCounts):
            return NotImplemented
        if set(other.names) != set(self.names):
            raise ValueError(
                f"counts of the systems {list(self.names)} cannot be added to those of "
                f"{list(other.names)}: name the same systems in both."
            )
        outputs = {
            name: _joined(output, other.outputs[name]) for name, output in self.outputs.items()
        }
        truth = _joined(self.y_true, other.y_true)
        return PredictionCounts(truth, outputs, np.concatenate([self.counts, other.counts]))

    def __radd__(self, other: Any) -> "PredictionCounts":
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        return (
            f"PredictionCounts({self.n_rows} rows of {self.n_kinds} kinds, systems "
            f"{', '.join(self.names)})"
        )


def _columns_of(frame: Any) -> list[str]:
    if hasattr(frame, "columns"):
        return [str(column) for column in frame.columns]
    if hasattr(frame, "keys") and hasattr(frame, "__getitem__"):
        return [str(column) for column in frame.keys()]  # noqa: SIM118  mapping-like
    raise TypeError(
        f"frame must be a DataFrame or a mapping of columns, got {type(frame).__name__}."
    )


def _systems(
    columns: list[str], systems: Iterable[str] | None, taken: tuple[str, ...]
) -> list[str]:
    if systems is None:
        return [column for column in columns if column not in taken]
    named = [systems] if isinstance(systems, str) else [*systems]
    for name in named:
        if name not in columns or name in taken:
            raise ValueError(
                f"systems names {name!r}, which is not a column of predictions in frame; "
                f"its columns are {columns}."
            )
    return named


def _whole(values: Any) -> NDArray[np.int64]:
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise ValueError("counts must hold one whole number for each kind of row.")
    whole = (values >= 0) & (values < LARGEST_EXACT) & (values == np.floor(values))
    bad = np.flatnonzero(~whole)
    if bad.size:
        raise ValueError(
            f"counts[{bad[0]}] is {values[bad[0]]}, but a count is a whole number of at least "
            "0. Sums of weights are not counts: for weights pass the rows, and sample_weight=."
        )
    if not values.any():
        raise ValueError("counts are 0 everywhere: there are no rows.")
    return np.asarray(values, dtype=np.int64)


def _added_up(
    columns: list[NDArray[Any]], counts: NDArray[np.int64]
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Add up kinds that are alike, and put them in ascending order."""
    codes = np.zeros(len(counts), dtype=np.int64)
    for column in columns:
        number = _numbers(column)
        # Numbered anew after every column, so that the product cannot overflow.
        _, codes = np.unique(codes * (int(number.max()) + 1) + number, return_inverse=True)
    _, first = np.unique(codes, return_index=True)
    sums = np.zeros(len(first), dtype=np.int64)
    np.add.at(sums, codes, counts)
    return [column[first] for column in columns], sums


def _numbers(column: NDArray[Any]) -> NDArray[np.int64]:
    """Number the values of a column in ascending order."""
    if column.dtype.kind != "O":
        return np.asarray(np.unique(column, return_inverse=True)[1], dtype=np.int64)
    values = column.tolist()
    try:
        ordered = sorted(set(values))
    except TypeError as error:
        raise ValueError(f"labels mix types that have no order: {error}") from error
    number = {value: code for code, value in enumerate(ordered)}
    return np.array([number[value] for value in values], dtype=np.int64)


def _joined(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Put two columns below each other; text does not become numbers, nor numbers text."""
    if (first.dtype.kind == "O") == (second.dtype.kind == "O"):
        return np.concatenate([first, second])
    return np.concatenate([first.astype(object), second.astype(object)])


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
