"""Reports as HTML: one table, no script, no colours of its own."""

from typing import Any

from skstat.display._names import clip
from skstat.report._escape import escape
from skstat.report._grid import Grid
from skstat.report._grids import about_of, grids_of
from skstat.report._numbers import short
from skstat.report._page import SCROLLED
from skstat.report._performance_svg import performance_svg
from skstat.report._rows import (
    detail_rows,
    doubt_rows,
    has_grids,
    headline_rows,
    part_title,
    parts_of,
    sentences_of,
)
from skstat.report._table_svg import best_svg, rank_svg

_CELL = 'style="text-align:left;vertical-align:top;padding:0.15em 0.8em 0.15em 0"'
_NUMBER = _CELL.replace(
    "text-align:left", "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
)
_NAME = _CELL.replace('style="', 'style="max-width:20em;overflow-wrap:break-word;')
# The tables of a report stand below each other: their first columns are equally wide.
_LABEL = _CELL.replace('style="', 'style="width:9em;min-width:6em;')
_LONGEST = 20  # letters
_TABLE = 'style="border-collapse:collapse;border:none"'


def render_html(report: dict[str, Any]) -> str:
    """Render any report's dictionary as a fragment."""
    if report["kind"] == "comparison":
        body = (
            f"<p><strong>{escape(report['conclusion'])}</strong></p>{_headline(report)}"
            f"{_doubts(report)}{_details(report)}"
        )
    else:
        sentences = "".join(map(_sentence, sentences_of(report)))
        if has_grids(report):
            parts = _part(report)
        else:
            parts = "".join(
                f"<h4>{escape(part_title(part))}</h4>{_part(part)}" for part in parts_of(report)
            )
        body = f"<ul>{sentences}</ul>{_doubts(report)}{parts}"
    return f'<div class="skstat-report" style="overflow-wrap:anywhere">{body}</div>'


def _sentence(parts: tuple[str, str]) -> str:
    lead, rest = map(escape, parts)
    return f"<li>{' '.join(filter(None, [lead and f'<strong>{lead}</strong>', rest]))}</li>"


def _part(part: dict[str, Any]) -> str:
    if part["kind"] == "comparison":
        return f"{_headline(part)}{_details(part)}"
    if part["kind"] == "performance":
        (grid,) = grids_of(part)
        about = _folded(about_of(part), "What was estimated, and how")
        return f"{performance_svg(part)}{_grid(grid, titled=False)}{about}"
    ranking, pairs = grids_of(part, whole=True)
    drawing = rank_svg(part) if part["kind"] == "table" else best_svg(part)
    if drawing and any(len(group) > 1 for group in part.get("groups", ())):
        note = ranking.note.replace("share a letter", "share a letter or a bar")
        ranking = ranking._replace(note=note)
    return (
        f"{drawing}{_grid(ranking)}<details><summary>{escape(pairs.title)}</summary>"
        f"{_grid(pairs, titled=False)}</details>{_folded(about_of(part))}"
    )


def _grid(grid: Grid, *, titled: bool = True) -> str:
    def look(column: int) -> str:
        return _NAME if grid.is_text(column) else _NUMBER

    caption = f"<p>{escape(grid.title)}</p>" if titled else ""
    header = "".join(
        f'<th scope="col" {look(column)}>{escape(text)}</th>'
        for column, text in enumerate(grid.header)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td {look(column)}>{escape(text)}</td>" for column, text in enumerate(row))
        + "</tr>"
        for row in grid.rows
    )
    note = f"<p><small>{escape(grid.note)}</small></p>" if grid.note else ""
    return (
        f'{caption}<div aria-label="{escape(grid.title)}" {SCROLLED}><table {_TABLE}>'
        f"<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def _headline(part: dict[str, Any]) -> str:
    rows = "".join(_row(label, text) for label, text in headline_rows(part))
    return f"{_interval_svg(part)}<table {_TABLE}><tbody>{rows}</tbody></table>"


def _details(part: dict[str, Any]) -> str:
    return _folded(detail_rows(part))


def _folded(labelled: list[tuple[str, str]], title: str = "What was tested, and how") -> str:
    rows = "".join(_row(label, text) for label, text in labelled)
    return (
        f"<details><summary>{title}</summary>"
        f"<table {_TABLE}><tbody>{rows}</tbody></table></details>"
    )


def _row(label: str, text: str) -> str:
    return (
        f'<tr><th scope="row" {_LABEL}>{escape(label)}</th><td {_CELL}>{escape(text)}</td></tr>'
    )


def _doubts(report: dict[str, Any]) -> str:
    rows = doubt_rows(report)
    if not rows:
        return ""
    items = "".join(
        f'<li><a href="{escape(doubt["url"])}">{escape(doubt["code"])}</a> '
        f"<strong>{escape(doubt['title'])}</strong>: {escape(doubt['text'])}</li>"
        for doubt in rows
    )
    return f"<p>Doubts</p><ul>{items}</ul>"


def _interval_svg(part: dict[str, Any]) -> str:
    """Draw the interval against zero; an open side runs off the edge."""
    low, high = part["interval"]
    estimate = part["estimate"]
    if low is None and high is None:
        return ""
    margin = part.get("margin")
    known = [value for value in (low, high, estimate, margin) if value is not None]
    reach = 1.25 * max(abs(value) for value in known) or 1.0
    width, height, middle = 420, 46, 15

    def x(value: float) -> float:
        return round(width / 2 + value / reach * (width / 2 - 10), 1)

    left = 0 if low is None else x(low)
    right = width if high is None else x(high)
    left_name, right_name = (escape(clip(name, _LONGEST)) for name in _sides(part))
    label = escape(f"interval of the difference against zero: {part['conclusion']}", quote=True)
    ends = "".join(
        f'<line x1="{x(value)}" y1="{middle - 5}" x2="{x(value)}" y2="{middle + 5}"/>'
        for value in (low, high)
        if value is not None
    )
    if margin is not None:
        ends += "".join(
            f'<line x1="{x(value)}" y1="0" x2="{x(value)}" y2="30" stroke-width="0.7" '
            'stroke-dasharray="1 3"/>'
            for value in (-margin, margin)
        )
        ends += (
            f'<text x="{x(margin) + 3}" y="8" stroke="none" font-size="9" '
            f'font-family="system-ui, sans-serif">\N{PLUS-MINUS SIGN}{short(margin)}</text>'
        )
    return (
        f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%" stroke="currentColor" '
        f'fill="currentColor">'
        f'<line x1="{width / 2}" y1="0" x2="{width / 2}" y2="30" stroke-dasharray="3 3"/>'
        f'<line x1="{left}" y1="{middle}" x2="{right}" y2="{middle}" stroke-width="2"/>{ends}'
        f'<circle cx="{x(estimate)}" cy="{middle}" r="4"/>'
        f'<g stroke="none" font-size="11" font-family="system-ui, sans-serif">'
        f'<text x="0" y="43">\N{LEFTWARDS ARROW} {left_name} better</text>'
        f'<text x="{width / 2}" y="43" text-anchor="middle">0</text>'
        f'<text x="{width}" y="43" text-anchor="end">'
        f"{right_name} better \N{RIGHTWARDS ARROW}</text>"
        f"</g></svg>"
    )


def _sides(part: dict[str, Any]) -> tuple[str, str]:
    """Who is better on the left of 0, and on the right of it."""
    a, b = part["names"]
    return (a, b) if part["is_loss"] and part["scale"] == "score" else (b, a)
