"""Slices of the rows: named parts, such as topics, in which systems are compared."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._arguments import explains_arguments
from skstat.stats._common import aligned

FEWEST_ROWS = 30
# Numbers of more values than that are cut into bins; where they are whole only if asked.
_MOST_VALUES = 12
_BINS = 4
_DIGITS = 3  # of a value at which is cut, where a part is only about as large as the others
MISSING = "missing"  # the label of rows that have no value

Rows = NDArray[np.int64]
Bins = int | Sequence[float] | Mapping[str, "int | Sequence[float]"] | None


@dataclass(frozen=True, eq=False)
class Slices:
    """Named parts of the rows of a test set, made by :func:`make_slices`.

    .. versionadded:: 0.2

    Attributes
    ----------
    rows : mapping of str to ndarray of int
        Numbers of the rows of every slice, by its name. Slices may share rows.
    n_rows : int
        Number of all rows.
    cut_by : tuple of str
        The columns that they are made of.
    fewest : int
        Rows from which on a slice is compared.
    notes : tuple of str
        How numbers were cut.
    """

    rows: Mapping[str, Rows]
    n_rows: int
    cut_by: tuple[str, ...] = ()
    fewest: int = FEWEST_ROWS
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(rows)}" for name, rows in [*self.rows.items()][:6])
        more = f", {len(self) - 6} more" if len(self) > 6 else ""
        return f"<Slices of {self.n_rows} rows: {sizes}{more}>"


@explains_arguments
def make_slices(
    by: Any,
    *,
    combine: bool = False,
    bins: Bins = None,
    fewest: int = FEWEST_ROWS,
) -> Slices:
    """Cut rows into named slices, for the ``by=`` of a comparison.

    ``by=column`` alone does the same with the defaults.

    .. versionadded:: 0.2

    Parameters
    ----------
    by : array-like of shape (n_rows,), DataFrame or mapping
        A column, whose values are the slices; or several by their names. In a mapping an array
        of True and False is a slice of its own, of the rows where it is True.
    combine : bool, default=False
        Whether all combinations of the values of different columns are slices too.
    bins : int, sequence of float, or mapping of str to these, optional
        How columns of numbers with more than 12 different values are cut: into so many parts
        of about equal size, or at these values. A value at which is cut belongs to the part
        above it. A mapping cuts the columns it names, whatever their number of values. By
        default numbers with decimals are cut into four parts, and whole numbers, which may be
        names, are refused.
    fewest : int, default=30
        Rows from which on a slice is compared. Smaller ones are left out, and named.

    Returns
    -------
    Slices
        Row numbers by name: ``"topic=law"``, ``"age < 30"``, ``"topic=law & age < 30"``.
        Missing values are a slice of their own.

    Raises
    ------
    ValueError
        If columns differ in length or are not one-dimensional, or an argument does not fit.

    Examples
    --------
    >>> from skstat import make_slices
    >>> make_slices({"topic": ["law", "art", "law"], "long": [5, 1, 3]}, combine=True)
    <Slices of 3 rows: topic=art: 1, topic=law: 2, long=1: 1, long=3: 1, long=5: 1, \
