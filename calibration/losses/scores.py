"""What every fold scores, and what every row contributes to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST = 1e-15  # probability, in logarithms


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
    y: NDArray[Any], outputs: Floats, tests: NDArray[np.bool_], *, classes: bool
) -> dict[str, Folds]:
    """Score all test sets by all metrics.

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

    Returns
    -------
    mapping of str to Folds
        By metric; higher is better.
    """
    if not classes:
        return _of_numbers(y, outputs, tests)
    several = outputs.ndim == 3
    labels = outputs.argmax(axis=2) if several else (outputs > 0.5).astype(np.int64)
    if several:
        true = np.take_along_axis(outputs, y[None, :, None], axis=2)[:, :, 0]
        brier = (outputs**2).sum(axis=2) - 2 * true + 1
    else:
        true = np.where(y == 1, outputs, 1 - outputs)
        brier = (1 - true) ** 2
    found = {
        "accuracy": _mean((labels == y).astype(float), tests),
        "log loss": _mean(np.log(np.maximum(true, LEAST)), tests),
        "Brier score": _mean(-brier, tests),
        "balanced accuracy": _balanced_accuracy(y, labels, tests),
        "macro F1": _mean_f1(y, labels, tests, np.unique(y)),
    }
    if not several:
        found["F1"] = _mean_f1(y, labels, tests, [1])
        found["AUC"] = _auc(y, outputs, tests)
    return found


def _of_numbers(y: Floats, outputs: Floats, tests: NDArray[np.bool_]) -> dict[str, Folds]:
    errors = y - outputs
    n = tests.sum(axis=1, keepdims=True)
    deviations = (y - (tests @ y)[:, None] / n) ** 2
    within = (tests * deviations).sum(axis=1, keepdims=True)
    left = (tests * errors**2).sum(axis=1, keepdims=True)
    influence = n * (left * deviations / within**2 - errors**2 / within)
    r2 = 1 - left / within
    return {
        "MSE": _mean(-(errors**2), tests),
        "MAE": _mean(-np.abs(errors), tests),
        "R2": Folds(r2[:, 0], np.where(tests, r2 + influence, np.nan)),
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
