"""Every engine that joblib knows gives the same numbers, and data travel to it once."""

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

from skstat import cross_validate_over_datasets, paired_cross_validate
from skstat.evaluation import EvaluationError

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
        with pytest.raises(EvaluationError, match="data set 'x': OSError: gone"):
            cross_validate_over_datasets(ESTIMATORS, {**LAZY, "x": gone})


def gone():
    raise OSError("gone")


# -- dask


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    # What dask warns of concerns its own shutting down.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
            ) as cluster,
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


@dask
def test_errors_in_dask():
    with (
        parallel_config(backend="dask"),
        pytest.raises(EvaluationError, match="data set 'x': OSError: gone"),
    ):
        cross_validate_over_datasets(ESTIMATORS, {**LAZY, "x": gone})
