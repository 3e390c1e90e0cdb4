"""Gibbs sampler of the hierarchical model, with what can be integrated out left out.

Several chains move at once: their states are rows, the data sets columns.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _tails as tails

MOST_RHAT, LEAST_SIZE = 1.01, 400

Numbers = NDArray[np.float64]
LogDensity = Callable[[Numbers], Numbers]


class ChainsDisagreeError(ValueError):
    """Markov chains that say different things, or too little."""


class Diagnostics(NamedTuple):
    """The worst of several parameters.

    Attributes
    ----------
    rhat : float
        Largest rank-normalised split R-hat.
    bulk, tail : float
        Smallest effective sizes of the middle and of the tails.
    """

    rhat: float
    bulk: float
    tail: float

    @property
    def agree(self) -> bool:
        """Whether the chains may be used."""
        few = min(self.bulk, self.tail) < LEAST_SIZE
        return self.rhat <= MOST_RHAT and not few


def diagnose(*parameters: Numbers) -> Diagnostics:
    """Return the worst diagnostics of some parameters, each of shape (n_chains, n_draws)."""
    return Diagnostics(
        max(split_rhat(each) for each in parameters),
        min(effective_size(each) for each in parameters),
        min(effective_size(each, of="tail") for each in parameters),
    )


def split_rhat(draws: Numbers) -> float:
    """Rank-normalised split R-hat: how far chains are from one another, and in spread.

    Every chain is cut into halves; the draws are replaced by normal scores of their ranks, and
    so are their distances from the median. It is the larger of both ``sqrt(((n - 1) / n W + B
    / n) / W)``, with the variances W within and B between the halves.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws)
        Draws of one parameter.

    Returns
    -------
    float
        1 where the chains agree; nan where nothing varies.
    """
    halves = _halves(draws)
    folded = np.abs(halves - np.median(halves))
    return max(_rhat(_normal_scores(each)) for each in (halves, folded))


def effective_size(draws: Numbers, of: str = "bulk") -> float:
    """Independent draws that would tell as much.

    By Geyer's initial monotone sequence of autocorrelations, which are made of all halves of
    the chains together.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws)
        Draws of one parameter.
    of : {"bulk", "tail", "mean"}, default="bulk"
        ``"bulk"``: of normal scores of the ranks. ``"tail"``: of being below the quantile 0.05,
        or below 0.95, whichever is less. ``"mean"``: of the draws as they are.

    Returns
    -------
    float
        The effective size; the number of draws where nothing varies.
    """
    if of == "tail":
        ends = np.quantile(draws, (0.05, 0.95))
        return min(_size(_halves((draws <= end).astype(float))) for end in ends)
    halves = _halves(draws)
    return _size(_normal_scores(halves) if of == "bulk" else halves)


def _halves(draws: Numbers) -> Numbers:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: Numbers) -> Numbers:
    ranks = tails.laws().rankdata(draws, axis=None).reshape(draws.shape)
    return np.asarray(tails.normal_ppf((ranks - 0.375) / (draws.size + 0.25)))


def _rhat(draws: Numbers) -> float:
    n = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = float(draws.mean(axis=1).var(ddof=1))  # B / n
    if within == 0:
        return math.nan if between == 0 else math.inf
    return math.sqrt(((n - 1) / n * within + between) / within)


def _size(draws: Numbers) -> float:
    n = draws.shape[1]
    if np.ptp(draws) == 0:
        return float(draws.size)
    # Autocovariances, the mean of those of every chain, by Fourier transforms.
    length = 1 << (2 * n - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(draws - draws.mean(axis=1, keepdims=True), length)) ** 2
    covariances = np.fft.irfft(spectrum, length)[:, :n].mean(axis=0) / n
    within = covariances[0] * n / (n - 1)
    whole = covariances[0] + draws.mean(axis=1).var(ddof=1)
    rho = 1 - (within - covariances) / whole
    rho[0] = 1.0
    # Sums of neighbours are positive and decrease, as those of a reversible chain do.
    pairs = rho[: 2 * ((n - 1) // 2)].reshape(-1, 2).sum(axis=1)
    last = int(np.argmax(pairs < 0)) if (pairs < 0).any() else len(pairs) - 1
    kept = np.minimum.accumulate(pairs[:last])
    # Of the pair behind them the first alone, if it is positive.
    time = -1 + 2 * float(kept.sum()) + max(0.0, float(rho[2 * last]))
    time = max(time, 1 / math.log10(draws.size))  # antithetic chains are not worth any number
    return draws.size / time


class Summaries(NamedTuple):
    """What the model needs to know of the data sets: sufficient statistics, each an array.

    Attributes
    ----------
    means : ndarray of shape (n_datasets,)
        Mean difference over the splits.
    squares : ndarray of shape (n_datasets,)
        Sum of squared deviations from it.
    n_splits : ndarray of shape (n_datasets,)
        Number of splits.
    correlations : ndarray of shape (n_datasets,)
        Correlation of two splits.
    largest : float
        Size of the largest difference of any split.
    """

    means: Numbers
    squares: Numbers
    n_splits: Numbers
    correlations: Numbers
    largest: float


@cache
def _prior() -> tuple[Numbers, Numbers, Numbers]:
    """Tabulate the prior of nu - 1: a gamma law whose shape and rate have uniform priors.

    ``nu - 1 ~ Gamma(shape, rate)``, ``shape ~ U(1, 2)``, ``rate ~ U(0.01, 0.1)``. Shape and
    rate are averaged over once: chances, the logarithm of nu - 1, and the quartile of t there.
    """
    nodes, weights = np.polynomial.legendre.leggauss(24)
    shapes, rates = np.meshgrid(1.5 + nodes / 2, 0.055 + 0.045 * nodes, indexing="ij")
    logs = np.linspace(math.log(1e-4), math.log(5e3), 4001)
    below = special.gammainc(shapes.reshape(-1, 1), np.outer(rates, np.exp(logs)))
    chances = np.outer(weights, weights).ravel() / 4 @ below
    # Interpolation needs a function that grows: the upper end is 1 to the last bit.
    known = np.r_[True, np.diff(np.maximum.accumulate(chances)) > 0]
    logs = logs[known]
    return chances[known], logs, special.stdtrit(1 + np.exp(logs), 0.75)


def _degrees(u: Numbers) -> Numbers:
    """Return the degrees of freedom nu at quantiles of their prior."""
    chances, logs, _ = _prior()
    return np.asarray(1 + np.exp(np.interp(u, chances, logs)))


def _quartile(u: Numbers) -> Numbers:
    """Return the upper quartile of Student's t with these degrees of freedom."""
    chances, _, quartiles = _prior()
    return np.interp(u, chances, quartiles)


