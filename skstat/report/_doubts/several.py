"""Doubts about several questions at once."""

from skstat.report._doubts.case import Case
from skstat.report._doubts.kind import doubt
from skstat.report._doubts.table_case import TableCase


@doubt(
    "SKS501",
    "several comparisons without adjustment",
    weight="note",
    when="Several metrics were asked for in one call.",
    action="name beforehand the one metric that decides",
    advice="Name one metric beforehand, or adjust: "
    "``skstat.stats.adjust_pvalues([report[m].pvalue for m in report])``.",
    of=(Case, TableCase),
)
def several_unadjusted(case: Case) -> str | None:
    n = case.metric.n_unadjusted
    if n < 2:
        return None
    return (
        f"{n} metrics were tested: the chance that at least one p is below 0.05 by luck is up "
        f"to {1 - 0.95**n:.2f}."
    )


@doubt(
    "SKS502",
    "the best of many",
    weight="weak",
    when="One of the two systems was selected as the best of several by the same scores "
    "that are compared here.",
    action="score it on rows that had no part in the selection",
    advice="The best of many is lucky as well as good (the winner's curse), and a p-value "
    "that is not adjusted for the selection is too small. Score it on "
    "rows that had no part in the selection, or ask of all candidates at once which may be "
    "the best: :func:`~skstat.stats.compare_with_best`, whose intervals allow for their "
    "number.",
)
def best_of_many(case: Case) -> str | None:
    n = case.learners.n_candidates
    if n is None or n < 2:
        return None
    return (
        f"the leading candidate was selected as the best of {n} by these very scores: its "
        "score and its lead are too good."
    )
