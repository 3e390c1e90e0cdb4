"""Where the variance of an item's difference lies, in a report's design."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats import ClusteredScores, ClusteredScoreTable
from skstat.stats._estimates import VarianceShares, variance_shares


def design_of(sample: Any) -> dict[str, Any]:
    """Facts for the report on a sample: of its groups, or the sizes of its splits."""
    if isinstance(sample, ClusteredScoreTable):
        scores = sample.instances
    elif isinstance(sample, ClusteredScores):
        scores = np.column_stack([sample.a, sample.b])
    else:
        return _design_of_splits(sample)
    notes = [f"{sample.n_instances} items", words_of_groups(sample.groups)]
    design = {"kind": "one set of items", "notes": notes, "instance": "item"}
    once = np.full(scores.shape, np.nan), np.ones(scores.shape, dtype=np.int64)
    return with_shares(design, variance_shares(scores, *once, sample.groups))


def _design_of_splits(sample: Any) -> dict[str, Any]:
    """Say how many rows trained and tested, where the caller gave both."""
    sizes = [getattr(sample, name, None) for name in ("n_train", "n_test")]
    if getattr(sample, "unit", None) != "split" or any(size is None for size in sizes):
        return {}
    train, test = (span(np.asarray(size)) for size in sizes)
    rows = f"{sample.size_unit}s"
    return {
        "kind": f"{sample.n_units} splits of one data set",
        "notes": [f"trained on {train} {rows}, tested on {test}"],
    }


def design_of_datasets(table: Any, read: Sequence[str]) -> dict[str, Any]:
    """Facts for the report on data sets of which some were left out."""
    if not read:
        return {}
    notes = [f"{table.n_units} data sets"]
    return {"kind": "a table of data sets", "notes": notes, "read": list(read)}


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


def with_shares(design: Mapping[str, Any], shares: VarianceShares | None) -> dict[str, Any]:
    """Add the parts of the variance to a design, where there are two or more."""
    if shares is None or not shares.total > 0:
        return dict(design)
    if shares.groups is None and shares.samples is None:
        return dict(design)
    return {
        **design,
        "notes": [*design.get("notes", ()), _said(shares)],
        "variance": shares.to_dict(),
    }


def _said(shares: VarianceShares) -> str:
    parts = [
        f"{part / shares.total:.0%} between {where}"
        for where, part in (
            ("groups", shares.groups),
            ("items", shares.items),
            ("samples of an item", shares.samples),
        )
        if part is not None
    ]
    said = f"of the variance of an item's difference {', '.join(parts)}"
    if shares.samples is None:
        return said
    now, twice, any_number = (shares.error_with(factor) for factor in (1, 2, math.inf))
    return (
        f"{said}; standard error {now:.3g}, with twice the samples of each item {twice:.3g}, "
        f"with any number {any_number:.3g}"
    )
