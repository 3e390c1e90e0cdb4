"""Blocks as plain text for terminals and logs: what a person needs first, or everything."""

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from skstat._names import clip, clip_all, no_command, one_line
from skstat.report._blocks import (
    Bars,
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Heading,
    Link,
    Says,
    heaviest_first,
)

WIDTH = 88
MORE = "print(report.details)"
_LABEL, _SIDE = 30, 20  # letters of a label, and of a name beside an interval
_LEAST = 21  # places of an interval on a line; fewer show nothing
_MOST_DOUBTS = 2  # shown before the rest is counted
_CELL, _NAME, _NARROWEST = 30, 48, 12  # letters in tables
_GAP = "  "


def render_text(blocks: Iterable[Block], *, full: bool = False, more: str = MORE) -> str:
    """Render blocks as lines of at most 88 letters, but for links.

    Tables of a part stand above its facts, of which all labels have one width.

    Parameters
    ----------
    blocks : iterable of Block
        What is shown.
    full : bool, default=False
        Whether to write what is folded, and every doubt; else what a person needs first.
    more : str, optional
        How to see the rest.
    """
    said: list[str] = []
    parts = [_Part("")]
    doubts: list[Any] = []
    has_more = False
    for block in _unfolded(blocks) if full else blocks:
        match block:
            case Says():
                lines = [_wrap(" ".join(filter(None, pair))) for pair in block.paragraphs()]
                (parts[-1].said if parts[-1].title else said).extend(lines)
            case Heading():
                parts.append(_Part(block.text))
            case Doubts():
                doubts = heaviest_first(block.found)
            case Fold():
                has_more = True
            case _:
                parts[-1].add(block)
    if not full:
        if parts[-1].title:
            parts.append(_Part(""))
        parts[-1].rows += _first_doubts(doubts, more, has_more=has_more)
    titled = iter(range(1, len(parts) + 1))
    shown = [part.text(next(titled) if part.title else None) for part in parts]
    blocks_of_text = [
        "\n".join(filter(None, said)),
        *shown,
        _all_doubts(doubts) if full else "",
    ]
    return no_command("\n\n".join(filter(None, blocks_of_text)))


def _unfolded(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Fold):
            yield from _unfolded(block.blocks)
        else:
            yield block


