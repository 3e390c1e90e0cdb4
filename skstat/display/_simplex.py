"""Chances of three things as points of a triangle, whose corners are named."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines, width_of_axes
from skstat.display._style import LONGEST_SHOWN, colour, fold, ink, scale, whole

_HEIGHT = math.sqrt(3) / 2


@dataclass(eq=False, kw_only=True, repr=False)
class SimplexDisplay(Display):
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
    where: str = "on units like these"
    dots_: Any = field(default=None, init=False)
    texts_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(5.4, 5.2 if self._width is None else 0.96 * self._width))
        a, same, _ = np.asarray(self.chances, dtype=float).T
        x, y = a + same / 2, _HEIGHT * same
        corners = np.array([[1, 0], [0.5, _HEIGHT], [0, 0]])
        ax.plot(*np.vstack([corners, corners[:1]]).T, color=ink(), linewidth=1)
        middle = corners.mean(axis=0)
        for first, second in ((0, 1), (1, 2), (0, 2)):
            edge = (corners[first] + corners[second]) / 2
            ax.plot(
                *np.array([middle, edge]).T,
                color=ink(),
                linewidth=0.8,
                linestyle="--",
                alpha=0.6,
            )
        of_draws = [colour(("better", "equivalent", "worse")[k]) for k in self._largest()]
        size = float(np.clip(9000 / max(1, len(x)), 3, 20)) * scale() ** 2
        self.dots_ = ax.scatter(x, y, s=size, c=of_draws, alpha=0.45, linewidths=0, zorder=2)
        best, worst = (clip(name, LONGEST_SHOWN) for name in self.names)
        tones = ("better", "equivalent", "worse")
        named = (f"{best} better", "practically the same", f"{worst} better")
        places = (
            (1.0, -0.035, "right", "top"),
            (0.5, _HEIGHT + 0.02, "center", "bottom"),
            (0.0, -0.035, "left", "top"),
        )
        width = 0.42 * float(ax.get_window_extent().width / ax.figure.dpi)
        self.texts_ = [
            ax.text(
                left, low, f"{whole(name, width)}\n{probability}", ha=across, va=along,
                color=colour(tone), parse_math=False,
            )
            for (left, low, across, along), name, probability, tone in zip(
                places, named, self.probabilities, tones, strict=True
            )
        ]  # fmt: skip
        ax.set_xlim(-0.04, 1.04)
        ax.set_ylim(-0.17, _HEIGHT + 0.14)
        ax.set_aspect("equal")
        ax.set_xticks([])
        ax.set_yticks([])
        hide_spines(ax, *ax.spines)
        region = f", region \N{PLUS-MINUS SIGN}{self.rope:g}" if self.rope else ""
        said = (
            f"chances {self.where}, in {clip(self.metric, 40)}{region}; beside each corner: "
            "the probability that its chance is the largest"
        )
        ax.set_xlabel("x")
        ax.set_xlabel(fold(said, width_of_axes(ax)), parse_math=False)
        return self._drawn_on(ax)

    def _largest(self) -> Any:
        return np.asarray(self.chances, dtype=float).argmax(axis=1)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<SimplexDisplay of {a!r} and {b!r}>"
