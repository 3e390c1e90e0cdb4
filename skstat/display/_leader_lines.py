"""Names on both sides of an axis, each with a line that leads to its place on it."""

from collections.abc import Sequence
from typing import Any

from skstat._names import LONGEST, clip
from skstat.display._style import scale

# Widths in points: how far lines stick out of the axis, and the gap to what they lead to.
_STUB = 10.0
_GAP = 4.0
# Width in points of the label of a ruler.
_LABEL = 64.0
# Most of the width that names may take; where there is little of it they are clipped.
_SHARE = 0.68
_SHORTEST = 10


def stack(
    intervals: Sequence[tuple[float, float]], gap: float
) -> list[tuple[float, float, int]]:
    """Give every interval the first level on which it touches no other."""
    ends: list[float] = []
    stacked = []
    for low, high in sorted(intervals):
        free = [level for level, end in enumerate(ends) if low > end + gap]
        level = free[0] if free else len(ends)
        ends[level : level + 1] = [high]
        stacked.append((low, high, level))
    return stacked


def write_beside(
    ax: Any,
    sides: dict[int, list[int]],
    *,
    names: Sequence[str],
    values: Sequence[float],
    looks: Sequence[dict[str, Any]],
    bold: int | None,
    first: float,
    row: float,
    ruler: float | None,
    low_at_right: bool,
    fitted: bool = False,
) -> list[Any]:
    """Write values and names beside an axis, make room for them, and lead to their places.

    `sides` has the two ends of the axis, the lower one first, and who is named there from
    the row `first` down: the outermost one first, or lines would cross. A row is `row` points
    high, a name as many rows as it has lines. A ruler of the given length is to fit in from the
    left end of the axis. Names that are not `fitted` are cut to the room. Return the names.
    """
    import matplotlib

    low, high = sides
    size = min(matplotlib.rcParams["font.size"], 0.7 * row)
    width = 72 * ax.bbox.width / ax.figure.dpi
    longest = [max((len(names[i]) for i in side), default=0) for side in sides.values()]
    limit = None if fitted else _limit(_SHARE * width / size, longest)
    labels: dict[int, Any] = {}
    room = {}
    rows: dict[int, list[float]] = {}
    for end, side in sides.items():
        sign = 1 if (end == low) == low_at_right else -1
        away = _STUB + _GAP
        texts = [f"{values[i]:.2f}" for i in side]
        shown = [names[i] if limit is None else clip(names[i], limit) for i in side]
        places = rows[end] = _rows(first, shown)
        numbers = _column(ax, end, places, texts, sign * away, size=0.85 * size, alpha=0.75)
        away += _widest(numbers) + _GAP
        written = _column(ax, end, places, shown, sign * away, size=size, linespacing=1.1)
        for i, text in zip(side, written, strict=True):
            text.set_fontweight("bold" if i == bold else "normal")
            labels[i] = text
        room[end] = away + _widest(written) if side else _GAP

    left, right = (high, low) if low_at_right else (low, high)
    axis = max(width - sum(room.values()), 0.2 * width)
    if ruler:
        axis = min(axis, (width - room[left] - _LABEL * scale()) * (high - low) / ruler)
        room[right] = width - room[left] - axis
    point = (high - low) / axis
    limits = low - point * room[low], high + point * room[high]
    ax.set_xlim(limits[::-1] if low_at_right else limits)
    for end, stub in ((low, -_STUB), (high, _STUB)):
        for y, i in zip(rows[end], sides[end], strict=True):
            xs = [values[i], values[i], end + stub * point]
            ys = [0, y, y]
            ax.plot(xs, ys, linewidth=1, clip_on=False, markevery=[0], **looks[i])
    return [labels[i] for i in range(len(names))]


def _limit(width: float, longest: Sequence[int]) -> int:
    """Most letters of a name, given the longest of each side, and a width in font sizes."""

    def taken(limit: int) -> float:
        ranks = 4.5
        return sum(ranks + 0.6 * min(n, limit) for n in longest)

    fitting = (limit for limit in range(LONGEST, _SHORTEST, -1) if taken(limit) <= width)
    return next(fitting, _SHORTEST)


def _rows(first: float, texts: list[str]) -> list[float]:
    """Middles of texts below each other, of as many rows as they have lines."""
    places, top = [], first - 0.5
    for text in texts:
        n_lines = 1 + text.count("\n")
        places.append(top + n_lines / 2)
        top += n_lines
    return places


def _column(
    ax: Any, x: float, rows: list[float], texts: list[str], away: float, **look: Any
) -> list[Any]:
    """Write one below the other, as many points away from x."""
    return [
        ax.annotate(
            text,
            (x, y),
            xytext=(away, 0),
            textcoords="offset points",
            ha="left" if away > 0 else "right",
            va="center",
            parse_math=False,
            annotation_clip=False,
            **look,
        )
        for y, text in zip(rows, texts, strict=True)
    ]


def _widest(texts: list[Any]) -> float:
    """Width of the widest text in points."""
    return max((72 * t.get_window_extent().width / t.figure.dpi for t in texts), default=0.0)
