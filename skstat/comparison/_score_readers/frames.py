"""Frames: a row per score with its labels, or a row per unit with a column for each system."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat._columns import HIGHER_IS_BETTER, UNIT, read_name
from skstat._names import listed
from skstat.comparison._score_readers.description import Description, Given
from skstat.comparison._score_readers.results import read_rows
from skstat.io import Results
from skstat.io._join import gaps_of
from skstat.io._roles import Roles, Said, names_of
from skstat.io._table import Table


def refuse_levels(scores: Any, described: Description) -> None:
    """Refuse a MultiIndex that may say what rows are of: its levels are columns of a frame."""
    of_systems = isinstance(scores, Mapping)
    columns = scores.values() if of_systems else [scores]
    indices: list[Any] = [getattr(column, "index", None) for column in columns]
    several = [index.names for index in indices if getattr(index, "nlevels", 1) > 1]
    levels = [names for names in several if set(names) != {None}]
    is_wide = of_systems or hasattr(scores, "columns")
    asked = described.unit == "instance" or described.names_columns or not is_wide
    if not levels or not asked:
        return
    written = "pandas.DataFrame(scores)" if of_systems else "scores"
    raise ValueError(
        f"scores has an index of several levels, {listed(map(str, levels[0]))}: make columns "
        f"of them, by {written}.reset_index(), and say which name the item, by item=[...]."
    )


def read_frame(scores: Any, described: Description) -> Given | None:
    """Read a frame, or mapping of columns, whose columns say what its rows are."""
    if isinstance(scores, Mapping) and any(
        isinstance(column, Mapping) for column in scores.values()
    ):
        return None
    table = Table(scores)
    says_system = any(own.said.is_system and own.is_label for own in table.without())
    labels = _labels(table, described)
    if not (described.names_columns or says_system or labels):
        return None
    roled = [own.name for own in table.without() if own.said.is_system or own.said.unit]
    _check_lengths(table, roled, len(table[roled[0]].cells) if roled else 0)
    roles = Roles(table, _said(table, described, None if says_system else labels))
    described.check_paired_seeds(roles.unit)
    _check_lengths(table, roles.columns, len(table[roles.item[0]].cells))
    row_items, _ = roles.items()
    left: list[str] = []
    if roles.system is not None:
        found, left = roles.scores()
    elif described.systems is None:
        found = roles.systems_beside()
    else:
        found = [table.named_as("systems", name) for name in described.systems]
    _check_lengths(table, found, len(row_items))
    roles.refuse_twice(found)
    # The order of the systems is that of the frame, not of its labels.
    known = found if roles.system is None else table[roles.system].labels
    if roles.system is None:
        roles = roles.on(table.melted(found, described.metric), system="system")
        found = [described.metric]
    results = roles.results({_metric_of(n, found, roles): n for n in found}, left_out=left)
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
        shape = np.shape(table[name].given)
        if shape != (n_rows,):
            raise ValueError(f"column {name!r} has shape {shape}, and there are {n_rows} rows.")


def _labels(table: Table, described: Description) -> list[str]:
    """Columns with the usual names of what a row is on, that cannot be a system's scores.

    Numbers may be scores of a system of that name, unless the caller says the unit.
    """
    unit = described.said_unit
    by_name = unit is not None and hasattr(table.given, "columns")
    found = [own for own in table.without() if own.said.unit in ([unit] if unit else UNIT)]
    return [own.name for own in found if by_name or own.numbers is None]


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
    return "score" if not said.score and read_name(column).usual in HIGHER_IS_BETTER else column


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
