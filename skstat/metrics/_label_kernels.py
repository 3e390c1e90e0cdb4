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

from skstat.metrics._cells import cells_of, label_codes
from skstat.stats import Predictions, SumKernel
from skstat.stats._resampling import CellPlan, ResamplingPlan

_LARGEST_DENSE = 20_000_000
_FEW_CLASSES = 8

Formula = Callable[[Any, Any, Any], NDArray[np.float64]]


def right_rows(predictions: Predictions) -> list[NDArray[np.bool_]]:
    """On which rows the label is right, or all labels of the row, system by system."""
    work = predictions.work
    if work.right is None:
        family = predictions.family
        truth, outputs = predictions.y_true, list(predictions.outputs.values())
        if family is not None:
            found = dict(zip(family.names, right_rows(family), strict=True))
            work.right = [found[name] for name in predictions.names]
        else:
            if truth.dtype.kind == "O" and truth.ndim == 1:  # numbers are compared sooner
                codes = label_codes(predictions)
                truth, outputs = codes.y_true, list(codes.outputs)
            work.right = [_rows_equal(truth, out) for out in outputs]
    return work.right


def _rows_equal(y: NDArray[Any], p: NDArray[Any]) -> NDArray[np.bool_]:
    """On which rows all labels are right, however many a row has."""
    equal: Any = np.asarray(y == p, dtype=bool)
    return equal if equal.ndim == 1 else equal.reshape(len(equal), -1).all(axis=1)


def hits_kernel(predictions: Predictions, scores: list[NDArray[np.float64]]) -> SumKernel:
    """Share of right rows, or of wrong ones: wins, ties and losses are all there is."""
    several = predictions.y_true.ndim > 1  # rows of several labels have no cells to share
    kinds = None if several else right_rows(predictions)
    return mean_kernel(predictions, scores, kinds, "hits")


def mean_kernel(
    predictions: Predictions,
    scores: list[NDArray[np.float64]],
    kinds: list[Any] | None = None,
    name: str = "",
) -> SumKernel:
    """A weighted mean of per-row scores; rows of equal `kinds` are alike.

    `name` says what the kinds are.
    """
    weight = predictions.sample_weight
    ones = np.ones(predictions.n_rows) if weight is None else weight
    plan, first = _atoms(predictions, kinds, name)
    common = _per_atom(ones, predictions, first)
    own = [
        _per_atom(score if weight is None else weight * score, predictions, first)
        for score in scores
    ]
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
    plan, first = _atoms(predictions, None)

    def terms(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        weighted = columns if weight is None else [weight * column for column in columns]
        return np.column_stack([_per_atom(c, predictions, first) for c in weighted])

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
    work = predictions.work
    if work.margins is None:
        work.margins = _margins(predictions)
    plan, common, own = work.margins
    sizes = _class_sizes(predictions, options) if options.by_class else None
    return SumKernel(
        plan=plan,
        common=common,
        own=own,
        formula=partial(formula, options),
        is_mean=False,
        how=_how(plan, predictions, "counts of classes"),
        class_sizes=sizes,
    )


def _margins(predictions: Predictions) -> tuple[ResamplingPlan, Any, tuple[Any, ...]]:
    """Plan, and of a unit of every atom the classes that are true, and predicted by each."""
    codes = label_codes(predictions)
    k = len(codes.classes)
    weight = predictions.sample_weight
    plan, first = _atoms(predictions, [codes.y_true, *codes.outputs], "labels")
    truth, outputs = codes.y_true, list(codes.outputs)
    ones = np.ones(predictions.n_rows) if weight is None else weight
    if first is not None:  # all rows of a cell are alike, and one is enough
        truth, ones = truth[first], ones[first]
        outputs = [output[first] for output in outputs]
    n_atoms = plan.n_atoms
    n_numbers = n_atoms * k * (1 + 2 * len(outputs))
    dense = n_numbers <= _LARGEST_DENSE and (n_atoms < predictions.n_rows or k <= _FEW_CLASSES)
    atoms = np.arange(len(truth)) if predictions.groups is None else predictions.groups

    def by_class(code: NDArray[np.int64], amounts: NDArray[np.float64]) -> Any:
        if not dense:
            return sparse.csr_array((amounts, (atoms, code)), shape=(n_atoms, k))
        return np.bincount(atoms * k + code, amounts, n_atoms * k).reshape(n_atoms, k)

    common = by_class(truth, ones)
    own = []
    for output in outputs:
        parts = [by_class(output, ones * (output == truth)), by_class(output, ones)]
        own.append(np.hstack(parts) if dense else sparse.hstack(parts, format="csr"))
    return plan, common if dense else sparse.csr_array(common), tuple(own)


def _class_sizes(predictions: Predictions, options: "Classes") -> tuple[int, ...]:
    """Rows of the classes that the score is made up of; of one alone, the others' too."""
    codes = label_codes(predictions)
    rows = getattr(predictions, "counts", None)  # of each kind, where that is what is known
    counts = np.bincount(codes.y_true, weights=rows, minlength=len(codes.classes))
    if options.chosen is not None and len(options.chosen) > 1:
        counts = counts[options.chosen]
    return tuple(int(count) for count in counts if count)


def _atoms(
    predictions: Predictions, kinds: list[Any] | None, name: str = ""
) -> tuple[ResamplingPlan, NDArray[np.int64] | None]:
    """Plan, and a row of every atom (None: of rows the rows, of groups the sums)."""
    if predictions.groups is not None:
        return predictions.plan, None
    if kinds is None or predictions.ordered or predictions.draw == "rows":
        return predictions.plan, None
    if predictions.draw == "joint":  # metrics of one call share cells, and so draws
        codes = label_codes(predictions)
        kinds, name = [codes.y_true, *codes.outputs], "labels"
    cells = cells_of(predictions, kinds, name)
    return (predictions.plan, None) if cells is None else (cells.plan, cells.first)


def _per_atom(
    terms: NDArray[np.float64], predictions: Predictions, first: Any
) -> NDArray[np.float64]:
    """Terms of a unit of every atom, whose rows are alike; of groups their sums."""
    if predictions.groups is not None:
        sums: Any = np.bincount(predictions.groups, terms, minlength=predictions.n_units)
        return sums
    return terms if first is None else terms[first]


def _how(plan: ResamplingPlan, predictions: Predictions, rows: str) -> str:
    if isinstance(plan, CellPlan):
        return f"counts of {plan.n_atoms} kinds of rows"
    if predictions.groups is not None:
        return f"{rows}, by group"
    return rows


@dataclass(frozen=True, eq=False)
class Classes:
    """Which classes an average runs over, and how: the options of a formula.

    `by_class` says that all classes count alike, however few their rows, or one alone.
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
