"""Which units speak most for a mean, relative to its error."""

import math

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import mid_ranks_of_numbers, tails

_ROUNDS = 6  # of a search that settles after two or three
_ALIKE = 0.1  # by which the logarithms of p-values of one test may differ
_MOST_SCANNED = 4096  # values of which all that stand side by side are looked at


class Extremes:
    """Values in order, and what is left of their t statistic without some of them.

    The t statistic of m values with sum S and sum of squares Q is a growing function of
    S / sqrt(Q), so that it lies below a critical value exactly where S < c sqrt(Q), with a
    ``c`` that depends on m alone. The square root is concave: it lies below each of its
    tangents, and the tangent at Q - q turns the question which k values to leave out into
    which k values have the largest x - lambda x**2. In order of size these stand side by side,
    about 1 / (2 lambda). What the tangent says of them holds for all sets of k values.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The values, of which the mean is positive.
    tail : float
        Upper tail probability of the test.
    """

    def __init__(self, values: NDArray[np.float64], tail: float) -> None:
        if np.all(values[:-1] >= values[1:]):
            self.order = np.arange(len(values))
        else:
            self.order = np.argsort(-values, kind="stable")
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        self._falling = values[self.order] / size
        self._sums = np.concatenate(([0.0], np.cumsum(self._falling)))
        self._squares = np.concatenate(([0.0], np.cumsum(self._falling**2)))
        self._tail = tail
        self.n = len(values)

    def least(self, k: int) -> tuple[NDArray[np.intp], float, bool]:
        """Return k values to leave out, what is left, and whether no k values turn the test.

        Parameters
        ----------
        k : int
            How many to leave out; two or more stay.

        Returns
        -------
        places : ndarray of int of shape (k,)
            Where they are.
        excess : float
            S - c sqrt(Q) of the others; the test rejects where it is positive.
        is_bound : bool
            Whether the test is sure to reject without any k values.
        """
        c = self._critical(self.n - k)
        best, start, is_bound = self._excess(0, k, c), 0, False
        window = 0
        for _ in range(_ROUNDS):
            left = self._squares[-1] - self._squared(window, k)
            if left <= 0:
                break
            slope = c / (2 * math.sqrt(left))
            nearest = self._nearest(k, 1 / (2 * slope))
            taken = self._summed(nearest, k) - slope * self._squared(nearest, k)
            least = self._sums[-1] - c * math.sqrt(left) - taken
            least -= slope * self._squared(window, k)
            is_bound = is_bound or least > 1e-9 * self._sums[-1]
            excess = self._excess(nearest, k, c)
            if excess < best:
                best, start = excess, nearest
            if nearest == window:
                break
            window = nearest
        if best > 0 and self.n <= _MOST_SCANNED:
            sums = self._sums[-1] - self._sums[k:] + self._sums[: self.n - k + 1]
            squares = self._squares[-1] - self._squares[k:] + self._squares[: self.n - k + 1]
            excesses = sums - c * np.sqrt(np.maximum(squares, 0.0))
            start = int(excesses.argmin())
            best = float(excesses[start])
        return self.order[start : start + k], best, is_bound

    def fewest_to_undecide(self) -> int:
        """Return how many values to leave out for the t test not to reject; n - 1 if none."""
        return _first(lambda k: self.least(k)[1] <= 0, 1, self.n - 1)

    def fewest_to_reverse(self) -> int:
        """Return how many of the largest to leave out for a sum that is not positive."""
        return int(np.argmax(self._sums[-1] - self._sums <= 1e-12 * self._squares[-1] ** 0.5))

    def largest(self, k: int) -> NDArray[np.intp]:
        """Return where the k largest values are."""
        return self.order[:k]

    @property
    def pvalue(self) -> float:
        """Upper tail probability of the t test of all values."""
        return _upper_tail(self._sums[-1], self._squares[-1], self.n)

    def _critical(self, m: int) -> float:
        return _critical(self._tail, m)

    def _excess(self, start: int, k: int, c: float) -> float:
        left = max(0.0, self._squares[-1] - self._squared(start, k))
        return float(self._sums[-1] - self._summed(start, k) - c * math.sqrt(left))

    def _summed(self, start: int, k: int) -> float:
        return float(self._sums[start + k] - self._sums[start])

    def _squared(self, start: int, k: int) -> float:
        return float(self._squares[start + k] - self._squares[start])

    def _nearest(self, k: int, centre: float) -> int:
        """Return where the k values nearest to a centre begin."""
        values = self._falling

        def reaches(start: int) -> bool:
            return bool(values[start] - centre <= centre - values[start + k])

        return _first(reaches, 0, self.n - k)


