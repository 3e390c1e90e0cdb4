"""``skstat explain``: what a doubt means and what to do about it."""

from argparse import Namespace

from skstat._command_line._answer import Answer
from skstat._command_line._errors import CommandError


def explain(arguments: Namespace) -> Answer:
    """Say what the doubts that are named mean, or list all codes."""
    from skstat.report._doubts import explained, listed

    try:
        found = [explained(code) for code in arguments.code]
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Answer("\n\n\n".join(found) if found else listed())
