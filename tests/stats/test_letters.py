"""Letters and bars say which pairs differ, against their definitions."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat.stats import compact_letters
from skstat.stats._multiplicity import contiguous_groups, undrawn_pairs
from tests.cases import in_one_test


@st.composite
def matrices(draw, most=7):
    k = draw(st.integers(1, most))
    differs = np.zeros((k, k), dtype=bool)
    for i, j in combinations(range(k), 2):
        differs[i, j] = differs[j, i] = draw(st.booleans())
    return differs


def names_of(differs):
    return [f"system {i}" for i in range(len(differs))]


def by_distance(positions, critical):
    positions = np.asarray(positions)
    return np.abs(positions[:, None] - positions) > critical


@settings(max_examples=4 * settings.default.max_examples)
@given(matrices())
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(differs):
    names = names_of(differs)
    letters = compact_letters(names, differs)
    assert list(letters) == names and all(letters.values())
    for i, j in combinations(range(len(names)), 2):
        shared = set(letters[names[i]]) & set(letters[names[j]])
        assert bool(shared) == (not differs[i, j])


@settings(max_examples=2 * settings.default.max_examples)
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
    used = sorted(set("".join(letters.values())))
    found = [[i for i, own in enumerate(letters.values()) if letter in own] for letter in used]
    assert found == largest  # "a" begins with the best


@settings(max_examples=4 * settings.default.max_examples)
@given(matrices())
def test_runs_are_the_longest_without_a_difference(differs):
    k, names = len(differs), names_of(differs)
    even = [
        range(i, j)
        for i in range(k)
        for j in range(i + 2, k + 1)
        if not differs[i:j, i:j].any()
    ]
    longest = [run for run in even if not any(set(run) < set(other) for other in even)]
    groups = contiguous_groups(names, differs)
    assert groups == [tuple(names[i] for i in run) for run in longest]
    together = {pair for group in groups for pair in combinations(group, 2)}
    assert undrawn_pairs(names, differs) == [
        (names[i], names[j])
        for i, j in combinations(range(k), 2)
        if not differs[i, j] and (names[i], names[j]) not in together
    ]


def test_demsars_figure():
    # Demšar (2006), section 3.2.4 and figure 1: at .10 C4.5 is worse than both learners
    # with cross-validated m, and C4.5+cf is told apart from none.
    order = ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    differs = by_distance([1.964, 2.000, 2.893, 3.143], 1.25)
    assert not differs.any()  # Nemenyi's test with CD = 1.25 finds nothing
    assert contiguous_groups(order, differs) == [tuple(order)]
    differs = by_distance([1.964, 2.000, 2.893, 3.143], 1.12)  # CD at .10
    assert contiguous_groups(order, differs) == [tuple(order[:3]), tuple(order[2:])]
    assert list(compact_letters(order, differs).values()) == ["a", "a", "ab", "b"]


def test_one_critical_difference_leaves_no_pair_undrawn():
    for seed in range(20):
        positions = np.sort(np.random.default_rng(seed).uniform(1, 12, 12))
        assert undrawn_pairs(list(range(12)), by_distance(positions, 2.0)) == []


def test_a_hundred_systems():
    names = [f"s{i}" for i in range(100)]
    differs = by_distance(np.arange(100.0), 3)
    groups = contiguous_groups(names, differs)
    assert [len(group) for group in groups] == [4] * 97
    letters = compact_letters(names, differs)
    assert letters["s0"] == "a" and letters["s99"] == "S'"
    assert letters["s53"] == "YZa'b'"
    apart = compact_letters(names, ~np.eye(100, dtype=bool))
    assert len(set(apart.values())) == 100


def test_extremes():
    assert compact_letters(["A"], [[False]]) == {"A": "a"}
    assert contiguous_groups(["A"], [[False]]) == []
    nothing = np.zeros((3, 3), dtype=bool)
    assert compact_letters("ABC", nothing) == {"A": "a", "B": "a", "C": "a"}
    assert contiguous_groups("ABC", nothing) == [("A", "B", "C")]
    everything = ~np.eye(3, dtype=bool)
    assert compact_letters("ABC", everything) == {"A": "a", "B": "b", "C": "c"}
    assert contiguous_groups("ABC", everything) == undrawn_pairs("ABC", everything) == []


@in_one_test("function", [compact_letters, contiguous_groups, undrawn_pairs])
@in_one_test(
    "names, differs, message",
    [
        ("AB", [[0.5, 0.1], [0.1, 0.5]], "compare p-values with alpha first"),
        ("AB", [[False, True], [False, False]], "must be a symmetric matrix for 2 systems"),
        ("AB", [[True, True], [True, True]], "none of which differs from itself"),
        ("ABC", [[False, True], [True, False]], "for 3 systems"),
        ("AA", [[False, True], [True, False]], "names repeat"),
    ],
)
def test_what_is_refused(function, names, differs, message):
    with pytest.raises(ValueError, match=message):
        function(names, differs)


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
