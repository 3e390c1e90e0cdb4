"""Labels as numbers, and rows that are alike: once for all metrics and pairs of a test set."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats import Predictions
from skstat.stats._common import codes_of
from skstat.stats._resampling import CellPlan
from skstat.stats._samples import Cells, LabelCodes

# Drawing the counts of c cells costs as much as drawing about 20 c rows.
_ROWS_PER_CELL = 20
_FEW_CELLS = 32
_FEW_WEIGHTS = 20

Codes = NDArray[np.int64]


def label_codes(predictions: Predictions) -> LabelCodes:
    """Number the labels of truth and systems; once for all metrics and pairs of a test set."""
    work = predictions.work
    if work.codes is None:
        family = predictions.family
        if family is None:
            work.codes = _encode([predictions.y_true, *predictions.outputs.values()])
        else:
            places = [family.names.index(name) for name in predictions.names]
            work.codes = _of_some(label_codes(family), places)
    return work.codes


def _of_some(everything: LabelCodes, places: list[int]) -> LabelCodes:
    """Number the labels of some of the systems: classes of the others may be missing."""
    outputs = [everything.outputs[place] for place in places]
    used = everything.used[0].copy()
    for place in places:
        used |= everything.used[1 + place]
    if used.all():
        return LabelCodes(everything.classes, everything.y_true, tuple(outputs))
    number = np.cumsum(used) - 1
    return LabelCodes(
        everything.classes[used],
        number[everything.y_true],
        tuple(number[output] for output in outputs),
    )


def _encode(columns: list[NDArray[Any]]) -> LabelCodes:
    classes, codes = numbered(columns)
    return LabelCodes(classes, codes[0], tuple(codes[1:]))


def numbered(columns: list[NDArray[Any]]) -> tuple[NDArray[Any], list[Codes]]:
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
) -> tuple[NDArray[Any], list[Codes]]:
    """The same for whole numbers of a small range, by counting instead of sorting."""
    used = np.zeros(span, dtype=bool)
    codes: list[Codes] = [column.astype(np.int64, copy=False) for column in columns]
    if low:
        codes = [code - low for code in codes]
    for code in codes:
        used |= np.bincount(code, minlength=span) > 0
    if not used.all():
        number = np.cumsum(used) - 1
        codes = [number[code] for code in codes]
    return np.flatnonzero(used) + low, codes


def cells_of(predictions: Predictions, kinds: list[Any], name: str) -> Cells | None:
    """Count rows that are alike in all `kinds`; None if they are too many to be worth it.

    `name` says what the kinds are, by which they are found again. Those of two systems are
    made of those of all, where these are known.
    """
    known = predictions.work.cells
    if name not in known:
        counted = {} if predictions.family is None else predictions.family.work.cells
        finer = counted.get(name) or counted.get("labels")
        beside = (predictions.sample_weight, predictions.strata)
        keys = [*kinds, *(values for values in beside if values is not None)]
        known[name] = (
            _cells(predictions, kinds)
            if finer is None
            else _joined(finer, keys, predictions.n_rows)
        )
    return known[name]


def _cells(predictions: Predictions, kinds: list[Any]) -> Cells | None:
    n = predictions.n_rows
    keys = [np.asarray(kind) for kind in kinds]
    weight = predictions.sample_weight
    if weight is not None:
        codes = codes_of(weight)
        if codes.max() >= _FEW_WEIGHTS:
            return None
        keys.append(codes)
    if predictions.strata is not None:
        keys.append(predictions.strata)
    cell = np.zeros(n, dtype=np.int64)
    for key in keys:
        cell = cell * (int(key.max()) + 1) + key
        cell, n_cells = _renumber(cell)
        if n_cells > _most_cells(n):
            return None
    # In the order in which they come first: numbers of labels would change when systems
    # change places, and the draws of a seed with them.
    first = _first_of_each(cell, n_cells)
    order = np.argsort(first)
    place = np.empty(n_cells, dtype=np.int64)
    place[order] = np.arange(n_cells)
    first, cell = first[order], place[cell]
    counts = np.bincount(cell, minlength=n_cells)
    strata = None if predictions.strata is None else predictions.strata[first]
    return Cells(CellPlan(counts, strata), first, cell)


def _joined(finer: Cells, keys: list[Any], n_rows: int) -> Cells | None:
    """Join the cells of all systems that are alike for some: no row is looked at again."""
    cell = np.zeros(len(finer.first), dtype=np.int64)
    for key in keys:
        codes = codes_of(np.asarray(key)[finer.first])
        cell = codes_of(cell * (int(codes.max()) + 1) + codes)
    n_cells = int(cell.max()) + 1
    if n_cells > _most_cells(n_rows):
        return None
    earliest = _first_of_each(cell, n_cells)
    counts = np.bincount(cell, finer.plan.counts, minlength=n_cells).astype(np.int64)
    strata = None if finer.plan.strata is None else finer.plan.strata[earliest]
    return Cells(CellPlan(counts, strata), finer.first[earliest], cell, finer)


def _most_cells(n_rows: int) -> int:
    return max(_FEW_CELLS, n_rows // _ROWS_PER_CELL)


def _first_of_each(codes: NDArray[np.int64], n_codes: int) -> NDArray[np.int64]:
    """The first place of every code."""
    first = np.empty(n_codes, dtype=np.int64)
    # Of several values for one place the last is kept.
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def _renumber(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Number the codes that occur from 0, in ascending order."""
    if codes.max() < 4 * len(codes):
        used = np.bincount(codes) > 0
        return (np.cumsum(used) - 1)[codes], int(used.sum())
    values, renumbered = np.unique(codes, return_inverse=True)
    return renumbered, len(values)
