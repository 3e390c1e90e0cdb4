"""What a paper takes from a report: methods, results, BibTeX, a table of systems by metrics.

Imports forms, words and the model.
"""

from skstat.report._paper.paper_forms import PaperForms
from skstat.report._paper.summary import SummaryTable
