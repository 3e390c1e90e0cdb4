"""Comparisons of mean ranks: standard errors and exact tails by enumeration."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from skstat.stats import ScoreTable, pairwise_mean_ranks
from tests.cases import in_one_test

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


def test_exact_needs_untied_friedman_ranks():
    named = ScoreTable(TIED, datasets=["iris", "wine", "digits", "glass"])
    with pytest.raises(ValueError, match="3 data sets have some, the first is data set 'iris'"):
        pairwise_mean_ranks(named, method="exact")
    with pytest.raises(ValueError, match="the first is seed 2"):
        pairwise_mean_ranks(table([[1, 2], [2, 1], [1, 1]], unit="seed"), method="exact")
    with pytest.raises(ValueError, match="has no ranking='quade'"):
        pairwise_mean_ranks(table(UNTIED), method="exact", ranking="quade")
    with pytest.raises(ValueError, match="fewer than those of 30001 units and 2 systems"):
        pairwise_mean_ranks(table(np.tile([0, 1], (30_001, 1))), method="exact")


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
