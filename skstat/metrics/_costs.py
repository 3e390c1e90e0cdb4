"""Costs of predicted labels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.metrics._kinds import sorted_labels


def row_costs(
    y_true: NDArray[Any], outputs: dict[str, NDArray[Any]], cost_matrix: Any, labels: Any = None
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
    seen = sorted_labels(np.concatenate([y_true, *outputs.values()]))
    classes = seen if labels is None else list(labels)
    costs = np.asarray(cost_matrix, dtype=float)
    if costs.shape != (len(classes), len(classes)) or not np.isfinite(costs).all():
        raise ValueError(
            f"cost_matrix has shape {costs.shape}; it needs one finite cost for each true "
            f"class (rows) and predicted class (columns) of {classes}. Pass labels= if "
            "classes are missing from the test set."
        )
    unknown = [label for label in seen if label not in classes]
    if unknown:
        raise ValueError(f"labels={classes} lacks {unknown[0]!r}, which the test set holds.")
    number = {label: code for code, label in enumerate(classes)}

    def codes(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.array([number[value] for value in values.tolist()], dtype=np.int64)

    truth = codes(y_true)
    return [costs[truth, codes(output)] for output in outputs.values()]
