"""Doors that fit: learners of whole numbers, whose predictions no processor changes."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

import skstat
from tools.net.case import Case, case
from tools.net.cases import data

N = 120


class Threshold(ClassifierMixin, BaseEstimator):
    """Says 1 where a column is above its median in training, if that fits, or else below it."""

    def __init__(self, column: int = 0, step: int = 1):
        self.column = column
        self.step = step

    def fit(self, X, y, sample_weight=None):
        """Find the median, and the side."""
        self.classes_ = np.unique(y)
        found = np.sort(X[:: self.step, self.column])
        self.cut_ = found[len(found) // 2]
        above = X[:, self.column] > self.cut_
        self.turned_ = 2 * np.sum(above == (y == self.classes_[-1])) < len(y)
        return self

    def decision_function(self, X):
        """Return how far above."""
        far = X[:, self.column] - self.cut_
        return -far if self.turned_ else far

    def predict(self, X):
        """Return classes."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]

    def predict_proba(self, X):
        """Return shares in 64ths."""
        one = (32 + np.clip(self.decision_function(X), -15, 15)) / 64
        return np.column_stack([1 - one, one])


class Restless(Threshold):
    """Looks at a column that every other training set changes."""

    def fit(self, X, y, sample_weight=None):
        """Choose the column by what the training rows add up to."""
        self.column = int(np.sum(X[:, 3])) % 3
        return super().fit(X, y)


class Middle(RegressorMixin, BaseEstimator):
    """Adds a column to the middle of the training targets."""

    def __init__(self, column: int = 0):
        self.column = column

    def fit(self, X, y):
        """Find both middles."""
        self.shift_ = int(np.sum(y) // len(y)) - int(np.sum(X[:, self.column]) // len(y))
        return self

    def predict(self, X):
        """Return whole numbers."""
        return X[:, self.column] + self.shift_


X, Y = data.rows(N)
TARGET = 2 * X[:, 0] + X[:, 1]
TWO = {"new": Threshold(0), "old": Threshold(1)}
THREE = TWO | {"third": Threshold(2)}
NUMBERS = {"new": Middle(0), "old": Middle(2)}
GROUPS = data.groups(N)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
SPLITTERS = {
    "folds": FOLDS,
    "repeated folds": RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0),
    "5 x 2": skstat.evaluation.FiveByTwo(random_state=0),
    "halves": skstat.evaluation.RepeatedHalves(6, random_state=0),
    "blocks": skstat.evaluation.LeaveTwoBlocksOut(6, random_state=0),
    "out of bag": skstat.evaluation.BootstrapOutOfBag(20, random_state=0),
    "series": TimeSeriesSplit(5),
}
ASKED = {
    "greater": {"alternative": "greater"},
    "margin": {"margin": 0.1},
    "rope": {"rope": 0.02},
    "budget": {"budget": 12},
    "nine tenths": {"train_size": 0.9},
    "weights": {"sample_weight": 1 + np.arange(N) % 3},
    "groups": {"groups": GROUPS},
    "a loss": {"scoring": "neg_log_loss"},
    "an area": {"scoring": "roc_auc", "margin": 0.1},
    "two metrics": {"scoring": ["accuracy", "neg_brier_score"]},
    "slices": {"by": np.arange(N) % 2},
    "stability": {"stability": 3},
}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for k, learners in ((2, TWO), (3, THREE)):
        yield case(f"{k}", skstat.compare_estimators, learners, X, Y)
        for what, options in ASKED.items():
            yield case(f"{k}, {what}", skstat.compare_estimators, learners, X, Y, **options)
    yield case("3, control", skstat.compare_estimators, THREE, X, Y, control="old")
    yield case("3, holm", skstat.compare_estimators, THREE, X, Y, adjustment="holm")
    for what, cv in SPLITTERS.items():
        yield case(f"split as {what}", skstat.compare_estimators, TWO, X, Y, cv=cv)
    restless = {"new": Restless(), "old": Threshold(1)}
    for what in ("repeated folds", "halves"):
        cv = SPLITTERS[what]
        yield case(f"unstable, {what}", skstat.compare_estimators, restless, X, Y, cv=cv)
    by_groups = skstat.evaluation.RepeatedGroupKFold(5, 2, random_state=0)
    grouped = {"cv": by_groups, "groups": GROUPS}
    yield case("split by groups", skstat.compare_estimators, TWO, X, Y, **grouped)
    for test in (
        "projection_t",
        "corrected_t",
        "block_jackknife_t",
        "five_by_two_f",
        "wilcoxon",
    ):
        yield case(f"by {test}", skstat.compare_estimators, TWO, X, Y, test=test)
    for scoring in (None, "neg_mean_squared_error", "neg_mean_absolute_error"):
        yield case(f"of numbers, {scoring}", skstat.compare_estimators, NUMBERS, X, TARGET,
                   scoring=scoring)  # fmt: skip
    yield from _of_two()
    yield from _baselines()
    yield from _performance()
    yield from _searches()
    yield from _checks()


