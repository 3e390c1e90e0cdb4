"""Power, or the smallest detectable difference, against the number of units."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import colour


@dataclass(eq=False, kw_only=True, repr=False)
class PowerDisplay(Display):
    """What a number of units can show: a line per difference, or per power.

    .. versionadded:: 0.2

    Parameters
    ----------
    sizes : array-like of int
        Numbers of units.
    curves : dict of str to array-like of float
        Of every line its label, and a value per size; nan where there is none.
    unit : str
        What is counted, such as ``"row"``.
    quantity : str, default="power"
        What the values are; an axis of power ends at 0 and 1.
    level : float, optional
        The value that is sought, or that more units do not pass.
    n : int, optional
        The number of units that is planned, which is marked.

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
    >>> from skstat.display import PowerDisplay
    >>> display = PowerDisplay(
    ...     sizes=[10, 20, 40], curves={"difference 0.1": [0.2, 0.5, 0.9]}, unit="row"
    ... )
    >>> [line.get_label() for line in display.plot().lines_]
    ['difference 0.1']
    """

    sizes: Any
    curves: dict[str, Any]
    unit: str
    quantity: str = "power"
    level: float | None = None
    n: int | None = None
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(6.0, 3.6))
        sizes = np.asarray(self.sizes, dtype=float)
        grey = colour("undecided")
        if self.level is not None:
            ax.axhline(self.level, color=grey, linewidth=1, linestyle="--")
        if self.n is not None:
            ax.axvline(self.n, color=grey, linewidth=0.8, linestyle=":")
        self.lines_ = []
        for label, values in self.curves.items():
            self.lines_ += ax.plot(sizes, np.asarray(values, dtype=float), label=clip(label))
        if self.quantity == "power":
            ax.set_ylim(0, 1.02)
        else:
            ax.set_ylim(bottom=0)
        ax.set(xlim=(sizes.min(), sizes.max()))
        ax.set(xlabel=f"number of {self.unit}s", ylabel=self.quantity)
        ax.legend(frameon=False)
        hide_spines(ax, "top", "right")
        return self._drawn_on(ax)
