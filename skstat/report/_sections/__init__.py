"""Which blocks a report is shown as, in the order in which they are read.

Imports the words, the blocks and the model.
"""

from skstat.report._sections.grids import by_name
from skstat.report._sections.pairs import comparisons_table
from skstat.report._sections.report import document
