"""Where a report is written to, and in which form it is printed."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._command_line._gate import Judgement, in_gate_form

_PICTURES = (".png", ".svg", ".pdf")
_FILES = ("json", "html", "plot", "junit")


def check_outputs(arguments: Namespace, inputs: Iterable[str], *, gated: bool) -> None:
    """Find out before the work, not after it, that there is nowhere to write to."""
    if not gated and (arguments.form == "junit" or arguments.junit is not None):
        raise CommandError(
            "a test suite (junit) needs --fail-if: a test case is a condition that may fail."
        )
    if sys.stdout is None and not arguments.quiet:
        raise CommandError(
            "standard output is closed: nothing could be printed. Open it, or pass --quiet."
        )
    read = list(inputs)
    written: list[str] = []
    for option in _FILES:
        path = getattr(arguments, option)
        if path is None:
            continue
        if not path or "\0" in path:
            raise CommandError(f"--{option} {path!r} is not a file name.")
        if not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
        for other in read:
            if same_file(path, other):
                raise CommandError(
                    f"--{option} {path} is also read ({other}): it would be overwritten. Name "
                    "another file."
                )
        if any(same_file(path, other) for other in written):
            raise CommandError(f"--{option} {path} is written twice; name another file.")
        written.append(path)
    if arguments.plot is None:
        return
    if Path(arguments.plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {arguments.plot} must end in {', '.join(_PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file; a device keeps nothing."""
    a, b = Path(first), Path(second)
    try:
        if a.exists() and b.exists():
            return a.samefile(b) and a.is_file()
        return a.resolve() == b.resolve()
    except (OSError, ValueError):  # the reader or the writer will say what is wrong
        return False


def write_files(report: Any, judgement: Judgement | None, arguments: Namespace) -> None:
    """Write the files that were asked for."""
    try:
        for form in ("json", "junit"):
            path = getattr(arguments, form)
            if path is not None:
                text = in_form(report, judgement, form)
                Path(path).write_text(f"{text}\n", encoding="utf-8")
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
    with_gate = in_gate_form(judgement, report, form)
    if with_gate is not None:
        return with_gate
    text = _report_in(report, form)
    if form == "latex" or judgement is None or len(judgement.checks) < 2:
        return text  # the log has the line of a single check
    return "\n".join([*(check.line for check in judgement.checks), "", text])


def _report_in(report: Any, form: str) -> str:
    if form == "full":
        return str(report.details)
    if form == "text":
        from skstat.report._forms import render_text

        return render_text(report._contents(), more="the same with --full")
    return str(getattr(report, f"to_{form}")())
