"""Doubts about predictions on one test set: what raises each, and what does not."""

import math
import re

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn import metrics as sk
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import average_precision_score, f1_score, log_loss
from sklearn.model_selection import GridSearchCV

import skstat
from skstat import stats
from skstat.report import report_from_dict
from tests.cases import Column, codes, doubt_of, text_of
from tests.comparison.systems import BINARY, GROUPS, LABELS, SCORES, SEEDS, N, Y, ask
from tests.predicted import unlike


def test_doubts(rng):
    assert "SKS107" in codes(ask(metric="f1_macro", groups=GROUPS // 2))
    assert "SKS107" not in codes(ask(metric="f1_macro", groups=GROUPS))
    few = slice(0, 15)
    short = {name: p[few] for name, p in LABELS.items()}
    drawn = {"metric": "f1_macro", "test": "paired_bootstrap"}
    assert "SKS107" in codes(ask(Y[few], short, **drawn))
    assert "SKS107" not in codes(ask(**drawn))
    # The interval of the permutation test is its own, unless another is asked for.
    assert "SKS107" not in codes(ask(Y[few], short, metric="f1_macro"))
    assert "SKS107" in codes(ask(Y[few], short, metric="f1_macro", interval="bca"))
    blocks = np.repeat(rng.random(60) < 0.5, 5)
    alike = {"a": np.where(blocks, Y, -1), "b": LABELS["tree"]}
    assert "SKS111" in codes(ask(predictions=alike, metric="f1_macro"))
    assert "SKS111" not in codes(ask(predictions=alike, metric="f1_macro", groups=GROUPS))
    assert "SKS111" not in codes(ask(metric="f1_macro"))
    rare = np.arange(N) < 10
    found = ask(rare.astype(int), SCORES, metric="roc_auc", test="delong")
    assert "SKS128" in codes(found)
    assert "SKS128" not in codes(ask(BINARY, SCORES, metric="roc_auc"))
    perfect = {"a": BINARY + 0.0, "b": SCORES["tree"]}
    assert "SKS202" in codes(ask(BINARY, perfect, metric="roc_auc"))
    for test in ("paired_permutation", "paired_bootstrap"):
        by_test = {"metric": "roc_auc", "test": test}
        assert "SKS202" in codes(ask(BINARY, perfect, **by_test))
        assert "SKS202" not in codes(ask(BINARY, SCORES, **by_test))
        identical = {"a": BINARY + 0.0, "b": BINARY + 0.0}
        assert "SKS202" not in codes(ask(BINARY, identical, **by_test))
    assert "SKS202" not in codes(ask(BINARY, SCORES, metric="roc_auc"))
    order = np.arange(N)
    assert "SKS115" in codes(ask(metric="accuracy", order=order, horizon=40))
    assert "SKS115" not in codes(ask(metric="accuracy", order=order, horizon=4))
    assert "SKS104" in codes(ask(metric="accuracy", order=order, test="sign_flip"))
    for test, in_blocks in (("paired_bootstrap", True), ("sign_flip", False)):
        notes = ask(metric="accuracy", order=order, horizon=4, test=test).design["notes"]
        assert "in time order" in notes
        assert any(note.startswith("blocks of ") for note in notes) == in_blocks
    assert "SKS104" not in codes(ask(metric="accuracy", order=order))


def drifting(correlation, rng, n=N):
    losses = rng.normal(size=(2, n))
    for t in range(1, n):
        losses[:, t] += correlation * losses[:, t - 1]
    return np.zeros(n), {"a": losses[0], "b": losses[1]}


def test_doubts_about_series_that_are_alike_for_long(rng):
    order = np.arange(N)
    for correlation in (0.97, 0.0):
        y, predictions = drifting(correlation, rng)
        for metric, test in (("neg_mean_absolute_error", "diebold_mariano"),
                             ("neg_mean_absolute_error", "paired_bootstrap"),
                             ("r2", "auto")):  # fmt: skip
            asked = {"metric": metric, "order": order, "test": test, "n_resamples": 200}
            truth = y + np.sin(order) * 1e-3
            found = ask(truth, predictions, **asked)
            assert ("SKS115" in codes(found)) == (correlation > 0)
    # With a horizon another case tells it, and shuffled rows know no neighbours.
    y, predictions = drifting(0.97, rng)
    asked = {"metric": "neg_mean_absolute_error", "test": "diebold_mariano"}
    found = ask(y, predictions, order=order, horizon=1, **asked)
    assert not any(doubt.text.startswith("neighbouring") for doubt in found.doubts)


def test_blocks_are_counted_and_not_their_rows(rng):
    y, predictions = drifting(0.0, rng, n=50)
    asked = {"metric": "neg_mean_absolute_error", "test": "paired_bootstrap"}
    report = ask(y, predictions, order=np.arange(50), **asked)
    said = "a bootstrap of 12 blocks of 4 instances tends"
    assert text_of(report, "SKS107").startswith(said)
    assert "SKS107" not in codes(ask(y, predictions, **asked))
    y, predictions = drifting(0.0, rng, n=200)
    assert "SKS107" not in codes(ask(y, predictions, order=np.arange(200), **asked))


def test_without_a_horizon_the_data_say_how_far_rows_depend_on_each_other():
    report = ask(metric="accuracy", order=np.arange(N))
    assert "long-run variance by cosines" in report.evidence.outcome.test
    d = (LABELS["nb"] == Y) * 1.0 - (LABELS["tree"] == Y)
    direct = stats.diebold_mariano(
        stats.PairedScores(d, np.zeros(N), unit="instance", ordered=True)
    )
    assert (report.pvalue, report.df) == (pytest.approx(direct.pvalue), direct.df)
    assert ask(metric="accuracy", order=np.arange(N), horizon=1).df == N - 1


def test_doubts_about_seeds_strata_and_directions():
    assert "SKS117" in codes(ask(predictions=SEEDS, metric="f1_macro", seeds="pooled"))
    by_group = {"metric": "f1_macro", "seeds": "crossed", "groups": GROUPS}
    assert "SKS107" in codes(ask(predictions=SEEDS, **by_group))
    many = {name: runs * 3 for name, runs in SEEDS.items()}
    assert "SKS107" not in codes(ask(predictions=many, **by_group))
    pairs = np.arange(N) // 2
    assert "SKS128" in codes(ask(metric="f1_macro", strata=pairs))
    assert "SKS128" not in codes(ask(metric="f1_macro", strata=Y))
    for pvalue, doubtful in (("berg-kirkpatrick", True), ("sign-reversal", True),
                             ("shift", False)):  # fmt: skip
        asked = {"metric": "f1_macro", "pvalue": pvalue, "n_resamples": 199}
        report = skstat.paired_bootstrap_test(Y, *LABELS.values(), **asked, random_state=0)
        assert ("SKS210" in codes(report)) == doubtful


def test_groups_of_unequal_size_count_as_fewer():
    # One group has half of the rows: 61 groups weigh as about 4.
    large = np.where(np.arange(N) < N // 2, 0, np.arange(N) // 2)
    report = ask(metric="accuracy", groups=large)
    assert report.test.startswith("paired permutation test")
    assert "76 groups of unequal size, which weigh as 3.9 of one size" in str(report.choice)
    said = "76 groups (which weigh as 3.9 of one size) are few"
    assert said in text_of(report, "SKS107")
    even = ask(metric="accuracy", groups=np.arange(N) // 4)
    assert even.test.startswith("clustered t test")
    assert "SKS107" not in codes(even)
    choice = skstat.recommend_test("predictions", metric="accuracy", groups=large)
    assert choice.name == "paired_permutation"
    choice = skstat.recommend_test("predictions", metric="accuracy", groups=76)
    assert choice.name == "clustered_t"


@pytest.mark.parametrize("metric, test, raised", [
    ("balanced_accuracy", "auto", True),
    ("f1_macro", "paired_bootstrap", True),
    ("matthews_corrcoef", "auto", True),
    (sk.cohen_kappa_score, "auto", True),
    ("roc_auc", "paired_permutation", True),
    ("f1_weighted", "auto", False),
    ("f1_micro", "auto", False),
    ("accuracy", "auto", False),
    ("f1", "auto", True),
    ("precision", "auto", True),
    ("recall", "paired_bootstrap", True),
    ("average_precision", "auto", True),
    ("neg_log_loss", "auto", True),
    ("neg_brier_score", "auto", True),
])  # fmt: skip
def test_a_rare_class_is_told_by_metrics_of_classes(metric, test, raised, rng):
    for positives in (9, 10):
        y = (np.arange(N) < positives).astype(int)
        scores = {"a": np.clip(y + rng.normal(size=N), 0.1, 0.9), "b": rng.uniform(0.1, 0.9, N)}
        if metric not in ("roc_auc", "average_precision", "neg_log_loss", "neg_brier_score"):
            scores = {name: (score > 0.5).astype(int) for name, score in scores.items()}
        asked = {"metric": metric, "test": test, "n_resamples": 199}
        found = " ".join(doubt.text for doubt in ask(y, scores, **asked).doubts)
        assert ("the rarest class has" in found) == (raised and positives < 10)


@pytest.mark.parametrize("test", ["paired_permutation", "paired_bootstrap"])
def test_a_row_that_decides_is_told(test, rng):
    y = rng.normal(size=N)
    outputs = {"a": y + rng.normal(size=N), "b": y + rng.normal(size=N)}
    asked = {"metric": "r2", "test": test, "n_resamples": 199}
    assert "SKS129" not in codes(ask(y, outputs, **asked))
    outputs["a"][7] += 40
    report = ask(y, outputs, **asked)
    assert text_of(report, "SKS129").startswith("a single instance makes up ")
    # A group that decides, and a test that is not resampled.
    assert "SKS129" in codes(ask(y, outputs, groups=GROUPS, **asked))
    by_row = {"metric": "neg_mean_squared_error", "test": "paired_t"}
    assert "SKS129" not in codes(ask(y, outputs, **by_row))
    # Few rows that differ have a doubt of their own.
    few = {"a": y.copy(), "b": y.copy()}
    few["a"][:3] += 1
    found = codes(ask(y, few, **asked))
    assert "SKS125" in found and "SKS129" not in found


def test_a_system_that_is_the_truth_is_doubted():
    truth = np.arange(40) % 3
    near = np.where(np.arange(40) % 5, truth, 0)
    far = np.where(np.arange(40) % 2, truth, 1)
    seeded = {"gold": [truth, near], "b": [near, far]}
    for report in (
        ask(truth, {"gold": truth, "b": near}, metric="accuracy"),
        ask(truth * 1.5, {"gold": truth * 1.5, "b": near}, metric="r2"),
        skstat.binomial_test(truth, truth, constant=0.5, name="gold"),
        skstat.cochran_q_test(truth, {"far": far, "gold": truth, "b": near}),
        ask(truth, seeded, metric="accuracy", seeds="average"),
    ):
        said = text_of(report, "SKS138")
        assert re.search("predictions of gold(, seed 1)? equal y_true", said)
    assert "SKS138" not in codes(skstat.mcnemar_test(truth, near, far))


def test_areas_without_variance_are_tested_by_swaps():
    y = np.tile([0, 1], 20)
    perfect = y + np.linspace(0, 0.1, 40)
    near = y + np.random.default_rng(0).normal(size=40)
    drawn = {"metric": "roc_auc", "n_resamples": 9999}
    for other in (-perfect, np.full(40, 0.5)):
        report = ask(y, {"perfect": perfect, "other": other}, **drawn)
        assert "permutation" in report.test and report.pvalue < 0.001
        assert "areas show no variance" in str(report.choice)
        # Asked by name, the test has nothing to say, and says so.
        named = skstat.delong_test(y, perfect, other)
        assert np.isnan(named.pvalue) and np.isnan(named.confidence_interval()).all()
        assert named.conclusion.startswith("No test is possible between A and B: both ")
        text = {doubt.code: doubt.text for doubt in named.doubts}
        assert "neither p nor interval exist" in text["SKS202"]
        several = {"perfect": perfect, "other": other, "near": near}
        family = ask(y, several, **drawn)
        assert not np.isnan(family.pairs.column("pvalue")).any()
        assert np.isnan(skstat.delong_test(y, several)["perfect", "other"].pvalue)
    report = skstat.compare_predictions(y, {"perfect": perfect, "near": near}, metric="roc_auc")
    assert "DeLong" in report.test


def test_a_long_horizon_makes_long_blocks():
    report = ask(metric="f1_macro", order=np.arange(N), horizon=20)
    assert "blocks of 20 rows" in " ".join(report.assumptions)


# Few rows of a class, few units and ties


FUNCTIONS = {
    "f1": f1_score,
    "average_precision": average_precision_score,
    "neg_log_loss": lambda y, p: -log_loss(y, p),
}


def jackknife(y, predictions, score):
    """Difference of the scores and its standard error, without each row."""
    n = len(y)
    kept = [np.delete(np.arange(n), row) for row in range(n)]
    a, b = predictions.values()
    without = np.array([score(y[rows], a[rows]) - score(y[rows], b[rows]) for rows in kept])
    error = math.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))
    return score(y, a) - score(y, b), error


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_an_interval_is_no_shorter_than_student_t_of_the_rarest_class(metric, rng):
    y, predictions = unlike(rng)
    estimate, error = jackknife(y, predictions[metric], FUNCTIONS[metric])
    reach = student.isf(0.025, 7) * error
    asked = {"metric": metric, "n_resamples": 199}
    for test in ("paired_permutation", "paired_bootstrap"):
        report = ask(y, predictions[metric], test=test, **asked)
        low, high = report.evidence.outcome.confidence_interval()
        assert not report.pvalue < 0.05
        assert low <= estimate - reach + 1e-9 and high >= estimate + reach - 1e-9
        restored = report_from_dict(report.to_dict())
        assert restored.confidence_interval() == report.confidence_interval()
        assert "Student's t of 7 degrees" in " ".join(report.evidence.outcome.assumptions)


def test_intervals_of_several_systems_are_no_shorter(rng):
    y, predictions = unlike(rng)
    three = {**predictions["f1"], "C": (y + (rng.random(200) < 0.05)) % 2}
    report = ask(y, three, metric="f1")
    estimate, error = jackknife(y, predictions["f1"], f1_score)
    low, high = report["A", "B"].confidence_interval()
    reach = student.isf(0.025, 7) * error
    assert low < estimate - reach and high > estimate + reach


def test_probabilities_of_few_rows_of_a_class_or_of_heavy_tails_are_doubted(rng):
    y, predictions = unlike(rng, positives=19)
    asked = {"n_resamples": 199, "rope": 0.01}
    for metric in ("f1", "neg_log_loss", "average_precision"):
        found = ask(y, predictions[metric], metric=metric, **asked)
        assert "SKS128" in codes(found)
    y, predictions = unlike(rng, positives=40)
    assert "SKS128" not in codes(ask(y, predictions["f1"], metric="f1", **asked))
    truth = rng.normal(size=100)
    systems = {"A": truth + rng.normal(size=100) / 3, "B": truth + rng.normal(size=100) / 3}
    assert "SKS128" not in codes(ask(truth, systems, metric="r2", **asked))
    systems["B"][7] += 12
    found = ask(truth, systems, metric="r2", **asked)
    assert "a single instance makes up" in text_of(found, "SKS128")
    systems["C"] = truth + rng.normal(size=100) / 3
    assert "SKS128" in codes(ask(truth, systems, metric="r2", **asked))


# Accuracies that are about those of always naming the largest class

RNG = np.random.default_rng(3)
RARE = (np.arange(N) % 10 == 0).astype(int)  # nine of ten rows are of class 0
GUESS = np.zeros(N, dtype=int)
NEAR = np.where(np.arange(N) % 97 == 1, 1, 0)  # four more errors: within a standard error
GOOD = np.where(np.arange(N) % 50 == 3, 1 - RARE, RARE)
CODE = "SKS304"


X = np.column_stack([GUESS, NEAR, GOOD])
ESTIMATORS = {"guess": Column(0), "near": Column(1), "good": Column(2)}
PREDICTIONS = {"guess": GUESS, "near": NEAR, "good": GOOD}


def of(given, names):
    return {name: given[name] for name in names}


def by_predictions(names, **options):
    return ask(RARE, of(PREDICTIONS, names), metric="accuracy", **options)


def by_counts(names):
    counts = stats.Predictions(RARE, of(PREDICTIONS, names), counts=np.ones(N, dtype=int))
    return skstat.compare_predictions(counts, metric="accuracy", random_state=0)


def by_seeds(names):
    runs = {name: [PREDICTIONS[name], np.roll(PREDICTIONS[name], 10)] for name in names}
    return ask(RARE, runs, metric="accuracy", seeds="crossed")


def by_splits(names):
    asked = {"scoring": {"acc": "accuracy"}, "random_state": 0}
    return skstat.compare_estimators(of(ESTIMATORS, names), X, RARE, **asked)


@pytest.mark.parametrize("door", [by_predictions, by_counts, by_seeds, by_splits])
def test_systems_that_are_as_good_as_the_largest_class_are_doubted_once(door):
    for names, weight, said in (
        (["guess", "near"], "weak", "guess and near are right on"),
        (["good", "guess"], "note", "guess is right on 90.0 %"),
        (["guess", "near", "good"], "note", "guess and near are right on"),
    ):
        found = doubt_of(door(names), CODE)
        assert found.weight == weight and said in found.text
        assert "largest class is right on 90.0 % of the 300 rows" in found.text


def test_the_headline_says_it_beside_equivalent():
    report = by_predictions(["guess", "near"], margin=0.05)
    assert report.verdict == "equivalent"
    assert f"Both are about as good as guessing ({CODE})." in str(report.conclusion)
    assert skstat.report_from_dict(report.to_dict()).conclusion == report.conclusion
    good = {"one": GOOD, "two": np.where(np.arange(N) % 50 == 4, 1 - RARE, RARE)}
    alike = ask(RARE, good, metric="accuracy", margin=0.05)
    assert alike.verdict == "equivalent" and CODE not in alike.conclusion


def test_searches_whose_targets_are_known():
    features = RNG.normal(size=(N, 2))
    search = GridSearchCV(RidgeClassifier(), {"alpha": [1, 10]}, cv=3).fit(features, RARE)
    report = skstat.compare_search_candidates(search, features, RARE)
    assert doubt_of(report, CODE).weight == "weak"
