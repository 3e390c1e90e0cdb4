"""What a paper takes from a report: methods, results, BibTeX, tables.

Imports forms, sections, words and the model.
"""

from skstat.report._paper.methods import Methods
from skstat.report._paper.results import Style, SummaryTable, results, summary_table
from skstat.report._paper.tables import paper_table
