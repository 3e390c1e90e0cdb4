"""The law that all that is said of a comparison follows from, of numbers or of arrays."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from scipy import special

from skstat.stats import _tails as tails
from skstat.stats._literature import BENAVOLI_ET_AL_2017
from skstat.stats._posterior import Posterior, StudentPosterior
from skstat.stats._procedure import DIFFERENCE, Quantity
from skstat.stats._score_table import ScorePairs
from skstat.stats._stored import Number, NumberOrNone, Stored
from skstat.stats._words import NOISE, NullPvalues, Turns, above_zero, least_tail, number


@dataclass(frozen=True, kw_only=True, eq=False)
class Law(Stored, Turns):
    """What is known of an estimate, or of many: how probable data beyond any bound are.

    A law answers by two functions, `tails` and `limits`, from which intervals, one-sided
    tests, tests of a margin and probabilities follow. Its numbers are floats for one
    comparison and arrays of one shape for many.

    Attributes
    ----------
    estimate : float or ndarray
        The estimates, A - B.
    standard_error, df : float, ndarray or None
        Their standard errors and degrees of freedom, where there are any.
    n_resamples, seed : int or None
        Number of resamples, where some were counted, and the seed of those that were drawn.
    """

    statistic_name: ClassVar[str] = "statistic"
    # What is compared: the score itself, or ranks by it.
    scale: ClassVar[str] = "score"
    quantity: ClassVar[Quantity] = DIFFERENCE
    # Whether the limits lie further apart on the side of the longer tail of the estimate.
    follows_skewness: ClassVar[bool] = False
    # Effect sizes that are chances of A: those of B are what is left of 1.
    chances: ClassVar[tuple[str, ...]] = ("common-language", "chance to be preferred")
    _signed: ClassVar[tuple[str, ...]] = ("estimate",)

    estimate: Number
    standard_error: NumberOrNone = None
    df: NumberOrNone = None
    n_resamples: int | None = None
    seed: int | None = None

    def tails(self, bound: Any) -> tuple[Any, Any]:
        """Return two one-sided p-values: small if the effect is below a bound, and if above.

        Unless a law knows them, they are found by its limits, of one comparison.

        Parameters
        ----------
        bound : float
            An effect A - B.
        """
        return tails_by_limits(self, bound)

    @abstractmethod
    def limits(self, tail: Any) -> tuple[Any, Any]:
        """Return the lowest and the highest effect that are not rejected in a tail so large."""

    @property
    @abstractmethod
    def statistic(self) -> Any:
        """Value of the test statistic."""

    def interval(self, alternative: str, alpha: Any) -> tuple[Any, Any]:
        """Return the effects that are not rejected at a level; on both sides of one-sided."""
        return self.limits(alpha / 2 if alternative == "two-sided" else alpha)

    def turned_effects(self, effects: Mapping[str, Any]) -> dict[str, Any]:
        """Return the effect sizes of B against A."""
        return {
            name: 1 - size if name in self.chances else 0.0 - size
            for name, size in effects.items()
        }

    def null_pvalues(self, alternative: str) -> NullPvalues:
        """Return the distribution of the p-value where the null hypothesis is true.

        Unless a law knows it: every level from the smallest possible p-value on is kept.
        """
        if math.isnan(self.pvalue(alternative)):
            return NullPvalues.from_least(1.0)
        return NullPvalues.from_least(self.smallest_pvalue(alternative))

    @property
    def compared(self) -> str:
        """Name of what the estimate is a difference of; the `scale`, or a kind of it."""
        return self.scale

    @property
    def n_drawn(self) -> int:
        """Number of random draws that the p-value rests on; 0 where nothing was drawn."""
        return 0 if self.seed is None else self.n_resamples or 0

    def quantile(self, tail: Any) -> Any:
        """Value that the statistic exceeds with chance `tail`, where tables have one."""
        raise ValueError(
            f"there are no tables of critical values for the {self.statistic_name} of this "
            "test; compare its p-value with the level."
        )

    def critical_value(self, alternative: str, alpha: float) -> float:
        """Value from which the statistic rejects at a level, as tables have it."""
        return float(self.quantile(alpha / 2 if alternative == "two-sided" else alpha))

    @property
    def direction(self) -> Any:
        """Side that the statistic favours: 1 for A, -1 for B, 0 for neither."""
        return number(np.sign(self.estimate))

    def pvalue(self, alternative: str) -> Any:
        """p-value of no effect; nan where there is no variance to judge one by."""
        return pvalue_of_tails(*self.tails(0.0), alternative)

    def smallest_pvalue(self, alternative: str) -> Any:
        """Smallest p-value that this many units can give; 0 when there is no floor."""
        return 0.0

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        """What the comparison says as probabilities; None where that is not known."""
        return None

    def without_variance(self, unit: str) -> str:
        """Say why there is no p-value, as what follows "because"."""
        return f"the {unit}s show no variance to test it against"


def by_rows(
    differences: Any, compute: Callable[[Any, Any], tuple[Any, ...]], given: Any = 0.0
) -> tuple[Any, ...]:
    """Compute numbers of every comparison from its differences, which are a row.

    Parameters
    ----------
    differences : ndarray of shape (n_units,), or ScorePairs
        Those of one comparison, or of many, which are looked at in blocks.
    compute : callable
        From rows of differences, and a given number for each, to arrays.
    given : float or ndarray, default=0.0
        What is given, of all comparisons or of each.
    """
    if not isinstance(differences, ScorePairs):
        alone = compute(differences[None], np.atleast_1d(given))
        return tuple(each[0].item() for each in alone)
    each = np.broadcast_to(given, len(differences.pairs))
    found = [compute(rows, each[places]) for places, rows, _ in differences.blocks()]
    return tuple(map(np.concatenate, zip(*found, strict=True)))


def at_levels(compute: Callable[[float], float], levels: Any) -> Any:
    """Compute a number of a level, or of each of many, which are seldom all different."""
    distinct, of_each = np.unique(levels, return_inverse=True)
    found = np.array([compute(level) for level in distinct.tolist()])
    return number(found[of_each.reshape(np.shape(levels))])


def tails_by_limits(law: Law, bound: float, least: float = 0.0) -> tuple[Any, Any]:
    """Return the two one-sided p-values of a bound, of which the limits in a tail tell.

    Each is the least tail whose limit leaves the bound out on its side; for an estimate on the
    other side of the bound, 1 less that of the opposite question. nan where the law has no
    limits.

    Parameters
    ----------
    law : Law
        The law.
    bound : float
        An effect A - B.
    least : float, default=0.0
        Least p-value that so many units, or resamples, can give.
    """
    if np.isnan(law.limits(0.25)).any():
        return math.nan, math.nan
    noise = NOISE * max(abs(bound), abs(law.estimate))
    below = least_tail(lambda tail: bool(bound - law.limits(tail)[1] > noise), least)
    above = least_tail(lambda tail: bool(law.limits(tail)[0] - bound > noise), least)
    if below is None and above is None:
        return 0.5, 0.5
    return (
        1 - cast(float, above) if below is None else below,
        1 - cast(float, below) if above is None else above,
    )


def pvalue_of_tails(below: Any, above: Any, alternative: str) -> Any:
    """p-value of the two one-sided ones."""
    both = np.minimum(1.0, 2 * np.minimum(below, above))
    return above_zero({"less": below, "greater": above}.get(alternative, both))


def about(estimate: Any, standard_error: Any, quantile: Any) -> tuple[Any, Any]:
    """Return estimates minus and plus a quantile times the standard error.

    nan where there is no error to an estimate that is not zero.
    """
    errors = np.asarray(standard_error, dtype=float)
    out = np.zeros(np.broadcast_shapes(errors.shape, np.shape(quantile)))
    half = np.multiply(quantile, errors, out=out, where=errors != 0)
    half = np.where((errors != 0) | np.equal(estimate, 0), half, math.nan)
    return number(estimate - half), number(estimate + half)


@dataclass(frozen=True, kw_only=True, eq=False)
class Student(Law):
    """Student's t about an estimate, with its standard error; the normal law without `df`.

    Attributes
    ----------
    estimate : float or ndarray
        The estimates, A - B.
    standard_error : float or ndarray
        Their standard errors; 0 where nothing varies.
    df : float, ndarray or None
        Degrees of freedom; None for the normal law.
    """

    @property
    def statistic_name(self) -> str:  # type: ignore[override]
        """Symbol of the statistic."""
        return "z" if self.df is None else "t"

    @property
    def statistic(self) -> Any:
        alone = np.where(np.equal(self.estimate, 0), 0.0, np.copysign(np.inf, self.estimate))
        return self._ratio(self.estimate, alone)

    def tails(self, bound: Any) -> tuple[Any, Any]:
        t = self._ratio(np.subtract(self.estimate, bound), math.nan)
        return self._below(t), self._below(np.negative(t))

    def pvalue(self, alternative: str) -> Any:
        # Without variance there is nothing to judge a difference by; p = 0 would claim
        # certainty from a handful of equal numbers.
        alone = np.where(np.equal(self.estimate, 0), 1.0, math.nan)
        found = super().pvalue(alternative)
        return number(np.where(np.not_equal(self.standard_error, 0), found, alone))

    def limits(self, tail: Any) -> tuple[Any, Any]:
        return about(self.estimate, self.standard_error, self.quantile(tail))

    def quantile(self, tail: Any) -> Any:
        """Value that the statistic exceeds with chance `tail`."""
        return tails.normal_isf(tail) if self.df is None else tails.t_isf(tail, self.df)

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        if self.df is None:
            return None
        estimate, spread, df = map(float, (self.estimate, self.standard_error, self.df))
        works = (BENAVOLI_ET_AL_2017,)
        return StudentPosterior.of(estimate, spread, df, rope, references=works)

    def _below(self, t: Any) -> Any:
        return special.ndtr(t) if self.df is None else special.stdtr(self.df, t)

    def _ratio(self, difference: Any, alone: Any) -> Any:
        errors = np.asarray(self.standard_error, dtype=float)
        out = np.broadcast_to(alone, np.shape(difference)).astype(float)
        return number(np.divide(difference, errors, out=out, where=errors != 0))
