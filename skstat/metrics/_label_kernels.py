"""Metrics of predicted labels: functions of how often classes are true, predicted, hit.

Everything here depends on the confusion matrix through its margins and diagonal, so that
rows that are alike (same truth, same predictions) can be counted and resampled together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skstat.stats import Predictions, SumKernel
from skstat.stats._common import codes_of
from skstat.stats._resampling import CellPlan, ResamplingPlan

# Drawing the counts of c cells costs as much as drawing about 20 c rows.
_ROWS_PER_CELL = 20
_FEW_CELLS = 32
_FEW_WEIGHTS = 20
_LARGEST_DENSE = 20_000_000
_FEW_CLASSES = 8

Formula = Callable[[Any, Any, Any], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class LabelCodes:
    """Truth and predicted labels as numbers of classes in ascending order."""

    classes: NDArray[Any]
    y_true: NDArray[np.int64]
    outputs: tuple[NDArray[np.int64], ...]


def label_codes(predictions: Predictions) -> LabelCodes:
    """Number the labels of truth and systems; once for all metrics of a test set."""
    if "codes" not in predictions.shared:
        columns = [predictions.y_true, *predictions.outputs.values()]
        classes, codes = _encode(columns)
        predictions.shared["codes"] = LabelCodes(classes, codes[0], tuple(codes[1:]))
    return predictions.shared["codes"]


def _encode(columns: list[NDArray[Any]]) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    if all(column.dtype.kind in "biu" for column in columns):
        low = min(int(column.min()) for column in columns)
        span = max(int(column.max()) for column in columns) - low + 1
        if span <= len(columns[0]):
            return _encode_small(columns, low, span)
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


def _encode_small(
    columns: list[NDArray[Any]], low: int, span: int
) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    """The same for whole numbers of a small range, by counting instead of sorting."""
    used = np.zeros(span, dtype=bool)
    for column in columns:
        used |= np.bincount(column.astype(np.int64) - low, minlength=span) > 0
    number = np.cumsum(used) - 1
    classes = np.flatnonzero(used) + low
    return classes, [number[column.astype(np.int64) - low] for column in columns]


def accuracy_kernel(predictions: Predictions) -> SumKernel:
    """Share of rows whose label is right: wins, ties and losses are all there is."""
    right = [
        np.asarray(output == predictions.y_true, dtype=bool)
        for output in predictions.outputs.values()
    ]
    return mean_kernel(predictions, [hit.astype(np.float64) for hit in right], right)


def mean_kernel(
    predictions: Predictions, scores: list[NDArray[np.float64]], kinds: list[Any] | None = None
) -> SumKernel:
    """A weighted mean of per-row scores; rows of equal `kinds` are alike."""
    weight = predictions.sample_weight
    ones = np.ones(predictions.n_rows) if weight is None else weight
    plan, atom_of_row, sizes = _atoms(predictions, kinds)
    common, own = (
        _per_atom(ones, atom_of_row, sizes),
        [_per_atom(ones * score, atom_of_row, sizes) for score in scores],
    )
    return SumKernel(
        plan=plan,
        common=common[:, None],
        own=tuple(part[:, None] for part in own),
        formula=_mean,
        is_mean=True,
        how=_how(plan, predictions, "sums of per-row scores"),
    )


def _mean(common: Any, own: Any) -> Any:
    return own[..., 0] / common[..., 0]


def sums_kernel(
    predictions: Predictions,
    common: list[NDArray[np.float64]],
    own: list[list[NDArray[np.float64]]],
    formula: Callable[[Any, Any], NDArray[np.float64]],
) -> SumKernel:
    """A function of weighted sums of per-row terms."""
    weight = predictions.sample_weight
    plan, atom_of_row, sizes = _atoms(predictions, None)

    def terms(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        weighted = columns if weight is None else [weight * column for column in columns]
        return np.column_stack([_per_atom(c, atom_of_row, sizes) for c in weighted])

    return SumKernel(
        plan=plan,
        common=terms(common),
        own=tuple(terms(columns) for columns in own),
        formula=formula,
        is_mean=False,
        how=_how(plan, predictions, "sums of per-row terms"),
    )


def margins_kernel(predictions: Predictions, formula: Formula, options: Any) -> SumKernel:
    """A function of how often each class is true, predicted, and both."""
    codes = label_codes(predictions)
    k = len(codes.classes)
    weight = predictions.sample_weight
    ones = np.ones(predictions.n_rows) if weight is None else weight
    plan, atom_of_row, sizes = _atoms(predictions, [codes.y_true, *codes.outputs])
    n_atoms = plan.n_atoms
    n_numbers = n_atoms * k * (1 + 2 * len(codes.outputs))
    dense = n_numbers <= _LARGEST_DENSE and (n_atoms < predictions.n_rows or k <= _FEW_CLASSES)

    def by_class(code: NDArray[np.int64], amounts: NDArray[np.float64]) -> Any:
        atoms = np.arange(len(code)) if atom_of_row is None else atom_of_row
        if not dense:
            table = sparse.csr_array((amounts, (atoms, code)), shape=(n_atoms, k))
            return sparse.diags_array(1 / sizes) @ table if sizes is not None else table
        table = np.bincount(atoms * k + code, amounts, n_atoms * k).reshape(n_atoms, k)
        return table if sizes is None else table / sizes[:, None]

    common = by_class(codes.y_true, ones)
    own = []
    for output in codes.outputs:
        parts = [by_class(output, ones * (output == codes.y_true)), by_class(output, ones)]
        own.append(np.hstack(parts) if dense else sparse.hstack(parts, format="csr"))
    return SumKernel(
        plan=plan,
        common=common if dense else sparse.csr_array(common),
        own=tuple(own),
        formula=partial(formula, options),
        is_mean=False,
        how=_how(plan, predictions, "counts of classes"),
        class_sizes=_class_sizes(codes, options) if options.by_class else None,
    )


def _class_sizes(codes: LabelCodes, options: "Classes") -> tuple[int, ...]:
    """Rows of the classes that the score is made up of, as far as there are any."""
    counts = np.bincount(codes.y_true, minlength=len(codes.classes))
    counts = counts if options.chosen is None else counts[options.chosen]
    return tuple(int(count) for count in counts if count)


def _atoms(
    predictions: Predictions, kinds: list[Any] | None
) -> tuple[ResamplingPlan, NDArray[np.int64] | None, NDArray[np.float64] | None]:
    """Plan, the atom of every row (None: the row), rows per atom (None: sums wanted)."""
    if predictions.groups is not None:
        return predictions.plan, predictions.groups, None
    if kinds is None or predictions.ordered or predictions.shared.get("rows"):
        return predictions.plan, None, None
    if predictions.shared.get("joint"):  # metrics of one call share cells, and so draws
        codes = label_codes(predictions)
        kinds = [codes.y_true, *codes.outputs]
    key = f"cells of {len(kinds)}"
    if key not in predictions.shared:
        predictions.shared[key] = _cells(predictions, kinds)
    found = predictions.shared[key]
    return found if found is not None else (predictions.plan, None, None)


def _cells(predictions: Predictions, kinds: list[Any]) -> Any:
    """Count rows that are alike; None if they are too many kinds to be worth it."""
    n = predictions.n_rows
    keys = [np.asarray(kind, dtype=np.int64) for kind in kinds]
    weight = predictions.sample_weight
    if weight is not None:
        codes = codes_of(weight)
        if codes.max() >= _FEW_WEIGHTS:
            return None
        keys.append(codes)
    if predictions.strata is not None:
        keys.append(predictions.strata)
    cell = np.zeros(n, dtype=np.int64)
    n_cells = 1
    for key in keys:
        cell = cell * (int(key.max()) + 1) + key
        cell, n_cells = _renumber(cell)
        if n_cells > max(_FEW_CELLS, n // _ROWS_PER_CELL):
            return None
    # In the order in which they come first: numbers of labels would change when systems
    # change places, and the draws of a seed with them.
    cell = codes_of(cell)
    counts = np.bincount(cell, minlength=n_cells)
    strata = None
    if predictions.strata is not None:
        strata = np.zeros(n_cells, dtype=np.int64)
        strata[cell] = predictions.strata
    return CellPlan(counts, strata), cell, counts.astype(np.float64)


def _renumber(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Number the codes that occur from 0, in ascending order."""
    if codes.max() < 4 * len(codes):
        used = np.bincount(codes) > 0
        return (np.cumsum(used) - 1)[codes], int(used.sum())
    values, renumbered = np.unique(codes, return_inverse=True)
    return renumbered, len(values)


