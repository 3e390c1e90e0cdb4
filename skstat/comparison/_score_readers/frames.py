"""Frames: a row per score with its labels, or a row per unit with a column for each system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat._columns import HIGHER_IS_BETTER, UNIT, is_system, kind_of, plain
from skstat.comparison._score_readers.description import Description, Given
from skstat.comparison._score_readers.results import read_rows
from skstat.io import Results
from skstat.io._join import gaps_of
from skstat.io._roles import Roles, Said, names_of
from skstat.io._table import Table


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
    frame: Any, levels: Sequence[Any], described: Description
) -> tuple[Any, Description]:
    """Add a column that names the item by all of these."""
    keys = zip(*(frame[level] for level in levels), strict=True)
    item = " / ".join(map(str, levels))
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
            raise ValueError(
                f"scores[{other!r}] has two values of one row: make a frame, and name the "
                "repeats (repeat=)."
            )


def _levels(values: Any) -> Any:
    """Return an index of several named levels; None of anything else."""
    index = getattr(values, "index", None)
    if index is None or getattr(index, "nlevels", 1) < 2:
        return None
    return None if any(name is None for name in index.names) else index


def read_frame(scores: Any, described: Description) -> Given | None:
    """Read a frame, or mapping of columns, whose columns say what its rows are."""
    if isinstance(scores, Mapping) and any(
        isinstance(column, Mapping) for column in scores.values()
    ):
        return None
    table = Table(scores)
    says_system = any(is_system(n) and table.numbers(n) is None for n in table.names)
    labels = _labels(table, described)
    if not (described.names_columns or says_system or labels):
        return None
    roled = [name for name in table.names if is_system(name) or kind_of(name)]
    _check_lengths(table, roled, len(table.cells(roled[0])) if roled else 0)
    roles = Roles(table, _said(table, described, None if says_system else labels))
    described.check_paired_seeds(roles.unit)
    _check_lengths(table, roles.columns, len(table.cells(roles.item[0])))
    row_items, _ = roles.items()
    if roles.system is None:
        found, left = _systems(roles, described), list[str]()
    else:
        found, left = roles.scores()
    _check_lengths(table, found, len(row_items))
    roles.refuse_twice(found)
    # The order of the systems is that of the frame, not of its labels.
    known = found if roles.system is None else table.labels(roles.system)
    if roles.system is None:
        roles = roles.on(table.melted(found, described.metric), system="system")
        found = [described.metric]
    results = roles.results({_metric_of(name, found, roles): name for name in found}, left)
    names = described.chosen(dict.fromkeys(known))
    results = results.take(systems=names)
    independent = roles.unit == "seed" and not described.paired_seeds
    if described.item is None and roles.unit != "dataset" and not independent:
        _refuse_gaps(results, roles)
    # Of the metrics that were read all are asked for.
    given = read_rows(results, replace(described, systems=names, score=None, scoring=None))
    return replace(given, row_items=row_items)


def _check_lengths(table: Table, names: Iterable[str], n_rows: int) -> None:
    """Refuse columns that have no value for every row, or several."""
    for name in names:
        shape = np.shape(table.of(name))
        if shape != (n_rows,):
            raise ValueError(f"column {name!r} has shape {shape}, and there are {n_rows} rows.")


def _labels(table: Table, described: Description) -> list[str]:
    """Columns with the usual names of what a row is on, that cannot be a system's scores.

    Numbers may be scores of a system of that name, unless the caller says the unit.
    """
    unit = described.said_unit
    by_name = unit is not None and hasattr(table.given, "columns")
    found = [name for name in table.names if kind_of(name) in ([unit] if unit else UNIT)]
    return [name for name in found if by_name or table.numbers(name) is None]


def _said(table: Table, described: Description, labels: Sequence[str] | None) -> Said:
    """Return what the caller says; without a column of systems only labels name items."""
    named = {role: getattr(described, role) for role in ("group", "task")}
    others = [table.named_as(role, name) for role, name in named.items() if name is not None]
    others += [table.named_as("by", name) for name in described.by or ()]
    bare = labels is not None and not described.names_columns
    scoring = names_of(described.scoring)
    several = scoring if isinstance(described.scoring, list | tuple) else ()
    if described.score == []:
        raise ValueError("score=[] names no scores: there is nothing to compare.")
    if labels is not None and described.system is None and described.score is not None:
        raise ValueError(
            f"score={described.score!r} names a column of scores, and no column says whose "
            "they are: name it by system=. In a frame with a column for each system the "
            f"metric is scoring={described.score!r}."
        )

    def call(**proposed: Any) -> str:
        """Write names of columns as the frame has them."""
        return described.call(
            **{role: table.called.get(str(n), n) for role, n in proposed.items()}
        )

    return Said(
        call=call,
        system=described.system,
        item=(described.item,) if described.item in table else names_of(described.item),
        repeat=described.repeat,
        score=names_of(described.score) or several,
        others=tuple(others),
        no_items=frozenset({*table.names} - {*(labels or ())} if bare else ()),
        unit=described.said_unit,
        scoring=scoring,
    )


def _metric_of(column: str, found: Sequence[str], roles: Roles) -> str:
    """Name the metric of a column of scores."""
    said = roles.said
    if len(found) > 1 or roles.metric is not None:
        return column
    if len(said.scoring) == 1:
        return said.scoring[0]
    return "score" if not said.score and plain(column) in HIGHER_IS_BETTER else column


def _systems(roles: Roles, described: Description) -> list[str]:
    """Return the columns of the systems, of a frame in which each has one."""
    if described.systems is None:
        return roles.systems_beside()
    return [roles.table.named_as("systems", name) for name in described.systems]


def _refuse_gaps(results: Results, roles: Roles) -> None:
    """Refuse gaps, which were not asked for: a unit may be one by its label alone."""
    for metric, name, (lacking, *_), _ in gaps_of(results):
        what = "score" if len(results.metrics) == 1 else metric
        item = roles.item[0] if len(roles.item) == 1 else list(roles.item)
        raise ValueError(
            f"{name!r} has no {what} on {roles.unit} {lacking}, which another system has one "
            "on: scores are compared on the same units. To compare on those that all systems "
            f"have, name their column: {roles.said.call(item=item, unit=roles.unit)}."
        )
