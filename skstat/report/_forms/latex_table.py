r"""A LaTeX table: a tabular alone, or the whole environment with its caption.

The rules are those of the booktabs package, or ``\hline``, which needs no package.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from skstat._names import no_command, one_line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{MINUS SIGN}": "$-$",
}
_NEEDS = r"% In the preamble: \usepackage{booktabs}"


class TableStyle(NamedTuple):
    """How a table is set: with a caption or a label as a whole environment; with stars."""

    caption: str | None = None
    label: str | None = None
    booktabs: bool = True
    stars: bool = False

    @property
    def rules(self) -> tuple[str, str, str]:
        """Rules above, between and below the blocks of rows."""
        if self.booktabs:
            return r"\toprule", r"\midrule", r"\bottomrule"
        return r"\hline", r"\hline", r"\hline"


STARS = "% Stars: * p < .05, ** p < .01, *** p < .001"


def starred(pvalue: float | None) -> str:
    """Return the stars of a p-value, in LaTeX."""
    n = 0 if pvalue is None else sum(pvalue < level for level in (0.05, 0.01, 0.001))
    return f"$^{{{'*' * n}}}$" if n else ""


class Table(NamedTuple):
    """A table whose cells are LaTeX, and a note that readers see below it."""

    columns: str
    rows: Sequence[Sequence[str]]
    header: Sequence[str] = ()
    footer: Sequence[str] = ()
    note: str = ""


def written(comments: Sequence[str], table: Table, style: TableStyle) -> str:
    """Write comments and a table, in an environment if it has a caption or a label."""
    lines = _tabular(table, style)
    if table.note:
        lines += [
            r"\par\smallskip",
            rf"\parbox{{0.95\linewidth}}{{\footnotesize {table.note}}}",
        ]
    if style.caption is not None or style.label is not None:
        caption = [] if style.caption is None else [rf"\caption{{{style.caption}}}"]
        label = [] if style.label is None else [rf"\label{{{style.label}}}"]
        # The label takes the number of the caption, and has to stand behind it.
        lines = [r"\begin{table}", r"\centering", *caption, *label, *lines, r"\end{table}"]
    needs = [_NEEDS] if style.booktabs else []
    return no_command("\n".join([*comments, *needs, *lines])) + "\n"


def _tabular(table: Table, style: TableStyle) -> list[str]:
    top, middle, bottom = style.rules
    lines = [rf"\begin{{tabular}}{{{table.columns}}}", top]
    blocks = [[table.header], table.rows, [table.footer]]
    for block in ([row for row in block if row] for block in blocks):
        if block:
            lines += [*(" & ".join(cells) + r" \\" for cells in block), middle]
    return [*lines[:-1], bottom, r"\end{tabular}"]


def escape_latex(text: str) -> str:
    """Make every character of `text` stand for itself."""
    return re.sub(
        "|".join(map(re.escape, _SPECIAL)), lambda match: _SPECIAL[match[0]], one_line(text)
    ).replace("\N{INFINITY}", r"$\infty$")
