"""The outcomes of many comparisons, which may be held as arrays instead of one by one."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import LazySequence, procedure
from skstat.stats._outcomes.comparison import Comparison, interval_at, taken
from skstat.stats._outcomes.outcome import estimand, null_hypothesis, number, unit_word
from skstat.stats._samples import PairedScores, PairsOfTable, ScorePairs, check_alternative


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
    n, over = sample.n_units, f"over {unit_word(sample.unit)}s"
    alone = np.where(sample.identical, 0.0, math.nan)
    spread = np.asarray(sample.spread)
    d_z = np.divide(sample.mean, spread, out=alone, where=spread != 0)
    # The approximate factor is 0 at one degree of freedom, where none exists.
    hedges = 1 - 3 / (4 * (n - 1) - 1) if n > 2 else math.nan
    return {
        f"d_z {over}": number(d_z),
        f"Hedges g {over}": number(np.where(d_z == 0, 0.0, hedges * d_z)),
        "rank-biserial": sample.rank_biserial,
        "common-language": sample.share_won,
    }


def of_mean(
    sample: PairedScores | ScorePairs, alternative: str, *, b: str = "B", **told: Any
) -> Comparison:
    """Compare the means of A and `b`, in the usual words but for those that are told."""
    check_alternative(alternative)
    words = {"estimand": estimand(sample, b=b), "effect_sizes": effect_sizes(sample)}
    null = null_hypothesis(sample, alternative, b=b)
    return Comparison(null_hypothesis=null, alternative=alternative, **words | told)


Numbers = NDArray[np.float64]
Limits = tuple[Numbers, Numbers]


# The numbers of a comparison, beside its effect sizes.
_TOLD = ("estimate", "standard_error", "statistic", "df", "pvalue", "test", "scale")


class OutcomeFamily(LazySequence[Comparison]):
    """Outcomes of several comparisons, each built when it is asked for.

    A subclass says how many there are and how to build one. Questions about all of them are
    answered by a walk over the outcomes, unless the subclass has the numbers as arrays.
    """

    # What is known of the differences of every pair, if they were looked at together.
    differences: PairsOfTable | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ListedOutcomes, (tuple(self),)

    @property
    def representatives(self) -> Sequence[int]:
        """Places of outcomes with all the words that there are among them, in their order.

        Where words rest on the design and the question alone, one outcome is enough.
        """
        return range(len(self))

    def distinct(self, name: str) -> tuple[Any, ...]:
        """Return the values that an attribute in words has among the outcomes, each once."""
        asked = self.representatives
        outcomes = self if len(asked) == len(self) else map(self.__getitem__, asked)
        return tuple(dict.fromkeys(getattr(outcome, name) for outcome in outcomes))

    def told(self, place: int) -> Any:
        """Return the numbers of one comparison, under the names that it has them by."""
        return self[place]

    def to_plain(self) -> Any:
        """Return what is stored of the outcomes: a list of them, or one of arrays."""
        return [outcome.to_dict() for outcome in self]

    @cached_property
    def estimates(self) -> NDArray[np.float64]:
        """The estimates."""
        return self._numbers("estimate")

    @cached_property
    def pvalues(self) -> NDArray[np.float64]:
        """p-values of the comparisons by themselves; nan where none exists."""
        return self._numbers("pvalue")

    @cached_property
    def smallest_pvalues(self) -> NDArray[np.float64]:
        """Smallest p-values that the units can give."""
        return self._numbers("smallest_pvalue")

    @cached_property
    def directions(self) -> NDArray[np.float64]:
        """Sides that the statistics favour: 1 for A, -1 for B, 0 for neither."""
        return self._numbers("direction")

    def limits(self, confidence_level: float = 0.95) -> Limits:
        """Return the lower and the upper limits of the intervals."""
        found = [outcome.confidence_interval(confidence_level) for outcome in self]
        low, high = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return low, high

    def intervals_at(self, levels: Numbers) -> Callable[[int], tuple[float, float]]:
        """Return what gives the interval at a place, each at a level of its own."""
        return lambda place: interval_at(self[place], float(levels[place]))

    def beside_zero(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Tell on which side of 0 the intervals lie, each at a level of its own.

        Returns
        -------
        ndarray
            1 above 0, -1 below, 0 where the interval contains 0, nan where there is none. An
            interval at the level 1 contains everything.
        """
        found = [
            interval_at(outcome, level)
            for outcome, level in zip(self, levels.tolist(), strict=True)
        ]
        return _sides(*np.array(found, dtype=np.float64).reshape(-1, 2).T)

    def pvalues_beyond(self, bound: float, alternative: str) -> NDArray[np.float64]:
        """Return p-values of effects of at most (for ``"less"``, at least) `bound`."""
        found = [outcome._pvalue_beyond(bound, alternative) for outcome in self]
        return np.array(found, dtype=np.float64)

    def without_interval(
        self, confidence_level: float, places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Tell which of some comparisons have no interval of their own at a level."""
        found = [self[place]._interval_alone(confidence_level).low for place in places.tolist()]
        return np.isnan(np.array(found, dtype=np.float64))

    def _numbers(self, name: str) -> NDArray[np.float64]:
        return np.array([getattr(outcome, name) for outcome in self], dtype=np.float64)


class ListedOutcomes(OutcomeFamily):
    """Outcomes that have been built already."""

    def __init__(self, outcomes: Sequence[Comparison]) -> None:
        self._outcomes = outcomes

    def __len__(self) -> int:
        return len(self._outcomes)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self._outcomes)

    def _built(self, place: int) -> Comparison:
        return self._outcomes[place]


class ComparedPairs(OutcomeFamily):
    """Outcomes that one outcome of arrays holds, each taken out when it is asked for.

    Parameters
    ----------
    found : Comparison
        The comparisons: its numbers are arrays.
    differences : PairsOfTable, optional
        What is known of the differences of every pair.
    """

    def __init__(self, found: Comparison, differences: PairsOfTable | None = None) -> None:
        self.found, self.differences = found, differences
        self._limits: dict[bytes, Limits] = {}  # several parts of a report ask at one level

    def __reduce__(self) -> tuple[Any, ...]:
        return ComparedPairs, (self.found, self.differences)

    def __len__(self) -> int:
        return len(np.asarray(self.found.estimate))

    def _built(self, place: int) -> Comparison:
        built: Comparison = taken(self.found, place)
        return built

    @cached_property
    def _told(self) -> list[Any]:
        effects = self.found.effect_sizes
        columns = [*(getattr(self.found, name) for name in _TOLD), *effects.values()]
        each = (np.broadcast_to(np.asarray(own, dtype=object), len(self)) for own in columns)
        return [
            SimpleNamespace(
                **dict(zip(_TOLD, row, strict=False)),
                effect_sizes=dict(zip(effects, row[len(_TOLD) :], strict=True)),
            )
            for row in zip(*each, strict=True)
        ]

    def told(self, place: int) -> Any:
        return self._told[place]

    def to_plain(self) -> Any:
        return self.found.to_dict()

    @property
    def representatives(self) -> Sequence[int]:
        kinds = np.unique(self.found.test, return_index=True)[1]  # of a name for each, or all
        return tuple(sorted(kinds.tolist()))

    def limits(self, confidence_level: Any = 0.95) -> Limits:
        found = self.found.confidence_interval(confidence_level)
        low, high = (np.broadcast_to(end, len(self)).copy() for end in found)
        return low, high

    def _limits_at(self, levels: Numbers) -> Limits:
        asked, everything = levels.tobytes(), levels >= 1
        if asked not in self._limits:
            low, high = self.limits(np.where(everything, 0.5, levels))
            low, high = np.where(everything, -np.inf, low), np.where(everything, np.inf, high)
            self._limits = {asked: (low, high)}
        return self._limits[asked]

    def intervals_at(self, levels: Numbers) -> Callable[[int], tuple[float, float]]:
        low, high = (limits.tolist() for limits in self._limits_at(levels))
        return list(zip(low, high, strict=True)).__getitem__

    def beside_zero(self, levels: Numbers) -> Numbers:
        return _sides(*self._limits_at(levels))

    def pvalues_beyond(self, bound: float, alternative: str) -> Numbers:
        return np.asarray(self.found._pvalue_beyond(bound, alternative))

    def without_interval(
        self, confidence_level: float, places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        low, _ = self.found._interval_alone(confidence_level)
        return np.asarray(np.isnan(low))[places]

    def _numbers(self, name: str) -> Numbers:
        found = np.asarray(getattr(self.found, name), dtype=np.float64)
        return np.broadcast_to(found, len(self))


def family_of(outcomes: Sequence[Comparison]) -> OutcomeFamily:
    """Return outcomes as a family, which answers about all of them at once."""
    return outcomes if isinstance(outcomes, OutcomeFamily) else ListedOutcomes(outcomes)


def family_from_plain(state: Any) -> OutcomeFamily:
    """Restore outcomes from what `to_plain` returned of them."""
    if isinstance(state, Mapping):
        return ComparedPairs(Comparison.from_dict(state))
    return ListedOutcomes([Comparison.from_dict(one) for one in state])


def _sides(low: Any, high: Any) -> Numbers:
    """Tell on which side of 0 intervals lie; nan where there is none."""
    sides = np.where(np.greater(low, 0), 1.0, np.where(np.less(high, 0), -1.0, 0.0))
    return np.where(np.isnan(low), np.nan, sides)
