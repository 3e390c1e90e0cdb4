"""What users hand in for the rows of a test set: arrays of entries, codes, weights."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common.numbers import read_numbers

_BY_POSITION = "pass .to_numpy() if the rows correspond by position"
_NOTHING: Any = object()

_LISTS = (list, tuple, np.ndarray, Mapping, Set)
# Beyond it, floats leave whole numbers out.
LARGEST_EXACT = 2.0**53


class _Words(NamedTuple):
    """What a door calls a unit, and what it advises where one is missing."""

    unit: str
    if_lacking: str


class _Labelled(NamedTuple):
    """An argument that brings the labels of its units, and its name."""

    name: str
    index: Any
    is_mapping: bool

    @property
    def labels(self) -> list[Any]:
        return self.index if isinstance(self.index, list) else list(self.index)

    @property
    def counts_rows(self) -> bool:
        """Whether the labels are those that pandas makes itself: 0, 1, 2, ..."""
        start, step = getattr(self.index, "start", None), getattr(self.index, "step", None)
        return (start, step) == (0, 1)

    def same_order(self, other: "_Labelled") -> bool:
        if not (self.is_mapping or other.is_mapping):
            return bool(self.index.equals(other.index))
        return self.labels == other.labels

    @property
    def remedy(self) -> str:
        """How to take it by position."""
        if self.is_mapping:
            return f"pass list({self.name}.values()) if the rows correspond by position"
        return _BY_POSITION


def aligned(
    arguments: Mapping[str, Any], *, unit: str = "row", if_lacking: str = ""
) -> dict[str, Any]:
    """Bring the labelled arguments of one call into the order of the first of them.

    Labels are the index of a pandas Series or DataFrame, and the keys of a mapping. What
    has none (arrays, lists, polars) is taken by its position.

    Parameters
    ----------
    arguments : mapping of str to object
        What was handed in, by the name that the caller knows it by; first what the others
        are compared with. None stands for an argument that was left out.
    unit : str, default="row"
        What one entry of an argument is, for messages.
    if_lacking : str, default=""
        What to do if a label is missing, beside taking rows by position.

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
    given = {name: value for name, value in arguments.items() if value is not None}
    labelled = [
        _Labelled(name, labels, isinstance(value, Mapping))
        for name, value in given.items()
        if (labels := labels_of(value)) is not None
    ]
    if not labelled:
        return dict(arguments)
    first, *others = labelled
    words = _Words(unit, if_lacking)
    _refuse_ids_alone(labelled, given)
    places = {other.name: _places(first, other, words) for other in others}
    names = {one.name for one in labelled}
    moved = next((name for name, place in places.items() if place is not None), None)
    without = next((name for name in given if name not in names), None)
    if moved is not None and without is not None:
        raise ValueError(
            f"{moved} and {first.name} have the same labels in another order, and {without} "
            "has none, so that its order is unknown: give it the same labels (a pandas Series "
            "with the "
            f"index), or {_BY_POSITION}."
        )
    return {
        name: _taken(value, places.get(name)) if name in names else value
        for name, value in arguments.items()
    }


def labels_of(value: Any) -> Any:
    """Return the index of a Series or DataFrame, the keys of a mapping, or None."""
    if isinstance(value, Mapping):
        return list(value)
    return value.index if hasattr(value, "iloc") and hasattr(value, "index") else None


def _refuse_ids_alone(labelled: Sequence[_Labelled], given: Mapping[str, Any]) -> None:
    """Refuse a mapping whose keys there is nothing to compare with."""
    reference = next(iter(given))
    mapping = next((one for one in labelled if one.is_mapping), None)
    if mapping is not None and all(one.name != reference for one in labelled):
        raise ValueError(
            f"{mapping.name} is a mapping, whose keys name its rows, and {reference} has no "
            f"labels to match them with: give {reference} as a mapping with the same keys (or "
            f"a pandas Series), or {mapping.remedy}."
        )


