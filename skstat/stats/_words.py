"""Helpers of outcomes: texts, checks of levels, intervals, and swapping A and B."""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from skstat.stats._counts import Successes
from skstat.stats._read import shown
from skstat.stats._score_table import ScorePairs
from skstat.stats._scores import PairedScores, Scores
from skstat.stats._stored import names_of_fields

# Levels nearer to 1 than this have too few digits in floats for a search.
_SMALLEST_TAIL = 1e-12
_LARGEST_TAIL = 0.5 - 1e-9
_LARGEST_EXPONENT = 700.0  # of e, in floats
_STEPS = 48
# Limits nearer than this to the bound, relative to it, are the bound and float noise.
NOISE = 1e-10

_Sample = PairedScores | ScorePairs | Scores

_TRAINING = "the choice of the training data"
_FITTED = (f"{_TRAINING}: the fitted systems are treated as fixed", "the seeds of the systems")
IGNORED_VARIANCE = {
    "split": ("the choice of the data set: on other data the answer may differ",),
    "instance": _FITTED,
    "group": _FITTED,
    "seed": (_TRAINING, "the choice of the test set"),
    "dataset": ("the error of each data set's own score",),
}

# Of tests whose standard error is one over samples of rows, other rows are covered.
BEYOND_THE_POPULATION = ("data from another population", "training sets of another size")


def ignored_variance(sample: Any) -> tuple[str, ...]:
    """Return the sources of variance that no test of the sample covers, by its unit."""
    if getattr(sample, "n_blocks", None) is not None:
        return BEYOND_THE_POPULATION
    sources = IGNORED_VARIANCE[str(sample.unit)]
    return tuple(map(_singular, sources)) if isinstance(sample, Scores | Successes) else sources


def sampled_by(outcome: Any) -> dict[str, Any] | None:
    """Return unit and number of what was sampled, if that is not the unit of the scores."""
    n = getattr(outcome.law, "n_sampled", None)
    return None if n is None else {"unit": outcome.law.sampled_unit, "n": n}


def other(sample: _Sample, b: str = "B") -> str:
    """Name what A is compared with: B, or a constant."""
    constant = getattr(sample, "constant", None)
    return b if constant is None else f"the constant {constant:g}"


def _where(sample: _Sample) -> str:
    if sample.unit == "split":
        return sample.training
    return f"over {population(sample.unit, 'two' if other(sample) == 'B' else 1)}"


def estimand(sample: _Sample, parameter: str = "mean") -> str:
    """Name the estimand of a `parameter` of the sample's differences."""
    b, where = other(sample, "score(B)"), _where(sample)
    if sample.unit == "split":
        return f"expected score(A) - {b}, {where}"
    return f"{parameter} of score(A) - {b} {where}"


def null_relation(alternative: str) -> str:
    """Write the relation of A to B under the null hypothesis of an alternative."""
    verb = {"two-sided": "equals", "greater": "is not higher than", "less": "is not lower than"}
    return verb[alternative]


def null_hypothesis(sample: _Sample, alternative: str) -> str:
    """State the null hypothesis of no effect on the mean, for an alternative."""
    relation, b = null_relation(alternative), other(sample, "that of B")
    return f"the expected score of A {relation} {b}, {_where(sample)}"


def _singular(words: str) -> str:
    """Put a text about systems in the singular, for the scores of one system."""
    return words.replace("systems are", "system is").replace("of the systems", "of the system")


def unit_word(unit: str | None) -> str:
    """Name one unit in words."""
    return "data set" if unit == "dataset" else str(unit)


def population(unit: str | None, k: int | str) -> str:
    """Name the population of a test of k systems, and what the test conditions on."""
    fitted = f", for {'this fitted system' if k == 1 else f'these {k} fitted systems'}"
    fixed = ", for this data set and this test set"
    endings = {"instance": fitted, "group": f" of instances{fitted}", "seed": fixed}
    return f"{unit_word(unit)}s{endings.get(str(unit), '')}"


