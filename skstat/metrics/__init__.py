"""How metrics behave under resampling."""

from skstat.metrics._costs import row_costs
from skstat.metrics._linear import is_linear_in_labels
from skstat.metrics._metric import ScoreMetric, as_metric, row_scores

__all__ = ["ScoreMetric", "as_metric", "is_linear_in_labels", "row_costs", "row_scores"]
