"""Whether a scorer takes weights of rows."""

import inspect
from typing import Any

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
    labels = [0, 1, 0, 1]
    try:
        metric(labels, labels, sample_weight=[1.0] * len(labels))
    except TypeError as error:
        return "sample_weight" not in str(error)
    except Exception:  # it may not like these rows: the arguments were bound before
        return True
    return True


def _names_weights(function: Any) -> bool:
    try:
        return "sample_weight" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in
        return False
