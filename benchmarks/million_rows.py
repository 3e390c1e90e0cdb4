"""Metrics of numbers and of rankings on a million rows, against calls of scikit-learn's metric.

The alternative is the metric of scikit-learn, called once for each of five systems: what has to
be computed whatever is asked.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

from benchmarks._race import race
from skstat import compare_predictions

_N, _SYSTEMS = 10**6, 5
_OF_NUMBERS: dict[str, Callable[..., float]] = {
    "neg_mean_absolute_error": metrics.mean_absolute_error,
    "neg_root_mean_squared_error": metrics.root_mean_squared_error,
    "r2": metrics.r2_score,
}
_OF_PROBABILITIES: dict[str, Callable[..., float]] = {
    "neg_log_loss": metrics.log_loss,
    "neg_brier_score": metrics.brier_score_loss,
    "roc_auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
}


def run() -> Iterator[str]:
    """Yield one line per metric."""
    rng = np.random.default_rng(0)
    spread = 1 + 0.002 * np.arange(_SYSTEMS)
    truth = rng.normal(size=_N)
    noisy = {f"system {i}": truth + s * rng.normal(size=_N) for i, s in enumerate(spread)}
    for name, function in _OF_NUMBERS.items():
        yield _line(name, function, truth, noisy)
    classes = rng.integers(0, 2, _N)
    scores = {
        f"system {i}": 1 / (1 + np.exp(-(classes - 0.5 + s * rng.normal(size=_N))))
        for i, s in enumerate(spread)
    }
    for name, function in _OF_PROBABILITIES.items():
        yield _line(name, function, classes, scores)


def _line(
    name: str, function: Callable[..., float], truth: Any, outputs: dict[str, Any]
) -> str:
    ours = partial(compare_predictions, truth, outputs, metric=name, random_state=0, n_jobs=1)
    timed = race(ours, lambda: [function(truth, each) for each in outputs.values()], rounds=2)
    return f"{name}, n = 10^6, k = {_SYSTEMS}, against {_SYSTEMS} calls of the metric: {timed}"
