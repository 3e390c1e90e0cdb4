"""Student's t in all its forms, and effect sizes: SciPy, tables, worked numbers, by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from skstat.stats import (
    PairedScores,
    Scores,
    corrected_t,
    effect_sizes,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test, refusals

ALTERNATIVES = ["two-sided", "less", "greater"]
LEVELS = [0.5, 0.9, 0.95, 0.999]


def some_scores(n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(0.80, 0.03, n)
    return a, a - rng.normal(0.01, 0.02, n)


@in_one_test("n", [2, 3, 10, 57])
@in_one_test("alternative", ALTERNATIVES)
def test_paired_t_is_scipys(alternative, n):
    a, b = some_scores(n)
    expected = stats.ttest_rel(a, b, alternative=alternative)
    outcome = paired_t(PairedScores(a, b, unit="instance"), alternative=alternative)
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.df == expected.df
    for level in LEVELS:
        assert outcome.confidence_interval(level) == pytest.approx(
            expected.confidence_interval(level), rel=1e-8
        )


@in_one_test("shift", [1.0, 1e3, 1e7])
def test_far_out_no_digits_are_lost(shift):
    a, b = some_scores(25)
    outcome = paired_t(PairedScores(a + shift, b, unit="instance"), alternative="greater")
    expected = stats.t.sf(outcome.statistic, 24)
    assert 0 < outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert shift == 1 or expected < 1e-60


@pytest.mark.parametrize(
    "units, ratio, name",
    [
        ({"n_train": 200, "n_test": 100}, 1 / 2, "corrected resampled t"),
        ({"n_repeats": 1}, 1 / 29, "corrected K-fold t"),
        ({"n_repeats": 3}, 1 / 9, "corrected repeated K-fold t"),
        ({"n_repeats": 3, "n_train": 90, "n_test": 10}, 1 / 9, "corrected repeated K-fold t"),
        ({"n_train": [60, 40] * 15, "n_test": [30, 50] * 15}, 4 / 5, "corrected resampled t"),
    ],
)
def test_corrected_t_widens_scipys_standard_error(units, ratio, name):
    a, b = some_scores(30)
    textbook = stats.ttest_rel(a, b)
    outcome = corrected_t(PairedScores(a, b, **units))
    widening = math.sqrt((1 / 30 + ratio) / (1 / 30))
    assert outcome.statistic == pytest.approx(textbook.statistic / widening, rel=1e-10)
    low, high = textbook.confidence_interval(0.9)
    middle, half_width = (low + high) / 2, widening * (high - low) / 2
    assert outcome.confidence_interval(0.9) == pytest.approx(
        (middle - half_width, middle + half_width), rel=1e-9
    )
    assert outcome.df == 29
    assert outcome.test.startswith(name)


def test_bouckaert_uses_root_eleven_and_ten_degrees():
    a, b = some_scores(100)
    sample = PairedScores(a, b, n_repeats=10)
    textbook = stats.ttest_rel(a, b).statistic  # mean * sqrt(100) / sd
    t = textbook / 10 * math.sqrt(11)
    outcome = corrected_t(sample, calibrated=True)
    assert outcome.statistic == pytest.approx(t, rel=1e-10)
    assert outcome.df == 10
    # P(|T| > t) with 10 degrees of freedom by the incomplete beta function.
    assert outcome.pvalue == pytest.approx(
        stats.beta.cdf(10 / (10 + t**2), 10 / 2, 1 / 2), rel=1e-9
    )
    # Table: 2.228.
    assert outcome.critical_value() == pytest.approx(2.228, abs=5e-4)


SPLITS = PairedScores([1, 2], [0, 0], n_repeats=1)
test_too_few_units = refusals([
    (lambda: corrected_t(SPLITS), "corrected_t needs at least 3 splits, got 2"),
    (lambda: paired_t(SPLITS), "paired_t needs at least 3 splits, got 2"),
    (lambda: paired_t(PairedScores([1], [0], unit="seed")), "paired_t needs at least 2 seeds"),
    (lambda: corrected_t(Scores([1, 2], n_repeats=1).against(0.5)), "needs at least 3 splits"),
])  # fmt: skip


# Ten differences in hundredths, repeat by repeat.
PERCENT = [5, 1, 3, 2, -1, 4, 6, 3, 0, 2]


def five_by_two(differences):
    return PairedScores(differences, np.zeros(10), n_repeats=5)


def f_of(differences, shift=0):
    """Alpaydin's F as he writes it: repeat means, then s_i^2, then the ratio."""
    shifted = [d - shift for d in differences]
    within = 0
    for first, second in zip(shifted[::2], shifted[1::2], strict=True):
        mean = (first + second) / 2
        within += (first - mean) ** 2 + (second - mean) ** 2
    return sum(d**2 for d in shifted) / (2 * within)


