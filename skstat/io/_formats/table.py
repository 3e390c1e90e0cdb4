"""Tables, a row per result or a column per system: CSV, TSV, JSON, JSON lines, parquet."""

import csv
import importlib.util
import io
import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from skstat._columns import REPEATED, no_systems
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._formats import records
from skstat.io._results import Results, ResultsError
from skstat.io._roles import Roles, UserRoles, names_of
from skstat.io._table import Table, refuse_twice, shown

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# How the names of tables end.
TABLES = (*_DELIMITERS, ".jsonl", ".ndjson", ".json", ".parquet")
# Cells of a table. All of them are in memory at once.
CELLS_LIMIT = 50_000_000
# A number with a point, which names no column.
_NUMBER = re.compile(r"(.*[\s;])?[+-]?\d*\.\d+([eE][+-]?\d+)?")


def read_table(given: records.Given) -> list[Results]:
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
    if any(map(_NUMBER.fullmatch, table)):
        raise ValueError(
            f"the first line holds {listed(table)}, which looks like a result: write "
            "names of columns above it, such as item,system,score."
        )
    if not table.named:
        raise ValueError(f"{table.row(0)} is not an object with keys.")
    named: Sequence[str] = names_of(given.columns.get("score"))
    metric = named[0] if len(named) == 1 and named[0] not in table else "score"
    if "systems" in given.columns:
        table, named = _melted(table, given.columns["systems"], metric), (metric,)

    def call(**roles: Any) -> str:
        return f"read_results({table.path!r}, columns={given.columns | roles})"

    system, item, repeat = map(given.columns.get, ("system", "item", "repeat"))
    score, items = tuple(named), names_of(item)
    user = UserRoles(call=call, system=system, item=items, repeat=repeat, score=score)
    table = _unfolded(table, named)
    roles = Roles(table, user)
    scored, left_out = roles.scores()
    may = given.system is None and len(named) < 2 and (given.alone or roles.unit != "instance")
    systems = _systems(roles, scored) if may else []
    if systems:
        left_out = [*left_out, *(name for name in scored if name not in systems)]
        melted = _melted(roles.table, systems, metric)
        roles = roles.on(melted, f"read as systems: the columns {listed(systems)}")
        scored = named = [metric]
    if named and roles.metric is None:
        roles.check_scores(named)
    roles.refuse_twice(scored)
    name = given.system or Path(str(table.path)).stem
    of_rows = [name] if roles.system is None else roles.table[roles.system].labels
    sources = tuple(map(given.source, dict.fromkeys(of_rows)))
    scores = dict(zip(scored, scored, strict=True))
    return [roles.results(scores, name=name, sources=sources, left_out=left_out)]


def _systems(roles: Roles, scores: Sequence[str]) -> list[str]:
    """Return the columns of a table that are systems, if none of them is called as a metric is.

    On items one system may have several scores of any name: there they are systems only where
    nothing else is compared.
    """
    if roles.system is not None or roles.metric is not None:
        return []
    columns = [roles.table[name] for name in scores]
    none = no_systems({col.name: col.numbers for col in columns})
    systems = [col for col in columns if col.name not in none]
    bare = all(direction_of(col.name) is None and not col.hints.is_score for col in systems)
    return [col.name for col in systems] if bare and len(systems) > 1 else []


def _unfolded(table: Table, scores: Sequence[str]) -> Table:
    """Make a row of every score where a cell holds a list of them: they are repeats."""
    columns = table.values()
    lists: dict[str, list[list[Any]]] = {}
    for column in columns:
        may = column.name in scores if scores else column.hints.is_score
        if may and list in map(type, column.cells):
            each = [cell if isinstance(cell, list) else [cell] for cell in column.cells]
            lists[column.name] = [cell or [None] for cell in each]  # none is a missing score
    if not lists:
        return table
    sizes = [list(map(len, column)) for column in lists.values()]
    counted = any(column.hints.usual in REPEATED for column in columns)
    if counted or any(column != sizes[0] for column in sizes):
        raise ValueError(
            f"{' and '.join(map(repr, lists))} hold lists, of different lengths or beside a "
            "column of repeats: write a row per score, and a column that counts repeats."
        )
    rows = np.repeat(np.arange(table.n_rows), sizes[0]).tolist()
    records.refuse_many(len(rows) * len(columns), str(table.path), CELLS_LIMIT)
    unfolded = {column.name: [column.cells[row] for row in rows] for column in columns}
    unfolded |= {name: list(chain.from_iterable(column)) for name, column in lists.items()}
    unfolded["repeat"] = [str(k + 1) for size in sizes[0] for k in range(size)]
    return Table(unfolded, lambda row: table.row(rows[row]), table.path)


def _melted(table: Table, systems: Sequence[str], metric: str) -> Table:
    """Make a row of every cell of the columns that are systems."""
    if len(set(systems)) < len(systems):
        raise ValueError(f"columns['systems']={systems!r} names a column twice.")
    for name in systems:
        table.named_as("systems", name)
    others = set(table) - set(systems)
    if not others.isdisjoint((metric, "system")):
        raise ValueError(f"a column beside those of systems is called system or {metric}.")
    n_values = table.n_rows * len(systems) * (len(others) + 2)
    records.refuse_many(n_values, str(table.path), CELLS_LIMIT)
    return table.melted(systems, metric)


