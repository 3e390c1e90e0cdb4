"""Probability that each of several systems is the best, by draws from their joint posterior."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import linalg

from skstat.stats._chance import in_parts, stream
from skstat.stats._posterior import BestPosterior, StudentPosterior, best_of_draws
from skstat.stats._posteriors import STRENGTH

_N_DRAWS, _MAX_SYSTEMS = 100_000, 100
_DRAWN_AT_ONCE = 1 << 20  # numbers


def best_of_pairs(
    names: Sequence[str], pairs: Sequence[tuple[str, str]], posteriors: Sequence[Any], seed: int
) -> BestPosterior | None:
    """Return which system is best by the Student posteriors of all pairs, if all have them.

    The differences of all systems from the first follow a multivariate t. Its covariance is
    such that every pair keeps its own posterior. Where degrees of freedom differ, the median
    is used.
    """
    k = len(names)
    if k > _MAX_SYSTEMS or not all(isinstance(one, StudentPosterior) for one in posteriors):
        return None
    numbers = [(one.estimate, one.spread, one.df) for one in posteriors]
    estimates, spreads, degrees = np.array(numbers).T
    if estimates[spreads == 0].any():
        return None
    first, second = np.array([[names.index(name) for name in pair] for pair in pairs]).T
    differences, variances = np.zeros((2, k, k))
    differences[first, second], differences[second, first] = estimates, -estimates
    variances[first, second] = variances[second, first] = spreads**2
    # Covariance of the differences from the first system.
    values, vectors = np.linalg.eigh((variances[:, :1] + variances[:1, :] - variances) / 2)
    positive = values > 1e-12 * max(float(values.max()), 0.0)
    root = np.sqrt(np.where(positive, values, 0.0))[:, None] * vectors.T
    df = float(np.median(degrees))
    rng = stream(np.random.SeedSequence(seed))

    def blocks() -> Iterator[np.ndarray]:
        for part in in_parts(_N_DRAWS, k, _DRAWN_AT_ONCE):
            n = part.stop - part.start
            scale = np.sqrt(df / rng.chisquare(df, (n, 1)))
            yield differences[:, 0] + (rng.standard_normal((n, k)) @ root) * scale

    return best_of_draws(names, posteriors[0].rope, blocks(), seed)


def best_by_right_rows(
    names: Sequence[str], right: Any, counts: Any, rope: float, *, n_draws: int, seed: int
) -> BestPosterior:
    """Return who has the highest accuracy, by a Dirichlet law of the patterns of right answers.

    The prior counts as two rows, spread over patterns from a Hadamard matrix. For any two
    systems these hold each combination of right and wrong equally often, so that every pair
    has the same posterior as if it were compared without the others.

    Parameters
    ----------
    names : sequence of str
        The systems.
    right : ndarray of bool of shape (n_kinds, n_systems)
        Which systems are right on the rows of every kind.
    counts : ndarray of int of shape (n_kinds,)
        Number of rows of every kind.
    rope : float
        Differences up to this size are practically none.
    n_draws, seed : int
        Number and seed of the draws.
    """
    kinds, of_row = np.unique(right, axis=0, return_inverse=True)
    rows = np.bincount(of_row.ravel(), counts, len(kinds))
    matrix = linalg.hadamard(1 << right.shape[1].bit_length())  # the first column is constant
    patterns = np.concatenate([kinds, matrix[:, 1 : right.shape[1] + 1] > 0]).astype(float)
    weights = np.concatenate([rows, np.full(len(matrix), STRENGTH / len(matrix))])
    rng = stream(np.random.SeedSequence(seed))

    parts = in_parts(n_draws, len(weights), _DRAWN_AT_ONCE)
    sizes = ((part.stop - part.start, len(weights)) for part in parts)
    gammas = (rng.standard_gamma(weights, size) for size in sizes)
    scores = (draws @ patterns / draws.sum(axis=1, keepdims=True) for draws in gammas)
    return best_of_draws(names, rope, scores, seed)
