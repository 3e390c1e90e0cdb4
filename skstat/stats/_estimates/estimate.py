"""Estimates: how good a system is, with an interval for a named estimand."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from skstat.stats._common import MeansNames, Reference, Stored, subclasses_of, tails
from skstat.stats._outcomes import ConfidenceInterval, Outcome, check_level, quantiles
from skstat.stats._test_set import proportion_interval

_LARGEST_EXPONENT = 700.0  # of e, in floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate(Stored, MeansNames, ABC):
    """The estimate of a score, or of the difference of two, and how it was found.

    Attributes
    ----------
    method : str
        Name of the method.
    estimand : str
        The quantity that is estimated, in words.
    unit : str
        What varies between the observations that the standard error comes from.
    n_units : int
        Number of these observations.
    estimate : float
        Point estimate; higher is better.
    standard_error : float or None
        Its standard error; None where the interval needs none.
    assumptions : tuple of str
        What must hold for the interval to cover at its level.
    ignored_variance : tuple of str
        What varies in reality, and was held fixed.
    bounds : tuple of float
        Lowest and highest value that the quantity can have; the interval ends there.
    references : tuple of Reference
        The works that describe the method.
    """

    df: ClassVar[float | None] = None
    _newer = frozenset({"references"})

    method: str
    estimand: str
    unit: str
    n_units: int
    estimate: float
    standard_error: float | None = None
    assumptions: tuple[str, ...] = ()
    ignored_variance: tuple[str, ...] = ()
    bounds: tuple[float | None, float | None] = (None, None)
    references: tuple[Reference, ...] = ()

    @classmethod
    def _kind_of(cls, name: Any) -> Any:
        return {kind.__name__: kind for kind in subclasses_of(Estimate)}[name]

    @property
    def has_two_bounds(self) -> bool:
        """Whether the quantity has a lowest and a highest value."""
        return None not in self.bounds

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two-sided interval of the estimand.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score; nan where the scores do
            not vary, so that nothing is known about their spread.
        """
        check_level(confidence_level)
        low, high = self._interval(confidence_level)
        return ConfidenceInterval(*(_kept(end, self.bounds) for end in (low, high)))

    @abstractmethod
    def _interval(self, confidence_level: float) -> tuple[float, float]:
        """Interval as the method has it, which may leave the bounds."""

    def within(self, low: float | None, high: float | None) -> Self:
        """Return the same estimate of a quantity that cannot leave these bounds.

        Parameters
        ----------
        low, high : float or None
            The bounds; None for none.

        Returns
        -------
        Estimate
            With an estimate and intervals that keep to them.
        """
        return replace(self, bounds=(low, high), estimate=_kept(self.estimate, (low, high)))


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanEstimate(Estimate):
    """An estimate with a standard error and the law of Student's t, or the normal one.

    Attributes
    ----------
    df : float or None
        Degrees of freedom; None for the normal distribution.
    by_logit : bool
        Whether the interval is made on the scale of the logit, if the quantity has two
        bounds: close to one of them an estimate varies more on the other side.
    """

    df: float | None = None  # type: ignore[misc]
    by_logit: bool = False

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        if not self.standard_error:
            return math.nan, math.nan
        tail = (1 - confidence_level) / 2
        df = self.df
        critical = tails.normal_isf(tail) if df is None else tails.t_isf(tail, df)
        half_width = float(critical) * self.standard_error
        least, most = self.bounds
        if self.by_logit and least is not None and most is not None:
            return _by_logit(self.estimate, half_width, least, most)
        return self.estimate - half_width, self.estimate + half_width


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareEstimate(Estimate):
    """A share of rows that are right, such as an accuracy on a test set.

    Attributes
    ----------
    successes : int
        Rows that are right, of `n_units`.
    interval : {"wilson", "clopper-pearson", "jeffreys"}
        Method of the interval, see :func:`proportion_interval`.
    offset : float
        What is added to the share: -1 for a negated share of errors.
    """

    successes: int
    interval: str = "wilson"
    offset: float = 0.0

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        low, high = proportion_interval(
            self.successes, self.n_units, confidence_level, method=self.interval
        )
        return low + self.offset, high + self.offset


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplicatesEstimate(Estimate):
    """An estimate with bootstrap replicates, of which the interval takes percentiles.

    Attributes
    ----------
    replicates : ndarray of shape (n_resamples,)
        The score on every resample of the test set.
    seed : int
        Seed of the resamples.
    """

    replicates: Any
    seed: int

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        replicates = np.asarray(self.replicates, dtype=float)
        if np.ptp(replicates) == 0:
            return math.nan, math.nan
        return quantiles(replicates, (1 - confidence_level) / 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class OutcomeEstimate(Estimate):
    """A difference whose interval is that of a test of :mod:`skstat.stats`.

    Attributes
    ----------
    outcome : Outcome
        What the test found.
    """

    outcome: Outcome

    def _interval(self, confidence_level: float) -> tuple[float, float]:
        low, high = self.outcome.confidence_interval(confidence_level)
        return (low, high) if low < high else (math.nan, math.nan)


@dataclass(frozen=True, kw_only=True, eq=False)
class OutOfBagEstimate(MeanEstimate):
    """An estimate from bootstrap samples.

    Attributes
    ----------
    noise : float
        Share of the variance, before it was taken off, that is due to the number of samples
        being finite; 1 if nothing else was left of it.
    """

    noise: float = 0.0


def _by_logit(
    estimate: float, half_width: float, least: float, most: float
) -> tuple[float, float]:
    """Make an interval of ``log((x - least) / (most - x))``, by the delta method."""
    below, above, size = estimate - least, most - estimate, most - least
    if below <= 0 or above <= 0:  # at a bound, where the scale has no slope
        return estimate - half_width, estimate + half_width
    stretch = math.exp(min(half_width * size / (below * above), _LARGEST_EXPONENT))
    return (
        least + size * below / (below + above * stretch),
        most - size * above / (above + below * stretch),
    )


def _kept(value: float, bounds: tuple[float | None, float | None]) -> float:
    """Keep a value within bounds; nan stays nan."""
    least, most = bounds
    if math.isnan(value):
        return value
    value = value if least is None else max(value, least)
    return value if most is None else min(value, most)
