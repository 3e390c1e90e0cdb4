"""Whether a scorer takes weights of rows."""

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from traceback import walk_tb
from types import CodeType
from typing import Any

import numpy as np

from skstat.metrics._metric import as_metric
from skstat.metrics._scorers import is_scorer


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer takes ``sample_weight``.

    Parameters
    ----------
    scorer : str or callable
        A scorer's name, what :func:`sklearn.metrics.make_scorer` gave, or a function of
        estimator, X and y.
    """
    if not isinstance(scorer, str) and not is_scorer(scorer):
        return _names_weights(scorer)
    metric = as_metric(scorer)
    if inspect.isfunction(metric.function):
        return _names_weights(metric.function)
    # The function is known to its scorer only, which passes on what it gets.
    labels = np.array([0, 1, 0, 1])
    call = partial(metric.function, labels, labels, **metric.options)
    failed = _failure(call, sample_weight=np.ones(len(labels)))
    if failed is None or not issubclass(failed[0], TypeError):
        return True  # it may not like these rows: the arguments were bound before
    return failed == _failure(call)


def _failure(call: Callable[..., Any], **options: Any) -> tuple[type, CodeType] | None:
    """Return the kind of error that a call raises, and in which code; None without one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(**options)
    except Exception as error:
        *_, (frame, _) = walk_tb(error.__traceback__)
        return type(error), frame.f_code
    return None


def _names_weights(function: Any) -> bool:
    try:
        return "sample_weight" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in
        return False
