"""How the repeats of an item become one score."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
_WORDS = {"mean": "averaged", "median": "of which the median counts"}
_PASS = re.compile(r"pass([@^])([1-9]\d*)")


def words_of(name: Any) -> str:
    """Say how repeats become one score: by mean, median, pass@k or pass^k."""
    found = _PASS.fullmatch(name) if isinstance(name, str) else None
    if found is not None:
        every = found[1] == "^"
        what = f"all of {found[2]} are" if every else f"any of {found[2]} is"
        return f"scored by the chance that {what} right"
    if not isinstance(name, str) or name not in _WORDS:
        raise ValueError(
            f"aggregate={name!r} is unknown; use 'mean', 'median', or for right and wrong "
            "answers 'pass@5' (any of 5 samples is right) or 'pass^5' (all 5 are)."
        )
    return _WORDS[name]


def aggregated(
    name: str, values: Numbers, cells: Places, n: int, cell: Callable[[int], str]
) -> Numbers:
    """Return a score of every cell; nan where there is none.

    Parameters
    ----------
    name : str
        How repeats become one.
    values, cells : ndarray
        Scores, and the cell of each.
    n : int
        Number of cells.
    cell : callable
        Name of a cell, for messages.
    """
    counts = np.bincount(cells, minlength=n)
    sums = np.bincount(cells, values, minlength=n)
    if name == "mean":
        return np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
    if name == "median":
        found, known = np.full(n, np.nan), np.unique(cells)
        found[known] = ndimage.median(values, cells, known)
        return found
    every, k = name[4] == "^", int(name[5:])
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if wrong.size:
        first = int(wrong[0])
        raise ValueError(
            f"aggregate={name!r} needs right (1) and wrong (0) answers, and a score of "
            f"{cell(int(cells[first]))} is {values[first]:g}."
        )
    few = np.flatnonzero((counts > 0) & (counts < k))
    if few.size:
        raise ValueError(
            f"aggregate={name!r} needs {k} samples of every item; {len(few)} have fewer: "
            f"{cell(int(few[0]))} has {int(counts[few[0]])}."
        )
    # Without bias the chance that any of k is right is 1 - C(n - c, k) / C(n, k) where c of n
    # samples are, and that every one is C(c, k) / C(n, k). By a product, since factorials
    # overflow; a cell without samples has no chance.
    chosen = sums if every else counts - sums
    share = np.where(counts > 0, 1.0, np.nan)
    for i in range(k):
        share *= np.maximum(chosen - i, 0.0) / np.where(counts > 0, counts - i, 1)
    return share if every else 1 - share
