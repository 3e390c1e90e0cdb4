"""Bootstrap replicates of a difference, with the interval made of them."""

import math
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat.display._display import Display
from skstat.display._figure import grow
from skstat.display._one_difference import draw_difference, limits_of
from skstat.display._style import faint

_BINS = 36
# Up to here every value gets a bar of its own.
_MOST_BARS = 64
_MOST_BINS = 400


@dataclass(eq=False, kw_only=True, repr=False)
class ResamplingDisplay(Display):
    """A histogram of bootstrap replicates, and the interval of the difference below.

    Parameters
    ----------
    replicates : ndarray of shape (n_resamples,)
        Score of the first system minus that of the second on every resample; may be empty.
    estimate : float
        The difference on the test set itself.
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
    margin : float, optional
        The smallest difference that matters; the band of smaller ones is shaded.
    inner_interval : tuple of float, optional
        The interval by which the margin is decided, which is drawn thick.
    inner_level : float, optional
        Its level.
    verdict : str, default="undecided"
        What was found about the first of `names`, which gives the interval its colour:
        "better", "worse", "equivalent", "not inferior" or "undecided".
    drawn : bool, default=True
        Whether the replicates were drawn; else they are quantiles of a distribution that is
        known without draws.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    bars_ : matplotlib BarContainer
        The bars of the histogram; none without replicates.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.display import ResamplingDisplay
    >>> display = ResamplingDisplay(
    ...     replicates=np.array([0.01, 0.02, 0.02, 0.03, 0.02]), estimate=0.02,
    ...     interval=(0.01, 0.03), confidence_level=0.95, names=("tree", "NB"),
    ... )
    >>> [int(bar.get_height()) for bar in display.plot().bars_]
    [1, 3, 1]
    """

    replicates: Any
    estimate: float
    interval: tuple[float, float]
    confidence_level: float
    names: tuple[str, str]
    metric: str = "score"
    higher_is_better: bool = True
    margin: float | None = None
    inner_interval: tuple[float, float] | None = None
    inner_level: float | None = None
    verdict: str = "undecided"
    drawn: bool = True
    bars_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        given = ax is not None
        ax = self._axes(ax, figsize=(7.0, 2.9 if self._width is None else 2.2))
        replicates = np.asarray(self.replicates, dtype=float)
        low_x, high_x = limits_of(self, replicates)
        centres, heights, width = _bars(replicates, high_x - low_x)
        tallest = float(heights.max(initial=1.0))
        below = -0.28 * tallest
        if len(centres):
            low_x = min(low_x, centres[0] - 0.6 * width)
            high_x = max(high_x, centres[-1] + 0.6 * width)
        ax.set_xlim(low_x, high_x)
        ax.set_ylim(1.9 * below, 1.1 * tallest)
        self.bars_ = ax.bar(centres, heights, width=width, color=faint())
        if not len(replicates):
            ax.text(0.53, 0.6, "no resample could differ", transform=ax.transAxes)
        n = len(replicates)
        counted = f"{n:,} bootstrap replicate{'s' * (n != 1)}"
        if not self.drawn:
            counted = "bootstrap distribution"
        draw_difference(
            ax,
            self,
            tallest=tallest,
            below=below,
            values=counted,
            estimated="observed difference",
        )
        if not given:
            grow(ax)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<ResamplingDisplay of {a!r} and {b!r}>"


_Bars = tuple[NDArray[np.float64], NDArray[Any], float]


def _bars(replicates: NDArray[np.float64], span: float) -> _Bars:
    """Centres, heights and the width of bars.

    Differences of proportions come in steps. Bins that are not a multiple of the step would
    hold two values here and three there, and show waves that are not in the data.
    """
    # Float noise makes many values of one.
    noise = 1e-9 * span
    values, counts = np.unique(np.rint(replicates / noise), return_counts=True)
    values = values * noise
    if len(values) < 2:
        return values, counts, span / 24
    step = _step(values, 4 * noise)
    n_steps = (values[-1] - values[0]) / step if step else math.inf
    few = len(values) <= min(_MOST_BARS, len(replicates) / 2)
    if few and (n_steps < 2 * _MOST_BARS or not step):
        narrowest = float(np.diff(values).min())
        return values, counts, float(np.clip(0.85 * narrowest, span / 300, span / 15))
    width = _width(replicates)
    low, high = float(values[0]), float(values[-1])
    if step:
        width = step * max(1, round(width / step))
        # Edges lie between values, and the last bin may have room to spare.
        low -= step / 2
        n_bins = math.ceil((high + step / 4 - low) / width)
    else:
        n_bins = max(1, round((high - low) / width))
        width = (high - low) / n_bins
    edges = low + width * np.arange(n_bins + 1)
    edges[-1] = max(edges[-1], high)
    heights, _ = np.histogram(values, edges, weights=counts)
    return (edges[:-1] + edges[1:]) / 2, heights, width


def _width(replicates: NDArray[np.float64]) -> float:
    """Width of bins that show the bulk of the replicates, however far a few are away."""
    n_bins = min(_BINS, math.ceil(2 * len(replicates) ** (1 / 3)))  # Rice's rule
    low, high = np.quantile(replicates, [0.005, 0.995])
    return float(max((high - low) / n_bins, np.ptp(replicates) / _MOST_BINS))


def _step(values: NDArray[np.float64], noise: float) -> float | None:
    """Step that all values are multiples of, counted from the first; None if there is none."""
    gaps = np.diff(values)
    step = float(gaps.min())
    multiples = (values - values[0]) / step
    # The rounding of the step itself adds up over many steps.
    step = float((values[-1] - values[0]) / np.rint(multiples[-1]))
    off = np.abs((values - values[0]) - step * np.rint((values - values[0]) / step))
    return step if off.max() <= noise else None
