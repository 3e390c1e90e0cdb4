"""Doubts about repeating the run."""

from collections.abc import Collection

from skstat._names import shown_name
from skstat.report._doubts.case import Case, PerformanceCase
from skstat.report._doubts.kind import doubt
from skstat.report._doubts.table_case import TableCase


@doubt(
    "SKS401",
    "the run may not repeat exactly",
    weight="note",
    when="An estimator, or a part of it, has ``random_state=None`` and is not known to "
    "draw nothing, or to take a fixed seed then, as LightGBM and XGBoost do; or the "
    "splitter given as ``cv`` draws other splits in every call.",
    action="give it an integer random_state to repeat the run",
    advice="With an integer ``random_state`` the run can be repeated exactly. "
    "Left at None, the randomness of training is part of what is tested, which is fair; "
    "only exact repetition is lost.",
    of=(Case, TableCase, PerformanceCase),
)
def cannot_repeat(case: Case) -> str | None:
    unseeded = case.learners.unseeded
    if not unseeded:
        return None
    return (
        f"{_have(unseeded)} random_state=None: where random numbers are drawn, a second run "
        "gives other scores."
    )


def _have(names: Collection[str]) -> str:
    return " and ".join(map(shown_name, sorted(names))) + (
        " have" if len(names) > 1 else " has"
    )
