"""Columns by name, and what their cells hold: numbers, outcomes, or neither."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from skstat._columns import is_score, names_no_score
from skstat._names import listed
from skstat.stats._read import is_missing, read_numbers, refuse_masked

# What stands for nothing in columns of numbers, in small letters.
_MISSING = frozenset(("", "-", "?", "na", "n/a", "#n/a", "<na>", "nan", "none", "null"))
# Words for right answers and for wrong ones, which are 1 and 0. Those of one kind go together;
# a column of other words, or of two kinds, is none of outcomes.
_WORDS = (
    ("true", "false"),
    ("yes", "no"),
    (
        "pass passed correct right success solved resolved",
        "fail failed incorrect wrong failure unsolved unresolved",
    ),
    # Single letters are options of a question too: they count where a score is meant.
    ("t", "f"),
    ("y", "n"),
)
_KINDS = [
    dict.fromkeys(right.split(), 1.0) | dict.fromkeys(wrong.split(), 0.0)
    for right, wrong in _WORDS
]
# Numbers that a program does not read: percents, decimal commas, counts of counts.
_ALMOST = re.compile(r"[+-]?\d+(?:[.,;/]\d+)?\s*%?")
# Cells by which a column that is not of scores alone is judged.
_LOOKED_AT = 1000


class Numbers(NamedTuple):
    """The numbers of a column, or why it has none.

    Attributes
    ----------
    values : sequence of float or None
        nan where a cell is empty.
    why : str
        What is wrong, of a column without numbers that looks like scores; else empty.
    """

    values: Any
    why: str = ""


Row = Callable[[int], str]


def numbers_of_values(name: str, given: Any, row: Row, *, named: bool) -> Numbers:
    """Return the numbers of a column whose cells have types: texts are none.

    Parameters
    ----------
    name : str
        The column.
    given : array-like
        What it holds.
    row : callable
        Where a cell stands, in words, from its number.
    named : bool
        Whether somebody says that these are scores.
    """
    cells = np.asarray(given)
    if cells.ndim > 1 and not named:
        return Numbers(None, f"it has the shape {cells.shape}" if is_score(name) else "")
    values = cells.tolist()
    known = [cell for cell in values if not is_missing(cell)] if cells.dtype == object else []
    of_numbers = bool(known) and all(isinstance(cell, Real) for cell in known)
    if named or of_numbers or cells.dtype.kind in "biuf":
        return Numbers(read_numbers(f"column {name!r}", given))
    text = f"{row(0)} holds {str(values[:1])[1:-1]}, which is a text"
    return Numbers(None, text if is_score(name) else "")


def numbers_of_texts(name: str, cells: Sequence[Any], row: Row, *, named: bool) -> Numbers:
    """Return the numbers that a file holds, and outcomes such as yes and no as 1 and 0.

    Parameters
    ----------
    name, cells, row, named
        As of :func:`numbers_of_values`.

    Returns
    -------
    Numbers
        Numbers if every cell is one or is empty, or if all are outcomes of one kind.
    """
    values: Any = _until_none(map(number_of, cells))
    why, remedy = "", "Correct what is not a score; an empty cell is a missing one"
    if len(values) < len(cells):
        values, why = _outcomes(name, cells, len(values), row, named=named)
    elif all(map(math.isnan, values)):
        values, why = None, "all of its cells are empty"
    elif bool in map(type, cells):
        other = next((r for r, value in enumerate(values) if value < 0 or value > 1), None)
        if other is not None:
            why = f"{row(other)} holds {shown(cells[other])} beside True and False"
            values = None
    if values is not None or not (named or _looks_like_scores(name, cells)):
        return Numbers(values)
    if dict in map(type, cells):
        remedy = "Write what the objects hold into columns of their own"
    elif list in map(type, cells):
        remedy = f"columns={{'score': {name!r}}} reads lists of numbers as repeats"
    return Numbers(None, f"{why}. {remedy}")


def _until_none(values: Iterable[float | None]) -> list[Any]:
    return list(takewhile(lambda value: value is not None, values))


def number_of(cell: Any) -> float | None:
    """Return a number; nan of an empty cell, None of anything else."""
    if cell is None:
        return math.nan
    if isinstance(cell, str):
        found = read_number(cell)
        return math.nan if found is None and cell.strip().lower() in _MISSING else found
    if isinstance(cell, complex | bytes | list | dict):
        return None
    try:
        return float(cell)
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


def _outcomes(name: str, cells: Sequence[Any], odd: int, row: Row, *, named: bool) -> Numbers:
    """Return outcomes of one kind as 1 and 0; numbers 1 and 0 go with any kind."""
    for words in _KINDS if named or is_score(name) else _KINDS[:-2]:

        def outcome(cell: Any, words: Mapping[str, float] = words) -> float | None:
            value = words.get(_word(cell), number_of(cell))
            return value if value in (0, 1) or value != value else None

        found = _until_none(map(outcome, cells))
        if len(found) == len(cells):
            return Numbers(found)
        odd = max(odd, len(found))
    neither = "which is neither a number nor a word such as true or false"
    return Numbers(None, f"{row(odd)} holds {shown(cells[odd])}, {neither}")


def _word(cell: Any) -> str:
    if cell is None:
        return ""
    return str(cell).strip().lower() if isinstance(cell, str | bool) else "\0"


def shown(cell: Any) -> str:
    """Write what a cell holds, in short."""
    if isinstance(cell, list | tuple):
        return f"a list of {len(cell)}"
    if isinstance(cell, dict):
        return "an object with keys"
    text = repr(cell) if isinstance(cell, str) else str(cell)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _looks_like_scores(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column that cannot be read as scores looks like one, by its name or cells."""
    if names_no_score(name):
        return False
    known = [cell for cell in cells[:_LOOKED_AT] if _word(cell) not in _MISSING]
    return is_score(name) or sum(map(_may_be_score, known)) > len(known) / 2


