"""Scores that exist already: runs, samples and bare numbers."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores, paired_cross_validate, paired_cv_ttest, stats
from skstat.evaluation import FiveByTwo
from skstat.stats import PairedScores, Scores
from tests.cases import codes, in_one_test

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


def test_a_run_answers_any_number_of_questions(run, cancer):
    report = compare_scores(run, systems=("bayes", "tree"), scoring="accuracy")
    direct = paired_cv_ttest(
        GaussianNB(),
        DecisionTreeClassifier(random_state=0),
        *cancer,
        scoring="accuracy",
        random_state=4,
    )
    assert report.pvalue == direct.pvalue
    both = compare_scores(run, systems=("linear", "tree"))
    assert list(both) == ["accuracy", "log_loss"]
    assert both["log_loss"].lower
    naive = compare_scores(run, systems=("bayes", "tree"), scoring="accuracy", test="paired_t")
    assert naive.pvalue < report.pvalue
    assert codes(naive) == {"SKS101"}


def test_a_run_against_a_constant(run):
    report = compare_scores(run, systems=("tree",), scoring="accuracy", constant=0.5)
    assert report.names == ("tree", "constant 0.5")
    assert (
        report.pvalue
        == stats.one_sample_projection_t(run.scores_of("tree", metric="accuracy"), 0.5).pvalue
    )
    by_name = compare_scores(
        run, systems=("tree",), scoring="accuracy", constant=0.5, test="one_sample_t"
    )
    assert by_name.test.startswith("corrected one-sample t test")


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


def test_splits_need_their_sizes():
    with pytest.raises(ValueError, match="needs the sizes of the splits"):
        compare_scores({"a": A, "b": B}, unit="split")
    naive = compare_scores({"a": A, "b": B}, unit="split", test="paired_t")
    assert codes(naive) == {"SKS101"}
    sized = compare_scores({"a": A, "b": B}, n_train=200, n_test=100)
    assert sized.pvalue == stats.corrected_t(PairedScores(A, B, n_train=200, n_test=100)).pvalue
    folds = compare_scores({"a": A[:10], "b": B[:10]}, n_repeats=5)
    assert "5x2cv F" in folds.test
    repeated = compare_scores({"a": A, "b": B}, n_repeats=3)
    assert "SKS103" in codes(repeated)


def test_five_by_two_runs_get_the_projection_and_bare_scores_the_f_test(cancer):
    cv = FiveByTwo(stratify=True, random_state=0)
    run = paired_cross_validate([GaussianNB(), LogisticRegression()], *cancer, cv=cv)
    assert compare_scores(run).test == "projection t test on 5 x 2 folds"
    columns = {name: run.column(name) for name in run.names}
    assert "5x2cv F" in compare_scores(columns, n_repeats=5).test


def test_two_of_three_systems():
    table = {"a": A, "b": B, "c": A}
    assert compare_scores(table, unit="seed").evidence.names == ("a", "b", "c")
    assert compare_scores(table, unit="seed", systems=("c", "b")).names == ("c", "b")
    with pytest.raises(ValueError, match="must be two or more different ones of"):
        compare_scores(table, unit="seed", systems=("c", "d"))


SAMPLES = [
    PairedScores(A, B, unit="instance"),
    stats.SeedScores(A, B),
    Scores(A, unit="instance"),
]
NAMED = [
    {"a": A, "b": B, "c": A},
    stats.ScoreTable({"a": A, "b": B, "c": A}, unit="instance"),
    stats.SeedScoreTable({"a": A, "b": B, "c": A}),
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_sample_has_no_names_to_choose_by(sample):
    constant = {"constant": 0.7} if isinstance(sample, Scores) else {}
    names = ("A",) if constant else ("A", "B")
    assert compare_scores(sample, random_state=0, **constant).names[: len(names)] == names
    with pytest.raises(ValueError, match="has no names to choose by; a mapping"):
        compare_scores(sample, systems=names, **constant)


@pytest.mark.parametrize("scores", NAMED, ids=lambda scores: type(scores).__name__)
def test_what_has_names_is_chosen_from(scores):
    unit = {"unit": "instance"} if isinstance(scores, dict) else {}
    assert compare_scores(scores, systems=("c", "b"), **unit).names == ("c", "b")


def test_runs_name_their_estimators(run):
    with pytest.raises(ValueError, match=r"must be two or more different ones of \['bayes'"):
        compare_scores(run, systems=("bayes", "forest"))
    with pytest.raises(ValueError, match="'x'.*must be one of"):
        compare_scores(run, systems=("x",), constant=0.5)


def test_one_of_several_against_a_constant():
    scores = {"a": A, "b": B, "c": A}
    found = compare_scores(scores, unit="instance", systems=("b",), constant=0.7)
    alone = compare_scores({"b": B}, unit="instance", constant=0.7)
    assert found.to_dict() == alone.to_dict()
    assert compare_scores(A, unit="instance", constant=0.7).names == ("A", "constant 0.7")


PAIRED = {"unit": "seed", "paired_seeds": True}


@in_one_test(
    "scores, options, message",
    [
        ({"a": A, "b": B}, {}, "unit is missing"),
        ({"a": A, "b": B[:5]}, PAIRED, "30 scores and b has 5"),
        (np.ones((2, 2, 2)), {"unit": "seed"}, r"shape \(2, 2, 2\)"),
        (PairedScores(A, B, unit="seed"), {"n_train": 9}, "knows its units"),
        (Scores(A, unit="seed"), {}, "give the constant"),
        ({"a": A, "b": B}, {"unit": "seed", "constant": 1.0}, "a constant is compared with"),
        ({"a": A}, {"unit": "seed", "constant": 1.0, "test": "wilcoxon"}, "one_sample_t"),
        ({"a": A, "b": B}, {"unit": "seed", "scoring": ["x", "y"]}, "must be one name"),
        ({"a": A, "b": np.r_[B[:29], np.nan]}, {"unit": "seed"}, r"b\[29\] is nan"),
    ],
)
def test_wrong_arguments_are_named(scores, options, message):
    with pytest.raises(ValueError, match=message):
        compare_scores(scores, **options)


def test_constant_with_bare_scores():
    report = compare_scores({"mine": A}, n_train=200, n_test=100, constant=0.7, scoring="BLEU")
    assert report.names == ("mine", "constant 0.7")
    assert report.metric == "BLEU"
    assert report.pvalue == stats.one_sample_t(Scores(A, n_train=200, n_test=100), 0.7).pvalue
    assert compare_scores(A, unit="seed", constant=0.7).names[0] == "A"


def test_directions_that_disagree_are_doubted():
    many_small = [0.01] * 20 + [-0.2] * 2
    report = compare_scores({"a": many_small, "b": np.zeros(22)}, unit="instance")
    assert "SKS203" in codes(report)
    assert "favours b, but" in " ".join(doubt.text for doubt in report.doubts)


def test_run_shows_itself(run):
    assert "15x2-fold cross-validation" in repr(run)
    frame = pytest.importorskip("pandas") and run.to_frame()
    assert frame.shape == (90, 4)
    assert frame.loc[(3, "tree"), "accuracy"] == run.column("tree", "accuracy")[3]
    with pytest.raises(KeyError, match="no estimator 'forest'"):
        run.column("forest", "accuracy")
    with pytest.raises(ValueError, match="scoring is missing: this run has"):
        run.sample("bayes", "tree")
