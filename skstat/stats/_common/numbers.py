"""Read numbers as floats; errors name the argument that is not a number."""

import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

# Fourth powers of differences of such scores neither overflow nor vanish, nor do their sums.
_LARGEST, _SMALLEST = 1e60, 1e-60
# What NumPy would turn into floats without a word, or with a strange one.
_OTHER = {
    "c": "complex numbers",
    "M": "dates",
    "m": "spans of time",
    "V": "records of several fields",
}
# The same of entries in an array of objects.
_LETTERS = {
    complex: "c",
    np.complexfloating: "c",
    np.datetime64: "M",
    date: "M",
    np.timedelta64: "m",
    timedelta: "m",
    str: "U",
    bytes: "S",
}

Made = TypeVar("Made")


def read_numbers(name: str, values: Any) -> NDArray[np.float64]:
    """Return a new array of floats, of whatever shape; None becomes nan.

    Parameters
    ----------
    name : str
        What the caller knows the values by.
    values : array-like
        The numbers.

    Returns
    -------
    ndarray of float
        A copy.

    Raises
    ------
    ValueError
        If something is not a real number.
    """
    refuse_other(name, values)
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large for a float.") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}{_first_bad(values)}") from error


def _first_bad(values: Any) -> str:
    """Say which cell is not a number; nothing if the shape is what is wrong."""
    try:
        cells = np.array(values, dtype=object)
    except ValueError:
        return ""
    places = np.ndindex(cells.shape) if cells.ndim in (1, 2) else ()
    for place in places:
        if np.ndim(cells[place]):  # rows of unequal length
            return ""
        if not is_number(cells[place]):
            row, *column = place
            of_column = f" and column {column[0]}" if column else ""
            return f" (row {row}{of_column}, counted from 0)"
    return ""


def is_number(cell: Any) -> bool:
    """Whether a number can be made of an entry; None is a missing one."""
    try:
        float(0 if cell is None else cell)
    except (TypeError, ValueError):
        return False
    return True


def refuse_other(name: str, values: Any) -> None:
    """Refuse anything but real numbers, none of them masked, which are read as they are.

    Entries that no number can be made of are left to the caller, who knows where they stand.
    """
    if hasattr(values, "toarray") and not isinstance(values, np.ndarray):
        raise ValueError(f"{name} must hold numbers, and is sparse; pass {name}.toarray().")
    refuse_masked(name, values)
    try:
        cells = np.asarray(values)
    except (TypeError, ValueError, OverflowError):  # rows of unequal length
        return
    if cells.dtype.kind == "O":
        found = {_kind_of(kind) for kind in set(map(type, cells.ravel()))}
    else:
        found = {cells.dtype.kind}
    other = next((_OTHER[kind] for kind in _OTHER if kind in found), None)
    if other is not None:
        raise ValueError(f"{name} must hold numbers, not {other}.")
    if found & {"U", "S"} and _is_text_of_numbers(cells):
        example = cells.ravel().tolist()[0]
        raise ValueError(
            f"{name} must hold numbers, and holds text such as {example!r}: convert it to "
            "floats, and find out why it was read as text."
        )


