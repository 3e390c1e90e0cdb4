"""Scorers: from what the user wrote to callables and to names for reports."""

import inspect
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.pipeline import Pipeline
from sklearn.utils import metadata_routing as routing
from sklearn.utils.validation import has_fit_parameter

from skstat._directions import SCORER_SAYS_OTHERWISE, direction_of, is_negated_loss
from skstat._spelling import did_you_mean
from skstat.evaluation._baselines import CheapestClass, ChosenConstant, ChosenGuess
from skstat.evaluation._data import Data, align_to, is_routed, raveled
from skstat.metrics import _metric as metrics
from skstat.metrics._scorers import is_scorer, response_methods
from skstat.stats._read import read_numbers

WEIGHT = "sample_weight"
Params = Sequence[Mapping[str, Any]]
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, eq=False)
class Scoring:
    """One scorer per estimator, and the name of the metric if it is only one."""

    scorers: tuple[Callable[..., Any], ...]
    metric: str | None
    sources: Mapping[str, Any]
    weighted: frozenset[str] = frozenset()  # metrics whose scorers get weights of rows

    def metric_of(self, metric: str) -> metrics.ScoreMetric:
        """Return what is known of a metric, as the user wrote it or as estimators have it."""
        source = self.sources.get(metric)
        return metrics.metric_of_scorer(metric if source is None else source)

    def facts(self, names: Iterable[str]) -> dict[str, Any]:
        """Return by metric what a run tells: negated losses, shares of right rows, bounds."""
        names = list(names)
        metric_facts = list(map(self.metric_of, names))
        losses = frozenset(compress(names, map(is_loss, names, map(self.sources.get, names))))
        hits = frozenset(compress(names, map(metrics.counts_right_rows, metric_facts))) - losses
        bounds = dict(zip(names, map(metrics.bounds_of, metric_facts), strict=True))
        return {"losses": losses, "hits": hits, "bounds": bounds}

    def check_outputs(self, estimators: Mapping[str, Any], y: Any) -> None:
        """Refuse metrics of probabilities that get labels, and without a positive class.

        Parameters
        ----------
        estimators : mapping of str to estimator
            The estimators; what a regressor predicts is a score.
        y : array-like or None
            Truth of all rows.

        Raises
        ------
        ValueError
            With the scorer to pass instead.
        """
        if not any(map(is_classifier, estimators.values())):
            return
        for name, source in self.sources.items():
            metric = self.metric_of(name)
            labels = metric.kind in ("probabilities", "scores") and is_scorer(source)
            if labels and response_methods(source, np.array([0, 1]), (0, 1)) == {"predict"}:
                raise ValueError(
                    f"scoring: {name} needs {metric.kind}, and this scorer gives it the labels "
                    f"of predict(). Pass scoring={_line(metric)}, with make_scorer of "
                    "sklearn.metrics."
                )
            named = "pos_label" in metric.options or metric.pos_label is not None
            if not metric.known or named or y is None or np.ndim(y) != 1:
                continue
            if "pos_label" not in inspect.signature(metric.function).parameters:
                continue
            with suppress(TypeError):  # labels without an order
                classes = np.unique(y).tolist()
                if len(classes) != 2 or 1 in classes:
                    continue
                several = metric.options.get("average", "binary") != "binary"
                line = f"scoring={_line(metric, pos_label=classes[1])}, or {classes[0]!r}"
                if several and metric.kind == "labels":
                    line = f"scoring={_line(metric, pos_label=None)}"
                raise ValueError(
                    f"scoring: {name} takes 1 for the positive class, and y holds {classes}: "
                    f"pass {line}, with make_scorer of sklearn.metrics."
                )


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
    several = isinstance(scoring, list | tuple | set | Mapping)
    weighted, pass_on = set(), weigh and not is_routed()
    parts: list[dict[str, Any]] = [{}, {}]
    for metric, source in sources.items():
        if pass_on and source is None and metric in get_scorer_names():
            source = metric  # the own score of some (a search) takes no weights
        if pass_on and _takes(estimators, source):
            weighted.add(metric)
        parts[metric not in weighted][metric] = source
    scorers: list[Callable[..., Any]] = []
    scorings = [*filter(None, parts)] if several else [*parts[0].values(), *parts[1].values()]
    for name, estimator in estimators.items():
        try:
            resolved = list(map(partial(check_scoring, estimator), scorings))
        except (TypeError, ValueError) as error:
            raise type(error)(f"scoring does not fit {name}: {error}") from error
        scorers.append(resolved[0] if len(resolved) == 1 else _PartlyWeighted(*resolved))
    if weigh and not pass_on:
        for metric, source in sources.items():
            for scorer in scorers if source is None else [get_scorer(source)]:
                if routing.get_routing_for_object(scorer).consumes("score", [WEIGHT]):
                    weighted.add(metric)
    only = None if several else next(iter(sources))
    return Scoring(tuple(scorers), only, sources, frozenset(weighted))


