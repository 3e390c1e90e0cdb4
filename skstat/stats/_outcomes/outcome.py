"""Outcomes: the numbers of a procedure, and how to ask them for more."""

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import (
    DIFFERENCE,
    ComparesSizes,
    MeansNames,
    NotRestoredError,
    Quantity,
    Readers,
    Reference,
    Stored,
    from_plain,
    numbers_by_name,
    subclasses_of,
    tails,
    tuple_of_list,
    with_nan,
)
from skstat.stats._outcomes.levels import OPPOSITE, Turns, check_alpha, pvalue_by_inversion
from skstat.stats._outcomes.posterior import Posterior
from skstat.stats._samples import PairedScores, ScorePairs, Scores, Successes

_Sample = PairedScores | ScorePairs | Scores

_POPULATION = {
    "instance": "instances, for these two fitted systems",
    "group": "groups of instances, for these two fitted systems",
    "seed": "seeds, for this data set and this test set",
    "dataset": "data sets",
}

IGNORED_VARIANCE = {
    "split": ("the choice of the data set: on other data the answer may differ",),
    "instance": (
        "the choice of the training data: the fitted systems are treated as fixed",
        "the seeds of the systems",
    ),
    "group": (
        "the choice of the training data: the fitted systems are treated as fixed",
        "the seeds of the systems",
    ),
    "seed": ("the choice of the training data", "the choice of the test set"),
    "dataset": ("the error of each data set's own score",),
}


# Of tests whose standard error is one over samples of rows, other rows are covered.
BEYOND_THE_POPULATION = ("data from another population", "training sets of another size")


def ignored_variance(sample: Any) -> tuple[str, ...]:
    """Sources of variance that no test of the sample covers, by its unit."""
    if getattr(sample, "covers_other_rows", False):
        return BEYOND_THE_POPULATION
    found = IGNORED_VARIANCE[str(sample.unit)]
    return tuple(map(_of_one, found)) if isinstance(sample, Scores | Successes) else found


def sampled_by(outcome: Any) -> dict[str, Any] | None:
    """Name and count what a standard error is about, if that is not the unit of the scores."""
    law = getattr(outcome.by_itself, "law", None)
    n = getattr(law, "n_sampled", None)
    return None if law is None or n is None else {"unit": law.sampled_unit, "n": n}


def estimand(sample: _Sample, parameter: str = "mean", b: str = "B") -> str:
    """Name the quantity that `parameter` of the sample's differences estimates."""
    if sample.unit == "split":
        return f"expected score(A) - {_score(b)}, {sample.training}"
    return f"{parameter} of score(A) - {_score(b)} over {_population(sample, b)}"


def null_relation(alternative: str) -> str:
    """Write how A relates to B where there is no effect in the direction asked."""
    return {
        "two-sided": "equals",
        "greater": "is not higher than",
        "less": "is not lower than",
    }[alternative]


def null_hypothesis(sample: _Sample, alternative: str, b: str = "B") -> str:
    """State the hypothesis of no effect on the mean, in the direction asked."""
    relation = null_relation(alternative)
    where = sample.training if sample.unit == "split" else f"over {_population(sample, b)}"
    return f"the expected score of A {relation} {_expected(b)}, {where}"


def _population(sample: _Sample, b: str) -> str:
    words = _POPULATION[str(sample.unit)]
    return words if b == "B" else _of_one(words)  # else b is a constant, and no system


def _of_one(words: str) -> str:
    """Speak of one system where it alone was scored."""
    for several, one in (
        ("these two fitted systems", "this fitted system"),
        ("the fitted systems are treated as fixed", "the fitted system is treated as fixed"),
        ("of the systems", "of the system"),
    ):
        words = words.replace(several, one)
    return words


def _score(b: str) -> str:
    return "score(B)" if b == "B" else b


def _expected(b: str) -> str:
    return "that of B" if b == "B" else b


def unit_word(unit: str | None) -> str:
    """Name one unit in words."""
    return "data set" if unit == "dataset" else str(unit)


