"""How often each of several systems wins against each other, as a posterior has it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import MeansNames, Stored
from skstat.stats._outcomes import CredibleInterval, check_level

Numbers = NDArray[np.float64]

LEVEL = 0.9  # of the intervals that are kept
EVEN = 0.05  # chances so near to one half are practically even
_TIED = 1e-12
_BLOCK = 1 << 18  # numbers at a time


class PairChances(NamedTuple):
    """How often A wins against B on units like these, ties counted half.

    Attributes
    ----------
    mean : float
        Expected chance that A wins on another unit.
    better : float
        Probability that the chance is above one half.
    even : float
        Probability that it is between 0.45 and 0.55: practically even.
    interval : CredibleInterval
        Limits that the chance is between with a probability of 0.9.
    """

    mean: float
    better: float
    even: float
    interval: CredibleInterval

    @property
    def turned(self) -> "PairChances":
        """The same of B against A."""
        low, high = self.interval
        return PairChances(
            1 - self.mean, 1 - self.better, self.even, CredibleInterval(1 - high, 1 - low)
        )

    def decision(self, probability: float = 0.95) -> str:
        """Name what has a probability of at least so much.

        Parameters
        ----------
        probability : float, default=0.95
            How probable it must be; above 0.5.

        Returns
        -------
        str
            ``"same"`` where the chance is practically even, else ``"better"`` or ``"worse"``,
            of A, or ``"undecided"``.
        """
        check_level(probability, name="probability")
        if probability <= 0.5:
            raise ValueError(f"probability={probability!r} must be above 0.5; write 0.95.")
        if self.even >= probability:
            return "same"
        if self.better >= probability:
            return "better"
        return "worse" if 1 - self.better >= probability else "undecided"


@dataclass(frozen=True, kw_only=True, eq=False)
class WinChances(Stored, MeansNames):
    """How often each system wins against each other one, and which one is the best.

    Attributes
    ----------
    names : tuple of str
        The systems.
    mean, better, even, low, high : ndarray of shape (n_pairs,)
        What :meth:`pair` tells of every pair, in the order of ``numpy.triu_indices(k, 1)``.
    best : ndarray of shape (k,)
        Probability of every system that it is the best.
    rank_low, rank_high : ndarray of shape (k,)
        Ranks that it is between with a probability of 0.9 or more.
    n_draws : int
        Draws behind them.
    effective_size : float
        Draws of equal weight that these are worth.
    """

    names: tuple[str, ...]
    mean: np.ndarray
    better: np.ndarray
    even: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray
    rank_low: np.ndarray
    rank_high: np.ndarray
    n_draws: int
    effective_size: float

    def pair(self, a: str, b: str) -> PairChances:
        """Return how often one system wins against another.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        PairChances
            Of `a` against `b`.
        """
        for name in (a, b):
            if name not in self.names:
                raise ValueError(f"{name!r} is unknown; there are {', '.join(self.names)}.")
        i, j = self.names.index(a), self.names.index(b)
        if i == j:
            raise ValueError(f"{a!r} does not meet itself; name two systems.")
        place = _place(min(i, j), max(i, j), len(self.names))
        columns = (self.mean, self.better, self.even, self.low, self.high)
        mean, better, even, low, high = (float(column[place]) for column in columns)
        found = PairChances(mean, better, even, CredibleInterval(low, high))
        return found if i < j else found.turned

    @property
    def best_probabilities(self) -> dict[str, float]:
        """Probability of every system that it is the best, the most probable first."""
        found = dict(zip(self.names, self.best.tolist(), strict=True))
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def win_chances_of(
    names: tuple[str, ...],
    chances: Callable[[slice], Numbers],
    levels: Numbers,
    weights: Numbers | None,
) -> WinChances:
    """Sum up draws of chances.

    Parameters
    ----------
    names : tuple of str
        The systems.
    chances : callable
        Gives the chances of some pairs, (n_draws, n_some), by the places of the pairs.
    levels : ndarray of shape (n_draws, k)
        What ranks the systems in every draw; a higher one is better.
    weights : ndarray of shape (n_draws,), or None
        What every draw counts; None for alike.
    """
    k, n_draws = len(names), len(levels)
    n_pairs = k * (k - 1) // 2
    alike = np.full(n_draws, 1 / n_draws)
    counts = alike if weights is None else weights
    found = np.empty((5, n_pairs))
    size = max(1, _BLOCK // n_draws)
    for start in range(0, n_pairs, size):
        places = slice(start, min(start + size, n_pairs))
        drawn = chances(places)
        apart = drawn - 0.5
        above = (apart > _TIED) + (np.abs(apart) <= _TIED) / 2
        near = np.abs(apart) <= EVEN + _TIED
        found[:3, places] = counts @ drawn, counts @ above, counts @ near
        found[3:, places] = ends_of_columns(drawn, weights)
    first = levels >= levels.max(axis=1, keepdims=True) - _TIED
    shared = first / first.sum(axis=1, keepdims=True)
    low, high = ends_of_columns(_ranks(levels), weights)
    mean, better, even, least, most = found
    return WinChances(
        names=names,
        mean=mean,
        better=np.clip(better, 0.0, 1.0),
        even=np.clip(even, 0.0, 1.0),
        low=least,
        high=most,
        best=np.clip(counts @ shared, 0.0, 1.0),
        rank_low=np.floor(low + _TIED),
        rank_high=np.ceil(high - _TIED),
        n_draws=n_draws,
        effective_size=float(1 / np.sum(counts**2)),
    )


def _ranks(levels: Numbers) -> Numbers:
    """Return the ranks of every draw, 1 for the best."""
    order = np.argsort(-levels, axis=1, kind="stable")
    found = np.empty(levels.shape)
    np.put_along_axis(found, order, np.arange(1.0, levels.shape[1] + 1)[None], axis=1)
    return found


def ends_of_columns(drawn: Numbers, weights: Numbers | None) -> Numbers:
    """Return the limits of every column, with as much of the rest on either side."""
    tail = (1 - LEVEL) / 2
    if weights is None:
        return np.asarray(np.quantile(drawn, [tail, 1 - tail], axis=0))
    order = np.argsort(drawn, axis=0)
    reached = np.cumsum(weights[order], axis=0)
    ends = [np.argmax(reached >= level, axis=0) for level in (tail, 1 - tail)]
    columns = np.arange(drawn.shape[1])
    return np.stack([drawn[order[end, columns], columns] for end in ends])


def _place(i: int, j: int, k: int) -> int:
    """Place of a pair i < j among all pairs."""
    return i * k - i * (i + 1) // 2 + j - i - 1
