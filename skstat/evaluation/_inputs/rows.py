"""Rows of the caller's data: taken for a fit, which may write into them, and compared."""

import copy
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

Hashes = NDArray[np.uint64]

# What cannot be written into.
_FIXED = frozenset(
    {str, bytes, int, float, complex, bool, type(None), np.str_, np.float64, np.int64, np.bool_}
)
_NUMBERS_AT_ONCE = 1 << 18  # which stay in the processor's cache
_FIRST = 4  # features that are looked at first
_SHOWING = 1_000  # rows by which a feature of many values is told from one of few
_FINE = 0.5  # share of these rows that have a value of their own
_FEW_VALUES = 10  # with so few in every feature rows are the same by chance


def own_rows(values: Any, rows: np.ndarray) -> Any:
    """Take some rows; what can be written into, such as a list in a list, is copied."""
    # Finding out that an array is one takes longer than indexing a small one.
    taken = values[rows] if isinstance(values, np.ndarray) else _safe_indexing(values, rows)
    if isinstance(taken, list):
        return _own(taken)
    if isinstance(taken, np.ndarray):
        return _own_objects(taken) if taken.dtype == object else taken
    if hasattr(taken, "isetitem"):  # a pandas frame
        for place, kind in enumerate(taken.dtypes):
            if isinstance(kind, np.dtype) and kind.kind == "O":
                taken.isetitem(place, _own_column(taken.iloc[:, place]))
    elif hasattr(taken, "iloc") and taken.dtype == object:
        return _own_column(taken)
    return taken


def rows_of(params: Mapping[str, Any], X: Any, rows: np.ndarray) -> dict[str, Any]:
    """Take the rows of those parameters that have one value per row of X."""
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    return {
        name: own_rows(value, rows) if _is_per_row(value, n_samples) else value
        for name, value in params.items()
    }


def _is_per_row(value: Any, n_samples: int) -> bool:
    if isinstance(value, str | bytes | Mapping):
        return False
    shape = getattr(value, "shape", None)
    if shape is not None:
        return len(shape) > 0 and shape[0] == n_samples
    return hasattr(value, "__len__") and len(value) == n_samples


def _own_objects(values: np.ndarray) -> np.ndarray:
    if _all_fixed(values.flat):
        return values
    copied = np.empty(values.shape, dtype=object)
    for place, value in enumerate(values.flat):  # numpy would take lists for columns
        copied.flat[place] = _own(value)
    return copied


def _own_column(column: Any) -> Any:
    return column if _all_fixed(column) else column.map(_own).astype(object)


def _all_fixed(values: Iterable[Any]) -> bool:
    return _FIXED.issuperset(map(type, values))


def _own(value: Any) -> Any:
    """Copy what can be written into."""
    kind = type(value)
    if kind in _FIXED:
        return value
    # Lists of lists and of arrays are usual, and deepcopy looks at every number.
    if kind is list:
        return value.copy() if _all_fixed(value) else [_own(item) for item in value]
    if kind is dict and _all_fixed(value.values()):
        return value.copy()
    if kind is np.ndarray and value.dtype != object:
        return value.copy()
    with suppress(Exception):  # an open file, say, is what it is
        return copy.deepcopy(value)
    return value


def count_copies(X: Any, y: Any, groups: Any = None) -> int:
    """Count the rows that repeat another row, in X and in y.

    Rows that repeat each other within a group are left out, as are rows of a few values only,
    such as three yes-or-no answers: these are the same by chance. Nothing is counted of values
    that have no hash.

    Parameters
    ----------
    X, y : array-like, data frame, sparse matrix or list with one entry per row
        The data.
    groups : array-like of shape (n_rows,), optional
        Group of every row.

    Returns
    -------
    int
        Number of rows without which no row would repeat another one.
    """
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] > _FIRST:
        # Rows that differ in some features are no copies, whatever the others are.
        some = _hashed(X[:, :_FIRST])
        if some is not None and len(np.unique(some)) == len(some):
            return 0
    found, targets = _hashed(X), None if y is None else _hashed(y)
    if found is None or targets is None or not len(found):
        return 0
    hashes = _mixed(found + _mixed(targets))
    distinct, first = np.unique(hashes, return_index=True)
    units: Any = hashes
    if groups is not None:
        numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
        units = np.unique(_mixed(hashes + numbers.astype(np.uint64)))
    copies = len(units) - len(distinct)
    return copies if copies and _is_fine(X, np.sort(first)[:_SHOWING]) else 0


def _hashed(values: Any) -> Hashes | None:
    """Hash every row; None of what cannot be."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    try:
        if pandas is not None and isinstance(values, pandas.DataFrame | pandas.Series):
            return np.asarray(pandas.util.hash_pandas_object(values, index=False))
        if polars is not None and isinstance(values, polars.DataFrame):
            return values.hash_rows().to_numpy()
        if hasattr(values, "tocsr"):
            return _of_sparse(values.tocsr(copy=True))
        array = np.asarray(values)
        if array.dtype.kind in "OSU":
            return _of_objects(array.reshape(len(array), -1))
        return _of_numbers(array.reshape(len(array), -1))
    except (TypeError, ValueError, NotImplementedError):
        return None


def _of_numbers(array: NDArray[Any]) -> Hashes:
    n, width = array.shape
    found = np.empty(n, dtype=np.uint64)
    size = max(1, _NUMBERS_AT_ONCE // max(1, width))
    places = _mixed(np.arange(1, width + 1, dtype=np.uint64))
    for start in range(0, n, size):
        found[start : start + size] = _mixed(_bits(array[start : start + size]) + places).sum(
            axis=1, dtype=np.uint64
        )
    return found


def _of_sparse(matrix: Any) -> Hashes:
    """Sums over what is stored of a row, whatever the order."""
    matrix.sum_duplicates()
    places = _mixed(matrix.indices.astype(np.uint64) + np.uint64(1))
    terms = np.where(matrix.data != 0, _mixed(_bits(matrix.data) + places), np.uint64(0))
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)])
    return np.asarray(sums[matrix.indptr[1:]] - sums[matrix.indptr[:-1]])


def _of_objects(array: NDArray[Any]) -> Hashes:
    own = (hash(tuple(row)) & (2**64 - 1) for row in array.tolist())
    return np.fromiter(own, dtype=np.uint64, count=len(array))


def _bits(values: NDArray[Any]) -> Hashes:
    """Numbers as 64 bits, the same where numbers are equal."""
    if values.dtype.kind in "biuMm":
        return values.astype(np.int64).view(np.uint64)
    if values.dtype.kind != "f":
        raise TypeError(f"values of type {values.dtype} are not hashed")
    plain = values.astype(np.float64) + 0.0  # -0.0 equals 0.0
    return np.where(np.isnan(plain), np.nan, plain).view(np.uint64)


def _mixed(bits: Hashes) -> Hashes:
    """Spread what differs over all bits (the finalizer of MurmurHash3)."""
    bits = (bits ^ (bits >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    bits = (bits ^ (bits >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return bits ^ (bits >> np.uint64(33))


def _is_fine(X: Any, rows: NDArray[np.intp]) -> bool:
    """Whether the features of distinct rows have so many values that equal rows are copies."""
    if hasattr(X, "tocsr"):
        return True
    if hasattr(X, "iloc"):
        columns = [column for _, column in X.iloc[rows].items()]
    else:
        columns = list(np.asarray(X)[rows].reshape(len(rows), -1).T)
    hashes = (_hashed(column) for column in columns)
    values = (len(rows) if own is None else len(np.unique(own)) for own in hashes)
    return max(values, default=0) > max(_FINE * len(rows), _FEW_VALUES)
