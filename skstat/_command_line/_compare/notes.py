"""What the command line knows of a comparison beside the function that it called."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any


def _changed(evidence: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(evidence, Mapping):
        return {metric: _changed(part, change) for metric, part in evidence.items()}
    if not hasattr(evidence, "overall"):
        return change(evidence)
    pairs = (
        replace(pair, parts={name: change(part) for name, part in pair.parts.items()})
        for pair in evidence.pairs
    )
    return replace(evidence, overall=change(evidence.overall), pairs=tuple(pairs))


def changed(report: Any, change: Callable[[Any], Any]) -> Any:
    """Change what a report rests on, or each of what it is made of: by metric and slice."""
    from skstat.report._build import report_of

    return report_of(_changed(report.evidence, change))


def with_note(report: Any, note: str) -> Any:
    """Return a report, or one for each metric, with one more note on its design."""
    return changed(report, lambda one: _noted(one, note)) if note else report


def _noted(evidence: Any, note: str) -> Any:
    notes = [*evidence.design.get("notes", ()), note]
    return replace(evidence, design={**evidence.design, "notes": notes})


def with_aim(report: Any, aims: set[str]) -> Any:
    """Return a report that plans what a gate asks, if that is one question."""
    if len(aims) > 1:
        return report
    (aim,) = aims
    return changed(report, lambda one: replace(one, design={**one.design, "to_show": aim}))