def _places(first: _Labelled, other: _Labelled, words: _Words) -> list[int] | None:
    """Where in `other` the units of `first` stand; None if they are in the same order."""
    if first.same_order(other) or (first.counts_rows and other.counts_rows):
        return None  # rows that are only counted may differ in number, which is said elsewhere
    wanted, found = first.labels, other.labels
    for one, labels in ((first, wanted), (other, found)):
        twice = next((label for label, n in Counter(labels).items() if n > 1), _NOTHING)
        if twice is not _NOTHING:
            raise ValueError(
                f"the index of {one.name} holds {twice!r} twice, and those of {first.name} and "
                f"{other.name} differ: there is no telling which {words.unit}s belong "
                f"together. Make the labels unique, or {other.remedy}."
            )
    place = {label: number for number, label in enumerate(found)}
    for lacks, there, has, labels in (
        (other, place, first, wanted),
        (first, set(wanted), other, found),
    ):
        lacking = next((label for label in labels if label not in there), _NOTHING)
        if lacking is not _NOTHING:
            raise ValueError(
                f"{lacks.name} has no {words.unit} for {lacking!r}, which {has.name} has one "
                "for: they are matched by their labels (the index of a Series or DataFrame, "
                f"the keys of a mapping). {words.if_lacking}Give both the same labels, or "
                f"{other.remedy}."
            )
    return [place[label] for label in wanted]


def _taken(value: Any, places: list[int] | None) -> Any:
    if isinstance(value, Mapping):
        rows = list(value.values())
        return rows if places is None else [rows[place] for place in places]
    return value if places is None else value.iloc[places]


def name_of(metric: Any) -> str:
    """Name a metric in messages."""
    own = getattr(metric, "name", None) or getattr(metric, "__name__", None)
    return str(own or type(metric).__name__)


