"""Metrics of predicted labels: functions of how often classes are true, predicted, hit.

Everything here depends on the confusion matrix through its margins and diagonal, so that
rows that are alike (same truth, same predictions) can be counted and resampled together.
Labels are numbered, and rows counted, once for all metrics and pairs of a test set.

A builder gets the predictions, the options that the user named, and whether the metric is a
loss; it returns None where it has no formula. Which metric has which is in ``_known.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import xlogy

from skstat.metrics._output_kinds import aligned_rows, check_labels, sorted_labels
from skstat.stats import Predictions, SumKernel
from skstat.stats._chance import ResamplingPlan, kinds_of_rows
from skstat.stats._kernels import Kernel
from skstat.stats._read import codes_of, numbered
from skstat.stats._scores import indices_of

# Drawing the counts of c cells costs as much as drawing about 20 c rows.
_ROWS_PER_CELL = 20
_FEW_CELLS = 32
_FEW_WEIGHTS = 20
_LARGEST_DENSE = 20_000_000
_FEW_CLASSES = 8

Codes = NDArray[np.int64]
Rows = NDArray[np.float64]
Options = Mapping[str, Any]
# From predictions and their metric.
Builder = Callable[..., Kernel | None]
Formula = Callable[[Any, Any, Any, Any], Rows]
# Kinds of rows: how many there are of each, and the first row of each.
Cells = tuple[ResamplingPlan, Codes]


class LabelCodes(NamedTuple):
    """Truth and predicted labels as numbers of classes in ascending order."""

    classes: NDArray[Any]
    y_true: Codes
    outputs: tuple[Codes, ...]


def label_codes(predictions: Predictions) -> LabelCodes:
    """Encode the labels of truth and systems; for a pair, as among all systems."""
    family = predictions.family
    if family is not None and predictions.counts is None:  # which add rows up for each pair
        all_codes = label_codes(family)
        indices = indices_of(family.names, predictions.names)
        return all_codes._replace(outputs=tuple(all_codes.outputs[i] for i in indices))
    columns = [predictions.y_true, *predictions.outputs.values()]
    number = partial(numbered, columns)
    classes, (truth, *outputs) = predictions.cache.once("codes", number, *columns)
    return LabelCodes(classes, truth, tuple(outputs))


def _cells(kinds: list[Any], weight: Any, strata: Any) -> Cells | None:
    """Count rows that are equal in all `kinds`; None if there are too many distinct ones."""
    keys = [*kinds]
    if weight is not None:
        codes = codes_of(weight)
        if codes.max() >= _FEW_WEIGHTS:
            return None
        keys.append(codes)
    if strata is not None:
        keys.append(strata)
    cells = kinds_of_rows(keys, max(_FEW_CELLS, len(keys[0]) // _ROWS_PER_CELL))
    if cells is None:
        return None
    first, counts = cells
    return ResamplingPlan(counts, None if strata is None else strata[first]), first


def right_rows(predictions: Predictions) -> list[NDArray[np.bool_]]:
    """Return for each system on which rows all labels are right."""
    truth, outputs = predictions.y_true, tuple(predictions.outputs.values())
    if truth.dtype.kind == "O" and truth.ndim == 1:  # numbers are compared sooner
        _, truth, outputs = label_codes(predictions)
    once = predictions.cache.once
    return [once("right", partial(_rows_equal, truth, p), truth, p) for p in outputs]


def _rows_equal(y: NDArray[Any], p: NDArray[Any]) -> NDArray[np.bool_]:
    """Return on which rows all labels are right."""
    equal: Any = np.asarray(y == p, dtype=bool)
    return equal if equal.ndim == 1 else equal.reshape(len(equal), -1).all(axis=1)


def of_right_rows(
    predictions: Predictions, metric: Any, *, wrong: bool = False
) -> Kernel | None:
    """Return the kernel of the share of right, or of wrong, rows; None with options."""
    if metric.options:
        return None
    right = right_rows(predictions)
    several = predictions.y_true.ndim > 1  # rows of several labels have no cells to share
    scores: list[Rows] = [np.where(row, not wrong, wrong) for row in right]
    return mean_kernel(predictions, metric, scores, None if several else right)


def costs(predictions: Predictions, metric: Any) -> SumKernel:
    """Return the kernel of the mean cost of rows."""
    row_costs_ = row_costs(predictions.y_true, predictions.outputs, **metric.options)
    codes = label_codes(predictions)
    return mean_kernel(predictions, metric, row_costs_, [codes.y_true, *codes.outputs])


def mean_kernel(
    predictions: Predictions, metric: Any, scores: list[Rows], kinds: list[Any] | None = None
) -> SumKernel:
    """Return the kernel of a weighted mean of row scores; rows of equal `kinds` are alike."""
    sign, ones = -1.0 if metric.is_loss else 1.0, np.ones(predictions.n_rows)
    own = [[sign * score] for score in scores]
    return sums_kernel(predictions, [ones], own, SumKernel.mean_of_sums, kinds)


def sums_kernel(
    predictions: Predictions,
    common: list[Rows],
    own: list[list[Rows]],
    formula: Callable[[Any, Any], Rows],
    kinds: list[Any] | None = None,
) -> SumKernel:
    """Return the kernel of a function of weighted sums of row terms."""
    weight = predictions.sample_weight
    plan, first = _atoms(predictions, kinds)

    def sums(terms: Rows) -> Rows:
        """Return the terms of one unit of each atom; for groups, the sums over their rows."""
        terms = terms if weight is None else weight * terms
        if predictions.groups is not None:
            sums: Any = np.bincount(predictions.groups, terms, minlength=predictions.n_units)
            return sums
        return terms if first is None else terms[first]

    is_mean = formula is SumKernel.mean_of_sums
    return SumKernel(
        plan=plan,
        common=np.column_stack([*map(sums, common)]),
        own=tuple(np.column_stack([*map(sums, columns)]) for columns in own),
        formula=formula,
        is_mean=is_mean,
        how=_how(plan, predictions, f"sums of per-row {'scores' if is_mean else 'terms'}"),
    )


def of_margins(
    formula: Formula,
    allowed: Sequence[str],
    average: str,
    predictions: Predictions,
    metric: Any,
) -> Kernel | None:
    """Return the kernel of a function of how often each class is true, predicted and both.

    The options must be among those that the formula knows; `average` is its default.
    """
    average = metric.options.get("average", average)  # None gives several numbers
    options = {key: value for key, value in metric.options.items() if value is not None}
    if metric.is_loss or predictions.y_true.ndim > 1 or not set(options) <= set(allowed):
        return None
    valid = average in ("binary", "micro", "macro", "weighted")
    if not valid or options.get("zero_division", "warn") not in ("warn", 0):
        return None
    chosen, weight = _chosen(predictions, options, average), predictions.sample_weight
    of_present = "average" in allowed and average == "macro" and chosen is None
    if of_present and weight is not None and not weight.all():
        return None  # a class of rows without weight counts, and sums do not show it
    facts = predictions.work.facts
    if "margins" not in facts:
        facts["margins"] = _margins(predictions)
    plan, common, own = facts["margins"]
    classes = Classes(
        chosen=chosen,
        average="macro" if average == "binary" else average,
        beta=options.get("beta", 1.0),
        adjusted=options.get("adjusted", False),
    )
    by_class = average in ("binary", "macro")  # however few rows one has
    return SumKernel(
        plan=plan,
        common=common,
        own=own,
        formula=partial(_by_halves, formula, classes),
        is_mean=False,
        how=_how(plan, predictions, "counts of classes"),
        class_sizes=_class_sizes(predictions, chosen) if by_class else None,
    )


def _chosen(predictions: Predictions, options: Options, average: str) -> Any:
    """Return the codes of the classes an average runs over; None for those present."""
    classes = label_codes(predictions).classes.tolist()
    if average == "binary":
        labels = [options.get("pos_label", 1)]
    elif "labels" in options:
        labels = list(options["labels"])
    else:
        return None
    missing = [label for label in labels if label not in classes]
    if missing and average == "binary" and "pos_label" not in options:
        raise ValueError(
            f"the labels are {classes}: which is the positive one? Pass pos_label, or a metric "
            "that averages over classes (f1_macro)."
        )
    if missing:
        raise ValueError(f"{missing[0]!r} is in neither y_true nor the predictions: {classes}.")
    return np.array([classes.index(label) for label in labels])


def _margins(predictions: Predictions) -> tuple[ResamplingPlan, Any, tuple[Any, ...]]:
    """Return a plan, and for each atom the indicators of true, hit and predicted classes."""
    codes = label_codes(predictions)
    k = len(codes.classes)
    weight = predictions.sample_weight
    plan, first = _atoms(predictions, [codes.y_true, *codes.outputs])
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


def _class_sizes(predictions: Predictions, chosen: Codes | None) -> tuple[int, ...]:
    """Return the number of rows of each class; for several chosen ones, of these only."""
    codes = label_codes(predictions)
    counts = np.bincount(codes.y_true, predictions.counts, minlength=len(codes.classes))
    if chosen is not None and len(chosen) > 1:
        counts = counts[chosen]
    return tuple(int(count) for count in counts if count)


def _atoms(
    predictions: Predictions, kinds: list[Any] | None
) -> tuple[ResamplingPlan, NDArray[np.int64] | None]:
    """Return a plan, and a row of every atom; None in its place if atoms are rows or groups."""
    if predictions.groups is not None:
        return predictions.plan, None
    if kinds is None or predictions.ordered or predictions.draw == "rows":
        return predictions.plan, None
    if predictions.draw == "joint":  # metrics of one call share cells, and so draws
        codes = label_codes(predictions)
        kinds = [codes.y_true, *codes.outputs]
    weight, strata = predictions.sample_weight, predictions.strata
    count = partial(_cells, kinds, weight, strata)
    atoms = predictions.cache.once("cells", count, *kinds, weight, strata)
    return atoms or (predictions.plan, None)


def _how(plan: ResamplingPlan, predictions: Predictions, rows: str) -> str:
    if plan.of_cells:
        return f"counts of {plan.n_atoms} kinds of rows"
    if predictions.groups is not None:
        return f"{rows}, by group"
    return rows


@dataclass(frozen=True, eq=False)
class Classes:
    """Which classes an average runs over, and how: the options of a formula."""

    chosen: Codes | None = None
    average: str | None = "macro"
    beta: float = 1.0
    adjusted: bool = False


def _by_halves(formula: Formula, options: Classes, true: Any, own: Any) -> Any:
    """Call a formula with how often each class is true, hit and predicted."""
    k = own.shape[-1] // 2
    return formula(options, true, own[..., :k], own[..., k:])


def precision(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    return _averaged(options, hit, predicted, true, predicted)


def recall(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    return _averaged(options, hit, np.broadcast_to(true, hit.shape), true, predicted)


def f_score(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    squared = options.beta**2
    return _averaged(options, (1 + squared) * hit, squared * true + predicted, true, predicted)


def jaccard(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    return _averaged(options, hit, true + predicted - hit, true, predicted)


def _averaged(options: Classes, top: Any, bottom: Any, true: Any, predicted: Any) -> Any:
    """Average top / bottom over classes, as scikit-learn does."""
    present = np.broadcast_to(true + predicted > 0, top.shape)
    if options.chosen is not None:
        top, bottom, true = (part[..., options.chosen] for part in (top, bottom, true))
        present = np.ones_like(top, dtype=bool)
    if options.average == "micro":
        return _ratio(top.sum(axis=-1), bottom.sum(axis=-1))
    weights = np.broadcast_to(true, top.shape) if options.average == "weighted" else present
    return _ratio((_ratio(top, bottom) * weights).sum(axis=-1), weights.sum(axis=-1))


def balanced_accuracy(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    n_classes = np.broadcast_to(true > 0, hit.shape).sum(axis=-1)
    score = _ratio(hit, true).sum(axis=-1) / n_classes
    return (score - 1 / n_classes) / (1 - 1 / n_classes) if options.adjusted else score


def matthews(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    n = true.sum(axis=-1)
    covariance = hit.sum(axis=-1) * n - (true * predicted).sum(axis=-1)
    of_said, of_true = (
        _without_noise(n**2 - (part**2).sum(axis=-1), n**2) for part in (predicted, true)
    )
    variances = of_said * of_true
    return np.where(variances > 0, covariance / np.sqrt(variances), 0.0)


def kappa(options: Classes, true: Any, hit: Any, predicted: Any) -> Any:
    n = true.sum(axis=-1)
    expected = (true * predicted).sum(axis=-1) / n
    by_chance = _without_noise(n - expected, n)  # nan where all rows are of one class
    return 1 - _without_noise(n - hit.sum(axis=-1), n) / by_chance


def _without_noise(difference: Any, scale: Any) -> Any:
    """Return a difference with float noise, relative to `scale`, set to zero."""
    return np.where(difference <= 1e-12 * scale, 0.0, difference)


def _ratio(numerator: Any, denominator: Any) -> Any:
    """Divide; 0 where the denominator is 0, as is scikit-learn's default."""
    defined = denominator > 0
    return np.where(defined, numerator / np.where(defined, denominator, 1), 0.0)


