"""Signed ranks and signs against enumeration, SciPy, tables and published examples."""

import math
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtri

from skstat.stats import PairedScores, sign, wilcoxon
from tests.cases import in_one_test

ALTERNATIVES = ["two-sided", "less", "greater"]


def paired(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def mid_ranks(sizes):
    """Smaller ones, plus half of the equal ones, itself included."""
    return [sum(x < s for x in sizes) + (1 + sum(x == s for x in sizes)) / 2 for s in sizes]


def enumerated(differences, zero_method):
    """R+ and the p-values of all alternatives over every sign pattern."""
    if zero_method == "wilcox":
        differences = [d for d in differences if d != 0]
    ranks = mid_ranks([abs(d) for d in differences])
    zero = sum(r for r, d in zip(ranks, differences, strict=True) if d == 0)
    active = [(r, d) for r, d in zip(ranks, differences, strict=True) if d != 0]
    observed = sum(r for r, d in active if d > 0)
    patterns = [
        sum(r for (r, _), up in zip(active, ups, strict=True) if up)
        for ups in product([False, True], repeat=len(active))
    ]
    less = sum(r <= observed for r in patterns) / len(patterns)
    greater = sum(r >= observed for r in patterns) / len(patterns)
    statistic = observed + (zero / 2 if zero_method == "zsplit" else 0)
    return statistic, {
        "less": less,
        "greater": greater,
        "two-sided": min(1, 2 * min(less, greater)),
    }


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=9),
    st.sampled_from(["wilcox", "pratt", "zsplit"]),
)
def test_exact_law_with_ties_and_zeros(differences, zero_method):
    statistic, pvalues = enumerated(differences, zero_method)
    for alternative, pvalue in pvalues.items():
        outcome = wilcoxon(
            paired(differences), zero_method=zero_method, alternative=alternative
        )
        assert outcome.statistic == statistic
        assert outcome.pvalue == pytest.approx(pvalue, rel=1e-12)
        assert outcome.pvalue >= outcome.smallest_pvalue


@in_one_test("alternative", ALTERNATIVES)
@in_one_test("n", [1, 5, 12, 30, 50])
def test_exact_pvalue_without_ties_is_scipys(n, alternative):
    differences = np.random.default_rng(n).normal(0.2, 1, n)
    expected = stats.wilcoxon(differences, method="exact", alternative=alternative)
    outcome = wilcoxon(paired(differences), alternative=alternative)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    total = n * (n + 1) / 2
    if alternative == "two-sided":
        assert min(outcome.statistic, total - outcome.statistic) == expected.statistic
    else:
        assert outcome.statistic == expected.statistic


@in_one_test("zero_method", ["wilcox", "pratt"])
@in_one_test("alternative", ALTERNATIVES)
@in_one_test("n", [12, 300])
def test_normal_approximation_is_scipys(n, alternative, zero_method):
    differences = np.random.default_rng(n).integers(-5, 7, n).astype(float)
    expected = stats.wilcoxon(
        differences,
        zero_method=zero_method,
        alternative=alternative,
        method="asymptotic",
        correction=False,
    )
    outcome = wilcoxon(
        paired(differences),
        zero_method=zero_method,
        alternative=alternative,
        method="asymptotic",
    )
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    assert "normal approximation" in outcome.test


def test_tied_textbook_example():
    # Ten patients before and after; one difference is 0 and two are 5. Ranks of
    # 15 -7 5 20 -9 17 -12 5 -10: 7 -3 1.5 9 -4 8 -6 1.5 -5, so R+ = 27, R- = 18.
    after = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135]
    before = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145]
    sample = PairedScores(after, before, unit="instance")
    outcome = wilcoxon(sample, zero_method="wilcox")
    assert outcome.statistic == 27
    assert outcome.effect_sizes["rank-biserial"] == pytest.approx((27 - 18) / 45)
    # With the zero ranked first every other rank grows by 1: R+ = 27 + 5, R- = 18 + 4.
    assert wilcoxon(sample).statistic == 32
    assert wilcoxon(sample, zero_method="zsplit").statistic == 32.5


# Table of the signed-rank test: the largest smaller rank sum that is significant at
# 5 %, two-sided (Wilcoxon & Wilcox 1964; Conover, 1999, A12; and most textbooks).
CRITICAL = {
    6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29,
    17: 34, 18: 40, 19: 46, 20: 52, 21: 58, 22: 65, 23: 73, 24: 81, 25: 89,
}  # fmt: skip


