"""Items and data sets of a table: which are compared, and where their variance lies."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from skstat._columns import is_summary
from skstat._names import listed
from skstat.stats import ScoreTable
from skstat.stats._anova import variance_shares


def sums_among(labels: Sequence[Any], unit: str = "") -> NDArray[np.bool_]:
    """Say which labels are those of rows that sum the others up; none if all are."""
    parts = [str(label).split(", ") if unit == "split" else [label] for label in labels]
    sums = np.array([any(map(is_summary, each)) for each in parts], dtype=bool)
    return sums & ~sums.all()


def said_of_sums(labels: Sequence[Any]) -> list[str]:
    """Say which rows are left out, since they sum others up."""
    return [f"left out, since they sum others up: {listed(labels)}"] if len(labels) else []


def indexed_without_sums(scores: Any) -> tuple[Any, list[str]]:
    """Leave such rows out of a frame, or of Series, whose index names the rows."""
    if isinstance(scores, Mapping):
        found = {name: indexed_without_sums(column) for name, column in scores.items()}
        said = list(dict.fromkeys(note for _, notes in found.values() for note in notes))
        return ({name: own for name, (own, _) in found.items()}, said) if said else (scores, [])
    sums = sums_among(list(scores.index)) if hasattr(scores, "loc") else np.zeros(0, dtype=bool)
    if not sums.any():
        return scores, []
    return scores.loc[~sums], said_of_sums(list(scores.index[sums]))


def has_scores(missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which data sets (rows) have scores of systems (columns) to be compared.

    Of two systems a data set with a score of one is kept: the report says that it is left out.
    """
    enough = (~missing).sum(axis=1) >= min(2, missing.shape[1] - 1)
    return enough if enough.any() else np.ones(len(missing), dtype=bool)


def said_of_few(names: Sequence[str]) -> list[str]:
    """Say which data sets are left out, since too few systems have scores on them."""
    return [f"left out, with fewer than two scores: {listed(names)}"] if names else []


def compared_rows(table: ScoreTable) -> tuple[ScoreTable, list[str]]:
    """Leave out data sets that sum others up or that too few systems have scores on."""
    if table.unit != "dataset":
        return table, []
    names, sums = np.array(table.datasets, dtype=object), sums_among(table.datasets)
    few = ~has_scores(table.missing) & ~sums
    said = said_of_sums(names[sums].tolist()) + said_of_few(names[few].tolist())
    return (table.rows_where(~(sums | few)) if said else table), said


def design_of(sample: Any, read: Sequence[str] = ()) -> dict[str, Any]:
    """Facts for the report on a sample, and what was read in another way than it stands there.

    They are of groups, or of the sizes of splits where the caller gave both.
    """
    design: dict[str, Any] = {}
    sizes = [getattr(sample, name, None) for name in ("n_train", "n_test")]
    if getattr(sample, "groups", None) is not None:
        scores = np.column_stack(sample.columns)
        notes = [f"{sample.n_instances} items", words_of_groups(sample.groups)]
        design = {"kind": "one set of items", "notes": notes, "instance": "item"}
        once = np.full(scores.shape, np.nan), np.ones(scores.shape, dtype=np.int64)
        design = with_shares(design, variance_shares(scores, *once, sample.groups))
    elif getattr(sample, "unit", None) == "split" and all(n is not None for n in sizes):
        train, test = (span(np.asarray(size)) for size in sizes)
        rows = f"{sample.size_unit}s"
        design["kind"] = f"{sample.n_units} splits of one data set"
        design["notes"] = [f"trained on {train} {rows}, tested on {test}"]
    if not read:
        return design
    if sample.unit == "dataset":
        design = {"kind": "a table of data sets", "notes": [f"{sample.n_units} data sets"]}
    return {"kind": f"{sample.n_units} {sample.unit}s", **design, "read": list(read)}


def words_of_groups(groups: NDArray[np.int64]) -> str:
    """Say how many groups there are, and how large."""
    sizes = np.bincount(groups)
    sizes = sizes[sizes > 0]
    s = "s" * (len(sizes) != 1)
    return f"{len(sizes)} group{s} of {span(sizes)} items"


def span(numbers: NDArray[Any]) -> str:
    """Write a number, or the least and the largest."""
    low, high = int(numbers.min()), int(numbers.max())
    return str(low) if low == high else f"{low} to {high}"


def with_shares(
    design: Mapping[str, Any], shares: Mapping[str, float] | None
) -> dict[str, Any]:
    """Add the parts of the variance to a design, where there are two or more."""
    known = shares or {}
    parts = [(name, known[name]) for name in ("groups", "items", "samples") if name in known]
    total = sum(part for _, part in parts)
    if len(parts) < 2 or not total > 0:
        return dict(design)
    where = {"samples": "samples of an item"}
    each = [f"{part / total:.0%} between {where.get(name, name)}" for name, part in parts]
    said = f"of the variance of an item's difference {', '.join(each)}"
    if "samples" in known:
        said += (
            f"; standard error {known['standard_error']:.3g}, with twice the samples of each "
            f"item {known['standard_error_with_twice_the_samples']:.3g}, with any number "
            f"{known['standard_error_with_any_number']:.3g}"
        )
    notes = [*design.get("notes", ()), said]
    return {**design, "notes": notes, "variance": dict(known)}


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
    what = f"all of {k} are right" if every else f"any of {k} is right"
    of = partial(_passes, k=k, every=every)
    return Aggregate(name=name, words=f"scored by the chance that {what}", of=of)


def _mean(values: Numbers, cells: Places, n: int, _: Callable[[int], str]) -> Numbers:
    counts = np.bincount(cells, minlength=n)
    sums = np.bincount(cells, values, minlength=n)
    return np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)


def _median(values: Numbers, cells: Places, n: int, _: Callable[[int], str]) -> Numbers:
    found, known = np.full(n, np.nan), np.unique(cells)
    found[known] = ndimage.median(values, cells, known)
    return found


def _passes(
    values: Numbers, cells: Places, n: int, cell: Callable[[int], str], k: int, every: bool
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
    right = np.bincount(cells, values, minlength=n)
    chosen = right if every else counts - right
    # By a product, since factorials overflow; a cell without samples has no chance.
    share = np.where(counts > 0, 1.0, np.nan)
    for i in range(k):
        share *= np.maximum(chosen - i, 0.0) / np.where(counts > 0, counts - i, 1)
    return share if every else 1 - share
