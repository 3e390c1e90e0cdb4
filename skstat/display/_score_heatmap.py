"""The table of scores, data sets by learners, coloured."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import better_way, heat_map, whole_ranks, width_of, write_cells

# Cells of larger tables are too small to write in, and of still longer ones to name.
_MOST_WRITTEN = (40, 16)
_MOST_NAMED = 60


@dataclass(eq=False, kw_only=True, repr=False)
class ScoreHeatmapDisplay(Display):
    """Scores of every learner on every data set, the darker the better.

    Colours show ranks within the data set by default: the scores of an easy data set and
    of a hard one are not commensurable. The best scores of a data set are bold, and
    missing ones are hatched.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, n_learners)
        The scores; nan where one is missing.
    ranks : ndarray of shape (n_datasets, n_learners)
        Their ranks within the data set; 1 is best.
    names : list of str
        Names of the learners.
    datasets : list of str
        Names of the data sets.
    metric : str, default="score"
        Name of the score.
    higher_is_better : bool, default=True
        Which scores are dark if colours show scores.
    color_by : {"rank", "score"}, default="rank"
        What colours show.
    row_word, column_word : str, default="data set", "learner"
        What a row and a column are.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    mesh_ : matplotlib QuadMesh
        The cells; missing ones are masked.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import ScoreHeatmapDisplay
    >>> display = ScoreHeatmapDisplay(
    ...     scores=np.array([[0.91, 0.88], [0.71, np.nan]]),
    ...     ranks=np.array([[1.0, 2.0], [1.0, np.nan]]),
    ...     names=["A", "B"], datasets=["iris", "wine"], metric="accuracy",
    ... )
    >>> [text.get_text() for text in display.plot().ax_.texts]
    ['0.910', '0.880', '0.710']
    """

    scores: Any
    ranks: Any
    names: list[str]
    datasets: list[str]
    metric: str = "score"
    higher_is_better: bool = True
    color_by: Literal["rank", "score"] = "rank"
    row_word: str = "data set"
    column_word: str = "learner"
    mesh_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        scores, ranks = np.asarray(self.scores, float), np.asarray(self.ranks, float)
        n, k = scores.shape
        written = n <= _MOST_WRITTEN[0] and k <= _MOST_WRITTEN[1]
        height = 1.7 + max((0.28 if written else 0.2) * min(n, _MOST_NAMED), 1.6)
        width = 1.7 + width_of(self.datasets) + max((0.6 if written else 0.28) * k, 2.0)
        ax = self._axes(ax, figsize=(width, height))
        by_rank = self.color_by == "rank"
        dark_is_low = by_rank or not self.higher_is_better
        values = np.where(np.isnan(scores), np.nan, ranks if by_rank else scores)
        known = values[np.isfinite(values)]
        self.mesh_ = heat_map(
            ax,
            values,
            rows=self.datasets,
            columns=self.names,
            cmap="Blues_r" if dark_is_low else "Blues",
            limits=(1, max(k, 2)) if by_rank or not known.size else (known.min(), known.max()),
            label=f"rank on the {self.row_word} (1 = best)"
            if by_rank
            else f"{clip(self.metric)} ({better_way(self.higher_is_better)})",
        )
        if by_rank:
            self.mesh_.colorbar.set_ticks(whole_ranks(1, k))
        if dark_is_low:
            self.mesh_.colorbar.ax.invert_yaxis()
        # Masked cells let the ground show through.
        ax.patch.set(hatch="////", edgecolor="0.6", linewidth=0)
        if written:
            best = ranks == np.fmin.reduce(ranks, axis=1, keepdims=True)
            write_cells(ax, self.mesh_, [_numerals(row) for row in scores], bold=best)
        if n > _MOST_NAMED:
            ax.set_yticks([])
            ax.set_ylabel(f"{n:,} {self.row_word}s")
        ax.set_xlabel(f"{clip(self.metric)} of each {self.column_word}", parse_math=False)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        n, k = np.shape(self.scores)
        return f"<ScoreHeatmapDisplay of {k} {self.column_word}s on {n} {self.row_word}s>"


def _numerals(scores: np.ndarray) -> list[str]:
    """Write the scores of a data set with equally many decimals, three digits or more."""
    largest = max((abs(float(score)) for score in scores if math.isfinite(score)), default=0.0)
    magnitude = math.ceil(math.log10(largest)) if largest else 0
    if not -3 <= magnitude <= 5:
        return [f"{score:.1e}" for score in scores]
    return [f"{score:.{max(3 - magnitude, 0)}f}" for score in scores]