LossOfRows = Callable[..., Any]


def squared_error(y: Rows, p: Rows) -> Rows:
    return _over_outputs((y - p) ** 2)


def absolute_error(y: Rows, p: Rows) -> Rows:
    return _over_outputs(np.abs(y - p))


def absolute_percentage_error(y: Rows, p: Rows) -> Rows:
    smallest = np.finfo(np.float64).eps
    return _over_outputs(np.abs(y - p) / np.maximum(np.abs(y), smallest))


def squared_log_error(y: Rows, p: Rows) -> Rows:
    return squared_error(np.log1p(y), np.log1p(p))


def pinball(y: Rows, p: Rows, *, alpha: float = 0.5) -> Rows:
    error = y - p
    return _over_outputs(np.where(error >= 0, alpha * error, (alpha - 1) * error))


def poisson_deviance(y: Rows, p: Rows) -> Rows:
    return 2 * (xlogy(y, y / p) - y + p)


def gamma_deviance(y: Rows, p: Rows) -> Rows:
    return 2 * (np.log(p / y) + y / p - 1)


def log_loss(codes: NDArray[np.int64], p: Rows) -> Rows:
    """Return minus the log-likelihood of class codes; p of class 1, (n,), or of all, (n, K)."""
    smallest = np.finfo(np.float64).eps
    p = np.clip(p, smallest, 1 - smallest)
    if p.ndim == 1:
        return -np.log(np.where(codes == 1, p, 1 - p))
    return -np.log(p[np.arange(len(p)), codes])