topic=art & long=1: 1, 2 more>
    """
    if isinstance(by, Slices):
        raise ValueError("by is a Slices already: pass it on as it is.")
    check_fewest(fewest)
    arrays = arrays_of(columns_of(by))
    sizes = {name: len(values) for name, values in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"the columns of by differ in length: {sizes}.")
    masks = _masks(by, arrays)
    return cut(arrays, masks, combine=combine, bins=bins, fewest=int(fewest))


def check_fewest(fewest: Any) -> None:
    """Refuse a number of rows that no slice can be compared on."""
    whole = isinstance(fewest, int | np.integer) and not isinstance(fewest, bool)
    if not whole or fewest < 2:
        raise ValueError(f"fewest={fewest!r} must be a whole number of at least 2.")


def slices_of(by: Any, n_rows: int, beside: Mapping[str, Any]) -> Slices:
    """Return the slices of `by`, in the order of the arguments beside it."""
    if isinstance(by, Slices):
        if by.n_rows != n_rows:
            raise ValueError(
                f"by has slices of {by.n_rows} rows, and there are {n_rows}: make them of the "
                "rows that are compared."
            )
        return by
    arrays = arrays_of(columns_of(by), beside, n_rows=n_rows)
    return cut(arrays, _masks(by, arrays))


def columns_of(by: Any) -> dict[str, Any]:
    """Return columns by name, as they were handed in."""
    if isinstance(by, Mapping):
        found = {str(name): values for name, values in by.items()}
    elif hasattr(by, "columns"):
        found = {str(name): by[name] for name in by.columns}
    elif isinstance(by, str) or by is None or np.ndim(by) == 0:
        raise ValueError(
            f"by={by!r} must be a column of the rows (an array with one value per row), "
            "several by their names, or what make_slices() returned."
        )
    else:
        named = getattr(by, "name", None)
        found = {"" if named is None else str(named): by}
    if not found:
        raise ValueError("by holds no column.")
    return found


def cut(
    arrays: Mapping[str, NDArray[Any]],
    masks: frozenset[str],
    *,
    combine: bool = False,
    bins: Bins = None,
    fewest: int = FEWEST_ROWS,
) -> Slices:
    """Cut rows by columns that are arrays of one length; those in `masks` are slices."""
    _check_bins(bins, arrays)
    n_rows = len(next(iter(arrays.values())))
    if not n_rows:
        raise ValueError("by is empty.")
    parts: dict[str, dict[str, Rows]] = {}
    notes: list[str] = []
    rows: dict[str, Rows] = {}
    for name, values in arrays.items():
        if name in masks:
            rows[name] = np.flatnonzero(values)
            continue
        parts[name], note = _parts_of(name, values, bins)
        notes += [note] if note else []
        rows |= parts[name]
    if combine:
        rows |= _combined(parts)
    return Slices(rows, n_rows, tuple(arrays), fewest, tuple(notes))


def _combined(parts: Mapping[str, Mapping[str, Rows]]) -> dict[str, Rows]:
    found = {}
    for n_columns in range(2, len(parts) + 1):
        for columns in combinations(parts, n_columns):
            for chosen in product(*(parts[column].items() for column in columns)):
                common = chosen[0][1]
                for _, rows in chosen[1:]:
                    common = np.intersect1d(common, rows, assume_unique=True)
                if len(common):
                    found[" & ".join(name for name, _ in chosen)] = common
    return found


def arrays_of(
    columns: Mapping[str, Any],
    beside: Mapping[str, Any] | None = None,
    *,
    n_rows: int | None = None,
    called: str = "by",
) -> dict[str, NDArray[Any]]:
    """Return the columns of one argument as arrays of one row order.

    Parameters
    ----------
    columns : mapping of str to array-like
        Columns by their names.
    beside : mapping of str to object, optional
        What else was handed in for the same rows, by the names of the arguments: it gives the
        order, where labels do.
    n_rows : int, optional
        Number of rows that each must have.
    called : str, default="by"
        Name of the argument that holds the columns.
    """
    shown = {f"{called}[{name!r}]" if name else called: own for name, own in columns.items()}
    found = aligned({**(beside or {}), **shown})
    arrays = {
        name: _one_dimensional(column, found[column])
        for name, column in zip(columns, shown, strict=True)
    }
    for column, values in zip(shown, arrays.values(), strict=True):
        if n_rows is not None and len(values) != n_rows:
            raise ValueError(
                f"{column} has {len(values)} values for {n_rows} rows: give one per row."
            )
    return arrays


def _one_dimensional(column: str, values: Any) -> NDArray[Any]:
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.empty(0).reshape(0, 0)
    if found.ndim != 1:
        raise ValueError(f"{column} must be one-dimensional, with one value per row.")
    # NumPy turns values of several types into texts, a missing one among them.
    return np.asarray(values, dtype=object) if found.dtype.kind in "US" else found


def _masks(by: Any, arrays: Mapping[str, NDArray[Any]]) -> frozenset[str]:
    """Name the columns of a mapping that say of every row whether it is in a slice."""
    if not isinstance(by, Mapping):
        return frozenset()
    return frozenset(name for name, values in arrays.items() if values.dtype.kind == "b")


def _check_bins(bins: Any, arrays: Mapping[str, Any]) -> None:
    each = bins.values() if isinstance(bins, Mapping) else [] if bins is None else [bins]
    if isinstance(bins, Mapping) and (unknown := [name for name in bins if name not in arrays]):
        raise ValueError(
            f"bins names {unknown[0]!r}, which is not a column of by: {list(arrays)}."
        )
    for wanted in each:
        if isinstance(wanted, int | np.integer) and not isinstance(wanted, bool):
            if wanted < 2:
                raise ValueError(f"bins={wanted!r} must be at least 2 parts.")
            continue
        edges = np.asarray(wanted, dtype=float) if not isinstance(wanted, str) else np.empty(0)
        if edges.ndim != 1 or not len(edges) or not np.all(np.diff(edges) > 0):
            raise ValueError(
                f"bins={wanted!r} must be a number of parts, or increasing values to cut at."
            )


def _parts_of(name: str, values: NDArray[Any], bins: Bins) -> tuple[dict[str, Rows], str]:
    """Return the slices of one column, and how it was cut if it was."""
    missing = is_missing(values)
    there = np.flatnonzero(~missing)
    found, note = _values_or_bins(name, values[there], bins)
    parts = {label: there[rows] for label, rows in found.items()}
    if missing.any():
        parts[_named(name, MISSING)] = np.flatnonzero(missing)
    return parts, note


def is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which values of a column are missing: None, nan, and the like."""
    return np.array([value is None or value != value for value in values.tolist()], dtype=bool)


