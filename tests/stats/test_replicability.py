"""Replicability analysis against Dror et al. (2017) and Monte Carlo."""

import json
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


@given(probabilities, st.sampled_from(METHODS), st.randoms())
def test_order_changes_names_only(pvalues, method, random):
    names = [f"set {i}" for i in range(len(pvalues))]
    outcome = replicability(pvalues, datasets=names, method=method)
    shuffled = list(zip(pvalues, names, strict=True))
    random.shuffle(shuffled)
    found = replicability(
        [p for p, _ in shuffled], datasets=[name for _, name in shuffled], method=method
    )
    assert found.partial_conjunction.tolist() == outcome.partial_conjunction.tolist()
    assert set(found.rejected) == set(outcome.rejected)
    assert np.all(np.diff(outcome.partial_conjunction) >= 0)
    assert np.all(outcome.partial_conjunction > 0) and outcome.partial_conjunction[-1] <= 1


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_effects", [0, 2])
def test_the_count_is_rarely_too_large(method, n_effects):
    p = np.random.default_rng(0).uniform(size=(1500, 6))
    p[:, :n_effects] = 1e-9
    counts = np.array([replicability(row, method=method).count for row in p])
    too_large = np.mean(counts > n_effects)
    assert 0.03 < too_large < 0.067
    assert np.mean(counts >= n_effects) == 1


def test_one_data_set():
    for method in METHODS:
        outcome = replicability([0.03], method=method)
        assert outcome.partial_conjunction == pytest.approx([0.03])
        assert (outcome.count, outcome.rejected) == (1, ("1",))


@pytest.mark.parametrize("method", METHODS)
def test_extremes(method):
    nothing = replicability([1.0, 1.0, 1.0], method=method)
    assert (nothing.count, nothing.rejected) == (0, ())
    assert nothing.partial_conjunction.tolist() == [1, 1, 1]
    everything = replicability([0.0, 0.0, 1e-300], method=method)
    assert everything.count == 3 and np.all(everything.partial_conjunction > 0)


def test_fisher_is_the_default_and_says_what_it_assumes():
    outcome = replicability(PVALUES)
    assert outcome.method == "fisher"
    assert outcome.assumptions[0] == "the data sets are independent samples"


def test_to_dict():
    outcome = replicability(PVALUES, alpha=0.1)
    state = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
    assert state["type"] == "ReplicabilityOutcome"
    assert (state["count"], state["alpha"]) == (outcome.count, 0.1)
    assert state["pvalues"] == PVALUES
    assert state["partial_conjunction"] == outcome.partial_conjunction.tolist()


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


@settings(max_examples=2 * settings.default.max_examples)
@given(probabilities, st.sampled_from(METHODS))
def test_no_more_are_named_than_counted(pvalues, method):
    outcome = replicability(pvalues, method=method)
    assert len(outcome.rejected) <= outcome.count


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


@pytest.mark.long
def test_names_are_rarely_wrong():
    p = np.random.default_rng(1).uniform(size=(1500, 5))
    p[:, :2] = 1e-9
    wrong = [set(replicability(row).rejected) & {"3", "4", "5"} for row in p]
    assert np.mean([bool(names) for names in wrong]) < 0.06
