"""Commands of few arguments."""

from argparse import Namespace
from typing import Any

from skstat._command_line._answer import Answer


def add_metrics(commands: Any) -> None:
    """Add ``skstat metrics``."""
    command = commands.add_parser(
        "metrics",
        help="list the names that --metric takes",
        description="List the names that --metric takes beside --predictions, one per line.",
        allow_abbrev=False,
    )
    command.set_defaults(run=_metrics)


def _metrics(_: Namespace) -> Answer:
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
    command.add_argument("code", metavar="CODE", nargs="*", help="code of a doubt: SKS102")
    command.set_defaults(run=_explain, words_of={"code": _codes})


def _codes() -> list[str]:
    """Return what a shell can offer for CODE."""
    from skstat.report._doubts import CATALOGUE

    return list(CATALOGUE)


def _explain(arguments: Namespace) -> Answer:
    from skstat._command_line._explain import explain

    return explain(arguments)
