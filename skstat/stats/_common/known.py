"""What is made of arrays once, for all who hold those arrays."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from numpy.typing import NDArray

Made = TypeVar("Made")


class Known:
    """What was made of arrays so far, which must not be written to.

    Arrays are recognised by their identity. They are kept, so that no other array can come to
    have it; a copy in another process knows nothing.
    """

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def once(self, what: Hashable, make: Callable[[], Made], *arrays: NDArray[Any]) -> Made:
        """Return what `make` makes of arrays, which it is asked for only the first time.

        Parameters
        ----------
        what : hashable
            What is made of them.
        make : callable
            Makes it.
        *arrays : ndarray or None
            All arrays that it is made of.
        """
        key = (what, *map(id, arrays))
        if key not in self._made:
            self._made[key] = arrays, make()
        made: Made = self._made[key][1]
        return made

    def __reduce__(self) -> tuple[type["Known"], tuple[()]]:
        return Known, ()
