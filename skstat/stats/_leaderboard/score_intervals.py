"""Intervals of the mean scores of systems, each by itself."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import tails
from skstat.stats._leaderboard.rank_stability import can_be_resampled
from skstat.stats._outcomes import alpha_of

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]


def interval_of_mean(sample: Any, confidence_level: float) -> Limits | None:
    """Return Student's t intervals of the mean scores of a table.

    Parameters
    ----------
    sample : ScoreTable or another sample
        The scores.
    confidence_level : float
        Level of each interval.

    Returns
    -------
    tuple of ndarray, or None
        Lower and upper limits; None of units that are not independent of each other, of
        scores that are missing, and of anything but a table.
    """
    if not can_be_resampled(sample):
        return None
    n = sample.n_units
    mean, sd = sample.scores.mean(axis=0), sample.scores.std(axis=0, ddof=1)
    half = tails.t_isf(alpha_of(confidence_level) / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half
