"""One task: fit one estimator on one split and score it."""

import functools
import pickle
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from skstat.evaluation._inputs import own_rows, rows_of
from skstat.metrics import ScoreMetric
from skstat.metrics._own_mean import OwnMean
from skstat.metrics._row_metric import RowMetric


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldTask:
    """What to fit and where, without the data: X and y travel beside it."""

    split: int
    estimator_index: int
    estimator: Any
    scorer: Callable[..., Any]
    train: np.ndarray
    test: np.ndarray
    fit_params: Mapping[str, Any]
    score_params: Mapping[str, Any]
    pairwise: bool
    keep_predictions: bool
    kept_responses: tuple[str, ...] = ()  # outputs for the test rows to bring back
    score_training: bool = False
    row_metrics: Mapping[str, RowMetric | OwnMean] = field(default_factory=dict)
    of_spread: Mapping[str, ScoreMetric] = field(default_factory=dict)  # constant y: undefined
    parts: tuple[int, ...] = ()  # lengths of the parts of `test` that are scored apart
    dataset: int = 0
    key: tuple[str, str] | None = None  # of data and split; of what is fitted and scored


@dataclass(frozen=True, eq=False, kw_only=True)
class Failure:
    """An exception raised in a task, with the step that raised it."""

    step: str
    exception: Exception
    trace: str


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldRecord:
    """What came out of a task, with its key.

    Where parts of the test rows were scored apart, `scores` are the means over the parts.
    """

    split: int
    estimator_index: int
    scores: Any = None
    fit_time: float = 0.0
    score_time: float = 0.0
    predictions: Any = None
    outputs: Mapping[str, Any] | None = None
    training_scores: Any = None
    failure: Failure | None = None
    dataset: int = 0
    # By metric what every test row contributed to the score; None if that is not known.
    contributions: Mapping[str, np.ndarray | None] = field(default_factory=dict)
    part_scores: tuple[Any, ...] = ()


def run_fold(X: Any, y: Any, task: FoldTask) -> FoldRecord:
    """Fit a clone on the training rows, score it on the test rows."""
    key: dict[str, Any] = {
        "dataset": task.dataset,
        "split": task.split,
        "estimator_index": task.estimator_index,
    }
    step = "fit"
    try:
        estimator = clone(task.estimator)
        columns = task.train if task.pairwise else None
        X_train, y_train = _take(X, y, task.train, columns)
        fit_params = rows_of(task.fit_params, X, task.train)
        start = time.perf_counter()
        estimator.fit(X_train, *y_train, **fit_params)
        fitted = time.perf_counter()
        training_scores = None
        if task.score_training:
            step = "score"
            params = rows_of(task.score_params, X, task.train)
            training_scores = score(estimator, task.scorer, X_train, *y_train, **params)
        # Training rows are let go before test rows are taken: with large data two
        # thirds of a copy of X per worker.
        del X_train, y_train, fit_params
        step = "score"
        X_test, y_test = _take(X, y, task.test, columns)
        score_params = rows_of(task.score_params, X, task.test)
        recall = _rows_remembered(estimator) if task.keep_predictions else None
        recalls = {
            response: _remembered(estimator, _method_for(estimator, response))
            for response in task.kept_responses
        }
        responses = {metric.response for metric in task.row_metrics.values()}
        asked = {
            response: _remembered(estimator, _method_for(estimator, response))
            for response in _possible(estimator, responses)
        }
        scoring = time.perf_counter()
        part_scores = _scores_of_parts(estimator, X, y, task)
        if not part_scores:
            scores = score(estimator, task.scorer, X_test, *y_test, **score_params)
        scored = time.perf_counter()
        step = "check"
        for found in part_scores or (scores,):
            _check_scores(found)
        if not hasattr(estimator, "expected_score"):
            training = () if training_scores is None else (training_scores,)
            _check_names([*(part_scores or (scores,)), *training])
        _check_spread(y, task)
        if part_scores:
            scores = _mean_scores(part_scores)
        step = "predict"
        predictions = recall(X_test, *y_test) if recall is not None else None
        outputs = {response: output(X_test) for response, output in recalls.items()}
        contributions = _contributions(task, scores, X_test, y_test, asked, score_params)
    except Exception as exception:
        failure = Failure(
            step=step, exception=_portable(exception), trace=traceback.format_exc()
        )
        return FoldRecord(**key, failure=failure)
    return FoldRecord(
        **key,
        scores=scores,
        fit_time=fitted - start,
        score_time=scored - scoring,
        predictions=predictions,
        outputs=outputs or None,
        training_scores=training_scores,
        contributions=contributions,
        part_scores=part_scores,
    )


