"""Many data sets in one run give the numbers of single runs."""

import gc
import weakref

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from sklearn import model_selection as ms
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Bunch

from skstat import Dataset, cross_validate_over_datasets, paired_cross_validate
from tests.data_sets import aborts, classes, sent_whole

BAYES, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
ESTIMATORS = {"bayes": BAYES, "tree": TREE}


# -- The numbers of single runs


WEIGHTS = np.linspace(0.1, 2, 60)
GROUPS = np.repeat(np.arange(12), 5)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n_jobs, lazy", [(1, True), (2, False), (2, True)])
def test_every_data_set_as_if_alone(n_jobs, lazy):
    X, y = classes(0)
    datasets = {
        "pair": (X, y),
        "bunch": Bunch(data=X[:50], target=y[:50]),
        "dataset": Dataset(X, y, groups=GROUPS, params={"sample_weight": WEIGHTS}),
        "own cv": Dataset(X, y, cv=ms.ShuffleSplit(3, random_state=5)),
        "lists": (X.tolist(), y.tolist()),
        "text": (X, np.where(y, "yes", "no")),
        "large": make_classification(2000, 80, random_state=1),
    }
    alone = {
        name: {"cv": ms.StratifiedKFold(10, shuffle=True, random_state=1)} for name in datasets
    }
    alone["dataset"] = {
        "groups": GROUPS,
        "params": {"sample_weight": WEIGHTS},
        "cv": ms.StratifiedGroupKFold(10, shuffle=True, random_state=1),
    }
    alone["own cv"] = {"cv": ms.ShuffleSplit(3, random_state=5)}
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
    alone = paired_cross_validate([BAYES], X, y, groups=GROUPS, cv=ms.GroupKFold(4))
    np.testing.assert_array_equal(
        run.datasets["c"].scores["accuracy"], alone.scores["accuracy"]
    )
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
