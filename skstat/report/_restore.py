"""Any report, back from its dictionary."""

import warnings
from collections.abc import Mapping
from typing import Any

from skstat._arguments import explains_arguments
from skstat.report._build import report_of
from skstat.report._comparison_plan import ComparisonPlan
from skstat.report._evidence import evidence_from_dict
from skstat.report._forms import SCHEMA_VERSION, by_row
from skstat.report._test_check import TestCheck
from skstat.stats._common import NotRestoredError, check_version, restoring


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
    Report or ReportGrid
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
    kind = state.get("schema")
    if kind == "skstat.test_check":
        found: Any = TestCheck.from_dict(state)
    elif kind == "skstat.plan":
        found = ComparisonPlan.from_dict(state)
    elif kind == "skstat.report":
        check_version(state, SCHEMA_VERSION)
        found = report_of(evidence_from_dict(state["evidence"]))
    else:
        raise NotRestoredError("state is not a skstat report: it lacks schema 'skstat.report'.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.to_text(full=True)  # what cannot be written was none
    return found
