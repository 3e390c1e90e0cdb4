"""margin= on every question that has one answer in the unit of a score."""

import inspect
import re
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import skstat
from tests.cases import Column, Untouched, in_one_test
from tests.fitting import DOORS

X, Y = load_breast_cancer(return_X_y=True)
DATASETS = {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine}
TREES = [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (2, 3)]
NAMED = {"deep": TREES[1], "flat": TREES[0]}
rng = np.random.default_rng(2)
TRUTH = rng.integers(0, 2, 200)
LABELS = {name: np.where(rng.random(200) < 0.9, TRUTH, 1 - TRUTH) for name in "ab"}
SEEDS = {
    name: [np.where(rng.random(200) < 0.9, TRUTH, 1 - TRUTH) for _ in range(3)] for name in "ab"
}
QUICK = {"random_state": 0, "cv": 3}

BY_SEED = {"a": [0.80, 0.82, 0.79, 0.81], "b": [0.80, 0.81, 0.80, 0.81]}
hits = partial(skstat.compare_predictions, TRUTH, metric="accuracy")
ASKS = {
    "paired_cv_ttest": partial(skstat.paired_cv_ttest, *TREES, X, Y, **QUICK),
    "five_by_two_cv_test": partial(skstat.five_by_two_cv_test, *TREES, X, Y, random_state=0),
    "compare_estimators": partial(skstat.compare_estimators, NAMED, X, Y, **QUICK),
    "compare_to_baseline": partial(skstat.compare_to_baseline, TREES[0], X, Y, **QUICK),
    "compare_scores": partial(skstat.compare_scores, BY_SEED, unit="seed"),
    "compare_predictions": partial(hits, predictions=LABELS),
    "compare_predictions, seeds": partial(hits, predictions=SEEDS, seeds="crossed"),
    "compare_over_datasets": partial(skstat.compare_over_datasets, NAMED, DATASETS, **QUICK),
    "binomial_test": partial(skstat.binomial_test, successes=70, n=100, constant=0.7),
}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_every_question_takes_a_margin(ask):
    report = ask(margin=0.9)
    assert report.margin == 0.9 and report.equivalence["pvalue"] > 0
    # Three data sets are too few to show it by ranks.
    few = report.unit == "dataset"
    assert report.verdict == ("undecided" if few else "equivalent")
    assert "the margin of 0.9" in report.conclusion
    without = ask()
    assert without.margin is None and "argin" not in without.conclusion
    # The difference has a sentence of its own: the whole one, or what the other leaves out.
    sentences = re.split(r"\.\s+|\.$", without.conclusion)
    short = "No significant difference was found (" in report.conclusion
    assert short or all(sentence in report.conclusion for sentence in sentences)
    evidence = re.search(r"\d+% interval[^;)]*; p [=<] [\d.]+\d", without.conclusion)
    assert evidence is None or evidence[0] in report.conclusion
    assert without.pvalue == report.pvalue


@in_one_test("ask", ASKS.values(), ids=ASKS)
@in_one_test("margin", [0, -1.0, float("nan"), "0.1 %"])
def test_margins_are_checked(ask, margin):
    with pytest.raises(ValueError, match="margin=.* must be a positive, finite number"):
        ask(margin=margin)


NEVER = [("a", Untouched()), ("b", Untouched())]
FITTING = [
    partial(ask, NEVER, X, Y)
    for name, ask in DOORS.items()
    if "margin" in inspect.signature(getattr(skstat, name)).parameters
]
BOTH = ["accuracy", "roc_auc"]


@in_one_test(
    "margin, scoring, message",
    [
        ({"f2": 0.1}, None, "margin names 'f2'.*use 'accuracy'"),
        (0.01, BOTH, r"margin=0.01 is one number for 2 metrics.*mapping of metric to margin"),
        ({"accuracy": 0.01, "f2": 0.1}, BOTH, "margin names 'f2'.*use 'accuracy', 'roc_auc'"),
        ({"accuracy": -0.01}, BOTH, r"margin\['accuracy'\]=-0.01 must be a positive"),
        ({}, BOTH, "margin is empty"),
    ],
)
def test_margins_that_do_not_fit_the_metrics_cost_no_fit(margin, scoring, message):
    for door in FITTING:
        with pytest.raises(ValueError, match=message):
            door(margin=margin, scoring=scoring)
    with pytest.raises(ValueError, match=message):
        skstat.compare_predictions(TRUTH, LABELS, metric=scoring or "accuracy", margin=margin)


def test_other_wrong_arguments_cost_no_fit():
    on_rows = partial(skstat.compare_predictions, TRUTH, LABELS, metric="accuracy")
    for n_jobs in ("two", 1.5, 0, True):
        for door in (*FITTING, on_rows):
            with pytest.raises(ValueError, match=f"n_jobs={n_jobs!r} must be a whole number"):
                door(n_jobs=n_jobs)
    for scoring in ("acuracy", ["f1", "acuracy"], {"x": "acuracy"}):
        with pytest.raises(ValueError, match="'acuracy' is unknown. Did you mean 'accuracy'"):
            skstat.compare_estimators(NEVER, X, Y, scoring=scoring)
    with pytest.raises(ValueError, match="confidence_level=0.5 must be above 0.5"):
        ASKS["compare_scores"](margin=1, confidence_level=0.5)
    three = {name: Untouched() for name in "abc"}
    for test in ("wilcoxon", "sign"):
        with pytest.raises(ValueError, match=r"max-t' compares mean differences, and the .*h"):
            skstat.compare_estimators(three, X, Y, test=test, adjustment="max-t")


def test_where_rows_are_tested_instead_a_margin_of_the_metric_stays():
    known = np.column_stack([Y, X])
    constant = skstat.compare_to_baseline(
        Column(), known, Y, scoring="balanced_accuracy", margin=0.1, **QUICK
    )
    # The balanced accuracy is better by 0.5 on every split; rows have an accuracy.
    assert constant.metric == "accuracy" and constant.margin is None
    assert "The margin is in balanced_accuracy, so it cannot be" in str(constant.conclusion)


def test_where_no_direction_is_known_nobody_is_called_not_inferior():
    steps = np.tile([0.01, -0.01], 6)
    scores = {"a": 0.5 + steps / 2, "b": 0.507 - steps, "c": 0.51 - steps}
    options = {"unit": "seed", "margin": 0.012, "control": "a"}
    known = skstat.compare_scores(scores, scoring="accuracy", **options)
    assert known.against("b")["a"].verdict == "not inferior"
    unknown = skstat.compare_scores(scores, scoring="zorp", **options)
    assert unknown.against("b")["a"].verdict == "undecided"
    assert "not inferior" not in str(unknown)
