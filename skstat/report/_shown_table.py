"""A conclusion, a small table and notes: how results that are no reports are shown."""

import textwrap
from collections.abc import Sequence

from skstat.display._names import clip, one_line
from skstat.report._escape import escape, escape_markdown, markdown_table
from skstat.report._page import SCROLLED

_WIDTH = 88
_CELL = (
    'style="text-align:left;vertical-align:top;padding:0.15em 0.8em 0.15em 0;'
    'max-width:12em;overflow-wrap:break-word"'
)

Table = Sequence[tuple[str, ...]]


def table_text(conclusion: str, table: Table, notes: str) -> str:
    """Write them as text; names in the first column are cut to fit."""
    room = _WIDTH - sum(len(cell) + 2 for cell in table[0][1:])  # numbers are shorter
    table = [(row[0] and clip(row[0], room), *map(one_line, row[1:])) for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in table
    ]
    return "\n".join(
        [
            textwrap.fill(one_line(conclusion), _WIDTH),
            "",
            *lines,
            textwrap.fill(one_line(notes), _WIDTH),
        ]
    )


def table_html(conclusion: str, table: Table, notes: str, title: str) -> str:
    """Write them as an HTML fragment."""
    head, *rows = table
    header = "".join(f'<th scope="col" {_CELL}>{escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td {_CELL}>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return (
        '<div class="skstat-report" style="overflow-wrap:anywhere">'
        f"<p><strong>{escape(conclusion)}</strong></p>"
        f'<div aria-label="{escape(title)}" {SCROLLED}>'
        f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>"
        f"<p><small>{escape(notes)}</small></p></div>"
    )


def table_markdown(conclusion: str, table: Table, notes: str) -> str:
    """Write them as Markdown."""
    conclusion, notes = map(escape_markdown, (conclusion, notes))
    return f"**{conclusion}**\n\n{markdown_table(table)}\n\n{notes}\n"