def score_by(
    metric: Callable[..., Any], y_true: Any, y_pred: Any, name: str = "", **options: Any
) -> float:
    """Call a metric, and check that it gives one number.

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
    name = name or name_of(metric)
    called = "the metric" if name == "metric" else f"metric {name}"
    try:
        score = metric(y_true, y_pred, **options)
    except Exception as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        keywords = "".join(f", {option}=..." for option in options)
        raise kind(
            f"{called} failed: {type(error).__name__}: {str(error).rstrip('.')}. It is called "
            f"as metric(y_true, y_pred{keywords}) with the rows of the test set, with "
            "resamples of them, and with outputs of the systems swapped; where it is "
            "undefined it should return nan."
        ) from error
    n_numbers = len(score) if isinstance(score, list | tuple | dict) else np.size(score)
    if isinstance(score, list | tuple | dict) or np.ndim(score):
        raise ValueError(
            f"{called} gives {n_numbers} numbers, and one is needed; with "
            "average=None or multioutput='raw_values', average them (average='macro')."
        )
    try:
        return float(score)
    except (TypeError, ValueError):
        shown = repr(score)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        raise ValueError(
            f"{called} gives {shown}; it must give one number for all rows."
        ) from None


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

    outputs = {label: rows_of(name, given[name], len(truth)) for name, label in names.items()}
    if nested(truth) or any(map(nested, outputs.values())):
        # Lists that chance to be of one length are lists like the others.
        for name, label in names.items():
            outputs[label] = _as_entries(given[name], outputs[label])
        truth = _as_entries(given["y_true"], truth)
    return TestSet(truth, outputs, {name: checked(name) for name in beside})


def _as_entries(values: Any, rows: NDArray[Any]) -> NDArray[Any]:
    """Rows as objects, if they were handed in as a list of lists."""
    listed = isinstance(values, list | tuple) and isinstance(values[0], list | tuple)
    return entries_of(values) if listed else rows


def rows_of(name: str, values: Any, n_rows: int | None = None) -> NDArray[Any]:
    """Return one array row per row of the test set; strings and lists stay as they are."""
    rows = _rows(name, values)
    if rows.ndim == 0 or len(rows) == 0:
        raise ValueError(f"{name} is empty.")
    if n_rows is not None and len(rows) != n_rows:
        raise ValueError(
            f"{name} has {len(rows)} rows but y_true has {n_rows}: every row of the test "
            f"set needs one entry.{_of_seeds(rows, n_rows)}"
        )
    missing = missing_in(rows)
    if missing.any():
        row = int(np.flatnonzero(missing.reshape(len(rows), -1).any(axis=1))[0])
        raise ValueError(
            f"{name}[{row}] is missing: leaving the row out would break the pairing. "
            "Find out why there is none."
        )
    return rows


def _rows(name: str, values: Any) -> NDArray[Any]:
    if hasattr(values, "to_numpy"):  # pandas, polars
        values = values.to_numpy()
    if hasattr(values, "toarray"):  # a sparse matrix
        values = values.toarray()
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.is_masked(values):
            masked = np.ma.getmaskarray(values).reshape(len(values), -1).any(axis=1)
            raise ValueError(
                f"{name}[{int(np.flatnonzero(masked)[0])}] is masked: leaving the row out "
                "would break the pairing. Find out why there is none."
            )
        values = values.data
    if isinstance(values, np.ndarray):
        # Fixed-width strings would cut longer ones that swap into their place.
        rows = values.astype(object) if values.dtype.kind in "US" else values
    elif isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise TypeError(
            f"{name} must hold one entry per row of the test set, got {type(values).__name__}."
        )
    elif isinstance(values, Set):
        raise TypeError(f"{name} is a set, which has no order; pass a list or an array.")
    else:
        rows = _array(name, values)
    if rows.ndim == 2 and rows.shape[1] == 1:  # a column
        rows = rows[:, 0]
    if rows.dtype.kind == "O" and rows.ndim == 1 and len(rows) and _is_number(rows[0]):
        numbers = _numbers(name, rows.tolist())
        rows = rows if numbers is None else numbers
    return rows


def _of_seeds(rows: NDArray[Any], n_rows: int) -> str:
    """What to write if the entries are the predictions of several seeds."""
    if not all(np.ndim(entry) and len(entry) == n_rows for entry in rows):
        return ""
    return (
        f" Each of its {len(rows)} entries has {n_rows}: for the predictions of several seeds "
        "call compare_predictions(..., seeds='crossed'); else transpose it."
    )


def nested(rows: NDArray[Any]) -> bool:
    """Whether an entry is a list (tokens, boxes of an image), and not one value."""
    return rows.dtype.kind == "O" and any(isinstance(entry, _LISTS) for entry in rows.ravel())


def rows_differ(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    """On which rows two arrays of entries differ."""
    if len(a) != len(b):
        raise ValueError(f"{len(a)} rows cannot be compared with {len(b)}.")
    if not (nested(a) or nested(b)):
        if a.shape != b.shape:
            return np.ones(len(a), dtype=bool)
        differ: Any = np.asarray(a != b, dtype=bool).reshape(len(a), -1).any(axis=1)
        return np.asarray(differ)
    return np.array([not _same(ours, theirs) for ours, theirs in zip(a, b, strict=True)])


def _same(x: Any, y: Any) -> bool:
    try:
        return bool(x == y)
    except ValueError:  # arrays, or lists of them
        alike = hasattr(x, "__len__") and hasattr(y, "__len__") and len(x) == len(y)
        return alike and all(map(_same, x, y))


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.number | np.bool_)


def missing_in(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which entries are None, nan, or another value that is not equal to itself."""
    if values.dtype.kind == "O":  # most are texts, which need not be asked
        missing = [type(value) is not str and is_missing(value) for value in values.ravel()]
        return np.array(missing, dtype=bool).reshape(values.shape)
    if values.dtype.kind not in "fcmM":
        return np.zeros(values.shape, dtype=bool)
    return np.asarray(values != values)


def is_missing(value: Any) -> bool:
    """Whether a value is None, nan or another that is not equal to itself."""
    if value is None:
        return True
    if isinstance(value, _LISTS):
        return False
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA is neither equal nor different
        return True


def codes_of(values: NDArray[Any], name: str = "values") -> NDArray[np.int64]:
    """Number labels from 0 in the order in which they first appear."""
    if values.ndim > 1:  # labels of several parts
        _, codes = np.unique(values.reshape(len(values), -1), axis=0, return_inverse=True)
        return np.asarray(codes).ravel()
    if values.dtype.kind == "O":  # of mixed types, which have no order
        numbers: dict[Any, int] = {}
        try:
            return np.array([numbers.setdefault(v, len(numbers)) for v in values.tolist()])
        except TypeError as error:  # of dictionaries, or lists
            raise ValueError(f"{name} must hold one label per row: {error}.") from error
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


