"""What the command line takes; it reads files and asks the functions of ``skstat``."""

from skstat._command_line._answer import Answer
from skstat._command_line._arguments import make_parser, parse
from skstat._command_line._errors import CommandError

__all__ = ["Answer", "CommandError", "make_parser", "parse"]
