"""Columns of text, and the numbers in them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from skstat._command_line._errors import CommandError
from skstat.io._formats import Table, shown

_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")
# Whole numbers with leading zeros are names: "01" and "1" are two documents.
_NUMBER = re.compile(
    r"(?![+-]?0[0-9]+$)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Column:
    """Items of one file or of one column of a table.

    Attributes
    ----------
    source : str
        File and column, as the user wrote them.
    texts : list of str
        The items, without space around them.
    numbers_of_lines : sequence of int
        Where each item stands.
    place : str
        What the items stand in: ``"line"`` or ``"row"``.
    """

    source: str
    texts: list[str]
    numbers_of_lines: Sequence[int]
    place: str = "line"

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def size(self) -> str:
        """Number of items, in words."""
        return f"{len(self)} {self.place}{'s' * (len(self) != 1)}"

    def at(self, index: int) -> str:
        """Where an item stands, in words."""
        return f"{self.source}, {self.place} {self.numbers_of_lines[index]}"

    @cached_property
    def values(self) -> NDArray[Any] | None:
        """The items as numbers, whole ones if all of them are; None if one is not a number."""
        texts = [text for text in self.texts if text]
        if not texts or not all(map(_NUMBER.fullmatch, texts)):
            return None
        if len(texts) < len(self):
            raise CommandError(
                f"{self.at(self.texts.index(''))} is empty, and all others are numbers."
            )
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
        return Column(
            self.source,
            [self.texts[place] for place in places],
            [self.numbers_of_lines[place] for place in places],
            self.place,
        )

    def check_filled(self) -> None:
        """Refuse empty items."""
        if "" in self.texts:
            raise CommandError(f"{self.at(self.texts.index(''))} is empty.")

    def required_values(self) -> NDArray[Any]:
        """The items as numbers; an error says which one is not a number."""
        self.check_filled()
        if self.values is None:
            numeric = map(_NUMBER.fullmatch, self.texts)
            first = next((i for i, found in enumerate(numeric) if not found), 0)
            raise CommandError(f"{self.at(first)}: {self.texts[first]!r} is not a number.")
        return self.values


def columns_of(table: Table, cells: Sequence[Any], source: str) -> list[Column]:
    """Return a column of a table as texts; one of lists of one length is several columns.

    Parameters
    ----------
    table : Table
        The table.
    cells : sequence
        What its column holds.
    source : str
        What the user calls the column.
    """

    def refuse(row: int, what: str) -> NoReturn:
        raise CommandError(f"{source}, {table.row(row)} {what}")

    for row, cell in enumerate(cells):
        if cell is None:
            refuse(row, "is missing.")
        if isinstance(cell, Mapping):
            refuse(row, f"holds {shown(cell)}; one label or number is read.")
    texts: Iterable[Sequence[Any]] = [cells]
    if any(isinstance(cell, list) for cell in cells):
        for row, cell in enumerate(cells):
            if not isinstance(cell, list) or len(cell) != len(cells[0]) or not cell:
                refuse(
                    row,
                    f"holds {shown(cell)}: where one row holds a list, all need lists of one "
                    "length.",
                )
            if any(isinstance(entry, list | Mapping) or entry is None for entry in cell):
                refuse(row, f"holds {cell!r}; a list of numbers is read.")
        texts = zip(*cells, strict=True)
    return [
        Column(source, [str(text).strip() for text in column], table.lines, table.place)
        for column in texts
    ]


def matrix(columns: Iterable[Column]) -> NDArray[Any]:
    """Columns of numbers side by side."""
    return np.column_stack([column.required_values() for column in columns])


def single_value(text: str) -> Any:
    """A number, if the text is one, else None."""
    values = Column("", [text.strip()], [1]).values
    return None if values is None else values[0].item()
