"""The result of a command, and the error on its arguments or files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """Output and exit status of a command.

    Attributes
    ----------
    text : str
        Text for standard output.
    status : int
        Exit status.
    log : str
        One line for standard error, so that a log has it if the output goes elsewhere.
    """

    text: str = ""
    status: int = 0
    log: str = ""


class CommandError(Exception):
    """Error in the arguments or files, as a message of one line."""


def _roles(call: re.Match[str]) -> str:
    """Return the columns that a call names, as options."""
    roles = re.findall(r"'(\w+)': \[?'([^']*)'", call[0])
    return " ".join(f"--{'metric' if role == 'score' else role} {name}" for role, name in roles)


# Patterns of Python's arguments in messages, and their form on the command line.
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
    """Return a message of a Python function with options in place of its arguments."""
    for argument, option in _ARGUMENTS.items():
        message = re.sub(argument, option, message)
    return message if path in message else f"{path}: {message}"


@contextmanager
def errors_in_options(path: str = "") -> Iterator[None]:
    """Turn errors of skstat's functions into a `CommandError` about options.

    With `path`, the message names the file that is read.
    """
    try:
        yield
    except OSError as error:
        if not path:
            raise
        raise CommandError(f"cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, TypeError, ImportError) as error:
        raise CommandError(_in_options(str(error), path)) from error
