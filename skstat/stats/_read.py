"""Validation of user input: numbers, labels, and rows of a test set.

Errors name the argument, and the position in it, of the first bad entry.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Fourth powers of differences of scores in this range do not over- or underflow.
_LARGEST, _SMALLEST = 1e60, 1e-60
# Above this, floats do not represent every whole number.
LARGEST_EXACT = 2.0**53
# Kinds that NumPy converts to floats silently, or with an unclear error.
_NOT_NUMBERS = {
    "c": "complex numbers",
    "M": "dates",
    "m": "spans of time",
    "V": "records of several fields",
}
_LISTS = (list, tuple, np.ndarray, Mapping, Set)
_NUMBERS = (bool, int, float, np.number, np.bool_)
_BY_POSITION = (
    "pass .to_numpy() of a Series, or list(x.values()) of a mapping, if the rows correspond by "
    "position"
)


def read_numbers(name: str, values: Any) -> NDArray[np.float64]:
    """Return a new array of floats, of whatever shape; None becomes nan.

    Parameters
    ----------
    name : str
        Name of the argument, for messages.
    values : array-like
        The numbers.

    Returns
    -------
    ndarray of float
        A copy.

    Raises
    ------
    ValueError
        If something is not a real number.
    """
    if type(values) is not np.ndarray or values.dtype.kind not in "biuf":
        refuse_other(name, values)
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large for a float.") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}{_first_bad(values)}") from error


def _first_bad(values: Any) -> str:
    """Say which cell is not a number; empty if the shape is wrong."""
    try:
        cells = np.array(values, dtype=object)
    except ValueError:
        return ""
    for index, cell in np.ndenumerate(cells):
        if index and np.ndim(cell) == 0 and not is_number(cell):
            return f" (row {' and column '.join(map(str, index))}, counted from 0)"
    return ""


def is_number(cell: Any) -> bool:
    """Whether an entry converts to a float; None counts as a missing number."""
    try:
        float(0 if cell is None else cell)
    except (TypeError, ValueError):
        return False
    return True


def refuse_other(name: str, values: Any) -> None:
    """Raise ValueError for sparse, masked, complex or other arrays without real numbers.

    Entries that do not convert to a number are left to the caller, who can name their position.
    """
    if hasattr(values, "toarray") and not isinstance(values, np.ndarray):
        raise ValueError(f"{name} must hold numbers, and is sparse; pass {name}.toarray().")
    refuse_masked(name, values)
    try:
        cells = np.asarray(values)
    except (TypeError, ValueError, OverflowError):  # rows of unequal length
        return
    of_type = {type(c): c for c in (cells.ravel() if cells.dtype == object else [cells])}
    kinds = {np.asarray(cell).dtype.kind for cell in of_type.values()}
    for kind, what in _NOT_NUMBERS.items():
        if kind in kinds:
            raise ValueError(f"{name} must hold numbers, not {what}.")
    if kinds & {"U", "S"}:
        text = [cell for cell in cells.ravel().tolist() if isinstance(cell, str | bytes)]
        if all(map(is_number, text)):  # otherwise the caller names the first bad entry
            raise ValueError(f"{name} holds text such as {text[0]!r}; convert it to numbers.")


def refuse_masked(name: str, values: Any) -> None:
    """Raise ValueError for masked entries, whose masks NumPy would drop silently."""
    parts = values if isinstance(values, list | tuple) else [values]
    for part in parts:
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            raise ValueError(f"{name} has masked entries; take units that all systems have.")


def of_usable_size(name: str, *values: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Raise ValueError for scores beyond 1e60; set them to 0 if none is as large as 1e-60.

    The arrays become read-only. Single scores may be smaller than that. The Brier scores of a
    model that is right, and sure, on every row may all be too small.
    """
    largest = 0.0
    for array in values:
        array.setflags(write=False)
        largest = max(largest, float(np.fmax.reduce(np.abs(array), axis=None)))
    if largest > _LARGEST:
        raise ValueError(f"{name}: {largest:g} is beyond {_LARGEST:g}; use another unit.")
    if not 0 < largest < _SMALLEST:
        return values
    warnings.warn(
        f"{name}: none is as large as {_SMALLEST:g} in size, so that all count as 0; if that "
        "is wrong, give the scores in another unit.",
        UserWarning,
        stacklevel=4,
    )
    return tuple(0.0 * array + 0.0 for array in values)  # no -0.0, and nan where it is missing


