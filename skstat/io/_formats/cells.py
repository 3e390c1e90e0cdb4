"""What the cells of a table's column hold: numbers, outcomes, or neither."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from skstat._columns import is_score, names_no_score
from skstat.io._formats.records import read_number
from skstat.io._tables import Numbers

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
_EXPECTED = "which is neither a number nor a word such as true or false"
# Cells by which a column that is not of scores alone is judged.
_LOOKED_AT = 1000


def numbers_of(
    name: str, cells: Sequence[Any], row: Callable[[int], str], *, named: bool = False
) -> Numbers:
    """Return numbers, and outcomes such as yes and no as 1 and 0.

    Parameters
    ----------
    name : str
        The column.
    cells : sequence
        What it holds.
    row : callable
        Where a cell stands, in words, from its number.
    named : bool, default=False
        Whether somebody says that these are scores.

    Returns
    -------
    Numbers
        Numbers if every cell is one or is empty, or if all are outcomes of one kind.
    """
    found = _until_none(map(_number, cells))
    if len(found) < len(cells):
        kinds = _KINDS if named or is_score(name) else _KINDS[:-2]
        return _outcomes(cells, len(found), kinds, row)
    if all(map(math.isnan, found)):
        return Numbers(None, "all of its cells are empty")
    if bool in map(type, cells):
        other = next((r for r, value in enumerate(found) if value < 0 or value > 1), None)
        if other is not None:
            return Numbers(
                None, f"{row(other)} holds {shown(cells[other])} beside True and False"
            )
    return Numbers(found)


def _until_none(values: Iterable[float | None]) -> list[Any]:
    return list(takewhile(lambda value: value is not None, values))


def _number(cell: Any) -> float | None:
    """Return a number; nan of an empty cell, None of anything else."""
    if cell is None:
        return math.nan
    if isinstance(cell, str):
        found = read_number(cell)
        if found is None and cell.strip().lower() in _MISSING:
            return math.nan
        return found
    if isinstance(cell, complex | bytes | list | dict):
        return None
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        return None


def _outcomes(
    cells: Sequence[Any],
    odd: int,
    kinds: Sequence[Mapping[str, float]],
    row: Callable[[int], str],
) -> Numbers:
    """Return outcomes of one kind as 1 and 0; numbers 1 and 0 go with any kind."""
    for words in kinds:

        def outcome(cell: Any, words: Mapping[str, float] = words) -> float | None:
            value = words.get(_word(cell), _number(cell))
            return value if value in (0, 1) or value != value else None

        found = _until_none(map(outcome, cells))
        if len(found) == len(cells):
            return Numbers(found)
        odd = max(odd, len(found))
    return Numbers(None, f"{row(odd)} holds {shown(cells[odd])}, {_EXPECTED}")


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


def looks_like_scores(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column that cannot be read as scores looks like one, by its name or cells."""
    if names_no_score(name):
        return False
    if is_score(name):
        return True
    known = [cell for cell in cells[:_LOOKED_AT] if _word(cell) not in _MISSING]
    n_scores = sum(
        _number(cell) is not None
        or any(_word(cell) in words for words in _KINDS)
        or _ALMOST.fullmatch(_word(cell)) is not None
        or (isinstance(cell, list) and bool(cell) and all(_number(c) is not None for c in cell))
        for cell in known
    )
    return n_scores > len(known) / 2


def holds_lists(cells: Sequence[Any]) -> bool:
    """Whether some cell is a list, or an object with keys."""
    return not {list, dict}.isdisjoint(map(type, cells))
