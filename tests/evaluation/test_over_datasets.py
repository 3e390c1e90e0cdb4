"""Many data sets in one run give the numbers of single runs, and what fails is named."""

import gc
import os
import signal
import time
import weakref
from functools import partial

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Bunch

from skstat import Dataset, EvaluationError, cross_validate_over_datasets, paired_cross_validate
from tests.cases import refusals
from tests.data_sets import aborts, assert_monotone, classes, loader, sent_whole

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
ESTIMATORS = {"bayes": BAYES, "tree": TREE}


# -- The numbers of single runs


WEIGHTS = np.linspace(0.1, 2, 60)
GROUPS = np.repeat(np.arange(12), 5)
SHUFFLED = {"shuffle": True, "random_state": 1}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n_jobs, lazy", [(1, True), (2, False), (2, True)])
def test_every_data_set_as_if_alone(n_jobs, lazy):
    X, y = classes(0)
    datasets = {
        "pair": (X, y),
        "bunch": Bunch(data=X[:50], target=y[:50]),
        "dataset": Dataset(X, y, groups=GROUPS, params={"sample_weight": WEIGHTS}),
        "own cv": Dataset(X, y, groups=GROUPS, cv=ms.GroupKFold(4)),
        "lists": (X.tolist(), y.tolist()),
        "text": (X, np.where(y, "yes", "no")),
        "large": make_classification(2000, 80, random_state=1),
    }
    alone = {name: {"cv": ms.StratifiedKFold(10, **SHUFFLED)} for name in datasets}
    alone["dataset"] = {"groups": GROUPS, "cv": ms.StratifiedGroupKFold(10, **SHUFFLED)}
    alone["dataset"] |= {"params": {"sample_weight": WEIGHTS}}
    alone["own cv"] = {"groups": GROUPS, "cv": ms.GroupKFold(4)}
    given = {n: (lambda value=value: value) for n, value in datasets.items()}
    run = cross_validate_over_datasets(
        ESTIMATORS, given if lazy else datasets, n_jobs=n_jobs, random_state=1
    )
    assert list(run.datasets) == list(datasets)
    for name, value in datasets.items():
        if isinstance(value, Dataset):
            data = value.X, value.y
        else:
            data = value if isinstance(value, tuple) else (value.data, value.target)
        expected = paired_cross_validate(ESTIMATORS, *data, **alone[name])
        part = run.datasets[name]
        np.testing.assert_array_equal(part.scores["accuracy"], expected.scores["accuracy"])
        assert part.fit_times.shape == expected.fit_times.shape and (part.fit_times > 0).all()
        sample = run.sample(name, "bayes", "tree")
        np.testing.assert_array_equal(
            sample.differences, expected.sample("bayes", "tree").differences
        )


# -- What belongs to one data set


@pytest.mark.parametrize("rows, groups", [([1, 0, 0, 0], None), ([0, 1, 0, 1], [5, 5, 5, 5])])
def test_where_no_folds_can_be_made(rows, groups):
    datasets = {"a": Dataset(np.eye(4), rows, groups=groups)}
    with pytest.raises(ValueError, match="data set 'a': there is only one group, or one row"):
        cross_validate_over_datasets([BAYES], datasets)


