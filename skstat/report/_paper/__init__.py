"""What a paper takes from a report: methods, results, BibTeX, tables.

Imports forms, sections, words and the model.
"""

from skstat.report._paper.methods import methods_text, to_bibtex
from skstat.report._paper.results import results_text
from skstat.report._paper.tables import SummaryTable, paper_table, summary_table
