"""The arguments that say what comes out."""

import argparse
from functools import partial

# What --format takes; of commands with a gate the second line too. The first is the default.
_FORMS = ("text", "full", "json", "markdown", "latex")
_OF_GATES = ("junit", "github")


def add_outputs(command: argparse.ArgumentParser, *, gated: bool) -> None:
    """Add the form of what is printed, and files."""
    group = command.add_argument_group("output (default: text on standard output)")
    form = group.add_mutually_exclusive_group()
    of_gates = (
        "; github: annotations for a workflow, and a summary of the job; junit: a test suite "
        "for a CI server"
    )
    form.add_argument(
        "--format",
        dest="form",
        default=_FORMS[0],
        choices=(*_FORMS, *_OF_GATES) if gated else _FORMS,
        help="what to print" + of_gates * gated,
    )
    add_form = partial(form.add_argument, dest="form", default="text", action="store_const")
    add_form("--markdown", const="markdown", help="print Markdown instead")
    add_form("--latex", const="latex", help="print LaTeX instead")
    add_form("--full", const="full", help="print everything that is known")
    form.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group.add_argument("--json", metavar="FILE", help="write the whole report")
    group.add_argument("--html", metavar="FILE", help="write a page for a browser")
    group.add_argument("--plot", metavar="FILE", help="draw to a .png, .svg or .pdf")
    if gated:
        group.add_argument("--junit", metavar="FILE", help="write the gate as a test suite")
    else:
        command.set_defaults(junit=None)
