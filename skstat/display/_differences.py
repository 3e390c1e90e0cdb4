"""Differences of two systems by unit, with the estimate and its interval against zero."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.display import _figure as figure
from skstat.display._style import faint, scale

_PILES = 48  # of dots, beside each other
_BINS = 36
# Up to here every value gets a bar of its own.
_MOST_BARS = 64
_MOST_BINS = 400


@dataclass(eq=False, kw_only=True, repr=False)
class DifferencesDisplay(figure.Display):
    """Dots or bars of the values that a difference was made of, and its interval below.

    The interval decides the axis: where it would be too narrow to see, values far away are
    marked at the edge.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Score of the first system minus that of the second, of every unit, or on every
        resample; may be empty.
    estimate : float
        Estimated difference.
    interval : tuple of float
        Limits of its confidence interval; ends that are infinite or out of view are arrows,
        nan is left out.
    confidence_level : float
        Level of the interval.
    names : tuple of str
        Labels of the two systems.
    kind : {"dots", "bars"}, default="dots"
        Whether each value is a dot, or bars count them.
    values_name : str, optional
        What the values are, such as ``"30 splits"``.
    estimated : str, default="estimate"
        What the estimate is.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Whether values above 0 favour the first; not those of losses.
    better : str, default="better"
        What the side of a system says of it.
    margin : float, optional
        The smallest difference that matters, shaded on both sides.
    inner_interval : tuple of float, optional
        The interval by which the margin is decided, which is drawn thick.
    inner_level : float, optional
        Its level.
    verdict : str, default="undecided"
        What was found about the first of `names`, which gives the interval its colour:
        "better", "worse", "equivalent", "not inferior" or "undecided".

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    dots_ : matplotlib PathCollection or None
        One dot per value in view.
    bars_ : matplotlib BarContainer or None
        The bars; none without values.
    outside_ : tuple of int
        How many values are out of view at the left and at the right, marked at the edges.

    Examples
    --------
    >>> from skstat.display import DifferencesDisplay
    >>> display = DifferencesDisplay(
    ...     values=[0.01, 0.02, 0.02, 0.03, 0.02], estimate=0.02, interval=(0.01, 0.03),
    ...     confidence_level=0.95, names=("tree", "NB"), kind="bars",
    ... )
    >>> [int(bar.get_height()) for bar in display.plot().bars_]
    [1, 3, 1]
    """

    values: Any
    estimate: float
    interval: tuple[float, float]
    confidence_level: float
    names: tuple[str, str]
    kind: Literal["dots", "bars"] = "dots"
    values_name: str | None = None
    estimated: str = "estimate"
    metric: str = "score"
    higher_is_better: bool = True
    better: str = "better"
    margin: float | None = None
    inner_interval: tuple[float, float] | None = None
    inner_level: float | None = None
    verdict: str = "undecided"
    dots_: Any = field(default=None, init=False)
    bars_: Any = field(default=None, init=False)
    outside_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(7.0, 2.9 if self._width is None else 2.2))
        values = np.asarray(self.values, dtype=float)
        margins = [] if self.margin is None else [-self.margin, self.margin]
        low, high = figure.view(values, self.interval, [0.0, self.estimate, *margins])
        ax.set_xlim(low, high)
        shown = (low <= values) & (values <= high)
        draw = self._draw_dots if self.kind == "dots" else self._draw_bars
        tallest = draw(ax, values[shown], high - low)
        below = -0.3 * tallest
        ax.set_ylim(2.0 * below, 1.12 * tallest)
        self.outside_ = int((values < low).sum()), int((values > high).sum())
        for edge, marker, n in zip(ax.get_xlim(), "<>", self.outside_, strict=True):
            look = {"marker": marker, "markersize": 5 * scale(), "clip_on": False}
            if n:
                ax.plot([edge], [0.5 * tallest], color=faint(), **look)
        figure.draw_estimate(
            ax, below, self.estimate, self.interval, self.verdict, self.inner_interval
        )
        figure.draw_zero(ax)
        if self.margin is not None:
            figure.draw_margin(ax, self.margin)
        name = self.values_name or f"{len(values):,} differences"
        estimated = f"{self.estimated} {self._interval_name()}"
        figure.row_names(ax, {tallest / 2: name, below: estimated})
        shaded = "" if self.margin is None else f"shaded: margin ±{self.margin:g}"
        figure.write_difference(ax, self, shaded)
        return self._fitted(ax)

    def _draw_dots(self, ax: Any, values: NDArray[np.float64], span: float) -> float:
        """Pile dots of similar value on each other; return the height of the highest pile."""
        piles = np.rint(values / (span / _PILES)).astype(int)
        heights = np.empty(len(values))
        for pile in np.unique(piles):
            members = np.flatnonzero(piles == pile)
            heights[members] = np.arange(1, len(members) + 1)
        size = float(np.clip(2200 / max(len(values), 1), 4, 45)) * scale() ** 2
        self.dots_ = ax.scatter(values, heights, s=size, color=faint(), linewidths=0)
        return float(heights.max(initial=4.0))

    def _draw_bars(self, ax: Any, values: NDArray[np.float64], span: float) -> float:
        """Count values in bars that are all in view; return the height of the highest one."""
        centres, heights, width = _bars(values, span)
        self.bars_ = ax.bar(centres, heights, width=width, color=faint())
        if len(centres):
            low, high = ax.get_xlim()
            first, last = centres[0] - 0.6 * width, centres[-1] + 0.6 * width
            ax.set_xlim(min(low, first), max(high, last))
        else:
            ax.text(0.53, 0.6, "no resample could differ", transform=ax.transAxes)
        return float(heights.max(initial=1.0))

    def _interval_name(self) -> str:
        low, high = self.interval
        if math.isnan(low) or math.isnan(high):
            return "(no interval exists)"
        sided = "one-sided " * (math.isinf(low) != math.isinf(high))
        level = f"{100 * self.confidence_level:g}%"
        if self.inner_interval is not None and self.inner_level is not None:
            level += f" (thick: {100 * self.inner_level:g}%)"
        return f"and {sided}{level} interval"


_Bars = tuple[NDArray[np.float64], NDArray[Any], float]


def _bars(values: NDArray[np.float64], span: float) -> _Bars:
    """Centres, heights and the width of bars.

    Differences of proportions come in steps. Bins that are not a multiple of the step would
    hold two values here and three there, and show waves that are not in the data.
    """
    noise = 1e-9 * span  # float noise makes many values of one
    n, ends = len(values), np.quantile(values, [0.005, 0.995]) if len(values) else (0.0, 0.0)
    values, counts = np.unique(np.rint(values / noise), return_counts=True)
    values = values * noise
    if len(values) < 2:
        return values, counts, span / 24
    gaps = np.diff(values)
    step = float(gaps.min())
    stepped = bool(np.all(np.abs(gaps - step * np.rint(gaps / step)) <= 4 * noise))
    few = len(values) <= min(_MOST_BARS, n / 2)
    if few and (not stepped or np.ptp(values) < 2 * _MOST_BARS * step):
        return values, counts, float(np.clip(0.85 * step, span / 300, span / 15))
    n_bins = min(_BINS, math.ceil(2 * n ** (1 / 3)))  # Rice's rule
    # Bins show the bulk of the values, however far a few are away.
    width = max((ends[1] - ends[0]) / n_bins, float(np.ptp(values)) / _MOST_BINS)
    start = float(values[0])
    if stepped:  # edges lie between values
        width, start = step * max(1, round(width / step)), start - step / 2
    limits = start + width * np.arange((values[-1] - start) // width + 2)
    heights, _ = np.histogram(values, limits, weights=counts)
    return limits[:-1] + width / 2, heights, float(width)
