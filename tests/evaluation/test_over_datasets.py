"""Many data sets in one run give the numbers of single runs, whatever loads, fails or waits."""

import gc
import os
import signal
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
import scipy.sparse
import sklearn
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine, make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import Bunch

from skstat import Dataset, cross_validate_over_datasets, paired_cross_validate
from skstat.evaluation import _schedule, _work
from skstat.evaluation._fold import EvaluationError

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


@pytest.fixture
def workers(monkeypatch):
    """Send every fit to workers, however quick it is."""
    monkeypatch.setattr(_schedule, "start_cost", lambda workers: -1.0)


def sent_whole(kind):
    """Have workers get a class itself, since they cannot import a test module."""
    functions = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
    for value in (kind, *functions):
        value.__module__ = "__main__"
    return kind


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


# -- The numbers of single runs


def frames():
    pd = pytest.importorskip("pandas")
    X, y = classes(7)
    return pd.DataFrame(X).rename(columns="x{}".format), pd.Series(y, name="y")


WEIGHTS = np.linspace(0.1, 2, 60)
GROUPS = np.repeat(np.arange(12), 5)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.usefixtures("workers")
def test_every_data_set_as_if_alone(n_jobs, lazy):
    X, y = classes(0)
    datasets = {
        "pair": (X, y),
        "bunch": Bunch(data=X[:50], target=y[:50]),
        "dataset": Dataset(X, y, groups=GROUPS, params={"sample_weight": WEIGHTS}),
        "own cv": Dataset(X, y, cv=ShuffleSplit(3, random_state=5)),
        "lists": (X.tolist(), y.tolist()),
        "text": (X, np.where(y, "yes", "no")),
        "large": make_classification(2000, 80, random_state=1),
    }
    alone = {
        name: {"cv": StratifiedKFold(10, shuffle=True, random_state=1)} for name in datasets
    }
    alone["dataset"] = {
        "groups": GROUPS,
        "params": {"sample_weight": WEIGHTS},
        "cv": StratifiedGroupKFold(10, shuffle=True, random_state=1),
    }
    alone["own cv"] = {"cv": ShuffleSplit(3, random_state=5)}
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


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_frames_and_sparse_matrices(n_jobs):
    logistic = [LogisticRegression(C=1.0), LogisticRegression(C=0.1)]
    X, y = classes(7)
    datasets = {
        "frame": frames(),
        "sparse": (scipy.sparse.csr_matrix(X), y),
        "dense": (X, y),
    }
    run = cross_validate_over_datasets(logistic, datasets, n_jobs=n_jobs, random_state=0)
    scores = [part.scores["accuracy"] for part in run.datasets.values()]
    np.testing.assert_allclose(scores[0], scores[2])
    np.testing.assert_allclose(scores[1], scores[2])


def test_regression():
    data = make_regression(60, 5, noise=1.0, random_state=0)
    estimators = [Ridge(), DecisionTreeRegressor(random_state=0)]
    scoring = ["r2", "neg_mean_absolute_error"]
    run = cross_validate_over_datasets(estimators, {"a": data}, scoring=scoring, random_state=3)
    cv = KFold(10, shuffle=True, random_state=3)
    alone = paired_cross_validate(estimators, *data, scoring=scoring, cv=cv)
    assert run.metrics == ("r2", "neg_mean_absolute_error")
    assert run.losses == {"neg_mean_absolute_error"}
    for metric in run.metrics:
        np.testing.assert_array_equal(run.datasets["a"].scores[metric], alone.scores[metric])


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_where_and_when_change_nothing(backend):
    given = {str(seed): classes(seed, n_samples=50 + 10 * seed) for seed in range(6)}
    expected = cross_validate_over_datasets(ESTIMATORS, given, random_state=0)
    lazy = {n: (lambda value=value: value) for n, value in given.items()}
    mixed = {n: lazy[n] if int(n) % 2 else given[n] for n in given}
    for datasets in (given, lazy, mixed, dict(reversed(mixed.items()))):
        with parallel_config(backend=backend, n_jobs=2):
            run = cross_validate_over_datasets(ESTIMATORS, datasets, random_state=0)
        assert list(run.datasets) == list(datasets)
        if list(datasets) != list(given):
            ordered = {name: run.datasets[name] for name in given}
            run = replace(run, datasets=ordered, asked=tuple(given))
        assert_same(run, expected)
        np.testing.assert_array_equal(run.table().scores, expected.table().scores)


# -- What belongs to one data set


def folds_of(run, name="a"):
    return run.datasets[name].units


