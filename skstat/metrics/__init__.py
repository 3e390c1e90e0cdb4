"""Metrics, how they behave under resampling, and what errors cost.

The names are resolved when they are first used: reports ask ``_known.py``, and need no
scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skstat.metrics._confusion import ConfusionScores, scores_of_confusion_matrices
    from skstat.metrics._cost_curve import CostCurve, cost_curve, probability_cost
    from skstat.metrics._costs import cost_sensitive_error, cost_sensitive_scorer, row_costs
    from skstat.metrics._guesses import is_linear_in_labels
    from skstat.metrics._metric import ScoreMetric, as_metric, row_scores
    from skstat.metrics._rank_metrics import precision_recall_break_even, rank_loss

_HOME = {
    "ConfusionScores": "_confusion",
    "CostCurve": "_cost_curve",
    "ScoreMetric": "_metric",
    "as_metric": "_metric",
    "cost_curve": "_cost_curve",
    "cost_sensitive_error": "_costs",
    "cost_sensitive_scorer": "_costs",
    "is_linear_in_labels": "_guesses",
    "precision_recall_break_even": "_rank_metrics",
    "probability_cost": "_cost_curve",
    "rank_loss": "_rank_metrics",
    "row_costs": "_costs",
    "row_scores": "_metric",
    "scores_of_confusion_matrices": "_confusion",
}

__all__ = [
    "ConfusionScores",
    "CostCurve",
    "ScoreMetric",
    "as_metric",
    "cost_curve",
    "cost_sensitive_error",
    "cost_sensitive_scorer",
    "is_linear_in_labels",
    "precision_recall_break_even",
    "probability_cost",
    "rank_loss",
    "row_costs",
    "row_scores",
    "scores_of_confusion_matrices",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"skstat.metrics.{_HOME[name]}"), name)
    raise AttributeError(f"module 'skstat.metrics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
