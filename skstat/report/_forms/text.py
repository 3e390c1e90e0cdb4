"""Contents as plain text for terminals and logs."""

import textwrap
from collections.abc import Mapping
from typing import Any

from skstat._names import clip, one_line
from skstat.report._contents import Contents, Grid, Link, Rows, Section
from skstat.report._forms.text_grid import WIDTH, grid_lines

_LABEL = 30  # letters


def render_text(contents: Contents) -> str:
    """Render contents as text."""
    sentences = [" ".join(filter(None, pair)) for pair in contents.sentences]
    blocks = ["\n".join(map(_wrap, sentences or [contents.conclusion]))]
    for number, section in enumerate(contents.sections, start=1):
        title = f"[{number}] {_wrap(section.title)}\n" if contents.is_titled else ""
        blocks.append(title + _body(section))
    blocks.append(_doubts(contents))
    return "\n\n".join(block for block in blocks if block)


def _body(section: Section) -> str:
    grids = map(_grid, section.short_grids or section.grids)
    rows = _rows([*section.rows, *section.about], section.link)
    return "\n\n".join(filter(None, [*grids, rows]))


def _grid(grid: Grid) -> str:
    lines, words = grid_lines(grid)
    return "\n".join(filter(None, [_wrap(grid.title), *lines, _wrap(grid.note + words)]))


def _rows(rows: Rows, link: Link | None) -> str:
    rows = [(clip(label, _LABEL), text) for label, text in rows]
    labels = [label for label, _ in rows]
    if link is not None:
        labels.append(link.label)
    width = max(map(len, labels), default=0) + 2
    lines = [_row(label, text, width) for label, text in rows]
    if link is not None:  # a line break would end what a terminal follows
        lines.append(link.label.ljust(width) + link.url)
    return "\n".join(lines)


def _doubts(contents: Contents) -> str:
    rows = contents.doubts_by_code()
    if not rows:
        return ""
    lines = [one_line(_in_one_line(doubt)) for doubt in rows]
    wrapped = [
        textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join([f"Doubts (more: skstat explain {rows[0]['code']})", *wrapped])


def _in_one_line(doubt: Mapping[str, Any]) -> str:
    action = f" -> {doubt['action']}" if doubt["action"] else ""
    return f"{doubt['code']} {doubt['title']}: {doubt['text']}{action}"


def _row(label: str, text: str, width: int) -> str:
    return textwrap.fill(
        one_line(text),
        WIDTH,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
    )


def _wrap(text: str) -> str:
    return textwrap.fill(one_line(text), WIDTH)
