"""What is made of an array once, for all who hold that array."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from numpy.typing import NDArray

Made = TypeVar("Made")


def once(
    known: dict[Any, Any], array: NDArray[Any], what: Hashable, make: Callable[[], Made]
) -> Made:
    """Return what `make` makes of an array, which it is asked for only the first time.

    Parameters
    ----------
    known : dict
        What was made so far, shared by all who ask. It keeps the array, so that no other
        array can come to have its identity.
    array : ndarray
        The array, which must not be written to.
    what : hashable
        What is made of it.
    make : callable
        Makes it.
    """
    key = (id(array), what)
    if key not in known:
        known[key] = array, make()
    return known[key][1]
