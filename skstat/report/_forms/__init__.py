"""Text, HTML, Markdown, LaTeX: one file each, from the contents alone.

Imports contents and words.
"""

from skstat.report._forms.columns import by_row
from skstat.report._forms.escape import escape_html, escape_markdown, markdown_table
from skstat.report._forms.latex import render_latex
from skstat.report._forms.latex_table import Table, TableStyle, escape_latex, written
from skstat.report._forms.page import write_page
from skstat.report._forms.report_forms import SCHEMA_VERSION, ReportForms, frame_of, json_text
from skstat.report._forms.score_latex import render_ranking, render_scores
from skstat.report._forms.style import STYLE
from skstat.report._forms.text import render_text
