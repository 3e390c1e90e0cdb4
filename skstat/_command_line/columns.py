"""Columns of text files and tables, with rows of several files paired."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import ITEM_NAMES
from skstat._command_line.answer import CommandError, errors_in_options
from skstat._names import listed
from skstat.io._formats import TABLES, content_of, decoded, table_kind, table_of
from skstat.io._table import Table, shown

# Endings of text files with one item per line. Numbers are allowed, too: "run.1", "run.2".
_TEXTS = ("", ".txt", ".text", ".gold", ".hyp", ".out", ".pred", ".preds", ".ref")
_STDIN = "standard input"
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")
# Whole numbers with leading zeros are not numbers but names: "01" and "1" are two documents.
_NUMBER = re.compile(
    r"(?![+-]?0[0-9]+$)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)",
    re.IGNORECASE,
)
# Value of --id for pairing rows by their order.
_BY_ORDER = "none"
_TO_PAIR = f"To pair rows by their order pass --id {_BY_ORDER}."


@dataclass(frozen=True)
class Column:
    """Items of one file or of one column of a table.

    Attributes
    ----------
    source : str
        File and column, as the user wrote them.
    texts : list of str
        The items, without space around them.
    row : callable
        Function of the index of an item to words for its row.
    """

    source: str
    texts: list[str]
    row: Callable[[int], str] = str

    def at(self, text: str) -> str:
        """Return words for the first row with an item."""
        return f"{self.source}, {self.row(self.texts.index(text))}"

    @property
    def size(self) -> str:
        """The number of items, in words."""
        word, n = self.row(0).partition(" ")[0], len(self.texts)
        return f"{n} {word}{'s' * (n != 1)}"

    @cached_property
    def values(self) -> NDArray[Any] | None:
        """The items as an array of integers or floats; None if one is not a number."""
        texts = [text for text in self.texts if text]
        if not texts or not all(map(_NUMBER.fullmatch, texts)):
            return None
        if len(texts) < len(self.texts):
            raise CommandError(f"{self.at('')} is empty, and all others are numbers.")
        if not all(map(_WHOLE.fullmatch, texts)):
            return np.array(texts, dtype=np.float64)
        try:
            return np.array(list(map(int, texts)), dtype=np.int64)
        except (OverflowError, ValueError):  # too long for int64: a name
            return None

    @property
    def strings(self) -> NDArray[Any]:
        """The items in an array of objects, which long items do not make large."""
        return np.array(self.texts, dtype=object)

    def take(self, rows: Sequence[int]) -> "Column":
        """Return the items of some rows."""
        texts = [self.texts[row] for row in rows]
        return replace(self, texts=texts, row=lambda item: self.row(rows[item]))

    def check_filled(self) -> None:
        """Refuse empty items."""
        if "" in self.texts:
            raise CommandError(f"{self.at('')} is empty.")

    def required_values(self) -> NDArray[Any]:
        """Return the items as numbers; refuse one that is not a number."""
        self.check_filled()
        if self.values is None:
            others = (text for text in self.texts if not _NUMBER.fullmatch(text))
            first = next(others, self.texts[0])
            raise CommandError(f"{self.at(first)}: {first!r} is not a number.")
        return self.values


def _columns(table: Table, names: str | None, source: str) -> list[Column]:
    """Return the columns that e.g. ``a.txt`` or ``a.csv:p0,p1`` names, as texts.

    A column of lists of equal length becomes several columns.
    """
    if not table.named and names is not None:
        raise CommandError(f"{table.path} holds values without names; leave :{names} out.")
    if table.named and names is None:
        which = f"{table.path}:NAME (it has {listed(table)})"
        raise CommandError(f"{table.path} is a table; say which column: {which}.")
    # A column name may contain a comma.
    chosen = [names or ""] if (names or "") in table else str(names).split(",")
    columns = []
    for name in chosen:
        label = source if len(chosen) == 1 else f"{table.path}:{name}"
        column = name if name in table else name.strip()
        if column not in table:
            raise CommandError(
                f"{table.path} has no column {column!r} (it has {listed(table)})."
            )
        cells = table[column].cells
        size = len(cells[0]) if isinstance(cells[0], list) else 0
        for row, cell in enumerate(cells):
            entries = cell if isinstance(cell, list) else [cell]
            if None in entries:
                raise CommandError(f"{label}, {table.row(row)} is missing.")
            n = len(cell) if isinstance(cell, list) else 0
            if n != size or cell == [] or any(isinstance(e, list | Mapping) for e in entries):
                raise CommandError(
                    f"{label}, {table.row(row)} holds {shown(cell)}; a label or number is "
                    "read, or a list of numbers that has one length in all rows."
                )
        parts = [*zip(*cells, strict=True)] if size else [cells]
        columns += [Column(label, [str(x).strip() for x in part], table.row) for part in parts]
    return columns


def split_source(source: str) -> tuple[str, str | None]:
    r"""Return the path and the column names of ``FILE:NAMES``; None without names.

    A colon separates columns only if the file before it exists or is named like a table:
    ``C:\a.txt`` has a colon and no column.
    """
    start = len(source)
    while (start := source.rfind(":", 0, start)) > 0:
        path, names = source[:start], source[start + 1 :]
        drive = start == 1 and names[:1] in ("\\", "/")
        if not drive and (table_kind(path) or Path(path).is_file()):
            return path, names
    return source, None


def _text(path: str) -> Table:
    """Read one item per line; unlike with str.splitlines, only CR and LF end a line."""
    kind = Path(path).suffix.lower()
    if kind not in _TEXTS and not kind[1:].isdigit():
        raise CommandError(
            f"{path}: skstat does not know what a {kind} file is. It reads "
            f"{', '.join(TABLES)}, and text with one item per line (.txt, or no ending); "
            "convert the file, or rename it if it is one of these."
        )
    if path == "-" and sys.stdin is None:
        raise CommandError(f"{_STDIN} is closed.")
    name = _STDIN if path == "-" else path
    text = decoded(sys.stdin.buffer.read() if path == "-" else content_of(path), name)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":  # the file ends with a line end
        lines.pop()
    if not lines:
        raise CommandError(f"{name} is empty.")
    return Table({"": lines}, lambda row: f"line {row + 1}", name)


def matrix(columns: Iterable[Column]) -> NDArray[Any]:
    """Return an array of several columns of numbers."""
    return np.column_stack([column.required_values() for column in columns])


def paired_columns(
    sources: Mapping[Any, str], id_column: str | None
) -> tuple[dict[Any, list[Column]], str]:
    """Read columns, with the rows of all files in the order of the first file.

    Parameters
    ----------
    sources : mapping
        Sources by their use; the truth comes first.
    id_column : str or None
        The column of ids, if the user named it; ``"none"`` to pair rows by their order.

    Returns
    -------
    columns : dict
        Lists of columns, by their use.
    note : str
        How rows were paired, for the report; empty for one file, or text files only.
    """
    parts = {option: split_source(source) for option, source in sources.items()}
    paths = {option: path for option, (path, _) in parts.items()}
    if list(paths.values()).count("-") > 1:
        raise CommandError(f"{_STDIN} (-) can be read only once.")
    tables: dict[str, Table] = {}
    for path in paths.values():
        with errors_in_options(path):
            read = table_of if table_kind(path) else _text
            tables[path] = tables[path] if path in tables else read(path)
    columns = {o: _columns(tables[path], n, sources[o]) for o, (path, n) in parts.items()}
    with_names = {path: table for path, table in tables.items() if table.named}
    # Text files have no ids, and rows of one file are in one order.
    if len(tables) < 2 or (id_column is None and not with_names):
        return columns, ""
    ids = None if id_column == _BY_ORDER else _ids(tables, id_column)
    without_names = [path for path in tables if path not in with_names]
    if without_names and id_column is None:
        _refuse_other_order(_ids(with_names, None), without_names[0])
    if ids is None:
        return columns, "rows paired by their order"
    first = next(iter(ids.values()))
    for option, path in paths.items():
        texts = ids[path].texts
        if texts != first.texts:
            _refuse_unequal(first, ids[path])
            position = {text: number for number, text in enumerate(texts)}
            order = [position[text] for text in first.texts]
            columns[option] = [column.take(order) for column in columns[option]]
    return columns, f"rows paired by {first.source.rpartition(':')[2]}"


def _ids(tables: Mapping[str, Table], column: str | None) -> dict[str, Column] | None:
    """Return the unique ids of every file; None if the files share no column of ids.

    If no column is named, it is the first usual name of ids that all files have.
    """
    without = [path for path in tables if column is not None and column not in tables[path]]
    if without:
        raise CommandError(f"--id {column} is not a column of {without[0]}.")
    for name in ITEM_NAMES if column is None else [column]:
        spelling = str.lower if column is None else str
        spellings = {p: {spelling(n): n for n in table} for p, table in tables.items()}
        if all(name in names for names in spellings.values()):
            ids = {
                p: _columns(tables[p], names[name], f"{p}:{names[name]}")[0]
                for p, names in spellings.items()
            }
            repeated = [c for c in ids.values() if len(set(c.texts)) < len(c.texts)]
            if not repeated:
                return ids
            if column is not None or len(repeated) < len(ids):  # else no ids
                text, count = Counter(repeated[0].texts).most_common(1)[0]
                raise CommandError(
                    f"{repeated[0].source} holds {text!r} {count} times: give every row an id "
                    f"of its own. {_TO_PAIR}"
                )
    return None


def _refuse_other_order(ids: Mapping[str, Column] | None, bare: str) -> None:
    """Refuse tables whose ids are in different orders, if another file has no ids."""
    first, *others = (ids or {"": Column("", [])}).values()
    other = next((column for column in others if column.texts != first.texts), None)
    if other is not None:
        raise CommandError(
            f"{first.source} and {other.source} are not in the same order, and {bare} has no "
            f"ids: give it the same. {_TO_PAIR}"
        )


def _refuse_unequal(first: Column, other: Column) -> None:
    """Refuse ids that only one of two files contains."""
    for one, two in ((first, other), (other, first)):
        ids = set(two.texts)
        missing = [text for text in one.texts if text not in ids]
        if missing:
            raise CommandError(
                f"{two.source} lacks {len(missing)} of the {len(one.texts)} ids of "
                f"{one.source}, such as {missing[0]!r}. {_TO_PAIR}"
            )
