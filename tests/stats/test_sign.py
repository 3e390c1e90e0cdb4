"""The sign test against SciPy's binomial test, tables and counting."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import PairedScores, sign
from tests.cases import in_one_test

ALTERNATIVES = ["two-sided", "less", "greater"]


def paired(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def counts(wins, losses, ties=0):
    return paired(np.repeat([1.0, -1.0, 0.0], [wins, losses, ties]))


def tail_of_coin(n, k):
    """P(heads <= k) in n flips."""
    return sum(math.comb(n, i) for i in range(k + 1)) / 2**n


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.sampled_from(ALTERNATIVES))
def test_pvalue_is_scipys_without_the_ties(differences, alternative):
    wins = sum(d > 0 for d in differences)
    losses = sum(d < 0 for d in differences)
    outcome = sign(paired(differences), alternative=alternative)
    assert (outcome.law.wins, outcome.law.losses, outcome.statistic) == (wins, losses, wins)
    assert outcome.estimate == np.median(differences)
    expected = 1.0
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("wins, losses", [(0, 7), (3, 9), (6, 6), (20, 5), (60, 41)])
def test_pvalue_by_counting(wins, losses):
    n = wins + losses
    at_most, at_least = tail_of_coin(n, wins), 1 - tail_of_coin(n, wins - 1)
    sample = counts(wins, losses, ties=4)
    assert sign(sample, alternative="less").pvalue == pytest.approx(at_most)
    assert sign(sample, alternative="greater").pvalue == pytest.approx(at_least)
    assert sign(sample).pvalue == pytest.approx(min(1, 2 * min(at_most, at_least)))


def test_w2_two_systems_on_a_hundred_items():
    # Both right on 54, only A on 18, only B on 6, neither on 22: exact McNemar.
    a = np.repeat([1, 1, 0, 0], [54, 18, 6, 22])
    b = np.repeat([1, 0, 1, 0], [54, 18, 6, 22])
    outcome = sign(PairedScores(a, b, unit="instance"))
    assert (outcome.law.wins, outcome.law.losses) == (18, 6)
    assert outcome.pvalue == pytest.approx(0.0227, abs=5e-5)


# Table of the sign test: the largest number of the rarer sign that is significant at
# 5 %, two-sided (Dixon & Mood 1946).
RARER_SIGN = {
    6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 1, 12: 2, 13: 2, 14: 2, 15: 3, 16: 3, 17: 4,
    18: 4, 19: 4, 20: 5, 21: 5, 22: 5, 23: 6, 24: 6, 25: 7,
}  # fmt: skip


@in_one_test("n, rarer", RARER_SIGN.items())
def test_limits_are_the_order_statistics_of_the_table(n, rarer):
    # Both limits cut off as many units as the table allows of the rarer sign.
    ordered = np.arange(1.0, n + 1) ** 2
    outcome = sign(paired(np.random.default_rng(n).permutation(ordered)))
    assert outcome.confidence_interval(0.95) == (ordered[rarer], ordered[-1 - rarer])


@in_one_test("alternative", ALTERNATIVES)
@in_one_test("level", [0.7, 0.9, 0.95, 0.99])
@in_one_test("n", [5, 8, 13])
def test_limits_are_the_shifts_scipy_just_keeps(n, level, alternative):
    differences = np.random.default_rng(n).normal(0.3, 1, n)
    low, high = sign(paired(differences), alternative=alternative).confidence_interval(level)

    def keeps(shift):
        wins = int(np.sum(differences > shift))
        return stats.binomtest(wins, n, alternative=alternative).pvalue > 1 - level

    for limit, inwards in ((low, 1e-9), (high, -1e-9)):
        far_out = -np.sign(inwards) * 1e9
        if math.isinf(limit):
            assert math.copysign(1, limit) == np.sign(far_out)
            assert keeps(far_out)
        else:
            assert keeps(limit + inwards)
            assert not keeps(limit - inwards)


def test_a_level_that_is_reached_exactly_is_enough():
    # Six units: P(all on one side) = 1/64 at either end.
    ordered = np.arange(1.0, 7)
    outcome = sign(paired(ordered))
    assert outcome.confidence_interval(1 - 2 / 64) == (1, 6)
    assert outcome.confidence_interval(1 - 2 / 65) == (-math.inf, math.inf)
