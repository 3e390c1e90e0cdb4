"""Student t procedures against SciPy's textbook tests and against arithmetic by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from skstat.stats import PairedScores, Scores, corrected_t, paired_t
from tests.cases import in_one_test

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


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_sample_t_on_independent_units_is_scipys(alternative):
    values, _ = some_scores(12)
    sample = Scores(values, unit="seed")
    expected = stats.ttest_1samp(values, 0.78, alternative=alternative)
    outcome = paired_t(sample.against(0.78), alternative=alternative)
    assert outcome.test == "one-sample t test"
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    low, high = expected.confidence_interval(0.95)
    assert outcome.confidence_interval() == pytest.approx((low - 0.78, high - 0.78))


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


def test_corrected_one_sample_t_is_corrected_t_against_the_constant():
    values, _ = some_scores(10)
    one = corrected_t(Scores(values, n_repeats=1).against(0.78), alternative="greater")
    two = corrected_t(
        PairedScores(values, np.full(10, 0.78), n_repeats=1), alternative="greater"
    )
    assert (one.statistic, one.pvalue, one.df) == (two.statistic, two.pvalue, two.df)
    assert "the constant 0.78" in one.null_hypothesis
    assert "corrected" in one.test


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


def test_too_few_units():
    splits = PairedScores([1, 2], [0, 0], n_repeats=1)
    with pytest.raises(ValueError, match="corrected_t needs at least 3 splits, got 2"):
        corrected_t(splits)
    with pytest.raises(ValueError, match="paired_t needs at least 3 splits, got 2"):
        paired_t(splits)
    with pytest.raises(ValueError, match="paired_t needs at least 2 seeds, got 1"):
        paired_t(PairedScores([1], [0], unit="seed"))
    with pytest.raises(ValueError, match="corrected_t needs at least 3 splits, got 2"):
        corrected_t(Scores([1, 2], n_repeats=1).against(0.5))


def test_one_sample_t_without_variance():
    equal = corrected_t(Scores([0.7] * 5, n_repeats=1).against(0.7))
    assert (equal.statistic, equal.pvalue) == (0, 1)
    assert equal.confidence_interval() == (0, 0)
    # 0.1 + 0.2 + 0.4 is not 0.7 in floats, but the same number written twice.
    noisy = corrected_t(Scores([0.7, 0.1 + 0.2 + 0.4, 0.7], n_repeats=1).against(0.7))
    assert (noisy.statistic, noisy.pvalue) == (0, 1)
    above = corrected_t(Scores([0.7, 0.1 + 0.2 + 0.4, 0.7], n_repeats=1).against(0.5))
    assert above.statistic == math.inf
    assert math.isnan(above.pvalue)
    assert all(map(math.isnan, above.confidence_interval()))
