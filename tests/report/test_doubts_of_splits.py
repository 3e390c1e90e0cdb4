"""Doubts about tests over splits, raised and not raised."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skstat import compare_estimators, estimate_performance, paired_cv_ttest
from tests.cases import codes
from tests.report.built import weight_of

NB, NEAR = GaussianNB(), KNeighborsClassifier()
WHOLE, LABELS = load_breast_cancer(return_X_y=True)
X, Y = WHOLE[:200], LABELS[:200]
MSE = "neg_mean_squared_error"
QUIET = {"random_state": 0, "verbose": False}


def pair(X=X, y=Y, first=NB, second=NEAR, **options):
    return paired_cv_ttest(first, second, X, y, random_state=0, **options)


def folds(n, n_repeats=3):
    return RepeatedStratifiedKFold(n_splits=n, n_repeats=n_repeats, random_state=0)


def first_rows(n_rare, n_others):
    """So many rows of each class."""
    rows = np.r_[np.flatnonzero(Y == 1)[:n_rare], np.flatnonzero(Y == 0)[:n_others]]
    return X[rows], Y[rows]


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


# --- classes that are hardly named ---


# --- single rows that decide ---
