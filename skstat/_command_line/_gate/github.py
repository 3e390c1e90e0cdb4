"""A gate as workflow commands of GitHub Actions, and a summary of the job."""

import os
from pathlib import Path
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._command_line._gate.judge import Judgement
from skstat._command_line._gate.markdown import gate_markdown
from skstat._names import no_command, one_line

_COMMANDS = {"pass": "notice", "fail": "error", "undecided": "warning"}
# Where GitHub keeps the summary of a job.
SUMMARY = "GITHUB_STEP_SUMMARY"


def github(judgement: Judgement | None, report: Any) -> str:
    """Return an annotation per check; the summary goes to the file that GitHub names."""
    if judgement is None:
        _append(report.to_markdown())
        return _command("notice", "skstat", report.conclusion)
    _append(gate_markdown(judgement, report))
    return "\n".join(
        _command(_COMMANDS[check.result], f"skstat: fail if {check.condition.name}", check.line)
        for check in judgement.checks
    )


def _command(kind: str, title: str, message: str) -> str:
    escaped = no_command(one_line(message)).replace("%", "%25")
    heading = (
        no_command(one_line(title)).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    )
    return f"::{kind} title={heading}::{escaped}"


def _append(summary: str) -> None:
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{summary}\n\n")
    except OSError as error:
        raise CommandError(f"cannot write ${SUMMARY} ({path}): {error.strerror}.") from error
