"""Reports: outcomes in words and context, with their doubts."""

from skstat._times import Times
from skstat.report._about_tests import Alternative, CheckedTest, Recommendation, TestCheck
from skstat.report._build import report_from_dict
from skstat.report._comparison_plan import ComparisonPlan, PlanRow
from skstat.report._doubts import Doubt, explain
from skstat.report._forms import write_page
from skstat.report._further import ChosenSystem, Sensitivity, Stability
from skstat.report._model import Pair, System
from skstat.report._paper import SummaryTable
from skstat.report._report import Report, ReportGrid

__all__ = [
    "Alternative",
    "CheckedTest",
    "ChosenSystem",
    "ComparisonPlan",
    "Doubt",
    "Pair",
    "PlanRow",
    "Recommendation",
    "Report",
    "ReportGrid",
    "Sensitivity",
    "Stability",
    "SummaryTable",
    "System",
    "TestCheck",
    "Times",
    "explain",
    "report_from_dict",
    "write_page",
]
