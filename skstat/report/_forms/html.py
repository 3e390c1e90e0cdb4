"""Contents as HTML: what a person needs first, and all else to be unfolded; no script."""

from collections.abc import Sequence
from typing import Any

from skstat.report._contents import Badge, Contents, Section
from skstat.report._forms import html_parts as parts
from skstat.report._forms.escape import escape_html
from skstat.report._forms.style import STYLE
from skstat.report._forms.svg import render_svg
from skstat.report._forms.weights import ABOUT_ALL, by_weight, notes_title

_MOST_OPEN = 4  # sections; of more, each is unfolded on request
_MOST_PRINTED = 100  # rows of a table among the details, two pages


def render_html(contents: Contents) -> str:
    """Render contents as a fragment, with its own style sheet.

    It reads well without the style sheet too, which some pages that show notebooks drop.
    """
    invalid, weak, notes = by_weight(contents.doubts_by_code()).values()
    weaker = parts.doubts(weak) + parts.folded(notes_title(notes), parts.doubts(notes))
    body = [_header(contents, invalid), parts.doubts(invalid)]
    if contents.is_titled:
        is_open = len(contents.sections) <= _MOST_OPEN
        body.append(weaker)
        body += [
            _part(section, title, is_open=is_open or section.is_open)
            for section, title in zip(contents.sections, contents.titles(), strict=True)
        ]
        body.append(parts.labelled(contents.shared))
        body.append(parts.folded(ABOUT_ALL, parts.labelled(contents.shared_about)))
    else:
        body += [_first(section) for section in contents.sections]
        body.append(weaker)
        body += [_rest(section) for section in contents.sections]
    return f'<div class="skstat-report">{STYLE}{"".join(body)}</div>'


def _header(contents: Contents, invalid: Sequence[dict[str, Any]]) -> str:
    """Write what was compared and what was found, and whether that can be relied on."""
    found = [] if contents.is_titled else [b for s in contents.sections for b in s.badges]
    tone: str = next((badge.tone for badge in found), "")
    if invalid:
        found.append(Badge("not valid", "invalid"))
        tone = "invalid"
    heading = escape_html(", ".join(filter(None, [contents.subject, contents.metric])))
    moot = " skstat-moot" if invalid else ""
    lines = [
        f'<p class="skstat-heading">{heading}</p>' if heading else "",
        f"<p>{parts.badges(found)}</p>" if found else "",
        _conclusion(contents),
    ]
    if not any(lines):
        return ""
    look = f"skstat-header{moot}" + f" skstat-{tone}" * bool(tone)
    return f'<div class="{look}">{"".join(lines)}</div>'


def _conclusion(contents: Contents) -> str:
    """Write one strong sentence, or one for every section."""
    if not contents.sentences:
        text = escape_html(contents.conclusion)
        return f'<p class="skstat-conclusion"><strong>{text}</strong></p>' if text else ""
    sentences = contents.of_all()
    first = ""
    if not contents.is_titled or len(sentences) == 1:
        lead, rest = map(escape_html, sentences.pop(0))
        first = f'<p class="skstat-conclusion"><strong>{lead}</strong> {rest}</p>'
    return f"{first}<ul>{''.join(map(_sentence, sentences))}</ul>" if sentences else first


def _sentence(pair: tuple[str, str]) -> str:
    """Write what leads; what follows it stands in its section."""
    lead, rest = map(escape_html, pair)
    return f"<li>{f'<strong>{lead}</strong>' if lead else rest}</li>"


def _part(section: Section, title: str, *, is_open: bool) -> str:
    """Write one of several sections, below its title."""
    unfolded = ' open=""' if is_open else ""
    return (
        f'<details class="skstat-part"{unfolded}><summary><h4>{escape_html(title)}</h4> '
        f"{parts.badges(section.badges)}</summary>{_first(section)}{_rest(section)}</details>"
    )


def _first(section: Section) -> str:
    """Write what everybody should read: the drawing, short tables, rows."""
    says = f"<p>{escape_html(section.says)}</p>" if section.says else ""
    drawing = "" if section.drawing is None else f"<p>{render_svg(section.drawing)}</p>"
    tables = [
        parts.table(grid, beside_drawing=bool(drawing))
        for grid in section.grids
        if not grid.is_detail
    ]
    return "".join([says, drawing, *tables, parts.labelled(section.rows)])


def _rest(section: Section) -> str:
    """Write what can be unfolded, and where more is to be read."""
    body = [
        parts.folded(
            grid.title, parts.table(grid, caption=False), is_long=len(grid.rows) > _MOST_PRINTED
        )
        for grid in section.grids
        if grid.is_detail
    ]
    body.append(parts.folded(section.about_title, parts.labelled(section.about)))
    if section.link is not None:
        label, text, url = map(escape_html, section.link)
        body.append(f'<p>{label}: <a href="{url}">{text}</a></p>')
    return "".join(body)
