"""Rows that are not compared: sums of the others, and data sets with too few scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import is_summary
from skstat._names import listed
from skstat.io import Results
from skstat.stats import ScoreTable

_SUMS = "left out, since they sum others up: {}"


def rows_compared(results: Results) -> tuple[NDArray[np.bool_], list[str]]:
    """Say which rows are compared, and which are not, since they sum others up."""
    sums = {item for item in results.items if _sums_up(item, results.unit)}
    if not sums or len(sums) == len(results.items):
        return np.ones(len(results), dtype=bool), []
    kept = np.array([item not in sums for item in results.item])
    return kept, [_SUMS.format(listed(sorted(sums)))]


def _sums_up(item: str, unit: str) -> bool:
    parts = item.split(", ") if unit == "split" else [item]
    return any(map(is_summary, parts))


def indexed_without_sums(scores: Any) -> tuple[Any, list[str]]:
    """Leave such rows out of a frame, or of Series, whose index names the rows."""
    if isinstance(scores, Mapping):
        found = {name: indexed_without_sums(column) for name, column in scores.items()}
        said = list(dict.fromkeys(note for _, notes in found.values() for note in notes))
        return (
            ({name: column for name, (column, _) in found.items()}, said)
            if said
            else (
                scores,
                [],
            )
        )
    if not hasattr(scores, "loc"):
        return scores, []
    labels = list(scores.index)
    sums = [isinstance(label, str) and is_summary(label) for label in labels]
    if not any(sums) or all(sums):
        return scores, []
    named = [label for label, is_sum in zip(labels, sums, strict=True) if is_sum]
    return scores.loc[[not each for each in sums]], [_SUMS.format(listed(named))]


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
    names = np.array(table.datasets, dtype=object)
    sums = np.array([is_summary(name) for name in names])
    sums &= not sums.all()
    few = ~has_scores(table.missing) & ~sums
    said = [_SUMS.format(listed(names[sums]))] if sums.any() else []
    said += said_of_few(names[few].tolist())
    return (table.rows_where(~(sums | few)), said) if said else (table, [])
