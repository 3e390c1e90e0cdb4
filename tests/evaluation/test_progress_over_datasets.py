"""Progress, memory and temporary files of a run over data sets."""

import gc
import os
import time
import weakref
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import cross_validate_over_datasets
from skstat.evaluation._fold import EvaluationError
from skstat.evaluation._running import work as _work

# Where loky ends its workers early, its own thread may stumble over what it just let go.
aborts = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
ESTIMATORS = {"bayes": BAYES, "tree": TREE}


def classes(seed, n_samples=60, **options):
    return make_classification(n_samples, 5, random_state=seed, **options)


def loader(seed, **options):
    return lambda: classes(seed, **options)


def assert_same(run, other):
    assert list(run.datasets) == list(other.datasets)
    for name in run.datasets:
        for metric in run.metrics:
            np.testing.assert_array_equal(
                run.datasets[name].scores[metric], other.datasets[name].scores[metric]
            )


def sent_whole(kind):
    """Have workers get a class itself, since they cannot import a test module."""
    functions = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
    for value in (kind, *functions):
        value.__module__ = "__main__"
    return kind


def broken():
    raise OSError("no\nsuch file")


X, Y = classes(0)
GOOD = {"a": (X, Y)}


# -- Progress


def assert_monotone(calls):
    done, totals = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert all(d <= total for d, total in calls)
    assert done[-1] == totals[-1] > 0


@pytest.mark.long(keep=1)
@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("n_jobs, eager", [(1, "01234"), (1, "13"), (2, ""), (2, "13")])
def test_progress_ends_with_all_done(tmp_path, n_jobs, eager):
    given = {str(seed): loader(seed, n_samples=30 + 5 * seed) for seed in range(5)}
    given |= {name: given[name]() for name in eager}
    for n_found in (0, 2, 5):
        part = dict(list(given.items())[:n_found])
        for chosen in filter(None, (part, given)):
            calls = []
            cross_validate_over_datasets(
                ESTIMATORS,
                chosen,
                n_jobs=n_jobs,
                memory=tmp_path / str(n_found),
                verbose=lambda *at, calls=calls: calls.append(at),
                random_state=0,
            )
            assert_monotone(calls)
            assert calls[-1] == (20 * len(chosen), 20 * len(chosen))


@aborts
@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_an_error_in_the_progress_function_ends_the_run(n_jobs):
    def verbose(done, total):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        cross_validate_over_datasets([BAYES], GOOD, n_jobs=n_jobs, verbose=verbose)


# -- Memory and temporary files


class Counting:
    """Loads data sets, and counts how many of them are alive."""

    def __init__(self):
        self.alive = weakref.WeakSet()
        self.most = 0
        self.loads = 0

    def __call__(self):
        X, y = classes(self.loads)
        self.loads += 1
        X = X.view(Tracked)
        self.alive.add(X)
        self.most = max(self.most, len(self.alive))
        return X, y


@sent_whole
class Tracked(np.ndarray):
    """An array that weak sets can hold."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other if isinstance(other, Tracked) else NotImplemented


@pytest.mark.long(keep=1)
@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize(
    "backend, n_jobs, most, memory",
    [
        ("loky", 1, 2, False),
        ("loky", 1, 2, True),
        ("threading", 2, 5, False),
        ("loky", 2, 5, True),
    ],
)
def test_few_data_sets_are_in_memory(tmp_path, backend, n_jobs, most, memory):
    load = Counting()
    with parallel_config(backend=backend, n_jobs=n_jobs):
        for _ in range(1 + memory):  # the second time all is known
            load.loads = 0
            cross_validate_over_datasets(
                [BAYES, TREE],
                {str(n): load for n in range(12)},
                memory=tmp_path if memory else None,
                cv=2 if n_jobs == 1 else None,  # two workers need work to hold on to
                random_state=0,
            )
    assert load.loads == 12
    assert load.most <= most
    gc.collect()
    assert not load.alive


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Give temporary files a folder of their own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("JOBLIB_TEMP_FOLDER", str(folder))
    _work._sweep.cache_clear()
    yield folder
    _work._sweep.cache_clear()


def wide(seed=0):
    X, y = classes(seed)
    return np.tile(X, (1, 500)), y


@sent_whole
class Seeing(GaussianNB):
    """Notes which folders there are when it is fitted."""

    def __init__(self, folder=None, fail=False):
        super().__init__()
        self.folder = folder
        self.fail = fail

    def fit(self, X, y):
        found = len(list(Path(self.folder).glob("skstat-*")))
        Path(self.folder, f"seen-{found}").touch()
        if self.fail:
            raise RuntimeError("no")
        return super().fit(X, y)


def left(folder):
    return [path.name for path in folder.glob("skstat-*")]


@pytest.mark.long
@pytest.mark.usefixtures("workers")
def test_large_data_are_mapped_a_few_at_a_time(temporary):
    datasets = {str(seed): lambda seed=seed: wide(seed) for seed in range(8)}
    run = cross_validate_over_datasets(
        [Seeing(str(temporary))], datasets, n_jobs=2, random_state=0
    )
    seen = sorted(int(path.name.split("-")[1]) for path in temporary.glob("seen-*"))
    assert seen[0] >= 1 and seen[-1] <= 5  # as many as batches are under way, and the next
    assert not left(temporary)
    assert_same(run, cross_validate_over_datasets([BAYES], datasets, random_state=0))


@pytest.mark.long(keep=1)
@aborts
@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("how", ["error", "load", "interrupt"])
def test_no_files_are_left_after_an_error(temporary, how):
    def interrupt(done, total):
        if how == "interrupt":
            raise KeyboardInterrupt

    estimator = Seeing(str(temporary), fail=how == "error")
    datasets = {str(seed): lambda seed=seed: wide(seed) for seed in range(4)}
    if how == "load":
        datasets["broken"] = broken
    with pytest.raises((EvaluationError, KeyboardInterrupt)):
        cross_validate_over_datasets([estimator], datasets, n_jobs=2, verbose=interrupt)
    assert not (temporary / "seen-0").exists() and list(temporary.glob("seen-*"))
    assert not left(temporary)


@pytest.mark.long
@pytest.mark.usefixtures("workers")
def test_a_full_disk_costs_copies_only(temporary, monkeypatch):
    def dump(value, path):
        Path(path).touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_work.joblib, "dump", dump)
    datasets = {str(seed): lambda seed=seed: wide(seed) for seed in range(3)}
    run = cross_validate_over_datasets([BAYES], datasets, n_jobs=2, random_state=0)
    assert not left(temporary)
    assert_same(run, cross_validate_over_datasets([BAYES], datasets, random_state=0))


@pytest.mark.skipif(_work.fcntl is None, reason="needs locks that end with the process")
def test_files_of_killed_runs_are_swept(temporary):
    old = time.time() - 2 * 3600
    for name in ("skstat-mapped-dead", "skstat-mapped-used", "skstat-mapped-new", "skstat-x"):
        (temporary / name).mkdir()
        (temporary / name / "data").touch()
        if name != "skstat-mapped-new":
            os.utime(temporary / name, (old, old))
    used = _work._lock(temporary / "skstat-mapped-used")
    folder = _work._Folder()
    assert folder.file.parent.exists()
    folder.remove()
    os.close(used)
    assert sorted(left(temporary)) == ["skstat-mapped-new", "skstat-mapped-used", "skstat-x"]
