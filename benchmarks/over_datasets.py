"""Runs over many data sets: how busy the workers are, what the store costs, what is held."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks.memory import MB, Peak
from skstat import cross_validate_over_datasets
from skstat.evaluation import DatasetsRun


def run() -> Iterator[str]:
    """Yield one line per claim."""
    yield _start_workers()
    yield from _busy()
    yield _store()
    yield _cached()
    yield from _memory()


def _start_workers() -> str:
    start = time.perf_counter()
    Parallel(n_jobs=2)(delayed(_import)() for _ in range(4))
    return f"starting two workers: {time.perf_counter() - start:.2f} s"


def _import() -> None:
    import sklearn.ensemble  # noqa: F401


def _busy() -> Iterator[str]:
    """Compare runs with two workers that do nothing but fit, without a gap."""
    sizes = [300, 400, 500, 700, 900, 1200, 1500, 2000, 2500, 3000]
    loaders = {
        str(size): partial(make_classification, size, 20, random_state=size) for size in sizes
    }
    estimators = {
        "bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": DecisionTreeClassifier(random_state=0),
        "forest": RandomForestClassifier(40, random_state=0),
        "extra trees": ExtraTreesClassifier(40, random_state=0),
    }
    ask = partial(cross_validate_over_datasets, estimators, random_state=0, verbose=False)
    with threadpool_limits(1):  # as in workers
        alone = _seconds_of_work(ask(loaders, n_jobs=1)) / 2
    for how, datasets in (
        ("in memory", {name: load() for name, load in loaders.items()}),
        ("loaded lazily", loaders),
    ):
        start = time.perf_counter()
        busy = _seconds_of_work(ask(datasets, n_jobs=2)) / 2
        wall = time.perf_counter() - start
        # Two processes slow each other down, which no schedule can change.
        yield (
            f"10 data sets {how}, 5 estimators, 10 folds, n_jobs=2: {wall:.1f} s; fits "
            f"and scores take {alone:.1f} s with n_jobs=1, halved: {alone / wall:.3f}; in the "
            f"workers {busy:.1f} s each: ratio {busy / wall:.3f}"
        )


def _seconds_of_work(result: DatasetsRun) -> float:
    return float(
        sum(part.fit_times.sum() + part.score_times.sum() for part in result.datasets.values())
    )


class Waiting(ClassifierMixin, BaseEstimator):
    """Take a known time, whatever else the machine does."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Waiting":
        """Wait."""
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Guess."""
        return np.full(len(X), self.classes_[0])


def _store() -> str:
    """Measure what keeping records adds to fits of 50 ms."""
    datasets = {
        str(seed): make_classification(1000, 20, random_state=seed) for seed in range(2)
    }
    ask = partial(
        cross_validate_over_datasets,
        [Waiting(0.05), Waiting(0.05)],
        datasets,
        random_state=0,
        verbose=False,
    )

    def kept() -> None:
        with tempfile.TemporaryDirectory() as memory:
            ask(memory=memory)

    best_kept, best = _best(kept, ask)
    return (
        f"40 fits of 50 ms with memory= {best_kept:.3f} s, without {best:.3f} s: ratio "
        f"{best_kept / best:.3f}"
    )


def _best(*ways: Callable[[], object], rounds: int = 3) -> list[float]:
    """Best times, taken in turns."""
    seconds: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, times in zip(ways, seconds, strict=True):
            start = time.perf_counter()
            way()
            times.append(time.perf_counter() - start)
    return [min(times) for times in seconds]


def _cached() -> str:
    datasets = {
        str(seed): make_classification(200, 10, random_state=seed) for seed in range(50)
    }
    estimators = {
        str(depth): DecisionTreeClassifier(max_depth=depth, random_state=0)
        for depth in range(1, 11)
    }
    with tempfile.TemporaryDirectory() as memory:
        ask = partial(
            cross_validate_over_datasets,
            estimators,
            datasets,
            memory=memory,
            random_state=0,
            verbose=False,
        )
        start = time.perf_counter()
        ask()
        first = time.perf_counter() - start
        (again,) = _best(ask)
    return (
        f"5000 records: {first:.1f} s with tiny fits, again {again:.2f} s: ratio "
        f"{again / first:.2f}"
    )


def _memory() -> Iterator[str]:
    estimators = [SGDClassifier(max_iter=2, tol=None, random_state=s) for s in range(2)]
    for n_jobs in (1, 2):
        peaks = []
        for n_datasets in (1, 12):
            datasets = {str(seed): partial(_load, seed) for seed in range(n_datasets)}
            with Peak() as peak:
                cross_validate_over_datasets(
                    estimators, datasets, cv=3, n_jobs=n_jobs, verbose=False
                )
            peaks.append(peak.bytes)
        yield (
            f"data sets of 50 MB, n_jobs={n_jobs}: peak with one {peaks[0] / MB:.0f} MB, with "
            f"12 loaded lazily {peaks[1] / MB:.0f} MB, {(peaks[1] - peaks[0]) / 50e6:.1f} data "
            "sets more"
        )


def _load(seed: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(seed).normal(size=(62_500, 100))
    return X, (X[:, 0] > 0).astype(int)
