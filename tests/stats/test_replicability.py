"""Replicability analysis against Dror et al. (2017) and Monte Carlo."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import adjust_pvalues, replicability
from tests.cases import in_one_test

# Dror et al. (2017): six data sets.
PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=8)
METHODS = ["fisher", "bonferroni"]


@pytest.mark.parametrize("method, count", [("bonferroni", 1), ("fisher", 2)])
def test_worked_example(method, count):
    assert sum(p <= 0.05 for p in PVALUES) == 2
    outcome = replicability(PVALUES, method=method, datasets=list("uvwxyz"))
    assert outcome.count == count
    assert outcome.rejected == ("z",)


@given(st.lists(st.floats(1e-12, 1), min_size=1, max_size=8))
def test_fisher_combines_all_but_the_smallest(pvalues):
    ascending = sorted(pvalues)
    expected = [
        stats.combine_pvalues(ascending[u:], method="fisher").pvalue
        for u in range(len(ascending))
    ]
    found = replicability(pvalues, method="fisher").partial_conjunction
    assert found == pytest.approx(np.maximum.accumulate(expected), rel=1e-9)


@given(probabilities, st.sampled_from([0.01, 0.05, 0.3]))
def test_bonferroni_counts_what_holm_names(pvalues, alpha):
    outcome = replicability(pvalues, method="bonferroni", alpha=alpha)
    assert outcome.count == len(outcome.rejected)
    assert sorted(adjust_pvalues(pvalues)) == pytest.approx(
        outcome.partial_conjunction, abs=1e-300
    )


@pytest.mark.parametrize("method", METHODS)
def test_extremes(method):
    nothing = replicability([1.0, 1.0, 1.0], method=method)
    assert (nothing.count, nothing.rejected) == (0, ())
    assert nothing.partial_conjunction.tolist() == [1, 1, 1]
    everything = replicability([0.0, 0.0, 1e-300], method=method)
    assert everything.count == 3 and np.all(everything.partial_conjunction > 0)


@in_one_test(
    "pvalues, options, message",
    [
        ([0.1, math.nan], {"datasets": ["iris", "wine"]}, "p-value of data set 'wine' is nan"),
        ([0.1, 1.5], {}, "p-value of data set '2' is 1.5"),
        ([-0.1], {}, "p-value of data set '1' is -0.1"),
        ([], {}, "one-dimensional and not empty"),
        ([[0.1]], {}, "one-dimensional"),
        ([0.1, 0.2], {"datasets": ["iris"]}, "must hold 2 different names"),
        ([0.1, 0.2], {"datasets": ["iris", "iris"]}, "must hold 2 different names"),
        ([0.1], {"method": "stouffer"}, "method='stouffer' is unknown"),
        ([0.1], {"alpha": 0}, "must lie between 0 and 1"),
    ],
)
def test_what_is_refused(pvalues, options, message):
    with pytest.raises(ValueError, match=message):
        replicability(pvalues, **options)


def closed_by_fisher(p, alpha):
    """Every set of data sets tested, as a closed test is defined."""
    n = len(p)
    kept = [
        set(some)
        for size in range(1, n + 1)
        for some in combinations(range(n), size)
        if stats.combine_pvalues([p[i] for i in some], method="fisher").pvalue > alpha
    ]
    named = {i for i in range(n) if not any(i in some for some in kept)}
    return named, n - max((len(some) for some in kept), default=0)


@settings(max_examples=2 * settings.default.max_examples)
@given(
    st.lists(st.sampled_from([0.001, 0.01, 0.02, 0.04, 0.1, 0.3, 0.9]), min_size=1, max_size=6),
    st.sampled_from([0.05, 0.2]),
)
def test_names_and_count_are_those_of_the_closed_test(pvalues, alpha):
    outcome = replicability(pvalues, alpha=alpha)
    named, count = closed_by_fisher(pvalues, alpha)
    assert outcome.rejected == tuple(str(i + 1) for i in sorted(named))
    assert outcome.count == count >= len(named)


def test_one_small_pvalue_among_large_ones():
    pvalues = [0.01, 0.9, 0.9, 0.9]
    fisher = replicability(pvalues)
    assert (fisher.count, fisher.rejected) == (0, ())
    bonferroni = replicability(pvalues, method="bonferroni")
    assert (bonferroni.count, bonferroni.rejected) == (1, ("1",))


@in_one_test("method", METHODS)
@in_one_test("alpha", [0.01, 0.05, 0.1, 0.3])
def test_a_pvalue_equal_to_alpha_counts(method, alpha):
    outcome = replicability([alpha], method=method, alpha=alpha)
    assert (outcome.count, outcome.rejected) == (1, ("1",))
