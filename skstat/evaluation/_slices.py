"""Slices of the rows: named parts, such as topics, in which systems are compared."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._arguments import explains_arguments
from skstat._spelling import meant_by
from skstat.stats._read import aligned, missing_in
from skstat.stats._scores import check_count

FEWEST_ROWS = 30
# Numbers of more values than that are cut into bins; where they are whole only if asked.
_MOST_VALUES = 12
_BINS = 4
_DIGITS = 3  # of a value at which is cut, where a part is only about as large as the others
_BOOLEANS = (bool, np.bool_)
MISSING = "missing"  # the label of rows that have no value

Rows = NDArray[np.int64]
Named = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]
Bins = int | Sequence[float] | Mapping[str, "int | Sequence[float]"] | None


@dataclass(frozen=True, eq=False)
class Slices:
    """Named parts of the rows of a test set, made by :func:`make_slices`.

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


@explains_arguments()
def make_slices(
    by: Any, *, combine: bool = False, bins: Bins = None, fewest: int = FEWEST_ROWS
) -> Slices:
    """Cut rows into named slices, for the ``by=`` of a comparison.

    ``by=column`` alone does the same with the defaults.

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
        Missing values are a slice of their own. Different values are different slices: texts
        that read as another value of the column are in quotes, ``"code='1'"`` beside
        ``"code=1"``.

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
    fewest = check_count("fewest", fewest, least=2)
    arrays = arrays_of(columns_of(by))
    sizes = {name: len(values) for name, values in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"the columns of by differ in length: {sizes}.")
    return cut(by, arrays, combine=combine, bins=bins, fewest=fewest)


def slices_of(by: Any, n_rows: int, arrays: Mapping[str, Any]) -> Slices:
    """Return the slices of `by`, in the order of the arguments beside it."""
    if isinstance(by, Slices):
        if by.n_rows != n_rows:
            raise ValueError(f"by has slices of {by.n_rows} rows, and there are {n_rows}.")
        return by
    return cut(by, arrays_of(columns_of(by), arrays, n_rows=n_rows))


def columns_of(by: Any) -> dict[str, Any]:
    """Return columns by name, as they were handed in."""
    if isinstance(by, Mapping) or hasattr(by, "columns"):
        names = [*by] if isinstance(by, Mapping) else [*by.columns]
        columns = {str(name): by[name] for name in names}
        if len(columns) < len(names):
            twice = next(name for name, n in Counter(map(str, names)).items() if n > 1)
            raise ValueError(f"by has {twice!r} twice: rename one of these columns.")
    elif isinstance(by, str) or by is None or np.ndim(by) == 0:
        raise ValueError(
            f"by={by!r} must be a column of the rows (an array with one value per row), "
            "several by their names, or what make_slices() returned."
        )
    else:
        named = getattr(by, "name", None)
        columns = {"" if named is None else str(named): by}
    if not columns:
        raise ValueError("by holds no column.")
    return columns


def names_in(by: Any, known: Iterable[Any]) -> tuple[str, ...] | None:
    """Return the columns, of the known ones, that `by` names; None of one value per row."""
    names = [by] if isinstance(by, str) else by
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        return None
    # Of names one may be misspelt; values of rows are no names, and repeat themselves.
    are_names = len(set(names)) == len(names) and not set(names).isdisjoint(known)
    return tuple(names) if isinstance(by, str) or are_names else None


def columns_by_name(X: Any, by: Any) -> Any:
    """Return `by`, or the columns of X that it names."""
    known = [*getattr(X, "columns", ())]
    names = names_in(by, known)
    if names is None:
        return by
    if lacking := [name for name in names if name not in known]:
        suggestions = meant_by(lacking[0], map(str, known)) or known[:10]
        have = ", ".join(map(repr, suggestions)) or "no names of columns"
        raise ValueError(f"by names {lacking[0]!r}, which is not a column of X: X has {have}.")
    return {name: X[name] for name in names}


def cut(
    by: Any, arrays: Arrays, combine: bool = False, bins: Bins = None, fewest: int = FEWEST_ROWS
) -> Slices:
    """Cut rows by columns that are arrays of one length.

    Where `by` is a mapping, columns of True and False say of every row whether it is in a
    slice.
    """
    _check_bins(bins, arrays)
    n_rows = len(next(iter(arrays.values())))
    if not n_rows:
        raise ValueError("by is empty.")
    parts: dict[str, dict[str, Rows]] = {}
    notes: list[str] = []
    slices: list[tuple[str, Rows]] = []
    for name, values in arrays.items():
        if isinstance(by, Mapping) and values.dtype.kind == "b":
            slices.append((name, np.flatnonzero(values)))
            continue
        parts[name], note = _parts_of(name, values, bins)
        notes += [note] if note else []
        slices += parts[name].items()
    for n in range(2, len(parts) + 1 if combine else 0):
        for columns in combinations(parts.values(), n):
            for several in product(*(part.items() for part in columns)):
                common = reduce(np.intersect1d, [rows for _, rows in several])
                if len(common):
                    slices.append((" & ".join(name for name, _ in several), common))
    ((name, times),) = Counter(name for name, _ in slices).most_common(1)
    if times > 1:  # the rows of one would be lost
        raise ValueError(f"two slices of by would be called {name!r}: rename a column.")
    return Slices(dict(slices), n_rows, tuple(arrays), fewest, tuple(notes))


def arrays_of(
    columns: Named, others: Named | None = None, n_rows: int | None = None, called: str = "by"
) -> dict[str, NDArray[Any]]:
    """Return the columns of one argument as arrays of one row order.

    Parameters
    ----------
    columns : mapping of str to array-like
        Columns by their names.
    others : mapping of str to object, optional
        What else was handed in for the same rows, by the names of the arguments: it gives the
        order, where labels do.
    n_rows : int, optional
        Number of rows that each must have.
    called : str, default="by"
        Name of the argument that holds the columns.
    """
    shown = {f"{called}[{name!r}]" if name else called: own for name, own in columns.items()}
    in_order = aligned({**(others or {}), **shown})
    arrays = {}
    for name, column in zip(columns, shown, strict=True):
        values = arrays[name] = one_dimensional(column, in_order[column])
        if n_rows is not None and len(values) != n_rows:
            raise ValueError(f"{column} has {len(values)} values for {n_rows} rows.")
    return arrays


def one_dimensional(column: str, values: Any) -> NDArray[Any]:
    """Return a column as an array that holds every value as it is, None where it is masked."""
    if getattr(values, "null_count", None) and hasattr(values, "to_list"):
        values = values.to_list()  # polars would make floats of whole numbers
    elif hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ma.MaskedArray):
        masked, values = np.ma.getmaskarray(values), values.data.astype(object)
        values[masked] = None
    try:
        # NumPy makes numbers and texts of one type: 1 of True, and "None" of a missing text.
        is_typed = getattr(values, "dtype", np.dtype("U")).kind not in "US"
        array = np.asarray(values) if is_typed else np.asarray(values, dtype=object)
    except ValueError:
        array = np.empty((0, 0))
    if array.ndim != 1:
        raise ValueError(f"{column} must be one-dimensional, with one value per row.")
    if array.dtype.kind == "O" and len(array) and all(isinstance(v, _BOOLEANS) for v in array):
        return array.astype(bool)
    return array


def _check_bins(bins: Any, arrays: Mapping[str, Any]) -> None:
    by_name = bins if isinstance(bins, Mapping) else {}
    if unknown := [name for name in by_name if name not in arrays]:
        raise ValueError(f"bins names {unknown[0]!r}, not a column of by: {list(arrays)}.")
    for cuts in by_name.values() if isinstance(bins, Mapping) or bins is None else [bins]:
        edges = np.empty(())
        with suppress(TypeError, ValueError):
            edges = np.asarray(cuts, dtype=float)
        whole = isinstance(cuts, int | np.integer) and cuts >= 2
        several = edges.ndim == 1 and len(edges) > 0 and np.isfinite(edges).all()
        if not whole and not (several and np.all(np.diff(edges) > 0)):
            raise ValueError(f"bins={cuts!r} must be 2 or more, or increasing values.")


def _parts_of(name: str, values: NDArray[Any], bins: Bins) -> tuple[dict[str, Rows], str]:
    """Return the slices of one column, and how it was cut if it was."""
    missing = missing_in(values)
    places, called, note = np.flatnonzero(~missing), f"by[{name!r}]" if name else "by", ""
    present = values[places]
    cuts = _bins_for(name, present, bins, called)
    if cuts is None:
        by_value = values_of(present, called=called, is_whole=not missing.any())
        slices = {_named(name, label): rows for label, rows in by_value.items()}
    else:
        slices, note = _cut_numbers(name, as_numbers(present), cuts)
    parts = {label: places[rows] for label, rows in slices.items()}
    if missing.any():
        parts[_named(name, MISSING)] = np.flatnonzero(missing)
    return parts, note


def values_of(
    values: NDArray[Any], *, called: str = "by", is_whole: bool = True
) -> dict[str, Rows]:
    """Return the rows of every value of a column, by the label of the value.

    Parameters
    ----------
    values : ndarray
        Values, of which none is missing.
    called : str, default="by"
        Name of the column, for messages.
    is_whole : bool, default=True
        Whether no other rows of the column are missing, which have a label of their own.
    """
    distinct, codes = _coded(values, called)
    labels = _labels(distinct, called, () if is_whole else (MISSING,))
    order = np.argsort(codes, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(codes))) if labels else []
    return dict(zip(labels, rows, strict=False))  # the last part is empty


def _bins_for(name: str, values: NDArray[Any], bins: Bins, called: str) -> Any:
    """Say how a column is cut; None if its values are the slices."""
    numbers, cuts = as_numbers(values), bins.get(name) if isinstance(bins, Mapping) else None
    if numbers is None and cuts is not None:
        raise ValueError(f"bins cuts the column {name!r}, which does not hold numbers.")
    if numbers is None or cuts is not None:
        return cuts
    n = len(_coded(values, called)[0])
    if n <= _MOST_VALUES:
        return None
    if bins is not None and not isinstance(bins, Mapping):
        return bins
    if np.array_equal(numbers, np.rint(numbers)):
        raise ValueError(
            f"{called} holds {n} different whole numbers, which may be amounts or names. Cut "
            "amounts by make_slices(..., bins=4), and pass names as texts: .astype(str)."
        )
    return _BINS


def _cut_numbers(name: str, numbers: Any, bins: Any) -> tuple[dict[str, Rows], str]:
    """Cut numbers into so many parts of about equal size, or at these values."""
    by_quantiles = isinstance(bins, int | np.integer)
    if by_quantiles:
        finite = numbers[np.isfinite(numbers)]
        edges = np.unique(np.quantile(finite, np.arange(1, bins) / bins))
        rounded = np.array([float(f"{edge:.{_DIGITS}g}") for edge in edges])
        edges = rounded if np.all(np.diff(rounded) > 0) else edges
        edges = edges[(edges > numbers.min()) & (edges <= numbers.max())]
    else:
        edges = np.asarray(bins, dtype=float)
    part, slices = np.searchsorted(edges, numbers, side="right"), {}
    for k, (low, high) in enumerate(pairwise([-np.inf, *edges, np.inf])):
        if (part == k).any():
            slices[between(name or "value", low, high)] = np.flatnonzero(part == k)
    how, shown = "at its quantiles" if by_quantiles else "at", ", ".join(map(_digits, edges))
    return slices, f"{name or 'the column'} cut {how} {shown}"


def as_numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return a column of numbers as floats; None of another."""
    if values.dtype.kind in "iuf":
        return values.astype(float)
    listed = values.tolist()
    numbers = (int, float, np.integer, np.floating)
    if all(isinstance(v, numbers) and not isinstance(v, bool) for v in listed) and listed:
        return np.array(listed, dtype=float)
    return None


