"""Differences on many data sets: as they were seen, and drawn towards the others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import draw_zero, hide_spines, write_difference
from skstat.display._style import colour, faint, scale


@dataclass(eq=False, kw_only=True, repr=False)
class ShrinkageDisplay(Display):
    """A row for each data set: its mean difference, and what a model of all makes of it.

    Parameters
    ----------
    datasets : sequence of str
        The data sets.
    raw, shrunken, deviations : sequence of float
        Mean difference on every data set; what it is expected to be, given the others too; and
        the standard deviation of that, which is drawn to both sides.
    location : float
        The middle of the data sets, by the model.
    names : tuple of str
        Labels of the two systems.
    rope : float, default=0.0
        Half width of the region of practical equivalence, which is shaded.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Whether values above 0 favour the first; not those of losses.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    raw_, shrunken_ : matplotlib Line2D
        The points of both kinds, the largest difference on top.

    Examples
    --------
    >>> from skstat.display import ShrinkageDisplay
    >>> display = ShrinkageDisplay(
    ...     datasets=["iris", "wine"], raw=[0.05, -0.01], shrunken=[0.02, 0.0],
    ...     deviations=[0.01, 0.01], location=0.01, names=("tree", "NB"),
    ... )
    >>> display.plot().shrunken_.get_xdata().tolist()
    [0.02, 0.0]
    """

    datasets: Sequence[str]
    raw: Sequence[float]
    shrunken: Sequence[float]
    deviations: Sequence[float]
    location: float
    names: tuple[str, str]
    rope: float = 0.0
    metric: str = "score"
    higher_is_better: bool = True
    raw_: Any = field(default=None, init=False)
    shrunken_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        n = len(self.datasets)
        step = 0.24 if self._width is None else 0.17
        ax = self._axes(ax, figsize=(7.0, 1.5 + step * n * scale()))
        order = np.argsort(-np.asarray(self.raw, dtype=float), kind="stable")
        raw, shrunken, deviations = (
            np.asarray(values, dtype=float)[order]
            for values in (self.raw, self.shrunken, self.deviations)
        )
        rows = np.arange(n)
        ax.set_ylim(n - 0.4, -0.6)
        ax.set_yticks(rows, [clip(self.datasets[place]) for place in order], parse_math=False)
        ax.tick_params(axis="y", length=0, labelsize="small")
        if self.rope:
            band = ax.axvspan(
                -self.rope, self.rope, color=colour("equivalent"), alpha=0.14, linewidth=0,
                zorder=0,
            )  # fmt: skip
            band.set_gid("rope")
        draw_zero(ax)
        ax.axvline(self.location, color=colour("undecided"), linewidth=1, linestyle="--")
        ax.hlines(rows, raw, shrunken, color=faint(), linewidth=1)
        ax.hlines(
            rows, shrunken - deviations, shrunken + deviations, color=colour("undecided"),
            linewidth=2.2 * scale(), alpha=0.5,
        )  # fmt: skip
        size = 5.5 * scale()
        look = {"linestyle": "none", "markersize": size}
        (self.raw_,) = ax.plot(
            raw, rows, marker="o", color=faint(), markerfacecolor="none", label="seen", **look
        )
        (self.shrunken_,) = ax.plot(
            shrunken, rows, marker="o", color=colour("undecided"),
            label="by the model, with its standard deviation", **look,
        )  # fmt: skip
        hide_spines(ax, "left", "right", "top")
        extra = "hollow: seen; filled: by the model, \N{PLUS-MINUS SIGN} its standard deviation"
        if self.rope:
            extra += f"; shaded: region \N{PLUS-MINUS SIGN}{self.rope:g}"
        extra += "; dashed: the middle of the data sets"
        write_difference(
            ax, self.names, self.metric, extra, higher_is_better=self.higher_is_better
        )
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<ShrinkageDisplay of {a!r} and {b!r}>"
