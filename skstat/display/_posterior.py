"""Posterior of a difference, or probabilities of three outcomes in a triangle."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat._names import clip
from skstat.display import _figure as figure
from skstat.display._style import LONGEST_SHOWN, colour, ink, scale, whole

_HEIGHT = math.sqrt(3) / 2


@dataclass(eq=False, kw_only=True, repr=False)
class PosteriorDisplay(figure.Display):
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
        indices = np.searchsorted(at, cuts)
        heights = np.insert(heights, indices, np.interp(cuts, at, heights))
        at = np.insert(at, indices, cuts)
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
        return self._fitted(ax)


@dataclass(eq=False, kw_only=True, repr=False)
class SimplexDisplay(figure.Display):
    """Draws of the chances that A is better, that both are the same, and that B is better.

    A draw that is near a corner gives that corner most of the chance. Between the corners are
    the borders of the three parts in which the chance of a corner is the largest.

    Parameters
    ----------
    chances : ndarray of shape (n_draws, 3)
        Draws of the chances that A is better, both are practically the same, B is better.
    probabilities : sequence of str
        Probability of each of the three to have the largest chance, as it is to be read.
    names : tuple of str
        Labels of A and B.
    rope : float, default=0.0
        Half width of the region of practical equivalence.
    metric : str, default="score"
        Name of the score.
    better : str, default="better"
        What the corner of a system says of it.
    where : str, default="on units like these"
        On what the chances are, in words.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    dots_ : matplotlib PathCollection
        The draws, at ``(A + same / 2, sqrt(3) / 2 * same)``.
    texts_ : list of matplotlib Text
        The names of the corners A, same and B, with their probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import SimplexDisplay
    >>> chances = np.random.default_rng(0).dirichlet([8, 3, 2], 500)
    >>> display = SimplexDisplay(
    ...     chances=chances, probabilities=("0.93", "0.05", "0.02"), names=("tree", "NB")
    ... )
    >>> display.plot().dots_.get_offsets().shape
    (500, 2)
    """

    chances: Any
    probabilities: Sequence[str]
    names: tuple[str, str]
    rope: float = 0.0
    metric: str = "score"
    better: str = "better"
    where: str = "on units like these"
    dots_: Any = field(default=None, init=False)
    texts_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(5.4, 5.2 if self._width is None else 0.96 * self._width))
        chances = np.asarray(self.chances, dtype=float)
        corners = np.array([[1, 0], [0.5, _HEIGHT], [0, 0]])
        ax.plot(*corners[[0, 1, 2, 0]].T, color=ink(), linewidth=1)
        border = {"color": ink(), "linewidth": 0.8, "linestyle": "--", "alpha": 0.6}
        for first, second in ((0, 1), (1, 2), (0, 2)):
            ends = [corners.mean(axis=0), corners[[first, second]].mean(axis=0)]
            ax.plot(*np.array(ends).T, **border)
        tones = [colour(verdict) for verdict in ("better", "equivalent", "worse")]
        size = float(np.clip(9000 / max(1, len(chances)), 3, 20)) * scale() ** 2
        shades = [tones[largest] for largest in chances.argmax(axis=1)]
        look = {"alpha": 0.45, "linewidths": 0, "zorder": 2}
        self.dots_ = ax.scatter(*(chances @ corners).T, s=size, c=shades, **look)
        best, worst = (f"{clip(name, LONGEST_SHOWN)} {self.better}" for name in self.names)
        width = 0.42 * float(ax.get_window_extent().width / ax.figure.dpi)
        points = (
            (1.0, -0.035, "right", "top"),
            (0.5, _HEIGHT + 0.02, "center", "bottom"),
            (0.0, -0.035, "left", "top"),
        )
        rows = zip((best, "practically the same", worst), self.probabilities, strict=True)
        self.texts_ = [
            ax.text(left, low, text, ha=across, va=along, color=tone, parse_math=False)
            for (left, low, across, along), text, tone in zip(
                points, (f"{whole(name, width)}\n{p}" for name, p in rows), tones, strict=True
            )
        ]
        # Below the corners there is room for as many lines as their names take.
        lines = max(text.get_text().count("\n") for text in self.texts_[::2]) + 1
        line = 0.165 * scale() * 1.08 / min(ax.get_window_extent().size / ax.figure.dpi)
        if not self._on_axes:
            figure.grow_by(ax, 0.165 * scale() * max(lines - 2, 0))
        ax.set(xlim=(-0.04, 1.04), ylim=(-0.06 - line * lines, _HEIGHT + 0.14))
        ax.set(xticks=[], yticks=[])
        ax.set_aspect("equal")
        figure.hide_spines(ax, *ax.spines)
        region = f", region \N{PLUS-MINUS SIGN}{self.rope:g}" if self.rope else ""
        what = f"chances {self.where}, in {clip(self.metric, 40)}{region}"
        note = "beside each corner: the probability that its chance is the largest"
        figure.write_below(ax, f"{what}; {note}")
        return ax