def _per_atom(terms: NDArray[np.float64], atom_of_row: Any, sizes: Any) -> NDArray[np.float64]:
    if atom_of_row is None:
        return terms
    sums: Any = np.bincount(atom_of_row, terms, minlength=int(atom_of_row.max()) + 1)
    return sums if sizes is None else sums / sizes


def _how(plan: ResamplingPlan, predictions: Predictions, rows: str) -> str:
    if isinstance(plan, CellPlan):
        return f"counts of {plan.n_atoms} kinds of rows"
    if predictions.groups is not None:
        return f"{rows}, by group"
    return rows


@dataclass(frozen=True, eq=False)
class Classes:
    """Which classes an average runs over, and how: the options of a formula.

    `by_class` says that all classes count alike, however few their rows.
    """

    by_class: bool = False
    chosen: NDArray[np.int64] | None = None
    average: str | None = "macro"
    beta: float = 1.0
    adjusted: bool = False


def precision(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    return _averaged(options, tp, predicted, true, predicted)


def recall(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    return _averaged(options, tp, np.broadcast_to(true, tp.shape), true, predicted)


def f_score(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    squared = options.beta**2
    return _averaged(options, (1 + squared) * tp, squared * true + predicted, true, predicted)


def jaccard(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    return _averaged(options, tp, true + predicted - tp, true, predicted)


def _averaged(options: Classes, top: Any, bottom: Any, true: Any, predicted: Any) -> Any:
    """Average of top / bottom over classes, as scikit-learn averages."""
    present = np.broadcast_to(true + predicted > 0, top.shape)
    if options.chosen is not None:
        top, bottom = top[..., options.chosen], bottom[..., options.chosen]
        true = true[..., options.chosen]
        present = np.ones_like(top, dtype=bool)
    if options.average == "micro":
        return _ratio(top.sum(axis=-1), bottom.sum(axis=-1))
    ratios = _ratio(top, bottom)
    if options.average == "weighted":
        weights = np.broadcast_to(true, ratios.shape)
        return _ratio((ratios * weights).sum(axis=-1), weights.sum(axis=-1))
    return (ratios * present).sum(axis=-1) / present.sum(axis=-1)


def balanced_accuracy(options: Classes, true: Any, own: Any) -> Any:
    tp, _ = _halves(own)
    present = np.broadcast_to(true > 0, tp.shape)
    n_classes = present.sum(axis=-1)
    score = _ratio(tp, true).sum(axis=-1) / n_classes
    if options.adjusted:
        chance = 1 / n_classes
        score = (score - chance) / (1 - chance)
    return score


def matthews(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    n, hits = true.sum(axis=-1), tp.sum(axis=-1)
    covariance = hits * n - (true * predicted).sum(axis=-1)
    squared = n**2
    of_predicted = _without_noise(squared - (predicted**2).sum(axis=-1), squared)
    of_true = _without_noise(squared - (true**2).sum(axis=-1), squared)
    variances = of_predicted * of_true
    return np.where(variances > 0, covariance / np.sqrt(variances), 0.0)


def kappa(options: Classes, true: Any, own: Any) -> Any:
    tp, predicted = _halves(own)
    n = true.sum(axis=-1)
    expected = (true * predicted).sum(axis=-1) / n
    by_chance = _without_noise(n - expected, n)  # nan where all rows are of one class
    return 1 - _without_noise(n - tp.sum(axis=-1), n) / by_chance


def _without_noise(rest: Any, whole: Any) -> Any:
    """What is left of a sum when a part is taken away; float noise is set to zero."""
    return np.where(rest <= 1e-12 * whole, 0.0, rest)


def _halves(own: Any) -> tuple[Any, Any]:
    k = own.shape[-1] // 2
    return own[..., :k], own[..., k:]


def _ratio(top: Any, bottom: Any) -> Any:
    """Divide; 0 where bottom is 0, as scikit-learn has it by default."""
    defined = bottom > 0
    return np.where(defined, top / np.where(defined, bottom, 1), 0.0)
