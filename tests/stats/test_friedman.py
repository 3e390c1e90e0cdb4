"""Tests of ranks of all systems: worked numbers, SciPy, tables, formulas, rearrangements."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import OmnibusOutcome, ScoreTable, friedman, skillings_mack

# Ranks of three algorithms on four data sets, one tie; worked by hand.
RANKS = np.array([[1, 2, 3], [1, 2.5, 2.5], [1, 2, 3], [1, 2, 3]])


def table(scores, unit="dataset", **options):
    return ScoreTable(scores, unit=unit, **options)


@st.composite
def scores(draw, n=(2, 8), k=(2, 6), levels=6):
    shape = draw(st.integers(*n)), draw(st.integers(*k))
    cells = st.lists(
        st.integers(0, levels), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
    )
    return np.array(draw(cells)).reshape(shape)


def chi2_by_rank_sums(x, corrected=True):
    """Conover's formula, term by term."""
    ranks = stats.rankdata(-x, axis=1)
    n, k = x.shape
    c = n * k * (k + 1) ** 2 / 4
    squares = np.sum(ranks**2) if corrected else n * k * (k + 1) * (2 * k + 1) / 6
    if np.isclose(squares, c):
        return 0.0
    return (k - 1) * (np.sum(ranks.sum(axis=0) ** 2) - n * c) / (squares - c)


@pytest.mark.parametrize(
    "ties, chi2, f", [("corrected", 7.6, 57.0), ("uncorrected", 7.125, 171 / 7)]
)
def test_worked_numbers(ties, chi2, f):
    squared = friedman(table(-RANKS), statistic="chi2", ties=ties)
    assert squared.statistic == pytest.approx(chi2, rel=1e-14)
    assert squared.pvalue == pytest.approx(math.exp(-chi2 / 2))  # chi-squared with 2 df
    assert squared.df == 2
    assert squared.effect_sizes == pytest.approx(
        {"Kendall's W": chi2 / 8, "range of mean ranks": 2.875 - 1}
    )
    ratio = friedman(table(-RANKS), ties=ties)
    assert ratio.statistic == pytest.approx(f, rel=1e-14)
    assert ratio.df == (2, 6)
    # F with 2 and 6 df gives less than any rearrangement of these ranks can, 6 / (6^3 3).
    assert (1 + f / 3) ** -3 < ratio.pvalue
    assert ratio.pvalue == pytest.approx(1 / 108)
    assert ratio.critical_value(0.05) == pytest.approx(5.143, abs=5e-4)


@settings(max_examples=2 * settings.default.max_examples)
@given(scores(k=(3, 6)))
def test_scipy(x):
    assume(np.any(x != x[:, :1]))
    expected = stats.friedmanchisquare(*x.T)
    outcome = friedman(table(x), statistic="chi2")
    assert outcome.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


@given(scores(n=(1, 4), k=(2, 4), levels=3), st.sampled_from(["corrected", "uncorrected"]))
def test_exact_pvalue_by_listing_all_arrangements(x, ties):
    arrangements = [list(itertools.permutations(row)) for row in x.tolist()]
    assume(math.prod(map(len, arrangements)) <= 1500)
    found = [chi2_by_rank_sums(np.array(a), True) for a in itertools.product(*arrangements)]
    expected = np.mean(np.array(found) >= chi2_by_rank_sums(x) - 1e-9)
    outcome = friedman(table(x), statistic="exact", ties=ties)
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.df is None
    assert math.isnan(outcome.critical_value())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("shape", [(4, 7), (2, 50), (30, 6), (400, 3), (2, 400)])
def test_too_many_arrangements(shape):
    x = np.random.default_rng(0).random(shape)
    with pytest.raises(ValueError, match=r"too many arrangements to count; use statistic='f'"):
        friedman(table(x), statistic="exact")


@pytest.mark.parametrize(
    "ranking, n, p",
    [
        ([3, 2, 1], 4, 6**-3),
        ([2, 1], 2, 1 / 2),
        ([4, 4, 1], 5, 3**-4),
        ([3, 3, 1, 1, 0], 3, 30**-2),
        (list(range(50)), 2, 1 / math.factorial(50)),
    ],
)
def test_perfect_agreement_is_judged_exactly(ranking, n, p):
    outcome = friedman(table([ranking] * n))
    assert outcome.statistic == math.inf
    assert outcome.pvalue == pytest.approx(p, rel=1e-11)
    assert outcome.df is None
    assert outcome.test == "Friedman test (all data sets agree)"
    assert outcome.effect_sizes["Kendall's W"] == 1
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert restored.statistic == math.inf
    assert restored.pvalue == outcome.pvalue
    if len(ranking) < 6:
        exact = friedman(table([ranking] * n), statistic="exact")
        assert exact.pvalue == pytest.approx(outcome.pvalue)


def test_no_pvalue_is_zero():
    x = np.tile(np.arange(10), (1000, 1))
    assert friedman(table(x)).pvalue > 0
    assert friedman(table(x), statistic="chi2").pvalue > 0
    x[0] = x[0, ::-1]
    assert friedman(table(x)).pvalue > 0
    assert friedman(table(x[:, :2]), statistic="exact").pvalue > 0


