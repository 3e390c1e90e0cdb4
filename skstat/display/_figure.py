"""What all displays share: how they are drawn and saved, and what they draw on axes.

Matplotlib is imported when it is needed.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat._names import clip, listed, one_line
from skstat.display._style import (
    LONGEST_SHOWN,
    PRINT,
    SAVED,
    colour,
    fold,
    ink,
    point,
    pyplot,
    scale,
    text_width,
    whole,
)

Width = float | Literal["column", "text"]
_WIDTHS = {"column": 3.3, "text": 6.9}
_DASHES = ("-", (0, (5, 1.5)), "-.", (0, (1.5, 1)))


@dataclass(eq=False, kw_only=True, repr=False)
class Display(ABC):
    """Numbers that can be drawn; the artists are kept as attributes that end in ``_``."""

    _shows: ClassVar[str] = "names"  # the field that says of what it is
    ax_: Any = field(default=None, init=False)
    figure_: Any = field(default=None, init=False)
    _width: float | None = field(default=None, init=False)
    _on_axes: bool = field(default=False, init=False)

    def plot(self, ax: Any = None, *, width: Width | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9. The height follows. Default: as wide as
            it needs, with text as in the style that is in use.

        Returns
        -------
        display
            Itself, with ``ax_``, ``figure_`` and the artists that the class names.
        """
        if width is not None and ax is not None:
            raise TypeError("width= is that of a new figure; without ax=.")
        inches: Any = _WIDTHS.get(width) if isinstance(width, str) else width
        if width is not None and (inches is None or not inches > 0):
            options = " or ".join(f"{name!r} ({size})" for name, size in _WIDTHS.items())
            raise ValueError(f"width={width!r} must be above 0: inches, {options}.")
        self._width, self._on_axes = inches, ax is not None
        with pyplot().rc_context({} if width is None else PRINT):
            self.ax_ = self._plot(ax)
            self.figure_ = self.ax_.figure
            if width is not None:  # ticks are made when they are first drawn, in sizes of then
                self.figure_.draw_without_rendering()
        return self

    def save(self, path: Any, *, width: Width | None = None) -> Self:
        """Save as PDF, SVG or PNG, by the end of the name.

        Parameters
        ----------
        path : str or path
            Where to.
        width : float or {"column", "text"}, optional
            Draw it anew for print, so many inches wide, as in :meth:`plot`. Default:
            what was drawn last, or if nothing was, a figure as wide as it needs.

        Returns
        -------
        display
            Itself.

        Notes
        -----
        Letters in a PDF are embedded as TrueType fonts: journals refuse the Type 3 fonts
        that are matplotlib's default.
        """
        if width is not None or self.figure_ is None:
            self.plot(width=width)
        with pyplot().rc_context(SAVED):
            self.figure_.savefig(path)
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {listed(map(clip, getattr(self, self._shows)))}>"

    @abstractmethod
    def _plot(self, ax: Any) -> Any:
        """Draw on the axes, or on those of a new figure; return them."""

    def _axes(self, ax: Any, *, figsize: tuple[float, float]) -> Any:
        """Return `ax`, or the axes of a new figure: in inches, or as wide as was asked."""
        if ax is None:
            size = self._width or figsize[0], figsize[1]
            _, ax = pyplot().subplots(figsize=size, layout="constrained")
        return ax

    def _fitted(self, ax: Any) -> Any:
        """Return the axes; a new figure is made high enough for what stands around them."""
        if not self._on_axes:
            grow(ax)
        return ax


