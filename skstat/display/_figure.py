"""Figures and axes that displays draw on; matplotlib is imported when it is needed."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._names import LONGEST, clip, inert
from skstat.display._style import (
    LONGEST_SHOWN,
    colour,
    faint,
    fold,
    ink,
    scale,
    text_width,
    whole,
)

_DASHES = ("-", (0, (5, 1.5)), "-.", (0, (1.5, 1)))
# Beyond, lines between the cells of a heat map would take more ink than the cells.
_MOST_PARTED = 60


def draw_interval(ax: Any, low: float, high: float, y: float, verdict: str) -> None:
    """Draw an interval in the colour of its verdict, open ends beyond the edge."""
    left, right = ax.get_xlim()
    reach = right - left
    line = {"color": colour(verdict), "linewidth": 2.5 * scale(), "solid_capstyle": "butt"}
    ax.plot([max(low, left - reach), min(high, right + reach)], [y, y], **line)
    ends = [end for end in (low, high) if math.isfinite(end)]
    ax.plot(
        ends,
        [y] * len(ends),
        color=colour(verdict),
        marker="|",
        markersize=9 * scale(),
        markeredgewidth=1.5,
        linestyle="none",
    )


def draw_inner(ax: Any, low: float, high: float, y: float, verdict: str) -> None:
    """Thicken the part of an interval that decides about a margin."""
    left, right = ax.get_xlim()
    ends = [max(low, left), min(high, right)]
    (line,) = ax.plot(
        ends, [y, y], color=colour(verdict), linewidth=5 * scale(), solid_capstyle="butt"
    )
    line.set_gid("inner interval")


def draw_zero(ax: Any) -> None:
    ax.axvline(0, color=ink(), linewidth=0.8, alpha=0.7, zorder=0.9)


def draw_margin(ax: Any, margin: float) -> Any:
    """Shade the differences that are too small to matter."""
    band = ax.axvspan(
        -margin, margin, color=colour("equivalent"), alpha=0.16, linewidth=0, zorder=0
    )
    band.set_gid("margin")
    return band


def edges(ax: Any, xs: Iterable[float], ys: Iterable[float]) -> tuple[int, int]:
    """Mark points that are out of view at the edge they lie beyond, and count them."""
    left, right = ax.get_xlim()
    points = list(zip(xs, ys, strict=True))
    counts = []
    for edge, marker, out in (
        (left, "<", [y for x, y in points if x < left]),
        (right, ">", [y for x, y in points if x > right]),
    ):
        counts.append(len(out))
        if not out:  # a line without points has a place in the layout, the corner
            continue
        ax.plot(
            [edge] * len(out),
            out,
            marker=marker,
            markersize=5 * scale(),
            color=faint(),
            linestyle="none",
            clip_on=False,
        )
    return counts[0], counts[1]


def name_sides(ax: Any, left: str, right: str, *, width: float) -> None:
    """Write above the axis, `width` inches wide, what the sides of 0 mean."""
    both = text_width(left + right) + 0.2 <= width
    room = width if both else max(width / 2 - 0.1, 0.5)
    for side, text in (("left", left), ("right", right)):
        ax.set_title(inert(fold(text, room)), loc=side, fontsize="medium", parse_math=False)


def sides_of_two(names: tuple[str, str], *, higher_is_better: bool) -> tuple[str, str]:
    """Say on which side of 0 which of two systems is better."""
    a, b = (clip(name, LONGEST_SHOWN) for name in names)
    left, right = (b, a) if higher_is_better else (a, b)
    return f"\N{LEFTWARDS ARROW} {left} better", f"{right} better \N{RIGHTWARDS ARROW}"


def better_way(higher_is_better: bool) -> str:
    """Say which way the values are better."""
    return f"{'higher' if higher_is_better else 'lower'} is better"


def difference_of(names: tuple[str, str], metric: str, *, higher_is_better: bool) -> str:
    """Say what is drawn: a difference of what, of whom from whom."""
    a, b = (clip(name, LONGEST_SHOWN) for name in names)
    # The sides of the drawing say who is better.
    lower = "" if higher_is_better else "; lower is better"
    return f"difference in {clip(metric, 40)} ({a} \N{MINUS SIGN} {b}{lower})"


def write_axis(
    ax: Any,
    names: tuple[str, str],
    metric: str,
    margin: float | None,
    *,
    higher_is_better: bool,
) -> None:
    """Say below the axis what is drawn, and above it whom the sides favour."""
    what = difference_of(names, metric, higher_is_better=higher_is_better)
    ax.set_xlabel("x")
    width = width_of_axes(ax)
    shaded = "" if margin is None else f"\nshaded: margin \N{PLUS-MINUS SIGN}{margin:g}"
    ax.set_xlabel(fold(what, width) + shaded, parse_math=False)
    left, right = sides_of_two(names, higher_is_better=higher_is_better)
    name_sides(ax, left, right, width=width)


def width_of_axes(ax: Any) -> float:
    """Inches for a line of text that is as long as the axes are going to be."""
    if ax.figure.get_layout_engine() is not None:
        fix_layout(ax)
    # Letters on a screen are hinted, and a little wider than in print.
    return 0.93 * float(ax.get_window_extent().width / ax.figure.dpi)


def grow(ax: Any) -> None:
    """Make a figure higher by the lines that texts around its axes take beyond one each."""
    titles = [ax.get_title(side).count("\n") for side in ("left", "right")]
    lines = ax.get_xlabel().count("\n") + max(titles)
    figure = ax.figure
    figure.set_figheight(figure.get_figheight() + 0.165 * scale() * lines)


def row_names(ax: Any, places: Sequence[float], texts: Sequence[str]) -> None:
    """Name what is drawn at the left, instead of a legend."""
    ax.set_yticks(places, texts, parse_math=False)
    ax.tick_params(axis="y", length=0, labelsize="small")


def view(
    values: NDArray[np.float64], interval: tuple[float, float], kept: Iterable[float]
) -> tuple[float, float]:
    """Limits of the axis: the interval decides them, and not the outliers.

    All values are in view unless the interval took less than a tenth of the width then;
    what is `kept` always is.
    """
    ends = [end for end in interval if math.isfinite(end)]
    must = np.array([*ends, *kept], dtype=float)
    low, high = float(must.min()), float(must.max())
    if len(values):
        middle = (low + high) / 2
        reach = 5 * (high - low)
        seen = values if not reach else np.clip(values, middle - reach, middle + reach)
        low, high = min(low, float(seen.min())), max(high, float(seen.max()))
    room = 0.06 * (high - low) or 0.01
    return low - room, high + room


def width_of(names: Iterable[str], limit: int = LONGEST, *, size: float = 1.0) -> float:
    """Inches that the longest of the names takes."""
    return max((text_width(clip(name, limit), size=size) for name in names), default=0)


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


def legend_below(ax: Any, told: Sequence[tuple[Any, str]]) -> None:
    """Say what is what below all texts of the axes, in as many columns as fit."""
    if not told:
        return
    small = 0.83
    beside = 0.6 * scale()  # inches of what is explained, and of the gaps around
    width = width_of_axes(ax)
    texts = [whole(text, max(width - beside, 1.0), size=small) for _, text in told]
    widest = max(text_width(text, size=small) for text in texts) + beside
    below = ax.bbox.y0 - min(ax.bbox.y0, ax.xaxis.get_tightbbox().y0)
    # A label that begins with an underscore would be left out, and a dollar start a formula.
    legend = ax.legend(
        [handle for handle, _ in told],
        ["x"] * len(told),
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        borderaxespad=0.4 + 7.2 * below / ax.figure.dpi / (small * scale()),
        ncols=max(1, min(len(told), int(width / widest))),
        handlelength=2.8,
        frameon=False,
        fontsize="small",
    )
    for entry, text in zip(legend.get_texts(), texts, strict=True):
        entry.set_parse_math(False)
        entry.set_text(text)


def hide_spines(ax: Any, *sides: str) -> None:
    for side in sides:
        ax.spines[side].set_visible(False)


def rank_rows(ax: Any, names: Sequence[str], mean_ranks: Sequence[float]) -> list[int]:
    """Make a row for every learner, the best on top, and return where each of them went."""
    # A learner without a rank, nan, goes to the bottom.
    order = sorted(range(len(names)), key=lambda i: (math.isnan(mean_ranks[i]), mean_ranks[i]))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_yticks(range(len(names)), [clip(names[i]) for i in order], parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=True, alpha=0.2)
    ax.set_axisbelow(True)
    hide_spines(ax, "left", "right", "top")
    return [order.index(i) for i in range(len(names))]


def whole_ranks(low: float, high: float, most: int = 12) -> range:
    """Ranks to put ticks at, not more than about `most`."""
    step = max(1, math.ceil((high - low) / most))
    return range(math.ceil(low), math.floor(high) + 1, step)


def heat_map(
    ax: Any,
    values: NDArray[np.float64],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    cmap: str,
    limits: tuple[float, float],
    label: str,
) -> Any:
    """Draw cells with named rows and columns and a colour bar; nan leaves a cell out."""
    import matplotlib

    parted = max(values.shape) <= _MOST_PARTED
    mesh = ax.pcolormesh(
        np.ma.masked_invalid(values),
        cmap=cmap,
        vmin=limits[0],
        vmax=limits[1],
        edgecolors=matplotlib.rcParams["axes.facecolor"] if parted else "none",
        linewidth=1.5 if parted else 0,
    )
    ax.grid(visible=False)
    ax.set_xlim(0, len(columns))
    ax.set_ylim(len(rows), 0)
    slanted = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    # Names of rows and the colour bar are going to take up to half of the width.
    room = 5.5 * ax.bbox.width / ax.figure.dpi / len(columns)
    fits = max(len(clip(name)) for name in columns) <= room
    for axis, names, look in (
        (ax.xaxis, columns, {} if fits else slanted),
        (ax.yaxis, rows, {}),
    ):
        places = np.arange(len(names)) + 0.5
        axis.set_ticks(places, [clip(name) for name in names], parse_math=False, **look)
    ax.tick_params(length=0)
    hide_spines(ax, *ax.spines)
    bar = ax.figure.colorbar(mesh, ax=ax)
    bar.set_label(label, parse_math=False)
    bar.outline.set_visible(False)
    return mesh


def write_cells(
    ax: Any, mesh: Any, texts: Sequence[Sequence[str]], *, bold: NDArray[np.bool_]
) -> None:
    """Write into every cell that has a colour, in black or white as reads better on it.

    Nothing is written where a text is wider than its cell.
    """
    cell = width_of_axes(ax) / bold.shape[1]
    if max(text_width(text, size=0.83) for row in texts for text in row) > 1.1 * cell:
        return
    values = np.ma.masked_invalid(mesh.get_array()).reshape(bold.shape)
    for (row, column), value in np.ndenumerate(values.filled(np.nan)):
        if not math.isnan(value):
            ax.text(
                column + 0.5,
                row + 0.5,
                texts[row][column],
                ha="center",
                va="center",
                fontsize="small",
                fontweight="bold" if bold[row, column] else "normal",
                color=_readable_on(mesh.cmap(mesh.norm(value))),
            )


def _readable_on(colour: Sequence[float]) -> str:
    """Black or white, by the relative luminance of WCAG 2."""
    rgb = np.asarray(colour[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else "white"
