"""A leaderboard: scores with intervals, the ranks that are possible, and tie groups."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from skstat._names import clip, clip_all
from skstat.display._display import Display
from skstat.display._figure import better_way, hide_spines, whole_ranks, width_of_axes
from skstat.display._style import colour, faint, fold, ink, scale, whole

# Shares of the width that the panels of scores and ranks have, and of what is between them.
_SCORES, _GAP = 0.47, 0.06
# Heights in inches: of a row where there are few, and of the least that a name needs.
_ROW, _LEAST_ROW = 0.3, 0.17
_NARROWEST = 0.9  # inches of a line below a panel


@dataclass(eq=False, kw_only=True, repr=False)
class LeaderboardDisplay(Display):
    """One row per system: its score, and the ranks that it may have.

    Systems that may be the best are coloured. At the right stand letters: systems that share
    one do not differ significantly.

    Parameters
    ----------
    names : list of str
        Names of the systems, the best first.
    scores : list of float
        Their scores.
    ranks : list of int
        Their ranks; 1 is best.
    rank_intervals : list of tuple of int
        Lowest and highest rank that each may have, simultaneous.
    confidence_level : float
        Level of the intervals.
    metric : str, default="score"
        Name of the score.
    score_intervals : list of tuple of float, optional
        Interval of each score by itself.
    letters : list of str, optional
        Letters of the groups without a significant difference.
    resampled : list of tuple of int, optional
        Ranks that the middle resamples gave each system.
    may_be_best : list of bool, optional
        Which of the systems may be the best.
    higher_is_better : bool, default=True
        Whether higher scores are better.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    panels_ : dict of str to matplotlib Axes
        The two panels, ``"scores"`` and ``"ranks"``.
    bars_ : matplotlib BarContainer
        The bars of the ranks, in the order of `names`.

    Examples
    --------
    >>> from skstat.display import LeaderboardDisplay
    >>> display = LeaderboardDisplay(
    ...     names=["A", "B", "C"], scores=[0.9, 0.88, 0.6], ranks=[1, 2, 3],
    ...     rank_intervals=[(1, 2), (1, 2), (3, 3)], confidence_level=0.95,
    ... )
    >>> [float(bar.get_x()) for bar in display.plot().bars_]
    [0.6, 0.6, 2.6]
    """

    names: list[str]
    scores: Sequence[float]
    ranks: Sequence[int]
    rank_intervals: Sequence[tuple[int, int]]
    confidence_level: float
    metric: str = "score"
    score_intervals: Sequence[tuple[float, float]] | None = None
    letters: Sequence[str] | None = None
    resampled: Sequence[tuple[int, int]] | None = None
    may_be_best: Sequence[bool] | None = None
    higher_is_better: bool = True
    panels_: Any = field(default=None, init=False)
    bars_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        k = len(self.names)
        room = 0.4 * self._width if self._width else 4.0
        labels = (
            clip_all(self.names)
            if ax is not None
            else [whole(name, room) for name in self.names]
        )
        lines = max(label.count("\n") + 1 for label in labels)
        row = max(_LEAST_ROW * lines * scale(), min(_ROW, 9 / k))
        ax = self._axes(ax, figsize=(9.0, 1.3 + row * k))
        ax.set_axis_off()
        ax.set_xlabel("score, and rank")
        scores = ax.inset_axes((0.0, 0.0, _SCORES, 1.0))
        ranks = ax.inset_axes((_SCORES + _GAP, 0.0, 1 - _SCORES - _GAP, 1.0))
        for panel in (scores, ranks):
            panel.set_ylim(k - 0.4, -0.6)
            panel.tick_params(axis="y", length=0)
            panel.set_axisbelow(True)
            hide_spines(panel, "left", "right", "top")
        scores.set_yticks(range(k), labels, parse_math=False)
        self.panels_ = {"scores": scores, "ranks": ranks}
        looks = [
            colour("better") if best else faint() for best in self.may_be_best or [False] * k
        ]
        self._draw_scores(scores, looks)
        self._draw_ranks(ranks, looks)
        for panel in (scores, ranks):
            panel.grid(visible=True, alpha=0.2)
        self._write(scores, ranks)
        return self._drawn_on(ax)

    def _draw_scores(self, ax: Any, looks: Sequence[str]) -> None:
        for row, (low, high) in enumerate(self.score_intervals or ()):
            if not (math.isnan(low) or math.isnan(high)):
                ax.plot([low, high], [row, row], color=looks[row], linewidth=2.5 * scale())
        for row, (score, look) in enumerate(zip(self.scores, looks, strict=True)):
            ax.plot([score], [row], marker="o", markersize=5.5 * scale(), color=look)
        if not self.higher_is_better:
            ax.invert_xaxis()

    def _draw_ranks(self, ax: Any, looks: Sequence[str]) -> None:
        rows = range(len(self.names))
        lows = [low - 0.4 for low, _ in self.rank_intervals]
        self.bars_ = ax.barh(
            rows,
            [
                high + 0.4 - left
                for left, (_, high) in zip(lows, self.rank_intervals, strict=True)
            ],
            left=lows,
            height=0.62,
            color=looks,
            alpha=0.45,
            linewidth=0,
        )
        for row, (low, high) in enumerate(self.resampled or ()):
            ax.plot([low - 0.15, high + 0.15], [row, row], color=ink(), linewidth=1.2 * scale())
        ax.plot(
            self.ranks, rows, marker="D", markersize=4 * scale(), color=ink(), linestyle="none"
        )
        k = len(self.names)
        ax.set_xlim(0.4, k + 0.6)
        ax.set_xticks(whole_ranks(1, k, most=9))
        ax.yaxis.tick_right()
        ax.tick_params(axis="y", length=0)
        ax.set_yticks(rows, list(self.letters or [""] * k), parse_math=False)

    def _write(self, scores: Any, ranks: Any) -> None:
        level = f"{100 * self.confidence_level:g}%"
        way = better_way(self.higher_is_better)
        alone = f"\nline: {level} interval" if self.score_intervals else ""
        drawn = f"\nline: {level} of resamples" if self.resampled else ""
        for panel, text in (
            (scores, f"{clip(self.metric, 40)} ({way}){alone}"),
            (ranks, f"rank (1 = best)\nbar: {level} confidence in all{drawn}"),
        ):
            panel.set_xlabel("x")
            width = max(width_of_axes(panel), _NARROWEST)
            folded = "\n".join(fold(line, width) for line in text.split("\n"))
            panel.set_xlabel(folded, parse_math=False)
        if any(self.may_be_best or ()):
            scores.set_title(
                "may be the best", loc="left", color=colour("better"), fontsize="medium"
            )
        if any(self.letters or ()):
            ranks.set_title("tie groups", loc="right", fontsize="medium")

    def __repr__(self) -> str:
        return f"<LeaderboardDisplay of {len(self.names)} systems>"
