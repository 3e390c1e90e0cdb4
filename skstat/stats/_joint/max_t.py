"""Several comparisons at once: the distribution of the largest statistic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import Quantity
from skstat.stats._joint.joint_law import JointLaw
from skstat.stats._outcomes import (
    TOWARDS,
    ConfidenceInterval,
    Outcome,
    Posterior,
    ResampledOutcome,
    above_zero,
    alpha_of,
    check_alpha,
    check_level,
    interval_about,
    t_of,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedTogether(Outcome):
    """One of several comparisons, with an interval that is simultaneous with theirs.

    Attributes
    ----------
    own : Outcome
        What the comparison found by itself, and its p-value; a margin is judged by it.
    joint_pvalue : float
        p-value adjusted for the family.
    """

    simultaneous = True

    own: Outcome
    joint_pvalue: float

    @property
    def quantity(self) -> Quantity:
        return self.own.quantity

    @property
    def pvalue(self) -> float:
        return self.own.pvalue

    @property
    def by_itself(self) -> Outcome:
        return self.own

    def _interval_alone(self, confidence_level: float) -> ConfidenceInterval:
        # The law is that of a family, and of its direction.
        return self.own._interval_alone(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        return self.own._pvalue_beyond(bound, alternative)

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        return self.own._posterior(rope, n_draws=n_draws, rng=rng)


# More digits would say nothing, and fill reports that are kept. Ties are ties up to that.
MAXIMA_DECIMALS = 5
_TOLERANCE = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class SimultaneousOutcome(JudgedTogether):
    """One of several comparisons, with a simultaneous interval.

    The interval is the estimate minus and plus the critical value of the maxima times the
    standard error, and simultaneous with those of the family: it excludes 0 exactly where the
    adjusted p-value is below the level. `critical_value` is what abs(statistic) must exceed, at
    the level of the family.

    Attributes
    ----------
    own : Outcome
        What the comparison found by itself, and its p-value; a margin is judged by it.
    joint_pvalue : float
        p-value adjusted for the family: the share of draws whose largest statistic over
        all comparisons is at least this one's.
    maxima : ndarray of shape (n_resamples,)
        Largest statistic of the family under its joint distribution: of every draw, resample
        or pattern of signs, the smallest first.
    n_resamples, seed : int
        Number and seed of the draws.
    least : float or None
        Smallest p-value that the units can give, if that is more than what the draws can.
    """

    maxima: Any
    n_resamples: int
    seed: int
    least: float | None = None
    statistic_name: str = "t"

    @cached_property
    def statistic(self) -> float:
        return t_of(self)

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the adjusted p-value from drawing."""
        p = self.joint_pvalue
        return math.sqrt(p * (1 - p) / max(1, self.n_resamples))

    @property
    def smallest_pvalue(self) -> float:
        return max(1 / (1 + self.n_resamples), self.least or 0.0)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        critical = self.critical_value(alpha_of(confidence_level))
        found = interval_about(self, critical)
        if not isinstance(self.own, ResampledOutcome) or self.own.spread is None:
            return found
        return self.own.spread.lengthen(found, self.estimate, float(special.ndtr(-critical)))

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        if self.smallest_pvalue >= round(alpha, 12):
            return math.inf
        return critical_maximum(np.asarray(self.maxima, dtype=float), alpha)


@dataclass(frozen=True, kw_only=True, eq=False)
class MaxT:
    """Joint p-values of a family of differences, and the maxima behind its intervals.

    Attributes
    ----------
    t : ndarray of shape (n_comparisons,)
        Statistics, in the direction of the alternative.
    estimates, standard_errors : ndarray of shape (n_comparisons,)
        What they are made of.
    maxima : ndarray of shape (n_resamples,)
        Draws of the largest statistic of the family, the smallest first.
    pvalues : ndarray of shape (n_comparisons,)
        Adjusted p-values; nan where a constant difference leaves nothing to test it against.
    least : float
        Smallest p-value that the units can give.
    alone : ndarray of shape (n_comparisons,), or None
        p-values of every comparison by itself, from the same draws.
    """

    t: NDArray[np.float64]
    estimates: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    maxima: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    least: float = 0.0
    alone: NDArray[np.float64] | None = None


