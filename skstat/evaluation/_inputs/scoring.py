"""Scorers: from what the user wrote to callables and to names for reports."""

import inspect
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.pipeline import Pipeline

from skstat._directions import SCORER_SAYS_OTHERWISE, direction_of, is_negated_loss
from skstat._spelling import did_you_mean
from skstat.metrics._guesses import counts_right_rows, takes_weights
from skstat.metrics._metric import ScoreMetric, bounds_of, metric_of_scorer
from skstat.metrics._scorers import is_scorer, methods_asked

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, eq=False)
class Scoring:
    """One scorer per estimator, and the name of the metric if it is only one."""

    scorers: tuple[Callable[..., Any], ...]
    metric: str | None
    sources: Mapping[str, Any]
    weighted: frozenset[str] = frozenset()  # metrics whose scorers get weights of rows

    def written(self, metric: str) -> Any:
        """Return a metric as the user wrote it, or the name of what estimators have."""
        source = self.sources.get(metric)
        return metric if source is None else source

    def is_loss(self, metric: str) -> bool:
        """Whether the score is a negated loss, so that words must be about errors."""
        return is_loss(metric, self.sources.get(metric))

    def is_mean(self, metric: str) -> bool:
        """Whether the score is a mean over rows."""
        return metric_of_scorer(self.written(metric)).is_mean

    def facts(self, metrics: Iterable[str]) -> dict[str, Any]:
        """Return by metric what a run tells: negated losses, shares of right rows, bounds."""
        known = {metric: metric_of_scorer(self.written(metric)) for metric in metrics}
        right = (metric for metric, own in known.items() if counts_right_rows(own))
        losses = frozenset(filter(self.is_loss, known))
        bounds = {metric: bounds_of(own) for metric, own in known.items()}
        return {"losses": losses, "hits": frozenset(right) - losses, "bounds": bounds}


def is_loss(metric: str, source: Any = None) -> bool:
    """Whether a metric, and the scorer it came from, is a negated loss."""
    if source is None or isinstance(source, str):
        return is_negated_loss(str(source or metric))
    return "greater_is_better=False" in repr(source)


def scorer_of_loss(metric: str, losses: Iterable[str]) -> str:
    """Say how a scorer is turned, where it is named like a loss and nothing negates it.

    Higher counts as better of what any scorer gives, which is wrong if it gives a loss.
    """
    if metric in losses or direction_of(metric) is not False:
        return ""
    return SCORER_SAYS_OTHERWISE


@dataclass(frozen=True)
class _PartlyWeighted:
    """Scorers of several metrics, of which some take weights of rows."""

    weighted: Callable[..., Any]
    plain: Callable[..., Any]

    def __call__(self, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None) -> Any:
        with_weights = self.weighted(estimator, X, y, sample_weight=sample_weight)
        return {**with_weights, **self.plain(estimator, X, y)}


def resolve_scoring(
    estimators: Mapping[str, Any], scoring: Any, *, weigh: bool = False
) -> Scoring:
    """Resolve `scoring` for every estimator; several metrics give one callable each.

    With `weigh` the scorers hand weights of rows to the metrics that take them.
    """
    sources = metric_sources(estimators, scoring)
    for source in sources.values():
        _check_known(source)
    several = isinstance(scoring, list | tuple | set | Mapping)
    used, weighted = dict(sources), frozenset[str]()
    if weigh:
        # The own score of some (a search) takes no weights, and is a metric by name.
        used = {m: m if s is None and m in get_scorer_names() else s for m, s in used.items()}
        weighted = frozenset(m for m, source in used.items() if _takes(estimators, source))
    scorers = []
    for name, estimator in estimators.items():
        try:
            scorers.append(_scorer(estimator, used, weighted, several=several))
        except (TypeError, ValueError) as error:
            raise type(error)(f"scoring does not fit {name}: {error}") from error
    metric = None if several else next(iter(sources))
    return Scoring(tuple(scorers), metric, sources, weighted)


