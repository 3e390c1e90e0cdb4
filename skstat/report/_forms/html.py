"""Contents as HTML: tables and drawings, no script, no colours of its own."""

from collections.abc import Mapping
from typing import Any

from skstat.report._contents import Contents, Grid, Rows, Section
from skstat.report._forms.escape import escape_html
from skstat.report._forms.page import SCROLLED
from skstat.report._forms.svg import render_svg

_CELL = 'style="text-align:left;vertical-align:top;padding:0.15em 0.8em 0.15em 0"'
_NUMBER = _CELL.replace(
    "text-align:left", "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
)
_NAME = _CELL.replace('style="', 'style="max-width:20em;overflow-wrap:break-word;')
# The tables of a report stand below each other: their first columns are equally wide.
_LABEL = _CELL.replace('style="', 'style="width:9em;min-width:6em;')
_TABLE = 'style="border-collapse:collapse;border:none"'


def render_html(contents: Contents) -> str:
    """Render contents as a fragment."""
    first = (
        f"<ul>{''.join(map(_sentence, contents.sentences))}</ul>"
        if contents.sentences
        else f"<p><strong>{escape_html(contents.conclusion)}</strong></p>"
    )
    parts = [first if contents.sentences or contents.conclusion else "", _doubts(contents)]
    for section in contents.sections:
        if contents.is_titled:
            parts += [f"<h4>{escape_html(section.title)}</h4>", _rows(section)]
        else:  # what everybody should read comes before the doubts about it
            parts.insert(1, _rows(section))
        parts.append(_grids(section))
    body = "".join(parts)
    return f'<div class="skstat-report" style="overflow-wrap:anywhere">{body}</div>'


def _sentence(parts: tuple[str, str]) -> str:
    lead, rest = map(escape_html, parts)
    return f"<li>{' '.join(filter(None, [lead and f'<strong>{lead}</strong>', rest]))}</li>"


def _doubts(contents: Contents) -> str:
    items = "".join(
        f"<li>{_code(doubt)} <strong>{escape_html(doubt['title'])}</strong>: "
        f"{escape_html(doubt['text'])}{_action(doubt)}</li>"
        for doubt in contents.doubts_by_code()
    )
    return f"<p>Doubts</p><ul>{items}</ul>" if items else ""


def _code(doubt: Mapping[str, Any]) -> str:
    """Write the code, as a link where there is a page to link to."""
    code = escape_html(doubt["code"])
    return f'<a href="{escape_html(doubt["url"])}">{code}</a>' if doubt["url"] else code


def _action(doubt: Mapping[str, Any]) -> str:
    return f" <em>To do:</em> {escape_html(doubt['action'])}." if doubt["action"] else ""


def _rows(section: Section) -> str:
    """Write what everybody should read, if that is rows, below their drawing."""
    return _drawing(section) + _labelled(section.rows) if section.rows else ""


def _grids(section: Section) -> str:
    """Write the tables, below their drawing, and what can be unfolded."""
    drawing = "" if section.rows else _drawing(section)
    is_titled = len(section.grids) > 1
    parts = [drawing]
    for grid in section.grids:
        if grid.is_detail:
            parts.append(_folded(grid.title, _grid(grid)))
        else:
            caption = f"<p>{escape_html(grid.title)}</p>" if is_titled else ""
            parts.append(caption + _grid(grid, beside_drawing=bool(drawing)))
    if section.about:
        parts.append(_folded(section.about_title, _labelled(section.about)))
    if section.link is not None:
        label, text, url = map(escape_html, section.link)
        parts.append(f'<p>{label}: <a href="{url}">{text}</a></p>')
    return "".join(parts)


def _drawing(section: Section) -> str:
    return "" if section.drawing is None else render_svg(section.drawing)


def _grid(grid: Grid, *, beside_drawing: bool = False) -> str:
    def look(column: int) -> str:
        return _NAME if grid.is_text(column) else _NUMBER

    header = "".join(
        f'<th scope="col" {look(column)}>{escape_html(text)}</th>'
        for column, text in enumerate(grid.header)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td {look(column)}>{escape_html(text)}</td>" for column, text in enumerate(row)
        )
        + "</tr>"
        for row in grid.rows
    )
    words = (beside_drawing and grid.note_with_drawing) or grid.note
    note = f"<p><small>{escape_html(words)}</small></p>" if words else ""
    return (
        f'<div aria-label="{escape_html(grid.title)}" {SCROLLED}><table {_TABLE}>'
        f"<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def _labelled(rows: Rows) -> str:
    body = "".join(
        f'<tr><th scope="row" {_LABEL}>{escape_html(label)}</th>'
        f"<td {_CELL}>{escape_html(text)}</td></tr>"
        for label, text in rows
    )
    return f"<table {_TABLE}><tbody>{body}</tbody></table>"


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape_html(title)}</summary>{body}</details>"
