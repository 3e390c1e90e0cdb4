"""The outcomes of many comparisons, which may be held as arrays instead of one by one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from skstat.stats._outcomes.outcome import ConfidenceInterval, Outcome, interval_at
from skstat.stats._samples import PairsOfTable

# Outcomes of up to so many pairs are kept for those who walk over them again.
_MOST_KEPT = 10_000

Limits = tuple[NDArray[np.float64], NDArray[np.float64]]


class OutcomeFamily(Sequence[Outcome], ABC):
    """Outcomes of several comparisons, each built when it is asked for.

    A subclass says how many there are and how to build one. Questions about all of them are
    answered by a walk over the outcomes, unless the subclass has the numbers as arrays.
    """

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def _built(self, place: int) -> Outcome:
        """Build the outcome of one comparison."""

    @cached_property
    def _known(self) -> dict[int, Outcome]:
        """The outcomes that have been asked for."""
        return {}

    @overload
    def __getitem__(self, place: int) -> Outcome: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Outcome, ...]: ...
    def __getitem__(self, place: int | slice) -> Outcome | tuple[Outcome, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(len(self))[place])
        place = range(len(self))[place]  # counts from the end, and refuses what is beyond
        if place not in self._known:
            self._known[place] = self._built(place)
        return self._known[place]

    def __iter__(self) -> Iterator[Outcome]:
        # Of very many pairs none is kept, unless it was asked for by itself.
        for place in range(len(self)):
            keep = place in self._known or len(self) <= _MOST_KEPT
            yield self[place] if keep else self._built(place)

    def __reduce__(self) -> tuple[Any, ...]:
        # What outcomes are built from need not be fit to be sent to another process.
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

    @property
    def differences(self) -> PairsOfTable | None:
        """What is known of the differences of every pair, if they were looked at together."""
        return None

    @cached_property
    def estimates(self) -> NDArray[np.float64]:
        """The estimates."""
        return self._numbers("estimate")

    @cached_property
    def standard_errors(self) -> NDArray[np.float64]:
        """Standard errors of the estimates; nan where there is none."""
        return self._numbers("standard_error")

    @cached_property
    def statistics(self) -> NDArray[np.float64]:
        """Values of the test statistics."""
        return self._numbers("statistic")

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

    def interval_at(self, place: int, level: float) -> ConfidenceInterval:
        """Return the interval of one comparison; at the level 1 it contains everything."""
        return interval_at(self[place], level)

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
        low, high = np.array(found, dtype=np.float64).reshape(-1, 2).T
        sides = np.where(low > 0, 1.0, np.where(high < 0, -1.0, 0.0))
        return np.where(np.isnan(low), np.nan, sides)

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

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._outcomes = outcomes

    def __len__(self) -> int:
        return len(self._outcomes)

    def _built(self, place: int) -> Outcome:
        return self._outcomes[place]


class AskedOutcomes(OutcomeFamily):
    """Outcomes that a function gives, each when it is asked for."""

    def __init__(self, n_pairs: int, ask: Callable[[int], Outcome]) -> None:
        self._n_pairs, self._ask = n_pairs, ask

    def __len__(self) -> int:
        return self._n_pairs

    def _built(self, place: int) -> Outcome:
        return self._ask(place)


def family_of(outcomes: Sequence[Outcome]) -> OutcomeFamily:
    """Return outcomes as a family, which answers about all of them at once."""
    return outcomes if isinstance(outcomes, OutcomeFamily) else ListedOutcomes(outcomes)
