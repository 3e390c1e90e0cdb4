"""Several comparisons at once, of other rows each: the distribution of the smallest p-value."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._joint.max_t import JudgedTogether
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Later,
    Outcome,
    UnitSpread,
    WhenAsked,
    alpha_of,
    check_alpha,
    check_level,
    interval_at,
)
from skstat.stats._resampling import stream

# Of that many draws every tenth in the order of their size is kept, which varies little.
N_KEPT = 9_999
_PER_KEPT = 10
_DRAWS_AT_ONCE = 4_096
_NOISE = 1e-9
# How far the level of an interval is moved, and in how many steps it is found.
_NEAR, _HALVINGS = 3.0, 20


@dataclass(frozen=True, kw_only=True, eq=False)
class MinPOutcome(JudgedTogether):
    """One of several comparisons, judged by the law of their smallest p-value.

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
    own : Outcome
        What the comparison found by itself, and its p-value; a margin is judged by it.
    joint_pvalue : float
        p-value adjusted for the family.
    minima : ndarray of shape (9999,)
        Quantiles of the smallest p-value of the family, in ascending order.
    n_effective : float
        Number of independent comparisons that are as many as these, which may share units.
    seed : int
        Seed of the draws behind them.
    spread : UnitSpread or None
        How much what the units contribute varies. At the level of one of many comparisons
        intervals of few units are too short: this one is at least that of the jackknife, on
        the side of the longer tail by as much longer as a t has it (Hall, 1992, section 2.6),
        but never so long that it contains 0 against the test.
    """

    # A test by permutations draws for these.
    assumptions: Any = WhenAsked(())  # noqa: RUF009
    standard_error: Any = WhenAsked(None)  # noqa: RUF009

    minima: Any
    n_effective: float
    seed: int
    spread: UnitSpread | None = None

    @property
    def statistic(self) -> float:
        return self.own.statistic

    @property
    def direction(self) -> int:
        return self.own.direction

    @property
    def n_drawn(self) -> int:
        return self.own.n_drawn

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the adjusted p-value from the draws of both laws."""
        p, n_drawn = self.joint_pvalue, (len(self.minima) + 1) * _PER_KEPT
        own = float(getattr(self.own, "monte_carlo_error", 0.0))
        return math.hypot(own and own * p / self.pvalue, math.sqrt(p * (1 - p) / n_drawn))

    @property
    def smallest_pvalue(self) -> float:
        return float(adjusted_by(np.asarray(self.minima), self.own.smallest_pvalue))

    def level_of_one(self, alpha: float = 0.05) -> float:
        """Level of one comparison that belongs to a level of the family.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the family.

        Returns
        -------
        float
            The adjusted p-value is below `alpha` exactly where the own one is below it; 0
            where none can be.
        """
        check_alpha(alpha)
        minima = np.asarray(self.minima, dtype=float)
        # A p-value (1 + k) / (1 + B) is below alpha for fewer minima k than that.
        least = math.ceil(round(alpha * (1 + len(minima)), 9)) - 1
        return 0.0 if least < 1 else float(minima[least - 1])

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        alpha = alpha_of(confidence_level)
        rejecting = self.level_of_one(alpha) * (1 - _NOISE)
        level = level_of_each(alpha, self.n_effective)
        rejects = self.pvalue < rejecting
        if rejects != (self.pvalue < level):
            level = rejecting
        if level <= 0:
            return ConfidenceInterval(-math.inf, math.inf)
        level = min(level, 1 - _NOISE)
        return self._careful(self._agreeing(level, rejects), level)

    def _careful(self, found: ConfidenceInterval, level: float) -> ConfidenceInterval:
        """Lengthen an interval to that of the jackknife, on the sides where 0 allows it."""
        if self.spread is None or self.own.follows_skewness:
            return found
        tail = level / 2 if self.alternative == "two-sided" else level
        return self.spread.lengthen(found, self.estimate, tail)

    def _agreeing(self, level: float, rejects: bool) -> ConfidenceInterval:
        """Interval at a level, or the nearest at which it excludes 0 as the test does."""
        found = interval_at(self.own, 1 - level)
        if _excludes_zero(found) in (rejects, None):
            return found
        # Where the two agree at last; further away they differ by more than their kinds.
        other = level * _NEAR if rejects else level / _NEAR
        if not 0 < other < 1 or _excludes_zero(interval_at(self.own, 1 - other)) != rejects:
            return found
        for _ in range(_HALVINGS):
            middle = math.sqrt(level * other)
            if _excludes_zero(interval_at(self.own, 1 - middle)) == rejects:
                other = middle
            else:
                level = middle
        return interval_at(self.own, 1 - other)

    def critical_value(self, alpha: float = 0.05) -> float:
        level = self.level_of_one(alpha)
        return math.inf if level <= 0 else self.own.critical_value(min(level, 1 - _NOISE))