def _scorer(
    estimator: Any, used: Mapping[str, Any], weighted: frozenset[str], *, several: bool
) -> Callable[..., Any]:
    parts = [
        {metric: source for metric, source in used.items() if (metric in weighted) is taking}
        for taking in (True, False)
    ]
    if several and all(parts):
        return _PartlyWeighted(*(check_scoring(estimator, scoring=part) for part in parts))
    return check_scoring(
        estimator, scoring=dict(used) if several else next(iter(used.values()))
    )


def check_outputs(estimators: Mapping[str, Any], sources: Mapping[str, Any], y: Any) -> None:
    """Refuse metrics of probabilities that get labels, and those without a positive class.

    Parameters
    ----------
    estimators : mapping of str to estimator
        The estimators; what a regressor predicts is a score.
    sources : mapping of str to object
        The metrics, each as the user wrote it.
    y : array-like or None
        Truth of all rows.

    Raises
    ------
    ValueError
        With the scorer to pass instead.
    """
    if not any(map(is_classifier, estimators.values())):
        return
    for name, source in sources.items():
        metric = metric_of_scorer(name if source is None else source)
        labels = metric.kind in ("probabilities", "scores") and is_scorer(source)
        if labels and methods_asked(source, np.array([0, 1]), (0, 1)) == {"predict"}:
            raise ValueError(
                f"scoring: {name} needs {metric.kind}, and this scorer gives it the labels of "
                f"predict(). Pass scoring={_line(metric)}, with make_scorer of "
                "sklearn.metrics."
            )
        if y is None or np.ndim(y) != 1 or not _takes_1_for_positive(metric):
            continue
        with suppress(TypeError):  # labels without an order
            classes = np.unique(y).tolist()
            if len(classes) != 2 or 1 in classes:
                continue
            if metric.options.get("average", "binary") != "binary" and metric.kind == "labels":
                line = f"scoring={_line(metric, pos_label=None)}"
            else:
                line = f"scoring={_line(metric, pos_label=classes[1])}, or {classes[0]!r}"
            raise ValueError(
                f"scoring: {name} takes 1 for the positive class, and y holds {classes}: pass "
                f"{line}, with make_scorer of sklearn.metrics."
            )


def _takes_1_for_positive(metric: ScoreMetric) -> bool:
    """Whether a function of scikit-learn has a positive class that nobody has named."""
    if not metric.known or "pos_label" in metric.options or metric.pos_label is not None:
        return False
    return "pos_label" in inspect.signature(metric.function).parameters


def _line(metric: ScoreMetric, **options: Any) -> str:
    """Write the scorer of a metric that asks an estimator for what the metric needs."""
    if metric.kind == "probabilities":
        options["response_method"] = "predict_proba"
    if metric.kind == "scores":
        options["response_method"] = ("decision_function", "predict_proba")
    if metric.is_loss or metric.facts.is_loss:
        options["greater_is_better"] = False
    if metric.pos_label is not None:
        options["pos_label"] = metric.pos_label
    said = [f", {name}={value!r}" for name, value in {**metric.options, **options}.items()]
    return f"make_scorer({metric.known}{''.join(said)})"


def _takes(estimators: Mapping[str, Any], source: Any) -> bool:
    """Whether a metric takes weights; the estimators' own scores must all do."""
    if source is not None:
        return takes_weights(source)
    without = [name for name, e in estimators.items() if not _score_takes_weights(e)]
    if without:
        raise ValueError(
            f"scoring is missing, and the own score of {', '.join(without)} takes no "
            "sample_weight: name a metric that does."
        )
    return True


def _score_takes_weights(estimator: Any) -> bool:
    if isinstance(estimator, Pipeline):
        return _score_takes_weights(estimator.steps[-1][1])
    score = getattr(estimator, "score", None)
    return score is not None and "sample_weight" in inspect.signature(score).parameters


