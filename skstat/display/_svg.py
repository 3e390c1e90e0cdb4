"""SVG pictures of estimates with intervals, for HTML, in the colour of the text around."""

import html
import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from skstat._names import clip_all, inert

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15
# In pixels: a letter, the axis, what is free at its ends, a row, what stands above the rows, a
# lane of bars, and a density.
_LETTER, _AXIS, _FREE, _ROW, _HEAD, _LANE, _CURVE = 7, 360, 20, 18, 24, 9, 52
_NAME = 31  # letters
_FAINT, _DASHED, _OPEN = ' stroke-opacity="0.6"', ' stroke-dasharray="3 3"', ' fill="none"'


def escape_html(text: str) -> str:
    """Escape for HTML, without the marks that reverse the text after them."""
    return html.escape(inert(text))


def classes(*looks: str) -> str:
    """Write the attribute that names classes of the style sheet of reports."""
    names = " ".join(f"skstat-{look}" for look in looks if look)
    return f' class="{names}"' if names else ""


class _Picture:
    """Shapes on an axis: later ones lie over earlier ones, and labels are read in order."""

    def __init__(self, ends: tuple[float, float], left: float, right: float) -> None:
        self.ends, self.left, self.right = ends, left, right
        self.shapes: list[str] = []

    def x(self, value: float) -> float:
        """Return the place of a value; what has no end ends at the edge."""
        if math.isinf(value):
            return self.right if value > 0 else self.left
        low, high = self.ends
        room = self.right - self.left - 2 * _FREE
        return round(self.left + _FREE + (value - low) / (high - low) * room, 1)

    def area(self, points: Iterable[tuple[float, float]], opacity: float, tone: str) -> None:
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        look = f'fill-opacity="{opacity}" stroke="none"{classes(tone)}'
        self.shapes.append(f'<polygon points="{corners}" {look}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "") -> None:
        self.shapes.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{look}/>')

    def label(self, x: float, y: float, text: str, at: str = "start", size: int = 11) -> None:
        # The blank keeps labels apart where a page drops the drawing and leaves its words.
        look = f'text-anchor="{at}" font-size="{size}" font-family="system-ui, sans-serif"'
        label = f'<text x="{x}" y="{y}" stroke="none" {look}>{escape_html(text)}</text> '
        self.shapes += [label] * bool(text)

    def bar(self, bar: Any, y: float) -> None:
        """Draw limits as bars; a side without a limit goes on to the edge, with an arrow."""
        look = classes(bar.tone)
        if not (math.isnan(bar.low) or math.isnan(bar.high)):
            begin, end = self.x(bar.low), self.x(bar.high)
            self.line(begin, y, end, y, f' stroke-width="3"{look}')
            for x, limit, inwards in ((begin, bar.low, 5), (end, bar.high, -5)):
                ends = [(x, y - 5, x, y + 5)]
                if math.isinf(limit):
                    ends = [(x, y, x + inwards, far) for far in (y - 5, y + 5)]
                for edge in ends:
                    self.line(*edge, f' stroke-width="2"{look}')
        if bar.inner:
            begin, end = map(self.x, bar.inner)
            self.line(begin, y, end, y, f' stroke-width="7"{look}')
        for value, style in ((bar.estimate, look), (bar.mark, _OPEN)):
            if math.isfinite(value):
                self.shapes.append(f'<circle cx="{self.x(value)}" cy="{y}" r="4.5"{style}/>')


def drawing_of(bars: Any) -> str:
    """Draw rows on one axis; zero stands in its middle where both sides of it are named.

    `bars` has what a block of bars of a report has: rows with a name, limits, an estimate and a
    tone, names of both sides, a margin, a density.
    """
    is_pair = bool(bars.left and bars.right)
    names = [""] if is_pair else clip_all((bar.name for bar in bars.rows), _NAME)
    margin = bars.margin or 0.0
    values = [-margin, margin] * bars.zero
    for bar in bars.rows:
        values += [bar.low, bar.estimate, bar.high, bar.mark, *bar.inner]
    values = list(filter(math.isfinite, values))
    reach = max(map(abs, values)) or 1.0
    low, high = bars.ends or (min(values), max(values))
    if is_pair:
        low, high = -1.3 * reach, 1.3 * reach
    elif low == high:
        low, high = low - reach / 20, high + reach / 20
    left = 0 if is_pair else _LETTER * max(len(bars.title), *map(len, names)) + 10
    right, head = left + _AXIS, _HEAD + _CURVE * bool(bars.law)
    bottom = head + _ROW * len(names) + 4
    picture = _Picture((low, high), left, right)
    picture.label(left - 6, 13, bars.title, "end")
    picture.label(left, 13, bars.left and f"\N{LEFTWARDS ARROW} {bars.left}")
    if margin:
        begin, end = picture.x(-margin), picture.x(margin)
        picture.area([(begin, 18), (end, 18), (end, bottom), (begin, bottom)], 0.12, "")
    if bars.law:
        _density(picture, bars, head - 2)
    if bars.zero:
        picture.line(picture.x(0.0), head - 6, picture.x(0.0), bottom, _DASHED)
    for row, (bar, name) in enumerate(zip(bars.rows, names, strict=True)):
        y = head + _ROW * (row + 0.5)
        picture.label(left - 6, y + 4, name, "end", 12)
        picture.bar(bar, y)
    picture.line(picture.x(low), bottom, picture.x(high), bottom, _FAINT)
    for value, text in _ticks(low, high, limit=5):
        picture.line(picture.x(value), bottom, picture.x(value), bottom + 4, _FAINT)
        picture.label(picture.x(value), bottom + 16, text, "middle")
    picture.label(right, 13, bars.right and f"{bars.right} \N{RIGHTWARDS ARROW}", "end")
    width, height = _join(picture, bars, head) + 8 * (not is_pair), bottom + 22
    return (
        f'<svg role="img" aria-label="{escape_html(bars.says)}" width="{_SCALE * width:.0f}" '
        f'height="{_SCALE * height:.0f}" viewBox="0 0 {width} {height}" '
        'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
        f"{''.join(picture.shapes)}</svg>"
    )


def _density(picture: _Picture, bars: Any, bottom: float) -> None:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    at, heights = np.array(bars.law).T
    margin, (low, high) = bars.margin or 0.0, picture.ends
    top = heights[(at > low) & (at < high)].max(initial=0.0) or math.inf
    tones = bars.sides[0], "equivalent", bars.sides[1]
    for (begin, end), tone in zip(pairwise((low, -margin, margin, high)), tones, strict=True):
        points = [begin, *at[(at > begin) & (at < end)], end]
        sizes = _CURVE * np.interp(points, at, heights, left=0.0, right=0.0) / top
        edge = [(picture.x(x), bottom - y) for x, y in zip(points, sizes, strict=True)]
        picture.area([(edge[0][0], bottom), *edge, (edge[-1][0], bottom)], 0.35, tone)


def _join(picture: _Picture, bars: Any, head: float) -> float:
    """Draw a bar beside every group, in a lane that is free there; return where they end."""
    lanes: list[int] = []  # the last row of each
    names = [bar.name for bar in bars.rows]
    for group in bars.groups:
        first, last = names.index(group[0]), names.index(group[-1])
        lane = next((i for i, end in enumerate(lanes) if end < first), len(lanes))
        lanes[lane : lane + 1] = [last]
        x, look = picture.right + 6 + _LANE * lane, ' stroke-width="3" stroke-linecap="round"'
        picture.line(x, head + _ROW * first + 4, x, head + _ROW * (last + 1) - 4, look)
    return picture.right + _LANE * len(lanes)


def _ticks(low: float, high: float, limit: int) -> list[tuple[float, str]]:
    """Choose round values on an axis, as far from each other, and write them.

    Examples
    --------
    >>> _ticks(-0.043, 0.043, limit=5)
    [(-0.04, '−0.04'), (-0.02, '−0.02'), (0.0, '0'), (0.02, '0.02'), (0.04, '0.04')]
    """
    power = 10.0 ** math.floor(math.log10((high - low) / limit))
    for factor in (1.0, 2.0, 5.0, 10.0, 20.0):  # the last leaves few enough
        step = factor * power
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < limit:
            break
    values = [number * step for number in range(first, last + 1)]
    return [(value, f"{value:.12g}".replace("-", "\N{MINUS SIGN}")) for value in values]
