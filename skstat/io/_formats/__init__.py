"""The formats that results are read from: a file for each, and a line in `FORMATS`.

Imports results and their sources only.
"""

from skstat.io._formats.cells import shown as shown
from skstat.io._formats.format import Asked as Asked
from skstat.io._formats.format import Format as Format
from skstat.io._formats.format import Given as Given
from skstat.io._formats.known import FORMATS as FORMATS
from skstat.io._formats.known import format_of as format_of
from skstat.io._formats.known import holds_results as holds_results
from skstat.io._formats.known import read_with as read_with
from skstat.io._formats.known import recognised as recognised
from skstat.io._formats.table_files import TABLES as TABLES
from skstat.io._formats.table_files import Table as Table
from skstat.io._formats.table_files import content_of as content_of
from skstat.io._formats.table_files import decoded as decoded
from skstat.io._formats.table_files import table_kind as table_kind
from skstat.io._formats.table_files import table_of as table_of