def _scores_of_parts(estimator: Any, X: Any, y: Any, task: FoldTask) -> tuple[Any, ...]:
    """Score the parts of the test rows, each as if it were all of them."""
    found = []
    columns = task.train if task.pairwise else None
    for stop, length in zip(np.cumsum(task.parts), task.parts, strict=True):
        rows = task.test[stop - length : stop]
        X_part, y_part = _take(X, y, rows, columns)
        params = rows_of(task.score_params, X, rows)
        found.append(score(estimator, task.scorer, X_part, *y_part, **params))
    return tuple(found)


def _mean_scores(parts: tuple[Any, ...]) -> Any:
    """Mean over the parts, of every metric."""
    if isinstance(parts[0], Mapping):
        return {name: float(np.mean([part[name] for part in parts])) for name in parts[0]}
    return float(np.mean(parts))


def score(estimator: Any, scorer: Callable[..., Any], X: Any, *y: Any, **params: Any) -> Any:
    """Score; an estimator that guesses at random gives its expected score itself."""
    expected_score = getattr(estimator, "expected_score", None)
    if expected_score is not None:
        return expected_score(scorer, X, *y, **params)
    return scorer(estimator, X, *y, **params)


def _possible(estimator: Any, responses: set[str]) -> list[str]:
    """Leave out responses that an estimator cannot give, or guesses at random."""
    if hasattr(getattr(estimator, "guess_", estimator), "expected_score"):
        return []
    return sorted(r for r in responses if hasattr(estimator, _method_for(estimator, r)))


def _contributions(
    task: FoldTask,
    scores: Any,
    X: Any,
    y: tuple[Any, ...],
    asked: Mapping[str, Callable[..., Any]],
    score_params: Mapping[str, Any],
) -> dict[str, np.ndarray | None]:
    """Say what every test row contributed to the scores, where that is known.

    The metric must give the score that the scorer gave: what a scorer does beside it, a
    threshold for instance, is not known here. Some of several scorers may ask for weights.
    """
    found: dict[str, np.ndarray | None] = {}
    for name, metric in task.row_metrics.items():
        found[name] = None
        if metric.response not in asked or set(score_params) - {"sample_weight"}:
            continue
        output = asked[metric.response](X)
        expected = scores.get(name) if isinstance(scores, Mapping) else scores
        if expected is None:  # a guess that is for another metric
            continue
        for weight in (score_params.get("sample_weight"), None):
            try:
                rows = metric.contributions(y[0], output, weight)
            except ValueError:  # predictions that the metric's kernel does not know
                continue
            if rows is not None and np.isclose(rows[0], expected, rtol=1e-7, atol=1e-12):
                found[name] = rows[1]
                break
    return found


def _check_scores(scores: Any) -> None:
    """Refuse undefined scores here, before hours of other fits are spent."""
    named = scores if isinstance(scores, Mapping) else {"": scores}
    if not named:
        raise ValueError("it returned no scores; return a number for each metric.")
    for name, value in named.items():
        if not isinstance(name, str):
            raise ValueError(f"the name of the score {name!r} must be a string.")
        metric = f" {name}" if name else ""
        if not _is_number(value):
            raise ValueError(f"the score{metric} is {value!r:.80}, not a number.")
        if not np.isfinite(value):
            raise ValueError(
                f"the score{metric} is {value}. Leaving the split out would break the "
                "pairing; if its test rows hold one class only, use larger or "
                "stratified test sets."
            )


