"""Which of several systems is the best, as probabilities that are one law's."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from skstat.stats._common import MeansNames, Stored
from skstat.stats._outcomes.posterior import Numbers, Posterior, StudentPosterior

# Draws, and systems of up to which there are as many pairs as can be looked at one by one.
_N_DRAWS, _MOST = 100_000, 100
_TIED = 1e-9  # of the largest score: scores that differ by less share the first place
_DRAWN_AT_ONCE = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class BestPosterior(Stored, MeansNames):
    """Probability of every system that it is the best, and that it is practically as good.

    Attributes
    ----------
    names : tuple of str
        The systems.
    rope : float
        Differences up to so much are practically none, in the unit of the score.
    best : ndarray of shape (n_systems,)
        Probability that the score of a system is the highest of all; ties are shared.
    near : ndarray of shape (n_systems,)
        Probability that it is `rope` below the highest at most.
    n_draws, seed : int
        Number and seed of the draws.
    """

    made_by: ClassVar[str] = "compare_scores(scores, rope=0.01).best_posterior"

    names: tuple[str, ...]
    rope: float
    best: np.ndarray
    near: np.ndarray
    n_draws: int
    seed: int

    @property
    def probabilities(self) -> Mapping[str, float]:
        """Probability of every system that it is the best."""
        return dict(zip(self.names, self.best.tolist(), strict=True))


class BestOfDraws:
    """Counts who is the best, in draws of the scores of all systems that come in blocks.

    Parameters
    ----------
    names : sequence of str
        The systems.
    rope : float
        Differences up to so much are practically none.
    """

    def __init__(self, names: Sequence[str], rope: float) -> None:
        self.names, self.rope = tuple(names), rope
        self._best, self._near = np.zeros(len(names)), np.zeros(len(names))
        self._n = 0

    def add(self, drawn: Numbers) -> None:
        """Count a block of draws, of shape (n_draws, n_systems)."""
        highest = drawn.max(axis=1, keepdims=True)
        noise = _TIED * float(max(drawn.max(initial=0.0), -drawn.min(initial=0.0)))
        first = drawn >= highest - noise
        tied = np.count_nonzero(first, axis=1)
        if tied.max(initial=1) == 1:  # nearly always
            self._best += np.count_nonzero(first, axis=0)
        else:
            self._best += (first / tied[:, None]).sum(axis=0)
        self._near += np.count_nonzero(drawn >= highest - self.rope - noise, axis=0)
        self._n += len(drawn)

    def found(self, seed: int) -> BestPosterior:
        """Return the shares of the draws."""
        return BestPosterior(
            names=self.names,
            rope=self.rope,
            best=self._best / self._n,
            near=self._near / self._n,
            n_draws=self._n,
            seed=seed,
        )


def best_of_pairs(
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    posteriors: Sequence[Posterior],
    seed: int,
) -> BestPosterior | None:
    """Return who is the best by the Student posteriors of all pairs; None without them.

    The differences of all systems from the first follow a multivariate t, whose covariance is
    that of the spreads of all pairs: each pair then has its own posterior again. Where their
    degrees of freedom differ, the law has the median.
    """
    k = len(names)
    if len(pairs) != math.comb(k, 2) or k > _MOST:
        return None
    place = {name: number for number, name in enumerate(names)}
    apart, spreads, degrees = np.zeros((k, k)), np.zeros((k, k)), []
    for (a, b), own in zip(pairs, posteriors, strict=True):
        if not isinstance(own, StudentPosterior) or (own.spread == 0 and own.estimate != 0):
            return None
        i, j = place[a], place[b]
        apart[i, j], apart[j, i] = own.estimate, -own.estimate
        spreads[i, j] = spreads[j, i] = own.spread
        degrees.append(own.df)
    squares = spreads**2
    covariance = (
        squares[:, :1] + squares[:1, :] - squares
    ) / 2  # of differences from the first
    sizes, directions = np.linalg.eigh(covariance)
    kept = sizes > 1e-12 * max(float(sizes.max()), 0.0)
    root = np.sqrt(np.where(kept, sizes, 0.0))[:, None] * directions.T
    df = float(np.median(degrees))
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    counted = BestOfDraws(names, posteriors[0].rope)
    size = max(1, _DRAWN_AT_ONCE // k)
    for start in range(0, _N_DRAWS, size):
        n = min(size, _N_DRAWS - start)
        wide = np.sqrt(df / rng.chisquare(df, (n, 1)))
        counted.add(apart[:, 0] + (rng.standard_normal((n, k)) @ root) * wide)
    return counted.found(seed)
