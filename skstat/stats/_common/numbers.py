"""Read numbers as floats; errors name the argument that is not a number."""

import warnings
from datetime import date, timedelta
from typing import Any

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
        raise ValueError(f"{name} must hold numbers: {error}") from error


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
