"""The command line, which reads files and calls the functions of ``skstat``."""

from skstat._command_line.answer import Answer, CommandError
from skstat._command_line.options import make_parser, parse

__all__ = ["Answer", "CommandError", "make_parser", "parse"]
