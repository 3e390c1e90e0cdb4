"""The outcome of a test, or of many as arrays: its hypotheses and the law of its estimate."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _chance as tails
from skstat.stats import _words as words
from skstat.stats._posterior import Posterior, StudentPosterior
from skstat.stats._procedure import DIFFERENCE, Quantity, Reference, procedure, works
from skstat.stats._score_table import ScorePairs
from skstat.stats._scores import Compute, PairedScores
from skstat.stats._stored import Number, NumberOrNone, Stored, SuggestsNames, names_of_fields


@dataclass(frozen=True, kw_only=True, eq=False)
class Law(Stored, words.Swappable):
    """The sampling distribution of an estimate, or of many: p-values and confidence limits.

    A law defines two functions, `tails` and `limits`, from which intervals, one-sided
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

        Unless a law overrides it, they are computed from the limits of a single comparison.

        Parameters
        ----------
        bound : float
            An effect A - B.
        """
        return tails_by_limits(self, bound)

    @abstractmethod
    def limits(self, tail: Any) -> tuple[Any, Any]:
        """Return the lowest and the highest effect that a test with such a tail keeps."""

    @property
    def statistic(self) -> Any:
        """Value of the test statistic; the estimate, unless a law has another."""
        return self.estimate

    def interval(self, alternative: str, alpha: Any) -> tuple[Any, Any]:
        """Return the limits at level `alpha`, both of them also for one-sided alternatives."""
        return self.limits(alpha / 2 if alternative == "two-sided" else alpha)

    def swapped_effects(self, effects: Mapping[str, Any]) -> dict[str, Any]:
        """Return the effect sizes of B against A."""
        return {name: float(name in self.chances) - size for name, size in effects.items()}

    def null_pvalues(self, alternative: str) -> words.NullPvalues:
        """Return the distribution of the p-value where the null hypothesis is true.

        Unless a law overrides it, it is uniform from the smallest possible p-value on.
        """
        defined = not math.isnan(self.pvalue(alternative))
        return words.NullPvalues(smallest=self.smallest_pvalue(alternative) if defined else 1.0)

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
        raise ValueError(f"this {self.statistic_name} has no critical values; use the p-value.")

    def critical_value(self, alternative: str, alpha: float) -> float:
        """Value from which the statistic rejects at a level, as tables have it."""
        return float(self.quantile(alpha / 2 if alternative == "two-sided" else alpha))

    @property
    def direction(self) -> Any:
        """Side that the statistic favours: 1 for A, -1 for B, 0 for neither."""
        return words.number(np.sign(self.estimate))

    def pvalue(self, alternative: str) -> Any:
        """p-value of no effect; nan where there is no variance to test it against."""
        return pvalue_of_tails(*self.tails(0.0), alternative)

    def smallest_pvalue(self, alternative: str) -> Any:
        """Smallest p-value that this many units can give; 0 when there is no floor."""
        return 0.0

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        """Return the posterior that belongs to the comparison; None where there is none."""
        return None

    def without_variance(self, unit: str) -> str:
        """Say why there is no p-value, as what follows "because"."""
        return f"the {unit}s show no variance to test it against"


def by_rows(differences: Any, compute: Compute, parameter: Any = 0.0) -> tuple[Any, ...]:
    """Compute numbers of every comparison from its row of differences.

    Parameters
    ----------
    differences : ndarray of shape (n_units,), or ScorePairs
        Those of one comparison, or of many, which are computed in blocks.
    compute : callable
        From rows of differences, and a parameter for each, to arrays.
    parameter : float or ndarray, default=0.0
        The parameter, one for all comparisons or one for each.
    """
    if not isinstance(differences, ScorePairs):
        values = compute(differences[None], np.atleast_1d(parameter))
        return tuple(parameters[0].item() for parameters in values)
    parameters = np.broadcast_to(parameter, len(differences.pairs))
    parts = [compute(rows, parameters[block]) for block, rows, _ in differences.blocks()]
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


def at_levels(compute: Callable[[float], float], levels: Any) -> Any:
    """Compute a number from a level, or from each of many, once for every distinct level."""
    distinct, inverse = np.unique(levels, return_inverse=True)
    values = np.array([compute(level) for level in distinct.tolist()])
    return words.number(values[inverse.reshape(np.shape(levels))])


def tails_by_limits(law: Law, bound: float, floor: float = 0.0) -> tuple[Any, Any]:
    """Return the two one-sided p-values of a bound, by inverting the confidence limits.

    Each is the smallest tail whose limit excludes the bound on its side; for an estimate on the
    other side of the bound, 1 less that of the opposite test. nan where the law has no
    limits.

    Parameters
    ----------
    law : Law
        The law.
    bound : float
        An effect A - B.
    floor : float, default=0.0
        Smallest p-value that the units, or resamples, can give.
    """
    if np.isnan(law.limits(0.25)).any():
        return math.nan, math.nan
    noise = words.NOISE * max(abs(bound), abs(law.estimate))
    below = words.smallest_tail(lambda tail: bool(bound - law.limits(tail)[1] > noise), floor)
    above = words.smallest_tail(lambda tail: bool(law.limits(tail)[0] - bound > noise), floor)
    if below is None:
        return (0.5, 0.5) if above is None else (1 - above, above)
    return below, 1 - below if above is None else above


def pvalue_of_tails(below: Any, above: Any, alternative: str) -> Any:
    """Return the p-value of an alternative from the two one-sided ones."""
    both = np.minimum(1.0, 2 * np.minimum(below, above))
    return words.above_zero({"less": below, "greater": above}.get(alternative, both))


def wald_limits(estimate: Any, standard_error: Any, quantile: Any) -> tuple[Any, Any]:
    """Return estimates minus and plus a quantile times the standard error.

    nan where there is no error to an estimate that is not zero.
    """
    errors = np.asarray(standard_error, dtype=float)
    out = np.zeros(np.broadcast_shapes(errors.shape, np.shape(quantile)))
    half = np.multiply(quantile, errors, out=out, where=errors != 0)
    half = np.where((errors != 0) | np.equal(estimate, 0), half, math.nan)
    return words.number(estimate - half), words.number(estimate + half)


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
        default = np.where(np.equal(self.estimate, 0), 0.0, np.copysign(np.inf, self.estimate))
        return self._ratio(self.estimate, default)

    def tails(self, bound: Any) -> tuple[Any, Any]:
        t = self._ratio(np.subtract(self.estimate, bound), math.nan)
        return self._below(t), self._below(np.negative(t))

    def pvalue(self, alternative: str) -> Any:
        # Without variance there is nothing to judge a difference by; p = 0 would claim
        # certainty from a handful of equal numbers.
        default = np.where(np.equal(self.estimate, 0), 1.0, math.nan)
        pvalue = super().pvalue(alternative)
        return words.number(np.where(np.not_equal(self.standard_error, 0), pvalue, default))

    def limits(self, tail: Any) -> tuple[Any, Any]:
        return wald_limits(self.estimate, self.standard_error, self.quantile(tail))

    def quantile(self, tail: Any) -> Any:
        """Value that the statistic exceeds with chance `tail`."""
        return tails.normal_isf(tail) if self.df is None else tails.t_isf(tail, self.df)

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        if self.df is None:
            return None
        mean, error, df = map(float, (self.estimate, self.standard_error, self.df))
        return StudentPosterior.of(
            mean, error, df, rope, references=(works.BENAVOLI_ET_AL_2017,)
        )

    def _below(self, t: Any) -> Any:
        return special.ndtr(t) if self.df is None else special.stdtr(self.df, t)

    def _ratio(self, difference: Any, default: Any) -> Any:
        errors = np.asarray(self.standard_error, dtype=float)
        out = np.broadcast_to(default, np.shape(difference)).astype(float)
        return words.number(np.divide(difference, errors, out=out, where=errors != 0))


def alpha_of(confidence_level: float) -> float:
    """Return 1 - confidence_level, rounded: 1 - 0.99 is more than 0.01 in floats."""
    return round(1 - confidence_level, 12)


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint(Stored, words.Swappable):
    """Joint inference on a family: adjusted p-values and simultaneous intervals.

    Simultaneous intervals all contain their estimands with the stated chance. A method or
    class attribute of a subclass (``df``, ``standard_error``, ``statistic``, ``n_drawn``,
    ``smallest_pvalue``, ``monte_carlo_error``) takes precedence over that of the law.

    Attributes
    ----------
    pvalue : float, ndarray or None
        p-values adjusted for the family; None where they are computed elsewhere.
    n_resamples, seed : int or None
        Number and seed of the draws of the joint distribution, where there are any.
    own_test : str or None
        Name of the test by itself, where the family's is another.
    """

    # Symbol of the statistic, where the family has one of its own.
    statistic_name: ClassVar[str | None] = None

    pvalue: NumberOrNone = None
    n_resamples: int | None = None
    seed: int | None = None
    own_test: str | None = None

    @abstractmethod
    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        """Return simultaneous limits; for a one-sided alternative, of both sides too."""

    def critical_value(self, law: Law, alternative: str, alpha: float) -> float:
        """Return the value from which the statistic rejects at a level of the family."""
        raise ValueError("this family has no critical values; use its p-values.")

    def critical_difference(self, law: Law, alpha: float) -> float | None:
        """Return the critical difference of all pairs at a level, if there is a single one."""
        return None


# Maxima are rounded: more digits have no meaning, and make stored reports long. Statistics
# that differ by less are tied.
MAXIMA_DECIMALS = 5
_T_TOLERANCE = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class MaxT(Joint):
    """Single-step max-t inference: the law of the largest statistic of a family.

    The interval is the estimate minus and plus the critical value of the maxima times the
    standard error: it excludes 0 exactly where the adjusted p-value is below the level. The
    critical value is what abs(statistic) must exceed, at the level of the family.

    Attributes
    ----------
    pvalue : float or ndarray
        p-value adjusted for the family: the share of draws whose largest statistic over
        the family is at least as large; nan where a constant difference leaves nothing to test
        against.
    errors : float or ndarray
        Standard errors under the joint distribution; 0 where there is none.
    maxima : ndarray of shape (n_resamples,)
        Largest statistic of the family under its joint distribution: of every draw, resample
        or pattern of signs, the smallest first.
    n_resamples, seed : int
        Number and seed of the draws.
    least : float or None
        Smallest p-value that the units can give, if that is more than what the draws can.
    estimates, alone : float, ndarray or None
        Estimates, and p-values of every comparison by itself, from the same draws. They are
        not stored: the comparison has its own.
    how : str
        Name of the law.
    n_requested : int or None
        Draws that were asked for; of signs there may be fewer patterns.
    """

    statistic_name, n_drawn = "t", 0
    _of_all = frozenset({"maxima"})
    _not_written = ("estimates", "alone", "how", "n_requested")

    n_resamples: int
    errors: Number
    maxima: Number
    least: float | None = None
    estimates: NumberOrNone = None
    alone: NumberOrNone = None
    how: str = ""
    n_requested: int | None = None

    @classmethod
    def of(cls, t: Any, estimates: Any, errors: Any, maxima: Any, **facts: Any) -> Self:
        """Compute adjusted p-values of statistics `t` from draws of the largest one."""
        maxima = np.sort(np.round(maxima, MAXIMA_DECIMALS))
        n_below, n = np.searchsorted(maxima, t - tolerance_of_t(t)), len(maxima)
        pvalues = np.maximum((1 + n - n_below) / (1 + n), facts.get("least") or 0.0)
        unknown = np.isnan(errors)
        pvalues, errors = np.where(unknown, math.nan, pvalues), np.where(unknown, 0.0, errors)
        facts |= {"maxima": maxima, "estimates": estimates, "n_resamples": n}
        return cls(pvalue=pvalues, errors=errors, **facts)

    @property
    def drawn_by(self) -> int | None:
        """The seed of the draws; None where every pattern of signs was taken once."""
        return self.seed if self.n_requested in (None, self.n_resamples) else None

    def standard_error(self, law: Law) -> Any:
        return self.errors

    def df(self, law: Law) -> Any:
        return None

    def statistic(self, law: Law) -> Any:
        return Student(estimate=law.estimate, standard_error=self.errors).statistic

    def monte_carlo_error(self, comparison: Any) -> float:
        return math.sqrt(self.pvalue * (1 - self.pvalue) / max(1, self.n_resamples))

    def smallest_pvalue(self, law: Law, alternative: str) -> float:
        return max(1 / (1 + self.n_resamples), self.least or 0.0)

    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        of_level = partial(self.critical_value, law, alternative)
        critical = at_levels(of_level, np.round(alpha, 12))
        limits = words.ConfidenceInterval(*wald_limits(law.estimate, self.errors, critical))
        if (spread := getattr(law, "spread", None)) is None:
            return limits
        tail = float(special.ndtr(-critical))
        return cast(words.ConfidenceInterval, spread.lengthen(limits, law.estimate, tail))

    def critical_value(self, law: Law, alternative: str, alpha: float) -> float:
        # With up to n larger maxima the p-value (1 + n) / (1 + B) is below alpha.
        n = math.ceil(round(alpha * (1 + len(self.maxima)), 9)) - 2
        if n < 0 or self.smallest_pvalue(law, alternative) >= round(alpha, 12):
            return math.inf
        critical = float(self.maxima[-1 - n])
        # Undo the tolerance by which the observed value counts as larger.
        if abs(critical) <= 1 - _T_TOLERANCE:
            return critical + _T_TOLERANCE
        return critical / (1 - math.copysign(_T_TOLERANCE, critical))


def tolerance_of_t(observed: Any) -> Any:
    """Return the difference up to which statistics are tied."""
    return _T_TOLERANCE * np.maximum(1.0, np.abs(observed))


class _FromLaw:
    """Descriptor: an attribute of the law, unless `joint` has one of the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, comparison: Any, owner: type) -> Any:
        if comparison is None:
            return self
        value = getattr(comparison.joint, self.name, None)
        if value is None:
            value = getattr(comparison.law, self.name)
        elif callable(value):
            value = value(comparison.law)
        return vars(comparison).setdefault(self.name, value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Stored, SuggestsNames, words.Swappable):
    """The outcome of a test of one comparison, or, with arrays in its law, of many.

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
        Adjustment for a family of comparisons, whose intervals are then simultaneous.
    estimate : float or ndarray
        The estimate, A - B, of which `scale` says what it is a difference of.
    standard_error, df : float, ndarray or None
        Standard error of the estimate, and degrees of freedom, where there are any.
    statistic, statistic_name : float or ndarray, and str
        The test statistic, and its symbol.
    direction : int or ndarray
        Side that the statistic favours: 1 for A, -1 for B, 0 for neither.
    n_resamples, n_drawn : int or None, and int
        Number of resamples, where there are any, and of random draws that the p-value
        rests on.
    """

    example: ClassVar[str] = "paired_t(sample)"
    test: Any
    estimand: str
    null_hypothesis: str
    alternative: str = "two-sided"
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, Number] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    law: Law
    ignored_variance: tuple[str, ...] | None = None
    joint: Joint | None = None

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        test = state["test"]  # of all, or of each
        return state if isinstance(test, str) else state | {"test": np.array(test, "U")}

    def _part(self) -> tuple[str, Any] | None:
        return None if "law" not in vars(self) else ("law", self.law)

    estimate, standard_error, df = _FromLaw(), _FromLaw(), _FromLaw()
    statistic, statistic_name, scale, direction = _FromLaw(), _FromLaw(), _FromLaw(), _FromLaw()
    n_resamples, n_drawn = _FromLaw(), _FromLaw()

    def _from_joint_or_law(self, name: str, *args: Any) -> Any:
        """Call a method of `joint`, if it has one of that name, else of the law."""
        method = getattr(self.joint, name, None)
        return getattr(self.law, name)(*args) if method is None else method(self.law, *args)

    @property
    def simultaneous(self) -> bool:
        """Whether the interval is simultaneous with those of a family."""
        return self.joint is not None

    @property
    def unadjusted(self) -> "Comparison":
        """The same comparison without the adjustment for its family, if it has one."""
        if self.joint is None:
            return self
        return replace(self, test=self.joint.own_test or self.test, joint=None)

    @cached_property
    def pvalue(self) -> Any:
        """p-value for `alternative`; nan when no valid one exists."""
        return self.law.pvalue(self.alternative)

    @property
    def smallest_pvalue(self) -> Any:
        """Smallest p-value that this many units can give; 0 when there is no floor."""
        return self._from_joint_or_law("smallest_pvalue", self.alternative)

    @property
    def seed(self) -> int | None:
        """Seed of the draws; None where nothing was drawn."""
        return self.law.seed if self.joint is None else self.joint.seed

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing; 0 where nothing was drawn."""
        error: Any = getattr(self.joint, "monte_carlo_error", None)
        if error is not None:
            return float(error(self.unadjusted))
        n = self.n_drawn
        return math.sqrt(self.pvalue * (1 - self.pvalue) / n) if n else 0.0

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

    def confidence_interval(self, confidence_level: Any = 0.95) -> words.ConfidenceInterval:
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
            words.check_level(level)
        low, high = self._from_joint_or_law("interval", self.alternative, 1 - confidence_level)
        undefined, ends = np.isnan(low), words.one_sided(self.alternative, low, high)
        limits = (words.number(np.where(undefined, math.nan, end)) for end in ends)
        return words.ConfidenceInterval(*limits)

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
        words.check_alpha(alpha)
        return float(self._from_joint_or_law("critical_value", self.alternative, alpha))

    def _interval_alone(self, confidence_level: float) -> words.ConfidenceInterval:
        """Return the two-sided unadjusted interval, whatever `alternative` and `joint` are."""
        alone = replace(self, alternative="two-sided", joint=None)
        return alone.confidence_interval(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> Any:
        """Return the p-value of an effect of at most (for ``"less"``, at least) `bound`."""
        return words.above_zero(self.law.tails(bound)[alternative == "greater"])

    def _changes(self) -> dict[str, Any]:
        changed = super()._changes() | {"alternative": words.OPPOSITE[self.alternative]}
        return changed | {"effect_sizes": self.law.swapped_effects(self.effect_sizes)}


def take(record: Any, index: Any, shape: tuple[int, ...] | None = None) -> Any:
    """Index all arrays of a record; fields that are shared by all comparisons are kept."""
    shape, kind = shape or np.shape(record.estimate), cast(Any, type(record))
    names = [name for name in names_of_fields(kind) if name not in getattr(kind, "_of_all", ())]
    return replace(record, **{name: _at(getattr(record, name), shape, index) for name in names})


def _at(value: Any, shape: tuple[int, ...], index: Any) -> Any:
    if isinstance(value, Law | Joint | Comparison):
        return take(value, index, shape)
    if isinstance(value, ScorePairs):
        return value.of_pair(index)
    if isinstance(value, Mapping):
        return {name: _at(item, shape, index) for name, item in value.items()}
    if not isinstance(value, np.ndarray) or value.shape[: len(shape)] != shape:
        return value
    part = value[index]
    return part if np.ndim(part) else np.asarray(part).item()


def map_each(law: Law, compute: Callable[..., tuple[Any, Any]], args: Any) -> tuple[Any, Any]:
    """Compute two numbers of every comparison from an argument for each, or one for all.

    For laws that cannot compute with arrays: `compute` is called once per comparison.
    """
    if not np.ndim(law.estimate):
        return compute(law, args)
    values = np.broadcast_to(args, len(law.estimate)).tolist()
    results = [compute(take(law, i), value) for i, value in enumerate(values)]
    first, second = np.array(results, dtype=float).reshape(-1, 2).T
    return first, second


@procedure()
def effect_sizes(sample: PairedScores | ScorePairs) -> dict[str, Any]:
    """Effect sizes of the differences A - B.

    Parameters
    ----------
    sample : PairedScores or ScorePairs
        Scores of both systems on the same units, or pairs of a table.

    Returns
    -------
    dict of str to float, or to ndarray
        ``d_z`` (mean over standard deviation of the differences) and ``Hedges g``
        (the same times 1 - 3 / (4 df - 1)), both named with their unit because over
        splits they are inflated by design; ``rank-biserial``, (R+ - R-)/(R+ + R-)
        of the signed ranks; ``common-language``, the share of units on which A
        scores higher, ties counted half. A standardised effect without variance
        is nan, or 0 when there is no difference at all.

    References
    ----------
    .. [1] Hedges, L. V. (1981). Distribution theory for Glass's estimator of
       effect size. Journal of Educational Statistics, 6(2), 107-128.
    .. [2] Kerby, D. S. (2014). The simple difference formula. Comprehensive
       Psychology, 3.

    Examples
    --------
    >>> from skstat.stats import PairedScores, effect_sizes
    >>> sample = PairedScores([3.0, 2.0, 4.0], [1.0, 2.0, 1.0], unit="dataset")
    >>> effects = effect_sizes(sample)
    >>> round(effects["common-language"], 3), effects["rank-biserial"]
    (0.833, 1.0)
    """
    n, over = sample.n_units, f"over {words.unit_word(sample.unit)}s"
    if_constant = np.where(sample.identical, 0.0, math.nan)
    spread = np.asarray(sample.spread)
    d_z = np.divide(sample.mean, spread, out=if_constant, where=spread != 0)
    # The approximate factor is 0 at one degree of freedom, where none exists.
    hedges = 1 - 3 / (4 * (n - 1) - 1) if n > 2 else math.nan
    return {
        f"d_z {over}": words.number(d_z),
        f"Hedges g {over}": words.number(np.where(d_z == 0, 0.0, hedges * d_z)),
        "rank-biserial": words.number(sample.rank_biserial),
        "common-language": sample.share_won,
    }


def compared(
    sample: PairedScores | ScorePairs, alternative: str, law: Law, **facts: Any
) -> Comparison:
    """Return a comparison of the scores of A and B, with default words unless in `facts`."""
    if (b := words.other(sample)) != "B":
        facts["assumptions"] += (f"{b} was known in advance",)
    usual: dict[str, Any] = {
        "estimand": words.estimand(sample),
        "null_hypothesis": words.null_hypothesis(sample, alternative),
        "effect_sizes": effect_sizes(sample),
    }
    return Comparison(alternative=alternative, law=law, **usual | facts)


Numbers = NDArray[np.float64]
Limits = tuple[Numbers, Numbers]


# Outcomes of single comparisons are cached up to this number.
_MAX_CACHED = 10_000


class OutcomeFamily(Sequence[Comparison]):
    """Sequence of the outcomes of several comparisons, with their numbers as arrays.

    Parameters
    ----------
    comparisons : sequence of Comparison, or Comparison
        The comparisons; or one whose numbers are arrays, from which single outcomes are
        created on access.
    """

    _written_as: ClassVar[str] = "comparisons"

    def __init__(self, comparisons: Sequence[Comparison] | Comparison) -> None:
        self.comparisons: Any = comparisons
        self._built: dict[int, Comparison] = {}
        self._numbers: dict[tuple[Any, ...], Numbers] = {}
        self._limits: dict[bytes, Limits] = {}  # several parts of a report ask at one level

    def __reduce__(self) -> tuple[Any, ...]:
        return OutcomeFamily, (self.comparisons,)

    def __len__(self) -> int:
        return len(getattr(self.comparisons, "estimate", self.comparisons))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(len(self))[index])
        index = range(len(self))[index]  # counts from the end, and refuses what is beyond
        if not isinstance(self.comparisons, Comparison):
            return self.comparisons[index]
        comparison = self._built.get(index) or take(self.comparisons, index)
        if len(self._built) < _MAX_CACHED:
            self._built[index] = comparison
        return comparison

    @property
    def representatives(self) -> Sequence[int]:
        """Indices of outcomes that together have all distinct texts, in ascending order.

        Where texts depend on the design and the alternative only, one outcome is enough.
        """
        if not isinstance(self.comparisons, Comparison):
            return range(len(self))
        kinds = np.unique(self.comparisons.test, return_index=True)[1]  # of each, or of all
        return tuple(sorted(kinds.tolist()))

    def distinct(self, name: str) -> tuple[Any, ...]:
        """Return the distinct values of a text attribute of the outcomes."""
        values = (getattr(self[i], name) for i in self.representatives)
        return tuple(dict.fromkeys(values))

    def numbers(self, name: str, *args: Any) -> Numbers:
        """Return an attribute of all comparisons, as ``"pvalue"``, or a method's result."""
        get = methodcaller(name, *args) if args else attrgetter(name)
        if (name, *args) not in self._numbers:
            self._numbers[name, *args] = self._compute(get)
        return self._numbers[name, *args]

    def limits(self, confidence_level: Any = 0.95) -> Limits:
        """Return the limits of the intervals, at one level or each at a level of its own.

        An interval at the level 1 contains everything.
        """
        levels = np.broadcast_to(np.asarray(confidence_level, dtype=float), len(self))
        key = levels.tobytes()
        if key not in self._limits:
            whole = levels >= 1  # where an interval contains everything
            limits = self._compute(Comparison.confidence_interval, np.where(whole, 0.5, levels))
            low, high = np.where(whole, [[-math.inf], [math.inf]], np.reshape(limits, (2, -1)))
            self._limits = {key: (low, high)}
        return self._limits[key]

    def side_of_zero(self, levels: Numbers) -> Numbers:
        """Return the side of 0 on which the intervals lie, each at a level of its own.

        Returns
        -------
        ndarray
            1 above 0, -1 below, 0 where the interval contains 0, nan where there is none.
        """
        low, high = self.limits(levels)
        sides = np.where(np.greater(low, 0), 1.0, np.where(np.less(high, 0), -1.0, 0.0))
        return np.where(np.isnan(low), np.nan, sides)

    def _interval_alone(self, confidence_level: float) -> words.ConfidenceInterval:
        """Return the two-sided limits of every outcome by itself."""
        limits = self.numbers("_interval_alone", confidence_level)
        return words.ConfidenceInterval(*np.reshape(limits, (2, -1)))

    def _compute(self, compute: Callable[..., Any], *arrays: Numbers) -> Any:
        """Compute from all comparisons at once, or one by one, with elements of the arrays."""
        if isinstance(self.comparisons, Comparison):
            values = np.asarray(compute(self.comparisons, *arrays), dtype=float)
            return np.broadcast_to(values, (*values.shape[:-1], len(self)))
        parts = [*map(compute, self.comparisons, *map(np.ndarray.tolist, arrays))]
        return np.moveaxis(np.array(parts, dtype=float), 0, -1)


def family_of(outcomes: Sequence[Comparison] | Comparison) -> OutcomeFamily:
    """Return outcomes, one by one or as arrays, as an :class:`OutcomeFamily`."""
    return outcomes if isinstance(outcomes, OutcomeFamily) else OutcomeFamily(outcomes)
