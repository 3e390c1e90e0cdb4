"""A comparison, of numbers or of arrays, and the law that all it says follows from."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np
from scipy import special

from skstat.stats._common import DIFFERENCE, Quantity, Stored, hints_of, names_of_fields, tails
from skstat.stats._outcomes.levels import Turns, check_alpha, check_level
from skstat.stats._outcomes.outcome import (
    ConfidenceInterval,
    Outcome,
    above_zero,
    number,
    one_sided,
)
from skstat.stats._outcomes.posterior import Posterior, StudentPosterior
from skstat.stats._samples import ScorePairs


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
    _signed: ClassVar[tuple[str, ...]] = ("estimate",)

    estimate: Any
    standard_error: Any = None
    df: Any = None
    n_resamples: int | None = None
    seed: int | None = None

    def each(self, compute: Callable[[Self], tuple[float, float]]) -> tuple[Any, Any]:
        """Two numbers of every comparison, where one after the other has to be asked."""
        if not np.ndim(self.estimate):
            return compute(self)
        found = [compute(taken(self, place)) for place in range(len(self.estimate))]
        first, second = np.array(found, dtype=float).reshape(-1, 2).T
        return first, second

    @abstractmethod
    def tails(self, bound: Any) -> tuple[Any, Any]:
        """Return two one-sided p-values: small if the effect is below a bound, and if above.

        Parameters
        ----------
        bound : float
            An effect A - B.
        """

    @abstractmethod
    def limits(self, tail: Any) -> tuple[Any, Any]:
        """Return the lowest and the highest effect that are not rejected in a tail so large."""

    @property
    @abstractmethod
    def statistic(self) -> Any:
        """Value of the test statistic."""

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

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        # nan is None in JSON, also in arrays; what may be None has that as its default.
        kind: Any = cls
        numbers = {one.name for one in fields(cls) if hints_of(kind)[one.name] is Any}
        needed = {one.name for one in fields(cls) if one.default is MISSING}
        none_is_nan = {name: math.nan for name in numbers & needed if state.get(name) is None}
        arrays = {
            name: np.array(state[name], dtype=float)
            for name in numbers
            if isinstance(state.get(name), list)
        }
        return {**state, **none_is_nan, **arrays}


def taken(record: Any, place: Any) -> Any:
    """Take some places, or one, of a record of arrays; the rest belongs to all."""
    shape, kind = np.shape(record.estimate), cast(Any, type(record))
    held = {name: getattr(record, name) for name in names_of_fields(kind)}
    return replace(record, **{name: _at(value, shape, place) for name, value in held.items()})


def _at(value: Any, shape: tuple[int, ...], place: Any) -> Any:
    if isinstance(value, Law | Outcome):
        return taken(value, place)
    if isinstance(value, ScorePairs):
        return value.differences_of(place)
    if isinstance(value, Mapping):
        return {name: _at(own, shape, place) for name, own in value.items()}
    if not isinstance(value, np.ndarray) or value.shape[: len(shape)] != shape:
        return value
    found = value[place]
    return found if np.ndim(found) else np.asarray(found).item()


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
        return tuple(float(each[0]) for each in alone)
    each = np.broadcast_to(given, len(differences.pairs))
    found = [compute(rows, each[places]) for places, rows in differences.blocks()]
    return tuple(map(np.concatenate, zip(*found, strict=True)))


def pvalue_of_tails(below: Any, above: Any, alternative: str) -> Any:
    """p-value of the two one-sided ones."""
    both = np.minimum(1.0, 2 * np.minimum(below, above))
    return above_zero({"less": below, "greater": above}.get(alternative, both))


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
        errors = np.asarray(self.standard_error, dtype=float)
        half = np.multiply(
            self.quantile(tail), errors, out=np.zeros(errors.shape), where=errors != 0
        )
        half = np.where((errors != 0) | np.equal(self.estimate, 0), half, math.nan)
        return number(self.estimate - half), number(self.estimate + half)

    def quantile(self, tail: Any) -> Any:
        """Value that the statistic exceeds with chance `tail`."""
        return tails.normal_isf(tail) if self.df is None else tails.t_isf(tail, self.df)

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        if self.df is None:
            return None
        return StudentPosterior(
            rope=rope,
            estimate=float(self.estimate),
            spread=float(self.standard_error),
            df=float(self.df),
        )

    def _below(self, t: Any) -> Any:
        return special.ndtr(t) if self.df is None else special.stdtr(self.df, t)

    def _ratio(self, difference: Any, alone: Any) -> Any:
        errors = np.asarray(self.standard_error, dtype=float)
        out = np.broadcast_to(alone, np.shape(difference)).astype(float)
        return number(np.divide(difference, errors, out=out, where=errors != 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Outcome):
    """What a test found of one comparison, or, with arrays in its law, of many.

    Attributes
    ----------
    test, estimand, null_hypothesis, alternative, assumptions, effect_sizes, references
        As of every :class:`Outcome`.
    law : Law
        What all numbers follow from.
    ignored_variance : tuple of str or None
        Sources of variance that the test does not cover, where the unit does not say it.
    """

    law: Law
    ignored_variance: tuple[str, ...] | None = None

    def _part(self) -> tuple[str, Any] | None:
        return None if "law" not in vars(self) else ("law", self.law)

    @property
    def estimate(self) -> Any:
        """The estimate, A - B."""
        return self.law.estimate

    @property
    def standard_error(self) -> Any:
        """Standard error of the estimate; None where the law has none."""
        return self.law.standard_error

    @property
    def df(self) -> Any:
        """Degrees of freedom; None where the law has none."""
        return self.law.df

    @cached_property  # asked of every pair by several parts of a report
    def statistic(self) -> Any:
        return self.law.statistic

    @property
    def statistic_name(self) -> str:
        """Symbol of the statistic."""
        return self.law.statistic_name

    @cached_property
    def pvalue(self) -> Any:
        return self.law.pvalue(self.alternative)

    @property
    def quantity(self) -> Quantity:
        return self.law.quantity

    @property
    def scale(self) -> str:  # type: ignore[override]
        """What the estimate is a difference of."""
        return self.law.scale

    @property
    def direction(self) -> Any:
        return self.law.direction

    @property
    def smallest_pvalue(self) -> Any:
        return self.law.smallest_pvalue(self.alternative)

    @property
    def n_resamples(self) -> int | None:
        """Number of resamples; None where the law has none."""
        return self.law.n_resamples

    @property
    def seed(self) -> int | None:
        """Seed of the draws; None where nothing was drawn."""
        return self.law.seed

    @property
    def n_drawn(self) -> int:
        return 0 if self.seed is None else self.n_resamples or 0

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing; 0 where nothing was drawn."""
        if not self.n_drawn:
            return 0.0
        return math.sqrt(self.pvalue * (1 - self.pvalue) / self.n_drawn)

    def why_no_pvalue(self, unit: str) -> str:
        return self.law.without_variance(unit) if math.isnan(self.pvalue) else ""

    def confidence_interval(self, confidence_level: Any = 0.95) -> ConfidenceInterval:
        many = isinstance(confidence_level, np.ndarray)  # of a family: a level for each
        for level in np.unique(confidence_level).tolist() if many else [confidence_level]:
            check_level(level)
        alpha = 1 - confidence_level
        if self.alternative == "two-sided":
            return ConfidenceInterval(*self.law.limits(alpha / 2))
        low, high = self.law.limits(alpha)
        opened = one_sided(self.alternative, low, high)
        unknown = np.isnan(low)
        return ConfidenceInterval(*(number(np.where(unknown, math.nan, end)) for end in opened))

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        return self.law.critical_value(self.alternative, alpha)

    def _pvalue_beyond(self, bound: float, alternative: str) -> Any:
        return above_zero(self.law.tails(bound)[alternative == "greater"])

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        return self.law.posterior(rope, n_draws=n_draws, rng=rng)
