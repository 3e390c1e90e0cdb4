"""Scores that exist already: runs, samples and bare numbers."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores, paired_cross_validate, stats
from skstat.stats import PairedScores, Scores
from tests.cases import in_one_test

rng = np.random.default_rng(1)
A = rng.normal(0.80, 0.02, 30)
B = rng.normal(0.79, 0.02, 30)


@pytest.fixture(scope="module")
def run(cancer):
    estimators = {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "linear": LogisticRegression(),
    }
    return paired_cross_validate(
        estimators, *cancer, scoring=["accuracy", "neg_log_loss"], random_state=4
    )


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset"])
def test_a_control_of_two_is_the_second(unit):
    plain = compare_scores({"a": A, "b": B}, unit=unit)
    assert compare_scores({"a": A, "b": B}, unit=unit, control="b").estimate == plain.estimate
    turned = compare_scores({"a": A, "b": B}, unit=unit, control="a")
    assert turned.names == ("b", "a")
    assert turned.estimate == pytest.approx(-plain.estimate)
    numbered = compare_scores({1: A, 2: B}, unit=unit, control=1)
    assert numbered.names == ("2", "1")
    with pytest.raises(ValueError, match="control='c' is not one of the systems"):
        compare_scores({"a": A, "b": B}, unit=unit, control="c")
    sample = PairedScores(A, B, unit=unit)
    assert compare_scores(sample, control="B").names == ("A", "B")
    with pytest.raises(ValueError, match="control='A' is the first system of this"):
        compare_scores(sample, control="A")


SAMPLES = [
    PairedScores(A, B, unit="instance"),
    Scores(A, unit="instance"),
]
NAMED = [
    {"a": A, "b": B, "c": A},
    stats.ScoreTable({"a": A, "b": B, "c": A}, unit="instance"),
    stats.SeedScores({"a": A, "b": B, "c": A}),
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_sample_has_no_names_to_choose_by(sample):
    constant = {"constant": 0.7} if isinstance(sample, Scores) else {}
    names = ("A",) if constant else ("A", "B")
    assert compare_scores(sample, random_state=0, **constant).names[: len(names)] == names
    with pytest.raises(ValueError, match="systems= describes systems that have names"):
        compare_scores(sample, systems=names, **constant)


@pytest.mark.parametrize("scores", NAMED, ids=lambda scores: type(scores).__name__)
def test_what_has_names_is_chosen_from(scores):
    unit = {"unit": "instance"} if isinstance(scores, dict) else {}
    assert compare_scores(scores, systems=("c", "b"), **unit).names == ("c", "b")


PAIRED = {"unit": "seed", "paired_seeds": True}


@in_one_test(
    "scores, options, message",
    [
        ({"a": A, "b": B}, {}, "unit is missing"),
        ({"a": A, "b": B[:5]}, PAIRED, "unequal numbers of scores"),
        (Scores(A, unit="seed"), {}, "give the constant"),
        ({"a": A}, {"unit": "seed", "constant": 1.0, "test": "wilcoxon"}, "paired_t"),
    ],
)
def test_wrong_arguments_are_named(scores, options, message):
    with pytest.raises(ValueError, match=message):
        compare_scores(scores, **options)


def test_run_shows_itself(run):
    assert "15x2-fold cross-validation" in repr(run)
    frame = pytest.importorskip("pandas") and run.to_frame()
    assert frame.shape == (90, 4)
    assert frame.loc[(3, "tree"), "accuracy"] == run.column("tree", "accuracy")[3]
    with pytest.raises(KeyError, match="no estimator 'forest'"):
        run.column("forest", "accuracy")
    with pytest.raises(ValueError, match="scoring is missing: this run has"):
        run.sample("bayes", "tree")


def test_a_run_against_a_constant(run):
    report = compare_scores(run, systems=("tree",), scoring="accuracy", constant=0.5)
    assert report.names == ("tree", "constant 0.5")
    known = run.scores_of("tree", metric="accuracy").against(0.5)
    assert report.pvalue == stats.projection_t(known).pvalue
    by_name = compare_scores(
        run, systems=("tree",), scoring="accuracy", constant=0.5, test="corrected_t"
    )
    assert by_name.test.startswith("corrected one-sample t test")
