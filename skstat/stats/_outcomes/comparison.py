"""A comparison, of numbers or of arrays: what a test was asked, and the law of its answer."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from skstat.stats._common import (
    MeansNames,
    Quantity,
    Readers,
    Reference,
    Stored,
    names_of_fields,
)
from skstat.stats._outcomes.law import Law, OfNumbers, read_numbers
from skstat.stats._outcomes.outcome import (
    OPPOSITE,
    ConfidenceInterval,
    NullPvalues,
    Turns,
    above_zero,
    check_alpha,
    check_level,
    number,
    one_sided,
)
from skstat.stats._outcomes.posterior import Posterior
from skstat.stats._samples import ScorePairs


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint(OfNumbers):
    """How a comparison, or many, are judged within their family.

    Intervals are simultaneous: all contain their estimands with a chance.

    Attributes
    ----------
    pvalue : float, ndarray or None
        p-values adjusted for the family; None where they are found elsewhere.
    n_resamples, seed : int or None
        Number and seed of the draws of the joint distribution, where there are any.
    own_test : str or None
        Name of the test by itself, where the family's is another.
    """

    # Symbol of the statistic, where the family has one of its own.
    statistic_name: ClassVar[str | None] = None

    pvalue: Any = None
    n_resamples: int | None = None
    seed: int | None = None
    own_test: str | None = None

    def standard_error(self, law: Law) -> Any:
        """Return the standard errors that the intervals are made of."""
        return law.standard_error

    def df(self, law: Law) -> Any:
        """Return the degrees of freedom of the statistic."""
        return law.df

    def statistic(self, law: Law) -> Any:
        """Return the statistic that is judged."""
        return law.statistic

    def n_drawn(self, law: Law) -> int:
        """Return the number of random draws that the p-value by itself rests on."""
        return law.n_drawn

    def smallest_pvalue(self, law: Law, alternative: str) -> Any:
        """Return the smallest p-value that this many units can give."""
        return law.smallest_pvalue(alternative)

    def monte_carlo_error(self, own: "Comparison") -> float:
        """Return the standard error from drawing of the p-value that is judged."""
        return own.monte_carlo_error

    @abstractmethod
    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        """Return the limits at a level of the family; on both sides of one-sided ones."""

    def critical_value(self, law: Law, alternative: str, alpha: float) -> float:
        """Value from which the statistic rejects at a level of the family."""
        raise ValueError(
            "there are no tables of critical values for this family; compare its p-values "
            "with the level."
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Stored, MeansNames, Turns):
    """What a test found of one comparison, or, with arrays in its law, of many.

    Positive effects always favour A: they are score(A) - score(B), unless `scale` says
    otherwise.

    Attributes
    ----------
    test : str, or ndarray of str
        Name of the procedure.
    estimand : str
        The quantity that is estimated, in words.
    null_hypothesis : str
        What is assumed while computing the p-value, in words.
    alternative : {"two-sided", "less", "greater"}
        Direction of the alternative hypothesis.
    assumptions : tuple of str
        What must hold for the p-value to mean what it says.
    effect_sizes : mapping of str to float
        Standardised effects, each named with its unit.
    references : tuple of Reference
        The works that describe the procedure.
    law : Law
        What all numbers follow from.
    ignored_variance : tuple of str or None
        Sources of variance that the test does not cover, where the unit does not say it.
    joint : Joint or None
        How it is judged within a family of comparisons, whose intervals are simultaneous.
    """

    made_by: ClassVar[str] = "paired_t(sample)"
    _readers: ClassVar[Readers] = {
        "test": read_numbers,
        "effect_sizes": lambda sizes: {
            name: read_numbers(size) for name, size in sizes.items()
        },
    }

    test: Any
    estimand: str
    null_hypothesis: str
    alternative: str = "two-sided"
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, Any] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    law: Law
    ignored_variance: tuple[str, ...] | None = None
    joint: Joint | None = None

    def _part(self) -> tuple[str, Any] | None:
        return None if "law" not in vars(self) else ("law", self.law)

    @property
    def estimate(self) -> Any:
        """The estimate, A - B."""
        return self.law.estimate

    @property
    def standard_error(self) -> Any:
        """Standard error of the estimate; None where the law has none."""
        joint = self.joint
        return self.law.standard_error if joint is None else joint.standard_error(self.law)

    @property
    def simultaneous(self) -> bool:
        """Whether the interval is simultaneous with those of a family."""
        return self.joint is not None

    @property
    def by_itself(self) -> "Comparison":
        """What the comparison found by itself, where it is judged within a family."""
        joint = self.joint
        return (
            self
            if joint is None
            else replace(self, test=joint.own_test or self.test, joint=None)
        )

    @property
    def df(self) -> Any:
        """Degrees of freedom; None where the law has none."""
        return self.law.df if self.joint is None else self.joint.df(self.law)

    @cached_property  # asked of every pair by several parts of a report
    def statistic(self) -> Any:
        """Value of the test statistic."""
        return self.law.statistic if self.joint is None else self.joint.statistic(self.law)

    @property
    def statistic_name(self) -> str:
        """Symbol of the statistic."""
        of_family = None if self.joint is None else self.joint.statistic_name
        return of_family or self.law.statistic_name

    @cached_property
    def pvalue(self) -> Any:
        """p-value for `alternative`; nan when no valid one exists."""
        return self.law.pvalue(self.alternative)

    @property
    def quantity(self) -> Quantity:
        """What the estimate is."""
        return self.law.quantity

    @property
    def scale(self) -> str:
        """What the estimate is a difference of."""
        return self.law.scale

    @property
    def compared(self) -> str:
        """Name of what the estimate is a difference of; the `scale`, or a kind of it."""
        return self.law.compared

    @property
    def direction(self) -> Any:
        """Side that the statistic favours: 1 for A, -1 for B, 0 for neither."""
        return self.law.direction

    def null_pvalues(self) -> NullPvalues:
        """Return the distribution of the p-value where the null hypothesis is true."""
        return self.law.null_pvalues(self.alternative)

    @property
    def smallest_pvalue(self) -> Any:
        """Smallest p-value that this many units can give; 0 when there is no floor."""
        if self.joint is not None:
            return self.joint.smallest_pvalue(self.law, self.alternative)
        return self.law.smallest_pvalue(self.alternative)

    @property
    def n_resamples(self) -> int | None:
        """Number of resamples; None where the law has none."""
        joint = None if self.joint is None else self.joint.n_resamples
        return self.law.n_resamples if joint is None else joint

    @property
    def seed(self) -> int | None:
        """Seed of the draws; None where nothing was drawn."""
        return self.law.seed if self.joint is None else self.joint.seed

    @property
    def n_drawn(self) -> int:
        """Number of random draws that the p-value rests on; 0 where nothing was drawn."""
        return self.law.n_drawn if self.joint is None else self.joint.n_drawn(self.law)

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing; 0 where nothing was drawn."""
        if self.joint is not None:
            return self.joint.monte_carlo_error(self.by_itself)
        if not self.n_drawn:
            return 0.0
        return math.sqrt(self.pvalue * (1 - self.pvalue) / self.n_drawn)

    def why_no_pvalue(self, unit: str) -> str:
        """Say why no p-value can be computed; empty where there is one.

        Parameters
        ----------
        unit : str
            What one observation is, as reports call it.

        Returns
        -------
        str
            What follows "because".
        """
        return self.law.without_variance(unit) if math.isnan(self.pvalue) else ""

    def confidence_interval(self, confidence_level: Any = 0.95) -> ConfidenceInterval:
        """Confidence interval for the estimand, one-sided when `alternative` is.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1; where the interval is `simultaneous`, the chance that
            all intervals of the family contain their estimands.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the estimate. A limit is infinite on
            the side that a one-sided alternative leaves open, and where too few units (or
            draws) allow no limit. Both are nan where nothing varies about an estimate that
            is not zero, so that its error is unknown. ``(0, 0)`` where the systems do not
            differ on any unit, in procedures that judge by how the differences vary.
        """
        many = isinstance(confidence_level, np.ndarray)  # of a family: a level for each
        for level in np.unique(confidence_level).tolist() if many else [confidence_level]:
            check_level(level)
        alpha, joint = 1 - confidence_level, self.joint
        if joint is None:
            low, high = self.law.interval(self.alternative, alpha)
        else:
            low, high = joint.interval(self.law, self.alternative, alpha)
        opened = one_sided(self.alternative, low, high)
        unknown = np.isnan(low)
        return ConfidenceInterval(*(number(np.where(unknown, math.nan, end)) for end in opened))

    def critical_value(self, alpha: float = 0.05) -> float:
        """Value of the statistic from which the test rejects at `alpha`, as tables have it.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test; of the family, where the outcome is judged together with
            others.

        Returns
        -------
        float
            In the unit of `statistic`. Of t, z and F it is a quantile, which abs(statistic)
            must exceed; else, for a two-sided test, the value on the side of A, and for
            ``"less"`` the one down from which the test rejects. Infinite when no value of
            the statistic rejects.

        Raises
        ------
        ValueError
            If no tables have one, as of permutations and resamples.
        """
        check_alpha(alpha)
        if self.joint is not None:
            return self.joint.critical_value(self.law, self.alternative, alpha)
        return self.law.critical_value(self.alternative, alpha)

    def _interval_alone(self, confidence_level: float) -> ConfidenceInterval:
        """Two-sided interval of this comparison alone, whatever was asked."""
        own = replace(self, alternative="two-sided", joint=None)
        return own.confidence_interval(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> Any:
        """p-value of an effect of at most (for ``"less"``, at least) `bound`."""
        return above_zero(self.law.tails(bound)[alternative == "greater"])

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        """Return what the comparison says as probabilities; None where that is not known."""
        return self.law.posterior(rope, n_draws=n_draws, rng=rng)

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {
            "alternative": OPPOSITE.__getitem__,
            "effect_sizes": self.law.turned_effects,
        }


def interval_at(outcome: Comparison, level: float) -> ConfidenceInterval:
    """Interval of a comparison at a level that may be 1, where it contains everything."""
    if level >= 1:
        return ConfidenceInterval(-math.inf, math.inf)
    return outcome.confidence_interval(level)


def taken(record: Any, place: Any, shape: tuple[int, ...] | None = None) -> Any:
    """Take some places, or one, of a record of arrays; the rest belongs to all."""
    shape, kind = shape or np.shape(record.estimate), cast(Any, type(record))
    of_all = getattr(kind, "_of_all", ())
    held = {name: getattr(record, name) for name in names_of_fields(kind) if name not in of_all}
    return replace(record, **{name: _at(value, shape, place) for name, value in held.items()})


def _at(value: Any, shape: tuple[int, ...], place: Any) -> Any:
    if isinstance(value, Law | Joint | Comparison):
        return taken(value, place, shape)
    if isinstance(value, ScorePairs):
        return value.of_pair(place)
    if isinstance(value, Mapping):
        return {name: _at(own, shape, place) for name, own in value.items()}
    if not isinstance(value, np.ndarray) or value.shape[: len(shape)] != shape:
        return value
    found = value[place]
    return found if np.ndim(found) else np.asarray(found).item()


def each_of(
    law: Law, compute: Callable[[Any, Any], tuple[float, float]], given: Any
) -> tuple[Any, Any]:
    """Compute two numbers of every comparison and of what is given of it, or of all.

    It is for laws that one comparison after the other has to be asked by.
    """
    if not np.ndim(law.estimate):
        return compute(law, given)
    each = np.broadcast_to(given, len(law.estimate)).tolist()
    found = [compute(taken(law, place), own) for place, own in enumerate(each)]
    first, second = np.array(found, dtype=float).reshape(-1, 2).T
    return first, second
