"""Frames: a row per score with its labels, or a row per unit with a column for each system."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import is_system, joined, size_of
from skstat.comparison._score_readers.description import Description, GivenSamples
from skstat.comparison._score_readers.results import samples_of
from skstat.comparison._score_readers.roles import (
    Columns,
    Roles,
    has_labels,
    metric_of,
    metrics_chosen,
    refuse_twice,
    roles_of,
)
from skstat.io import Results
from skstat.io._results import one_row_per_cell


def with_levels_as_columns(scores: Any, described: Description) -> tuple[Any, Description]:
    """Make columns of the named levels of a MultiIndex.

    A Series becomes a long frame. Of a frame with a column for each system, and of a mapping
    of Series, whose rows are items, all levels together name the item, so that rows are paired
    by them. A level may be the group, or is looked at as a column of groups that is not used.
    """
    index = _levels(scores)
    if index is not None and not hasattr(scores, "columns"):
        return _of_series(scores, described)
    if isinstance(scores, Mapping):
        if not scores or any(_levels(values) is None for values in scores.values()):
            return scores, described
        _check_levels(scores)
        first, *others = (values.rename(str(name)) for name, values in scores.items())
        scores = first.to_frame().join(others, how="outer")
        index = scores.index
    if index is None or described.item is not None or described.system is not None:
        return scores, described
    if described.unit != "instance" and not described.names_columns:
        return scores, described
    if described.systems is None:
        systems = tuple(str(name) for name in scores.columns if str(name) != described.group)
        described = replace(described, systems=systems)
    return _with_item(scores.reset_index(), index.names, described)


def _of_series(scores: Any, described: Description) -> tuple[Any, Description]:
    """Make a long frame of a Series, one of whose levels may say whose a score is."""
    name = scores.name or "score"
    frame = scores.rename(name).reset_index()
    system = [level for level in scores.index.names if is_system(level)]
    others = [level for level in scores.index.names if level not in system]
    given = (described.item, described.system, described.score)
    known = described.unit in (None, "instance") and len(system) == 1 and len(others) > 1
    if not known or any(one is not None for one in given):
        return frame, described
    return _with_item(frame, others, replace(described, system=system[0], score=name))


def _with_item(
    frame: Any, levels: list[Any], described: Description
) -> tuple[Any, Description]:
    """Add a column that names the item by all of these."""
    item = "item"
    while item in map(str, frame.columns):
        item += "_"
    keys = zip(*(frame[level] for level in levels), strict=True)
    labels = [" / ".join(map(str, key)) for key in keys]
    return frame.assign(**{item: labels}), replace(described, item=item)


def _check_levels(scores: Mapping[Any, Any]) -> None:
    """Refuse Series whose rows cannot be matched one by one."""
    (name, first), *_ = scores.items()
    for other, values in scores.items():
        if list(values.index.names) != list(first.index.names):
            raise ValueError(
                f"scores[{other!r}] has the levels {list(values.index.names)}, and "
                f"scores[{name!r}] has {list(first.index.names)}: rows are matched by them. "
                "Give both the same, in one order (reorder_levels)."
            )
        if not values.index.is_unique:
            twice = values.index[values.index.duplicated()][0]
            raise ValueError(
                f"scores[{other!r}] has two values at {twice!r}: which belongs to which of the "
                "other system is not known. Make a frame, and name the repeats (repeat=)."
            )


def _levels(values: Any) -> Any:
    """Return an index of several named levels; None of anything else."""
    index = getattr(values, "index", None)
    if index is None or getattr(index, "nlevels", 1) < 2:
        return None
    return None if any(name is None for name in index.names) else index


def read_frame(scores: Any, described: Description) -> GivenSamples | None:
    """Read a frame, or mapping of columns, whose columns say what its rows are."""
    if not hasattr(scores, "columns") and not _is_mapping_of_columns(scores):
        return None
    columns = Columns(scores)
    if not (described.names_columns or columns.systems or has_labels(columns, described)):
        return None
    roles = roles_of(columns, described)
    described.check_paired_seeds(roles.unit)
    columns.check_lengths(roles.columns, len(columns.of(roles.item[0])))
    refuse_twice(columns, described, roles)
    read = _of_wide if roles.system is None else _of_long
    results = read(columns, described, roles)
    # The order of the systems is that of the frame, not of its labels.
    known = roles.scores if roles.system is None else columns.labels(roles.system).tolist()
    names = described.chosen(dict.fromkeys(known))
    results = results.take(systems=names)
    independent = roles.unit == "seed" and not described.paired_seeds
    if described.item is None and roles.unit != "dataset" and not independent:
        _refuse_gaps(results, described, roles)
    # Of the metrics that were read all are asked for.
    given = samples_of(results, replace(described, systems=names, score=None, scoring=None))
    return replace(given, row_items=_items(columns, roles)[0].tolist())


def _is_mapping_of_columns(scores: Any) -> bool:
    return isinstance(scores, Mapping) and not any(
        isinstance(column, Mapping) for column in scores.values()
    )


def _of_long(columns: Columns, described: Description, roles: Roles) -> Results:
    """Read a row per score."""
    items, rows = _items(columns, roles)
    systems = columns.labels(str(roles.system))
    repeats = None if roles.repeat is None else columns.labels(roles.repeat)
    rest = columns.facts((n for n in columns.names if n not in roles.scores), len(rows))
    if roles.metric is not None:
        of_cell = [None] * len(items) if repeats is None else repeats
        cells = zip(systems, items, of_cell, strict=True)
        column = roles.scores[0]
        given = columns.labels(roles.metric).tolist(), columns.numbers(column).tolist()
        first, found = one_row_per_cell(list(cells), *given, rows.tolist(), column)
        rows = np.array(first, dtype=np.intp)
        chosen = metrics_chosen(list(found), described, column)
        scores: Any = {name: found[name] for name in chosen}
    else:
        names = {name: name for name in roles.scores}
        if len(roles.scores) == 1:
            names = {roles.scores[0]: metric_of(roles.scores[0], described)}
        scores = {name: columns.numbers(column)[rows] for column, name in names.items()}
    return Results(
        system=systems[rows],
        item=items[rows],
        repeat=None if repeats is None else repeats[rows],
        scores=scores,
        columns={name: values[rows] for name, values in rest.items()},
        unit=roles.unit,
        left_out=_left_out(columns, described, roles),
    )


def _left_out(columns: Columns, described: Description, roles: Roles) -> tuple[str, ...]:
    """Say which columns of numbers are not used, where nobody named the scores."""
    if described.score is not None or described.scoring in columns:
        return ()
    used = set(roles.columns)
    if roles.unit == "split":
        used |= {name for name in columns.names if size_of(name) is not None}
    return tuple(n for n in columns.names if n not in used and columns.are_numbers(n))


def _of_wide(columns: Columns, described: Description, roles: Roles) -> Results:
    """Put the columns of the systems below each other."""
    items, rows = _items(columns, roles)
    n, k = len(rows), len(roles.scores)
    rest = columns.facts((n for n in columns.names if n not in roles.scores), len(rows))
    values = [columns.numbers(name)[rows] for name in roles.scores]
    repeat = None if roles.repeat is None else columns.labels(roles.repeat)[rows]
    return Results(
        system=np.repeat(np.array(roles.scores, dtype=object), n),
        item=np.tile(items[rows], k),
        repeat=None if repeat is None else np.tile(repeat, k),
        scores={described.metric: np.concatenate(values)},
        columns={name: np.tile(fact[rows], k) for name, fact in rest.items()},
        unit=roles.unit,
    )


def _items(columns: Columns, roles: Roles) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return what every row is on, and an order in which folds of one repeat come together."""
    items, order = joined([columns.labels(name).tolist() for name in roles.item])
    return np.array(items, dtype=object), np.array(order, dtype=np.intp)


def _refuse_gaps(results: Results, described: Description, roles: Roles) -> None:
    """Refuse gaps, which were not asked for: a unit may be one by its label alone."""
    for metric, values in results.scores.items():
        scored = ~np.isnan(values)
        of_any = dict.fromkeys(results.item[scored].tolist())
        for name in results.names:
            known = set(results.item[(results.system == name) & scored].tolist())
            lacking = next((item for item in of_any if item not in known), None)
            if lacking is not None:
                what = "score" if len(results.metrics) == 1 else metric
                raise ValueError(
                    f"{name!r} has no {what} on {roles.unit} {lacking}, which another system "
                    "has one on: scores are compared on the same units. To compare on those "
                    f"that all systems have, name their column: "
                    f"{described.call(item=_one_or_all(roles.item), unit=roles.unit)}."
                )


def _one_or_all(names: Sequence[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)