def metric_sources(estimators: Mapping[str, Any], scoring: Any) -> dict[str, Any]:
    """Return the metrics by name, each as the user wrote it."""
    if isinstance(scoring, Mapping):
        sources = dict(scoring)
    elif scoring is None:
        sources = {_default_metric(estimators): None}
    else:
        items = list(scoring) if isinstance(scoring, list | tuple | set) else [scoring]
        names = [_name(item) for item in items]
        sources = dict(zip(names, items, strict=True))
        if len(sources) < len(items):
            raise ValueError(
                f"scoring names a metric twice ({names}); pass a dict of name to scorer."
            )
    if not sources:
        raise ValueError("scoring is empty; name at least one metric.")
    for name in sources:
        if not isinstance(name, str):
            raise ValueError(f"scoring has the name {name!r}; names must be strings.")
    return sources


def _check_known(source: Any) -> None:
    if source is None or source in get_scorer_names():
        return
    if not isinstance(source, str):
        _check_callable(source)
        return
    meant = did_you_mean(source, get_scorer_names())
    raise ValueError(
        f"scoring={source!r} is unknown.{meant} Use a name of "
        "sklearn.metrics.get_scorer_names() (accuracy, f1_macro, roc_auc, neg_log_loss, ...) "
        "or pass a scorer."
    )


def _check_callable(source: Any) -> None:
    """Refuse what no estimator can be scored by."""
    if isinstance(source, type) or not callable(source):
        raise TypeError(
            f"scoring={reprlib.repr(source)} is not a metric; use the name of a scorer "
            "('accuracy', 'roc_auc', ...), a make_scorer object, a function of estimator, X "
            "and y, or a list or mapping of these."
        )
    try:
        parameters = inspect.signature(source).parameters
    except (TypeError, ValueError):  # built in
        return
    needed = [p for p in parameters.values() if p.default is p.empty and p.kind in _POSITIONAL]
    takes_y = len(parameters) > 2 and list(parameters)[2] == "y"  # a scorer for any y
    if (len(needed) == 2 and not takes_y) or list(parameters)[:1] == ["y_true"]:
        name = getattr(source, "__name__", "it")
        higher = direction_of(name)
        way = ", greater_is_better=False" if higher is False else ""
        line = f"scoring=make_scorer({name}{way})"
        unknown = ", with greater_is_better=False if it is a loss" if higher is None else ""
        raise TypeError(
            f"scoring={name} is a function of {' and '.join(list(parameters)[:2])}, and is "
            f"called with estimator, X and y: write {line}, with make_scorer of "
            f"sklearn.metrics{unknown}."
        )


def _name(scorer: Any) -> str:
    if isinstance(scorer, str):
        return scorer
    # A scorer object has no public name; its documented repr names the function.
    match = re.match(r"make_scorer\((\w+)", repr(scorer))
    name = match[1] if match else getattr(scorer, "__name__", type(scorer).__name__)
    return f"neg_{name}" if is_loss(name, scorer) else name


def _default_metric(estimators: Mapping[str, Any]) -> str:
    """Name what ``estimator.score`` computes, where scikit-learn defines it."""
    names = {name: _score_name(estimator) for name, estimator in estimators.items()}
    different = set(names.values())
    if len(different) > 1 and "score" not in different:
        raise ValueError(
            f"scoring is missing, and the estimators' own scores differ ({names}): their "
            "difference would mean nothing. Name one metric for all."
        )
    return different.pop() if len(different) == 1 else "score"


def _score_name(estimator: Any) -> str:
    if isinstance(estimator, Pipeline):
        return _score_name(estimator.steps[-1][1])
    parameters = estimator.get_params(deep=False)
    # A search scores by its own metric. Others have a scoring that is used in fit alone.
    scores_so = "refit" in parameters and "estimator" in parameters
    scores_so |= type(estimator).__name__ == "LogisticRegressionCV"
    scoring = parameters.get("scoring")
    if scores_so and scoring is not None:
        return scoring if isinstance(scoring, str) else "score"
    if "scoring" in parameters and parameters.get("estimator") is not None:
        return _score_name(parameters["estimator"])
    module = getattr(getattr(type(estimator), "score", None), "__module__", "")
    if not module.startswith(("sklearn.", "skstat.")):
        return "score"
    if is_classifier(estimator):
        return "accuracy"
    return "r2" if is_regressor(estimator) else "score"
