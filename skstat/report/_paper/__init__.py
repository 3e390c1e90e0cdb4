"""What a paper and a log take from a report: methods, results, BibTeX, flat numbers.

Imports forms and words.
"""

from skstat.report._paper.methods import Methods, merged
from skstat.report._paper.of_comparisons import (
    methods_of_comparison,
    methods_of_leaderboard,
    methods_of_slices,
    methods_of_systems,
)
from skstat.report._paper.of_performance import methods_of_performance
from skstat.report._paper.paper_forms import PaperForms
from skstat.report._paper.results import (
    Style,
    results_of_comparison,
    results_of_performance,
    results_of_systems,
)
from skstat.report._paper.summary import (
    MetricSummary,
    SystemSummary,
    summary_of_comparison,
    summary_of_performance,
    summary_of_slice,
    summary_of_systems,
)
from skstat.report._paper.summary_table import SummaryTable
