"""Edge cases at the front doors: inputs and options whose obvious answer would be wrong."""

from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import compare_scores, compare_to_baseline, paired_cv_ttest
from tests.cases import refusals

NB = GaussianNB()
TREE = DecisionTreeClassifier(random_state=0)
rng = np.random.default_rng(0)


@pytest.mark.parametrize("strategy", ["most_frequent", "uniform", None])
def test_baselines_ask_for_the_weights_of_the_estimator(cancer, strategy):
    X, y = cancer
    weights = np.where(y == 0, 50.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = GaussianNB().set_fit_request(sample_weight=True)
        weighted.set_score_request(sample_weight=True)
        report = compare_to_baseline(
            weighted, X, y, strategy=strategy, params={"sample_weight": weights}, cv=5
        )
    if strategy != "uniform":  # class 0 by weight, and scored by weight
        assert np.mean(report.evidence.sample.b) > 0.9
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    step = {"gaussiannb__sample_weight": weights}
    unrouted = compare_to_baseline(
        pipeline, X, y, strategy="most_frequent", params=step, cv=5, random_state=0
    )
    assert np.mean(unrouted.evidence.sample.b) < 0.5  # class 0, the rarer one, by weight


def test_a_default_score_is_named(cancer):
    assert compare_to_baseline(AdaBoostClassifier(n_estimators=2), *cancer).metric == "accuracy"


def test_small_floats_go_into_json():
    scores = {"A": [0.7, 0.8, 0.9]}
    report = compare_scores(
        scores, unit="seed", constant=np.float32(0.7), confidence_level=np.float32(0.9)
    )
    assert "null" in report.to_json()


def test_dummies_of_one_strategy_are_numbered(cancer):
    constants = [DummyClassifier(strategy="constant", constant=c) for c in (0, 1)]
    report = compare_to_baseline(NB, *cancer, strategy=constants, random_state=0)
    assert report.pairs.column("second") == ("constant baseline 1", "constant baseline 2")
    named = compare_to_baseline(NB, *cancer, strategy=["most_frequent", 0.5], random_state=0)
    assert named["most_frequent baseline"].names == ("GaussianNB", "most_frequent baseline")


X, Y = load_iris(return_X_y=True)
PAIR = partial(paired_cv_ttest, NB, TREE, X, Y)
SEARCH = GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring="roc_auc", cv=3)
PARTS = [(np.arange(9) + 0.9, np.arange(9, 20) + 0.9)] * 3


test_messages_name_what_was_wrong = refusals(
    [
        (partial(paired_cv_ttest, NB, TREE, X, np.array([1, "a"] * 75, object)), "^y "),
        (partial(paired_cv_ttest, SVC(kernel="precomputed"), NB, X, Y), "X must be a square"),
        (partial(PAIR, correction="bouckaert"), "Pass cv=RepeatedStratifiedKFold"),
        (partial(PAIR, cv=StratifiedShuffleSplit), "cv is the class Stratified.*; pass"),
        (partial(PAIR, cv=PARTS), "split 0 names rows by float64"),
        (partial(PAIR, cv=[(np.arange(9) > 4, np.arange(9) < 5)] * 3), "mask of split 0 has 9"),
        (partial(PAIR, cv=[([0, 60, 149], [3])] * 2 + [([-1], [3])]), "split 2 names row -1"),
        (partial(paired_cv_ttest, LogisticRegression(), LinearRegression(), X, Y),
         "scoring is missing.*accuracy.*r2"),
        (partial(paired_cv_ttest, SEARCH, NB, X, Y), "'roc_auc'"),
        (partial(compare_to_baseline, NB, X, Y, strategy=DummyRegressor()), "scoring is miss"),
        (partial(PAIR, scoring=["accuracy", "accuracy"]), "names a metric twice.*dict"),
        (partial(PAIR, scoring=[make_scorer(f1_score, pos_label=label) for label in (0, 1)]),
         "names a metric twice.*dict"),
    ],
    error=(ValueError, TypeError),
)  # fmt: skip


# Differences that are small beside the scores


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset", "split"])
@pytest.mark.parametrize("size", [1e12, 2.0**52])
def test_exact_differences_count_however_small_they_are(unit, size):
    rng = np.random.default_rng(0)
    small = rng.integers(0, 4, (12, 3)) + np.array([3.0, 1.0, 0.0])
    how = {"n_train": 90, "n_test": 10} if unit == "split" else {"unit": unit}
    how |= {"paired_seeds": True} if unit == "seed" else {}
    for columns in ([0, 1], [0, 1, 2]):
        here, large = (
            skstat.compare_scores(part[:, columns], random_state=0, **how)
            for part in (small, small + size)
        )
        for column in ("estimate", "pvalue", "adjusted"):
            ours, theirs = (list(found.pairs.column(column)) for found in (large, here))
            assert ours == pytest.approx(theirs, rel=0.02, abs=0.01, nan_ok=True)
        assert "same" not in large.conclusion
    if unit != "split":
        ranked = skstat.rank_systems(small + size, unit=unit, random_state=0, n_resamples=99)
        assert ranked.systems.column("rank") == [1, 2, 3]