def of_usable_size(name: str, *values: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Refuse scores that are too large to compute with; all of them too small are set to 0.

    Single scores may be as small as they are, beside larger ones. Brier scores of a model that
    is sure of every row, and right, may all be too small.
    """
    largest = max(
        max(float(np.fmax.reduce(part, axis=None)), -float(np.fmin.reduce(part, axis=None)))
        for part in values
    )
    if largest > _LARGEST:
        raise ValueError(
            f"{name}: {largest:g} is beyond {_LARGEST:g}; find out why, or give the scores in "
            "another unit."
        )
    if not 0 < largest < _SMALLEST:
        return values
    warnings.warn(
        f"{name}: none is as large as {_SMALLEST:g} in size, so that all count as 0; if that "
        "is wrong, give the scores in another unit.",
        UserWarning,
        stacklevel=4,
    )
    return tuple(0.0 * part + 0.0 for part in values)  # no -0.0, and nan where it is missing


def refuse_masked(name: str, values: Any) -> None:
    """Refuse masked entries, whose masks NumPy would drop without a word."""
    kinds = set(map(type, values)) if isinstance(values, list | tuple) else {type(values)}
    if not any(issubclass(kind, np.ma.MaskedArray) for kind in kinds):
        return
    parts = values if isinstance(values, list | tuple) else [values]
    if any(map(np.ma.is_masked, parts)):
        raise ValueError(
            f"{name} has masked entries: take the units that all systems "
            "have, or write nan where a missing score is allowed."
        )


def _kind_of(kind: type) -> str:
    """NumPy's letter for a kind of entries."""
    for known, letter in _LETTERS.items():
        if issubclass(kind, known):
            return letter
    return "O"


def _is_text_of_numbers(cells: NDArray[Any]) -> bool:
    """Whether text among entries reads as numbers; else the caller says which does not."""
    text = [cell for cell in cells.ravel().tolist() if isinstance(cell, str | bytes)]
    try:
        np.asarray(text, dtype=float)
    except ValueError:
        return False
    return True


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


@dataclass(frozen=True, eq=False)
class Ordering:
    """The order of one column of finite numbers.

    Parameters
    ----------
    values : ndarray of float of shape (n,)
        The numbers.
    """

    values: NDArray[np.float64]

    @cached_property
    def rising(self) -> NDArray[np.intp]:
        """Places of the numbers from low to high; of tied ones the first comes first."""
        return np.argsort(self.values, kind="stable")

    @cached_property
    def _ends(self) -> NDArray[np.intp] | None:
        """`last`; None without ties, to keep no array that says nothing."""
        ordered = self.values[self.rising]
        is_last = np.append(ordered[1:] != ordered[:-1], True)
        return None if is_last.all() else np.flatnonzero(is_last)

    @property
    def tied(self) -> bool:
        """Whether any two numbers are equal."""
        return self._ends is not None

    @property
    def last(self) -> NDArray[np.intp]:
        """Where in `rising` each run of tied numbers ends."""
        return np.arange(len(self.values)) if self._ends is None else self._ends

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Length of each run of tied numbers, from low to high."""
        return np.diff(self.last, prepend=-1)

    @property
    def falling(self) -> NDArray[np.intp]:
        """Places of the numbers from high to low; of tied ones the first comes first."""
        if not self.tied:
            return self.rising[::-1]
        # The runs change places, and what is in them keeps its order.
        sizes = self.sizes[::-1]
        starts = self.last[::-1] + 1 - sizes
        moved = starts - np.append(0, np.cumsum(sizes)[:-1])
        return self.rising[np.repeat(moved, sizes) + np.arange(len(self.values))]

    @cached_property
    def mid_ranks(self) -> NDArray[np.float64]:
        """Rank of every number, from 1; tied numbers have the mean of theirs."""
        ranks = np.empty(len(self.values))
        sizes = self.sizes
        # The mean of a run from rank `last - size + 2` to `last + 1`.
        ranks[self.rising] = np.repeat(self.last + 1 - (sizes - 1) / 2, sizes)
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

    def make() -> Ordering:
        numbers = values if column is None else values[:, column]
        return Ordering(np.ascontiguousarray(numbers, dtype=np.float64))

    return known.once(("ordering", column), make, values)


def mid_ranks_of_numbers(numbers: NDArray[np.intp]) -> NDArray[np.float64]:
    """Mid-ranks of whole numbers that are not much larger than how many they are.

    Counting does what sorting would.
    """
    return mid_ranks_of_counts(np.bincount(numbers))[numbers]


def mid_ranks_of_counts(times: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Mid-ranks of ascending numbers by how often each occurs, along the last axis."""
    # The mid-rank of a number is that of the last of its ties, less half of the others.
    return np.asarray(np.cumsum(times, axis=-1) - (times - 1) / 2)
