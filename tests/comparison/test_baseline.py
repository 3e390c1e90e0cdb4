"""One estimator against guessing."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, balanced_accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_to_baseline, report_from_dict, stats
from skstat.evaluation._baselines import RandomGuess
from skstat.metrics import is_linear_in_labels
from tests.cases import codes
from tests.contract import check_report

NB = GaussianNB()
rng = np.random.default_rng(0)
X3 = rng.normal(size=(120, 2))
Y3 = np.repeat(["a", "b", "c"], [60, 40, 20])


def test_default_is_the_majority_class_one_sided(cancer):
    report = compare_to_baseline(NB, *cancer, random_state=0)
    assert report.names == ("GaussianNB", "most_frequent baseline")
    assert report.alternative == "greater"
    assert report.verdict == "better"
    assert report.confidence_interval().high == np.inf
    majority = np.bincount(cancer[1]).max() / len(cancer[1])
    assert np.mean(report.evidence.sample.b) == pytest.approx(majority, abs=0.01)


@pytest.mark.long
def test_regression_uses_the_mean(cancer):
    X, _ = cancer
    report = compare_to_baseline(Ridge(), X, X[:, 0] + X[:, 1], random_state=0)
    assert report.names[1] == "mean baseline"
    assert report.verdict == "better"
    median = compare_to_baseline(
        Ridge(), X, X[:, 0], strategy=DummyRegressor(strategy="median")
    )
    assert median.names[1] == "median baseline"


@pytest.mark.parametrize("strategy, expected", [("uniform", 1 / 3), ("stratified", None)])
def test_random_guessing_is_exact_for_accuracy(strategy, expected):
    report = compare_to_baseline(
        NB, X3, Y3, strategy=strategy, cv=StratifiedKFold(4), random_state=0
    )
    shares = np.array([60, 40, 20]) / 120
    expected = expected or float(np.sum(shares**2))
    np.testing.assert_allclose(report.evidence.sample.b, expected, rtol=1e-12)
    assert report.design["notes"] == [
        f"{strategy} baseline: the exact expectation over its guesses"
    ]


@pytest.mark.long
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "recall_macro"])
@pytest.mark.parametrize("strategy", ["uniform", "stratified"])
def test_expectation_agrees_with_many_guesses(metric, strategy):
    guess = RandomGuess(strategy, linear_metrics=(metric,), metrics=(metric,)).fit(X3, Y3)
    scorer = get_scorer(metric)
    exact = guess.expected_score(scorer, X3, Y3)
    drawn = [
        scorer(DummyClassifier(strategy=strategy, random_state=seed).fit(X3, Y3), X3, Y3)
        for seed in range(250)
    ]
    standard_error = np.std(drawn, ddof=1) / np.sqrt(len(drawn))
    assert abs(exact - np.mean(drawn)) < 4 * standard_error


@pytest.mark.long
def test_metrics_without_a_formula_average_a_hundred_draws():
    thirds = StratifiedKFold(3)
    options = {"strategy": "uniform", "scoring": "rand_score", "cv": thirds}
    report = compare_to_baseline(NB, X3, Y3, **options)
    assert "mean of 100 draws" in report.design["notes"][0]
    scorer = get_scorer("rand_score")
    train, test = next(thirds.split(X3, Y3))
    drawn = [
        scorer(
            DummyClassifier(strategy="uniform", random_state=seed).fit(X3[train], Y3[train]),
            X3[test],
            Y3[test],
        )
        for seed in range(200)
    ]
    tolerance = 4 * np.std(drawn) / np.sqrt(100)
    assert abs(report.evidence.sample.b[0] - np.mean(drawn)) < tolerance
    again = compare_to_baseline(NB, X3, Y3, **options)
    np.testing.assert_array_equal(again.evidence.sample.b, report.evidence.sample.b)


def test_a_scorer_may_name_its_own_metrics():
    def both(estimator, X, y):
        hits = float(np.mean(estimator.predict(X) == y))
        return {"hits": hits, "misses": 1 - hits}

    options = {"strategy": "uniform", "cv": StratifiedKFold(3)}
    report = compare_to_baseline(NB, X3, Y3, scoring=both, **options)
    assert list(report) == ["hits", "misses"]
    assert np.mean(report["hits"].evidence.sample.b) == pytest.approx(1 / 3, abs=0.03)
    # Exact and drawn metrics of one scorer keep their own kind.
    mixed = compare_to_baseline(NB, X3, Y3, scoring=["accuracy", "f1_macro"], **options)
    np.testing.assert_allclose(mixed["accuracy"].evidence.sample.b, 1 / 3, rtol=1e-12)
    alone = compare_to_baseline(NB, X3, Y3, scoring="f1_macro", **options)
    np.testing.assert_array_equal(mixed["f1_macro"].evidence.sample.b, alone.evidence.sample.b)


def test_linear_metrics_are_known_by_name_and_as_objects():
    assert is_linear_in_labels("balanced_accuracy")
    assert is_linear_in_labels(make_scorer(balanced_accuracy_score))
    assert not is_linear_in_labels("f1_macro")
    assert not is_linear_in_labels(make_scorer(lambda y, p: 0.0))


def test_what_is_exact_is_known_of_the_scorer_whatever_its_name():
    scoring = {"accuracy": "balanced_accuracy", "hits": make_scorer(accuracy_score)}
    reports = compare_to_baseline(
        NB, X3, Y3, scoring=scoring, strategy="uniform", cv=StratifiedKFold(3)
    )
    exact = "uniform baseline: the exact expectation over its guesses"
    assert reports["hits"].design["notes"] == [exact]
    where = f"{exact} where the test rows hold every class, else the mean of draws"
    assert reports["accuracy"].design["notes"] == [where]


def test_a_class_missing_from_the_test_rows_falls_back_to_draws():
    guess = RandomGuess(linear_metrics=("balanced_accuracy",), metrics=("balanced_accuracy",))
    guess.fit(X3, Y3)
    calls = []

    def scorer(estimator, X, y):
        calls.append(estimator.strategy)
        return 0.0

    guess.expected_score(scorer, X3[:60], Y3[:60])
    assert calls.count("uniform") >= 100
    assert "constant" not in calls


def test_constant_uses_the_one_sample_form(cancer):
    report = compare_to_baseline(NB, *cancer, strategy=0.9, random_state=0)
    assert report.test.startswith("one-sample projection t test")
    assert report.names[1] == "constant 0.9"
    assert report.constant == 0.9
    by_hand = stats.one_sample_projection_t(report.evidence.sample, 0.9, alternative="greater")
    assert report.pvalue == by_hand.pvalue
    assert "constant 0.9" in report.null_hypotheses[0]


def test_several_baselines_are_adjusted(cancer):
    strategies = ["most_frequent", "uniform", 0.93]
    report = compare_to_baseline(NB, *cancer, strategy=strategies, random_state=0)
    assert report.control == "GaussianNB"
    assert report.evidence.names == (
        "GaussianNB", "most_frequent baseline", "uniform baseline", "constant 0.93"
    )  # fmt: skip
    raw = report.pairs.column("pvalue")
    assert report.pairs.column("adjusted") == stats.adjust_pvalues(raw).tolist()
    assert report["uniform baseline"].names[1] == "uniform baseline"
    assert report["GaussianNB", "constant 0.93"].constant == 0.93
    assert "In pairs with GaussianNB" in report.details
    assert "p-values adjusted by Holm's method" in " ".join(report.details.split())
    # Verdicts rest on the adjusted p-value.
    level = 1 - (raw[2] + report["constant 0.93"].adjusted_pvalue) / 2
    if raw[2] < report["constant 0.93"].adjusted_pvalue:
        between = compare_to_baseline(
            NB, *cancer, strategy=strategies, random_state=0, confidence_level=level
        )["constant 0.93"]
        assert between.pvalue < 1 - level < between.adjusted_pvalue
        assert between.verdict == "undecided"
        assert "not shown" in between.conclusion
    with pytest.raises(KeyError, match="no comparison 'x'"):
        report["x"]
    check_report(report)


@pytest.mark.long
def test_baselines_that_are_not_beaten():
    noise = np.random.default_rng(0).normal(size=(120, 3))
    strategies = ["uniform", 0.8, 0.9]
    report = compare_to_baseline(NB, noise, Y3, strategy=strategies, random_state=0)
    found, lead = report.sentences
    assert lead == "constant 0.9 has the highest accuracy (0.900)."
    assert found.startswith("GaussianNB scores higher than uniform baseline (0.1")
    # What was not shown is what was asked: whether the estimator is better.
    assert (
        "It was not shown that GaussianNB scores higher than any of constant 0.9 and "
        "constant 0.8 (0.403 and 0.303 lower; each adjusted p = 1)"
    ) in found
    errors = compare_to_baseline(
        Ridge(), noise, noise[:, 0] ** 2, strategy=["mean", "median"],
        scoring="neg_mean_squared_error", random_state=0,
    )  # fmt: skip
    assert "was not shown that Ridge has a lower" in errors.conclusion
    check_report(errors)


def test_each_baseline_is_restored_with_its_sample(cancer):
    report = compare_to_baseline(NB, *cancer, strategy=["uniform", 0.9], random_state=0)
    # Each was compared by a test of its own.
    tests = {pair.second: pair.test for pair in report.pairs}
    assert tests == {name: report[name].test for name in tests}
    assert len(set(tests.values())) == 2
    assert tests["constant 0.9"].startswith("one-sample projection t test")
    restored = report_from_dict(json.loads(report.to_json()))
    assert restored.constants == ("constant 0.9",)
    for name in ("uniform baseline", "constant 0.9"):
        assert str(restored[name]) == str(report[name])
    by_hand = stats.one_sample_projection_t(
        report["constant 0.9"].evidence.sample, 0.9, alternative="greater"
    )
    assert by_hand.pvalue == report["constant 0.9"].pvalue


def test_a_perfect_model_is_judged_by_rows_beside_other_baselines():
    y = np.arange(90) % 2
    strategies = ["most_frequent", "uniform", 0.9]
    report = compare_to_baseline(Perfect(), y[:, np.newaxis], y, strategy=strategies, cv=3)
    by_rows = report["most_frequent baseline"]
    assert by_rows.unit == "instance" and by_rows.n_units == 90 and by_rows.verdict == "better"
    assert {*report.pairs.column("n")} == {3, 90}
    texts = [doubt.text for doubt in report.doubts if doubt.code == "SKS202"]
    assert len(texts) == 2  # one of rows, one of splits
    assert ["row by row" in text for text in texts] == [True, False]
    assert "No p-value" in report.details
    assert "for constant 0.9 the corrected one-sample t test" in report.choice.reason
    # The rows have an accuracy, which says nothing of what another metric differs by.
    other = compare_to_baseline(
        Perfect(), y[:, np.newaxis], y, strategy=["most_frequent", "uniform"], cv=3,
        scoring="balanced_accuracy",
    )  # fmt: skip
    assert {other[pair[:2]].unit for pair in other.pairs} == {"split"}
    assert np.isnan(other.pvalue)
    check_report(report)
    check_report(other)


@pytest.mark.long
def test_imbalance_is_doubted():
    y = np.array([0] * 116 + [1] * 4)
    assert "SKS304" in codes(compare_to_baseline(NB, X3, y, random_state=0))
    assert "SKS304" not in codes(compare_to_baseline(NB, X3, Y3, random_state=0))


class Perfect(ClassifierMixin, BaseEstimator):
    """Reads the class from the only column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0].astype(int)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("strategy", ["most_frequent", "uniform", "stratified", "prior"])
