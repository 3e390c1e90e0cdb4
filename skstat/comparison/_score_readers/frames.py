"""Frames: a row per score with its labels, or a row per unit with a column for each system."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from skstat._columns import (
    HIGHER_IS_BETTER,
    is_score,
    is_system,
    kind_of,
    names_rows,
    plain,
    why_no_system,
)
from skstat.comparison._score_readers.description import Description, GivenSamples
from skstat.comparison._score_readers.results import samples_of
from skstat.io import Results
from skstat.io import _tables as tables
from skstat.stats._common import is_missing, read_numbers


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
    is_mapping = isinstance(scores, Mapping)
    if not (is_mapping or hasattr(scores, "columns")):
        return None
    if is_mapping and any(isinstance(column, Mapping) for column in scores.values()):
        return None
    columns = tables.Columns(scores, _typed, "row {}, counted from 0".format)
    says_system = any(is_system(n) and columns.numbers(n) is None for n in columns.names)
    labels = _labels(columns, described)
    if not (described.names_columns or says_system or labels):
        return None
    roled = [name for name in columns.names if is_system(name) or kind_of(name)]
    _check_lengths(columns, roled, len(columns.cells(roled[0])) if roled else 0)
    said = _said(columns, described, None if says_system else labels)
    roles = tables.roles_of(columns, said)
    described.check_paired_seeds(roles.unit)
    _check_lengths(columns, roles.columns, len(columns.cells(roles.item[0])))
    row_items, _ = tables.joined_items(columns, roles)
    if roles.system is None:
        found, left = _systems(columns, described, said, roles), list[str]()
    else:
        found, left = tables.scores_of(columns, roles, said)
    _check_lengths(columns, found, len(row_items))
    tables.refuse_twice(columns, roles, said, found)
    # The order of the systems is that of the frame, not of its labels.
    known = found if roles.system is None else columns.labels(roles.system)
    if roles.system is None:
        columns = tables.beside_each_other(columns, found, described.metric)
        roles, found = replace(roles, system="system"), [described.metric]
    metrics = [_metric_of(name, found, roles, described) for name in found]
    values = [columns.read_numbers(name, True).values for name in found]
    results = tables.results_of_rows(
        columns,
        roles,
        dict(zip(metrics, values, strict=True)),
        metrics=lambda known: _chosen_metrics(known, described, found[0]),
        kept=said.others,
        notes=roles.notes,
        left_out=left,
    )
    names = described.chosen(dict.fromkeys(known))
    results = results.take(systems=names)
    independent = roles.unit == "seed" and not described.paired_seeds
    if described.item is None and roles.unit != "dataset" and not independent:
        _refuse_gaps(results, said, roles)
    # Of the metrics that were read all are asked for.
    given = samples_of(results, replace(described, systems=names, score=None, scoring=None))
    return replace(given, row_items=row_items)


def _typed(name: str, given: Any, row: Callable[[int], str], named: bool) -> tables.Numbers:
    """Return the numbers of a column whose cells have types: texts are none."""
    cells = np.asarray(given)
    if cells.ndim > 1 and not named:
        return tables.Numbers(None, f"it has the shape {cells.shape}" if is_score(name) else "")
    if named or cells.dtype.kind in "biuf":
        return tables.Numbers(read_numbers(f"column {name!r}", given))
    values = cells.tolist()
    known = [cell for cell in values if not is_missing(cell)] if cells.dtype == object else []
    if known and all(isinstance(cell, Real) for cell in known):
        return tables.Numbers(read_numbers(f"column {name!r}", given))
    why = f"{row(0)} holds {str(values[:1])[1:-1]}, which is a text" if is_score(name) else ""
    return tables.Numbers(None, why)


def _check_lengths(columns: tables.Columns, names: Iterable[str], n_rows: int) -> None:
    """Refuse columns that have no value for every row, or several."""
    for name in names:
        shape = np.shape(columns.of(name))
        if shape != (n_rows,):
            raise ValueError(f"column {name!r} has shape {shape}, and there are {n_rows} rows.")


def _labels(columns: tables.Columns, described: Description) -> list[str]:
    """Columns with the usual names of what a row is on, that cannot be a system's scores.

    Numbers may be scores of a system of that name, unless the caller says the unit.
    """
    unit = described.said_unit
    by_name = unit is not None and hasattr(columns.table, "columns")
    found = [name for name in columns.names if kind_of(name) is not None]
    found = [name for name in found if unit is None or kind_of(name) == unit]
    return [name for name in found if by_name or columns.numbers(name) is None]


def _said(
    columns: tables.Columns, described: Description, labels: Sequence[str] | None
) -> tables.Said:
    """Return what the caller says; without a column of systems only labels name items."""
    others = [
        columns.check(role, getattr(described, role))
        for role in ("group", "task")
        if getattr(described, role) is not None
    ]
    others += [columns.check("by", name) for name in described.by or ()]
    bare = labels is not None and not described.names_columns
    several = described.scoring if isinstance(described.scoring, list | tuple) else ()
    score = tables.names_of(described.score) or tuple(several)
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
        return described.call(**{role: columns.given.get(n, n) for role, n in proposed.items()})

    return tables.Said(
        call=call,
        system=described.system,
        item=(described.item,)
        if described.item in columns
        else tables.names_of(described.item),
        repeat=described.repeat,
        score=score,
        others=tuple(others),
        no_items=frozenset(set(columns.names) - set(labels or ()) if bare else ()),
        unit=described.said_unit,
        scoring=described.scoring if isinstance(described.scoring, str) else None,
    )


def _metric_of(
    column: str, found: Sequence[str], roles: tables.Roles, described: Description
) -> str:
    """Name the metric of a column of scores."""
    if len(found) > 1 or roles.metric is not None:
        return column
    usual = described.score is None and plain(column) in HIGHER_IS_BETTER
    other = "score" if usual else column
    return described.scoring if isinstance(described.scoring, str) else other


def _chosen_metrics(known: Sequence[str], described: Description, column: str) -> Sequence[str]:
    """Return the metrics that are asked for, of those that a column names; all by default."""
    of_column = described.score is None or str(described.score) == column
    asked = tables.names_of(described.scoring if of_column else described.score) or known
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise ValueError(
            f"{unknown[0]!r} is not a metric of the scores; they have {', '.join(known)}."
        )
    return asked


def _systems(
    columns: tables.Columns, described: Description, said: tables.Said, roles: tables.Roles
) -> list[str]:
    """Return the columns of the systems, of a frame in which each has one."""
    if described.systems is not None:
        return [columns.check("systems", name) for name in described.systems]
    rest = [n for n in columns.names if n not in {*roles.columns, *said.others}]
    # Whole numbers that are called as the item is name it too.
    rest = [n for n in rest if kind_of(n) != roles.unit or columns.holds_decimals(n)]
    texts = [name for name in rest if columns.numbers(name) is None]
    if texts and columns.first_twice(roles.columns) is not None:
        repeat = tables.repeat_beside(columns, said, [texts[0], *roles.item])
        raise ValueError(
            f"{' and '.join(map(repr, roles.item))} names several rows alike, and no column is "
            f"called like a system. If {texts[0]!r} says whose score a row is, write "
            f"{said.call(system=texts[0], **repeat)}."
        )
    for name in rest if texts != rest else ():
        if name not in texts and is_system(name):
            raise ValueError(
                f"column {name!r} looks like whose score a row is: write "
                f"{said.call(system=name)}, and score= with the columns of scores."
            )
        if name not in texts and names_rows(name):
            raise ValueError(
                f"column {name!r} looks like labels, and no other one says whose score a row "
                f"is, so that columns are systems: drop it, say what it is (repeat={name!r}, "
                f"group={name!r}), or name the systems by systems=."
            )
    refuse_no_systems({name: columns.of(name) for name in rest if name not in texts})
    for name in texts:
        cells = columns.cells(name)
        if any(isinstance(cell, Real) and cell == cell for cell in cells):
            columns.read_numbers(name, True)  # which says the cell that is none
        if _write_decimals(cells):
            raise ValueError(
                f"column {name!r} holds numbers that are texts, such as {cells[0]!r}: convert "
                "it to numbers if it is a system, or drop it."
            )
    if len(texts) == len(rest):
        raise ValueError(
            f"no column of numbers is left for a system; there are {', '.join(columns.names)}."
        )
    return [name for name in rest if name not in texts]


def _write_decimals(cells: Sequence[Any]) -> bool:
    """Whether all cells are texts of numbers, some with a point: labels have none."""
    try:
        return [*map(float, cells)] != [] and any("." in cell for cell in cells)
    except (TypeError, ValueError):
        return False


def refuse_no_systems(columns: Mapping[str, Any]) -> None:
    """Refuse columns of numbers that are not those of a system: one might win against all."""
    for name in columns:
        why = why_no_system(name, columns)
        if why:
            item = (
                f" say that it is what a row is on by item={name!r},"
                if names_rows(name)
                else ""
            )
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop it,"
                f"{item} or name the systems by systems=."
            )


def _refuse_gaps(results: Results, said: tables.Said, roles: tables.Roles) -> None:
    """Refuse gaps, which were not asked for: a unit may be one by its label alone."""
    for metric, values in results.scores.items():
        scored = ~np.isnan(values)
        of_any = dict.fromkeys(results.item[scored].tolist())
        for name in results.names:
            known = set(results.item[(results.system == name) & scored].tolist())
            lacking = next((item for item in of_any if item not in known), None)
            if lacking is not None:
                what = "score" if len(results.metrics) == 1 else metric
                item = roles.item[0] if len(roles.item) == 1 else list(roles.item)
                raise ValueError(
                    f"{name!r} has no {what} on {roles.unit} {lacking}, which another system "
                    "has one on: scores are compared on the same units. To compare on those "
                    f"that all systems have, name their column: "
                    f"{said.call(item=item, unit=roles.unit)}."
                )
