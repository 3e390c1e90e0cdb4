"""One task: fit one estimator on one split and score it."""

import functools
import pickle
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.base import clone

from skstat.evaluation._baselines import score
from skstat.evaluation._data import own_rows, rows_of
from skstat.metrics._row_metric import OwnMean, RowMetric


@dataclass(eq=False, kw_only=True)
class FoldTask:
    """What to fit and where, without the data: X and y travel beside it."""

    cell: tuple[int, int]  # numbers of split and estimator
    estimator: Any
    scorer: Callable[..., Any]
    metric: str | None  # what a score is called that comes without a name
    train: np.ndarray
    test: np.ndarray
    fit_params: Mapping[str, Any]
    score_params: Mapping[str, Any]
    pairwise: bool
    responses: tuple[str, ...]  # outputs for the test rows to bring back
    score_training: bool = False
    row_metrics: Mapping[str, RowMetric | OwnMean] = field(default_factory=dict)
    parts: tuple[int, ...] = ()  # lengths of the parts of `test` that are scored apart
    plan: int = 0  # number among all plans of a call
    key: tuple[str, str] | None = None  # of data and split; of what is fitted and scored

    def take(self, rows: np.ndarray, X: Any, y: Any) -> tuple[Any, ...]:
        """Rows of X, and of y if there is one; of a precomputed kernel also the columns."""
        taken = X[np.ix_(rows, self.train)] if self.pairwise else own_rows(X, rows)
        return (taken,) if y is None else (taken, own_rows(y, rows))


class Failure(NamedTuple):
    """An exception raised in a task, with the step that raised it."""

    step: str
    exception: Exception
    trace: str


@dataclass(eq=False, kw_only=True)
class FoldRecord:
    """What came out of a task, with its key.

    Scores are by metric. Where parts of the test rows were scored apart, `scores` are the
    means over the parts.
    """

    cell: tuple[int, int]
    scores: Mapping[str, Any] = field(default_factory=dict)
    fit_time: float = 0.0
    score_time: float = 0.0
    outputs: Mapping[str, Any] = field(default_factory=dict)
    training_scores: Mapping[str, Any] = field(default_factory=dict)
    failure: Failure | None = None
    plan: int = 0
    # By metric what every test row contributed to the score, where that is known.
    contributions: Mapping[str, np.ndarray] = field(default_factory=dict)
    part_scores: Sequence[Mapping[str, Any]] = ()


def run_fold(X: Any, y: Any, task: FoldTask) -> FoldRecord:
    """Fit a clone on the training rows, score it on the test rows."""
    results: dict[str, Any] = {}
    step = "fit"
    try:
        estimator = clone(task.estimator)
        rows = task.take(task.train, X, y)
        params = rows_of(task.fit_params, X, task.train)
        start = time.perf_counter()
        estimator.fit(*rows, **params)
        results["fit_time"] = time.perf_counter() - start
        step = "score"
        if task.score_training:
            params = rows_of(task.score_params, X, task.train)
            results["training_scores"] = _scores(estimator, task, rows, params)
        # Training rows are let go before test rows are taken: with large data two
        # thirds of a copy of X per worker.
        del rows, params
        rows, params = task.take(task.test, X, y), rows_of(task.score_params, X, task.test)
        is_model = not hasattr(getattr(estimator, "guess_", estimator), "expected_score")
        # A guess knows how well it does on every row; and not all learn to predict.
        row_scores = getattr(estimator, "row_scores", None)
        responses = {*task.responses}
        if row_scores is not None or not hasattr(estimator, "predict"):
            responses.discard("predict")
        outputs = dict.fromkeys(sorted(responses))
        for metric in task.row_metrics.values() if is_model else ():
            if hasattr(estimator, _method_for(estimator, metric.response)):
                responses.add(metric.response)
        methods = {response: _remembered(estimator, response) for response in responses}
        tested = [(rows, params)]
        if task.parts:
            parts = np.split(task.test, task.parts[:1])
            tested = [(task.take(p, X, y), rows_of(task.score_params, X, p)) for p in parts]
        # What the metrics were given is the same for all splits: the first tells.
        skipped, scored = task.cell[0] > 0 or None, []
        start = time.perf_counter()
        with config_context(skip_parameter_validation=skipped):
            for part, arrays in tested:
                scored.append(_scores(estimator, task, part, arrays))
        results["score_time"] = time.perf_counter() - start
        step = "check"
        scores = dict.fromkeys(scored[0], 0.0)
        for part_scores in scored:
            _check_scores(part_scores)
            for name in scores:
                scores[name] += float(part_scores.get(name, np.nan)) / len(scored)
        results |= {"scores": scores, "part_scores": scored if task.parts else ()}
        step = "predict"
        for response in outputs:
            outputs[response] = methods[response](rows[0])
        if row_scores is not None and "predict" in task.responses:
            outputs["predict"] = row_scores(rows[1])
        results["outputs"] = outputs
        # A guess may be for another metric, and other parameters do what they do.
        if is_model and params.keys() <= {"sample_weight"}:
            results["contributions"] = _contributions(task, scores, rows, methods, params)
    except Exception as exception:
        results = {"failure": Failure(step, _portable(exception), traceback.format_exc())}
    return FoldRecord(cell=task.cell, plan=task.plan, **results)


