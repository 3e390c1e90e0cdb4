"""Adjusted p-values against closed testing, the procedures' decisions and printed results."""

import math
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import adjust_pvalues
from skstat.stats._multiplicity import ADJUSTMENTS, Adjustment
from tests.cases import in_one_test

LOGICAL = [method for method, facts in ADJUSTMENTS.items() if facts.logical]
# Those of any number of p-values of any size.
GENERAL = [method for method in ADJUSTMENTS if method not in LOGICAL]

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


# The tests of an intersection that closed testing makes of the procedures.


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


@pytest.mark.parametrize("method, test", [("holm", bonferroni_test), ("hommel", simes_test)])
@given(pvalues=probabilities)
def test_closed_testing(method, test, pvalues):
    expected = closed_testing(pvalues, nonempty_subsets(len(pvalues)), test)
    found = adjust_pvalues(pvalues, method)
    assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-15)


@given(all_pairs())
def test_bergmann_hommel_is_closed_testing_of_exhaustive_sets(pvalues):
    k = (1 + math.isqrt(1 + 8 * len(pvalues))) // 2
    expected = closed_testing(pvalues, exhaustive_sets(k), bonferroni_test)
    assert adjust_pvalues(pvalues, "bergmann-hommel").tolist() == pytest.approx(
        expected, rel=1e-12
    )


def test_number_of_exhaustive_sets():
    # Garcia & Herrera (2008): Bell numbers less the empty set. So the lists are whole.
    assert [len(set(exhaustive_sets(k))) for k in range(3, 8)] == [4, 14, 51, 202, 876]


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
    k = (1 + math.isqrt(1 + 8 * m)) // 2
    possible = {0} | {len(subset) for subset in exhaustive_sets(k)}
    critical = [level / max(s for s in possible if s <= m - i) for i in range(m)]
    check_decisions(pvalues, "shaffer", step_down(pvalues, critical), level)


def test_numbers_of_pairs_that_can_be_true():
    # Shaffer (1986): 0, 1, 2, 3, 4, 6 or 10 of five systems. The first p that is not 0 is
    # multiplied by the largest of these that the rejections before it leave.
    found = [
        adjust_pvalues([0] * i + [0.01] + [1] * (9 - i), "shaffer")[i] / 0.01 for i in range(10)
    ]
    assert found == pytest.approx([10, 6, 6, 6, 6, 4, 4, 3, 2, 1])


# Decisions as the authors of the procedures put them, at one level.


def step_down(pvalues, critical):
    """Reject from the smallest p on, until one is above its critical value."""
    order = np.argsort(pvalues, kind="stable")
    rejected = np.zeros(len(pvalues), dtype=bool)
    for i, bound in zip(order, critical, strict=True):
        if pvalues[i] > bound:
            break
        rejected[i] = True
    return rejected


def step_up(pvalues, critical):
    """Retain from the largest p on, until one is within its critical value."""
    order = np.argsort(pvalues, kind="stable")
    rejected = np.ones(len(pvalues), dtype=bool)
    for i, bound in zip(order[::-1], critical[::-1], strict=True):
        if pvalues[i] <= bound:
            break
        rejected[i] = False
    return rejected


def check_decisions(pvalues, method, rejected, level):
    adjusted = adjust_pvalues(pvalues, method)
    assume(not np.any(np.abs(adjusted - level) < 1e-9))
    assert (adjusted < level).tolist() == rejected.tolist()


@pytest.mark.parametrize(
    "method, steps, critical",
    [
        ("sidak", step_down, lambda i, m, level: 1 - (1 - level) ** (1 / m)),
        ("hochberg", step_up, lambda i, m, level: level / (m - i + 1)),
        ("fdr_bh", step_up, lambda i, m, level: level * i / m),
        ("fdr_by", step_up, lambda i, m, level: level * i / m / sum(1 / np.arange(1, m + 1))),
    ],
)
@given(pvalues=probabilities, level=levels)
def test_decisions(method, steps, critical, pvalues, level):
    m = len(pvalues)
    rejected = steps(pvalues, [critical(i, m, level) for i in range(1, m + 1)])
    check_decisions(pvalues, method, rejected, level)


# Printed results.


# statsmodels 0.15.0, multipletests: b, s, h, hs, sh, ho, fdr_bh, fdr_by.
RAW = [0.021, 0.0004, 0.012, 0.3, 0.012, 0.046, 0.74, 0.0031]
ADJUSTED = {
    "bonferroni": [0.168, 0.0032, 0.096, 1.0, 0.096, 0.368, 1.0, 0.0248],
    "sidak": [
        0.1561572287, 0.003195523582, 0.09206333033, 0.94235199,
        0.09206333033, 0.3139006662, 0.9999791173, 0.02453258185,
    ],
    "holm": [0.084, 0.0032, 0.072, 0.6, 0.072, 0.138, 0.74, 0.0217],
    "hochberg": [0.084, 0.0032, 0.06, 0.6, 0.06, 0.138, 0.74, 0.0217],
    "hommel": [0.084, 0.0032, 0.0525, 0.6, 0.0525, 0.138, 0.74, 0.0217],
    "fdr_bh": [0.0336, 0.0032, 0.024, 0.3428571429, 0.024, 0.06133333333, 0.74, 0.0124],
    "fdr_by": [
        0.09132, 0.008697142857, 0.06522857143, 0.9318367347,
        0.06522857143, 0.1666952381, 1.0, 0.03370142857,
    ],
}  # fmt: skip


