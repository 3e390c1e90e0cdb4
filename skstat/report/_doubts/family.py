"""Pairs that are judged together, as the doubts look at all of them at once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples import PairsOfTable

Mask: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.float64]


class Together(Protocol):
    """Pairs of one table, by what is known of the differences of all of them."""

    @property
    def pairs(self) -> Any:
        """The differences of every pair."""

    @property
    def unit(self) -> str:
        """What one observation is."""


@dataclass(frozen=True, kw_only=True)
class FamilyCase:
    """Pairs of one design whose verdicts rest on one joint distribution.

    Attributes
    ----------
    pairs : PairsOfTable
        The differences of every pair.
    untested : ndarray of bool
        Pairs that have no p-value by themselves.
    estimates, low, high : ndarray
        Estimates and their simultaneous limits.
    adjusted : ndarray
        p-values of the verdicts.
    n_resamples : int
        Draws that they are shares of.
    smallest_pvalue : float
        Smallest p-value that can be found.
    alpha : float
        Level of the verdicts.
    unit, metric : str
        What one observation is, and the name of the metric.
    margin : float or None
        The smallest difference that matters.
    equivalent : ndarray of bool, or None
        Pairs that are equivalent by themselves, where there is a margin.
    """

    pairs: PairsOfTable
    untested: Mask
    estimates: Numbers
    low: Numbers
    high: Numbers
    adjusted: Numbers
    n_resamples: int
    smallest_pvalue: float
    alpha: float
    unit: str
    metric: str
    margin: float | None = None
    equivalent: Mask | None = None

    @cached_property
    def rejects(self) -> Mask:
        """Whether the p-value of the verdict is below the level."""
        return np.asarray(self.adjusted < self.alpha)

    @cached_property
    def decided(self) -> Mask:
        """Whether the test could reject, for some scores."""
        possible = self.smallest_pvalue < self.alpha
        return ~self.pairs.identical & ~np.isnan(self.adjusted) & possible

    @cached_property
    def monte_carlo_errors(self) -> Numbers:
        """Standard errors of the p-values from drawing."""
        p = self.adjusted
        return np.asarray(np.sqrt(p * (1 - p) / max(1, self.n_resamples)))