def _line(metric: metrics.ScoreMetric, **options: Any) -> str:
    """Write the scorer of a metric that asks an estimator for what the metric needs."""
    if metric.kind == "probabilities":
        options["response_method"] = "predict_proba"
    if metric.kind == "scores":
        options["response_method"] = ("decision_function", "predict_proba")
    if metric.is_loss or metric.facts.is_loss:
        options["greater_is_better"] = False
    if metric.pos_label is not None:
        options["pos_label"] = metric.pos_label
    arguments = [f", {name}={value!r}" for name, value in {**metric.options, **options}.items()]
    return f"make_scorer({metric.known}{''.join(arguments)})"


def _takes(estimators: Mapping[str, Any], source: Any) -> bool:
    """Whether a metric takes weights; the estimators' own scores must all do."""
    if source is not None:
        return metrics.takes_weights(source)
    without = []
    for name, estimator in estimators.items():
        score = getattr(_last(estimator), "score", lambda: None)
        without += [name] if WEIGHT not in inspect.signature(score).parameters else []
    if without:
        raise ValueError(
            f"name a scoring: the score of {', '.join(without)} takes no sample_weight."
        )
    return True


def _last(estimator: Any) -> Any:
    """Return the last step of a pipeline, which scores for it."""
    return _last(estimator.steps[-1][1]) if isinstance(estimator, Pipeline) else estimator


def metric_sources(estimators: Mapping[str, Any], scoring: Any) -> dict[str, Any]:
    """Return the metrics by name, each as the user wrote it; refuse what is none."""
    if isinstance(scoring, Mapping):
        sources = dict(scoring)
    elif scoring is None:
        sources = {_default_metric(estimators): None}
    else:
        sources = {}
        for item in scoring if isinstance(scoring, list | tuple | set) else [scoring]:
            if (name := _name(item)) in sources:
                raise ValueError(f"scoring names {name} twice; pass a dict of name to scorer.")
            sources[name] = item
    if not sources:
        raise ValueError("scoring is empty; name at least one metric.")
    for name, source in sources.items():
        if not isinstance(name, str):
            raise ValueError(f"scoring has the name {name!r}; names must be strings.")
        if source is not None and source not in get_scorer_names():
            _check_source(source)
    return sources


