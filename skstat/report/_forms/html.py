"""Blocks as HTML: what a person needs first, and all else to be unfolded; no script."""

from collections.abc import Iterable, Sequence
from typing import Any

from skstat.report._blocks import (
    Badge,
    Bars,
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Heading,
    Link,
    Ranks,
    Says,
    heaviest_first,
)
from skstat.report._forms.escape import escape_html
from skstat.report._forms.style import STYLE
from skstat.report._forms.svg import draw

_MOST_OPEN = 4  # parts; of more, each is unfolded on request
_MOST_PRINTED = 100  # rows of a table among the details, two pages


def render_html(blocks: Iterable[Block]) -> str:
    """Render blocks as a fragment, with its own style sheet.

    It reads well without the style sheet too, which some pages that show notebooks drop.
    """
    blocks = list(blocks)
    doubts = heaviest_first(d for one in blocks if isinstance(one, Doubts) for d in one.found)
    invalid = [doubt for doubt in doubts if doubt.weight == "invalid"]
    is_open = sum(isinstance(one, Heading) and bool(one.text) for one in blocks) <= _MOST_OPEN
    body, in_part = "", False
    for place, block in enumerate(blocks):
        if isinstance(block, Heading):
            body += "</details>" * in_part
            in_part = bool(block.text)
            body += _opened(block, is_open=is_open or block.is_open) * in_part
        elif isinstance(block, Says) and place == 0:
            body += _header(block, is_moot=bool(invalid)) + _doubts(invalid)
        else:
            body += _block(block)
    body += "</details>" * in_part
    return f'<div class="skstat-report">{STYLE}{body}</div>'


def _block(block: Block, *, title: str = "") -> str:
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
            return _table(block, caption=block.title != title)
        case Bars():
            return _tag("p", draw(block))
        case Ranks():
            return _tag("p", draw(block)) + _tag("p", escape_html(block.note), "quiet")
        case Doubts():
            found = heaviest_first(block.found)
            notes = [doubt for doubt in found if doubt.weight == "note"]
            summary = f"{len(notes)} note{'s' * (len(notes) != 1)}"
            weak = [doubt for doubt in found if doubt.weight == "weak"]
            return _doubts(weak) + _folded(summary, _doubts(notes))
        case Fold():
            n = max(
                (len(one.rows) for one in block.blocks if isinstance(one, Cells)), default=0
            )
            body = "".join(_block(one, title=block.title) for one in block.blocks)
            return _folded(block.title, body, *["long"] * (n > _MOST_PRINTED))
        case Link():
            label, text, url = map(escape_html, block)
            return _tag("p", f'{label}: <a href="{url}">{text}</a>')
    return ""


def _tag(name: str, body: str, *looks: str) -> str:
    """Write an element of our own classes; nothing without a body."""
    classes = " ".join(f"skstat-{look}" for look in looks if look)
    look = f' class="{classes}"' if classes else ""
    return f"<{name}{look}>{body}</{name}>" if body else ""


def _folded(title: str, body: str, *looks: str) -> str:
    """Write what can be unfolded; what is long is not unfolded to be printed."""
    summary = f"<summary>{escape_html(title)}</summary>"
    return _tag("details", body and summary + body, *looks)


def _header(says: Says, *, is_moot: bool) -> str:
    """Write what was compared and what was found, and whether that can be relied on."""
    badges = [*says.badges, *[Badge("not valid", "invalid")] * is_moot]
    tone = "invalid" if is_moot else next((badge.tone for badge in badges), "")
    items = [
        " ".join(filter(None, [_tag("strong", escape_html(lead)), escape_html(rest)]))
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.leads == "all" and len(items) > 1 else 1
    lines = [
        _tag("p", escape_html(says.heading), "heading"),
        _tag("p", _badges(badges)),
        *(_tag("p", item, "conclusion") for item in items[:n]),
        _tag("ul", "".join(_tag("li", item) for item in items[n:])),
    ]
    return _tag("div", "".join(lines), "header", "moot" * is_moot, tone)


def _opened(heading: Heading, *, is_open: bool) -> str:
    """Begin one of several parts, below its title."""
    title = f"<h4>{escape_html(heading.text)}</h4> {_badges(heading.badges)}"
    unfolded = ' open=""' if is_open else ""
    return f'<details class="skstat-part"{unfolded}><summary>{title}</summary>'


def _badges(found: Iterable[Badge]) -> str:
    """Write verdicts that are seen from far."""
    badges = (_tag("span", escape_html(text), "badge", tone) for text, tone in found)
    return _tag("span", " ".join(badges), "badges")


def _table(cells: Cells, *, caption: bool) -> str:
    """Write a table, in a frame in which it scrolls where it is too wide."""
    last, title = len(cells.header) - 1, escape_html(cells.title)

    def row_of(tag: str, row: Sequence[str], tone: str = "", place: int = -1) -> str:
        found = (
            _cell(cells, tag, (place, column), text, tone * (column == last))
            for column, text in enumerate(row)
        )
        return f"<tr>{''.join(found)}</tr>"

    tones = cells.tones or [""] * len(cells.rows)
    rows = zip(cells.rows, tones, range(len(cells.rows)), strict=True)
    body = "".join(row_of("td", *each) for each in rows)
    head = row_of('th scope="col"', cells.header)
    said = f"<caption>{title}</caption>" * caption
    # Keys can move the table in its frame.
    return (
        f'<div class="skstat-frame" tabindex="0" role="region" aria-label="{title}" '
        'style="overflow-x:auto">'
        f'<table class="skstat-table skstat-grid">{said}<thead>{head}</thead>'
        f"<tbody>{body}</tbody></table></div>{_tag('p', escape_html(cells.note), 'quiet')}"
    )


def _cell(cells: Cells, tag: str, place: tuple[int, int], text: str, tone: str) -> str:
    """Write a cell; where the style sheet is dropped, its alignment is kept."""
    column = place[1]
    look, align = "name" if column < cells.n_names else "", "left"
    if tone:
        look = f"verdict skstat-{tone}"
    elif not cells.is_text(column):
        look, align = "number", "right"
    shown = (
        f"<strong>{escape_html(text)}</strong>" if place in cells.bold else escape_html(text)
    )
    if column == cells.signs:  # these stand below each other, whatever the page says
        style = "margin:0;padding:0;white-space:pre;background:none"
        shown = f'<pre style="{style}">{shown}</pre>'
    classes = f' class="skstat-{look}"' if look else ""
    return f'<{tag}{classes} align="{align}">{shown}</{tag[:2]}>'


def _doubts(found: Iterable[Any]) -> str:
    """Write what is doubtful, how much, and what to do about it, one below the other."""
    items = ""
    for doubt in found:
        code, url, action, advice = (
            escape_html(text or "")
            for text in (doubt.code, doubt.url, doubt.action, doubt.advice)
        )
        linked = f'<a href="{url}">{code}</a>' if url else code
        to_do = f" <strong>\N{RIGHTWARDS ARROW} {action}</strong>" * bool(action)
        items += _tag(
            "li",
            f"<p>{_tag('span', doubt.weight, 'badge', doubt.weight)} "
            f"<strong>{escape_html(doubt.title)}</strong> {_tag('span', linked, 'quiet')}</p>"
            f"<p>{escape_html(doubt.text)}{to_do}</p>"
            + _folded(f"More on {doubt.code}", _tag("p", advice)),
            "doubt",
            doubt.weight,
        )
    return _tag("ul", items, "list")
