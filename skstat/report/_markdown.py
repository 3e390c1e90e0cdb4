"""Reports as Markdown."""

from typing import Any

from skstat.report._escape import escape_markdown as _escape
from skstat.report._escape import markdown_table as _table
from skstat.report._grid import Grid
from skstat.report._grids import about_of, grids_of
from skstat.report._rows import (
    detail_rows,
    doubt_rows,
    has_grids,
    headline_rows,
    part_title,
    parts_of,
    sentences_of,
)


def render_markdown(report: dict[str, Any]) -> str:
    """Render any report's dictionary as Markdown."""
    if report["kind"] == "comparison":
        blocks = [f"**{_escape(report['conclusion'])}**"]
    else:
        blocks = ["\n".join(map(_sentence, sentences_of(report)))]
    for part in parts_of(report):
        if part is not report:
            blocks.append(f"### {_escape(part_title(part))}")
        if has_grids(part):
            blocks += map(_grid, grids_of(part, whole=True))
            blocks.append(_table([("", ""), *about_of(part)]))
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


def _sentence(parts: tuple[str, str]) -> str:
    lead, rest = map(_escape, parts)
    return "- " + " ".join(filter(None, [lead and f"**{lead}**", rest]))


def _grid(grid: Grid) -> str:
    note = f"\n\n{_escape(grid.note)}" if grid.note else ""
    return f"{_escape(grid.title)}\n\n{_table([grid.header, *grid.rows])}{note}"