def is_missing(value: Any) -> bool:
    """Whether a value is None, nan or another that is not equal to itself."""
    if value is None or isinstance(value, _LISTS):
        return value is None
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is neither equal nor different
        return True


def labels_of(value: Any) -> Any:
    """Return the index of a Series or DataFrame, the keys of a mapping, or None."""
    if isinstance(value, Mapping):
        return list(value)
    return value.index if hasattr(value, "iloc") and hasattr(value, "index") else None


def aligned(
    arguments: Mapping[str, Any], *, unit: str = "row", if_lacking: str = ""
) -> dict[str, Any]:
    """Align the labelled arguments of one call with the first of them.

    Labels are the index of a pandas Series or DataFrame, and the keys of a mapping. Arguments
    without labels (arrays, lists, polars) are taken by position.

    Parameters
    ----------
    arguments : mapping of str to object
        The arguments by name, first the one that the others are compared with. None stands
        for an argument that was left out.
    unit : str, default="row"
        What one entry of an argument is, for messages.
    if_lacking : str, default=""
        A further hint on what to do if a label is missing.

    Returns
    -------
    dict of str to object
        The same arguments; those in another order are reordered, and mappings are lists.

    Raises
    ------
    ValueError
        If labels differ, repeat themselves in another order, or an argument has none while
        others differ in their order.
    """
    columns = dict(arguments)
    labels = {name: labels_of(value) for name, value in columns.items() if value is not None}
    bare = [name for name, keys in labels.items() if keys is None]
    labels = {name: keys for name, keys in labels.items() if keys is not None}
    first = next(iter(labels), "")
    mapping = next((name for name in labels if isinstance(columns[name], Mapping)), None)
    if mapping is not None and bare and bare[0] == next(iter(columns)):
        raise ValueError(
            f"{mapping} is a mapping, whose keys name its rows, and {bare[0]} has no labels to "
            f"match them with: give {bare[0]} as a mapping with the same keys (or a pandas "
            f"Series), or {_BY_POSITION}."
        )
    for name, keys in labels.items():
        if isinstance(columns[name], Mapping):
            columns[name] = list(columns[name].values())
        if name == first or _same_order(labels[first], keys):
            continue
        positions = _positions({first: list(labels[first]), name: list(keys)}, unit, if_lacking)
        if bare:
            raise ValueError(
                f"{name} and {first} have the same labels in another order, and {bare[0]} has "
                "none, so that its order is unknown: give it the same labels (a pandas Series "
                f"with the index), or {_BY_POSITION}."
            )
        value: Any = columns[name]
        is_list = isinstance(value, list)
        columns[name] = [value[i] for i in positions] if is_list else value.iloc[positions]
    return columns


def _same_order(first: Any, other: Any) -> bool:
    """Whether labels are the same; default indices may differ in length."""
    ranges = [(getattr(x, "start", None), getattr(x, "step", None)) for x in (first, other)]
    if ranges == [(0, 1), (0, 1)]:  # as pandas does by itself
        return True
    if isinstance(first, list) or isinstance(other, list):
        return list(first) == list(other)
    return bool(first.equals(other))


