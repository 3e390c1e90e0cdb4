"""Blocks as plain text for terminals and logs: what a person needs first, or everything."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from skstat._names import clip, clip_all, no_command, one_line
from skstat.report import _blocks as show

WIDTH = 88
MORE = "print(report.details)"
_LABEL = 30  # letters
_LEAST = 21  # places of an interval on a line; fewer show nothing
_MOST_DOUBTS = 2  # shown before the rest is counted
_NAME, _OF_TWO, _NARROWEST, _CELL = 48, 28, 12, 30  # letters in tables
_GAP = "  "


def render_text(blocks: Sequence[show.Block], *, full: bool = False, more: str = MORE) -> str:
    """Render blocks as lines of at most 88 letters.

    Tables of a part stand above its facts, of which all labels have one width.

    Parameters
    ----------
    blocks : sequence of Block
        What is shown.
    full : bool, default=False
        Whether to write what is folded, and every doubt; else what a person needs first.
    more : str, optional
        How to see the rest.
    """
    has_more = any(isinstance(block, show.Fold) for block in blocks)
    shown: list[show.Block] = []
    for block in blocks:
        shown += block.blocks if full and isinstance(block, show.Fold) else [block]
    doubts, parts = show.doubts_of(shown), show.parts_of(shown)
    if not full:
        if parts[-1][0].text:
            parts.append((show.Heading(""), []))
        parts[-1][1].append(show.Facts(_first_doubts(doubts, more, has_more=has_more)))
    texts, number = [], 0
    for heading, part in parts:
        number += bool(heading.text)
        texts.append(_part(part, f"[{number}] " * bool(heading.text), one_line(heading.text)))
    if full:
        texts.append(_all_doubts(doubts))
    return no_command("\n\n".join(filter(None, texts)))


def _part(blocks: Iterable[show.Block], number: str, title: str) -> str:
    """Write what is shown up to the next heading."""
    said, tables = [], []
    labels: list[str] = []
    texts: list[str | show.Bars] = []
    for block in blocks:
        match block:
            case show.Says():
                said += [_wrap(f"{lead} {rest}".strip()) for lead, rest in block.paragraphs()]
            case show.Cells():
                lines, words = table_lines(block)
                lines = [_wrap(block.title), *lines, _wrap(block.note + words)]
                tables.append("\n".join(filter(None, lines)))
            case show.Facts():  # without a label a text goes on with that of the row above
                labels += [label and clip(label, _LABEL) for label, _ in block.rows]
                texts += [text for _, text in block.rows]
            case show.Bars() if block.left and block.right:
                labels += ["", *[""] * bool(block.note)]
                texts += [block, *[block.note] * bool(block.note)]
    width = max(map(len, labels), default=0) + 2
    lines = []
    for label, shown in zip(labels, texts, strict=True):
        if isinstance(shown, show.Bars):
            lines.append(text_bar(shown, WIDTH - width).rjust(WIDTH))
        else:
            lines.append(_wrap(shown, label.ljust(width), " " * width))
    body = "\n\n".join(filter(None, ["\n".join(said), *tables, "\n".join(lines)]))
    # The first table of several systems has a title that says as much.
    has_title = number and not (tables and not said)
    return number + f"{title}\n" * bool(has_title) + body


def _first_doubts(doubts: Sequence[Any], more: str, *, has_more: bool) -> show.Rows:
    """Return the heaviest doubts, each in a line, and where the rest is."""
    rows = []
    for one in doubts[:_MOST_DOUBTS]:  # the heaviest come first
        if one.weight != "note":
            to_do = f": {one.action}" * bool(one.action)
            rows.append((one.weight.capitalize(), f"{one.code} {one.title}{to_do}"))
    left = len(doubts) - len(rows)
    if has_more or left:
        rest = f", with {left} more doubt{'s' * (left > 1)}" if left else ""
        rows.append(("More", f"{more}{rest}"))
    return rows


def _all_doubts(doubts: Sequence[Any]) -> str:
    lines = [f"Doubts (more: skstat explain {one.code})" for one in doubts[:1]]
    for doubt in doubts:
        text = f"{doubt.weight.capitalize()}: {doubt.code} {doubt.title}: {doubt.text}"
        to_do = f" -> {doubt.action}" * bool(doubt.action)
        lines.append(_wrap(text + to_do, _GAP, 2 * _GAP))
    return "\n".join(lines)


def _wrap(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(one_line(text), WIDTH, initial_indent=first, subsequent_indent=later)


def text_bar(bars: show.Bars, width: int) -> str:
    """Draw an interval on a line.

    0 stands at zero, bars at the margin; arrows are sides without a limit. The interval by
    which the margin is decided is heavy.

    Examples
    --------
    >>> from skstat.report._blocks import Bar, Bars
    >>> bars = Bars([Bar("", 0.01, 0.03, 0.05)], "bayes better", "tree better")
    >>> text_bar(bars, 60)
    'bayes better ·················0··├─────●─────┤·· tree better'
    """
    (bar,) = bars.rows
    n = max(width - len(bars.left) - len(bars.right) - 2, _LEAST)
    known = [bar.low, bar.high, bar.estimate, bars.margin or 0.0]
    # An arrow needs room beyond the estimate.
    reach = 1.1 if math.isfinite(bar.low + bar.high) else 1.5
    reach = reach * max(map(abs, filter(math.isfinite, known))) or 1.0
    middle = n // 2

    def place(value: float) -> int:
        far = middle + max(-n, min(n, value / reach * middle))
        return max(0, min(round(far), n - 1))

    line = ["\N{MIDDLE DOT}"] * n
    for (low, high), stroke in (((bar.low, bar.high), "─"), (bar.inner or (1.0, 0.0), "━")):
        if low <= high:
            line[place(low) : place(high) + 1] = stroke * (place(high) + 1 - place(low))
    line[place(bar.low)] = "├" if math.isfinite(bar.low) else "←"
    line[place(bar.high)] = "┤" if math.isfinite(bar.high) else "→"
    if bars.margin is not None:
        line[place(-bars.margin)] = line[place(bars.margin)] = "\N{BROKEN BAR}"
    line[middle] = "0"
    line[place(bar.estimate)] = "\N{BLACK CIRCLE}"
    return f"{bars.left} {''.join(line)} {bars.right}"


def table_lines(cells: show.Cells) -> tuple[list[str], str]:
    """Return the lines of a table, and what is to be said of their layout.

    They fit a terminal whatever the names are: the first layout is taken that does. Where none
    does, names stand on a line above their numbers, which may take several.
    """
    n, words = cells.n_names, ""
    every = list(range(len(cells.header)))
    kept = [column for column in every if column not in cells.spare]
    brief = cells._replace(header=list(map(_shorter, cells.header)))
    layouts = [(cells, every, ""), (brief, every, ""), (brief, kept, "")]
    if n == 2 and cells.brief:
        words = " 1st: the first name; 2nd: the second. \N{EN DASH}: undecided."
        words += " =: equivalent." * any(one.startswith("=") for one in cells.brief)
        rows = zip(brief.rows, cells.brief, strict=True)
        brief = brief._replace(rows=[[*row[:-1], one] for row, one in rows])
        layouts.append((brief, kept, words))
    for most in range(_NAME, (_OF_TWO if n == 2 else _NARROWEST) - 1, -4):
        for layout, columns, said in layouts:
            lines = _aligned(layout, columns, most)
            if max(map(len, lines)) <= WIDTH:
                return lines, said
    below = [_aligned(brief, every[:n], WIDTH // n - len(_GAP))]
    left = kept[n:]
    while left:  # as many columns of numbers on a line as there is room for
        for most in range(len(left), 0, -1):
            lines = [2 * _GAP + line for line in _aligned(brief, left[:most], _CELL)]
            if max(map(len, lines)) <= WIDTH:
                break
        below.append(lines)
        left = left[most:]
    return list(filter(None, chain.from_iterable(zip(*below, strict=True)))), words


def _aligned(cells: show.Cells, places: Sequence[int], longest: int) -> list[str]:
    """Write some columns of a table, in which different names look different."""
    columns = []
    for place in places:
        header, texts = cells.header[place], [row[place] for row in cells.rows]
        if place < cells.n_names:  # a blank repeats the name above it
            short = iter(clip_all(filter(None, texts), longest))
            texts = [text and next(short) for text in texts]
        column = [text and clip(text, max(_CELL, longest)) for text in (header, *texts)]
        # Of a column of nothing not even the space stays.
        width = max(map(len, column))
        is_text = cells.is_text(place)
        columns.append([t.ljust(width) if is_text else t.rjust(width) for t in column])
    return [_GAP.join(row).rstrip() for row in zip(*columns, strict=True)]


def _shorter(header: str) -> str:
    for word, short in (("adjusted", "adj."), ("equivalence", "equiv."), ("of ", "")):
        header = header.replace(word, short)
    return header
