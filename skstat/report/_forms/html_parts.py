"""Parts of the HTML form: tables of any width, what can be unfolded, doubts."""

from collections.abc import Iterable, Sequence
from typing import Any

from skstat.report._contents import Badge, Grid, Rows
from skstat.report._forms.escape import escape_html


def table(grid: Grid, *, beside_drawing: bool = False, caption: bool = True) -> str:
    """Write a table, in a frame in which it scrolls where it is too wide."""
    title = escape_html(grid.title)
    head = "".join(
        f'<th scope="col"{_look(grid, column)}>{_cell(grid, column, text)}</th>'
        for column, text in enumerate(grid.header)
    )
    tones = grid.tones or [""] * len(grid.rows)
    body = "".join(_row(grid, row, tone) for row, tone in zip(grid.rows, tones, strict=True))
    said = f"<caption>{title}</caption>" if caption else ""
    words = (beside_drawing and grid.note_with_drawing) or grid.note
    note = f'<p class="skstat-quiet">{escape_html(words)}</p>' if words else ""
    # Keys can move the table in its frame.
    return (
        f'<div class="skstat-frame" tabindex="0" role="region" aria-label="{title}" '
        'style="overflow-x:auto">'
        f'<table class="skstat-table skstat-grid">{said}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{note}"
    )


def _row(grid: Grid, row: Sequence[str], tone: str) -> str:
    last = len(row) - 1
    cells = (
        f"<td{_look(grid, column, tone if column == last else '')}>"
        f"{_cell(grid, column, text)}</td>"
        for column, text in enumerate(row)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _cell(grid: Grid, column: int, text: str) -> str:
    """Write characters that stand below each other in one width, whatever the page says."""
    if column == grid.signs:
        look = "margin:0;padding:0;white-space:pre;background:none"
        return f'<pre style="{look}">{escape_html(text)}</pre>'
    return escape_html(text)


def _look(grid: Grid, column: int, tone: str = "") -> str:
    """Align a column; where the style sheet is dropped the attribute is kept."""
    if tone:
        return f' class="skstat-verdict skstat-{tone}" align="left"'
    if not grid.is_text(column):
        return ' class="skstat-number" align="right"'
    return ' class="skstat-name" align="left"' if column < grid.n_names else ' align="left"'


def labelled(rows: Rows) -> str:
    """Write rows of label and text."""
    body = "".join(
        f'<tr><th scope="row" align="left">{escape_html(label)}</th>'
        f'<td align="left">{escape_html(text)}</td></tr>'
        for label, text in rows
    )
    if not body:
        return ""
    return f'<table class="skstat-table skstat-rows"><tbody>{body}</tbody></table>'


def folded(title: str, body: str, *, is_long: bool = False) -> str:
    """Write what can be unfolded; what is long is not unfolded to be printed."""
    look = ' class="skstat-long"' if is_long else ""
    summary = f"<summary>{escape_html(title)}</summary>"
    return f"<details{look}>{summary}{body}</details>" if body else ""


def badges(found: Iterable[Badge]) -> str:
    """Write verdicts that are seen from far."""
    spans = [
        f'<span class="skstat-badge{f" skstat-{tone}" * bool(tone)}">{escape_html(text)}</span>'
        for text, tone in found
    ]
    return f'<span class="skstat-badges">{" ".join(spans)}</span>' if spans else ""


def doubts(found: Iterable[dict[str, Any]]) -> str:
    """Write doubts, one below the other."""
    items = "".join(map(_doubt, found))
    return f'<ul class="skstat-list">{items}</ul>' if items else ""


def _doubt(doubt: dict[str, Any]) -> str:
    """Write what is doubtful, how much, and what to do about it."""
    weight, code = doubt["weight"], escape_html(doubt["code"])
    url, action, advice = (escape_html(doubt[key] or "") for key in ("url", "action", "advice"))
    linked = f'<a href="{url}">{code}</a>' if url else code
    to_do = f" <strong>\N{RIGHTWARDS ARROW} {action}</strong>" if action else ""
    more = folded(f"More on {doubt['code']}", f"<p>{advice}</p>") if advice else ""
    return (
        f'<li class="skstat-doubt skstat-{weight}"><p>'
        f'<span class="skstat-badge skstat-{weight}">{weight}</span> '
        f"<strong>{escape_html(doubt['title'])}</strong> "
        f'<span class="skstat-quiet">{linked}</span></p>'
        f"<p>{escape_html(doubt['text'])}{to_do}</p>{more}</li>"
    )
