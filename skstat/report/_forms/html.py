"""Blocks as HTML: what a person needs first, and all else to be unfolded; no script."""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from skstat._names import clip_all, inert
from skstat.report._blocks import (
    Badge,
    Bar,
    Bars,
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Link,
    Says,
    Tone,
    doubts_of,
    parts_of,
)
from skstat.report._forms.style import STYLE
from skstat.report._words import decimals_for, fixed, short

_MOST_OPEN = 4  # parts; of more, each is unfolded on request
_MOST_PRINTED = 100  # rows of a table among the details, two pages


def escape_html(text: str) -> str:
    """Escape for HTML, without the marks that reverse the text after them."""
    return html.escape(inert(text))


def render_html(blocks: Iterable[Block]) -> str:
    """Render blocks as a fragment, with its own style sheet.

    It reads well without the style sheet too, which some pages that show notebooks drop.
    """
    blocks = list(blocks)
    invalid = [doubt for doubt in doubts_of(blocks) if doubt.weight == "invalid"]
    body = ""
    if blocks and isinstance(blocks[0], Says):
        body = _header(blocks[0], is_moot=bool(invalid)) + _doubts(invalid)
        del blocks[0]
    parts = parts_of(blocks)
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


def _block(block: Block, title: str = "") -> str:
    """Write a block; a table without a caption where a fold has the same `title`."""
    match block:
        case Says():
            return "".join(_tag("p", escape_html(sentence)) for sentence in block.sentences)
        case Facts():
            rows = "".join(
                f'<tr><th scope="row" align="left">{escape_html(label)}</th>'
                f'<td align="left">{escape_html(text)}</td></tr>'
                for label, text in block.rows
            )
            return _tag("table", _tag("tbody", rows), "table", "rows")
        case Cells():
            return _table(block, "" if block.title == title else block.title)
        case Bars():
            return _tag("p", _draw(block)) + _tag("p", escape_html(block.note), "quiet")
        case Doubts():
            notes = block.of("note")
            summary = f"{len(notes)} note{'s' * (len(notes) != 1)}"
            return _doubts(block.of("weak")) + _folded(summary, _doubts(notes))
        case Fold():
            sizes = (len(one.rows) for one in block.blocks if isinstance(one, Cells))
            look = "long" * (max(sizes, default=0) > _MOST_PRINTED)
            body = "".join(_block(one, block.title) for one in block.blocks)
            return _folded(block.title, body, look)
        case Link():
            label, text, url = map(escape_html, block)
            return _tag("p", f'{label}: <a href="{url}">{text}</a>')
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