@in_one_test("method", ADJUSTED)
def test_another_package(method):
    assert adjust_pvalues(RAW, method) == pytest.approx(ADJUSTED[method], rel=1e-9)


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


def test_tiny_pvalues_keep_their_digits():
    assert adjust_pvalues([1e-30, 0.5], "sidak")[0] == pytest.approx(2e-30, abs=0)


# Properties.


@pytest.mark.parametrize("method", ADJUSTMENTS)
@given(data=st.data())
def test_adjusting_raises_and_keeps_the_order(method, data):
    pvalues = data.draw(probabilities_for(method))
    adjusted = adjust_pvalues(pvalues, method)
    assert np.all(adjusted >= pvalues)
    assert np.all(adjusted <= 1)
    if method != "bergmann-hommel":
        assert np.all(np.diff(adjusted[np.argsort(pvalues)]) >= 0)


@pytest.mark.parametrize("method", ADJUSTMENTS)
@given(data=st.data())
def test_a_larger_pvalue_makes_no_smaller_adjusted_one(method, data):
    pvalues = data.draw(probabilities_for(method).filter(len))
    i = data.draw(st.integers(0, len(pvalues) - 1))
    larger = pvalues.copy()
    larger[i] = data.draw(st.floats(larger[i], 1))
    assert np.all(adjust_pvalues(larger, method) >= adjust_pvalues(pvalues, method) - 1e-12)


@pytest.mark.parametrize("method", LOGICAL)
@given(data=st.data())
def test_the_order_of_the_systems_does_not_matter(method, data):
    pvalues = data.draw(all_pairs(3, 6))
    k = (1 + math.isqrt(1 + 8 * len(pvalues))) // 2
    pairs = [frozenset(pair) for pair in combinations(range(k), 2)]
    renamed = data.draw(st.permutations(range(k)))
    pairs_renamed = [frozenset(pair) for pair in combinations(renamed, 2)]
    of_pair = dict(zip(pairs, pvalues, strict=True))
    here = dict(zip(pairs, adjust_pvalues(pvalues, method), strict=True))
    there = adjust_pvalues([of_pair[pair] for pair in pairs_renamed], method)
    assert there.tolist() == [here[pair] for pair in pairs_renamed]


def test_which_pair_has_which_pvalue_matters_to_bergmann_hommel():
    # With .001 for all pairs of the first system, the three others may still be equal; with
    # .001 along a path through all four, at most two pairs.
    star = adjust_pvalues([0.001, 0.001, 0.001, 0.01, 0.02, 0.03], "bergmann-hommel")
    path = adjust_pvalues([0.001, 0.01, 0.02, 0.001, 0.03, 0.001], "bergmann-hommel")
    assert star == pytest.approx([0.006, 0.006, 0.006, 0.03, 0.03, 0.03])
    assert path == pytest.approx([0.006, 0.02, 0.02, 0.006, 0.03, 0.006])


@pytest.mark.parametrize("method", [*GENERAL, *LOGICAL])
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


def test_what_the_procedures_say_of_themselves():
    def with_fact(name, value=True):
        return {
            method for method, facts in ADJUSTMENTS.items() if getattr(facts, name) is value
        }

    assert set(ADJUSTMENTS) == set(get_args(Adjustment))
    assert with_fact("assumes", None) == {"bonferroni", "holm", "fdr_by"}
    assert with_fact("logical") == {"shaffer", "bergmann-hommel"}
    assert with_fact("false_discoveries") == {"fdr_bh", "fdr_by"}
    assert all(f'``"{method}"``' in adjust_pvalues.__doc__ for method in ADJUSTMENTS)


# Errors.


def test_unknown_method():
    with pytest.raises(
        ValueError, match="method='fisher' is unknown; use one of 'bonferroni', "
    ):
        adjust_pvalues([0.5], method="fisher")


@in_one_test(
    "name, instead",
    [("rom", "hommel"), ("li", "hommel"), ("finner", "holm"), ("holland", "holm")],
)
def test_methods_of_other_packages_name_one_that_is_here(name, instead):
    with pytest.raises(ValueError, match=f"method='{name}' is unknown; use '{instead}'"):
        adjust_pvalues([0.5], name)


@in_one_test("m", [2, 4, 5, 7, 11])
@in_one_test("method", LOGICAL)
def test_not_all_pairs(method, m):
    with pytest.raises(ValueError, match=f"'{method}' needs .* all pairs .* but there are {m}"):
        adjust_pvalues([0.5] * m, method)


def test_too_many_systems():
    with pytest.raises(ValueError, match="at most 16 systems, .* those of 17; .*'shaffer'"):
        adjust_pvalues([0.5] * 136, "bergmann-hommel")
