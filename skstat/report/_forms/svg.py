"""Intervals and ranks as SVG: in the colour of the text around them, verdicts in their own."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from skstat._names import clip, clip_all
from skstat.report._blocks import Bar, Bars, Ranks, Tone
from skstat.report._forms.escape import escape_html
from skstat.report._words import decimals_for, fixed, short

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15
# In pixels: a letter, the axis of several rows, a row, what stands above it, a lane of bars,
# and of one interval the whole, and a density above it.
_LETTER, _AXIS, _ROW, _HEAD, _LANE, _WIDTH, _CURVE = 7, 250, 18, 24, 9, 420, 52
_NAME, _SIDE = 31, 20  # letters of names
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps of an axis
_FAINT, _DASHED = ' stroke-opacity="0.6"', ' stroke-dasharray="3 3"'
_OPEN, _BOLD, _QUIET = ' fill="none"', ' font-weight="bold"', ' opacity="0.7"'

Place: TypeAlias = Callable[[float], float]


class _Picture:
    """Shapes, what lies behind others first; labels in the order in which they are read out."""

    def __init__(self) -> None:
        self.behind: list[str] = []
        self.lines: list[str] = []
        self.dots: list[str] = []
        self.labels: list[str] = []

    def band(self, left: float, top: float, right: float, bottom: float) -> None:
        self.behind.append(
            f'<rect x="{left}" y="{top}" width="{right - left:.1f}" height="{bottom - top}" '
            'fill-opacity="0.12" stroke="none"/>'
        )

    def area(self, points: Iterable[tuple[float, float]], tone: Tone) -> None:
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.behind.append(
            f'<polygon points="{corners}" fill-opacity="0.35" stroke="none"{_tone(tone)}/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "") -> None:
        self.lines.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{look}/>')

    def dot(self, x: float, y: float, look: str = "") -> None:
        self.dots.append(f'<circle cx="{x}" cy="{y}" r="4.5"{look}/>')

    def label(
        self,
        x: float,
        y: float,
        text: str,
        anchor: str = "start",
        size: int = 12,
        look: str = "",
    ) -> None:
        at = f' text-anchor="{anchor}"' if anchor != "start" else ""
        # The blank keeps labels apart where a page drops the drawing and leaves its words.
        self.labels.append(
            f'<text x="{x}" y="{y}" font-size="{size}" stroke="none" '
            f'font-family="system-ui, sans-serif"{at}{look}>{escape_html(text)}</text> '
        )

    def interval(self, x: Place, y: float, bar: Bar, left: float, right: float) -> None:
        """Draw limits as bars; a side without a limit goes on to the edge, with an arrow."""
        begin = x(bar.low) if math.isfinite(bar.low) else left
        end = x(bar.high) if math.isfinite(bar.high) else right
        self.line(begin, y, end, y, f' stroke-width="3"{_tone(bar.tone)}')
        for at, limit, inwards in ((begin, bar.low, 5), (end, bar.high, -5)):
            ends = [(at, y - 5, at, y + 5)]
            if not math.isfinite(limit):
                ends = [(at, y, at + inwards, far) for far in (y - 5, y + 5)]
            for each in ends:
                self.line(*each, f' stroke-width="2"{_tone(bar.tone)}')

    def axis(self, x: Place, ends: tuple[float, float], y: float, most: int) -> None:
        self.line(x(ends[0]), y, x(ends[1]), y, _FAINT)
        for value, text in round_ticks(*ends, most):
            self.line(x(value), y, x(value), y + 4, _FAINT)
            self.label(x(value), y + 16, text, "middle", 11)

    def svg(self, width: float, height: float, says: str) -> str:
        shown = f'width="{_SCALE * width:.0f}" height="{_SCALE * height:.0f}"'
        return (
            f'<svg role="img" aria-label="{escape_html(says)}" {shown} '
            f'viewBox="0 0 {width} {height}" '
            'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
            f"{''.join([*self.behind, *self.lines, *self.dots, *self.labels])}</svg>"
        )


def draw_interval(bars: Bars) -> str:
    """Draw the interval of one difference against zero, and what its margin or region is."""
    (bar,) = bars.rows
    near = bars.rope if bars.law else bars.margin or 0.0
    known = [v for v in (*bar[1:4], near) if math.isfinite(v)]
    reach = 1.25 * max(map(abs, known)) or 1.0
    higher = _CURVE if bars.law else 0
    top, y, bottom = 18, 38 + higher, 58 + higher
    x = _scale(-reach, reach, 24, _WIDTH - 48)
    picture = _Picture()
    if bars.law:
        _draw_density(picture, bars, x, reach, (top + 6, y - 24))
    # In the order in which they are read out, or left where a page drops the drawing.
    left, right = (f"{name} {bars.side}" for name in clip_all((bars.left, bars.right), _SIDE))
    picture.label(0, 12, f"\N{LEFTWARDS ARROW} {left}")
    if near:
        text = f"{'region' if bars.law else 'margin'} \N{PLUS-MINUS SIGN}{short(near)}"
        _draw_margin(picture, x, near, text, (top, bottom))
    picture.axis(x, (-reach, reach), bottom, most=5)
    picture.label(_WIDTH, 12, f"{right} \N{RIGHTWARDS ARROW}", "end")
    if bars.inner is not None:
        low, high = map(x, bars.inner)
        picture.line(low, y, high, y, f' stroke-width="7"{_tone(bar.tone)}')
        picture.label(_WIDTH / 2, bottom + 36, f"thick: {bars.inner_says}", "middle", 10)
    picture.interval(x, y, bar, 0, _WIDTH)
    picture.dot(x(bar.estimate), y, _tone(bar.tone))
    size = fixed(bar.estimate, decimals_for(known), sign=True)
    half = _LETTER * len(size) / 2
    beside = min(max(x(bar.estimate), half), _WIDTH - half)
    picture.label(beside, y - 8, size, "middle", look=_BOLD)
    is_clear = abs(beside - x(0.0)) > half + 3  # the estimate is not written over zero
    picture.line(x(0.0), top if is_clear else y - 6, x(0.0), bottom, _DASHED)
    return picture.svg(_WIDTH, bottom + (22 if bars.inner is None else 42), bars.says)


def _draw_margin(
    picture: _Picture, x: Place, margin: float, text: str, ends: tuple[float, float]
) -> None:
    """Draw the differences that do not matter as a band, and write how large they may be."""
    left, right = x(-margin), x(margin)
    top, bottom = ends
    picture.band(left, top, right, bottom)
    for end in (left, right):
        picture.line(end, top, end, bottom, ' stroke-width="0.7" stroke-dasharray="1 3"')
    is_beside = right + 3 + _LETTER * len(text) < _WIDTH
    at, anchor = (right + 3, "start") if is_beside else (right - 3, "end")
    picture.label(at, bottom - 4, text, anchor, 10)


def _draw_density(
    picture: _Picture, bars: Bars, x: Place, reach: float, room: tuple[float, float]
) -> None:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    top, bottom = room
    rope = bars.rope
    seen = [(at, height) for at, height in bars.law if -reach <= at <= reach]
    tallest = max((height for _, height in seen), default=0.0)
    cuts: list[tuple[float, float, Tone]] = [
        (-reach, -rope, bars.sides[0]),
        (rope, reach, bars.sides[1]),
        (-rope, rope, "equivalent"),
    ]
    for low, high, tone in cuts if tallest else ():
        if low == high:
            continue
        inside = [(at, height) for at, height in seen if low < at < high]
        corners = [(end, _between(seen, end)) for end in (low, high)]
        edge = [
            (x(at), round(bottom - (bottom - top) * height / tallest, 1))
            for at, height in (corners[0], *inside, corners[1])
        ]
        picture.area([(x(low), bottom), *edge, (x(high), bottom)], tone)


def _between(law: Sequence[tuple[float, float]], at: float) -> float:
    """Height of a density between its points; 0 beyond them."""
    for (left, low), (right, high) in pairwise(law):
        if left <= at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return 0.0


def draw_bars(bars: Bars) -> str:
    """Draw intervals below each other, each with its name."""
    names = clip_all((bar.name for bar in bars.rows), _NAME)
    margin = bars.margin or 0.0
    known = [value for bar in bars.rows for value in bar[1:4]] + list(bars.marks)
    known += [-margin, margin] * bars.zero
    known = [value for value in known if math.isfinite(value)]
    low, high = min(known), max(known)
    room = (high - low) / 20 or abs(high) / 20 or 1.0
    ends = low - room, high + room
    left = _LETTER * max(len(bars.title), *map(len, names)) + 10
    right, bottom = left + _AXIS, _HEAD + _ROW * len(names) + 4
    x = _scale(*ends, left + 12, _AXIS - 24)
    picture = _Picture()
    picture.label(left - 6, 13, bars.title, "end", 11, _QUIET)
    if bars.left:
        picture.label(left, 13, f"\N{LEFTWARDS ARROW} {clip(bars.left, _SIDE)}", size=11)
    if bars.right:
        picture.label(right, 13, f"{clip(bars.right, _SIDE)} \N{RIGHTWARDS ARROW}", "end", 11)
    if bars.mark_says:
        picture.dot(left + 6, 9, _OPEN)
        picture.label(left + 15, 13, bars.mark_says, size=11)
    if bars.zero:
        picture.line(x(0.0), _HEAD - 6, x(0.0), bottom, _DASHED)
    if margin:
        picture.band(x(-margin), _HEAD - 6, x(margin), bottom)
    for place, (bar, name) in enumerate(zip(bars.rows, names, strict=True)):
        y = _y_of(place)
        picture.label(left - 6, y + 4, name, "end")
        if not (math.isnan(bar.low) or math.isnan(bar.high)):
            picture.interval(x, y, bar, left, right)
        if math.isfinite(bar.estimate):
            picture.dot(x(bar.estimate), y, _tone(bar.tone))
        if place < len(bars.marks) and math.isfinite(bars.marks[place]):
            picture.dot(x(bars.marks[place]), y, _OPEN)
    picture.axis(x, ends, bottom, most=4)
    read = (f"{name} {_limits(bar)}" for name, bar in zip(names, bars.rows, strict=True))
    return picture.svg(right + 8, bottom + 22, f"{bars.says}: {'; '.join(read)}")


def _limits(bar: Bar) -> str:
    ends = (f"{end:+.3g}" if math.isfinite(end) else "no limit" for end in (bar.low, bar.high))
    return " to ".join(ends)


def draw_ranks(ranks: Ranks) -> str:
    """Draw ranks, with their limits or a bar beside those that do not differ significantly."""
    names, k = clip_all(ranks.names, _NAME), len(ranks.names)
    left = _LETTER * max(11, *map(len, names)) + 10
    right = left + _AXIS
    low, high = 1, k
    if k > 10 and not ranks.limits:
        low = math.floor(ranks.ranks[0])
        high = max(math.ceil(ranks.ranks[-1]), low + 1)
    x = _scale(low, high, left + 12, _AXIS - 24)
    picture = _Picture()
    picture.label(left - 6, 13, ranks.title, "end", look=_QUIET)
    picture.line(left, 22, right, 22)
    for tick in range(low, high + 1, math.ceil((high - low) / 10) or 1):
        picture.label(x(tick), 13, str(tick), "middle")
        picture.line(x(tick), 18, x(tick), 22)
    for place, (name, shown, rank) in enumerate(
        zip(ranks.names, names, ranks.ranks, strict=True)
    ):
        y, tone = _y_of(place), ranks.tones[place] if ranks.tones else ""
        picture.label(left - 6, y + 4, shown, "end", look=_BOLD * (name == ranks.control))
        picture.line(left, y, right, y, ' stroke-opacity="0.15"')
        if ranks.limits:
            first, last = map(x, ranks.limits[place])
            look = f' stroke-width="3" stroke-linecap="round"{_tone(tone)}'
            picture.line(first, y, last, y, look)
        picture.dot(x(rank), y, _tone(tone))
    lanes = _lanes(ranks)
    for first_row, last_row, lane in lanes:
        beside, look = right + 6 + _LANE * lane, ' stroke-width="3" stroke-linecap="round"'
        picture.line(beside, _y_of(first_row) - 5, beside, _y_of(last_row) + 5, look)
    width = right + 8 + _LANE * (1 + max((lane for *_, lane in lanes), default=-1))
    read = [f"{name} {rank:.2f}" for name, rank in zip(names, ranks.ranks, strict=True)]
    if ranks.limits:
        read = [
            f"{name} {first:g}" + f" to {last:g}" * (first != last)
            for name, (first, last) in zip(names, ranks.limits, strict=True)
        ]
    return picture.svg(width, _HEAD + _ROW * k + 4, f"{ranks.says}: {'; '.join(read)}")


def _lanes(ranks: Ranks) -> list[tuple[int, int, int]]:
    """Return the rows that each group begins and ends at, and a lane that is free there."""
    place = {name: row for row, name in enumerate(ranks.names)}
    ends: list[int] = []  # of the last bar in every lane
    found = []
    for group in ranks.groups:
        if len(group) < 2:
            continue
        first, last = place[group[0]], place[group[-1]]
        lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        found.append((first, last, lane))
    return found


def _tone(tone: Tone) -> str:
    return f' class="skstat-{tone}"' if tone else ""


def _scale(low: float, high: float, begin: float, length: float) -> Place:
    """Return the place of a value on an axis, in pixels."""
    span = (high - low) or 1.0
    return lambda value: round(begin + (value - low) / span * length, 1)


def _y_of(row: int) -> float:
    return _HEAD + _ROW * (row + 0.5)


def round_ticks(low: float, high: float, most: int = 6) -> list[tuple[float, str]]:
    """Choose round values on an axis, and write them.

    Parameters
    ----------
    low, high : float
        Ends of the axis.
    most : int, default=6
        How many values there is room for, two or more.

    Returns
    -------
    list of (float, str)
        Values from `low` to `high`, all as far from the next, with as many decimals as
        tell them from each other; zero is ``"0"``.

    Examples
    --------
    >>> round_ticks(-0.043, 0.043, most=5)
    [(-0.04, '−0.04'), (-0.02, '−0.02'), (0.0, '0'), (0.02, '0.02'), (0.04, '0.04')]
    >>> round_ticks(93.2, 97.9, most=3)
    [(94.0, '94'), (96.0, '96')]
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return []
    power = math.floor(math.log10((high - low) / most))
    for factor in (*_ROUND, 20.0):  # the last leaves few enough, whatever was rounded
        step = factor * 10.0**power
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < most:
            break
    decimals = max(0, -power + (factor == 2.5) - (factor >= 10))
    values = [round(number * step, decimals) for number in range(first, last + 1)]
    texts = [fixed(value, decimals) for value in values]
    if len(set(texts)) < len(texts):  # far from zero, where three digits are too few
        texts = [f"{value:.12g}".replace("-", "\N{MINUS SIGN}") for value in values]
    return [
        (value, "0" if value == 0 else text) for value, text in zip(values, texts, strict=True)
    ]
