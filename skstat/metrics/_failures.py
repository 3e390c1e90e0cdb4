"""Why a metric of scikit-learn could not score predictions, in the words of the caller."""

from typing import Any

import numpy as np

from skstat.metrics._output_kinds import sorted_labels

_MOST_SHOWN = 10


def why_failed(metric: Any, y_true: Any, y_pred: Any) -> str:
    """Say what the predictions lack for a metric; nothing if that is not known.

    Parameters
    ----------
    metric : ScoreMetric
        The metric that failed.
    y_true, y_pred : ndarray
        What it was called with.
    """
    if not metric.known or np.ndim(y_true) != 1:
        return ""
    given = metric.options.get("labels")
    classes = sorted_labels(np.asarray(y_true)) if given is None else list(given)
    columns = np.shape(y_pred)[1] if np.ndim(y_pred) == 2 else None
    if columns is not None and columns != len(classes):
        where = "y_true" if given is None else "labels"
        return (
            f"{metric.name}: the predictions have {columns} columns, and there are "
            f"{len(classes)} classes in {where} ({_shown(classes)}). Give one column "
            "for each class, in ascending order; if y_true lacks a class, name all in labels=."
        )
    if columns is not None and metric.known == "roc_auc_score":
        return (
            f"y_true holds {len(classes)} classes, and {metric.name} is for two; use "
            "roc_auc_ovr or roc_auc_ovo."
        )
    if columns is None:
        classes = sorted_labels(np.concatenate([np.asarray(y_true), np.asarray(y_pred)]))
    one_class = metric.kind == "labels" and metric.averages_one_class
    if one_class and len(classes) > 2:
        name = metric.known.removesuffix("_score")
        return (
            f"{metric.name} is the score of one class of two, and there are {len(classes)} "
            f"({_shown(classes)}). Use '{name}_macro', '{name}_weighted' or '{name}_micro', or "
            f"partial({metric.known}, average=...)."
        )
    return ""


def _shown(classes: list[Any]) -> str:
    shown = ", ".join(map(repr, classes[:_MOST_SHOWN]))
    return shown + (", ..." if len(classes) > _MOST_SHOWN else "")