def numbered(columns: list[NDArray[Any]]) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    """Return the labels of some columns in ascending order, and their numbers there."""
    if all(column.dtype.kind in "biu" for column in columns):
        low = min(int(column.min()) for column in columns)
        span = max(int(column.max()) for column in columns) - low + 1
        if span <= len(columns[0]):
            return _numbered_small(columns, low, span)
    if all(column.dtype.kind in "biuf" for column in columns):
        classes, codes = np.unique(np.concatenate(columns), return_inverse=True)
        ends = np.cumsum([len(column) for column in columns])[:-1]
        return classes, np.split(codes.astype(np.int64), ends)
    lists = [column.tolist() for column in columns]
    try:
        ordered = sorted(set().union(*map(set, lists)))
    except TypeError as error:
        raise ValueError(f"labels mix types that have no order: {error}") from error
    number = {label: code for code, label in enumerate(ordered)}
    classes = np.empty(len(ordered), dtype=object)
    classes[:] = ordered
    return classes, [
        np.array([number[label] for label in labels], dtype=np.int64) for labels in lists
    ]


def _numbered_small(
    columns: list[NDArray[Any]], low: int, span: int
) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    """The same for whole numbers of a small range, by counting instead of sorting."""
    used = np.zeros(span, dtype=bool)
    codes: list[NDArray[np.int64]] = [column.astype(np.int64, copy=False) for column in columns]
    if low:
        codes = [code - low for code in codes]
    for code in codes:
        used |= np.bincount(code, minlength=span) > 0
    if not used.all():
        number = np.cumsum(used) - 1
        codes = [number[code] for code in codes]
    return np.flatnonzero(used) + low, codes


def in_time_order(order: NDArray[Any]) -> NDArray[np.intp]:
    """Sort times; text only if it is all of one length, as ISO dates are."""
    if order.ndim > 1:
        raise ValueError(f"order has shape {order.shape}; give one time per row.")
    is_text = order.dtype.kind == "O" and isinstance(order[0], str)
    if is_text and len({len(str(time)) for time in order}) > 1:
        raise ValueError(
            "order holds text of different lengths, which sorts '10' before '9'; convert it "
            "to numbers or dates."
        )
    try:
        if order.dtype.kind not in "biufmMO":
            raise TypeError(f"{order.dtype} values cannot be sorted")
        return np.argsort(order, kind="stable")
    except TypeError as error:
        raise ValueError(f"order must hold times, numbers or dates: {error}.") from error


def rows_by_group(groups: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Rows of every group."""
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.cumsum(np.bincount(groups))[:-1])


def _array(name: str, values: Any) -> NDArray[Any]:
    """An array of the entries; strings, and lists of different lengths, stay entries."""
    rows = _numbers(name, values)
    if rows is not None and rows.ndim > 0 and len(rows) == len(values):
        return rows
    return entries_of(values)


def _numbers(name: str, values: Any) -> NDArray[Any] | None:
    """An array of numbers, if all of them are; whole ones must be held exactly."""
    try:
        rows = np.asarray(values)
    except ValueError:  # ragged
        return None
    if rows.dtype.kind not in "biuf":
        return None
    large = rows.dtype.kind == "f" and np.abs(rows).max(initial=0) >= LARGEST_EXACT
    if large and all(isinstance(value, int) for value in values):
        raise ValueError(
            f"{name} mixes whole numbers that no 64-bit type can hold; pass them as text."
        )
    return rows


def entries_of(values: Any) -> NDArray[Any]:
    """Return an array of objects, one for each entry, whatever the entries are."""
    entries = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        entries[row] = value.item() if isinstance(value, np.generic) else value
    return entries


def weights_of(values: NDArray[Any]) -> NDArray[np.float64]:
    weights = read_numbers("sample_weight", values)
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must hold one finite number >= 0 per row.")
    if not weights.any():
        raise ValueError("sample_weight is 0 on every row.")
    return weights