def _excludes_zero(interval: ConfidenceInterval) -> bool | None:
    """Whether an interval excludes 0; None where there is none."""
    if math.isnan(interval.low):
        return None
    return not interval.low <= 0 <= interval.high


def level_of_each(alpha: float, n: float) -> float:
    """Level of each of n independent comparisons (Sidak, 1967)."""
    return float(-np.expm1(np.log1p(-alpha) / n))


def adjusted_by(minima: NDArray[np.float64], pvalues: Any) -> Any:
    """Share of the smallest p-values of a family that are as small, that of the data included.

    nan, which no test is behind, stays nan.
    """
    reached = np.searchsorted(minima, np.multiply(pvalues, 1 + _NOISE), side="right")
    found = (1 + reached) / (1 + len(minima))
    return np.where(np.isnan(pvalues), math.nan, found)


class SmallestPvalues(NamedTuple):
    """The law of the smallest p-value of several comparisons where no two systems differ.

    Attributes
    ----------
    minima : ndarray of shape (9999,)
        Its quantiles, in ascending order.
    n_effective : float
        Number of independent comparisons that are as many, whatever p-values are possible.
    seed : int
        Seed of the draws.
    """

    minima: NDArray[np.float64]
    n_effective: float
    seed: int

    def adjusted(self, pvalues: Any) -> NDArray[np.float64]:
        """Adjust p-values for the family."""
        return np.asarray(adjusted_by(self.minima, pvalues))

    def judged(
        self, own: Outcome, joint_pvalue: float, spread: UnitSpread | None = None
    ) -> MinPOutcome:
        """Judge what a comparison found by itself within its family."""
        return MinPOutcome(
            test=own.test,
            estimand=own.estimand,
            null_hypothesis=own.null_hypothesis,
            alternative=own.alternative,
            assumptions=Later(lambda: own.assumptions),
            effect_sizes=own.effect_sizes,
            statistic_name=own.statistic_name,
            references=own.references,
            df=own.df,
            estimate=own.estimate,
            standard_error=Later(lambda: own.standard_error),
            own=own,
            joint_pvalue=joint_pvalue,
            minima=self.minima,
            n_effective=self.n_effective,
            seed=self.seed,
            spread=spread,
        )


def smallest_pvalues(
    outcomes: Sequence[Outcome],
    seed: int,
    *,
    correlation: NDArray[np.float64] | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
) -> SmallestPvalues:
    """Find the law of the smallest p-value of several comparisons.

    A p-value that can take few values only, as of a sign test, is drawn from these.

    Parameters
    ----------
    outcomes : sequence of Outcome
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
    SmallestPvalues
        The law.
    """
    rng = stream(np.random.SeedSequence(seed))
    laws = [outcome.null_pvalues() for outcome in outcomes]
    root = None if correlation is None else _root_of(correlation)
    total = (N_KEPT + 1) * _PER_KEPT - 1
    minima, plain = np.empty(total), np.empty(total)
    for start in range(0, total, _DRAWS_AT_ONCE):
        rows = slice(start, min(start + _DRAWS_AT_ONCE, total))
        n = rows.stop - rows.start
        if root is None:
            chances = rng.random((n, len(laws)))
        else:
            errors = rng.standard_normal((n, len(root))) @ root
            chances = special.ndtr(-np.abs(errors)) * 2
            if alternative != "two-sided":
                chances = special.ndtr(errors)
        drawn = [law.of(chances[:, place]) for place, law in enumerate(laws)]
        minima[rows], plain[rows] = np.minimum.reduce(drawn), chances.min(axis=1)
    minima.sort()
    n_effective = float(len(laws))
    if root is not None:
        each = float(np.quantile(plain, alpha))
        n_effective = min(n_effective, max(1.0, math.log1p(-alpha) / math.log1p(-each)))
    return SmallestPvalues(minima[_PER_KEPT - 1 :: _PER_KEPT], n_effective, seed)


def _root_of(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Root of a correlation matrix, which may be singular: a slice may come twice."""
    values, vectors = np.linalg.eigh(correlation)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)
