"""What a permutation test found, with the interval that inverts it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from skstat.stats._outcomes import (
    ConfidenceInterval,
    ResampledOutcome,
    WhenAsked,
    check_alpha,
    check_level,
    one_sided,
    smallest_of_signs,
    values_turned,
)
from skstat.stats._resampling import FlippedSum
from skstat.stats._test_set.permutation_law import PermutationLaw, Shift
from skstat.stats._test_set.smooth_means import SmoothPermutationLaw


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationOutcome(ResampledOutcome):
    """Outcome of the swap permutation test, with bootstrap replicates beside.

    The statistic is the difference. The interval contains the differences that the test does
    not reject, unless `interval` asks for limits of another kind. Where it does not, the
    bootstrap replicates, which are a check only, are drawn when they (or their standard error)
    are asked for.

    Attributes
    ----------
    exact : bool
        Whether all permutations were counted.
    studentized : bool
        Whether the difference was divided by its standard error.
    interval : {"permutation", "percentile", "basic", "bca"}
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

    # A default that is a descriptor is what a dataclass reads such a field by.
    assumptions: Any = WhenAsked(())  # noqa: RUF009
    standard_error: Any = WhenAsked(None)  # noqa: RUF009
    n_redrawn: Any = WhenAsked(0)  # noqa: RUF009

    _signed = (*ResampledOutcome._signed, "null_values", "null_flips", "slope")

    exact: bool = False
    studentized: bool = False
    interval: str = "permutation"
    null_values: Any = None
    null_chances: Any = None
    null_flips: Any = None
    null_law: Any = None
    null_noise: float = 0.0
    scale_of_statistic: float = 1.0
    slope: float = 0.0
    curve: float = 0.0

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {"null_law": values_turned}

    @property
    def inverts_test(self) -> bool:
        return self.interval == "permutation"

    @property
    def n_drawn(self) -> int:
        return 0 if self.exact else super().n_drawn

    @property
    def monte_carlo_error(self) -> float:
        return 0.0 if self.exact else super().monte_carlo_error

    @property
    def smallest_pvalue(self) -> float:
        if self.exact and self.n_differing:
            return smallest_of_signs(self.alternative, self.n_differing)
        return super().smallest_pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        # A difference delta is kept when the distance of the estimate from it, relative to the
        # spread that swaps have among units shifted by delta, is not extreme in the law of the
        # permutations. For delta = 0 that is the test itself, so that the interval excludes 0
        # exactly when the test rejects. Where so few units differ that the test could never
        # reject, the limits are those of all permutations and of the bootstrap, whichever are
        # farther out.
        if not self.inverts_test or self.n_differing == 0:
            return super().confidence_interval(confidence_level)
        check_level(confidence_level)
        return self._lengthened(self._not_rejected(confidence_level), confidence_level)

    def _not_rejected(self, confidence_level: float) -> ConfidenceInterval:
        """Differences that the test does not reject."""
        law, side, scale = self._swaps, self.alternative, self.scale_of_statistic
        estimate, alpha = self.estimate, 1 - confidence_level
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
            drawn = self.bootstrap_interval(confidence_level)
            if math.isnan(drawn.low):  # nothing bounds it
                return one_sided(side, -math.inf, math.inf)
            low, high = min(low, drawn.low), max(high, drawn.high)
        return one_sided(side, low, high)

    def bootstrap_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval of the bootstrap replicates, as a check: percentiles by default.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, one-sided when `alternative` is; nan where the metric was
            undefined on too many resamples.
        """
        return super().confidence_interval(confidence_level)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        turn = -1 if self.alternative == "less" else 1
        if all(law is None for law in (self.null_values, self.null_flips, self.null_law)):
            return turn * math.inf
        smallest = self._swaps.smallest_rejected(alpha, self.alternative)
        return turn * self.scale_of_statistic * smallest

    @cached_property
    def _swaps(self) -> PermutationLaw | SmoothPermutationLaw:
        def stored(values: Any) -> Any:
            return None if values is None else np.asarray(values, dtype=float)

        if self.null_law is not None:
            values, counts = stored(self.null_law)
            law = FlippedSum(values, counts)
            return SmoothPermutationLaw(law, self.null_noise, self.n_differing)
        return PermutationLaw(
            values=stored(self.null_values),
            chances=stored(self.null_chances),
            drawn=not self.exact,
            flips=stored(self.null_flips),
            noise=self.null_noise,
            n_differing=self.n_differing,
        )