def _may_be_score(cell: Any) -> bool:
    if isinstance(cell, list):
        return bool(cell) and None not in map(number_of, cell)
    word, is_number = _word(cell), number_of(cell) is not None
    return is_number or any(word in words for words in _KINDS) or bool(_ALMOST.fullmatch(word))


class Table:
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

    def __init__(
        self,
        given: Any,
        row: Callable[[int], str] = "row {}, counted from 0".format,
        path: str | None = None,
    ) -> None:
        self.given, self.row, self.path = given, row, path
        names = given if isinstance(given, Mapping) else given.columns
        self.called = {str(name): name for name in names}
        self.names = list(self.called)
        self._cells: dict[str, Sequence[Any]] = {}
        self._numbers: dict[tuple[str, bool], Numbers] = {}

    @property
    def named(self) -> bool:
        """Whether columns have names. Text and JSON may hold values without: one column."""
        return self.names != [""]

    def __contains__(self, name: Any) -> bool:
        return str(name) in self.called

    @cached_property
    def n_rows(self) -> int:
        """Cells of the longest column."""
        return max((len(self.cells(name)) for name in self.names), default=0)

    def of(self, name: str) -> Any:
        """Return a column as the table has it."""
        return self.given[self.called[name]]

    def cells(self, name: str) -> Sequence[Any]:
        """Cells of a column."""
        if name not in self._cells:
            own = self.of(name)
            refuse_masked(f"column {name!r}", own)
            self._cells[name] = own if isinstance(own, list) else np.atleast_1d(own).tolist()
        return self._cells[name]

    def numbers(self, name: str) -> Any:
        """Values of a column of numbers, nan where one is missing; None of another."""
        return self.read_numbers(name).values

    def read_numbers(self, name: str, named: bool = False) -> Numbers:
        """Values of a column of numbers, or why it has none; `named` if it is to have some."""
        if (name, named) not in self._numbers:
            cells = self.cells(name)
            self._numbers[name, named] = (
                numbers_of_values(name, self.of(name), self.row, named=named)
                if self.path is None
                else numbers_of_texts(name, cells, self.row, named=named)
            )
        return self._numbers[name, named]

    def holds_decimals(self, name: str) -> bool:
        """Whether a column holds numbers with decimals, which name nothing."""
        values = self.numbers(name)
        return values is not None and any(math.isfinite(v) and v != int(v) for v in values)

    def labels(self, name: str) -> list[str]:
        """Cells of a column as names; refuse those that name nothing."""
        cells = self.cells(name)
        kinds = set(map(type, cells))
        if kinds == {str} and "" not in cells:  # most of what there is
            return list(cells)
        for row, cell in enumerate(cells if not kinds <= {int, bool} else ()):
            if is_missing(cell) or (isinstance(cell, str) and not cell):
                raise ValueError(f"{name!r} is empty in {self.row(row)}.")
            if isinstance(cell, list | dict):
                raise ValueError(f"{name!r} holds {shown(cell)} in {self.row(row)}.")
        whole = kinds == {float} and all(map(float.is_integer, cells))
        return [str(int(cell) if whole else cell) for cell in cells]

    def vary(self, name: str) -> bool:
        """Whether a column differs between rows, as one that names units does."""
        first, *others = self.cells(name)
        return any(str(other) != str(first) for other in others)

    def named_as(self, argument: str, name: Any) -> str:
        """Return the column that the caller names; refuse one that is not there."""
        if not isinstance(name, list | dict) and name in self:
            return str(name)
        raise ValueError(
            f"{argument}={name!r} is not a column; there are {listed(self.names)}."
        )

    def _keys(self, names: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter(zip(*(map(str, self.cells(name)) for name in names), strict=False))

    def n_labels(self, *names: str) -> int:
        """Return how many rows these columns name apart."""
        return len(self._keys(names))

    def first_twice(self, names: Sequence[str]) -> dict[str, str] | None:
        """Return the cells of the first row that another one shares in these columns."""
        twice = next((cells for cells, n in self._keys(names).items() if n > 1), None)
        return None if twice is None else dict(zip(names, twice, strict=True))

    def melted(self, systems: Sequence[str], metric: str) -> "Table":
        """Return a row for every cell of the columns that are systems, whose name is there."""
        n, k = self.n_rows, len(systems)
        others = {name: self.of(name) for name in self.names if name not in systems}
        found: dict[str, Any] = {
            name: own * k if isinstance(own, list) else np.tile(np.asarray(own), k)
            for name, own in others.items()
        }
        found["system"] = [name for name in systems for _ in range(n)]
        found[metric] = [cell for name in systems for cell in self.cells(name)]
        return Table(found, lambda row: self.row(row % n), self.path)
