"""The 5x2cv tests against arithmetic by hand, tables and root finding."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from skstat.stats import PairedScores, five_by_two_f, five_by_two_t

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


def test_by_hand():
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
