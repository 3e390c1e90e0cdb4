"""What the command line takes; it reads files and asks `skstat.compare_predictions`."""

from skstat._command_line._errors import CommandError
from skstat._command_line._parser import make_parser

__all__ = ["CommandError", "make_parser"]
