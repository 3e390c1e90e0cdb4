"""Metrics that are functions of sums of per-row terms: losses, R2, explained variance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from skstat.metrics._label_kernels import mean_kernel, sums_kernel
from skstat.stats import Predictions, SumKernel

Rows = NDArray[np.float64]


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


def loss_kernel(predictions: Predictions, losses: list[Rows], sign: float) -> SumKernel:
    """Mean of per-row losses."""
    return mean_kernel(predictions, [sign * loss for loss in losses])


def root_kernel(predictions: Predictions, losses: list[Rows]) -> SumKernel:
    """Minus the root of a mean of per-row losses."""
    ones = np.ones(predictions.n_rows)
    return sums_kernel(predictions, [ones], [[loss] for loss in losses], _minus_root)


def _minus_root(common: Any, own: Any) -> Any:
    return -np.sqrt(own[..., 0] / common[..., 0])


def r2_kernel(predictions: Predictions, y: Rows, outputs: list[Rows]) -> SumKernel:
    """Share of the variance of y that a system explains, as one minus the rest."""
    y_centred = y - y.mean()  # of the same variance, and nothing cancels
    common = [np.ones(len(y)), y_centred, y_centred**2]
    own = [[(y - p) ** 2] for p in outputs]
    return sums_kernel(predictions, common, own, _r2)


def _r2(common: Any, own: Any) -> Any:
    return _explained(own[..., 0], _spread(common[..., 0], common[..., 1], common[..., 2]))


def explained_variance_kernel(
    predictions: Predictions, y: Rows, outputs: list[Rows]
) -> SumKernel:
    """The same of the variance of the errors, which forgives a constant one."""
    y_centred = y - y.mean()
    common = [np.ones(len(y)), y_centred, y_centred**2]
    # One constant for all systems: errors that change places must stay what they are.
    errors = [y - p for p in outputs]
    centre = np.mean(errors)
    own = [[error - centre, (error - centre) ** 2] for error in errors]
    return sums_kernel(predictions, common, own, _explained_variance)


def _explained_variance(common: Any, own: Any) -> Any:
    n = common[..., 0]
    rest = _spread(n, own[..., 0], own[..., 1])
    return _explained(rest, _spread(n, common[..., 1], common[..., 2]))


def _spread(n: Any, total: Any, squares: Any) -> Any:
    """Sum of squares about the mean; float noise is set to zero."""
    spread = squares - total**2 / n
    return np.where(spread <= 1e-12 * squares, 0.0, spread)


def _explained(rest: Any, spread: Any) -> Any:
    """1 - rest / spread; undefined for a constant y."""
    return 1 - rest / np.where(spread == 0, np.nan, spread)


def _over_outputs(terms: Rows) -> Rows:
    return terms if terms.ndim == 1 else terms.mean(axis=1)
