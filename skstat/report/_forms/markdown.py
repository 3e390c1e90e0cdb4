"""Contents as Markdown: what a person needs first, and all else to be unfolded on GitHub."""

from collections.abc import Iterable, Sequence
from typing import Any

from skstat._names import no_command, one_line
from skstat.report._contents import Contents, Grid, Section
from skstat.report._forms.escape import escape_html
from skstat.report._forms.escape import escape_markdown as _escape
from skstat.report._forms.escape import markdown_table as _table
from skstat.report._forms.weights import ABOUT_ALL, by_weight, notes_title


def render_markdown(contents: Contents) -> str:
    """Render contents as Markdown."""
    conclusion = f"**{_escape(contents.conclusion)}**" if contents.conclusion else ""
    invalid, weak, notes = by_weight(contents.doubts_by_code()).values()
    doubts = [_list(weak), _folded(notes_title(notes), [_list(notes)])]
    blocks = [_sentences(contents) or conclusion, *map(_alarm, invalid)]
    if contents.is_titled:
        blocks += doubts
        for section, title in zip(contents.sections, contents.titles(), strict=True):
            blocks += [f"### {_escape(title)}", *_first(section), *_rest(section)]
        blocks += [_rows(contents.shared), _folded(ABOUT_ALL, [_rows(contents.shared_about)])]
    else:
        for section in contents.sections:
            blocks += _first(section)
        blocks += doubts
        for section in contents.sections:
            blocks += _rest(section)
    return no_command("\n\n".join(filter(None, blocks))) + "\n"


def _sentences(contents: Contents) -> str:
    """Write one strong sentence and what follows, or a list of both."""
    if contents.is_titled:
        return "\n".join(map(_item, contents.of_all()))
    lead, *rest = contents.sentences or [("", "")]
    first = " ".join(filter(None, [lead[0] and f"**{_escape(lead[0])}**", _escape(lead[1])]))
    return "\n\n".join(filter(None, [first, "\n".join(map(_item, rest))]))


def _item(parts: tuple[str, str]) -> str:
    """Write what leads; what follows it stands in its section."""
    lead, rest = map(_escape, parts)
    return f"- **{lead}**" if lead else f"- {rest}"


def _first(section: Section) -> list[str]:
    """Write what everybody should read."""
    tables = [
        f"{_escape(grid.title)}\n\n{_grid(grid)}"
        for grid in section.grids
        if not grid.is_detail
    ]
    return [_escape(section.says), *tables, _rows(section.rows)]


def _rest(section: Section) -> list[str]:
    """Write what can be unfolded, and where more is to be read."""
    blocks = [_folded(grid.title, [_grid(grid)]) for grid in section.grids if grid.is_detail]
    blocks.append(_folded(section.about_title, [_rows(section.about)]))
    if section.link is not None:
        label, text, url = section.link
        blocks.append(f"{_escape(label)}: [{_escape(text)}]({url})")
    return blocks


def _grid(grid: Grid) -> str:
    note = f"\n\n{_escape(grid.note)}" if grid.note else ""
    return f"{_table([grid.header, *grid.rows], code=grid.signs)}{note}"


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    return _table([("", ""), *rows]) if rows else ""


def _folded(title: str, blocks: Iterable[str]) -> str:
    """Write what can be unfolded; blank lines let Markdown go on within the tags."""
    body = "\n\n".join(filter(None, blocks))
    if not body:
        return ""
    summary = escape_html(one_line(title))
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def _alarm(doubt: dict[str, Any]) -> str:
    """Write a doubt that takes the meaning from the numbers as GitHub marks a caution."""
    return f"> [!CAUTION]\n> **Invalid:** {_doubt(doubt)}"


def _list(doubts: Iterable[dict[str, Any]]) -> str:
    return "\n".join(
        f"- **{weight.capitalize()}:** {_doubt(doubt)}"
        for weight, found in by_weight(doubts).items()
        for doubt in found
    )


def _doubt(doubt: dict[str, Any]) -> str:
    """Write what is doubtful, and what to do about it."""
    code, action = doubt["code"], doubt["action"]
    linked = f"[{code}]({doubt['url']})" if doubt["url"] else code
    to_do = f" \N{RIGHTWARDS ARROW} **{_escape(action)}**" if action else ""
    return f"{_escape(doubt['title'])} ({linked}): {_escape(doubt['text'])}{to_do}"