@dataclass
class Chains:
    """States of several chains, and what is kept of their draws.

    The differences of every data set are in units of the mean spread over splits.
    """

    data: Summaries
    rng: np.random.Generator
    n_chains: int

    def __post_init__(self) -> None:
        means, shape = self.data.means, (self.n_chains, len(self.data.means))
        self.width = float(means.std())
        self.most = 1000 * self.width
        error = 2 * self.width / math.sqrt(len(means))
        start = np.median(means) + error * self.rng.standard_normal(self.n_chains)
        self.location = np.clip(start, -self.data.largest, self.data.largest)
        spread = self.width * np.exp(self.rng.standard_normal(self.n_chains))
        self.spread = np.minimum(spread, self.most / 2)
        self.u = self.rng.uniform(0.05, 0.95, self.n_chains)
        self.effects = np.broadcast_to(means, shape).copy()
        self.weights = np.ones(shape)
        self.moments = np.zeros((2, len(means)))  # of what effects are off: sums, and squares
        self.kept: list[tuple[Numbers, Numbers, Numbers]] = []

    def run(self, n_draws: int) -> tuple[Numbers, Numbers, Numbers]:
        """Move all chains, and keep their states.

        Location, spread and degrees of freedom so far, each of shape (n_chains, n_draws).
        """
        for _ in range(n_draws):
            self.move()
            self.kept.append((self.location, self.spread, _degrees(self.u)))
            shifted = self.effects - self.data.means
            self.moments += shifted.sum(axis=0), (shifted**2).sum(axis=0)
        location, spread, degrees = (np.array(each).T for each in zip(*self.kept, strict=True))
        return location, spread, degrees

    @property
    def effect_moments(self) -> tuple[Numbers, Numbers]:
        """Mean and standard deviation of the difference on every data set."""
        shift, square = self.moments / (self.n_chains * len(self.kept))
        return self.data.means + shift, np.sqrt(np.maximum(square - shift**2, 0))

    def move(self) -> None:
        """Move all chains by one step."""
        data, rng = self.data, self.rng
        # The variances on the data sets, given the effects.
        factors = (1 + (data.n_splits - 1) * data.correlations) / data.n_splits
        squares = data.squares / (1 - data.correlations)
        squares = squares + (data.means - self.effects) ** 2 / factors
        drawn = rng.standard_gamma(np.broadcast_to((data.n_splits - 1) / 2, squares.shape))
        self._move_together(factors * squares / 2 / drawn)
        apart = self.effects - self.location[:, None]
        squares = apart**2

        def log_t(spread: Numbers, u: Numbers) -> Numbers:
            """With the weights integrated out."""
            return _log_t(squares, spread[:, None], _degrees(u)[:, None])

        def along(u: Numbers) -> Numbers:
            """Change the degrees of freedom, with the upper quartile of the law as it is."""
            spread = fixed / _quartile(u)
            return np.where(spread < self.most, log_t(spread, u) + np.log(spread), -np.inf)

        self.u = _slice(rng, self.u, lambda u: log_t(self.spread, u))
        self._slice_spread(lambda spread: log_t(spread, self.u))
        fixed = self.spread * _quartile(self.u)
        self.u = _slice(rng, self.u, along)
        self.spread = fixed / _quartile(self.u)
        self._slice_spread(lambda spread: log_t(spread, self.u))
        degrees = _degrees(self.u)[:, None]
        drawn = rng.standard_gamma(np.broadcast_to((degrees + 1) / 2, apart.shape))
        self.weights = 2 * drawn / (degrees + (apart / self.spread[:, None]) ** 2)

    def _move_together(self, variances: Numbers) -> None:
        """Move the spread, the location and the effects, each given those before."""
        means, largest = self.data.means, self.data.largest

        def conditional(spread: Numbers) -> tuple[Numbers, Numbers, Numbers]:
            precisions = 1 / (variances + spread[:, None] ** 2 / self.weights)
            total = precisions.sum(axis=1)
            return precisions, total, (precisions @ means) / total

        def log_density(spread: Numbers) -> Numbers:
            precisions, total, mean = conditional(spread)
            rest = precisions @ means**2 - total * mean**2
            ends = (np.sqrt(total) * (end - mean) for end in (-largest, largest))
            found = (np.log(precisions).sum(axis=1) - np.log(total) - rest) / 2
            return np.asarray(found + np.log(_between(*ends)))

        self._slice_spread(log_density)
        _, total, mean = conditional(self.spread)
        self.location = _truncated_normal(self.rng, mean, 1 / np.sqrt(total), largest)
        around = self.spread[:, None] ** 2 / self.weights
        center = (means * around + self.location[:, None] * variances) / (variances + around)
        deviation = np.sqrt(variances * around / (variances + around))
        self.effects = center + deviation * self.rng.standard_normal(center.shape)

    def _slice_spread(self, log_density: LogDensity) -> None:
        """Draw the next spread of every chain by ``v = spread / (spread + width)``, below 1."""
        width, most = self.width, self.most

        def of_share(v: Numbers) -> Numbers:
            return log_density(width * v / (1 - v)) - 2 * np.log1p(-v)

        v = self.spread / (self.spread + width)
        v = _slice(self.rng, v, of_share, most / (most + width))
        self.spread = width * v / (1 - v)


