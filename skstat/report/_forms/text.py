"""Contents as plain text for terminals and logs: what a person needs first, or everything."""

import textwrap
from collections.abc import Mapping
from typing import Any

from skstat._names import clip, clip_all, no_command, one_line
from skstat.report._contents import Contents, Grid, Link, Rows, Section, ShownInterval
from skstat.report._forms.text_grid import WIDTH, grid_lines

_LABEL = 30  # letters
_MOST_DOUBTS = 2  # shown before the rest is counted
MORE = "print(report.details)"
# Of an interval on a line: letters of a name, and places, of which fewer show nothing.
_NAME, _LEAST = 20, 21
_OPEN = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
_ENDS = "\N{BOX DRAWINGS LIGHT VERTICAL AND RIGHT}", "\N{BOX DRAWINGS LIGHT VERTICAL AND LEFT}"
_HEAVY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}"
_LINE, _ESTIMATE = "\N{BOX DRAWINGS LIGHT HORIZONTAL}", "\N{BLACK CIRCLE}"
_MARGIN, _GROUND = "\N{BROKEN BAR}", "\N{MIDDLE DOT}"


def render_text(contents: Contents, *, full: bool = False, more: str = MORE) -> str:
    """Render contents as text.

    Parameters
    ----------
    contents : Contents
        What is shown.
    full : bool, default=False
        Whether to write every table, number and doubt; else what a person needs first.
    more : str, optional
        How to see the rest.

    Returns
    -------
    str
        Lines of at most 88 letters, but for links.
    """
    sentences = [" ".join(filter(None, pair)) for pair in contents.sentences]
    blocks = ["\n".join(map(_wrap, sentences or [contents.conclusion]))]
    ends = [*contents.shared_about] if full else _brief_end(contents, more)
    if contents.overview is not None and not full:
        table = _grid(contents.overview)
        blocks = [_wrap(sentences[0]), table, _rows([*contents.shared, *ends])]
        return no_command("\n\n".join(blocks))
    if not contents.is_titled:
        for section in contents.sections:
            rows = [*section.rows, *(section.about if full else ()), *ends]
            blocks.append(_body(section, rows, full=full))
    else:
        for number, section in enumerate(contents.sections, start=1):
            rows = [*section.rows, *(section.about if full else ())]
            body = _body(section, rows, full=full)
            # The first table of several systems has a title that says as much.
            title = (
                f"[{number}] "
                if _tables(section, full=full)
                else f"[{number}] {section.title}\n"
            )
            blocks.append(f"{title}{body}")
        blocks.append(_rows([*contents.shared, *ends]))
    if full:
        blocks.append(_doubts(contents))
    return no_command("\n\n".join(block for block in blocks if block))


def _brief_end(contents: Contents, more: str) -> list[tuple[str, str]]:
    """Return the doubts, each in a line, and where the rest is."""
    doubts = contents.doubts_by_weight()
    shown = [doubt for doubt in doubts if doubt["weight"] != "note"][:_MOST_DOUBTS]
    rows = [(doubt["weight"].capitalize(), _doubt_line(doubt)) for doubt in shown]
    left = len(doubts) - len(shown)
    if contents.has_details or left:
        doubts_left = f", with {left} more doubt{'s' * (left > 1)}" if left else ""
        rows.append(("More", f"{more}{doubts_left}"))
    return rows


def _doubt_line(doubt: dict[str, str]) -> str:
    """Write what is doubtful, and what to do about it."""
    return ": ".join(filter(None, [f"{doubt['code']} {doubt['title']}", doubt["action"]]))


def _body(section: Section, rows: Rows, *, full: bool) -> str:
    tables = map(_grid, _tables(section, full=full))
    return "\n\n".join(filter(None, [*tables, _rows(rows, section)]))


def _tables(section: Section, *, full: bool) -> list[Grid]:
    if section.first_grids and not full:
        return [*section.first_grids]
    grids = section.short_grids or section.grids
    return [grid for grid in grids if full or not grid.is_detail]


