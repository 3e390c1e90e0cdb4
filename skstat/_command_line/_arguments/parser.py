"""The parser of ``skstat``, which every command adds its own to."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import skstat
from skstat._command_line._answer import Answer
from skstat._command_line._arguments.compare import add_compare
from skstat._command_line._arguments.rank import add_rank
from skstat._command_line._arguments.recommend import add_recommend
from skstat._command_line._arguments.small import add_explain, add_metrics
from skstat._command_line._errors import CommandError


def add_completion(commands: Any) -> None:
    """Add ``skstat completion``."""
    command = commands.add_parser(
        "completion",
        help="write what lets a shell complete commands and options",
        description="Write a script that lets a shell complete commands, options and their "
        "values. Its first lines say where to put it.",
        allow_abbrev=False,
    )
    command.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell")
    command.set_defaults(run=_completion)


def _completion(arguments: argparse.Namespace) -> Answer:
    from skstat._command_line._completion import completion

    return completion(arguments, make_parser())


# In the order of help. Each sets `run`: a function from the arguments to an Answer.
COMMANDS: tuple[Callable[[Any], None], ...] = (
    add_compare,
    add_rank,
    add_recommend,
    add_metrics,
    add_explain,
    add_completion,
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
    arguments, rest = parser.parse_known_args(argv)
    if rest and ("results" not in arguments or any(word[:1] == "-" for word in rest)):
        raise CommandError(
            f"unrecognized arguments: {' '.join(rest)} (see skstat {arguments.command} --help)"
        )
    if rest:
        arguments.results = [*arguments.results, *rest]
    return arguments