def _positions(labels: dict[str, list[Any]], unit: str, if_lacking: str) -> list[int]:
    """Return the positions in the second list of labels of those in the first."""
    first, other = labels
    for name, keys in labels.items():
        repeated = [label for label, n in Counter(keys).items() if n > 1]
        if repeated:
            raise ValueError(
                f"the index of {name} holds {repeated[0]!r} twice, and those of {first} and "
                f"{other} differ: there is no telling which {unit}s belong together. Make the "
                f"labels unique, or {_BY_POSITION}."
            )
    position = {label: number for number, label in enumerate(labels[other])}
    for lacks, has in ((other, first), (first, other)):
        present = set(labels[lacks])
        missing = [label for label in labels[has] if label not in present]
        if missing:
            raise ValueError(
                f"{lacks} has no {unit} for {missing[0]!r}, which {has} has one for: they are "
                "matched by their labels (the index of a Series or DataFrame, the keys of a "
                f"mapping). {if_lacking}Give both the same labels, or {_BY_POSITION}."
            )
    return [position[label] for label in labels[first]]


def rows_together(
    y_true: Any, outputs: Mapping[str, Any], others: Mapping[str, Any]
) -> tuple[NDArray[Any], dict[str, NDArray[Any]], dict[str, Any]]:
    """Align truth, outputs and other columns of a test set row by row, as copied arrays.

    `others` are groups, weights and the like, by the name of their argument.
    """
    if not hasattr(outputs, "items"):
        raise TypeError(f"outputs must map names to predictions, got {type(outputs).__name__}.")
    if not (outputs := dict(outputs.items())):
        raise ValueError("predictions is empty; name the outputs of a system.")
    arguments = {str(name): f"predictions[{str(name)!r}]" for name in outputs}
    if len(arguments) < len(outputs):
        raise ValueError(f"predictions names a system twice: {list(map(str, outputs))}.")
    needed = {"y_true": y_true, **dict(zip(arguments.values(), outputs.values(), strict=True))}
    columns_ = aligned({**needed, **others})
    rows: dict[str, Any] = {**columns_, "y_true": rows_of("y_true", columns_["y_true"])}
    for name, value in columns_.items():
        if value is not None and name != "y_true":
            rows[name] = rows_of(name, value, len(rows["y_true"]))
    if any(nested(rows[name]) for name in needed):
        # Where some entries are lists, lists of equal length are entries too, not columns.
        for name in needed:
            value = columns_[name]
            if isinstance(value, list | tuple) and isinstance(value[0], list | tuple):
                rows[name] = entries_of(value)
    # Copies, because the caller may change the arrays before a report is read.
    columns = {name: rows[argument].copy() for name, argument in arguments.items()}
    return rows["y_true"].copy(), columns, {name: rows[name] for name in others}


def rows_of(name: str, values: Any, n_rows: int | None = None) -> NDArray[Any]:
    """Return an array with one entry per row of the test set; strings and lists are objects."""
    rows = _rows(name, values)
    if rows.ndim == 0 or len(rows) == 0:
        raise ValueError(f"{name} is empty.")
    if n_rows is not None and len(rows) != n_rows:
        of_seeds = all(np.ndim(entry) and len(entry) == n_rows for entry in rows)
        hint = (
            f" Each of its {len(rows)} entries has {n_rows}: for the predictions of several "
            "seeds call compare_predictions(..., seeds='crossed'); else transpose it."
        )
        raise ValueError(
            f"{name} has {len(rows)} rows but y_true has {n_rows}: every row of the test "
            f"set needs one entry.{hint if of_seeds else ''}"
        )
    _refuse_gaps(name, missing_in(rows), "missing")
    return rows


def _refuse_gaps(name: str, gaps: NDArray[np.bool_], what: str) -> None:
    rows = np.flatnonzero(gaps.reshape(len(gaps), -1).any(axis=1))
    if len(rows):
        raise ValueError(f"{name}[{rows[0]}] is {what}, and every row needs an entry.")


