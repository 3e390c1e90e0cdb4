"""What comparisons in pairs found, in words: of systems on one data set, or on many."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skstat._names import shown_name
from skstat.report._words.numbers import short, units
from skstat.report._words.pair_margins import against_margin, equivalent_claim, is_significant
from skstat.report._words.pair_phrases import (
    RowsByOther,
    at_least,
    claimed,
    estimated,
    how,
    verbs,
)
from skstat.report._words.systems_like import SystemsLike
from skstat.report._words.terms import NAMED, join_items, join_names
from skstat.stats._outcomes import unit_word


class _Sides(NamedTuple):
    """Rows of pairs with one system, by what was found, and the other systems of them."""

    better: RowsByOther
    alike: RowsByOther
    worse: RowsByOther
    untested: RowsByOther
    same: RowsByOther


def against_control(report: SystemsLike, control: str, rows: list[dict[str, Any]]) -> str:
    """Write what was found of every other system and the control."""
    sides = _sides(report, rows, control)
    claims = _claims(report, control, sides._replace(alike={}, untested={}))
    bits = [f"{shown_name(control)} {'; it '.join(claims)}"] if claims else []
    if sides.alike:
        bits.append(_not_shown(report, control, sides.alike))
    if sides.untested:
        others = join_names([*sides.untested])
        bits.append(f"no test is possible between {shown_name(control)} and {others}")
    text = "; ".join(bits)
    text = text if claims else text[0].upper() + text[1:]
    return " ".join([f"{text}.", *against_margin(report, rows, control)])


def against_best(
    report: SystemsLike, rows: list[dict[str, Any]], best: Sequence[str], lead: str
) -> str:
    """Write who is best (`lead`), and what pairs with the first of them found."""
    if len(best) == len(report.names) > 2:
        within = (
            "" if report.margin is None else f" within the margin of {short(report.margin)}"
        )
        return f"{lead}. {_counted(report, rows, 'the', within=within)}."
    name = best[0]
    subject = f". {shown_name(name)}" if len(best) > 1 else ": it"
    claims = _claims(report, name, _sides(report, rows, name))
    sentences = [
        f"{lead}{subject} {'; it '.join(claims)}.",
        *against_margin(report, rows, name),
    ]
    others = [row for row in rows if name not in (row["first"], row["second"])]
    if len(others) == 1:
        (row,) = others
        name = row["first"] if row["estimate"] >= 0 else row["second"]
        if row["better"] is not None:
            name = row["better"]
        claim = _claims(report, name, _sides(report, others, name))[0]
        sentences += [f"{shown_name(name)} {claim}.", *against_margin(report, others, name)]
    elif others:
        sentences.append(f"{_counted(report, others, 'the other')}.")
    return " ".join(sentences)


def no_rejection_possible(report: SystemsLike) -> str:
    """Say that so few units cannot reject anything."""
    return (
        f"No rejection is possible with {units(report.n_units, report.unit)} where systems "
        f"are compared in pairs: of {_comparisons(len(report))}, the smallest adjusted "
        f"p-value that the {report.test} can give is {report.pairwise.smallest_pvalue:.3g}."
    )


def without_pvalue(report: SystemsLike) -> list[str]:
    """Say for which pairs no p-value can be computed, and why."""
    untested = report._untested
    if not untested:
        return []
    by_pair = dict(zip(report.pairwise.pairs, report.pairwise.outcomes, strict=True))
    whys: dict[str, list[str]] = {}
    for a, b in untested:
        why = by_pair[a, b].why_no_pvalue(unit_word(report.unit))
        whys.setdefault(why, []).append(f"{shown_name(a)} and {shown_name(b)}")
    return [
        f"There is no p-value of {join_items(pairs, NAMED)}{': ' * bool(why)}{why}."
        for why, pairs in whys.items()
    ]


def leader_without_test(
    report: SystemsLike, rows: list[dict[str, Any]], name: str, lead: str
) -> str:
    """Write who is best, and what was shown about a margin, where no pair differs."""
    same = _sides(report, rows, name).same
    text = f"{lead}: it {equivalent_claim(report, name, same)}" if same else lead
    return " ".join([f"{text}.", *against_margin(report, rows, name)])


def _claims(report: SystemsLike, name: str, sides: _Sides) -> list[str]:
    up, down = verbs(report)
    claims = []
    if sides.better:
        evidence = claimed(report, name, sides.better, better=True)
        claims.append(f"{up} {join_names([*sides.better])}{how(report)} ({evidence})")
    if sides.worse:  # of the best too: means and ranks may point in different directions
        evidence = claimed(report, name, sides.worse, better=False)
        claims.append(f"{down} {join_names([*sides.worse])}{how(report)} ({evidence})")
    if sides.same:
        claims.append(equivalent_claim(report, name, sides.same))
    if sides.alike:
        asked = " in the direction asked" if report.alternative != "two-sided" else ""
        evidence = f"{estimated(report, name, sides.alike)}; {_least(sides.alike)}"
        claims.append(
            f"was not told apart from {join_names([*sides.alike])}{asked} ({evidence})"
        )
    if sides.untested:
        others = join_names([*sides.untested])
        claims.append(f"could not be compared with {others} (no test is possible)")
    return claims


def _not_shown(report: SystemsLike, control: str, found: RowsByOther) -> str:
    others = [*found]
    one = len(others) == 1
    any_of = {1: "", 2: "either of "}.get(len(others), "any of ")
    if report.alternative == "two-sided":
        evidence = estimated(report, control, found, of=f" for {shown_name(control)}")
        return (
            f"no difference was found between {shown_name(control)} and {any_of}"
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


def _sides(report: SystemsLike, rows: list[dict[str, Any]], name: str) -> _Sides:
    """Pairs in which `name` is better, not told apart, or worse, by the other system."""
    better: dict[str, dict[str, Any]] = {}
    alike, worse, untested, same = dict(better), dict(better), dict(better), dict(better)
    order = list(report.order)
    found = {
        (row["second"] if row["first"] == name else row["first"]): row
        for row in rows
        if name in (row["first"], row["second"])
    }
    for other in sorted(found, key=order.index):
        row = found[other]
        winner = row["better"]
        side = alike if row["adjusted_pvalue"] is not None else untested
        if row["verdict"] == "equivalent":
            side = same
        elif winner is not None:
            side = better if winner == name else worse
        side[other] = row
    return _Sides(better, alike, worse, untested, same)


def _least(found: RowsByOther) -> str:
    return at_least([row["adjusted_pvalue"] for row in found.values()])


def _counted(
    report: SystemsLike, rows: list[dict[str, Any]], which: str, *, within: str = ""
) -> str:
    n, n_same = len(rows), sum(row["verdict"] == "equivalent" for row in rows)
    n_real = sum(row["verdict"] == "equivalent" and is_significant(report, row) for row in rows)
    n_found = sum(row["better"] is not None for row in rows) + n_real
    comparisons = f"{which} {_comparisons(n)}"
    found = f"Of {comparisons}, {n_found} found a difference"
    if n_found in (0, n):
        found = f"{'None' if n_found == 0 else 'Each'} of {comparisons} found a difference"
        if n == 1:
            found = (
                f"{which.title()} comparison found {'no' if n_found == 0 else 'a'} difference"
            )
    if n_found == 0 and any(row["adjusted_pvalue"] is not None for row in rows):
        tested = [row["adjusted_pvalue"] for row in rows if row["adjusted_pvalue"] is not None]
        found += f" ({at_least(tested)})"
    if n_same:
        found += f"; {n_same} showed equivalence{within}"
        if n_real:
            of_them = f", {n_real} of them" if n_same > 1 else ","
            of_them = ", each" if n_real == n_same > 1 else of_them
            found += f"{of_them} with a real but small difference"
    elif report.margin is not None:
        found += f"; none showed equivalence{within}"
    untested = sum(row["adjusted_pvalue"] is None for row in rows)
    return f"{found}; for {untested} no test is possible" if untested else found


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"
