"""Plans from reports: what varied is taken, what was found is not."""

import math

import numpy as np
import pytest
from scipy import stats as law
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.stats import (
    AgreementTable,
    McNemarPlanner,
    PilotPlanner,
    SeedsPlanner,
    SignPlanner,
    SplitsPlanner,
    WilcoxonPlanner,
)
from skstat.testing import check_forms
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 300)
GROUPS = np.repeat(np.arange(30), 10)


def guesses(share, seed):
    return np.where(np.random.default_rng(seed).random(300) < share, TRUTH, 1 - TRUTH)


A, B = guesses(0.9, 1), guesses(0.88, 2)
RISK = np.random.default_rng(4).random(300)
SCORES = np.random.default_rng(3).normal(0, 0.04, (2, 20))


def of_predictions(metric="accuracy", **more):
    noise = 0 if metric != "roc_auc" else RISK
    return skstat.compare_predictions(
        TRUTH,
        {"a": A + noise, "b": B + noise},
        metric=metric,
        n_resamples=200,
        random_state=0,
        **more,
    )


def of_datasets(test="auto"):
    return skstat.compare_scores(
        dict(zip("ab", SCORES, strict=True)), unit="dataset", test=test
    )


def of_splits():
    return skstat.compare_scores(
        {"a": SCORES[0][:10], "b": SCORES[1][:10]}, unit="split", n_train=90, n_test=10
    )


@pytest.fixture(scope="module")
def projected():
    X, y = load_breast_cancer(return_X_y=True)
    two = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    return skstat.compare_estimators(two, X, y, budget=10, random_state=0)


def test_right_and_wrong_answers_are_planned_exactly():
    table = AgreementTable(both=260, only_a=20, only_b=10, neither=10)
    report = skstat.mcnemar_test(table=[[260, 20], [10, 10]], names=("a", "b"))
    plan = report.plan(difference=0.03)
    assert isinstance(plan.planner, McNemarPlanner)
    share = law.binomtest(30, table.n_units).proportion_ci(0.6).high  # Clopper and Pearson's
    assert plan.planner.discordant == pytest.approx(share)
    assert report.plan(difference=0.03, limit=None).planner.discordant == pytest.approx(0.1)
    assert report.plan(difference=0.03, limit=None).n == 862


def test_the_difference_that_was_found_plays_no_part():
    plans = [
        skstat.mcnemar_test(table=[[200, b], [c, 70]], names=("a", "b")).plan(difference=0.05)
        for b, c in [(15, 15), (29, 1)]
    ]
    assert plans[0].n == plans[1].n


def test_any_metric_by_its_standard_error():
    report = of_predictions("roc_auc")
    plan = report.plan(difference=0.02)
    assert isinstance(plan.planner, PilotPlanner) and plan.unit == "row"
    limit = report.standard_error * math.sqrt(299 / law.chi2.ppf(0.2, 299))
    assert plan.planner.falls == pytest.approx(limit)
    z = law.norm.isf(0.025) + law.norm.ppf(0.8)
    assert plan.n == pytest.approx(300 * (z * limit / 0.02) ** 2, rel=0.01)
    drawn = of_predictions("f1")
    low, high = drawn.confidence_interval()
    assert drawn.plan(difference=0.02, limit=None).planner.falls == pytest.approx(
        (high - low) / (2 * 1.96), rel=0.2
    )


def test_groups_stay_as_large_as_they_are():
    plan = of_predictions(groups=GROUPS).plan(difference=0.03)
    assert plan.unit == "group" and "30 groups" in plan.notes[0]


def test_splits_have_a_limit_that_rows_have_not():
    report = of_splits()
    more = report.plan(difference=0.001, more="splits")
    assert isinstance(more.planner, SplitsPlanner) and more.n is None
    rows = report.plan(difference=0.001)
    assert rows.unit == "row" and rows.n > 100
    assert rows.planner.n_pilot == 100


def test_the_default_test_over_splits_falls_with_rows_and_its_instability_with_splits(
    projected,
):
    outcome = projected.outcome
    rows = projected.plan(difference=0.02, limit=None)
    error = math.hypot(outcome.sampling_error, outcome.instability_error)
    assert rows.planner.standard_error(569) == pytest.approx(error)
    assert rows.planner.standard_error(4 * 569) == pytest.approx(error / 2)
    splits = projected.plan(n=10, more="splits", limit=None)
    assert splits.planner.standard_error(10) == pytest.approx(error)
    assert splits.planner.standard_error(10**9) == pytest.approx(
        outcome.sampling_error, rel=1e-4
    )
    assert splits.floor > 2 * outcome.sampling_error


