"""Reports as plain text for terminals and logs."""

import textwrap
from typing import Any

from skstat.display._names import clip, one_line
from skstat.report._grid import Grid
from skstat.report._grids import about_of, grids_of
from skstat.report._rows import (
    detail_rows,
    doubt_rows,
    has_grids,
    headline_rows,
    part_title,
    parts_of,
)
from skstat.report._text_grid import WIDTH, grid_lines

_LABEL = 30  # letters


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
                f"[{number}] {_wrap(part_title(part))}\n{_body(part)}"
                for number, part in enumerate(parts_of(report), start=1)
            ]
    return "\n\n".join(block for block in [*blocks, _doubts(report)] if block)


def _body(part: dict[str, Any]) -> str:
    if part["kind"] == "comparison":
        return _rows([*headline_rows(part), *detail_rows(part)])
    return "\n\n".join([*map(_grid, grids_of(part)), _rows(about_of(part))])


def _grid(grid: Grid) -> str:
    lines, words = grid_lines(grid)
    return "\n".join(filter(None, [_wrap(grid.title), *lines, _wrap(grid.note + words)]))


def _rows(rows: list[tuple[str, str]]) -> str:
    rows = [(clip(label, _LABEL), text) for label, text in rows]
    width = max(len(label) for label, _ in rows) + 2
    return "\n".join(_row(label, text, width) for label, text in rows)


def _doubts(report: dict[str, Any]) -> str:
    rows = doubt_rows(report)
    if not rows:
        return ""
    lines = [one_line(f"{doubt['code']} {doubt['title']}: {doubt['text']}") for doubt in rows]
    wrapped = [
        textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join(["Doubts (what to do: see the code in the documentation)", *wrapped])


def _row(label: str, text: str, width: int) -> str:
    return textwrap.fill(
        one_line(text),
        WIDTH,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
    )


def _wrap(text: str) -> str:
    return textwrap.fill(one_line(text), WIDTH)
