"""The forms in which the result of a gate is printed, with the report that it rests on."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from skstat._command_line.answer import CommandError
from skstat._command_line.gate import OPEN, Check, Judgement
from skstat._names import no_command, one_line

# Where GitHub keeps the summary of a job.
SUMMARY = "GITHUB_STEP_SUMMARY"
# By result: the sign in Markdown, and the workflow command of GitHub.
_SIGNS = {
    "pass": "\N{WHITE HEAVY CHECK MARK}",
    "fail": "\N{CROSS MARK}",
    OPEN: "\N{BLACK QUESTION MARK ORNAMENT}",
}
_COMMANDS = {"pass": "notice", "fail": "error", OPEN: "warning"}
# Characters that XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(judgement: Judgement, report: Any) -> str:
    """Write the report, from which it can be restored, with the gate beside it."""
    from skstat.report._forms import json_text

    gate = {"result": judgement.result, "exit_status": judgement.status}
    # Names, result and sentences; numbers are in the report.
    checks = [dict(zip(check._fields[:8], check, strict=False)) for check in judgement.checks]
    found = json.loads(report.to_json()) | {"gate": {**gate, "checks": checks}}
    return json_text(found, indent=1)


def to_markdown(judgement: Judgement, report: Any) -> str:
    """Write a comment for a pull request: verdict, table, and the report to be unfolded."""
    from skstat.report._forms import escape_markdown, markdown_table

    header = ["", "Fail if", "Candidate", "Baseline", "Metric", "Difference", "Interval", "p"]
    columns = ["difference", "interval", "p"]
    if any("margin" in check.numbers for check in judgement.checks):
        header, columns = [*header, "Margin"], [*columns, "margin"]
    rows = [
        [
            f"{_SIGNS[check.result]} {check.result}",
            *(check.fail_if, check.candidate, check.baseline, check.metric),
            *(check.numbers.get(column, "") for column in columns),
        ]
        for check in judgement.checks
    ]
    head, _, rest = judgement.line.partition(": ")
    blocks = [
        f"{_SIGNS[judgement.result]} **{escape_markdown(head)}**: {escape_markdown(rest)}",
        markdown_table([header, *rows]),
        f"<details>\n<summary>The report</summary>\n\n{report.to_markdown()}\n</details>",
    ]
    return "\n\n".join(blocks)


def to_github(judgement: Judgement | None, report: Any) -> str:
    """Return an annotation per check; the summary goes to the file that GitHub names."""
    path = os.environ.get(SUMMARY)
    if path:
        summary = to_markdown(judgement, report) if judgement else report.to_markdown()
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"{summary}\n\n")
        except OSError as error:
            raise CommandError(
                f"cannot write ${SUMMARY} ({path}): {error.strerror}."
            ) from error
    if judgement is None:
        return _annotation("notice", "skstat", report.conclusion)
    return "\n".join(
        _annotation(_COMMANDS[check.result], f"skstat: fail if {check.fail_if}", check.line)
        for check in judgement.checks
    )


def _annotation(kind: str, title: str, message: str) -> str:
    """Write a workflow command; what it holds is none."""
    title, message = (no_command(one_line(t)).replace("%", "%25") for t in (title, message))
    return f"::{kind} title={title.replace(':', '%3A').replace(',', '%2C')}::{message}"


def to_junit(judgement: Judgement, _: Any) -> str:
    """Write a test case per check; what is undecided is skipped, unless it is a failure."""
    ends = {"pass": "", "fail": "failure"}
    ends[OPEN] = "failure" if judgement.undecided == "fail" else "skipped"
    results = [ends[check.result] for check in judgement.checks]
    counts = {
        "name": "skstat",
        "tests": str(len(results)),
        "failures": str(results.count("failure")),
        "errors": "0",
        "skipped": str(results.count("skipped")),
        "time": "0",
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts)
    for check, result in zip(judgement.checks, results, strict=True):
        _add_case(suite, check, result)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    text = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _add_case(suite: ElementTree.Element, check: Check, result: str) -> None:
    asked = f"{check.candidate} against {check.baseline}: fail if {check.fail_if}"
    place = {"classname": f"skstat.{check.metric}", "name": asked, "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", place)
    if result:
        found = ElementTree.SubElement(case, result, message=check.line)
        if result == "failure":
            found.set("type", check.verdict)
            found.text = check.conclusion
            return
    said = f"{check.line}\n{check.conclusion}"
    ElementTree.SubElement(case, "system-out").text = said


FORMS: dict[str, Callable[[Judgement, Any], str]] = {
    "json": to_json, "markdown": to_markdown, "junit": to_junit, "github": to_github,
}  # fmt: skip