@pytest.mark.parametrize(
    "y, groups, n_splits",
    [
        (np.repeat([0, 1], 20), None, 10),
        (np.repeat([0, 1], [34, 6]), None, 6),
        (np.tile([0, 1], 20), np.repeat(np.arange(20), 2), 10),
        (np.tile([0, 1], 20), np.repeat(np.arange(4), 10), 4),
    ],
)
def test_default_folds(y, groups, n_splits):
    X = np.random.default_rng(0).normal(size=(len(y), 3))
    given = None if groups is None else {"a": groups}
    run = cross_validate_over_datasets([BAYES], {"a": (X, y)}, groups=given, random_state=4)
    assert run.datasets["a"].fit_times.shape == (n_splits, 1)
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    alone = paired_cross_validate(
        [BAYES], X, y, groups=groups, cv=kind(n_splits, shuffle=True, random_state=4)
    )
    np.testing.assert_array_equal(
        run.datasets["a"].scores["accuracy"], alone.scores["accuracy"]
    )
    assert run.random_state == 4


@pytest.mark.parametrize("rows, groups", [([1, 0, 0, 0], None), ([0, 1, 0, 1], [5, 5, 5, 5])])
def test_where_no_folds_can_be_made(rows, groups):
    datasets = {"a": Dataset(np.eye(4), rows, groups=groups)}
    with pytest.raises(ValueError, match="data set 'a': there is only one group, or one row"):
        cross_validate_over_datasets([BAYES], datasets)


def test_groups_and_cv_by_data_set():
    X, y = classes(0)
    cv = {"b": 3, "c": GroupKFold(4), 4: [(np.arange(30), np.arange(30, 60))]}
    datasets = dict.fromkeys(("a", "b", "c", 4), (X, y))
    run = cross_validate_over_datasets(
        [BAYES], datasets, groups={"c": GROUPS}, cv=cv, random_state=0
    )
    sizes = {name: len(part.fit_times) for name, part in run.datasets.items()}
    assert sizes == {"a": 10, "b": 3, "c": 4, "4": 1}
    alone = paired_cross_validate([BAYES], X, y, groups=GROUPS, cv=GroupKFold(4))
    np.testing.assert_array_equal(
        run.datasets["c"].scores["accuracy"], alone.scores["accuracy"]
    )
    for one in (5, ShuffleSplit(5, random_state=0)):
        run = cross_validate_over_datasets([BAYES], {"a": (X, y), "b": (X, y)}, cv=one)
        assert [len(part.fit_times) for part in run.datasets.values()] == [5, 5]


def test_functions_make_estimators_for_a_data_set():
    seen = []

    def make(dataset):
        assert isinstance(dataset, Dataset)
        seen.append((dataset.name, dataset.X.shape, dataset.groups is None))
        return DecisionTreeClassifier(max_features=dataset.X.shape[1] - 1, random_state=0)

    X, y = classes(0)
    datasets = {"a": (X, y), "b": lambda: Dataset(X[:, :4], y, groups=GROUPS)}
    run = cross_validate_over_datasets({"made": make, 2: BAYES}, datasets, random_state=0)
    assert run.names == ("made", "2")
    assert seen == [("a", (60, 5), True), ("b", (60, 4), False)]
    alone = cross_validate_over_datasets(
        {
            "made": DecisionTreeClassifier(max_features=4, random_state=0),
            "2": BAYES,
        },
        {"a": (X, y)},
        random_state=0,
    )
    np.testing.assert_array_equal(
        run.datasets["a"].scores["accuracy"], alone.datasets["a"].scores["accuracy"]
    )
    assert run.fixed_seeds == {"made"} and not run.unseeded


def test_labels():
    datasets = {"a": classes(0)}
    trees = [DecisionTreeClassifier(), DecisionTreeClassifier()]
    run = cross_validate_over_datasets([BAYES, *trees], datasets)
    assert run.names == (
        "GaussianNB",
        "DecisionTreeClassifier 1",
        "DecisionTreeClassifier 2",
    )
    assert run.unseeded == {"DecisionTreeClassifier 1", "DecisionTreeClassifier 2"}
    run = cross_validate_over_datasets([("one", BAYES), BAYES], datasets)
    assert run.names == ("one", "GaussianNB 2")


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.usefixtures("workers")
def test_metadata_routing_reaches_data_sets_that_are_opened_later(n_jobs):
    X, y = classes(0)
    with sklearn.config_context(enable_metadata_routing=True):
        requesting = GaussianNB().set_fit_request(sample_weight=True)
        indifferent = DecisionTreeClassifier(random_state=0).set_fit_request(
            sample_weight=False
        )
        accuracy = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        datasets = {
            str(n): lambda: Dataset(X, y, params={"sample_weight": WEIGHTS}) for n in range(8)
        }
        run = cross_validate_over_datasets(
            {"a": requesting, "b": indifferent},
            datasets,
            scoring={"accuracy": accuracy},
            n_jobs=n_jobs,
            random_state=0,
        )
        cv = StratifiedKFold(10, shuffle=True, random_state=0)
        alone = paired_cross_validate(
            {"a": requesting, "b": indifferent},
            X,
            y,
            scoring={"accuracy": accuracy},
            cv=cv,
            params={"sample_weight": WEIGHTS},
        )
    plain = paired_cross_validate(ESTIMATORS, X, y, cv=cv).scores["accuracy"]
    for part in run.datasets.values():
        np.testing.assert_array_equal(part.scores["accuracy"], alone.scores["accuracy"])
    assert (alone.scores["accuracy"][:, 0] != plain[:, 0]).any()


