"""Conover's comparisons against his worked example and scikit-posthocs."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from skstat.stats import ScoreTable, pairwise_conover

# Conover (1999), section 5.8, example 1: ranks of four grasses by twelve homeowners.
GRASS = np.array(
    [
        *([4, 3, 2, 1], [4, 2, 3, 1], [3, 1.5, 1.5, 4], [3, 1, 2, 4], [4, 2, 1, 3]),
        *([2, 2, 2, 4], [1, 3, 2, 4], [2, 4, 1, 3], [3.5, 1, 2, 3.5], [4, 1, 3, 2]),
        *([4, 2, 3, 1], [3.5, 1, 2, 3.5]),
    ]
)
# Six units and four systems without ties. scikit-posthocs 0.17: posthoc_conover_friedman
# and posthoc_quade, without adjustment, in the order of the pairs.
SCORES = np.array(
    [
        *([2.041, -2.556, 0.418, -0.568], [-0.453, -0.216, -2.02, -0.232]),
        *([-0.865, 3.323, 0.226, -0.353], [-0.281, -0.668, -1.055, -0.391]),
        *([0.482, -0.239, 0.958, -0.2], [0.024, 1.546, 0.545, -0.505]),
    ]
)
CONOVER = [1.0, 0.838322993433146, 0.542743006559793, 0.838322993433146]
CONOVER += [0.542743006559793, 0.683853939333514]
QUADE = [0.790719901149554, 0.831800548415073, 0.56113717234963, 0.957622982236003]
QUADE += [0.4009235490011, 0.430338633105649]


def table(scores, unit="dataset"):
    return ScoreTable(scores, unit=unit)


def test_grass():
    outcome = pairwise_conover(ScoreTable(GRASS, unit="dataset", higher_is_better=False))
    sums = [38, 23.5, 24.5, 34]
    for (a, b), found in zip(outcome.pairs, outcome.outcomes, strict=True):
        i, j = (int(name[-1]) - 1 for name in (a, b))
        assert found.estimate * 12 == pytest.approx(sums[j] - sums[i])
        # The book's least significant difference of two rank sums: 11.48.
        assert found.critical_value(0.05) * found.standard_error * 12 == pytest.approx(
            11.48, abs=0.005
        )
        assert (found.pvalue < 0.05) == (abs(sums[i] - sums[j]) > 11.48)
        assert (found.df, found.statistic_name) == (33, "t")
        assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), 33))


@pytest.mark.parametrize("ranking, expected", [("friedman", CONOVER), ("quade", QUADE)])
def test_scikit_posthocs_without_ties(ranking, expected):
    outcome = pairwise_conover(table(SCORES), ranking=ranking)
    assert outcome.pvalues == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_friedmans_statistic_gives_the_error(seed):
    # With ties; SciPy corrects chi-squared for them.
    scores = np.random.default_rng(seed).integers(0, 5, size=(9, 4))
    n, k = scores.shape
    ranks = stats.rankdata(scores, axis=1)
    chi2 = stats.friedmanchisquare(*scores.T).statistic
    spread = np.sum(ranks**2) - n * k * (k + 1) ** 2 / 4
    variance = 2 * n * spread / ((n - 1) * (k - 1)) * (1 - chi2 / (n * (k - 1)))
    outcome = pairwise_conover(table(scores))
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
    outcome = pairwise_conover(table(scores), ranking="quade")
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
        for found in pairwise_conover(table(scores), ranking=ranking).outcomes:
            assert found.pvalue >= share * (1 - 1e-12)
            low, high = found.confidence_interval()
            if not math.isnan(low):
                assert low <= found.estimate <= high
                assert (found.pvalue > 0.05) == (low <= 0 <= high)
