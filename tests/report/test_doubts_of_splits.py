"""Doubts about tests over splits, raised and not raised."""

import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    estimate_performance,
    paired_cv_ttest,
)
from tests.cases import codes, in_one_test
from tests.report.built import SPLITS, text_of, weight_of

NB, NEAR = GaussianNB(), KNeighborsClassifier()
WHOLE, LABELS = load_breast_cancer(return_X_y=True)
X, Y = WHOLE[:200], LABELS[:200]
MSE, MAE = "neg_mean_squared_error", "neg_mean_absolute_error"
QUIET = {"random_state": 0, "verbose": False}


def pair(X=X, y=Y, first=NB, second=NEAR, **options):
    return paired_cv_ttest(first, second, X, y, random_state=0, **options)


def folds(n, n_repeats=3):
    return RepeatedStratifiedKFold(n_splits=n, n_repeats=n_repeats, random_state=0)


def first_rows(n_rare, n_others):
    """So many rows of each class."""
    rows = np.r_[np.flatnonzero(Y == 1)[:n_rare], np.flatnonzero(Y == 0)[:n_others]]
    return X[rows], Y[rows]


def bare(metric, **design):
    drawn = np.random.default_rng(0).normal(0.7, 0.02, (2, 30))
    return compare_scores(dict(zip("ab", drawn, strict=True)), scoring=metric, **design)


# --- the variance between splits, and what their rows imply ---


def ridges(weaker=300.0, **options):
    """Two ridges that shrink strongly: what a row does cancels between the splits."""
    Xs, ys = load_diabetes(return_X_y=True)
    return pair(Xs, ys, Ridge(1000.0), Ridge(weaker), scoring=MSE, **options)


def test_splits_that_are_too_alike_are_doubted_of_the_corrected_t_only():
    halves = RepeatedKFold(n_splits=2, n_repeats=15, random_state=0)
    for weaker, weight in ((300.0, "invalid"), (0.5, "invalid"), (0.3, None)):
        old = ridges(weaker, correction="nadeau-bengio", cv=halves)
        assert weight_of(old, "SKS130") == weight
    few = ridges(correction="nadeau-bengio", cv=ShuffleSplit(29, test_size=0.5, random_state=0))
    assert weight_of(few, "SKS130") == "weak"  # few splits know the ratio less
    assert "SKS130" not in codes(ridges())
    assert "the variance between splits" not in str(ridges(cv=5).doubts)


@in_one_test(
    "metric, weight",
    [("roc_auc", "note"), ("neg_log_loss", "weak"), (MAE, "weak"), ("f1_macro", None),
     ("my own", None), (None, None)],
)  # fmt: skip
def test_bare_scores_of_a_metric_that_is_not_of_labels_are_doubted(metric, weight):
    assert weight_of(bare(metric, **SPLITS), "SKS130") == weight
    assert "SKS130" not in codes(bare(metric, unit="seed"))


# --- rows, classes and groups ---


def grouped(sizes):
    groups = np.repeat(range(len(sizes)), sizes)
    return pair(groups=groups)


UNEQUAL = [5] * 18 + [110]  # of 19 groups one holds half of the rows
SHUFFLED = folds(2, 5)
JACKKNIFE = {"test": "block_jackknife_t", "scoring": "f1_macro", "random_state": 0}
TWO = {"nb": NB, "near": NEAR}


def estimated(groups):
    y = np.arange(len(groups)) % 2
    drawn = np.random.default_rng(0).normal(size=(len(groups), 3)) + y[:, None]
    return estimate_performance(NB, drawn, y, groups=groups, scoring="accuracy", **QUIET)


CASES = [
    # many folds, for the projection only
    ("SKS102", "weak", lambda: pair(cv=folds(5))),
    ("SKS102", None, lambda: pair(cv=folds(4))),
    ("SKS102", None, lambda: pair(cv=folds(5), correction="nadeau-bengio")),
    # thirty rows of a test set are enough; of halves there is no larger one
    ("SKS102", "weak", lambda: pair(X[:145], Y[:145], cv=folds(5), correction="nadeau-bengio")),
    ("SKS102", None, lambda: pair(X[:150], Y[:150], cv=folds(5), correction="nadeau-bengio")),
    # groups count by their size
    ("SKS107", None, lambda: grouped([8] * 25)),
    ("SKS107", "weak", lambda: grouped(UNEQUAL)),
    ("SKS107", "weak", lambda: estimated(np.repeat(np.arange(24), [60] + [4] * 23))),
    ("SKS107", None, lambda: estimated(np.repeat(np.arange(38), 4))),
]  # fmt: skip
OF_LONGER_RUNS = [
    # what a run knows
    ("SKS130", None, lambda: pair(scoring="roc_auc", correction="nadeau-bengio")),
    ("SKS130", None, lambda: pair(scoring=type(NB).score, correction="nadeau-bengio")),
    # few rows of a class, where the metric is not a mean over rows
    ("SKS128", "weak", lambda: pair(*first_rows(15, 90), scoring="roc_auc")),
    ("SKS128", "weak", lambda: pair(*first_rows(15, 90), scoring="f1_macro")),
    ("SKS128", None, lambda: pair(*first_rows(15, 90), scoring="accuracy")),
    ("SKS128", None, lambda: pair(*first_rows(25, 90), scoring="roc_auc")),
    # class shares that are held fixed
    ("SKS140", "weak", lambda: pair(scoring="f1_macro", cv=SHUFFLED)),
    ("SKS140", "note", lambda: pair(scoring="accuracy", cv=SHUFFLED)),
    ("SKS140", None, lambda: pair(scoring="neg_log_loss", cv=SHUFFLED)),
    ("SKS140", None, lambda: pair(scoring="f1_macro")),
    ("SKS140", "weak", lambda: compare_estimators(TWO, *first_rows(40, 90), **JACKKNIFE)),
    ("SKS140", None, lambda: compare_estimators(TWO, WHOLE, LABELS, **JACKKNIFE)),
]  # fmt: skip


