"""Blocks as Markdown: what a person needs first, and all else to be unfolded on GitHub."""

from collections.abc import Iterable, Sequence
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
    alarms = [
        # As GitHub marks a caution: it takes the meaning from the numbers.
        f"> [!CAUTION]\n> **Invalid:** {_doubt(doubt)}"
        for doubt in doubts
        if doubt.weight == "invalid"
    ]
    written: list[str] = []
    for place, block in enumerate(blocks):
        if isinstance(block, Says) and place == 0:
            written += [_conclusion(block), *alarms]
        else:
            written += _written(block)
    return no_command("\n\n".join(filter(None, written))) + "\n"


def _written(block: Block) -> list[str]:
    match block:
        case Says():
            return list(map(escape_markdown, block.sentences))
        case Heading():
            return [f"### {escape_markdown(block.text)}"] if block.text else []
        case Facts():
            return [markdown_table([("", ""), *block.rows])] if block.rows else []
        case Cells():
            return [escape_markdown(block.title), *_table(block)]
        case Doubts():
            found = heaviest_first(block.found)
            weak, notes = (
                [
                    f"- **{weight.capitalize()}:** {_doubt(one)}"
                    for one in found
                    if one.weight == weight
                ]
                for weight in ("weak", "note")
            )
            title = f"{len(notes)} note{'s' * (len(notes) != 1)}"
            return ["\n".join(weak), _folded(title, ["\n".join(notes)])]
        case Fold():
            inner = [
                text
                for one in block.blocks
                for text in (
                    _table(one)
                    if isinstance(one, Cells) and one.title == block.title
                    else _written(one)
                )
            ]
            return [_folded(block.title, inner)]
        case Link():
            return [
                f"{escape_markdown(block.label)}: [{escape_markdown(block.text)}]({block.url})"
            ]
    return []


def _conclusion(says: Says) -> str:
    """Write one strong sentence and what follows, or a list of both."""
    items = [
        " ".join(filter(None, [lead and f"**{escape_markdown(lead)}**", escape_markdown(rest)]))
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.leads == "all" else 1
    listed = "\n".join(f"- {item}" for item in items[n:])
    return "\n\n".join(filter(None, [*items[:n], listed]))


def _table(cells: Cells) -> list[str]:
    table = markdown_table([cells.header, *cells.rows], code=cells.signs)
    return [table, *([escape_markdown(cells.note)] if cells.note else [])]


def _folded(title: str, blocks: Sequence[str]) -> str:
    """Write what can be unfolded; blank lines let Markdown go on within the tags."""
    body = "\n\n".join(filter(None, blocks))
    if not body:
        return ""
    summary = escape_html(one_line(title))
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def _doubt(doubt: Any) -> str:
    """Write what is doubtful, and what to do about it."""
    linked = f"[{doubt.code}]({doubt.url})" if doubt.url else doubt.code
    to_do = f" \N{RIGHTWARDS ARROW} **{escape_markdown(doubt.action)}**" if doubt.action else ""
    title, text = map(escape_markdown, (doubt.title, doubt.text))
    return f"{title} ({linked}): {text}{to_do}"
