"""The law of a difference under swaps: p-values, and the interval that inverts them."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._outcomes import above_zero, smallest_of_signs
from skstat.stats._resampling import Kernel, all_flips

# Of a metric without a formula, what single units add takes a call of it for each.
_SINGLE_UNITS_UP_TO = 200
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class PermutationLaw:
    """Law of a statistic over permutations, and of the statistic of shifted systems.

    Parameters
    ----------
    values : ndarray
        The statistic on all permutations, or on drawn ones.
    chances : ndarray or None
        Chance of every value; None where each stands for one permutation.
    drawn : bool
        Whether the values are drawn, so that the one observed is counted beside them.
    flips : ndarray or None
        Instead of values: differences whose sum is the statistic, and all of whose
        signs are flipped.
    noise : float
        What is less apart is tied.
    n_differing : int
        Units that a swap can change. Their signs bound what the p-value can show.
    """

    values: NDArray[np.float64]
    chances: NDArray[np.float64] | None
    drawn: bool
    flips: NDArray[np.float64] | None
    noise: float
    n_differing: int

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        values, least = self._all, smallest_of_signs(alternative, self.n_differing)
        if alternative == "two-sided":
            extreme = np.abs(values) >= abs(observed) - self.noise
        elif alternative == "greater":
            extreme = values >= observed - self.noise
        else:
            extreme = values <= observed + self.noise
        if self.chances is None:
            chance = (np.sum(extreme) + self.drawn) / (len(values) + self.drawn)
        else:
            chance = self.chances[extreme].sum()
        return above_zero(min(1.0, max(least, float(chance))))

    def largest_kept(self, alpha: float, alternative: str) -> float:
        """Largest value whose p-value is not below `alpha`; infinite if none is."""
        extremes = self._extremes(alternative)
        least = smallest_of_signs(alternative, self.n_differing)
        kept = extremes.chance(extremes.ordered - self.noise) >= alpha * (1 - _ROUNDING)
        if max(least, extremes.chance(math.inf)) >= alpha * (1 - _ROUNDING) or not kept.any():
            return math.inf
        return float(extremes.ordered[np.flatnonzero(kept)[-1]])

    def smallest_rejected(self, alpha: float, alternative: str) -> float:
        """Smallest value whose p-value is at most `alpha`; infinite if none is."""
        extremes = self._extremes(alternative)
        if smallest_of_signs(alternative, self.n_differing) > alpha * (1 + _ROUNDING):
            return math.inf
        chances = extremes.chance(extremes.ordered - self.noise)
        rejected = extremes.ordered[chances <= alpha * (1 + _ROUNDING)]
        return float(rejected.min()) if rejected.size else math.inf

    def largest(self, alternative: str) -> float:
        """Largest value of all."""
        return float(self._extremes(alternative).ordered[-1])

    def _extremes(self, alternative: str) -> "_Extremes":
        if alternative == "two-sided":
            return self._two_sided
        values = self._all if alternative == "greater" else -self._all
        return _Extremes.of(values, self.chances, self.drawn)

    @cached_property
    def _two_sided(self) -> "_Extremes":
        return _Extremes.of(np.abs(self._all), self.chances, self.drawn)

    @cached_property
    def _all(self) -> NDArray[np.float64]:
        if self.flips is None:
            return self.values
        sums, _ = all_flips(self.flips)
        return float(self.flips.sum()) - 2 * sums


@dataclass(frozen=True, eq=False)
class _Extremes:
    """Sorted values, and the chance of each and all above it."""

    ordered: NDArray[np.float64]
    above: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64], chances: Any, drawn: bool) -> "_Extremes":
        order = np.argsort(values, kind="stable")
        if chances is None:
            counts = np.arange(len(values), -1, -1, dtype=np.float64)
            above = (counts + drawn) / (len(values) + drawn)
        else:
            above = np.append(np.cumsum(chances[order][::-1])[::-1], 0.0)
        return cls(values[order], above)

    def chance(self, x: Any) -> Any:
        """Chance of `x` or more."""
        return self.above[np.searchsorted(self.ordered, x, side="left")]


@dataclass(frozen=True)
class Shift:
    """How the spread of a statistic changes when every unit's difference is shifted.

    With unit terms u that add up to the difference, and shares w that add up to 1, the
    sum of squares of ``u - w * delta`` over that of u is
    ``1 - 2 * slope * delta + curve * delta^2``.
    """

    slope: float = 0.0
    curve: float = 0.0

    @classmethod
    def of(cls, kernel: Kernel, shares: NDArray[np.float64]) -> "Shift":
        """Read the terms of a kernel; no change where they would cost too much."""
        multiplicity = kernel.plan.multiplicity
        terms = kernel.mean_differences
        if terms is None:
            if len(multiplicity) > _SINGLE_UNITS_UP_TO and not hasattr(kernel, "formula"):
                return cls()
            terms = kernel.swap_terms()
        counts = multiplicity.astype(np.float64)
        squares = float(counts @ terms**2)
        if not math.isfinite(squares) or squares <= 0:
            return cls()
        slope = float(counts @ (terms * shares)) / squares
        return cls(slope, float(counts @ shares**2) / squares)

    def limits(self, estimate: float, reach: float) -> tuple[float, float]:
        """Shifts delta with ``abs(estimate - delta)`` up to `reach` times their spread.

        Those next to the estimate. 0 is among them exactly when ``abs(estimate) <= reach``.
        """
        # curve * reach^2 is at most 1 for groups of one size; where it is more, no
        # distance from the estimate is large for the spread that it brings.
        a = 1 - self.curve * reach**2
        b = estimate - self.slope * reach**2
        c = estimate**2 - reach**2
        root = math.sqrt(max(0.0, b * b - a * c))
        q = b + math.copysign(root, b)
        if abs(a) <= _ROUNDING:
            ends = [] if q == 0 else [c / q]
        else:
            ends = [q / a] if q == 0 else sorted([q / a, c / q])
        if a > _ROUNDING:
            return ends[0], ends[-1]
        if c <= 0 or not ends:
            return -math.inf, math.inf
        if estimate > 0:
            return max((end for end in ends if end > 0), default=estimate), math.inf
        return -math.inf, min((end for end in ends if end < 0), default=estimate)
