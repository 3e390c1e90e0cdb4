"""Order statistics of the Walsh averages (d_i + d_j) / 2 without listing them all."""

import math

import numpy as np

_LIST_UP_TO = 1_000_000


def walsh_average(differences: np.ndarray, rank: float) -> float:
    """Order statistic `rank` (from 0) of the Walsh averages over i <= j.

    A half rank gives the mean of its two neighbours, so that the middle rank is
    the Hodges-Lehmann estimate. Memory stays proportional to the number of
    differences: for n = 100 000 the averages themselves would take 40 GB.
    """
    ordered = np.sort(np.asarray(differences, dtype=float))
    low, high = _kth(ordered, math.floor(rank)), _kth(ordered, math.ceil(rank))
    return (low + high) / 2


def _kth(ordered: np.ndarray, k: int) -> float:
    """Narrow (low, high] around the wanted average until its members fit a list."""
    n = len(ordered)
    low, high = -math.inf, math.inf
    left, right = ordered[0], ordered[-1]
    one_number = 4 * np.finfo(float).eps * max(abs(left), abs(right))
    below, members = 0, n * (n + 1) // 2
    while members > _LIST_UP_TO:
        middle = left + (right - left) / 2
        if right - left <= one_number:
            return _any_between(ordered, low, high)
        up_to_middle = _count_up_to(ordered, middle)
        if up_to_middle > k:
            high = right = middle
        else:
            low = left = middle
            below = up_to_middle
        above = n * (n + 1) // 2 if math.isinf(high) else _count_up_to(ordered, high)
        members = above - below
    return float(np.partition(_between(ordered, low, high), k - below)[k - below])


def _first_above(ordered: np.ndarray, limit: float) -> np.ndarray:
    """Index, for every i, of the first j >= i with (d_i + d_j) / 2 > limit."""
    first = np.searchsorted(ordered, 2 * limit - ordered, side="right")
    return np.maximum(first, np.arange(len(ordered)))


def _count_up_to(ordered: np.ndarray, limit: float) -> int:
    return int(np.sum(_first_above(ordered, limit) - np.arange(len(ordered))))


def _any_between(ordered: np.ndarray, low: float, high: float) -> float:
    start, stop = _first_above(ordered, low), _first_above(ordered, high)
    i = int(np.argmax(stop > start))
    return float((ordered[i] + ordered[start[i]]) / 2)


def _between(ordered: np.ndarray, low: float, high: float) -> np.ndarray:
    start, stop = _first_above(ordered, low), _first_above(ordered, high)
    parts = [(ordered[i] + ordered[start[i] : stop[i]]) / 2 for i in range(len(ordered))]
    return np.concatenate(parts)
