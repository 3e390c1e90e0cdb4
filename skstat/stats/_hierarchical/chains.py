"""Whether Markov chains agree, and what their draws are worth (Vehtari et al., 2021)."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import tails

Draws = NDArray[np.float64]

MOST_RHAT, LEAST_SIZE = 1.01, 400


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


def diagnose(*parameters: Draws) -> Diagnostics:
    """Return the worst diagnostics of some parameters, each of shape (n_chains, n_draws)."""
    return Diagnostics(
        max(split_rhat(each) for each in parameters),
        min(effective_size(each) for each in parameters),
        min(effective_size(each, of="tail") for each in parameters),
    )


def split_rhat(draws: Draws) -> float:
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


def effective_size(draws: Draws, of: str = "bulk") -> float:
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


def _halves(draws: Draws) -> Draws:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: Draws) -> Draws:
    _, places, counts = np.unique(draws, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2  # equal draws share their ranks
    ranks = middle[places].reshape(draws.shape)
    return np.asarray(tails.normal_ppf((ranks - 0.375) / (draws.size + 0.25)))


def _rhat(draws: Draws) -> float:
    n = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = float(draws.mean(axis=1).var(ddof=1))  # B / n
    if within == 0:
        return math.nan if between == 0 else math.inf
    return math.sqrt(((n - 1) / n * within + between) / within)


def _size(draws: Draws) -> float:
    n_chains, n = draws.shape
    if np.ptp(draws) == 0:
        return float(draws.size)
    covariances = _autocovariances(draws).mean(axis=0)
    within = covariances[0] * n / (n - 1)
    whole = covariances[0] + (draws.mean(axis=1).var(ddof=1) if n_chains > 1 else 0.0)
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


def _autocovariances(draws: Draws) -> Draws:
    """Autocovariances of every chain, by Fourier transforms."""
    n = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    length = 1 << (2 * n - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(centred, length)) ** 2
    return np.fft.irfft(spectrum, length)[:, :n] / n
