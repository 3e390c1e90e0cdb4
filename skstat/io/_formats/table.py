"""Tables, a row per result or a column per system: CSV, TSV, JSON, JSON lines, parquet."""

import csv
import importlib.util
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from skstat._columns import is_score, why_no_system
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io import _content
from skstat.io._formats.records import Format, Given
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._roles import Roles, Said, names_of
from skstat.io._table import Table, holds_lists, numbers_of_texts, shown

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# Cells of a table. All of them are in memory at once.
CELLS_LIMIT = 50_000_000
# A number with a point, which names no column.
_NUMBER = re.compile(r"(.*[\s;])?[+-]?\d*\.\d+([eE][+-]?\d+)?")


def read_table(given: Given) -> list[Results]:
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
    named = names_of(given.columns.get("score"))
    metric = named[0] if len(named) == 1 and named[0] not in table else "score"
    if "systems" in given.columns:
        table, named = _melted(table, given.columns["systems"], metric), (metric,)

    def call(**roles: Any) -> str:
        return f"read_results({table.path!r}, columns={given.columns | roles})"

    said = Said(
        call=call,
        system=given.columns.get("system"),
        item=names_of(given.columns.get("item")),
        repeat=given.columns.get("repeat"),
        score=named,
    )
    roles = _unfolded(Roles(table, said))
    found, left_out = roles.scores()
    systems = [] if given.system or len(named) > 1 else _systems(roles, found)
    if systems:
        notes = (*roles.notes, f"read as systems: the columns {listed(systems)}")
        left_out = [*left_out, *(name for name in found if name not in systems)]
        melted = _melted(roles.table, systems, metric)
        roles, found = roles.on(melted, system="system", notes=notes), [metric]
    elif roles.metric is None:
        roles.check_scores(named)
    roles.refuse_twice(found)
    name = given.system or Path(str(table.path)).stem
    of_rows = [name] if roles.system is None else roles.table.labels(roles.system)
    sources = tuple(given.source(str(each)) for each in dict.fromkeys(of_rows))
    scores = {each: each for each in found}
    return [roles.results(scores, left_out, name=name, sources=sources)]


def _systems(roles: Roles, scores: Sequence[str]) -> list[str]:
    """Return the columns of a table that are systems, if none of them is called as a metric is.

    On items one system may have several scores of any name, so there nobody can tell.
    """
    if roles.system is not None or roles.metric is not None or roles.unit == "instance":
        return []
    numbers = {name: roles.table.numbers(name) for name in scores}
    found = [name for name in scores if not why_no_system(name, numbers)]
    bare = all(direction_of(name) is None and not is_score(name) for name in found)
    return found if bare and len(found) > 1 else []


def _unfolded(roles: Roles) -> Roles:
    """Make a row of every score where a cell holds a list of them: they are repeats."""
    table = roles.table
    cells = {name: table.cells(name) for name in table.names}
    may = roles.said.score or tuple(filter(is_score, table.names))
    lists = [name for name in may if name in cells and _holds_scores(name, cells[name])]
    if not lists:
        return roles
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
            f"Read one of them: {roles.said.call(score=lists[0])}."
        )
    _content.refuse_many(sum(sizes) * len(cells), str(table.path), CELLS_LIMIT)
    rows = np.repeat(np.arange(len(sizes)), sizes).tolist()
    found: dict[str, list[Any]] = {
        name: [each for cell in own for each in cell or [None]]
        if name in lists
        else [own[row] for row in rows]
        for name, own in cells.items()
    }
    counted = "repeat" if "repeat" not in table else "repeat of a list"
    found[counted] = [str(number) for size in sizes for number in range(1, size + 1)]
    return roles.on(Table(found, lambda r: table.row(rows[r]), table.path), repeat=counted)


