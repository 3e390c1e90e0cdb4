"""Files of tables: CSV, TSV, JSON, JSON lines and parquet."""

import csv
import importlib.util
import io
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skstat._names import listed
from skstat.io._formats.cells import shown
from skstat.io._formats.records import check_size, content_of, decoded, lines_of, parsed
from skstat.io._join import ResultsError

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# Cells of a table. All of them are in memory at once.
CELLS_LIMIT = 50_000_000
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """What the file of a table holds.

    Attributes
    ----------
    path : str
        The file, as the caller wrote it.
    columns : mapping of str to sequence
        Cells by the name of their column: texts of CSV and TSV, values of others.
    lines : sequence of int
        Where each row begins.
    place : str
        What the numbers in `lines` count: ``"line"`` or ``"row"``.
    named : bool
        Whether columns have names. JSON may hold values without: they are one column.
    """

    path: str
    columns: Columns
    lines: Sequence[int]
    place: str = "line"
    named: bool = True

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def names(self) -> list[str]:
        """The names of the columns, in the order of the file."""
        return list(self.columns) if self.named else []

    def row(self, index: int) -> str:
        """Where a row stands, in words."""
        return f"{self.place} {self.lines[index]}"

    def column(self, name: str) -> Sequence[Any]:
        """Return the cells of a column; refuse a name of none."""
        if name not in self.columns:
            raise ResultsError(
                f"{self.path} has no column {name!r} (it has {listed(self.names)})."
            )
        return self.columns[name]


def table_kind(path: str | Path) -> str:
    """Return the end of a table's name, without that of packing; nothing of other files."""
    path = Path(path)
    end = path.suffix.lower()
    if end == ".gz":
        end = Path(path.stem).suffix.lower()
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
        Its columns, and where its rows stand.

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
    table = _READERS[kind](content_of(path), path)
    if not len(table) or (table.named and not table.names):
        raise ResultsError(f"{path} holds no rows.")
    return table


def _refuse_many(n_rows: int, n_columns: int, path: str) -> None:
    if n_rows * n_columns > CELLS_LIMIT:
        raise ResultsError(
            f"{path} holds more than {CELLS_LIMIT:,} values ({n_rows:,} rows or more of "
            f"{n_columns:,} columns): leave out rows or columns that are not needed."
        )


def _separated(content: bytes, path: str) -> Table:
    decoded(content, path)
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")
    reader = csv.reader(text, delimiter=_DELIMITERS[table_kind(path)], strict=True)
    columns: list[list[str]] = []
    lines = array("q")
    try:
        names = [name.strip() for name in next(filter(None, reader), [])]
        if not names:
            raise ResultsError(f"{path} is empty: its first line must name the columns.")
        if len(names) == 1 and ";" in names[0]:
            raise ResultsError(
                f"{path} has one column, {names[0]!r}: its cells seem to be parted by "
                "semicolons. Save it with commas, or as .tsv with tabs."
            )
        # Of a single column an empty line is an empty cell; beside others it is no row.
        of_empty_line = [""] if len(names) == 1 else []
        most, line = CELLS_LIMIT // len(names), reader.line_num
        if b'"' not in content:  # every line is a row, or none
            n_lines = content.count(b"\n")
            _refuse_many(n_lines - content.count(b"\n\n"), len(names), path)
        columns += [[] for _ in names]
        for cells in reader:
            row, first, line = cells or of_empty_line, line + 1, reader.line_num
            if not row:
                continue
            if len(row) != len(names):
                raise ResultsError(
                    f"{path}, line {first} has {len(row)} cells, and the header has "
                    f"{len(names)}."
                )
            for column, cell in zip(columns, row, strict=True):
                column.append(cell)
            lines.append(first)
            if len(lines) > most:
                _refuse_many(len(lines), len(names), path)
    except csv.Error as error:
        raise ResultsError(
            f"{path}, line {reader.line_num}: {error}. Long texts and odd quotes are safe in "
            "JSON lines (.jsonl)."
        ) from error
    # Lines that end with a delimiter make a column without a name and without content.
    kept = [place for place, name in enumerate(names) if name or any(columns[place])]
    found = {names[place]: columns[place] for place in kept}
    if len(found) < len(kept):
        (twice, _), *_ = Counter(names).most_common(1)
        raise ResultsError(
            f"{path} has the column {twice!r} more than once (it has {listed(names)}): "
            "give every column a name of its own."
        )
    return Table(path=path, columns=found, lines=lines)


