"""What is known about guesses that ignore X, under the metric that a user wrote."""

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from traceback import walk_tb
from types import CodeType
from typing import Any

import numpy as np

from skstat.metrics._chance import LabelChance, OrderChance
from skstat.metrics._costs import is_cost
from skstat.metrics._metric import ScoreMetric, as_metric, metric_of_scorer
from skstat.metrics._scorers import is_scorer


def chance_of(scoring: Any) -> LabelChance | OrderChance | None:
    """Return the expected score of guesses under a scorer; None where there is no formula.

    Parameters
    ----------
    scoring : str or scorer
        As in the ``scoring`` of scikit-learn.
    """
    metric = metric_of_scorer(scoring)
    return None if metric.facts.chance is None else metric.facts.chance(metric)


def is_linear_in_labels(scoring: Any) -> bool:
    """Whether a scorer (by name or as an object) is linear in the predicted labels.

    It is then a mean over rows of something that depends on the row's two labels only, with
    weights that depend on the truth alone. The score of a random guess is, in expectation,
    the mean of the scores of the constant predictions.
    """
    metric = metric_of_scorer(scoring)
    return is_cost(scoring) or metric.facts.is_linear(metric.options)


def is_mean_of_labels(scoring: Any) -> bool:
    """Whether it is so with weights that are all the same, whichever classes rows hold."""
    metric = metric_of_scorer(scoring)
    if not is_linear_in_labels(scoring):
        return False
    if metric.is_cost:  # the columns of the matrix are classes
        return metric.options.get("labels") is not None
    return metric.is_mean


def is_proper(scoring: Any) -> bool:
    """Whether it is a proper score of probabilities: log loss, Brier score, or their D2.

    Among all probabilities that are the same for every row, the class shares then score highest
    on the rows that they were counted on.
    """
    metric = metric_of_scorer(scoring)
    return metric.facts.output == "probabilities" and metric.is_loss == metric.facts.is_loss


def counts_right_rows(metric: ScoreMetric) -> bool:
    """Whether it is the share of rows that are right or, of a loss, of those that are wrong."""
    if metric.options.get("normalize") is False:
        return False  # a number of rows
    if metric.facts.counts:
        return metric.is_loss == (metric.facts.counts == "misses")
    of_all = "labels" not in metric.options
    average = metric.options.get("average")
    return not metric.is_loss and of_all and average in metric.facts.accuracy_averages


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
