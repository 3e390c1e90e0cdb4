"""Grids as lines of plain text that fit a terminal, whatever the names are."""

from collections.abc import Iterable, Sequence

from skstat._names import clip, one_line
from skstat.report._contents import Grid

WIDTH = 88
_CELL = 30
_NAME = 48  # of a column of its own, which leaves more room
_NARROWEST = 8
_GAP = "  "
_BELOW = _GAP  # before the name of B where it stands below that of A
_Table = list[list[str]]


def grid_lines(grid: Grid) -> tuple[list[str], str]:
    """Return the lines of a grid, and what is to be said of their layout.

    The first layout is taken that fits and in which different names look different.
    """
    table = _clipped(grid, _CELL if grid.n_names == 2 else _NAME)
    n_different = len({one_line(name) for row in grid.rows for name in row[: grid.n_names]})
    brief = [[*map(_shorter, table[0])], *table[1:]]
    for layout in (table, brief, *([] if grid.n_names == 2 else [_narrowed(brief)])):
        lines = _aligned(layout, grid)
        shown = {name for row in layout[1:] for name in row[: grid.n_names]}
        if _fits(lines) and len(shown) == n_different:
            return lines, ""
    if grid.n_names == 1:
        return _under_names(grid), ""
    stacked = _narrowed(_stacked(grid))
    lines = _aligned(stacked, Grid("", [], []))
    if not _fits(lines) or len({row[0].strip() for row in stacked[2:]}) < n_different:
        lines = _under_names(grid)
    words = " 1st: the upper name; 2nd: the lower. \N{EN DASH}: undecided."
    return lines, words + " =: equivalent." * any(text[0] == "=" for text in grid.letters)


def _clipped(grid: Grid, longest: int) -> _Table:
    """Clip the cells of a grid, names to their own length; the header comes first."""
    limits = [longest if column < grid.n_names else _CELL for column in range(len(grid.header))]
    return [
        [cell and clip(cell, limit) for cell, limit in zip(row, limits, strict=True)]
        for row in (grid.header, *grid.rows)
    ]


def _fits(lines: Iterable[str]) -> bool:
    return max(map(len, lines)) <= WIDTH


def _stacked(grid: Grid) -> _Table:
    """Put B below A, and call the better one by its letter: long names need the room."""
    header, *table = _clipped(grid, _NAME)
    verdicts = [_shorter(header[-1]), *grid.letters]
    rows = []
    for (a, b, *numbers, _), verdict in zip(
        [[*map(_shorter, header)], *table], verdicts, strict=True
    ):
        rows += [[a, *numbers, verdict], [_BELOW + b] + [""] * (len(numbers) + 1)]
    return rows


def _narrowed(table: _Table) -> _Table:
    """Clip the names, in the first column, to what the others leave of the line."""
    others = [max(map(len, column)) for column in zip(*table, strict=True)][1:]
    room = max(_NARROWEST, WIDTH - sum(others) - len(_GAP) * len(others))

    def narrow(name: str) -> str:
        blanks = _BELOW if name.startswith(_BELOW) else ""
        return name and blanks + clip(name, room - len(blanks))

    return [[narrow(row[0]), *row[1:]] for row in table]


def _under_names(grid: Grid) -> list[str]:
    """Write each name on its own line, and its numbers below it."""
    n = grid.n_names
    header, *rows = [row[n:] for row in _clipped(grid, _NAME)]
    if n == 2:
        rows = [[*row[:-1], letter] for row, letter in zip(rows, grid.letters, strict=True)]
    words = None if grid.words is None else grid.words - n
    look = Grid("", [], [], n_names=0, words=words)
    head, *lines = _aligned([[*map(_shorter, header)], *rows], look)
    found = [2 * _GAP + head]
    for names, line in zip(grid.rows, lines, strict=True):
        room = WIDTH - len(_BELOW)
        found += [place * _BELOW + clip(name, room) for place, name in enumerate(names[:n])]
        found.append(2 * _GAP + line)
    return found


def _aligned(table: Sequence[Sequence[str]], grid: Grid) -> list[str]:
    # Of a column of nothing not even the space stays.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if grid.is_text(number) else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(_GAP.join(cells).rstrip())
    return lines


def _shorter(header: str) -> str:
    for word, short in (("adjusted", "adj."), ("equivalence", "equiv."), ("of ", "")):
        header = header.replace(word, short)
    return header