def _header(says: Says, *, is_moot: bool) -> str:
    """Write what was compared and what was found, and whether that can be relied on."""
    badges = [*says.badges, *[Badge("not valid", "invalid")] * is_moot]
    tone = "invalid" if is_moot else next((badge.tone for badge in badges), "")
    items = [
        f"{_tag('strong', escape_html(lead))} {escape_html(rest)}".strip()
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.follows and len(items) > 1 else 1
    lines = [
        _tag("p", escape_html(says.heading), "heading"),
        _tag("p", _badges(badges)),
        *(_tag("p", item, "conclusion") for item in items[:n]),
        _tag("ul", "".join(_tag("li", item) for item in items[n:])),
    ]
    return _tag("div", "".join(lines), "header", "moot" * is_moot, tone)


def _badges(found: Iterable[Badge]) -> str:
    """Write verdicts that are seen from far."""
    badges = (_tag("span", escape_html(text), "badge", tone) for text, tone in found)
    return _tag("span", " ".join(badges), "badges")


def _table(cells: Cells, caption: str) -> str:
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


def _row(cells: Cells, tag: str, place: int, row: Sequence[str], tone: Tone) -> str:
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
        if column == cells.signs:  # these stand below each other, whatever the page says
            style = "margin:0;padding:0;white-space:pre;background:none"
            body = f'<pre style="{style}">{body}</pre>'
        scope = ' scope="col"' * (tag == "th")
        shown += f'<{tag}{scope}{_classes(*looks)} align="{align}">{body}</{tag}>'
    return f"<tr>{shown}</tr>"


def _doubts(found: Iterable[Any]) -> str:
    """Write what is doubtful, how much, and what to do about it, one below the other."""
    items = ""
    for doubt in found:
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
        items += _tag("li", body, "doubt", doubt.weight)
    return _tag("ul", items, "list")


# --- drawings: rows on an axis as SVG, in the colour of the text around them ----------------

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15
# In pixels: a letter, the axis of several rows and of one, what is free at its ends, a row,
# one that has a number above it, what stands above the rows, a lane of bars, and a density.
_LETTER, _AXIS, _WIDTH, _FREE = 7, 250, 420, 12
_ROW, _HIGH_ROW, _HEAD, _LANE, _CURVE = 18, 36, 24, 9, 52
_NAME, _SIDE = 31, 20  # letters of names
_FAINT, _DASHED = ' stroke-opacity="0.6"', ' stroke-dasharray="3 3"'
_OPEN, _BOLD, _QUIET = ' fill="none"', ' font-weight="bold"', ' opacity="0.7"'


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

    def dot(self, x: float, y: float, look: str) -> None:
        self.shapes.append(f'<circle cx="{x}" cy="{y}" r="4.5"{look}/>')

    def label(
        self, x: float, y: float, text: str, at: str = "start", size: int = 11, look: str = ""
    ) -> None:
        # The blank keeps labels apart where a page drops the drawing and leaves its words.
        look = f'text-anchor="{at}" font-size="{size}" stroke="none"{look}'
        font = 'font-family="system-ui, sans-serif"'
        label = f'<text x="{x}" y="{y}" {font} {look}>{escape_html(text)}</text> '
        self.shapes += [label] * bool(text)

    def bar(self, bar: Bar, y: float) -> None:
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
        if math.isfinite(bar.estimate):
            self.dot(self.x(bar.estimate), y, look)

    def axis(self, y: float) -> None:
        self.line(self.x(self.ends[0]), y, self.x(self.ends[1]), y, _FAINT)
        for value, text in _ticks(*self.ends, most=5):
            self.line(self.x(value), y, self.x(value), y + 4, _FAINT)
            self.label(self.x(value), y + 16, text, "middle")


def _draw(bars: Bars) -> str:
    """Draw rows on one axis; the only one without a name has it around zero, and its size."""
    alone = len(bars.rows) == 1 and not bars.rows[0].name
    names = [""] if alone else clip_all((bar.name for bar in bars.rows), _NAME)
    near = bars.rope if bars.law else bars.margin or 0.0
    known = [value for bar in bars.rows for value in bar[1:4]]
    known += [*bars.marks, *(bars.inner or ()), *((-near, near) if bars.zero else ())]
    known = list(filter(math.isfinite, known))
    reach = max(map(abs, known)) or 1.0
    low, high = (-1.3 * reach, 1.3 * reach) if alone else (min(known), max(known))
    if low == high:
        low, high = low - reach / 20, high + reach / 20
    left = 0 if alone else _LETTER * max(len(bars.title), *map(len, names)) + 10
    right = left + (_WIDTH if alone else _AXIS)
    row, head = _HIGH_ROW if alone else _ROW, _HEAD + _CURVE * bool(bars.law)
    bottom = head + row * len(names) + 4
    picture = _Picture(bars.ends or (low, high), left, right)
    picture.label(left - 6, 13, bars.title, "end", look=_QUIET)
    sides = clip_all((bars.left, bars.right), _SIDE)
    before, after = (f"{name} {bars.side}".strip() for name in sides)
    if alone or bars.left:
        picture.label(left, 13, f"\N{LEFTWARDS ARROW} {before}")
    if near:
        corners = [(picture.x(x), y) for x, y in ((-near, 18.0), (near, 18.0))]
        corners += [(picture.x(x), bottom) for x in (near, -near)]
        picture.area(corners, 0.12, "")
    if bars.law:
        _density(picture, bars, head - 2)
    if bars.zero:  # below the size of one difference, which would stand on it
        zero, top = picture.x(0.0), head + (11 if alone else -6)
        picture.line(zero, top, zero, bottom, _DASHED)
    for place, (bar, name) in enumerate(zip(bars.rows, names, strict=True)):
        y = head + row * (place + 0.5)
        look = _BOLD if bar.name == bars.bold else ""
        picture.label(left - 6, y + 4, name, "end", 12, look)
        picture.bar(bar, y)
        if bars.marks and math.isfinite(bars.marks[place]):
            picture.dot(picture.x(bars.marks[place]), y, _OPEN)
    picture.axis(bottom)
    height = bottom + 22
    if alone:
        height += _about_one(picture, bars, near, bottom, decimals_for(known))
    if alone or bars.right:
        picture.label(right, 13, f"{after} \N{RIGHTWARDS ARROW}", "end")
    if bars.mark_says:
        picture.dot(left + _FREE, 9, _OPEN)
        picture.label(left + 22, 13, bars.mark_says)
    lanes = _lanes(bars)
    for first, last, lane in lanes:
        x, look = right + 6 + _LANE * lane, ' stroke-width="3" stroke-linecap="round"'
        picture.line(x, head + _ROW * first + 4, x, head + _ROW * (last + 1) - 4, look)
    read = (f"{name} {_read(bar)}" for name, bar in zip(names, bars.rows, strict=True))
    says = bars.says if alone else f"{bars.says}: {'; '.join(read)}"
    width = right + 8 * (not alone) + _LANE * len({lane for *_, lane in lanes})
    return (
        f'<svg role="img" aria-label="{escape_html(says)}" width="{_SCALE * width:.0f}" '
        f'height="{_SCALE * height:.0f}" viewBox="0 0 {width} {height}" '
        'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
        f"{''.join(picture.shapes)}</svg>"
    )


def _about_one(picture: _Picture, bars: Bars, near: float, bottom: float, decimals: int) -> int:
    """Write how large one difference and its margin are; return what it takes below."""
    (bar,) = bars.rows
    y, text = bottom - 22, fixed(bar.estimate, decimals, sign=True)
    half = _LETTER * len(text) / 2
    x = min(max(picture.x(bar.estimate), half), _WIDTH - half)
    picture.label(x, y - 8, text, "middle", 12, _BOLD)
    if near:
        edge = picture.x(near)
        text = f"{'region' if bars.law else 'margin'} \N{PLUS-MINUS SIGN}{short(near)}"
        is_beside = edge + 3 + _LETTER * len(text) < _WIDTH
        x, at = (edge + 3, "start") if is_beside else (edge - 3, "end")
        picture.label(x, bottom - 4, text, at, 10)
    if bars.inner is None:
        return 0
    low, high = map(picture.x, bars.inner)
    picture.line(low, y, high, y, f' stroke-width="7"{_classes(bar.tone)}')
    picture.label(_WIDTH / 2, bottom + 34, f"thick: {bars.inner_says}", "middle", 10)
    return 20


def _density(picture: _Picture, bars: Bars, bottom: float) -> None:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    at, heights = np.array(bars.law).T
    low, high = picture.ends
    top = heights[(at > low) & (at < high)].max(initial=0.0) or math.inf
    cuts = (
        (low, -bars.rope, bars.sides[0]),
        (bars.rope, high, bars.sides[1]),
        (-bars.rope, bars.rope, "equivalent"),
    )
    for begin, end, tone in cuts:
        places = [begin, *at[(at > begin) & (at < end)], end]
        sizes = _CURVE * np.interp(places, at, heights, left=0.0, right=0.0) / top
        edge = [(picture.x(x), bottom - y) for x, y in zip(places, sizes, strict=True)]
        picture.area([(edge[0][0], bottom), *edge, (edge[-1][0], bottom)], 0.35, tone)


def _read(bar: Bar) -> str:
    """Write what a row shows, for those who cannot see it."""
    if math.isnan(bar.low) or bar.low == bar.high:
        return short(bar.estimate)
    ends = (short(end) if math.isfinite(end) else "no limit" for end in (bar.low, bar.high))
    return " to ".join(ends)


def _lanes(bars: Bars) -> list[tuple[int, int, int]]:
    """Return the rows that each group begins and ends at, and a lane that is free there."""
    ends: list[int] = []  # of the last bar in every lane
    found, names = [], [bar.name for bar in bars.rows]
    for group in bars.groups:
        if len(group) > 1:
            first, last = (names.index(name) for name in (group[0], group[-1]))
            lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
            ends[lane : lane + 1] = [last]
            found.append((first, last, lane))
    return found


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
