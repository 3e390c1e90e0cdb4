"""Numbers of signed_ranks.R."""

import numpy as np
import pytest

from skstat.stats import PairedScores, wilcoxon

FIRST = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
SECOND = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
# Ties and a zero.
ROUNDED = [-1.5, -2.5, -1, -1, 0, -1, -2, -0.5, -4.5, -1.5]


@pytest.mark.parametrize(
    "alternative, pvalue",
    [("two-sided", 0.0390625), ("greater", 0.01953125), ("less", 0.986328125)],
)
def test_exact(alternative, pvalue):
    sample = PairedScores(FIRST, SECOND, unit="instance")
    outcome = wilcoxon(sample, alternative=alternative)
    assert outcome.statistic == 40
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-13)


def test_estimate_and_interval():
    outcome = wilcoxon(PairedScores(FIRST, SECOND, unit="instance"))
    assert outcome.estimate == pytest.approx(0.46)
    assert outcome.confidence_interval() == pytest.approx((0.01, 0.786))


@pytest.mark.parametrize(
    "zero_method, method, pvalue",
    [
        ("pratt", "exact", 0.00390625),
        ("pratt", "asymptotic", 0.00569768623639995),
        ("wilcox", "exact", 0.00390625),
        ("wilcox", "asymptotic", 0.0074209612878665),
    ],
)
def test_ties_and_zeros(zero_method, method, pvalue):
    sample = PairedScores(ROUNDED, np.zeros(10), unit="instance")
    outcome = wilcoxon(sample, zero_method=zero_method, method=method)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-12)