def test_data_sets():
    sd = np.std(SCORES[0] - SCORES[1], ddof=1)
    wilcoxon, sign = (
        of_datasets().plan(difference=0.05),
        of_datasets("sign").plan(difference=0.05),
    )
    assert isinstance(wilcoxon.planner, WilcoxonPlanner)
    assert isinstance(sign.planner, SignPlanner)
    assert wilcoxon.planner.sd == pytest.approx(sd * math.sqrt(19 / law.chi2.ppf(0.2, 19)))
    assert wilcoxon.n < sign.n


def test_seeds_and_rows():
    many = {
        name: np.array([guesses(share, 10 * k + 1000 * s) for k in range(4)])
        for s, (name, share) in enumerate([("a", 0.9), ("b", 0.8)])
    }
    report = skstat.compare_predictions(TRUTH, many, metric="accuracy", seeds="crossed")
    seeds = report.plan(n=10, more="seeds", limit=None)
    assert isinstance(seeds.planner, SeedsPlanner)
    assert seeds.planner.standard_error(4) == pytest.approx(report.standard_error)
    rows = report.plan(n=300, limit=None)
    assert rows.planner.standard_error(300) == pytest.approx(report.standard_error)
    assert rows.planner.beyond == "more seeds"


def test_a_margin_and_a_one_sided_comparison():
    report = skstat.mcnemar_test(table=[[260, 15], [15, 10]], names=("a", "b"))
    plan = report.plan(margin=0.02, limit=None)
    assert plan.n == 2141
    gate = skstat.mcnemar_test(
        table=[[260, 15], [15, 10]], names=("a", "b"), alternative="greater"
    ).plan(margin=0.02, limit=None)
    assert gate.n == 1546


def test_several_systems_are_planned_by_the_pair_that_varies_most():
    three = {"a": A, "b": B, "c": TRUTH}
    report = skstat.compare_predictions(
        TRUTH, three, metric="balanced_accuracy", n_resamples=200, random_state=0
    )
    plan = report.plan(difference=0.05)
    assert plan.planner.alpha == pytest.approx(0.05 / 3)
    assert "a and b" in " ".join(plan.notes)
    assert plan.n > report["a", "b"].plan(difference=0.05).n
    table = dict(zip("abc", [*SCORES, SCORES.mean(axis=0)], strict=True))
    assert skstat.compare_scores(table, unit="dataset").plan(difference=0.1).unit == "data set"


def test_restored_reports_are_planned_with_too(projected):
    for report in (of_predictions("roc_auc"), of_datasets(), of_splits(), projected):
        again = skstat.report_from_dict(report.to_dict())
        assert again.plan(difference=0.1).n == report.plan(difference=0.1).n


def test_a_comparison_that_is_not_valid_says_so_in_its_plan():
    sizes = {"unit": "split", "n_train": 90, "n_test": 10}
    scores = {"a": SCORES[0], "b": SCORES[1]}
    report = skstat.compare_scores(scores, **sizes, test="paired_t")
    assert any(doubt.weight == "invalid" for doubt in report.doubts)
    assert "not valid" in " ".join(report.plan(difference=0.05).notes)
    assert "not valid" not in " ".join(of_datasets().plan(difference=0.1).notes)


REFUSED = [
    ({}, "difference is missing"),
    ({"difference": 0.03, "more": "splits"}, "use 'rows'"),
    ({"difference": 0.03, "limit": 5}, "limit=5"),
    ({"difference": 0.03, "n": 100, "power": 0.8}, "all given"),
    ({"difference": 3.0}, "more than is possible"),
]


@in_one_test("arguments, message", REFUSED)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        of_predictions().plan(**arguments)


def test_observed_power_and_what_does_not_vary_are_refused_with_the_reason():
    with pytest.raises(TypeError, match="only restates the p-value"):
        of_predictions().plan(observed_power=True)
    same = skstat.compare_predictions(TRUTH, {"a": A, "c": A}, metric="f1")
    with pytest.raises(ValueError, match="nothing varied"):
        same.plan(difference=0.02)
    with pytest.raises(ValueError, match="test='paired_t'|margin= is not planned"):
        of_datasets().plan(margin=0.02)


def test_forms():
    for report in (of_predictions(), of_splits(), of_datasets()):
        check_forms(report.plan(difference=0.1))


def test_what_would_settle_a_margin_stands_in_the_details():
    few = skstat.mcnemar_test(table=[[869, 21], [19, 91]], names=("a", "b"), margin=0.01)
    assert few.verdict == "not inferior"
    n = few.plan(margin=0.01).n
    assert f"{n} rows show with power 0.80" in few.details and "Would take" in few.details
    assert "Would take" not in str(few)
    many = skstat.mcnemar_test(table=[[86900, 210], [190, 910]], names=("a", "b"), margin=0.01)
    assert many.verdict == "equivalent" and "Would take" not in many.details
    same = skstat.compare_predictions(TRUTH, {"a": A, "c": A}, metric="f1", margin=0.1)
    assert "Would take" not in same.details
    check_forms(few)