def _json_lines(content: bytes, path: str) -> Table:
    """Read a JSON value per line: objects with keys, or values without."""
    check_size(content, path, CELLS_LIMIT)
    values, lines = [], []
    for line, number in lines_of(content, path):
        values.append(parsed(line, f"{path}, line {number}", unique=True))
        lines.append(number)
    return _of_values(values, path, lines, "line")


def _json(content: bytes, path: str) -> Table:
    """Read a list of objects or of values, or an object of columns."""
    check_size(content, path, CELLS_LIMIT)
    found = parsed(decoded(content, path), path, unique=True)
    if isinstance(found, list):
        return _of_values(found, path, range(1, len(found) + 1), "row")
    if not isinstance(found, dict) or not all(isinstance(c, list) for c in found.values()):
        raise ResultsError(
            f"{path} holds {shown(found)}, and neither a list of objects (one per row) nor an "
            "object of lists of one length (one per column)."
        )
    columns = list(found.values())
    other = next((n for n, cells in found.items() if len(cells) != len(columns[0])), None)
    if other is not None:
        raise ResultsError(
            f"{path} has columns of unequal length: {next(iter(found))!r} has "
            f"{len(columns[0])} value{'s' * (len(columns[0]) != 1)}, and {other!r} has "
            f"{len(found[other])}."
        )
    lines = range(1, 1 + len(columns[0]) if columns else 1)
    return Table(path=path, columns=found, lines=lines, place="row")


def _of_values(values: Sequence[Any], path: str, lines: Sequence[int], place: str) -> Table:
    """Make a table of objects with keys, or of values without names; not of both."""
    objects = [isinstance(value, dict) for value in values]
    if not any(objects):
        return Table(path=path, columns={"": values}, lines=lines, place=place, named=False)
    if not all(objects):
        odd = objects.index(False)
        raise ResultsError(
            f"{path}, {place} {lines[odd]} holds {shown(values[odd])}, and others an object "
            "with keys."
        )
    names = dict.fromkeys(name for value in values for name in value)
    _refuse_many(len(values), len(names), path)
    columns = {name: [value.get(name) for value in values] for name in names}
    return Table(path=path, columns=columns, lines=lines, place=place)


def _parquet(content: bytes, path: str) -> Table:
    """Read by polars, or else by pandas."""
    package = "polars" if importlib.util.find_spec("polars") else "pandas"
    try:
        frame = importlib.import_module(package).read_parquet(io.BytesIO(content))
        if package == "pandas":
            frame = frame.astype(object).where(frame.notna(), None)
        columns = {str(name): frame[name].to_list() for name in frame.columns}
    except ImportError as error:
        raise ResultsError(
            f"{path} is a parquet file, which polars reads, or pandas: pip install polars."
        ) from error
    except BaseException as error:  # polars panics by what is no Exception
        raise ResultsError(f"{path} is not a parquet file: {error}.") from error
    n_rows = len(next(iter(columns.values()), ()))
    return Table(path=path, columns=columns, lines=range(1, 1 + n_rows), place="row")


_READERS: dict[str, Callable[[bytes, str], Table]] = {
    **dict.fromkeys(_DELIMITERS, _separated),
    **dict.fromkeys((".jsonl", ".ndjson"), _json_lines),
    ".json": _json,
    ".parquet": _parquet,
}
# How the names of tables end.
TABLES = tuple(_READERS)
