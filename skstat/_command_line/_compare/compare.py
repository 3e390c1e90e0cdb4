"""From the arguments to the answer."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from skstat._command_line._answer import Answer
from skstat._command_line._compare.outputs import check_outputs, in_form, write_files
from skstat._command_line._compare.predictions import (
    compare_by_predictions,
    files_of_predictions,
)
from skstat._command_line._errors import CommandError


def compare(arguments: Namespace) -> Answer:
    """Read the files, compare, and write what was asked for."""
    check_outputs(arguments, files_of_predictions(arguments))
    with _errors_in_words():
        report = compare_by_predictions(arguments)
        write_files(report, arguments)
        return Answer("" if arguments.quiet else in_form(report, arguments.form))


@contextmanager
def _errors_in_words() -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, ImportError) as error:
        raise CommandError(str(error)) from error
