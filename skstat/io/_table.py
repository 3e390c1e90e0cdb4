"""Columns by name, and what their cells hold: numbers, outcomes, or neither."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, takewhile
from numbers import Real
from typing import Any

import numpy as np

from skstat._columns import Name, coded, read_name
from skstat._names import listed
from skstat.stats._read import is_missing, read_numbers, refuse_masked

# What stands for nothing in columns of numbers, in small letters.
_MISSING = frozenset(("", "-", "?", "na", "n/a", "#n/a", "<na>", "nan", "none", "null"))
# Words for right answers and for wrong ones, which are 1 and 0. Those of one kind go together;
# a column of other words, or of two kinds, is none of outcomes.
# Single letters are options of a question too: they count where a score is meant.
_RIGHT = "true", "yes", "pass passed correct right success solved resolved", "t", "y"
_WRONG = "false", "no", "fail failed incorrect wrong failure unsolved unresolved", "f", "n"
_KINDS = [
    dict.fromkeys(right.split(), 1.0) | dict.fromkeys(wrong.split(), 0.0)
    for right, wrong in zip(_RIGHT, _WRONG, strict=True)
]
# Numbers that a program does not read: percents, decimal commas, counts of counts.
_ALMOST = re.compile(r"[+-]?\d+(?:[.,;/]\d+)?\s*%?")
_COUNTED = "row {}, counted from 0".format
# Cells by which a column that is not of scores alone is judged.
_LOOKED_AT = 1000


@dataclass(eq=False)
class Column:
    """A column of a frame: what its name says, and what its cells hold. Each is found once.

    Parameters
    ----------
    table : Table
        The table.
    name : str
        The column.
    hints : Name
        What its name says of it.

    Attributes
    ----------
    why : str
        What is wrong of one without numbers that looks like scores, once they are asked for.
    """

    table: "Table"
    name: str
    hints: Name
    why: str = ""

    @cached_property
    def given(self) -> Any:
        """The column as the table has it."""
        table = self.table
        if len(table) < len(table.every):
            refuse_twice(name for name in table.every if name == self.name)
        return table.given[table.called[self.name]]

    @cached_property
    def cells(self) -> Sequence[Any]:
        """What it holds."""
        refuse_masked(f"column {self.name!r}", self.given)
        given = self.given
        return given if isinstance(given, list) else np.atleast_1d(given).tolist()

    @cached_property
    def numbers(self) -> Any:
        """Values of a column of numbers, nan where one is missing; None of another."""
        values, self.why = self.read()
        return values

    def scores(self) -> tuple[Any, str]:
        """Return its numbers, or why it has none, where somebody says that it holds scores."""
        return self.read(named=True) if self.numbers is None else (self.numbers, "")

    @cached_property
    def has_decimals(self) -> bool:
        """Whether it holds numbers with decimals, which name nothing."""
        numbers = self.numbers
        return numbers is not None and bool((numbers[np.isfinite(numbers)] % 1).any())

    @cached_property
    def varies(self) -> bool:
        """Whether it differs between rows, as one that names units does."""
        return len(set(map(str, self.cells))) > 1

    @cached_property
    def labels(self) -> list[str]:
        """Its cells as names; those that name nothing are refused."""
        cells, row, kinds = self.cells, self.table.row, set(map(type, self.cells))
        if kinds == {str} and "" not in cells:  # most of what there is
            return list(cells)
        for row_number, cell in enumerate(cells if not kinds <= {int, bool} else ()):
            if is_missing(cell) or (isinstance(cell, str) and not cell):
                raise ValueError(f"{self.name!r} is empty in {row(row_number)}.")
            if isinstance(cell, list | dict):
                raise ValueError(f"{self.name!r} holds {shown(cell)} in {row(row_number)}.")
        whole = kinds == {float} and all(map(float.is_integer, cells))
        return list(map(str, map(int, cells) if whole else cells))

    def fact(self) -> Any:
        """Return what it says of the rows; None where it has not a value for each.

        Texts stand one by one: arrays have room for the longest.
        """
        kinds = set(map(type, self.cells))
        if len(self.cells) != self.table.n_rows or not kinds.isdisjoint((list, dict)):
            return None
        if self.hints.size is not None and self.numbers is not None:
            return self.numbers
        return np.array(self.given, dtype=object if str in kinds else None)

    def read(self, *, named: bool = False) -> tuple[Any, str]:
        """Return its numbers, nan where a cell is empty, or why it has none.

        The cells of frames have types, and texts are not read as numbers, unless somebody says
        (`named`) that it holds scores.
        """
        cells = np.asarray(self.given)
        if cells.ndim > 1 and not named:
            why = f"it has the shape {cells.shape}" if self.hints.is_score else ""
            return None, why
        values = cells.tolist()
        filled = [cell for cell in values if not is_missing(cell)] if cells.dtype == "O" else []
        of_numbers = bool(filled) and all(isinstance(cell, Real) for cell in filled)
        if named or of_numbers or cells.dtype.kind in "biuf":
            return read_numbers(f"column {self.name!r}", self.given), ""
        text = f"{self.table.row(0)} holds {str(values[:1])[1:-1]}, which is a text"
        return None, text if self.hints.is_score else ""


class ColumnOfFile(Column):
    """A column of a file, whose texts may be numbers."""

    def read(self, *, named: bool = False) -> tuple[Any, str]:
        """Read numbers if every cell is one or is empty, or all are outcomes of one kind.

        Outcomes, such as yes and no, are 1 and 0.
        """
        cells, row = self.cells, self.table.row
        try:
            text = "".join(cells)
            plain = text.isascii() and "_" not in text
            floats = list(map(float, cells)) if plain else []  # most of what there is
        except (TypeError, ValueError):
            floats = []
        numbers: Any = floats or [*takewhile(lambda x: x is not None, map(number_of, cells))]
        values: Any = np.array(numbers, float)
        why, remedy = "", "Correct what is not a score; an empty cell is a missing one"
        odd = (values < 0) | (values > 1)
        if len(values) < len(cells):
            values, why = self._outcomes(len(values), named=named)
        elif np.isnan(values).all():
            values, why = None, "all of its cells are empty"
        elif odd.any() and bool in map(type, cells):
            other = int(odd.argmax())
            why = f"{row(other)} holds {shown(cells[other])} beside True and False"
            values = None
        if values is not None or not (named or self._looks_like_scores()):
            return values, ""
        if dict in map(type, cells):
            remedy = "Write what the objects hold into columns of their own"
        elif list in map(type, cells):
            remedy = f"columns={{'score': {self.name!r}}} reads lists of numbers as repeats"
        return None, f"{why}. {remedy}"

    def _outcomes(self, odd: int, *, named: bool) -> tuple[Any, str]:
        """Return outcomes of one kind as 1 and 0; numbers 1 and 0 go with any kind."""
        for words in _KINDS if named or self.hints.is_score else _KINDS[:-2]:
            outcomes: list[float] = []
            for cell in self.cells:
                value = words.get(_word(cell), number_of(cell))
                if value is None or (value not in (0, 1) and value == value):
                    break
                outcomes.append(value)
            if len(outcomes) == len(self.cells):
                return np.array(outcomes), ""
            odd = max(odd, len(outcomes))
        neither = "which is neither a number nor a word such as true or false"
        return None, f"{self.table.row(odd)} holds {shown(self.cells[odd])}, {neither}"

    def _looks_like_scores(self) -> bool:
        """Whether a column that cannot be read as scores looks like one."""
        if self.hints.is_no_score or self.hints.is_score:
            return not self.hints.is_no_score
        present = [cell for cell in self.cells[:_LOOKED_AT] if _word(cell) not in _MISSING]
        return sum(map(_may_be_score, present)) > len(present) / 2


def number_of(cell: Any) -> float | None:
    """Return a number; nan of an empty cell, None of anything else."""
    if cell is None:
        return math.nan
    if isinstance(cell, str):
        number = read_number(cell)
        return math.nan if number is None and cell.strip().lower() in _MISSING else number
    try:
        return None if isinstance(cell, bytes) else float(cell)
    except (TypeError, ValueError, OverflowError):
        return None


def read_number(text: str) -> float | None:
    """Return the number that a text is; None of others, which Python reads as numbers too.

    Examples
    --------
    >>> read_number("1e3"), read_number("1_000"), read_number("\N{ARABIC-INDIC DIGIT TWO}")
    (1000.0, None, None)
    """
    try:
        return None if "_" in text or not text.isascii() else float(text)
    except ValueError:
        return None


def _word(cell: Any) -> str:
    return "" if cell is None else str(cell).strip().lower()


def shown(cell: Any) -> str:
    """Write what a cell holds, in short."""
    if isinstance(cell, list | tuple):
        return f"a list of {len(cell)}"
    if isinstance(cell, dict):
        return "an object with keys"
    text = repr(cell) if isinstance(cell, str) else str(cell)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _may_be_score(cell: Any) -> bool:
    if isinstance(cell, list):
        return bool(cell) and None not in map(number_of, cell)
    word, is_number = _word(cell), number_of(cell) is not None
    return is_number or any(word in words for words in _KINDS) or bool(_ALMOST.fullmatch(word))


class Table(dict[str, Column]):
    """Columns by name, and what their cells hold.

    Parameters
    ----------
    given : mapping or frame
        The columns.
    row : callable, optional
        Where a row stands, in words, from its number.
    path : str, optional
        The file that holds it, as the caller wrote it. The cells of frames have types; texts of
        files may be numbers.
    """

    def __init__(self, given: Any, row: Any = _COUNTED, path: str | None = None) -> None:
        self.given, self.row, self.path = given, row, path
        names = list(given if isinstance(given, Mapping) else given.columns)
        self.every = list(map(str, names))
        self.called = dict(zip(self.every, names, strict=True))
        kind = Column if path is None else ColumnOfFile
        for name in self.called:
            self[name] = kind(self, name, read_name(name))
        # Text and JSON may hold values without names: one column.
        self.named = list(self) != [""]

    def __contains__(self, name: Any) -> bool:
        return str(name) in self.called

    def without(self, names: Iterable[Any]) -> list[Column]:
        """Return the columns, without some."""
        names = set(names)
        return [column for name, column in self.items() if name not in names]

    @cached_property
    def n_rows(self) -> int:
        """Cells of the longest column."""
        return max([0, *(len(column.cells) for column in self.values())])

    def named_as(self, role: str, name: Any) -> str:
        """Return the column that the caller names; refuse one that is not there."""
        if not isinstance(name, list | dict) and name in self:
            return str(name)
        argument = role if self.path is None else f"columns[{role!r}]"
        raise ValueError(f"{argument}={name!r} is not a column; there are {listed(self)}.")

    def coded(self, names: Iterable[str]) -> tuple[list[tuple[str, ...]], Any]:
        """Return what rows are called in these columns, and the number of every row's."""
        return coded(zip(*[map(str, self[name].cells) for name in names], strict=False))

    def n_keys(self, *names: str) -> int:
        """Return how many rows these columns name apart."""
        return len(self.coded(names)[0])

    def first_twice(self, names: Sequence[str]) -> dict[str, str] | None:
        """Return the cells of the first row that another one shares in these columns."""
        labels, codes = self.coded(names)
        if len(labels) == len(codes):
            return None
        return dict(zip(names, labels[(np.bincount(codes) > 1).argmax()], strict=True))

    def melted(self, systems: Sequence[str], metric: str) -> "Table":
        """Return a row for every cell of the columns that are systems, whose name is there."""
        n, k = self.n_rows, len(systems)
        columns: dict[str, Any] = {}
        for column in self.without(systems):
            cells = column.given
            columns[column.name] = cells * k if isinstance(cells, list) else np.tile(cells, k)
        columns["system"] = np.repeat(np.array(systems, dtype=object), n).tolist()
        columns[metric] = list(chain.from_iterable(self[name].cells for name in systems))
        return Table(columns, lambda row: self.row(row % n), self.path)


def refuse_twice(names: Iterable[str]) -> None:
    """Refuse two columns of one name."""
    every = list(names)
    for name, count in Counter(every).most_common(1):
        if count > 1:
            raise ValueError(f"column {name!r} is there more than once (of {listed(every)}).")
