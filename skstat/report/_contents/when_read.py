"""Parts of what is shown that are made when a form reads them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

Item = TypeVar("Item", covariant=True)


class WhenRead(Sequence[Item]):
    """Items that a function gives when somebody reads one of them.

    A form reads few of the tables of a report, and of very many pairs they take time.

    Parameters
    ----------
    make : callable
        Gives the items.
    known : sequence, optional
        Those of them that are known before, so that it is known that there are some.
    """

    def __init__(
        self, make: Callable[[], Sequence[Item]], known: Sequence[object] = ()
    ) -> None:
        self._make, self._known = make, known

    def changed(self, how: Callable[[Any], Any]) -> "WhenRead[Any]":
        """Return the same items, changed when somebody reads one of them."""
        return WhenRead(lambda: [how(item) for item in self._items], self._known)

    def __bool__(self) -> bool:
        return bool(self._known) or bool(self._items)

    @cached_property
    def _items(self) -> Sequence[Any]:
        return self._make()

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Sequence[Item]:
        return self._items[place]
