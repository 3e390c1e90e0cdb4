"""What the projection variance estimates: derived, counted over all partitions, simulated."""

import itertools
import math

import numpy as np
import pytest

from skstat.evaluation import RepeatedHalves
from skstat.stats import PairedFoldScores, RowContributions, projection_t
from skstat.stats._samples.row_contributions import projection_variance
from tests.stats.projection_by_hand import OF_MEANS as CORRELATION
from tests.stats.projection_by_hand import partitions

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
    found = projection_variance(rows.fold_means(rows.values).reshape(-1, 1), rows)
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
    a = projection_t(PairedFoldScores.from_row_scores(values, np.zeros_like(values), folds))
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


def shuffled(K):
    def draw(n, seed):
        return partitions(np.random.default_rng(seed), 10, n, K)

    return draw


DESIGNS = {"15 x 2": balanced_halves, "10 x 3": shuffled(3), "10 x 4": shuffled(4)}


# Standard deviations of alpha and beta, and their correlation.
ROWS = {
    "test rows": (1.0, 0.0, 0.0),
    "both, unrelated": (1.0, 1.0, 0.0),
    "both, alike": (1.0, 1.0, 1.0),
    "both, related": (1.0, 0.5, 0.6),
}


def first_order(values, folds):
    """F before it is compared with the variance of test rows alone."""
    (R, n), p = folds.shape, 1 / (folds.max() + 1)
    rows = RowContributions(values[:, :, None], folds)
    T = rows.fold_means(values[:, :, None])[:, :, 0]
    residual = T - T.mean(axis=1, keepdims=True)
    others = (values.sum(axis=0) - values) / (R - 1)
    means = rows.fold_means(others[:, :, None])[:, :, 0]
    v_1 = np.sum(residual**2) / R * p
    c = np.sum(residual * (means - means.mean(axis=1, keepdims=True))) / R * p
    v_alpha = values.mean(axis=0).var(ddof=1) - values.var(axis=0, ddof=1).mean() / R
    return v_alpha / (n * p**2) - 2 * c / p + (1 - p) / p * v_1, v_alpha / n


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("sd_alpha, sd_beta, correlation", ROWS.values(), ids=ROWS)
def test_f_estimates_the_variance_over_data_sets(design, sd_alpha, sd_beta, correlation):
    """The mean score varies over data sets by the variance of mean(alpha + beta)."""
    n, n_sets = 48, 200
    rng = np.random.default_rng(5)
    estimates, found = [], []
    for seed in range(n_sets):
        first, second = rng.normal(size=(2, n))
        alpha = sd_alpha * first
        beta = sd_beta * (correlation * first + math.sqrt(1 - correlation**2) * second)
        folds = design(n, seed)
        values = exact_scores(alpha, beta, folds)
        F, of_test_rows = first_order(values, folds)
        sampling, instability = variance_parts(values, folds)
        assert sampling == pytest.approx(max(F, of_test_rows))
        assert instability < 1e-12
        estimates.append(values.mean())
        found.append(F)
    covariance = correlation * sd_alpha * sd_beta
    expected = (sd_alpha**2 + sd_beta**2 + 2 * covariance) / n
    # Both within four of their Monte Carlo errors; F also within a term of order 1/n: a row
    # never trains where it is tested.
    error = math.sqrt(2 / n_sets) * expected
    assert np.var(estimates, ddof=1) == pytest.approx(expected, abs=4 * error)
    error = np.std(found) / math.sqrt(n_sets)
    assert np.mean(found) == pytest.approx(expected, abs=4 * error + 3 / n * expected)


def test_rows_that_make_up_in_training_what_they_do_in_testing_are_counted_as_test_rows():
    """F would be zero; the test does not go below the variance of the test rows."""
    n = 48
    rng = np.random.default_rng(0)
    for seed in range(5):
        alpha = rng.normal(size=n)
        folds = balanced_halves(n, seed)
        sampling, _ = variance_parts(exact_scores(alpha, -alpha, folds), folds)
        assert sampling == pytest.approx(alpha.var(ddof=1) / n, rel=0.1)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("K", [2, 3])
def test_noise_of_the_fits_is_instability(K):
    n, R, n_sets = 24, 400, 40
    rng = np.random.default_rng(K)
    parts = []
    for _ in range(n_sets):
        folds = partitions(rng, R, n, K)
        noise = rng.normal(size=(R, K))
        parts.append(variance_parts(noise[np.arange(R)[:, None], folds], folds))
    sampling, instability = np.mean(parts, axis=0)
    error = np.std([part for _, part in parts]) / math.sqrt(n_sets)
    assert instability == pytest.approx(CORRELATION + 1 / (R * K), abs=4 * error)
    # What chance leaves to the rows falls with the number of repetitions. It is never cut
    # below zero, so that few of them make the test careful with learners of mere luck.
    few = partitions(rng, 15, n, K)
    of_few = [
        variance_parts(rng.normal(size=(15, K))[np.arange(15)[:, None], few], few)[0]
        for _ in range(n_sets)
    ]
    assert 0 < sampling < 0.4 * np.mean(of_few)
