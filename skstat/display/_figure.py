"""Figures and axes that displays draw on; matplotlib is imported when it is needed."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._names import LONGEST, clip

# Beyond, lines between the cells of a heat map would take more ink than the cells.
_MOST_PARTED = 60
_LONGEST_SIDE = 20  # letters of the name of whom a side favours


def axes(ax: Any, *, figsize: tuple[float, float]) -> Any:
    """Return `ax`, or the axes of a new figure of the given size in inches."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "plot() needs matplotlib: pip install 'skstat[matplotlib]'."
        ) from error
    if ax is not None:
        return ax
    _, ax = plt.subplots(figsize=figsize, layout="constrained")
    return ax


def draw_interval(ax: Any, low: float, high: float, y: float, differences: np.ndarray) -> None:
    reach = 10 * float(np.abs(differences).max() or 1)
    ends = [end for end in (low, high) if math.isfinite(end)]
    ax.plot([max(low, -reach), min(high, reach)], [y, y], color="C1", linewidth=2.5)
    ax.plot(ends, [y] * len(ends), color="C1", marker="|", markersize=11, linestyle="none")


def draw_margin(ax: Any, margin: float) -> None:
    """Mark the smallest differences that matter, in both directions."""
    label = f"margin \N{PLUS-MINUS SIGN}{margin:g}"
    for side, text in ((-1, label), (1, "_again")):  # one entry of the legend for both
        ax.axvline(side * margin, color="0.5", linestyle=":", linewidth=1, label=text)


def direction(higher_is_better: bool) -> str:
    """Say which difference it is, and of losses which side is better."""
    lower = "" if higher_is_better else "; lower is better"
    return f"A \N{MINUS SIGN} B{lower}"


def name_sides(ax: Any, names: tuple[str, str], *, higher_is_better: bool) -> None:
    """Write above the axis on which side of 0 which of two systems is better."""
    a, b = (clip(name, _LONGEST_SIDE) for name in names)
    left, right = (b, a) if higher_is_better else (a, b)
    for side, text in (
        ("left", f"\N{LEFTWARDS ARROW} {left} better"),
        ("right", f"{right} better \N{RIGHTWARDS ARROW}"),
    ):
        ax.set_title(text, loc=side, fontsize="medium", parse_math=False)


def ink() -> Any:
    """Colour of text in the style that is in use: light where the ground is dark."""
    import matplotlib

    return matplotlib.rcParams["text.color"]


def width_of(names: Iterable[str], limit: int = LONGEST) -> float:
    """Inches that the longest of the names takes, roughly."""
    return 0.08 * max((len(clip(name, limit)) for name in names), default=0)


def fix_layout(ax: Any) -> None:
    """Give the axes of a new figure the place that they are going to have."""
    ax.figure.get_layout_engine().execute(ax.figure)


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
    """Write into every cell that has a colour, in black or white as reads better on it."""
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