def population(unit: str | None, k: int) -> str:
    """Say which units a test of k systems speaks about, and what it takes as given."""
    given = {
        "instance": f", for these {k} fitted systems",
        "group": f" of instances, for these {k} fitted systems",
        "seed": ", for this data set and this test set",
    }
    return f"{unit_word(unit)}s{given.get(str(unit), '')}"


class NullPvalues(NamedTuple):
    """The distribution of a p-value under the null hypothesis.

    Attributes
    ----------
    values : ndarray
        p-values that are possible, the smallest first; empty where all from `least` are.
    chances : ndarray
        Chance of each of them or a smaller one.
    least : float
        Smallest p-value, from which all are possible; a p-value of so much or less has the
        chance `least`.
    """

    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    least: float = 0.0

    @classmethod
    def from_least(cls, least: float) -> "NullPvalues":
        """Return the law of a p-value that exceeds no level, from the smallest possible one."""
        none = np.empty(0)
        return cls(none, none, least)

    @classmethod
    def of_counts(cls, pvalues: Any, chances: Any) -> "NullPvalues":
        """Return the law of a p-value of counts, from what each of them gives, and its chance.

        Parameters
        ----------
        pvalues : array-like of shape (n_counts,)
            p-value of every count.
        chances : array-like of shape (n_counts,)
            Chance of every count.
        """
        values, place = np.unique(np.asarray(pvalues, dtype=float), return_inverse=True)
        cumulated = np.cumsum(np.bincount(place, np.asarray(chances, dtype=float))).astype(
            float
        )
        cumulated[-1] = 1.0
        return cls(values, cumulated)

    def of(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the p-values at some cumulative chances: those of uniform draws are draws."""
        if not self.values.size:
            return np.maximum(chances, self.least)
        return self.values[np.searchsorted(self.chances, chances, side="left")]


# What turns statistics so that large ones support the alternative.
TOWARDS = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval, in the unit of the estimate."""

    low: float
    high: float


class _WithPvalue(Protocol):
    tested_by_variance: ClassVar[str]

    @property
    def pvalue(self) -> float: ...


class ExplainsPvalue(MeansNames):
    """What a test found, which says why where it has no p-value."""

    tested_by_variance: ClassVar[str] = "it"

    def why_no_pvalue(self: _WithPvalue, unit: str) -> str:
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
        if not math.isnan(self.pvalue):
            return ""
        return f"the {unit}s show no variance to test {self.tested_by_variance} against"


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome(Stored, ExplainsPvalue, Turns, ABC):
    """What a procedure found, and what it was asked.

    Subclasses add the numbers of one family of procedures. Positive effects always
    favour A: they are score(A) - score(B), unless `scale` says otherwise.

    Attributes
    ----------
    test : str
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
    statistic_name : str
        Symbol of the statistic, for reports.
    references : tuple of Reference
        The works that describe the procedure.
    scale : str
        What the estimate is a difference of.
    simultaneous : bool
        Whether the interval is simultaneous with those of all comparisons of a family.
    follows_skewness : bool
        Whether the interval is longer on the side of the longer tail of the estimate.
    """

    made_by: ClassVar[str] = "paired_t(sample)"
    scale: ClassVar[str] = "score"
    simultaneous: ClassVar[bool] = False
    follows_skewness: ClassVar[bool] = False
    # Effect sizes that are chances of A: those of B are what is left of 1.
    _chances: ClassVar[tuple[str, ...]] = ("common-language", "chance to be preferred")
    _readers: ClassVar[Readers] = {
        "assumptions": tuple_of_list,
        "effect_sizes": numbers_by_name,
    }
    _newer = frozenset({"references"})

    test: str
    estimand: str
    null_hypothesis: str
    alternative: str = "two-sided"
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()

    if TYPE_CHECKING:

        @property
        def statistic_name(self) -> str: ...

        @property
        def estimate(self) -> Any: ...

        @property
        def standard_error(self) -> Any: ...

        @property
        def df(self) -> Any: ...

    @property
    @abstractmethod
    def statistic(self) -> float:
        """Value of the test statistic."""

    @property
    @abstractmethod
    def pvalue(self) -> float:
        """p-value for `alternative`; nan when no valid one exists."""

    @property
    def quantity(self) -> Quantity:
        """What the estimate is; unless a subclass says otherwise the scores' difference."""
        return DIFFERENCE

    @property
    def compared(self) -> str:
        """Name of what the estimate is a difference of; the `scale`, or a kind of it."""
        return self.scale

    @property
    def direction(self) -> Any:
        """Side that the statistic favours: 1 for A, -1 for B, 0 for neither."""
        return number(np.sign(self.estimate))

    @property
    def smallest_pvalue(self) -> float:
        """Smallest p-value that this many units can give; 0 when there is no floor."""
        return 0.0

    def null_pvalues(self) -> NullPvalues:
        """Return the distribution of the p-value where the null hypothesis is true.

        Unless a subclass knows it: every level from the smallest possible p-value on is kept.
        """
        if math.isnan(self.pvalue):
            return NullPvalues.from_least(1.0)
        return NullPvalues.from_least(self.smallest_pvalue)

    @property
    def n_drawn(self) -> int:
        """Number of random draws that the p-value rests on; 0 where nothing was drawn."""
        return 0

    @property
    def by_itself(self) -> "Outcome":
        """What the comparison found by itself, where it is one of a family."""
        return self

    @abstractmethod
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
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
        raise ValueError(
            f"there are no tables of critical values for the {self.test}; compare its p-value "
            "with the level."
        )

    def _interval_alone(self, confidence_level: float) -> ConfidenceInterval:
        """Two-sided interval of this comparison alone, whatever was asked."""
        return replace(self, alternative="two-sided").confidence_interval(confidence_level)

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        """p-value of an effect of at most (for ``"less"``, at least) `bound`.

        It agrees with `_interval_alone`, by which it is found unless there is a formula.
        """
        return pvalue_by_inversion(self, bound, alternative)

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        """Return what the comparison says as probabilities; None where its law is not known."""
        return None

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {
            "alternative": OPPOSITE.__getitem__,
            "effect_sizes": self._turned_effects,
        }

    def _turned_effects(self, effects: Mapping[str, float]) -> dict[str, float]:
        """Effect sizes of B against A."""
        return {
            name: 1 - size if name in self._chances else 0.0 - size
            for name, size in effects.items()
        }

    @classmethod
    def _kind_of(cls, name: Any) -> Any:
        known = {kind.__name__: kind for kind in subclasses_of(Outcome)}
        if not isinstance(name, str) or name not in known:
            raise NotRestoredError(
                f"Outcome type {name!r} is unknown here; import the module that "
                "defines it before restoring."
            )
        return known[name]

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        return with_nan(cls, state)


def number(value: Any) -> float:
    """Return a number as a float; the numbers of many pairs stay an array.

    An outcome whose fields are arrays answers about all pairs of a family at once.
    """
    if np.ndim(value):
        return cast(float, value)
    found = float(value)
    return math.nan if math.isnan(found) else found  # the same object: limits are compared


def error_of(outcome: Outcome) -> Any:
    """Return the standard error as an array, 0 where there is none."""
    return np.asarray(0.0 if outcome.standard_error is None else outcome.standard_error)


def t_of(outcome: Outcome) -> float:
    """Return the estimate over its standard error; without one, 0 or infinite."""
    estimate, error = np.asarray(outcome.estimate), error_of(outcome)
    alone = np.where(estimate == 0, 0.0, np.copysign(np.inf, estimate))
    return number(np.divide(estimate, error, out=alone, where=error != 0))


def interval_about(outcome: Outcome, critical: Any) -> ConfidenceInterval:
    """Return the estimate minus and plus a critical value times the standard error.

    nan where there is no error to an estimate that is not zero.
    """
    estimate, error = np.asarray(outcome.estimate), error_of(outcome)
    known = error != 0
    half = np.multiply(critical, error, out=np.zeros(error.shape), where=known)
    known |= estimate == 0
    low, high = one_sided(outcome.alternative, estimate - half, estimate + half)
    return ConfidenceInterval(*(number(np.where(known, end, math.nan)) for end in (low, high)))


def one_sided(alternative: str, low: float, high: float) -> ConfidenceInterval:
    """Open the side of the interval that `alternative` does not look at."""
    return ConfidenceInterval(
        number(low) if alternative != "less" else -math.inf,
        number(high) if alternative != "greater" else math.inf,
    )


def interval_at(outcome: "Outcome", level: float) -> ConfidenceInterval:
    """Interval of a comparison at a level that may be 1, where it contains everything."""
    if level >= 1:
        return ConfidenceInterval(-math.inf, math.inf)
    return outcome.confidence_interval(level)


def limit(rejecting: np.ndarray, side: str) -> float:
    """Value nearest to the null among those that reject; infinite if there is none."""
    if side == "less":
        return float(rejecting.max()) if rejecting.size else -math.inf
    return float(rejecting.min()) if rejecting.size else math.inf


def above_zero(pvalue: float) -> float:
    """Keep a p-value that underflows from claiming certainty; nan stays nan."""
    return number(np.maximum(pvalue, sys.float_info.min))


def smallest_of_signs(alternative: str, n_untied: Any) -> float:
    """Smallest p-value over the 2^n sign patterns of `n_untied` differences."""
    of_one_side = np.ldexp(1.0, -np.asarray(n_untied, dtype=np.int64))
    return number(np.minimum(1.0, of_one_side * (2 if alternative == "two-sided" else 1)))


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimateOutcome(Outcome):
    """What a procedure found that has an estimate, and answers by itself."""

    _signed: ClassVar[tuple[str, ...]] = ("estimate",)

    statistic_name: str = "statistic"
    # Declared here so that every outcome answers; None where it has no meaning.
    df: float | tuple[float, float] | None = None
    estimate: float
    standard_error: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class OmnibusOutcome(Stored, ExplainsPvalue):
    """What a test of k systems at once found; it says whether they differ, not which.

    Attributes
    ----------
    test : str
        Name of the procedure.
    estimand : str
        The quantities that are compared, in words.
    null_hypothesis : str
        What is assumed while computing the p-value, in words.
    statistic : float
        Value of the test statistic: infinite without variance to test a difference against,
        but never nan.
    pvalue : float
        The p-value.
    names : tuple of str
        The systems.
    n_units : int
        Units that the systems were scored on.
    statistic_name : str
        Symbol of the statistic, for reports.
    df : float, tuple of two floats, or None
        Degrees of freedom of a chi-squared statistic, or of an F; None when the
        p-value comes from permutations.
    assumptions : tuple of str
        What must hold for the p-value to mean what it says.
    effect_sizes : mapping of str to float
        Sizes of the differences, each named.
    scale : str
        What differs if systems do: their ``"score"``, or their ``"rank"`` by it.
    compares_sizes : {"no", "weakly", "strongly"}
        How much the sizes of differences on different units weigh against each other, as in
        :class:`Quantity`.
    n_resamples, seed : int or None
        Number and seed of drawn permutations; None when nothing was drawn.
    references : tuple of Reference
        The works that describe the procedure.
    """

    tested_by_variance: ClassVar[str] = "their differences"
    _readers: ClassVar[Readers] = {
        "names": tuple_of_list,
        "assumptions": tuple_of_list,
        "effect_sizes": numbers_by_name,
        "statistic": lambda number: from_plain(number, math.inf),
        "pvalue": from_plain,
    }
    _newer = frozenset({"references"})

    test: str
    estimand: str
    null_hypothesis: str
    statistic: float
    pvalue: float
    names: tuple[str, ...]
    n_units: int
    statistic_name: str = "statistic"
    df: float | tuple[float, float] | None = None
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    scale: str = "score"
    compares_sizes: ComparesSizes = "no"
    n_resamples: int | None = None
    seed: int | None = None
    references: tuple[Reference, ...] = ()

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing permutations; 0 when exact."""
        if self.n_resamples is None:
            return 0.0
        return math.sqrt(self.pvalue * (1 - self.pvalue) / self.n_resamples)

    def critical_value(self, alpha: float = 0.05) -> float:
        """Quantile of chi-squared or F from which the test rejects at `alpha`.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test.

        Returns
        -------
        float
            The quantile; nan when the p-value comes from permutations.
        """
        check_alpha(alpha)
        if self.df is None:
            return math.nan
        if isinstance(self.df, tuple):
            return float(tails.f_isf(alpha, *self.df))
        return float(tails.chi2_isf(alpha, self.df))
