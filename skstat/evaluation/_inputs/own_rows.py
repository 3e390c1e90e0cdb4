"""Rows of the caller's data for one fit, which may write into them."""

import copy
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

# What cannot be written into.
_FIXED = frozenset(
    {str, bytes, int, float, complex, bool, type(None), np.str_, np.float64, np.int64, np.bool_}
)


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
    flat = values.ravel().tolist()
    if _all_fixed(flat):
        return values
    copied = np.empty(len(flat), dtype=object)
    for place, value in enumerate(flat):  # numpy would take lists of one length for columns
        copied[place] = _own(value)
    return copied.reshape(values.shape)


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
