"""Estimates with intervals, a row each: differences, scores, ranks (a forest plot)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat._names import clip, clip_all
from skstat.display import _figure as figure
from skstat.display._style import colour, faint, ink, scale, text_width, whole

_LONGEST = 70  # letters of a row's name
_NARROWEST = 1.4  # inches of a line below the axis
_FAR = 2.0  # how far the axis follows the outermost tenth, in widths of what is between
# Heights in inches: of a row where there are few, of one that still has room for its name,
# of the least that a name needs, of the highest figure, and of texts around a panel.
_ROW, _LOW_ROW, _LEAST_ROW, _TALLEST, _BELOW = 0.5, 0.2, 0.11, 40.0, 1.1
_GAP = 0.06  # between two panels, in parts of the width


@dataclass(eq=False, kw_only=True, repr=False)
class IntervalsDisplay(figure.Display):
    """One row per comparison or system: its estimate and interval.

    Parameters
    ----------
    labels : list of str
        Names of the rows, from the top; of more than fit beside each other some are
        left out.
    estimates : list of float
        The estimates.
    intervals : list of tuple of float
        Their intervals; an arrow is where the axis cuts one, as it does infinite ones and a
        few that are far wider than the others; nan is left out.
    confidence_level : float
        Level of every interval.
    metrics : list of str, optional
        Metric of every row; each metric gets a panel with a scale of its own.
    estimated : str, default="difference"
        What the estimates are, in the metric; empty if the metric says it.
    interval_name : str, optional
        What the intervals are; default that they have the level.
    simultaneous : bool, default=False
        Whether the intervals hold for all rows at once.
    margins : list of float or None, optional
        The smallest difference that matters of every row; the band of
        smaller ones is shaded.
    margin_name : str, default="margin"
        What is shaded.
    inner_intervals : list of tuple of float or None, optional
        Of every row a part of the interval that is drawn thick.
    inner_name : str, default=""
        What is thick.
    higher_is_better : list of bool, optional
        Of every row whether positive values are what `favours` says; default that they are.
    favours : str or list of str, default=""
        What values on that side mean, of all rows or of each.
    against : str or list of str, default=""
        What values on the other side mean.
    verdicts : list of str, optional
        What was found of every row, which gives it its colour: "better", "worse",
        "equivalent", "not inferior" or "undecided"; "" where nothing was asked.
    marks : list of float, optional
        Of every row a second value, a cross; nan for none.
    marks_name : str, default=""
        What the crosses are.
    dashed : tuple of float and str, optional
        Where a dashed line is, and what it is.
    zero : bool, default=True
        Whether the rows are held against zero.
    ranks : bool, default=False
        Whether the estimates are ranks, of which whole ones are named.
    notes : sequence of str, optional
        What else is said below the axis.
    beside : IntervalsDisplay, optional
        Other estimates of the same rows, drawn at the right; its labels are too.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    panels_ : list of matplotlib Axes
        The panels, `ax_` if it is the only one.

    Examples
    --------
    >>> from skstat.display import IntervalsDisplay
    >>> display = IntervalsDisplay(
    ...     labels=["against NB"], estimates=[0.02], intervals=[(0.01, 0.03)],
    ...     confidence_level=0.95, favours="tree better",
    ... )
    >>> len(display.plot().ax_.get_yticks())
    1
    """

    _shows = "labels"
    labels: Sequence[str]
    estimates: Sequence[float]
    intervals: Sequence[tuple[float, float]]
    confidence_level: float
    metrics: Sequence[str] | None = None
    estimated: str = "difference"
    interval_name: str | None = None
    simultaneous: bool = False
    margins: Sequence[float | None] | None = None
    margin_name: str = "margin"
    inner_intervals: Sequence[tuple[float, float] | None] | None = None
    inner_name: str = ""
    higher_is_better: Sequence[bool] | None = None
    favours: str | Sequence[str] = ""
    against: str | Sequence[str] = ""
    verdicts: Sequence[str] | None = None
    marks: Sequence[float] | None = None
    marks_name: str = ""
    dashed: tuple[float, str] | None = None
    zero: bool = True
    ranks: bool = False
    notes: Sequence[str] = ()
    beside: "IntervalsDisplay | None" = None
    panels_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        on_axes, n = self._on_axes, len(self.labels)
        metrics = self.metrics or ["score"] * n
        panels = list(dict.fromkeys(metrics)) or ["score"]
        # Names take half of a narrow figure, on as many lines as they need.
        room = (0.48 if self.beside is None else 0.36) * self._width if self._width else 4.5
        labels = clip_all(self.labels, _LONGEST)
        if not on_axes:
            labels = [whole(label, room) for label in self.labels]
        pitch = self._pitch(labels)
        height = min(n * pitch, _TALLEST) + _BELOW * scale() * len(panels)
        longest = max(map(text_width, labels), default=0.0)
        width = max(7.0, 4.6 + longest) + 2.0 * (self.beside is not None)
        ax = self._axes(ax, figsize=(width, height))
        self.panels_ = [ax]
        if self.beside is not None:
            gap = _GAP / 2
            self.panels_ = [ax.inset_axes((x, 0.0, 0.5 - gap, 1.0)) for x in (0.0, 0.5 + gap)]
            for panel, shown, names in (
                (self.panels_[0], self, labels),
                (self.panels_[1], self.beside, clip_all(self.beside.labels, _LONGEST)),
            ):
                shown._draw(panel, range(n), names, (shown.metrics or panels)[0], inches=0.7)
            self.panels_[1].yaxis.tick_right()
        elif len(panels) > 1:
            # Metrics have scales of their own: log loss would hide an AUC.
            rows = [[row for row in range(n) if metrics[row] == name] for name in panels]
            below = [_BELOW * scale()] * len(panels)
            for _ in range(2):  # what texts take below is known when they have been written
                for panel in self.panels_ if self.panels_ != [ax] else []:
                    panel.remove()
                heights = [len(subset) * pitch for subset in rows]
                ends = np.cumsum([a + b for a, b in zip(heights, below, strict=True)])
                if not on_axes:
                    ax.figure.set_figheight(ends[-1] + 0.1)
                self.panels_ = [
                    ax.inset_axes((0.0, 1 - (end - low) / ends[-1], 1.0, high / ends[-1]))
                    for end, low, high in zip(ends, below, heights, strict=True)
                ]
                for panel, subset, name in zip(self.panels_, rows, panels, strict=True):
                    self._draw(panel, subset, labels, name)
                extra = map(figure.extra_lines, self.panels_)
                below = [(_BELOW + 0.165 * lines) * scale() for lines in extra]
        else:
            self._draw(ax, range(n), labels, panels[0])
        if self.panels_ != [ax]:
            ax.set_axis_off()
            ax.set_xlabel(self.estimated or "estimate")
        if not on_axes and len(panels) == 1:
            figure.grow(max(self.panels_, key=figure.extra_lines))
        return ax

    def _pitch(self, labels: Sequence[str]) -> float:
        """Inches from row to row."""
        # Print has lines of 8 points.
        pitch = _LOW_ROW if self._width else max(_LOW_ROW, min(_ROW, 6 / max(len(labels), 1)))
        lines = 1 + max((label.count("\n") for label in labels), default=0)
        return max(pitch, (0.16 * lines + 0.04) * scale())

    def _draw(
        self,
        ax: Any,
        rows: Sequence[int],
        labels: Sequence[str],
        metric: str,
        inches: float = _NARROWEST,
    ) -> None:
        def column(values: Any, default: Any = None) -> list[Any]:
            return [default if values is None else values[row] for row in rows]

        estimates, intervals = column(self.estimates), column(self.intervals)
        marks = column(self.marks, math.nan)
        margins = sorted({size for size in column(self.margins) if size is not None})
        fixed = [0.0] if self.zero else []
        fixed += [end for size in margins for end in (-size, size)]
        fixed += [mark for mark in marks if not math.isnan(mark)]
        ax.set_xlim(*_limits([*estimates, *(end for pair in intervals for end in pair)], fixed))
        verdicts = column(self.verdicts, "undecided" if self.zero else "")
        lines = zip(estimates, intervals, verdicts, column(self.inner_intervals), strict=True)
        for y, (estimate, interval, verdict, inner) in enumerate(lines):
            figure.draw_estimate(ax, y, estimate, interval, verdict, inner)
            if not math.isnan(marks[y]):
                ax.plot([estimate, marks[y]], [y, y], color=faint(), linewidth=1, zorder=1)
                look = {"marker": "x", "markersize": 5.5 * scale(), "linestyle": "none"}
                ax.plot([marks[y]], [y], color=ink(), zorder=4, gid="mark", **look)
        if self.zero:
            figure.draw_zero(ax)
        for size in margins:
            figure.draw_margin(ax, size)
        if self.dashed is not None:
            grey = colour("undecided")
            ax.axvline(self.dashed[0], color=grey, linewidth=1, linestyle="--", zorder=0.9)
        if self.ranks:
            left, right = ax.get_xlim()
            limit = int(3 * figure.width_of_axes(ax) / scale()) + 1
            ranks = figure.whole_ranks(max(left, 1), min(right, len(self.labels)), limit)
            if len(ranks):  # of two that are close none may be in view
                ax.set_xticks(ranks)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        self._name_rows(ax, [labels[row] for row in rows])
        figure.hide_spines(ax, "left", "right", "top")
        self._write(ax, rows, metric, margins, inches)

    def _write(
        self, ax: Any, rows: Sequence[int], metric: str, margins: Sequence[float], inches: float
    ) -> None:
        level = f"{100 * self.confidence_level:g}% interval"
        level = f"simultaneous {level}" if self.simultaneous else level
        any_interval = any(not math.isnan(low) for low, _ in self.intervals)
        entries = [self.interval_name or level] if any_interval or self.zero else []
        if self.inner_name and any(self.inner_intervals or ()):
            entries.append(f"thick: {self.inner_name}")
        if margins:
            sizes = " and ".join(f"\N{PLUS-MINUS SIGN}{size:g}" for size in margins)
            entries.append(f"shaded: {self.margin_name} {sizes}")
        if not all(map(math.isnan, self.marks or ())):
            entries.append(f"cross: {self.marks_name}")
        if self.dashed is not None:
            entries.append(f"dashed: {self.dashed[1]}")
        higher = self.higher_is_better is None or all(self.higher_is_better[r] for r in rows)
        what = f"{self.estimated} in {clip(metric, 60)}" if self.estimated else metric
        what += "" if higher else " (lower is better)"
        text = ", ".join(filter(None, (what, "; ".join(entries))))
        width = figure.write_below(ax, text, *self.notes, min_width=inches)
        if entries and text_width(text) > width:
            texts = f"{what},", "; ".join(entries), *self.notes
            figure.write_below(ax, *texts, min_width=inches)
        sides = [
            side if isinstance(side, str) else side[rows[0]]
            for side in (self.against, self.favours)
        ]
        figure.name_sides(ax, *(sides if higher else sides[::-1]), width=width)

    def _name_rows(self, ax: Any, labels: Sequence[str]) -> None:
        """Name the rows; where they are too low for that, every second one or fewer."""
        height = ax.bbox.height / ax.figure.dpi / max(len(labels), 1)
        lines = 1 + max((label.count("\n") for label in labels), default=0)
        step = math.ceil(lines * _LEAST_ROW / height)
        size = ax.yaxis.get_ticklabels()[0].get_size() if ax.yaxis.get_ticklabels() else 10
        shown = range(0, len(labels), step)
        ax.set_yticks(shown, [labels[i] for i in shown], parse_math=False)
        ax.tick_params(axis="y", length=0, labelsize=min(size, 60 * height * step / lines))


def _limits(values: Sequence[float], required: Sequence[float]) -> tuple[float, float]:
    """Limits of the axis; a few values far beyond the others are out of view."""
    shown = [value for value in values if math.isfinite(value)] or list(required) or [0.0]
    low, high = min(shown), max(shown)
    inner_low, inner_high = map(float, np.quantile(shown, [0.1, 0.9]))
    extent = _FAR * (inner_high - inner_low)
    if extent:
        low, high = max(low, inner_low - extent), min(high, inner_high + extent)
    low, high = min([low, *required]), max([high, *required])
    room = 0.08 * (high - low) or 0.01
    return low - room, high + room
