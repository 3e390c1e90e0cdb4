"""The forms in which the result of a gate is printed, with the report that it rests on."""

import json
from collections.abc import Callable
from typing import Any

from skstat._command_line._gate.github import github
from skstat._command_line._gate.judge import Judgement
from skstat._command_line._gate.junit import junit
from skstat._command_line._gate.markdown import gate_markdown


def in_gate_form(judgement: Judgement | None, report: Any, form: str) -> str | None:
    """Write both in a form; None of a form that only the report has."""
    write = _FORMS.get(form)
    return None if write is None else write(judgement, report)


def _json(judgement: Judgement | None, report: Any) -> str:
    """Write the report as JSON, from which it can be restored, with the gate beside it."""
    text = str(report.to_json())
    if judgement is None:
        return text
    from skstat.report._forms import json_text

    return json_text({**json.loads(text), "gate": judgement.to_dict()}, indent=1)


def _markdown(judgement: Judgement | None, report: Any) -> str:
    return str(report.to_markdown()) if judgement is None else gate_markdown(judgement, report)


def _junit(judgement: Judgement | None, _: Any) -> str | None:
    return None if judgement is None else junit(judgement)


_FORMS: dict[str, Callable[[Judgement | None, Any], str | None]] = {
    "json": _json,
    "markdown": _markdown,
    "junit": _junit,
    "github": github,
}