def t5_upper_tail(t):
    """P(T > t) with 5 degrees of freedom, in closed form."""
    x = t / math.sqrt(5)
    inner = x / (1 + x**2) * (1 + 2 / (3 * (1 + x**2))) + math.atan(x)
    return 0.5 - inner / math.pi


def f_10_5_upper_tail(f):
    """P(F > f) with 10 and 5 degrees of freedom by the incomplete beta function."""
    return special.betainc(5 / 2, 10 / 2, 5 / (5 + 10 * f))


def test_five_by_two_by_hand():
    # Repeat means 3, 5/2, 3/2, 9/2, 1; s^2 = 8, 1/2, 25/2, 9/2, 2, sum 55/2.
    # Sum of squares 25+1+9+4+1+16+36+9+0+4 = 105. F = 105 / (2 * 55/2) = 21/11.
    # t = 5 / sqrt(55/2 / 5) = 5 / sqrt(11/2).
    assert f_of([Fraction(p) for p in PERCENT]) == Fraction(21, 11)
    sample = five_by_two(np.array(PERCENT) / 100)
    f, t = five_by_two_f(sample), five_by_two_t(sample)
    assert f.statistic == pytest.approx(21 / 11)
    assert f.pvalue == pytest.approx(f_10_5_upper_tail(21 / 11), rel=1e-10)
    assert f.estimate == pytest.approx(0.025)
    assert (f.df, f.statistic_name) == ((10, 5), "F")
    assert t.statistic == pytest.approx(5 / math.sqrt(5.5))
    assert t.pvalue == pytest.approx(2 * t5_upper_tail(5 / math.sqrt(5.5)), rel=1e-10)
    assert t.estimate == pytest.approx(0.05)
    assert (t.df, t.statistic_name) == (5, "t")


@pytest.mark.parametrize("alpha, critical", [(0.10, 3.30), (0.05, 4.74), (0.01, 10.05)])
def test_critical_values_of_f(alpha, critical):
    # Tables of F with 10 and 5 degrees of freedom; 4.74 is Alpaydin's as well.
    outcome = five_by_two_f(five_by_two(PERCENT))
    assert outcome.critical_value(alpha) == pytest.approx(critical, abs=5e-3)
    assert f_10_5_upper_tail(outcome.critical_value(alpha)) == pytest.approx(alpha)


@given(st.lists(st.integers(-50, 50), min_size=10, max_size=10))
def test_interval_of_f_is_the_set_of_shifts_it_keeps(percent):
    outcome = five_by_two_f(five_by_two(percent))
    low, high = outcome.confidence_interval(0.9)
    if not outcome.law.within:
        assert math.isnan(low) or not any(percent)
        return
    critical = outcome.critical_value(0.1)
    if math.isnan(low):
        assert f_of(percent, np.mean(percent)) > critical  # F is smallest at the mean
        return
    step = 1e-6 * (1 + high - low)
    assert f_of(percent, low + step) <= critical or high - low < 2 * step
    assert f_of(percent, high - step) <= critical or high - low < 2 * step
    assert f_of(percent, low - step) > critical
    assert f_of(percent, high + step) > critical


