"""Pipelines that share first steps against a loop that shares them by hand, and tiny fits."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks._race import spent
from skstat import paired_cross_validate

LAST = (
    GaussianNB(),
    NearestCentroid(),
    RidgeClassifier(),
    LogisticRegression(),
    DecisionTreeClassifier(max_depth=4, random_state=0),
)


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    yield from _shared()
    yield from _tiny()


def _shared() -> Iterator[str]:
    X, y = make_classification(20_000, 60, n_informative=20, random_state=0)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    for what, first in (
        ("scaler, PCA", (StandardScaler(), PCA(20, random_state=0))),
        ("scaler, Nystroem", (StandardScaler(), Nystroem(n_components=100, random_state=0))),
        (
            "columns, polynomials, selection",
            (
                make_column_transformer(
                    (PolynomialFeatures(2, include_bias=False), slice(0, 20)),
                    (StandardScaler(), slice(20, 60)),
                ),
                StandardScaler(),
                SelectKBest(f_classif, k=30),
            ),
        ),
    ):
        pipelines = [make_pipeline(*map(clone, first), last) for last in LAST]
        loop, ours, theirs = spent(
            lambda first=first: _by_hand(first, X, y, cv),
            lambda pipelines=pipelines: paired_cross_validate(
                pipelines, X, y, cv=cv, scoring="accuracy"
            ),
            lambda pipelines=pipelines: [
                cross_validate(pipeline, X, y, cv=cv, scoring="accuracy")
                for pipeline in pipelines
            ],
        )
        same = np.array_equal(
            paired_cross_validate(pipelines, X, y, cv=cv, scoring="accuracy").scores[
                "accuracy"
            ],
            _by_hand(first, X, y, cv),
        )
        yield (
            f"{len(LAST)} pipelines with {what} against a loop that shares them by hand: "
            f"{ours.against(loop)}; cross_validate against it: {theirs.against(loop)}; "
            f"the same scores: {same}"
        )


def _by_hand(first: Sequence[Any], X: np.ndarray, y: np.ndarray, cv: Any) -> np.ndarray:
    """Fit the first steps once per split, and give their outputs to all last steps."""
    scores = []
    for train, test in cv.split(X, y):
        steps = make_pipeline(*map(clone, first))
        X_train, X_test = steps.fit_transform(X[train], y[train]), steps.transform(X[test])
        scores.append(
            [
                accuracy_score(y[test], clone(last).fit(X_train, y[train]).predict(X_test))
                for last in LAST
            ]
        )
    return np.array(scores)


def _tiny() -> Iterator[str]:
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    pair = (GaussianNB(), DecisionTreeClassifier(max_depth=1))
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    for scoring in ("accuracy", ["accuracy", "roc_auc"]):
        ours, theirs = spent(
            lambda scoring=scoring: paired_cross_validate(pair, X, y, cv=cv, scoring=scoring),
            lambda scoring=scoring: [
                cross_validate(estimator, X, y, cv=cv, scoring=scoring) for estimator in pair
            ],
        )
        what = f"bayes, stump, 10x10 folds, {scoring}"
        yield f"{what}, against cross_validate: {ours.against(theirs)}"