def _rows(name: str, values: Any) -> NDArray[Any]:
    if hasattr(values, "to_numpy"):  # pandas, polars
        values = values.to_numpy()
    if hasattr(values, "toarray"):  # a sparse matrix
        values = values.toarray()
    if isinstance(values, np.ma.MaskedArray):
        _refuse_gaps(name, np.ma.getmaskarray(values), "masked")
        values = values.data
    if isinstance(values, np.ndarray):
        # Fixed-width strings would truncate longer ones that are swapped in.
        rows = values.astype(object) if values.dtype.kind in "US" else values
    elif isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise TypeError(f"{name} must hold an entry per row, got {type(values).__name__}.")
    elif isinstance(values, Set):
        raise TypeError(f"{name} is a set, which has no order; pass a list or an array.")
    else:
        array = _numbers(name, values)
        rows = entries_of(values) if array is None else array
    if rows.ndim == 2 and rows.shape[1] == 1:  # a column
        rows = rows[:, 0]
    are_objects = rows.dtype.kind == "O" and rows.ndim == 1 and len(rows) > 0
    if are_objects and isinstance(rows[0], _NUMBERS):
        array = _numbers(name, rows.tolist())
        rows = rows if array is None else array
    return rows


def _numbers(name: str, values: Any) -> NDArray[Any] | None:
    """Return an array of numbers, or None; raise ValueError for integers that lose digits."""
    try:
        rows = np.asarray(values)
    except ValueError:  # ragged
        return None
    if rows.dtype.kind not in "biuf":
        return None
    large = rows.dtype.kind == "f" and np.abs(rows).max(initial=0) >= LARGEST_EXACT
    if large and all(isinstance(value, int) for value in values):
        raise ValueError(f"{name} has numbers that no 64-bit type can hold; pass them as text.")
    return rows


def entries_of(values: Any) -> NDArray[Any]:
    """Return a one-dimensional array of objects, one for each entry."""
    entries = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        entries[row] = value.item() if isinstance(value, np.generic) else value
    return entries


def nested(rows: NDArray[Any]) -> bool:
    """Whether some entry is a list (tokens, boxes of an image), not a single value."""
    return rows.dtype.kind == "O" and any(isinstance(entry, _LISTS) for entry in rows.ravel())


