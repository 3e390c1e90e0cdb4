"""Contents as Markdown."""

from collections.abc import Mapping
from typing import Any

from skstat.report._contents import Contents, Grid
from skstat.report._forms.escape import escape_markdown as _escape
from skstat.report._forms.escape import markdown_table as _table


def render_markdown(contents: Contents) -> str:
    """Render contents as Markdown."""
    conclusion = f"**{_escape(contents.conclusion)}**" if contents.conclusion else ""
    blocks = ["\n".join(map(_sentence, contents.sentences)) or conclusion]
    for section in contents.sections:
        if contents.is_titled:
            blocks.append(f"### {_escape(section.title)}")
        blocks += map(_grid, section.grids)
        rows = [*section.rows, *section.about]
        blocks.append(_table([("", ""), *rows]) if rows else "")
        if section.link is not None:
            label, text, url = section.link
            blocks.append(f"{_escape(label)}: [{_escape(text)}]({url})")
    doubts = [
        f"- {_code(doubt)} **{_escape(doubt['title'])}**: {_escape(doubt['text'])}"
        f"{_action(doubt)}"
        for doubt in contents.doubts_by_code()
    ]
    if doubts:
        blocks.append("Doubts:\n\n" + "\n".join(doubts))
    return "\n\n".join(filter(None, blocks)) + "\n"


def _code(doubt: Mapping[str, Any]) -> str:
    """Write the code, as a link where there is a page to link to."""
    return f"[{doubt['code']}]({doubt['url']})" if doubt["url"] else str(doubt["code"])


def _action(doubt: Mapping[str, Any]) -> str:
    return f" *To do:* {_escape(doubt['action'])}." if doubt["action"] else ""


def _sentence(parts: tuple[str, str]) -> str:
    lead, rest = map(_escape, parts)
    return "- " + " ".join(filter(None, [lead and f"**{lead}**", rest]))


def _grid(grid: Grid) -> str:
    note = f"\n\n{_escape(grid.note)}" if grid.note else ""
    return f"{_escape(grid.title)}\n\n{_table([grid.header, *grid.rows])}{note}"
