"""A loss that is square for small errors, and absolute for large ones."""

from typing import Any

import numpy as np

from skstat.metrics._sums import Rows


def log_cosh(y: Rows, p: Rows) -> Rows:
    """Loss of every row."""
    error = np.abs(y - p)
    return np.asarray(error + np.log1p(np.exp(-2 * error)) - np.log(2))


def log_cosh_error(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Mean logarithm of the hyperbolic cosine of the errors.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted values.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    float
        The loss, 0 for a perfect prediction.

    Examples
    --------
    >>> from skstat.metrics import log_cosh_error
    >>> round(log_cosh_error([1.0, 2.0], [1.0, 4.0]), 3)
    0.663
    """
    rows = log_cosh(np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float))
    return float(np.average(rows, weights=sample_weight))
