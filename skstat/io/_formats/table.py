"""Plain tables: one row per result, or one column per system."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from skstat._columns import ITEM_NAMES, REPEATED, SYSTEM, is_score, why_no_system
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._formats.cells import holds_lists, looks_like_scores, numbers_of
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.table_files import CELLS_LIMIT, Table, table_kind, table_of
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._tables import (
    Columns,
    Numbers,
    Roles,
    Said,
    beside_each_other,
    check_score,
    names_of,
    refuse_twice,
    results_of_rows,
    roles_of,
    scores_of,
)

# A number with a point, which names no column.
_NUMBER = re.compile(r"(.*[\s;])?[+-]?\d*\.\d+([eE][+-]?\d+)?")


def read_table(given: Given, asked: Asked) -> list[Results]:
    """Read a table with one row per result; columns of numbers and outcomes are its scores.

    :system: A column called system, model, estimator, algorithm, classifier, regressor, method,
        learner, framework; else the name of the file.
    :item: A column called item, item_id, question, question_id, id, doc_id, instance,
        instance_id, document_id, example, example_id, sample_id, row_id, uid, uuid, guid, qid;
        else the unit that a column is called: dataset, fold and repeat, split, seed.
    :repeat: A column called repeat, sample, epoch, seed, attempt, repetition, trial, iteration.
    :scores: Columns of numbers, and of outcomes: true and false, yes and no, pass and fail,
        correct and incorrect, right and wrong are 1 and 0. Empty cells, NA and the like are
        missing. A list of scores in a cell is repeats. Lower is better in columns called error,
        loss, time or the like. Columns that number rows, say when, name something or hold
        answers (index, timestamp, topic, target, prediction) are none, unless
        ``columns={'score': 'index'}`` says so; reports name them. A column ``metric`` beside
        ``value`` has a metric in every row.
    :columns: All other columns, but lists. ``columns={'item': 'question'}`` names what has
        another name, and ``columns={'systems': ['a', 'b']}`` the columns of systems; beside a
        column of data sets, splits or seeds they are found.
    :refused: A column that looks like the score and cannot be read as one, where no other looks
        like it; rows with more or fewer cells than the header; a key or column twice; more than
        50 million values.
    """
    table = table_of(given.what)
    if any(_NUMBER.fullmatch(name) for name in table.names):
        raise ResultsError(
            f"{table.path}: the first line holds {listed(table.names)}, which looks like a "
            "result and not like names of columns. Write names above it, such as "
            "item,system,score."
        )
    if not table.named:
        raise ResultsError(f"{table.path}, {table.row(0)} is not an object with keys.")
    columns = Columns(table.columns, _numbers, table.row)
    named = names_of(asked.columns.get("score"))
    if "systems" in asked.columns:
        metric = named[0] if len(named) == 1 and named[0] not in columns else "score"
        systems = asked.columns["systems"]
        columns, named = _melted(table, columns, systems, metric), (metric,)

    def call(**roles: Any) -> str:
        return f"read_results({table.path!r}, columns={asked.columns | roles})"

    said = Said(
        call=call,
        system=asked.columns.get("system"),
        item=names_of(asked.columns.get("item")),
        repeat=asked.columns.get("repeat"),
        score=named,
        of_file=True,
    )
    roles = roles_of(columns, said)
    columns, roles = _unfolded(table, columns, roles, said)
    found, left_out = scores_of(columns, roles, said)
    systems = [] if asked.system or len(named) > 1 else _systems(columns, found, roles)
    if systems:
        others = [name for name in found if name not in systems]
        metric = named[0] if len(named) == 1 and named[0] not in columns else "score"
        columns, found = _melted(table, columns, systems, metric), [metric]
        roles = replace(
            roles,
            system="system",
            notes=(*roles.notes, f"read as systems: the columns {listed(systems)}"),
        )
        left_out = [*left_out, *others]
    elif roles.metric is None:
        for each in named:
            check_score(columns, each, roles.columns)
    refuse_twice(columns, roles, said, found)
    name = asked.system or Path(table.path).stem
    of_rows = [name] if roles.system is None else columns.labels(roles.system)
    return [
        results_of_rows(
            columns,
            roles,
            {each: columns.read_numbers(each, each in named).values for each in found},
            name=name,
            metrics=lambda known: [each for each in named if each in known] or known,
            sources=tuple(asked.source(str(each)) for each in dict.fromkeys(of_rows)),
            notes=roles.notes,
            left_out=left_out,
        )
    ]


def _numbers(
    name: str, cells: Sequence[Any], row: Callable[[int], str], named: bool
) -> Numbers:
    """Return numbers and outcomes; why there are none is told where scores may be meant."""
    found = numbers_of(name, cells, row, named=named)
    if found.values is not None or not (named or looks_like_scores(name, cells)):
        return found._replace(why="")
    remedy = "Correct what is not a score; an empty cell is a missing one"
    if any(isinstance(cell, dict) for cell in cells):
        remedy = "Write what the objects hold into columns of their own"
    elif holds_lists(cells):
        remedy = (
            f"Lists of numbers are read as repeats where columns={{'score': {name!r}}} says so"
        )
    return Numbers(None, f"{found.why}. {remedy}")


def _systems(columns: Columns, scores: Sequence[str], roles: Roles) -> list[str]:
    """Return the columns of a table that are systems, if none of them is called as a metric is.

    On items one system may have several scores of any name, so there nobody can tell.
    """
    if roles.system is not None or roles.metric is not None or roles.unit == "instance":
        return []
    numbers = {name: columns.numbers(name) for name in scores}
    found = [name for name in scores if not why_no_system(name, numbers)]
    bare = all(direction_of(name) is None and not is_score(name) for name in found)
    return found if bare and len(found) > 1 else []


def _unfolded(
    table: Table, columns: Columns, roles: Roles, said: Said
) -> tuple[Columns, Roles]:
    """Make a row of every score where a cell holds a list of them: they are repeats."""
    may = said.score or tuple(filter(is_score, columns.names))
    cells = {name: columns.cells(name) for name in columns.names}
    lists = [n for n in may if n in cells and _holds_scores(n, cells[n])]
    if not lists:
        return columns, roles
    if roles.repeat is not None:
        raise ResultsError(
            f"{table.path}: {lists[0]!r} holds lists of scores, and the column "
            f"{roles.repeat!r} counts repeats too. Write a row per score, with one column that "
            "counts them."
        )
    sizes = [max(1, len(cell or ())) for cell in cells[lists[0]]]
    if any([max(1, len(cell or ())) for cell in cells[name]] != sizes for name in lists):
        raise ResultsError(
            f"{table.path}: {' and '.join(map(repr, lists))} hold lists of different lengths. "
            f"Read one of them: {said.call(score=lists[0])}."
        )
    if sum(sizes) * len(cells) > CELLS_LIMIT:
        raise ResultsError(f"{table.path} holds more than {CELLS_LIMIT:,} values.")
    rows = np.repeat(np.arange(len(sizes)), sizes).tolist()
    found: dict[str, list[Any]] = {
        name: [each for cell in own for each in cell or [None]]
        if name in lists
        else [own[row] for row in rows]
        for name, own in cells.items()
    }
    counted = "repeat" if "repeat" not in columns else "repeat of a list"
    found[counted] = [str(number) for size in sizes for number in range(1, size + 1)]
    unfolded = Columns(found, columns.read, lambda row: columns.row(rows[row]))
    return unfolded, replace(roles, repeat=counted)


def _holds_scores(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column holds lists of scores."""
    if not holds_lists(cells) or not {list, type(None)}.issuperset(map(type, cells)):
        return False
    return numbers_of(name, [c for cell in cells for c in cell or ()], str).values is not None


def _melted(table: Table, columns: Columns, systems: Sequence[str], metric: str) -> Columns:
    """Make a row of every cell of the columns that are systems."""
    if len(set(systems)) < len(systems):
        raise ResultsError(f"columns['systems']={systems!r} names a column twice.")
    for name in systems:
        columns.check("columns['systems']", name)
    beside = set(columns.names) - set(systems)
    if not beside.isdisjoint((metric, "system")):
        raise ResultsError(
            f"{table.path} has a column called system or {metric} beside those of systems."
        )
    if len(table) * len(systems) * (len(beside) + 2) > CELLS_LIMIT:
        raise ResultsError(
            f"{table.path} holds more than {CELLS_LIMIT:,} values with a row for each of "
            f"{len(systems):,} systems: leave out columns that are not needed."
        )
    return beside_each_other(columns, systems, metric)


TABLE = Format(
    name="table",
    of="tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)",
    recognises=lambda given: bool(given.path and given.head and table_kind(given.path)),
    read=read_table,
)
