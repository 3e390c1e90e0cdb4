"""Escape text, so that every form shows its characters as they are."""

import html
import re
from collections.abc import Sequence

from skstat._names import inert, one_line


def escape_html(text: str, *, quote: bool = True) -> str:
    """Escape for HTML, without the marks that reverse the text after them."""
    return html.escape(inert(text), quote=quote)


def escape_markdown(text: str) -> str:
    """Escape for Markdown, where dollars may set mathematics."""
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", one_line(text)).replace("&", "&amp;")


def markdown_table(rows: Sequence[Sequence[str]], *, code: int | None = None) -> str:
    """Write rows, of which the first is the header, as a Markdown table.

    The cells of the column `code` are in one width; they hold no backtick and no bar.
    """

    def cell(column: int, text: str) -> str:
        return f"`{text}`" if column == code else escape_markdown(text)

    lines = [
        "| " + " | ".join(cell(column, text) for column, text in enumerate(row)) + " |"
        for row in rows
    ]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
