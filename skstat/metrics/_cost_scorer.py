"""Costs of predicted labels as a scorer."""

from typing import Any

import numpy as np
from sklearn.metrics import make_scorer

from skstat.metrics._costs import cost_array, cost_sensitive_error
from skstat.metrics._output_kinds import check_labels


def cost_sensitive_scorer(cost_matrix: Any, *, labels: Any = None) -> Any:
    """Make a scorer of the mean cost, for every ``scoring=`` and ``metric=``.

    As with all scorers of losses the score is negated, so that higher is better; reports show
    the cost itself.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrix; default all that a test set or its predictions
        hold, ascending. Name them where a test fold may miss a class.

    Returns
    -------
    callable
        What :func:`sklearn.metrics.make_scorer` makes of :func:`cost_sensitive_error`.

    Raises
    ------
    ValueError
        If the costs are not a square matrix of finite numbers, one row for each label.

    See Also
    --------
    cost_sensitive_error : The function that is negated.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat.metrics import cost_sensitive_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scorer = cost_sensitive_scorer([[0, 10], [1, 0]])  # class 0 is malignant
    >>> cross_val_score(GaussianNB(), X, y, scoring=scorer).round(2)
    array([-0.39, -0.71, -0.45, -0.37, -0.28])
    """
    costs = cost_array(cost_matrix)
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1] or not np.isfinite(costs).all():
        raise ValueError(
            f"cost_matrix has shape {costs.shape}; it must be square, with a finite cost for "
            "each true class (rows) and predicted class (columns)."
        )
    # Plain values: the scorer's repr can then be read back (see `costs_of`).
    options: dict[str, Any] = {"cost_matrix": tuple(map(tuple, costs.tolist()))}
    if labels is not None:
        names = check_labels(labels)
        if len(names) != len(costs):
            raise ValueError(
                f"labels={names} must name the {len(costs)} classes of cost_matrix, each once."
            )
        options["labels"] = tuple(names)
    return make_scorer(cost_sensitive_error, greater_is_better=False, **options)
