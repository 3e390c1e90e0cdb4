"""Friedman's test against worked numbers, SciPy, tables and all rearrangements."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import OmnibusOutcome, ScoreTable, friedman

# Ranks of three algorithms on four data sets, one tie; worked by hand.
RANKS = np.array([[1, 2, 3], [1, 2.5, 2.5], [1, 2, 3], [1, 2, 3]])
CHOICES = [(s, t) for s in ("f", "chi2", "exact") for t in ("corrected", "uncorrected")]


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


def least_pvalue(x):
    """Share of all rearrangements within rows that only rename the systems."""
    n_arrangements = [len(set(itertools.permutations(row))) for row in x.tolist()]
    return max(n_arrangements) / math.prod(n_arrangements)


@settings(max_examples=2 * settings.default.max_examples)
@given(scores(), st.sampled_from(["corrected", "uncorrected"]))
def test_formulas_of_rank_sums(x, ties):
    n, k = x.shape
    chi2 = chi2_by_rank_sums(x, ties == "corrected")
    outcome = friedman(table(x), statistic="chi2", ties=ties)
    assert outcome.statistic == pytest.approx(chi2, abs=1e-9)
    assume(not math.isclose(chi2, n * (k - 1)))
    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    outcome = friedman(table(x), ties=ties)
    assert outcome.statistic == pytest.approx(f, abs=1e-9)
    by_f = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    assert outcome.pvalue == pytest.approx(max(by_f, least_pvalue(x)))


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


@pytest.mark.parametrize(
    "ranks, chi2, p",
    [
        # Tables of the exact distribution: three systems on four data sets.
        (["123", "123", "123", "132"], 6.5, 1 / 24),
        (["123"] * 4, 8.0, 1 / 216),
        # Igor Pro's documentation of StatsFriedmanTest: five data sets, four systems.
        (["1432", "2431", "1423", "1342", "1243"], 9.24, 0.0166709),
        (["1234", "1423", "4213", "3241", "1342"], 1.08, 0.85656),
    ],
)
def test_exact_tables(ranks, chi2, p):
    x = -np.array([list(map(int, row)) for row in ranks])
    outcome = friedman(table(x), statistic="exact")
    assert outcome.statistic == pytest.approx(chi2)
    assert outcome.pvalue == pytest.approx(p, abs=5e-7)
    assert outcome.test == "Friedman test (exact permutation)"


def test_exact_pvalue_of_two_systems_is_that_of_the_sign_test():
    x = np.repeat([[1, 0], [0, 1], [1, 1]], [40, 25, 10], axis=0)
    expected = stats.binomtest(40, 65).pvalue
    assert friedman(table(x), statistic="exact").pvalue == pytest.approx(expected)
    assert friedman(table(x), statistic="chi2").statistic == pytest.approx(15**2 / 65)


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


def test_a_constant_system_is_a_system():
    x = np.column_stack([np.full(6, 0.5), [0.4, 0.6, 0.7, 0.6, 0.8, 0.9]])
    outcome = friedman(table(x), statistic="exact")
    assert outcome.pvalue == pytest.approx(stats.binomtest(1, 6).pvalue)


@pytest.mark.parametrize("statistic, ties", CHOICES)
@settings(max_examples=settings.default.max_examples // 2)
@given(x=scores(n=(2, 5), k=(2, 4)), data=st.data())
def test_only_the_ranks_matter(statistic, ties, x, data):
    def numbers(y, **options):
        outcome = friedman(table(y, **options), statistic=statistic, ties=ties)
        return outcome.statistic, outcome.pvalue, outcome.effect_sizes

    here = numbers(x)
    order = data.draw(st.permutations(range(len(x))))
    columns = data.draw(st.permutations(range(x.shape[1])))
    assert numbers(x[order]) == here
    assert numbers(x[:, columns]) == here
    assert numbers(x / 7) == here
    assert numbers(x * 0.1 + 0.2) == here
    bent = x.astype(float)
    bent[0] = 1000 * np.exp(bent[0])  # one data set on a scale of its own
    assert numbers(bent) == here
    value, pvalue, sizes = numbers(x, higher_is_better=False)
    assert (value, sizes) == (here[0], here[2])
    assert pvalue == pytest.approx(here[1], rel=1e-14)  # sums of the same shares
