"""The class that is cheapest to predict always."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class CheapestClass(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that always predicts the class that was cheapest on the training rows.

    What the majority class is for the accuracy, this is for costs: the best that can be done
    without looking at X.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrix; default those of the training rows, ascending.
    """

    def __init__(self, cost_matrix: Any, *, labels: Any = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add up what every class would have cost; the first of several cheapest is taken."""
        y = np.ravel(np.asarray(y))
        self.classes_, codes = np.unique(y, return_inverse=True)
        costs = np.asarray(self.cost_matrix, dtype=float)
        labels = self.classes_.tolist() if self.labels is None else list(self.labels)
        if costs.shape != (len(labels), len(labels)):
            raise ValueError(
                f"cost_matrix has shape {costs.shape} and the training rows hold {labels}; "
                "name all classes by labels=, in the order of the matrix."
            )
        unknown = [label for label in self.classes_.tolist() if label not in labels]
        if unknown:
            raise ValueError(f"labels={labels} lacks {unknown[0]!r}, which y holds.")
        rows = [labels.index(label) for label in self.classes_.tolist()]
        totals = np.bincount(codes, sample_weight, len(self.classes_)) @ costs[rows]
        self.class_ = labels[int(np.argmin(np.round(totals, 10)))]
        return self

    def predict(self, X: Any) -> Any:
        """Predict the cheapest class for every row."""
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        kind = self.classes_.dtype if self.classes_.dtype.kind in "biufO" else None
        predicted = np.empty(n, dtype=kind or object)
        predicted[:] = self.class_
        return predicted if kind is not None else predicted.astype(str)
