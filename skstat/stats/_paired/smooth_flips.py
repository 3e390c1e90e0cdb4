"""The sign-flip test of many differences by saddlepoint, and the interval that inverts it."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._resampling import FlippedSum, atoms, solve


@dataclass(frozen=True, eq=False)
class SmoothFlips:
    """Differences of which all signs are flipped, after a shift of all of them.

    Parameters
    ----------
    differences : ndarray
        The differences.
    """

    differences: NDArray[np.float64]

    @cached_property
    def _atoms(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return atoms(self.differences)

    @cached_property
    def _mean(self) -> float:
        return float(np.mean(self.differences))

    def pvalue(self, bound: float, alternative: str) -> float:
        """p-value of a mean of `bound`: of the differences less the bound."""
        score = self._score(bound)
        if alternative == "two-sided":
            return min(1.0, 2 * float(special.ndtr(-abs(score))))
        return float(special.ndtr(-score if alternative == "greater" else score))

    def limits(self, tail: float) -> tuple[float, float]:
        """Smallest and largest bound that is not rejected in a tail of this size."""
        score = float(special.ndtri(tail))
        return self._bound(-score), self._bound(score)

    def quantile(self, tail: float) -> float:
        """Mean that as many flipped differences have, or more, as the tail says."""
        values, counts = self._atoms
        law = FlippedSum(values, counts)
        return law.quantile(-float(special.ndtri(tail))) / len(self.differences)

    def _score(self, bound: float) -> float:
        values, counts = self._atoms
        law = FlippedSum(values - bound, counts)
        return law.normal(len(self.differences) * (self._mean - bound))

    def _bound(self, score: float) -> float:
        """Shift after which the mean has this normal score, which falls as the shift grows."""
        n, sd = len(self.differences), float(np.std(self.differences))
        error = sd / math.sqrt(n)

        def step(errors: float) -> tuple[float, float]:
            # The slope of the normal approximation, whose spread grows with the shift.
            slope = (1 + errors**2 / n) ** -1.5
            return score - self._score(self._mean + errors * error), slope

        return self._mean + error * solve(step, -score)
