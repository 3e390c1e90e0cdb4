"""What fails in a run over data sets is named, and costs no more than it must."""

import os
import signal
import time
from functools import partial

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import Dataset, EvaluationError, cross_validate_over_datasets
from tests.cases import refusals
from tests.data_sets import aborts, assert_monotone, classes, loader, sent_whole

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)


@sent_whole
class Failing(ClassifierMixin, BaseEstimator):
    """Fails on data sets that begin with a negative number, or on one of its own choice."""

    def __init__(self, message="no", delay=0.0):
        self.message = message
        self.delay = delay

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if X[0, 0] < 0:
            time.sleep(self.delay)
            raise RuntimeError(self.message)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def broken():
    raise OSError("no\nsuch file")


def undecodable():
    return b"\xff".decode()


def negative(seed):
    X, y = classes(seed)
    return -np.abs(X), y


def positive(seed):
    X, y = classes(seed)
    return np.abs(X), y


@pytest.mark.long(keep=1)
@aborts
@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_errors_name_data_set_estimator_and_split(backend):
    good = {str(seed): loader(seed) for seed in range(4)}
    with parallel_config(backend=backend, n_jobs=2):
        with pytest.raises(EvaluationError, match="data set 'x': OSError: no\nsuch file"):
            cross_validate_over_datasets([BAYES], {**good, "x": broken})
        with pytest.raises(
            EvaluationError,
            match=r"bad could not be fitted on split \d of data set 'x': RuntimeError: no",
        ):
            cross_validate_over_datasets(
                {"good": BAYES, "bad": Failing()}, {"a": positive(0), "x": negative(1)}
            )


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_fails_is_collected_and_the_rest_finished(n_jobs):
    message = "\nAll fits failed:\n" + "\n".join(100 * ["trace"])
    datasets = {
        "good": positive(0),
        "lost": broken,
        "bad": lambda: negative(1),
        "none": lambda: None,
        "later": lambda: positive(2),
        "gone": undecodable,
    }
    calls = []
    run = cross_validate_over_datasets(
        {"bad": Failing(message), "tree": TREE}, datasets, error_score="collect", n_jobs=n_jobs,
        verbose=lambda *at: calls.append(at), random_state=0,
    )  # fmt: skip
    failed = {"lost": None, "bad": "bad", "none": None, "gone": None}
    assert {failure.dataset: failure.estimator for failure in run.failures} == failed
    assert [failure.dataset for failure in run.failures] == [*failed]
    for failure in run.failures:
        assert f"data set {failure.dataset!r}" in str(failure)
        assert len(failure.message.splitlines()) == 1 and len(failure.message) <= 200
    bad = run.failures[1].message
    assert bad.startswith(
        "bad could not be fitted on split 0 of data set 'bad': RuntimeError: "
    )
    assert "All fits failed: trace trace" in bad and bad.endswith(" ...")
    assert run.failures[0].message == "data set 'lost': OSError: no such file"
    assert list(run.datasets) == ["good", "bad", "later"]
    np.testing.assert_array_equal(
        np.isnan(run.datasets["bad"].scores["accuracy"]), 10 * [[1, 0]]
    )
    table = run.table()
    missing = dict(zip(table.datasets, np.isnan(table.scores).sum(axis=1), strict=True))
    assert missing == {"good": 0, "bad": 1, "later": 0, "lost": 2, "none": 2, "gone": 2}
    assert np.isnan(table.scores[[*table.datasets].index("bad")]).tolist() == [True, False]
    assert repr(run) == "<DatasetsRun of 2 estimators on 3 data sets, 4 failed>"
    assert_monotone(calls)


