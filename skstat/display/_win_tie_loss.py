"""How often each learner beats each other one, as a heat map."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import heat_map, width_of, write_cells
from skstat.display._style import diverging

# More cells than this a side are too small to write in.
_MOST_WRITTEN = 12


@dataclass(eq=False, kw_only=True, repr=False)
class WinTieLossDisplay(Display):
    """On how many data sets the learner of a row wins, ties and loses against each column.

    Colours show the share of data sets that the row wins, ties counting half: blue where
    the row is ahead, orange where the column is.

    Parameters
    ----------
    names : list of str
        Names of the learners.
    wins : ndarray of shape (n_learners, n_learners)
        Number of data sets on which the learner of the row beats that of the column.
    ties : ndarray of shape (n_learners, n_learners)
        Number of data sets on which they are even.
    metric : str, default="score"
        Name of the score.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    mesh_ : matplotlib QuadMesh
        The cells; the diagonal, and pairs that never met, are masked.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import WinTieLossDisplay
    >>> display = WinTieLossDisplay(
    ...     names=["A", "B"], wins=np.array([[0, 9], [2, 0]]),
    ...     ties=np.array([[0, 3], [3, 0]]), metric="accuracy",
    ... )
    >>> [text.get_text() for text in display.plot().ax_.texts]
    ['9/3/2', '2/3/9']
    """

    names: list[str]
    wins: Any
    ties: Any
    metric: str = "score"
    mesh_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        k = len(self.names)
        written = k <= _MOST_WRITTEN
        wins, ties = np.array(self.wins, dtype=float), np.asarray(self.ties, dtype=float)
        np.fill_diagonal(wins, np.nan)
        n = wins + ties + wins.T
        share = np.divide(wins + ties / 2, n, out=np.full((k, k), np.nan), where=n > 0)
        side = (0.6 if written else 0.28) * k
        ax = self._axes(
            ax, figsize=(1.9 + width_of(self.names) + max(side, 3.2), 1.7 + max(side, 2.0))
        )
        self.mesh_ = heat_map(
            ax,
            share,
            rows=self.names,
            columns=self.names,
            cmap=diverging(),
            limits=(0.0, 1.0),
            label="share won by the row, ties half",
        )
        if written:
            counts = np.nan_to_num(np.stack([wins, ties, wins.T], axis=-1)).astype(int)
            texts = [["/".join(map(str, cell)) for cell in row] for row in counts]
            write_cells(ax, self.mesh_, texts, bold=np.zeros((k, k), dtype=bool))
        ax.set_ylabel("row")
        ax.set_xlabel("column")
        ax.set_title(
            f"wins/ties/losses of the row by {clip(self.metric, 24)}",
            loc="right",
            fontsize="medium",
            parse_math=False,
        )
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<WinTieLossDisplay of {len(self.names)} learners>"
