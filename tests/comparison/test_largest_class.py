"""Accuracies that are about those of always naming the largest class are doubted everywhere."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV

import skstat
from skstat.stats import Predictions
from tests.cases import Column

RNG = np.random.default_rng(3)
N = 300
Y = (np.arange(N) % 10 == 0).astype(int)  # nine of ten rows are of class 0
GUESS = np.zeros(N, dtype=int)
NEAR = np.where(np.arange(N) % 97 == 1, 1, 0)  # four more errors: within a standard error
GOOD = np.where(np.arange(N) % 50 == 3, 1 - Y, Y)
CODE = "SKS304"


X = np.column_stack([GUESS, NEAR, GOOD])
ESTIMATORS = {"guess": Column(0), "near": Column(1), "good": Column(2)}
PREDICTIONS = {"guess": GUESS, "near": NEAR, "good": GOOD}


def doubt(report):
    found = [d for d in report.doubts if d.code == CODE]
    assert len(found) <= 1
    return found[0] if found else None


def of(given, *names):
    return {name: given[name] for name in names}


def by_predictions(names, **options):
    return skstat.compare_predictions(
        Y, of(PREDICTIONS, *names), metric="accuracy", random_state=0, **options
    )


def by_counts(names, **options):
    counts = Predictions(Y, of(PREDICTIONS, *names), counts=np.ones(N, dtype=int))
    return skstat.compare_predictions(counts, metric="accuracy", random_state=0, **options)


def by_seeds(names, **options):
    runs = {name: [PREDICTIONS[name], np.roll(PREDICTIONS[name], 10)] for name in names}
    return skstat.compare_predictions(
        Y, runs, metric="accuracy", seeds="crossed", random_state=0, **options
    )


def by_splits(names, **options):
    return skstat.compare_estimators(
        of(ESTIMATORS, *names), X, Y, scoring={"acc": "accuracy"}, random_state=0, **options
    )


DOORS = [by_predictions, by_counts, by_seeds, by_splits]


@pytest.mark.parametrize("ask", DOORS)
def test_systems_that_are_as_good_as_the_largest_class_are_doubted_once(ask):
    for names, weight, said in (
        (["guess", "near"], "weak", "guess and near are right on"),
        (["good", "guess"], "note", "guess is right on 90.0 %"),
        (["guess", "near", "good"], "note", "guess and near are right on"),
    ):
        found = doubt(ask(names))
        assert found.weight == weight and said in found.text
        assert "largest class is right on 90.0 % of the 300 rows" in found.text


def test_the_headline_says_it_beside_equivalent():
    report = by_predictions(["guess", "near"], margin=0.05)
    assert report.verdict == "equivalent"
    assert f"Both are about as good as guessing ({CODE})." in str(report.conclusion)
    restored = skstat.report_from_dict(report.to_dict())
    assert restored.conclusion == report.conclusion
    good = {"one": GOOD, "two": np.where(np.arange(N) % 50 == 4, 1 - Y, Y)}
    alike = skstat.compare_predictions(Y, good, metric="accuracy", margin=0.05, random_state=0)
    assert alike.verdict == "equivalent" and CODE not in alike.conclusion


def test_searches_whose_targets_are_known():
    features = RNG.normal(size=(N, 2))
    search = GridSearchCV(RidgeClassifier(), {"alpha": [1, 10]}, cv=3).fit(features, Y)
    assert doubt(skstat.compare_search_candidates(search, features, Y)).weight == "weak"
