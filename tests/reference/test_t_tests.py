"""Numbers of t_tests.R."""

import math

import pytest

from skstat.stats import PairedScores, Scores, corrected_t, equivalence, paired_t

# Older versions of SciPy give quantiles of Student's t to ten digits.
QUANTILE = 1e-9
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


@pytest.mark.parametrize(
    "alternative, pvalue, low, high",
    [
        ("two-sided", 0.00283289019738427, -2.45988576327698, -0.700114236723018),
        ("less", 0.00141644509869214, -math.inf, -0.866994732970716),
        ("greater", 0.998583554901308, -2.29300526702928, math.inf),
    ],
)
def test_paired(alternative, pvalue, low, high):
    sample = PairedScores(SLEEP_1, SLEEP_2, unit="instance")
    outcome = paired_t(sample, alternative=alternative)
    assert outcome.statistic == pytest.approx(-4.06212768338204, rel=1e-13)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-12)
    assert outcome.confidence_interval() == pytest.approx((low, high), rel=QUANTILE)


def test_one_sample():
    outcome = paired_t(Scores(SLEEP_1, unit="seed").against(1))
    assert outcome.statistic == pytest.approx(-0.44190338023794, rel=1e-12)
    assert outcome.pvalue == pytest.approx(0.668986623614675, rel=1e-12)
    expected = (-1.52978041352623, 1.02978041352623)
    assert outcome.confidence_interval() == pytest.approx(expected, rel=QUANTILE)


def test_two_one_sided_tests():
    outcome = equivalence(paired_t(PairedScores(SLEEP_1, SLEEP_2, unit="instance")), 3)
    assert outcome.lower_pvalue == pytest.approx(0.00265557029265867, rel=1e-11)
    assert outcome.upper_pvalue == pytest.approx(4.52269496583245e-07, rel=1e-11)
    assert outcome.outcome.confidence_interval(0.9) == pytest.approx(
        (-2.29300526702928, -0.866994732970716), rel=QUANTILE
    )


def test_corrected():
    sample = PairedScores(SLEEP_1, SLEEP_2, unit="split", n_train=90, n_test=10)
    outcome = corrected_t(sample)
    assert outcome.statistic == pytest.approx(-2.79574801067704, rel=1e-12)
    assert outcome.pvalue == pytest.approx(0.0208570229576868, rel=1e-12)
    expected = (-2.85844437466151, -0.301555625338494)
    assert outcome.confidence_interval() == pytest.approx(expected, rel=QUANTILE)
