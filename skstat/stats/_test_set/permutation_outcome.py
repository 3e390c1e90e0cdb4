"""What a permutation test found, with the interval that inverts it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._outcomes import (
    ConfidenceInterval,
    Replicates,
    above_zero,
    check_level,
    one_sided,
    smallest_of_signs,
)
from skstat.stats._resampling import FlippedSum, Kernel, all_flips

# Of a metric without a formula, what single units add takes a call of it for each.
_SINGLE_UNITS_UP_TO = 200
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SmoothPermutationLaw:
    """Law of a difference under swaps, by saddlepoint, as a ``PermutationLaw`` answers.

    Parameters
    ----------
    law : FlippedSum
        Law of the difference.
    noise : float
        What is less apart is tied.
    n_differing : int
        Units that a swap can change.
    """

    law: FlippedSum
    noise: float
    n_differing: int

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        if alternative == "two-sided":
            chance = 2 * self.law.above(abs(observed))
        else:
            chance = self.law.above(observed if alternative == "greater" else -observed)
        least = smallest_of_signs(alternative, self.n_differing)
        return above_zero(min(1.0, max(least, chance)))

    def largest_kept(self, alpha: float, alternative: str) -> float:
        """Value whose p-value is `alpha`; infinite if there is none."""
        if smallest_of_signs(alternative, self.n_differing) >= alpha:
            return math.inf
        tail = alpha / 2 if alternative == "two-sided" else alpha
        return self.law.quantile(-float(special.ndtri(tail)))

    def largest(self, alternative: str) -> float:
        """Largest value of all."""
        return self.law.scale * self.law.largest

    @property
    def stored(self) -> NDArray[np.float64]:
        """The parts of the sum and their counts, as an outcome keeps them."""
        return np.stack([self.law.values, self.law.counts])


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


def _values_turned(law: Any) -> Any:
    """Change the sign of values beside their counts; None stays."""
    return None if law is None else np.asarray(law, dtype=float) * [[-1.0], [1.0]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Swaps(Replicates):
    """The law of swapped outputs, with bootstrap replicates beside.

    The statistic is the difference. The limits are those of the differences that the test does
    not reject, unless `limits_by` asks for another kind.

    Attributes
    ----------
    exact : bool
        Whether all permutations were counted.
    limits_by : {"permutation", "percentile", "basic", "bca"}
        ``"permutation"``: the differences that the test does not reject; else how limits
        are made of the replicates.
    null_values, null_chances : ndarray, or None
        The statistic on every permutation, and their chances where these are unequal.
    null_flips : ndarray or None
        Instead of them, where all signs of few differences are flipped, the differences.
    null_law : ndarray of shape (2, n_values) or None
        Instead of them, where the law is known by saddlepoint, the differences of units and
        how many units each stands for.
    null_noise : float
        Values of the statistic that are less apart are tied.
    scale_of_statistic : float
        Difference that one unit of the statistic is.
    slope, curve : float
        How the spread of the statistic changes with a shift of all units.
    """

    _signed = (*Replicates._signed, "null_values", "null_flips", "slope")

    exact: bool = False
    limits_by: str = "permutation"
    null_values: Any = None
    null_chances: Any = None
    null_flips: Any = None
    null_law: Any = None
    null_noise: float = 0.0
    scale_of_statistic: float = 1.0
    slope: float = 0.0
    curve: float = 0.0

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {"null_law": _values_turned}

    @property
    def inverts_test(self) -> bool:
        return self.limits_by == "permutation"

    @property
    def n_drawn(self) -> int:
        return 0 if self.exact else super().n_drawn

    def smallest_pvalue(self, alternative: str) -> float:
        if self.exact and self.n_differing:
            return smallest_of_signs(alternative, self.n_differing)
        return super().smallest_pvalue(alternative)

    def limits(self, tail: float) -> tuple[float, float]:
        return self.interval("two-sided", 2 * tail)

    def interval(self, alternative: str, alpha: float) -> tuple[float, float]:
        # A difference delta is kept when the distance of the estimate from it, relative to the
        # spread that swaps have among units shifted by delta, is not extreme in the law of the
        # permutations. For delta = 0 that is the test itself, so that the interval excludes 0
        # exactly when the test rejects. Where so few units differ that the test could never
        # reject, the limits are those of all permutations and of the bootstrap, whichever are
        # farther out.
        tail = alpha / 2 if alternative == "two-sided" else alpha
        if not self.inverts_test or self.n_differing == 0:
            return super().limits(tail)
        return self.no_shorter(*self._not_rejected(alternative, alpha), tail)

    def _not_rejected(self, side: str, alpha: float) -> tuple[float, float]:
        """Differences that the test does not reject."""
        law, scale, estimate = self._swaps, self.scale_of_statistic, self.estimate
        turn = -1 if side == "less" else 1
        kept = law.largest_kept(alpha, side)
        reach = scale * kept
        if math.isinf(kept):
            reach = max(scale * law.largest(side), abs(estimate))
        if reach < 0:  # one-sided, at levels under 50 %
            low, high = turn * estimate - reach, math.inf
        else:
            shift = Shift(turn * self.slope, self.curve)
            low, high = shift.limits(turn * estimate, reach)
        distance = abs(estimate) if side == "two-sided" else turn * estimate
        if distance <= reach + scale * law.noise:
            low, high = min(low, 0.0), max(high, 0.0)
        low, high = (low, high) if turn > 0 else (-high, -low)
        if math.isinf(kept):
            drawn = self.bootstrap_interval(1 - alpha, side)
            if math.isnan(drawn.low):  # nothing bounds it
                return -math.inf, math.inf
            low, high = min(low, drawn.low), max(high, drawn.high)
        return one_sided(side, low, high)

    def bootstrap_interval(
        self, confidence_level: float = 0.95, alternative: str = "two-sided"
    ) -> ConfidenceInterval:
        """Interval of the bootstrap replicates, as a check: percentiles by default.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            A one-sided interval is open on the other side.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; nan where the metric was undefined on too many resamples.
        """
        check_level(confidence_level)
        alpha = 1 - confidence_level
        low, high = super().limits(alpha / 2 if alternative == "two-sided" else alpha)
        if math.isnan(low):
            return ConfidenceInterval(low, high)
        return one_sided(alternative, low, high)

    @cached_property
    def _swaps(self) -> PermutationLaw | SmoothPermutationLaw:
        def stored(values: Any) -> Any:
            return None if values is None else np.asarray(values, dtype=float)

        if self.null_law is not None:
            values, counts = stored(self.null_law)
            law = FlippedSum(values, counts)
            return SmoothPermutationLaw(law, self.null_noise, self.n_differing or 0)
        return PermutationLaw(
            values=stored(self.null_values),
            chances=stored(self.null_chances),
            drawn=not self.exact,
            flips=stored(self.null_flips),
            noise=self.null_noise,
            n_differing=self.n_differing or 0,
        )
