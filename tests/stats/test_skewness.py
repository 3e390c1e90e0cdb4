"""Skewness of differences of right and wrong answers: counted, and by its definition."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import ScoreTable
from skstat.stats._joint import skewness_left


@pytest.mark.parametrize("n", [5, 40, 1_000])
def test_counts_give_the_skewness_of_the_differences(n):
    rng = np.random.default_rng(n)
    right = (rng.random((n, 6)) < rng.uniform(0.2, 0.98, 6)).astype(float)
    right[:, 4], right[:, 5] = right[:, 3], 1.0
    table = ScoreTable(right, systems=[*"abcdef"], unit="instance")
    expected = 0.0
    for a in range(6):
        for b in range(a):
            d = right[:, a] - right[:, b]
            if np.ptp(d) > 0:
                expected = max(expected, abs(scipy_stats.skew(d)))
    assert skewness_left(table) == pytest.approx(expected / np.sqrt(n), rel=1e-9)


def test_differences_that_do_not_vary_have_none():
    table = ScoreTable({"a": [1, 1, 1], "b": [1, 1, 1], "c": [0, 0, 0]}, unit="instance")
    assert skewness_left(table) == 0
