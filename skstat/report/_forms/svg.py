"""Rows on an axis as SVG: in the colour of the text around them, verdicts in their own."""

import math
from collections.abc import Sequence

import numpy as np

from skstat._names import clip_all
from skstat.report._blocks import Bar, Bars, Ranks, Tone
from skstat.report._forms.escape import escape_html
from skstat.report._words import decimals_for, fixed, short

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15
# In pixels: a letter, the axis of several rows and of one, what is free at its ends, a row,
# what stands above the rows, a lane of bars, and a density.
_LETTER, _AXIS, _WIDTH, _FREE, _ROW, _HEAD, _LANE, _CURVE = 7, 250, 420, 12, 18, 24, 9, 52
_NAME, _SIDE = 31, 20  # letters of names
_FAINT, _DASHED = ' stroke-opacity="0.6"', ' stroke-dasharray="3 3"'
_OPEN, _BOLD, _QUIET = ' fill="none"', ' font-weight="bold"', ' opacity="0.7"'
_BEHIND, _LINE, _DOT, _TEXT = range(4)  # what lies over what


class _Picture:
    """Shapes on an axis, and labels in the order in which they are read out."""

    def __init__(self, ends: tuple[float, float], left: float, right: float) -> None:
        self.ends, self.left, self.right = ends, left, right
        self.shapes: list[tuple[int, str]] = []

    def x(self, value: float) -> float:
        """Return the place of a value; what has no end ends at the edge."""
        if math.isinf(value):
            return self.right if value > 0 else self.left
        low, high = self.ends
        room = self.right - self.left - 2 * _FREE
        return round(self.left + _FREE + (value - low) / (high - low) * room, 1)

    def area(self, points: Sequence[tuple[float, float]], opacity: float, tone: Tone) -> None:
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        look = f'fill-opacity="{opacity}" stroke="none"{_tone(tone)}'
        self.shapes.append((_BEHIND, f'<polygon points="{corners}" {look}/>'))

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "") -> None:
        line = f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{look}/>'
        self.shapes.append((_LINE, line))

    def dot(self, value: float, y: float, look: str) -> None:
        if math.isfinite(value):
            circle = f'<circle cx="{self.x(value)}" cy="{y}" r="4.5"{look}/>'
            self.shapes.append((_DOT, circle))

    def label(
        self, x: float, y: float, text: str, at: str = "start", size: int = 12, look: str = ""
    ) -> None:
        # The blank keeps labels apart where a page drops the drawing and leaves its words.
        look = f'text-anchor="{at}" font-size="{size}" stroke="none"{look}'
        font = 'font-family="system-ui, sans-serif"'
        label = f'<text x="{x}" y="{y}" {font} {look}>{escape_html(text)}</text> '
        self.shapes += [(_TEXT, label)] * bool(text)

    def interval(self, bar: Bar, y: float) -> None:
        """Draw limits as bars; a side without a limit goes on to the edge, with an arrow."""
        if math.isnan(bar.low) or math.isnan(bar.high):
            return
        begin, end = self.x(bar.low), self.x(bar.high)
        self.line(begin, y, end, y, f' stroke-width="3"{_tone(bar.tone)}')
        for x, limit, inwards in ((begin, bar.low, 5), (end, bar.high, -5)):
            ends = [(x, y - 5, x, y + 5)]
            if math.isinf(limit):
                ends = [(x, y, x + inwards, far) for far in (y - 5, y + 5)]
            for each in ends:
                self.line(*each, f' stroke-width="2"{_tone(bar.tone)}')

    def axis(self, y: float, most: int) -> None:
        self.line(self.x(self.ends[0]), y, self.x(self.ends[1]), y, _FAINT)
        for value, text in _ticks(*self.ends, most):
            self.line(self.x(value), y, self.x(value), y + 4, _FAINT)
            self.label(self.x(value), y + 16, text, "middle", 11)

    def svg(self, width: float, height: float, says: str) -> str:
        shown = f'width="{_SCALE * width:.0f}" height="{_SCALE * height:.0f}"'
        shapes = (shape for _, shape in sorted(self.shapes, key=lambda each: each[0]))
        return (
            f'<svg role="img" aria-label="{escape_html(says)}" {shown} '
            f'viewBox="0 0 {width} {height}" '
            'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
            f"{''.join(shapes)}</svg>"
        )


