"""Who gets weights of rows, and other parameters of fit and score."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
    process_routing,
)
from sklearn.utils.validation import has_fit_parameter

from skstat.evaluation._baselines import CheapestClass, ChosenConstant, ChosenGuess, RandomGuess
from skstat.evaluation._inputs import Scoring, named_params, resolve_scoring
from skstat.stats._common import refuse_other

WEIGHT = "sample_weight"
Routed = tuple[Mapping[str, Any], Mapping[str, Any]]  # parameters of fit and of score


def is_routed() -> bool:
    """Whether requests of estimators and scorers decide who gets parameters."""
    return bool(get_config()["enable_metadata_routing"])


def routed_groups(groups: Any, params: Mapping[str, Any] | None) -> Any:
    """Return the groups, which with metadata routing may stand among the parameters."""
    return named_params(params).get("groups") if groups is None and is_routed() else groups


def read_weights(sample_weight: Any, n_samples: int) -> NDArray[np.float64]:
    """Return weights as numbers, one per row; refuse what no mean can be weighted by."""
    try:
        refuse_other(WEIGHT, sample_weight)
        weights = np.asarray(sample_weight, dtype=float)
    except TypeError:
        raise ValueError("sample_weight must hold one number per row of X.") from None
    except ValueError as error:
        raise ValueError(f"sample_weight must hold one number per row of X: {error}") from None
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights.ravel()
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weights.shape} and X has {n_samples} rows: every row "
            "needs one weight."
        )
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if wrong.size:
        raise ValueError(
            f"sample_weight of row {wrong[0]} is {weights[wrong[0]]:g}; weights must be finite "
            "and not negative."
        )
    return weights


def is_weighted(params: Mapping[str, Any]) -> bool:
    """Whether parameters of ``fit`` or of a scorer hold weights of rows."""
    return any(name == WEIGHT or name.endswith(f"__{WEIGHT}") for name in params)


def with_weights(
    named: Mapping[str, Any], params: Mapping[str, Any], weights: Any
) -> dict[str, Any]:
    """Put weights among the parameters where requests decide; else check that all take them."""
    twice = next((name for name in params if is_weighted({name: None})), None)
    if twice is not None:
        raise ValueError(
            f"sample_weight is given, and params holds {twice!r} too: leave one of them out."
        )
    if is_routed():
        return {**params, WEIGHT: weights}
    refuse_unweighted(named)
    return dict(params)


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
    names = {fit_parameter(inner) for inner in _inside(estimator)}
    return names.pop() if len(names) == 1 else None


def _inside(estimator: Any) -> Iterable[Any]:
    """Return the estimators that an estimator wraps."""
    for value in estimator.get_params(deep=False).values():
        for item in value if isinstance(value, list | tuple) else [value]:
            inner = item[1] if isinstance(item, tuple) and len(item) == 2 else item
            if hasattr(inner, "fit") and not isinstance(inner, type):
                yield inner


def weighted_metrics(
    named: Mapping[str, Any], scoring: Any, sample_weight: Any
) -> frozenset[str]:
    """Metrics whose scores will be weighted, before anything is planned."""
    if sample_weight is None:
        return frozenset()
    return metrics_with_weights(resolve_scoring(named, scoring, weigh=not is_routed()))


def metrics_with_weights(scoring: Scoring) -> frozenset[str]:
    """Metrics whose scorers get weights, or ask for them where metadata is routed."""
    if not is_routed():
        return scoring.weighted
    found = set()
    for metric, source in scoring.sources.items():
        own = get_scorer(source) if isinstance(source, str) else source
        scorers = scoring.scorers if source is None else [own]  # or each estimator's own score
        if any(get_routing_for_object(own).consumes("score", [WEIGHT]) for own in scorers):
            found.add(metric)
    return frozenset(found)


def route(
    named: Mapping[str, Any], scoring: Scoring, params: Mapping[str, Any], weights: Any
) -> list[Routed]:
    """Parameters of fit and of score for every estimator, as cross_validate routes them.

    Without routing weights go to every fit, and to the scorers that take them.
    """
    if not is_routed():
        scored = {WEIGHT: weights} if scoring.weighted else {}
        return [(_unrouted(e, scoring, params, weights), scored) for e in named.values()]
    # One router for all: a parameter that only one estimator asks for is in order.
    router = MetadataRouter(owner="paired_cross_validate")
    for index, (estimator, scorer) in enumerate(
        zip(named.values(), scoring.scorers, strict=True)
    ):
        for callee, owner in (("fit", estimator), ("score", scorer)):
            mapping = MethodMapping().add(caller="fit", callee=callee)
            router.add(method_mapping=mapping, **{f"{callee}_{index}": owner})
    # The splits have been made: groups go on only to who asks for them, such as the
    # splitter of a search inside.
    if "groups" not in router.consumes("fit", ["groups"]):
        params = {name: value for name, value in params.items() if name != "groups"}
    routed = process_routing(router, "fit", **params)
    return [
        (routed[f"fit_{index}"]["fit"], routed[f"score_{index}"]["score"])
        for index in range(len(named))
    ]


def _unrouted(
    estimator: Any, scoring: Scoring, params: Mapping[str, Any], weights: Any
) -> Mapping[str, Any]:
    """Parameters of fit where no requests decide; a baseline takes weights only.

    One that is chosen for the metric gets none where the score is not weighted.
    """
    chosen = isinstance(estimator, ChosenGuess | ChosenConstant)
    simple = DummyClassifier | DummyRegressor | CheapestClass | RandomGuess
    if isinstance(estimator, simple):  # weights without a step's name
        given = [value for name, value in params.items() if name.endswith(WEIGHT)]
        params = {WEIGHT: given[0]} if given else {}
    elif chosen:
        params = {}
    if weights is None or (chosen and estimator.choice.metric not in scoring.weighted):
        return dict(params)
    return {**params, fit_parameter(estimator) or WEIGHT: weights}


def weights_note(fits: Mapping[str, bool], scores: Mapping[str, bool]) -> str:
    """Say whose fits, by estimator, and which scores, by metric, are weighted."""
    if not any(fits.values()) and not any(scores.values()):
        return ""
    return f"sample_weight: {_weighted('fits', fits)}, {_weighted('scores', scores)}"


def _weighted(what: str, found: Mapping[str, bool]) -> str:
    with_weights = [name for name, weighted in found.items() if weighted]
    without = [name for name, weighted in found.items() if not weighted]
    if not without:
        return f"weighted {what}"
    if not with_weights:
        return f"{what} not weighted"
    return f"weighted {what} of {' and '.join(with_weights)}, not of {' and '.join(without)}"
