"""Several p-values at once: adjustments, letters and replicability, against closed testing."""

import math
import re
from itertools import combinations
from typing import get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import adjust_pvalues, compact_letters, replicability
from tests.cases import refusals

ADJUSTMENTS = get_args(get_type_hints(adjust_pvalues)["method"])
LOGICAL = ["shaffer", "bergmann-hommel"]  # of all pairs of some systems
probability = st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda k: k / 20))
probabilities = st.lists(probability, max_size=7)
levels = st.floats(0.01, 0.6)


def all_pairs(min_systems=2, max_systems=5):
    """P-values of all pairs of some systems."""
    return st.integers(min_systems, max_systems).flatmap(
        lambda k: st.lists(probability, min_size=math.comb(k, 2), max_size=math.comb(k, 2))
    )


def probabilities_for(method):
    if method in LOGICAL:
        return all_pairs()
    return probabilities


def systems_of(n_pairs):
    return (1 + math.isqrt(1 + 8 * n_pairs)) // 2


def nonempty_subsets(n):
    return [s for size in range(1, n + 1) for s in combinations(range(n), size)]


def partitions(items):
    if not items:
        yield []
        return
    first, *others = items
    for smaller in partitions(others):
        yield [[first], *smaller]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], [first, *block], *smaller[i + 1 :]]


def exhaustive_sets(k):
    """Sets of pairs (as indices) that can be all the true hypotheses there are."""
    index = {pair: i for i, pair in enumerate(combinations(range(k), 2))}
    return [
        tuple(index[pair] for block in blocks for pair in combinations(sorted(block), 2))
        for blocks in partitions(list(range(k)))
        if len(blocks) < k
    ]


def bonferroni_test(p):
    return len(p) * min(p)


def simes_test(p):
    return min(len(p) * x / rank for rank, x in enumerate(sorted(p), 1))


def closed_testing(pvalues, intersections, test):
    """Adjusted p of a hypothesis: the largest p of the intersections it is in."""
    adjusted = [0.0] * len(pvalues)
    for subset in intersections:
        p = min(1.0, test([pvalues[i] for i in subset]))
        for i in subset:
            adjusted[i] = max(adjusted[i], p)
    return adjusted


@pytest.mark.parametrize(
    "method, test",
    [("holm", bonferroni_test), ("hommel", simes_test), ("bergmann-hommel", bonferroni_test)],
)
@given(data=st.data())
def test_closed_testing(method, test, data):
    pvalues = data.draw(probabilities_for(method))
    n = len(pvalues)
    sets = exhaustive_sets(systems_of(n)) if method in LOGICAL else nonempty_subsets(n)
    found = adjust_pvalues(pvalues, method)
    expected = closed_testing(pvalues, sets, test)
    assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_bergmann_hommel_of_two_groups_of_systems():
    # Eleven systems, far apart if one is of the first six and the other is not. If a pair
    # within is true, so may be all 15 + 10; if a pair between is, all 55.
    groups = [0] * 6 + [1] * 5
    between = np.array([a != b for a, b in combinations(groups, 2)])
    found = adjust_pvalues(np.where(between, 1e-6, 0.01), "bergmann-hommel")
    assert found == pytest.approx(np.where(between, 55e-6, 0.25))


@given(all_pairs(), levels)
def test_shaffer_by_the_numbers_that_can_be_true(pvalues, level):
    m = len(pvalues)
    possible = {0} | {len(subset) for subset in exhaustive_sets(systems_of(m))}
    critical = [level / max(s for s in possible if s <= m - i) for i in range(m)]
    check_decisions(pvalues, "shaffer", step_down(pvalues, critical), level)


def step_down(pvalues, critical):
    """Reject from the smallest p on, until one is above its critical value."""
    order = np.argsort(pvalues, kind="stable")
    rejected = np.zeros(len(pvalues), dtype=bool)
    for i, bound in zip(order, critical, strict=True):
        if pvalues[i] > bound:
            break
        rejected[i] = True
    return rejected


def check_decisions(pvalues, method, rejected, level):
    adjusted = adjust_pvalues(pvalues, method)
    assume(not np.any(np.abs(adjusted - level) < 1e-9))
    assert (adjusted < level).tolist() == rejected.tolist()


def test_five_classifiers_on_thirty_data_sets():
    # Garcia & Herrera (2008): C4.5, 1-NN, naive Bayes, kernel, CN2 by their mean ranks.
    ranks = [2.1, 3.25, 2.2, 130 / 30, 93.5 / 30]
    z = [abs(a - b) / math.sqrt(5 * 6 / (6 * 30)) for a, b in combinations(ranks, 2)]
    raw = 2 * stats.norm.sf(z)
    assert raw[2] == pytest.approx(4.487e-8, rel=1e-4)
    shaffer, bergmann_hommel = (adjust_pvalues(raw, method) for method in LOGICAL)
    assert shaffer / raw == pytest.approx(
        [6, 1 / raw[1], 10, 4, raw[5] * 6 / raw[4], 6, 1 / raw[6], 6, 3, 6]
    )
    # The larger p of (1-NN, naive Bayes) gets the smaller adjusted one: no set of four with
    # that pair has a smallest p so large. Where it is raised to .031854, as in the R package
    # scmamp, that is to keep the order.
    naive_bayes, kernel = 4, 5
    assert raw[naive_bayes] > raw[kernel]
    assert bergmann_hommel[naive_bayes] == pytest.approx(0.030337, abs=5e-7)
    assert bergmann_hommel[kernel] == pytest.approx(0.031854, abs=5e-7)


