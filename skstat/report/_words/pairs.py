"""What comparisons in pairs found, in words: of systems on one data set, or on many."""

from typing import Any, NamedTuple

import numpy as np

from skstat._names import shown_name
from skstat.report._words.numbers import units
from skstat.report._words.pair_margins import against_margin, equivalent_claim
from skstat.report._words.pair_phrases import (
    RowsByOther,
    at_least,
    claimed,
    estimated,
    how,
    rows_with,
    verbs,
)
from skstat.report._words.systems_like import PairRowsLike, SystemsLike
from skstat.report._words.terms import NAMED, join_items, join_names
from skstat.stats._outcomes import unit_word

_Row = dict[str, Any]


class _Sides(NamedTuple):
    """Rows of pairs with one system, by what was found, and the other systems of them."""

    better: dict[str, _Row]
    alike: dict[str, _Row]
    worse: dict[str, _Row]
    untested: dict[str, _Row]
    same: dict[str, _Row]


def against_control(
    report: SystemsLike, control: str, rows: PairRowsLike, lead: str = ""
) -> list[str]:
    """Write what was found of every other system and the control, then who leads."""
    sides = _sides(report, rows, control)
    if all(row["first"] == control for row in rows):  # the control is the one in question
        bits = _claims_of(report, control, sides)
        text = f"{shown_name(control)} {'; it '.join(bits)}" if bits else ""
    else:
        bits = _claims_against(report, control, sides)
        text = f"against the control {shown_name(control)}, {'; '.join(bits)}" if bits else ""
    bits = [text] if text else []
    if sides.alike:
        bits.append(_not_shown(report, control, sides.alike))
    if sides.same:
        bits.append(f"{shown_name(control)} {equivalent_claim(report, control, sides.same)}")
    if sides.untested:
        others = join_names([*sides.untested])
        bits.append(f"no test is possible between {shown_name(control)} and {others}")
    said = "; ".join(bits)
    if not text.startswith(shown_name(control)):
        said = said[0].upper() + said[1:]
    found = [f"{said}.", *against_margin(report, rows, control)]
    return [*found, f"{lead}."] if lead else found


def higher_and_lower(
    report: SystemsLike, rows: PairRowsLike, leader: str, lead: str
) -> list[str]:
    """Write how others lie to the highest, where nobody knows whether high ones are good."""
    sides = _sides(report, rows, leader)
    bits = _claims_of(report, leader, sides)
    if sides.same:
        bits.append(equivalent_claim(report, leader, sides.same))
    found = [f"{shown_name(leader)} {'; it '.join(bits)}"] if bits else []
    if sides.alike:
        found.append(_not_shown(report, leader, sides.alike))
    if sides.untested:
        others = join_names([*sides.untested])
        found.append(f"no test is possible between {shown_name(leader)} and {others}")
    said = [f"{each if each in found[:1] and bits else _capital(each)}." for each in found]
    return [f"{lead}.", *said, *against_margin(report, rows, leader)]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def in_one_direction(
    report: SystemsLike, rows: PairRowsLike, leader: str, lead: str
) -> list[str]:
    """Write who leads, and of whom it was shown to be better than which others."""
    tested = rows.adjusted[~np.isnan(rows.adjusted)].tolist()
    up, down = verbs(report)
    asked = up if report.alternative == "greater" else down
    question = f"whether the first {asked} the second{how(report)}"
    shown = {
        name: found
        for name in report.order
        if (found := rows_with(report, rows, name, better=name))
    }
    n_same = rows.verdicts.count("equivalent")
    if not shown:
        rest = f" ({at_least(tested)})" if tested else ""
        answer = f"Of every pair it was asked {question}; for none was that shown{rest}."
    else:
        claims = [
            f"{shown_name(name)} {up} {join_names([*found])} "
            f"({claimed(report, name, found, better=True)})"
            for name, found in shown.items()
        ]
        n = sum(map(len, shown.values()))
        answer = (
            f"Of every pair it was asked {question}; that was shown for {n} of "
            f"{_comparisons(len(rows))}: {'; '.join(claims)}."
        )
    if n_same:
        answer += f" {n_same} of {_comparisons(len(rows))} showed equivalence."
    return [f"{lead}.", answer, *against_margin(report, rows, leader)]