def brier(codes: NDArray[np.int64], p: Rows) -> Rows:
    """Return the squared distance of the probability of class 1 from the truth, 0 or 1."""
    return (p - codes) ** 2


def _over_outputs(terms: Rows) -> Rows:
    return terms if terms.ndim == 1 else terms.mean(axis=1)


def mean_loss(
    rows: LossOfRows, allowed: Any, predictions: Predictions, metric: Any, root: bool = False
) -> Kernel | None:
    """Return the kernel of the mean of a loss of numbers, or of its root."""
    if not set(metric.options) <= set(allowed):
        return None
    if root and (not metric.is_loss or predictions.y_true.ndim > 1):
        return None  # of several outputs, the mean of their roots
    y, outputs = predictions.y_true, predictions.outputs.values()
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [rows(y, p, **metric.options) for p in outputs]
    if not all(np.isfinite(term).all() and term.ndim == 1 for term in terms):
        return None
    if root:
        own = [[term] for term in terms]
        return sums_kernel(predictions, [np.ones(len(y))], own, _minus_root)
    return mean_kernel(predictions, metric, terms)


def _minus_root(common: Any, own: Any) -> Any:
    return -np.sqrt(own[..., 0] / common[..., 0])


def of_probabilities(
    rows: LossOfRows, predictions: Predictions, metric: Any, *, of_two: bool = False
) -> Kernel | None:
    """Return the kernel of the mean of a loss of probabilities."""
    if set(metric.options) - (set() if of_two else {"labels"}):
        return None
    present = sorted_labels(predictions.y_true)
    labels = metric.options.get("labels")
    classes = present if labels is None else sorted(labels)
    for label in present:
        if label not in classes:
            raise ValueError(f"y_true holds {label!r}, which is not in labels={classes}.")
    outputs = list(predictions.outputs.values())
    for p in outputs:
        if classes != [0, 1] if p.ndim == 1 else of_two or p.shape[1] != len(classes):
            return None
    codes = np.searchsorted(np.asarray(classes), predictions.y_true)
    kernel = mean_kernel(predictions, metric, [rows(codes, p) for p in outputs])
    # The loss is large on the rows of a rare class.
    sizes = np.unique(codes, return_counts=True)[1]
    return replace(kernel, class_sizes=tuple(sizes.tolist()))


