"""Render blocks as HTML without scripts: the main results, and folds with all else."""

from collections.abc import Iterable, Sequence
from typing import Any

from skstat.display._svg import classes, drawing_of, escape_html
from skstat.report import _blocks as show
from skstat.report._forms.style import STYLE

_MOST_OPEN = 4  # parts that are unfolded at first; more are all folded
_MOST_PRINTED = 100  # rows of a folded table that is unfolded to be printed, two pages


def render_html(blocks: Sequence[show.Block]) -> str:
    """Render blocks as a fragment, with its own style sheet.

    It is readable without the style sheet too, which some viewers of notebooks remove.
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
    """Write a block; `title` is that of a fold around it, which a table does not repeat."""
    match block:
        case show.Summary():
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
            return _tag("p", drawing_of(block)) + _tag("p", escape_html(block.note), "quiet")
        case show.Doubts():
            return _tag("ul", "".join(map(_doubt, block.doubts)), "list")
        case show.Fold():
            sizes = (len(one.rows) for one in block.blocks if isinstance(one, show.Cells))
            look = "long" * (max(sizes, default=0) > _MOST_PRINTED)
            body = "".join(_block(one, block.title) for one in block.blocks)
            return _folded(block.title, body, look)
    return ""


def _tag(name: str, body: str, *looks: str) -> str:
    """Write an element with classes of skstat; nothing without a body."""
    return f"<{name}{classes(*looks)}>{body}</{name}>" if body else ""


def _folded(title: str, body: str, look: str = "") -> str:
    """Write a fold; one with the look "long" stays folded in print."""
    return _tag("details", body and _tag("summary", escape_html(title)) + body, look)


def _conclusion(summary: show.Summary) -> str:
    """Write the heading, the verdicts and the conclusion."""
    tones = [badge.tone for badge in summary.badges]
    is_moot = "invalid" in tones
    items = [
        f"{_tag('strong', escape_html(lead))} {escape_html(rest)}".strip()
        for lead, rest in summary.paragraphs()
    ]
    n = 0 if summary.follows and len(items) > 1 else 1
    lines = [
        _tag("p", escape_html(summary.heading), "heading"),
        _tag("p", _badges(summary.badges)),
        *(_tag("p", item, "conclusion") for item in items[:n]),
        _tag("ul", "".join(_tag("li", item) for item in items[n:])),
    ]
    tone = "invalid" if is_moot else "".join(tones[:1])
    return _tag("div", "".join(lines), "header", "moot" * is_moot, tone)


def _badges(badges: Iterable[show.Badge]) -> str:
    """Write verdicts as coloured badges."""
    tags = (_tag("span", escape_html(text), "badge", tone) for text, tone in badges)
    return _tag("span", " ".join(tags), "badges")


def _table(cells: show.Cells, caption: str) -> str:
    """Write a table in a frame that scrolls, also by keys, if it is too wide."""
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


def _row(cells: show.Cells, tag: str, index: int, row: Sequence[str], tone: show.Tone) -> str:
    """Write a row, of which the last cell may be a verdict.

    The alignment is an attribute, so that it does not depend on the style sheet.
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
        if (index, column) in cells.bold:
            body = f"<strong>{body}</strong>"
        scope = ' scope="col"' * (tag == "th")
        shown += f'<{tag}{scope}{classes(*looks)} align="{align}">{body}</{tag}>'
    return f"<tr>{shown}</tr>"


def _doubt(doubt: Any) -> str:
    """Write a doubt: its weight, title, code, text, action and advice."""
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
