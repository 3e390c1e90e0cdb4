"""Lines over an axis: power, rejections of true null hypotheses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat.display._display import Display
from skstat.display._figure import hide_spines, legend_below, line_look
from skstat.display._style import colour

_GUIDES = ("--", ":", "-.", (0, (1, 4)))


@dataclass(eq=False, kw_only=True, repr=False)
class LinesDisplay(Display):
    """Lines with names, beside grey ones that they are held against.

    Parameters
    ----------
    lines : mapping of str to (x, y)
        Points of every line, which are joined; nan where there is none.
    xlabel, ylabel : str
        Names of the axes.
    guides : mapping of str to (x, y), optional
        Points of grey lines by their name; they do not decide where the axes end. What is
        infinite is at the edge.
    xlim, ylim : tuple of float or None, optional
        Ends of the axes; default what the lines need.
    steps : bool, default=False
        Whether a line keeps its height up to its next point.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : dict of str to matplotlib Line2D
        The lines by name.

    Examples
    --------
    >>> from skstat.display import LinesDisplay
    >>> display = LinesDisplay(
    ...     lines={"difference 0.1": ([10, 20, 40], [0.2, 0.5, 0.9])},
    ...     guides={"power 0.8": ([10, 40], [0.8, 0.8])}, xlabel="rows", ylabel="power",
    ... )
    >>> [text.get_text() for text in display.plot().ax_.get_legend().get_texts()]
    ['difference 0.1', 'power 0.8']
    """

    _shows = "lines"
    lines: Mapping[str, tuple[Any, Any]]
    xlabel: str
    ylabel: str
    guides: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    xlim: tuple[float | None, float | None] | None = None
    ylim: tuple[float | None, float | None] | None = None
    steps: bool = False
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(6.0, 3.0 if self._width is None else 2.3))
        told = []
        self.lines_ = {}
        for number, (name, (x, y)) in enumerate(self.lines.items()):
            look = line_look(number) | ({"drawstyle": "steps-post"} if self.steps else {})
            (line,) = ax.plot(np.asarray(x, dtype=float), np.asarray(y, dtype=float), **look)
            self.lines_[name] = line
            told.append((line, name))
        ax.set(xlim=self.xlim or ax.dataLim.intervalx, ylim=self.ylim or ax.get_ylim())
        grey = colour("undecided")
        for number, (name, (x, y)) in enumerate(self.guides.items()):
            look = {"linestyle": _GUIDES[number % len(_GUIDES)], "linewidth": 1, "zorder": 1}
            ends = _to_edge(x, ax.get_xlim()), _to_edge(y, ax.get_ylim())
            (line,) = ax.plot(*ends, color=grey, **look)
            told.append((line, name))
        ax.set_xlabel(self.xlabel, parse_math=False)
        ax.set_ylabel(self.ylabel, parse_math=False)
        hide_spines(ax, "top", "right")
        legend_below(ax, told)
        return self._grown(ax)


def _to_edge(values: Any, limits: tuple[float, float]) -> Any:
    at = np.asarray(values, dtype=float)
    return np.where(np.isinf(at), np.clip(at, *limits), at)
