"""Costs of predicted labels: of every row, on average, and those of a scorer."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.metrics._output_kinds import aligned_rows, check_labels, sorted_labels


def cost_array(cost_matrix: Any) -> NDArray[np.float64]:
    """Return costs as an array of numbers."""
    try:
        return np.asarray(cost_matrix, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"cost_matrix={cost_matrix!r} must hold numbers, one row for each true class and "
            "one column for each predicted class, such as [[0, 1], [5, 0]]."
        ) from None


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
        raise ValueError(
            "some labels are numbers and others are not, so that none can agree; use the same "
            "kind of labels in y_true and the predictions."
        )
    seen = sorted_labels(np.concatenate([y_true, *outputs.values()]))
    classes = seen if labels is None else check_labels(labels)
    costs = cost_array(cost_matrix)
    if costs.shape != (len(classes), len(classes)) or not np.isfinite(costs).all():
        raise ValueError(
            f"cost_matrix has shape {costs.shape}; it needs one finite cost for each true "
            f"class (rows) and predicted class (columns) of {classes}. Pass labels= if "
            "classes are missing from the test set."
        )
    number = {label: code for code, label in enumerate(classes)}
    unknown = [label for label in seen if label not in number]
    if unknown:
        raise ValueError(f"labels={classes} lacks {unknown[0]!r}, which the test set holds.")

    def codes(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.array([number[value] for value in values.tolist()], dtype=np.int64)

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
        raise ValueError(
            f"y_true has shape {truth.shape} and y_pred {predicted.shape}; costs need one true "
            "and one predicted label for each row."
        )
    (costs,) = row_costs(truth, {"y_pred": predicted}, cost_matrix, labels)
    return float(np.average(costs, weights=weights))


def is_cost(scoring: Any) -> bool:
    """Whether a scorer is one of mean costs."""
    return repr(scoring).startswith(f"make_scorer({cost_sensitive_error.__name__},")
