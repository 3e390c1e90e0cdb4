"""A table of words and numbers, independent of the form it is written in."""

from collections.abc import Sequence
from typing import NamedTuple

from skstat.report._contents.tone import Tone


class Grid(NamedTuple):
    """A table with a title, a header, and a word on what it leaves out."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_names: int = 1  # columns of names, which stand before those of numbers
    words: int | None = None  # the column of words behind them, if there is one
    note: str = ""
    note_with_drawing: str = ""  # instead of the note, where the drawing stands beside it
    is_detail: bool = False  # to be unfolded where that is possible
    tones: Sequence[Tone] = ()  # of the last cell of every row, which is a verdict
    signs: int | None = None  # the column whose characters stand below each other
    letters: Sequence[str] = ()  # of every row in pairs, the better one by its letter

    def is_text(self, column: int) -> bool:
        """Whether the cells of a column are words, which begin at the left."""
        return column < self.n_names or column == self.words
