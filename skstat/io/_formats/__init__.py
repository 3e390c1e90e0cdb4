"""The formats that results are read from: a file for each, and a line in `_read.FORMATS`.

Imports results and their sources only.
"""

from skstat.io._formats.records import content_of, decoded
from skstat.io._formats.table import TABLES, table_kind, table_of
