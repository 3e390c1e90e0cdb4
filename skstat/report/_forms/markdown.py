"""Blocks as Markdown: what a person needs first, and all else to be unfolded on GitHub."""

from collections.abc import Iterable
from typing import Any

from skstat._names import no_command, one_line
from skstat.report._blocks import (
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Heading,
    Link,
    Says,
    heaviest_first,
)
from skstat.report._forms.escape import escape_html, escape_markdown, markdown_table


def render_markdown(blocks: Iterable[Block]) -> str:
    """Render blocks as Markdown."""
    blocks = list(blocks)
    doubts = heaviest_first(d for one in blocks if isinstance(one, Doubts) for d in one.found)
    # As GitHub marks a caution: it takes the meaning from the numbers.
    alarms = (_doubt(one, "> [!CAUTION]\n> ") for one in doubts if one.weight == "invalid")
    written = list(map(_written, blocks))
    if blocks and isinstance(blocks[0], Says):
        written[:1] = [_conclusion(blocks[0]), *alarms]
    return no_command(_below(written)) + "\n"


def _below(texts: Iterable[str]) -> str:
    """Write texts below each other, with the blank lines that Markdown needs."""
    return "\n\n".join(filter(None, texts))


def _written(block: Block, title: str = "") -> str:
    """Write a block; a table without its title where a fold has the same `title`."""
    match block:
        case Says():
            return _below(map(escape_markdown, block.sentences))
        case Heading():
            return f"### {escape_markdown(block.text)}" if block.text else ""
        case Facts():
            return markdown_table([("", ""), *block.rows]) if block.rows else ""
        case Cells():
            table = markdown_table(
                [block.header, *block.rows], code=block.signs, bold=block.bold
            )
            own = "" if block.title == title else escape_markdown(block.title)
            return _below([own, table, escape_markdown(block.note)])
        case Doubts():
            weak, notes = (
                [
                    _doubt(one, "- ")
                    for one in heaviest_first(block.found)
                    if one.weight == weight
                ]
                for weight in ("weak", "note")
            )
            summary = f"{len(notes)} note{'s' * (len(notes) != 1)}"
            return _below(["\n".join(weak), _folded(summary, "\n".join(notes))])
        case Fold():
            return _folded(
                block.title, _below(_written(one, block.title) for one in block.blocks)
            )
        case Link():
            label, text = map(escape_markdown, block[:2])
            return f"{label}: [{text}]({block.url})"
    return ""


def _conclusion(says: Says) -> str:
    """Write one strong sentence and what follows, or a list of both."""
    items = [
        " ".join(filter(None, [lead and f"**{escape_markdown(lead)}**", escape_markdown(rest)]))
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.leads == "all" else 1
    return _below([*items[:n], "\n".join(f"- {item}" for item in items[n:])])


def _folded(title: str, body: str) -> str:
    """Write what can be unfolded; blank lines let Markdown go on within the tags."""
    summary = f"<summary>{escape_html(one_line(title))}</summary>"
    return f"<details>\n{summary}\n\n{body}\n\n</details>" if body else ""


def _doubt(doubt: Any, mark: str) -> str:
    """Write what is doubtful, how much, and what to do about it."""
    linked = f"[{doubt.code}]({doubt.url})" if doubt.url else doubt.code
    title, text, action = map(escape_markdown, (doubt.title, doubt.text, doubt.action or ""))
    to_do = f" \N{RIGHTWARDS ARROW} **{action}**" * bool(action)
    return f"{mark}**{doubt.weight.capitalize()}:** {title} ({linked}): {text}{to_do}"
