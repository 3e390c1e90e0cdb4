"""Rows of the caller's data: taken for a fit, which may write into them, and compared."""

import copy
import pickle
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

# What cannot be written into.
_FIXED = frozenset(
    {str, bytes, int, float, complex, bool, type(None), np.str_, np.float64, np.int64, np.bool_}
)
_SHOWING = 1_000  # rows by which a feature of many values is told from one of few
_FINE = 0.5  # share of these rows that have a value of their own
_FEW_VALUES = 10  # with so few in every feature rows are the same by chance


def own_rows(values: Any, rows: np.ndarray) -> Any:
    """Take some rows; what can be written into, such as a list in a list, is copied."""
    # Finding out that an array is one takes longer than indexing a small one.
    taken = values[rows] if isinstance(values, np.ndarray) else _safe_indexing(values, rows)
    if not _FIXED.issuperset(map(type, _cells(taken))):
        for copied in (lambda: pickle.loads(pickle.dumps(taken)), lambda: copy.deepcopy(taken)):
            with suppress(Exception):  # an open file, say, is what it is
                return copied()
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


def _cells(taken: Any) -> Iterable[Any]:
    """Return what is an object of its own in some rows."""
    if hasattr(taken, "items") and hasattr(taken, "iloc"):
        columns = [taken] if hasattr(taken, "dtype") else [own for _, own in taken.items()]
        return chain.from_iterable(own for own in columns if own.dtype == object)
    if isinstance(taken, np.ndarray):
        return taken.flat if taken.dtype == object else ()
    return taken if isinstance(taken, list) else ()


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
    found, targets = _hashed(X), None if y is None else _hashed(y)
    if not found or targets is None:
        return 0
    rows: Any = list(zip(found, targets, strict=True))
    first = dict(zip(reversed(rows), reversed(range(len(rows))), strict=True))
    if groups is not None:
        rows = set(zip(rows, np.asarray(groups).tolist(), strict=True))
    copies = len(rows) - len(first)
    return copies if copies and _is_fine(X, np.sort([*first.values()])[:_SHOWING]) else 0


def _hashed(values: Any) -> list[int] | None:
    """Hash every row; None of what cannot be."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    try:
        if pandas is not None and isinstance(values, pandas.DataFrame | pandas.Series):
            return pandas.util.hash_pandas_object(values, index=False).tolist()
        if polars is not None and isinstance(values, polars.DataFrame):
            return values.hash_rows().to_list()
        if hasattr(values, "tocsr"):
            return _of_sparse(values.tocsr(copy=True))
        array = np.asarray(values)
        array = array.reshape(len(array), -1)
        if array.dtype.kind in "OSU":
            return [hash(tuple(row)) for row in array.tolist()]
        plain = np.ascontiguousarray(_plain(array))
        return [*map(hash, plain.view(f"V{plain.itemsize * plain.shape[1]}").ravel().tolist())]
    except (TypeError, ValueError, NotImplementedError):
        return None


def _of_sparse(matrix: Any) -> list[int]:
    """Hash what is stored of every row, in the order of the columns."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    data = _plain(matrix.data)
    return [
        hash((matrix.indices[start:end].tobytes(), data[start:end].tobytes()))
        for start, end in pairwise(matrix.indptr)
    ]


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers of 64 bits, which are the same where numbers are equal."""
    if values.dtype.kind in "biuMm":
        return values.astype(np.int64)
    if values.dtype.kind != "f":
        raise TypeError(f"values of type {values.dtype} are not hashed")
    plain = values.astype(np.float64) + 0.0  # -0.0 equals 0.0
    return np.where(np.isnan(plain), np.nan, plain)


def _is_fine(X: Any, rows: NDArray[np.intp]) -> bool:
    """Whether the features of distinct rows have so many values that equal rows are copies."""
    if hasattr(X, "tocsr"):
        return True
    if hasattr(X, "iloc"):
        columns = [column for _, column in X.iloc[rows].items()]
    else:
        columns = list(np.asarray(X)[rows].reshape(len(rows), -1).T)
    hashes = (_hashed(column) for column in columns)
    values = (len(rows) if own is None else len(set(own)) for own in hashes)
    return max(values, default=0) > max(_FINE * len(rows), _FEW_VALUES)
