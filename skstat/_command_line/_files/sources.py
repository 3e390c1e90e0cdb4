"""Where columns come from: text files, tables, standard input."""

import os
import stat
import sys
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._command_line._files.columns import Column
from skstat._command_line._files.tables import (
    Table,
    read_json,
    read_json_lines,
    read_separated,
    texts_of,
)

_OF_TEXT = {
    ".csv": read_separated,
    ".tsv": read_separated,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
}
_TABLES = (*_OF_TEXT, ".parquet")
# One item per line. A number is no kind of file: "run.1", "run.2".
_LINES = ("", ".txt", ".text", ".gold", ".hyp", ".out", ".pred", ".preds", ".ref")


class Sources:
    """Reads what is asked for; every table once, and standard input only once."""

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._standard_input_is_read = False

    def columns(self, source: str) -> list[Column]:
        """Return the columns that e.g. ``a.txt`` or ``a.csv:p0,p1`` stands for."""
        if source == "-":
            return [self._standard_input()]
        path, names = split_source(source)
        kind = _kind(path)
        if kind in _TABLES:
            return self._of_table(path, names, source)
        if names is not None:
            raise CommandError(
                f"{source}: columns are read from {', '.join(_TABLES)} files; {path} is not "
                f"one."
            )
        if kind not in _LINES and not kind[1:].isdigit():
            raise CommandError(
                f"{path}: skstat does not know what a {kind} file is. It reads "
                f"{', '.join(_TABLES)}, and text with one item per line (.txt, or no ending); "
                "convert the file, or rename it if it is one of these."
            )
        return [_lines(_decoded(_bytes(path), path), path)]

    def path_of(self, source: str) -> str:
        """Return the file that a source is in, without its columns."""
        return source if source == "-" else split_source(source)[0]

    def names_of(self, path: str) -> list[str]:
        """Return the names of a table's columns; none of other files."""
        if path == "-" or _kind(path) not in _TABLES:
            return []
        return list(self._table_of(path).names)

    def _table_of(self, path: str) -> Table:
        if path not in self._tables:
            self._tables[path] = _table(path)
        return self._tables[path]

    def _standard_input(self) -> Column:
        if self._standard_input_is_read:
            raise CommandError("standard input (-) can be read only once.")
        self._standard_input_is_read = True
        name = "standard input"
        if sys.stdin is None:
            raise CommandError(f"{name} is closed.")
        _refuse_endless(name)
        return _lines(_decoded(sys.stdin.buffer.read(), name), name)

    def _of_table(self, path: str, names: str | None, source: str) -> list[Column]:
        table = self._table_of(path)
        if not table.named:
            if names is not None:
                raise CommandError(f"{path} holds values without names; leave :{names} out.")
            return _columns(table, None, path, path)
        if names is None:
            raise CommandError(
                f"{path} is a table; say which column: {path}:NAME ({table.known})."
            )
        # A name may hold a comma itself.
        times = Counter(table.names)
        wanted = [names] if names in times else names.split(",")
        columns: list[Column] = []
        for name in wanted:
            if times[name] != 1:
                number = "several columns" if name in times else "no column"
                raise CommandError(f"{path} has {number} {name!r} ({table.known}).")
            label = source if len(wanted) == 1 else f"{path}:{name}"
            columns += _columns(table, name, label, path)
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


def _kind(path: str) -> str:
    return Path(path).suffix.lower()


def _table(path: str) -> Table:
    content = _bytes(path)
    read = _OF_TEXT.get(_kind(path))
    return _parquet(content, path) if read is None else read(_decoded(content, path), path)


def _columns(table: Table, name: str | None, label: str, path: str) -> list[Column]:
    columns = []
    for texts in table.columns(name):
        if not texts:
            raise CommandError(f"{path} has no rows.")
        numbers = range(1, len(texts) + 1) if table.lines is None else table.lines
        columns.append(Column(label, [text.strip() for text in texts], numbers, table.place))
    return columns


def _bytes(path: str) -> bytes:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise CommandError(f"{path} is a device, not a file that can be read to its end.")
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise CommandError(f"there is no file {path}.") from error
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}.") from error
    except ValueError as error:  # such as NUL in a name
        raise CommandError(f"cannot read {path!r}: {error}.") from error


def _refuse_endless(name: str) -> None:
    """Refuse a device as standard input, unless somebody types there."""
    try:
        mode, typed = os.fstat(sys.stdin.fileno()).st_mode, sys.stdin.isatty()
    except (OSError, ValueError):  # no file at all
        return
    if stat.S_ISCHR(mode) and not typed:
        raise CommandError(f"{name} is a device, not a file that can be read to its end.")


def _decoded(content: bytes, name: str) -> str:
    if b"\0" in content:
        line = 1 + content[: content.index(b"\0")].count(b"\n")
        raise CommandError(f"{name} is not text: it has a NUL byte in line {line}.")
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


def _parquet(content: bytes, path: str) -> Table:
    """Read a table in the Parquet format."""
    names, values = _opened(content, path)
    return Table(names, lambda name: texts_of(values(str(name)), f"{path}:{name}", "row"))


def _opened(content: bytes, path: str) -> "_Found":
    """Names and a way to the values, by whichever package is there."""
    for read in (_by_pyarrow, _by_polars, _by_pandas):
        try:
            return read(BytesIO(content))
        except ImportError:
            continue
        except Exception as error:  # each package has errors of its own
            raise CommandError(f"cannot read {path} as Parquet: {error}") from error
    raise CommandError(f"reading {path} needs pyarrow, polars or pandas: pip install pyarrow.")


_Found = tuple[list[str], Callable[[str], list[Any]]]


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