def _is_number(value: Any) -> bool:
    return not isinstance(value, Mapping) and (
        np.ndim(value) == 0 and np.asarray(value).dtype.kind in "biuf"
    )


def _check_names(scored: list[Any]) -> None:
    """Refuse scores whose names change from one part of the rows to another."""
    names = [list(scores) if isinstance(scores, Mapping) else [] for scores in scored]
    for own in names[1:]:
        if set(own) != set(names[0]):
            raise ValueError(
                f"it returned the scores {names[0]}, and {own} for other rows of the same "
                "split: a function must name the same scores every time."
            )


def _check_spread(y: Any, task: FoldTask) -> None:
    """Refuse scores that scikit-learn makes up for a constant y."""
    if y is None or not task.of_spread:
        return
    for rows in np.split(task.test, np.cumsum(task.parts, dtype=int)[:-1]):
        weight = task.score_params.get("sample_weight")
        own = None if weight is None else own_rows(np.asarray(weight), rows)
        y_test = own_rows(y, rows)
        for name, metric in task.of_spread.items():
            if metric.lacks_spread(y_test, own):
                raise ValueError(
                    f"the score {name} is undefined: y is the same for all {len(rows)} test "
                    "rows, so that there is no variance to explain. Use larger or shuffled "
                    "test sets, or a metric of the errors alone, such as "
                    "neg_mean_squared_error."
                )


def _take(
    X: Any, y: Any, rows: np.ndarray, columns: np.ndarray | None
) -> tuple[Any, tuple[Any, ...]]:
    """Rows of X, and of y if there is one; of a precomputed kernel also the columns."""
    taken = own_rows(X, rows) if columns is None else X[np.ix_(rows, columns)]
    return taken, () if y is None else (own_rows(y, rows),)


def _rows_remembered(estimator: Any) -> Callable[..., Any] | None:
    """Keep what `predict` gives the scorer, where there is such a method."""
    if hasattr(estimator, "row_scores"):  # it guesses, and knows how well on every row
        return lambda X, y: estimator.row_scores(y)
    return _remembered(estimator, "predict") if hasattr(estimator, "predict") else None


def _method_for(estimator: Any, response: str) -> str:
    """Name the method that gives a response; scores come as scorers of ranks take them."""
    if response != "scores":
        return response
    return "decision_function" if hasattr(estimator, "decision_function") else "predict_proba"


def _remembered(estimator: Any, method: str) -> Callable[..., Any]:
    """Keep what a method gives the scorer, so that keeping it costs no second call.

    The estimator is this task's own clone, which nobody else will see.
    """
    respond = getattr(estimator, method)
    seen: list[tuple[Any, Any]] = []

    @functools.wraps(respond)  # scikit-learn looks at the method's name
    def remembering(X: Any, *args: Any, **kwargs: Any) -> Any:
        found = respond(X, *args, **kwargs)
        if not seen and not args and not kwargs:
            seen.append((X, found))
        return found

    try:
        setattr(estimator, method, remembering)
    except AttributeError:  # slots, or a read-only attribute
        return lambda X, *y: respond(X)
    return lambda X, *y: seen[0][1] if seen and seen[0][0] is X else respond(X)


def _portable(exception: Exception) -> Exception:
    """Return an exception that survives the way back from a worker process."""
    try:
        pickle.loads(pickle.dumps(exception))
    except Exception:
        return RuntimeError(f"{type(exception).__name__}: {exception}")
    return exception


class EvaluationError(RuntimeError):
    """An estimator could not be fitted or scored on some split."""
