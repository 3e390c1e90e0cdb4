"""Files of tables: CSV, TSV, JSON, JSON lines and parquet."""

import csv
import importlib.util
import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from skstat._names import listed
from skstat.io._formats import records
from skstat.io._join import ResultsError
from skstat.io._table import Table, shown

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# Cells of a table. All of them are in memory at once.
CELLS_LIMIT = 50_000_000


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
    table = _READERS[kind](records.content_of(path), path)
    if not table.n_rows:
        raise ResultsError(f"{path} holds no rows.")
    return table


def _row(row: int) -> str:
    return f"row {row + 1}"


def _separated(content: bytes, path: str) -> Table:
    delimiter = _DELIMITERS[table_kind(path)]
    records.check_size(content, path, CELLS_LIMIT, f"{delimiter}\n")
    text = io.StringIO(records.decoded(content, path), newline="")
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
    records.check_size(content, path, CELLS_LIMIT)
    values, lines = [], []
    for line, number in records.lines_of(content, path):
        values.append(records.parsed(line, f"{path}, line {number}", unique=True))
        lines.append(number)
    return _of_values(values, path, lambda row: f"line {lines[row]}")


def _json(content: bytes, path: str) -> Table:
    """Read a list of objects or of values, or an object of columns."""
    records.check_size(content, path, CELLS_LIMIT)
    found = records.parsed(records.decoded(content, path), path, unique=True)
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
