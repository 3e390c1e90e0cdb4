"""Plain tables: one row per result, or one column per system."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

import numpy as np

from skstat._columns import (
    ITEM_NAMES,
    METRIC,
    REPEATED,
    REPEATS,
    SYSTEM,
    VALUES,
    in_order,
    is_no_score,
    is_score,
    is_system,
    joined,
    kind_of,
    plain,
    size_of,
    unit_of,
    why_no_system,
)
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._formats.cells import holds_lists, looks_like_scores, numbers_of, shown
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import is_small
from skstat.io._formats.table_files import CELLS_LIMIT, Columns, Table, is_table, table_of
from skstat.io._join import ResultsError
from skstat.io._results import Results, one_row_per_cell
from skstat.stats import Unit

# A number with a point, which names no column.
_NUMBER = re.compile(r"(.*[\s;])?[+-]?\d*\.\d+([eE][+-]?\d+)?")


@dataclass(frozen=True, kw_only=True)
class _Roles:
    """What the columns of a table say.

    Attributes
    ----------
    system : str or None
        Whose result a row is; None where all are of one system.
    item : list of str
        What it is on; several columns name it together.
    unit : str
        What that is.
    repeat : str or None
        Which of several results of the system on the item it is.
    metric : str or None
        Which metric it is by, where scores of several stand below each other.
    """

    system: str | None
    item: list[str]
    unit: Unit
    repeat: str | None = None
    metric: str | None = None

    @property
    def columns(self) -> list[str]:
        """All of these columns."""
        named = (self.system, *self.item, self.repeat, self.metric)
        return [name for name in named if name is not None]


def read_table(given: Given, asked: Asked) -> list[Results]:
    """Read a table with one row per result; columns of numbers and outcomes are its scores."""
    table = table_of(given.what)
    if "systems" in asked.columns:
        table = _melted(table, asked.columns["systems"], _metric_named(table, asked))
    roles = _roles(table, asked)
    table, repeat = _unfolded(table, roles, asked)
    roles = replace(roles, repeat=repeat)
    rest = [column for column in table.columns if column not in roles.columns]
    scores, left_out = _scores(table, rest, roles, asked)
    systems = [] if asked.system else _systems(scores, roles, asked)
    if systems:
        wide = replace(asked, columns={**asked.columns, "systems": systems})
        others = [name for name in scores if name not in systems]
        said = f"read as systems: the columns {listed(systems)}"
        (found,) = read_table(given, wide)
        return [replace(found, notes=(said,), left_out=(*left_out, *others))]
    if roles.metric is None:
        for each in _named_scores(asked):
            _asked_for(each, table)
    name = asked.system or Path(table.path).stem
    columns = table.columns
    system = roles.system
    of_rows = [name] * len(table) if system is None or asked.system else columns[system]
    labels = {each: _texts(columns[each], each, table) for each in roles.columns}
    items, order = joined([labels[each] for each in roles.item])
    repeats: Sequence[Any] | None = None if repeat is None else labels[repeat]
    if repeat is None and roles.metric is None:
        _refuse_twice(table, of_rows, items, roles, rest)
    if roles.metric is None:
        scores = {name: [own[row] for row in order] for name, own in scores.items()}
    else:
        ((column, value),) = scores.items()
        cells = list(zip(of_rows, items, repeats or [None] * len(items), strict=True))
        metrics = labels[roles.metric]
        order, by_metric = one_row_per_cell(cells, metrics, value, order, column)
        scores = {each: by_metric[each] for each in _metrics_of(by_metric, asked)}

    def taken(cells: Sequence[Any]) -> Sequence[Any]:
        return [cells[row] for row in order]

    facts = [*rest, *(roles.item if roles.unit == "split" else [])]
    found = Results(
        system=taken(_texts(of_rows, system or "", table)),
        item=taken(items),
        repeat=None if repeats is None else taken(repeats),
        scores=scores,
        columns={
            column: _facts(column, taken(columns[column]))
            for column in facts
            if column not in scores and not holds_lists(columns[column])
        },
        unit=roles.unit,
        sources=tuple(asked.source(str(name)) for name in dict.fromkeys(of_rows)),
        left_out=tuple(left_out),
    )
    return [found]


def _refuse_twice(
    table: Table,
    systems: Sequence[Any],
    items: Sequence[str],
    roles: _Roles,
    rest: Sequence[str],
) -> None:
    """Refuse several results on one item where a column may count them, and say which."""
    if len(set(zip(systems, items, strict=True))) == len(items):
        return
    apart = [name for name in rest if plain(name) in REPEATS or kind_of(name) == "split"]
    if apart and roles.unit != "split":
        raise ResultsError(
            f"{table.path}: {systems[0]!r} has several results on one {roles.item[0]}. If "
            f"{apart[0]!r} counts them, their mean is compared: "
            f"{_call(table, item=roles.item[0], repeat=apart[0])}."
        )


def _systems(scores: Mapping[str, Any], roles: _Roles, asked: Asked) -> list[str]:
    """Return the columns of a table that are systems, if none of them is called as a metric is.

    On items one system may have several scores of any name, so there nobody can tell.
    """
    if roles.system is not None or roles.metric is not None or roles.unit == "instance":
        return []
    found = [name for name in scores if not why_no_system(name, scores)]
    bare = all(direction_of(name) is None and not is_score(name) for name in found)
    return found if bare and len(found) > 1 and "systems" not in asked.columns else []


def _metric_named(table: Table, asked: Asked) -> str:
    """Return what the scores of columns of systems are, if the caller says it."""
    named = _named_scores(asked)
    return named[0] if len(named) == 1 and named[0] not in table.columns else "score"


def _metrics_of(scores: Mapping[str, Any], asked: Asked) -> list[str]:
    """Return the metrics that are asked for, of those that a column names."""
    named = _named_scores(asked)
    return [name for name in named if name in scores] or list(scores)


def _roles(table: Table, asked: Asked) -> _Roles:
    """Find what every column says: what the caller names, else by its usual name."""
    system = _one(table, "system", asked) or _usual_system(table, asked)
    repeat = _one(table, "repeat", asked)
    metric = _metric(table, asked)
    if repeat is not None and _names_metrics(repeat):
        raise ResultsError(
            f"{table.path}: {repeat!r} says which metric a score is by, and scores of several "
            "metrics have no mean: leave it out of the repeats, and choose one by its name."
        )
    taken = [system, repeat, metric, *_named_scores(asked)]
    named = asked.columns.get("item")
    if named is not None:
        item, unit = _named_item(table, named)
    else:
        item, unit = _usual_item(table, system, taken)
    if unit == "split":  # a repeat and a fold are a split together
        free = [name for name in table.columns if name not in item and name not in taken]
        beside = [name for name in free if kind_of(name) == "split" and _varies(table, name)]
        if repeat is not None and kind_of(repeat) == "split":
            beside.append(repeat)
            repeat = None
        item = in_order([*item, *beside])
    elif repeat is None:
        usual = [name for name in table.columns if plain(name) in REPEATED]
        usual = [name for name in usual if name not in (*item, system, *taken)]
        repeat = min(usual, key=lambda name: REPEATED.index(plain(name)), default=None)
    return _Roles(system=system, item=item, unit=unit, repeat=repeat, metric=metric)


def _one(table: Table, role: str, asked: Asked) -> str | None:
    """Return the column that the caller names."""
    named = asked.columns.get(role)
    if named is not None and (not isinstance(named, str) or named not in table.columns):
        raise ResultsError(
            f"columns[{role!r}]={named!r} is not a column; there are {table.known}."
        )
    return named


def _varies(table: Table, name: str) -> bool:
    """Whether a column differs between rows, as one that names units does."""
    cells = table.columns[name]
    return any(cell != cells[0] for cell in cells)


def _usual_system(table: Table, asked: Asked) -> str | None:
    """Return the column that is called as one of systems; refuse several that say it."""
    found = [name for name in table.columns if is_system(name)]
    varying = [name for name in found if _varies(table, name)] or found[:1]
    if len(varying) > 1 and not asked.system:
        raise ResultsError(
            f"{table.path}: {' and '.join(map(repr, varying))} may each say whose a result is. "
            f"Say which: {_call(table, system=varying[0])}."
        )
    return varying[0] if varying else None


def _names_metrics(name: str) -> bool:
    return plain(name) in METRIC


def _metric(table: Table, asked: Asked) -> str | None:
    """Return the column that says by which metric the one score of a row is."""
    found = [name for name in table.columns if _names_metrics(name)]
    named = _named_scores(asked)
    for name in found:
        cells = table.columns[name]
        if not all(isinstance(cell, str) for cell in cells) or _are_numbers(name, cells):
            continue
        values = [other for other in table.columns if plain(other) in VALUES]
        beside = [other for other in named if other in table.columns] or values
        if len(beside) == 1:
            return name
        if _varies(table, name):
            raise ResultsError(
                f"{table.path}: {name!r} says by which metric a score is, and no column is "
                f"called value or score. Say which holds them: {_call(table, score='value')}."
            )
    return None


def _named_item(table: Table, named: Any) -> tuple[list[str], Unit]:
    """Return the columns of the item, and what it is by their names."""
    item = [named] if isinstance(named, str) else list(named)
    for name in item:
        if name not in table.columns:
            raise ResultsError(
                f"columns['item']={name!r} is not a column; there are {table.known}."
            )
    return item, unit_of(item)


def _usual_item(
    table: Table, system: str | None, taken: Sequence[str | None]
) -> tuple[list[str], Unit]:
    """Return the columns that are called as what a result is on, and what that is."""
    free = [name for name in table.columns if name not in taken]
    ids = [name for name in free if kind_of(name) == "instance" and plain(name) in ITEM_NAMES]
    ids = [name for name in ids if system is None or _recurs(table, name, system)]
    if ids:
        return [min(ids, key=lambda name: ITEM_NAMES.index(plain(name)))], "instance"
    by_unit: dict[str, list[str]] = {}
    for name in free:
        unit = kind_of(name)
        if unit not in (None, "instance") and _varies(table, name):
            by_unit.setdefault(str(unit), []).append(name)
    if len(by_unit) > 1:
        by_unit.pop("group", None)
    if len(by_unit) > 1:
        (one, *_), (other, *_) = list(by_unit.values())[:2]
        raise ResultsError(
            f"{table.path}: {one!r} and {other!r} may each say what a result is on. Say "
            f"which, and which counts its repeats: {_call(table, item=one, repeat=other)}."
        )
    for unit, names in by_unit.items():
        return names, cast(Unit, unit)
    if any(_NUMBER.fullmatch(name) for name in table.names):
        raise ResultsError(
            f"{table.path}: the first line holds {listed(table.names)}, which looks like a "
            "result and not like names of columns. Write names above it, such as "
            "item,system,score."
        )
    raise ResultsError(
        f"{table.path} has no column that names the item ({table.known}): say which, as in "
        f"{_call(table, item='question')}."
    )


def _recurs(table: Table, name: str, system: str) -> bool:
    """Whether some label is one of two systems, or there is one system: else none is paired."""
    first: dict[Any, Any] = {}
    whose = table.columns[system]
    labelled = zip(table.columns[name], whose, strict=True)
    return not _varies(table, system) or any(
        first.setdefault(label, own) != own for label, own in labelled
    )


def _scores(
    table: Table, rest: Sequence[str], roles: _Roles, asked: Asked
) -> tuple[dict[str, list[float]], list[str]]:
    """Return the columns of scores, and those of numbers that were taken for none.

    Scores are what the caller names, else all that looks like it.
    """
    columns = table.columns
    if roles.metric is not None:
        named = [name for name in _named_scores(asked) if name in columns]
        (value,) = named or [name for name in rest if plain(name) in VALUES]
        return {value: _asked_for(value, table)}, []
    wanted = _named_scores(asked)
    if "systems" in asked.columns or any(name in columns for name in wanted):
        wanted = wanted or ["score"]
        return {name: _asked_for(name, table) for name in wanted}, []
    scores: dict[str, list[float]] = {}
    refused: dict[str, str] = {}
    no_scores: list[str] = []
    for name in rest:
        found = numbers_of(name, columns[name], table.row)
        if found.values is None:
            if looks_like_scores(name, columns[name]):
                refused[name] = found.why
        elif is_no_score(name, found.values):
            no_scores.append(name)
        else:
            scores[name] = found.values
    if scores and (not refused or any(map(is_score, scores))):
        return scores, no_scores
    said = [f"{table.path}:"]
    if not scores:
        said = [
            f"{table.path} has no column of numbers, or of words such as true and false: there "
            "is no score."
        ]
    for name, why in list(refused.items())[:1]:
        said.append(f"{name!r} looks like the score, but {why}. {_remedy(name, columns[name])}")
    if scores:
        said.append(f"What is left is {listed(scores)}. If that is to be compared, say so:")
    elif no_scores:
        said.append(f"Not taken for scores: {listed(no_scores)}. If one is a score, say so:")
    said += [f"{_call(table, score=name)}." for name in [*scores, *no_scores][:1]]
    raise ResultsError(" ".join(said))


def _remedy(name: str, cells: Sequence[Any]) -> str:
    """Say what to do with a column that looks like the score and cannot be read."""
    if any(isinstance(cell, dict) for cell in cells):
        return "Write what the objects hold into columns of their own."
    if holds_lists(cells):
        return (
            f"Lists of numbers are read as repeats where columns={{'score': {name!r}}} says so."
        )
    return "Correct what is not a score; an empty cell is a missing one."


def _named_scores(asked: Asked) -> list[str]:
    wanted = asked.columns.get("score", [])
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _asked_for(name: str, table: Table) -> list[float]:
    if name not in table.columns:
        raise ResultsError(
            f"{table.path} has no column of numbers called {name!r}; there are {table.known}."
        )
    found = numbers_of(name, table.columns[name], table.row, named=True)
    if found.values is None:
        raise ResultsError(
            f"{table.path} has no column of numbers called {name!r}: {found.why}. "
            f"{_remedy(name, table.columns[name])}"
        )
    return found.values


def _texts(cells: Sequence[Any], column: str, table: Table) -> list[str]:
    """Return cells that name something as texts; refuse those that name nothing."""
    if set(map(type, cells)) == {str} and "" not in cells:  # most of what there is
        return list(cells)
    for row, cell in enumerate(cells):
        if cell is None or cell != cell or cell == "":  # nan
            raise ResultsError(f"{table.path}: {column!r} is empty in {table.row(row)}.")
        if not is_small(cell) and not isinstance(cell, str):
            raise ResultsError(
                f"{table.path}: {column!r} holds {shown(cell)} in {table.row(row)}, and not a "
                "text or number."
            )
    return list(map(str, cells))


def _facts(name: str, cells: Sequence[Any]) -> Any:
    """Return what is known of rows; long texts one by one, since arrays have room for all."""
    if size_of(name) is not None:
        return numbers_of(name, cells, str).values or cells
    if all(map(is_small, set(cells) if set(map(type, cells)) == {str} else cells)):
        return cells
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _unfolded(table: Table, roles: _Roles, asked: Asked) -> tuple[Table, str | None]:
    """Make a row of every score where a cell holds a list of them: they are repeats."""
    columns, repeat = table.columns, roles.repeat
    wanted = _named_scores(asked) if "score" in asked.columns else None
    lists = [
        name
        for name, cells in columns.items()
        if name not in roles.columns
        and holds_lists(cells)
        and (is_score(name) if wanted is None else name in wanted)
        and all(cell is None or isinstance(cell, list) for cell in cells)
        and _are_numbers(name, [each for cell in cells for each in cell or ()])
    ]
    if not lists:
        return table, repeat
    sizes, *others = ([max(1, len(cell or ())) for cell in columns[name]] for name in lists)
    if repeat is not None:
        raise ResultsError(
            f"{table.path}: {lists[0]!r} holds lists of scores, and the column {repeat!r} "
            "counts repeats too. Write a row per score, with one column that counts them."
        )
    if any(other != sizes for other in others):
        raise ResultsError(
            f"{table.path}: {' and '.join(map(repr, lists))} hold lists of different lengths. "
            f"Read one of them: {_call(table, score=lists[0])}."
        )
    if sum(sizes) * len(columns) > CELLS_LIMIT:
        raise ResultsError(f"{table.path} holds more than {CELLS_LIMIT:,} values.")
    counted = "repeat" if "repeat" not in columns else "repeat of a list"
    found: dict[str, list[Any]] = {
        name: [
            each
            for cell, size in zip(cells, sizes, strict=True)
            for each in (cell or [None] if name in lists else [cell] * size)
        ]
        for name, cells in columns.items()
    }
    found[counted] = [str(number) for size in sizes for number in range(1, size + 1)]
    return _with_rows(table, found, np.repeat(table.lines, sizes).tolist()), counted


def _are_numbers(name: str, cells: Sequence[Any]) -> bool:
    """Whether what lists hold are scores; where they stand is not told."""
    return numbers_of(name, cells, str).values is not None


def _with_rows(table: Table, columns: Columns, lines: Sequence[int]) -> Table:
    """Return a table of other rows, which still know where they stand in the file."""
    cells = list(columns.values())
    return replace(table, names=list(columns), cells=cells.__getitem__, lines=lines)


def _melted(table: Table, systems: Any, metric: str) -> Table:
    """Make a row of every cell of the columns that are systems."""
    if (
        isinstance(systems, str)
        or not isinstance(systems, Sequence)
        or not all(isinstance(name, str) for name in systems)
    ):
        raise ResultsError(f"columns['systems']={systems!r} must be a list of columns.")
    columns, named = table.columns, dict.fromkeys(systems)
    unknown = [name for name in named if name not in columns]
    if unknown or not named:
        raise ResultsError(
            f"columns['systems'] names {unknown[0]!r}, which is not a column; there are "
            f"{table.known}."
            if unknown
            else "columns['systems'] names no column."
        )
    if len(named) < len(systems):
        raise ResultsError(f"columns['systems']={systems!r} names a column twice.")
    beside = {name: cells for name, cells in columns.items() if name not in named}
    if metric in beside or "system" in beside:
        raise ResultsError(
            f"{table.path} has a column called system or {metric} beside those of systems."
        )
    if len(table) * len(named) * (len(beside) + 2) > CELLS_LIMIT:
        raise ResultsError(
            f"{table.path} holds more than {CELLS_LIMIT:,} values with a row for each of "
            f"{len(named):,} systems: leave out columns that are not needed."
        )
    found: dict[str, list[Any]] = {
        name: list(cells) * len(named) for name, cells in beside.items()
    }
    found["system"] = [name for name in named for _ in range(len(table))]
    found[metric] = list(chain.from_iterable(columns[name] for name in named))
    return _with_rows(table, found, list(table.lines) * len(named))


def _call(table: Table, **columns: str) -> str:
    """Write the call that names columns."""
    return f"read_results({table.path!r}, columns={columns})"


TABLE = Format(
    name="table",
    of="tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)",
    recognises=is_table,
    read=read_table,
    reads={
        "system": f"A column called {', '.join(SYSTEM)}; else the name of the file.",
        "item": f"A column called {', '.join(ITEM_NAMES)}; else the unit that a column is "
        "called: dataset, fold and repeat, split, seed.",
        "repeat": f"A column called {', '.join(REPEATED)}.",
        "scores": "Columns of numbers, and of outcomes: true and false, yes and no, pass "
        "and fail, correct and incorrect, right and wrong are 1 and 0. Empty cells, NA and the "
        "like are missing. A list of scores in a cell is repeats. Lower is better in columns "
        "called error, loss, time or the like. Columns that number rows, say when, name "
        "something or hold answers (index, timestamp, topic, target, prediction) are none, "
        "unless ``columns={'score': 'index'}`` says so; reports name them. A column ``metric`` "
        "beside ``value`` has a metric in every row.",
        "columns": "All other columns, but lists. ``columns={'item': 'question'}`` names what "
        "has another name, and ``columns={'systems': ['a', 'b']}`` the columns of systems; "
        "beside a column of data sets, splits or seeds they are found.",
        "refused": "A column that looks like the score and cannot be read as one, where no "
        "other looks like it; rows with more or fewer cells than the header; a key or column "
        f"twice; more than {CELLS_LIMIT // 10**6} million values.",
    },
)
