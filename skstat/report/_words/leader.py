"""The first of the ranking, and how another system stands to it, in words."""

from skstat._names import shown_name
from skstat.report._words.numbers import short
from skstat.report._words.pair_margins import equivalent_claim
from skstat.report._words.pair_phrases import behind
from skstat.report._words.systems_like import SystemsLike


def leads(report: SystemsLike) -> str:
    """Say what is best about the first of the ranking: "has the highest accuracy"."""
    if report._ranked_by_rank:
        return "has the best mean rank"
    shown = report._shown_metric
    return f"has the {shown.best} {shown.name}"


def against_leader(report: SystemsLike, name: str, first: str) -> str:
    """Say how a system that may be the best stands to the first of the ranking."""
    row = report._rows.with_system(name)[first]
    if row["adjusted_pvalue"] is None:
        return f"could not be compared with {shown_name(first)} (no test is possible)"
    if row["verdict"] == "equivalent":
        return equivalent_claim(report, name, {first: row})
    within = "" if report.margin is None else f"; the margin is {short(report.margin)}"
    return f"is not ruled out ({behind(report, first, {name: row})}{within})"
