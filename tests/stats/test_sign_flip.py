"""Sign flips, of costs and of many too: enumeration, SciPy, Fisher, laws of integers."""

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import (
    PairedScores,
    Predictions,
    cost,
    equivalence,
    paired_permutation,
    sign_flip,
)

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


def exact_greater(differences):
    """P(sum >= observed): shares of sums of subsets, whose flips lower the sum, up to 0."""
    law = Counter({0: 1})
    for d in differences:
        grown = Counter(law)
        for total, count in law.items():
            grown[total + d] += count
        law = grown
    below = sum(count for total, count in law.items() if total <= 0)
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


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_flips_of_the_studentised_mean_by_counting(alternative):
    d = np.array([5, 0, -1, 5, 1, -8, 2, 3, 1.0])

    def t(values):
        return values.mean() / (values.std(ddof=1) / math.sqrt(len(values)))

    flips = [t(d * signs) for signs in product([1, -1], repeat=len(d))]
    side = {"two-sided": abs, "greater": float, "less": lambda x: -x}[alternative]
    extreme = np.mean([side(x) >= side(t(d)) - 1e-9 for x in flips])
    outcome = cost(paired(d), alternative=alternative)
    assert outcome.pvalue == pytest.approx(extreme)
    assert outcome.estimate == pytest.approx(d.mean())
    plain = sign_flip(paired(d), alternative=alternative)
    assert outcome.confidence_interval() == plain.confidence_interval()
    assert outcome.test == "studentised sign-flip test of costs (exact)"


def test_costs_are_those_of_instances_or_groups():
    differences = [0, 5, 0, 5, -5, 1, 5, -1, 5, 1, 0, 0, -8, 2, 3.0]
    assert cost(paired(differences, "group")).pvalue == cost(paired(differences)).pvalue
    for unit in ("split", "seed", "dataset"):
        with pytest.raises(ValueError, match=f"instances or groups, not unit='{unit}'"):
            cost(paired(differences, unit))


def flipped(differences, **asked):
    return sign_flip(paired(differences), **asked)


def chance_above(bound, sizes):
    """Chance of a sum with random signs, by inversion of its characteristic function."""
    spread = np.sqrt(np.sum(sizes**2))
    t = (np.arange(2_000) + 0.5) * (12 / spread / 2_000)
    waves = np.prod(np.cos(np.multiply.outer(t, sizes)), axis=1)
    return 0.5 - np.sum(np.sin(t * bound) * waves / t) * (t[1] - t[0]) / np.pi


@pytest.mark.parametrize("n", [500, 9000])
def test_the_law_is_exact_to_a_thousandth(n):
    sizes = np.random.default_rng(n).gamma(2, 1, n)
    signs = np.ones(n)
    for errors in (0.01, 0.5, 2, 4, 5):
        wanted = errors * np.sqrt(np.sum(sizes**2))
        moved = int(np.argmin(np.abs(np.cumsum(sizes) - (sizes.sum() - wanted) / 2)))
        signs[: moved + 1], signs[moved + 1 :] = -1, 1
        expected = chance_above(float(signs @ sizes), sizes)
        found = flipped(signs * sizes, alternative="greater")
        assert "saddlepoint" in found.test
        assert found.pvalue == pytest.approx(expected, rel=1e-3, abs=1e-11)


def test_laws_with_steps_are_recognised():
    normal = np.random.default_rng(5).normal(size=700)
    for smooth in (normal, np.append(np.ones(500), normal[:100]), np.round(normal, 4)):
        assert "saddlepoint" in flipped(smooth).test
    for steps in (
        np.sign(normal),
        np.round(normal),
        np.tile([2.0, 3.0, -2.0], 300),
        np.append(np.ones(600), normal[:2]),
        np.append(np.ones(600), 1e-6 * normal),
        normal[:499],
        np.append(normal, 300.0),  # one outweighs all others
        np.zeros(600),
    ):
        assert "saddlepoint" not in flipped(steps, rng=0).test


