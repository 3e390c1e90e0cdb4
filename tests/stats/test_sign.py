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


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.sampled_from(ALTERNATIVES))
def test_pvalue_is_scipys_without_the_ties(differences, alternative):
    wins = sum(d > 0 for d in differences)
    losses = sum(d < 0 for d in differences)
    outcome = sign(paired(differences), alternative=alternative)
    assert (outcome.statistic, outcome.by_itself.turned().statistic) == (wins, losses)
    assert outcome.estimate == np.median(differences)
    expected = 1.0
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)


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


def test_a_level_that_is_reached_exactly_is_enough():
    # Six units: P(all on one side) = 1/64 at either end.
    ordered = np.arange(1.0, 7)
    outcome = sign(paired(ordered))
    assert outcome.confidence_interval(1 - 2 / 64) == (1, 6)
    assert outcome.confidence_interval(1 - 2 / 65) == (-math.inf, math.inf)
