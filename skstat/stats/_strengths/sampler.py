"""Draws from the posterior of Bradley and Terry's model, without Markov chains."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from skstat.stats._resampling import stream

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

LEAST_SIZE = 400
# The spread of the strengths is looked at on a grid of its logarithm, which has the standard
# deviation 1/2 beforehand.
_LOWEST, _HIGHEST, _POINTS = -3.0, 3.0, 31
_UNIFORM = 0.03  # of the draws lie anywhere on the grid
_LEAST_DF = 8  # fewer than Gaussian tails, where a system won all contests
_BLOCK = 1 << 20  # numbers at a time
_MOST_STEPS = 100


class PoorDrawsError(ValueError):
    """Draws of which a few count for nearly all: they tell too little."""


class Meetings(NamedTuple):
    """Contests of pairs of systems, those that are alike counted together.

    Attributes
    ----------
    n_systems : int
        Number of systems, k.
    first, second : ndarray of int
        Whose contests each row counts.
    wins, losses : ndarray
        Of the first, with the weights of their units.
    side : ndarray or None
        1 where the first was shown first, -1 where second, 0 where that is not known. None
        where sides do not matter.
    """

    n_systems: int
    first: Places
    second: Places
    wins: Numbers
    losses: Numbers
    side: Numbers | None = None


class Draws(NamedTuple):
    """Weighted draws from the posterior.

    Attributes
    ----------
    strengths : ndarray of shape (n_draws, k)
        Logarithms of the odds against a system of strength 0.
    side : ndarray of shape (n_draws,), or None
        The same of being shown first.
    spreads : ndarray of shape (n_draws,)
        Standard deviation of the strengths.
    weights : ndarray of shape (n_draws,)
        What every draw counts; they add up to 1.
    """

    strengths: Numbers
    side: Numbers | None
    spreads: Numbers
    weights: Numbers

    @property
    def effective_size(self) -> float:
        """Number of draws of equal weight that are worth as much."""
        return float(1 / np.sum(self.weights**2))


def draw_strengths(meetings: Meetings, n_draws: int, seed: int) -> Draws:
    """Draw the strengths; four times as many where the first draws are worth too little.

    The strengths are normal about 0 with a spread whose logarithm is normal about 0 with the
    standard deviation 1/2; what the side is worth is standard normal.
    """
    posterior = _Posterior(meetings)
    rng = stream(np.random.SeedSequence(seed))
    for n in (n_draws, 4 * n_draws):
        found = posterior.draw(n, rng)
        if found.effective_size >= LEAST_SIZE:
            return found
    raise PoorDrawsError(
        f"of {4 * n_draws} draws of the strengths {found.effective_size:.0f} count, and "
        f"{LEAST_SIZE} must: so many systems won every contest that the model does not know "
        "by how much. Try more draws (n_draws=), or win_shares, which has no strengths."
    )


class _Posterior:
    """The posterior of strengths and spread, by its modes for spreads on a grid."""

    def __init__(self, meetings: Meetings) -> None:
        self.meetings = meetings
        self.n = meetings.wins + meetings.losses
        self.k = meetings.n_systems
        self.size = self.k + (meetings.side is not None)
        self.grid = np.linspace(_LOWEST, _HIGHEST, _POINTS)
        self.step = float(self.grid[1] - self.grid[0])
        found: list[tuple[Numbers, Numbers]] = []
        start = np.zeros(self.size)
        for log_spread in self.grid[::-1]:  # narrow ones start near what wide ones found
            start, hessian = self._mode(start, float(log_spread))
            found.append((start, linalg.cholesky(hessian, lower=True)))
        self.modes = np.array([mode for mode, _ in found[::-1]])
        self.roots = [root for _, root in found[::-1]]
        self.log_roots = np.array([np.log(np.diag(root)).sum() for root in self.roots])
        mass = self.log_density(self.modes, self.grid) - self.log_roots
        shares = np.exp(mass - mass.max())
        self.shares = (1 - _UNIFORM) * shares / shares.sum() + _UNIFORM / _POINTS

    def _precision(self, log_spread: float) -> Numbers:
        """Return the prior precision of every parameter."""
        found = np.ones(self.size)
        found[: self.k] = math.exp(-2 * log_spread)
        return found

    def _mode(self, start: Numbers, log_spread: float) -> tuple[Numbers, Numbers]:
        """Return the mode given the spread, by Newton's method, and minus the curvature."""
        first, second, wins, _, side = self.meetings[1:]
        prior, found = self._precision(log_spread), start
        for _ in range(_MOST_STEPS):
            chance = special.expit(self._odds(found[None])[0])
            pull = wins - self.n * chance
            slope = np.bincount(first, pull, self.size) - np.bincount(second, pull, self.size)
            weight = self.n * chance * (1 - chance)
            hessian = np.diag(
                np.bincount(first, weight, self.size)
                + np.bincount(second, weight, self.size)
                + prior
            )
            np.add.at(hessian, (first, second), -weight)
            np.add.at(hessian, (second, first), -weight)
            if side is not None:
                slope[-1] = pull @ side
                hessian[-1, -1] = weight @ side**2 + prior[-1]
                across = np.bincount(first, weight * side, self.size)
                across -= np.bincount(second, weight * side, self.size)
                hessian[-1, :-1] = hessian[:-1, -1] = across[:-1]
            move = linalg.solve(hessian, slope - prior * found, assume_a="pos")
            largest = float(np.abs(move).max())
            found = found + move * min(1.0, 2 / max(largest, 1e-300))
            if largest < 1e-10:
                break
        return found, hessian

    def _odds(self, parameters: Numbers) -> Numbers:
        """Return the log odds that the first of each row wins, of every draw."""
        _, first, second, _, _, side = self.meetings
        found = parameters[:, first] - parameters[:, second]
        return found if side is None else found + parameters[:, [-1]] * side

    def log_density(self, parameters: Numbers, log_spreads: Numbers) -> Numbers:
        """Return the logarithm of the density, up to a constant."""
        found = np.empty(len(parameters))
        size = max(1, _BLOCK // len(self.n))
        for start in range(0, len(parameters), size):
            odds = self._odds(parameters[start : start + size])
            gone = odds @ self.meetings.losses
            found[start : start + size] = np.logaddexp(0, -odds) @ -self.n - gone
        squares = (parameters[:, : self.k] ** 2).sum(axis=1)
        found -= squares * np.exp(-2 * log_spreads) / 2 + self.k * log_spreads
        found -= 2 * log_spreads**2
        return found - (parameters[:, self.k :] ** 2).sum(axis=1) / 2

    def draw(self, n_draws: int, rng: np.random.Generator) -> Draws:
        """Draw by Student's t about the modes, and weigh by the density."""
        df = max(_LEAST_DF, self.size)
        cells = rng.choice(len(self.grid), n_draws, p=self.shares)
        log_spreads = self.grid[cells] + self.step * (rng.random(n_draws) - 0.5)
        z = rng.standard_normal((n_draws, self.size))
        z /= np.sqrt(rng.chisquare(df, n_draws) / df)[:, None]
        parameters = np.empty_like(z)
        for cell in np.unique(cells):
            there = cells == cell
            away = linalg.solve_triangular(self.roots[cell], z[there].T, lower=True, trans="T")
            parameters[there] = self.modes[cell] + away.T
        proposed = np.log(self.shares[cells]) + self.log_roots[cells]
        proposed -= (df + self.size) / 2 * np.log1p((z**2).sum(axis=1) / df)
        logs = self.log_density(parameters, log_spreads) - proposed
        weights = np.exp(logs - logs.max())
        return Draws(
            strengths=parameters[:, : self.k],
            side=None if self.size == self.k else parameters[:, -1],
            spreads=np.exp(log_spreads),
            weights=weights / weights.sum(),
        )
