"""Estimates of performance with their intervals, and the training scores (optimistic)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines, width_of_axes
from skstat.display._style import colour, faint, fold, scale, text_width, whole

_ROW = 0.45  # inches


@dataclass(eq=False, kw_only=True, repr=False)
class PerformanceDisplay(Display):
    """One row per estimator: its estimate, the interval, and the training score (optimistic).

    Parameters
    ----------
    labels : list of str
        Names of the rows, from the top.
    estimates : list of float
        Estimated scores, or errors.
    intervals : list of tuple of float
        Their confidence intervals; nan is left out.
    training_scores : list of float or None
        Scores on the rows that the models were fitted to.
    confidence_level : float
        Level of every interval.
    metrics : list of str
        Metric of every row; each metric gets a panel with a scale of its own.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.

    Examples
    --------
    >>> from skstat.display import PerformanceDisplay
    >>> display = PerformanceDisplay(
    ...     labels=["tree"], estimates=[0.92], intervals=[(0.89, 0.95)],
    ...     training_scores=[1.0], confidence_level=0.95, metrics=["accuracy"],
    ... )
    >>> display.plot().ax_.get_xlabel()
    'accuracy, 95% interval; hollow: training score'
    """

    labels: list[str]
    estimates: list[float]
    intervals: Sequence[tuple[float, float]]
    training_scores: Sequence[float | None]
    confidence_level: float
    metrics: list[str]

    def _plot(self, ax: Any) -> Self:
        panels = list(dict.fromkeys(self.metrics))
        row = _ROW if self._width is None else 0.22
        room = 4.5 if self._width is None else 0.45 * self._width
        labels = [whole(label, room) for label in self.labels]
        lines = 1 + max((label.count("\n") for label in labels), default=0)
        row = max(row, (0.16 * lines + 0.04) * scale())
        height = 1.1 * len(panels) + row * len(labels)
        ax = self._axes(ax, figsize=(5.2 + max(map(text_width, labels), default=0.0), height))
        if len(panels) == 1:
            self._draw(ax, range(len(self.labels)), labels, panels[0])
        else:
            ax.set_axis_off()
            share = 1 / len(panels)
            for number, metric in enumerate(panels):
                inset = ax.inset_axes((0.0, 1 - (number + 0.55) * share, 1.0, 0.5 * share))
                rows = [row for row, name in enumerate(self.metrics) if name == metric]
                self._draw(inset, rows, labels, metric)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<PerformanceDisplay of {len(self.labels)} estimates>"

    def _draw(self, ax: Any, rows: Sequence[int], labels: Sequence[str], metric: str) -> None:
        seen = [(y, self.training_scores[row]) for y, row in enumerate(rows)]
        seen = [(y, score) for y, score in seen if score is not None]
        for y, row in enumerate(rows):
            low, high = self.intervals[row]
            if not math.isnan(low):
                ax.plot([low, high], [y, y], color=colour("better"), linewidth=2.5 * scale())
        estimates = [self.estimates[row] for row in rows]
        size = 6 * scale()
        ax.plot(estimates, range(len(rows)), "D", color=colour("better"), markersize=size)
        if seen:
            ax.plot(
                [score for _, score in seen],
                [y for y, _ in seen],
                "o",
                markerfacecolor="none",
                markersize=size,
                color=faint(),
                markeredgewidth=1.5,
            )
        ax.margins(x=0.08)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_yticks(range(len(rows)), [labels[r] for r in rows], parse_math=False)
        ax.tick_params(axis="y", length=0)
        level = f"{100 * self.confidence_level:g}% interval"
        training = "; hollow: training score" if seen else ""
        ax.set_xlabel("x")
        text = f"{clip(metric, 60)}, {level}{training}"
        ax.set_xlabel(fold(text, max(width_of_axes(ax), 1.4)), parse_math=False)
        ax.grid(visible=True, axis="x", alpha=0.3)
        ax.set_axisbelow(True)
        hide_spines(ax, "left", "right", "top")
