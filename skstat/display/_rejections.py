"""How often tests reject at every level, beside the diagonal of a test that holds."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import colour, pyplot


@dataclass(eq=False, kw_only=True, repr=False)
class RejectionsDisplay(Display):
    """The share of p-values below every level, one line per test.

    Parameters
    ----------
    names : list of str
        Names of the tests.
    pvalues : list of array-like of float
        P-values of each test for true null hypotheses; nan is never a rejection.
    alpha : float, default=0.05
        The level that is marked.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : list of matplotlib Line2D
        A line per test.

    Examples
    --------
    >>> from skstat.display import RejectionsDisplay
    >>> display = RejectionsDisplay(names=["t test"], pvalues=[[0.02, 0.3, 0.7, 0.9]])
    >>> [line.get_label() for line in display.plot().lines_]
    ['t test']
    """

    names: list[str]
    pvalues: Any
    alpha: float = 0.05
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        if ax is None:
            side = 3.6 if self._width is None else self._width
            _, ax = pyplot().subplots(figsize=(side, side), layout="constrained")
        grey = colour("undecided")
        ax.axline((0, 0), slope=1, color=grey, linewidth=1, linestyle="--")
        ax.axvline(self.alpha, color=grey, linewidth=0.8, linestyle=":")
        self.lines_ = []
        for name, found in zip(self.names, self.pvalues, strict=True):
            numbers = np.sort(np.nan_to_num(np.asarray(found, dtype=float), nan=np.inf))
            shares = np.arange(1, len(numbers) + 1) / len(numbers)
            inside = numbers <= 1
            steps = np.concatenate([[0.0], numbers[inside], [1.0]])
            heights = np.concatenate([[0.0], shares[inside], [inside.mean()]])
            self.lines_ += ax.plot(steps, heights, drawstyle="steps-post", label=clip(name))
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        ax.set(xlabel="nominal level", ylabel="true null hypotheses rejected")
        if self.lines_:
            beside = {"bbox_to_anchor": (0, 1), "borderaxespad": 0.2}
            ax.legend(frameon=False, loc="lower left", **beside)
        hide_spines(ax, "top", "right")
        self.ax_, self.figure_ = ax, ax.figure
        return self
