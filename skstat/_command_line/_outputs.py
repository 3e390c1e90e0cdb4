"""Where a report is written to, and in which form it is printed."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._command_line._gate import SUMMARY, Judgement, in_gate_form
from skstat._names import no_command

_PICTURES = (".png", ".svg", ".pdf")
# How deep in a folder the formats look for logs.
_DEPTHS = ("*", "*/*", "*/*/*")
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
    _refuse_overwriting(_written(arguments), list(inputs))
    if arguments.plot is None:
        return
    if Path(arguments.plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {arguments.plot} must end in {', '.join(_PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def _written(arguments: Namespace) -> dict[str, str]:
    """Return the files that are written, by the option that names them."""
    options = {f"--{name}": getattr(arguments, name) for name in _FILES}
    for option, path in options.items():
        if path is not None and (not path or "\0" in path):
            raise CommandError(f"{option} {path!r} is not a file name.")
        if path is not None and not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
    if arguments.form == "github":
        options[f"${SUMMARY}"] = os.environ.get(SUMMARY) or None
    return {option: path for option, path in options.items() if path is not None}


def _refuse_overwriting(written: Mapping[str, str], inputs: Sequence[str]) -> None:
    """Refuse to write where results are read, now or at the next call."""
    if not written:
        return
    read = [(path, each) for path in inputs for each in _read_for(path)]
    seen: list[str] = []
    for option, path in written.items():
        said = f"{option} {path}"
        for other, each in read:
            if _same_file(path, each):
                raise CommandError(
                    f"{said} is also read ({other}): it would be overwritten. Name another "
                    "file."
                )
            if _is_in(path, each):
                raise CommandError(
                    f"{said} is in a folder that is read ({other}): it could overwrite "
                    "results, or be read as some. Name a file elsewhere."
                )
        if any(_same_file(path, other) for other in seen):
            raise CommandError(f"{said} is written twice; name another file.")
        if option != f"${SUMMARY}" and _holds_results(path):
            raise CommandError(
                f"{said} exists and looks like results, not like a report of skstat: it would "
                "be lost. Name another file."
            )
        seen.append(path)


def _read_for(path: str) -> list[str]:
    """Return a file or folder, and the files beside it that are read with it."""
    from skstat.io._formats import read_with

    try:
        return [path, *map(str, read_with(Path(path)))]
    except (OSError, ValueError):  # the reader will say what is wrong
        return [path]


def _holds_results(path: str) -> bool:
    """Whether a file looks like results, which may be read by another call."""
    from skstat.io._formats import holds_results

    try:
        return holds_results(Path(path))
    except (OSError, ValueError):
        return False


def _same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file; a device keeps nothing."""
    a, b = Path(first), Path(second)
    try:
        if a.exists() and b.exists():
            return a.samefile(b) and a.is_file()
        return a.resolve() == b.resolve()
    except (OSError, ValueError):  # the reader or the writer will say what is wrong
        return False


def _is_in(path: str, folder: str) -> bool:
    """Whether a file is, or would be, in a folder or below it, under whatever name."""
    file, above = Path(path), Path(folder)
    try:
        if not above.is_dir() or (file.exists() and not file.is_file()):
            return False
        parents = [parent for parent in file.resolve().parents if parent.exists()]
        if any(parent.samefile(above) for parent in parents):
            return True
        # Links within the folder lead elsewhere, and so does a second name of one file.
        place = file if file.exists() else file.resolve().parent
        inside = (each for pattern in _DEPTHS for each in above.glob(pattern))
        return any(each.exists() and each.samefile(place) for each in inside)
    except (OSError, ValueError, RuntimeError):
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
        # Annotations are commands; what they hold is none.
        return with_gate if form == "github" else no_command(with_gate)
    text = no_command(_report_in(report, form))
    if form == "latex" or judgement is None or len(judgement.checks) < 2:
        return text  # the log has the line of a single check
    lines = [no_command(check.line) for check in judgement.checks]
    return "\n".join([*lines, "", text])


def _report_in(report: Any, form: str) -> str:
    if form == "full":
        return str(report.details)
    if form == "text":
        return str(report._text(False, "the same with --full"))
    return str(getattr(report, f"to_{form}")())
