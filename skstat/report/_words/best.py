"""Which of several systems to take: the best, who is not ruled out, and who is."""

from collections.abc import Mapping, Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import short
from skstat.report._words.pair_margins import against_margin, equivalent_claim
from skstat.report._words.pair_phrases import (
    RowsByOther,
    at_least,
    at_most,
    behind,
    claimed,
    how,
    is_clear,
    rows_with,
    verbs,
)
from skstat.report._words.systems_like import PairRowsLike, SystemsLike
from skstat.report._words.terms import join_names

_Row = dict[str, Any]

_FEW = 8  # systems, of which all are named
_FEW_NAMED = 3  # of more systems


def which_to_take(
    report: SystemsLike, rows: PairRowsLike, best: Sequence[str], lead: str
) -> list[str]:
    """Write who leads, who is not ruled out, and who is and by how much.

    Parameters
    ----------
    report : SystemsReport
        A report that says which systems may be the best, and whose pairs hold the leader.
    rows : list of dict
        Its pairs.
    best : sequence of str
        Those who share the first place; the first of them leads.
    lead : str
        What is best about them, as a clause.

    Returns
    -------
    list of str
        The answer, then what the margin says.
    """
    leader, kept = best[0], set(report.may_be_best)
    with_leader = rows_with(report, rows, leader)
    out = [name for name in report.order if name not in kept and name != leader]
    than = f" than {shown_name(leader)}" if len(best) > 1 else ""
    if leader in kept:
        found = _leader_stays(report, best, lead, out, with_leader, than)
    else:
        found = _leader_goes(report, leader, lead, out, with_leader)
    found += _ruled_out(report, leader, rows, out, with_leader, than)
    return [" ".join(found), *against_margin(report, rows, leader)]


def _leader_stays(
    report: SystemsLike,
    best: Sequence[str],
    lead: str,
    out: Sequence[str],
    with_leader: Mapping[str, _Row],
    than: str,
) -> list[str]:
    """Write which systems are not ruled out beside the leader, which may be the best."""
    leader = best[0]
    there = {other: row for other, row in with_leader.items() if other not in out}
    same = {o: row for o, row in there.items() if row["verdict"] == "equivalent"}
    rest = {o: row for o, row in there.items() if o not in same}
    untested = {o: row for o, row in rest.items() if row["adjusted_pvalue"] is None}
    alike = {o: row for o, row in rest.items() if o not in untested}
    if len(alike) == len(report.names) - 1:
        evidence = [behind(report, leader, alike, than), _least(alike)]
        joint = "but"
        if len(best) == len(report.names):  # nobody is behind
            evidence, joint = evidence[1:], "and"
        them = "either" if len(report.names) == 2 else f"any of the {len(report.names)}"
        found = [
            f"{lead}, {joint} no significant difference was found: {them} may be the best "
            f"({'; '.join(evidence)})."
        ]
    else:
        found = [f"{lead}."]
        alike = {other: row for other, row in alike.items() if other not in best}
        if alike:
            evidence = [behind(report, leader, alike, than), _least(alike)]
            verb = "is" if len(alike) == 1 else "are"
            found.append(
                f"{_group(report, alike)} {verb} not ruled out ({'; '.join(evidence)})."
            )
    if same:
        found.append(f"{shown_name(leader)} {equivalent_claim(report, leader, same)}.")
    if untested:
        found.append(
            f"{join_names([*untested])} could not be compared with {shown_name(leader)} (no "
            "test is possible)."
        )
    return found


def _leader_goes(
    report: SystemsLike,
    leader: str,
    lead: str,
    out: Sequence[str],
    with_leader: Mapping[str, _Row],
) -> list[str]:
    """Write which system is better than the leader: ranks and means may point elsewhere."""
    ahead = {o: row for o, row in with_leader.items() if row["better"] == o}
    real = {o: row for o, row in with_leader.items() if row["verdict"] == "equivalent"}
    _, down = verbs(report)
    if ahead:
        evidence = claimed(report, leader, ahead, better=False)
        why = f"it {down} {join_names([*ahead])}{how(report)} ({evidence})"
    else:  # what is better is equivalent as well
        why = f"it {equivalent_claim(report, leader, real)}"
    found = [f"{lead}, but is ruled out: {why}."]
    kept = [name for name in report.order if name in report.may_be_best]
    if kept != [*ahead]:
        found.append(f"{join_names(kept)} may be the best.")
    return found


def _ruled_out(
    report: SystemsLike,
    leader: str,
    rows: PairRowsLike,
    out: Sequence[str],
    with_leader: Mapping[str, _Row],
    than: str,
) -> list[str]:
    """Write who is ruled out: by the leader, although equivalent to it, or by others."""
    by_leader = {o: with_leader[o] for o in out if with_leader[o]["better"] == leader}
    same = {o: with_leader[o] for o in out if with_leader[o]["verdict"] == "equivalent"}
    found = []
    if by_leader:
        evidence = f"{behind(report, leader, by_leader, than)}; {_most(by_leader)}"
        found.append(f"{_are_out(report, by_leader, leader)} ({evidence}).")
    if same:
        claim = equivalent_claim(report, leader, same)
        found.append(
            f"{shown_name(leader)} {claim}. {join_names([*same])} {_be(same)} worse, but by "
            "less than the margin."
        )
    by_others: dict[str, dict[str, _Row]] = {}
    for name in out:
        if name not in by_leader and name not in same:
            winner, row = rows.surest_winner(name)
            by_others.setdefault(winner, {})[name] = row
    for winner, losers in by_others.items():
        evidence = f"{behind(report, winner, losers)}; {_most(losers)}"
        found.append(
            f"{_are_out(report, losers, winner, by=True)} ({evidence}), not by "
            f"{shown_name(leader)}."
        )
    return found


def _are_out(report: SystemsLike, found: RowsByOther, winner: str, *, by: bool = False) -> str:
    """Say that systems are ruled out; how they are worse where means do not tell it."""
    text = f"{_group(report, found)} {_be(found)} ruled out"
    if by:
        text += f" by {shown_name(winner)}"
    if not how(report) or is_clear(report, winner, found):
        return text
    _, down = verbs(report, plural=len(found) > 1)
    they = "it" if len(found) == 1 else "they"
    return f"{text}: {they} {down} {shown_name(winner)}{how(report)}"


def _group(report: SystemsLike, found: RowsByOther) -> str:
    """Name systems, or count them where there are many: the ranking names them."""
    if len(report.names) > _FEW and len(found) > _FEW_NAMED:
        return f"{len(found)} others"
    return join_names(found)


def _be(found: RowsByOther) -> str:
    return "is" if len(found) == 1 else "are"


def _least(found: RowsByOther) -> str:
    return at_least([row["adjusted_pvalue"] for row in found.values()])


def _most(found: RowsByOther) -> str:
    return at_most(found, "adjusted_pvalue", "adjusted")


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