def f_in_full(x, ranks=None):
    """A, B and F as Conover writes them."""
    n, k = x.shape
    ranks = stats.rankdata(x, axis=1) if ranks is None else ranks
    s = stats.rankdata(np.ptp(x, axis=1))[:, None] * (ranks - (k + 1) / 2)
    a, b = np.sum(s**2), np.sum(s.sum(axis=0) ** 2) / n
    if np.isclose(a, b):
        return math.inf if a else 0.0
    return (n - 1) * b / (a - b)


@pytest.mark.parametrize(
    "row, n, p", [([3, 1, 2], 3, 6**-2), ([1, 0], 4, 2**-3), ([4, 4, 1], 2, 1 / 3)]
)
def test_perfect_agreement_is_judged_exactly_of_quade(row, n, p):
    # Equal ranges: no unit has more say, and all of them agree.
    x = np.array([row] * n) / 10 + np.arange(n)[:, None] / 3
    outcome = friedman(table(x), ranking="quade")
    assert outcome.statistic == math.inf
    assert outcome.pvalue == pytest.approx(p)
    assert (outcome.df, outcome.test) == (None, "Quade test (all data sets agree)")
    assert outcome.effect_sizes["agreement of weighted mean ranks"] == 1
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert (restored.statistic, restored.pvalue) == (math.inf, outcome.pvalue)
    found = []
    for drawn in itertools.product(*[list(itertools.permutations(row))] * n):
        found.append(f_in_full(np.array(drawn)) == math.inf)
    assert np.mean(found) == pytest.approx(p)


def test_sums_that_need_more_than_64_bits():
    x = np.random.default_rng(0).random((20_000, 2)) + np.array([0, 0.5])
    big = np.tile(x, (5, 1)) * np.repeat([1, 2, 3, 4, 5], 20_000)[:, None]
    assert friedman(table(big, unit="instance"), ranking="quade").statistic == pytest.approx(
        f_in_full(big)
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
    outcome = friedman(table([[5, 3, 1], [2, 0, 1]]), ranking="aligned")
    above = 3**2 + 8.5**2 + 9.5**2 - 3 * 4 / 4 * 49
    below = 90.5 - (10.5**2 + 10.5**2) / 3
    assert outcome.statistic == pytest.approx(2 * above / below)
    assert outcome.df == 2
    assert outcome.pvalue == pytest.approx(np.exp(-above / below))
    assert outcome.effect_sizes == pytest.approx(
        {
            "agreement of mean aligned ranks": above / below / 2,
            "range of mean aligned ranks": 6.5 / 2,
        }
    )


def test_float_noise_breaks_no_ties():
    # Thousandths, as published tables have them; whole numbers have no noise.
    counts = np.random.default_rng(8).integers(600, 640, (24, 4))
    expected = t_in_full(counts)
    noisy = counts / 1000 - (counts / 1000).mean(axis=1, keepdims=True)
    assert len(np.unique(noisy)) > len(np.unique(4 * counts - counts.sum(axis=1)[:, None]))
    for scale in (1, 1000, 7, 0.1):
        outcome = friedman(table(counts / scale), ranking="aligned")
        exact = friedman(table(counts), ranking="aligned")
        assert outcome.statistic == exact.statistic
        assert outcome.statistic == pytest.approx(expected)


NA = None


def test_balanced_incomplete_blocks_are_durbins_test():
    # Each of four data sets has three of four systems: D = 12 (k - 1) / (r k (t^2 - 1))
    # times the squared deviations of the rank sums, with r = 3 data sets per system.
    x = np.array([[1, 2, 3, NA], [4, 2, NA, 1], [5, NA, 6, 7], [NA, 1, 3, 2]], dtype=float)
    ranks = stats.rankdata(-x, axis=1, nan_policy="omit")
    t, of, r = 4, 3, 3
    sums = np.nansum(ranks, axis=0) - r * (of + 1) / 2
    durbin = 12 * (t - 1) / (r * t * (of - 1) * (of + 1)) * np.sum(sums**2)
    assert skillings_mack(table(x)).statistic == pytest.approx(durbin)


def test_systems_that_nothing_compares():
    apart = [[1, 2, NA, NA], [2, 1, NA, NA], [NA, NA, 3, 4], [NA, NA, 3, 1], [NA, 1, NA, NA]]
    named = table(apart, systems=["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="c, d and a have no unit in common, not even through"):
        skillings_mack(named)
    # One data set that both sets share is enough, as is a chain.
    chained = skillings_mack(table([*apart, [NA, 1, 2, NA]]))
    assert chained.df == 3
    assert "ranking of the systems with a score is equally" in chained.null_hypothesis
    alone = [[1, 2, NA], [2, 1, NA], [NA, NA, 1]]
    with pytest.raises(ValueError, match="system 3 and system 1 have no unit"):
        skillings_mack(table(alone))