class _Part:
    """What is shown up to the next heading."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.said: list[str] = []
        self.tables: list[str] = []
        self.rows: list[tuple[str, str] | Bars] = []
        self.link: Link | None = None

    def add(self, block: Block) -> None:
        match block:
            case Cells() if block.signs is None:  # a square is too wide for a line
                lines, words = table_lines(block)
                lines = [_wrap(block.title), *lines, _wrap(block.note + words)]
                self.tables.append("\n".join(filter(None, lines)))
            case Facts():
                self.rows += block.rows
            case Bars() if len(block.rows) == 1 and block.zero:
                self.rows.append(block)
            case Link():
                self.link = block

    def text(self, number: int | None) -> str:
        body = "\n\n".join(filter(None, ["\n".join(self.said), *self.tables, self._labelled()]))
        if number is None:
            return body
        # The first table of several systems has a title that says as much.
        return (
            f"[{number}] {body}"
            if self.tables and not self.said
            else f"[{number}] {one_line(self.title)}\n{body}"
        )

    def _labelled(self) -> str:
        # A row without a label goes on with that of the row above.
        named = (row[0] for row in self.rows if not isinstance(row, Bars))
        labels = [clip(label, _LABEL) for label in named if label]
        labels += [self.link.label] if self.link else []
        width = max(map(len, labels), default=0) + 2
        lines = []
        for row in self.rows:
            if isinstance(row, Bars):
                drawn = [text_bar(row, WIDTH - width)]
                drawn += [f"heavy: {row.inner_says}"] if row.inner is not None else []
                lines += [" " * width + line for line in drawn]
                continue
            label, text = row
            head = (clip(label, _LABEL) if label else "").ljust(width)
            filled = textwrap.fill(
                one_line(text), WIDTH, initial_indent=head, subsequent_indent=" " * width
            )
            lines.append(filled)
        if self.link is not None:  # a line break would end what a terminal follows
            lines.append(self.link.label.ljust(width) + self.link.url)
        return "\n".join(lines)


def _first_doubts(found: Sequence[Any], more: str, *, has_more: bool) -> list[tuple[str, str]]:
    """Return the heaviest doubts, each in a line, and where the rest is."""
    shown = [doubt for doubt in found if doubt.weight != "note"][:_MOST_DOUBTS]
    rows = [
        (
            doubt.weight.capitalize(),
            ": ".join(filter(None, [f"{doubt.code} {doubt.title}", doubt.action])),
        )
        for doubt in shown
    ]
    left = len(found) - len(shown)
    if has_more or left:
        rows.append(
            ("More", f"{more}{f', with {left} more doubt' + 's' * (left > 1) if left else ''}")
        )
    return rows


def _all_doubts(found: Sequence[Any]) -> str:
    if not found:
        return ""
    lines = [
        f"{doubt.weight.capitalize()}: {doubt.code} {doubt.title}: {doubt.text}"
        + (f" -> {doubt.action}" if doubt.action else "")
        for doubt in found
    ]
    wrapped = [
        textwrap.fill(one_line(line), WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join([f"Doubts (more: skstat explain {found[0].code})", *wrapped])


def _wrap(text: str) -> str:
    return textwrap.fill(one_line(text), WIDTH)


def text_bar(bars: Bars, width: int) -> str:
    """Draw an interval on a line.

    0 stands at zero, bars at the margin; arrows are sides without a limit. The interval by
    which the margin is decided is heavy.

    Examples
    --------
    >>> from skstat.report._blocks import Bar, Bars
    >>> bars = Bars([Bar("", 0.01, 0.03, 0.05)], "bayes", "tree", "better")
    >>> text_bar(bars, 60)
    'bayes better ·················0··├─────●─────┤·· tree better'
    """
    (bar,) = bars.rows
    room = (width - 2 * len(f" {bars.side}") - 2 - _LEAST) // 2
    names = clip_all((bars.left, bars.right), min(_SIDE, room))
    left, right = (f"{name} {bars.side}".strip() for name in names)
    n = width - len(left) - len(right) - 2
    known = [bar.low, bar.high, bar.estimate, bars.margin or 0.0]
    sizes = [abs(value) for value in known if math.isfinite(value)]
    # An arrow needs room beyond the estimate.
    reach = (1.1 if math.isfinite(bar.low + bar.high) else 1.5) * max(sizes) or 1.0
    middle = n // 2

    def place(value: float) -> int:
        far = middle + max(-n, min(n, value / reach * middle))
        return max(0, min(round(far), n - 1))

    line = ["\N{MIDDLE DOT}"] * n
    for (low, high), stroke in (((bar.low, bar.high), "─"), (bars.inner or (1.0, 0.0), "━")):
        if low <= high:
            line[place(low) : place(high) + 1] = stroke * (place(high) + 1 - place(low))
    line[place(bar.low)] = "├" if math.isfinite(bar.low) else "←"
    line[place(bar.high)] = "┤" if math.isfinite(bar.high) else "→"
    if bars.margin is not None:
        line[place(-bars.margin)] = line[place(bars.margin)] = "\N{BROKEN BAR}"
    line[middle] = "0"
    line[place(bar.estimate)] = "\N{BLACK CIRCLE}"
    return f"{left} {''.join(line)} {right}"


def table_lines(cells: Cells) -> tuple[list[str], str]:
    """Return the lines of a table, and what is to be said of their layout.

    They fit a terminal whatever the names are: the first layout is taken that does, and in
    which different names look different.
    """
    n = cells.n_names
    n_different = len({one_line(name) for row in cells.rows for name in row[:n]})
    brief = cells._replace(header=list(map(_shorter, cells.header)))
    spared = _without(brief, cells.spare)
    for layout in (cells, brief, spared):
        table = _clipped(layout, _CELL if n == 2 else _NAME)
        for each in (table, *([_narrowed(table)] if layout is spared and n < 2 else [])):
            lines = _aligned(each, layout)
            shown = {name for row in each[1:] for name in row[:n]}
            if max(map(len, lines)) <= WIDTH and len(shown) == n_different:
                return lines, ""
    found = _stacked(spared) if n == 2 and cells.letters else None
    words = " 1st: the upper name; 2nd: the lower. \N{EN DASH}: undecided."
    words += " =: equivalent." * any(text[0] == "=" for text in cells.letters)
    return found or _under_names(spared), words * bool(cells.letters and n == 2)


def _stacked(cells: Cells) -> list[str] | None:
    """Put the second name below the first, if different names look different then."""
    rows, verdicts = _clipped(cells, _NAME), [cells.header[-1], *cells.letters]
    table: list[list[str]] = []
    for (a, b, *numbers, _), letter in zip(rows, verdicts, strict=True):
        table += [[a, *numbers, letter], [_GAP + b] + [""] * (len(numbers) + 1)]
    table = _narrowed(table)
    lines = _aligned(table, Cells("", [], []))
    names = {name for row in cells.rows for name in map(one_line, row[:2])}
    # One name may be clipped in two ways, above another and below it.
    is_told = len({row[0].strip() for row in table[2:]}) >= len(names)
    return lines if is_told and max(map(len, lines)) <= WIDTH else None


def _without(cells: Cells, columns: Sequence[int]) -> Cells:
    """Leave columns out."""

    def kept(row: Sequence[str]) -> list[str]:
        return [cell for column, cell in enumerate(row) if column not in columns]

    words = cells.words
    if words is not None:
        words -= sum(column < words for column in columns)
    return cells._replace(
        header=kept(cells.header), rows=list(map(kept, cells.rows)), words=words, spare=()
    )


def _clipped(cells: Cells, longest: int) -> list[list[str]]:
    """Clip cells, names to their own length; the header comes first."""
    return [
        [
            cell and clip(cell, longest if column < cells.n_names else _CELL)
            for column, cell in enumerate(row)
        ]
        for row in (cells.header, *cells.rows)
    ]


def _narrowed(table: list[list[str]]) -> list[list[str]]:
    """Clip the names, in the first column, to what the others leave of the line."""
    others = [max(map(len, column)) for column in zip(*table, strict=True)][1:]
    room = max(_NARROWEST, WIDTH - sum(others) - len(_GAP) * len(others))

    def narrow(name: str) -> str:
        blanks = _GAP if name.startswith(_GAP) else ""
        return name and blanks + clip(name, room - len(blanks))

    return [[narrow(row[0]), *row[1:]] for row in table]


def _under_names(cells: Cells) -> list[str]:
    """Write each name on its own line, and its numbers below it."""
    n = cells.n_names
    header, *rows = [row[n:] for row in _clipped(cells, _NAME)]
    if cells.letters:
        rows = [[*row[:-1], letter] for row, letter in zip(rows, cells.letters, strict=True)]
    words = None if cells.words is None else cells.words - n
    look = Cells("", [], [], n_names=0, words=words)
    head, *lines = _aligned([header, *rows], look)
    found = [2 * _GAP + head]
    for names, line in zip(cells.rows, lines, strict=True):
        found += [
            place * _GAP + clip(name, WIDTH - len(_GAP)) for place, name in enumerate(names[:n])
        ]
        found.append(2 * _GAP + line)
    return found


def _aligned(table: Sequence[Sequence[str]], cells: Cells) -> list[str]:
    # Of a column of nothing not even the space stays.
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        _GAP.join(
            cell.ljust(width) if cells.is_text(number) else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def _shorter(header: str) -> str:
    for word, short in (("adjusted", "adj."), ("equivalence", "equiv."), ("of ", "")):
        header = header.replace(word, short)
    return header
