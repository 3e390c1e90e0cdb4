"""Every engine that joblib knows gives the same numbers, and long work tells its progress."""

import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ParallelBackendBase
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, cross_validate_over_datasets, paired_cross_validate
from skstat.evaluation import EvaluationError
from tests.cases import in_one_test

ESTIMATORS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
EAGER = {
    str(seed): make_classification(80 + 20 * seed, 5, random_state=seed) for seed in range(4)
}
LAZY = {name: (lambda data=data: data) for name, data in EAGER.items()}
MIXED = {name: LAZY[name] if int(name) % 2 else EAGER[name] for name in reversed(EAGER)}


@pytest.fixture(scope="module")
def expected():
    return (
        paired_cross_validate(ESTIMATORS, *EAGER["0"], cv=5),
        cross_validate_over_datasets(ESTIMATORS, EAGER, cv=5),
    )


def assert_same_as(expected):
    single, many = expected
    run = paired_cross_validate(ESTIMATORS, *EAGER["0"], cv=5)
    np.testing.assert_array_equal(run.scores["accuracy"], single.scores["accuracy"])
    for name in ESTIMATORS:
        for split, predictions in single.predictions[name].items():
            np.testing.assert_array_equal(run.predictions[name][split], predictions)
    for datasets in (EAGER, LAZY, MIXED):
        calls = []
        run = cross_validate_over_datasets(
            ESTIMATORS, datasets, cv=5, verbose=lambda *at, calls=calls: calls.append(at)
        )
        for name, part in many.datasets.items():
            np.testing.assert_array_equal(
                run.datasets[name].scores["accuracy"], part.scores["accuracy"]
            )
        assert calls[-1] == (40, 40)
        assert list(run.datasets) == list(datasets)
    with pytest.raises(EvaluationError, match="data set 'x': OSError: gone"):
        cross_validate_over_datasets(ESTIMATORS, {**LAZY, "x": gone})


def gone():
    raise OSError("gone")


@pytest.mark.long
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_engines_of_joblib(backend, expected):
    with parallel_config(backend=backend, n_jobs=2):
        assert_same_as(expected)


class Minimal(ParallelBackendBase):
    """The least that joblib asks of an engine."""

    supports_retrieve_callback = True

    def effective_n_jobs(self, n_jobs):
        return 2

    def configure(self, n_jobs=1, parallel=None, **options):
        self.parallel = parallel
        self._pool = ThreadPoolExecutor(2)
        return 2

    def submit(self, func, callback):
        future = self._pool.submit(func)
        future.add_done_callback(callback)
        return future

    def apply_async(self, func, callback=None):  # the name until joblib 1.4
        return self.submit(func, callback)

    def retrieve_result_callback(self, future):
        return future.result()

    def terminate(self):
        self._pool.shutdown()


def test_an_engine_that_somebody_registers(expected):
    register_parallel_backend("minimal", Minimal)
    with parallel_config(backend="minimal"):
        assert_same_as(expected)


# -- dask


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    # What dask warns of concerns its own shutting down.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        about = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
        with (
            distributed.LocalCluster(n_workers=2, processes=True, **about) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


def dask(test):
    test = pytest.mark.filterwarnings("ignore")(pytest.mark.usefixtures("cluster")(test))
    return pytest.mark.long(test)


@dask
def test_dask(expected):
    with parallel_config(backend="dask"):
        assert_same_as(expected)


@dask
def test_dask_gets_data_once(cluster, monkeypatch):
    X, y = make_classification(1000, 20, random_state=0)
    cv = StratifiedKFold(8)
    sent = []
    scatter = cluster.scatter

    def counting(data, **options):
        sent.append(data)
        return scatter(data, **options)

    monkeypatch.setattr(cluster, "scatter", counting)
    with parallel_config(backend="dask"):
        run = paired_cross_validate(ESTIMATORS, X, y, cv=cv)
    assert sorted(data.shape for data in sent) == [(1000,), (1000, 20)]
    alone = paired_cross_validate(ESTIMATORS, X, y, cv=cv)
    np.testing.assert_array_equal(run.scores["accuracy"], alone.scores["accuracy"])


# Progress on long work

X, Y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2


class Slow(GaussianNB):
    """A fit of it takes seconds, by a clock that nothing else moves."""

    now = 0.0
    seconds = (10.0,)
    n_fits = 0

    def fit(self, X, y):
        Slow.now += Slow.seconds[Slow.n_fits % len(Slow.seconds)]
        Slow.n_fits += 1
        return super().fit(X, y)


@pytest.fixture
def told(monkeypatch, capsys):
    """Return what stands in the terminal after fits of so many seconds each."""
    monkeypatch.setattr(time, "monotonic", lambda: Slow.now)

    def err(*seconds, ask=paired_cross_validate, n_systems=2, **options):
        Slow.seconds, Slow.n_fits = seconds, 0
        ask([Slow(var_smoothing=9.0**-place) for place in range(n_systems)], X, Y, **options)
        return capsys.readouterr().err

    return err


@in_one_test(
    "seconds, text", [(1.25, "75 seconds"), (10, "10 minutes"), (120, "2.0 hours"), (0.5, None)]
)
def test_long_work_is_announced_once(told, seconds, text):
    said = f"skstat: 60 fits, about {text} in all.{CHEAPER}" if text else ""
    assert told(seconds) == said


CHEAPER = " Cheaper and still valid: compare_estimators(budget=10) needs 20 fits.\n"


def test_the_run_names_cheaper_designs(told):
    assert told(10.0, ask=compare_estimators).endswith(CHEAPER)
    few = told(10.0, ask=compare_estimators, budget=10)
    assert few == "skstat: 20 fits, about 3 minutes in all.\n"


def test_one_line_without_rich(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    err = told(0.0, 0.5, 2.6, 0.0, cv=2, verbose=True)  # 0.5 is too soon for another line
    lines = [line.rstrip(" ") for line in err.split("\r")]
    left = ["skstat: 0 of 4 fits", "skstat: 3 of 4 fits, about 1 seconds left"]
    assert lines == ["", *left, f"{'skstat: 4 of 4 fits':<60}\n"]


def test_a_watcher_gets_a_bar_on_long_work_only(told, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert told(0.01) == ""
    assert "fits" in told(0.5)
