"""The block jackknife: its definition, its inequality counted out, and what it refuses."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import (
    PairedScores,
    Scores,
    ScoreTable,
    block_jackknife_t,
    compare_with_best,
    t_estimate,
)
from tests.cases import in_one_test, refusals


def by_definition(T):
    """Estimate and V, by loops over the definition."""
    K = len(T)
    theta = [sum(T[g][h] for h in range(K) if h != g) / (K - 1) for g in range(K)]
    mean = sum(theta) / K
    return mean, sum((one - mean) ** 2 for one in theta)


def matrices(K, seed=0, n=2):
    return np.random.default_rng(seed).normal(0.8, 0.05, (n, K, K))


@pytest.mark.parametrize("K", [3, 4, 5, 8])
def test_it_is_the_definition(K):
    a, b = matrices(K, seed=K)
    outcome = block_jackknife_t(PairedScores.from_matrices(a, b))
    mean, V = by_definition((a - b).tolist())
    assert outcome.estimate == pytest.approx(mean)
    assert outcome.standard_error == pytest.approx(np.sqrt(V))
    assert outcome.df == K - 1
    t = mean / np.sqrt(V)
    assert outcome.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), K - 1))


# The inequality, by enumeration of all data sets

ROWS = [(0.0, 0.0, 0.5), (1.0, 2.0, 0.3), (2.5, 1.0, 0.2)]  # x, y, probability


def shrunken_mean(train, test):
    return (test[1] - 0.5 * np.mean([y for _, y, _ in train])) ** 2


def nearest_neighbour(train, test):
    gaps = [abs(x - test[0]) for x, _, _ in train]
    alike = [y for (_, y, _), gap in zip(train, gaps, strict=True) if gap == min(gaps)]
    return (test[1] - np.mean(alike)) ** 2


def largest_target(train, test):
    """Unstable: one row decides."""
    return (test[1] - max(y for _, y, _ in train)) ** 2


def constant(train, test):
    return (test[1] - 1.0) ** 2


LEARNERS = {
    "shrunken mean": (shrunken_mean, constant),
    "nearest neighbour": (nearest_neighbour, constant),
    "two learners": (nearest_neighbour, shrunken_mean),
    "largest target": (largest_target, shrunken_mean),
}


def data_sets(n):
    for rows in product(ROWS, repeat=n):
        yield rows, np.prod([p for _, _, p in rows])


def moments(values, weights):
    mean = np.average(values, weights=weights)
    return mean, np.average((np.array(values) - mean) ** 2, weights=weights)


def scores_of(rows, learner):
    """Minus the losses on row h of the learner without g and h."""
    K = len(rows)
    T = np.full((K, K), np.nan)
    for g, h in permutations(range(K), 2):
        train = [row for number, row in enumerate(rows) if number not in (g, h)]
        T[g, h] = -learner(train, rows[h])
    return T


def cross_validation(rows, learner):
    """Leave-one-out score of these rows."""
    return -np.mean([learner([*rows[:h], *rows[h + 1 :]], rows[h]) for h in range(len(rows))])


def enumerated(a, b, K):
    """E V, variance of the estimate, and of the cross-validation on K - 1 rows."""
    found, weights = [], []
    for rows, weight in data_sets(K):
        sample = PairedScores.from_matrices(scores_of(rows, a), scores_of(rows, b))
        outcome = block_jackknife_t(sample)
        found.append((outcome.standard_error**2, outcome.estimate))
        weights.append(weight)
    squares, estimates = np.transpose(found)
    smaller = [
        (cross_validation(rows, a) - cross_validation(rows, b), weight)
        for rows, weight in data_sets(K - 1)
    ]
    mean, variance = moments(*zip(*smaller, strict=True))
    mean_of_estimates, variance_of_estimate = moments(estimates, weights)
    assert mean == pytest.approx(mean_of_estimates)
    return np.average(squares, weights=weights), variance_of_estimate, variance


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("K", [4, 5])
@pytest.mark.parametrize("a, b", LEARNERS.values(), ids=LEARNERS)
def test_the_inequality_of_efron_and_stein(a, b, K):
    expected_V, of_estimate, of_cross_validation = enumerated(a, b, K)
    assert 0 < of_estimate < of_cross_validation < expected_V
    assert (K - 1) / K * expected_V > of_estimate
    # The identity in the notes, by Hoeffding's decomposition.
    assert expected_V == pytest.approx(K * (of_cross_validation - of_estimate))


# Samples


@in_one_test(
    "n, known, message",
    [
        (10, {}, "n_blocks=4 does not fit 10 scores"),
        (2, {}, "does not fit 2 scores"),
        (12, {"unit": "seed"}, "does not fit 12 scores"),
        (12, {"n_repeats": 3}, "without repeats"),
        (12, {"ordered": True}, "in no order"),
    ],
)
@in_one_test("kind", [PairedScores, ScoreTable])
def test_what_is_no_sample_of_blocks(kind, n, known, message):
    scores = np.arange(2.0 * n).reshape(2, n)
    with pytest.raises(ValueError, match=message):
        kind(*(scores if kind is PairedScores else [scores.T]), n_blocks=4, **known)


NOTHING = np.zeros((3, 3))
test_what_is_no_matrix_of_blocks = refusals([
    ((np.zeros((3, 4)), NOTHING), r"a has shape \(3, 4\); it needs \(K, K\)"),
    ((np.zeros((2, 2)), NOTHING), "at least 3"),
    ((np.zeros(9), NOTHING), r"a has shape \(9,\)"),
    (([["x"] * 3] * 3, NOTHING), "a must hold numbers"),
    (([[0, 1, None]] * 3, NOTHING), r"a\[1\] is nan"),
], PairedScores.from_matrices)  # fmt: skip


# One system, and several


def test_the_estimate_of_one_system_has_the_same_formula():
    a, _ = matrices(5)
    of_pairs = PairedScores.from_matrices(a, a).a
    sample = Scores(of_pairs, n_blocks=5, n_train=30, n_test=10)
    found = t_estimate(sample, quantity="accuracy")
    mean, V = by_definition(a.tolist())
    assert found.estimate == pytest.approx(mean)
    half = scipy_stats.t.ppf(0.975, 4) * np.sqrt(V)
    assert found.confidence_interval() == pytest.approx((mean - half, mean + half))
    assert "accuracy" in found.estimand and "30 rows (3 of 5 blocks)" in found.estimand
    constant = t_estimate(Scores(np.full(12, 0.7), n_blocks=4))
    assert constant.standard_error == 0


def test_pairs_of_a_table_have_the_standard_errors_of_the_test():
    samples = [PairedScores.from_matrices(one, one).a for one in matrices(8, n=3)]
    table = ScoreTable(np.stack(samples, axis=1), n_train=60, n_test=10, n_blocks=8)
    assert (table.n_units, table.n_blocks) == (56, 8)
    outcome = compare_with_best(table, rng=0)
    assert outcome.df == 7
    for a, b in combinations(table.names, 2):
        pair = table.pair(a, b)
        assert pair.n_blocks is not None
        single = block_jackknife_t(pair)
        i, j = table.names.index(a), table.names.index(b)
        d = table.left_out_means[:, i] - table.left_out_means[:, j]
        assert single.estimate == pytest.approx(d.mean())
        assert single.standard_error**2 == pytest.approx(np.sum((d - d.mean()) ** 2))
        assert outcome.standard_errors[i, j] == pytest.approx(single.standard_error)
