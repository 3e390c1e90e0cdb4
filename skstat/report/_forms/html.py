"""Blocks as HTML: what a person needs first, and all else to be unfolded; no script."""

import html
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from skstat._names import clip_all, inert
from skstat.report import _blocks as show
from skstat.report._forms.style import STYLE

_MOST_OPEN = 4  # parts; of more, each is unfolded on request
_MOST_PRINTED = 100  # rows of a table among the details, two pages


def escape_html(text: str) -> str:
    """Escape for HTML, without the marks that reverse the text after them."""
    return html.escape(inert(text))


def render_html(blocks: Sequence[show.Block]) -> str:
    """Render blocks as a fragment, with its own style sheet.

    It reads well without the style sheet too, which some pages that show notebooks drop.
    """
    parts, body = show.parts_of(show.arranged(blocks)), ""
    n_parts = sum(bool(heading.text) for heading, _ in parts)
    unfolded = ' open=""' * (n_parts <= _MOST_OPEN)
    for heading, shown in parts:
        text = "".join(map(_block, shown))
        if heading.text:
            title = f"<h4>{escape_html(heading.text)}</h4> {_badges(heading.badges)}"
            summary = f"<summary>{title}</summary>"
            text = f'<details class="skstat-part"{unfolded}>{summary}{text}</details>'
        body += text
    return f'<div class="skstat-report">{STYLE}{body}</div>'


def _block(block: show.Block, title: str = "") -> str:
    """Write a block; a table without a caption where a fold has the same `title`."""
    match block:
        case show.Says():
            return _conclusion(block)
        case show.Facts():
            rows = "".join(
                f'<tr><th scope="row" align="left">{escape_html(label)}</th>'
                f'<td align="left">{escape_html(text)}</td></tr>'
                for label, text in block.rows
            )
            return _tag("table", _tag("tbody", rows), "table", "rows")
        case show.Cells():
            return _table(block, "" if block.title == title else block.title)
        case show.Bars():
            return _tag("p", _draw(block)) + _tag("p", escape_html(block.note), "quiet")
        case show.Doubts():
            return _tag("ul", "".join(map(_doubt, block.found)), "list")
        case show.Fold():
            sizes = (len(one.rows) for one in block.blocks if isinstance(one, show.Cells))
            look = "long" * (max(sizes, default=0) > _MOST_PRINTED)
            body = "".join(_block(one, block.title) for one in block.blocks)
            return _folded(block.title, body, look)
    return ""


def _tag(name: str, body: str, *looks: str) -> str:
    """Write an element of our own classes; nothing without a body."""
    return f"<{name}{_classes(*looks)}>{body}</{name}>" if body else ""


def _classes(*looks: str) -> str:
    classes = " ".join(f"skstat-{look}" for look in looks if look)
    return f' class="{classes}"' if classes else ""


def _folded(title: str, body: str, look: str = "") -> str:
    """Write what can be unfolded; what is long is not unfolded to be printed."""
    return _tag("details", body and _tag("summary", escape_html(title)) + body, look)