def _first(holds, low: int, high: int) -> int:  # type: ignore[no-untyped-def]
    """Return the first number from low for which it holds, if it does from there on."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _critical(tail: float, m: int) -> float:
    """Return what S / sqrt(Q) of m values must exceed."""
    t = float(tails.t_isf(tail, m - 1))
    return t * math.sqrt(m / (m - 1 + t * t))


def _upper_tail(total: float, squares: float, m: int) -> float:
    """Return the upper tail probability of the t test of m values."""
    if m < 2 or squares <= 0 or total * total >= m * squares * (1 - 1e-12):
        return 0.0
    ratio = total / math.sqrt(squares)
    return float(tails.t_sf(ratio * math.sqrt((m - 1) / (m - ratio * ratio)), m - 1))


def extremes_like(values: NDArray[np.float64], tail: float, pvalue: float) -> Extremes:
    """Order values for a test: by their ranks or signs, if its p-value is that of these.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The differences; those for the verdict are positive.
    tail, pvalue : float
        Upper tail probability at which the test rejects, and what it found.
    """
    found = Extremes(values, tail)
    if found.n < 3 or _near(found.pvalue, pvalue) < _ALIKE:
        return found
    numbers = np.unique(np.abs(values), return_inverse=True)[1]
    ranked = Extremes(np.sign(values) * mid_ranks_of_numbers(numbers), tail)
    signs = Extremes(np.sign(values), tail)
    return min((found, ranked, signs), key=lambda each: _near(each.pvalue, pvalue))


def _near(one: float, other: float) -> float:
    """Return how far apart two probabilities are, by their logarithms."""
    return abs(math.log(max(one, 1e-300)) - math.log(max(other, 1e-300)))


def turns_without_largest(values: NDArray[np.float64], k: int, tail: float) -> bool:
    """Whether a t test does not reject without the k largest values, in linear time."""
    rest = np.partition(values, len(values) - k)[: len(values) - k]
    return _upper_tail(float(rest.sum()), float(rest @ rest), len(rest)) >= tail


def fewest_if_even(n: int, pvalue: float, alpha: float) -> float:
    """Return how many of n bell-shaped differences carry a t test of this p-value.

    Parameters
    ----------
    n : int
        Number of differences that are not 0.
    pvalue, alpha : float
        The two-sided p-value, and the level, which is larger.

    Returns
    -------
    float
        How many of the largest must be left out for p > alpha, about; it grows with sqrt(n).
    """
    m = min(n, 2000)
    if m < 3:
        return 0.0
    bell = tails.normal_isf((np.arange(1, m + 1) - 0.375) / (m + 0.25))
    t = float(tails.t_isf(max(pvalue, 1e-300) / 2, m - 1))
    values = bell / np.std(bell, ddof=1) + t / math.sqrt(m)
    found = Extremes(values, alpha / 2)
    # Between whole numbers: what is left of the last one.
    k = found.fewest_to_undecide()
    if k >= m - 1:
        return float(n)
    after, before = found.least(k)[1], found.least(k - 1)[1]
    share = before / (before - after) if before > after else 1.0
    return float(k - 1 + share) * math.sqrt(n / m)
