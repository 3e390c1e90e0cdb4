"""Blocks as Typst."""

import re
from collections.abc import Iterable

from skstat._names import one_line
from skstat.report._blocks import Block, Cells, Doubts, Facts, Fold, Heading, Summary


def render_typst(blocks: Iterable[Block]) -> str:
    """Render blocks as Typst."""
    return "\n\n".join(filter(None, map(_block, blocks))) + "\n"


def _block(block: Block) -> str:
    match block:
        case Summary():
            return " ".join(_escape(text) for pair in block.paragraphs() for text in pair)
        case Heading(text=text) if text:
            return f"== {_escape(text)}"
        case Facts():
            return "\n\n".join(f"/ {_escape(a)}: {_escape(b)}" for a, b in block.rows)
        case Cells():
            rows = [block.header, *block.rows]
            cells = ", ".join(f"[{_escape(cell)}]" for row in rows for cell in row)
            return f"#table(columns: {len(block.header)}, {cells})"
        case Doubts():
            return "\n".join(f"- *{one.code}* {_escape(one.text)}" for one in block.doubts)
        case Fold():
            return render_typst(block.blocks).rstrip()
    return ""


def _escape(text: str) -> str:
    return re.sub(r"([\\*_`$#<>@\[\]~/=-])", r"\\\1", one_line(text))
