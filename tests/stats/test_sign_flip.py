"""The sign-flip test against enumeration, SciPy, Fisher, and the exact law of integers."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import PairedScores, sign_flip

ALTERNATIVES = ["two-sided", "less", "greater"]


def paired(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def enumerated(differences, alternative="two-sided", noise=1e-9):
    """Share of the 2^n sign patterns whose sum is at least as extreme."""
    observed = sum(differences)
    sums = [
        sum(sign * d for sign, d in zip(signs, differences, strict=True))
        for signs in product([1, -1], repeat=len(differences))
    ]
    extreme = {
        "two-sided": lambda total: abs(total) >= abs(observed) - noise,
        "greater": lambda total: total >= observed - noise,
        "less": lambda total: total <= observed + noise,
    }[alternative]
    return sum(map(extreme, sums)) / len(sums)


def subsets(differences):
    """Number of subsets of every size and sum; differences are integers."""
    law = Counter({(0, 0): 1})
    for d in differences:
        grown = Counter(law)
        for (size, total), count in law.items():
            grown[size + 1, total + d] += count
        law = grown
    return law


def exact_greater(differences, shift=0):
    """P(sum >= observed) after the shift: subsets whose flips do not raise the sum."""
    law = subsets(differences)
    below = sum(count for (size, total), count in law.items() if total <= shift * size)
    return below / 2 ** len(differences)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.sampled_from(ALTERNATIVES))
def test_small_samples_by_enumeration(hundredths, alternative):
    # As hundredths the sums carry float noise, and ties must still be counted.
    sample = paired(np.array(hundredths) / 100)
    outcome = sign_flip(sample, alternative=alternative)
    assert outcome.pvalue == enumerated(hundredths, alternative)
    assert outcome.statistic == outcome.estimate == np.mean(sample.differences)
    assert outcome.pvalue >= outcome.smallest_pvalue
    assert outcome.monte_carlo_error == 0
    assert "(exact)" in outcome.test


def test_fisher_on_darwins_maize():
    # The Design of Experiments (1935), section 21: of 2^15 = 32768 sign patterns of
    # the differences in eighths of an inch 863 have a sum of 314 or more, twice as
    # many an absolute sum of 314 or more: 5.267 %.
    d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert sum(d) == 314
    assert sign_flip(paired(d), alternative="greater").pvalue == 863 / 2**15
    assert sign_flip(paired(d)).pvalue == 1726 / 2**15


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_sizes_are_exact_mcnemar(alternative):
    # 0/1 losses: flipping signs is flipping coins, counted or not.
    for wins, losses in ((9, 4), (18, 6), (300, 351)):
        differences = np.repeat([1.0, -1.0, 0.0], [wins, losses, 40])
        outcome = sign_flip(paired(differences), n_resamples=1, alternative=alternative)
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
        assert outcome.seed is None


def test_ties_of_the_systems_are_no_units_to_draw_for():
    active = np.random.default_rng(1).integers(1, 9, 12) * np.repeat([1, -1], [8, 4])
    outcome = sign_flip(paired(np.concatenate([active, np.zeros(500)])))
    assert outcome.seed is None
    assert outcome.pvalue == sign_flip(paired(active)).pvalue
    # The 512 shifted units cannot all be counted; the limits are drawn, always alike.
    assert outcome.confidence_interval() == outcome.confidence_interval()
    assert outcome.confidence_interval().low < outcome.estimate


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_pvalue_is_near_the_exact_one(alternative):
    differences = np.random.default_rng(7).integers(-9, 13, 30)
    greater = exact_greater(differences.tolist())
    less = exact_greater((-differences).tolist())
    exact = {"greater": greater, "less": less, "two-sided": 2 * min(greater, less)}
    outcome = sign_flip(paired(differences), rng=0, alternative=alternative)
    assert "(drawn)" in outcome.test
    error = math.sqrt(exact[alternative] * (1 - exact[alternative]) / 9999)
    assert outcome.pvalue == pytest.approx(exact[alternative], abs=4 * error)
    assert outcome.monte_carlo_error == pytest.approx(error, rel=0.1)


def test_drawn_pvalue_counts_the_observed_pattern():
    # p = (1 + count) / (1 + n_resamples), so never 0.
    differences = np.arange(1.0, 41)
    for n_resamples in (1, 7, 99):
        outcome = sign_flip(paired(differences), n_resamples=n_resamples, rng=0)
        assert outcome.pvalue == 1 / (1 + n_resamples)


def test_drawn_limits_count_the_observed_pattern():
    # The smallest one-sided p of B drawn patterns is 1 / (1 + B): 39 are the fewest that
    # reach .025, and their limits are the extreme subset means.
    sample = paired(np.random.default_rng(9).normal(0.3, 1, 30))
    few = sign_flip(sample, n_resamples=38, rng=0)
    enough = sign_flip(sample, n_resamples=39, rng=0)
    assert few.confidence_interval(0.95) == (-math.inf, math.inf)
    assert np.isfinite(enough.confidence_interval(0.95)).all()
    assert few.confidence_interval(0.94) != (-math.inf, math.inf)


def test_interval_and_pvalue_agree_on_scores_with_two_decimals():
    # The lower limit is the mean of a subset that sums to 0 but for float noise, which
    # must not move 0 out of the interval while p is above .1.
    a = [0.82, 0.83, 0.78, 0.72, 0.71, 0.74, 0.67, 0.68, 0.76, 0.65, 0.77]
    b = [0.82, 0.77, 0.75, 0.75, 0.66, 0.76, 0.60, 0.69, 0.68, 0.64, 0.77]
    outcome = sign_flip(PairedScores(a, b, unit="seed"))
    assert outcome.pvalue == enumerated([0, 6, 3, -3, 5, -2, 7, -1, 8, 1, 0]) > 0.1
    assert outcome.confidence_interval(0.9).low == 0
