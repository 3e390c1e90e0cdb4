r"""Render a table of a report as LaTeX for papers, with all other texts as comments.

Bold and underlined cells use ``\textbf`` and ``\underline``, which need no package; the rules
of a table are those of booktabs, or ``\hline``.
"""

import re
from collections.abc import Iterable, Sequence

from skstat._names import no_command, one_line
from skstat.report._blocks import Block, Cells, Doubts, Facts, Heading, Summary
from skstat.report._forms.text import render_text

_NAMED = {
    "\\": "textbackslash",
    "~": "textasciitilde",
    "^": "textasciicircum",
    "<": "textless",
    ">": "textgreater",
    "|": "textbar",
}
_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}&%$#_"}
    | {sign: rf"\{name}{{}}" for sign, name in _NAMED.items()}
    | {"\N{MINUS SIGN}": "$-$", "\N{INFINITY}": r"$\infty$"}
)
_FACTS = r"lp{0.75\linewidth}"  # columns of labels and texts


def escape_latex(text: str) -> str:
    """Escape all special characters of LaTeX."""
    return one_line(text).translate(_SPECIAL)


def render_latex(
    blocks: Iterable[Block],
    table: Cells | None = None,
    *,
    caption: str | None = None,
    label: str | None = None,
    booktabs: bool = True,
) -> str:
    """Render a table, with the other blocks as comments.

    Parameters
    ----------
    blocks : iterable of Block
        The blocks.
    table : Cells, optional
        The table; default the first one that is not folded, or else the facts.
    caption, label : str, optional
        Caption and label of a ``table`` environment, which is written if either is given.
    booktabs : bool, default=True
        Whether to use the rules of the package booktabs.
    """
    blocks = list(blocks)
    texts = [b for b in blocks if isinstance(b, Summary | Heading | Facts | Doubts)]
    table = table or next((block for block in blocks if isinstance(block, Cells)), None)
    if table is None:
        rows = [row for block in texts if isinstance(block, Facts) for row in block.rows]
        table = Cells("", [], rows)
        texts = [block for block in texts if not isinstance(block, Facts)]
    comments = [*render_text(texts, full=True).splitlines(), one_line(table.title)]
    comments += [r"In the preamble: \usepackage{booktabs}"] * booktabs
    rules = (r"\toprule", r"\midrule", r"\bottomrule") if booktabs else (r"\hline",) * 3
    top, middle, bottom = rules
    # Numbers are aligned to the right.
    sides = ["l" if table.is_text(index) else "r" for index in range(len(table.header))]
    lines = [rf"\begin{{tabular}}{{{''.join(sides) or _FACTS}}}", top]
    if table.header:
        header = [re.sub(r"(^| )p$", r"\1$p$", escape_latex(title)) for title in table.header]
        lines += [_row(header), middle]
    for index, row in enumerate(table.rows):
        lines += [middle] * (index == len(table.rows) - table.n_totals)
        lines.append(_row([_cell(table, (index, *cell)) for cell in enumerate(row)]))
    lines += [bottom, r"\end{tabular}"]
    if table.note:
        note = rf"\parbox{{0.95\linewidth}}{{\footnotesize {escape_latex(table.note)}}}"
        lines += [r"\par\smallskip", note]
    if caption is not None or label is not None:
        head = [] if caption is None else [rf"\caption{{{caption}}}"]
        # A label refers to the caption before it.
        head += [] if label is None else [rf"\label{{{label}}}"]
        lines = [r"\begin{table}", r"\centering", *head, *lines, r"\end{table}"]
    return no_command("\n".join([*(f"% {text}" for text in comments if text), *lines])) + "\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(table: Cells, cell: tuple[int, int, str]) -> str:
    """Write a cell, bold or underlined if it is marked, with stars as a superscript."""
    row, column, text = cell
    stars = "" if column < table.n_names else text[len(text.rstrip("*")) :]
    shown = escape_latex(text.removesuffix(stars))
    for mark, cells in (("textbf", table.bold), ("underline", table.underlined)):
        shown = rf"\{mark}{{{shown}}}" if (row, column) in cells else shown
    return shown + (f"$^{{{stars}}}$" if stars else "")