def _holds_scores(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column holds lists of scores."""
    if not holds_lists(cells) or not {list, type(None)}.issuperset(map(type, cells)):
        return False
    own = [each for cell in cells for each in cell or ()]
    return numbers_of_texts(name, own, str, named=False).values is not None


def _melted(table: Table, systems: Sequence[str], metric: str) -> Table:
    """Make a row of every cell of the columns that are systems."""
    if len(set(systems)) < len(systems):
        raise ResultsError(f"columns['systems']={systems!r} names a column twice.")
    for name in systems:
        table.named_as("columns['systems']", name)
    beside = set(table.names) - set(systems)
    if not beside.isdisjoint((metric, "system")):
        raise ResultsError(
            f"{table.path} has a column called system or {metric} beside those of systems."
        )
    n_values = table.n_rows * len(systems) * (len(beside) + 2)
    _content.refuse_many(n_values, str(table.path), CELLS_LIMIT)
    return table.melted(systems, metric)


def table_kind(path: str | Path) -> str:
    """Return the end of a table's name, without that of packing; nothing of other files."""
    end = Path(str(path).lower().removesuffix(".gz")).suffix
    return end if end in _READERS else ""


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
    ResultsError
        If it is no such file, is damaged, holds no rows, or more than may be read.
    """
    kind = table_kind(source) if isinstance(source, str | Path) else ""
    if not kind:
        what = source if isinstance(source, str | Path) else f"a {type(source).__name__}"
        raise ResultsError(
            f"{what} is not a table: its name ends in none of {', '.join(TABLES)}."
        )
    path = str(source)
    table = _READERS[kind](_content.content_of(path), path)
    if not table.n_rows:
        raise ResultsError(f"{path} holds no rows.")
    return table


def _row(row: int) -> str:
    return f"row {row + 1}"


def _separated(content: bytes, path: str) -> Table:
    delimiter = _DELIMITERS[table_kind(path)]
    _content.check_size(content, path, CELLS_LIMIT, f"{delimiter}\n")
    text = io.StringIO(_content.decoded(content, path), newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        names = [name.strip() for name in next(filter(None, reader), [])]
        if not names:
            raise ResultsError(f"{path} is empty: its first line must name the columns.")
        if len(names) == 1 and ";" in names[0]:
            raise ResultsError(
                f"{path} has one column, {names[0]!r}: its cells seem to be parted by "
                "semicolons. Save it with commas, or as .tsv with tabs."
            )
        last = reader.line_num
        for cells in reader:
            first, last = last + 1, reader.line_num
            # Of a single column an empty line is an empty cell; beside others it is no row.
            row = cells or [""] * (len(names) == 1)
            if row and len(row) != len(names):
                raise ResultsError(
                    f"{path}, line {first} has {len(row)} cells, and the header has "
                    f"{len(names)}."
                )
            if row:
                rows.append(row)
                lines.append(first)
    except csv.Error as error:
        raise ResultsError(
            f"{path}, line {reader.line_num}: {error}. Long texts and odd quotes are safe in "
            "JSON lines (.jsonl)."
        ) from error
    columns = zip(names, map(list, zip(*rows, strict=True)), strict=True) if rows else ()
    # Lines that end with a delimiter make a column without a name and without content.
    kept = [(name, column) for name, column in columns if name or any(column)]
    if len(dict(kept)) < len(kept):
        (twice, _), *_ = Counter(names).most_common(1)
        raise ResultsError(
            f"{path} has the column {twice!r} more than once (it has {listed(names)}): "
            "give every column a name of its own."
        )
    return Table(dict(kept), lambda row: f"line {lines[row]}", path)


def _json_lines(content: bytes, path: str) -> Table:
    """Read a JSON value per line: objects with keys, or values without."""
    _content.check_size(content, path, CELLS_LIMIT)
    values, lines = [], []
    for line, number in _content.lines_of(content, path):
        values.append(_content.parsed(line, f"{path}, line {number}", unique=True))
        lines.append(number)
    return _of_values(values, path, lambda row: f"line {lines[row]}")


def _json(content: bytes, path: str) -> Table:
    """Read a list of objects or of values, or an object of columns."""
    _content.check_size(content, path, CELLS_LIMIT)
    found = _content.parsed(_content.decoded(content, path), path, unique=True)
    if isinstance(found, list):
        return _of_values(found, path, _row)
    if not isinstance(found, dict) or not all(isinstance(c, list) for c in found.values()):
        raise ResultsError(
            f"{path} holds {shown(found)}, and neither a list of objects (one per row) nor an "
            "object of lists of one length (one per column)."
        )
    sizes = {name: len(cells) for name, cells in found.items()}
    if len(set(sizes.values())) > 1:
        told = [f"{name!r} has {n} value{'s' * (n != 1)}" for name, n in sizes.items()]
        raise ResultsError(f"{path} has columns of unequal length: {listed(told)}.")
    return Table(found, _row, path)


def _of_values(values: Sequence[Any], path: str, row: Callable[[int], str]) -> Table:
    """Make a table of objects with keys, or of values without names; not of both."""
    objects = [isinstance(value, dict) for value in values]
    if not any(objects):
        return Table({"": values}, row, path)
    if not all(objects):
        odd = objects.index(False)
        raise ResultsError(
            f"{path}, {row(odd)} holds {shown(values[odd])}, and others an object with keys."
        )
    names = dict.fromkeys(name for value in values for name in value)
    _content.refuse_many(len(values) * len(names), path, CELLS_LIMIT)
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
        raise ResultsError(
            f"{path} is a parquet file, which polars reads, or pandas: pip install polars."
        ) from error
    except BaseException as error:  # polars panics by what is no Exception
        raise ResultsError(f"{path} is not a parquet file: {error}.") from error


_READERS: dict[str, Callable[[bytes, str], Table]] = {
    **dict.fromkeys(_DELIMITERS, _separated),
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    ".json": _json,
    ".parquet": _parquet,
}
# How the names of tables end.
TABLES = tuple(_READERS)


TABLE = Format(
    name="table",
    of="tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)",
    recognises=lambda given: bool(given.path and given.head and table_kind(given.path)),
    read=read_table,
)
