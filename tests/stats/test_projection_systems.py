"""The projection t test of several systems: their joint law, and what it is not moved by."""

import itertools

import numpy as np
import pytest

from skstat.stats import RowContributions, ScoreTable, compare_with_best, projection_t
from tests.cases import in_one_test
from tests.stats.projection_by_hand import partitions, row_scores


def table_of(k, seed=0, R=6, n=30, K=2, strata=None, gap=0.0):
    rng = np.random.default_rng(seed)
    folds = partitions(rng, R, n, K)
    values = row_scores(rng, folds, k) + gap * np.arange(k)
    rows = RowContributions(values, folds, strata)
    scores = rows.fold_means(values).reshape(-1, k)
    return ScoreTable(scores, rows=rows, n_repeats=R, systems=list("pqrstuv")[:k])


@in_one_test("k", [2, 3, 4, 7])
@in_one_test("seed", range(3))
def test_covariances_are_positive_semidefinite(k, seed):
    strata = np.arange(30) % 3 if seed == 2 else None
    parts = table_of(k, seed, R=3 + seed, K=2 + seed, strata=strata).parts
    for matrix in (parts.sampling, parts.instability, parts.total):
        assert matrix.shape == (k, k)
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
        sizes = np.linalg.eigvalsh(matrix)
        assert sizes.min() > -1e-12 * sizes.max()
    errors = np.linalg.norm(parts.root()[:, :, None] - parts.root()[:, None, :], axis=0)
    variances = np.diagonal(parts.total)
    expected = variances[:, None] + variances - 2 * parts.total
    np.testing.assert_allclose(errors**2, expected, atol=1e-12)


def test_more_systems_make_no_pair_more_variable():
    """Cutting off negative variances moves variance among pairs, and adds none."""
    alone, together = [], []
    for seed in range(40):
        table = table_of(6, seed, R=15)
        alone.append(projection_t(table.take(["p", "q"]).pair("p", "q")).standard_error ** 2)
        together.append(projection_t(table.pair("p", "q")).standard_error ** 2)
    assert np.mean(together) == pytest.approx(np.mean(alone), rel=0.05)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e3, 1e6])
def test_a_third_system_hardly_matters_however_much_it_varies(factor):
    ratios = []
    for seed in range(20):
        table = table_of(3, seed, R=15)
        alone = projection_t(table.take(["p", "q"]).pair("p", "q"))
        values = table.rows.values * np.array([1, 1, factor])
        # Another learner, whose fits are mostly luck.
        luck = np.random.default_rng(seed).normal(size=(15, 2)) * factor
        values[:, :, 2] += luck[np.arange(15)[:, None], table.rows.folds]
        rows = RowContributions(values, table.rows.folds)
        scores = rows.fold_means(values).reshape(-1, 3)
        wide = ScoreTable(scores, rows=rows, n_repeats=15, systems=list("pqr"))
        found = projection_t(wide.pair("p", "q"))
        assert law(wide).standard_errors[0, 1] == pytest.approx(found.standard_error)
        ratios.append(found.standard_error / alone.standard_error)
    assert 0.9 < np.median(ratios) < 1.05
    assert 0.5 < min(ratios) <= max(ratios) < 1.5


def law(table):
    return compare_with_best(table, rng=0, n_resamples=99)


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_joint_law_has_the_standard_errors_of_the_pairs(k):
    table = table_of(k, seed=k)
    best = law(table)
    assert best.df == 6
    assert table.rows.n_repeats == 6
    for i, j in itertools.permutations(range(k), 2):
        pair = table.pair(table.names[i], table.names[j])
        outcome = projection_t(pair)
        assert best.standard_errors[i, j] == pytest.approx(outcome.standard_error)
        assert best.estimates[i] - best.estimates[j] == pytest.approx(outcome.estimate)
        assert pair.rows is not None
        scores = table.scores
        assert pair.a.tolist() == scores[:, i].tolist()
