"""What files hold: columns of text, tables, standard input, results of evaluations."""

from skstat._command_line._files.columns import Column, matrix, single_value
from skstat._command_line._files.results import in_options, read_files, split_named
from skstat._command_line._files.sources import Sources, split_source
