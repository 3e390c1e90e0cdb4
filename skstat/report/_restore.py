"""Any report, back from its dictionary."""

import warnings
from collections.abc import Mapping
from typing import Any

from skstat._arguments import explains_arguments
from skstat.report._comparison_plan import ComparisonPlan
from skstat.report._comparison_report import ComparisonReport
from skstat.report._datasets_report import DatasetsReport
from skstat.report._forms import SCHEMA_VERSION, by_row
from skstat.report._leaderboard_report import LeaderboardReport
from skstat.report._metrics_report import OF_ONE_METRIC, MetricsReport, restored
from skstat.report._performance_report import PerformanceReport
from skstat.report._seeds_report import SeedsReport
from skstat.report._slices_report import SlicesReport
from skstat.report._systems_report import SystemsReport
from skstat.report._systems_slices_report import SystemsSlicesReport
from skstat.report._test_check import TestCheck
from skstat.stats._common import NotRestoredError, check_version, restoring

Report = (
    ComparisonReport
    | DatasetsReport
    | LeaderboardReport
    | MetricsReport
    | PerformanceReport
    | SeedsReport
    | SlicesReport
    | SystemsReport
    | SystemsSlicesReport
)


@explains_arguments
@restoring
def report_from_dict(state: Mapping[str, Any]) -> Any:
    """Restore any report from its ``to_dict()``, which may have been written to JSON and read.

    A recommendation alone is not a report: ``Recommendation.from_dict`` restores it.

    Parameters
    ----------
    state : mapping
        What ``to_dict()`` returned.

    Returns
    -------
    ComparisonReport, SystemsReport, LeaderboardReport, DatasetsReport, SeedsReport, \
SlicesReport, SystemsSlicesReport, MetricsReport, PerformanceReport
        An equal report; or an equal TestCheck or ComparisonPlan.

    Raises
    ------
    ValueError
        If `state` is not a report of this schema version.

    Examples
    --------
    >>> import skstat
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> report = skstat.compare_scores(scores, n_train=60, n_test=30)
    >>> skstat.report_from_dict(report.to_dict()).pvalue == report.pvalue
    True
    """
    state = by_row(state)
    if state.get("schema") == "skstat.test_check":
        return _shown(TestCheck.from_dict(state))
    if state.get("schema") == "skstat.plan":
        return _shown(ComparisonPlan.from_dict(state))
    if state.get("schema") != "skstat.report":
        raise NotRestoredError("state is not a skstat report: it lacks schema 'skstat.report'.")
    check_version(state, SCHEMA_VERSION)
    return _shown(restored(state, {**OF_ONE_METRIC, "metrics": MetricsReport}))


def _shown(found: Any) -> Any:
    """Write a restored report once: what cannot be written was none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.to_text(full=True)
    return found
