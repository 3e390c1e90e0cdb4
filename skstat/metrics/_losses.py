"""Metrics of numbers and of probabilities: losses, R2, explained variance.

They are functions of sums of per-row terms. Builders are as in ``_labels.py``.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from skstat.metrics._labels import Rows, mean_kernel, sums_kernel
from skstat.metrics._output_kinds import sorted_labels
from skstat.stats import Kernel, Predictions

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
    over = y - p
    return _over_outputs(np.where(over >= 0, alpha * over, (alpha - 1) * over))


def poisson_deviance(y: Rows, p: Rows) -> Rows:
    return 2 * (xlogy(y, y / p) - y + p)


def gamma_deviance(y: Rows, p: Rows) -> Rows:
    return 2 * (np.log(p / y) + y / p - 1)


def log_loss(codes: NDArray[np.int64], p: Rows) -> Rows:
    """Minus log-likelihood of class numbers under probabilities (n,) of 1 or (n, K)."""
    smallest = np.finfo(np.float64).eps
    p = np.clip(p, smallest, 1 - smallest)
    if p.ndim == 1:
        return -np.log(np.where(codes == 1, p, 1 - p))
    return -np.log(p[np.arange(len(p)), codes])


def brier(codes: NDArray[np.int64], p: Rows) -> Rows:
    """Squared distance of the probability of class 1 from what came."""
    return (p - codes) ** 2


def _over_outputs(terms: Rows) -> Rows:
    return terms if terms.ndim == 1 else terms.mean(axis=1)


def mean_loss(
    rows: LossOfRows, allowed: Any, predictions: Predictions, metric: Any, root: bool = False
) -> Kernel | None:
    """The mean of a loss of numbers, or its root."""
    if not set(metric.options) <= set(allowed):
        return None
    if root and (not metric.is_loss or predictions.y_true.ndim > 1):
        return None  # of several outputs, the mean of their roots
    y, outputs = _numbers(predictions)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [rows(y, p, **metric.options) for p in outputs]
    if not all(np.isfinite(term).all() and term.ndim == 1 for term in terms):
        return None
    if root:
        own = [[term] for term in terms]
        return sums_kernel(predictions, [np.ones(len(y))], own, _minus_root)
    return mean_kernel(predictions, metric, terms)


def _numbers(predictions: Predictions) -> tuple[Rows, list[Rows]]:
    outputs = [p.astype(np.float64) for p in predictions.outputs.values()]
    return predictions.y_true.astype(np.float64), outputs


def _minus_root(common: Any, own: Any) -> Any:
    return -np.sqrt(own[..., 0] / common[..., 0])


def of_probabilities(
    rows: LossOfRows, predictions: Predictions, metric: Any, *, of_two: bool = False
) -> Kernel | None:
    """The mean of a loss of probabilities of classes, or of the second of two."""
    if set(metric.options) - (set() if of_two else {"labels"}):
        return None
    present = sorted_labels(predictions.y_true)
    known = metric.options.get("labels")
    classes = present if known is None else sorted(known)
    for label in present:
        if label not in classes:
            raise ValueError(f"y_true holds {label!r}, which is not in labels={classes}.")
    outputs = list(predictions.outputs.values())
    for p in outputs:
        if classes != [0, 1] if p.ndim == 1 else of_two or p.shape[1] != len(classes):
            return None
    codes = np.searchsorted(np.asarray(classes), predictions.y_true)
    kernel = mean_kernel(predictions, metric, [rows(codes, p) for p in outputs])
    # It is large on the rows of a rare class.
    sizes = np.unique(codes, return_counts=True)[1]
    return replace(kernel, class_sizes=tuple(sizes.tolist()))


def explained(
    predictions: Predictions, metric: Any, *, about_mean: bool = False
) -> Kernel | None:
    """Share of the variance of y that a system explains, as one minus the rest.

    The rest is the mean squared error, or `about_mean` the variance of the errors, which
    forgives a constant one.
    """
    if metric.options or metric.is_loss or predictions.y_true.ndim > 1:
        return None
    y, outputs = _numbers(predictions)
    centred = y - y.mean()  # of the same variance, and nothing cancels
    # One constant for all systems: errors that change places must stay what they are.
    errors = [y - p for p in outputs]
    centre = np.mean(errors) if about_mean else 0.0
    own = [[(error - centre) ** 2] for error in errors]
    if about_mean:
        own = [[*squares, e - centre] for squares, e in zip(own, errors, strict=True)]
    common = [np.ones(len(y)), centred, centred**2]
    return sums_kernel(predictions, common, own, _about_mean if about_mean else _r2)


def _r2(common: Any, own: Any) -> Any:
    """1 - rest / spread; undefined for a constant y."""
    spread = _spread(common[..., 0], common[..., 1], common[..., 2])
    return 1 - own[..., 0] / np.where(spread == 0, np.nan, spread)


def _about_mean(common: Any, own: Any) -> Any:
    rest = _spread(common[..., 0], own[..., 1], own[..., 0])
    return _r2(common, rest[..., np.newaxis])


def _spread(n: Any, total: Any, squares: Any) -> Any:
    """Sum of squares about the mean; float noise is set to zero."""
    spread = squares - total**2 / n
    return np.where(spread <= 1e-12 * squares, 0.0, spread)