def draw_interval(ax: Any, low: float, high: float, y: float, verdict: str) -> None:
    """Draw an interval in the colour of its verdict; arrows where the axis cuts it."""
    if math.isnan(low) or math.isnan(high):
        return
    left, right = ax.get_xlim()
    line = {"color": colour(verdict), "linewidth": 2.5 * scale(), "solid_capstyle": "butt"}
    ax.plot(np.clip([low, high], left, right), [y, y], **line)
    for end, beyond, edge, arrow in (
        (low, low < left, left, "<"),
        (high, high > right, right, ">"),
    ):
        look: dict[str, Any] = {"markersize": 9 * scale(), "markeredgewidth": 1.5}
        if beyond:
            look = {"markersize": 6 * scale(), "clip_on": False, "gid": "cut"}
        if beyond or left <= end <= right:
            mark = {"marker": arrow if beyond else "|", "linestyle": "none"}
            ax.plot([edge if beyond else end], [y], color=colour(verdict), **mark, **look)


def draw_estimate(
    ax: Any,
    y: float,
    estimate: float,
    interval: tuple[float, float],
    verdict: str,
    inner: tuple[float, float] | None = None,
) -> None:
    """Draw an estimate on its interval, of which a part may be thick.

    One that is out of view is written at the edge that it lies beyond.
    """
    draw_interval(ax, *interval, y, verdict)
    left, right = ax.get_xlim()
    if inner is not None:
        look = {"linewidth": 5 * scale(), "solid_capstyle": "butt", "gid": "inner interval"}
        ax.plot(np.clip(inner, left, right), [y, y], color=colour(verdict), **look)
    if left <= estimate <= right:
        ax.plot([estimate], [y], **point(verdict))
    elif not math.isnan(estimate):
        edge, side = (left, "left") if estimate < left else (right, "right")
        look = {"ha": side, "va": "bottom", "fontsize": "small", "color": colour(verdict)}
        ax.text(edge, y, f"  {estimate:.3g}  ", **look)


def draw_zero(ax: Any) -> None:
    ax.axvline(0, color=ink(), linewidth=0.8, alpha=0.7, zorder=0.9)


def draw_margin(ax: Any, margin: float) -> None:
    """Shade the differences that are too small to matter."""
    look = {"color": colour("equivalent"), "alpha": 0.16, "linewidth": 0, "gid": "margin"}
    ax.axvspan(-margin, margin, zorder=0, **look)


def name_sides(ax: Any, left: str, right: str, *, width: float) -> None:
    """Write above the axis, `width` inches wide, what its sides mean."""
    left = left and f"\N{LEFTWARDS ARROW} {one_line(left)}"
    right = right and f"{one_line(right)} \N{RIGHTWARDS ARROW}"
    both = text_width(left + right) + 0.2 <= width
    room = width if both else max(width / 2 - 0.1, 0.5)
    for side, text in (("left", left), ("right", right)):
        ax.set_title(fold(text, room), loc=side, fontsize="medium", parse_math=False)


def write_difference(ax: Any, display: Any, shaded: str, chances: Any = ("", "")) -> None:
    """Say below the axis what is drawn, and above it whom the sides favour, and how much."""
    a, b = (clip(name, LONGEST_SHOWN) for name in display.names)
    # The sides of the drawing say who is better.
    higher = display.higher_is_better
    lower = "" if higher else "; lower is better"
    what = f"difference in {clip(display.metric, 40)} ({a} \N{MINUS SIGN} {b}{lower})"
    width = write_below(ax, what, shaded)
    favoured = [f"{name} {display.better}" for name in ((b, a) if higher else (a, b))]
    sides = zip(favoured, chances, strict=True)
    left, right = (": ".join(filter(None, side)) for side in sides)
    name_sides(ax, left, right, width=width)


def write_below(ax: Any, *lines: str, min_width: float = 0.9) -> float:
    """Write lines below the axis that are no longer than it; return inches of the longest."""
    ax.set_xlabel("x")
    width = max(width_of_axes(ax), min_width)
    text = "\n".join(fold(line, width) for line in lines if line)
    ax.set_xlabel(text, parse_math=False)
    return width


def width_of_axes(ax: Any) -> float:
    """Inches for a line of text that is as long as the axes are going to be."""
    if ax.figure.get_layout_engine() is not None:
        fix_layout(ax)
    # Letters on a screen are hinted, and a little wider than in print.
    return 0.93 * float(ax.get_window_extent().width / ax.figure.dpi)


