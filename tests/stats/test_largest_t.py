"""The max-T test of all pairs, and joint laws, against enumeration and known laws."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import ScoreTable, largest_t
from skstat.stats._joint_law import Errors, root_of

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


def t_of(redrawn, a, b):
    return redrawn.largest(np.array([a]), np.array([b]), np.ones(1), np.positive)


def test_a_pair_of_redrawn_errors_is_students_t():
    scores = np.random.default_rng(0).normal(size=(7, 4)) * np.array([1.0, 2.0, 0.5, 1.0])
    root = root_of(scores - scores.mean(axis=0)) / np.sqrt(6 * 7)
    redrawn = Errors.redrawn(root, 6, 20_000, seed=1)
    for a, b in combinations(range(4), 2):
        drawn = t_of(redrawn, a, b)
        assert scipy_stats.kstest(drawn, scipy_stats.t(6).cdf).pvalue > 1e-3
        np.testing.assert_allclose(t_of(redrawn, b, a), -drawn)


def test_redrawn_errors_have_the_joint_law_of_samples():
    """Quantiles of the largest t over pairs, against samples with that covariance."""
    rng = np.random.default_rng(2)
    mixing = np.array([[1.0, 0.5, 0.2], [0.0, 1.0, 0.7], [0.0, 0.0, 0.6]])
    n, pairs = 6, list(combinations(range(3), 2))
    samples = rng.normal(size=(20_000, n, 3)) @ mixing
    t = np.column_stack(
        [
            scipy_stats.ttest_1samp(samples[:, :, a] - samples[:, :, b], 0, axis=1).statistic
            for a, b in pairs
        ]
    )
    redrawn = Errors.redrawn(mixing / np.sqrt(n), n - 1, 20_000, seed=3)
    drawn = np.column_stack([t_of(redrawn, a, b) for a, b in pairs])
    for level in (0.5, 0.8, 0.95):
        expected = np.quantile(np.abs(t).max(axis=1), level)
        assert np.quantile(np.abs(drawn).max(axis=1), level) == pytest.approx(
            expected, rel=0.06
        )


@pytest.mark.parametrize("rows", [4, 14])
@pytest.mark.parametrize("turned", [np.abs, np.positive, np.negative])
@pytest.mark.parametrize("control", [False, True])
def test_the_largest_of_many_pairs_is_that_of_each_by_itself(rows, turned, control):
    root = np.random.default_rng(0).normal(size=(rows, 20))
    root[:, 1] = root[:, 0] + 1e-9 * root[:, 2]
    redrawn = Errors.redrawn(root, rows, 500, seed=3)
    pairs = [(a, 7) for a in range(5)] if control else list(combinations(range(20), 2))
    first, second = np.array(pairs).T
    errors = np.linalg.norm(root[:, first] - root[:, second], axis=0)
    expected = np.max([turned(t_of(redrawn, a, b)) for a, b in pairs], axis=0)
    found = redrawn.largest(first, second, errors, turned)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
