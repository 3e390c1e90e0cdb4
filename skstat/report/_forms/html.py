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
    Rows,
    Says,
    heaviest_first,
)
from skstat.report._forms.escape import escape_html
from skstat.report._forms.style import STYLE
from skstat.report._forms.svg import draw_bars, draw_interval, draw_ranks

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
    body, in_part = [], False
    for place, block in enumerate(blocks):
        if isinstance(block, Heading):
            body += ["</details>"] * in_part
            in_part = bool(block.text)
            body += [_opened(block, is_open=is_open or block.is_open)] * in_part
        elif isinstance(block, Says) and place == 0:
            body += [_header(block, is_moot=bool(invalid)), _doubts(invalid)]
        else:
            body.append(_block(block))
    body += ["</details>"] * in_part
    return f'<div class="skstat-report">{STYLE}{"".join(body)}</div>'


def _block(block: Block) -> str:
    match block:
        case Says():
            return "".join(f"<p>{escape_html(sentence)}</p>" for sentence in block.sentences)
        case Facts():
            return _labelled(block.rows)
        case Cells():
            return _table(block)
        case Bars():
            drawn = draw_bars if block.rows[0].name else draw_interval
            return f"<p>{drawn(block)}</p>"
        case Ranks():
            return f"<p>{draw_ranks(block)}</p>{_quiet(block.note)}"
        case Doubts():
            found = heaviest_first(block.found)
            notes = [doubt for doubt in found if doubt.weight == "note"]
            title = f"{len(notes)} note{'s' * (len(notes) != 1)}"
            weak = [doubt for doubt in found if doubt.weight == "weak"]
            return _doubts(weak) + _folded(title, _doubts(notes))
        case Fold():
            tables = [one for one in block.blocks if isinstance(one, Cells)]
            body = "".join(
                _table(one, caption=one.title != block.title)
                if isinstance(one, Cells)
                else _block(one)
                for one in block.blocks
            )
            is_long = any(len(one.rows) > _MOST_PRINTED for one in tables)
            return _folded(block.title, body, is_long=is_long)
        case Link():
            label, text, url = map(escape_html, block)
            return f'<p>{label}: <a href="{url}">{text}</a></p>'
    return ""


def _header(says: Says, *, is_moot: bool) -> str:
    """Write what was compared and what was found, and whether that can be relied on."""
    badges = [*says.badges, *[Badge("not valid", "invalid")] * is_moot]
    tone = "invalid" if is_moot else next((badge.tone for badge in badges), "")
    heading = escape_html(says.heading)
    lines = [
        f'<p class="skstat-heading">{heading}</p>' if heading else "",
        f"<p>{_badges(badges)}</p>" if badges else "",
        _conclusion(says),
    ]
    if not any(lines):
        return ""
    look = "skstat-header" + " skstat-moot" * is_moot + f" skstat-{tone}" * bool(tone)
    return f'<div class="{look}">{"".join(lines)}</div>'


def _conclusion(says: Says) -> str:
    """Write one strong sentence, or one for every part."""
    items = [
        " ".join(
            filter(None, [lead and f"<strong>{escape_html(lead)}</strong>", escape_html(rest)])
        )
        for lead, rest in says.paragraphs()
    ]
    n = 0 if says.leads == "all" and len(items) > 1 else 1
    first = "".join(f'<p class="skstat-conclusion">{item}</p>' for item in items[:n])
    listed = "".join(f"<li>{item}</li>" for item in items[n:])
    return f"{first}<ul>{listed}</ul>" if listed else first


def _opened(heading: Heading, *, is_open: bool) -> str:
    """Begin one of several parts, below its title."""
    unfolded = ' open=""' if is_open else ""
    return (
        f'<details class="skstat-part"{unfolded}><summary><h4>{escape_html(heading.text)}</h4> '
        f"{_badges(heading.badges)}</summary>"
    )