@in_one_test("n, critical", CRITICAL.items())
def test_limits_are_the_walsh_averages_of_the_table(n, critical):
    differences = np.random.default_rng(n).normal(0.2, 1, n)
    averages = sorted((x + y) / 2 for x, y in combinations_with_replacement(differences, 2))
    outcome = wilcoxon(paired(differences))
    assert outcome.critical_value(0.05) == n * (n + 1) / 2 - critical
    assert outcome.estimate == pytest.approx(np.median(averages), rel=1e-12)
    assert outcome.confidence_interval() == pytest.approx(
        (averages[critical], averages[-1 - critical]), rel=1e-12
    )


def test_no_border_of_a_grid_tears_ties_apart():
    # All differences are .01. A grid of 1e-10 times the largest score, .8192, has a
    # border exactly there, and float noise falls on both sides of it.
    a = np.array([0.8192, 0.7129, 0.7866, 0.6046, 0.1677, 0.5841, 0.6708, 0.7031])
    sample = PairedScores(a, np.round(a - 0.01, 4), unit="seed")
    assert len(set(np.rint(sample.differences / (1e-10 * 0.8192)))) == 2
    outcome = wilcoxon(sample, alternative="greater")
    assert outcome.pvalue == 2.0**-8
    assert outcome.effect_sizes["rank-biserial"] == 1
    mixed = PairedScores(
        np.where(np.arange(8) < 6, sample.a, sample.b),
        np.where(np.arange(8) < 6, sample.b, sample.a),
        unit="seed",
    )
    outcome = wilcoxon(mixed)
    assert outcome.statistic == 6 * 4.5  # eight ties have the rank 4.5
    assert outcome.effect_sizes["rank-biserial"] == (6 - 2) / 8


def test_scores_of_very_different_sizes_keep_their_ranks():
    # Negative mean squared errors; A wins the five small data sets.
    a = [-1.2e10, -0.10, -0.20, -0.30, -0.40, -0.50]
    b = [-1.0e10, -0.11, -0.23, -0.35, -0.47, -0.59]
    outcome = wilcoxon(PairedScores(a, b, unit="dataset"))
    assert outcome.statistic == 1 + 2 + 3 + 4 + 5
    assert outcome.pvalue == pytest.approx(
        enumerated([-6, 1, 2, 3, 4, 5], "pratt")[1]["two-sided"]
    )


def test_a_tie_of_large_scores_is_below_every_difference():
    # The tied unit has rank 1 however large its scores are; the others have 2 to 5.
    a = [-1.0e10, -0.10, -0.20, -0.30, -0.40]
    b = [-1.0e10, -0.11, -0.23, -0.25, -0.47]
    outcome = wilcoxon(PairedScores(a, b, unit="dataset"))
    assert outcome.statistic == 2 + 3 + 5
    assert outcome.pvalue == enumerated([0, 1, 3, -5, 7], "pratt")[1]["two-sided"]


@pytest.mark.parametrize("difference, side", [(0.04, -1), (0.05, 1)])
def test_noise_of_the_larger_score_decides_on_ties(difference, side):
    # All differences are equal up to the float noise of ten million, which puts the
    # large unit below the others for .04 and above them for .05.
    b = np.array([1e7, 0.5, 0.5, 0.5])
    a = b + difference
    assert np.sign((a - b)[0] - (a - b)[1]) == side
    # Four ties have the rank 2.5, and A wins on the large unit only.
    swapped = PairedScores([a[0], *b[1:]], [b[0], *a[1:]], unit="dataset")
    assert wilcoxon(swapped).statistic == 2.5


def cut_off(n, tail):
    """Number of averages below the lower limit: exact up to 200 units, normal beyond."""
    if n > 200:
        variance = n * (n + 1) * (2 * n + 1) / 24
        return int(np.floor(n * (n + 1) / 4 + ndtri(tail) * np.sqrt(variance) - 0.5))
    law = np.ones(1)
    for rank in range(1, n + 1):
        law = (np.append(law, np.zeros(rank)) + np.append(np.zeros(rank), law)) / 2
    return int(np.searchsorted(np.cumsum(law), tail, side="right")) - 1


