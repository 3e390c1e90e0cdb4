"""Bare numbers: a mapping or frame with a column for each system, or an array."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine import select_systems
from skstat.comparison._score_readers.description import Description, letters
from skstat.comparison._score_readers.frame_columns import refuse_no_systems
from skstat.comparison._score_readers.given import GivenSamples, Sample
from skstat.comparison._score_readers.rows import compared_rows, indexed_without_sums
from skstat.comparison._score_readers.shares import design_of, design_of_datasets
from skstat.stats import ClusteredScoreTable, PairedScores, Scores, ScoreTable, SeedScoreTable
from skstat.stats._common import refuse_other
from skstat.stats._samples import numbers


def read_columns(scores: Any, described: Description) -> GivenSamples | None:
    """Read a mapping of name to scores, or a frame with a column for each system."""
    if not isinstance(scores, Mapping) and not hasattr(scores, "columns"):
        return None
    _check(scores, described)
    if described.systems is None:
        names = scores if isinstance(scores, Mapping) else scores.columns
        refuse_no_systems({str(name): scores[name] for name in names})
    scores, read = indexed_without_sums(scores)
    if _is_table_of_datasets(described):
        table = ScoreTable(_asked(scores, described), unit="dataset")
        return _chosen_of(table, described, read)
    if isinstance(scores, Mapping):
        columns = {str(name): values for name, values in scores.items()}
    else:
        columns = {str(name): np.asarray(scores[name]) for name in scores.columns}
    return _of_columns(columns, described, read)


def _asked(scores: Any, described: Description) -> Any:
    """Leave columns out that are not asked for: they may be no scores."""
    if described.systems is None:
        return scores
    given = list(scores) if isinstance(scores, Mapping) else list(scores.columns)
    chosen = described.chosen(map(str, given))
    kept = [name for name in given if str(name) in chosen]
    return {n: scores[n] for n in kept} if isinstance(scores, Mapping) else scores[kept]


def read_array(scores: Any, described: Description) -> GivenSamples:
    """Read an array with a column for each system, or the scores of one."""
    _check(scores, described)
    values = _checked_array(scores)
    names = letters(values.shape[1])
    if _is_table_of_datasets(described) and len(names) > 1:
        return _chosen_of(ScoreTable(scores, systems=names, unit="dataset"), described)
    return _of_columns(dict(zip(names, values.T, strict=True)), described)


def _check(scores: Any, described: Description) -> None:
    described.refuse_columns(scores)
    described.check_paired_seeds(described.unit)


def _is_table_of_datasets(described: Description) -> bool:
    """Whether a table is made at once, which knows missing scores and names of data sets."""
    return described.unit == "dataset" and not described.one_system


def _chosen_of(
    table: ScoreTable, described: Description, read: Sequence[str] = ()
) -> GivenSamples:
    names = described.chosen(table.names)
    table, few = compared_rows(select_systems(table, names))
    design = design_of_datasets(table, [*read, *few])
    return GivenSamples(
        samples={described.metric: table}, names=names, designs={described.metric: design}
    )


def _of_columns(
    columns: Mapping[str, Any], described: Description, read: Sequence[str] = ()
) -> GivenSamples:
    names = described.chosen(columns)
    chosen = {name: columns[name] for name in names}
    sample = sample_of(chosen, described.units, described)
    design = design_of(sample)
    if read:
        units = {"kind": f"{sample.n_units} {described.unit}s"}
        design = {**units, **design, "read": list(read)}
    return GivenSamples(samples={described.metric: sample}, names=names, design=design)


def sample_of(
    columns: Mapping[str, Any], units: Mapping[str, Any], described: Description
) -> Sample:
    """Make the sample of the systems to compare; a constant is compared with one."""
    if described.one_system:
        (values,) = columns.values()
        return Scores(values, **units)
    if units["unit"] == "seed" and not described.paired_seeds:
        if described.sizes:
            raise ValueError(
                f"{described.sizes[0]} describes splits, but unit='seed'; drop one of them."
            )
        return SeedScoreTable(columns)
    if described.groups is not None:
        if units["unit"] != "instance" or described.sizes:
            raise ValueError(
                "group= is of instances: say unit='instance', and leave sizes of splits out."
            )
        return ClusteredScoreTable(columns, groups=described.groups)
    if len(columns) > 2:
        return ScoreTable(columns, **units)
    return _table_of_two(columns, units)


def _table_of_two(columns: Mapping[str, Any], units: Mapping[str, Any]) -> ScoreTable:
    """Pair the scores of two systems, which may have labels."""
    for name, column in columns.items():  # errors name the systems, where a pair has a and b
        numbers(
            f"scores[{name!r}]",
            list(column.values()) if isinstance(column, Mapping) else column,
        )
    pair = PairedScores(*columns.values(), **units)
    return ScoreTable(dict(zip(columns, (pair.a, pair.b), strict=True)), **units)


def _checked_array(scores: Any) -> NDArray[Any]:
    """Return an array with a column for each system."""
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    refuse_other("scores", scores)
    try:
        table = np.asarray(scores)
    except ValueError as error:
        raise ValueError(f"scores must have a row of equal length per unit: {error}") from error
    if table.ndim not in (1, 2):
        what = f"has shape {table.shape}" if table.ndim else f"is a {type(scores).__name__}"
        raise ValueError(
            f"scores {what}; give an array of shape (n_units, 2), or a mapping of name to "
            "scores."
        )
    return table[:, None] if table.ndim == 1 else table
