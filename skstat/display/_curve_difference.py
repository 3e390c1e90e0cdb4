"""A difference along an axis, with a band that holds everywhere at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._curves import legend_below
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import colour, ink

_LONGEST_NAME = 20


@dataclass(eq=False, kw_only=True, repr=False)
class CurveDifferenceDisplay(Display):
    """The difference of two curves, a simultaneous band, and where it leaves zero out.

    Parameters
    ----------
    x : ndarray of shape (n_points,)
        Places on the axis.
    difference : ndarray of shape (n_points,)
        How much better the first system is there.
    low, high : ndarray of shape (n_points,)
        Limits of the band.
    confidence_level : float
        Chance that the band holds the whole difference.
    names : tuple of str
        Labels of the two systems.
    spans : sequence of (low, high, name), optional
        Stretches of the axis on which the named system is better.
    xlabel, ylabel : str
        Names of the axes.
    better : str, default="better"
        What one system is where the difference is on its side.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D
        The difference.

    Examples
    --------
    >>> from skstat.display import CurveDifferenceDisplay
    >>> display = CurveDifferenceDisplay(
    ...     x=[0, 0.5, 1], difference=[0, 0.1, 0], low=[0, 0.05, 0], high=[0, 0.15, 0],
    ...     confidence_level=0.95, names=("tree", "NB"), xlabel="P(+)cost", ylabel="cost",
    ... )
    >>> display.plot().line_.get_ydata().tolist()
    [0.0, 0.1, 0.0]
    """

    x: Any
    difference: Any
    low: Any
    high: Any
    confidence_level: float
    names: tuple[str, str]
    xlabel: str
    ylabel: str
    spans: Sequence[tuple[float, float, str]] = ()
    better: str = "better"
    line_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(6.0, 3.9))
        x, difference, low, high = (
            np.asarray(values, dtype=float)
            for values in (self.x, self.difference, self.low, self.high)
        )
        band = ax.fill_between(x, low, high, color=colour("undecided"), alpha=0.3, linewidth=0)
        (self.line_,) = ax.plot(x, difference, color=ink(), linewidth=2)
        ax.axhline(0, color=ink(), linewidth=0.8, alpha=0.7)
        # Zero in the middle: which side a curve is on is what there is to see.
        reach = 1.2 * float(max(np.abs(low).max(), np.abs(high).max())) or 0.01
        ax.set_ylim(-reach, reach)
        ax.set_xlim(-0.01, 1.01)
        told = [
            (self.line_, "difference"),
            (band, f"{100 * self.confidence_level:g}% band, for all places at once"),
        ]
        seen = set()
        for start, end, name in self.spans:
            number = self.names.index(name)
            (bar,) = ax.plot(
                [start, end],
                [0, 0],
                color=colour(("better", "worse")[number]),
                linewidth=6,
                solid_capstyle="butt",
            )
            if name not in seen:
                told.append((bar, f"{clip(name)} {self.better}"))
            seen.add(name)
        a, b = (clip(name, _LONGEST_NAME) for name in self.names)
        for y, arrow, name, where in (
            (0.98, "\N{UPWARDS ARROW}", a, "top"),
            (0.02, "\N{DOWNWARDS ARROW}", b, "bottom"),
        ):
            ax.text(
                0.01,
                y,
                f"{arrow} {name} {self.better}",
                transform=ax.transAxes,
                va=where,
                parse_math=False,
            )
        ax.set_xlabel(self.xlabel, parse_math=False)
        ax.set_ylabel(self.ylabel, parse_math=False)
        hide_spines(ax, "right", "top")
        legend_below(ax, told)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<CurveDifferenceDisplay of {a!r} and {b!r}>"
