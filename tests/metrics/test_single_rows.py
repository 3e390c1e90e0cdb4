"""What rows contribute to scorers of a run, guesses that ignore X: asked through the doors."""

from itertools import product

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer, make_scorer
from sklearn.naive_bayes import GaussianNB

from skstat import compare_to_baseline, estimate_performance, paired_cross_validate
from skstat import metrics as ours
from skstat.evaluation import RepeatedHalves
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
N = 40
TWO, THREE, NUMBERS = RNG.permutation(N) % 2, RNG.permutation(N) % 3, RNG.gamma(2.0, size=N)
WORDS = np.where(TWO, "yes", "no")
X = RNG.random((N, 1))
SCORES = ("decision_function", "predict_proba")
HALVES = RepeatedHalves(2, random_state=0)
pytestmark = pytest.mark.usefixtures("quick")


class Says(ClassifierMixin, BaseEstimator):
    """Gives the last class the probability that stands in X."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        k = len(self.classes_)
        rest = np.arange(1, k) / sum(range(k))
        return np.column_stack([(1 - X) * rest, X])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class SaysNumbers(RegressorMixin, Says):
    def predict(self, X):
        return X[:, 0]


def run_of(scoring, y):
    """A run, its test sets, and the estimator."""
    learner = SaysNumbers() if y is NUMBERS else Says()
    run = paired_cross_validate([learner], X, y, scoring=scoring, cv=HALVES)
    return run, [test for _, test in HALVES.split(X, y)][:2], learner.fit(X, y)


@in_one_test(
    ("name", "y"),
    [
        ("accuracy", WORDS), ("roc_auc", WORDS), ("average_precision", TWO),
        ("neg_log_loss", WORDS), ("neg_brier_score", TWO), ("neg_log_loss", THREE),
        ("f1_macro", THREE), (make_scorer(sk.f1_score, pos_label="no"), WORDS),
    ],
)  # fmt: skip
def test_rows_of_a_run_are_of_the_classes_that_scikit_learn_scores(name, y):
    run, tests, fitted = run_of(name, y)
    values, scorer = run.rows().values[0, :, 0], get_scorer(name)
    for test in tests:
        score = scorer(fitted, X[test], y[test])
        assert values[test].mean() == pytest.approx(score, abs=1e-6)
    if name == "neg_log_loss" and y is WORDS:
        np.testing.assert_allclose(values, np.log(np.where(TWO, X[:, 0], 1 - X[:, 0])))


def profit(y, p):
    return float(np.mean(np.where(p == 1, np.where(y == 1, 5.0, -1.0), 0.0)))


def of_proba(function):
    return make_scorer(function, response_method="predict_proba")


OWN = {
    "a mean": (make_scorer(profit), TWO),
    "a sum": (make_scorer(lambda y, p: profit(y, p) * len(y)), TWO),
    "words": (make_scorer(lambda y, p: sk.accuracy_score(y, p)), WORDS),
    "three": (make_scorer(lambda y, p: sk.accuracy_score(y, p)), THREE),
    "probabilities": (of_proba(lambda y, p: float(np.mean((p > 0.3) == y))), TWO),
    "numbers": (make_scorer(lambda y, p: -sk.mean_squared_error(y, p)), NUMBERS),
    "a column": (make_scorer(profit), TWO[:, None]),
}


@in_one_test(("scorer", "y"), OWN.values(), ids=list(OWN))
def test_rows_of_means_and_sums_that_are_the_users_own(scorer, y):
    run, tests, fitted = run_of(scorer, y)
    values, flat, function = run.rows().values[0, :, 0], y.ravel(), scorer._score_func
    asked = X[:, 0] if "predict_proba" in repr(scorer) else fitted.predict(X)
    for test in tests:
        one = np.array([function(flat[[i]], asked[[i]]) for i in test])
        is_sum = not np.isclose(one.mean(), function(flat[test], asked[test]))
        np.testing.assert_allclose(values[test], one * (len(test) if is_sum else 1))


def test_many_numbers_are_not_scored_one_by_one():
    calls, y = [], np.random.default_rng(0).normal(size=10_001)

    def own(y, p):
        calls.append(len(y))
        return -float(np.mean((y - p) ** 2))

    how = {"scoring": make_scorer(own), "cv": HALVES}
    paired_cross_validate([SaysNumbers()], y[:, None], y, **how)
    assert len(calls) < 50


def test_estimates_keep_to_the_range_of_the_metric():
    how = {"method": "holdout", "random_state": 0, "verbose": False}
    rank_loss = make_scorer(ours.rank_loss, greater_is_better=False, response_method=SCORES)
    for scoring, bounds in (
        ("accuracy", (0, 1)), ("matthews_corrcoef", (-1, 1)), ("neg_log_loss", (None, 0)),
        (rank_loss, (-1, 0)), ("r2", (None, 1)), ("neg_mean_squared_error", (None, 0)),
    ):  # fmt: skip
        numbers = scoring in ("r2", "neg_mean_squared_error")
        learner, y = (LinearRegression(), NUMBERS) if numbers else (GaussianNB(), TWO)
        (row,) = estimate_performance(learner, X, y, scoring=scoring, **how).evidence.rows
        assert row.estimate.bounds == bounds


# Guesses


def enumerated(scorer, y, shares):
    """Mean score over all label vectors by their probabilities, for each of `shares`."""
    function, options, sign = scorer._score_func, scorer._kwargs, scorer._sign
    guesses = np.array(list(product(range(y.max() + 1), repeat=len(y))))
    scores = np.array([sign * function(y, guess, **options) for guess in guesses])
    return [float(np.prod(each[guesses], axis=1) @ scores) for each in shares]


def guessed(scoring, y, strategies):
    """Scores of guesses on three test sets of all rows, as a report has them."""
    rows, n = np.arange(3 * len(y)), len(y)
    cv = [(rows[rows // n != fold], rows[rows // n == fold]) for fold in range(3)]
    options = {"scoring": scoring, "strategy": strategies, "random_state": 0, "cv": cv}
    X = np.zeros((3 * n, 1))
    scores = compare_to_baseline(DummyClassifier(), X, np.tile(y, 3), **options).evidence.scores
    return {s: next(own for name, own in scores.items() if s in name) for s in strategies}


AVERAGED = [
    f"{name}_{how}"
    for name in ("f1", "jaccard", "precision", "recall")
    for how in ("macro", "micro", "weighted")
]
OTHERS = [
    "accuracy", "balanced_accuracy", "matthews_corrcoef",
    make_scorer(sk.cohen_kappa_score, weights="linear"),
]  # fmt: skip
BINARY = [
    "f1", "jaccard", "precision", "recall", make_scorer(sk.fbeta_score, beta=0.5, pos_label=0),
    make_scorer(sk.f1_score, greater_is_better=False),
]  # fmt: skip


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("y", [[0, 0, 0, 1, 1], [0, 0, 1, 2]], ids=str)
def test_expectations_are_those_of_all_guesses(y):
    y = np.array(y)
    counts = np.bincount(y)
    shares = {"uniform": np.full(len(counts), 1 / len(counts)), "stratified": counts / len(y)}
    for scoring in (*OTHERS, *(AVERAGED if y.max() > 1 else BINARY)):
        scorer = get_scorer(scoring) if isinstance(scoring, str) else scoring
        found = guessed(scoring, y, list(shares))
        expected = enumerated(scorer, y, shares.values())
        for strategy, score in zip(shares, expected, strict=True):
            assert found[strategy] == pytest.approx(score, abs=1e-12), (scoring, strategy)
