"""The error of a command that the user can correct."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

# How Python's arguments are written on the command line.
_CALL = r"\bread_results\((?:'[^']*'|\"[^\"]*\"), columns=\{'%s': '([^']*)'\}\)"
_ARGUMENTS = {
    r"\bread_results\(\{'old': '([^']*)', 'new': '([^']*)'\}\)": r"old=\1 new=\2",
    _CALL % "score": r"--metric \1",
    _CALL % r"(\w+)": r"--\1 \2",
    r"columns=\{'score': '([^']*)'\}": r"--metric \1",
    r"\ballow='(\w+)'": r"--allow \1",
    r"columns=\{'(\w+)': '([^']*)'\}": r"--\1 \2",
    r"columns\['(\w+)'\]='([^']*)'": r"--\1 \2",
    r"\bformat='([^']*)'": r"--input-format \1",
    r"\bformat=": "--input-format",
    r"\bsystems=(?![\['\"])": "--systems",
}


class CommandError(Exception):
    """What is wrong with the arguments or files, in one line."""


def in_options(message: str) -> str:
    """Write the arguments that a message of Python's functions names as options."""
    for argument, option in _ARGUMENTS.items():
        message = re.sub(argument, option, message)
    return message


@contextmanager
def errors_in_options() -> Iterator[None]:
    """Turn what a function of skstat says of its arguments into what a user can correct."""
    try:
        yield
    except (ValueError, TypeError, ImportError) as error:
        raise CommandError(in_options(str(error))) from error
