"""Read numbers as floats; errors name the argument that is not a number."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# What NumPy would turn into floats without a word, or with a strange one.
_OTHER = {
    "c": "complex numbers",
    "M": "dates",
    "m": "spans of time",
    "V": "records of several fields",
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
    """Refuse anything but an array of real numbers, which are read as they are."""
    if hasattr(values, "toarray") and not isinstance(values, np.ndarray):
        raise ValueError(f"{name} must hold numbers, and is sparse; pass {name}.toarray().")
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind is None and isinstance(values, list | tuple):
        strange = next((cell for cell in values if isinstance(cell, complex)), None)
        kind = None if strange is None else "c"
    if kind in _OTHER:
        raise ValueError(f"{name} must hold numbers, not {_OTHER[kind]}.")
