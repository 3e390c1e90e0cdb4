"""What fails in a run over data sets is named, and costs no more than it must."""

import os
import signal
import time

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import Dataset, EvaluationError, cross_validate_over_datasets
from tests.cases import in_one_test
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


@pytest.mark.filterwarnings("ignore:Only one class")
def test_errors_of_data_sets_keep_their_kind():
    # The class of this one takes five arguments.
    with pytest.raises(ValueError, match="data set 'x': 'utf-8' codec can't decode"):
        cross_validate_over_datasets([BAYES], {"x": undecodable})
    with pytest.raises(TypeError, match="data set 'x': .* the function returned NoneType"):
        cross_validate_over_datasets([BAYES], {"x": lambda: None})
    with pytest.raises(ValueError, match=r"scoring=roc_auc: GaussianNB on split 0 of .* 'x'"):
        cross_validate_over_datasets(
            [BAYES], {"x": Dataset(X, np.sort(Y), cv=ORDERED)}, scoring="roc_auc"
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
        {"bad": Failing(message), "tree": TREE},
        datasets,
        error_score="collect",
        n_jobs=n_jobs,
        verbose=lambda *at: calls.append(at),
        random_state=0,
    )
    assert [(f.dataset, f.estimator) for f in run.failures] == [
        ("lost", None),
        ("bad", "bad"),
        ("none", None),
        ("gone", None),
    ]
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
    missing = dict(zip(table.datasets, np.isnan(table.scores).tolist(), strict=True))
    assert missing == {
        "good": [False, False],
        "bad": [True, False],
        "later": [False, False],
        "lost": [True, True],
        "none": [True, True],
        "gone": [True, True],
    }
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
    splits = [
        (np.arange(31), np.arange(31, 60)),
        (first, [0]),
        (second, [30]),
        (np.arange(40), np.arange(40, 60)),
    ]
    run = cross_validate_over_datasets(
        {"some": FailingOnSome(), "tree": TREE},
        {"a": Dataset(X, y, cv=splits)},
        error_score="collect",
        n_jobs=n_jobs,
    )
    (failure,) = run.failures
    assert "on split 1 of data set 'a': ArithmeticError: no" in failure.message
    assert np.isnan(run.datasets["a"].scores["accuracy"][:, 0]).all()
    assert not np.isnan(run.datasets["a"].scores["accuracy"][:, 1]).any()


def test_nothing_could_be_used():
    datasets = {"a": broken, "b": broken}
    with pytest.raises(EvaluationError, match="no data set could be used; the first: data set"):
        cross_validate_over_datasets([BAYES], datasets, error_score="collect")


X, Y = classes(0)
# Training rows hold both classes, test rows but one.
ORDERED = [(np.arange(10, 50), np.arange(10)), (np.arange(10, 50), np.arange(50, 60))]
GOOD = {"a": (X, Y)}


@in_one_test(
    "estimators, datasets, options, error, message",
    [
        ([BAYES], [(X, Y)], {}, TypeError, "datasets must be a mapping .* got list"),
        ([BAYES], load_iris(), {}, TypeError, "datasets must be a mapping .* got Bunch"),
        ([BAYES], {}, {}, ValueError, "datasets is empty; pass at least one"),
        ([BAYES], {1: (X, Y), "1": (X, Y)}, {}, ValueError, "datasets holds a name twice"),
        ([BAYES], {"a": X}, {}, TypeError, r"datasets\['a'\] must be .*got ndarray"),
        ([BAYES], {"a": (X, Y[:9])}, {}, ValueError, "data set 'a': y has 9 rows but X has 60"),
        ([], GOOD, {}, ValueError, "estimators is empty; pass a mapping"),
        ({1: BAYES, "1": BAYES}, GOOD, {}, ValueError, "estimators holds the name '1' twice"),
        ({"made": lambda dataset: BAYES}, GOOD, {}, TypeError, "make_column_selector"),
        ([BAYES], GOOD, {"cv": {"b": 3}}, TypeError, "cv must be .* got dict: the same rows"),
        ([BAYES], GOOD, {"groups": {"a": Y}}, TypeError, r"write Dataset\(X, y, groups=...\)"),
        ([BAYES], GOOD, {"cv": [(Y, Y)]}, TypeError, "cv must be .* got list: the same rows"),
        ([BAYES], GOOD, {"cv": 1}, ValueError, "data set 'a': .*"),
        ([BAYES], GOOD, {"error_score": 0}, ValueError, "error_score=0 is unknown; use"),
    ],
)
def test_wrong_arguments(estimators, datasets, options, error, message):
    with pytest.raises(error, match=message):
        cross_validate_over_datasets(estimators, datasets, **options)


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
