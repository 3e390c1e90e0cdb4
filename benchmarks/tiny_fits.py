"""Tiny fits against scikit-learn's cross_validate."""

from collections.abc import Iterator

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks._race import spent
from skstat import paired_cross_validate


def run() -> Iterator[str]:
    """Yield one line per comparison."""
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
