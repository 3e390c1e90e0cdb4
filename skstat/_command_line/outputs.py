"""Forms of a report with the result of a gate, and the files that they are written to."""

import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from skstat._command_line.answer import CommandError
from skstat._command_line.gate import OPEN, Judgement
from skstat._command_line.results import options_of
from skstat._names import no_command, one_line
from skstat.io._formats import holds_results

_PICTURES = (".png", ".svg", ".pdf")
# Patterns for the files of a folder, as deep as the formats look for logs.
_DEPTHS = ("*", "*/*", "*/*/*")
# Environment variable with the path of GitHub's summary of a job.
SUMMARY = "GITHUB_STEP_SUMMARY"
# By result: the sign in Markdown, and the workflow command of GitHub.
_SIGNS = {
    "pass": "\N{WHITE HEAVY CHECK MARK}",
    "fail": "\N{CROSS MARK}",
    OPEN: "\N{BLACK QUESTION MARK ORNAMENT}",
}
_COMMANDS = {"pass": "notice", "fail": "error", OPEN: "warning"}
# Characters that XML 1.0 cannot contain.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(judgement: Judgement, report: Any) -> str:
    """Return the report as JSON, from which it can be restored, with the gate added."""
    from skstat.report._forms import json_text

    gate = {"result": judgement.result, "exit_status": judgement.status}
    # The first eight fields; the numbers are in the report.
    checks = [dict(zip(check._fields[:8], check, strict=False)) for check in judgement.checks]
    document = json.loads(report.to_json()) | {"gate": {**gate, "checks": checks}}
    return json_text(document, indent=1)


def to_markdown(judgement: Judgement, report: Any) -> str:
    """Return a comment for a pull request: verdict, table, and the folded report."""
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
    """Return an annotation per check, and write the summary to the file that GitHub names."""
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
    """Return a workflow command, whose texts cannot contain another command."""
    title, message = (no_command(one_line(t)).replace("%", "%25") for t in (title, message))
    return f"::{kind} title={title.replace(':', '%3A').replace(',', '%2C')}::{message}"


def to_junit(judgement: Judgement, _: Any) -> str:
    """Return a test case per check; undecided ones are skipped, unless they count as failed."""
    outcome = {"pass": "", "fail": "failure"}
    outcome[OPEN] = "failure" if judgement.undecided == "fail" else "skipped"
    results = [outcome[check.result] for check in judgement.checks]
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
        title = f"{check.candidate} against {check.baseline}: fail if {check.fail_if}"
        attributes = {"classname": f"skstat.{check.metric}", "name": title, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes)
        if result:
            element = ElementTree.SubElement(case, result, message=check.line)
        if result == "failure":
            element.set("type", check.verdict)
            element.text = check.conclusion
        else:
            output = f"{check.line}\n{check.conclusion}"
            ElementTree.SubElement(case, "system-out").text = output
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    text = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


FORMS: dict[str, Callable[[Judgement, Any], str]] = {
    "json": to_json, "markdown": to_markdown, "junit": to_junit, "github": to_github,
}  # fmt: skip


def check_outputs(arguments: Namespace, inputs: Iterable[str], *, gated: bool) -> None:
    """Refuse outputs that cannot be written, before the work is done."""
    files = options_of(arguments, "json", "html", "plot", "junit")
    if not gated and (arguments.format == "junit" or "junit" in files):
        raise CommandError("a test suite (junit) needs --fail-if: its cases are conditions.")
    if sys.stdout is None and not arguments.quiet:
        raise CommandError("standard output is closed: open it, or pass --quiet.")
    for name, path in files.items():
        if not path or "\0" in path:
            raise CommandError(f"--{name} {path!r} is not a file name.")
        if not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
    if arguments.format == "github" and os.environ.get(SUMMARY):
        files[f"${SUMMARY}"] = os.environ[SUMMARY]
    if files:
        _refuse_overwriting(files, inputs)
    plot = arguments.plot
    if plot is not None and Path(plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {plot} must end in {', '.join(_PICTURES)}.")
    if plot is not None and find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def _refuse_overwriting(outputs: Mapping[str, str], inputs: Iterable[str]) -> None:
    """Refuse outputs that would overwrite results, or be read as results by the next call."""
    read: dict[object, str] = {}
    for path in inputs:
        with suppress(OSError, ValueError):  # reading it raises a better error
            file = Path(path)
            problem, files = f"is also read ({path})", [file]
            if file.is_dir():
                problem = f"is in a folder that is read ({path})"
                files += [log for depth in _DEPTHS for log in file.glob(depth)]
            read |= dict.fromkeys(map(_identity, files), problem)
    for option, path in outputs.items():
        file, label = Path(path), f"{'--' * (option[0] != '$')}{option} {path}"
        if file.exists() and not file.is_file():  # a device keeps nothing
            continue
        own = _identity(file)
        folders = [_identity(folder) for folder in file.resolve().parents]
        clash = next((read[key] for key in (own, *folders) if key in read), None)
        if clash is not None:
            raise CommandError(
                f"{label} {clash}: it could overwrite results. Name another file."
            )
        if own in [_identity(Path(other)) for o, other in outputs.items() if o != option]:
            raise CommandError(f"{label} is written twice; name another file.")
        if option != f"${SUMMARY}" and holds_results(file):
            raise CommandError(f"{label} exists and looks like results. Name another file.")


def _identity(path: Path) -> object:
    """Return a key that is the same for all names of a file."""
    try:
        status = path.stat()
        return status.st_dev, status.st_ino
    except OSError:
        return path.resolve()


def write_files(report: Any, judgement: Judgement | None, arguments: Namespace) -> None:
    """Write the output files."""
    try:
        for form, path in options_of(arguments, "json", "junit").items():
            Path(path).write_text(f"{in_form(report, judgement, form)}\n", encoding="utf-8")
        if arguments.html is not None:
            report.to_html(arguments.html)
        if arguments.plot is not None:
            from matplotlib import pyplot as plt

            figure = report.plot().figure_
            figure.savefig(arguments.plot, dpi=150)
            plt.close(figure)
    except OSError as error:
        name = error.filename or "the report"
        raise CommandError(f"cannot write {name}: {error.strerror}.") from error


def in_form(report: Any, judgement: Judgement | None, form: str) -> str:
    """Return the report in a form, with hints on options in place of attributes."""
    if form == "github":  # annotations are commands, and are already safe
        return to_github(judgement, report)
    if judgement is not None and form in FORMS:
        return no_command(FORMS[form](judgement, report))
    if form in ("text", "full"):
        text = report._text(form == "full", "the same with --format full")
    else:
        text = getattr(report, f"to_{form}")()
    checks = () if judgement is None or form == "latex" else judgement.checks
    if len(checks) > 1:  # the log has the line of a single check
        text = "\n".join([*(check.line for check in checks), "", text])
    return no_command(text)
