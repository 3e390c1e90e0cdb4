"""A sequence whose items are built when they are asked for."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

Item = TypeVar("Item", covariant=True)

# Of up to so many, items are kept for those who walk over them again.
_MOST_KEPT = 10_000


class LazySequence(Sequence[Item]):
    """Items that a subclass builds one by one; a slice is a tuple of them."""

    def __reduce__(self) -> tuple[Any, ...]:
        # What items are built from need not be fit to be sent to another process.
        return tuple, (tuple(self),)

    @abstractmethod
    def _built(self, place: int) -> Item:
        """Build one item."""

    @cached_property
    def _known(self) -> dict[int, Item]:
        """The items that have been asked for."""
        return {}

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(len(self))[place])
        place = range(len(self))[place]  # counts from the end, and refuses what is beyond
        if place not in self._known:
            self._known[place] = self._built(place)
        return self._known[place]

    def __iter__(self) -> Iterator[Item]:
        # Of very many none is kept, unless it was asked for by itself.
        for place in range(len(self)):
            keep = place in self._known or len(self) <= _MOST_KEPT
            yield self[place] if keep else self._built(place)
