"""``skstat compare``: files in, the comparison of their systems, report and verdict out."""

from skstat._command_line._compare.compare import compare
