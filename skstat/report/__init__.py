"""Reports: outcomes in words and context, with their doubts."""

from skstat.report._case import Case, Context, Doubt
from skstat.report._collections import (
    FamilyReport,
    MetricsReport,
    Report,
    report_from_dict,
)
from skstat.report._comparison import ComparisonReport
from skstat.report._datasets_report import DatasetsReport
from skstat.report._doubts import DOUBTS, find_doubts
from skstat.report._learner_stability import LearnerRow, LearnerStability
from skstat.report._page import write_page
from skstat.report._performance_doubts import (
    PERFORMANCE_DOUBTS,
    PerformanceCase,
    find_performance_doubts,
)
from skstat.report._performance_report import PerformanceReport, PerformanceRow
from skstat.report._recommendation import Alternative, Recommendation
from skstat.report._stability import Stability
from skstat.report._systems_report import SystemsReport
from skstat.report._table_doubts import TABLE_DOUBTS, TableCase, find_table_doubts

__all__ = [
    "DOUBTS",
    "PERFORMANCE_DOUBTS",
    "TABLE_DOUBTS",
    "Alternative",
    "Case",
    "ComparisonReport",
    "Context",
    "DatasetsReport",
    "Doubt",
    "FamilyReport",
    "LearnerRow",
    "LearnerStability",
    "MetricsReport",
    "PerformanceCase",
    "PerformanceReport",
    "PerformanceRow",
    "Recommendation",
    "Report",
    "Stability",
    "SystemsReport",
    "TableCase",
    "find_doubts",
    "find_performance_doubts",
    "find_table_doubts",
    "report_from_dict",
    "write_page",
]
