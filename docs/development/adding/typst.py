"""Contents as Typst."""

import re

from skstat._names import one_line
from skstat.report._contents import Contents, Grid


def render_typst(contents: Contents) -> str:
    """Render contents as Typst."""
    blocks = [_escape(contents.conclusion)]
    for section in contents.sections:
        if contents.is_titled:
            blocks.append(f"== {_escape(section.title)}")
        blocks += map(_grid, section.grids)
        blocks += [f"/ {_escape(a)}: {_escape(b)}" for a, b in (*section.rows, *section.about)]
    for doubt in contents.doubts_by_code():
        blocks.append(f"- *{doubt['code']}* {_escape(doubt['text'])}")
    return "\n\n".join(filter(None, blocks)) + "\n"


def _grid(grid: Grid) -> str:
    cells = [f"[{_escape(cell)}]" for row in [grid.header, *grid.rows] for cell in row]
    return f"#table(columns: {len(grid.header)}, {', '.join(cells)})"


def _escape(text: str) -> str:
    return re.sub(r"([\\*_`$#<>@\[\]~/=-])", r"\\\1", one_line(text))
