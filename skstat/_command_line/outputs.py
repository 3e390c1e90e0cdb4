"""Where a report is written to, and in which form it is printed."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError
from skstat._command_line.gate import Judgement
from skstat._command_line.gate_forms import FORMS, SUMMARY, to_github
from skstat._names import no_command

_PICTURES = (".png", ".svg", ".pdf")
# How deep in a folder the formats look for logs.
_DEPTHS = ("*", "*/*", "*/*/*")


def check_outputs(arguments: Namespace, inputs: Iterable[str], *, gated: bool) -> None:
    """Find out before the work, not after it, that there is nowhere to write to."""
    outputs = ("json", "html", "plot", "junit")
    written: dict[str, Any] = {f"--{name}": getattr(arguments, name, None) for name in outputs}
    if not gated and (arguments.format == "junit" or written["--junit"] is not None):
        raise CommandError("a test suite (junit) needs --fail-if: its cases are conditions.")
    if sys.stdout is None and not arguments.quiet:
        raise CommandError("standard output is closed: open it, or pass --quiet.")
    for option, path in written.items():
        if path is not None and (not path or "\0" in path):
            raise CommandError(f"{option} {path!r} is not a file name.")
        if path is not None and not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
    if arguments.format == "github":
        written[f"${SUMMARY}"] = os.environ.get(SUMMARY) or None
    written = {option: path for option, path in written.items() if path is not None}
    if written:
        _refuse_overwriting(written, inputs)
    plot = arguments.plot
    if plot is not None and Path(plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {plot} must end in {', '.join(_PICTURES)}.")
    if plot is not None and find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def _refuse_overwriting(written: Mapping[str, str], inputs: Iterable[str]) -> None:
    """Refuse to write where results are read, now or at the next call."""
    from skstat.io._formats import holds_results

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
        place, said = Path(path), f"{option} {path}"
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
        for form in ("json", "junit"):
            path = getattr(arguments, form, None)
            if path is not None:
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
