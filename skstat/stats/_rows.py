"""What users hand in for the rows of a test set: arrays of entries, codes, weights."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._index import aligned


class TestSet(NamedTuple):
    """What belongs to the rows of one test set, as arrays with one entry per row."""

    y_true: NDArray[Any]
    outputs: dict[str, NDArray[Any]]
    beside: dict[str, NDArray[Any] | None]


def rows_together(
    y_true: Any, outputs: Mapping[str, Any], beside: Mapping[str, Any] | None = None
) -> TestSet:
    """Match what users hand in for one test set row by row, and return it as arrays.

    `beside` are groups, weights and the like, by the name of their argument.
    """
    beside = beside or {}
    names = {f"predictions[{str(name)!r}]": str(name) for name in outputs}
    if len(names) < len(outputs):
        raise ValueError(f"predictions names a system twice: {list(map(str, outputs))}.")
    handed_in = dict(zip(names, outputs.values(), strict=True))
    given = aligned({"y_true": y_true, **handed_in, **beside})
    truth = rows_of("y_true", given["y_true"])

    def checked(name: str) -> NDArray[Any] | None:
        values = given[name]
        return None if values is None else rows_of(name, values, len(truth))

    return TestSet(
        truth,
        {label: rows_of(name, given[name], len(truth)) for name, label in names.items()},
        {name: checked(name) for name in beside},
    )


def rows_of(name: str, values: Any, n_rows: int | None = None) -> NDArray[Any]:
    """Return one array row per row of the test set; strings and lists stay as they are."""
    if hasattr(values, "to_numpy"):  # pandas, polars
        values = values.to_numpy()
    if isinstance(values, np.ndarray):
        # Fixed-width strings would cut longer ones that swap into their place.
        rows = values.astype(object) if values.dtype.kind == "U" else values
    elif isinstance(values, str) or not hasattr(values, "__len__"):
        raise TypeError(
            f"{name} must hold one entry per row of the test set, got {type(values).__name__}."
        )
    else:
        rows = _array(values)
    if rows.ndim == 2 and rows.shape[1] == 1:  # a column
        rows = rows[:, 0]
    if rows.dtype.kind == "O" and rows.ndim == 1 and len(rows) and _is_number(rows[0]):
        numbers = np.asarray(rows.tolist())
        rows = numbers if numbers.dtype.kind in "biuf" else rows
    if rows.ndim == 0 or len(rows) == 0:
        raise ValueError(f"{name} is empty.")
    if n_rows is not None and len(rows) != n_rows:
        raise ValueError(
            f"{name} has {len(rows)} rows but y_true has {n_rows}: every row of the test "
            "set needs one entry."
        )
    missing = _missing(rows)
    if missing.any():
        row = int(np.flatnonzero(missing.reshape(len(rows), -1).any(axis=1))[0])
        raise ValueError(
            f"{name}[{row}] is missing: leaving the row out would break the pairing. "
            "Find out why there is no prediction."
        )
    return rows


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.number | np.bool_)


def _missing(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Which entries are nan, or another value that is not equal to itself."""
    if rows.dtype.kind not in "fcmMO":
        return np.zeros(1, dtype=bool)
    if rows.dtype.kind == "O" and any(value is None for value in rows.ravel()):
        return np.array([_is_missing(value) for value in rows.ravel()])
    try:
        return np.asarray(rows != rows, dtype=bool)
    except (TypeError, ValueError):  # of pandas' NA, or of entries that are arrays
        return np.array([_is_missing(value) for value in rows.ravel()])


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is neither equal nor different
        return True
    except ValueError:  # an array
        return False


def codes_of(values: NDArray[Any]) -> NDArray[np.int64]:
    """Number the different values from 0, in the order in which they come first."""
    if values.ndim > 1:  # labels of several parts
        _, codes = np.unique(values.reshape(len(values), -1), axis=0, return_inverse=True)
        return np.asarray(codes).ravel()
    try:
        _, first, codes = np.unique(values, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[codes.ravel()]
    except TypeError:  # mixed types have no order
        numbers: dict[Any, int] = {}
        return np.array([numbers.setdefault(v, len(numbers)) for v in values.tolist()])


def times_of(order: NDArray[Any]) -> NDArray[Any]:
    """Times that can be sorted; text only if it is all of one length, as ISO dates are."""
    if order.ndim > 1:
        raise ValueError(f"order has shape {order.shape}; give one time per row.")
    is_text = order.dtype.kind == "O" and isinstance(order[0], str)
    if is_text and len({len(str(time)) for time in order}) > 1:
        raise ValueError(
            "order holds text of different lengths, which sorts '10' before '9'; convert it "
            "to numbers or dates."
        )
    return order


def rows_by_group(groups: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Rows of every group."""
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.cumsum(np.bincount(groups))[:-1])


def _array(values: Any) -> NDArray[Any]:
    """An array of the entries; lists of strings of different lengths stay entries."""
    try:
        rows = np.asarray(values)
    except ValueError:  # ragged
        rows = np.empty(0)
    if rows.dtype.kind in "biuf" and rows.ndim > 0 and len(rows) == len(values):
        return rows
    entries = np.empty(len(values), dtype=object)
    entries[:] = [value.item() if isinstance(value, np.generic) else value for value in values]
    return entries


def weights_of(values: NDArray[Any]) -> NDArray[np.float64]:
    try:
        weights = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}") from error
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must hold one finite number >= 0 per row.")
    if not weights.any():
        raise ValueError("sample_weight is 0 on every row.")
    return weights
