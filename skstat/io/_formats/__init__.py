"""The formats that results are read from: a file for each, and a line in `FORMATS`.

Imports results and their sources only.
"""

from skstat.io._formats.known import FORMATS, format_of, holds_results, recognised
from skstat.io._formats.records import Given, content_of, decoded, reading
from skstat.io._formats.table import TABLES, table_kind, table_of
