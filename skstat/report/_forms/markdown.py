"""Render blocks as Markdown: the main results, and folds with all else for GitHub."""

import html
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from skstat._names import no_command, one_line
from skstat.report._blocks import Block, Cells, Doubts, Facts, Fold, Heading, Summary, arranged


def escape_markdown(text: str) -> str:
    """Escape all special characters of Markdown, including dollars (mathematics)."""
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", one_line(text)).replace("&", "&amp;")


def markdown_table(
    rows: Sequence[Sequence[str]], bold: Collection[tuple[int, int]] = ()
) -> str:
    """Write rows, of which the first is the header, as a Markdown table.

    `bold` has the row, counted without the header, and the column of bold cells.
    """

    def cell(row: int, column: int, text: str) -> str:
        strong = "**" * ((row - 1, column) in bold)
        return f"{strong}{escape_markdown(text)}{strong}"

    lines = [
        "| " + " | ".join(cell(index, *item) for item in enumerate(row)) + " |"
        for index, row in enumerate(rows)
    ]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def render_markdown(blocks: Sequence[Block]) -> str:
    """Render blocks as Markdown."""
    return no_command(_below(map(_written, arranged(blocks)))) + "\n"


def _below(texts: Iterable[str]) -> str:
    """Join texts by the blank lines that Markdown needs."""
    return "\n\n".join(filter(None, texts))


def _written(block: Block, title: str = "") -> str:
    """Write a block; `title` is that of a fold around it, which a table does not repeat."""
    match block:
        case Summary():
            items = [
                f"{lead and f'**{escape_markdown(lead)}**'} {escape_markdown(rest)}".strip()
                for lead, rest in block.paragraphs()
            ]
            n = 0 if block.follows else 1  # the rest, or all if all are emphasised, are a list
            return _below([*items[:n], "\n".join(f"- {item}" for item in items[n:])])
        case Heading():
            return f"### {escape_markdown(block.text)}" if block.text else ""
        case Facts():
            return markdown_table([("", ""), *block.rows]) if block.rows else ""
        case Cells():
            table = markdown_table([block.header, *block.rows], block.bold)
            caption = "" if block.title == title else escape_markdown(block.title)
            return _below([caption, table, escape_markdown(block.note)])
        case Doubts():
            return "\n".join(map(_doubt, block.doubts)).strip()
        case Fold():
            body = _below(_written(part, block.title) for part in block.blocks)
            summary = f"<summary>{html.escape(one_line(block.title))}</summary>"
            # After a blank line Markdown is interpreted within the tags.
            return f"<details>\n{summary}\n\n{body}\n\n</details>" if body else ""
    return ""


def _doubt(doubt: Any) -> str:
    """Write a doubt: its weight, title, code, text and action.

    One that makes p-values invalid is written as a caution of GitHub.
    """
    mark = "\n> [!CAUTION]\n> " if doubt.weight == "invalid" else "- "
    linked = f"[{doubt.code}]({doubt.url})" if doubt.url else doubt.code
    title, text, action = map(escape_markdown, (doubt.title, doubt.text, doubt.action or ""))
    to_do = f" \N{RIGHTWARDS ARROW} **{action}**" * bool(action)
    return f"{mark}**{doubt.weight.capitalize()}:** {title} ({linked}): {text}{to_do}"
