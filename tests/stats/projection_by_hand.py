"""The projection variance by loops, and scores that rows decide: what several tests share."""

import math

import numpy as np

OF_MEANS = 1 / 7


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def variance(values):
    values = list(values)
    centre = mean(values)
    return math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)


def by_definition(T, C, folds, strata=None, weights=None):
    """Sampling and instability parts of the squared standard error, by loops.

    T[r][k] is the difference on fold k of repetition r, C[r][i] what unit i contributed in
    repetition r, and folds[r][i] the fold that tested it there. Units may weigh unequally:
    m of one weight would tell as much.
    """
    R, K, n = len(T), len(T[0]), len(C[0])
    parts = components(T, C, folds, strata)
    sampling = parts["between"] / n + max(parts["F"], parts["v_alpha"] / n)
    return few_factor(weights) * sampling, parts["v_e"] * (OF_MEANS + 1 / (R * K))


def few_factor(weights):
    """What a variance of m units of one weight is too small by."""
    if weights is None:
        return 1.0
    m = math.fsum(weights) ** 2 / math.fsum(weight**2 for weight in weights)
    return m / (m - 1)


def components(T, C, folds, strata=None):
    """The variances of which the parts are made, by loops."""
    R, K, n = len(T), len(T[0]), len(C[0])
    p = 1 / K
    theta = [mean(row) for row in T]
    v_e = K * variance(theta)
    v_d = sum((T[r][k] - theta[r]) ** 2 for r in range(R) for k in range(K)) / (R * (K - 1))
    v_1 = max(v_d - v_e, 0) * (K - 1) / K
    alpha = [mean(C[r][i] for r in range(R)) for i in range(n)]
    noise = mean(variance(C[r][i] for r in range(R)) / R for i in range(n))
    between = 0.0
    if strata is not None:
        for stratum in set(strata):
            inside = [alpha[i] for i in range(n) if strata[i] == stratum]
            between += len(inside) * (mean(inside) - mean(alpha)) ** 2 / (n - 1)
    v_alpha = max(variance(alpha) - noise - between, 0)
    c = 0.0
    for r in range(R):
        others = [
            mean(
                mean(C[q][i] for q in range(R) if q != r) for i in range(n) if folds[r][i] == k
            )
            for k in range(K)
        ]
        for k in range(K):
            c += (T[r][k] - theta[r]) * (others[k] - mean(others)) / (R * (K - 1))
    c *= (K - 1) / K
    F = v_alpha / (n * p**2) - 2 * c / p + (1 - p) / p * v_1
    return {
        "F": F,
        "v_alpha": v_alpha,
        "between": between,
        "v_e": v_e,
        "alpha": alpha,
        "noise": noise,
    }


def fold_means(values, folds, K, weight=None):
    """Weighted mean of the values in every fold, by loops."""
    R, n = len(values), len(values[0])
    weight = [1.0] * n if weight is None else weight
    return [
        [
            sum(weight[i] * values[r][i] for i in range(n) if folds[r][i] == k)
            / sum(weight[i] for i in range(n) if folds[r][i] == k)
            for k in range(K)
        ]
        for r in range(R)
    ]


def partitions(rng, R, n, K):
    """Folds of nearly equal size, shuffled anew in every repetition."""
    return np.array([rng.permutation(n) % K for _ in range(R)])


def row_scores(rng, folds, n_systems=2, train=0.3):
    """Scores of rows that depend on the row, on what trained it, and on luck."""
    R, n = folds.shape
    alpha, beta = rng.normal(size=(2, n, n_systems))
    found = alpha + rng.normal(0, 0.3, (R, n, n_systems))
    for r in range(R):
        for k in range(folds.max() + 1):
            inside = folds[r] == k
            found[r, inside] += train * math.sqrt(n) * beta[~inside].mean(axis=0)
    return found


def a_and_b(scores):
    return scores[:, :, 0], scores[:, :, 1]