def _log_t(squares: Numbers, spread: Numbers, degrees: Numbers) -> Numbers:
    """Log density of effects at squared distances from the location, of every chain."""
    each = special.gammaln((degrees + 1) / 2) - special.gammaln(degrees / 2)
    each = each - np.log(degrees * math.pi) / 2 - np.log(spread)
    tail = np.log1p(squares / (degrees * spread**2)).sum(axis=1)
    n = squares.shape[1]
    return np.asarray(n * each[:, 0] - (degrees[:, 0] + 1) / 2 * tail)


def _between(low: Numbers, high: Numbers) -> Numbers:
    """Chance of a standard normal number between two, without loss in the upper tail."""
    flip = low > 0
    first, second = np.where(flip, -high, low), np.where(flip, -low, high)
    return np.asarray(tails.normal_cdf(second) - tails.normal_cdf(first))


def _truncated_normal(
    rng: np.random.Generator, mean: Numbers, deviation: Numbers, largest: float
) -> Numbers:
    """Draw normal numbers between -largest and largest, by the inverse of their law."""
    flip = np.where(mean < 0, -1.0, 1.0)  # the tail that is cut off is the upper one
    mean = flip * mean
    low = tails.normal_cdf((-largest - mean) / deviation)
    high = tails.normal_cdf((largest - mean) / deviation)
    drawn = tails.normal_ppf(low + (high - low) * rng.random(mean.shape))
    found = np.clip(mean + deviation * drawn, -largest, largest)
    return np.asarray(flip * found)


def _slice(
    rng: np.random.Generator, state: Numbers, log_density: LogDensity, most: float = 1.0
) -> Numbers:
    """Draw the next state of every chain, from 0 to `most`, from a slice of its density.

    The interval shrinks to the state until a draw is in the slice (Neal, 2003).
    """
    level = log_density(state) - rng.standard_exponential(state.shape)
    left, right = np.zeros_like(state), np.full_like(state, most)
    found = state.copy()
    open_ = np.ones(state.shape, dtype=bool)
    while open_.any():
        drawn = left + (right - left) * rng.random(state.shape)
        inside = (drawn > 0) & (drawn < most)
        tried = np.where(open_ & inside, drawn, state)
        accepted = open_ & inside & (log_density(tried) >= level)
        found = np.where(accepted, tried, found)
        open_ &= ~accepted
        left = np.where(open_ & (drawn < state), drawn, left)
        right = np.where(open_ & (drawn >= state), drawn, right)
        # The state itself is in the slice: what has shrunk to it stays there.
        open_ &= right - left > 1e-14 * (np.abs(state) + 1e-300)
    return found
