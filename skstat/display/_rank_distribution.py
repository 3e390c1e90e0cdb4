"""How often each learner has which rank."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat.display._display import Display
from skstat.display._figure import fix_layout, rank_rows, whole_ranks, width_of
from skstat.display._style import colour, faint

# Ranks closer than this, in points, leave no room for numbers of two digits at half of them.
_CLOSEST_WRITTEN = 26.0


@dataclass(eq=False, kw_only=True, repr=False)
class RankDistributionDisplay(Display):
    """A row per learner: a disc at each rank it has, as large as the rank is frequent.

    A learner with a mean rank of 2 may always be second, or sometimes first and sometimes last.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_learners)
        Ranks within the data sets, 1 is best; nan where one is missing.
    names : list of str
        Names of the learners.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    discs_ : matplotlib PathCollection
        The discs; their areas are proportional to numbers of data sets.
    means_ : matplotlib Line2D
        Marks of the mean ranks, in the order of `names`.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import RankDistributionDisplay
    >>> display = RankDistributionDisplay(
    ...     ranks=np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0], [1.5, 1.5]]), names=["A", "B"]
    ... )
    >>> display.plot().means_.get_xdata().tolist()
    [1.375, 1.625]
    """

    ranks: Any
    names: list[str]
    discs_: Any = field(default=None, init=False)
    means_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ranks = np.asarray(self.ranks, dtype=float)
        n, k = ranks.shape
        given = ax is not None
        width = 1.6 + width_of(self.names) + 0.36 * max(k, 8)
        ax = self._axes(ax, figsize=(width, 1.1 + 0.42 * k))
        columns = [column[np.isfinite(column)] for column in ranks.T]
        means = [float(np.mean(column)) if len(column) else np.nan for column in columns]
        rows = rank_rows(ax, self.names, means)
        ax.set_xlim(0.4, k + 0.6)
        ax.set_xticks(whole_ranks(1, k, most=20))
        ax.set_xlabel(
            f"rank (1 = best, at the left) on {n:,} data set{'s' * (n != 1)}\n"
            "area: how many of them; triangle: mean rank"
        )
        if not given:
            # The size of the discs depends on that of the axes.
            fix_layout(ax)
        counts = [np.unique(column, return_counts=True) for column in columns]
        discs = [
            (rank, row, count)
            for row, counted in zip(rows, counts, strict=True)
            for rank, count in zip(*counted, strict=True)
        ]
        x, y, n_times = np.array(discs).reshape(-1, 3).T
        width, height = ax.bbox.size * 72 / ax.figure.dpi / (k + 0.2)
        areas = (0.74 * min(width, height)) ** 2 * n_times / n_times.max(initial=1)
        self.discs_ = ax.scatter(x, y, s=areas, color=faint(), linewidth=0, zorder=2)
        if width >= _CLOSEST_WRITTEN:
            for rank, row, count in discs:
                ax.text(rank, row, f"{count}", fontsize="x-small", ha="center", va="center")
        (self.means_,) = ax.plot(
            means, np.array(rows) + 0.4, marker="^", color=colour("better"), linestyle="none"
        )
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        n, k = np.shape(self.ranks)
        return f"<RankDistributionDisplay of {k} learners on {n} data sets>"