def table_kind(path: str | Path) -> str:
    """Return the end of a table's name, without that of packing; nothing of other files."""
    end = Path(str(path).lower().removesuffix(".gz")).suffix
    return end if end in TABLES else ""


def table_of(source: Any) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path
        A file whose name says what kind of table it is.

    Returns
    -------
    Table
        Its columns, and where its rows stand: texts of CSV and TSV, values of others.

    Raises
    ------
    ValueError
        If it is no such file, is damaged, holds no rows, or more than may be read.
    """
    kind = table_kind(source) if isinstance(source, str | Path) else ""
    if not kind:
        raise ValueError(f"it is not a table: its name ends in none of {', '.join(TABLES)}.")
    path = str(source)
    content = records.content_of(path)
    if kind == ".parquet":
        table = _parquet(content, path)
    elif kind in _DELIMITERS:
        table = _separated(content, path, _DELIMITERS[kind])
    else:
        records.check_size(content, path, CELLS_LIMIT)
        table = _json(content, path) if kind == ".json" else _json_lines(content, path)
    if not table.n_rows:
        raise ResultsError(f"{path} holds no rows.")
    return table


def _row(row: int) -> str:
    return f"row {row + 1}"


def _separated(content: bytes, path: str, delimiter: str) -> Table:
    n_signs = content.count(delimiter.encode()) + content.count(b"\n")
    records.refuse_many(n_signs, path, CELLS_LIMIT)
    text = io.StringIO(records.decoded(content, path), newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    rows: dict[int, list[str]] = {}  # by their first lines
    try:
        names = list(map(str.strip, next(filter(None, reader), [])))
        if not names:
            raise ValueError("it is empty: its first line must name the columns.")
        if len(names) == 1 and ";" in names[0]:
            raise ValueError(
                f"the one column {names[0]!r} seems to be parted by semicolons: save the file "
                "with commas, or as .tsv with tabs."
            )
        last = reader.line_num
        for cells in reader:
            first, last = last + 1, reader.line_num
            # Of a single column an empty line is an empty cell; beside others it is no row.
            row = cells or [""] * (len(names) == 1)
            if row and len(row) != len(names):
                raise ValueError(f"line {first} has {len(row)} cells, the header {len(names)}.")
            if row:
                rows[first] = row
    except csv.Error as error:
        raise ValueError(
            f"line {reader.line_num}: {error}. Odd texts are safe as .jsonl."
        ) from error
    lines, columns = list(rows), list(map(list, zip(*rows.values(), strict=True)))
    for index in reversed(range(len(columns))):
        # Lines that end with a delimiter make a column without a name and without content.
        if not (names[index] or any(columns[index])):
            del names[index], columns[index]
    refuse_twice(names if rows else ())
    table = dict(zip(names, columns, strict=False))
    return Table(table, lambda row: f"line {lines[row]}", path)


def _json_lines(content: bytes, path: str) -> Table:
    """Read a JSON value per line: objects with keys, or values without."""
    values = {
        number: records.parsed(line, f"{path}, line {number}", unique=True)
        for line, number in records.lines_of(content, path)
    }
    lines = list(values)
    return _of_values(list(values.values()), path, lambda row: f"line {lines[row]}")


def _json(content: bytes, path: str) -> Table:
    """Read a list of objects or of values, or an object of columns."""
    value = records.parsed(records.decoded(content, path), path, unique=True)
    if isinstance(value, list):
        return _of_values(value, path, _row)
    if not isinstance(value, dict) or not all(isinstance(c, list) for c in value.values()):
        raise ValueError(
            f"it holds {shown(value)}, and neither a list of objects (one per row) nor an "
            "object of lists (one per column)."
        )
    if len({len(cells) for cells in value.values()}) > 1:
        lengths = [f"{name!r} has {len(cells)}" for name, cells in value.items()]
        raise ValueError(f"columns are of unequal length: {listed(lengths)} values.")
    return Table(value, _row, path)


def _of_values(values: Sequence[Any], path: str, row: Callable[[int], str]) -> Table:
    """Make a table of objects with keys, or of values without names; not of both."""
    objects = [isinstance(value, dict) for value in values]
    if not any(objects):
        return Table({"": values}, row, path)
    if not all(objects):
        odd = objects.index(False)
        held = shown(values[odd])
        raise ValueError(f"{row(odd)} holds {held}, and others an object with keys.")
    names = dict.fromkeys(name for value in values for name in value)
    records.refuse_many(len(values) * len(names), path, CELLS_LIMIT)
    return Table({name: [v.get(name) for v in values] for name in names}, row, path)


def _parquet(content: bytes, path: str) -> Table:
    """Read by polars, or else by pandas."""
    package = "polars" if importlib.util.find_spec("polars") else "pandas"
    try:
        frame = importlib.import_module(package).read_parquet(io.BytesIO(content))
        if package == "pandas":
            frame = frame.astype(object).where(frame.notna(), None)
        return Table({str(name): frame[name].to_list() for name in frame.columns}, _row, path)
    except ImportError as error:
        raise ValueError("parquet needs polars, or pandas: pip install polars.") from error
    except BaseException as error:  # polars panics by what is no Exception
        raise ValueError(f"it is not a parquet file: {error}.") from error


_LOOKS = re.compile(rf".+({'|'.join(map(re.escape, TABLES))})(\.gz)?\n(?s:.)", re.IGNORECASE)
_OF = "tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)"
TABLE = records.Format("table", _OF, read_table, _LOOKS)
