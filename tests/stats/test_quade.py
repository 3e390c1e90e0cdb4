"""Quade's test against its textbook example and the formula in full."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import OmnibusOutcome, ScoreTable, friedman, paired_t, quade

# Sales of five brands of hand lotion in seven stores (Conover, 1999, section 5.8).
SOLD = [
    [5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4],
    [10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7],
]  # fmt: skip


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


def f_in_full(x, ranks=None):
    """A, B and F as Conover writes them."""
    n, k = x.shape
    ranks = stats.rankdata(x, axis=1) if ranks is None else ranks
    s = stats.rankdata(np.ptp(x, axis=1))[:, None] * (ranks - (k + 1) / 2)
    a, b = np.sum(s**2), np.sum(s.sum(axis=0) ** 2) / n
    if np.isclose(a, b):
        return math.inf if a else 0.0
    return (n - 1) * b / (a - b)


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_textbook_example(higher_is_better):
    outcome = quade(table(SOLD, higher_is_better=higher_is_better))
    # R prints F = 3.8293, num df = 4, denom df = 24, p-value = 0.01519.
    assert outcome.statistic == pytest.approx(3.8293, abs=5e-5)
    assert outcome.df == (4, 24)
    assert outcome.pvalue == pytest.approx(0.01519, abs=5e-6)
    assert outcome.test == "Quade test (F distribution)"
    assert outcome.effect_sizes == pytest.approx(
        {"weighted agreement": 532.4 / 1366.5}, abs=1e-3
    )


def least_pvalue(x):
    """Share of all rearrangements within rows that only rename the systems."""
    n_arrangements = [len(set(itertools.permutations(row))) for row in x.tolist()]
    return max(n_arrangements) / math.prod(n_arrangements)


@settings(max_examples=2 * settings.default.max_examples)
@given(tables())
def test_formula_in_full(x):
    n, k = x.shape
    f = f_in_full(x)
    outcome = quade(table(x))
    assert outcome.statistic == pytest.approx(f, abs=1e-9)
    if math.isfinite(f):
        by_f = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
        assert outcome.pvalue == pytest.approx(max(by_f, least_pvalue(x)))


@given(tables(n=(3, 12), k=(2, 2)))
def test_two_systems_are_a_t_test_on_signed_ranks(x):
    d = x[:, 0] - x[:, 1]
    assume(np.any(d))
    signed = np.sign(d) * stats.rankdata(np.abs(d))
    assume(np.ptp(signed) > 0)
    outcome = quade(table(x))
    t = stats.ttest_1samp(signed, 0)
    assert outcome.statistic == pytest.approx(t.statistic**2, abs=1e-9)
    assert outcome.pvalue == pytest.approx(max(t.pvalue, least_pvalue(x)))
    pair = table(np.column_stack([signed, np.zeros(len(d))])).pair("system 1", "system 2")
    assert outcome.pvalue == pytest.approx(max(paired_t(pair).pvalue, least_pvalue(x)))


@pytest.mark.parametrize(
    "row, n, p", [([3, 1, 2], 3, 6**-2), ([1, 0], 4, 2**-3), ([4, 4, 1], 2, 1 / 3)]
)
def test_perfect_agreement_is_judged_exactly(row, n, p):
    # Equal ranges: no unit has more say, and all of them agree.
    x = np.array([row] * n) / 10 + np.arange(n)[:, None] / 3
    outcome = quade(table(x))
    assert outcome.statistic == math.inf
    assert outcome.pvalue == pytest.approx(p)
    assert (outcome.df, outcome.test) == (None, "Quade test (all data sets agree)")
    assert outcome.effect_sizes == {"weighted agreement": 1}
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert (restored.statistic, restored.pvalue) == (math.inf, outcome.pvalue)
    found = []
    for drawn in itertools.product(*[list(itertools.permutations(row))] * n):
        found.append(f_in_full(np.array(drawn)) == math.inf)
    assert np.mean(found) == pytest.approx(p)


def test_agreement_on_unequal_ranges_has_an_f():
    outcome = quade(table([[1, 2, 3], [10, 20, 30]]))
    assert math.isfinite(outcome.statistic)
    assert outcome.df == (2, 2)


def test_float_noise_ties_ranges():
    exact = np.array([[1, 2, 4], [5, 3, 2], [7, 4, 6], [1, 9, 4]])
    noisy = exact / 10 + 0.3
    assert len(set(np.ptp(noisy, axis=1).tolist())) > len(set(np.ptp(exact, axis=1).tolist()))
    assert quade(table(noisy)).statistic == quade(table(exact)).statistic


def test_turning_the_scores_changes_no_bit_of_the_least_pvalue():
    x = np.array([[0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 1, 2]])
    assert quade(table(x)).pvalue == quade(table(-x)).pvalue
    assert friedman(table(x)).pvalue == friedman(table(-x)).pvalue


def test_sums_that_need_more_than_64_bits():
    x = np.random.default_rng(0).random((20_000, 2)) + np.array([0, 0.5])
    big = np.tile(x, (5, 1)) * np.repeat([1, 2, 3, 4, 5], 20_000)[:, None]
    assert quade(table(big, unit="instance")).statistic == pytest.approx(f_in_full(big))
