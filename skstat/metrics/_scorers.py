"""Function, options and sign of a metric that is given by name, scorer or function."""

import ast
import inspect
import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer, get_scorer_names

from skstat import metrics as ours
from skstat._spelling import did_you_mean
from skstat.metrics._costs import cost_sensitive_error, costs_of, is_cost
from skstat.metrics._known import KNOWN, metric_facts


class ScorerMetric(NamedTuple):
    """What a metric of the user's consists of.

    Attributes
    ----------
    function : callable
        ``(y_true, y_pred)`` to a number.
    options : dict
        Its keyword arguments.
    is_loss : bool
        Whether the score is the negated value.
    known : str
        Name of the function, if it is one of scikit-learn or ours; else empty.
    label : str
        Name for reports.
    """

    function: Callable[..., Any]
    options: dict[str, Any]
    is_loss: bool
    known: str
    label: str


def by_name(name: str) -> ScorerMetric:
    """Find a scorer, or a function, by its name."""
    if name not in get_scorer_names():
        function = _public(name)
        if inspect.isfunction(function) and "y_true" in inspect.signature(function).parameters:
            return by_function(function, {})
        meant = did_you_mean(name, get_scorer_names())
        raise ValueError(
            f"metric={name!r} is unknown.{meant} Use a name of "
            "sklearn.metrics.get_scorer_names() (accuracy, f1_macro, roc_auc, neg_log_loss, "
            "...) or pass a function."
        )
    parsed = _parsed(get_scorer(name))
    if parsed is None:  # of a function that is not public
        return by_scorer(get_scorer(name))
    return ScorerMetric(*parsed, parsed[0].__name__, name)


def _public(name: str) -> Any:
    """Return what is called so here, if it is a metric, or in scikit-learn."""
    home = ours if name in KNOWN and name in ours.__all__ else sk
    return getattr(home, name, None)


def by_function(function: Callable[..., Any], options: dict[str, Any]) -> ScorerMetric:
    """Take a function as it is; what is known about those of scikit-learn is known about it."""
    label = str(getattr(function, "__name__", type(function).__name__))
    label = "metric" if label == "<lambda>" else label
    known = _public(label) is function
    is_loss = known and metric_facts(label).is_loss
    return ScorerMetric(function, options, is_loss, label if known else "", label)


def is_scorer(metric: Any) -> bool:
    """Whether it is what ``make_scorer`` gave."""
    try:
        return repr(metric).startswith("make_scorer(")
    except AttributeError:  # scikit-learn 1.6 cannot write that of a partial
        return False


def by_scorer(scorer: Any) -> ScorerMetric:
    """A scorer's function by its documented repr, or the scorer itself on given outputs."""
    is_loss = "greater_is_better=False" in repr(scorer)
    parsed = None if is_cost(scorer) else _parsed(scorer)
    if (costs := costs_of(scorer)) is not None:
        options = {"cost_matrix": costs.matrix, "labels": costs.labels}
        parsed = cost_sensitive_error, options, is_loss
    match = re.match(r"make_scorer\(([^,)]+)", repr(scorer))
    label = match[1] if match else "scorer"
    if parsed is not None and _same(scorer, *parsed):
        return ScorerMetric(*parsed, parsed[0].__name__, label)
    of_outputs = ScorerOfOutputs(scorer, -1.0 if is_loss else 1.0)
    return ScorerMetric(of_outputs, {}, is_loss, "", label)


def _parsed(scorer: Any) -> tuple[Callable[..., Any], dict[str, Any], bool] | None:
    """Function, options and sign of a scorer of scikit-learn's functions, by its repr."""
    match = re.fullmatch(r"make_scorer\((\w+)(.*)\)", repr(scorer), flags=re.DOTALL)
    function = _public(match[1]) if match else None
    if match is None or function is None:
        return None
    rest = re.sub(r", response_method=(\([^)]*\)|'\w+'|None)", "", match[2])
    option = r", (\w+)=((?:\[[^\]]*\]|\([^)]*\)|[^,\[(])*)"
    is_loss = ", greater_is_better=False" in rest
    rest = rest.replace(", greater_is_better=False", "")
    options = {}
    for key, value in re.findall(option, rest):
        try:
            options[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key] = value  # a string stands there without quotes
    if re.sub(option, "", rest).strip():
        return None
    return function, options, is_loss


def _same(scorer: Any, function: Any, options: dict[str, Any], is_loss: bool) -> bool:
    """Whether a scorer computes what its repr says: its function may only share a name."""
    rng = np.random.default_rng(0)
    y = np.array(_some_classes(options) * 20)
    for outputs in (rng.permutation(y), rng.random(len(y))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = ScorerOfOutputs(scorer, 1.0)(y, outputs)
                value = function(y, outputs, **options)
            except Exception:  # not the kind of outputs it needs, or not it at all
                continue
        return bool(np.isclose(expected, -value if is_loss else value, equal_nan=True))
    return False


def _some_classes(options: dict[str, Any]) -> list[Any]:
    """Return the labels that costs are of, or two, of which a metric's positive one is one."""
    if "cost_matrix" in options:
        return list(options["labels"] or range(len(options["cost_matrix"])))
    positive = options.get("pos_label")
    if isinstance(positive, str):
        return [f"not {positive}", positive]
    return [0, 1] if positive in (None, 0, 1) else [positive - 1, positive]


class _Given(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator that answers with what it is asked about, and keeps how it was asked."""

    def __init__(self, classes: Any = (0, 1)) -> None:
        self.classes = classes
        self.asked: set[str] = set()

    @property
    def classes_(self) -> Any:
        return np.asarray(self.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any) -> "_Given":
        return self

    def predict(self, X: Any) -> Any:
        self.asked.add("predict")
        return X

    def predict_proba(self, X: Any) -> Any:
        self.asked.add("predict_proba")
        return np.column_stack([1 - X, X]) if np.ndim(X) == 1 else X

    def decision_function(self, X: Any) -> Any:
        self.asked.add("decision_function")
        return X


def methods_asked(scorer: Callable[..., Any], y: Any, classes: tuple[Any, ...]) -> set[str]:
    """Name the methods of an estimator that a scorer asks for."""
    estimator = _Given(classes)
    with suppress(Exception):  # it need not get on with a truth in place of outputs
        scorer(estimator, y, y)
    return estimator.asked


@dataclass(frozen=True)
class ScorerOfOutputs:
    """A scorer as a function of truth and outputs, of the original sign."""

    scorer: Any
    sign: float
    classes: tuple[Any, ...] | None = None

    def __call__(self, y_true: Any, y_pred: Any, **options: Any) -> float:
        classes = np.unique(y_true) if self.classes is None else self.classes
        return self.sign * float(self.scorer(_Given(classes), y_pred, y_true, **options))
