"""The parser of ``skstat``, which every command adds its own to."""

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import skstat
from skstat._command_line._answer import Answer
from skstat._command_line._arguments.compare import add_compare
from skstat._command_line._arguments.rank import add_rank
from skstat._command_line._arguments.situation import add_plan, add_recommend
from skstat._command_line._errors import CommandError


def add_metrics(commands: Any) -> None:
    """Add ``skstat metrics``."""
    command = commands.add_parser(
        "metrics",
        help="list the names that --metric takes",
        description="List the names that --metric takes beside --predictions, one per line.",
        allow_abbrev=False,
    )
    command.set_defaults(run=_metrics)


def _metrics(_: argparse.Namespace) -> Answer:
    from skstat._command_line._metrics import list_metrics

    return list_metrics()


def add_explain(commands: Any) -> None:
    """Add ``skstat explain``."""
    command = commands.add_parser(
        "explain",
        help="say what a doubt of a report means, and what to do about it",
        description="Say what a doubt of a report means, when it is raised, and what to do "
        "about it. Without a code all doubts are listed.",
        allow_abbrev=False,
    )
    code: Any = command.add_argument(
        "code", metavar="CODE", nargs="*", help="code of a doubt: SKS102"
    )
    code.completer = _codes
    command.set_defaults(run=_explain)


def _codes(**_: Any) -> list[str]:
    """Return what a shell can offer for CODE."""
    from skstat.report._doubts import CATALOGUE

    return list(CATALOGUE)


def _explain(arguments: argparse.Namespace) -> Answer:
    """Say what the doubts that are named mean, or list all codes."""
    from skstat.report._doubts import explained

    try:
        found = [explained(code) for code in arguments.code]
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Answer("\n\n\n".join(found) if found else explained())


# In the order of help. Each sets `run`: a function from the arguments to an Answer.
COMMANDS: tuple[Callable[[Any], None], ...] = (
    add_compare,
    add_rank,
    add_recommend,
    add_plan,
    add_metrics,
    add_explain,
)


class _Parser(argparse.ArgumentParser):
    """Errors are raised, so that all of them are shown in one way."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of ``skstat``."""
    parser = _Parser(
        prog="skstat",
        description="Is system B really better than system A, or was it lucky?",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"skstat {skstat.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse; files with results may stand before options and behind them."""
    parser = make_parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        with suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)
    arguments, rest = parser.parse_known_args(argv)
    if rest and ("results" not in arguments or any(word[:1] == "-" for word in rest)):
        raise CommandError(
            f"unrecognized arguments: {' '.join(rest)} (see skstat {arguments.command} --help)"
        )
    if rest:
        arguments.results = [*arguments.results, *rest]
    return arguments
