"""Mean ranks as bars that overlap where learners do not differ significantly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import rank_rows, whole_ranks, width_of_axes
from skstat.display._style import faint, fold, ink, scale


@dataclass(eq=False, kw_only=True, repr=False)
class RankIntervalsDisplay(Display):
    """One bar per learner, a critical difference wide, around its mean rank.

    Learners whose bars overlap do not differ significantly. With a control, its bar is a band
    over all rows, and learners whose bars stay clear of it differ from the control.

    Parameters
    ----------
    names : list of str
        Names of the learners.
    mean_ranks : list of float
        Their mean ranks over the data sets; 1 is best.
    critical_difference : float
        Least difference of two mean ranks that is significant.
    confidence_level : float
        Level of all bars at once.
    control : str, optional
        The learner that the others are compared with.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    bars_ : matplotlib BarContainer
        The bars, in the order of `names`.
    band_ : matplotlib Rectangle or None
        The band of the control.

    Examples
    --------
    >>> from skstat.display import RankIntervalsDisplay
    >>> display = RankIntervalsDisplay(
    ...     names=["A", "B", "C"], mean_ranks=[2.0, 1.0, 3.0], critical_difference=1.5,
    ...     confidence_level=0.95,
    ... )
    >>> [float(bar.get_x()) for bar in display.plot().bars_]
    [1.25, 0.25, 2.25]
    """

    names: list[str]
    mean_ranks: Sequence[float]
    critical_difference: float
    confidence_level: float
    control: str | None = None
    bars_: Any = field(default=None, init=False)
    band_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(7.0, 1.2 + 0.3 * len(self.names)))
        rows = rank_rows(ax, self.names, self.mean_ranks)
        half = self.critical_difference / 2
        self.bars_ = ax.barh(
            rows,
            [self.critical_difference] * len(rows),
            left=[rank - half for rank in self.mean_ranks],
            height=0.5,
            color=faint(),
        )
        ax.plot(
            self.mean_ranks,
            rows,
            marker="D",
            markersize=5 * scale(),
            color=ink(),
            linestyle="none",
        )
        self.band_ = None
        rule = "bars that overlap: no significant difference"
        if self.control is not None:
            centre = self.mean_ranks[self.names.index(self.control)]
            self.band_ = ax.axvspan(
                centre - half, centre + half, color=ink(), alpha=0.13, linewidth=0, zorder=0
            )
            rule = (
                f"bars that reach the band of {clip(self.control)}:\nno significant difference"
            )
        low, high = min(self.mean_ranks) - half, max(self.mean_ranks) + half
        margin = 0.04 * (high - low) or 0.5
        ax.set_xlim(low - margin, high + margin)
        ticks = whole_ranks(max(low, 1), min(high, len(rows)))
        if len(ticks):  # two learners close together may have no whole rank in view
            ax.set_xticks(ticks)
        bars = f"bars of width CD = {self.critical_difference:.2f}"
        level = f"{100 * self.confidence_level:g}% confidence in all"
        text = f"mean rank (1 = best, at the left)\n{bars} ({level})\n{rule}"
        ax.set_xlabel("x")
        width = max(width_of_axes(ax), 1.6)
        folded = "\n".join(fold(line, width) for line in text.split("\n"))
        ax.set_xlabel(folded, parse_math=False)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<RankIntervalsDisplay of {len(self.names)} learners>"
