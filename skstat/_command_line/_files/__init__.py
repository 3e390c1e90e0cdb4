"""What files hold: columns of text, tables, standard input."""

from skstat._command_line._files.columns import Column, matrix, single_value
from skstat._command_line._files.sources import Sources, split_source
