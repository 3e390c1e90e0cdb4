"""One score of several repeats of an item: their mean, median, or how often any succeeds."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
_PASS = re.compile(r"pass([@^])(\d+)")


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """How the repeats of a cell become one score.

    Attributes
    ----------
    name, words : str
        What it is called, and how a report says it.
    of : callable
        From scores, the cell of each, the number of cells, and a cell's name for messages, to
        a score of every cell; nan where there is none.
    is_mean : bool
        Whether it is the mean.
    """

    name: str
    words: str
    of: Callable[[Numbers, Places, int, Callable[[int], str]], Numbers]
    is_mean: bool = False


def aggregate_named(name: Any) -> Aggregate:
    """Find how repeats become one score: mean, median, pass@k or pass^k."""
    if name == "mean":
        return Aggregate(name="mean", words="averaged", of=_mean, is_mean=True)
    if name == "median":
        return Aggregate(name="median", words="of which the median counts", of=_median)
    found = _PASS.fullmatch(name) if isinstance(name, str) else None
    if found is None or int(found[2]) < 1:
        raise ValueError(
            f"aggregate={name!r} is unknown; use 'mean', 'median', or for right and wrong "
            "answers 'pass@5' (any of 5 samples is right) or 'pass^5' (all 5 are)."
        )
    k, every = int(found[2]), found[1] == "^"

    def of(values: Numbers, cells: Places, n: int, cell: Callable[[int], str]) -> Numbers:
        return _passes(values, cells, n, cell, k=k, every=every)

    what = f"all of {k} are right" if every else f"any of {k} is right"
    return Aggregate(name=name, words=f"scored by the chance that {what}", of=of)


def _mean(values: Numbers, cells: Places, n: int, cell: Callable[[int], str]) -> Numbers:
    counts = np.bincount(cells, minlength=n)
    sums = np.bincount(cells, values, minlength=n)
    return np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)


def _median(values: Numbers, cells: Places, n: int, cell: Callable[[int], str]) -> Numbers:
    order = np.lexsort((values, cells))
    ordered = values[order]
    counts = np.bincount(cells, minlength=n)
    known = np.flatnonzero(counts)
    ends = np.cumsum(counts)[known]
    starts = ends - counts[known]
    found = np.full(n, np.nan)
    lower, upper = starts + (counts[known] - 1) // 2, starts + counts[known] // 2
    found[known] = (ordered[lower] + ordered[upper]) / 2
    return found


def _passes(
    values: Numbers,
    cells: Places,
    n: int,
    cell: Callable[[int], str],
    *,
    k: int,
    every: bool,
) -> Numbers:
    """Chance that any, or every, of k of the samples is right, without bias.

    Of n samples of which c are right it is 1 - C(n - c, k) / C(n, k), or C(c, k) / C(n, k).
    """
    wrong = np.flatnonzero((values != 0) & (values != 1))
    name = f"pass{'^' if every else '@'}{k}"
    if wrong.size:
        first = int(wrong[0])
        raise ValueError(
            f"aggregate={name!r} needs right (1) and wrong (0) answers, and a score of "
            f"{cell(int(cells[first]))} is {values[first]:g}."
        )
    counts = np.bincount(cells, minlength=n)
    few = np.flatnonzero((counts > 0) & (counts < k))
    if few.size:
        raise ValueError(
            f"aggregate={name!r} needs {k} samples of every item; {len(few)} have fewer: "
            f"{cell(int(few[0]))} has {int(counts[few[0]])}."
        )
    right: Numbers = np.bincount(cells, values, minlength=n).astype(float)
    chosen = right if every else counts.astype(float) - right
    known = counts > 0
    share = np.full(n, np.nan)
    share[known] = _share_of_choices(chosen[known], counts[known].astype(float), k)
    return share if every else 1 - share


def _share_of_choices(chosen: Numbers, counts: Numbers, k: int) -> Numbers:
    """C(chosen, k) / C(counts, k), by a product: factorials overflow."""
    share = np.ones(len(chosen))
    for i in range(k):
        share *= np.maximum(chosen - i, 0.0) / (counts - i)
    return share
