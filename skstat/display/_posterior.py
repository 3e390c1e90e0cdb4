"""What is probable of a difference: its law, with the region of practical equivalence."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat.display._display import Display
from skstat.display._figure import (
    draw_interval,
    draw_zero,
    grow,
    hide_spines,
    row_names,
    write_difference,
)
from skstat.display._style import colour, fold, text_width


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
        three the middle one is left out without a region.
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
    texts_ : list of matplotlib Text
        The probabilities.

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
    >>> [text.get_text() for text in display.plot().texts_]
    ['0.067', '0.242', '0.691']
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
    subject: str = "the difference"
    areas_: Any = field(default=None, init=False)
    texts_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        given = ax is not None
        ax = self._axes(ax, figsize=(7.0, 3.2 if self._width is None else 2.4))
        at = np.asarray(self.differences, dtype=float)
        heights = np.asarray(self.density, dtype=float)
        cuts = [end for end in (-self.rope, self.rope) if at[0] < end < at[-1]]
        heights = np.insert(heights, np.searchsorted(at, cuts), np.interp(cuts, at, heights))
        at = np.insert(at, np.searchsorted(at, cuts), cuts)
        tallest = float(heights.max())
        below = -0.14 * tallest
        room = 0.02 * (at[-1] - at[0])
        ax.set_xlim(min(at[0], -self.rope) - room, max(at[-1], self.rope) + room)
        ax.set_ylim(2.1 * below, 1.3 * tallest)
        left, right = ("worse", "better") if self.higher_is_better else ("better", "worse")
        parts = [(at <= -self.rope, left), (at >= self.rope, right)]
        if self.rope:
            parts.insert(1, (np.abs(at) <= self.rope, "equivalent"))
            band = ax.axvspan(
                -self.rope, self.rope, color=colour("equivalent"), alpha=0.12, linewidth=0,
                zorder=0,
            )  # fmt: skip
            band.set_gid("rope")
        self.areas_ = [
            ax.fill_between(
                at, heights, where=where, color=colour(tone), alpha=0.55, linewidth=0,
            )
            for where, tone in parts
        ]  # fmt: skip
        ax.plot(at, heights, color=colour("undecided"), linewidth=1.2)
        self.texts_ = self._write(ax, 1.12 * tallest, [tone for _, tone in parts])
        draw_zero(ax)
        start, end = self.interval
        draw_interval(ax, start, end, below, "undecided")
        level = f"{100 * self.confidence_level:g}% credible interval"
        row_names(
            ax,
            [tallest / 2, below],
            [fold(name, 1.1, size=0.83) for name in (f"probability of {self.subject}", level)],
        )
        hide_spines(ax, "left", "right", "top")
        shaded = f"shaded: region \N{PLUS-MINUS SIGN}{self.rope:g}" if self.rope else ""
        write_difference(
            ax, self.names, self.metric, shaded, higher_is_better=self.higher_is_better
        )
        if not given:
            grow(ax)
        return self._drawn_on(ax)

    def _write(self, ax: Any, height: float, tones: list[str]) -> list[Any]:
        """Write the probabilities above what they are of, or beside it if that is narrow."""
        low, high = ax.get_xlim()
        shown = list(self.probabilities)
        if not self.rope:
            del shown[1]
        inches = ax.bbox.width / ax.figure.dpi
        half = 0.65 * max(map(text_width, shown)) / inches * (high - low)
        left, right = (low - self.rope) / 2, (high + self.rope) / 2
        inner = [0.0] * bool(self.rope)
        room = half if not self.rope or self.rope > half else 2 * half
        places = [min(left, -self.rope - room), *inner, max(right, self.rope + room)]
        if not self.rope or self.rope > half:
            places[0] = min(left, -self.rope - half / 2)
            places[-1] = max(right, self.rope + half / 2)
        ax.set_xlim(min(low, places[0] - half), max(high, places[-1] + half))
        return [
            ax.text(
                place, height, text, ha="center", color=colour(tone), fontweight="bold",
                parse_math=False,
            )
            for place, text, tone in zip(places, shown, tones, strict=True)
        ]  # fmt: skip

    def __repr__(self) -> str:
        a, b = self.names
        return f"<PosteriorDisplay of {a!r} and {b!r}>"