def _check_source(source: Any) -> None:
    """Refuse what no estimator can be scored by."""
    if isinstance(source, str):
        meant = did_you_mean(source, get_scorer_names())
        raise ValueError(
            f"scoring={source!r} is unknown.{meant} Use a scorer, or a name of "
            "sklearn.metrics.get_scorer_names(): accuracy, f1_macro, roc_auc, ..."
        )
    if isinstance(source, type) or not callable(source):
        raise TypeError(
            f"scoring={reprlib.repr(source)} is not a metric; use the name of a scorer, a "
            "make_scorer object, a function of estimator, X and y, or a list of these."
        )
    parameters: list[inspect.Parameter] = []
    with suppress(TypeError, ValueError):  # built in
        parameters = [*inspect.signature(source).parameters.values()]
    names = [parameter.name for parameter in parameters]
    needed = [p for p in parameters if p.default is p.empty and p.kind in _POSITIONAL]
    # A scorer for any y needs two only, and calls the third so.
    if names[:1] == ["y_true"] or (len(needed) == 2 and names[2:3] != ["y"]):
        name, loss = getattr(source, "__name__", "it"), "greater_is_better=False"
        higher = direction_of(name)
        way = f", {loss}" if higher is False else ""
        unknown = f", with {loss} if it is a loss" if higher is None else ""
        raise TypeError(
            f"scoring={name} is a function of {' and '.join(names[:2])}, and is called with "
            f"estimator, X and y: write scoring=make_scorer({name}{way}), with make_scorer of "
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
    scores = map(_score_name, map(_last, estimators.values()))
    names = dict(zip(estimators, scores, strict=True))
    different = set(names.values())
    if len(different) > 1 and "score" not in different:
        raise ValueError(f"scoring is missing, and own scores differ ({names}): name one.")
    return different.pop() if len(different) == 1 else "score"


def _score_name(estimator: Any) -> str:
    parameters = estimator.get_params(deep=False)
    # A search scores by its own metric. Others have a scoring that is used in fit alone.
    scores_so = "refit" in parameters and "estimator" in parameters
    scores_so |= type(estimator).__name__ == "LogisticRegressionCV"
    scoring = parameters.get("scoring")
    if scores_so and scoring is not None:
        return scoring if isinstance(scoring, str) else "score"
    if "scoring" in parameters and parameters.get("estimator") is not None:
        return _score_name(_last(parameters["estimator"]))
    module = getattr(getattr(type(estimator), "score", None), "__module__", "")
    if not module.startswith(("sklearn.", "skstat.")):
        return "score"
    if is_classifier(estimator):
        return "accuracy"
    return "r2" if is_regressor(estimator) else "score"


def read_weights(
    named: Mapping[str, Any], data: Data, params: Mapping[str, Any], sample_weight: Any
) -> tuple[NDArray[np.float64], Mapping[str, Any]]:
    """Return weights as numbers, one per row, and put them where requests decide on them.

    Refused is what no mean can be weighted by, and estimators that take no weights.
    """
    aligned = align_to(data, {WEIGHT: sample_weight})[WEIGHT]
    weights: NDArray[np.float64] = raveled(read_numbers(WEIGHT, aligned))
    if weights.shape != (data.n_samples,):
        raise ValueError(f"sample_weight has shape {weights.shape} for {data.n_samples} rows.")
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if wrong.size:
        raise ValueError(
            f"sample_weight of row {wrong[0]} is {weights[wrong[0]]:g}; weights must be "
            "finite and not negative."
        )
    if twice := _weights_in(params):
        raise ValueError(f"sample_weight is given, and params holds {twice[0]!r} too.")
    if is_routed():
        return weights, {**params, WEIGHT: weights}
    refuse_unweighted(named)
    return weights, params


def _weights_in(params: Mapping[str, Any]) -> list[str]:
    """Name the parameters of ``fit`` or of a scorer that are weights of rows."""
    return [name for name in params if name == WEIGHT or name.endswith(f"__{WEIGHT}")]


def refuse_unweighted(named: Mapping[str, Any]) -> None:
    """Refuse estimators whose ``fit`` takes no weights, before any is fitted."""
    without = [name for name, estimator in named.items() if fit_parameter(estimator) is None]
    if without:
        kinds = dict.fromkeys(type(named[name]).__name__ for name in without)
        raise ValueError(
            f"sample_weight is given, and fit of {', '.join(without)} takes none "
            f"({', '.join(kinds)}). Leave such estimators out, or sample_weight; to fit some "
            "with weights and some without, use metadata routing: "
            "sklearn.set_config(enable_metadata_routing=True) and set_fit_request."
        )


def fit_parameter(estimator: Any) -> str | None:
    """Name of the parameter by which ``fit`` takes weights of rows; None without one.

    A pipeline takes them for its last step; what wraps one estimator and hands on all
    parameters of ``fit``, such as a search, as that one does.
    """
    if isinstance(estimator, Pipeline):
        step, last = estimator.steps[-1]
        inner = None if isinstance(last, str) or last is None else fit_parameter(last)
        return None if inner is None else f"{step}__{inner}"
    if has_fit_parameter(estimator, WEIGHT):
        return WEIGHT
    parameters = inspect.signature(estimator.fit).parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    names = set()  # by the estimators that it wraps
    for value in estimator.get_params(deep=False).values():
        for item in value if isinstance(value, list | tuple) else [value]:
            inner = item[1] if isinstance(item, tuple) and len(item) == 2 else item
            if hasattr(inner, "fit") and not isinstance(inner, type):
                names.add(fit_parameter(inner))
    return names.pop() if len(names) == 1 else None


def route(
    named: Mapping[str, Any], scoring: Scoring, params: Mapping[str, Any], weights: Any
) -> tuple[tuple[Params, Params], tuple[str, ...]]:
    """Parameters of fit and of score for every estimator, as cross_validate routes them.

    Beside them are notes for the report. Without routing weights go to every fit, and to the
    scorers that take them.
    """
    if not params and weights is None:
        return ([{}] * len(named),) * 2, ()
    if is_routed():
        of_fits, of_scores = _by_requests(named, scoring, params)
    else:
        of_fits = [_unrouted(e, scoring, params, weights) for e in named.values()]
        of_scores = [{WEIGHT: weights} if scoring.weighted else {}] * len(named)
    fitted = [name for name, used in zip(named, of_fits, strict=True) if _weights_in(used)]
    if not fitted and not scoring.weighted:
        return (of_fits, of_scores), ()
    scores = _weighted("scores", scoring.sources, scoring.weighted)
    note = f"sample_weight: {_weighted('fits', named, fitted)}, {scores}"
    return (of_fits, of_scores), (note,)


def _by_requests(
    named: Mapping[str, Any], scoring: Scoring, params: Mapping[str, Any]
) -> Iterator[list[Mapping[str, Any]]]:
    """Route parameters to fits, and to scorers, by what they request."""
    # One router for all: a parameter that only one estimator asks for is in order.
    router = routing.MetadataRouter(owner="paired_cross_validate")
    for index, (estimator, scorer) in enumerate(
        zip(named.values(), scoring.scorers, strict=True)
    ):
        for callee, owner in (("fit", estimator), ("score", scorer)):
            mapping = routing.MethodMapping().add(caller="fit", callee=callee)
            router.add(method_mapping=mapping, **{f"{callee}_{index}": owner})
    # The splits have been made: groups go on only to who asks for them, such as the
    # splitter of a search inside.
    if "groups" not in router.consumes("fit", ["groups"]):
        params = {name: value for name, value in params.items() if name != "groups"}
    routed = routing.process_routing(router, "fit", **params)
    for callee in ("fit", "score"):
        yield [routed[f"{callee}_{index}"][callee] for index in range(len(named))]


def _unrouted(
    estimator: Any, scoring: Scoring, params: Mapping[str, Any], weights: Any
) -> Mapping[str, Any]:
    """Parameters of fit where no requests decide; a baseline takes weights only.

    One that is chosen for the metric gets none where the score is not weighted.
    """
    chosen = isinstance(estimator, ChosenGuess | ChosenConstant)
    simple = DummyClassifier | DummyRegressor | CheapestClass
    if isinstance(estimator, simple):  # weights without a step's name
        row_weights = [value for name, value in params.items() if name.endswith(WEIGHT)]
        params = {WEIGHT: row_weights[0]} if row_weights else {}
    elif chosen:
        params = {}
    if weights is None or (chosen and estimator.choice.metric not in scoring.weighted):
        return dict(params)
    return {**params, fit_parameter(estimator) or WEIGHT: weights}


def _weighted(what: str, of: Iterable[str], weighted: Collection[str]) -> str:
    without = [name for name in of if name not in weighted]
    if not weighted:
        return f"{what} not weighted"
    if not without:
        return f"weighted {what}"
    names = " and ".join(name for name in of if name in weighted)
    return f"weighted {what} of {names}, not of {' and '.join(without)}"
