"""Estimates and intervals of several comparisons against zero (a forest plot)."""

import math
from dataclasses import dataclass, field
from typing import Any, Self

from skstat.display._figure import axes


@dataclass(eq=False, kw_only=True)
class IntervalsDisplay:
    """One row per comparison: its estimate and interval against zero.

    Parameters
    ----------
    labels : list of str
        Names of the rows, from the top.
    estimates : list of float
        Estimated effects.
    intervals : list of tuple of float
        Their confidence intervals; infinite ends run off the edge, nan is left out.
    confidence_level : float
        Level of every interval.
    name : str
        Label of A, which positive values favour.

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
    intervals: list[tuple[float, float]]
    confidence_level: float
    name: str
    ax_: Any = field(default=None, init=False)
    figure_: Any = field(default=None, init=False)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        IntervalsDisplay
            Itself, with ``ax_`` and ``figure_``.
        """
        n = len(self.labels)
        ax = axes(ax, figsize=(7.0, 1.2 + 0.45 * n))
        finite = [
            value
            for values in (*self.intervals, (*self.estimates, 0.0))
            for value in values
            if math.isfinite(value)
        ]
        low, high = min(finite), max(finite)
        margin = 0.1 * (high - low) or 0.01
        ax.set_xlim(low - margin, high + margin)
        for y, (estimate, interval) in enumerate(
            zip(self.estimates, self.intervals, strict=True)
        ):
            if not any(map(math.isnan, interval)):
                left, right = (
                    min(max(end, low - 2 * margin), high + 2 * margin) for end in interval
                )
                ax.plot([left, right], [y, y], color="C0", linewidth=2.5)
            ax.plot([estimate], [y], marker="D", color="C0")
        ax.axvline(0, color="0.5", linestyle="--", linewidth=1)
        ax.set_ylim(n - 0.5, -0.5)
        ax.set_yticks(range(n), self.labels, parse_math=False)
        ax.set_xlabel(f"difference in score, {100 * self.confidence_level:g}% interval")
        ax.set_title(
            f"{self.name} better \N{RIGHTWARDS ARROW}",
            loc="right",
            fontsize="medium",
            parse_math=False,
        )
        for side in ("left", "right", "top"):
            ax.spines[side].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
