"""The test of Skillings and Mack against its example, Friedman, and permutations."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse.csgraph import connected_components

from skstat.stats import ScoreTable, friedman, skillings_mack

NA = None
# Assembly times by four methods (Skillings & Mack, 1981; also the example of the R
# package Skillings.Mack, which prints 15.493049 and p = 0.001440).
TIMES = [
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, NA], [NA, 4.2, 3.4, NA], [4.3, 4.6, 4.4, 4.9],
    [3.5, NA, 3.7, 3.9],
]  # fmt: skip


def table(scores, **options):
    return ScoreTable(scores, unit="dataset", **options)


@st.composite
def gapped(draw, levels=9):
    n, k = draw(st.integers(2, 8)), draw(st.integers(2, 5))
    cell = st.one_of(st.integers(0, levels), st.just(math.nan))
    x = np.array(draw(st.lists(cell, min_size=n * k, max_size=n * k)), dtype=float)
    x = x.reshape(n, k)
    there = ~np.isnan(x)
    used = there[there.sum(axis=1) > 1].astype(int)
    assume(len(used) > 1)
    assume(connected_components(used.T @ used)[0] == 1)
    return x


def sm_in_full(x):
    """The sums and their covariance as published, unit by unit, and a pseudo-inverse."""
    k = x.shape[1]
    a, sigma = np.zeros(k), np.zeros((k, k))
    for row in x:
        (there,) = np.nonzero(~np.isnan(row))
        if len(there) < 2:
            continue
        ranks = stats.rankdata(-row[there])
        a[there] += np.sqrt(12 / (len(there) + 1)) * (ranks - (len(there) + 1) / 2)
        for i, j in itertools.permutations(there, 2):
            sigma[i, j] -= 1
            sigma[i, i] += 1
    return a @ np.linalg.pinv(sigma, hermitian=True) @ a


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_published_example(higher_is_better):
    outcome = skillings_mack(table(TIMES, higher_is_better=higher_is_better))
    assert outcome.statistic == pytest.approx(15.493049, abs=5e-7)
    assert outcome.df == 3
    assert outcome.pvalue == pytest.approx(0.001440, abs=5e-7)
    assert outcome.n_units == 9
    assert outcome.critical_value(0.05) == pytest.approx(7.815, abs=5e-4)


@settings(max_examples=2 * settings.default.max_examples)
@given(gapped())
def test_formula_in_full(x):
    outcome = skillings_mack(table(x))
    assert outcome.statistic == pytest.approx(sm_in_full(x), abs=1e-9)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(sm_in_full(x), x.shape[1] - 1))


@given(st.integers(2, 9), st.integers(2, 6), st.integers(0, 10**6), st.booleans())
def test_without_gaps_it_is_friedman_without_correction(n, k, seed, ties):
    x = np.random.default_rng(seed).random((n, k)).round(1 if ties else 9)
    outcome = skillings_mack(table(x))
    expected = friedman(table(x), statistic="chi2", ties="uncorrected")
    assert outcome.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


def test_without_ties_the_statistic_has_the_moments_of_its_law():
    # All rearrangements within data sets: the mean is k - 1 exactly.
    x = np.array([[1, 2, 3], [2, 1, NA], [NA, 5, 6], [3, NA, 1], [1, 2, 3]], dtype=float)
    arrangements = []
    for row in x:
        (there,) = np.nonzero(~np.isnan(row))
        arrangements.append([])
        for values in itertools.permutations(row[there]):
            drawn = row.copy()
            drawn[there] = values
            arrangements[-1].append(drawn)
    found = [
        skillings_mack(table(np.array(drawn))).statistic
        for drawn in itertools.product(*arrangements)
    ]
    assert np.mean(found) == pytest.approx(2)
    assert np.mean(np.array(found) >= stats.chi2.isf(0.2, 2)) == pytest.approx(0.2, abs=0.06)


def test_balanced_incomplete_blocks_are_durbins_test():
    # Each of four data sets has three of four systems: D = 12 (k - 1) / (r k (t^2 - 1))
    # times the squared deviations of the rank sums, with r = 3 data sets per system.
    x = np.array([[1, 2, 3, NA], [4, 2, NA, 1], [5, NA, 6, 7], [NA, 1, 3, 2]], dtype=float)
    ranks = stats.rankdata(-x, axis=1, nan_policy="omit")
    t, of, r = 4, 3, 3
    sums = np.nansum(ranks, axis=0) - r * (of + 1) / 2
    durbin = 12 * (t - 1) / (r * t * (of - 1) * (of + 1)) * np.sum(sums**2)
    assert skillings_mack(table(x)).statistic == pytest.approx(durbin)


def test_units_with_one_score_say_nothing():
    more = [*TIMES, [1.0, NA, NA, NA], [NA, NA, NA, NA]]
    here, there = skillings_mack(table(TIMES)), skillings_mack(table(more))
    assert (there.statistic, there.pvalue, there.n_units) == (here.statistic, here.pvalue, 9)


def test_systems_that_nothing_compares():
    apart = [[1, 2, NA, NA], [2, 1, NA, NA], [NA, NA, 3, 4], [NA, NA, 3, 1], [NA, 1, NA, NA]]
    named = table(apart, systems=["a", "b", "c", "d"])
    with pytest.raises(ValueError, match=r"no data set connects.*: \(a, b\), \(c, d\)\. Test"):
        skillings_mack(named)
    # One data set that both sets share is enough, as is a chain.
    assert skillings_mack(table([*apart, [NA, 1, 2, NA]])).df == 3
    alone = [[1, 2, NA], [2, 1, NA], [NA, NA, 1]]
    with pytest.raises(ValueError, match=r"\(system 1, system 2\), \(system 3\)"):
        skillings_mack(table(alone))
