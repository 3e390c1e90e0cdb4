"""Where columns come from: text files, tables, standard input."""

import csv
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from skstat._command_line._columns import Column
from skstat._command_line._errors import CommandError

_TABLES = (".csv", ".tsv", ".parquet")
_MOST_SHOWN = 20


@dataclass(frozen=True)
class _Table:
    """Names of columns, how to get the items of one, and the lines of a text file."""

    names: list[str]
    items: Callable[[int], list[str]]
    lines: list[int] | None = None


class Sources:
    """Reads what is asked for; every table once, and standard input only once."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._standard_input_is_read = False

    def columns(self, source: str) -> list[Column]:
        """Return the columns that e.g. ``a.txt`` or ``a.csv:p0,p1`` stands for."""
        if source == "-":
            return [self._standard_input()]
        path, names = split_source(source)
        if Path(path).suffix.lower() in _TABLES:
            return self._of_table(path, names, source)
        if names is not None:
            raise CommandError(
                f"{source}: columns are read from {', '.join(_TABLES)} files; {path} is none."
            )
        return [_lines(_decoded(_bytes(path), path), path)]

    def _standard_input(self) -> Column:
        if self._standard_input_is_read:
            raise CommandError("standard input (-) can be read only once.")
        self._standard_input_is_read = True
        name = "standard input"
        return _lines(_decoded(sys.stdin.buffer.read(), name), name)

    def _of_table(self, path: str, names: str | None, source: str) -> list[Column]:
        if path not in self._tables:
            read = _parquet if Path(path).suffix.lower() == ".parquet" else _separated
            self._tables[path] = read(path)
        table = self._tables[path]
        if names is None:
            raise CommandError(
                f"{path} is a table; say which column: {path}:NAME ({_known(table)})."
            )
        # A name may hold a comma itself.
        wanted = [names] if names in table.names else names.split(",")
        columns = []
        for name in wanted:
            if table.names.count(name) != 1:
                number = "several columns" if name in table.names else "no column"
                raise CommandError(f"{path} has {number} {name!r} ({_known(table)}).")
            index = table.names.index(name)
            texts = [text.strip() for text in table.items(index)]
            label = source if len(wanted) == 1 else f"{path}:{name}"
            if not texts:
                raise CommandError(f"{path} has no rows.")
            if table.lines is None:
                columns.append(Column(label, texts, range(1, len(texts) + 1), "row"))
            else:
                columns.append(Column(label, texts, table.lines))
        return columns


def split_source(source: str) -> tuple[str, str | None]:
    r"""Part a file from its columns.

    What follows a colon is a column only if the file before it exists or is named like a
    table: ``C:\a.txt`` has a colon and no column.
    """
    start = len(source)
    while (start := source.rfind(":", 0, start)) > 0:
        path, names = source[:start], source[start + 1 :]
        drive = start == 1 and names[:1] in ("\\", "/")
        if not drive and (path.lower().endswith(_TABLES) or Path(path).is_file()):
            return path, names
    return source, None


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise CommandError(f"there is no file {path}.") from error
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}.") from error


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        raise CommandError(
            f"{name} is not UTF-8: byte 0x{content[error.start]:02x} in line {line}."
        ) from error


def _lines(text: str, name: str) -> Column:
    """One item per line. Only line ends part lines, not all that str.splitlines takes."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":  # the end of the last line begins no other
        lines.pop()
    if not lines:
        raise CommandError(f"{name} is empty.")
    return Column(name, [line.strip() for line in lines], range(1, len(lines) + 1))


def _separated(path: str) -> _Table:
    """A table of comma or tab separated values, with a head."""
    text = _decoded(_bytes(path), path)
    delimiter = "\t" if path.lower().endswith(".tsv") else ","
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        head = next(reader, [])
        line = reader.line_num + 1
        for row in reader:
            rows.append(row)
            lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise CommandError(f"{path}, line {reader.line_num}: {error}.") from error
    if not head:
        raise CommandError(f"{path} is empty: its first line must name the columns.")
    if len(head) == 1:  # an empty line is an empty item
        rows = [row or [""] for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    for line, row in zip(lines, rows, strict=False):
        if len(row) != len(head):
            raise CommandError(
                f"{path}, line {line} has {len(row)} fields, and the head has {len(head)}."
            )
    return _Table(head, lambda index: [row[index] for row in rows], lines)


_Found = tuple[list[str], Callable[[str], list[Any]]]


def _parquet(path: str) -> _Table:
    """A table in the Parquet format."""
    names, values = _opened(_bytes(path), path)
    return _Table(names, lambda index: _texts(values(names[index]), f"{path}:{names[index]}"))


def _opened(content: bytes, path: str) -> _Found:
    """Names and a way to the values, by whichever package is there."""
    for read in (_by_pyarrow, _by_polars, _by_pandas):
        try:
            return read(BytesIO(content))
        except ImportError:
            continue
        except Exception as error:  # each package has errors of its own
            raise CommandError(f"cannot read {path} as Parquet: {error}") from error
    raise CommandError(f"reading {path} needs pyarrow, polars or pandas: pip install pyarrow.")


def _by_pyarrow(file: BytesIO) -> _Found:
    from pyarrow import parquet

    table = parquet.read_table(file)
    return table.column_names, lambda name: table.column(name).to_pylist()


def _by_polars(file: BytesIO) -> _Found:
    import polars as pl

    table = pl.read_parquet(file)
    return table.columns, lambda name: table[name].to_list()


def _by_pandas(file: BytesIO) -> _Found:
    import pandas as pd

    table = pd.read_parquet(file)
    missing = table.isna()
    return [str(name) for name in table.columns], lambda name: [
        None if absent else value
        for value, absent in zip(table[name].tolist(), missing[name], strict=True)
    ]


def _texts(values: list[Any], source: str) -> list[str]:
    for row, value in enumerate(values, start=1):
        if value is None:
            raise CommandError(f"{source}, row {row} is missing.")
    return [str(value) for value in values]


def _known(table: _Table) -> str:
    names = ", ".join(table.names[:_MOST_SHOWN])
    more = len(table.names) - _MOST_SHOWN
    return f"it has {names}" + (f" and {more} more" if more > 0 else "")
