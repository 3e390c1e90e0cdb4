"""Weights of the rows: which estimators and scorers take them."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from skstat.stats._common import refuse_other

WEIGHT = "sample_weight"


def read_weights(sample_weight: Any, n_samples: int) -> NDArray[np.float64]:
    """Return weights as numbers, one per row; refuse what no mean can be weighted by."""
    try:
        refuse_other("sample_weight", sample_weight)
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
        items = value if isinstance(value, list | tuple) else [value]
        for item in items:
            inner = item[1] if isinstance(item, tuple) and len(item) == 2 else item
            if hasattr(inner, "fit") and not isinstance(inner, type):
                yield inner


def refuse_unweighted(named: Mapping[str, Any]) -> None:
    """Refuse estimators whose ``fit`` takes no weights, before any is fitted."""
    without = [name for name, estimator in named.items() if fit_parameter(estimator) is None]
    if not without:
        return
    kinds = dict.fromkeys(type(named[name]).__name__ for name in without)
    raise ValueError(
        f"sample_weight is given, and fit of {', '.join(without)} takes none "
        f"({', '.join(kinds)}). Leave such estimators out, or sample_weight; to fit some with "
        "weights and some without, use metadata routing: "
        "sklearn.set_config(enable_metadata_routing=True) and set_fit_request."
    )


def score_takes_weights(estimator: Any) -> bool:
    """Whether the estimator's own ``score`` takes weights of rows."""
    if isinstance(estimator, Pipeline):
        return score_takes_weights(estimator.steps[-1][1])
    score = getattr(estimator, "score", None)
    return score is not None and WEIGHT in inspect.signature(score).parameters


def asks_for_weights(scorer: Any) -> bool:
    """Whether a scorer asks for weights, where metadata is routed."""
    if not hasattr(scorer, "get_metadata_routing"):
        return False
    return bool(get_routing_for_object(scorer).consumes("score", [WEIGHT]))


def is_weighted(params: Mapping[str, Any]) -> bool:
    """Whether parameters of ``fit`` or of a scorer hold weights of rows."""
    return any(name == WEIGHT or name.endswith(f"__{WEIGHT}") for name in params)


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
