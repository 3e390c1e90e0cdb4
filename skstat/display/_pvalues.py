"""Adjusted p-values of all pairs, as a heat map of what was found."""

import math
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import LONGEST_SHOWN, colour, scale, text_width, whole

_WORDS = {
    "better": "row better",
    "worse": "row worse",
    "higher": "row higher",
    "lower": "row lower",
    "undecided": "no significant difference",
    "equivalent": "equivalent",
    "not inferior": "row not inferior",
}
_LONGEST_UPRIGHT = 2.4  # inches
_CELL = "< 0.001"  # the longest number of a cell
# Longest number, whether without the 0 before the point, and size: shorter in narrow cells.
_FORMS = ((_CELL, False, 0.83), ("<.001", True, 0.83), ("<.001", True, 0.7))


@dataclass(eq=False, kw_only=True, repr=False)
class PValuesDisplay(Display):
    """A cell per pair: its p-value, in the colour of what was found about the row.

    Parameters
    ----------
    names : list of str
        Names of the systems.
    pvalues : ndarray of shape (n_systems, n_systems)
        Adjusted p-value of the row against the column; nan where no test was made.
    verdicts : list of list of str
        What was found about the row as against the column: "better", "worse",
        "equivalent", "not inferior" or "undecided". Not read where there is no p-value.
    adjusted : bool, default=True
        Whether the p-values are adjusted for the number of pairs.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    tiles_ : dict of (int, int) to matplotlib Rectangle
        The cells by row and column.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import PValuesDisplay
    >>> display = PValuesDisplay(
    ...     names=["tree", "NB"], pvalues=np.array([[np.nan, 0.0004], [0.0004, np.nan]]),
    ...     verdicts=[["", "better"], ["worse", ""]],
    ... )
    >>> [text.get_text() for text in display.plot().ax_.texts]
    ['< 0.001', '< 0.001']
    """

    names: list[str]
    pvalues: Any
    verdicts: Any
    adjusted: bool = True
    tiles_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        from matplotlib.patches import Rectangle

        k = len(self.names)
        room = 2.6 if self._width is None else 0.34 * self._width
        rows = [whole(name, room) for name in self.names]
        beside = max(map(text_width, rows), default=0.0)
        cell = text_width(_CELL, size=0.83) + 0.14
        given = ax is not None
        width = (
            ax.bbox.width / ax.figure.dpi
            if given
            else self._width or max(beside + cell * max(k, 2) + 0.4, 4.8)
        )
        side = (width - beside - 0.3) / max(k, 1)
        height = max(min(side, 0.42 * scale()), 0.19)
        lines = 1 + max((row.count("\n") for row in rows), default=0)
        height = max(height, 0.17 * scale() * lines)
        # Names of columns that are wider than a column stand upright, and where they are too
        # long for that, columns have the numbers of the rows.
        columns = [clip(name, LONGEST_SHOWN) for name in self.names]
        long = max(map(text_width, columns), default=0.0)
        upright = long > side
        if upright and (long > _LONGEST_UPRIGHT or side < 0.17 * scale()):
            columns = [str(number) for number in range(1, k + 1)]
            rows = [f"{row}  {number}" for row, number in zip(rows, columns, strict=True)]
            upright, long = max(map(text_width, columns)) > side, 0.3
        above = long if upright else 0.3
        figsize = (width, height * max(k, 2) + above + 0.9 * scale())
        ax = self._axes(ax, figsize=figsize)
        forms = [f for f in _FORMS if text_width(f[0], size=f[2]) + 0.04 <= side]
        pvalues = np.asarray(self.pvalues, dtype=float)
        self.tiles_ = {}
        for (row, column), pvalue in np.ndenumerate(pvalues):
            if not math.isnan(pvalue):
                found = self.verdicts[row][column]
                decided = found != "undecided"
                tile = Rectangle(
                    (column + 0.03, row + 0.03),
                    0.94,
                    0.94,
                    facecolor=colour(found),
                    alpha=0.85 if decided else 0.18,
                    linewidth=0,
                )
                self.tiles_[row, column] = ax.add_patch(tile)
                if forms:
                    least, short, size = forms[0]
                    number = least if pvalue < 0.001 else f"{pvalue:.3f}"
                    number = number.removeprefix("0") if short else number
                    self._write(ax, row, column, number, size=size, decided=decided)
        ax.set(xlim=(0, k), ylim=(k, 0))
        places = np.arange(k) + 0.5
        upright_look = {"rotation": 90} if upright else {}
        ax.set_xticks(places, columns, parse_math=False, **upright_look)
        ax.set_yticks(places, rows, parse_math=False)
        ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        ax.grid(visible=False)
        hide_spines(ax, *ax.spines)
        ax.set_xlabel(f"{'adjusted ' * self.adjusted}p-value of the row against the column")
        self._explain(ax)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<PValuesDisplay of {len(self.names)} systems>"

    def _write(
        self, ax: Any, row: int, column: int, number: str, *, size: float, decided: bool
    ) -> None:
        import matplotlib

        inside = matplotlib.rcParams["axes.facecolor"]
        ax.text(
            column + 0.5,
            row + 0.5,
            number,
            ha="center",
            va="center",
            fontsize=size * matplotlib.rcParams["font.size"],
            fontweight="bold" if decided else "normal",
            color=inside if decided else matplotlib.rcParams["text.color"],
        )

    def _explain(self, ax: Any) -> None:
        """Say what the colours mean, as many of them as there are."""
        from matplotlib.patches import Patch

        found = {self.verdicts[row][column] for row, column in self.tiles_}
        handles = [
            Patch(color=colour(verdict), alpha=0.18 if verdict == "undecided" else 0.85)
            for verdict in _WORDS
            if verdict in found
        ]
        words = [text for verdict, text in _WORDS.items() if verdict in found]
        narrow = self._width is not None and self._width < 4.5
        if handles:
            ax.legend(
                handles,
                words,
                loc="upper center",
                bbox_to_anchor=(0.5, -0.32 / (ax.bbox.height / ax.figure.dpi) * scale()),
                ncols=1 if narrow else len(words),
                frameon=False,
                fontsize="small",
            )