def explained(
    predictions: Predictions, metric: Any, *, about_mean: bool = False
) -> Kernel | None:
    """Return the kernel of R², or of the explained variance.

    The latter, with `about_mean`, uses the variance of the errors, not their mean square.
    """
    if metric.options or metric.is_loss or predictions.y_true.ndim > 1:
        return None
    y, outputs = predictions.y_true, predictions.outputs.values()
    centred = y - y.mean()  # against cancellation
    # One constant for all systems, so that errors can be swapped.
    errors = [y - p for p in outputs]
    centre = np.mean(errors) if about_mean else 0.0
    own = [[(e - centre) ** 2, *[e - centre] * about_mean] for e in errors]
    common = [np.ones(len(y)), centred, centred**2]
    return sums_kernel(predictions, common, own, _about_mean if about_mean else _r2)


def _spread(n: Any, total: Any, squares: Any) -> Any:
    """Return the sum of squares about the mean, from sums; 0 for float noise."""
    return _without_noise(squares - total**2 / n, squares)


def _r2(common: Any, own: Any) -> Any:
    """Return 1 - error / spread; nan for a constant y."""
    spread = _spread(common[..., 0], common[..., 1], common[..., 2])
    return 1 - own[..., 0] / np.where(spread == 0, np.nan, spread)


