"""Reading of metrics given by name, scorer or function: function, options and sign."""

import ast
import inspect
import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin

from skstat import metrics as ours
from skstat._spelling import did_you_mean
from skstat.metrics._known import KNOWN, metric_facts

# Function, options and whether it is a loss; name of the known function or "", and label.
Read = tuple[Callable[..., Any], dict[str, Any], bool, str, str]


def read_metric(metric: Any) -> Read:
    """Return function, options and sign of a metric: a name, a scorer or a function."""
    if isinstance(metric, str) and metric in sk.get_scorer_names():
        return *_read_scorer(sk.get_scorer(metric), is_trusted=True)[:4], metric
    if isinstance(metric, str):
        name, metric = metric, _public(metric)
        parameters = inspect.signature(metric).parameters if inspect.isfunction(metric) else ()
        if "y_true" not in parameters:
            hint = did_you_mean(name, sk.get_scorer_names())
            raise ValueError(
                f"metric={name!r} is unknown.{hint} Use a name of "
                "sklearn.metrics.get_scorer_names() (accuracy, f1_macro, roc_auc, "
                "neg_log_loss, ...) or pass a function."
            )
    if is_scorer(metric):
        return _read_scorer(metric)
    if not callable(metric):
        raise TypeError(f"metric={metric!r} must be a scorer or its name, or a function.")
    function, options = metric, {}
    if isinstance(metric, partial):
        function, options = metric.func, dict(metric.keywords)
    label = str(getattr(function, "__name__", type(function).__name__))
    label = "metric" if label == "<lambda>" else label
    if isinstance(metric, partial) and metric.args:  # facts of the function do not hold
        return metric, {}, False, "", label
    known = label if _public(label) is function else ""
    return function, options, bool(known) and metric_facts(known).is_loss, known, label


def _public(name: str) -> Any:
    """Return the metric function of this name, of skstat or of scikit-learn, or None."""
    home = ours if name in KNOWN and name in ours.__all__ else sk
    return getattr(home, name, None)


def is_scorer(metric: Any) -> bool:
    """Whether a metric is a scorer made by ``make_scorer``."""
    try:
        return repr(metric).startswith("make_scorer(")
    except AttributeError:  # scikit-learn 1.6 cannot write that of a partial
        return False


def _read_scorer(scorer: Any, *, is_trusted: bool = False) -> Read:
    """Return a scorer's function by its documented repr, or the scorer as a function."""
    text = repr(scorer)
    match = re.fullmatch(r"make_scorer\(([^,)]+)(.*)\)", text, flags=re.DOTALL)
    label = match[1] if match else "scorer"
    function: Any = _public(label)
    options, rest = _options_in(match[2] if match else text)
    is_loss = options.pop("greater_is_better", True) is False
    known = function is not None and not rest
    if not (known and (is_trusted or _same(scorer, function, options, is_loss))):
        return ScorerOfOutputs(scorer, -1.0 if is_loss else 1.0), {}, is_loss, "", label
    return function, options, is_loss, label, label


def _options_in(text: str) -> tuple[dict[str, Any], str]:
    """Return the options in the repr of a scorer, and the rest that cannot be parsed."""
    options, rest = {}, ""
    for chunk in re.split(r"(?=, \w+=)", text):
        rest += chunk
        name, _, value = rest.removeprefix(", ").partition("=")
        try:
            options[name], rest = ast.literal_eval(value), ""
        except (ValueError, SyntaxError):
            if name and value[:1] not in ("", "[", "("):  # a string, without quotes
                options[name], rest = value, ""
    options.pop("response_method", None)
    return options, rest


def _same(scorer: Any, function: Any, options: dict[str, Any], is_loss: bool) -> bool:
    """Whether a scorer computes the function in its repr, which may only share the name."""
    rng = np.random.default_rng(0)
    y = np.array(_some_classes(options) * 20)
    for outputs in (rng.permutation(y), rng.random(len(y))):
        with warnings.catch_warnings(action="ignore"):
            try:
                expected = ScorerOfOutputs(scorer, 1.0)(y, outputs)
                value = function(y, outputs, **options)
            except Exception:  # another kind of outputs than it needs, or another function
                continue
        return bool(np.isclose(expected, -value if is_loss else value, equal_nan=True))
    return False


def _some_classes(options: dict[str, Any]) -> list[Any]:
    """Return labels to try a metric on: those of its costs, or two with its positive one."""
    if "cost_matrix" in options:
        return list(options.get("labels") or range(len(options["cost_matrix"])))
    positive = options.get("pos_label")
    if isinstance(positive, str):
        return [f"not {positive}", positive]
    return [0, 1] if positive in (None, 0, 1) else [positive - 1, positive]


class _FakeModel(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator whose predictions are X itself, and which records the methods called."""

    def __init__(self, classes: Any = (0, 1)) -> None:
        self.classes = classes
        self.methods: set[str] = set()

    @property
    def classes_(self) -> Any:
        return np.asarray(self.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any) -> "_FakeModel":
        return self

    def predict(self, X: Any) -> Any:
        self.methods.add("predict")
        return X

    def predict_proba(self, X: Any) -> Any:
        self.methods.add("predict_proba")
        return np.column_stack([1 - X, X]) if np.ndim(X) == 1 else X

    def decision_function(self, X: Any) -> Any:
        self.methods.add("decision_function")
        return X


def response_methods(scorer: Callable[..., Any], y: Any, classes: tuple[Any, ...]) -> set[str]:
    """Return the names of the methods of an estimator that a scorer calls."""
    estimator = _FakeModel(classes)
    with suppress(Exception):  # it may fail on the truth in place of outputs
        scorer(estimator, y, y)
    return estimator.methods


@dataclass(frozen=True)
class ScorerOfOutputs:
    """A scorer as a function of truth and outputs, of the original sign."""

    scorer: Any
    sign: float
    classes: tuple[Any, ...] | None = None

    def __call__(self, y_true: Any, y_pred: Any, **options: Any) -> float:
        classes = np.unique(y_true) if self.classes is None else self.classes
        return self.sign * float(self.scorer(_FakeModel(classes), y_pred, y_true, **options))
