"""Plans from reports: what varied is taken, what was found is not."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as law
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.stats import PairedScores
from tests.cases import in_one_test
from tests.contract import check_forms

TRUTH = np.random.default_rng(0).integers(0, 2, 300)


def guesses(share, seed):
    return np.where(np.random.default_rng(seed).random(300) < share, TRUTH, 1 - TRUTH)


A, B = guesses(0.9, 1), guesses(0.88, 2)
RISK = np.random.default_rng(4).random(300)
SCORES = np.random.default_rng(3).normal(0, 0.04, (2, 20))
SPLITS = {"unit": "split", "n_train": 90, "n_test": 10}


def of_predictions(metric="accuracy", others=(), **more):
    noise = 0 if metric != "roc_auc" else RISK
    outputs = {"a": A + noise, "b": B + noise, **dict(others)}
    how = {"metric": metric, "n_resamples": 200, "random_state": 0}
    return skstat.compare_predictions(TRUTH, outputs, **how, **more)


def of_scores(n=20, **design):
    return skstat.compare_scores({"a": SCORES[0][:n], "b": SCORES[1][:n]}, **design)


def of_datasets():
    return of_scores(unit="dataset")


def of_splits():
    return of_scores(10, **SPLITS)


def of_counts(both, a, b, neither, **more):
    table = [[both, a], [b, neither]]
    return skstat.mcnemar_test(table=table, names=("a", "b"), **more)


def refused(report, message, error=ValueError, **asked):
    with pytest.raises(error, match=message):
        report.plan(**asked)


def test_right_and_wrong_answers_are_planned_exactly():
    report = of_counts(260, 20, 10, 10)
    plan = report.plan(difference=0.03)
    share = law.binomtest(30, 300).proportion_ci(0.6).high  # Clopper and Pearson's
    assert plan.planner.assumed["discordant"] == pytest.approx(share)
    estimated = report.plan(difference=0.03, limit=None)
    assert estimated.planner.assumed["discordant"] == pytest.approx(0.1) and estimated.n == 862
    # The difference that was found plays no part.
    one, other = of_counts(200, 15, 15, 70), of_counts(200, 29, 1, 70)
    assert one.plan(difference=0.05).n == other.plan(difference=0.05).n


def test_seeds_and_rows():
    many = {
        name: np.array([guesses(share, 10 * k + 1000 * s) for k in range(4)])
        for s, (name, share) in enumerate([("a", 0.9), ("b", 0.8)])
    }
    report = skstat.compare_predictions(TRUTH, many, metric="accuracy", seeds="crossed")
    seeds = report.plan(n=10, more="seeds", limit=None)
    assert seeds.planner.standard_error(4) == pytest.approx(report.standard_error)
    assert report.plan(n=300, limit=None).planner.beyond == "more seeds"


def test_a_comparison_that_is_not_valid_says_so_in_its_plan():
    report = of_scores(**SPLITS, test="paired_t")
    assert any(doubt.weight == "invalid" for doubt in report.doubts)
    assert "(SKS101)" in " ".join(report.plan(difference=0.05).notes) and not line_of(report)
    assert "not valid" not in " ".join(of_datasets().plan(difference=0.1).notes)


def test_observed_power_and_what_does_not_vary_are_refused_with_the_reason():
    refused(of_predictions(), "only restates the p-value", observed_power=True, error=TypeError)
    same = skstat.compare_predictions(TRUTH, {"a": A, "c": A}, metric="f1", margin=0.1)
    refused(same, "nothing varied", difference=0.02)
    assert not line_of(same)
    refused(of_datasets(), "test='paired_t'|margin= is not planned", margin=0.02)


def test_forms_and_restored_reports():
    two = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    X, y = load_breast_cancer(return_X_y=True)
    projected = skstat.compare_estimators(two, X, y, budget=10, random_state=0)
    for report in (of_predictions("roc_auc"), of_datasets(), of_splits(), projected):
        plan = report.plan(difference=0.1)
        assert skstat.report_from_dict(report.to_dict()).plan(difference=0.1) == plan
        check_forms(plan)
        # What more training rows change is assumed, where there are some.
        assert len(plan.notes) == (2 if report.unit == "split" else 1)
        assert ("nothing here supports it" in " ".join(plan.notes)) == (report.unit == "split")
    assert len(projected.plan(n=40, more="splits").notes) == 1


def of_slices(**more):
    return of_predictions(by={"third": np.arange(300) % 3}, **more)


def test_metrics_are_planned_one_by_one_slices_by_all_rows_and_seeds_by_the_most_varying():
    report = of_predictions(["accuracy", "f1"])
    plans = report.plan(difference={"accuracy": 0.02, "f1": 0.05})
    assert plans["accuracy"].n == report["accuracy"].plan(difference=0.02).n
    assert plans["f1"].n == report["f1"].plan(difference=0.05).n
    refused(report, "give one for each", difference={"accuracy": 0.02})
    note = "of all rows; the report on a slice plans it by itself"
    two, three = of_slices(), of_slices(others={"c": guesses(0.5, 3)})
    for report in (two, three):
        plan = report.plan(difference=0.1)
        assert plan.n == report.overall.plan(difference=0.1).n and plan.notes[1] == note
    assert two["third=0"].plan(difference=0.1).n > 0
    many = {"a": np.array([A, guesses(0.9, 4)]), "b": np.array([B, guesses(0.6, 5)])}
    seeds = skstat.compare_predictions(TRUTH, many, metric="accuracy", seeds="per-seed")
    plan = seeds.plan(difference=0.05)
    assert plan.n == seeds[2].plan(difference=0.05).n and "for seed 2" in " ".join(plan.notes)


ITEMS = 150


def answered(n_answers, spread=0.3):
    """Scores by model, answer and item: answers to one vary by 1, items by `spread`."""
    rng = np.random.default_rng(0)
    of_items = [spread * rng.normal(size=ITEMS) for _ in range(2)]
    noise = rng.normal(size=(2, n_answers, ITEMS))
    return np.array(of_items)[:, None, :] + noise


def of_answers(n_answers=4, spread=0.3, lead=None, **more):
    scores = answered(n_answers, spread)
    if lead is not None:  # the same answers to three items, but for a constant
        scores = np.array([scores[0], scores[0] - lead])[..., :3]
    model, sample, item = (each.ravel() for each in np.indices(scores.shape))
    frame = {
        "model": np.array(["new", "old"])[model].tolist(),
        "question": item.tolist(),
        "sample": sample.tolist(),
        "score": scores.ravel().tolist(),
    }
    columns = {"system": "model", "item": "question", "repeat": "sample", "score": "score"}
    return skstat.compare_scores(frame, **columns, random_state=0, **more)


def test_more_answers_to_each_item_are_planned():
    report = of_answers()
    asked = {"difference": 0.3, "more": "answers", "limit": None}
    plan = report.plan(**asked)
    # By hand: what varies between answers falls with their number, the rest stays.
    scores = answered(4)
    between = scores.var(axis=1, ddof=1).mean(axis=1).sum() / 4 / ITEMS
    differences = scores.mean(axis=1)
    error = (differences[0] - differences[1]).std(ddof=1) / np.sqrt(ITEMS)
    for k in (1, 4, 7, 50):
        expected = np.sqrt(error**2 + between * (4 / k - 1))
        assert plan.planner.standard_error(k) == pytest.approx(expected, rel=0.01)
    assert plan.unit == "answer" and plan.planner.power(plan.n, 0.3) >= 0.8
    assert "answers of each system to each item" in " ".join(plan.notes)
    assert skstat.report_from_dict(json.loads(report.to_json())).plan(**asked) == plan
    message = "more='answers' is not possible here; use 'items'"
    refused(of_answers(1), message, difference=0.3, more="answers")
    # The cheapest way stands first.
    said = line_of(of_answers(spread=0.2, margin=0.12))
    assert "answers to each item (now 4) or about" in said
    # Where differences do not vary, more answers cannot lower their error.
    for lead in (0.0, 0.5):
        assert "answers to each item" not in line_of(of_answers(lead=lead, margin=0.6))


@in_one_test(
    ("options", "message"),
    [
        ({}, "difference is missing"),
        ({"difference": "much"}, "difference='much' must be a finite number"),
        ({"difference": 0.05, "n": [3]}, r"n=\[3\] must be a whole number"),
        ({"difference": 0.03, "more": "splits"}, "use 'rows'"),
        ({"difference": 0.03, "limit": 5}, "limit=5"),
        ({"difference": 0.03, "n": 100, "power": 0.8}, "all given"),
        ({"difference": 3.0}, "more than is possible"),
    ],
)
def test_a_wrong_argument_is_named(options, message):
    for report in (of_predictions(), of_predictions(["accuracy", "f1"]), of_slices()):
        refused(report, message, **options)
        with pytest.raises(TypeError, match="plan takes no arguments by position and got 1"):
            report.plan(0.05)


def test_a_score_is_planned_by_its_standard_error():
    X, y = load_breast_cancer(return_X_y=True)
    report = skstat.estimate_performance(GaussianNB(), X, y, method="holdout", random_state=0)
    se, n = report.standard_error, report.n_units
    plan = report.plan(half_width=0.01, limit=None)
    assert plan.n == pytest.approx(n * (1.96 * se / 0.01) ** 2, rel=0.02)
    again = skstat.report_from_dict(report.to_dict())
    assert again.plan(half_width=0.01, limit=None) == plan
    refused(report, "comparisons of systems", margin=0.01)
    check_forms(plan)


def test_how_many_rows_give_an_interval_of_some_width():
    report = of_predictions("balanced_accuracy")
    plan = report.plan(half_width=0.01)
    assert plan.planner.half_width(plan.n) <= 0.01 < plan.planner.half_width(plan.n - 1)
    assert f"{plan.n} rows give a 95% interval of about ±0.01" in plan.conclusion
    assert plan.planner.power(plan.n, plan.difference) == pytest.approx(0.8)
    splits = of_splits()
    low = splits.plan(n=10**6, more="splits").planner.half_width(math.inf)
    none = splits.plan(half_width=low / 2, more="splits")
    assert none.n is None and "No number of splits" in none.conclusion
    check_forms(none)
    refused(report, "leave these out", half_width=0.01, n=100)
    refused(of_datasets(), "half_width= has no plan", half_width=0.01)


def line_of(report):
    """Return the line on what it would take, in one line; empty if there is none."""
    found = re.search(r"^To decide +(.*?)\n(?=\S)", str(report), flags=re.M | re.S)
    return "" if found is None else " ".join(found[1].split())


def test_undecided_reports_say_what_would_decide_them():
    report = of_counts(260, 16, 14, 10)
    half = float(f"{np.ptp(report.confidence_interval()) / 2:.1e}")
    n = report.plan(difference=half).n
    expected = f"about {round(n, -1)} rows (now 300) to show a difference of {half:g} "
    assert n < 1000 and line_of(report).startswith(expected)
    assert "half of the interval's width" in " ".join(report.details.split())
    assert "about" in report.to_markdown() and "To decide" in report.to_html()
    decided = of_counts(260, 40, 4, 10)
    assert decided.verdict == "better" and not line_of(decided)


def notes_at_two_sizes(*, gain, factor, n=300):
    """Plan from a difference and a standard deviation of one row that more rows change."""
    rng = np.random.default_rng(3)
    own, samples = rng.normal(0, 1, n), []
    for repeats, k, scale, shift in ((15, 2, 1.0, 0.0), (2, 10, factor, 0.5 * gain)):
        folds = np.array([rng.permutation(n) % k for _ in range(repeats)])
        noise = rng.normal(0, 1, (repeats, n))
        scores = scale * (own + noise) + shift
        samples.append(PairedScores.from_row_scores(scores, 0 * noise, folds))
    halves, sample = samples
    rows = replace(sample.rows, halves=halves.rows)
    report = skstat.compare_scores(replace(sample, rows=rows))
    return " ".join(report.plan(difference=1.0).notes)


def test_a_plan_of_more_rows_says_what_two_training_sizes_say_of_it():
    assert "no change was found" in notes_at_two_sizes(gain=0, factor=1)
    assert "the difference was" in notes_at_two_sizes(gain=2, factor=1)
    assert "changed by a factor of 1.5" in notes_at_two_sizes(gain=0, factor=1.5)