@in_one_test("n", [9, 128, 129, 500, 1500])
@in_one_test(
    "draw",
    [
        lambda rng, n: rng.normal(0.05, 1, n),
        lambda rng, n: rng.standard_cauchy(n),
        lambda rng, n: np.append(rng.normal(0, 1, n - 1), 1e20),
        lambda rng, n: 10.0 ** rng.uniform(-50, 50, n) * rng.choice([-1, 1], n),
        lambda rng, n: rng.integers(-1, 2, n).astype(float),
        lambda rng, n: np.round(rng.normal(0.8, 0.05, n), 3) - 0.8,
        lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(0, 1, n)),
        lambda rng, n: np.full(n, 0.3),
        lambda rng, n: 0.1 * rng.permutation(n),
        lambda rng, n: 1 + rng.permutation(n) * 2.0**-52,
    ],
)
def test_every_bit_is_that_of_the_sorted_list(draw, n):
    differences = draw(np.random.default_rng(n), n)
    outcome = wilcoxon(PairedScores(differences, np.zeros(n), unit="instance"))
    i, j = np.triu_indices(n)
    kept = outcome.law.differences  # without float noise
    averages = np.sort((kept[i] + kept[j]) / 2)
    last = len(averages) - 1
    assert outcome.estimate == (averages[last // 2] + averages[-(last // 2) - 1]) / 2
    for level in (0.5, 0.9, 0.95):
        cut = cut_off(n, (1 - level) / 2)
        low, high = averages[[cut, last - cut]]
        assert outcome.confidence_interval(level) == (low, high)


def test_a_limit_of_zero_is_zero():
    # 2000 instances, A right on 500 that B gets wrong, never the reverse: more than
    # half of the averages are 0, and so is the lower limit.
    a = np.arange(2000) < 500
    outcome = wilcoxon(PairedScores(a, np.zeros(2000), unit="instance"))
    assert outcome.estimate == 0
    assert outcome.confidence_interval().low == 0


SIZES = np.array([0.01, 0.02, 0.02, 0.05, 0.07, 0.07, 0.11, 0.13])


@pytest.mark.long(keep=3)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("procedure", [sign, wilcoxon])
def test_every_sign_pattern_agrees_with_its_pvalue(procedure, alternative):
    critical = procedure(paired(SIZES), alternative=alternative).critical_value(0.05)
    seen = set()
    for signs in product([1, -1], repeat=len(SIZES)):
        outcome = procedure(paired(SIZES * signs), alternative=alternative)
        value = outcome.statistic
        rejects = outcome.pvalue <= 0.05
        seen.add(rejects)
        if alternative == "less":
            assert (value <= critical + 1e-12) == rejects
        elif alternative == "greater":
            assert (value >= critical - 1e-12) == rejects
        elif value >= critical:
            assert rejects
    assert seen == {True, False}


@pytest.mark.parametrize("procedure", [sign, wilcoxon])
def test_too_few_units_have_no_critical_value(procedure):
    assert procedure(paired(SIZES[:5])).critical_value(0.05) == np.inf
    less = procedure(paired(SIZES[:4]), alternative="less")
    assert less.critical_value(0.05) == -np.inf


def test_normal_approximation_and_split_zeros():
    outcome = wilcoxon(paired(np.arange(1.0, 301.0)))
    mean, sd = 300 * 301 / 4, np.sqrt(300 * 301 * 601 / 24)
    assert outcome.critical_value(0.1) == pytest.approx(mean + 1.6448536 * sd)
    zeros = np.r_[np.zeros(2), SIZES]
    pratt, split = (wilcoxon(paired(zeros), zero_method=name) for name in ("pratt", "zsplit"))
    # The two zeros have the ranks 1 and 2, half of which go to each side.
    assert split.critical_value(0.1) == pratt.critical_value(0.1) + 1.5


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.sampled_from(ALTERNATIVES))
def test_pvalue_is_scipys_without_the_ties(differences, alternative):
    wins = sum(d > 0 for d in differences)
    losses = sum(d < 0 for d in differences)
    outcome = sign(paired(differences), alternative=alternative)
    assert (outcome.statistic, outcome.unadjusted.turned().statistic) == (wins, losses)
    assert outcome.estimate == np.median(differences)
    expected = 1.0
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)


# Table of the sign test: the largest number of the rarer sign that is significant at
# 5 %, two-sided (Dixon & Mood 1946).
RARER_SIGN = {
    6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 1, 12: 2, 13: 2, 14: 2, 15: 3, 16: 3, 17: 4,
    18: 4, 19: 4, 20: 5, 21: 5, 22: 5, 23: 6, 24: 6, 25: 7,
}  # fmt: skip


@in_one_test("n, rarer", RARER_SIGN.items())
def test_limits_are_the_order_statistics_of_the_table(n, rarer):
    # Both limits cut off as many units as the table allows of the rarer sign.
    ordered = np.arange(1.0, n + 1) ** 2
    outcome = sign(paired(np.random.default_rng(n).permutation(ordered)))
    assert outcome.confidence_interval(0.95) == (ordered[rarer], ordered[-1 - rarer])


def test_a_level_that_is_reached_exactly_is_enough():
    # Six units: P(all on one side) = 1/64 at either end.
    ordered = np.arange(1.0, 7)
    outcome = sign(paired(ordered))
    assert outcome.confidence_interval(1 - 2 / 64) == (1, 6)
    assert outcome.confidence_interval(1 - 2 / 65) == (-math.inf, math.inf)
