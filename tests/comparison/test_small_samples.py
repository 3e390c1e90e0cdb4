"""What few rows of a class, few units and ties must not do to intervals and choices."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.metrics import average_precision_score, f1_score, log_loss

from skstat import compare_predictions, compare_scores, stats
from skstat.metrics import as_metric
from skstat.report import report_from_dict
from skstat.stats import (
    PairedScores,
    Predictions,
    ScoreTable,
    equivalence,
    paired_bootstrap,
    paired_permutation,
)
from tests.cases import codes, text_of


def unlike(rng, n=200, positives=8):
    """Two systems that err in unlike ways, by labels, scores and probabilities."""
    y = (np.arange(n) < positives).astype(int)
    a, b = rng.normal(size=(2, n))
    a, b = a + 1.6 * y, np.where(y == 1, 2.2 + 2 * b, b)
    scores = {"A": a, "B": b}
    labels = {"A": (a > 1.9).astype(int), "B": (b > 1.2).astype(int)}
    chances = {name: 1 / (1 + np.exp(2.5 - score)) for name, score in scores.items()}
    return y, {"f1": labels, "average_precision": scores, "neg_log_loss": chances}


SCORES = {
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


@pytest.mark.parametrize("metric", SCORES)
def test_an_interval_is_no_shorter_than_student_t_of_the_rarest_class(metric, rng):
    y, predictions = unlike(rng)
    estimate, error = jackknife(y, predictions[metric], SCORES[metric])
    reach = student.isf(0.025, 7) * error
    asked = {"metric": metric, "n_resamples": 199, "random_state": 0}
    for test in ("paired_permutation", "paired_bootstrap"):
        report = compare_predictions(y, predictions[metric], test=test, **asked)
        low, high = report.evidence.outcome.confidence_interval()
        assert not report.pvalue < 0.05
        assert low <= estimate - reach + 1e-9 and high >= estimate + reach - 1e-9
        restored = report_from_dict(report.to_dict())
        assert restored.confidence_interval() == report.confidence_interval()
        said = " ".join(report.evidence.outcome.assumptions)
        assert "Student's t of 7 degrees" in said


def test_intervals_of_several_systems_are_no_shorter(rng):
    y, predictions = unlike(rng)
    three = {**predictions["f1"], "C": (y + (rng.random(200) < 0.05)) % 2}
    report = compare_predictions(y, three, metric="f1", n_resamples=999, random_state=0)
    estimate, error = jackknife(y, predictions["f1"], f1_score)
    low, high = report["A", "B"].confidence_interval()
    reach = student.isf(0.025, 7) * error
    assert low < estimate - reach and high > estimate + reach


def test_what_the_test_says_of_0_the_longer_interval_says_too():
    """Systems on which the permutation test and Student's t disagree, on either side of 0."""
    found = set()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        y, predictions = unlike(rng)
        sample = Predictions(y, predictions["neg_log_loss"], as_metric("neg_log_loss"))
        if seed % 2:
            turned = dict(zip("AB", [*sample.outputs.values()][::-1], strict=True))
            sample = Predictions(y, turned, sample.metric)
        outcome = paired_permutation(sample, n_resamples=199, rng=0)
        low, high = outcome.confidence_interval()
        assert (low > 0 or high < 0) == (outcome.pvalue < 0.05)
        reach = student.isf(0.025, 7) * outcome.law.spread.error
        if outcome.pvalue < 0.05 and abs(outcome.estimate) < reach:
            found.add(np.sign(outcome.estimate))
            far = high if outcome.estimate > 0 else -low
            assert far >= abs(outcome.estimate) + reach - 1e-9
            assert min(abs(low), abs(high)) < 1e-6 * outcome.law.spread.error
    assert found == {-1, 1}


def test_enough_rows_of_every_class_change_nothing(rng):
    y, predictions = unlike(rng, positives=20)
    sample = Predictions(y, predictions["f1"], as_metric("f1"))
    assert paired_permutation(sample, n_resamples=99, rng=0).law.spread is None
    y, predictions = unlike(rng, positives=19)
    sample = Predictions(y, predictions["f1"], as_metric("f1"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 18
    # Right and wrong answers count alike, whatever the class.
    accuracy = Predictions(y, predictions["f1"], as_metric("accuracy"))
    assert paired_permutation(accuracy, n_resamples=99, rng=0).law.spread is None
    # A hundred classes of five rows each are many rows.
    many = np.repeat(np.arange(100), 5)
    wrong = {name: np.where(rng.random(500) < 0.3, 0, many) for name in "AB"}
    sample = Predictions(many, wrong, as_metric("f1_macro"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 99 * 4


def test_probabilities_of_few_rows_of_a_class_or_of_heavy_tails_are_doubted(rng):
    y, predictions = unlike(rng, positives=19)
    ask = {"n_resamples": 199, "random_state": 0, "rope": 0.01}
    for metric in ("f1", "neg_log_loss", "average_precision"):
        found = compare_predictions(y, predictions[metric], metric=metric, **ask)
        assert "SKS128" in codes(found)
    y, predictions = unlike(rng, positives=40)
    assert "SKS128" not in codes(compare_predictions(y, predictions["f1"], metric="f1", **ask))
    truth = rng.normal(size=100)
    systems = {"A": truth + rng.normal(size=100) / 3, "B": truth + rng.normal(size=100) / 3}
    assert "SKS128" not in codes(compare_predictions(truth, systems, metric="r2", **ask))
    systems["B"][7] += 12
    found = compare_predictions(truth, systems, metric="r2", **ask)
    assert "a single instance makes up" in text_of(found, "SKS128")
    systems["C"] = truth + rng.normal(size=100) / 3
    assert "SKS128" in codes(compare_predictions(truth, systems, metric="r2", **ask))


def test_a_margin_is_judged_by_the_comparison_and_not_by_the_joint_law():
    scores = 0.8 + np.random.default_rng(1).normal(size=(5, 3)) * 0.004
    table = ScoreTable(scores, systems="abc", unit="seed")
    for pair, test in zip(
        combinations(range(3), 2),
        compare_scores(table, margin=0.008, adjustment="max-t").evidence.equivalence,
        strict=True,
    ):
        a, b = scores[:, pair].T
        alone = equivalence(stats.paired_t(PairedScores(a, b, unit="seed")), 0.008)
        assert test.pvalue == alone.pvalue
        assert test.interval(0.05) == alone.interval(0.05)
