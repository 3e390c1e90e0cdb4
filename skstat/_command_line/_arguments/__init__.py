"""The arguments of every command. Nothing heavy is imported, so that --help is fast."""

from skstat._command_line._arguments.parser import make_parser, parse
