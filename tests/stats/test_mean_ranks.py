"""Comparisons of mean ranks against enumeration, published tables and ranges of normals."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest
from scipy import integrate, stats

from skstat.stats import ScoreTable, nemenyi, pairwise_mean_ranks
from tests.cases import in_one_test, refusals

rng = np.random.default_rng(11)
UNTIED = rng.normal(size=(8, 4))
# Ties within units, between aligned scores, and between ranges.
TIED = np.array([[3, 1, 1], [5, 4, 5], [1, 0, 2], [7, 7, 7]])


def table(scores, unit="dataset", **options):
    return ScoreTable(scores, unit=unit, **options)


def exchanged(values):
    """Arrays with the values of every row in every order."""
    for rows in product(*(permutations(row) for row in values.tolist())):
        yield np.array(rows)


def naive_ranks(scores, ranking):
    """Ranks and weights, written down with SciPy's rankdata only."""
    scores = np.asarray(scores, dtype=float)
    if ranking == "aligned":
        aligned = (scores - scores.mean(axis=1, keepdims=True)).round(9)
        return stats.rankdata(-aligned).reshape(scores.shape), np.ones(len(scores))
    ranges = np.ptp(scores, axis=1).round(9)
    weights = stats.rankdata(ranges) if ranking == "quade" else np.ones(len(scores))
    return stats.rankdata(-scores, axis=1), weights


def rank_sum_pvalues(n, k):
    """P-values of the differences of two rank sums from 0 on."""
    like = pairwise_mean_ranks(table(np.tile(np.arange(k), (n, 1))), method="exact").outcomes[0]
    return np.array([
        replace(like, law=replace(like.law, estimate=difference / n)).pvalue
        for difference in range(n * (k - 1) + 1)
    ])  # fmt: skip


RANKINGS = ["friedman", "aligned", "quade"]


@in_one_test("ranking", RANKINGS)
@in_one_test("scores", [UNTIED, TIED], ids=["untied", "tied"])
def test_estimates_are_differences_of_weighted_means(scores, ranking):
    ranks, weights = naive_ranks(scores, ranking)
    means = np.average(ranks, axis=0, weights=weights)
    outcome = pairwise_mean_ranks(table(scores), ranking=ranking)
    for (a, b), found in zip(outcome.pairs, outcome.outcomes, strict=True):
        i, j = (int(name[-1]) - 1 for name in (a, b))
        assert found.estimate == pytest.approx(means[j] - means[i], abs=1e-12)
        assert found.statistic == pytest.approx(found.estimate / found.standard_error)
        assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))


@pytest.mark.parametrize("ranking", ["aligned", "quade"])
@pytest.mark.parametrize("scores", [UNTIED[:3, :3], TIED], ids=["untied", "tied"])
def test_standard_errors_are_those_of_all_exchanges(scores, ranking):
    ranks, weights = naive_ranks(scores, ranking)
    differences = [
        np.average(order[:, 1] - order[:, 0], weights=weights) for order in exchanged(ranks)
    ]
    outcome = pairwise_mean_ranks(table(scores), ranking=ranking).outcomes[0]
    assert np.mean(differences) == pytest.approx(0, abs=1e-12)
    assert outcome.standard_error == pytest.approx(np.std(differences))
    # The smallest p-value is that of the most extreme exchange.
    extreme = max(differences) / np.std(differences)
    assert outcome.smallest_pvalue == pytest.approx(2 * stats.norm.sf(extreme))


@in_one_test("n, k", [(1, 2), (5, 2), (1, 3), (2, 3), (4, 3), (2, 4), (3, 4), (2, 6)])
def test_exact_pvalues_count_all_pairs_of_ranks(n, k):
    counts = Counter({0: 1})
    for _ in range(n):
        following = Counter()
        for total, ways in counts.items():
            for a, b in permutations(range(k), 2):
                following[total + a - b] += ways
        counts = following
    found = rank_sum_pvalues(n, k)
    assert len(found) == n * (k - 1) + 1
    for difference, pvalue in enumerate(found):
        ways = sum(w for d, w in counts.items() if abs(d) >= difference)
        assert pvalue == pytest.approx(float(Fraction(ways, sum(counts.values()))), rel=1e-12)