def _about_mean(common: Any, own: Any) -> Any:
    rest = _spread(common[..., 0], own[..., 1], own[..., 0])
    return _r2(common, rest[..., np.newaxis])


def cost_array(cost_matrix: Any, classes: Any = None) -> NDArray[np.float64]:
    """Return costs as a square array of finite numbers, one row and column for each class."""
    try:
        costs = np.asarray(cost_matrix, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"cost_matrix={cost_matrix!r} must hold numbers, one row for each true class and "
            "one column for each predicted class, such as [[0, 1], [5, 0]]."
        ) from None
    n_classes = (costs.shape[:1] or (1,)) if classes is None else (len(classes),)
    if costs.shape != n_classes * 2 or not np.isfinite(costs).all():
        of = "" if classes is None else f" of {list(classes)}"
        raise ValueError(
            f"cost_matrix has shape {costs.shape}; it needs one finite cost for each true "
            f"class (rows) and predicted class (columns){of}. Where there is labels=, name "
            "all classes by it, in the order of the matrix."
        )
    return costs


def row_costs(
    y_true: NDArray[Any],
    outputs: Mapping[str, NDArray[Any]],
    cost_matrix: Any,
    labels: Any = None,
) -> list[NDArray[np.float64]]:
    """Cost of every prediction.

    Parameters
    ----------
    y_true : ndarray of shape (n_rows,)
        True labels.
    outputs : dict of str to ndarray of shape (n_rows,)
        Predicted labels of each system.
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true.
    labels : array-like, optional
        Classes in the order of the matrix; default ascending.

    Returns
    -------
    list of ndarray of shape (n_rows,)
        Costs of each system.

    Raises
    ------
    ValueError
        If the matrix does not fit the classes.
    """
    numeric = {values.dtype.kind in "biuf" for values in (y_true, *outputs.values())}
    if len(numeric) > 1:
        raise ValueError("some labels are numbers and others are not: use the same kind.")
    seen = sorted_labels(np.concatenate([y_true, *outputs.values()]))
    classes = seen if labels is None else check_labels(labels)
    costs = cost_array(cost_matrix, classes)
    code_of = {label: code for code, label in enumerate(classes)}
    unknown = [label for label in seen if label not in code_of]
    if unknown:
        raise ValueError(f"labels={classes} lacks {unknown[0]!r}, which the test set holds.")

    def codes(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.array([code_of[value] for value in values.tolist()], dtype=np.int64)

    truth = codes(y_true)
    return [costs[truth, codes(output)] for output in outputs.values()]


def cost_sensitive_error(
    y_true: Any,
    y_pred: Any,
    cost_matrix: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
) -> float:
    """Mean cost of predicted labels.

    ``sum_i cost_matrix[true class of i, predicted class of i] / n`` over the n rows. With a
    cost of 1 for every error and 0 on the diagonal this is the error rate.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_pred : array-like of shape (n_rows,)
        Predicted labels.
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true, in the order
        of :func:`sklearn.metrics.confusion_matrix`. With two classes, the second of them
        positive, ``cost_matrix[1, 0]`` is the cost of a missed positive and
        ``cost_matrix[0, 1]`` that of a false alarm. Negative costs are gains.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrix; default all that are in `y_true` or `y_pred`,
        ascending. Name them where rows may miss a class: in cross-validation, for instance.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    float
        The mean cost, in the unit of `cost_matrix`; lower is better.

    Raises
    ------
    ValueError
        If the matrix does not fit the classes, or lengths differ.

    See Also
    --------
    cost_sensitive_scorer : The same as a scorer, negated.

    References
    ----------
    .. [1] Elkan, C. (2001). The foundations of cost-sensitive learning. Proceedings of the
       17th International Joint Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from skstat.metrics import cost_sensitive_error
    >>> costs = [[0, 5], [1, 0]]  # a lost ham costs 5, a missed spam 1
    >>> y_true, y_pred = ["ham", "ham", "spam", "spam"], ["ham", "spam", "ham", "spam"]
    >>> cost_sensitive_error(y_true, y_pred, costs)
    1.5
    """
    truth, predicted, weights = aligned_rows(y_true, y_pred, sample_weight, "y_pred")
    if truth.ndim > 1 or predicted.ndim > 1:
        raise ValueError(f"y_true {truth.shape} and y_pred {predicted.shape} must be columns.")
    (costs,) = row_costs(truth, {"y_pred": predicted}, cost_matrix, labels)
    return float(np.average(costs, weights=weights))


def is_cost(scoring: Any) -> bool:
    """Whether a scorer is one of mean costs."""
    return repr(scoring).startswith(f"make_scorer({cost_sensitive_error.__name__},")
