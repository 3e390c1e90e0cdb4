"""Scores that exist already, in any form; and those of fits over many data sets."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import ttest_ind
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_over_datasets, compare_scores, friedman_nemenyi, rank_systems, stats
from tests.cases import Untouched, refusals
from tests.contract import check_report

rng = np.random.default_rng(1)
A = rng.normal(0.80, 0.02, 30)
B = rng.normal(0.79, 0.02, 30)


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset"])
def test_a_control_of_two_is_the_second(unit):
    plain = compare_scores({"a": A, "b": B}, unit=unit)
    assert compare_scores({"a": A, "b": B}, unit=unit, control="b").estimate == plain.estimate
    turned = compare_scores({"a": A, "b": B}, unit=unit, control="a")
    assert turned.names == ("b", "a")
    assert turned.estimate == pytest.approx(-plain.estimate)
    assert compare_scores({1: A, 2: B}, unit=unit, control=1).names == ("2", "1")
    assert compare_scores(stats.PairedScores(A, B, unit=unit), control="B").names == ("A", "B")


THREE = {"a": A, "b": B, "c": A}
NAMED = [THREE, stats.ScoreTable(THREE, unit="instance"), stats.SeedScores(THREE)]


@pytest.mark.parametrize("scores", NAMED, ids=lambda scores: type(scores).__name__)
def test_what_has_names_is_chosen_from(scores):
    unit = {"unit": "instance"} if isinstance(scores, dict) else {}
    assert compare_scores(scores, systems=("c", "b"), **unit).names == ("c", "b")


PAIRED, BY_T = {"unit": "seed", "paired_seeds": True}, {"unit": "split", "test": "paired_t"}
PAIR, ONE = stats.PairedScores(A, B, unit="instance"), stats.Scores(A, unit="instance")
HAS_NAMES = "systems= describes systems that have names"
test_wrong_arguments_are_named = refusals([
    (partial(compare_scores, {"a": A, "b": B}), "unit is missing"),
    (partial(compare_scores, {"a": A, "b": B[:5]}, **PAIRED), "unequal numbers of scores"),
    (partial(compare_scores, stats.Scores(A, unit="seed")), "give the constant"),
    (partial(compare_scores, stats.Scores(A, groups=A > 0), constant=0.5), "ask stats.clust"),
    (partial(compare_scores, {"a": A}, unit="seed", constant=1.0, test="wilcoxon"), "paired_t"),
    (partial(compare_scores, PAIR, systems=("A", "B")), HAS_NAMES),
    (partial(compare_scores, ONE, systems=("A",), constant=0.7), HAS_NAMES),
    (partial(compare_scores, np.ones((9, 3)), **BY_T, adjustment="max-t"), "needs the joint"),
    (partial(compare_scores, PAIR, control="A"), "control='A' is the first system of this"),
])  # fmt: skip


# One score per seed: nothing pairs the seeds of two systems, unless it is said

SEEDS = {"a": A[:6], "b": B[:4], "c": A[6:11]}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_it_is_the_test_of_welch(alternative):
    found = compare_scores({"a": A[:6], "b": B[:4]}, unit="seed", alternative=alternative)
    expected = ttest_ind(A[:6], B[:4], equal_var=False, alternative=alternative)
    assert found.pvalue == pytest.approx(expected.pvalue)
    assert found.df == pytest.approx(expected.df)
    limits = expected.confidence_interval(0.95)
    assert found.confidence_interval() == pytest.approx((limits.low, limits.high))
    assert "6 and 4 seeds, not paired" in found.details
    check_report(found)


test_what_makes_no_sense_is_named = refusals([
    ({"test": "paired_t"}, "'paired_t' compares pairs.*paired_seeds=True"),
    ({"test": stats.wilcoxon}, "'wilcoxon' compares pairs"),
    ({"adjustment": "max-t"}, "unpaired.*adjustment='holm'"),
    ({"paired_seeds": "yes"}, "paired_seeds='yes' must be True or False"),
    ({"unit": "instance", "paired_seeds": True}, "say unit='seed'"),
], partial(compare_scores, SEEDS, unit="seed"))  # fmt: skip


def test_small_floats_go_into_json():
    scores = {"A": [0.7, 0.8, 0.9]}
    report = compare_scores(
        scores, unit="seed", constant=np.float32(0.7), confidence_level=np.float32(0.9)
    )
    assert "null" in report.to_json()


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset", "split"])
@pytest.mark.parametrize("size", [1e12, 2.0**52])
def test_exact_differences_count_however_small_they_are(unit, size):
    rng = np.random.default_rng(0)
    small = rng.integers(0, 4, (12, 3)) + np.array([3.0, 1.0, 0.0])
    how = {"n_train": 90, "n_test": 10} if unit == "split" else {"unit": unit}
    how |= {"paired_seeds": True} if unit == "seed" else {}
    for columns in ([0, 1], [0, 1, 2]):
        here, large = (
            compare_scores(part[:, columns], random_state=0, **how)
            for part in (small, small + size)
        )
        for column in ("estimate", "pvalue", "adjusted"):
            ours, theirs = (list(found.pairs.column(column)) for found in (large, here))
            assert ours == pytest.approx(theirs, rel=0.02, abs=0.01, nan_ok=True)
        assert "same" not in large.conclusion
    if unit != "split":
        ranked = rank_systems(small + size, unit=unit, random_state=0, n_resamples=99)
        assert ranked.systems.column("rank") == [1, 2, 3]


# Results of cross_validate, and frames

X, y = load_iris(return_X_y=True)
SYSTEMS = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
CV = ShuffleSplit(10, test_size=0.3, random_state=0)


def results(cv=CV, **options):
    options = {"cv": cv, "return_indices": True} | options
    return {name: cross_validate(one, X, y, **options) for name, one in SYSTEMS.items()}


def test_several_metrics():
    several = results(scoring=["accuracy", "f1_macro"])
    found = compare_scores(several)
    assert found.by == "metric" and list(found) == ["accuracy", "f1_macro"]
    assert "not adjusted for the number of metrics" in found.conclusion
    one = compare_scores(several, scoring="f1_macro")
    assert one.metric == "f1_macro" and one.estimate == found["f1_macro"].estimate
    margins = compare_scores(several, margin={"accuracy": 0.1})
    assert margins["accuracy"].margin == 0.1 and margins["f1_macro"].margin is None
    assert compare_scores(results(scoring=["neg_log_loss"])).lower


LONG = {
    "model": ["a", "b", "b", "a", "a", "b", "b", "a", "a", "b"],
    "question": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    "score": [0.9, 0.7, 0.7, 0.8, 0.6, 0.7, 0.8, 0.9, 0.85, 0.6],
}


FOLDS = {
    "dataset": np.repeat(list("vwxyz"), 6),
    "model": np.tile(np.repeat(["a", "b"], 3), 5),
    "fold": np.tile([0, 1, 2], 10),
    "acc": np.linspace(0.5, 0.9, 30) ** 2,
}


@pytest.mark.parametrize(("change", "options"), [
    ({}, {}),
    ({}, {"unit": "dataset"}),
    ({"dataset": "task", "model": "clf"}, {"unit": "dataset"}),
    ({"dataset": "task", "model": "clf", "fold": "run"}, {"unit": "dataset"}),
    ({"dataset": "problem"}, {"unit": "dataset", "system": "model"}),
    ({"model": "system", "fold": "estimator"}, {"unit": "dataset"}),
])  # fmt: skip
def test_the_call_that_an_error_writes_works(change, options):
    """What is said one error after the other ends in a comparison of the means."""
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(FOLDS).rename(columns=change)
    if "estimator" in frame:
        frame["estimator"] = frame["estimator"].astype(str)
    call, report = "compare_scores(frame, **options)", None
    known = {"compare_scores": compare_scores, "frame": frame, "options": options}
    for _ in range(4):
        try:
            report = eval(call, known)
        except ValueError as error:
            call = re.search(r"compare_scores\(frame, [^)]*\)", str(error))[0]
    means = frames.DataFrame(FOLDS).pivot_table(index="dataset", columns="model", values="acc")
    assert report.pvalue == compare_scores(means, unit="dataset").pvalue
    assert report.unit == "dataset" and report.metric == "acc"


WIDE = {"question": [1, 2, 3], "a": [0.8, 0.7, 0.9], "b": [0.7, 0.75, 0.8]}


def test_texts_that_are_numbers_may_be_notes():
    assert compare_scores(WIDE | {"note": ["1", "2", "3"]}, item="question").names == ("a", "b")


def long(change):
    """A frame whose columns are others, or not there."""
    columns = LONG | change
    return {name: values for name, values in columns.items() if values is not None}


RESULTS, NUMBERS = results(), LONG["question"]
BAYES, OF_FIVE = RESULTS["bayes"], results(KFold(5))["stump"]
OTHER = results(ShuffleSplit(10, test_size=0.3, random_state=1))["stump"]
SCORES, OF_SETS = {"a": [0.8, 0.9], "b": [0.7, 0.8]}, {"unit": "dataset"}
test_what_is_not_clear_is_refused_with_what_to_write = refusals([
    ({"scores": {"bayes": BAYES, "stump": OTHER}}, "'bayes' and 'stump' were not fitted on"),
    ({"scores": {"bayes": BAYES, "stump": OF_FIVE}}, "were not fitted on the same splits"),
    ({"scores": results(scoring=["r2"]), "scoring": "recall"}, "the metrics are r2"),
    ({"scores": RESULTS, "unit": "dataset"}, "cross_validate are scores of splits"),
    ({"scores": RESULTS, "n_train": 105}, "n_train is known"),
    ({"scores": BAYES}, "a comparison needs two"),
    ({"scores": {"a": BAYES, "b": [0.5] * 10}}, r"\['b'\] is not a result of cross_validate"),
    *(
        ({"scores": long(change), **options}, words)
        for change, options, words in (
            ({"question": None, "dataset": NUMBERS, "seed": NUMBERS}, {},
             r"'dataset' and 'seed' may each say.*\(frame, unit='dataset'\)"),
            ({"method": ["x", "y"] * 5}, {}, r"may each say whose score.*system='model'\)"),
            ({"score": None, "bleu": ["high"] * 10}, {}, "'bleu' looks like the score.*'high'"),
            ({"question": None}, {}, "no column is called like what a score is on"),
            ({"question": [*NUMBERS[:-1], 6]}, {}, "has no score on instance"),
            ({}, {"system": "who"}, "system='who' is not a column; there are"),
            ({}, {"unit": "split"}, "no column is called like what a score is on"),
        )
    ),
    ({"scores": SCORES | {"dataset": ["v", "w"], "c": [0.5, "-"]}, **OF_SETS}, "column 'c'"),
    ({"scores": SCORES, **OF_SETS, "score": "accuracy"}, "the metric is scoring='accuracy'"),
    ({"scores": WIDE | {"c": ["0.8", "0.7", "1"]}, "item": "question"},
     "column 'c' holds numbers that are texts, such as"),
], compare_scores)  # fmt: skip


# Tables: worked numbers, names of tests, and gaps


def random_table(n, k, *, gap=0.02, seed=0, **options):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.6, 0.9, (n, 1)) - gap * np.arange(k) + rng.normal(0, 0.02, (n, k))
    return stats.ScoreTable(scores, unit="dataset", **options)


def test_worked_numbers():
    # Ranks of three systems on four data sets, as scores.
    scores = {"A": [9, 9, 9, 9], "B": [8, 7, 8, 8], "C": [7, 7, 7, 7]}
    worked = stats.ScoreTable(scores, unit="dataset")
    assert worked.ranks.tolist() == [[1, 2, 3], [1, 2.5, 2.5], [1, 2, 3], [1, 2, 3]]
    report = compare_scores(worked, test="nemenyi")
    assert report.systems.column("mean_rank") == [1.0, 2.125, 2.875]
    assert report.critical_difference == pytest.approx(1.657, abs=5e-4)
    assert [{*pair[:2]} for pair in report.pairs if pair.verdict != "undecided"] == [{*"AC"}]
    assert report.groups == [("A", "B"), ("B", "C")]
    assert report.systems.column("letters") == ["a", "ab", "b"]


@pytest.mark.parametrize("post_hoc", ["wilcoxon", "sign", "nemenyi", "quade"])
@pytest.mark.parametrize("n", [7, 30, 49])
def test_float_noise_changes_nothing(n, post_hoc):
    right = np.random.default_rng(n).binomial(n, [0.7, 0.75, 0.8, 0.9], size=(12, 4))
    given = compare_scores(right, unit="dataset", test=post_hoc)
    for scores in (right / n, 1 - (n - right) / n, right / n + 0.1 - 0.1):
        report = compare_scores(scores, unit="dataset", test=post_hoc)
        ranks = (one.evidence.sample.ranks.tolist() for one in (report, given))
        assert next(ranks) == next(ranks) and report.pvalue == given.pvalue
        assert report.pairs.column("adjusted") == given.pairs.column("adjusted")
        assert report.verdicts == given.verdicts


def test_functions_take_the_place_of_names():
    table = random_table(12, 3)
    assert compare_scores(table, test=partial(stats.friedman, statistic="chi2")).df == 2
    quade = partial(stats.friedman, ranking="quade")
    for test, of_pairs in ((quade, "Wilcoxon"), ("quade", "weighted mean rank")):
        report = compare_scores(table, test=test)
        assert "Quade" in report.omnibus["test"] and of_pairs in report.test
    pairs = partial(stats.pairwise, test=stats.paired_t, adjustment="hochberg")
    report = compare_scores(table, test=pairs)
    assert report.adjustment == "hochberg" and "Friedman" in report.omnibus["test"]
    check_report(report)
    with pytest.raises(TypeError, match="returned float, not PairwiseOutcome"):
        compare_scores(table, test=lambda table: 0.5)


def test_a_pair_without_a_common_data_set():
    scores = random_table(12, 3).scores.copy()
    scores[:6, 2] = scores[6:, 1] = np.nan
    table = stats.ScoreTable(scores, unit="dataset")
    with pytest.raises(ValueError, match="'system 2' and 'system 3' have scores on no"):
        compare_scores(table, test="skillings_mack")
    report = compare_scores(table, test="skillings_mack", control="system 1")
    assert report.pairs.column("n") == [6, 6]
    check_report(report)


def test_a_function_decides_itself():
    table, pairs = random_table(12, 3), partial(stats.pairwise, test=stats.wilcoxon)
    for options in ({"control": "system 1"}, {"alternative": "less"}, {"adjustment": "holm"}):
        with pytest.raises(ValueError, match="a function of yours decides these itself"):
            compare_scores(table, test=pairs, **options)
    report = compare_scores(table, test=partial(pairs, control="system 1"))
    assert report.control == "system 1"


def test_every_pair_keeps_the_direction_that_a_function_asked_it_in():
    def ask(table):
        found = stats.pairwise(table, stats.paired_t)
        first = stats.paired_t(table.pair(*found.pairs[0]), alternative="greater")
        return replace(found, outcomes=[first, *found.outcomes[1:]])

    report = compare_scores(random_table(8, 3, gap=-0.1), test=ask)  # the last is the best
    assert report.pairs.column("toward") == [1, -1, -1]


test_wrong_questions_are_refused_by_name = refusals([
    ({"test": "friedmann"}, "unknown; .* of all systems such as 'friedman'"),
    ({"test": "holm"}, "adjusted is asked by adjustment=: bonferroni, sidak, holm"),
    ({"test": "wilcoxonn"}, "such as 'wilcoxon'.* Did you mean 'wilcoxon'"),
    ({"test": "pairwise"}, "test='pairwise' is unknown"),
    ({"test": "nemenyi", "adjustment": "holm"}, "an adjustment of its own; leave"),
    ({"adjustment": "max-t"}, "not available over data sets; use one of 'auto', "),
    ({"test": "corrected_t"}, "corrected_t corrects for overlapping splits"),
    ({"test": "nemenyi", "control": "system 1"}, "use 'bonferroni_dunn'"),
    ({"test": "bonferroni_dunn"}, "compares with a control; name it"),
    ({"test": "nemenyi", "alternative": "greater"}, "two-sided only"),
    ({"adjustment": "shaffer", "control": "system 1"}, "needs all pairs"),
], partial(compare_scores, random_table(6, 3)))  # fmt: skip


TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
FOUR = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "tree": TREE, "stump": STUMP}
QUICK = {"cv": 3, "random_state": 0, "verbose": False}


@pytest.fixture(scope="module")
def datasets(cancer):
    """Ten small data sets: parts of the cancer data."""
    parts = [slice(start, start + 54) for start in range(0, 200, 20)]
    return {str(part): tuple(values[part] for values in cancer) for part in parts}


@pytest.fixture(scope="module")
def report(datasets):
    return compare_over_datasets(FOUR, datasets, **QUICK)


def test_a_run_answers_other_questions_without_a_fit(report):
    assert compare_scores(report.evidence.run).to_dict() == report.to_dict()
    nemenyi = compare_scores(report.evidence.run, test="nemenyi")
    assert nemenyi.systems.column("mean_rank") == report.systems.column("mean_rank")
    assert nemenyi.critical_difference == pytest.approx(2.569 * np.sqrt(20 / 60), rel=1e-3)
    control = compare_scores(report.evidence.run, control="stump", alternative="greater")
    assert {*control.pairs.column("second")} == {"stump"}
    with pytest.raises(ValueError, match="take run.table"):
        compare_scores(report.evidence.run, systems=("bayes", "tree"))


def test_a_control_is_compared_by_bonferroni_and_dunn(datasets):
    report = friedman_nemenyi(FOUR, datasets, control="stump", confidence_level=0.9, **QUICK)
    assert report.test == "Bonferroni-Dunn test" and report.control == "stump"
    assert report.critical_difference == pytest.approx(2.128 * np.sqrt(20 / 60), rel=1e-3)
    assert report.confidence_level == 0.9


def test_the_classical_question(tmp_path):
    X, y = load_wine(return_X_y=True)
    estimators = {
        "nb": GaussianNB(),
        "rf": RandomForestClassifier(5, random_state=0),
        # Newton's method converges on unscaled wine, whatever the processor.
        "lr": LogisticRegression(solver="newton-cholesky"),
    }
    two = {"iris": load_iris, "wine": (X, y)}
    ask = partial(friedman_nemenyi, estimators, two, n_jobs=-1, memory=tmp_path, **QUICK)
    report = ask()
    check_report(report)
    assert report.test == "Nemenyi test" and report.evidence.names == ("nb", "rf", "lr")
    assert "no rejection is possible with 2 data sets" in report.conclusion
    assert any(tmp_path.iterdir())
    again = ask()  # from the memory, which is no part of the answer
    assert again.to_dict() == report.to_dict()


def test_fits_are_not_lost_when_the_scores_suit_no_test(datasets):
    class Failing(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("out of memory")

    estimators = {"nb": GaussianNB(), "ridge": RidgeClassifier(), "big": Failing()}
    with pytest.raises(ValueError, match="big lacks 10 of them.*out of memory") as caught:
        compare_over_datasets(estimators, datasets, cv=3, error_score="collect")
    assert "attribute `run`" in caught.value.__notes__[0]
    table = caught.value.run.table()
    assert compare_scores(table.pair("nb", "ridge")).n_units == len(datasets)


NEVER = {name: Untouched() for name in "abc"}
test_wrong_questions_are_refused_before_the_first_fit = refusals([
    ({"test": "friedmann"}, "'auto', a function, or one of .*Did you mean 'friedman'"),
    ({"test": "wilcoxon"}, "not a test of several systems"),
    ({"post_hoc": "corrected_t"}, "corrected_t corrects for overlapping splits"),
    ({"post_hoc": "conover", "margin": 0.1}, "margin=0.1 is in the unit of the score"),
    ({"alternative": "less", "post_hoc": "nemenyi"}, "two-sided only"),
    ({"estimators": [Untouched()]}, "estimators holds 1, and a comparison needs two"),
], partial(compare_over_datasets, estimators=NEVER,
           datasets=dict.fromkeys("uvwxyz", load_iris)))  # fmt: skip
