"""Where columns come from: text files, tables, standard input."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skstat._command_line._errors import CommandError
from skstat._command_line._files.columns import Column, columns_of
from skstat.io import ResultsError
from skstat.io._formats import TABLES, Table, content_of, decoded, table_kind, table_of

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
        if table_kind(path):
            with _errors_of(path):
                return self._of_table(path, names, source)
        if names is not None:
            raise CommandError(
                f"{source}: columns are read from {', '.join(TABLES)} files; {path} is not one."
            )
        kind = Path(path).suffix.lower()
        if kind not in _LINES and not kind[1:].isdigit():
            raise CommandError(
                f"{path}: skstat does not know what a {kind} file is. It reads "
                f"{', '.join(TABLES)}, and text with one item per line (.txt, or no ending); "
                "convert the file, or rename it if it is one of these."
            )
        with _errors_of(path):
            return [_lines(decoded(content_of(path), path), path)]

    def path_of(self, source: str) -> str:
        """Return the file that a source is in, without its columns."""
        return source if source == "-" else split_source(source)[0]

    def names_of(self, path: str) -> list[str]:
        """Return the names of a table's columns; none of other files."""
        if path == "-" or not table_kind(path):
            return []
        with _errors_of(path):
            return list(self._table_of(path).names)

    def _table_of(self, path: str) -> Table:
        if path not in self._tables:
            self._tables[path] = table_of(path)
        return self._tables[path]

    def _standard_input(self) -> Column:
        if self._standard_input_is_read:
            raise CommandError("standard input (-) can be read only once.")
        self._standard_input_is_read = True
        name = "standard input"
        if sys.stdin is None:
            raise CommandError(f"{name} is closed.")
        _refuse_endless(name)
        with _errors_of(name):
            return _lines(decoded(sys.stdin.buffer.read(), name), name)

    def _of_table(self, path: str, names: str | None, source: str) -> list[Column]:
        table = self._table_of(path)
        if not table.named:
            if names is not None:
                raise CommandError(f"{path} holds values without names; leave :{names} out.")
            return columns_of(table, table.cells(0), path)
        if names is None:
            raise CommandError(
                f"{path} is a table; say which column: {path}:NAME (it has {table.known})."
            )
        known = set(table.names)
        # A name may hold a comma itself.
        wanted = [names] if names in known else names.split(",")
        columns: list[Column] = []
        for name in wanted:
            label = source if len(wanted) == 1 else f"{path}:{name}"
            cells = table.column(name if name in known else name.strip())
            columns += columns_of(table, cells, label)
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
        if not drive and (table_kind(path) or Path(path).is_file()):
            return path, names
    return source, None


@contextmanager
def _errors_of(path: str) -> Iterator[None]:
    """Say what is wrong with a file in one line."""
    try:
        yield
    except ResultsError as error:
        raise CommandError(str(error)) from error
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


def _lines(text: str, name: str) -> Column:
    """One item per line. Only line ends part lines, not all that str.splitlines takes."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":  # the end of the last line begins no other
        lines.pop()
    if not lines:
        raise CommandError(f"{name} is empty.")
    return Column(name, [line.strip() for line in lines], range(1, len(lines) + 1))