@pytest.mark.parametrize("code, weight, ask", CASES)
def test_it_is_raised_from_there_on(code, weight, ask):
    assert weight_of(ask(), code) == weight


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("code, weight, ask", OF_LONGER_RUNS)
def test_it_is_raised_of_longer_runs(code, weight, ask):
    assert weight_of(ask(), code) == weight


@pytest.mark.long
def test_what_is_raised_says_what_to_do_and_counts_what_weighs():
    rare = pair(*first_rows(15, 90), scoring="roc_auc")
    (doubt,) = (doubt for doubt in rare.doubts if doubt.code == "SKS128")
    assert doubt.action == "add rows of class 1, or use the block jackknife t test"
    sizes = np.array(UNEQUAL)
    report = grouped(UNEQUAL)
    assert report.df == pytest.approx(200**2 / (sizes**2).sum() - 1)
    assert "which weigh as 3.2 of one size" in text_of(report, "SKS107")


# --- classes that are hardly named ---


class Chooses(ClassifierMixin, BaseEstimator):
    """Name class 1 on so many rows of a test set that trained on more of one row or less."""

    def __init__(self, few=0, many=50):
        self.few, self.many = few, many

    def fit(self, X, y):
        self.classes_, self.first_ = np.unique(y), 0 in X[:, 0]
        return self

    def predict(self, X):
        n = self.many if self.first_ else self.few
        return (np.arange(len(X)) < n).astype(int)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "few, many, often",
    [(0, 50, "0 to 50 rows"), (30, 50, ""), (20, 20, ""), (3, 3, "3 rows")],
)  # fmt: skip
def test_a_class_that_is_hardly_named_or_by_turns(few, many, often):
    """60 of 200 rows are of class 1, about 30 of each half."""
    y = (np.arange(200) % 10 < 3).astype(int)
    drawn = np.c_[np.arange(200), y + np.random.default_rng(0).normal(0, 0.1, 200)]
    for scoring in ("f1", "accuracy"):
        report = pair(drawn, y, ("chooses", Chooses(few, many)), NB, scoring=scoring)
        assert ("SKS141" in codes(report)) is bool(often)
        said = f"chooses predicts class 1 for {often} of a test set"
        assert not often or said in text_of(report, "SKS141")
    guess = compare_to_baseline(NB, drawn, y, strategy="most_frequent", random_state=0)
    assert "SKS141" not in codes(guess)


# --- single rows that decide ---

FREE, SHRUNK = ("free", Ridge(1.0)), ("shrunk", Ridge(1000.0))


def skewed(scoring=MSE, *, spread=1.0, more=0.0, **options):
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(150, 4))
    y = np.exp(spread * rng.normal(size=150)) * (drawn[:, 0] > 0) + drawn[:, 1]
    y[drawn[:, 0].argmax()] += more
    ask = {"scoring": scoring, **QUIET, **options}
    return compare_estimators([FREE, SHRUNK], drawn, y, **ask)


@pytest.mark.long
@pytest.mark.parametrize(
    "options, doubted",
    [({"spread": 0.8, "more": 30}, True), ({"spread": 0.8, "more": 30, "scoring": MAE}, False),
     ({}, False), ({"alternative": "greater"}, True), ({"margin": 0.1}, True)],
)  # fmt: skip
def test_skewness_that_is_left_in_the_mean_of_rows(options, doubted):
    """0.4 of two tails, and 0.2 of one, which a margin looks at."""
    report = skewed(**options)
    own = report.evidence.sample.rows.values.mean(axis=0)
    left = abs(scipy.stats.skew(own[:, 0] - own[:, 1])) / np.sqrt(150)
    limit = 0.2 if {"alternative", "margin"} & set(options) else 0.4
    assert (left > limit) == doubted
    assert ("SKS129" in codes(report)) is doubted


def test_losses_of_a_probability_of_zero():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    drawn = rng.normal(size=(60, 2)) + y[:, None]
    line, near = ("line", LogisticRegression()), ("near", KNeighborsClassifier(1))
    tree = ("tree", DecisionTreeClassifier(random_state=0))

    def ask(*two, scoring="neg_log_loss", door=compare_estimators, **options):
        return door(dict(two), drawn, y, scoring=scoring, **QUIET, **options)

    report = ask(near, line)
    wrong = (report.evidence.sample.rows.values[:, :, 0] < -36).any(axis=0).sum()
    said = f"the true class was given a probability of 0 (by near on {wrong} rows): the loss is"
    assert text_of(report, "SKS144").startswith(said)
    found = ask(line, near, door=estimate_performance)
    assert "(by near on" in text_of(found, "SKS144")
    for none in (
        ask(line, tree, sample_weight=rng.random(60) + 0.5),
        ask(near, line, scoring="neg_brier_score"),
        ask(line, ("free", LogisticRegression(C=100.0))),
    ):
        assert "SKS144" not in codes(none)
