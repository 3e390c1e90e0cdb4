"""Estimates and intervals of several comparisons against zero (a forest plot)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import (
    draw_inner,
    draw_interval,
    draw_margin,
    draw_zero,
    edges,
    grow,
    hide_spines,
    name_sides,
    width_of_axes,
)
from skstat.display._style import LONGEST_SHOWN, fold, point, scale, text_width, whole

_LONGEST = 70  # letters of a row's name
_NARROWEST = 1.4  # inches of a line below the axis
_FAR = 2.0  # how far the axis follows the outermost tenth, in widths of what is between
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
        Their confidence intervals; infinite ends run off the edge, as do those of
        a few that are far wider than the others; nan is left out.
    confidence_level : float
        Level of every interval.
    name : str
        Name of the system that positive values favour, and negative ones where lower is better.
    metrics : list of str, optional
        Metric of every row; each metric gets a panel with a scale of its own.
    estimated : str, default="difference"
        What the estimates are, in the metric.
    margins : list of float or None, optional
        The smallest difference that matters of every row; the band of
        smaller ones is shaded.
    inner_intervals : list of tuple of float or None, optional
        Of every row the interval by which the margin is decided, which is drawn thick.
    inner_level : float, optional
        Level of these.
    higher_is_better : list of bool, optional
        Of every row whether positive values favour it; default that they do.
    simultaneous : bool, default=False
        Whether the intervals hold for all rows at once.
    favours : str, optional
        What values on that side mean; default that the system `name` is better.
    against : str, optional
        What values on the other side mean.
    verdicts : list of str, optional
        What was found of every row, which gives it its colour: "better", "worse",
        "equivalent", "not inferior" or "undecided".
    shrunken : list of float or None, optional
        Of every row the estimate drawn towards the common mean, as an upright stroke.

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
    inner_intervals: Sequence[tuple[float, float] | None] | None = None
    inner_level: float | None = None
    higher_is_better: Sequence[bool] | None = None
    simultaneous: bool = False
    favours: str | None = None
    against: str | None = None
    verdicts: Sequence[str] | None = None
    shrunken: Sequence[float | None] | None = None

    def _plot(self, ax: Any) -> Self:
        panels = list(dict.fromkeys(self.metrics or ["score"] * len(self.labels)))
        given = ax is not None
        # Names take half of a narrow figure, on as many lines as they need.
        room = 0.48 * self._width if self._width else (None if given else 4.5)
        labels = [self._label(label, room) for label in self.labels]
        ax = self._axes(ax, figsize=self._figsize(labels, len(panels)))
        if len(panels) == 1:
            self._draw(ax, range(len(labels)), labels, panels[0])
            if not given:
                grow(ax)
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
                self._draw(inset, rows, labels, metric)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<IntervalsDisplay of {len(self.labels)} comparisons of {self.name!r}>"

    @staticmethod
    def _label(label: str, room: float | None) -> str:
        return clip(label, _LONGEST) if room is None else whole(label, room)

    def _figsize(self, labels: Sequence[str], n_panels: int) -> tuple[float, float]:
        rows = len(labels)
        pitch = max(_LOW_ROW, min(_ROW, 6 / max(rows, 1)))
        if self._width:
            pitch = _LOW_ROW  # lines of 8 points
        lines = 1 + max((label.count("\n") for label in labels), default=0)
        pitch = max(pitch, (0.16 * lines + 0.04) * scale())
        # Panels give half of their height to rows.
        pitch = 2 * pitch if n_panels > 1 and lines > 1 else pitch
        height = min(rows * pitch, _TALLEST)
        longest = max(map(text_width, labels), default=0.0)
        return max(7.0, 4.6 + longest), (0.9 + 0.3 * (not self._width)) * n_panels + height

    def _draw(self, ax: Any, rows: Sequence[int], labels: Sequence[str], metric: str) -> None:
        estimates = [self.estimates[row] for row in rows]
        intervals = [self.intervals[row] for row in rows]
        verdicts = [
            self.verdicts[row] if self.verdicts is not None else "undecided" for row in rows
        ]
        given = [] if self.margins is None else [self.margins[row] for row in rows]
        margins = sorted({size for size in given if size is not None})
        ax.set_xlim(*_limits(estimates, intervals, margins))
        for y, (interval, verdict) in enumerate(zip(intervals, verdicts, strict=True)):
            if not any(map(math.isnan, interval)):
                draw_interval(ax, *interval, y, verdict)
        inner = self.inner_intervals or [None] * len(self.labels)
        for y, row in enumerate(rows):
            decisive = inner[row]
            if decisive is not None:
                draw_inner(ax, *decisive, y, verdicts[y])
        edges(ax, estimates, range(len(rows)))
        for y, (estimate, verdict) in enumerate(zip(estimates, verdicts, strict=True)):
            ax.plot([estimate], [y], **point(verdict))
        for y, row in enumerate(rows):
            drawn_in = None if self.shrunken is None else self.shrunken[row]
            if drawn_in is not None:
                mark = {"marker": "|", "markersize": 14, "markeredgewidth": 1.5, "zorder": 4}
                ax.plot([drawn_in], [y], **{**point("undecided"), **mark})
        draw_zero(ax)
        for size in margins:
            draw_margin(ax, size)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        self._name_rows(ax, [labels[row] for row in rows])
        hide_spines(ax, "left", "right", "top")
        self._write(ax, rows, metric, margins)

    def _write(
        self, ax: Any, rows: Sequence[int], metric: str, margins: Sequence[float]
    ) -> None:
        level = f"{100 * self.confidence_level:g}% interval"
        level = f"simultaneous {level}" if self.simultaneous else level
        if self.inner_level is not None and any(self.inner_intervals or ()):
            level += f"; thick: {100 * self.inner_level:g}%"
        sizes = " and ".join(f"\N{PLUS-MINUS SIGN}{size:g}" for size in margins)
        shaded = f"; shaded: margin {sizes}" if margins else ""
        higher = self.higher_is_better is None or all(
            self.higher_is_better[row] for row in rows
        )
        lower = "" if higher else " (lower is better)"
        what = f"{self.estimated} in {clip(metric, 60)}{lower},"
        ax.set_xlabel("x")
        width = width_of_axes(ax)
        one = f"{what} {level}{shaded}"
        text = one if text_width(one) <= width else f"{what}\n{level}{shaded}"
        text = "\n".join(fold(line, max(width, _NARROWEST)) for line in text.split("\n"))
        ax.set_xlabel(text, parse_math=False)
        favours = self.favours or f"{clip(self.name, LONGEST_SHOWN)} better"
        sides = [self.against or "", favours]
        left, right = sides if higher else sides[::-1]
        name_sides(
            ax,
            left,
            right,
            width=width,
        )

    def _name_rows(self, ax: Any, labels: Sequence[str]) -> None:
        """Name the rows; where they are too low for that, every second one or fewer."""
        height = ax.bbox.height / ax.figure.dpi / max(len(labels), 1)
        lines = 1 + max((label.count("\n") for label in labels), default=0)
        step = math.ceil(lines * _LEAST_ROW / height)
        size = ax.yaxis.get_ticklabels()[0].get_size() if ax.yaxis.get_ticklabels() else 10
        shown = range(0, len(labels), step)
        ax.set_yticks(shown, [labels[i] for i in shown], parse_math=False)
        ax.tick_params(axis="y", length=0, labelsize=min(size, 60 * height * step / lines))


def _limits(
    estimates: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    margins: Sequence[float],
) -> tuple[float, float]:
    """Limits of the axis; a few intervals far wider than the others run off it."""
    kept = [0.0, *margins, *(-size for size in margins)]
    ends = [end for pair in intervals for end in pair if math.isfinite(end)]
    shown = [*ends, *(value for value in estimates if math.isfinite(value))]
    if not shown:
        shown = [0.0]
    low, high = min(shown), max(shown)
    inner_low, inner_high = np.quantile(shown, [0.1, 0.9])
    reach = float(inner_high - inner_low)
    if reach:
        low = max(low, float(inner_low) - _FAR * reach)
        high = min(high, float(inner_high) + _FAR * reach)
    low, high = min(low, *kept), max(high, *kept)
    room = 0.08 * (high - low) or 0.01
    return low - room, high + room
