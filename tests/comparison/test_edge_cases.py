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
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    five_by_two_cv_test,
    paired_cv_ttest,
)
from skstat.evaluation import RepeatedHalves
from skstat.stats import PairedScores
from tests.cases import codes, in_one_test

NB = GaussianNB()
TREE = DecisionTreeClassifier(random_state=0)
rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    "unit, test, how",
    [
        ("instance", "sign", "on more instances than the reverse: the median difference"),
        ("dataset", "auto", "by the signed ranks of single data sets: the pseudo-median"),
    ],
)
def test_the_statistic_names_the_winner_when_the_median_is_zero(unit, test, how):
    a = np.r_[np.ones(25), np.zeros(75)]
    report = compare_scores({"A": a, "B": np.zeros(100)}, unit=unit, test=test)
    assert (report.estimate, report.verdict) == (0, "better")
    assert report.conclusion.startswith(f"A scores higher than B {how}")
    back = compare_scores({"B": np.zeros(100), "A": a}, unit=unit, test=test)
    assert back.verdict == "worse"
    assert back.conclusion.startswith("A scores higher than B")


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)])
def test_a_column_of_targets_is_a_vector(shape):
    y = (np.arange(150) % 3 == 0).astype(int)
    X = y[:, np.newaxis] * 10.0 + rng.normal(size=(150, 1)) * 0.1
    report = compare_to_baseline(TREE, X, y.reshape(shape), random_state=0)
    assert report.estimate == pytest.approx(1 / 3)
    assert report.test.startswith("projection t test")
    assert report.verdict == "better"


def test_different_default_scores_are_no_difference(cancer):
    with pytest.raises(ValueError, match="scoring is missing.*accuracy.*r2"):
        paired_cv_ttest(LogisticRegression(), LinearRegression(), *cancer)
    search = GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring="roc_auc", cv=3)
    with pytest.raises(ValueError, match="'roc_auc'"):
        paired_cv_ttest(search, NB, *cancer)
    with pytest.raises(ValueError, match="scoring is missing"):
        compare_to_baseline(NB, *cancer, strategy=DummyRegressor())
    assert compare_to_baseline(AdaBoostClassifier(n_estimators=2), *cancer).metric == "accuracy"


@pytest.mark.parametrize("strategy, share", [("uniform", 0.5), ("stratified", 0.5)])
def test_row_by_row_guessing_is_an_expectation_too(strategy, share):
    y = np.arange(60) % 2
    cv = RepeatedHalves(15, stratify=True, balanced=True, random_state=0)
    report = compare_to_baseline(TREE, y[:, np.newaxis], y, strategy=strategy, cv=cv)
    assert report.estimate == pytest.approx(1 - share)


def test_metrics_of_one_name_are_refused(cancer):
    twice = [make_scorer(f1_score, pos_label=1), make_scorer(f1_score, pos_label=0)]
    for scoring in (twice, ["accuracy", "accuracy"]):
        with pytest.raises(ValueError, match="names a metric twice.*dict"):
            paired_cv_ttest(NB, TREE, *cancer, scoring=scoring)


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


def test_forms_agree_on_an_interval_that_does_not_exist():
    d = np.array([0.1, 0.101, -0.1, -0.101, 0.1, 0.1, -0.1, -0.1, 0.01, 0.01])
    report = compare_scores({"A": 0.8 + d, "B": np.full(10, 0.8)}, n_repeats=5)
    assert "differ in score, but the test shows no direction or size" in report.conclusion
    for text in (str(report), report.to_markdown(), report.to_html()):
        assert "none exists" in text and "few units" not in text
    assert r"\infty" not in report.to_latex()


def test_small_floats_go_into_json():
    scores = {"A": [0.7, 0.8, 0.9]}
    report = compare_scores(
        scores, unit="seed", constant=np.float32(0.7), confidence_level=np.float32(0.9)
    )
    assert "null" in report.to_json()


@pytest.mark.long
def test_doubts_are_no_false_alarms(cancer):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    guess = compare_to_baseline(NB, *cancer, strategy="uniform", cv=cv)
    assert codes(guess) == {"SKS303"}  # the majority class would score higher
    assert not any("baseline" in text for text in guess.ignored_variance)
    assert "SKS401" not in codes(paired_cv_ttest(SVC(), NB, *cancer, cv=3))
    pruned = DecisionTreeClassifier(min_samples_leaf=60, random_state=0)
    old = paired_cv_ttest(NB, pruned, *cancer, cv=cv, correction="nadeau-bengio")
    assert "SKS103" in codes(old)
    inner = GridSearchCV(NB, {"var_smoothing": [1e-9]}, cv=StratifiedShuffleSplit(2))
    assert "SKS401" in codes(paired_cv_ttest(inner, NB, *cancer, cv=3, scoring="accuracy"))
    unseeded = paired_cv_ttest(NB, TREE, *cancer, cv=StratifiedShuffleSplit(3))
    assert "random_state=None in cv" in " ".join(doubt.text for doubt in unseeded.doubts)
    rare = (np.arange(240) % 10 == 0).astype(int)
    uniform = compare_to_baseline(NB, cancer[0], rare, strategy="uniform", random_state=0)
    assert "SKS304" not in codes(uniform)
    assert "SKS304" in codes(compare_to_baseline(NB, cancer[0], rare, random_state=0))


