"""Numbers sorted once: their order, their ranks, and what else is made of arrays once."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
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


class Ordering:
    """The order of one column of finite numbers.

    Parameters
    ----------
    values : ndarray of float of shape (n,)
        The numbers.

    Attributes
    ----------
    rising : ndarray of int of shape (n,)
        Places of the numbers from low to high; of tied ones the first comes first.
    last : ndarray of int of shape (n_runs,)
        Where in `rising` each run of tied numbers ends.
    sizes : ndarray of int of shape (n_runs,)
        Length of each run of tied numbers, from low to high.
    """

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        self.rising = np.argsort(self.values, kind="stable")
        ordered = self.values[self.rising]
        self.last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
        self.sizes = np.diff(self.last, prepend=-1)

    @property
    def tied(self) -> bool:
        """Whether any two numbers are equal."""
        return len(self.last) < len(self.values)

    @property
    def falling(self) -> NDArray[np.intp]:
        """Places of the numbers from high to low; of tied ones the first comes first."""
        return np.argsort(-self.values, kind="stable") if self.tied else self.rising[::-1]

    @cached_property
    def mid_ranks(self) -> NDArray[np.float64]:
        """Rank of every number, from 1; tied numbers have the mean of theirs."""
        ranks = np.empty(len(self.values))
        ranks[self.rising] = np.repeat(self.last + 1 - (self.sizes - 1) / 2, self.sizes)
        return ranks


def ordering_of(known: Known, values: NDArray[Any], column: int | None = None) -> Ordering:
    """Return the ordering of an array, or one of its columns, made once for all who share.

    Parameters
    ----------
    known : Known
        What those who ask have in common.
    values : ndarray of shape (n,) or (n, n_columns)
        The numbers.
    column : int, optional
        Number of the column.

    Returns
    -------
    Ordering
        Ordering of the numbers in double precision.
    """
    own = values if column is None else values[:, column]
    return known.once(("ordering", column), lambda: Ordering(own), values)


def mid_ranks_of_numbers(numbers: NDArray[np.intp]) -> NDArray[np.float64]:
    """Mid-ranks of whole numbers that are not much larger than how many they are.

    Counting does what sorting would.
    """
    times = np.bincount(numbers)
    # The mid-rank of a number is that of the last of its ties, less half of the others.
    return np.asarray(np.cumsum(times) - (times - 1) / 2)[numbers]
