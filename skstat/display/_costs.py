"""Designs that have a power, and what they cost."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import colour

_BESIDE = (0.5, 2.0)  # times the costs of the cheapest design
_FREE = 8  # times the largest number, where the legend stands


@dataclass(eq=False, kw_only=True, repr=False)
class CostsDisplay(Display):
    """How many units of how many parts have a power, and which of these designs is cheapest.

    .. versionadded:: 0.2

    Parameters
    ----------
    parts : array-like of int
        Numbers of parts of a unit: answers to an item, rows of a group.
    curves : dict of str to array-like of float
        Of every line its label, and a number of units per number of parts; nan where none has
        the power.
    unit, parts_words : str
        What is counted, such as ``"item"`` and ``"answers per item"``.
    cost_ratio : float
        Costs of one more unit over those of one more part.
    cheapest : (int, int)
        Parts and units of the cheapest design.
    planned : (int, int), optional
        Those of the present one.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : list of matplotlib Line2D
        A line per curve.

    Examples
    --------
    >>> from skstat.display import CostsDisplay
    >>> display = CostsDisplay(
    ...     parts=[1, 2, 3], curves={"power 0.8": [90, 60, 50]}, unit="item",
    ...     parts_words="answers per item", cost_ratio=2.0, cheapest=(2, 60),
    ... )
    >>> [line.get_label() for line in display.plot().lines_]
    ['power 0.8']
    """

    parts: Any
    curves: dict[str, Any]
    unit: str
    parts_words: str
    cost_ratio: float
    cheapest: tuple[int, int]
    planned: tuple[int, int] | None = None
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(6.0, 3.6))
        parts, grey = np.asarray(self.parts, dtype=float), colour("undecided")
        self.lines_ = []
        for label, values in self.curves.items():
            self.lines_ += ax.plot(parts, np.asarray(values, dtype=float), label=clip(label))
        best, n = self.cheapest
        alike = n * (self.cost_ratio + best) / (self.cost_ratio + parts)
        thin = {"color": grey, "linewidth": 0.8}
        ax.plot(parts, alike, linestyle="--", label="equal costs", **thin)
        for times in _BESIDE:
            ax.plot(parts, times * alike, linestyle=":", **thin)
        ax.plot(best, n, "o", color=grey, label=f"cheapest: {best} {self.parts_words}")
        if self.planned is not None:
            ax.plot(*self.planned, "x", color=grey, label="as planned")
        drawn = np.concatenate([np.asarray(line.get_ydata()) for line in self.lines_])
        low, high = np.nanmin(drawn), np.nanmax(drawn)
        ax.set(yscale="log", xlim=(parts.min(), parts.max()), ylim=(low / 1.5, _FREE * high))
        ax.set(xlabel=self.parts_words, ylabel=f"number of {self.unit}s")
        ax.legend(frameon=False, ncols=2, loc="upper right")
        hide_spines(ax, "top", "right")
        return self._drawn_on(ax)
