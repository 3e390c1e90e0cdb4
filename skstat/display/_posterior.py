"""What is probable of a difference: its law, with the region of practical equivalence."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat.display import _figure as figure
from skstat.display._display import Display
from skstat.display._style import colour


@dataclass(eq=False, kw_only=True, repr=False)
class PosteriorDisplay(Display):
    """The law of a difference of two systems, cut at the ends of the region.

    Parameters
    ----------
    differences, density : ndarray of shape (n_points,)
        The law: a density that integrates to 1, at rising differences.
    rope : float
        Half width of the region of practical equivalence, which is shaded; 0 for none.
    probabilities : sequence of str
        Probabilities, as they are to be read: below the region, inside, and above. Of these
        three the middle one is left out without a region. They stand beside the names.
    interval : tuple of float
        Limits of the credible interval.
    confidence_level : float
        Its probability.
    names : tuple of str
        Labels of the two systems.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Whether values above 0 favour the first; not those of losses.
    better : str, default="better"
        What the side of a system says of it.
    subject : str, default="the difference"
        What the law is of, in words.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    areas_ : list of matplotlib PolyCollection
        What lies below the region, inside and above.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import PosteriorDisplay
    >>> at = np.linspace(-3, 5, 81)
    >>> display = PosteriorDisplay(
    ...     differences=at, density=np.exp(-((at - 1) ** 2) / 2) / np.sqrt(2 * np.pi), rope=0.5,
    ...     probabilities=("0.067", "0.242", "0.691"), interval=(-0.96, 2.96),
    ...     confidence_level=0.95, names=("tree", "NB"),
    ... )
    >>> display.plot().ax_.get_title("right")
    'tree better: 0.691 →'
    """

    differences: Any
    density: Any
    rope: float
    probabilities: Sequence[str]
    interval: tuple[float, float]
    confidence_level: float
    names: tuple[str, str]
    metric: str = "score"
    higher_is_better: bool = True
    better: str = "better"
    subject: str = "the difference"
    areas_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(7.0, 2.9 if self._width is None else 2.1))
        at, heights = np.asarray(self.differences, float), np.asarray(self.density, float)
        cuts = [end for end in (-self.rope, self.rope) if at[0] < end < at[-1]]
        places = np.searchsorted(at, cuts)
        heights = np.insert(heights, places, np.interp(cuts, at, heights))
        at = np.insert(at, places, cuts)
        tallest = float(heights.max())
        below = -0.14 * tallest
        room = 0.02 * (at[-1] - at[0])
        ax.set_xlim(min(at[0], -self.rope) - room, max(at[-1], self.rope) + room)
        ax.set_ylim(2.1 * below, 1.1 * tallest)
        left, right = ("worse", "better") if self.higher_is_better else ("better", "worse")
        parts = [(at <= -self.rope, left), (at >= self.rope, right)]
        low, middle, high = self.probabilities
        shaded = ""
        if self.rope:
            parts.insert(1, (np.abs(at) <= self.rope, "equivalent"))
            figure.draw_margin(ax, self.rope)
            shaded = f"shaded: region \N{PLUS-MINUS SIGN}{self.rope:g}, probability {middle}"
        self.areas_ = [
            ax.fill_between(at, heights, where=where, color=colour(tone), alpha=0.55, lw=0)
            for where, tone in parts
        ]
        ax.plot(at, heights, color=colour("undecided"), linewidth=1.2)
        figure.draw_zero(ax)
        figure.draw_interval(ax, *self.interval, below, "undecided")
        level = f"{100 * self.confidence_level:g}% credible interval"
        figure.row_names(ax, {tallest / 2: f"probability of {self.subject}", below: level})
        figure.write_difference(ax, self, shaded, (low, high))
        return self._grown(ax)
