"""What several pairs say about a margin: who is equivalent, and what holds for the others."""

from collections.abc import Iterable
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import decimals_for, fixed, pvalue_text, short
from skstat.report._words.pair_phrases import (
    AT_MOST,
    RowsByOther,
    at_most,
    estimated,
    interval_kind,
)
from skstat.report._words.systems_like import PairRowsLike, SystemsLike
from skstat.report._words.terms import join_names


def is_significant(report: SystemsLike, row: dict[str, Any]) -> bool:
    """Whether a difference was found, be it smaller than a margin."""
    return row["adjusted_pvalue"] is not None and row["adjusted_pvalue"] < report.alpha


def equivalent_claim(report: SystemsLike, name: str, same: RowsByOther) -> str:
    """Write whom a system is equivalent to; differences that are real are called so."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for other, row in same.items():
        groups.setdefault(_direction(report, name, row), {})[other] = row
    bits: list[str] = []
    for word in sorted(groups):
        found = groups[word]
        evidence = estimated(report, name, found, interval=False)
        if word:
            size = "" if word == "real" else f": {word} by {_sizes(found)}"
            evidence = (
                f"real but smaller{size}; {at_most(found, 'adjusted_pvalue', 'adjusted')}"
            )
        margin = "" if bits else f" within the margin of {short(report.margin)}"
        pvalue = at_most(found, "equivalence_pvalue", "adjusted equivalence")
        bits.append(f"{join_names([*found])}{margin} ({evidence}; {pvalue})")
    return f"is equivalent to {' and to '.join(bits)}"


def against_margin(report: SystemsLike, rows: PairRowsLike, name: str) -> list[str]:
    """Say of all pairs with a system that are not equivalent how they stand to the margin."""
    if report.margin is None:
        return []
    found = {
        other: row
        for other, row in rows.with_system(name).items()
        if row["verdict"] != "equivalent"
    }
    order = list(report.order)
    found = {other: found[other] for other in sorted(found, key=order.index)}
    places = report.pairwise.places
    of_pair = {other: (row["first"], row["second"]) for other, row in found.items()}
    tests = {pair: report.equivalences[places[pair]] for pair in of_pair.values()}
    margin = f"the margin of {short(report.margin)}"
    more, unasked, unshown, unjudged = [], [], [], []
    for other, row in found.items():
        low, high = tests[row["first"], row["second"]].interval(report.alpha)
        if row["equivalence_pvalue"] is None:
            unjudged.append(other)
        elif is_significant(report, row) and _beyond(row["low"], row["high"], report.margin):
            more.append(other)
        elif (
            report.alternative != "two-sided"
            and not is_significant(report, row)
            and _beyond(low, high, report.margin)
        ):
            unasked.append(other)
        else:
            unshown.append(other)
    bits = []
    if more:
        kind = f"{interval_kind(report, found[more[0]])} interval{'s' * (len(more) > 1)}"
        bits.append(
            f"{shown_name(name)} differs from {join_names(more)} by more than {margin} ({kind})"
        )
    if unasked:
        bits.append(
            f"{shown_name(name)} differs from {join_names(unasked)} by more than {margin} in "
            "the direction that was not asked"
        )
    if unshown:
        were = "was" if len(unshown) == 1 else "were"
        within = f" within {margin}" if not bits else ""
        bits.append(
            f"{join_names(unshown)} {were} not shown to be equivalent to "
            f"{shown_name(name)}{within}"
        )
    undecided = [other for other in unshown if not is_significant(report, found[other])]
    bits += _not_worse(report, name, undecided, found, tests)
    if unjudged:
        what = margin if not bits else "the margin"
        which = f"{what} cannot be judged between {shown_name(name)} and {join_names(unjudged)}"
        bits.append(which if bits else which[0].upper() + which[1:])
    return [f"{'; '.join(bits)}."] if bits else []


def _not_worse(
    report: SystemsLike, name: str, others: Iterable[str], found: RowsByOther, tests: Any
) -> list[str]:
    """Write who was shown not to be worse, of those neither different nor equivalent."""
    mine: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for other in others:
        row = found[other]
        test = tests[row["first"], row["second"]]
        for system, shown in ((name, mine), (other, theirs)):
            side = "A" if row["first"] == system else "B"
            if test.noninferior(report.alpha, of=side):
                shown[other] = test._pvalues["AB".index(side)]
    bits = []
    if mine:
        bits.append(
            f"{shown_name(name)} is at most the margin worse than {join_names([*mine])} "
            f"({_largest(mine.values())})"
        )
    if theirs:
        are = "is" if len(theirs) == 1 else "are"
        bits.append(
            f"{join_names([*theirs])} {are} at most the margin worse than {shown_name(name)} "
            f"({_largest(theirs.values())})"
        )
    return bits


def _largest(pvalues: Iterable[float]) -> str:
    values = list(pvalues)
    text = pvalue_text(max(values))
    if len(values) == 1:
        return f"adjusted {text}"
    return f"each adjusted {text.replace('p = ', f'p {AT_MOST} ')}"


def _direction(report: SystemsLike, name: str, row: dict[str, Any]) -> str:
    """How the value of a system lies to the other's, if the difference is real."""
    if not is_significant(report, row):
        return ""
    outcome = report.pairwise.outcomes[
        report.pairwise.pairs.index((row["first"], row["second"]))
    ]
    side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction)
    if side == 0:
        return "real"  # in no common direction
    better = (side > 0) == (row["first"] == name)
    shown = report._shown_metric
    return shown.better if better else shown.worse


def _sizes(found: RowsByOther) -> str:
    sizes = [abs(row["estimate"]) for row in found.values()]
    low, high = (fixed(end, decimals_for(sizes)) for end in (min(sizes), max(sizes)))
    return low if low == high else f"between {low} and {high}"


def _beyond(low: float | None, high: float | None, margin: float) -> bool:
    return (low is not None and low > margin) or (high is not None and high < -margin)
