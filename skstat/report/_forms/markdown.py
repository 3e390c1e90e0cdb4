"""Blocks as Markdown: what a person needs first, and all else to be unfolded on GitHub."""

import html
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from skstat._names import no_command, one_line
from skstat.report._blocks import Block, Cells, Doubts, Facts, Fold, Heading, Says, arranged


def escape_markdown(text: str) -> str:
    """Escape for Markdown, where dollars may set mathematics."""
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", one_line(text)).replace("&", "&amp;")


def markdown_table(
    rows: Sequence[Sequence[str]], bold: Collection[tuple[int, int]] = ()
) -> str:
    """Write rows, of which the first is the header, as a Markdown table.

    Cells in `bold` are, by their row behind the header and their column.
    """

    def cell(row: int, column: int, text: str) -> str:
        strong = "**" * ((row - 1, column) in bold)
        return f"{strong}{escape_markdown(text)}{strong}"

    lines = [
        "| " + " | ".join(cell(place, *each) for each in enumerate(row)) + " |"
        for place, row in enumerate(rows)
    ]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def render_markdown(blocks: Sequence[Block]) -> str:
    """Render blocks as Markdown."""
    return no_command(_below(map(_written, arranged(blocks)))) + "\n"


def _below(texts: Iterable[str]) -> str:
    """Write texts below each other, with the blank lines that Markdown needs."""
    return "\n\n".join(filter(None, texts))


def _written(block: Block, title: str = "") -> str:
    """Write a block; a table without its title where a fold has the same `title`."""
    match block:
        case Says():
            items = [
                f"{lead and f'**{escape_markdown(lead)}**'} {escape_markdown(rest)}".strip()
                for lead, rest in block.paragraphs()
            ]
            n = 0 if block.follows else 1  # what leads; a list where all of them do
            return _below([*items[:n], "\n".join(f"- {item}" for item in items[n:])])
        case Heading():
            return f"### {escape_markdown(block.text)}" if block.text else ""
        case Facts():
            return markdown_table([("", ""), *block.rows]) if block.rows else ""
        case Cells():
            table = markdown_table([block.header, *block.rows], block.bold)
            own = "" if block.title == title else escape_markdown(block.title)
            return _below([own, table, escape_markdown(block.note)])
        case Doubts():
            return "\n".join(map(_doubt, block.found)).strip()
        case Fold():
            body = _below(_written(one, block.title) for one in block.blocks)
            summary = f"<summary>{html.escape(one_line(block.title))}</summary>"
            # Blank lines let Markdown go on within the tags.
            return f"<details>\n{summary}\n\n{body}\n\n</details>" if body else ""
    return ""


def _doubt(doubt: Any) -> str:
    """Write what is doubtful, how much, and what to do about it.

    What takes the meaning from the numbers is marked as GitHub marks a caution.
    """
    mark = "\n> [!CAUTION]\n> " if doubt.weight == "invalid" else "- "
    linked = f"[{doubt.code}]({doubt.url})" if doubt.url else doubt.code
    title, text, action = map(escape_markdown, (doubt.title, doubt.text, doubt.action or ""))
    to_do = f" \N{RIGHTWARDS ARROW} **{action}**" * bool(action)
    return f"{mark}**{doubt.weight.capitalize()}:** {title} ({linked}): {text}{to_do}"
