"""Which of several systems may be the best, from what was found of their pairs."""

import math
from collections.abc import Sequence
from itertools import starmap

import numpy as np

from skstat.stats import ConfidenceInterval, PairwiseOutcome


def best_pvalues(pairwise: PairwiseOutcome, names: Sequence[str]) -> dict[str, float]:
    """Return the p-value of every system that no other is better.

    It is the smallest adjusted one of the pairs in which the other is ahead, and 1 where there
    is none: a system may be the best exactly if no pair contradicts it.
    """
    first, second = pairwise.ends
    ahead, adjusted = pairwise.directions, pairwise.adjusted_pvalues
    least = np.ones(len(pairwise.names))
    for behind, asked in ((second, ahead > 0), (first, ahead < 0)):
        np.fmin.at(least, behind[asked], adjusted[asked])  # a pair without p tells nothing
    found = dict(zip(pairwise.names, least.tolist(), strict=True))
    return {name: found[name] for name in names}


def intervals_from_best(
    pairwise: PairwiseOutcome, names: Sequence[str], confidence_level: float
) -> dict[str, ConfidenceInterval]:
    """Return intervals of each score minus the highest of the others.

    They follow from the simultaneous intervals of all pairs, and are simultaneous with them.
    """
    first, second = pairwise.ends
    low, high = pairwise.limits(confidence_level)
    lows, highs = (np.full(len(pairwise.names), math.inf) for _ in range(2))
    for system, below, above in ((first, low, high), (second, -high, -low)):
        # A pair that cannot be judged sets no limit.
        np.minimum.at(lows, system, np.where(np.isnan(below), -math.inf, below))
        np.fmin.at(highs, system, above)
    limits = zip(lows.tolist(), highs.tolist(), strict=True)
    found = dict(zip(pairwise.names, starmap(ConfidenceInterval, limits), strict=True))
    return {name: found[name] for name in names}
