"""Which of several systems is the best: draws of the joint posterior of all."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import linalg

from skstat.stats._chance import in_parts, stream
from skstat.stats._posterior import BestPosterior, StudentPosterior, best_of_draws
from skstat.stats._posteriors import STRENGTH

_N_DRAWS, _MOST = 100_000, 100
_DRAWN_AT_ONCE = 1 << 20  # numbers


def best_of_pairs(
    names: Sequence[str], pairs: Sequence[tuple[str, str]], posteriors: Sequence[Any], seed: int
) -> BestPosterior | None:
    """Return who is the best by the Student posteriors of all pairs; None without them.

    The differences of all systems from the first follow a multivariate t, whose covariance is
    that of the spreads of all pairs: each pair then has its own posterior again. Where their
    degrees of freedom differ, the law has the median.
    """
    k = len(names)
    if k > _MOST or not all(isinstance(own, StudentPosterior) for own in posteriors):
        return None
    numbers = [(own.estimate, own.spread, own.df) for own in posteriors]
    estimates, spreads, degrees = np.array(numbers).T
    if estimates[spreads == 0].any():
        return None
    first, second = np.array([[names.index(name) for name in pair] for pair in pairs]).T
    apart, squares = np.zeros((2, k, k))
    apart[first, second], apart[second, first] = estimates, -estimates
    squares[first, second] = squares[second, first] = spreads**2
    # Of the differences from the first.
    sizes, directions = np.linalg.eigh((squares[:, :1] + squares[:1, :] - squares) / 2)
    kept = sizes > 1e-12 * max(float(sizes.max()), 0.0)
    root = np.sqrt(np.where(kept, sizes, 0.0))[:, None] * directions.T
    df = float(np.median(degrees))
    rng = stream(np.random.SeedSequence(seed))

    def blocks() -> Iterator[np.ndarray]:
        for part in in_parts(_N_DRAWS, k, _DRAWN_AT_ONCE):
            n = part.stop - part.start
            wide = np.sqrt(df / rng.chisquare(df, (n, 1)))
            yield apart[:, 0] + (rng.standard_normal((n, k)) @ root) * wide

    return best_of_draws(names, posteriors[0].rope, blocks(), seed)


def best_by_right_rows(
    names: Sequence[str], right: Any, counts: Any, rope: float, *, n_draws: int, seed: int
) -> BestPosterior:
    """Return who has the highest accuracy, by a Dirichlet law of the patterns of right answers.

    The prior of two rows lies on patterns from a Hadamard matrix: any two systems are both,
    one or none right in a quarter of them each, so that the law of every pair is the one that
    it has by itself.

    Parameters
    ----------
    names : sequence of str
        The systems.
    right : ndarray of bool of shape (n_kinds, n_systems)
        Who is right on the rows of every kind.
    counts : ndarray of int of shape (n_kinds,)
        Rows of every kind.
    rope : float
        Differences up to so much are practically none.
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
    drawn = (rng.standard_gamma(weights, size) for size in sizes)
    scores = (own @ patterns / own.sum(axis=1, keepdims=True) for own in drawn)
    return best_of_draws(names, rope, scores, seed)
