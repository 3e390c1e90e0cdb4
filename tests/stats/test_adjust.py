"""Adjusted p-values against closed testing and printed results."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat.stats import adjust_pvalues

probabilities = st.lists(
    st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda k: k / 20)), max_size=7
)


def closed_testing(pvalues):
    """Holm's procedure by its definition: Bonferroni tests of all intersections.

    The adjusted p of a hypothesis is the largest p of the intersections it is in.
    """
    indices = range(len(pvalues))
    adjusted = [0.0] * len(pvalues)
    for size in range(1, len(pvalues) + 1):
        for subset in combinations(indices, size):
            p = min(1.0, size * min(pvalues[i] for i in subset))
            for i in subset:
                adjusted[i] = max(adjusted[i], p)
    return adjusted


@settings(max_examples=50, deadline=None)
@given(probabilities)
def test_holm_is_closed_testing(pvalues):
    assert adjust_pvalues(pvalues).tolist() == pytest.approx(closed_testing(pvalues), rel=1e-12)


def test_holm_by_hand():
    # Sorted: .001 .019 .168 .218 .297 .357; times 6 5 4 3 2 1: .006 .095 .672 .654
    # .594 .357; made monotone: .006 .095 .672 .672 .672 .672.
    found = adjust_pvalues([0.168, 0.297, 0.357, 0.019, 0.218, 0.001])
    assert found == pytest.approx([0.672, 0.672, 0.672, 0.095, 0.672, 0.006])


def test_bonferroni_by_hand():
    found = adjust_pvalues([0.01, 0.3, 0.2, 0.0], method="bonferroni")
    assert found == pytest.approx([0.04, 1, 0.8, 0])


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_w6_error_of_a_family(method):
    # Ten independent tests at .05 reject somewhere with probability 1 - .95^10 = .401;
    # adjusted, all ten must share the .05: 1 - .995^10 = .049.
    unadjusted, smallest_rejected = 0.05, 0.05 / 10
    some_error = [1 - (1 - level) ** 10 for level in (unadjusted, smallest_rejected)]
    assert some_error == pytest.approx([0.401, 0.049], abs=5e-4)
    pvalues = np.array([smallest_rejected, *np.linspace(0.3, 0.9, 9)])
    assert adjust_pvalues(pvalues, method).min() == pytest.approx(0.05)


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
@settings(max_examples=50, deadline=None)
@given(pvalues=probabilities)
def test_adjusting_raises_and_keeps_the_order(method, pvalues):
    adjusted = adjust_pvalues(pvalues, method)
    assert np.all(adjusted >= pvalues)
    assert np.all(adjusted <= 1)
    assert np.all(np.diff(adjusted[np.argsort(pvalues)]) >= 0)
    assert np.all(adjust_pvalues(pvalues) <= adjust_pvalues(pvalues, "bonferroni"))


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_a_missing_pvalue_counts_as_a_comparison(method):
    found = adjust_pvalues([np.nan, 0.01, 0.9], method)
    assert np.isnan(found[0])
    assert found[1:].tolist() == adjust_pvalues([1.0, 0.01, 0.9], method)[1:].tolist()
    assert found[1] == pytest.approx(0.03)


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_nothing_and_nothing_but_missing(method):
    assert adjust_pvalues([], method).shape == (0,)
    assert np.isnan(adjust_pvalues([np.nan, np.nan], method)).all()


def test_the_input_is_left_alone():
    pvalues = np.array([0.04, 0.01])
    adjust_pvalues(pvalues)
    assert pvalues.tolist() == [0.04, 0.01]


@pytest.mark.parametrize("pvalues", [[0.5, 1.1], [-0.1], [[0.1, 0.2]], 0.5, [np.nan, 2]])
def test_no_pvalues(pvalues):
    with pytest.raises(ValueError, match="one-dimensional, with values from 0 to 1"):
        adjust_pvalues(pvalues)


def test_unknown_method():
    with pytest.raises(ValueError, match="method='hommel' is unknown"):
        adjust_pvalues([0.5], method="hommel")