def draw(block: Bars | Ranks) -> str:
    """Draw intervals below each other, or ranks with bars beside those that are alike."""
    if isinstance(block, Bars):
        return _draw(block)
    n = len(block.names)
    limits = block.limits or [(math.nan, math.nan)] * n
    tones: Sequence[Tone] = block.tones or [""] * n
    found = zip(block.names, block.ranks, limits, tones, strict=True)
    rows = [Bar(name, low, rank, high, tone) for name, rank, (low, high), tone in found]
    return _draw(Bars(rows, title=block.title, zero=False, says=block.says), block)


def _draw(bars: Bars, ranks: Ranks | None = None) -> str:
    """Draw rows on one axis; the only one without a name has it around zero, and its size."""
    alone = len(bars.rows) == 1 and not bars.rows[0].name
    names = [""] if alone else clip_all((bar.name for bar in bars.rows), _NAME)
    near = bars.rope if bars.law else bars.margin or 0.0
    known = [value for bar in bars.rows for value in bar[1:4]]
    known += [*bars.marks, *(bars.inner or ())]
    known = list(filter(math.isfinite, known + [-near, near] * bars.zero))
    reach = max(map(abs, known)) or 1.0
    low, high = (-1.3 * reach, 1.3 * reach) if alone else (min(known), max(known))
    if ranks:
        low, high = math.floor(low), math.ceil(high)
    ends = (low, high) if low < high else (low - reach / 20, high + reach / 20)
    left = 0 if alone else _LETTER * max(len(bars.title), *map(len, names)) + 10
    right = left + (_WIDTH if alone else _AXIS)
    head = _HEAD + (8 + _CURVE * bool(bars.law)) * alone
    bottom = head + _ROW * len(names) + 4 + 9 * alone
    picture = _Picture(ends, left, right)
    picture.label(left - 6, 13, bars.title, "end", 11, _QUIET)
    sides = clip_all((bars.left, bars.right), _SIDE)
    before, after = (f"{name} {bars.side}".strip() for name in sides)
    if alone or bars.left:
        picture.label(left, 13, f"\N{LEFTWARDS ARROW} {before}", size=11)
    if near:
        _band(picture, bars, near, bottom)
    if bars.law:
        _density(picture, bars, head - 10)
    for row, (bar, name) in enumerate(zip(bars.rows, names, strict=True)):
        y = head + _ROW * (row + 0.5)
        look = _BOLD if ranks and bar.name == ranks.control else ""
        picture.label(left - 6, y + 4, name, "end", look=look)
        picture.interval(bar, y)
        picture.dot(bar.estimate, y, _tone(bar.tone))
        if bars.marks:
            picture.dot(bars.marks[row], y, _OPEN)
    picture.axis(bottom, 5)
    if alone or bars.right:
        picture.label(right, 13, f"{after} \N{RIGHTWARDS ARROW}", "end", 11)
    if bars.mark_says:
        picture.dot(ends[0], 9, _OPEN)
        picture.label(left + 22, 13, bars.mark_says, size=11)
    if bars.zero:  # below the size of one difference, which would stand on it
        picture.line(picture.x(0.0), head - 6 + 9 * alone, picture.x(0.0), bottom, _DASHED)
    lanes = _lanes(ranks) if ranks else []
    for first, last, lane in lanes:
        x, look = right + 6 + _LANE * lane, ' stroke-width="3" stroke-linecap="round"'
        picture.line(x, head + _ROW * first + 4, x, head + _ROW * (last + 1) - 4, look)
    read = (f"{name} {_read(bar)}" for name, bar in zip(names, bars.rows, strict=True))
    says = bars.says if alone else f"{bars.says}: {'; '.join(read)}"
    height = bottom + 22
    if alone:
        height += _size(picture, bars, known, head + _ROW / 2, height)
    width = right + 8 * (not alone) + _LANE * len({lane for *_, lane in lanes})
    return picture.svg(width, height, says)


