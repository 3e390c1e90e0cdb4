"""Reports: outcomes in words and context, with their doubts."""

from skstat._times import Times
from skstat.report._choosing import ChosenSystem
from skstat.report._comparison_plan import ComparisonPlan, PlanRow
from skstat.report._comparison_report import ComparisonReport
from skstat.report._datasets_report import DatasetsReport
from skstat.report._doubts import Doubt, explain
from skstat.report._forms import write_page
from skstat.report._leaderboard_report import LeaderboardReport
from skstat.report._metrics_report import MetricsReport
from skstat.report._own_scores import OwnScores
from skstat.report._paper import SummaryTable
from skstat.report._partition_stability import Stability
from skstat.report._performance_report import PerformanceReport, PerformanceRow
from skstat.report._recommendation import Alternative, Recommendation
from skstat.report._restore import report_from_dict
from skstat.report._seeds_report import SeedsReport
from skstat.report._sensitivity import Sensitivity
from skstat.report._slices_report import SlicesReport
from skstat.report._systems_report import SystemsReport
from skstat.report._systems_slices_report import SystemsSlicesReport
from skstat.report._test_check import CheckedTest, TestCheck

__all__ = [
    "Alternative",
    "CheckedTest",
    "ChosenSystem",
    "ComparisonPlan",
    "ComparisonReport",
    "DatasetsReport",
    "Doubt",
    "LeaderboardReport",
    "MetricsReport",
    "OwnScores",
    "PerformanceReport",
    "PerformanceRow",
    "PlanRow",
    "Recommendation",
    "SeedsReport",
    "Sensitivity",
    "SlicesReport",
    "Stability",
    "SummaryTable",
    "SystemsReport",
    "SystemsSlicesReport",
    "TestCheck",
    "Times",
    "explain",
    "report_from_dict",
    "write_page",
]
