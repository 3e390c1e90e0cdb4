"""What the command line knows of a comparison beside the function that it called."""

from dataclasses import replace
from typing import Any


def with_note(report: Any, note: str) -> Any:
    """Return a report, or one for each metric, with one more note on its design."""
    if not note:
        return report
    from skstat import MetricsReport

    if isinstance(report, MetricsReport):
        parts = {metric: with_note(part, note) for metric, part in report.reports.items()}
        return replace(report, reports=parts)
    notes = [*report.design.get("notes", ()), note]
    return replace(report, design={**report.design, "notes": notes})