@pytest.mark.parametrize("method", ADJUSTMENTS)
@given(data=st.data())
def test_adjusting_raises_and_keeps_the_order(method, data):
    pvalues = data.draw(probabilities_for(method))
    adjusted = adjust_pvalues(pvalues, method)
    assert np.all(adjusted >= pvalues)
    assert np.all(adjusted <= 1)
    if method != "bergmann-hommel":
        assert np.all(np.diff(adjusted[np.argsort(pvalues)]) >= 0)


@pytest.mark.parametrize("method", LOGICAL)
@given(data=st.data())
def test_the_order_of_the_systems_does_not_matter(method, data):
    pvalues = data.draw(all_pairs(3, 6))
    k = systems_of(len(pvalues))
    pairs = [frozenset(pair) for pair in combinations(range(k), 2)]
    renamed = data.draw(st.permutations(range(k)))
    pairs_renamed = [frozenset(pair) for pair in combinations(renamed, 2)]
    of_pair = dict(zip(pairs, pvalues, strict=True))
    here = dict(zip(pairs, adjust_pvalues(pvalues, method), strict=True))
    there = adjust_pvalues([of_pair[pair] for pair in pairs_renamed], method)
    assert there.tolist() == [here[pair] for pair in pairs_renamed]


@pytest.mark.parametrize("method", ADJUSTMENTS)
@settings(max_examples=settings.default.max_examples // 2)
@given(data=st.data())
def test_missing_pvalues_count_as_comparisons(method, data):
    pvalues = np.array(data.draw(probabilities_for(method)))
    missing = np.array(data.draw(st.lists(st.booleans(), min_size=10, max_size=10)))
    missing = missing[: len(pvalues)]
    found = adjust_pvalues(np.where(missing, np.nan, pvalues), method)
    expected = adjust_pvalues(np.where(missing, 1, pvalues), method)
    assert np.isnan(found).tolist() == missing.tolist()
    assert found[~missing].tolist() == expected[~missing].tolist()


test_what_is_refused_of_adjustments = refusals([
    (([0.5], "rom"), "method='rom' is unknown; use 'hommel'"),
    (([0.5], "li"), "method='li' is unknown; use 'hommel'"),
    (([0.5], "finner"), "method='finner' is unknown; use 'holm'"),
    (([0.5], "holland"), "method='holland' is unknown; use 'holm'"),
    *((([0.5] * m, method), f"'{method}' needs all pairs.*not {m}")
      for m in (2, 4, 5, 7, 11) for method in LOGICAL),
    (([0.5] * 136, "bergmann-hommel"), "16 systems at most; .*'shaffer'"),
], adjust_pvalues)  # fmt: skip


@st.composite
def matrices(draw, most=7):
    k = draw(st.integers(1, most))
    differs = np.zeros((k, k), dtype=bool)
    for i, j in combinations(range(k), 2):
        differs[i, j] = differs[j, i] = draw(st.booleans())
    return differs


def names_of(differs):
    return [f"system {i}" for i in range(len(differs))]


@settings(max_examples=4 * settings.default.max_examples)
@given(matrices())
def test_letters_are_the_largest_sets_without_a_difference(differs):
    k = len(differs)
    even = [
        set(subset)
        for size in range(1, k + 1)
        for subset in combinations(range(k), size)
        if not differs[np.ix_(subset, subset)].any()
    ]
    largest = sorted(sorted(one) for one in even if not any(one < other for other in even))
    letters = compact_letters(names_of(differs), differs)
    assert list(letters) == names_of(differs) and all(letters.values())
    used = sorted(set("".join(letters.values())))
    found = [[i for i, own in enumerate(letters.values()) if letter in own] for letter in used]
    assert found == largest  # "a" begins with the best


test_what_is_refused_of_letters = refusals([
    (("AB", [[0.5, 0.1], [0.1, 0.5]]), "compare p-values with alpha first"),
    (("AB", [[False, True], [False, False]]), r"must be symmetric \(2, 2\)"),
    (("AB", [[True, True], [True, True]]), "False on the diagonal"),
    (("ABC", [[False, True], [True, False]]), r"symmetric \(3, 3\)"),
    (("AA", [[False, True], [True, False]]), "names repeat"),
], compact_letters)  # fmt: skip


@pytest.mark.parametrize("k, share", [(40, 0.3), (60, 0.1), (50, 0.02)])
def test_letters_stay_few_where_the_largest_sets_are_many(k, share):
    rng = np.random.default_rng(k)
    differs = np.triu(rng.random((k, k)) < share, 1)
    differs[0, 1:] = True  # this one differs from all
    differs |= differs.T
    names = names_of(differs)
    letters = compact_letters(names, differs)
    of = {name: set(re.findall("[a-zA-Z]'*", own)) for name, own in letters.items()}
    assert all(of.values()) and len(set().union(*of.values())) <= k * (k - 1) / 2
    for i, j in combinations(range(k), 2):
        assert bool(of[names[i]] & of[names[j]]) == (not differs[i, j])


# Dror et al. (2017): six data sets.
PVALUES = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


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


test_what_is_refused_of_replicability = refusals([
    ({"pvalues": [0.1, math.nan], "datasets": ["iris", "wine"]}, "p-value of 'wine' is nan"),
    ({"pvalues": []}, "one-dimensional and not empty"),
    ({"pvalues": [[0.1]]}, "one-dimensional"),
    ({"pvalues": [0.1, 0.2], "datasets": ["iris"]}, "must hold 2 different names"),
    ({"pvalues": [0.1, 0.2], "datasets": ["iris", "iris"]}, "must hold 2 different names"),
    ({"pvalues": [0.1], "method": "stouffer"}, "method='stouffer' is unknown"),
    ({"pvalues": [0.1], "alpha": 0}, "must lie between 0 and 1"),
], replicability)  # fmt: skip
