"""The worked numbers of the source documents, and what a table in a book says."""

import numpy as np
import pytest

from skstat.stats import (
    PairedScores,
    Scores,
    corrected_t,
    five_by_two_t,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test

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


@in_one_test(
    "alpha, k, critical",
    [
        (0.05, 2, 12.706),
        (0.05, 5, 2.776),
        (0.05, 10, 2.262),
        (0.05, 20, 2.093),
        (0.05, 30, 2.045),
        (0.10, 2, 6.314),
        (0.10, 5, 2.132),
        (0.10, 10, 1.833),
        (0.10, 20, 1.729),
        (0.10, 30, 1.699),
    ],
)
def test_w7_critical_values_of_the_paired_t(alpha, k, critical):
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
    assert corrected.statistic == pytest.approx(0.3025, abs=5e-5)
    assert corrected.pvalue == pytest.approx(0.3846, abs=5e-5)
