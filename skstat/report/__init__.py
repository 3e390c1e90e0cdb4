"""Reports: the results of comparisons in tables and sentences, with doubts and plans."""

from skstat._times import Times as Times
from skstat.report._about_tests import Alternative as Alternative
from skstat.report._about_tests import CheckedTest as CheckedTest
from skstat.report._about_tests import Recommendation as Recommendation
from skstat.report._about_tests import TestCheck as TestCheck
from skstat.report._comparison_plan import ComparisonPlan as ComparisonPlan
from skstat.report._comparison_plan import PlanRow as PlanRow
from skstat.report._doubts import Doubt as Doubt
from skstat.report._doubts import explain as explain
from skstat.report._forms import write_page as write_page
from skstat.report._further import ChosenSystem as ChosenSystem
from skstat.report._further import Sensitivity as Sensitivity
from skstat.report._further import Stability as Stability
from skstat.report._model import Pair as Pair
from skstat.report._model import System as System
from skstat.report._paper import SummaryTable as SummaryTable
from skstat.report._report import Report as Report
from skstat.report._report import ReportGrid as ReportGrid
from skstat.report._report import report_from_dict as report_from_dict

__all__ = [name for name in dir() if not name.startswith("_")]
