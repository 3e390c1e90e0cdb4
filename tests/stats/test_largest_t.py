"""The max-T test of all pairs, and joint laws, against enumeration and known laws."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import ScoreTable, largest_t

SCORES = np.random.default_rng(4).normal(size=(9, 3)) + np.array([0.0, 0.3, 1.0])


def table(scores, unit="seed", **options):
    return ScoreTable(scores, unit=unit, **options)


def by_enumeration(scores):
    pairs = list(combinations(range(scores.shape[1]), 2))
    d = np.column_stack([scores[:, a] - scores[:, b] for a, b in pairs])

    def largest(signs):
        flipped = d * np.asarray(signs)[:, None]
        return np.abs(scipy_stats.ttest_1samp(flipped, 0).statistic).max()

    observed = largest(np.ones(len(d)))
    drawn = [largest(signs) for signs in product((1, -1), repeat=len(d))]
    return observed, np.mean(np.array(drawn) >= observed - 1e-9)


def test_by_listing_all_sign_patterns():
    observed, expected = by_enumeration(SCORES)
    outcome = largest_t(table(SCORES), n_resamples=40_000, rng=0)
    assert outcome.statistic == pytest.approx(observed)
    assert outcome.pvalue == pytest.approx(expected)
    assert outcome.n_resamples == 2 ** len(SCORES) - 1 and outcome.seed is None
    drawn = largest_t(table(SCORES), n_resamples=400, rng=0)
    assert drawn.pvalue == pytest.approx(expected, abs=4 * drawn.monte_carlo_error)
    assert outcome.effect_sizes["range of means"] == pytest.approx(np.ptp(SCORES.mean(axis=0)))
