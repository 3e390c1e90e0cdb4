"""The range of a metric's values, beyond which an interval makes no sense."""

from typing import Any

import numpy as np

from skstat.metrics._metric import ScoreMetric

_SHARES = (
    "accuracy_score", "average_precision_score", "f1_score", "fbeta_score", "hamming_loss",
    "jaccard_score", "precision_recall_break_even", "precision_score", "rank_loss",
    "recall_score", "roc_auc_score", "zero_one_loss",
)  # fmt: skip
_CORRELATIONS = ("cohen_kappa_score", "matthews_corrcoef")
_AT_MOST_ONE = ("r2_score", "explained_variance_score")


def bounds_of(metric: Any) -> tuple[float | None, float | None]:
    """Return the lowest and the highest score; None where there is none, or it is not known.

    Parameters
    ----------
    metric : ScoreMetric or str
        The metric; of a name alone nothing is known.
    """
    if not isinstance(metric, ScoreMetric):
        return None, None
    if metric.known in _SHARES:
        return (-1.0, 0.0) if metric.is_loss else (0.0, 1.0)
    if metric.known in _CORRELATIONS:
        return -1.0, 1.0
    if metric.known in _AT_MOST_ONE:
        return None, 1.0
    if metric.known == "cost_sensitive_error":  # a cost may be a gain
        costs = np.asarray(metric.options["cost_matrix"], dtype=float)
        return -float(costs.max()), -float(costs.min())
    if metric.known == "balanced_accuracy_score" and not metric.options:
        return 0.0, 1.0
    return (None, 0.0) if metric.is_loss and metric.known.endswith(_LOSSES) else (None, None)


_LOSSES = ("_error", "_loss", "_deviance")  # none of which is ever below 0