def test_params_of_all_and_of_one():
    X, y = classes(0)
    one = np.where(y, 5.0, 1.0)
    run = cross_validate_over_datasets(
        ESTIMATORS,
        {"a": (X, y), "b": Dataset(X, y, params={"sample_weight": one})},
        params={"sample_weight": WEIGHTS},
        random_state=0,
    )
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    for name, weights in (("a", WEIGHTS), ("b", one)):
        alone = paired_cross_validate(
            ESTIMATORS, X, y, cv=cv, params={"sample_weight": weights}
        )
        np.testing.assert_array_equal(
            run.datasets[name].scores["accuracy"], alone.scores["accuracy"]
        )


# -- The run as a value


def test_table_sample_and_frame():
    run = cross_validate_over_datasets(
        ESTIMATORS,
        {"iris": load_iris, "wine": load_wine},
        scoring=["accuracy", "f1_macro"],
        random_state=0,
    )
    table = run.table("f1_macro")
    assert tuple(table.systems) == run.names and tuple(table.datasets) == ("iris", "wine")
    for row, part in zip(table.scores, run.datasets.values(), strict=True):
        np.testing.assert_array_equal(row, part.scores["f1_macro"].mean(axis=0))
    with pytest.raises(ValueError, match="scoring is missing: this run has"):
        run.table()
    with pytest.raises(ValueError, match="'auc' is not in this run; it has"):
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


# -- What fails


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


@aborts
@pytest.mark.usefixtures("workers")
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
            [BAYES], {"x": (X, np.sort(Y))}, scoring="roc_auc", cv={"x": ORDERED}
        )


@aborts
@pytest.mark.usefixtures("workers")
def test_an_exit_in_a_thread_is_not_lost():
    def leave():
        raise SystemExit(3)

    datasets = {**{str(seed): loader(seed) for seed in range(6)}, "x": leave}
    with parallel_config(backend="threading", n_jobs=2), pytest.raises(SystemExit):
        cross_validate_over_datasets([BAYES], datasets)


@pytest.mark.usefixtures("workers")
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


@pytest.mark.usefixtures("workers")
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


@pytest.mark.filterwarnings("ignore:Only one class")
def test_undefined_scores_are_collected():
    X, y = classes(0)
    one_class = {"x": Dataset(X, np.sort(y), cv=ORDERED), "good": (X, y)}
    run = cross_validate_over_datasets(
        [BAYES], one_class, scoring="roc_auc", error_score="collect"
    )
    (failure,) = run.failures
    assert failure.message.startswith("scoring=roc_auc: GaussianNB on split 0 of data set 'x'")


def test_a_class_that_is_missing_from_training_is_collected():
    X, y = classes(0)
    datasets = {"x": (X, np.sort(y)), "good": lambda: (X, y), "other": (X, y)}
    cv = {"x": KFold(2)}
    run = cross_validate_over_datasets([BAYES], datasets, cv=cv, error_score="collect")
    assert [(f.dataset, f.estimator) for f in run.failures] == [("x", None)]
    with pytest.raises(ValueError, match="data set 'x'"):
        cross_validate_over_datasets([BAYES], datasets, cv=cv)


def test_nothing_could_be_used():
    datasets = {"a": broken, "b": broken}
    with pytest.raises(EvaluationError, match="no data set could be used; the first: data set"):
        cross_validate_over_datasets([BAYES], datasets, error_score="collect")


def test_default_metrics_must_agree():
    X, y = classes(0)
    datasets = {"a": (X, y), "b": (X, y)}
    make = {"m": lambda d: BAYES if d.name == "a" else DecisionTreeRegressor()}
    with pytest.raises(ValueError, match="data set 'b': the metric is r2 here and accuracy on"):
        cross_validate_over_datasets(make, datasets)


X, Y = classes(0)
# Training rows hold both classes, test rows but one.
ORDERED = [(np.arange(10, 50), np.arange(10)), (np.arange(10, 50), np.arange(50, 60))]
GOOD = {"a": (X, Y)}