def max_t_of(
    *,
    t: NDArray[np.float64],
    estimates: NDArray[np.float64],
    standard_errors: NDArray[np.float64],
    maxima: NDArray[np.float64],
    least: float = 0.0,
    alone: NDArray[np.float64] | None = None,
) -> MaxT:
    """Judge statistics by the maxima of their family, sorted and rounded to be kept."""
    maxima = np.sort(np.round(maxima, MAXIMA_DECIMALS))
    unjudged = np.isnan(standard_errors)
    pvalues = np.maximum(_joint_pvalues(t, maxima), least)
    return MaxT(
        t=t,
        estimates=estimates,
        standard_errors=standard_errors,
        maxima=maxima,
        pvalues=np.where(unjudged, math.nan, pvalues),
        least=least,
        alone=None if alone is None else np.maximum(alone, least),
    )


def joint_max_t(
    law: JointLaw,
    pairs: Sequence[tuple[int, int]],
    alternative: str = "two-sided",
    *,
    family: Sequence[tuple[int, int]] | None = None,
) -> MaxT:
    """Max-T of differences between systems, by the joint distribution of their scores.

    The errors of every difference, divided by their standard error, give the joint
    distribution of the statistics when no system differs (single step; for the bootstrap
    Romano & Wolf, 2005, section 4.2).

    Parameters
    ----------
    law : JointLaw
        Draws of the errors of the scores.
    pairs : sequence of tuple of int
        The comparisons.
    alternative : {"two-sided", "less", "greater"}
        Direction of every comparison.
    family : sequence of tuple of int, optional
        All comparisons of the family, where they are more than `pairs`.

    Returns
    -------
    MaxT
        p-values, nan where a constant difference leaves nothing to test it against.
    """
    index = tuple(np.array(pairs).T)
    errors, estimates = law.standard_errors[index], law.differences[index]
    judged = pairs if family is None else family
    maxima = law.largest(judged, TOWARDS[alternative])
    if not np.all(law.standard_errors[tuple(np.array(judged).T)] > 0):
        maxima = np.maximum(maxima, 0.0)  # the same on all units: no error, and a t of 0
    defined = errors > 0
    t = np.where(defined, estimates / np.where(defined, errors, 1.0), 0.0)
    return max_t_of(
        t=TOWARDS[alternative](t), estimates=estimates, standard_errors=errors, maxima=maxima
    )


def as_large(drawn: NDArray[np.float64], observed: NDArray[np.float64]) -> Any:
    """Count the draws (rows) that reach each observed value, ties within noise included."""
    return np.sum(drawn >= observed - _tolerance(observed), axis=0)


def critical_maximum(maxima: NDArray[np.float64], alpha: float) -> float:
    """Return the value above which a statistic has a p-value below `alpha`.

    It is the one of the sorted maxima that only as many others exceed as may, so that
    p-values and intervals cannot contradict each other.
    """
    # A p-value (1 + n) / (1 + B) is below alpha for up to so many maxima n.
    most = math.ceil(round(alpha * (1 + len(maxima)), 9)) - 2
    if most < 0:
        return math.inf
    reached = float(maxima[-1 - most])
    # The observed value is taken to be larger by the tolerance.
    if abs(reached) <= 1 - _TOLERANCE:
        return reached + _TOLERANCE
    return reached / (1 - math.copysign(_TOLERANCE, reached))


def _tolerance(observed: Any) -> Any:
    return _TOLERANCE * np.maximum(1.0, np.abs(observed))


def _joint_pvalues(observed: Any, maxima: NDArray[np.float64]) -> NDArray[np.float64]:
    reached = np.searchsorted(maxima, observed - _tolerance(observed), side="left")
    pvalues = (1 + len(maxima) - reached) / (1 + len(maxima))
    return np.clip(np.atleast_1d(pvalues), above_zero(0.0), 1.0)