class NullPvalues(NamedTuple):
    """The distribution of a p-value under the null hypothesis.

    Attributes
    ----------
    values : ndarray
        Possible p-values in ascending order; empty where all from `smallest` on are possible.
    chances : ndarray
        Cumulative probability of each of them.
    smallest : float
        Smallest p-value; all from there to 1 are possible, and it has the chance `smallest`.
    """

    values: NDArray[np.float64] = np.empty(0)
    chances: NDArray[np.float64] = np.empty(0)
    smallest: float = 0.0

    @classmethod
    def of_counts(cls, pvalues: Any, chances: Any) -> "NullPvalues":
        """Return the law of a p-value that depends on a count.

        Parameters
        ----------
        pvalues : array-like of shape (n_counts,)
            p-value of every count.
        chances : array-like of shape (n_counts,)
            Chance of every count.
        """
        values, inverse = np.unique(np.asarray(pvalues, dtype=float), return_inverse=True)
        cumulated: Any = np.cumsum(np.bincount(inverse, np.asarray(chances, dtype=float)))
        cumulated[-1] = 1.0
        return cls(values, cumulated)

    def of(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return p-values at cumulative chances; uniform chances give draws of p-values."""
        if not self.values.size:
            return np.maximum(chances, self.smallest)
        return self.values[np.searchsorted(self.chances, chances, side="left")]


# Transforms of a statistic after which large values support the alternative.
TOWARDS = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


def count_extreme(values: Any, observed: float, alternative: str, tolerance: float) -> int:
    """Count the values at least as extreme as the observed one, ties included."""
    transform = TOWARDS[alternative]
    return int(np.sum(transform(values) >= transform(observed) - tolerance))


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval, in the unit of the estimate."""

    low: float
    high: float


def number(value: Any) -> float:
    """Return a number as a float; the numbers of many pairs stay an array.

    An outcome whose fields are arrays answers about all pairs of a family at once.
    """
    if np.ndim(value):
        return cast(float, value)
    result = math.nan if value is None else float(value)
    return math.nan if math.isnan(result) else result  # the same object: limits are compared


def one_sided(alternative: str, low: float, high: float) -> ConfidenceInterval:
    """Make the limit infinite on the side that a one-sided `alternative` leaves open."""
    low = number(low) if alternative != "less" else -math.inf
    high = number(high) if alternative != "greater" else math.inf
    return ConfidenceInterval(low, high)


def by_logit(estimate: float, half: float, lower: float, upper: float) -> tuple[float, float]:
    """Return an interval on the scale of the logit between two bounds, by the delta method."""
    below, above, size = estimate - lower, upper - estimate, upper - lower
    if below <= 0 or above <= 0:  # at a bound, where the scale has no slope
        return estimate - half, estimate + half
    stretch = math.exp(min(half * size / (below * above), _LARGEST_EXPONENT))
    low = lower + size * below / (below + above * stretch)
    return low, upper - size * above / (above + below * stretch)


def limit(rejecting: np.ndarray, side: str) -> float:
    """Return the rejecting value that is nearest to the null; infinite if there is none."""
    if side == "less":
        return float(rejecting.max()) if rejecting.size else -math.inf
    return float(rejecting.min()) if rejecting.size else math.inf


def above_zero(pvalue: Any) -> Any:
    """Keep a p-value that underflows from claiming certainty; nan stays nan."""
    return number(np.maximum(pvalue, sys.float_info.min))


def smallest_of_signs(alternative: str, n_untied: Any) -> float:
    """Return the smallest p-value over the 2^n sign patterns of `n_untied` differences."""
    of_one_side = np.ldexp(1.0, -np.asarray(n_untied, dtype=np.int64))
    return number(np.minimum(1.0, of_one_side * (2 if alternative == "two-sided" else 1)))


def check_level(confidence_level: Any, *, name: str = "confidence_level") -> None:
    """Raise ValueError unless a level is a number in (0, 1)."""
    number = isinstance(confidence_level, Real) and not isinstance(confidence_level, bool)
    if number and 0 < float(confidence_level) < 1:
        return
    usual = "0.05" if name == "alpha" else "0.95"
    if number and 1 < float(confidence_level) < 100:
        usual = f"{float(confidence_level) / 100:g}"
    raise ValueError(f"{name}={shown(confidence_level)} must lie between 0 and 1, as {usual}.")


def check_alpha(alpha: Any) -> None:
    """Raise ValueError unless the level of a test is a number in (0, 1)."""
    check_level(alpha, name="alpha")


def smallest_tail(rejects: Callable[[float], bool], smallest: float = 0.0) -> float | None:
    """Return the smallest tail that rejects, by bisection; None if none does."""
    smallest = min(_LARGEST_TAIL, max(_SMALLEST_TAIL, smallest))
    if rejects(smallest):
        return smallest
    if not rejects(_LARGEST_TAIL):
        return None
    below, above = smallest, _LARGEST_TAIL
    for _ in range(_STEPS):
        # The geometric mean gives small p-values as many digits as large ones.
        tail = float((below * above) ** 0.5)
        below, above = (below, tail) if rejects(tail) else (tail, above)
    return above


OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def negated(value: Any) -> Any:
    """Change the sign of a number or an array; None stays."""
    if value is None:
        return None
    return 0.0 - (np.asarray(value, dtype=float) if np.ndim(value) else value)


def _reversed(value: Any) -> Any:
    if value is None:
        return None
    kind = type(value)
    return kind(*value[::-1]) if hasattr(value, "_fields") else value[::-1]


class Swappable:
    """Mixin for a dataclass about A and B, which declares what changes when they swap.

    Fields that hold such a dataclass are swapped too.

    Attributes
    ----------
    _signed : tuple of str
        Fields whose numbers change sign.
    _ordered : tuple of str
        Fields that hold something of A, then the same of B; between these, of neither.
    _rising : tuple of str
        Fields of numbers in ascending order that change sign.
    _swapped : tuple of str
        Two fields that trade their values.
    """

    _signed: ClassVar[tuple[str, ...]] = ()
    _ordered: ClassVar[tuple[str, ...]] = ()
    _rising: ClassVar[tuple[str, ...]] = ()
    _swapped: ClassVar[tuple[str, ...]] = ()

    def turned(self) -> Self:
        """Return the same of B against A.

        Returns
        -------
        same type
            A copy, which is turned back by the same call.
        """
        return replace(self, **self._changes())  # type: ignore[type-var]

    def _changes(self) -> dict[str, Any]:
        """Return the new values of the fields that change, by name."""
        kind: Any = type(self)
        fields = {name: vars(self)[name] for name in names_of_fields(kind)}
        new = {name: old.turned() for name, old in fields.items() if isinstance(old, Swappable)}
        new |= {name: negated(fields[name]) for name in self._signed}
        new |= {name: _reversed(fields[name]) for name in self._ordered}
        new |= {name: negated(fields[name])[::-1] for name in self._rising}
        swapped = zip(self._swapped, self._swapped[::-1], strict=True)
        return new | {name: fields[partner] for name, partner in swapped}


def counted_share(count: int, n_resamples: int, alternative: str, n_differing: int) -> float:
    """Return the p-value (1 + count) / (1 + B), but no less than the units can show by signs.

    Where every unit favours the same system, no resample is on the other side, however
    few the units are; the signs alone already bound what they can show.
    """
    share = (1 + count) / (1 + n_resamples)
    return above_zero(min(1.0, max(share, smallest_of_signs(alternative, n_differing))))
