"""Estimates and intervals of several comparisons against zero (a forest plot)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from skstat._names import clip, inert
from skstat.display._display import Display
from skstat.display._figure import axes, draw_margin, width_of

_LONGEST = 70  # letters of a row's name
_LONGEST_LINE = 60  # letters below the axis
# Heights in inches: of a row where there are few, of one that still has room for its name,
# of the least that a name needs, and of the highest figure.
_ROW, _LOW_ROW, _LEAST_ROW, _TALLEST = 0.5, 0.2, 0.11, 40.0


@dataclass(eq=False, kw_only=True, repr=False)
class IntervalsDisplay(Display):
    """One row per comparison: its estimate and interval against zero.

    Parameters
    ----------
    labels : list of str
        Names of the rows, from the top; of more than fit beside each other some are
        left out.
    estimates : list of float
        Estimated effects.
    intervals : list of tuple of float
        Their confidence intervals; infinite ends run off the edge, nan is left out.
    confidence_level : float
        Level of every interval.
    name : str
        Label of A, which positive values favour, and negative ones where lower is better.
    metrics : list of str, optional
        Metric of every row; each metric gets a panel with a scale of its own.
    estimated : str, default="difference"
        What the estimates are, in the metric.
    margins : list of float or None, optional
        The smallest difference that matters of every row, marked on both sides.
    higher_is_better : list of bool, optional
        Of every row whether positive values favour A; default that they do.
    simultaneous : bool, default=False
        Whether the intervals hold for all rows at once.
    favours : str, optional
        What values on that side mean; default that the system `name` is better.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.

    Examples
    --------
    >>> from skstat.display import IntervalsDisplay
    >>> display = IntervalsDisplay(
    ...     labels=["against NB"], estimates=[0.02], intervals=[(0.01, 0.03)],
    ...     confidence_level=0.95, name="tree",
    ... )
    >>> len(display.plot().ax_.get_yticks())
    1
    """

    labels: list[str]
    estimates: list[float]
    intervals: Sequence[tuple[float, float]]
    confidence_level: float
    name: str
    metrics: list[str] | None = None
    estimated: str = "difference"
    margins: Sequence[float | None] | None = None
    higher_is_better: Sequence[bool] | None = None
    simultaneous: bool = False
    favours: str | None = None

    def plot(self, ax: Any = None) -> Self:
        panels = list(dict.fromkeys(self.metrics or ["score"] * len(self.labels)))
        ax = axes(ax, figsize=self._figsize(len(panels)))
        if len(panels) == 1:
            self._draw(ax, range(len(self.labels)), panels[0])
        else:
            # Metrics have scales of their own: log loss would hide an AUC.
            ax.set_axis_off()
            ax.set_xlabel("difference in score")
            height = 1 / len(panels)
            for number, metric in enumerate(panels, start=1):
                inset = ax.inset_axes(
                    (0.0, 1 - number * height + 0.5 * height, 1.0, 0.5 * height)
                )
                rows = [row for row, name in enumerate(self.metrics or []) if name == metric]
                self._draw(inset, rows, metric)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<IntervalsDisplay of {len(self.labels)} comparisons of {self.name!r}>"

    def _figsize(self, n_panels: int) -> tuple[float, float]:
        rows = len(self.labels)
        height = min(rows * max(_LOW_ROW, min(_ROW, 6 / max(rows, 1))), _TALLEST)
        return max(7.0, 4.6 + width_of(self.labels, _LONGEST)), 1.1 * n_panels + height

    def _draw(self, ax: Any, rows: Sequence[int], metric: str) -> None:
        estimates = [self.estimates[row] for row in rows]
        intervals = [self.intervals[row] for row in rows]
        ends = [end for interval in intervals for end in interval]
        given = [] if self.margins is None else [self.margins[row] for row in rows]
        margins = sorted({size for size in given if size is not None})
        shown = [*ends, *estimates, 0.0, *margins, *(-size for size in margins)]
        finite = [value for value in shown if math.isfinite(value)]
        low, high = min(finite), max(finite)
        room = 0.1 * (high - low) or 0.01
        ax.set_xlim(low - room, high + room)
        for y, (estimate, interval) in enumerate(zip(estimates, intervals, strict=True)):
            if not any(map(math.isnan, interval)):
                left, right = (
                    min(max(end, low - 2 * room), high + 2 * room) for end in interval
                )
                ax.plot([left, right], [y, y], color="C0", linewidth=2.5)
            ax.plot([estimate], [y], marker="D", color="C0")
        ax.axvline(0, color="0.5", linestyle="--", linewidth=1)
        for size in margins:
            draw_margin(ax, size)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        self._name_rows(ax, [self.labels[row] for row in rows])
        level = f"{100 * self.confidence_level:g}% interval"
        level = f"simultaneous {level}" if self.simultaneous else level
        dotted = " and ".join(f"\N{PLUS-MINUS SIGN}{size:g}" for size in margins)
        dotted = f"; dotted: margin {dotted}" if margins else ""
        higher = self.higher_is_better is None or all(
            self.higher_is_better[row] for row in rows
        )
        lower = "" if higher else " (lower is better)"
        what = f"{self.estimated} in {clip(metric, 60)}{lower}"
        gap = " " if len(what + level + dotted) < _LONGEST_LINE else "\n"
        ax.set_xlabel(f"{what},{gap}{level}{dotted}", parse_math=False)
        favours = inert(self.favours or f"{clip(self.name)} better")
        ax.set_title(
            f"{favours} \N{RIGHTWARDS ARROW}" if higher else f"\N{LEFTWARDS ARROW} {favours}",
            loc="right" if higher else "left",
            fontsize="medium",
            parse_math=False,
        )
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)

    def _name_rows(self, ax: Any, labels: Sequence[str]) -> None:
        """Name the rows; where they are too low for that, every second one or fewer."""
        height = ax.bbox.height / ax.figure.dpi / max(len(labels), 1)
        step = math.ceil(_LEAST_ROW / height)
        size = ax.yaxis.get_ticklabels()[0].get_size() if ax.yaxis.get_ticklabels() else 10
        shown = range(0, len(labels), step)
        ax.set_yticks(shown, [clip(labels[i], _LONGEST) for i in shown], parse_math=False)
        ax.tick_params(axis="y", labelsize=min(size, 60 * height * step))