def _scores(
    estimator: Any, task: FoldTask, rows: tuple[Any, ...], params: Mapping[str, Any]
) -> Mapping[str, Any]:
    result = score(estimator, task.scorer, *rows, **params)
    return result if isinstance(result, Mapping) else {str(task.metric): result}


def _contributions(
    task: FoldTask,
    scores: Mapping[str, Any],
    rows: tuple[Any, ...],
    methods: Mapping[str, Callable[..., Any]],
    score_params: Mapping[str, Any],
) -> dict[str, np.ndarray]:
    """Say what every test row contributed to the scores, where that is known.

    The metric must give the score that the scorer gave: what a scorer does beside it, a
    threshold for instance, is not known here. Some of several scorers may ask for weights.
    """
    contributions: dict[str, np.ndarray] = {}
    for name, metric in task.row_metrics.items():
        expected = scores.get(name)
        if expected is None or metric.response not in methods:
            continue
        output = methods[metric.response](rows[0])
        for weight in (score_params.get("sample_weight"), None):
            try:
                result = metric.contributions(rows[1], output, weight)
            except ValueError:  # predictions that the metric's kernel does not know
                continue
            if result is not None and abs(result[0] - expected) <= 1e-12 + 1e-7 * abs(expected):
                contributions[name] = result[1]
                break
    return contributions


def _check_scores(scores: Mapping[str, Any]) -> None:
    """Refuse undefined scores here, before hours of other fits are spent."""
    if not scores:
        raise ValueError("it returned no scores; return a number for each metric.")
    for name, value in scores.items():
        if not isinstance(name, str):
            raise ValueError(f"the name of the score {name!r} must be a string.")
        single = not isinstance(value, Mapping) and np.ndim(value) == 0
        if not single or np.asarray(value).dtype.kind not in "biuf":
            raise ValueError(f"the score {name} is {value!r:.80}, not a number.")
        if not np.isfinite(value):
            raise ValueError(
                f"the score {name} is {value}; if the test rows of this split hold one class "
                "only, use larger or stratified test sets."
            )


def _method_for(estimator: Any, response: str) -> str:
    """Name the method that gives a response; scores come as scorers of ranks take them."""
    if response != "scores":
        return response
    return "decision_function" if hasattr(estimator, "decision_function") else "predict_proba"


def _remembered(estimator: Any, response: str) -> Callable[[Any], Any]:
    """Keep what a method gives the scorer, so that keeping it costs no second call.

    The estimator is this task's own clone, which nobody else will see.
    """
    method = _method_for(estimator, response)
    respond = getattr(estimator, method)
    seen: list[tuple[Any, Any]] = []

    @functools.wraps(respond)  # scikit-learn looks at the method's name
    def remembering(X: Any, *args: Any, **kwargs: Any) -> Any:
        output = respond(X, *args, **kwargs)
        if not seen and not args and not kwargs:
            seen.append((X, output))
        return output

    try:
        setattr(estimator, method, remembering)
    except AttributeError:  # slots, or a read-only attribute
        return lambda X: respond(X)
    return lambda X: seen[0][1] if seen and seen[0][0] is X else respond(X)


def _portable(exception: Exception) -> Exception:
    """Return an exception that survives the way back from a worker process."""
    try:
        pickle.loads(pickle.dumps(exception))
    except Exception:
        return RuntimeError(f"{type(exception).__name__}: {exception}")
    return exception


class EvaluationError(RuntimeError):
    """An estimator could not be fitted or scored on some split."""
