"""Reports as Markdown."""

import re
from collections.abc import Sequence
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


def render_markdown(report: dict[str, Any]) -> str:
    """Render any report's dictionary as Markdown."""
    several = report["kind"] != "comparison"
    if several:
        sentences = [_escape(text) for text in report["sentences"]]
        if has_grids(report):
            sentences[0] = f"**{sentences[0]}**"
        blocks = ["\n".join(f"- {text}" for text in sentences)]
    else:
        blocks = [f"**{_escape(report['conclusion'])}**"]
    for part in parts_of(report):
        if part is not report:
            blocks.append(f"### {_escape(part_title(part))}")
        if has_grids(part):
            blocks += [_grid(ranking_grid(part, most=None)), _grid(pairs_grid(part, most=None))]
            blocks.append(_table([("", ""), *about_rows(part)]))
        else:
            blocks.append(_table([("", ""), *headline_rows(part), *detail_rows(part)]))
    doubts = [
        f"- [{doubt['code']}]({doubt['url']}) **{_escape(doubt['title'])}**: "
        f"{_escape(doubt['text'])}"
        for doubt in doubt_rows(report)
    ]
    if doubts:
        blocks.append("Doubts:\n\n" + "\n".join(doubts))
    return "\n\n".join(blocks) + "\n"


def _grid(grid: Grid) -> str:
    note = f"\n\n{_escape(grid.note)}" if grid.note else ""
    return f"{_escape(grid.title)}\n\n{_table([grid.header, *grid.rows])}{note}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows, of which the first is the header."""
    lines = ["| " + " | ".join(map(_escape, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _escape(text: str) -> str:
    one_line = " ".join(text.split())
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", one_line).replace("&", "&amp;")
