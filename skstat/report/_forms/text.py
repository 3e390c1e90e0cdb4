"""Render blocks as plain text for terminals and logs: the main results, or everything."""

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
_MIN_CHARACTERS = 21  # of the drawing of an interval
_MOST_DOUBTS = 2  # shown before the rest is counted
_NAME, _OF_TWO, _NARROWEST, _CELL = 48, 28, 12, 30  # letters in tables
_GAP = "  "


def render_text(blocks: Sequence[show.Block], *, full: bool = False, more: str = MORE) -> str:
    """Render blocks as lines of at most 88 characters.

    The tables of a part precede its facts, whose labels are padded to the same width.

    Parameters
    ----------
    blocks : sequence of Block
        The blocks.
    full : bool, default=False
        Whether to write folded blocks, and every doubt.
    more : str, optional
        The call that shows the rest.
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
    """Write the blocks up to the next heading."""
    prose, tables = [], []
    labels: list[str] = []
    texts: list[str | show.Bars] = []
    for block in blocks:
        match block:
            case show.Summary():
                prose += [_wrap(f"{lead} {rest}".strip()) for lead, rest in block.paragraphs()]
            case show.Cells():
                lines, words = table_lines(block)
                lines = [_wrap(block.title), *lines, _wrap(block.note + words)]
                tables.append("\n".join(filter(None, lines)))
            case show.Facts():  # a row without label continues the one above
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
    body = "\n\n".join(filter(None, ["\n".join(prose), *tables, "\n".join(lines)]))
    # The first table of several systems has a title of its own.
    has_title = number and not (tables and not prose)
    return number + f"{title}\n" * bool(has_title) + body


def _first_doubts(doubts: Sequence[Any], more: str, *, has_more: bool) -> show.Rows:
    """Return the most serious doubts, each in a line, and how to see the rest."""
    rows = []
    for doubt in doubts[:_MOST_DOUBTS]:  # the heaviest come first
        if doubt.weight != "note":
            to_do = f": {doubt.action}" * bool(doubt.action)
            rows.append((doubt.weight.capitalize(), f"{doubt.code} {doubt.title}{to_do}"))
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
    """Draw an interval as a line of characters.

    "0" marks zero, broken bars mark the margin, arrows sides without a limit. The interval that
    decides about the margin is drawn with a heavy line.

    Examples
    --------
    >>> from skstat.report._blocks import Bar, Bars
    >>> bars = Bars([Bar("", 0.01, 0.03, 0.05)], "bayes better", "tree better")
    >>> text_bar(bars, 60)
    'bayes better ·················0··├─────●─────┤·· tree better'
    """
    (bar,) = bars.rows
    n = max(width - len(bars.left) - len(bars.right) - 2, _MIN_CHARACTERS)
    ends = [bar.low, bar.high, bar.estimate, bars.margin or 0.0]
    # Leave room for an arrow beyond the estimate.
    extent = 1.1 if math.isfinite(bar.low + bar.high) else 1.5
    extent = extent * max(map(abs, filter(math.isfinite, ends))) or 1.0
    middle = n // 2

    def at(value: float) -> int:
        index = middle + max(-n, min(n, value / extent * middle))
        return max(0, min(round(index), n - 1))

    line = ["\N{MIDDLE DOT}"] * n
    for (low, high), stroke in (((bar.low, bar.high), "─"), (bar.inner or (1.0, 0.0), "━")):
        if low <= high:
            line[at(low) : at(high) + 1] = stroke * (at(high) + 1 - at(low))
    line[at(bar.low)] = "├" if math.isfinite(bar.low) else "←"
    line[at(bar.high)] = "┤" if math.isfinite(bar.high) else "→"
    if bars.margin is not None:
        line[at(-bars.margin)] = line[at(bars.margin)] = "\N{BROKEN BAR}"
    line[middle] = "0"
    line[at(bar.estimate)] = "\N{BLACK CIRCLE}"
    return f"{bars.left} {''.join(line)} {bars.right}"


def table_lines(cells: show.Cells) -> tuple[list[str], str]:
    """Return the lines of a table, and a note on their layout.

    The first layout that fits the width of a terminal is used. If none does, the names are on
    a line above their numbers, which may take several lines.
    """
    n, words = cells.n_names, ""
    indices = list(range(len(cells.header)))
    needed = [column for column in indices if column not in cells.spare]
    brief = cells._replace(header=list(map(_shorter, cells.header)))
    layouts = [(cells, indices, ""), (brief, indices, ""), (brief, needed, "")]
    if n == 2 and cells.brief:
        words = " 1st: the first name; 2nd: the second. \N{EN DASH}: undecided."
        words += " =: equivalent." * any(text.startswith("=") for text in cells.brief)
        rows = zip(brief.rows, cells.brief, strict=True)
        brief = brief._replace(rows=[[*row[:-1], text] for row, text in rows])
        layouts.append((brief, needed, words))
    for limit in range(_NAME, (_OF_TWO if n == 2 else _NARROWEST) - 1, -4):
        for layout, columns, note in layouts:
            lines = _aligned(layout, columns, limit)
            if max(map(len, lines)) <= WIDTH:
                return lines, note
    below = [_aligned(brief, indices[:n], WIDTH // n - len(_GAP))]
    remaining = needed[n:]
    while remaining:  # as many columns of numbers on a line as fit
        for limit in range(len(remaining), 0, -1):
            lines = [2 * _GAP + line for line in _aligned(brief, remaining[:limit], _CELL)]
            if max(map(len, lines)) <= WIDTH:
                break
        below.append(lines)
        remaining = remaining[limit:]
    return list(filter(None, chain.from_iterable(zip(*below, strict=True)))), words


def _aligned(cells: show.Cells, indices: Sequence[int], longest: int) -> list[str]:
    """Return lines of some columns; names are shortened such that they stay distinct."""
    columns = []
    for index in indices:
        header, texts = cells.header[index], [row[index] for row in cells.rows]
        if index < cells.n_names:  # a blank repeats the name above it
            short = iter(clip_all(filter(None, texts), longest))
            texts = [text and next(short) for text in texts]
        column = [text and clip(text, max(_CELL, longest)) for text in (header, *texts)]
        # An empty column has width 0.
        width = max(map(len, column))
        is_text = cells.is_text(index)
        columns.append([t.ljust(width) if is_text else t.rjust(width) for t in column])
    return [_GAP.join(row).rstrip() for row in zip(*columns, strict=True)]


def _shorter(header: str) -> str:
    for word, short in (("adjusted", "adj."), ("equivalence", "equiv."), ("of ", "")):
        header = header.replace(word, short)
    return header