def _conclusion(says: show.Says) -> str:
    """Write what was compared and what was found, and whether that can be relied on."""
    tones = [badge.tone for badge in says.badges]
    is_moot = "invalid" in tones
    items = [
        f"{_tag('strong', escape_html(lead))} {escape_html(rest)}".strip()
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.follows and len(items) > 1 else 1
    lines = [
        _tag("p", escape_html(says.heading), "heading"),
        _tag("p", _badges(says.badges)),
        *(_tag("p", item, "conclusion") for item in items[:n]),
        _tag("ul", "".join(_tag("li", item) for item in items[n:])),
    ]
    tone = "invalid" if is_moot else "".join(tones[:1])
    return _tag("div", "".join(lines), "header", "moot" * is_moot, tone)


def _badges(found: Iterable[show.Badge]) -> str:
    """Write verdicts that are seen from far."""
    badges = (_tag("span", escape_html(text), "badge", tone) for text, tone in found)
    return _tag("span", " ".join(badges), "badges")


def _table(cells: show.Cells, caption: str) -> str:
    """Write a table, in a frame in which it scrolls where it is too wide, by keys too."""
    tones = cells.tones or [""] * len(cells.rows)
    rows = zip(range(len(cells.rows)), cells.rows, tones, strict=True)
    body = "".join(_row(cells, "td", *row) for row in rows)
    head = _row(cells, "th", -1, cells.header, "")
    return (
        f'<div class="skstat-frame" tabindex="0" role="region" '
        f'aria-label="{escape_html(cells.title)}" style="overflow-x:auto">'
        f'<table class="skstat-table skstat-grid">{_tag("caption", escape_html(caption))}'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
        f"{_tag('p', escape_html(cells.note), 'quiet')}"
    )


def _row(cells: show.Cells, tag: str, place: int, row: Sequence[str], tone: show.Tone) -> str:
    """Write a row, of which the last cell may be a verdict.

    Where the style sheet is dropped, the alignment is kept.
    """
    shown = ""
    for column, text in enumerate(row):
        looks, align = [""], "left"
        if column < cells.n_names:
            looks = ["name"]
        elif tone and column == len(row) - 1:
            looks = ["verdict", tone]
        elif not cells.is_text(column):
            looks, align = ["number"], "right"
        body = escape_html(text)
        if (place, column) in cells.bold:
            body = f"<strong>{body}</strong>"
        scope = ' scope="col"' * (tag == "th")
        shown += f'<{tag}{scope}{_classes(*looks)} align="{align}">{body}</{tag}>'
    return f"<tr>{shown}</tr>"


def _doubt(doubt: Any) -> str:
    """Write what is doubtful, how much, and what to do about it."""
    texts = doubt.code, doubt.url, doubt.action, doubt.advice
    code, url, action, advice = (escape_html(text or "") for text in texts)
    linked = f'<a href="{url}">{code}</a>' if url else code
    to_do = f" <strong>\N{RIGHTWARDS ARROW} {action}</strong>" * bool(action)
    body = (
        f"<p>{_tag('span', doubt.weight, 'badge', doubt.weight)} "
        f"<strong>{escape_html(doubt.title)}</strong> {_tag('span', linked, 'quiet')}</p>"
        f"<p>{escape_html(doubt.text)}{to_do}</p>"
    )
    body += _folded(f"More on {doubt.code}", _tag("p", advice))
    return _tag("li", body, "doubt", doubt.weight)


# --- drawings: rows on an axis as SVG, in the colour of the text around them ----------------

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15
# In pixels: a letter, the axis, what is free at its ends, a row, what stands above the rows, a
# lane of bars, and a density.
_LETTER, _AXIS, _FREE, _ROW, _HEAD, _LANE, _CURVE = 7, 360, 20, 18, 24, 9, 52
_NAME = 31  # letters
_FAINT, _DASHED, _OPEN = ' stroke-opacity="0.6"', ' stroke-dasharray="3 3"', ' fill="none"'


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
        look = f'fill-opacity="{opacity}" stroke="none"{_classes(tone)}'
        self.shapes.append(f'<polygon points="{corners}" {look}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "") -> None:
        self.shapes.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"{look}/>')

    def label(self, x: float, y: float, text: str, at: str = "start", size: int = 11) -> None:
        # The blank keeps labels apart where a page drops the drawing and leaves its words.
        look = f'text-anchor="{at}" font-size="{size}" font-family="system-ui, sans-serif"'
        label = f'<text x="{x}" y="{y}" stroke="none" {look}>{escape_html(text)}</text> '
        self.shapes += [label] * bool(text)

    def bar(self, bar: show.Bar, y: float) -> None:
        """Draw limits as bars; a side without a limit goes on to the edge, with an arrow."""
        look = _classes(bar.tone)
        if not (math.isnan(bar.low) or math.isnan(bar.high)):
            begin, end = self.x(bar.low), self.x(bar.high)
            self.line(begin, y, end, y, f' stroke-width="3"{look}')
            for x, limit, inwards in ((begin, bar.low, 5), (end, bar.high, -5)):
                ends = [(x, y - 5, x, y + 5)]
                if math.isinf(limit):
                    ends = [(x, y, x + inwards, far) for far in (y - 5, y + 5)]
                for each in ends:
                    self.line(*each, f' stroke-width="2"{look}')
        if bar.inner:
            begin, end = map(self.x, bar.inner)
            self.line(begin, y, end, y, f' stroke-width="7"{look}')
        for value, own in ((bar.estimate, look), (bar.mark, _OPEN)):
            if math.isfinite(value):
                self.shapes.append(f'<circle cx="{self.x(value)}" cy="{y}" r="4.5"{own}/>')


def _draw(bars: show.Bars) -> str:
    """Draw rows on one axis; zero stands in its middle where both sides of it are named."""
    is_pair = bool(bars.left and bars.right)
    names = [""] if is_pair else clip_all((bar.name for bar in bars.rows), _NAME)
    near = bars.margin or 0.0
    known = [-near, near] * bars.zero
    for bar in bars.rows:
        known += [bar.low, bar.estimate, bar.high, bar.mark, *bar.inner]
    known = list(filter(math.isfinite, known))
    reach = max(map(abs, known)) or 1.0
    low, high = bars.ends or (min(known), max(known))
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
    if near:
        begin, end = picture.x(-near), picture.x(near)
        picture.area([(begin, 18), (end, 18), (end, bottom), (begin, bottom)], 0.12, "")
    if bars.law:
        _density(picture, bars, head - 2)
    if bars.zero:
        picture.line(picture.x(0.0), head - 6, picture.x(0.0), bottom, _DASHED)
    for place, (bar, name) in enumerate(zip(bars.rows, names, strict=True)):
        y = head + _ROW * (place + 0.5)
        picture.label(left - 6, y + 4, name, "end", 12)
        picture.bar(bar, y)
    picture.line(picture.x(low), bottom, picture.x(high), bottom, _FAINT)
    for value, text in _ticks(low, high, most=5):
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


def _density(picture: _Picture, bars: show.Bars, bottom: float) -> None:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    at, heights = np.array(bars.law).T
    near, (low, high) = bars.margin or 0.0, picture.ends
    top = heights[(at > low) & (at < high)].max(initial=0.0) or math.inf
    tones = bars.sides[0], "equivalent", bars.sides[1]
    for (begin, end), tone in zip(pairwise((low, -near, near, high)), tones, strict=True):
        places = [begin, *at[(at > begin) & (at < end)], end]
        sizes = _CURVE * np.interp(places, at, heights, left=0.0, right=0.0) / top
        edge = [(picture.x(x), bottom - y) for x, y in zip(places, sizes, strict=True)]
        picture.area([(edge[0][0], bottom), *edge, (edge[-1][0], bottom)], 0.35, tone)


def _join(picture: _Picture, bars: show.Bars, head: float) -> float:
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
