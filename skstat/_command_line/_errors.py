"""The error of a command that the user can correct."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def _roles(call: re.Match[str]) -> str:
    """Write the columns that a call names as options."""
    given = re.findall(r"'(\w+)': \[?'([^']*)'", call[0])
    return " ".join(f"--{'metric' if role == 'score' else role} {name}" for role, name in given)


# How Python's arguments are written on the command line.
_ARGUMENTS: dict[str, Any] = {
    r"\bread_results\(\{'old': '([^']*)', 'new': '([^']*)'\}\)": r"old=\1 new=\2",
    r"\bread_results\((?:'[^']*'|\"[^\"]*\"), columns=\{[^}]*\}\)": _roles,
    r"columns=\{[^}]*\}": _roles,
    r"\ballow='(\w+)'": r"--allow \1",
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
