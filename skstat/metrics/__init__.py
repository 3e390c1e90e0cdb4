"""Metrics, how they behave under resampling, and what errors cost."""

from skstat.metrics._bounds import bounds_of
from skstat.metrics._confusion import ConfusionScores, scores_of_confusion_matrices
from skstat.metrics._cost_curve import CostCurve, cost_curve, probability_cost
from skstat.metrics._costs import cost_sensitive_error, cost_sensitive_scorer, row_costs
from skstat.metrics._linear import is_linear_in_labels
from skstat.metrics._metric import (
    ScoreMetric,
    as_metric,
    is_mean_over_rows,
    is_of_labels,
    row_scores,
)
from skstat.metrics._rank_metrics import precision_recall_break_even, rank_loss
from skstat.metrics._row_metric import RowMetric, has_row_formula
from skstat.metrics._weighted import takes_weights

__all__ = [
    "ConfusionScores",
    "CostCurve",
    "RowMetric",
    "ScoreMetric",
    "as_metric",
    "bounds_of",
    "cost_curve",
    "cost_sensitive_error",
    "cost_sensitive_scorer",
    "has_row_formula",
    "is_linear_in_labels",
    "is_mean_over_rows",
    "is_of_labels",
    "precision_recall_break_even",
    "probability_cost",
    "rank_loss",
    "row_costs",
    "row_scores",
    "scores_of_confusion_matrices",
    "takes_weights",
]
