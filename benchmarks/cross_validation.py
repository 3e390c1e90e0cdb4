"""Runs of two estimators against scikit-learn's cross_validate and mlxtend's tests."""

import time
from collections.abc import Iterator

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks._race import race
from skstat import five_by_two_cv_test, paired_cross_validate, paired_cv_ttest

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
LINEAR, FOREST = LogisticRegression(), RandomForestClassifier(100, random_state=0)
BAYES, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1)


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    yield _cold_start()
    yield from _against_cross_validate()
    yield from _against_mlxtend()


def _cold_start() -> str:
    """State what starting two workers costs, which the best of several runs hides."""
    cv = StratifiedShuffleSplit(2, random_state=0)
    start = time.perf_counter()
    cross_validate(LINEAR, X, y, cv=cv, n_jobs=2)
    cold = time.perf_counter() - start
    start = time.perf_counter()
    cross_validate(LINEAR, X, y, cv=cv, n_jobs=2)
    return f"starting two workers: {cold - (time.perf_counter() - start):.2f} s"


def _against_cross_validate() -> Iterator[str]:
    for what, pair, cv, rounds in (
        (
            "linear, forest(100), 30 splits",
            (LINEAR, FOREST),
            StratifiedShuffleSplit(30, test_size=1 / 3, random_state=0),
            5,
        ),
        (
            "bayes, stump, 10x10 folds",
            (BAYES, STUMP),
            RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
            15,
        ),
    ):
        for n_jobs in (1, 2):
            line = race(
                lambda pair=pair, cv=cv, n_jobs=n_jobs: paired_cross_validate(
                    pair, X, y, cv=cv, n_jobs=n_jobs
                ),
                lambda pair=pair, cv=cv, n_jobs=n_jobs: [
                    cross_validate(estimator, X, y, cv=cv, n_jobs=n_jobs) for estimator in pair
                ],
                rounds=rounds,
            )
            yield f"{what}, n_jobs={n_jobs} against cross_validate: {line}"
    line = race(
        lambda: paired_cross_validate(pair, X, y, cv=cv, n_jobs=2),
        lambda: paired_cross_validate(pair, X, y, cv=cv, n_jobs=1),
        rounds=rounds,
    )
    yield f"{what}, n_jobs=2 against our own n_jobs=1: {line}"


def _against_mlxtend() -> Iterator[str]:
    from mlxtend.evaluate import paired_ttest_5x2cv, paired_ttest_kfold_cv

    accuracy = {"scoring": "accuracy"}
    five_by_two = race(
        lambda: five_by_two_cv_test(LINEAR, FOREST, X, y, n_jobs=2, **accuracy),
        lambda: paired_ttest_5x2cv(LINEAR, FOREST, X, y, **accuracy),
    )
    yield f"linear, forest(100), 5x2, n_jobs=2 against mlxtend: {five_by_two}"
    ten_fold = race(
        lambda: paired_cv_ttest(LINEAR, FOREST, X, y, cv=10, n_jobs=2, **accuracy),
        lambda: paired_ttest_kfold_cv(LINEAR, FOREST, X, y, cv=10, **accuracy),
    )
    yield f"linear, forest(100), 10-fold, n_jobs=2 against mlxtend: {ten_fold}"