def test_interval_of_f_may_be_empty():
    # Repeats far apart, halves close together: no shift makes all ten small.
    differences = [1.0, 1.1, -1.0, -1.1, 2.0, 2.1, -2.0, -2.1, 3.0, 3.1]
    outcome = five_by_two_f(five_by_two(differences))
    assert min(f_of(differences, shift) for shift in np.linspace(-5, 5, 1001)) > 4.74
    assert all(map(math.isnan, outcome.confidence_interval()))
    assert outcome.pvalue < 0.05


def test_t_takes_the_first_difference_and_says_so():
    outcome = five_by_two_t(five_by_two(PERCENT))
    # Table of Student's t, 5 degrees of freedom: 2.5706.
    half_width = 2.5705818 * math.sqrt(5.5)
    assert outcome.confidence_interval() == pytest.approx(
        (5 - half_width, 5 + half_width), abs=1e-6
    )
    assert "first of the ten differences" in outcome.estimand
    assert outcome.effect_sizes["mean of all ten differences"] == pytest.approx(2.5)


def test_t_does_not_take_a_first_difference_of_zero_for_equality():
    d = np.repeat([0.0, 0.1, 0.2, 0.1, 0.1], 2)
    outcome = five_by_two_t(PairedScores(0.5 + d, np.full(10, 0.5), n_repeats=5))
    assert np.isnan(outcome.pvalue) and np.isnan(outcome.confidence_interval().low)


C45_ACCURACIES = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
# Instance differences on which the mean and the signs point in opposite directions.
W3 = (
    "+.003 +.009 +.015 +.016 +.020 +.021 -.022 +.023 -.026 +.027 +.028 +.029 +.030 +.031 "
    "+.033 +.034 +.040 +.044 +.049 +.061 +.070 +.080 -.203 -.217 -.234"
)
W4_A = (
    ".5279 .8891 .7325 .6527 .6238 .7925 .6152 .5837 .4995 .8396 .7055 .6414 .6215 .6198 "
    ".6106 .5670 .9991 .7965 .6831 .6330"
)
W4_B = (
    ".6001 .5860 .6996 .6047 .5979 .6200 .6224 .6000 .5705 .6620 .6010 .5925 .7323 .6098 "
    ".5994 .5467 .6352 .6000 .5818 .6861"
)


def numbers(text):
    return [float(number) for number in text.split()]


def differences(values, unit="instance"):
    return PairedScores(values, np.zeros(len(values)), unit=unit)


@pytest.mark.parametrize("heads, pvalue", [(2, 0.1094), (1, 0.0215)])
def test_w1_fair_coin(heads, pvalue):
    flips = np.arange(10) < heads
    outcome = sign(PairedScores(flips, ~flips, unit="instance"))
    assert outcome.pvalue == pytest.approx(pvalue, abs=5e-5)


def test_w3_sign_and_mean_disagree():
    sample = differences(numbers(W3))
    assert sample.differences.sum() == pytest.approx(-0.039)
    assert sign(sample).statistic == 20
    assert sign(sample).pvalue == pytest.approx(0.0041, abs=5e-5)
    assert wilcoxon(sample).pvalue == pytest.approx(0.045, abs=5e-4)
    assert paired_t(sample).pvalue == pytest.approx(0.93, abs=5e-3)


def test_w4_exhaustive_sign_flip():
    sample = PairedScores(numbers(W4_A), numbers(W4_B), unit="instance")
    assert np.mean(sample.a) == pytest.approx(0.6817, abs=5e-5)
    assert np.mean(sample.b) == pytest.approx(0.6174, abs=5e-5)
    outcome = sign_flip(sample)
    assert outcome.pvalue * 2**20 == 30_878
    assert outcome.pvalue == pytest.approx(0.029448, abs=5e-7)


CRITICAL = {
    0.05: {2: 12.706, 5: 2.776, 10: 2.262, 20: 2.093, 30: 2.045},
    0.10: {2: 6.314, 5: 2.132, 10: 1.833, 20: 1.729, 30: 1.699},
}


@in_one_test("alpha, of_size", CRITICAL.items())
def test_w7_critical_values_of_the_paired_t(alpha, of_size):
    for k, critical in of_size.items():
        outcome = paired_t(differences(np.arange(k), unit="seed"))
        assert outcome.critical_value(alpha) == pytest.approx(critical, abs=5e-4)


