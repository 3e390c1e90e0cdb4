"""Metrics, how they behave under resampling, and what errors cost.

The names are resolved when they are first used: reports read ``_known.py``, and need no
scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # What a type checker sees; `__all__` below says which of it is public here.
    from skstat.metrics._metric import *
    from skstat.metrics._own_metrics import *
    from skstat.metrics._sums import *

_NAMES_IN = {
    "_metric": ("ScoreMetric", "as_metric", "is_linear_in_labels", "row_scores"),
    "_own_metrics": (
        "ConfusionScores", "CostCurve", "cost_curve", "cost_sensitive_scorer",
        "precision_recall_break_even", "probability_cost", "rank_loss",
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
