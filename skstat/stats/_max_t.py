"""Several comparisons at once: the distribution of the largest statistic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._joint import JointLaw
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    above_zero,
    check_alpha,
    check_level,
    one_sided,
)
from skstat.stats._plans import fair_bits, stream
from skstat.stats._quantity import Quantity

# More digits would say nothing, and fill reports that are kept.
MAXIMA_DECIMALS = 5
_PATTERNS_AT_ONCE = 256
_NUMBERS_AT_ONCE = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class SimultaneousOutcome(Outcome):
    """One of several comparisons, with an interval that holds for all at once.

    Attributes
    ----------
    own : Outcome
        What the comparison found by itself, and its p-value; a margin is judged by it.
    joint_pvalue : float
        p-value adjusted for the family: the share of resamples whose largest
        statistic over all comparisons is at least this one's.
    maxima : ndarray of shape (n_resamples,)
        Largest studentised deviation over the family on every bootstrap resample.
    n_resamples, seed : int
        Number and seed of the resamples.
    least : float or None
        Smallest p-value that the units can give, if that is more than what the draws can.
    """

    simultaneous = True

    own: Outcome
    joint_pvalue: float
    maxima: Any
    n_resamples: int
    seed: int
    least: float | None = None
    statistic_name: str = "t"

    @property
    def quantity(self) -> Quantity:
        return self.own.quantity

    @property
    def statistic(self) -> float:
        if not self.standard_error:
            return 0.0 if self.estimate == 0 else math.copysign(math.inf, self.estimate)
        return self.estimate / self.standard_error

    @property
    def pvalue(self) -> float:
        return self.own.pvalue

    @property
    def smallest_pvalue(self) -> float:
        return max(1 / (1 + self.n_resamples), self.least or 0.0)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval that contains its difference together with those of the family.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Chance that all intervals of the family contain their differences.

        Returns
        -------
        ConfidenceInterval
            ``estimate`` minus and plus a quantile of the maxima times the standard
            error; nan where a difference shows no variance.
        """
        check_level(confidence_level)
        if not self.standard_error and self.estimate != 0:
            return ConfidenceInterval(math.nan, math.nan)
        half_width = self.critical_value(1 - confidence_level) * (self.standard_error or 0.0)
        return one_sided(
            self.alternative, self.estimate - half_width, self.estimate + half_width
        )

    def _interval_alone(self, confidence_level: float) -> ConfidenceInterval:
        # The maxima are those of a family, and of its direction.
        return self.own._interval_alone(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        return self.own._pvalue_beyond(bound, alternative)

    def critical_value(self, alpha: float = 0.05) -> float:
        """Quantile of the maxima that abs(statistic) must exceed to reject.

        Parameters
        ----------
        alpha : float, default=0.05
            Family-wise level.

        Returns
        -------
        float
            The quantile.
        """
        check_alpha(alpha)
        maxima = np.asarray(self.maxima, dtype=float)
        return float(np.quantile(maxima, 1 - alpha, method="weibull"))


@dataclass(frozen=True, kw_only=True, eq=False)
class MaxT:
    """Joint p-values of a family of differences, and the maxima behind its intervals."""

    t: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    maxima: NDArray[np.float64]
    standard_errors: NDArray[np.float64]


def joint_max_t(
    law: JointLaw, pairs: Sequence[tuple[int, int]], alternative: str = "two-sided"
) -> MaxT:
    """Max-T of differences between systems, by the joint law of their scores.

    The errors of every difference, divided by their standard error, give the joint law
    of the statistics when no system differs (single step; for the bootstrap Romano &
    Wolf, 2005, section 4.2).

    Parameters
    ----------
    law : JointLaw
        Draws of the errors of the scores.
    pairs : sequence of tuple of int
        The comparisons.
    alternative : {"two-sided", "less", "greater"}
        Direction of every comparison.

    Returns
    -------
    MaxT
        p-values, nan where a constant difference leaves nothing to judge it by.
    """
    index = tuple(np.array(pairs).T)
    errors, estimates = law.standard_errors[index], law.differences[index]
    maxima = law.largest(pairs, lambda t: _towards(t, alternative))
    if not np.all(errors > 0):  # the same on all units: no error, and a t of 0
        maxima = np.maximum(maxima, 0.0)
    t = _towards(_over(estimates, errors), alternative)
    found = MaxT(t=t, pvalues=t, maxima=maxima, standard_errors=errors)
    return max_t_against(found, maxima)


def max_t_against(found: MaxT, maxima: NDArray[np.float64]) -> MaxT:
    """Judge the same statistics by the maxima of another, larger family."""
    pvalues = _joint_pvalues(found.t, maxima)
    unjudged = np.isnan(found.standard_errors)
    return replace(
        found,
        pvalues=np.where(unjudged, math.nan, pvalues),
        maxima=np.round(maxima, MAXIMA_DECIMALS),
    )


def sign_flip_max_t(
    scores: NDArray[np.float64],
    pairs: list[tuple[int, int]],
    n_resamples: int,
    seed: int,
    alternative: str,
) -> NDArray[np.float64]:
    """Joint p-values of mean differences by flipping the signs of whole units.

    All differences of a unit change sign together, which keeps their correlation
    (Westfall & Young, 1993, section 4; single step). A comparison's statistic is the
    mean over its standard error, both of the flipped differences.

    Parameters
    ----------
    scores : ndarray of shape (n_units, n_systems)
        Per-unit scores whose means are compared.
    pairs : list of tuple of int
        The comparisons.
    n_resamples : int
        Patterns of signs to draw.
    seed : int
        Seed of the patterns.
    alternative : {"two-sided", "less", "greater"}
        Direction of every comparison.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Adjusted p-values.
    """
    differences = _differences(scores, pairs)
    # A unit on which no two systems differ adds nothing to any pattern.
    n = len(differences)
    differences = differences[differences.any(axis=1)]
    squares = (differences**2).sum(axis=0)
    totals = differences.sum(axis=0)
    observed = _towards(_t(totals, squares, n), alternative)
    rng = stream(np.random.SeedSequence(seed))
    maxima = np.empty(n_resamples)
    rows = max(1, min(_PATTERNS_AT_ONCE, _NUMBERS_AT_ONCE // max(1, len(differences))))
    for start in range(0, n_resamples, rows):
        stop = min(start + rows, n_resamples)
        bits = np.unpackbits(fair_bits(rng, rows, len(differences)), axis=1)
        flips = bits[: stop - start, : len(differences)].astype(np.float64)
        flipped = totals - 2 * (flips @ differences)
        maxima[start:stop] = _towards(_t(flipped, squares, n), alternative).max(axis=1)
    return _joint_pvalues(observed, maxima)


def studentised(
    scores: NDArray[np.float64], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Student's t of every pair's differences, without any resampling."""
    differences = _differences(scores, pairs)
    squares = (differences**2).sum(axis=0)
    return np.asarray(_t(differences.sum(axis=0), squares, len(differences)))


def _differences(
    scores: NDArray[np.float64], pairs: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Differences of every pair on every unit, without float noise."""
    differences = np.column_stack([scores[:, a] - scores[:, b] for a, b in pairs])
    noise = 1e-10 * np.abs(scores).max(initial=0)
    differences[np.abs(differences) <= noise] = 0.0
    return differences


def _t(totals: NDArray[np.float64], squares: NDArray[np.float64], n: int) -> Any:
    """Student's t of n differences from their sum and the sum of their squares."""
    variance = (squares - totals**2 / n) / (n * max(1, n - 1))
    # A pattern with all differences on one side has the largest t there is.
    smallest = 1e-12 * squares / n**2
    return _over(totals / n, np.sqrt(np.maximum(variance, smallest)))


def _over(values: Any, errors: Any) -> Any:
    defined = errors > 0
    return np.where(defined, values / np.where(defined, errors, 1.0), 0.0)


def _towards(t: Any, alternative: str) -> Any:
    return {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative](t)


def _joint_pvalues(observed: Any, maxima: NDArray[np.float64]) -> NDArray[np.float64]:
    ordered = np.sort(maxima)
    tolerance = 1e-10 * np.maximum(1.0, np.abs(observed))
    as_large = len(ordered) - np.searchsorted(ordered, observed - tolerance, side="left")
    pvalues = (1 + as_large) / (1 + len(ordered))
    return np.array([above_zero(min(1.0, p)) for p in np.atleast_1d(pvalues)])