def _of_two() -> Iterator[Case]:
    two = (TWO["new"], TWO["old"])
    for correction in ("auto", "projection", "nadeau-bengio", "bouckaert", None):
        for what in ("margin", "greater"):
            options = {"correction": correction, **ASKED[what]}
            name = f"paired_cv_ttest, {correction}, {what}"
            yield case(name, skstat.paired_cv_ttest, *two, X, Y, **options)
    for statistic in ("f", "t"):
        yield case(f"five_by_two, {statistic}", skstat.five_by_two_cv_test, *two, X, Y,
                   statistic=statistic, margin=0.2)  # fmt: skip
    yield case("five_by_two, t, less", skstat.five_by_two_cv_test, *two, X, Y, statistic="t",
               alternative="less")  # fmt: skip

    def kept_run(**options):
        run = skstat.paired_cross_validate(
            THREE,
            X,
            Y,
            cv=FOLDS,
            scoring=["accuracy", "roc_auc"],
            random_state=0,
            verbose=False,
        )
        return skstat.compare_scores(run, random_state=0, **options)

    yield case("a run", kept_run)
    yield case("a run, one metric", kept_run, scoring="roc_auc")
    yield case("a run, two systems", kept_run, systems=["third", "new"])


def _baselines() -> Iterator[Case]:
    for scoring in ("accuracy", "balanced_accuracy", "roc_auc", "neg_log_loss", "f1"):
        yield case(f"baseline, {scoring}", skstat.compare_to_baseline, TWO["new"], X, Y,
                   scoring=scoring)  # fmt: skip
    yield case("baselines", skstat.compare_to_baseline, TWO["new"], X, Y,
               strategy=["most_frequent", "stratified"])  # fmt: skip
    yield case("baseline of numbers", skstat.compare_to_baseline, NUMBERS["new"], X, TARGET,
               margin=0.1)  # fmt: skip
    yield case("baseline, groups", skstat.compare_to_baseline, TWO["new"], X, Y, groups=GROUPS)


def _performance() -> Iterator[Case]:
    for method in (
        "auto", "holdout", "projection", "corrected_t", "nested_cv",
        "cross_validation", "bootstrap", "bootstrap632", "bootstrap632+",
    ):  # fmt: skip
        for scoring in ("accuracy", "neg_log_loss"):
            yield case(f"performance, {method}, {scoring}", skstat.estimate_performance,
                       TWO["new"], X, Y, method=method, scoring=scoring)  # fmt: skip
    for interval in ("clopper-pearson", "jeffreys"):
        yield case(f"performance, holdout, {interval}", skstat.estimate_performance, TWO["new"],
                   X, Y, method="holdout", interval=interval)  # fmt: skip
    yield case("performance, two learners", skstat.estimate_performance, TWO, X, Y)
    yield case("performance, groups", skstat.estimate_performance, TWO["new"], X, Y,
               groups=GROUPS)  # fmt: skip
    yield case("performance, nine tenths", skstat.estimate_performance, TWO["new"], X, Y,
               train_size=0.9)  # fmt: skip
    yield case("performance, numbers", skstat.estimate_performance, NUMBERS["new"], X, TARGET,
               scoring="neg_mean_absolute_error")  # fmt: skip


def _searches() -> Iterator[Case]:
    def searched(what, cv=FOLDS, **options):
        grid = {"column": [0, 1, 2], "step": [1, 2]}
        search = GridSearchCV(Threshold(), grid, cv=cv, scoring="accuracy").fit(X, Y)
        return what(search, **options)

    door = skstat.compare_search_candidates
    yield case("search", searched, door, cv=5, random_state=0)
    yield case("search, with data", searched, door, X=X, y=Y, random_state=0, margin=0.1)
    yield case("search, groups", searched, door, X=X, y=Y, groups=GROUPS, random_state=0)
    yield case("best candidates", searched, skstat.best_candidates, top=3)


def _checks() -> Iterator[Case]:
    learner = DummyClassifier(strategy="prior")
    few = {"n_experiments": 12, "fraction": 0.5}
    yield case("check", skstat.check_test, TWO["new"], X, Y, **few)
    yield case("check, two tests", skstat.check_test, TWO["new"], X, Y, **few, power=True,
               test=["corrected_t", "projection_t"])  # fmt: skip
    yield case("check, folds", skstat.check_test, TWO["new"], X, Y, **few, cv=KFold(4),
               test="corrected_t")  # fmt: skip
    yield case("check, a guess", skstat.check_test, learner, X, Y, **few)
    plain = partial(skstat.compare_estimators, {"a": DummyRegressor(), "b": NUMBERS["new"]})
    yield case(
        "a guess of numbers", plain, X, TARGET, scoring="r2", random_state=0, verbose=False
    )
