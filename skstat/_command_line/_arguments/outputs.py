"""The arguments that say what comes out."""

import argparse
from functools import partial

# All that --format takes. The first is the default.
FORMS = ("text", "full", "json", "markdown", "latex", "junit", "github")


def add_outputs(command: argparse.ArgumentParser) -> None:
    """Add the form of what is printed, and files."""
    group = command.add_argument_group("output (default: text on standard output)")
    form = group.add_mutually_exclusive_group()
    form.add_argument(
        "--format",
        dest="form",
        default=FORMS[0],
        choices=FORMS,
        help="what to print; github: annotations for a workflow, and a summary of the job; "
        "junit: a test suite for a CI server",
    )
    add_form = partial(form.add_argument, dest="form", default="text", action="store_const")
    add_form("--markdown", const="markdown", help="print Markdown instead")
    add_form("--latex", const="latex", help="print LaTeX instead")
    add_form("--full", const="full", help="print everything that is known")
    form.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group.add_argument("--json", metavar="FILE", help="write the whole report")
    group.add_argument("--html", metavar="FILE", help="write a page for a browser")
    group.add_argument("--junit", metavar="FILE", help="write the gate as a test suite")
    group.add_argument("--plot", metavar="FILE", help="draw to a .png, .svg or .pdf")
