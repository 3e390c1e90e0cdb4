"""What a command has to say: an answer, or what is wrong with its arguments or files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What is printed, and what the shell is told.

    Attributes
    ----------
    text : str
        For standard output.
    status : int
        Exit status.
    log : str
        One line for standard error, which stands in a log when the output goes elsewhere.
    """

    text: str = ""
    status: int = 0
    log: str = ""


class CommandError(Exception):
    """What is wrong with the arguments or files, in one line."""


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


def _in_options(message: str, path: str) -> str:
    """Write the arguments that a message of Python's functions names as options."""
    for argument, option in _ARGUMENTS.items():
        message = re.sub(argument, option, message)
    return message if path in message else f"{path}: {message}"


@contextmanager
def errors_in_options(path: str = "") -> Iterator[None]:
    """Turn what a function of skstat says of its arguments into what a user can correct.

    Where a file is read, an error names it.
    """
    try:
        yield
    except OSError as error:
        if not path:
            raise
        raise CommandError(f"cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, TypeError, ImportError) as error:
        raise CommandError(_in_options(str(error), path)) from error
