"""Conover's comparisons against the statistics of tests of all systems."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from skstat.stats import ScoreTable, pairwise_mean_ranks


def table(scores, unit="dataset"):
    return ScoreTable(scores, unit=unit)


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
