"""The exact distribution of the difference of two Friedman rank sums."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=8)
def rank_sum_pvalues(n: int, k: int) -> NDArray[np.float64]:
    """Two-sided p-values of the differences 0, 1, ..., n (k - 1).

    On one unit without ties two of k systems differ by d ranks with probability (k -
    |d|) / (k (k - 1)); over n units these add up (Eisinga et al., 2017).
    """
    distances = np.abs(np.arange(-(k - 1), k))
    one = np.where(distances, (k - distances) / (k * (k - 1)), 0.0)
    # Sums of products of positive numbers keep every tail to all digits; a Fourier
    # transform would not.
    found, power, left = np.ones(1), one, n
    while left:
        if left % 2:
            found = np.convolve(found, power)
        left //= 2
        if left:
            power = np.convolve(power, power)
    middle = n * (k - 1)
    tail = np.cumsum(found[: middle + 1])[::-1]  # smallest numbers first
    tail = np.minimum(1.0, 2 * tail)
    tail.setflags(write=False)
    return tail
