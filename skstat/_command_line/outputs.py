"""Where a report is written to, and in which form it is printed, with the result of a gate."""

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
from skstat._command_line.results import given
from skstat._names import no_command, one_line
from skstat.io._formats import holds_results

_PICTURES = (".png", ".svg", ".pdf")
# How deep in a folder the formats look for logs.
_DEPTHS = ("*", "*/*", "*/*/*")
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
        title = f"{check.candidate} against {check.baseline}: fail if {check.fail_if}"
        place = {"classname": f"skstat.{check.metric}", "name": title, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", place)
        if result:
            found = ElementTree.SubElement(case, result, message=check.line)
        if result == "failure":
            found.set("type", check.verdict)
            found.text = check.conclusion
        else:
            said = f"{check.line}\n{check.conclusion}"
            ElementTree.SubElement(case, "system-out").text = said
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    text = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


FORMS: dict[str, Callable[[Judgement, Any], str]] = {
    "json": to_json, "markdown": to_markdown, "junit": to_junit, "github": to_github,
}  # fmt: skip


def check_outputs(arguments: Namespace, inputs: Iterable[str], *, gated: bool) -> None:
    """Find out before the work, not after it, that there is nowhere to write to."""
    written = given(arguments, "json", "html", "plot", "junit")
    if not gated and (arguments.format == "junit" or "junit" in written):
        raise CommandError("a test suite (junit) needs --fail-if: its cases are conditions.")
    if sys.stdout is None and not arguments.quiet:
        raise CommandError("standard output is closed: open it, or pass --quiet.")
    for name, path in written.items():
        if not path or "\0" in path:
            raise CommandError(f"--{name} {path!r} is not a file name.")
        if not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
    if arguments.format == "github" and os.environ.get(SUMMARY):
        written[f"${SUMMARY}"] = os.environ[SUMMARY]
    if written:
        _refuse_overwriting(written, inputs)
    plot = arguments.plot
    if plot is not None and Path(plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {plot} must end in {', '.join(_PICTURES)}.")
    if plot is not None and find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def _refuse_overwriting(written: Mapping[str, str], inputs: Iterable[str]) -> None:
    """Refuse to write where results are read, now or at the next call."""
    read: dict[object, str] = {}
    for path in inputs:
        with suppress(OSError, ValueError):  # the reader will say what is wrong
            place = Path(path)
            how, with_it = f"is also read ({path})", [place]
            if place.is_dir():
                how = f"is in a folder that is read ({path})"
                with_it += [each for depth in _DEPTHS for each in place.glob(depth)]
            read |= dict.fromkeys(map(_identity, with_it), how)
    for option, path in written.items():
        place, said = Path(path), f"{'--' * (option[0] != '$')}{option} {path}"
        if place.exists() and not place.is_file():  # a device keeps nothing
            continue
        own = _identity(place)
        above = [_identity(folder) for folder in place.resolve().parents]
        other = next((read[each] for each in (own, *above) if each in read), None)
        if other is not None:
            raise CommandError(
                f"{said} {other}: it could overwrite results. Name another file."
            )
        if own in [_identity(Path(each)) for o, each in written.items() if o != option]:
            raise CommandError(f"{said} is written twice; name another file.")
        if option != f"${SUMMARY}" and holds_results(place):
            raise CommandError(f"{said} exists and looks like results. Name another file.")


def _identity(path: Path) -> object:
    """Return what tells a file from others, under whatever name."""
    try:
        found = path.stat()
        return found.st_dev, found.st_ino
    except OSError:
        return path.resolve()


def write_files(report: Any, judgement: Judgement | None, arguments: Namespace) -> None:
    """Write the files that were asked for."""
    try:
        for form, path in given(arguments, "json", "junit").items():
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
    """Return what is printed; a terminal is told of an option, not of an attribute."""
    if form == "github":  # annotations are commands; what they hold is none
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