def drawn_beside(differences, alternative):
    smooth = flipped(differences, alternative=alternative)
    drawn = flipped(differences, n_resamples=40_000, rng=1, alternative=alternative)
    assert "(saddlepoint approximation)" in smooth.test and "(drawn)" in drawn.test
    return smooth, drawn


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_flips_as_many_draws_have_them(alternative):
    rng = np.random.default_rng(6)
    differences = rng.exponential(size=800) * rng.choice([-1, 1], 800, p=[0.47, 0.53])
    differences[::9] = 0
    smooth, drawn = drawn_beside(differences, alternative)
    assert smooth.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
    assert (smooth.monte_carlo_error, smooth.n_resamples, smooth.seed) == (0, 0, None)
    error = differences.std() / np.sqrt(800)
    found, expected = smooth.confidence_interval(), drawn.confidence_interval()
    assert found == pytest.approx(expected, abs=0.06 * error)
    margin = abs(smooth.estimate) + 2 * error
    within = [equivalence(outcome, margin).pvalue for outcome in (smooth, drawn)]
    assert within[0] == pytest.approx(within[1], abs=0.004)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [600, 9000])
def test_the_interval_inverts_the_test(alternative, n):
    differences = np.random.default_rng(n).gamma(2, 1, n) - 2 + 0.02
    smooth, _ = drawn_beside(differences, alternative)
    for factor, excluded in ((1 - 1e-6, False), (1 + 1e-6, True)):
        low, high = smooth.confidence_interval(1 - smooth.pvalue * factor)
        assert (low > 0 or high < 0) is excluded


def test_what_no_draws_could_show():
    differences = np.random.default_rng(7).normal(1, 1, 2000)
    # Beyond every number of draws; Student's t has the same order, for normal differences.
    assert np.log10(flipped(differences).pvalue) == pytest.approx(
        np.log10(stats.ttest_1samp(differences, 0).pvalue), rel=0.03
    )
    assert flipped(np.abs(differences)).pvalue <= np.finfo(float).tiny
    half = flipped(np.abs(differences[:600]))
    assert half.pvalue == 2.0**-599
    low, high = half.confidence_interval()
    assert 0 < low < half.estimate < high


def predictions(n=700, seed=8, gap=0.08, **more):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    outputs = {"a": y + rng.normal(size=n), "b": y + (1 + gap) * rng.normal(size=n)}
    return Predictions(y, outputs, as_metric("neg_mean_squared_error"), **more)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swaps_are_sign_flips_of_the_rows(alternative):
    sample = predictions()
    a, b = ((sample.y_true - output) ** 2 for output in sample.outputs.values())
    outcome = paired_permutation(sample, rng=1, alternative=alternative)
    flips = flipped(b - a, alternative=alternative)
    assert "saddlepoint" in outcome.test and not outcome.law.exact
    assert (outcome.n_resamples, outcome.seed, outcome.monte_carlo_error) == (0, None, 0)
    assert outcome.pvalue == pytest.approx(flips.pvalue, rel=1e-9)
    assert outcome.standard_error == pytest.approx(np.std(b - a, ddof=1) / np.sqrt(700))
    drawn = paired_permutation(sample, n_resamples=20_000, rng=0, alternative=alternative)
    assert outcome.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
    checked, expected = (replace(each, law=each.law.by_replicates) for each in (outcome, drawn))
    for each, like in ((outcome, drawn), (checked, expected)):
        limits = pytest.approx(like.confidence_interval(), abs=0.1 * outcome.standard_error)
        assert each.confidence_interval() == limits
    for factor, excluded in ((1 - 1e-6, False), (1 + 1e-6, True)):
        low, high = outcome.confidence_interval(1 - outcome.pvalue * factor)
        assert (low > 0 or high < 0) is excluded