def test_exact_tails_keep_their_digits():
    found = rank_sum_pvalues(60, 20)
    assert found[-1] == pytest.approx(2 * 380.0**-60, rel=1e-10)
    # One rank short of it: on one of 60 units A is second, or B the last but one.
    assert found[-2] == pytest.approx(2 * (1 + 60 * 2) * 380.0**-60, rel=1e-10)
    assert np.all(np.diff(found) < 0)


@pytest.mark.parametrize("method", ["normal", "exact"])
def test_intervals_leave_out_zero_where_the_test_rejects(method):
    for seed in range(20):
        scores = np.random.default_rng(seed).normal([0, 0.8, 1.6], size=(7, 3))
        for outcome in pairwise_mean_ranks(table(scores), method=method).outcomes:
            low, high = outcome.confidence_interval()
            assert (outcome.pvalue <= 0.05) == (not low <= 0 <= high)
            rejects = abs(outcome.statistic) >= outcome.critical_value() - 1e-12
            assert rejects == (outcome.pvalue <= 0.05)


exact = partial(pairwise_mean_ranks, method="exact")
NAMED = ScoreTable(TIED, datasets=["iris", "wine", "digits", "glass"])
test_exact_needs_untied_friedman_ranks = refusals([
    (lambda: exact(NAMED), "3 data sets have some, the first is data set 'iris'"),
    (lambda: exact(table([[1, 2], [2, 1], [1, 1]], unit="seed")), "the first is seed 2"),
    (lambda: exact(table(UNTIED), ranking="quade"), "has no ranking='quade'"),
    (lambda: exact(table(np.tile([0, 1], (30_001, 1)))), "30001 units of 2 systems"),
])  # fmt: skip


# Those that look at several p-values at once, and Holm's, which does not.
ADJUSTMENTS = ["hommel", "hochberg", "fdr_bh", "fdr_by", "holm", "shaffer"]


@pytest.mark.long
@pytest.mark.parametrize("n, k", [(2, 3), (3, 3), (1, 4), (2, 4)])
@pytest.mark.parametrize("method", ["normal", "exact"])
@pytest.mark.parametrize("adjustment", ADJUSTMENTS)
def test_smallest_pvalue_is_a_bound_of_all_rankings(n, k, method, adjustment):
    orders = list(permutations(range(k)))
    options = {"method": method, "adjustment": adjustment}
    found = [
        pairwise_mean_ranks(table([orders[0], *rest]), **options)
        for rest in product(orders, repeat=n - 1)
    ]
    bound = found[0].smallest_pvalue
    least = min(outcome.adjusted_pvalues.min() for outcome in found)
    assert bound <= least * (1 + 1e-9)
    if k == 3:
        assert bound == pytest.approx(least)


@in_one_test("n, k", [(7, 2), (11, 3), (10, 4), (3, 5), (13, 5)])
@in_one_test("level", [0.9, 0.95, 0.99])
def test_exact_intervals_hold_zero_if_and_only_if_p_is_above_alpha(n, k, level):
    pvalues = rank_sum_pvalues(n, k)
    like = pairwise_mean_ranks(table(np.tile(np.arange(k), (n, 1))), method="exact")
    for difference, pvalue in enumerate(pvalues.tolist()):
        for sign in (1, -1):
            law = replace(like.outcomes[0].law, estimate=sign * difference / n)
            found = replace(like.outcomes[0], law=law)
            low, high = found.confidence_interval(level)
            assert found.pvalue == pvalue
            assert (low <= 0 <= high) == (pvalue > 1 - level)
            assert low <= found.estimate <= high


