"""Scores of folds: many data sets are the units, and of a single one the splits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat.io._results import Results
from skstat.io._source import Source


def results_of_folds(
    *,
    system: Sequence[str],
    dataset: Sequence[str],
    fold: Sequence[str],
    scores: Mapping[str, Sequence[float]],
    source: Source,
    columns: Mapping[str, Sequence[Any]] | None = None,
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> Results:
    """Make results of one row per system, data set and fold.

    Parameters
    ----------
    system, dataset, fold : sequence of str
        Whose row it is, and on what.
    scores : mapping of str to sequence of float
        The scores; nan where a run failed.
    source : Source
        Where all rows came from; its system is replaced by each of those here.
    columns : mapping of str to sequence, optional
        What else is known of the rows.
    sizes : mapping of str to sequence of int, optional
        ``n_train`` and ``n_test`` of every row, where they are known.

    Returns
    -------
    Results
        Folds are repeats of a data set. Those of a single data set are the units.
    """
    several = len(set(dataset)) > 1
    sources = tuple(replace(source, system=name) for name in dict.fromkeys(system))
    return Results(
        system=system,
        item=dataset if several else fold,
        repeat=fold if several else None,
        scores={name: np.asarray(values, dtype=float) for name, values in scores.items()},
        columns={**(columns or {}), **({} if several else dict(sizes or {}))},
        unit="dataset" if several else "split",
        sources=sources,
    )


def by_metric(metrics: Sequence[str], values: Sequence[float]) -> dict[str, list[float]]:
    """Give every metric a column of its own: means over several would have no unit.

    Parameters
    ----------
    metrics : sequence of str
        The metric of every row.
    values : sequence of float
        Its value.

    Returns
    -------
    dict of str to list of float
        Columns, with nan in the rows of other metrics.
    """
    found = {name: [float("nan")] * len(values) for name in dict.fromkeys(metrics)}
    for row, (metric, value) in enumerate(zip(metrics, values, strict=True)):
        found[metric][row] = value
    return found
