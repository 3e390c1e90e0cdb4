"""The blocks of reports and grids of reports, in reading order."""

from skstat.report._sections.grids import document
from skstat.report._sections.report import inner_of
from skstat.report._sections.tables import about_differences, against_control, comparisons_table
