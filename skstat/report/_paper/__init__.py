"""What a paper takes from a report: methods, results, BibTeX, tables.

Imports forms, sections, words and the model.
"""

from skstat.report._paper.tables import SummaryTable, paper_table, summary_table
from skstat.report._paper.texts import methods_text, results_text, to_bibtex
