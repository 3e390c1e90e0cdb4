"""What the projection's variance estimates of every order: docs/projection_theory.rst.

All terms are quadratic, and parts of different sets of rows are uncorrelated. So the
expectation is a sum over sets, and for each of them that of its parts: nothing is simulated.
"""

import itertools
import math

import numpy as np
import pytest

from skstat.evaluation import RepeatedHalves
from skstat.stats import PairedScores, RowContributions, Scores, projection_t

R = 15


def halvings(n, balanced=True):
    cv = RepeatedHalves(R, balanced=balanced, random_state=0)
    folds = np.empty((R, n), dtype=int)
    for number, (_, test) in enumerate(cv.split(np.zeros((n, 1)))):
        folds[number // 2, test] = number % 2
    return folds


def by_fold(values, folds):
    return np.array(
        [[row[own == k].mean() for k in (0, 1)] for row, own in zip(values, folds, strict=True)]
    )


def estimate(values, folds):
    """F and v_e as :doc:`any_metric` writes them for halves, with F's floor and both T."""
    n = values.shape[1]
    scores = by_fold(values, folds)
    means = scores.mean(axis=1)
    v_e = 2 * means.var(ddof=1)
    apart = scores[:, 0] - scores[:, 1]
    v_1 = (np.mean(apart**2) / 2 - v_e) / 2
    alpha = values.mean(axis=0)
    v_alpha = alpha.var(ddof=1) - np.sum((values - alpha) ** 2) / (n * R * (R - 1))
    others = by_fold((R * alpha - values) / (R - 1), folds)
    c = np.mean(apart * (others[:, 0] - others[:, 1])) / 4
    return 4 * v_alpha / n - 4 * c + v_1, v_e, v_alpha, c, scores


def part(rows, tested, folds):
    """What rows contribute if a set acts: in training alone, or by one row that is tested."""
    values = np.zeros(folds.shape)
    for r, own in enumerate(folds):
        if tested is None:
            if len({*own[list(rows)]}) == 1:
                values[r, own != own[rows[0]]] = 2 / folds.shape[1]
        elif all(own[row] != own[tested] for row in rows if row != tested):
            values[r, tested] = 1.0
    return values


def expected(values, folds):
    """The estimate without floor and kappa, and the variance, of a part of variance 1."""
    first_order, v_e, _, _, scores = estimate(values, folds)
    return np.array([first_order + v_e / (2 * R), scores.mean() ** 2])


def sets(n, size, times=40):
    rng = np.random.default_rng(size)
    return [tuple(rng.choice(n, size, replace=False).tolist()) for _ in range(times)]


def test_these_are_the_parts_of_the_package():
    folds = halvings(40)
    rng = np.random.default_rng(0)
    # Rows that act alike in training and in testing: F is above its floor.
    own = rng.normal(size=40)
    values = own + np.array([[own[f != k].mean() for k in f] for f in folds])
    values += 0.1 * rng.normal(size=values.shape)
    first_order, v_e, v_alpha, _, scores = estimate(values, folds)
    assert first_order > v_alpha / 40
    rows = RowContributions(values[:, :, None], folds)
    found = Scores(scores.ravel(), rows=rows, n_repeats=R).parts
    assert found.sampling[0, 0] == pytest.approx(first_order)
    assert found.instability[0, 0] == pytest.approx(v_e * (1 / 7 + 1 / (2 * R)))


def test_the_identity_holds_for_any_numbers():
    folds = halvings(24)
    values = np.random.default_rng(1).normal(3.0, 1.0, (R, 24))
    first_order, v_e, v_alpha, c, scores = estimate(values, folds)
    products = np.mean(scores[:, 0] * scores[:, 1])
    assert first_order + v_e / (2 * R) == pytest.approx(
        scores.mean() ** 2 - products + 4 * (v_alpha / 24 - c)
    )


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("n", [32, 128])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_pure_orders_are_estimated_without_bias(size, n, balanced):
    folds = halvings(n, balanced)
    rows = sets(n, size)
    found, variance = sum(expected(part(each, each[0], folds), folds) for each in rows)
    assert found == pytest.approx(variance, rel=1e-9)
    found, variance = sum(expected(part(each, None, folds), folds) for each in rows)
    # Terms of relative size 1 / n, which balance makes small.
    assert found == pytest.approx(variance, rel=size**2 / (4 * n) if balanced else 6 * size / n)


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
    folds = halvings(n)
    values = exact_scores(alpha, alpha, folds)
    T = RowContributions(values[:, :, None], folds).fold_means(values[:, :, None])
    assert np.ptp(T) < 1e-12
    a = projection_t(PairedScores.from_row_scores(values, np.zeros_like(values), folds))
    naive = alpha.std(ddof=1) / math.sqrt(n)
    # A row never trains where it is tested: 1/(n - 1) of it is missing from the training.
    assert a.standard_error == pytest.approx(2 * naive * (1 - 1 / (n - 1)), rel=0.01)
    assert a.law.instability_error < 1e-12
