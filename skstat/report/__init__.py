"""Reports: outcomes in words and context, with their doubts."""

from skstat.report._case import Case, Context, Doubt
from skstat.report._collections import (
    FamilyReport,
    MetricsReport,
    Report,
    report_from_dict,
)
from skstat.report._comparison import ComparisonReport
from skstat.report._doubts import DOUBTS, find_doubts
from skstat.report._forms import write_page

__all__ = [
    "DOUBTS",
    "Case",
    "ComparisonReport",
    "Context",
    "Doubt",
    "FamilyReport",
    "MetricsReport",
    "Report",
    "find_doubts",
    "report_from_dict",
    "write_page",
]