def _coded(values: NDArray[Any], called: str) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the different values of a column, in their order, and the place of every row's."""
    # As they are: lists would hold float32 as another number, and dates as integers.
    listed = list(values) if values.dtype.kind in "fmM" else values.tolist()
    number: dict[tuple[bool, Any], int] = {}
    try:  # True is no 1, though Python calls them equal
        keys = [(isinstance(value, _BOOLEANS), value) for value in listed]
        codes = np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)
    except TypeError:
        strange = next((v for v in listed if not isinstance(v, Hashable)), listed[0])
        raise ValueError(
            f"{called} holds {str(strange)[:40]}, which cannot name a slice."
        ) from None
    try:
        ordered = sorted(number)
    except TypeError:  # of types that have no common order the first comes first
        ordered = list(number)
    rank = np.argsort([number[key] for key in ordered])
    return [value for _, value in ordered], rank[codes]


def _labels(distinct: Sequence[Any], called: str, reserved: tuple[str, ...]) -> list[str]:
    """Write values so that no two read alike: 1 and '1', and a text of a name that is taken."""
    if distinct and all(isinstance(value, np.datetime64) for value in distinct):
        return np.datetime_as_string(np.array(distinct), unit="auto").tolist()
    plain = [_digits(v) if isinstance(v, float | np.floating) else str(v) for v in distinct]
    times = Counter([*plain, *reserved])
    labels = [
        repr(v) if times[label] > 1 else label for v, label in zip(distinct, plain, strict=True)
    ]
    if alike := [label for label, n in Counter([*labels, *reserved]).items() if n > 1]:
        raise ValueError(f"{called} holds different values that are both written {alike[0]}.")
    return labels


def _named(column: str, label: str) -> str:
    return f"{column}={label}" if column else label


def between(column: str, low: float, high: float) -> str:
    """Say that the values of a column are `low` or more, and below `high`."""
    if math.isinf(low):
        return f"{column} < {_digits(high)}"
    if math.isinf(high):
        return f"{column} >= {_digits(low)}"
    return f"{_digits(low)} <= {column} < {_digits(high)}"


def _digits(value: Any) -> str:
    """Write a number with as many digits as tell it from all others of its type."""
    short = f"{value:g}"
    return short if type(value)(short) == value else str(value).removesuffix(".0")


def without_small(slices: Slices) -> tuple[Slices, dict[str, str]]:
    """Leave out slices of too few rows, and say why, by their names."""
    few = {
        name: f"{len(rows)} row{'s' * (len(rows) != 1)}, fewer than {slices.fewest}"
        for name, rows in slices.rows.items()
        if len(rows) < slices.fewest
    }
    large = {name: rows for name, rows in slices.rows.items() if name not in few}
    return replace(slices, rows=large), few