def without_rejection(
    report: SystemsLike, rows: PairRowsLike, leader: str, lead: str
) -> list[str]:
    """Write who leads, that so few units cannot reject anything, and what a margin shows."""
    found = [
        f"{lead}, but no rejection is possible with {units(report.n_units, report.unit)} where "
        f"systems are compared in pairs: of {_comparisons(len(report))}, the smallest adjusted "
        f"p-value that the {report.test} can give is {report.pairwise.smallest_pvalue:.3g}."
    ]
    same = _sides(report, rows, leader).same
    if same:
        found.append(f"{shown_name(leader)} {equivalent_claim(report, leader, same)}.")
    return found + against_margin(report, rows, leader)


def pairs_decide(report: SystemsLike, differ: bool) -> list[str]:
    """Say who decides where the test of all at once and the pairs say different things."""
    possible = report.pairwise.smallest_pvalue < report.alpha
    if report.control is not None or report.alternative != "two-sided" or not possible:
        return []
    if bool(report.pairwise.differs(report.alpha).any()) == differ:
        return []
    return ["That is another question, whether any systems differ at all; the pairs say which."]


def without_pvalue(report: SystemsLike) -> list[str]:
    """Say for which pairs no p-value can be computed, and why."""
    untested = report._untested
    if not untested:
        return []
    whys: dict[str, list[str]] = {}
    for a, b in untested:
        why = report.pairwise[a, b].why_no_pvalue(unit_word(report.unit))
        whys.setdefault(why, []).append(f"{shown_name(a)} and {shown_name(b)}")
    return [
        f"There is no p-value of {join_items(pairs, NAMED)}{': ' * bool(why)}{why}."
        for why, pairs in whys.items()
    ]


def _claims_of(report: SystemsLike, name: str, sides: _Sides) -> list[str]:
    """Write whom a system is better than, and whom it is worse than."""
    up, down = verbs(report)
    claims = []
    if sides.better:
        evidence = claimed(report, name, sides.better, better=True)
        claims.append(f"{up} {join_names([*sides.better])}{how(report)} ({evidence})")
    if sides.worse:
        evidence = claimed(report, name, sides.worse, better=False)
        claims.append(f"{down} {join_names([*sides.worse])}{how(report)} ({evidence})")
    return claims


def _claims_against(report: SystemsLike, control: str, sides: _Sides) -> list[str]:
    """Write which systems are better than the control, and which are worse."""
    claims = []
    for place, (found, better) in enumerate(((sides.worse, False), (sides.better, True))):
        if found:
            verb = verbs(report, plural=len(found) > 1)[place].removesuffix(" than")
            evidence = claimed(report, control, found, better=better)
            claims.append(f"{join_names([*found])} {verb}{how(report)} ({evidence})")
    return claims


def _not_shown(report: SystemsLike, control: str, found: RowsByOther) -> str:
    others = [*found]
    one = len(others) == 1
    any_of = {1: "", 2: "either of "}.get(len(others), "any of ")
    if report.alternative == "two-sided":
        evidence = estimated(report, control, found, of=f" for {shown_name(control)}")
        return (
            f"no significant difference was found between {shown_name(control)} and {any_of}"
            f"{join_names(others)} ({evidence}; {_least(found)})"
        )
    shown = report._shown_metric
    than = shown.better if report.alternative == "greater" else shown.worse
    control_is_a = all(row["first"] == control for row in found.values())
    singular = one or control_is_a
    what = f"score{'s' * singular} {than} than"
    if shown.is_loss:
        what = f"{'has' if singular else 'have'} a {than} {shown.word} than"
    of = f" for {shown_name(control)}"
    if control_is_a:
        evidence = estimated(report, control, found, of="" if one else of)
        return (
            f"it was not shown that {shown_name(control)} {what} {any_of}{join_names(others)}"
            f"{how(report)} ({evidence}; {_least(found)})"
        )
    if one:  # it is the one that the sentence speaks of
        ((other, row),) = found.items()
        evidence = estimated(report, other, {control: row})
    else:
        evidence = estimated(report, control, found, of=of)
    return (
        f"it was not shown that {join_names(others)} {what} {shown_name(control)}{how(report)} "
        f"({evidence}; "
        f"{_least(found)})"
    )


def _sides(report: SystemsLike, rows: PairRowsLike, name: str) -> _Sides:
    """Pairs in which `name` is better, worse, or neither, by the other system."""
    sides = _Sides({}, {}, {}, {}, {})
    for other, row in rows_with(report, rows, name).items():
        if row["verdict"] == "equivalent":
            side = sides.same
        elif row["better"] is not None:
            side = sides.better if row["better"] == name else sides.worse
        else:
            side = sides.alike if row["adjusted_pvalue"] is not None else sides.untested
        side[other] = row
    return sides


def _least(found: RowsByOther) -> str:
    return at_least([row["adjusted_pvalue"] for row in found.values()])


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"
