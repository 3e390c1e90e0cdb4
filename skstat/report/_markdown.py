"""Reports as Markdown."""

import re
from typing import Any

from skstat.report._rows import comparisons, detail_rows, doubt_rows, headline_rows, part_title


def render_markdown(report: dict[str, Any]) -> str:
    """Render any report's dictionary as Markdown."""
    several = report["kind"] != "comparison"
    if several:
        blocks = ["\n".join(f"- {_escape(text)}" for text in report["sentences"])]
    else:
        blocks = [f"**{_escape(report['conclusion'])}**"]
    for part in comparisons(report):
        if several:
            blocks.append(f"### {_escape(part_title(part))}")
        rows = [*headline_rows(part), *detail_rows(part)]
        table = "\n".join(f"| {_escape(label)} | {_escape(text)} |" for label, text in rows)
        blocks.append(f"| | |\n|---|---|\n{table}")
    doubts = [
        f"- [{doubt['code']}]({doubt['url']}) **{_escape(doubt['title'])}**: "
        f"{_escape(doubt['text'])}"
        for doubt in doubt_rows(report)
    ]
    if doubts:
        blocks.append("Doubts:\n\n" + "\n".join(doubts))
    return "\n\n".join(blocks) + "\n"


def _escape(text: str) -> str:
    one_line = " ".join(text.split())
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", one_line).replace("&", "&amp;")
