"""What few rows of a class, few units and ties must not do to intervals and choices."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest
from scipy.stats import t as student
from sklearn.linear_model import Ridge
from sklearn.metrics import average_precision_score, f1_score, log_loss

from skstat import compare_estimators, compare_predictions, compare_scores, stats
from skstat.metrics import as_metric
from skstat.report import report_from_dict
from skstat.stats import (
    PairedPredictions,
    PairedScores,
    ScoreTable,
    equivalence,
    paired_bootstrap,
    paired_permutation,
)
from tests.cases import codes
from tests.contract import check_report


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
        sample = PairedPredictions(y, predictions["neg_log_loss"], as_metric("neg_log_loss"))
        if seed % 2:
            sample = PairedPredictions(
                y, dict(zip("AB", [*sample.outputs.values()][::-1], strict=True)), sample.metric
            )
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
    sample = PairedPredictions(y, predictions["f1"], as_metric("f1"))
    assert paired_permutation(sample, n_resamples=99, rng=0).law.spread is None
    y, predictions = unlike(rng, positives=19)
    sample = PairedPredictions(y, predictions["f1"], as_metric("f1"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 18
    # Right and wrong answers count alike, whatever the class.
    accuracy = PairedPredictions(y, predictions["f1"], as_metric("accuracy"))
    assert paired_permutation(accuracy, n_resamples=99, rng=0).law.spread is None
    # A hundred classes of five rows each are many rows.
    many = np.repeat(np.arange(100), 5)
    wrong = {name: np.where(rng.random(500) < 0.3, 0, many) for name in "AB"}
    sample = PairedPredictions(many, wrong, as_metric("f1_macro"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 99 * 4


@pytest.mark.long
def test_intervals_of_unlike_systems_hold_the_truth():
    """Of 300 test sets at most 24 miss: a rate of 0.05 does so with a chance above 0.99."""
    rng = np.random.default_rng(0)
    truth = 0.0
    y, predictions = unlike(rng, 400_000, 16_000)
    truth = -log_loss(y, predictions["neg_log_loss"]["A"])
    truth += log_loss(y, predictions["neg_log_loss"]["B"])
    missed = 0
    for _ in range(300):
        y, predictions = unlike(rng)
        sample = PairedPredictions(y, predictions["neg_log_loss"], as_metric("neg_log_loss"))
        low, high = paired_permutation(sample, rng=0).confidence_interval()
        missed += not low <= truth <= high
    assert missed <= 24


def test_probabilities_of_few_rows_of_a_class_or_of_heavy_tails_are_doubted(rng):
    y, predictions = unlike(rng, positives=19)
    ask = {"n_resamples": 199, "random_state": 0, "rope": 0.01}
    for metric in ("f1", "neg_log_loss", "average_precision"):
        assert "SKS128" in codes(
            compare_predictions(y, predictions[metric], metric=metric, **ask)
        )
    y, predictions = unlike(rng, positives=40)
    assert "SKS128" not in codes(compare_predictions(y, predictions["f1"], metric="f1", **ask))
    truth = rng.normal(size=100)
    systems = {"A": truth + rng.normal(size=100) / 3, "B": truth + rng.normal(size=100) / 3}
    assert "SKS128" not in codes(compare_predictions(truth, systems, metric="r2", **ask))
    systems["B"][7] += 12
    found = compare_predictions(truth, systems, metric="r2", **ask)
    (text,) = (doubt.text for doubt in found.doubts if doubt.code == "SKS128")
    assert "a single instance makes up" in text
    systems["C"] = truth + rng.normal(size=100) / 3
    assert "SKS128" in codes(compare_predictions(truth, systems, metric="r2", **ask))


def test_few_groups_are_more_for_several_systems_and_for_metrics_that_are_no_means(rng):
    y = rng.integers(0, 2, 300)
    labels = {name: np.where(rng.random(300) < 0.3, 1 - y, y) for name in "ABC"}
    two = {name: labels[name] for name in "AB"}
    ask = {"n_resamples": 199, "random_state": 0}
    for n_groups, metric, systems, raised in (
        (19, "accuracy", two, True),
        (20, "accuracy", two, False),
        (24, "f1", two, True),
        (25, "f1", two, False),
        (24, "accuracy", labels, True),
        (25, "accuracy", labels, False),
    ):
        groups = np.arange(300) % n_groups
        report = compare_predictions(y, systems, metric=metric, groups=groups, **ask)
        assert ("SKS107" in codes(report)) is raised, (n_groups, metric, len(systems))
    rows = {name: (label == y).astype(float) for name, label in labels.items()}
    known = {"group": np.arange(300) % 24, "unit": "instance"}
    pair = compare_scores({name: rows[name] for name in "AB"}, **known)
    assert "SKS107" not in codes(pair)
    assert "SKS107" in codes(compare_scores(rows, **known))


def test_r2_of_blocks_of_few_rows_is_doubted(rng):
    X = rng.normal(size=(72, 3))
    y = X.sum(axis=1) + rng.normal(size=72)
    two = {"a": Ridge(1.0), "b": Ridge(100.0)}
    ask = {"test": "block_jackknife_t", "random_state": 0}
    found = compare_estimators(two, X, y, scoring="r2", **ask)
    (text,) = (doubt.text for doubt in found.doubts if doubt.code == "SKS102")
    assert text.startswith("some score is of 9 rows only: r2 of so few")
    of_mean = compare_estimators(two, X, y, scoring="neg_mean_squared_error", **ask)
    assert "SKS102" not in codes(of_mean)


def test_ties_make_a_signed_rank_posterior_doubtful_up_to_eleven_data_sets():
    def asked(differences):
        scores = np.array(differences) / 100
        frame = {"A": 0.5 + scores, "B": np.full(len(scores), 0.5)}
        report = compare_scores(frame, unit="dataset", rope=0.0, random_state=0)
        return {doubt.code for doubt in report.doubts if "and a prior" in doubt.text}

    different = [3, -1, 4, 1.5, -5, 9, 2, 6]
    assert "SKS107" not in asked(different)
    assert "SKS107" in asked([*different[:-1], 0])  # a data set without a difference
    assert "SKS107" in asked([*different[:-1], -3])  # two differences of one size
    assert "SKS107" in asked([*different, 7, 8, 10, 0])  # eleven of twelve differ
    assert "SKS107" not in asked([*different, 7, 8, 10, 0, 11])


def test_a_margin_is_judged_by_the_comparison_and_not_by_the_joint_law():
    scores = 0.8 + np.random.default_rng(1).normal(size=(5, 3)) * 0.004
    table = ScoreTable(scores, systems="abc", unit="seed")
    for pair, test in zip(
        combinations(range(3), 2),
        compare_scores(table, margin=0.008, adjustment="max-t").evidence.equivalences,
        strict=True,
    ):
        a, b = scores[:, pair].T
        alone = equivalence(stats.paired_t(PairedScores(a, b, unit="seed")), 0.008)
        assert test.pvalue == alone.pvalue
        assert test.interval(0.05) == alone.interval(0.05)


@pytest.mark.parametrize("k, n", [(6, 3), (4, 4), (3, 12)])
def test_a_system_that_is_there_twice_changes_no_joint_law(k, n):
    rng = np.random.default_rng(k)
    scores = np.round(rng.normal(0.8, 0.1, (n, k)), 2)
    twice = np.column_stack([scores, scores[:, 1]])
    found = [
        compare_scores(s, unit="split", n_repeats=1, adjustment="max-t", random_state=0)
        for s in (scores, twice)
    ]
    for part in (found[0][pair[:2]] for pair in found[0].pairs):
        again = found[1][part.names]
        assert again.pvalue == part.pvalue
        assert again.adjusted_pvalue == pytest.approx(part.adjusted_pvalue, abs=0.03)
        assert again.adjusted_pvalue >= part.pvalue - 0.02
        wide, one = (np.diff(r.confidence_interval())[0] for r in (again, part))
        assert wide == pytest.approx(one, rel=0.12)


def test_of_few_seeds_p_and_interval_say_the_same():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(5, 3)) + np.array([0, 50, 100])
    found = compare_scores(
        scores, unit="seed", paired_seeds=True, adjustment="max-t", random_state=0
    )
    check_report(found)
    for pair in found.pairs:
        assert pair.adjusted < 0.001 and (pair.low > 0 or pair.high < 0)
    assert "SKS206" not in codes(found)
    few = compare_scores(scores, unit="instance", adjustment="max-t", random_state=0)
    check_report(few)
    assert few.smallest_pvalue == 2**-4
    assert "no rejection is possible with 5 instances" in few.conclusion
    assert "SKS217" in codes(few) and "SKS206" not in codes(few)
    holm = compare_scores(scores, unit="instance", adjustment="holm", random_state=0)
    for report, action in (
        (few, "use more instances"),
        (holm, "use more instances, or compare fewer systems"),
    ):
        (doubt,) = (found for found in report.doubts if found.code == "SKS217")
        assert doubt.action == action
    assert np.isinf([(pair.low, pair.high) for pair in few.pairs]).all()


def test_right_and_wrong_rows_against_a_constant_are_counted():
    right = np.r_[np.ones(48), np.zeros(2)]
    found = compare_scores(
        right, unit="instance", constant=0.9, alternative="greater", scoring="accuracy"
    )
    check_report(found)
    assert found.test == "exact binomial test"
    assert found.choice.situation == "constant-right-or-wrong"
    assert found.pvalue == pytest.approx(binomtest(48, 50, 0.9, "greater").pvalue)
    other = compare_scores(right + 0.5, unit="instance", constant=0.9)
    assert other.choice.situation == "constant-units"


@pytest.mark.parametrize("unit", ["instance", "group", "seed"])
def test_ordered_units_are_not_taken_for_independent(unit):
    values = np.random.default_rng(0).normal(size=40)
    found = compare_scores(PairedScores(values, values * 0, unit=unit, ordered=True))
    assert found.choice.situation == "instances-time-order"
    assert "Diebold" in found.test


def test_an_empty_interval_decides_nothing():
    # Differences that vary between the repeats alone: the F test rejects every shift.
    d = np.repeat([0.1, -0.09, 0.12, -0.1, 0.03], 2) + np.tile([1e-4, -1e-4], 5)
    found = compare_scores(PairedScores(d, d * 0, n_repeats=5), margin=0.5)
    check_report(found)
    assert math.isnan(found.confidence_interval().low) and found.pvalue < 0.05
    assert found.verdict == "undecided"
    tests = found.evidence.equivalence
    assert not tests.noninferior() and not tests.equivalent()
    assert found.against("B")["A"].verdict == "undecided"
