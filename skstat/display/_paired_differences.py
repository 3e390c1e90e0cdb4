"""Differences of paired scores, with their mean and interval against zero."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat.display._display import Display
from skstat.display._figure import edges, grow
from skstat.display._one_difference import draw_difference, limits_of
from skstat.display._style import faint, scale

_BINS = 48


@dataclass(eq=False, kw_only=True, repr=False)
class PairedDifferencesDisplay(Display):
    """Dots for the differences of two systems, and the interval of their mean below.

    The interval decides the axis: where it would be too narrow to see, dots far away are
    marked at the edge.

    Parameters
    ----------
    differences : ndarray of shape (n_units,)
        Score of the first system minus that of the second, of every unit.
    estimate : float
        Estimated effect.
    interval : tuple of float
        Limits of its confidence interval; infinite or nan ends are left open.
    confidence_level : float
        Level of the interval.
    names : tuple of str
        Labels of the two systems.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Whether values above 0 favour the first; not those of losses.
    unit : str, default="unit"
        What one dot is.
    estimated : str, default="estimate"
        What the estimate is.
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
    dots_ : matplotlib PathCollection
        One dot per unit in view.
    outside_ : tuple of int
        How many are out of view at the left and at the right, marked at the edges.

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
    inner_interval: tuple[float, float] | None = None
    inner_level: float | None = None
    verdict: str = "undecided"
    dots_: Any = field(default=None, init=False)
    outside_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        given = ax is not None
        ax = self._axes(ax, figsize=(7.0, 2.9 * self._height()))
        differences = np.asarray(self.differences, dtype=float)
        low_x, high_x = limits_of(self, differences)
        ax.set_xlim(low_x, high_x)
        seen = (low_x <= differences) & (differences <= high_x)
        heights, tallest = _stack(differences[seen], (high_x - low_x) / _BINS)
        size = float(np.clip(2200 / max(int(seen.sum()), 1), 4, 45)) * scale() ** 2
        self.dots_ = ax.scatter(differences[seen], heights, s=size, color=faint(), linewidths=0)
        below = -0.3 * tallest
        ax.set_ylim(2.0 * below, 1.12 * tallest)
        outside = differences[~seen]
        self.outside_ = edges(ax, outside, [0.5 * tallest] * len(outside))
        draw_difference(
            ax,
            self,
            tallest=tallest,
            below=below,
            values=self._label_of_dots(),
            estimated=self.estimated,
        )
        if not given:
            grow(ax)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<PairedDifferencesDisplay of {a!r} and {b!r}>"

    def _label_of_dots(self) -> str:
        n, unit = len(self.differences), {"dataset": "data set"}.get(self.unit, self.unit)
        return f"{n:,} {unit}{'s' * (n != 1)}"

    def _height(self) -> float:
        return 1.0 if self._width is None else 0.75


def _stack(differences: np.ndarray, width: float) -> tuple[np.ndarray, float]:
    """Heights that pile dots of similar value on each other, as in a dot plot."""
    if not len(differences):
        return differences, 4.0
    bins = np.rint((differences - differences.min()) / width).astype(int)
    heights = np.empty(len(differences))
    for value in np.unique(bins):
        members = np.flatnonzero(bins == value)
        heights[members] = np.arange(1, len(members) + 1)
    return heights, max(float(heights.max()), 4.0)
