"""Friedman's aligned ranks against the formula in full, and its permutations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import ScoreTable, friedman_aligned


def table(scores, unit="dataset", **options):
    return ScoreTable(scores, unit=unit, **options)


def tables(n=(2, 8), k=(2, 5), levels=9):
    shapes = st.tuples(st.integers(*n), st.integers(*k))
    return shapes.flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, levels), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ).map(np.array)
    )


def t_in_full(x):
    """The published formula, from whole numbers: k times the aligned scores."""
    n, k = x.shape
    aligned = k * x - x.sum(axis=1, keepdims=True)
    ranks = stats.rankdata(-aligned.ravel()).reshape(n, k)
    squares = np.sum(ranks**2)
    above = np.sum(ranks.sum(axis=0) ** 2) - k * n**2 / 4 * (k * n + 1) ** 2
    below = squares - np.sum(ranks.sum(axis=1) ** 2) / k
    return (k - 1) * above / below if below > 1e-9 else 0.0


def test_by_hand():
    # Aligned: 2 0 -2 and 1 -1 0; ranks 1 3.5 6 and 2 5 3.5: sums 3, 8.5, 9.5.
    outcome = friedman_aligned(table([[5, 3, 1], [2, 0, 1]]))
    above = 3**2 + 8.5**2 + 9.5**2 - 3 * 4 / 4 * 49
    below = 90.5 - (10.5**2 + 10.5**2) / 3
    assert outcome.statistic == pytest.approx(2 * above / below)
    assert outcome.df == 2
    assert outcome.pvalue == pytest.approx(np.exp(-above / below))
    assert outcome.effect_sizes == pytest.approx(
        {
            "agreement of aligned ranks": above / below / 2,
            "range of mean aligned ranks": 6.5 / 2,
        }
    )


@settings(max_examples=3 * settings.default.max_examples)
@given(tables())
def test_formula_in_full(x):
    outcome = friedman_aligned(table(x))
    assert outcome.statistic == pytest.approx(t_in_full(x), abs=1e-9)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(t_in_full(x), x.shape[1] - 1))


def test_float_noise_breaks_no_ties():
    # Thousandths, as published tables have them; whole numbers have no noise.
    counts = np.random.default_rng(8).integers(600, 640, (24, 4))
    expected = t_in_full(counts)
    noisy = counts / 1000 - (counts / 1000).mean(axis=1, keepdims=True)
    assert len(np.unique(noisy)) > len(np.unique(4 * counts - counts.sum(axis=1)[:, None]))
    for scale in (1, 1000, 7, 0.1):
        outcome = friedman_aligned(table(counts / scale))
        assert outcome.statistic == friedman_aligned(table(counts)).statistic
        assert outcome.statistic == pytest.approx(expected)


def test_perfect_agreement():
    outcome = friedman_aligned(table([[3, 2, 1]] * 5))
    assert outcome.effect_sizes["agreement of aligned ranks"] == pytest.approx(1)
    assert outcome.statistic == pytest.approx(10)
    assert 0 < outcome.pvalue < 0.01