def _table(cells: Cells, *, caption: bool = True) -> str:
    """Write a table, in a frame in which it scrolls where it is too wide."""
    title, last = escape_html(cells.title), len(cells.header) - 1
    head = "".join(
        f'<th scope="col"{_look(cells, column)}>{_cell(cells, column, text)}</th>'
        for column, text in enumerate(cells.header)
    )
    body = ""
    for row, tone in zip(cells.rows, cells.tones or [""] * len(cells.rows), strict=True):
        found = (
            f"<td{_look(cells, column, tone if column == last else '')}>"
            f"{_cell(cells, column, text)}</td>"
            for column, text in enumerate(row)
        )
        body += f"<tr>{''.join(found)}</tr>"
    said = f"<caption>{title}</caption>" if caption else ""
    # Keys can move the table in its frame.
    return (
        f'<div class="skstat-frame" tabindex="0" role="region" aria-label="{title}" '
        'style="overflow-x:auto">'
        f'<table class="skstat-table skstat-grid">{said}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{_quiet(cells.note)}"
    )


def _cell(cells: Cells, column: int, text: str) -> str:
    """Write characters that stand below each other in one width, whatever the page says."""
    if column == cells.signs:
        look = "margin:0;padding:0;white-space:pre;background:none"
        return f'<pre style="{look}">{escape_html(text)}</pre>'
    return escape_html(text)


def _look(cells: Cells, column: int, tone: str = "") -> str:
    """Align a column; where the style sheet is dropped the attribute is kept."""
    if tone:
        return f' class="skstat-verdict skstat-{tone}" align="left"'
    if not cells.is_text(column):
        return ' class="skstat-number" align="right"'
    return ' class="skstat-name" align="left"' if column < cells.n_names else ' align="left"'


def _labelled(rows: Rows) -> str:
    """Write rows of label and text."""
    body = "".join(
        f'<tr><th scope="row" align="left">{escape_html(label)}</th>'
        f'<td align="left">{escape_html(text)}</td></tr>'
        for label, text in rows
    )
    if not body:
        return ""
    return f'<table class="skstat-table skstat-rows"><tbody>{body}</tbody></table>'


def _quiet(text: str) -> str:
    return f'<p class="skstat-quiet">{escape_html(text)}</p>' if text else ""


def _folded(title: str, body: str, *, is_long: bool = False) -> str:
    """Write what can be unfolded; what is long is not unfolded to be printed."""
    look = ' class="skstat-long"' if is_long else ""
    summary = f"<summary>{escape_html(title)}</summary>"
    return f"<details{look}>{summary}{body}</details>" if body else ""


def _badges(found: Iterable[Badge]) -> str:
    """Write verdicts that are seen from far."""
    spans = [
        f'<span class="skstat-badge{f" skstat-{tone}" * bool(tone)}">{escape_html(text)}</span>'
        for text, tone in found
    ]
    return f'<span class="skstat-badges">{" ".join(spans)}</span>' if spans else ""


def _doubts(found: Sequence[Any]) -> str:
    """Write what is doubtful, how much, and what to do about it, one below the other."""
    items = ""
    for doubt in found:
        weight, code = doubt.weight, escape_html(doubt.code)
        url, action, advice = (
            escape_html(text or "") for text in (doubt.url, doubt.action, doubt.advice)
        )
        linked = f'<a href="{url}">{code}</a>' if url else code
        to_do = f" <strong>\N{RIGHTWARDS ARROW} {action}</strong>" if action else ""
        more = _folded(f"More on {doubt.code}", f"<p>{advice}</p>" if advice else "")
        items += (
            f'<li class="skstat-doubt skstat-{weight}"><p>'
            f'<span class="skstat-badge skstat-{weight}">{weight}</span> '
            f"<strong>{escape_html(doubt.title)}</strong> "
            f'<span class="skstat-quiet">{linked}</span></p>'
            f"<p>{escape_html(doubt.text)}{to_do}</p>{more}</li>"
        )
    return f'<ul class="skstat-list">{items}</ul>' if items else ""
