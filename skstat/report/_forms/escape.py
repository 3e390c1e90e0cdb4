"""Escape text, so that every form shows its characters as they are."""

import html
import re
from collections.abc import Collection, Sequence

from skstat._names import inert, one_line


def escape_html(text: str, *, quote: bool = True) -> str:
    """Escape for HTML, without the marks that reverse the text after them."""
    return html.escape(inert(text), quote=quote)


def escape_markdown(text: str) -> str:
    """Escape for Markdown, where dollars may set mathematics."""
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", one_line(text)).replace("&", "&amp;")


def markdown_table(
    rows: Sequence[Sequence[str]],
    *,
    code: int | None = None,
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Write rows, of which the first is the header, as a Markdown table.

    The cells of the column `code` are in one width; they hold no backtick and no bar. Those in
    `bold` are, by their row behind the header and their column.
    """

    def cell(row: int, column: int, text: str) -> str:
        strong = "**" * ((row - 1, column) in bold)
        return f"`{text}`" if column == code else f"{strong}{escape_markdown(text)}{strong}"

    lines = [
        "| " + " | ".join(cell(place, *each) for each in enumerate(row)) + " |"
        for place, row in enumerate(rows)
    ]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