def test_exact_outcomes_have_a_smallest_pvalue_and_a_critical_value():
    scores = np.array([[3, 2, 1]] * 2)
    outcome = pairwise_mean_ranks(table(scores), method="exact")
    best, worst = outcome["system 1", "system 3"], outcome["system 1", "system 2"]
    assert best.pvalue == best.smallest_pvalue == pytest.approx(2 / 36)
    assert outcome.smallest_pvalue == pytest.approx(3 * 2 / 36)
    assert best.critical_value(0.05) == math.inf
    assert best.confidence_interval() == (-math.inf, math.inf)
    assert best.critical_value(0.06) == pytest.approx(best.statistic)
    assert worst.pvalue > 0.06


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
WORKED = {"A": [9, 9, 9, 9], "B": [8, 8, 8, 7], "C": [7, 7, 7, 7]}


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
    sample = table(WORKED)
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
    outcome = nemenyi(table(WORKED), control="A")
    z = np.array([1.125, 1.875]) / math.sqrt(0.5)
    assert outcome.pairs == (("B", "A"), ("C", "A"))
    assert [found.direction for found in outcome.outcomes] == [-1, -1]
    assert outcome.adjusted_pvalues == pytest.approx(np.minimum(1, 2 * 2 * stats.norm.sf(z)))
    assert (outcome.adjustment, outcome.control) == ("bonferroni", "A")
    holm = pairwise_mean_ranks(table(WORKED), control="A")
    assert np.all(holm.adjusted_pvalues <= outcome.adjusted_pvalues)
    assert outcome.pvalues.tolist() == holm.pvalues.tolist()


@pytest.mark.parametrize("n, k", [(1, 2), (3, 3), (4, 6)])
def test_smallest_pvalue_is_that_of_a_clean_sweep(n, k):
    sweep = table(np.tile(np.arange(k), (n, 1)))
    for outcome in (nemenyi(sweep), nemenyi(sweep, control="system 1")):
        assert outcome.smallest_pvalue == pytest.approx(outcome.adjusted_pvalues.min())
    for outcome in (nemenyi(of_size(n, k)), nemenyi(of_size(n, k), control="system 1")):
        assert outcome.smallest_pvalue <= outcome.adjusted_pvalues.min()


@pytest.mark.parametrize("seed", range(5))
def test_friedmans_statistic_gives_the_error(seed):
    # With ties; SciPy corrects chi-squared for them.
    scores = np.random.default_rng(seed).integers(0, 5, size=(9, 4))
    n, k = scores.shape
    ranks = stats.rankdata(scores, axis=1)
    chi2 = stats.friedmanchisquare(*scores.T).statistic
    spread = np.sum(ranks**2) - n * k * (k + 1) ** 2 / 4
    variance = 2 * n * spread / ((n - 1) * (k - 1)) * (1 - chi2 / (n * (k - 1)))
    outcome = pairwise_mean_ranks(table(scores), method="t")
    errors = [found.standard_error for found in outcome.outcomes]
    assert errors == pytest.approx([math.sqrt(variance) / n] * 6)


@pytest.mark.parametrize("seed", range(5))
def test_quades_sums_give_the_error(seed):
    scores = np.random.default_rng(seed).integers(0, 5, size=(9, 4))
    n, k = scores.shape
    weights = stats.rankdata(np.ptp(scores, axis=1))
    S = weights[:, None] * (stats.rankdata(-scores, axis=1) - (k + 1) / 2)
    sums = S.sum(axis=0)
    error = math.sqrt(2 * n * (np.sum(S**2) - np.sum(sums**2) / n) / ((n - 1) * (k - 1)))
    outcome = pairwise_mean_ranks(table(scores), method="t", ranking="quade")
    for (a, b), found in zip(outcome.pairs, outcome.outcomes, strict=True):
        i, j = (int(name[-1]) - 1 for name in (a, b))
        assert found.statistic == pytest.approx((sums[j] - sums[i]) / error)


@pytest.mark.parametrize("ranking", ["friedman", "quade"])
@pytest.mark.parametrize("n, k", [(2, 3), (3, 3), (2, 4)])
def test_no_pvalue_is_below_the_share_of_agreement(n, k, ranking):
    orders = list(permutations(range(k)))
    agreeing = sum(len(set(rows)) == 1 for rows in product(orders, repeat=n))
    share = agreeing / len(orders) ** n
    sizes = np.arange(1, n + 1)[:, None]  # different ranges, which Quade's weights take
    for rest in product(orders, repeat=n - 1):
        scores = sizes * np.array([orders[0], *rest])
        asked = pairwise_mean_ranks(table(scores), method="t", ranking=ranking)
        for found in asked.outcomes:
            assert found.pvalue >= share * (1 - 1e-12)
            low, high = found.confidence_interval()
            if not math.isnan(low):
                assert low <= found.estimate <= high
                assert (found.pvalue > 0.05) == (low <= 0 <= high)