def _band(picture: _Picture, bars: Bars, near: float, bottom: float) -> None:
    """Draw the differences that do not matter; of one interval, write how large they may be."""
    left, right = picture.x(-near), picture.x(near)
    corners = [(left, 18.0), (right, 18.0), (right, bottom), (left, bottom)]
    picture.area(corners, 0.12, "")
    if picture.left == 0:
        text = f"{'region' if bars.law else 'margin'} \N{PLUS-MINUS SIGN}{short(near)}"
        is_beside = right + 3 + _LETTER * len(text) < _WIDTH
        at, anchor = (right + 3, "start") if is_beside else (right - 3, "end")
        picture.label(at, bottom - 4, text, anchor, 10)


def _density(picture: _Picture, bars: Bars, bottom: float) -> None:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    at, heights = np.array(bars.law).T
    low, high = picture.ends
    top = heights[(at > low) & (at < high)].max(initial=0.0) or math.inf
    cuts: list[tuple[float, float, Tone]] = [
        (low, -bars.rope, bars.sides[0]),
        (bars.rope, high, bars.sides[1]),
        (-bars.rope, bars.rope, "equivalent"),
    ]
    for begin, end, tone in cuts:
        places = [begin, *at[(at > begin) & (at < end)], end]
        sizes = _CURVE * np.interp(places, at, heights, left=0.0, right=0.0) / top
        edge = [
            (picture.x(place), bottom - size) for place, size in zip(places, sizes, strict=True)
        ]
        picture.area([(edge[0][0], bottom), *edge, (edge[-1][0], bottom)], 0.35, tone)


def _size(
    picture: _Picture, bars: Bars, known: Sequence[float], y: float, height: float
) -> int:
    """Write the size of one difference, draw what decides about its margin; return its room."""
    (bar,) = bars.rows
    text = fixed(bar.estimate, decimals_for(known), sign=True)
    half = _LETTER * len(text) / 2
    x = min(max(picture.x(bar.estimate), half), _WIDTH - half)
    picture.label(x, y - 8, text, "middle", look=_BOLD)
    if bars.inner is None:
        return 0
    low, high = map(picture.x, bars.inner)
    picture.line(low, y, high, y, f' stroke-width="7"{_tone(bar.tone)}')
    picture.label(_WIDTH / 2, height + 12, f"thick: {bars.inner_says}", "middle", 10)
    return 20


def _read(bar: Bar) -> str:
    """Write what a row shows, for those who cannot see it."""
    if math.isnan(bar.low) or bar.low == bar.high:
        return short(bar.estimate)
    ends = (short(end) if math.isfinite(end) else "no limit" for end in (bar.low, bar.high))
    return " to ".join(ends)


def _lanes(ranks: Ranks) -> list[tuple[int, int, int]]:
    """Return the rows that each group begins and ends at, and a lane that is free there."""
    ends: list[int] = []  # of the last bar in every lane
    found = []
    for group in ranks.groups:
        if len(group) > 1:
            first, last = (ranks.names.index(name) for name in (group[0], group[-1]))
            lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
            ends[lane : lane + 1] = [last]
            found.append((first, last, lane))
    return found


def _tone(tone: Tone) -> str:
    return f' class="skstat-{tone}"' if tone else ""


def _ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Choose round values on an axis, as far from each other, and write them.

    Examples
    --------
    >>> _ticks(-0.043, 0.043, most=5)
    [(-0.04, '−0.04'), (-0.02, '−0.02'), (0.0, '0'), (0.02, '0.02'), (0.04, '0.04')]
    """
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1.0, 2.0, 5.0, 10.0, 20.0):  # the last leaves few enough
        step = factor * power
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < most:
            break
    values = [number * step for number in range(first, last + 1)]
    return [(value, f"{value:.12g}".replace("-", "\N{MINUS SIGN}")) for value in values]
