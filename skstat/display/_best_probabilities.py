"""How probable it is of every system that it is the best."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from skstat._names import clip_all
from skstat.display._display import Display
from skstat.display._figure import hide_spines, width_of
from skstat.display._style import colour, faint, ink, scale, whole

# Heights in inches: of a row where there are few, and of the least that a line of a name needs.
_ROW, _LEAST_ROW = 0.3, 0.17
_MOST_ROWS_INCHES = 9.0


@dataclass(eq=False, kw_only=True, repr=False)
class BestProbabilitiesDisplay(Display):
    """A bar per system: the probability that it is the best one.

    .. versionadded:: 0.2

    Parameters
    ----------
    names : list of str
        Names of the systems, the strongest first.
    probabilities : list of float
        Probability of each that it is the best.
    beside : list of float, optional
        The same probabilities by another way, as marks.
    by, beside_by : str
        What the bars and the marks are by.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    bars_ : matplotlib BarContainer
        The bars, in the order of `names`.
    marks_ : matplotlib Line2D or None
        The marks, in the same order.

    Examples
    --------
    >>> from skstat.display import BestProbabilitiesDisplay
    >>> display = BestProbabilitiesDisplay(names=["A", "B", "C"], probabilities=[0.6, 0.3, 0.1])
    >>> [float(bar.get_width()) for bar in display.plot().bars_]
    [0.6, 0.3, 0.1]
    """

    names: list[str]
    probabilities: Sequence[float]
    beside: Sequence[float] | None = None
    by: str = "strengths"
    beside_by: str = "shares of wins"
    bars_: Any = field(default=None, init=False)
    marks_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        k = len(self.names)
        room = 0.4 * self._width if self._width else 3.0
        labels = (
            clip_all(self.names)
            if ax is not None
            else [whole(name, room) for name in self.names]
        )
        lines = max(label.count("\n") + 1 for label in labels)
        row = max(_LEAST_ROW * lines * scale(), min(_ROW, _MOST_ROWS_INCHES / k))
        ax = self._axes(ax, figsize=(4.6 + width_of(labels), 1.2 + row * k))
        rows = range(k)
        self.bars_ = ax.barh(rows, self.probabilities, height=0.62, color=faint(), linewidth=0)
        for bar, share in zip(self.bars_, self.probabilities, strict=True):
            if share >= 0.95:
                bar.set_color(colour("better"))
        if self.beside is not None:
            (self.marks_,) = ax.plot(
                self.beside,
                rows,
                marker="D",
                markersize=4.5 * scale(),
                color=ink(),
                linestyle="none",
                clip_on=False,
                zorder=3,
            )
        ax.set_ylim(k - 0.4, -0.6)
        ax.set_xlim(0, 1)
        ax.set_yticks(rows, labels, parse_math=False)
        ax.tick_params(axis="y", length=0)
        ax.grid(visible=True, axis="x", alpha=0.2)
        ax.set_axisbelow(True)
        hide_spines(ax, "right", "top")
        marks = f"\ndiamond: by {self.beside_by}" if self.beside is not None else ""
        ax.set_xlabel(f"probability to be the best\nbar: by {self.by}{marks}")
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<BestProbabilitiesDisplay of {len(self.names)} systems>"
