"""How metrics behave under resampling."""

from skstat.metrics._bounds import bounds_of
from skstat.metrics._costs import row_costs
from skstat.metrics._linear import is_linear_in_labels
from skstat.metrics._metric import ScoreMetric, as_metric, row_scores
from skstat.metrics._rows import RowMetric

__all__ = [
    "RowMetric",
    "ScoreMetric",
    "as_metric",
    "bounds_of",
    "is_linear_in_labels",
    "row_costs",
    "row_scores",
]