def extra_lines(ax: Any) -> int:
    """Lines around the axes beyond one above and one below."""
    above = max(ax.get_title(side).count("\n") for side in ("left", "right"))
    return int(ax.get_xlabel().count("\n") + above)


def grow(ax: Any) -> None:
    """Make a figure higher by the legend, and by the lines that texts take beyond one each."""
    legend = ax.get_legend()
    below = 0.0 if legend is None else legend.get_window_extent().height / ax.figure.dpi
    grow_by(ax, 0.165 * scale() * extra_lines(ax) + below)


def grow_by(ax: Any, inches: float) -> None:
    ax.figure.set_figheight(ax.figure.get_figheight() + inches)


def row_names(ax: Any, names: Mapping[float, str]) -> None:
    """Name what is drawn at some heights at the left, instead of a legend."""
    texts = [fold(name, 1.1, size=0.83) for name in names.values()]
    ax.set_yticks([*names], texts, parse_math=False)
    ax.tick_params(axis="y", length=0, labelsize="small")
    hide_spines(ax, "left", "right", "top")


def view(
    values: NDArray[np.float64], interval: tuple[float, float], required: Iterable[float]
) -> tuple[float, float]:
    """Limits of the axis: the interval decides them, and not the outliers.

    All values are in view unless the interval took less than a tenth of the width then;
    what is `kept` always is.
    """
    ends = [end for end in interval if math.isfinite(end)]
    points = np.array([*ends, *required], dtype=float)
    low, high = float(points.min()), float(points.max())
    if len(values):
        middle = (low + high) / 2
        reach = 5 * (high - low)
        shown = values if not reach else np.clip(values, middle - reach, middle + reach)
        low, high = min(low, float(shown.min())), max(high, float(shown.max()))
    room = 0.06 * (high - low) or 0.01
    return low - room, high + room


def fix_layout(ax: Any) -> None:
    """Give the axes of a new figure the place that they are going to have."""
    ax.figure.get_layout_engine().execute(ax.figure)


def line_look(number: int) -> dict[str, Any]:
    """Colour and dashes of one of many lines: for who cannot see colours, too."""
    return {
        "color": f"C{number % 10}",
        "linestyle": _DASHES[number % len(_DASHES)],
        "linewidth": 2 * scale(),
    }


def legend_below(ax: Any, keys: Sequence[tuple[Any, str]]) -> None:
    """Say what is what below all texts of the axes, in as many columns as fit."""
    if not keys:
        return
    small = 0.83
    margin = 0.6 * scale()  # inches of what is explained, and of the gaps around
    width = width_of_axes(ax)
    texts = [whole(text, max(width - margin, 1.0), size=small) for _, text in keys]
    widest = max(text_width(text, size=small) for text in texts) + margin
    written = ax.xaxis.get_tightbbox()
    below = 0.0 if written is None else max(0.0, ax.bbox.y0 - written.y0)
    # A label that begins with an underscore would be left out, and a dollar start a formula.
    handles, names = [handle for handle, _ in keys], ["x"] * len(keys)
    pad = 0.4 + 7.2 * below / ax.figure.dpi / (small * scale())
    position = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "borderaxespad": pad}
    look = {"handlelength": 2.8, "frameon": False, "fontsize": "small"}
    n_columns = max(1, min(len(keys), int(width / widest)))
    legend = ax.legend(handles, names, ncols=n_columns, **position, **look)
    for entry, text in zip(legend.get_texts(), texts, strict=True):
        entry.set_parse_math(False)
        entry.set_text(text)


def hide_spines(ax: Any, *sides: str) -> None:
    for side in sides:
        ax.spines[side].set_visible(False)


def whole_ranks(low: float, high: float, limit: int = 12) -> range:
    """Ranks to put ticks at, not more than about `most`."""
    step = max(1, math.ceil((high - low) / limit))
    return range(math.ceil(low), math.floor(high) + 1, step)
