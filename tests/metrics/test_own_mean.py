"""Scorers of the user's own: which of them are means or sums over rows."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    log_loss,
    make_scorer,
    matthews_corrcoef,
    mean_squared_error,
    roc_auc_score,
)

from skstat.metrics._own_mean import OwnMean
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
TWO, THREE, NUMBERS = RNG.integers(0, 2, 200), RNG.integers(0, 3, 200), RNG.normal(size=200)
WORDS = np.where(TWO, "yes", "no")
RARE = (np.arange(400) < 5).astype(int)


def profit(y, p):
    return float(np.mean(np.where(p == 1, np.where(y == 1, 5.0, -1.0), 0.0)))


def total(y, p):
    return profit(y, p) * len(y)


def log_likelihood(y, p):
    return -log_loss(y, p, labels=[0, 1])


def above(y, p):
    return float(np.mean((p > 0.3) == y))


def largest(y, p):
    return -float(np.max(np.abs(y - p)))


def of_proba(function):
    return make_scorer(function, response_method="predict_proba")


@pytest.mark.parametrize(
    ("scorer", "y", "response", "is_sum"),
    [
        (make_scorer(profit), TWO, "predict", False),
        (make_scorer(profit), RARE, "predict", False),
        (make_scorer(total), TWO, "predict", True),
        (make_scorer(lambda y, p: accuracy_score(y, p)), WORDS, "predict", False),
        (make_scorer(lambda y, p: accuracy_score(y, p)), THREE, "predict", False),
        (make_scorer(mean_squared_error, greater_is_better=False), NUMBERS, "predict", False),
        (of_proba(log_likelihood), TWO, "predict_proba", False),
        (of_proba(above), TWO, "predict_proba", False),
        (make_scorer(profit), TWO[:, None], "predict", False),
    ],
)
def test_means_and_sums_are_recognised(scorer, y, response, is_sum):
    found = OwnMean.of(scorer, y)
    assert (found.response, found.is_sum) == (response, is_sum)


@in_one_test(
    ("scorer", "y"),
    [
        (make_scorer(lambda y, p: f1_score(y, p)), TWO),
        (make_scorer(lambda y, p: balanced_accuracy_score(y, p)), TWO),
        (make_scorer(lambda y, p: matthews_corrcoef(y, p)), TWO),
        (make_scorer(lambda y, p: accuracy_score(y, p) ** 2), TWO),
        (make_scorer(lambda y, p: -np.sqrt(mean_squared_error(y, p))), NUMBERS),
        (make_scorer(largest), NUMBERS),
        (of_proba(lambda y, p: roc_auc_score(y, p)), TWO),
        (make_scorer(lambda y, p: 1 / 0), TWO),
        (lambda estimator, X, y: estimator.score(X, y), TWO),  # is called on fits alone
        (make_scorer(profit), np.column_stack([TWO, TWO])),
    ],
)
def test_nothing_else_is(scorer, y):
    assert OwnMean.of(scorer, y) is None


def test_many_numbers_are_not_scored_one_by_one():
    y = np.random.default_rng(0).normal(size=10_001)
    assert OwnMean.of(make_scorer(lambda y, p: -np.mean((y - p) ** 2)), y) is None
    many = (y > 0).astype(int)
    assert OwnMean.of(make_scorer(profit), many) is not None  # has four kinds of rows


@pytest.mark.parametrize("weighted", [False, True])
def test_contributions_are_those_of_the_formula(weighted):
    X = RNG.normal(size=(200, 3)) + TWO[:, None]
    out = LogisticRegression().fit(X, TWO).predict(X)
    weight = RNG.random(200) + 0.5 if weighted else None
    score, rows = OwnMean.of(make_scorer(profit), TWO).contributions(TWO, out, weight)
    own = np.where(out == 1, np.where(TWO == 1, 5.0, -1.0), 0.0)
    mean = np.average(own, weights=weight)
    assert score == pytest.approx(mean)
    if weighted:
        # Removing a row, to first order, is what its influence says.
        without = [
            np.average(np.delete(own, i), weights=np.delete(weight, i)) for i in range(200)
        ]
        np.testing.assert_allclose((rows - mean) / 200, mean - np.array(without), rtol=0.02)
    else:
        np.testing.assert_allclose(rows, own)
    assert OwnMean.of(make_scorer(total), TWO).contributions(TWO, out)[0] == pytest.approx(
        own.sum()
    )


def test_what_is_no_mean_is_found_with_few_calls():
    calls = []

    def slow(y, p):
        calls.append(len(y))
        return f1_score(y, p)

    assert OwnMean.of(make_scorer(slow), TWO) is None
    assert len(calls) <= 8
