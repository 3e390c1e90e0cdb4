"""Output formats of blocks: text, HTML, Markdown and LaTeX, one module each."""

from skstat.report._forms.columns import by_row
from skstat.report._forms.latex import escape_latex, render_latex
from skstat.report._forms.markdown import escape_markdown, markdown_table
from skstat.report._forms.report_forms import ReportForms, Result, json_text, write_page
