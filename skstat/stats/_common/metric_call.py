"""One call of a metric: a number, or an error that says which metric failed."""

from collections.abc import Callable
from typing import Any

import numpy as np


def name_of(metric: Any) -> str:
    """Name a metric in messages."""
    own = getattr(metric, "name", None) or getattr(metric, "__name__", None)
    return str(own or type(metric).__name__)


def score_by(
    metric: Callable[..., Any], y_true: Any, y_pred: Any, name: str = "", **options: Any
) -> float:
    """Call a metric, and check that it gives one number.

    Parameters
    ----------
    metric : callable
        ``(y_true, y_pred)`` to a number.
    y_true, y_pred : ndarray
        Truth and predictions.
    name : str, default=""
        Its name in messages, by default its own.
    **options
        Keyword arguments of the metric.
    """
    name = name or name_of(metric)
    called = "the metric" if name == "metric" else f"metric {name}"
    try:
        score = metric(y_true, y_pred, **options)
    except Exception as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        keywords = "".join(f", {option}=..." for option in options)
        raise kind(
            f"{called} failed: {type(error).__name__}: {str(error).rstrip('.')}. It is called "
            f"as metric(y_true, y_pred{keywords}) with the rows of the test set, with "
            "resamples of them, and with outputs of the systems swapped; where it is "
            "undefined it should return nan."
        ) from error
    n_numbers = len(score) if isinstance(score, list | tuple | dict) else np.size(score)
    if isinstance(score, list | tuple | dict) or np.ndim(score):
        raise ValueError(
            f"{called} gives {n_numbers} numbers, and one is needed; with "
            "average=None or multioutput='raw_values', average them (average='macro')."
        )
    try:
        return float(score)
    except (TypeError, ValueError):
        shown = repr(score)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        raise ValueError(
            f"{called} gives {shown}; it must give one number for all rows."
        ) from None