@sent_whole
class FailingOnSome(Failing):
    """Fails on the splits that train without rows 0 or 30, on the first of them later."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if 0.0 not in X[:, 0]:
            time.sleep(0.3)
        if not {0.0, 30.0} <= set(X[:, 0]):
            raise ArithmeticError("no")
        return self


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_failed_split_makes_the_cell_missing_and_the_first_is_named(n_jobs):
    X, y = np.arange(60.0)[:, None] * [1, 1], np.tile([0, 1], 30)
    first, second = np.arange(1, 60), np.delete(np.arange(60), 30)
    whole = ((np.arange(n), np.arange(n, 60)) for n in (31, 40))
    splits = [next(whole), (first, [0]), (second, [30]), next(whole)]
    run = cross_validate_over_datasets(
        {"some": FailingOnSome(), "tree": TREE}, {"a": Dataset(X, y, cv=splits)},
        error_score="collect", n_jobs=n_jobs,
    )  # fmt: skip
    (failure,) = run.failures
    assert "on split 1 of data set 'a': ArithmeticError: no" in failure.message
    assert np.isnan(run.datasets["a"].scores["accuracy"][:, 0]).all()
    assert not np.isnan(run.datasets["a"].scores["accuracy"][:, 1]).any()


X, Y = classes(0)
# Training rows hold both classes, test rows but one.
ORDERED = [(np.arange(10, 50), np.arange(10)), (np.arange(10, 50), np.arange(50, 60))]
GOOD = {"a": (X, Y)}


test_wrong_arguments = refusals(
    [
        (partial(cross_validate_over_datasets, estimators, datasets, **options), words)
        for estimators, datasets, options, words in (
            ([BAYES], [(X, Y)], {}, "datasets must be a mapping .* got list"),
            ([BAYES], load_iris(), {}, "datasets must be a mapping .* got Bunch"),
            ([BAYES], {}, {}, "datasets is empty; pass at least one"),
            ([BAYES], {1: (X, Y), "1": (X, Y)}, {}, "datasets holds a name twice"),
            ([BAYES], {"a": X}, {}, r"datasets\['a'\] must be .*got ndarray"),
            ([BAYES], {"a": (X, Y[:9])}, {}, "data set 'a': y has 9 rows but X has 60"),
            ([], GOOD, {}, "estimators is empty; pass a mapping"),
            ({1: BAYES, "1": BAYES}, GOOD, {}, "estimators holds the name '1' twice"),
            ({"made": lambda dataset: BAYES}, GOOD, {}, "make_column_selector"),
            ([BAYES], GOOD, {"cv": {"b": 3}}, "cv must be .* got dict: the same rows"),
            ([BAYES], GOOD, {"groups": {"a": Y}}, r"write Dataset\(X, y, groups=...\)"),
            ([BAYES], GOOD, {"cv": [(Y, Y)]}, "cv must be .* got list: the same rows"),
            ([BAYES], GOOD, {"cv": 1}, "data set 'a': .*"),
            ([BAYES], GOOD, {"error_score": 0}, "error_score=0 is unknown; use"),
            ([BAYES], {"a": broken, "b": broken}, {"error_score": "collect"},
             "no data set could be used; the first: data set"),
            # The class of this error takes five arguments.
            ([BAYES], {"x": undecodable}, {}, "data set 'x': 'utf-8' codec can't decode"),
            ([BAYES], {"x": lambda: None}, {}, "data set 'x': .* function returned NoneType"),
            ([BAYES], {"x": Dataset(X, np.sort(Y), cv=ORDERED)}, {"scoring": "roc_auc"},
             r"scoring=roc_auc: GaussianNB on split 0 of .* 'x'"),
        )
    ],
    error=(ValueError, TypeError, EvaluationError),
)  # fmt: skip
test_wrong_arguments = pytest.mark.filterwarnings("ignore:Only one class")(test_wrong_arguments)


@sent_whole
class Locked(GaussianNB):
    """Cannot be sent to another process."""

    def __reduce__(self):
        raise TypeError("it is locked.")


@pytest.mark.long
@aborts
def test_what_cannot_be_sent_to_workers_is_said():
    datasets = {"a": classes(0), "b": loader(1)}
    with pytest.raises(EvaluationError, match="cannot be sent to other processes .* n_jobs=1"):
        cross_validate_over_datasets({"locked": Locked()}, datasets, n_jobs=2)


@sent_whole
class Suicidal(GaussianNB):
    """Takes its process with it, as a crash in compiled code does."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.long
@aborts
def test_a_worker_that_dies(tmp_path):
    # Every run gets new workers.
    for memory, words in ((None, "With memory="), (tmp_path, "and are kept")):
        with pytest.raises(EvaluationError, match=f"terminated.* {words}"):
            cross_validate_over_datasets(
                {"tree": TREE, "bad": Suicidal()},
                {"a": classes(0), "b": loader(1)},
                n_jobs=2,
                memory=memory,
            )
    cross_validate_over_datasets([TREE], {"a": classes(0), "b": loader(1)}, n_jobs=2)