def test_perfect_model_never_gets_p_zero(strategy):
    y = np.arange(90) % 2
    report = compare_to_baseline(Perfect(), y[:, np.newaxis], y, strategy=strategy)
    assert 0 < report.pvalue < 0.01
    assert report.verdict == "better"
    thirds = StratifiedShuffleSplit(10, test_size=1 / 3, random_state=0)
    old = compare_to_baseline(Perfect(), y[:, np.newaxis], y, strategy=strategy, cv=thirds)
    assert 0 < old.pvalue < 0.01 and old.verdict == "better"
    assert "SKS202" in codes(old) and old.unit == "instance"


def test_perfect_model_against_a_constant_has_no_test():
    y = np.arange(90) % 2
    report = compare_to_baseline(Perfect(), y[:, np.newaxis], y, strategy=0.9)
    assert np.isnan(report.pvalue)
    assert report.statistic == np.inf
    assert "No test is possible between Perfect and constant 0.9: " in report.conclusion
    assert "SKS202" in codes(report)
    assert compare_to_baseline(Perfect(), y[:, np.newaxis], y, strategy=1).pvalue == 1


@pytest.mark.parametrize(
    "estimator, strategy, message",
    [
        (NB, "mean", "strategy='mean' is unknown for GaussianNB; use one of most_frequent"),
        (Ridge(), "uniform", "use one of mean, median"),
        (NB, [], "strategy is empty"),
        (NB, ["prior", "prior"], "same baseline twice"),
        (NB, float("nan"), "must be finite"),
    ],
)
def test_wrong_strategies_are_named(estimator, strategy, message):
    with pytest.raises(ValueError, match=message):
        compare_to_baseline(estimator, X3, Y3, strategy=strategy)


def test_sample_weights_reach_the_dummies():
    weights = np.where(Y3 == "c", 100.0, 1.0)
    tree = DecisionTreeClassifier(random_state=0)
    report = compare_to_baseline(
        tree,
        X3,
        Y3,
        strategy=["most_frequent", None],
        params={"sample_weight": weights},
        cv=StratifiedKFold(4),
    )
    named, best = (report[pair[:2]] for pair in report.pairs)
    np.testing.assert_allclose(named.evidence.sample.b, 1 / 6)  # the weighted majority is c
    assert "SKS303" in codes(named)
    # No score is weighted here: the best guess is the class that most rows are of.
    np.testing.assert_allclose(best.evidence.sample.b, 1 / 2)
    assert best.names[1] == "best guess baseline (most_frequent)"
