"""Designs: what splits are, and what they may not be."""

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skstat import paired_cross_validate
from skstat.evaluation import FiveByTwo, RepeatedHalves
from tests.cases import in_one_test

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = np.repeat([0, 1, 2], 20)
GROUPS = np.arange(60) // 3


def design(cv=None, y=y, groups=None, **options):
    return paired_cross_validate([GaussianNB()], X, y, cv=cv, groups=groups, **options).design


@in_one_test(
    "cv, kind, n_repeats, ratio",
    [
        (ms.StratifiedKFold(5), "5-fold cross-validation", 1, 1 / 4),
        (ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10), "10x10-fold", 10, 1 / 9),
        (ms.KFold(7, shuffle=True), "7-fold cross-validation", 1, 1 / 6),
        (ms.LeaveOneOut(), "leave-one-out cross-validation", 1, 1 / 59),
        (FiveByTwo(stratify=True, random_state=0), "5x2-fold", 5, 1),
        (ms.ShuffleSplit(20, test_size=0.25), "20 random splits", None, 1 / 3),
        (ms.StratifiedShuffleSplit(9, test_size=0.5), "9 stratified random splits", None, 1),
    ],
)
def test_kind_is_read_from_the_rows(cv, kind, n_repeats, ratio):
    found = design(cv)
    assert found.kind.startswith(kind)
    assert found.n_repeats == n_repeats
    n_train, n_test = found.sizes
    assert n_test.sum() / n_train.sum() == pytest.approx(ratio)
    assert not found.ordered
    # Given as bare splits, the same facts are found.
    bare = design(list(found.splits))
    assert (bare.n_repeats, bare.ordered) == (found.n_repeats, found.ordered)


def test_time_series_are_ordered():
    found = design(ms.TimeSeriesSplit(5), np.tile([0, 1, 2], 20))
    assert found.ordered
    assert found.n_repeats is None


def test_default_is_fifteen_balanced_halvings():
    found = design(random_state=5)
    assert (found.n_splits, found.random_state) == (30, 5)
    assert (found.n_repeats, found.kind) == (15, "15x2-fold cross-validation")
    assert found.row_sizes[1].tolist() == [30] * 30
    assert not found.stratifies(np.unique(y, return_inverse=True)[1])
    for (train, test), (train2, test2) in zip(
        found.splits, RepeatedHalves(15, balanced=True, random_state=5).split(X, y), strict=True
    ):
        np.testing.assert_array_equal(train, train2)
        np.testing.assert_array_equal(test, test2)


def test_groups_that_a_splitter_ignores_are_noticed():
    with pytest.warns(UserWarning, match="groups parameter is ignored"):
        found = design(ms.StratifiedKFold(5, shuffle=True, random_state=0), groups=GROUPS)
    assert found.splits_groups
    assert found.size_unit == "row"


def test_seed_is_reported_and_repeats_the_run():
    first = design()
    second = design(random_state=first.random_state)
    assert first.describe()["random_state"] == first.random_state
    for (train, _), (other, _) in zip(first.splits, second.splits, strict=True):
        np.testing.assert_array_equal(train, other)


def test_seeds_leave_the_global_generator_alone():
    np.random.seed(0)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    design()
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    for make in (np.random.RandomState, np.random.default_rng):
        one, other = (design(random_state=make(0)).random_state for _ in range(2))
        assert one == other


@in_one_test(
    "cv, message",
    [
        (1, "setting n_splits=2 or more"),
        (iter([]), "cv gave no splits"),
        ([([0, 1], [1, 2])], "split 0 trains and tests on 1 common rows"),
        ([([0, 30, 50], [1]), ([], [1])], "split 1 has no training rows"),
        ([([0, 30, 50], [])], "split 0 has no test rows"),
        ([([0, 30, 50], [99])], "names row 99, but X has 60 rows"),
        ([([0, 1, 30], [45])], "split 0 hold no row of class 2"),
        (ms.GroupShuffleSplit(), "'groups' parameter should not be None"),
        (ms.StratifiedGroupKFold(), "groups"),
        (ms.StratifiedKFold(30), "cannot split this data"),
    ],
)
def test_impossible_splits_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        design(cv)


def test_a_class_with_one_row_is_refused_by_name():
    lonely = np.array([0, 1, 2] * 19 + [0, 1, 7])
    with pytest.raises(ValueError, match="the number of rows of class 7 is 1, and"):
        design(y=lonely)


# Seeds that learners draw from


def imitated(package, seed=None):
    """A learner as a package has it: a parameter random_state, and a module of its own."""

    class Boosted(GaussianNB):
        def __init__(self, random_state=None):
            super().__init__()
            self.random_state = random_state

    Boosted.__module__ = f"{package}.sklearn"
    return Boosted(seed)


@pytest.mark.parametrize("package", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("seed", [None, 0])
def test_packages_that_take_a_fixed_seed_of_their_own(package, seed):
    learner = imitated(package, seed)
    within = make_pipeline(StandardScaler(), learner)

    class Tuned(type(learner)):
        pass

    for estimator in (learner, within, Tuned(seed)):
        run = paired_cross_validate({"it": estimator}, X, y, cv=2)
        assert not run.unseeded and run.fixed_seeds == {"it"}
