"""Plain tables: one row per result, or one column per system."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from skstat._names import listed
from skstat.io._formats.cells import (
    holds_lists,
    is_no_score,
    is_score,
    looks_like_scores,
    numbers_of,
    shown,
)
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import is_small
from skstat.io._formats.table_files import CELLS_LIMIT, Columns, Table, is_table, table_of
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_SYSTEM = ("system", "model", "algorithm", "method", "framework")
# What a column of ids is usually called, by which rows of several files are paired.
ITEM_NAMES = (
    "item", "item_id", "question", "question_id", "id", "doc_id", "instance", "instance_id",
    "document_id", "example", "example_id", "sample_id", "row_id", "uid", "uuid", "guid", "qid",
)  # fmt: skip
_REPEAT = ("repeat", "sample", "epoch", "seed", "attempt")


def read_table(given: Given, asked: Asked) -> Results:
    """Read a table with one row per result; columns of numbers and outcomes are its scores."""
    table = table_of(given.what)
    if "systems" in asked.columns:
        table = _melted(table, asked.columns["systems"])
    roles = {
        role: _role(table, role, asked, names)
        for role, names in (("system", _SYSTEM), ("item", ITEM_NAMES), ("repeat", _REPEAT))
    }
    table, roles["repeat"] = _unfolded(table, roles, asked)
    columns = table.columns
    item, system = roles["item"], roles["system"]
    if item is None:
        raise ResultsError(
            f"{table.path} has no column that names the item ({table.known}): say which, as in "
            f"{_call(table, item='question')}."
        )
    name = asked.system or Path(table.path).stem
    of_rows = [name] * len(columns[item]) if system is None or asked.system else columns[system]
    rest = [column for column in columns if column not in roles.values()]
    scores = _scores(table, rest, asked)
    return Results(
        system=_names(of_rows, system or "", table),
        item=_names(columns[item], item, table),
        repeat=None
        if roles["repeat"] is None
        else _names(columns[roles["repeat"]], roles["repeat"], table),
        scores=scores,
        columns={
            column: _facts(columns[column])
            for column in rest
            if column not in scores and not holds_lists(columns[column])
        },
        sources=tuple(
            Source(system=str(name), format=TABLE.name, path=str(given.what))
            for name in dict.fromkeys(of_rows)
        ),
    )


def _scores(table: Table, rest: Sequence[str], asked: Asked) -> dict[str, list[float]]:
    """Return the columns of scores: those that the caller names, else all that look like it."""
    if "score" in asked.columns:
        return {name: _asked_for(name, table) for name in _named_scores(asked)}
    columns = table.columns
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
        return scores
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
    wanted = asked.columns["score"]
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


def _names(cells: Sequence[Any], column: str, table: Table) -> Sequence[Any]:
    """Return cells that name something; refuse those that name nothing."""
    if set(map(type, cells)) == {str} and "" not in cells:  # most of what there is
        return cells
    for row, cell in enumerate(cells):
        if cell is None or cell != cell or cell == "":  # nan
            raise ResultsError(f"{table.path}: {column!r} is empty in {table.row(row)}.")
        if not is_small(cell) and not isinstance(cell, str):
            raise ResultsError(
                f"{table.path}: {column!r} holds {shown(cell)} in {table.row(row)}, and not a "
                "text or number."
            )
    return cells


def _facts(cells: Sequence[Any]) -> Any:
    """Return what is known of rows; long texts one by one, since arrays have room for all."""
    if all(map(is_small, set(cells) if set(map(type, cells)) == {str} else cells)):
        return cells
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _unfolded(
    table: Table, roles: Mapping[str, str | None], asked: Asked
) -> tuple[Table, str | None]:
    """Make a row of every score where a cell holds a list of them: they are repeats."""
    columns, repeat = table.columns, roles["repeat"]
    wanted = _named_scores(asked) if "score" in asked.columns else None
    lists = [
        name
        for name, cells in columns.items()
        if name not in roles.values()
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


def _melted(table: Table, systems: Any) -> Table:
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
    if "score" in beside or "system" in beside:
        raise ResultsError(
            f"{table.path} has a column called system or score beside those of systems."
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
    found["score"] = list(chain.from_iterable(columns[name] for name in named))
    return _with_rows(table, found, list(table.lines) * len(named))


def _role(table: Table, role: str, asked: Asked, usual: tuple[str, ...]) -> str | None:
    named = asked.columns.get(role)
    if named is None:
        return next((name for name in usual if name in table.columns), None)
    if not isinstance(named, str) or named not in table.columns:
        raise ResultsError(
            f"columns[{role!r}]={named!r} is not a column; there are {table.known}."
        )
    return named


def _call(table: Table, **columns: str) -> str:
    """Write the call that names columns."""
    return f"read_results({table.path!r}, columns={columns})"


TABLE = Format(
    name="table",
    of="tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)",
    recognises=is_table,
    read=read_table,
    reads={
        "system": f"A column called {', '.join(_SYSTEM)}; else the name of the file.",
        "item": f"A column called {', '.join(ITEM_NAMES)}.",
        "repeat": f"A column called {', '.join(_REPEAT)}.",
        "scores": "Columns of numbers, and of outcomes: true and false, yes and no, pass "
        "and fail, correct and incorrect, right and wrong are 1 and 0. Empty cells, NA and the "
        "like are missing. A list of scores in a cell is repeats. Lower is better in columns "
        "called error, loss, time or the like. Columns that number rows, say when, name "
        "something or hold answers (index, timestamp, topic, target, prediction) are none, "
        "unless ``columns={'score': 'index'}`` says so.",
        "columns": "All other columns, but lists. ``columns={'item': 'question'}`` names what "
        "has another name, and ``columns={'systems': ['a', 'b']}`` the columns of systems.",
        "refused": "A column that looks like the score and cannot be read as one, where no "
        "other looks like it; rows with more or fewer cells than the header; a key or column "
        f"twice; more than {CELLS_LIMIT // 10**6} million values.",
    },
)
