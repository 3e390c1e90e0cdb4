"""What few units, ties and duplicates must not do to joint laws, margins and choices."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest

from skstat import compare_scores, stats
from skstat.stats import PairedScores, ScoreTable, equivalence
from tests.contract import check_report


def codes(report):
    return [doubt.code for doubt in report.doubts]


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


@pytest.mark.long
def test_ordered_tables_are_not_told_apart_by_chance():
    wrong = 0
    for seed in range(60):
        scores = np.random.default_rng(seed).normal(size=(20, 4))
        table = ScoreTable(scores, systems="abcd", unit="instance", ordered=True)
        found = compare_scores(table, adjustment="max-t", random_state=seed)
        wrong += min(found.pairs.column("adjusted")) < 0.05
    assert wrong <= 8  # 17 % without the tails of Student's t


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