def test_seeds_are_those_that_exist(cancer):
    X, y = cancer[0][:40], cancer[1][:40]
    assert "random_state" not in paired_cv_ttest(NB, TREE, X, y, cv=LeaveOneOut()).design
    cv = StratifiedShuffleSplit(3, random_state=np.random.RandomState(0))
    assert " at 0x" not in paired_cv_ttest(NB, TREE, X, y, cv=cv).to_json()
    assert five_by_two_cv_test(NB, TREE, X, y, random_state=7).design["random_state"] == 7


def test_dummies_of_one_strategy_are_numbered(cancer):
    constants = [DummyClassifier(strategy="constant", constant=c) for c in (0, 1)]
    report = compare_to_baseline(NB, *cancer, strategy=constants, random_state=0)
    assert report.pairs.column("second") == ("constant baseline 1", "constant baseline 2")
    named = compare_to_baseline(NB, *cancer, strategy=["most_frequent", 0.5], random_state=0)
    assert named["most_frequent baseline"].names == ("GaussianNB", "most_frequent baseline")


X, Y = load_iris(return_X_y=True)
PAIR = partial(paired_cv_ttest, NB, TREE, X, Y)
HALVES = partial(five_by_two_cv_test, NB, TREE, X, Y)
TWO = partial(compare_estimators, [NB, TREE], X, Y)
PARTS = [(np.arange(9) + 0.9, np.arange(9, 20) + 0.9)] * 3


@in_one_test(
    "call, message",
    [
        (partial(paired_cv_ttest, NB, TREE, X[:0], Y[:0]), "X has no rows"),
        (partial(paired_cv_ttest, NB, TREE, X, np.array([1, "a"] * 75, object)), "^y "),
        (partial(paired_cv_ttest, SVC(kernel="precomputed"), NB, X, Y), "X must be a square"),
        (partial(compare_estimators, NB, X, Y), "estimators must be a mapping"),
        (partial(TWO, test="five_by_two_f"), "five_by_two_cv_test makes such splits"),
        (partial(TWO, test=lambda sample, **options: 3, cv=3), "test=.* returned int"),
        (partial(PAIR, correction="bouckaert"), "Pass cv=RepeatedStratifiedKFold"),
        (partial(HALVES, alternative="greater"), "^alternative='greater': the F statistic has"),
        (
            partial(PAIR, cv=StratifiedShuffleSplit),
            "cv is the class Stratified.*; pass",
        ),
        (partial(PAIR, cv=PARTS), "split 0 names rows by float64"),
        (partial(PAIR, cv=[(np.arange(9) > 4, np.arange(9) < 5)] * 3), "mask of split 0 has 9"),
        (
            partial(PAIR, cv=[([0, 1, 2], [3])] * 2 + [([-1, 2], [3, 4])]),
            "split 2 names row -1",
        ),
    ],
)
def test_messages_name_what_was_wrong(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_mixed_lists_and_array_labels(cancer):
    report = compare_estimators([NB, ("t", TREE)], *cancer, cv=3)
    assert report.names == ("GaussianNB", "t")


def test_five_by_two_without_variance_inside_repeats():
    d = np.repeat([0.1, -0.1, 0.1, -0.1, 0.0], 2)
    report = compare_scores(PairedScores(0.5 + d, np.full(10, 0.5), n_repeats=5))
    assert np.isnan(report.pvalue) and "SKS202" in codes(report)


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


def test_float_noise_is_still_no_difference():
    shares = np.random.default_rng(0).integers(300, 900, (20, 3)) / 1000
    noisy = shares[:, [0]] + np.array([0.0, 0.1, 0.2]) - [0.0, 0.1, 0.2]
    assert (noisy != noisy[:, [0]]).any()
    for unit in ("instance", "seed", "dataset"):
        report = skstat.compare_scores(noisy, unit=unit, paired_seeds=unit == "seed")
        assert not any(report.pairs.column("estimate"))
        assert set(report.pairs.column("adjusted")) == {1}


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset"])
@pytest.mark.parametrize("where", [np.s_[3, :], np.s_[3, 0], np.s_[3, 2]])
@pytest.mark.parametrize("size", [1e9, 1e12])
def test_one_row_that_is_much_larger(unit, where, size):
    scores = np.random.default_rng(1).normal(size=(20, 3)) / 100 + [0.8, 0.81, 0.85]
    scores[where] += size
    how = {"paired_seeds": True} if unit == "seed" else {}
    skstat.compare_scores(scores, unit=unit, random_state=0, **how)
    ranked = skstat.rank_systems(scores, unit=unit, random_state=0, n_resamples=99)
    assert ranked.adjustment == "max-t"
    assert np.isfinite(ranked.pairs.column("adjusted")).all()
    if where == np.s_[3, :]:  # what all have in common changes nothing but the digits
        rest = skstat.rank_systems(
            np.delete(scores, 3, axis=0), unit=unit, random_state=0, n_resamples=99
        )
        assert ranked.systems.column("rank") == rest.systems.column("rank")


# Areas without variance


def test_a_large_row_whose_differences_are_partly_noise():
    for seed in range(6):  # by chance: some differences of the row are noise, and some are not
        scores = np.random.default_rng(seed).normal(size=(8, 4))
        scores[0] += 1e10
        for unit in ("instance", "seed"):
            skstat.rank_systems(scores, unit=unit, random_state=0, n_resamples=49)
