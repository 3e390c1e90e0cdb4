"""Columns of text files and tables, and which rows of several files belong together."""

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

# One item per line. A number is no kind of file: "run.1", "run.2".
_TEXTS = ("", ".txt", ".text", ".gold", ".hyp", ".out", ".pred", ".preds", ".ref")
_STDIN = "standard input"
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")
# Whole numbers with leading zeros are names: "01" and "1" are two documents.
_NUMBER = re.compile(
    r"(?![+-]?0[0-9]+$)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)",
    re.IGNORECASE,
)
# What --id takes to leave ids alone.
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
        Where each item stands, in words.
    """

    source: str
    texts: list[str]
    row: Callable[[int], str] = str

    def at(self, text: str) -> str:
        """Where an item first stands, in words."""
        return f"{self.source}, {self.row(self.texts.index(text))}"

    @property
    def size(self) -> str:
        """How many items there are, in words."""
        place, n = self.row(0).partition(" ")[0], len(self.texts)
        return f"{n} {place}{'s' * (n != 1)}"

    @cached_property
    def values(self) -> NDArray[Any] | None:
        """The items as numbers, whole ones if all of them are; None if one is not a number."""
        texts = [text for text in self.texts if text]
        if not texts or not all(map(_NUMBER.fullmatch, texts)):
            return None
        if len(texts) < len(self.texts):
            raise CommandError(f"{self.at('')} is empty, and all others are numbers.")
        if not all(map(_WHOLE.fullmatch, texts)):
            return np.array(texts, dtype=np.float64)
        try:
            return np.array(list(map(int, texts)), dtype=np.int64)
        except (OverflowError, ValueError):  # too long to be counted with: a name
            return None

    @property
    def strings(self) -> NDArray[Any]:
        """The items as they are, in an array that long ones do not blow up."""
        return np.array(self.texts, dtype=object)

    def take(self, places: Sequence[int]) -> "Column":
        """Return the items at some places."""
        texts = [self.texts[place] for place in places]
        return replace(self, texts=texts, row=lambda item: self.row(places[item]))

    def check_filled(self) -> None:
        """Refuse empty items."""
        if "" in self.texts:
            raise CommandError(f"{self.at('')} is empty.")

    def required_values(self) -> NDArray[Any]:
        """The items as numbers; an error says which one is not a number."""
        self.check_filled()
        if self.values is None:
            odd = (text for text in self.texts if not _NUMBER.fullmatch(text))
            first = next(odd, self.texts[0])
            raise CommandError(f"{self.at(first)}: {first!r} is not a number.")
        return self.values


def _columns(table: Table, names: str | None, source: str) -> list[Column]:
    """Return the columns that e.g. ``a.txt`` or ``a.csv:p0,p1`` stands for, as texts.

    One of lists of one length is several columns.
    """
    if not table.named and names is not None:
        raise CommandError(f"{table.path} holds values without names; leave :{names} out.")
    if table.named and names is None:
        which = f"{table.path}:NAME (it has {listed(table)})"
        raise CommandError(f"{table.path} is a table; say which column: {which}.")
    # A name may hold a comma itself.
    wanted = [names or ""] if (names or "") in table else str(names).split(",")
    found = []
    for name in wanted:
        called = source if len(wanted) == 1 else f"{table.path}:{name}"
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
                raise CommandError(f"{called}, {table.row(row)} is missing.")
            own = len(cell) if isinstance(cell, list) else 0
            if own != size or cell == [] or any(isinstance(e, list | Mapping) for e in entries):
                raise CommandError(
                    f"{called}, {table.row(row)} holds {shown(cell)}; a label or number is "
                    "read, or a list of numbers that has one length in all rows."
                )
        texts = [map(str, each) for each in (zip(*cells, strict=True) if size else [cells])]
        found += [Column(called, [*map(str.strip, each)], table.row) for each in texts]
    return found


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


def _text(path: str) -> Table:
    """Read one item per line. Only line ends part lines, not all that str.splitlines takes."""
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
    if lines[-1] == "":  # the end of the last line begins no other
        lines.pop()
    if not lines:
        raise CommandError(f"{name} is empty.")
    return Table({"": lines}, lambda row: f"line {row + 1}", name)


def matrix(columns: Iterable[Column]) -> NDArray[Any]:
    """Columns of numbers side by side."""
    return np.column_stack([column.required_values() for column in columns])


def paired_columns(
    given: Mapping[Any, str], named: str | None
) -> tuple[dict[Any, list[Column]], str]:
    """Read columns, with rows of several files in the order of the first.

    Parameters
    ----------
    given : mapping
        Sources by what they are given for; first the truth.
    named : str or None
        The column of ids, if the user names it; ``"none"`` to pair rows by their order.

    Returns
    -------
    columns : dict
        Lists of columns, by the same.
    note : str
        How rows were paired, for the report; empty of one file, and of text alone.
    """
    parts = {option: split_source(source) for option, source in given.items()}
    paths = {option: path for option, (path, _) in parts.items()}
    if list(paths.values()).count("-") > 1:
        raise CommandError(f"{_STDIN} (-) can be read only once.")
    tables: dict[str, Table] = {}
    for path in paths.values():
        with errors_in_options(path):
            read = table_of if table_kind(path) else _text
            tables[path] = tables[path] if path in tables else read(path)
    columns = {o: _columns(tables[path], n, given[o]) for o, (path, n) in parts.items()}
    with_names = {path: table for path, table in tables.items() if table.named}
    # Lines of text have no ids that could be looked at, and rows of one file no other order.
    if len(tables) < 2 or (named is None and not with_names):
        return columns, ""
    ids = None if named == _BY_ORDER else _ids(tables, named)
    bare = [path for path in tables if path not in with_names]
    if bare and named is None:
        _refuse_other_order(_ids(with_names, None), bare[0])
    if ids is None:
        return columns, "rows paired by their order"
    first = next(iter(ids.values()))
    for option, path in paths.items():
        own = ids[path].texts
        if own != first.texts:
            _refuse_unequal(first, ids[path])
            place = {text: number for number, text in enumerate(own)}
            order = [place[text] for text in first.texts]
            columns[option] = [column.take(order) for column in columns[option]]
    return columns, f"rows paired by {first.source.rpartition(':')[2]}"


def _ids(tables: Mapping[str, Table], named: str | None) -> dict[str, Column] | None:
    """Return the ids of every file, which are unique: of the first usual name if none is named.

    None where not all files have the same one.
    """
    lacking = [p for p, table in tables.items() if named is not None and named not in table]
    if lacking:
        raise CommandError(f"--id {named} is not a column of {lacking[0]}.")
    for usual in ITEM_NAMES if named is None else [named]:
        spelling = str.lower if named is None else str
        spelled = {p: {spelling(n): n for n in table} for p, table in tables.items()}
        if all(usual in own for own in spelled.values()):
            found = {
                p: _columns(tables[p], own[usual], f"{p}:{own[usual]}")[0]
                for p, own in spelled.items()
            }
            repeated = [c for c in found.values() if len(set(c.texts)) < len(c.texts)]
            if not repeated:
                return found
            if named is not None or len(repeated) < len(found):  # of ids all the same
                text, count = Counter(repeated[0].texts).most_common(1)[0]
                raise CommandError(
                    f"{repeated[0].source} holds {text!r} {count} times: give every row an id "
                    f"of its own. {_TO_PAIR}"
                )
    return None


def _refuse_other_order(ids: Mapping[str, Column] | None, bare: str) -> None:
    """Refuse tables with the same ids in another order, where another file has no ids."""
    first, *others = (ids or {"": Column("", [])}).values()
    other = next((column for column in others if column.texts != first.texts), None)
    if other is not None:
        raise CommandError(
            f"{first.source} and {other.source} are not in the same order, and {bare} has no "
            f"ids: give it the same. {_TO_PAIR}"
        )


def _refuse_unequal(first: Column, other: Column) -> None:
    """Refuse ids that only one of two files has."""
    for one, two in ((first, other), (other, first)):
        has = set(two.texts)
        lacking = [text for text in one.texts if text not in has]
        if lacking:
            raise CommandError(
                f"{two.source} lacks {len(lacking)} of the {len(one.texts)} ids of "
                f"{one.source}, such as {lacking[0]!r}. {_TO_PAIR}"
            )
