"""What every fold scores, and what every row contributes to it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST = 1e-15  # probability, in logarithms
USUAL = (
    "accuracy",
    "log loss",
    "Brier score",
    "balanced accuracy",
    "macro F1",
    "F1",
    "AUC",
    "MSE",
    "MAE",
    "R2",
)
AVERAGE_PRECISION, MATTHEWS = "average precision", "Matthews correlation"


@dataclass(frozen=True, eq=False)
class Folds:
    """Scores of one system by one metric.

    Attributes
    ----------
    scores : ndarray of shape (n_tests,)
        Score of every test set.
    rows : ndarray of shape (n_tests, n_rows)
        What every row contributes to the score of a test set: its own score where the score
        is a mean over rows, else the score plus the row's influence on it; nan elsewhere.
    of_mean : bool
        Whether the score is a mean over rows.
    """

    scores: Floats
    rows: Floats
    of_mean: bool = False


def score_folds(
    y: NDArray[Any],
    outputs: Floats,
    tests: NDArray[np.bool_],
    *,
    classes: bool,
    metrics: Collection[str] = USUAL,
) -> dict[str, Folds]:
    """Score all test sets by those of the metrics that suit the target.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Classes or numbers.
    outputs : ndarray of shape (n_tests, n_rows[, n_classes])
        What the model of each test set says of every row.
    tests : ndarray of bool of shape (n_tests, n_rows)
        The test sets.
    classes : bool
        Whether y holds classes.
    metrics : collection of str
        The metrics.

    Returns
    -------
    mapping of str to Folds
        By metric; higher is better.
    """
    ways = (_of_classes if classes else _of_numbers)(y, outputs, tests)
    return {metric: score() for metric, score in ways.items() if metric in metrics}


Ways = dict[str, Callable[[], Folds]]


def _of_classes(y: NDArray[Any], outputs: Floats, tests: NDArray[np.bool_]) -> Ways:
    several = outputs.ndim == 3
    labels = outputs.argmax(axis=2) if several else (outputs > 0.5).astype(np.int64)
    if several:
        true = np.take_along_axis(outputs, y[None, :, None], axis=2)[:, :, 0]
        brier = (outputs**2).sum(axis=2) - 2 * true + 1
    else:
        true = np.where(y == 1, outputs, 1 - outputs)
        brier = (1 - true) ** 2
    ways: Ways = {
        "accuracy": lambda: _mean((labels == y).astype(float), tests),
        "log loss": lambda: _mean(np.log(np.maximum(true, LEAST)), tests),
        "Brier score": lambda: _mean(-brier, tests),
        "balanced accuracy": lambda: _balanced_accuracy(y, labels, tests),
        "macro F1": lambda: _mean_f1(y, labels, tests, np.unique(y)),
        MATTHEWS: lambda: _matthews(y, labels, tests),
    }
    if not several:
        ways["F1"] = lambda: _mean_f1(y, labels, tests, [1])
        ways["AUC"] = lambda: _auc(y, outputs, tests)
        ways[AVERAGE_PRECISION] = lambda: _average_precision(y, outputs, tests)
    return ways


def _of_numbers(y: Floats, outputs: Floats, tests: NDArray[np.bool_]) -> Ways:
    errors = y - outputs
    n = tests.sum(axis=1, keepdims=True)
    deviations = (y - (tests @ y)[:, None] / n) ** 2
    within = (tests * deviations).sum(axis=1, keepdims=True)
    left = (tests * errors**2).sum(axis=1, keepdims=True)
    influence = n * (left * deviations / within**2 - errors**2 / within)
    r2 = 1 - left / within
    return {
        "MSE": lambda: _mean(-(errors**2), tests),
        "MAE": lambda: _mean(-np.abs(errors), tests),
        "R2": lambda: Folds(r2[:, 0], np.where(tests, r2 + influence, np.nan)),
    }


def _mean(values: Floats, tests: NDArray[np.bool_]) -> Folds:
    scores = (values * tests).sum(axis=1) / tests.sum(axis=1)
    return Folds(scores, np.where(tests, values, np.nan), of_mean=True)


def _balanced_accuracy(
    y: NDArray[Any], labels: NDArray[Any], tests: NDArray[np.bool_]
) -> Folds:
    hits = (labels == y).astype(float)
    present = np.unique(y)
    n = tests.sum(axis=1, keepdims=True)
    recalls, influence = np.zeros((len(tests), 1)), np.zeros(tests.shape)
    for label in present:
        inside = tests & (y == label)
        count = np.maximum(inside.sum(axis=1, keepdims=True), 1)
        recall = (hits * inside).sum(axis=1, keepdims=True) / count
        recalls += recall / len(present)
        influence += inside * (n / count) * (hits - recall) / len(present)
    return Folds(recalls[:, 0], np.where(tests, recalls + influence, np.nan))


def _mean_f1(
    y: NDArray[Any], labels: NDArray[Any], tests: NDArray[np.bool_], of: Sequence[int]
) -> Folds:
    n = tests.sum(axis=1, keepdims=True)
    means, influence = np.zeros((len(tests), 1)), np.zeros(tests.shape)
    for label in of:
        right = 2.0 * (tests & (y == label) & (labels == label))
        either = tests * ((y == label) * 1.0 + (labels == label))
        top, bottom = right.sum(axis=1, keepdims=True), either.sum(axis=1, keepdims=True)
        bottom = np.maximum(bottom, 1.0)
        means += top / bottom / len(of)
        influence += n * (right / bottom - top * either / bottom**2) / len(of)
    return Folds(means[:, 0], np.where(tests, means + influence, np.nan))


def _auc(y: NDArray[Any], outputs: Floats, tests: NDArray[np.bool_]) -> Folds:
    scores, rows = np.empty(len(tests)), np.full(tests.shape, np.nan)
    for test, (inside, output) in enumerate(zip(tests, outputs, strict=True)):
        positive, negative = (np.flatnonzero(inside & (y == label)) for label in (1, 0))
        if not len(positive) or not len(negative):
            scores[test] = np.nan
            continue
        above, below = np.sort(output[positive]), np.sort(output[negative])
        up = np.searchsorted(below, output[positive]) + np.searchsorted(
            below, output[positive], "right"
        )
        down = np.searchsorted(above, output[negative]) + np.searchsorted(
            above, output[negative], "right"
        )
        placements = up / (2 * len(negative)), 1 - down / (2 * len(positive))
        auc = scores[test] = placements[0].mean()
        n = inside.sum()
        rows[test, positive] = auc + n / len(positive) * (placements[0] - auc)
        rows[test, negative] = auc + n / len(negative) * (placements[1] - auc)
    return Folds(scores, rows)


def _average_precision(y: NDArray[Any], outputs: Floats, tests: NDArray[np.bool_]) -> Folds:
    """Mean over the positives of H / S: positives, and rows, with an output as high as theirs.

    By the weight of a row, H / S has the derivative (1 if it is positive) / S - H / S^2
    where its output is as high, and 0 elsewhere.
    """
    scores, rows = np.full(len(tests), np.nan), np.full(tests.shape, np.nan)
    for test, (inside, output) in enumerate(zip(tests, outputs, strict=True)):
        own, is_positive = output[inside], y[inside] == 1
        if not is_positive.any():
            continue
        high = own >= own[is_positive, None]  # positives by rows
        seen = high.sum(axis=1, keepdims=True)
        precision = high[:, is_positive].sum(axis=1, keepdims=True) / seen
        slope = (high * (is_positive - precision) / seen).sum(axis=0)
        slope[is_positive] += precision[:, 0] - precision.mean()
        scores[test] = precision.mean()
        rows[test, inside] = scores[test] + len(own) / is_positive.sum() * slope
    return Folds(scores, rows)


def _matthews(y: NDArray[Any], labels: NDArray[Any], tests: NDArray[np.bool_]) -> Folds:
    """Covariance of classes and labels over the root of the product of their variances.

    With n rows, c of them right, t_k in class k and p_k named so, these are c n - sum(t p),
    n^2 - sum(t^2) and n^2 - sum(p^2); 0 where one of the variances is.
    """
    n = tests.sum(axis=1, keepdims=True)
    hits = labels == y
    right = (tests & hits).sum(axis=1, keepdims=True)
    held, named = np.zeros((2, *tests.shape))  # by rows: as many as are of its class
    called_so, of_label = np.zeros((2, *tests.shape))
    products, squares, squares_named = np.zeros((3, len(tests), 1))
    for label in np.unique(y):
        t = (tests & (y == label)).sum(axis=1, keepdims=True)
        p = (tests & (labels == label)).sum(axis=1, keepdims=True)
        held, called_so = held + t * (y == label), called_so + p * (y == label)
        of_label, named = of_label + t * (labels == label), named + p * (labels == label)
        products, squares, squares_named = (
            products + t * p,
            squares + t**2,
            squares_named + p**2,
        )
    covariance = right * n - products
    of_true, of_named = n**2 - squares, n**2 - squares_named
    root = np.sqrt(np.maximum(of_true * of_named, 1))
    score = np.where(of_true * of_named > 0, covariance / root, 0.0)
    slope = (hits * n + right - called_so - of_label) / root
    slope -= score * (
        (n - held) / np.maximum(of_true, 1) + (n - named) / np.maximum(of_named, 1)
    )
    influence = np.where(of_true * of_named > 0, n * slope, 0.0)
    return Folds(score[:, 0], np.where(tests, score + influence, np.nan))
