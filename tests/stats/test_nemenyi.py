"""Critical differences against published tables, and the range of normals."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from skstat.stats import ScoreTable, nemenyi, pairwise_mean_ranks
from tests.cases import in_one_test

# Demšar (2006), table 5: k = 2, ..., 10. Two-tailed Bonferroni-Dunn for k = 9 at .05 is
# printed as 2.724, which no normal quantile is.
NEMENYI = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}
DUNN = {
    0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773],
    0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}
# Mean ranks 1, 2.125, 2.875 of four data sets.
SCORES = {"A": [9, 9, 9, 9], "B": [8, 8, 8, 7], "C": [7, 7, 7, 7]}


def table(scores=SCORES, unit="dataset"):
    return ScoreTable(scores, unit=unit)


def of_size(n, k):
    return table(np.random.default_rng(n + k).normal(size=(n, k)))


@in_one_test("alpha", [0.05, 0.10])
@in_one_test("k", range(2, 11))
def test_demsars_critical_values(k, alpha):
    sample = of_size(6, k)
    error = math.sqrt(k * (k + 1) / 36)
    tukey, dunn = nemenyi(sample), nemenyi(sample, control="system 1")
    assert tukey.critical_difference(alpha) / error == pytest.approx(
        NEMENYI[alpha][k - 2], abs=1.1e-3
    )
    assert dunn.critical_difference(alpha) / error == pytest.approx(
        DUNN[alpha][k - 2], abs=6e-4
    )


@in_one_test("n", [1, 4, 20, 33])
def test_tails_of_the_range_of_few_normals(n):
    # The difference of powers multiplied out, by adaptive quadrature.
    q = 2 * math.sqrt(n)  # of the first against the third of three in the same order

    def three(x):
        high, low = stats.norm.cdf(x), stats.norm.cdf(x - q)
        return 3 * stats.norm.pdf(x) * (2 * high * low - low**2)

    found = nemenyi(table(np.tile([3, 2, 1], (n, 1)))).adjusted_pvalues[1]
    expected, _ = integrate.quad(three, -9, 20, epsabs=0, epsrel=1e-11, limit=200)
    assert found == pytest.approx(expected, rel=1e-9)


def test_worked_example():
    sample = table(SCORES)
    assert sample.mean_ranks.tolist() == [1, 2.125, 2.875]
    outcome = nemenyi(sample)
    assert outcome.critical_difference() == pytest.approx(1.657, abs=5e-4)
    assert outcome.pairs == (("A", "B"), ("A", "C"), ("B", "C"))
    assert (outcome.adjusted_pvalues <= 0.05).tolist() == [False, True, False]
    assert outcome.differs().tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    z = np.array([1.125, 1.875, 0.75]) / math.sqrt(0.5)
    expected = [stats.studentized_range.sf(math.sqrt(2) * x, 3, np.inf) for x in z]
    assert outcome.adjusted_pvalues == pytest.approx(expected)
    assert outcome.pvalues == pytest.approx(2 * stats.norm.sf(z))
    assert (outcome.adjustment, outcome.pool_dependent) == ("studentized range", True)


@in_one_test("procedure", [nemenyi, lambda t: nemenyi(t, control="system 3")])
@in_one_test("n, k", [(5, 3), (12, 6), (30, 4)])
def test_pvalues_differences_and_intervals_agree(procedure, n, k):
    scores = np.random.default_rng(n).normal(size=(n, k)) + 0.4 * np.arange(k)
    outcome = procedure(table(scores))
    for alpha in (0.01, 0.05, 0.2):
        cd = outcome.critical_difference(alpha)
        for found, adjusted in zip(outcome.outcomes, outcome.adjusted_pvalues, strict=True):
            assert (abs(found.estimate) > cd) == (adjusted < alpha)
            interval = found.confidence_interval(1 - alpha)
            assert interval == pytest.approx((found.estimate - cd, found.estimate + cd))
            assert found.simultaneous and found.scale == "mean rank"


def test_bonferroni_dunn():
    outcome = nemenyi(table(), control="A")
    z = np.array([1.125, 1.875]) / math.sqrt(0.5)
    assert outcome.pairs == (("B", "A"), ("C", "A"))
    assert [found.direction for found in outcome.outcomes] == [-1, -1]
    assert outcome.adjusted_pvalues == pytest.approx(np.minimum(1, 2 * 2 * stats.norm.sf(z)))
    assert (outcome.adjustment, outcome.control) == ("bonferroni", "A")
    holm = pairwise_mean_ranks(table(), control="A")
    assert np.all(holm.adjusted_pvalues <= outcome.adjusted_pvalues)
    assert outcome.pvalues.tolist() == holm.pvalues.tolist()


@pytest.mark.parametrize("n, k", [(1, 2), (3, 3), (4, 6)])
def test_smallest_pvalue_is_that_of_a_clean_sweep(n, k):
    sweep = table(np.tile(np.arange(k), (n, 1)))
    for outcome in (nemenyi(sweep), nemenyi(sweep, control="system 1")):
        assert outcome.smallest_pvalue == pytest.approx(outcome.adjusted_pvalues.min())
    for outcome in (nemenyi(of_size(n, k)), nemenyi(of_size(n, k), control="system 1")):
        assert outcome.smallest_pvalue <= outcome.adjusted_pvalues.min()