@pytest.mark.parametrize("alpha, critical", [(0.05, 2.5706), (0.10, 2.0150)])
def test_w8_critical_values_of_the_five_by_two_t(alpha, critical):
    sample = PairedScores(np.arange(10), np.zeros(10), n_repeats=5)
    assert five_by_two_t(sample).critical_value(alpha) == pytest.approx(critical, abs=5e-5)


def test_w11_tree_against_the_majority():
    sample = Scores(C45_ACCURACIES, n_train=900, n_test=100)
    assert np.mean(sample.values) == pytest.approx(0.705)
    assert np.std(sample.values, ddof=1) == pytest.approx(0.03598, abs=5e-6)
    with pytest.warns(UserWarning, match="independent"):
        naive = paired_t(sample.against(0.70), alternative="greater")
    assert (naive.statistic, naive.df) == (pytest.approx(0.4395, abs=5e-5), 9)
    assert naive.pvalue == pytest.approx(0.3353, abs=5e-5)
    corrected = corrected_t(sample.against(0.70), alternative="greater")
    assert corrected.test == "corrected one-sample t test"
    assert corrected.statistic == pytest.approx(0.3025, abs=5e-5)
    assert corrected.pvalue == pytest.approx(0.3846, abs=5e-5)


small_integers = st.lists(st.integers(-5, 5), min_size=2, max_size=15)


def paired(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def test_effect_sizes_by_hand():
    # d = 1, 2, -3, 0, 5: mean 1, S^2 = (0 + 1 + 16 + 1 + 16) / 4 = 17/2.
    found = effect_sizes(paired([1, 2, -3, 0, 5]))
    d_z = 1 / math.sqrt(8.5)
    assert found["d_z over instances"] == pytest.approx(d_z)
    assert found["Hedges g over instances"] == pytest.approx(d_z * (1 - 3 / 15))
    # Ranks of 1, 2, 3 and 5 without the zero: (1 + 2 + 4 - 3) / 10.
    assert found["rank-biserial"] == pytest.approx(0.4)
    # Three wins and half a tie in five.
    assert found["common-language"] == pytest.approx(0.7)


@pytest.mark.parametrize("n", [4, 10, 30, 100])
def test_hedges_factor_is_close_to_the_exact_one(n):
    # Hedges (1981): J(m) = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n - 1.
    m = n - 1
    exact = math.exp(special.gammaln(m / 2) - special.gammaln((m - 1) / 2)) / math.sqrt(m / 2)
    found = effect_sizes(paired(np.random.default_rng(n).normal(1, 1, n)))
    ratio = found["Hedges g over instances"] / found["d_z over instances"]
    assert ratio == pytest.approx(exact, abs=0.007 if n == 4 else 5e-4)


@given(small_integers)
def test_rank_biserial_is_scipys_rank_sums(differences):
    found = effect_sizes(paired(differences))["rank-biserial"]
    untied = [d for d in differences if d != 0]
    if not untied:
        assert found == 0
        return
    total = len(untied) * (len(untied) + 1) / 2
    greater = stats.wilcoxon(untied, alternative="greater", method="asymptotic").statistic
    assert found == pytest.approx((greater - (total - greater)) / total)


@given(small_integers)
def test_common_language_is_a_share_of_units(differences):
    found = effect_sizes(paired(differences))["common-language"]
    wins = sum(d > 0 for d in differences) + sum(d == 0 for d in differences) / 2
    assert found == pytest.approx(wins / len(differences))


@pytest.mark.parametrize(
    "b", [np.full(6, 0.7), np.array([0.1 * 3, 0.7, 0.55, 0.2, 0.61, 0.34])]
)
def test_constant_difference_cannot_be_standardised(b):
    found = effect_sizes(PairedScores(b + 0.05, b, unit="seed"))
    assert math.isnan(found["d_z over seeds"])
    assert math.isnan(found["Hedges g over seeds"])
    assert found["rank-biserial"] == 1
    assert found["common-language"] == 1
