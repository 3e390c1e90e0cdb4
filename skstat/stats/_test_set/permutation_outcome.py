"""What a permutation test found, with the interval that inverts it."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import Stored
from skstat.stats._outcomes import (
    TOWARDS,
    ConfidenceInterval,
    Replicates,
    Turns,
    above_zero,
    check_level,
    one_sided,
    smallest_of_signs,
)
from skstat.stats._resampling import FlippedSum, Kernel, all_flips

# Of a metric without a formula, what single units add takes a call of it for each.
_SINGLE_UNITS_UP_TO = 200
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Permuted(Stored, Turns, ABC):
    """Law of a statistic under swaps.

    Attributes
    ----------
    noise : float
        What is less apart is tied.
    n_differing : int
        Units that a swap can change. Their signs bound what the p-value can show.
    """

    exact: ClassVar[bool] = False

    noise: float = 0.0
    n_differing: int = 0

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        least = smallest_of_signs(alternative, self.n_differing)
        return above_zero(min(1.0, max(least, self._chance(observed, alternative))))

    @abstractmethod
    def _chance(self, observed: float, alternative: str) -> float: ...

    @abstractmethod
    def largest_kept(self, alpha: float, alternative: str) -> float:
        """Largest value whose p-value is not below `alpha`; infinite if none is."""

    @abstractmethod
    def largest(self, alternative: str) -> float:
        """Largest value of all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutedSmoothly(Permuted):
    """Law of a difference under swaps, by saddlepoint.

    Attributes
    ----------
    values, counts : ndarray
        Differences of units, and how many units each stands for.
    """

    _signed = ("values",)

    values: NDArray[np.float64]
    counts: NDArray[np.float64]

    @cached_property
    def _sum(self) -> FlippedSum:
        return FlippedSum(self.values, self.counts)

    def _chance(self, observed: float, alternative: str) -> float:
        if alternative == "two-sided":
            return 2 * self._sum.above(abs(observed))
        return self._sum.above(observed if alternative == "greater" else -observed)

    def largest_kept(self, alpha: float, alternative: str) -> float:
        if smallest_of_signs(alternative, self.n_differing) >= alpha:
            return math.inf
        tail = alpha / 2 if alternative == "two-sided" else alpha
        return self._sum.quantile(-float(special.ndtri(tail)))

    def largest(self, alternative: str) -> float:
        return self._sum.scale * self._sum.largest


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutedByCount(Permuted):
    """Law of a statistic over all permutations, or over drawn ones.

    Attributes
    ----------
    values : ndarray or None
        The statistic on every permutation.
    chances : ndarray or None
        Chance of every value; None where each stands for one permutation.
    flips : ndarray or None
        Instead of values: differences whose sum is the statistic, and all of whose
        signs are flipped.
    drawn : bool
        Whether the values are drawn, so that the one observed is counted beside them.
    """

    _signed = ("values", "flips")

    values: NDArray[np.float64] | None = None
    chances: NDArray[np.float64] | None = None
    flips: NDArray[np.float64] | None = None
    drawn: bool = False

    @property
    def exact(self) -> bool:  # type: ignore[override]
        return not self.drawn

    def _chance(self, observed: float, alternative: str) -> float:
        extreme = self._turned(alternative) >= TOWARDS[alternative](observed) - self.noise
        if self.chances is None:
            return float((np.sum(extreme) + self.drawn) / (len(extreme) + self.drawn))
        return float(self.chances[extreme].sum())

    def largest_kept(self, alpha: float, alternative: str) -> float:
        ordered, above = self._extremes(alternative)
        reached = above[np.searchsorted(ordered, ordered - self.noise, side="left")]
        level, least = alpha * (1 - _ROUNDING), smallest_of_signs(alternative, self.n_differing)
        kept = reached >= level
        if max(least, above[-1]) >= level or not kept.any():
            return math.inf
        return float(ordered[np.flatnonzero(kept)[-1]])

    def largest(self, alternative: str) -> float:
        return float(self._turned(alternative).max())

    def _extremes(self, alternative: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sorted values, and the chance of each and all above it; that of none last."""
        if alternative in self._sorted:
            return self._sorted[alternative]
        values = self._turned(alternative)
        order = np.argsort(values, kind="stable")
        if self.chances is None:
            counts = np.arange(len(values), -1, -1, dtype=np.float64)
            above = (counts + self.drawn) / (len(values) + self.drawn)
        else:
            above = np.append(np.cumsum(self.chances[order][::-1])[::-1], 0.0)
        return self._sorted.setdefault(alternative, (values[order], above))

    @cached_property
    def _sorted(self) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        return {}

    def _turned(self, alternative: str) -> NDArray[np.float64]:
        return np.asarray(TOWARDS[alternative](self._all))

    @cached_property
    def _all(self) -> NDArray[np.float64]:
        if self.flips is None:
            return np.zeros(1) if self.values is None else self.values
        sums, _ = all_flips(self.flips)
        return float(self.flips.sum()) - 2 * sums


@dataclass(frozen=True, kw_only=True, eq=False)
class Shift(Stored, Turns):
    """How the spread of a statistic changes when every unit's difference is shifted.

    With unit terms u that add up to the difference, and shares w that add up to 1, the
    sum of squares of ``u - w * delta`` over that of u is
    ``1 - 2 * slope * delta + curve * delta^2``.
    """

    _signed = ("slope",)

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
        return cls(slope=slope, curve=float(counts @ shares**2) / squares)

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Swaps(Replicates):
    """The law of swapped outputs, with bootstrap replicates beside.

    The statistic is the difference. The limits are those of the differences that the test does
    not reject, unless `limits_by` asks for another kind.

    Attributes
    ----------
    limits_by : {"permutation", "percentile", "basic", "bca"}
        ``"permutation"``: the differences that the test does not reject; else how limits
        are made of the replicates.
    permuted : Permuted or None
        The law of the statistic; None of systems that are the same.
    scale_of_statistic : float
        Difference that one unit of the statistic is.
    shift : Shift
        How the spread of the statistic changes with a shift of all units.
    """

    limits_by: str = "permutation"
    permuted: Permuted | None = None
    scale_of_statistic: float = 1.0
    shift: Shift = field(default_factory=Shift)

    @property
    def exact(self) -> bool:
        """Whether all permutations were counted."""
        return self.permuted is None or self.permuted.exact

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
        if not self.inverts_test or self.permuted is None:
            return super().limits(tail)
        limits = self._not_rejected(self.permuted, alternative, alpha)
        return self.no_shorter(*limits, tail)

    def _not_rejected(self, law: Permuted, side: str, alpha: float) -> tuple[float, float]:
        """Differences that the test does not reject."""
        scale, estimate = self.scale_of_statistic, self.estimate
        turn = -1 if side == "less" else 1
        kept = law.largest_kept(alpha, side)
        reach = scale * kept
        if math.isinf(kept):
            reach = max(scale * law.largest(side), abs(estimate))
        if reach < 0:  # one-sided, at levels under 50 %
            low, high = turn * estimate - reach, math.inf
        else:
            shift = self.shift if turn > 0 else self.shift.turned()
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
