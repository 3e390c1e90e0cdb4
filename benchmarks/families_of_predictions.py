"""Several systems on one test set, and McNemar's test, against calls of scikit-learn's metric.

The alternative for k systems is the metric of scikit-learn, called once for each system and
metric: what has to be computed whatever is asked. That of McNemar's test is statsmodels, from
the four counts that NumPy counts of the labels.
"""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics
from statsmodels.stats import contingency_tables

from benchmarks._race import spent
from skstat import compare_predictions, mcnemar_test
from skstat.metrics._metric import ScoreMetric

LABEL_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": metrics.accuracy_score,
    "f1": metrics.f1_score,
    "f1_macro": partial(metrics.f1_score, average="macro"),
    "f1_micro": partial(metrics.f1_score, average="micro"),
    "f1_weighted": partial(metrics.f1_score, average="weighted"),
    "precision_macro": partial(metrics.precision_score, average="macro"),
    "recall_macro": partial(metrics.recall_score, average="macro"),
    "jaccard_macro": partial(metrics.jaccard_score, average="macro"),
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
}


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    for k in (20, 50):
        y, systems = _labels(10_000, k)
        yield _line(f"accuracy, n = 10^4, k = {k}", y, systems, ["accuracy"])
    y, systems = _labels(10_000, 20)
    yield _line("10 metrics of labels, n = 10^4, k = 20", y, systems, LABEL_METRICS)
    # In a process of its own: its largest memory is that of this call alone.
    code = (
        "from benchmarks import families_of_predictions as f; print(f._million_rows(), end='')"
    )
    yield subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    for n in (10**3, 10**4, 10**5):
        yield _mcnemar(n)


def _labels(n: int, k: int) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    right = np.linspace(0.90, 0.88, k)
    return y, {
        f"system {i}": np.where(rng.random(n) < p, y, 1 - y) for i, p in enumerate(right)
    }


def _million_rows() -> str:
    y, systems = _labels(10**6, 5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = _line("10 metrics of labels, n = 10^6, k = 5", y, systems, LABEL_METRICS, first=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{line}; memory {before / 1e3:.0f} MB before, {peak / 1e3:.0f} MB at most"


def _line(what: str, y: Any, systems: dict[str, Any], names: Any, first: bool = False) -> str:
    functions = [LABEL_METRICS[name] for name in names]

    def theirs() -> None:
        for function in functions:
            for output in systems.values():
                function(y, output)

    ours, its = spent(
        lambda: _compare(y, systems, names), theirs, rounds=1 if first else 3, warm=not first
    )
    return (
        f"{what} against {len(systems) * len(functions)} calls of the metric: "
        f"{ours.against(its)}; "
        f"the metric was called {_calls(y, systems, names)} times"
    )


def _compare(y: Any, systems: dict[str, Any], names: Any) -> object:
    return compare_predictions(y, systems, metric=list(names), random_state=0, n_jobs=1)


def _calls(y: Any, systems: dict[str, Any], names: Any) -> int:
    """Count the calls of the metrics themselves, in a process that has verified them."""
    made = 0
    call = ScoreMetric.__call__

    def counted(self: ScoreMetric, *args: Any, **options: Any) -> float:
        nonlocal made
        made += 1
        return call(self, *args, **options)

    ScoreMetric.__call__ = counted  # type: ignore[method-assign]
    try:
        _compare(y, systems, names)
    finally:
        ScoreMetric.__call__ = call  # type: ignore[method-assign]
    return made


def _mcnemar(n: int) -> str:
    y, systems = _labels(n, 2)
    a, b = systems.values()

    def theirs() -> float:
        first, second = a == y, b == y
        both = np.count_nonzero(first & second)
        only = np.count_nonzero(first) - both, np.count_nonzero(second) - both
        table = [[both, only[0]], [only[1], n - both - sum(only)]]
        return float(contingency_tables.mcnemar(table, exact=True).pvalue)

    ours, its = spent(lambda: mcnemar_test(y, a, b), theirs, rounds=30)
    return f"mcnemar_test from labels, n = {n}, against statsmodels: {ours.against(its)}"