def values_of(values: NDArray[Any]) -> dict[str, Rows]:
    """Return the rows of every value of a column, by the label of the value."""
    labels, codes = _coded(values)
    return {label: np.flatnonzero(codes == k) for k, label in enumerate(labels)}


def _values_or_bins(name: str, values: NDArray[Any], bins: Bins) -> tuple[dict[str, Rows], str]:
    numbers = as_numbers(values)
    wanted: Any = bins.get(name) if isinstance(bins, Mapping) else None
    if wanted is not None and numbers is None:
        raise ValueError(f"bins cuts the column {name!r}, which does not hold numbers.")
    if numbers is not None and wanted is None and len(np.unique(numbers)) > _MOST_VALUES:
        if isinstance(bins, Mapping) or bins is None:
            _refuse_whole(name, numbers)
            wanted = _BINS
        else:
            wanted = bins
    if numbers is None or wanted is None:
        parts = values_of(values if numbers is None else numbers)
        return {_named(name, label): rows for label, rows in parts.items()}, ""
    by_quantiles = isinstance(wanted, int | np.integer)
    if by_quantiles:
        edges = _rounded(np.unique(np.quantile(numbers, np.arange(1, wanted) / wanted)))
        edges = edges[(edges > numbers.min()) & (edges <= numbers.max())]
    else:
        edges = np.asarray(wanted, dtype=float)
    place = np.searchsorted(edges, numbers, side="right")
    rows = {_between(name, edges, k): np.flatnonzero(place == k) for k in range(len(edges) + 1)}
    shown = ", ".join(f"{edge:g}" for edge in edges)
    how = "at its quantiles " if by_quantiles else "at "
    return {label: part for label, part in rows.items() if len(part)}, (
        f"{name or 'the column'} cut {how}{shown}"
    )


def _refuse_whole(name: str, numbers: NDArray[np.float64]) -> None:
    if np.array_equal(numbers, np.rint(numbers)):
        n, column = len(np.unique(numbers)), f"by[{name!r}]" if name else "by"
        raise ValueError(
            f"{column} holds {n} different whole numbers, which may be amounts or names. Cut "
            "amounts by make_slices(..., bins=4), and pass names as texts: .astype(str)."
        )


def _rounded(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round values to cut at, unless some would be the same."""
    found = np.array([float(f"{edge:.{_DIGITS}g}") for edge in edges])
    return found if np.all(np.diff(found) > 0) else edges


def as_numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return a column of numbers as floats; None of another."""
    if values.dtype.kind in "iuf":
        return values.astype(float)
    listed = values.tolist()
    numbers = (int, float, np.integer, np.floating)
    if all(isinstance(v, numbers) and not isinstance(v, bool) for v in listed) and listed:
        return np.array(listed, dtype=float)
    return None


def _coded(values: NDArray[Any]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the labels of a column, in their order, and of every row the number of its."""
    listed = values.tolist()
    distinct = list(dict.fromkeys(listed))
    with suppress(TypeError):  # of types that have no common order the first comes first
        distinct.sort()
    number = {value: k for k, value in enumerate(distinct)}
    codes = np.array([number[value] for value in listed], dtype=np.int64)
    return [f"{v:g}" if isinstance(v, float) else str(v) for v in distinct], codes


def _named(column: str, label: str) -> str:
    return f"{column}={label}" if column else label


def _between(column: str, edges: NDArray[np.float64], place: int) -> str:
    low = -math.inf if place == 0 else float(edges[place - 1])
    high = math.inf if place == len(edges) else float(edges[place])
    return between(column or "value", low, high)


def between(column: str, low: float, high: float) -> str:
    """Say that the values of a column are `low` or more, and below `high`."""
    if math.isinf(low):
        return f"{column} < {_digits(high)}"
    if math.isinf(high):
        return f"{column} >= {_digits(low)}"
    return f"{_digits(low)} <= {column} < {_digits(high)}"


def _digits(value: float) -> str:
    """Write a number with as many digits as tell it from all others."""
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def without_small(slices: Slices) -> tuple[Slices, dict[str, str]]:
    """Leave out slices of too few rows, and say why, by their names."""
    few = {
        name: f"{len(rows)} row{'s' * (len(rows) != 1)}, fewer than {slices.fewest}"
        for name, rows in slices.rows.items()
        if len(rows) < slices.fewest
    }
    kept = {name: rows for name, rows in slices.rows.items() if name not in few}
    return replace(slices, rows=kept), few