def _grid(grid: Grid) -> str:
    lines, words = grid_lines(grid)
    return "\n".join(filter(None, [_wrap(grid.title), *lines, _wrap(grid.note + words)]))


def _rows(rows: Rows, section: Section | None = None) -> str:
    rows = [(clip(label, _LABEL), text) for label, text in rows]
    link: Link | None = None if section is None else section.link
    labels = [label for label, _ in rows]
    if link is not None:
        labels.append(link.label)
    width = max(map(len, labels), default=0) + 2
    lines = [_row(label, text, width) for label, text in rows]
    if section is not None and section.interval is not None:
        shown = section.interval
        lines.insert(0, " " * width + text_bar(shown, WIDTH - width))
        if shown.inner is not None:
            lines.insert(1, f"{' ' * width}heavy: {shown.inner_says}")
    if link is not None:  # a line break would end what a terminal follows
        lines.append(link.label.ljust(width) + link.url)
    return "\n".join(lines)


def _doubts(contents: Contents) -> str:
    rows = contents.doubts_by_weight()
    if not rows:
        return ""
    lines = [one_line(_in_one_line(doubt)) for doubt in rows]
    wrapped = [
        textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join([f"Doubts (more: skstat explain {rows[0]['code']})", *wrapped])


def _in_one_line(doubt: Mapping[str, Any]) -> str:
    action = f" -> {doubt['action']}" if doubt["action"] else ""
    weight = doubt["weight"].capitalize()
    return f"{weight}: {doubt['code']} {doubt['title']}: {doubt['text']}{action}"


def _row(label: str, text: str, width: int) -> str:
    return textwrap.fill(
        one_line(text),
        WIDTH,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
    )


def _wrap(text: str) -> str:
    return textwrap.fill(one_line(text), WIDTH)


def text_bar(shown: ShownInterval, width: int) -> str:
    """Draw an interval on a line.

    Parameters
    ----------
    shown : ShownInterval
        The interval.
    width : int
        Letters of the line.

    Returns
    -------
    str
        The axis between the names of the systems that are better on its sides. 0 stands at
        zero, bars at the margin; arrows are sides without a limit. The interval by which the
        margin is decided is heavy.

    Examples
    --------
    >>> from skstat.report._contents import ShownInterval
    >>> text_bar(ShownInterval(0.01, 0.05, 0.03, None, "bayes", "tree"), 60)
    'bayes better ·················0··├─────●─────┤·· tree better'
    """
    names = shown.left, shown.right
    words = len(f" {shown.side}") * 2 + 2
    limit = min(_NAME, (width - words - _LEAST) // 2)
    left, right = (f"{name} {shown.side}" for name in clip_all(names, limit))
    n = width - len(left) - len(right) - 2
    known = (shown.low, shown.high, shown.estimate, shown.margin)
    # An arrow needs room beyond the estimate.
    room = 1.5 if None in known[:2] else 1.1
    reach = room * max(abs(value) for value in known if value is not None) or 1.0
    middle = n // 2

    def place(value: float) -> int:
        return round(middle + value / reach * middle)

    line = [_GROUND] * n
    low = 0 if shown.low is None else place(shown.low)
    high = n - 1 if shown.high is None else min(place(shown.high), n - 1)
    line[low : high + 1] = [_LINE] * (high + 1 - low)
    if shown.inner is not None:
        first, last = (max(0, min(place(value), n - 1)) for value in shown.inner)
        line[first : last + 1] = [_HEAVY] * (last + 1 - first)
    line[low] = _OPEN[0] if shown.low is None else _ENDS[0]
    line[high] = _OPEN[1] if shown.high is None else _ENDS[1]
    if shown.margin is not None:
        for side in (-1, 1):
            line[min(place(side * shown.margin), n - 1)] = _MARGIN
    line[middle] = "0"
    line[min(place(shown.estimate), n - 1)] = _ESTIMATE
    return f"{left} {''.join(line)} {right}"
