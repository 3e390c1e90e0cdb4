"""Single-step min-P inference: the law of the smallest p-value of a family."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._bootstrap import UnitSpread
from skstat.stats._chance import in_parts, stream
from skstat.stats._family import Comparison, Joint, Law
from skstat.stats._joint import root_of_covariance
from skstat.stats._words import ConfidenceInterval, check_alpha, one_sided

Numbers = NDArray[np.float64]

# Ten times as many minima are drawn, and every tenth order statistic is kept.
N_KEPT = 9_999
_PER_KEPT = 10
_DRAWS_AT_ONCE = 4_096
_NOISE = 1e-9
# The level of an interval is moved by this factor at most; number of bisection steps.
_NEAR, _HALVINGS = 3.0, 20


@dataclass(frozen=True, kw_only=True, eq=False)
class JointMinP(Joint):
    """The law of the smallest p-value of a family.

    Every comparison keeps its own test. The adjusted p-value is the chance that the smallest
    p-value of the family is as small as its own where no two systems differ (single-step min-P;
    Westfall & Young, 1993, equation 2.8). p-values that are far from every level, as of few
    right and wrong answers, cost the others nothing.

    The interval is that of the own test, at the level of one of `n_effective` independent
    comparisons. That has no gain from coarse p-values, which belongs to the hypothesis of no
    difference alone. An interval that would contradict the adjusted p-value has the level at
    which they agree.

    Attributes
    ----------
    pvalue : float
        p-value adjusted for the family.
    minima : ndarray of shape (9999,)
        Quantiles of the smallest p-value of the family, in ascending order.
    n_effective : float
        Number of independent comparisons that these, which may share units, are equivalent to.
    seed : int
        Seed of the draws behind them.
    spread : UnitSpread or None
        How much what the units contribute varies. At the level of one of many comparisons
        intervals of few units are too short: this one is at least that of the jackknife, on
        the side of the longer tail by as much longer as a t has it (Hall, 1992, section 2.6),
        but never so long that it contains 0 against the test.
    """

    minima: Numbers
    n_effective: float
    spread: UnitSpread | None = None

    def monte_carlo_error(self, alone: Comparison) -> float:
        # Draws of the test itself and draws of the minima.
        p, n_drawn = self.pvalue, (len(self.minima) + 1) * _PER_KEPT
        error = alone.monte_carlo_error
        return math.hypot(error and error * p / alone.pvalue, math.sqrt(p * (1 - p) / n_drawn))

    def smallest_pvalue(self, law: Law, alternative: str) -> float:
        return float(self.adjusted(law.smallest_pvalue(alternative)))

    def adjusted(self, pvalues: Any) -> Any:
        """Return p-values adjusted for the family; nan stays nan."""
        bound = np.multiply(pvalues, 1 + _NOISE)
        n_below = np.searchsorted(np.asarray(self.minima), bound, side="right")
        return np.where(np.isnan(pvalues), math.nan, (1 + n_below) / (1 + len(self.minima)))

    def level_of_one(self, alpha: float = 0.05) -> float:
        """Return the level of one comparison that belongs to a level of the family.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the family.

        Returns
        -------
        float
            The adjusted p-value is below `alpha` exactly where the unadjusted one is below
            this level; 0 where none can be.
        """
        check_alpha(alpha)
        minima = np.asarray(self.minima, dtype=float)
        # With fewer than k smaller minima, the adjusted p-value is below alpha.
        k = math.ceil(round(alpha * (1 + len(minima)), 9)) - 1
        return 0.0 if k < 1 else float(minima[k - 1])

    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        alpha = round(alpha, 12)
        rejecting = self.level_of_one(alpha) * (1 - _NOISE)
        # The level of each of `n_effective` independent comparisons (Sidak, 1967).
        level = float(-np.expm1(np.log1p(-alpha) / self.n_effective))
        pvalue = law.pvalue(alternative)
        rejects = pvalue < rejecting
        if rejects != (pvalue < level):
            level = rejecting
        if level <= 0:
            return ConfidenceInterval(-math.inf, math.inf)
        level = min(level, 1 - _NOISE)
        limits = _consistent(law, alternative, level, rejects)
        if self.spread is None or law.follows_skewness:
            return limits
        tail = level / 2 if alternative == "two-sided" else level
        return self.spread.lengthen(limits, law.estimate, tail)


def _consistent(law: Law, alternative: str, level: float, rejects: bool) -> ConfidenceInterval:
    """Return the interval at the nearest level at which it excludes 0 as the test does."""

    def interval_at(level: float) -> tuple[ConfidenceInterval, bool]:
        limits = one_sided(alternative, *law.interval(alternative, level))
        return limits, math.isnan(limits.low) or (not limits.low <= 0 <= limits.high) == rejects

    limits, agrees = interval_at(level)
    # Search between the level and the farthest one allowed, if they agree there.
    other = level * _NEAR if rejects else level / _NEAR
    if agrees or not 0 < other < 1 or not interval_at(other)[1]:
        return limits
    for _ in range(_HALVINGS):
        middle = math.sqrt(level * other)
        if interval_at(middle)[1]:
            other = middle
        else:
            level = middle
    return interval_at(other)[0]


def smallest_pvalues(
    outcomes: Sequence[Any], seed: int, *, correlation: Any, alternative: str, alpha: float
) -> JointMinP:
    """Simulate the law of the smallest p-value of several comparisons.

    A p-value that can take few values only, as of a sign test, is drawn from these.

    Parameters
    ----------
    outcomes : sequence of Comparison
        The comparisons.
    seed : int
        Seed of the draws.
    correlation : ndarray of shape (n_outcomes, n_outcomes), optional
        Correlation of the estimates, where comparisons share units; by default they are
        independent. p-values are drawn as those of normal errors with this correlation (a
        Gaussian copula).
    alternative : {"two-sided", "less", "greater"}
        Direction of every comparison.
    alpha : float, default=0.05
        Level at which the number of independent comparisons is counted.

    Returns
    -------
    JointMinP
        The law, without an adjusted p-value yet.
    """
    rng = stream(np.random.SeedSequence(seed))
    laws = [outcome.law.null_pvalues(outcome.alternative) for outcome in outcomes]
    root = None
    if correlation is not None:  # it may be singular: a slice may come twice
        root = root_of_covariance(correlation)
    total = (N_KEPT + 1) * _PER_KEPT - 1
    minima, smallest = np.empty(total), np.empty(total)
    for rows in in_parts(total, 1, _DRAWS_AT_ONCE):
        n = rows.stop - rows.start
        if root is None:
            chances = rng.random((n, len(laws)))
        else:
            errors = rng.standard_normal((n, len(root))) @ root
            chances = special.ndtr(-np.abs(errors)) * 2
            if alternative != "two-sided":
                chances = special.ndtr(errors)
        drawn = [law.of(chances[:, i]) for i, law in enumerate(laws)]
        minima[rows], smallest[rows] = np.minimum.reduce(drawn), chances.min(axis=1)
    minima.sort()
    n_effective = float(len(laws))
    if root is not None:
        level = float(np.quantile(smallest, alpha))
        n_effective = min(n_effective, max(1.0, math.log1p(-alpha) / math.log1p(-level)))
    quantiles = minima[_PER_KEPT - 1 :: _PER_KEPT]
    return JointMinP(minima=quantiles, n_effective=n_effective, seed=seed)