def test_groups_and_cv_by_data_set():
    X, y = classes(0)
    datasets = {
        "a": (X, y),
        "b": Dataset(X, y, cv=3),
        "c": Dataset(X, y, groups=GROUPS, cv=ms.GroupKFold(4)),
        4: Dataset(X, y, cv=[(np.arange(30), np.arange(30, 60))]),
    }
    run = cross_validate_over_datasets([BAYES], datasets, random_state=0)
    sizes = {name: len(part.fit_times) for name, part in run.datasets.items()}
    assert sizes == {"a": 10, "b": 3, "c": 4, "4": 1}
    for one in (5, ms.ShuffleSplit(5, random_state=0)):
        run = cross_validate_over_datasets([BAYES], {"a": (X, y), "b": (X, y)}, cv=one)
        assert [len(part.fit_times) for part in run.datasets.values()] == [5, 5]


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_metadata_routing_reaches_data_sets_that_are_opened_later(n_jobs):
    X, y = classes(0)
    with sklearn.config_context(enable_metadata_routing=True):
        requesting = GaussianNB().set_fit_request(sample_weight=True)
        tree = DecisionTreeClassifier(random_state=0)
        indifferent = tree.set_fit_request(sample_weight=False)
        accuracy = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        datasets = {
            str(n): lambda: Dataset(X, y, params={"sample_weight": WEIGHTS}) for n in range(8)
        }
        two, scoring = {"a": requesting, "b": indifferent}, {"accuracy": accuracy}
        run = cross_validate_over_datasets(
            two, datasets, scoring=scoring, n_jobs=n_jobs, random_state=0
        )
        cv = ms.StratifiedKFold(10, shuffle=True, random_state=0)
        alone = paired_cross_validate(
            two, X, y, scoring=scoring, cv=cv, params={"sample_weight": WEIGHTS}
        )
    plain = paired_cross_validate(ESTIMATORS, X, y, cv=cv).scores["accuracy"]
    for part in run.datasets.values():
        np.testing.assert_array_equal(part.scores["accuracy"], alone.scores["accuracy"])
    assert (alone.scores["accuracy"][:, 0] != plain[:, 0]).any()


# -- The run as a value


def test_table_sample_and_frame():
    two, scoring = {"iris": load_iris, "wine": load_wine}, ["accuracy", "f1_macro"]
    run = cross_validate_over_datasets(ESTIMATORS, two, scoring=scoring, random_state=0)
    table = run.table("f1_macro")
    assert tuple(table.systems) == run.names and tuple(table.datasets) == ("iris", "wine")
    for row, part in zip(table.scores, run.datasets.values(), strict=True):
        np.testing.assert_array_equal(row, part.scores["f1_macro"].mean(axis=0))
    with pytest.raises(ValueError, match="scoring is missing: this run has"):
        run.table()
    with pytest.raises(ValueError, match="'auc' is not in this run"):
        run.table("auc")
    sample = run.sample("wine", "tree", "bayes", metric="accuracy")
    assert len(sample.differences) == 10 and sample.unit == "split"
    with pytest.raises(KeyError, match="no data set 'zoo'"):
        run.sample("zoo", "tree", "bayes", metric="accuracy")
    with pytest.raises(KeyError, match="no estimator 'forest'"):
        run.sample("wine", "tree", "forest", metric="accuracy")
    pytest.importorskip("pandas")
    frame = run.to_frame()
    assert list(frame.columns) == ["accuracy", "f1_macro", "fit_time", "score_time"]
    assert len(frame) == 40
    cell = frame.loc[("wine", 3, "tree"), "f1_macro"]
    assert cell == run.datasets["wine"].scores["f1_macro"][3, 1]
    assert repr(run) == "<DatasetsRun of 2 estimators on 2 data sets>"


# -- Progress, memory and temporary files


@aborts
@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_an_error_in_the_progress_function_ends_the_run(n_jobs):
    def verbose(done, total):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        cross_validate_over_datasets([BAYES], {"a": classes(0)}, n_jobs=n_jobs, verbose=verbose)


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
            sets, kept = {str(n): load for n in range(12)}, tmp_path if memory else None
            cv = 2 if n_jobs == 1 else None  # two workers need work to hold on to
            cross_validate_over_datasets(
                [BAYES, TREE], sets, memory=kept, cv=cv, random_state=0
            )
    assert load.loads == 12
    assert load.most <= most
    gc.collect()
    assert not load.alive


# What fails is named, and costs no more than it must


@sent_whole
class Failing(ClassifierMixin, BaseEstimator):
    """Fails on data sets that begin with a negative number, or on one of its own choice."""

    def __init__(self, message="no"):
        self.message = message

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if X[0, 0] < 0:
            raise RuntimeError(self.message)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def broken():
    raise OSError("no\nsuch file")


def undecodable():
    return b"\xff".decode()


def signed(seed, sign):
    X, y = classes(seed)
    return sign * np.abs(X), y


