"""Reports as plain text for terminals and logs."""

import textwrap
from typing import Any

from skstat.report._rows import comparisons, detail_rows, doubt_rows, headline_rows, part_title

_WIDTH = 88


def render_text(report: dict[str, Any]) -> str:
    """Render any report's dictionary as text."""
    if report["kind"] == "comparison":
        blocks = [_wrap(report["conclusion"]), _table(report)]
    else:
        blocks = ["\n".join(map(_wrap, report["sentences"]))]
        blocks += [
            f"[{number}] {part_title(part)}\n{_table(part)}"
            for number, part in enumerate(comparisons(report), start=1)
        ]
    return "\n\n".join(block for block in [*blocks, _doubts(report)] if block)


def _table(part: dict[str, Any]) -> str:
    rows = [*headline_rows(part), *detail_rows(part)]
    width = max(len(label) for label, _ in rows) + 2
    return "\n".join(_row(label, text, width) for label, text in rows)


def _doubts(report: dict[str, Any]) -> str:
    rows = doubt_rows(report)
    if not rows:
        return ""
    lines = [f"{doubt['code']} {doubt['title']}: {doubt['text']}" for doubt in rows]
    wrapped = [
        textwrap.fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ")
        for line in lines
    ]
    return "\n".join(["Doubts (what to do: see the code in the documentation)", *wrapped])


def _row(label: str, text: str, width: int) -> str:
    return textwrap.fill(
        _one_line(text),
        _WIDTH,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
    )


def _wrap(text: str) -> str:
    return textwrap.fill(_one_line(text), _WIDTH)


def _one_line(text: str) -> str:
    return " ".join(text.split())
