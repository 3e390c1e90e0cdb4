"""Ranking and ties of floats: which numbers are equal up to float noise."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._read import LARGEST_EXACT
from skstat.stats._stored import Numbers

# Scores that differ by less than this share of their scale are equal up to float noise, which
# would break ties and hide zero variance. One score of a million rows that was computed in
# several ways (in another order, by fold, with equal weights) differed by up to 3e-12 in
# metrics of scikit-learn. Scores for which `are_exact` holds have no noise.
RELATIVE_RESOLUTION = 1e-10
# Relative rounding error of sums and means of scores.
ROUNDING = 2.0**-46
# Floats represent whole multiples of this, such as counts and halves, exactly.
_EXACT_STEP = 2.0**-10
# Where scores are this many times larger than their differences, half of the digits are lost.
_MUCH_LARGER = 1e6
_SUBSAMPLE = 64  # scores that are checked first: if not all are exact, few of these are


def are_exact(*scores: Numbers) -> bool:
    """Whether floats represent all scores exactly, so that differences have no noise.

    This holds for whole numbers, halves and the like. Any other float may be a rounded score.
    """
    for array in scores:
        for subset in (array[:_SUBSAMPLE], array):
            largest = float(np.abs(subset).max(initial=0.0))
            step = _EXACT_STEP if largest <= LARGEST_EXACT * _EXACT_STEP else 1.0
            multiples = subset / step
            if largest > LARGEST_EXACT or not (np.rint(multiples) == multiples).all():
                return False
    return True


def noise_by_unit(a: Numbers, b: Numbers) -> Numbers:
    """Return differences below which scores of a unit are equal; units along the last axis."""
    # By unit: mean squared errors of two data sets may lie ten decades apart.
    scales = np.maximum(np.abs(a), np.abs(b))
    if scales.min() < 1e-3 * scales.max():
        # Noise about a score of 0 has the size of the numbers that cancelled: there the scale
        # is that of the other units.
        middle = np.median(scales, axis=-1, keepdims=True)
        scales = np.maximum(scales, 1e-3 * middle)
    return np.asarray(RELATIVE_RESOLUTION * scales)


def resolution_of_rows(differences: Numbers, noise: Numbers) -> Numbers:
    """Return the size below which sums of differences are float noise, along the last axis."""
    largest = np.max(noise, axis=-1, where=differences != 0, initial=0.0)
    exact = RELATIVE_RESOLUTION * np.abs(differences).max(axis=-1)
    return np.where(noise.any(axis=-1), largest, exact)


def signed_ranks(differences: Numbers, noise: Numbers) -> Numbers:
    """Return signed mid-ranks of the sizes of differences along the last axis; 0 where equal.

    Sizes that differ by float noise only are tied. Rounding to a grid would be wrong: it
    separates equal sizes that lie on both sides of a border.
    """
    rows, noise = np.atleast_2d(differences, noise)
    order = np.argsort(np.abs(rows), axis=1)
    ordered = np.take_along_axis(rows, order, axis=1)
    noise_sorted = np.take_along_axis(np.where(rows == 0, 0.0, noise), order, axis=1)
    # Neighbours differ where their gap exceeds the noise of both.
    gaps = np.diff(np.abs(ordered), axis=1)
    differ = gaps > np.maximum(noise_sorted[:, 1:], noise_sorted[:, :-1])
    n_equal = np.count_nonzero(ordered == 0, axis=1, keepdims=True)
    ranks = np.sign(ordered) * (mid_ranks(differ) - n_equal)
    return np.asarray(ranks.reshape(np.shape(differences)))


def mid_ranks(differ: NDArray[np.bool_]) -> Numbers:
    """Return mid-ranks of sorted rows, given which entries differ from the one before."""
    starts = np.pad(differ, ((0, 0), (1, 0)), constant_values=True)
    n_rows, n = starts.shape
    sizes = np.diff(np.flatnonzero(starts), append=starts.size)
    ranks = np.repeat(np.cumsum(sizes) - (sizes - 1) / 2, sizes)  # in all rows, one by one
    return np.asarray(ranks.reshape(n_rows, n) - n * np.arange(n_rows)[:, None])


def tie_within_noise(values: Numbers) -> Numbers:
    """Replace values of a row that differ by float noise by one value; nan stays nan.

    Noise would break ties, and change every rank statistic. Rounding to a grid would be wrong:
    it separates equal values that lie on both sides of a border.
    """
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    sizes, noise = np.abs(ascending), 0.0
    if not are_exact(values[~np.isnan(values)]):
        # The scale is that of the neighbours; about 0 it is that of the other rows.
        floor = 1e-3 * np.median(np.nan_to_num(sizes).max(axis=1))
        noise = RELATIVE_RESOLUTION * np.maximum(np.maximum(sizes[:, 1:], sizes[:, :-1]), floor)
    alike = np.pad(np.diff(ascending, axis=1) <= noise, ((0, 0), (1, 0)))
    first = np.maximum.accumulate(np.where(alike, 0, np.arange(values.shape[1])), axis=1)
    result = np.empty_like(values)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=1), axis=1)
    return result


def resolution_of(scores: Numbers) -> float:
    """Return the size below which sums of differences of systems are float noise.

    For exact scores it is the rounding error of computing with their differences; it is at
    least the rounding error of adding up the scores themselves.
    """
    contrasts = subtract_median(np.atleast_2d(scores)) if are_exact(scores) else scores
    rounding = ROUNDING * float(np.abs(scores).max())
    return max(rounding, RELATIVE_RESOLUTION * float(np.abs(contrasts).max()))


def with_all_digits(scores: Numbers) -> Numbers:
    """Subtract the median of every row, if scores are much larger than their differences.

    The means of such scores would have too few digits of the differences left. Other scores
    are returned unchanged.
    """
    contrasts = subtract_median(scores)
    largest = float(np.abs(contrasts).max())
    usual = largest == 0 or float(np.abs(scores).max()) <= _MUCH_LARGER * largest
    return scores if usual else contrasts


def subtract_median(scores: Numbers) -> Numbers:
    """Subtract the (upper) median of every row.

    Differences of systems stay, and have all their digits, however much one row, or one score,
    is larger than the others. Scores that differ by float noise become equal.
    """
    same = tie_within_noise(scores)
    return same - np.sort(same, axis=1)[:, [scores.shape[1] // 2]]


def rank_rows(values: Numbers) -> Numbers:
    """Return mid-ranks of every row, 1 for the lowest value; nan has no rank.

    Values that differ by float noise only are tied.
    """
    same = tie_within_noise(values)
    order = np.argsort(same, axis=1)
    differ = np.diff(np.take_along_axis(same, order, axis=1), axis=1) != 0
    ranks = np.empty_like(same)
    np.put_along_axis(ranks, order, mid_ranks(differ), axis=1)
    return np.where(np.isnan(values), np.nan, ranks)


T = TypeVar("T")


class Cache:
    """Cache of results that were computed from arrays, which must not be written to.

    Arrays are recognised by their ``id``. The cache holds a reference to each, so that no other
    array can get the same one. Copies of an object get no copy of its cache, because they have
    other arrays.
    """

    def __init__(self) -> None:
        self._results: dict[Any, Any] = {}

    def once(self, key: Hashable, compute: Callable[[], T], *arrays: NDArray[Any]) -> T:
        """Return the result of `compute` for some arrays, which is called only the first time.

        Parameters
        ----------
        key : hashable
            Key of the result.
        compute : callable
            Computes it.
        *arrays : ndarray or None
            All arrays that it is computed from.
        """
        entry = (key, *map(id, arrays))
        if entry not in self._results:
            self._results[entry] = arrays, compute()
        result: T = self._results[entry][1]
        return result


class Ordering:
    """The order of one column of finite numbers.

    Parameters
    ----------
    values : ndarray of float of shape (n,)
        The numbers.

    Attributes
    ----------
    rising : ndarray of int of shape (n,)
        Indices that sort the numbers in ascending order; ties are in any order.
    sizes : ndarray of int of shape (n_runs,)
        Length of each run of tied numbers, from low to high.
    """

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        # No number depends on the order of ties, and a stable sort takes four times as long.
        self.rising = np.argsort(self.values)
        ordered = self.values[self.rising]
        self._steps = ordered[1:] != ordered[:-1]
        self.sizes = np.diff(np.flatnonzero(np.append(True, self._steps)), append=len(values))

    @property
    def tied(self) -> bool:
        """Whether any two numbers are equal."""
        return not self._steps.all()

    @property
    def falling(self) -> NDArray[np.intp]:
        """Indices that sort the numbers in descending order."""
        return self.rising[::-1]

    @cached_property
    def mid_ranks(self) -> NDArray[np.float64]:
        """Mid-rank of every number, from 1."""
        ranks = np.empty(len(self.values))
        ranks[self.rising] = mid_ranks(self._steps[None])[0]
        return ranks
