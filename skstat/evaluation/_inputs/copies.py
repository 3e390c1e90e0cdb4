"""Rows that are the same as other rows, in all features and the target."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_NUMBERS_AT_ONCE = 1 << 18  # which stay in the processor's cache
_FIRST = 4  # features that are looked at first
_SHOWING = 1_000  # rows by which a feature of many values is told from one of few
_FINE = 0.5  # share of these rows that have a value of their own
_FEW_VALUES = 10  # with so few in every feature rows are the same by chance


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
    if hasattr(X, "iloc"):
        taken = X.iloc[rows]
        columns = [taken.iloc[:, place] for place in range(taken.shape[1])]
    elif hasattr(X, "tocsr"):
        return True
    else:
        array = np.asarray(X)[rows].reshape(len(rows), -1)
        columns = list(array.T)
    hashes = (_hashed(column) for column in columns)
    values = (len(rows) if own is None else len(np.unique(own)) for own in hashes)
    return max(values, default=0) > max(_FINE * len(rows), _FEW_VALUES)
