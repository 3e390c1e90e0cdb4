"""Reports as plain text for terminals and logs."""

import textwrap
from typing import Any

from skstat.report._rows import (
    detail_rows,
    doubt_rows,
    has_grids,
    headline_rows,
    part_title,
    parts_of,
)
from skstat.report._table_rows import Grid, about_rows, pairs_grid, ranking_grid

_WIDTH = 88
_CELL = 30


def render_text(report: dict[str, Any]) -> str:
    """Render any report's dictionary as text."""
    if report["kind"] == "comparison":
        blocks = [_wrap(report["conclusion"]), _body(report)]
    else:
        blocks = ["\n".join(map(_wrap, report["sentences"]))]
        if has_grids(report):
            blocks.append(_body(report))
        else:
            blocks += [
                f"[{number}] {part_title(part)}\n{_body(part)}"
                for number, part in enumerate(parts_of(report), start=1)
            ]
    return "\n\n".join(block for block in [*blocks, _doubts(report)] if block)


def _body(part: dict[str, Any]) -> str:
    if part["kind"] == "comparison":
        return _rows([*headline_rows(part), *detail_rows(part)])
    grids = [_grid(ranking_grid(part)), _grid(pairs_grid(part))]
    return "\n\n".join([*grids, _rows(about_rows(part))])


def _grid(grid: Grid) -> str:
    rows = [[_clip(_one_line(cell)) for cell in row] for row in (grid.header, *grid.rows)]
    lines = _aligned(rows, grid)
    if grid.n_names == 2 and max(map(len, lines)) > _WIDTH:
        rows[0] = [_shorter(cell) for cell in rows[0]]
        lines = _aligned(rows, grid)
    if grid.n_names == 2 and max(map(len, lines)) > _WIDTH:
        lines = _aligned(_stacked(rows), Grid("", [], []))
    note = [_wrap(grid.note)] if grid.note else []
    return "\n".join([_wrap(grid.title), *lines, *note])


def _aligned(table: list[list[str]], grid: Grid) -> list[str]:
    # Of a column of nothing not even the space stays.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if grid.is_text(number) else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _stacked(table: list[list[str]]) -> list[list[str]]:
    """Put B below A, and call the better one by its letter: long names need the room."""
    rows = []
    for a, b, *numbers, better in table:
        letter = {a: "A", b: "B", "undecided": "\N{EN DASH}", "equivalent": "="}.get(
            better, better
        )
        rows += [[a, *numbers, letter], [f"  {b}"] + [""] * (len(numbers) + 1)]
    return rows


def _shorter(header: str) -> str:
    for word, short in (("adjusted", "adj."), ("equivalence", "equiv."), ("of ", "")):
        header = header.replace(word, short)
    return header


def _rows(rows: list[tuple[str, str]]) -> str:
    width = max(len(label) for label, _ in rows) + 2
    return "\n".join(_row(label, text, width) for label, text in rows)


def _doubts(report: dict[str, Any]) -> str:
    rows = doubt_rows(report)
    if not rows:
        return ""
    lines = [f"{doubt['code']} {doubt['title']}: {doubt['text']}" for doubt in rows]
    wrapped = [
        textwrap.fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join(["Doubts (what to do: see the code in the documentation)", *wrapped])


def _row(label: str, text: str, width: int) -> str:
    return textwrap.fill(
        _one_line(text),
        _WIDTH,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
    )


def _wrap(text: str) -> str:
    return textwrap.fill(_one_line(text), _WIDTH)


def _clip(text: str) -> str:
    return text if len(text) <= _CELL else text[: _CELL - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
