"""Cochran's Q against textbooks, other packages and all arrangements."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import AgreementTable, ScoreTable, cochran_q, mcnemar
from tests.cases import in_one_test


def table(rows):
    return ScoreTable(rows, unit="instance")


def rows(min_systems, max_systems, max_units):
    return st.integers(min_systems, max_systems).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=max_units
        )
    )


def q_by_variance(x):
    """Cochran's Q as he introduced it: spread of the columns over that within rows."""
    k = x.shape[1]
    columns, within = x.sum(axis=0), x.mean(axis=1)
    spread = np.sum(within * (1 - within)) * k / (k - 1)
    return np.sum((columns - columns.mean()) ** 2) / spread if spread else 0.0


def test_the_largest_possible_q_is_full_association():
    x = np.tile([1, 1, 0], (30, 1))
    assert cochran_q(table(x)).effect_sizes["eta squared"] == pytest.approx(1)


@settings(max_examples=2 * settings.default.max_examples)
@given(rows(2, 5, 30))
def test_statistic_as_a_ratio_of_variances(x):
    x = np.array(x)
    outcome = cochran_q(table(x), method="chi2")
    assert outcome.statistic == pytest.approx(q_by_variance(x), abs=1e-9)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(q_by_variance(x), x.shape[1] - 1))


@given(rows(2, 4, 6))
def test_exact_pvalue_by_counting_all_arrangements(x):
    x = np.array(x)
    outcome = cochran_q(table(x), method="permutation")
    arrangements = [sorted(set(itertools.permutations(row))) for row in x.tolist()]
    assume(math.prod(map(len, arrangements)) <= 5000)
    found = [q_by_variance(np.array(drawn)) for drawn in itertools.product(*arrangements)]
    expected = np.mean(np.array(found) >= q_by_variance(x) - 1e-9)
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.test == "Cochran Q test (exact permutation)"
    assert (outcome.df, outcome.seed, outcome.monte_carlo_error) == (None, None, 0)
    assert math.isnan(outcome.critical_value())


@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_two_systems_give_the_mcnemar_statistic(counts):
    assume(sum(counts) > 0)
    cells = [[1, 1], [1, 0], [0, 1], [0, 0]]
    outcome = cochran_q(table(np.repeat(cells, counts, axis=0)), method="chi2")
    expected = mcnemar(AgreementTable(*counts), method="chi2")
    assert outcome.statistic == pytest.approx(expected.statistic)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


@in_one_test("method", ["auto", "chi2", "permutation"])
@in_one_test("x", [np.ones((30, 3)), np.zeros((1, 2)), np.tile([[1], [0]], (9, 4))])
def test_no_instance_tells_the_systems_apart(method, x):
    outcome = cochran_q(table(x), method=method)
    assert (outcome.statistic, outcome.pvalue) == (0, 1)
    assert outcome.effect_sizes == {"eta squared": 0, "range of accuracies": 0}