@pytest.mark.parametrize(
    "estimators, datasets, options, error, message",
    [
        ([BAYES], [(X, Y)], {}, TypeError, "datasets must be a mapping .* got list"),
        ([BAYES], load_iris(), {}, TypeError, "datasets must be a mapping .* got Bunch"),
        ([BAYES], {}, {}, ValueError, "datasets is empty; pass at least one"),
        ([BAYES], {1: (X, Y), "1": (X, Y)}, {}, ValueError, "datasets holds a name twice"),
        ([BAYES], {"a": X}, {}, TypeError, r"datasets\['a'\] must be .*got ndarray"),
        ([BAYES], {"a": (X, Y[:9])}, {}, ValueError, "data set 'a': y has 9 rows but X has 60"),
        ([], GOOD, {}, ValueError, "estimators is empty; pass at least one"),
        ({}, GOOD, {}, ValueError, "estimators is empty; pass at least one"),
        (BAYES, GOOD, {}, TypeError, "estimators must be a mapping"),
        ([GaussianNB], GOOD, {}, TypeError, r"the class GaussianNB; pass an instance"),
        ({"a": GaussianNB}, GOOD, {}, TypeError, r"estimators\['a'\] is the class GaussianNB"),
        ({"a": 3}, GOOD, {}, TypeError, r"estimators\['a'\] is 3, which is no"),
        (
            {1: BAYES, "1": lambda dataset: BAYES},
            GOOD,
            {},
            ValueError,
            "estimators holds the name '1' twice",
        ),
        ([lambda dataset: BAYES], GOOD, {}, TypeError, "a function without a name; pass a map"),
        (
            {"made": lambda dataset: None},
            GOOD,
            {},
            TypeError,
            r"data set 'a': estimators\['made'\] is None, which is no",
        ),
        (
            {"made": lambda dataset: GaussianNB},
            GOOD,
            {},
            TypeError,
            r"data set 'a': estimators\['made'\] is the class GaussianNB",
        ),
        ([BAYES], GOOD, {"groups": {"b": Y}}, ValueError, r"groups names 'b'.*\['a'\]"),
        ([BAYES], GOOD, {"groups": Y}, TypeError, "groups must be a mapping .* got ndarray"),
        ([BAYES], GOOD, {"cv": {"b": 3}}, ValueError, "cv names 'b', which is no data set"),
        ([BAYES], GOOD, {"cv": [(Y, Y)]}, TypeError, "cv must be .* got list: the same rows"),
        ([BAYES], GOOD, {"cv": "5"}, TypeError, "cv must be .* got str"),
        ([BAYES], GOOD, {"cv": 1}, ValueError, "data set 'a': .*"),
        ([BAYES], GOOD, {"params": [Y]}, TypeError, "params must be a mapping .* got list"),
        ([BAYES], GOOD, {"scoring": "nonsense"}, ValueError, "nonsense"),
        ([BAYES], GOOD, {"error_score": 0}, ValueError, "error_score=0 is unknown; use"),
        ([BAYES], GOOD, {"memory": 3}, TypeError, "memory=3 is neither a path nor"),
        ([BAYES], GOOD, {"verbose": "much"}, ValueError, "verbose='much' must be"),
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


@aborts
@pytest.mark.usefixtures("workers")
def test_what_cannot_be_sent_to_workers_is_said():
    datasets = {"a": classes(0), "b": loader(1)}
    with pytest.raises(EvaluationError, match="cannot be sent to other processes .* n_jobs=1"):
        cross_validate_over_datasets({"locked": Locked()}, datasets, n_jobs=2)
    with parallel_config(backend="threading", n_jobs=2):
        threads = cross_validate_over_datasets({"locked": Locked()}, datasets, random_state=0)
    assert_same(
        threads,
        cross_validate_over_datasets({"locked": BAYES}, datasets, random_state=0),
    )


@pytest.mark.usefixtures("workers")
def test_functions_need_not_be_sent_to_workers():
    lock = threading.Lock()

    def load():
        with lock:
            return classes(0)

    def make(dataset):
        with lock:
            return BAYES

    run = cross_validate_over_datasets({"m": make}, {"a": load, "b": load}, n_jobs=2)
    assert len(run.datasets) == 2


@sent_whole
class Suicidal(GaussianNB):
    """Takes its process with it, as a crash in compiled code does."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)


@aborts
@pytest.mark.usefixtures("workers")
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


# -- Progress


def assert_monotone(calls):
    done, totals = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert all(d <= total for d, total in calls)
    assert done[-1] == totals[-1] > 0


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("eager", ["01234", "", "13"])
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
def test_an_error_in_the_progress_function_ends_the_run():
    def verbose(done, total):
        raise LookupError("mine")

    for n_jobs in (1, 2):
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


# -- The pipeline of a user


def test_pipelines_over_mixed_data_sets():
    estimators = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": TREE,
    }
    run = cross_validate_over_datasets(
        estimators, {"iris": load_iris, "wine": load_wine(), "own": classes(3)}, cv=3
    )
    assert run.table().scores.shape == (3, 2)
