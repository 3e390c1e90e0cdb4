"""Intervals of the mean scores of systems, each by itself."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import tails
from skstat.stats._leaderboard.rank_stability import can_be_resampled
from skstat.stats._outcomes import alpha_of
from skstat.stats._test_set import proportion_interval

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]


def interval_of_mean(sample: Any, confidence_level: float) -> Limits | None:
    """Return intervals of the mean scores of a table.

    Shares of right answers have Wilson's interval, which stays between 0 and 1 and has a width
    where all answers are right; other means have Student's t.

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
    # Errors are wrong answers, counted below 0.
    for right in (1.0, -1.0) if sample.higher_is_better else (-1.0, 1.0):
        if sample.unit == "instance" and np.isin(sample.scores, (0.0, right)).all():
            counts = np.abs(sample.scores).sum(axis=0).astype(int).tolist()
            found = [proportion_interval(count, n, confidence_level) for count in counts]
            low, high = np.array(found).T
            return (low, high) if right > 0 else (-high, -low)
    mean, sd = sample.scores.mean(axis=0), sample.scores.std(axis=0, ddof=1)
    half = tails.t_isf(alpha_of(confidence_level) / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half
