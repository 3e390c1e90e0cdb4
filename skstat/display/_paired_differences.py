"""Differences of paired scores, with their mean and interval against zero."""

import math
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import (
    axes,
    direction,
    draw_interval,
    draw_margin,
    name_sides,
)

_BINS = 48


@dataclass(eq=False, kw_only=True, repr=False)
class PairedDifferencesDisplay(Display):
    """Dots for the differences A - B, and the interval of their mean below.

    Parameters
    ----------
    differences : ndarray of shape (n_units,)
        score(A) - score(B) of every unit.
    estimate : float
        Estimated effect.
    interval : tuple of float
        Limits of its confidence interval; infinite or nan ends are left open.
    confidence_level : float
        Level of the interval.
    names : tuple of str
        Labels of A and B.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Whether values above 0 favour A; not those of losses.
    unit : str, default="unit"
        What one dot is.
    estimated : str, default="estimate"
        What the estimate is, for the legend.
    margin : float, optional
        The smallest difference that matters, marked on both sides.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    dots_ : matplotlib PathCollection
        One dot per unit.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import PairedDifferencesDisplay
    >>> display = PairedDifferencesDisplay(
    ...     differences=np.array([0.01, 0.02, -0.01]), estimate=0.007,
    ...     interval=(-0.02, 0.03), confidence_level=0.95, names=("tree", "NB"),
    ... )
    >>> display.plot().dots_.get_offsets().shape
    (3, 2)
    """

    differences: Any
    estimate: float
    interval: tuple[float, float]
    confidence_level: float
    names: tuple[str, str]
    metric: str = "score"
    higher_is_better: bool = True
    unit: str = "unit"
    estimated: str = "estimate"
    margin: float | None = None
    dots_: Any = field(default=None, init=False)

    def plot(self, ax: Any = None) -> Self:
        ax = axes(ax, figsize=(7.0, 3.4))
        differences = np.asarray(self.differences, dtype=float)
        low_x, high_x = self._range()
        heights, tallest = _stack(differences, (high_x - low_x) / _BINS)
        size = float(np.clip(2200 / len(differences), 4, 45))
        self.dots_ = ax.scatter(
            differences,
            heights,
            s=size,
            color="C0",
            alpha=0.75,
            linewidths=0,
            label=self._label_of_dots(),
        )
        below = -0.22 * tallest
        low, high = self.interval
        if not (math.isnan(low) or math.isnan(high)):
            draw_interval(ax, low, high, below, differences)
        ax.plot(
            [self.estimate],
            [below],
            marker="D",
            color="C1",
            linestyle="none",
            label=self._label_of_interval(),
        )
        ax.axvline(0, color="0.5", linestyle="--", linewidth=1)
        if self.margin is not None:
            draw_margin(ax, self.margin)
        ax.set_xlim(low_x, high_x)
        ax.set_ylim(2.2 * below, 1.12 * tallest)
        ax.set_yticks([])
        ax.set_xlabel(
            f"difference in {clip(self.metric, 40)} ({direction(self.higher_is_better)})",
            parse_math=False,
        )
        name_sides(ax, self.names, higher_is_better=self.higher_is_better)
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.2),
            ncols=2 if self.margin is None else 3,
            frameon=False,
            fontsize="small",
        )
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<PairedDifferencesDisplay of {a!r} and {b!r}>"

    def _label_of_dots(self) -> str:
        n, unit = len(self.differences), {"dataset": "data set"}.get(self.unit, self.unit)
        return f"{n} {unit}{'s' * (n != 1)}"

    def _label_of_interval(self) -> str:
        low, high = self.interval
        if math.isnan(low) or math.isnan(high):
            return f"{self.estimated} (no interval exists)"
        sided = "" if math.isfinite(low) and math.isfinite(high) else "one-sided "
        return f"{self.estimated} and {sided}{100 * self.confidence_level:g}% interval"

    def _range(self) -> tuple[float, float]:
        """Keep zero and the margin in view, and open ends of the interval out of it."""
        finite = [end for end in self.interval if math.isfinite(end)]
        if self.margin is not None:
            finite += [-self.margin, self.margin]
        values = np.array([*self.differences, *finite, self.estimate, 0.0])
        low, high = float(values.min()), float(values.max())
        margin = 0.08 * (high - low) or 0.01
        return low - margin, high + margin


def _stack(differences: np.ndarray, width: float) -> tuple[np.ndarray, float]:
    """Heights that pile dots of similar value on each other, as in a dot plot."""
    bins = np.rint((differences - differences.min()) / width).astype(int)
    heights = np.empty(len(differences))
    for value in np.unique(bins):
        members = np.flatnonzero(bins == value)
        heights[members] = np.arange(1, len(members) + 1)
    return heights, max(float(heights.max()), 4.0)
