"""Functions that return several scores: the same ones every time, or an error that says so."""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer, r2_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    cross_validate_over_datasets,
    paired_cross_validate,
)
from tests.fitting import DOORS

X, y = load_iris(return_X_y=True)
NB, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)
PAIR = [NB, TREE]
BLOCKS = partial(compare_estimators, test="block_jackknife_t")
ASKS = {name: ask for name, ask in DOORS.items() if name != "check_test"} | {"blocks": BLOCKS}


class Naming:
    """A metric whose names depend on how often it was called."""

    __name__ = "naming"

    def __init__(self, names):
        self.names, self.calls = names, 0

    def __call__(self, estimator, X, y):
        self.calls += 1
        value = estimator.score(X, y)
        return dict.fromkeys(self.names(self.calls), value)


CHANGING = {
    "changing": lambda call: [f"m{call % 2}", "b"],
    "missing": lambda call: ["a", "b"] if call < 5 else ["a"],
    "more": lambda call: ["a", "b"] if call > 5 else ["a"],
}


@pytest.mark.parametrize("door", ASKS)
@pytest.mark.parametrize("names", CHANGING)
def test_names_that_change(door, names):
    with pytest.raises(ValueError, match="must name the same scores every time"):
        ASKS[door](PAIR, X, y, scoring=Naming(CHANGING[names]), random_state=0)


WRONG = {
    "no scores": ({}, "returned no scores"),
    "words": ({"a": "high"}, "the score a is 'high', not a number"),
    "nothing": (None, "the score metric is None, not a number"),
    "nested": ({"a": {"b": 1.0}}, "the score a is .*, not a number"),
    "names are numbers": ({1: 0.5}, "the name of the score 1 must be a string"),
    "not finite": ({"a": 1.0, "b": np.nan}, "the score b is nan"),
}


@pytest.mark.parametrize("door", ASKS)
@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_score(door, case):
    returned, words = WRONG[case]

    def metric(estimator, X, y):
        return returned

    with pytest.raises(ValueError, match=words):
        ASKS[door](PAIR, X, y, scoring=metric, random_state=0)


def test_several_scores_over_datasets():
    def metric(estimator, X, y):
        right = estimator.predict(X) == y
        return {"hits": right.mean(), "misses": -np.mean(~right)}

    datasets = {str(n): (X[n:], y[n:]) for n in range(6)}
    run = cross_validate_over_datasets(PAIR, datasets, scoring=metric, random_state=0)
    plain = cross_validate_over_datasets(PAIR, datasets, scoring="accuracy", random_state=0)
    assert run.metrics == ("hits", "misses")
    np.testing.assert_allclose(run.table("hits").scores, plain.table().scores)
    np.testing.assert_allclose(run.table("misses").scores, plain.table().scores - 1)
    assert set(compare_scores(run).reports) == {"hits", "misses"}


def test_metrics_that_a_run_does_not_have():
    scoring = ["accuracy", "f1_macro"]
    of_one = paired_cross_validate(PAIR, X, y, scoring=scoring, random_state=0)
    of_many = cross_validate_over_datasets(PAIR, {"a": (X, y)}, scoring=scoring)
    for run in (of_one, of_many):
        with pytest.raises(ValueError, match=r"scoring='f1macro' .*Did you mean 'f1_macro'\?"):
            compare_scores(run, scoring="f1macro")
        with pytest.raises(ValueError, match="scoring is missing"):
            run.table()
    with pytest.raises(ValueError, match="scoring has the name 1"):
        paired_cross_validate(PAIR, X, y, scoring={1: "accuracy"})


@pytest.mark.parametrize("scoring", [None, "r2", "explained_variance", make_scorer(r2_score)])
def test_nothing_is_explained_of_a_constant_y(scoring):
    """Scikit-learn gives 0, or 1 without errors."""
    target = X[:, 0].copy()
    target[:50] = 1.0
    with pytest.raises(ValueError, match="undefined: y is the same for all 50 test rows"):
        compare_estimators(
            [Ridge(), Ridge(9)], X[:, 1:], target, scoring=scoring, cv=KFold(3),
            test="corrected_t",
        )  # fmt: skip
    weights = np.ones(len(y))
    weights[51:99] = 0
    target[:50], target[50], target[99] = X[:50, 0], 2.0, 2.0
    with pytest.raises(ValueError, match="on split 1 is undefined: y is the same"):
        paired_cross_validate(
            [Ridge()], X, target, scoring=scoring, cv=KFold(3), sample_weight=weights
        )


def test_who_asks_for_a_finite_share_has_it():
    target = np.where(np.arange(150) < 50, 1.0, X[:, 0])
    finite = make_scorer(r2_score, force_finite=True)
    run = paired_cross_validate([Ridge()], X, target, scoring=finite, cv=KFold(3))
    assert run.column("Ridge")[0] == 0.0
