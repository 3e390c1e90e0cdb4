"""What the command line knows of a comparison beside the function that it called."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any


def changed(report: Any, change: Callable[[Any], Any]) -> Any:
    """Change a report, or each of those that it is made of: by metric, pair and slice."""
    from skstat import MetricsReport, SlicesReport, SystemsSlicesReport

    if isinstance(report, MetricsReport):
        parts = {metric: changed(part, change) for metric, part in report.reports.items()}
        return replace(report, reports=parts)
    if isinstance(report, SlicesReport | SystemsSlicesReport):
        slices: Any = tuple(changed(part, change) for part in report.reports)
        return replace(report, overall=change(report.overall), reports=slices)
    return change(report)


def with_note(report: Any, note: str) -> Any:
    """Return a report, or one for each metric, with one more note on its design."""
    return changed(report, lambda one: _noted(one, note)) if note else report


def _noted(report: Any, note: str) -> Any:
    notes = [*report.design.get("notes", ()), note]
    return replace(report, design={**report.design, "notes": notes})


def with_aim(report: Any, aims: set[str]) -> Any:
    """Return a report that plans what a gate asks, if that is one question."""
    if len(aims) > 1:
        return report
    (aim,) = aims
    return changed(report, lambda one: replace(one, design={**one.design, "to_show": aim}))
