"""What the projection variance estimates: derived, counted over all partitions, simulated."""

import itertools
import math

import numpy as np
import pytest

from skstat.evaluation import RepeatedHalves
from skstat.stats import PairedScores, RowContributions, Scores, projection_t

# The derivation: T = theta + mean of alpha over test rows + mean of beta over training rows


def exact_scores(alpha, beta, folds):
    """Contributions of rows under the first-order model, without any instability."""
    R, n = folds.shape
    values = np.empty((R, n))
    for r in range(R):
        for k in range(folds[r].max() + 1):
            inside = folds[r] == k
            values[r, inside] = alpha[inside] + beta[~inside].mean()
    return values


def variance_parts(values, folds):
    rows = RowContributions(values[:, :, None], folds)
    found = Scores(rows.fold_means(rows.values).ravel(), rows=rows, n_repeats=len(folds)).parts
    return found.sampling.item(), found.instability.item()


def all_partitions(n, K):
    """Every way to cut n rows into K folds of the same size."""
    found = set()
    for labels in itertools.permutations(np.repeat(np.arange(K), n // K)):
        number = {}
        found.add(tuple(number.setdefault(label, len(number)) for label in labels))
    return np.array(sorted(found))


@pytest.mark.parametrize("n, K, count", [(6, 2, 10), (8, 2, 35), (6, 3, 15)])
def test_over_all_partitions_test_rows_alone_have_their_variance_exactly(n, K, count):
    """With beta = 0, F is the variance of a mean, s^2 / n, whatever K is."""
    folds = all_partitions(n, K)
    assert len(folds) == count
    alpha = np.random.default_rng(n * K).normal(size=n)
    sampling, instability = variance_parts(exact_scores(alpha, np.zeros(n), folds), folds)
    assert sampling == pytest.approx(alpha.var(ddof=1) / n)
    assert instability == pytest.approx(0, abs=1e-15)


def test_rows_that_train_as_they_test_double_the_standard_error():
    """With alpha = beta the halves of one data set all score the same, which hides half."""
    n = 40
    alpha = np.random.default_rng(0).normal(size=n)
    folds = balanced_halves(n, seed=0)
    values = exact_scores(alpha, alpha, folds)
    T = RowContributions(values[:, :, None], folds).fold_means(values[:, :, None])
    assert np.ptp(T) < 1e-12
    a = projection_t(PairedScores.from_row_scores(values, np.zeros_like(values), folds))
    naive = alpha.std(ddof=1) / math.sqrt(n)
    # A row never trains where it is tested: 1/(n - 1) of it is missing from the training.
    assert a.standard_error == pytest.approx(2 * naive * (1 - 1 / (n - 1)), rel=0.01)
    assert a.law.instability_error < 1e-12


def balanced_halves(n, seed, n_repeats=15):
    folds = np.empty((n_repeats, n), dtype=int)
    cv = RepeatedHalves(n_repeats, balanced=True, random_state=seed)
    for split, (_, test) in enumerate(cv.split(np.zeros((n, 1)))):
        folds[split // 2, test] = split % 2
    return folds
