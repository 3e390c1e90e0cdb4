"""How numbers are ordered: which are equal but for float noise, and how they rank."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._read import LARGEST_EXACT
from skstat.stats._stored import Numbers

# Scores that differ by less than this share of their own scale are the same number written
# twice: float noise breaks ties and hides zero variance. One score of a million rows that was
# computed in several ways (in another order, by fold, with equal weights) differed by up to
# 3e-12 in metrics of scikit-learn; what differs by less than the whole digits of exact scores
# is decided by `are_exact`.
RELATIVE_RESOLUTION = 1e-10
# The share that sums and means of scores may be rounded by.
ROUNDING = 2.0**-46
# Whole multiples of this, such as counts and halves, are held by floats without any noise.
_EXACT_STEP = 2.0**-10
# Scores so many times larger than their differences leave these half of the digits of floats.
_MUCH_LARGER = 1e6
_SUBSAMPLE = 64  # scores: if not all are exact, one among the first is hardly ever


def are_exact(*scores: Numbers) -> bool:
    """Whether floats hold all scores exactly, and so their differences: there is no noise.

    They do whole numbers, and halves and the like. Any other score that a float holds may be
    one that was rounded.
    """
    for part in scores:
        for subset in (part[:_SUBSAMPLE], part):
            largest = float(np.abs(subset).max(initial=0.0))
            step = _EXACT_STEP if largest <= LARGEST_EXACT * _EXACT_STEP else 1.0
            multiples = subset / step
            if largest > LARGEST_EXACT or not (np.rint(multiples) == multiples).all():
                return False
    return True


def noise_by_unit(a: Numbers, b: Numbers) -> Numbers:
    """Differences below which two scores of a unit are equal; units along the last axis."""
    # By unit: mean squared errors of two data sets may lie ten decades apart.
    scales = np.maximum(np.abs(a), np.abs(b))
    if scales.min() < 1e-3 * scales.max():
        # Noise about a score of 0 has the size of the numbers that cancelled, so that the
        # other units must give the scale there.
        middle = np.median(scales, axis=-1, keepdims=True)
        scales = np.maximum(scales, 1e-3 * middle)
    return np.asarray(RELATIVE_RESOLUTION * scales)


def resolution_of_rows(differences: Numbers, noise: Numbers) -> Numbers:
    """Size below which numbers made of differences are float noise, along the last axis."""
    largest = np.max(noise, axis=-1, where=differences != 0, initial=0.0)
    exact = RELATIVE_RESOLUTION * np.abs(differences).max(axis=-1)
    return np.where(noise.any(axis=-1), largest, exact)


def signed_ranks(differences: Numbers, noise: Numbers) -> Numbers:
    """Mid-ranks of the sizes of differences along the last axis, with their signs.

    They rise with the sizes, and are 0 of equal scores. Sizes that differ by float noise only
    are tied: noise breaks ties, and so changes every rank statistic. Rounding to a grid would
    be wrong: it tears sizes apart that lie on both sides of a border.
    """
    rows, noise = np.atleast_2d(differences, noise)
    order = np.argsort(np.abs(rows), axis=1)
    ordered = np.take_along_axis(rows, order, axis=1)
    own = np.take_along_axis(np.where(rows == 0, 0.0, noise), order, axis=1)
    # It differs from the last by more than the noise of both.
    gaps = np.diff(np.abs(ordered), axis=1)
    apart = gaps > np.maximum(own[:, 1:], own[:, :-1])
    n_equal = np.count_nonzero(ordered == 0, axis=1, keepdims=True)
    ranks = np.sign(ordered) * (mid_ranks(apart) - n_equal)
    return np.asarray(ranks.reshape(np.shape(differences)))


def mid_ranks(apart: NDArray[np.bool_]) -> Numbers:
    """Mid-ranks of sorted rows; `apart` says which entries differ from the one before them."""
    begins = np.pad(apart, ((0, 0), (1, 0)), constant_values=True)
    n_rows, n = begins.shape
    sizes = np.diff(np.flatnonzero(begins), append=begins.size)
    places = np.repeat(np.cumsum(sizes) - (sizes - 1) / 2, sizes)  # in all rows, one by one
    return np.asarray(places.reshape(n_rows, n) - n * np.arange(n_rows)[:, None])


def tie_within_noise(values: Numbers) -> Numbers:
    """Give values of a row that differ by float noise one value; nan stays nan.

    Noise breaks ties, and so changes every rank statistic. Rounding to a grid would be wrong:
    it tears values apart that lie on both sides of a border.
    """
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    sizes, noise = np.abs(ascending), 0.0
    if not are_exact(values[~np.isnan(values)]):
        # Neighbours have scales of their own; about 0 the other rows must give the scale.
        least = 1e-3 * np.median(np.nan_to_num(sizes).max(axis=1))
        noise = RELATIVE_RESOLUTION * np.maximum(np.maximum(sizes[:, 1:], sizes[:, :-1]), least)
    alike = np.pad(np.diff(ascending, axis=1) <= noise, ((0, 0), (1, 0)))
    first = np.maximum.accumulate(np.where(alike, 0, np.arange(values.shape[1])), axis=1)
    result = np.empty_like(values)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=1), axis=1)
    return result


def resolution_of(scores: Numbers) -> float:
    """Size below which numbers made of differences of systems, in a row, are float noise.

    Of exact scores it is what computing with their differences leaves, and in any case what
    rounding leaves where scores themselves are added up.
    """
    contrasts = subtract_median(np.atleast_2d(scores)) if are_exact(scores) else scores
    rounding = ROUNDING * float(np.abs(scores).max())
    return max(rounding, RELATIVE_RESOLUTION * float(np.abs(contrasts).max()))


def with_all_digits(scores: Numbers) -> Numbers:
    """Subtract the median of every row, where scores are so large that digits would be lost.

    In means of numbers of another size too few digits of their differences would be left.
    Other scores are returned as they are.
    """
    contrasts = subtract_median(scores)
    largest = float(np.abs(contrasts).max())
    usual = largest == 0 or float(np.abs(scores).max()) <= _MUCH_LARGER * largest
    return scores if usual else contrasts


def subtract_median(scores: Numbers) -> Numbers:
    """Take a score in the middle of every row away from all of its scores.

    Differences of systems stay, and have all their digits, however much one row, or one score,
    is larger than the others. Scores that differ by float noise become the same.
    """
    same = tie_within_noise(scores)
    return same - np.sort(same, axis=1)[:, [scores.shape[1] // 2]]


def rank_rows(values: Numbers) -> Numbers:
    """Mid-ranks of every row, 1 for the lowest value; nan has no rank.

    Values that differ by float noise only are tied.
    """
    same = tie_within_noise(values)
    order = np.argsort(same, axis=1)
    apart = np.diff(np.take_along_axis(same, order, axis=1), axis=1) != 0
    ranks = np.empty_like(same)
    np.put_along_axis(ranks, order, mid_ranks(apart), axis=1)
    return np.where(np.isnan(values), np.nan, ranks)


Made = TypeVar("Made")


class Cache:
    """Cache of what was computed from arrays, which must not be written to.

    Arrays are recognised by their ``id``. They are kept, so that no other array can get the
    same one. An object that holds a cache does not copy it, because a copy has other arrays.
    """

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def once(self, what: Hashable, make: Callable[[], Made], *arrays: NDArray[Any]) -> Made:
        """Return the result of `make` for some arrays, which is called only the first time.

        Parameters
        ----------
        what : hashable
            Key of the result.
        make : callable
            Computes it.
        *arrays : ndarray or None
            All arrays that it is computed from.
        """
        key = (what, *map(id, arrays))
        if key not in self._made:
            self._made[key] = arrays, make()
        made: Made = self._made[key][1]
        return made


class Ordering:
    """The order of one column of finite numbers.

    Parameters
    ----------
    values : ndarray of float of shape (n,)
        The numbers.

    Attributes
    ----------
    rising : ndarray of int of shape (n,)
        Places of the numbers from low to high; of tied ones the first comes first.
    sizes : ndarray of int of shape (n_runs,)
        Length of each run of tied numbers, from low to high.
    """

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        self.rising = np.argsort(self.values, kind="stable")
        ordered = self.values[self.rising]
        self._apart = ordered[1:] != ordered[:-1]
        self.sizes = np.diff(np.flatnonzero(np.append(True, self._apart)), append=len(values))

    @property
    def tied(self) -> bool:
        """Whether any two numbers are equal."""
        return not self._apart.all()

    @property
    def falling(self) -> NDArray[np.intp]:
        """Places of the numbers from high to low; of tied ones the first comes first."""
        return np.argsort(-self.values, kind="stable") if self.tied else self.rising[::-1]

    @cached_property
    def mid_ranks(self) -> NDArray[np.float64]:
        """Rank of every number, from 1; tied numbers have the mean of theirs."""
        ranks = np.empty(len(self.values))
        ranks[self.rising] = mid_ranks(self._apart[None])[0]
        return ranks
