"""Texts and tables for papers from a report: methods, results, BibTeX, summary tables."""

from skstat.report._paper.tables import SummaryTable, paper_table, summary_table
from skstat.report._paper.texts import methods_text, results_text, to_bibtex