def missing_in(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which entries are None, nan, or another value that is not equal to itself."""
    if values.dtype.kind == "O":  # most are texts, which are skipped for speed
        missing = [type(value) is not str and is_missing(value) for value in values.ravel()]
        return np.array(missing, dtype=bool).reshape(values.shape)
    if values.dtype.kind not in "fcmM":
        return np.zeros(values.shape, dtype=bool)
    return np.asarray(values != values)


def rows_differ(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    """Return on which rows two arrays of entries differ."""
    if nested(a) or nested(b):
        return np.array([not _same(x, y) for x, y in zip(a, b, strict=True)])
    if a.shape != b.shape:
        return np.ones(len(a), dtype=bool)
    return np.asarray(np.asarray(a != b, dtype=bool).reshape(len(a), -1).any(axis=1))


def _same(x: Any, y: Any) -> bool:
    try:
        return bool(x == y)
    except ValueError:  # arrays, or lists of them
        same_length = hasattr(x, "__len__") and hasattr(y, "__len__") and len(x) == len(y)
        return same_length and all(map(_same, x, y))


def codes_of(values: NDArray[Any], name: str = "values") -> NDArray[np.int64]:
    """Number labels from 0 in the order in which they first appear."""
    if values.ndim > 1:  # labels of several parts
        _, codes = np.unique(values.reshape(len(values), -1), axis=0, return_inverse=True)
        return np.asarray(codes).ravel()
    if values.dtype.kind == "O":  # mixed types have no order
        numbers: dict[Any, int] = {}
        try:
            return np.array([numbers.setdefault(v, len(numbers)) for v in values.tolist()])
        except TypeError as error:  # dictionaries or lists
            raise ValueError(f"{name} must hold one label per row: {error}.") from error
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


def group_codes(groups: Any, n: int, name: str = "groups") -> NDArray[np.int64]:
    """Number the groups from 0 in the order in which they first appear."""
    # An array would merge 1 and "1", and unpack tuples.
    listed = isinstance(groups, list | tuple)
    labels = rows_of(name, entries_of(groups) if listed else groups)
    if labels.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {labels.shape}.")
    if len(labels) != n:
        raise ValueError(f"{name} has {len(labels)} labels for {n} instances.")
    codes = codes_of(labels, name)
    codes.setflags(write=False)
    return codes


def numbered(columns: list[NDArray[Any]]) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    """Return the labels of some columns in ascending order, and their numbers there."""
    kinds = {column.dtype.kind for column in columns}
    if kinds <= set("biu"):
        low = min(int(column.min()) for column in columns)
        span = max(int(column.max()) for column in columns) - low + 1
        if span <= len(columns[0]):  # counting is faster than sorting
            codes = [column.astype(np.int64) - low for column in columns]
            used = np.any([np.bincount(code, minlength=span) > 0 for code in codes], axis=0)
            position = np.cumsum(used) - 1
            return np.flatnonzero(used) + low, [position[code] for code in codes]
    ends = np.cumsum([len(column) for column in columns])[:-1]
    if kinds <= set("biuf"):
        classes, codes_ = np.unique(np.concatenate(columns), return_inverse=True)
        return classes, np.split(codes_.astype(np.int64), ends)
    labels = [label for column in columns for label in column.tolist()]
    try:
        ordered = sorted(set(labels))
    except TypeError as error:
        raise ValueError(f"labels mix types that have no order: {error}") from error
    code_of = {label: code for code, label in enumerate(ordered)}
    return entries_of(ordered), np.split(np.array([code_of[label] for label in labels]), ends)


def in_time_order(order: NDArray[Any]) -> NDArray[np.intp]:
    """Return indices that sort times; texts must be of one length, as ISO dates are."""
    if order.ndim > 1 or order.dtype.kind not in "biufmMO":
        raise ValueError(
            f"order must hold a number or date per row, not {order.dtype} {order.shape}."
        )
    is_text = order.dtype.kind == "O" and isinstance(order[0], str)
    if is_text and len({len(str(time)) for time in order}) > 1:
        raise ValueError("order sorts text, '10' before '9'; convert it to numbers or dates.")
    try:
        return np.argsort(order, kind="stable")
    except TypeError as error:
        raise ValueError(f"order must hold times, numbers or dates: {error}.") from error


def weights_of(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the weights of rows as floats; raise ValueError if they are not valid."""
    weights = read_numbers("sample_weight", values)
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must hold one finite number >= 0 per row.")
    if not weights.any():
        raise ValueError("sample_weight is 0 on every row.")
    return weights


def score_by(
    metric: Callable[..., Any], y_true: Any, y_pred: Any, name: str = "", **options: Any
) -> float:
    """Call a metric, and check that it returns one number.

    Parameters
    ----------
    metric : callable
        ``(y_true, y_pred)`` to a number.
    y_true, y_pred : ndarray
        Truth and predictions.
    name : str, default=""
        Its name in messages, by default its own.
    **options
        Keyword arguments of the metric.
    """
    own = getattr(metric, "name", None) or getattr(metric, "__name__", type(metric).__name__)
    name = name or str(own)
    label = "the metric" if name == "metric" else f"metric {name}"
    try:
        score = metric(y_true, y_pred, **options)
    except Exception as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        keywords = "".join(f", {option}=..." for option in options)
        raise kind(
            f"{label} failed: {type(error).__name__}: {str(error).rstrip('.')}. It is called "
            f"as metric(y_true, y_pred{keywords}), on resamples too, and may return nan."
        ) from error
    several = isinstance(score, list | tuple | dict)
    if several or np.ndim(score):
        n_numbers = len(score) if several else np.size(score)
        raise ValueError(
            f"{label} gives {n_numbers} numbers, not one; average them, as by average='macro'."
        )
    try:
        return float(score)
    except (TypeError, ValueError):
        raise ValueError(f"{label} gives {repr(score)[:60]}, not one number.") from None


def shown(value: Any) -> str:
    """Return the repr of a value, or its type where that would be long."""
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"
