"""Which blocks a report is shown as, in the order in which they are read.

Imports the words, the blocks and the model.
"""

from skstat.report._sections.grids import document
from skstat.report._sections.report import inner_of
from skstat.report._sections.tables import about_differences, against_control, comparisons_table
