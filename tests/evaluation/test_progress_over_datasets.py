"""Progress, memory and temporary files of a run over data sets."""

import gc
import weakref
from types import FunctionType

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import cross_validate_over_datasets

# Where loky ends its workers early, its own thread may stumble over what it just let go.
aborts = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
ESTIMATORS = {"bayes": BAYES, "tree": TREE}


def classes(seed, n_samples=60, **options):
    return make_classification(n_samples, 5, random_state=seed, **options)


def loader(seed, **options):
    return lambda: classes(seed, **options)


def sent_whole(kind):
    """Have workers get a class itself, since they cannot import a test module."""
    functions = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
    for value in (kind, *functions):
        value.__module__ = "__main__"
    return kind


X, Y = classes(0)
GOOD = {"a": (X, Y)}


# -- Progress


def assert_monotone(calls):
    done, totals = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert all(d <= total for d, total in calls)
    assert done[-1] == totals[-1] > 0


@pytest.mark.long(keep=1)
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
@pytest.mark.parametrize(
    "backend, n_jobs, most, memory",
    [("loky", 1, 2, False), ("loky", 1, 2, True), ("threading", 2, 5, False)],
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
