"""Metrics, how they behave under resampling, and what errors cost.

The names are resolved when they are first used: reports ask ``_known.py``, and need no
scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skstat.metrics._cost_curve import CostCurve as CostCurve
    from skstat.metrics._cost_curve import cost_curve as cost_curve
    from skstat.metrics._cost_curve import probability_cost as probability_cost
    from skstat.metrics._metric import ScoreMetric as ScoreMetric
    from skstat.metrics._metric import as_metric as as_metric
    from skstat.metrics._metric import is_linear_in_labels as is_linear_in_labels
    from skstat.metrics._metric import row_scores as row_scores
    from skstat.metrics._own_metrics import ConfusionScores as ConfusionScores
    from skstat.metrics._own_metrics import cost_sensitive_scorer as cost_sensitive_scorer
    from skstat.metrics._own_metrics import (
        precision_recall_break_even as precision_recall_break_even,
    )
    from skstat.metrics._own_metrics import rank_loss as rank_loss
    from skstat.metrics._own_metrics import (
        scores_of_confusion_matrices as scores_of_confusion_matrices,
    )
    from skstat.metrics._sums import cost_sensitive_error as cost_sensitive_error
    from skstat.metrics._sums import row_costs as row_costs

_NAMES_IN = {
    "_cost_curve": ("CostCurve", "cost_curve", "probability_cost"),
    "_metric": ("ScoreMetric", "as_metric", "is_linear_in_labels", "row_scores"),
    "_own_metrics": (
        "ConfusionScores", "cost_sensitive_scorer", "precision_recall_break_even", "rank_loss",
        "scores_of_confusion_matrices",
    ),
    "_sums": ("cost_sensitive_error", "row_costs"),
}  # fmt: skip
_HOME = {name: module for module, names in _NAMES_IN.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"skstat.metrics.{_HOME[name]}"), name)
    raise AttributeError(f"module 'skstat.metrics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