@pytest.mark.long(keep=1)
@aborts
@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_errors_name_data_set_estimator_and_split(backend):
    good = {str(seed): loader(seed) for seed in range(4)}
    with parallel_config(backend=backend, n_jobs=2):
        with pytest.raises(EvaluationError, match="data set 'x': OSError: no\nsuch file"):
            cross_validate_over_datasets([BAYES], {**good, "x": broken})
        words = r"bad could not be fitted on split \d of data set 'x': RuntimeError: no"
        with pytest.raises(EvaluationError, match=words):
            cross_validate_over_datasets(
                {"good": BAYES, "bad": Failing()}, {"a": signed(0, 1), "x": signed(1, -1)}
            )


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_fails_is_collected_and_the_rest_finished(n_jobs):
    message = "\nAll fits failed:\n" + "\n".join(100 * ["trace"])
    datasets = {
        "good": signed(0, 1),
        "lost": broken,
        "bad": lambda: signed(1, -1),
        "none": lambda: None,
        "later": lambda: signed(2, 1),
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
    assert bad.startswith("bad could not be fitted on split 0 of data set 'bad': RuntimeError")
    assert "All fits failed: trace trace" in bad and bad.endswith(" ...")
    assert run.failures[0].message == "data set 'lost': OSError: no such file"
    assert list(run.datasets) == ["good", "bad", "later"]
    assert np.isnan(run.datasets["bad"].scores["accuracy"]).tolist() == 10 * [[True, False]]
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
    learners, sets = {"some": FailingOnSome(), "tree": TREE}, {"a": Dataset(X, y, cv=splits)}
    asked = {"error_score": "collect", "n_jobs": n_jobs}
    run = cross_validate_over_datasets(learners, sets, **asked)
    (failure,) = run.failures
    assert "on split 1 of data set 'a': ArithmeticError: no" in failure.message
    assert np.isnan(run.datasets["a"].scores["accuracy"][:, 0]).all()
    assert not np.isnan(run.datasets["a"].scores["accuracy"][:, 1]).any()


X, Y = classes(0)
# Training rows hold both classes, test rows but one.
ORDERED = [(np.arange(10, 50), np.arange(10)), (np.arange(10, 50), np.arange(50, 60))]
GOOD, TWO = {"a": (X, Y)}, {"a": (X, Y), "b": loader(1)}


test_wrong_arguments = refusals([
    (partial(cross_validate_over_datasets, estimators, datasets, **options), words)
    for estimators, datasets, options, words in (
        ([BAYES], [(X, Y)], {}, "datasets must map .* got list"),
        ([BAYES], load_iris(), {}, "datasets must map .* got Bunch"),
        ([BAYES], {}, {}, "datasets is empty; pass at least one"),
        ([BAYES], {1: (X, Y), "1": (X, Y)}, {}, "datasets holds a name twice"),
        ([BAYES], {"a": X}, {}, r"datasets\['a'\] must be .*got ndarray"),
        ([BAYES], {"a": (X, Y[:9])}, {}, "data set 'a': y has 9 rows but X has 60"),
        ([], GOOD, {}, "estimators is empty; pass a mapping"),
        ({1: BAYES, "1": BAYES}, GOOD, {}, "estimators holds the name '1' twice"),
        ({"made": lambda dataset: BAYES}, GOOD, {}, "make_column_selector"),
        ([BAYES], GOOD, {"cv": {"b": 3}}, "cv must be .* got dict; for one data set"),
        ([BAYES], GOOD, {"groups": {"a": Y}}, r"write Dataset\(X, y, groups=...\)"),
        ([BAYES], GOOD, {"cv": [(Y, Y)]}, "cv must be .* got list; for one data set"),
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
], error=(ValueError, TypeError, EvaluationError))  # fmt: skip
test_wrong_arguments = pytest.mark.filterwarnings("ignore:Only one class")(test_wrong_arguments)


@sent_whole
class Locked(GaussianNB):
    """Cannot be sent to another process."""

    def __reduce__(self):
        raise TypeError("it is locked.")


@pytest.mark.long
@aborts
def test_what_cannot_be_sent_to_workers_is_said():
    with pytest.raises(EvaluationError, match="cannot be sent to processes .* n_jobs=1"):
        cross_validate_over_datasets({"locked": Locked()}, TWO, n_jobs=2)


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
                {"tree": TREE, "bad": Suicidal()}, TWO, n_jobs=2, memory=memory
            )
    cross_validate_over_datasets([TREE], TWO, n_jobs=2)
