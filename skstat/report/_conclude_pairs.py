"""What comparisons in pairs found, in words: of systems on one data set, or on many."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from skstat.report._numbers import decimals_for, fixed, pvalue_text, short, units
from skstat.report._table_rows import said

NAMED = 6  # systems listed by name before the rest is counted
_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make


class _Sides(NamedTuple):
    """Rows of pairs with one system, by what was found, and the other systems of them."""

    better: dict[str, dict[str, Any]]
    alike: dict[str, dict[str, Any]]
    worse: dict[str, dict[str, Any]]
    untested: dict[str, dict[str, Any]]
    same: dict[str, dict[str, Any]]


def against_control(report: Any, rows: list[dict[str, Any]]) -> str:
    """Write what was found of every other system and the control."""
    control = report.control
    better, alike, worse, untested, same = _sides(report, rows, control)
    claims = _claims(report, control, _Sides(better, {}, worse, {}, same))
    bits = [f"{said(control)} {'; it '.join(claims)}"] if claims else []
    if alike:
        bits.append(
            _not_shown(report, control, list(alike)) + _smallest(report, alike.values())
        )
    if untested:
        bits.append(f"no test is possible between {said(control)} and {listed([*untested])}")
    text = "; ".join(bits)
    return f"{text if claims else text[0].upper() + text[1:]}."


def against_best(
    report: Any, rows: list[dict[str, Any]], best: Sequence[str], lead: str
) -> str:
    """Write who is best (`lead`), and what pairs with the first of them found."""
    if len(best) == len(report.names) > 2:
        return f"{lead}. {_counted(rows, 'the')}{_smallest(report, rows)}."
    name = best[0]
    subject = f". {said(name)}" if len(best) > 1 else ": it"
    claims = _claims(report, name, _sides(report, rows, name))
    sentence = f"{lead}{subject} {'; it '.join(claims)}."
    others = [row for row in rows if name not in (row["a"], row["b"])]
    if len(others) == 1:
        (row,) = others
        name = row["b"] if row["verdict"] == "B" else row["a"]
        claim = _claims(report, name, _sides(report, others, name))[0]
        sentence += f" {said(name)} {claim}."
    elif others:
        sentence += f" {_counted(others, 'the other')}."
    return sentence


def hopeless(report: Any) -> str:
    """Say that so few units cannot reject anything."""
    return (
        f"No rejection is possible with {units(report.n_units, report.unit)} where systems "
        f"are compared in pairs: of {_comparisons(len(report))}, the smallest adjusted "
        f"p-value that the {report.test} can give is {report.pairwise.smallest_pvalue:.3g}."
    )


def _claims(report: Any, name: str, sides: _Sides) -> list[str]:
    better, alike, worse, untested, same = sides
    by_rank = report.pairwise.outcomes[0].scale == "mean rank"
    if by_rank:
        up, down = "ranks better than", "ranks worse than"
    elif report.is_loss:
        up, down = "has a lower error than", "has a higher error than"
    else:
        up, down = "scores higher than", "scores lower than"
    claims = []
    if better:
        claims.append(f"{up} {listed(list(better))} ({_evidence(report, better)})")
    if worse:  # of the best too: means and ranks may point in different directions
        claims.append(f"{down} {listed(list(worse))} ({_evidence(report, worse)})")
    if same:
        claims.append(f"is equivalent to {listed(list(same))} ({_equivalence(report, same)})")
    if alike:
        asked = ""
        if report.pairwise.outcomes[0].alternative != "two-sided":
            asked = " in the direction asked"
        words = f"was not told apart from {listed(list(alike))}{asked}"
        claims.append(words + _smallest(report, alike.values()))
    if untested:
        others = listed(list(untested))
        claims.append(f"could not be compared with {others} (no test is possible)")
    return claims


def _not_shown(report: Any, control: str, others: list[str]) -> str:
    alternative = report.pairwise.outcomes[0].alternative
    if alternative == "two-sided":
        any_of = {1: "", 2: "either of "}.get(len(others), "any of ")
        return f"no difference was found between {said(control)} and {any_of}{listed(others)}"
    than = "higher" if (alternative == "greater") != report.is_loss else "lower"
    one = len(others) == 1
    what = f"score{'s' * one} {than} than"
    if report.is_loss:
        what = f"{'has' if one else 'have'} a {than} error than"
    return f"it was not shown that {listed(others)} {what} {said(control)}"


def _sides(report: Any, rows: list[dict[str, Any]], name: str) -> _Sides:
    """Pairs in which `name` is better, not told apart, or worse, by the other system."""
    sides = _Sides({}, {}, {}, {}, {})
    order = list(report.order)
    found = {
        (row["b"] if row["a"] == name else row["a"]): row
        for row in rows
        if name in (row["a"], row["b"])
    }
    for other in sorted(found, key=order.index):
        row = found[other]
        winner = {"A": row["a"], "B": row["b"]}.get(row["verdict"])
        side = sides.alike if row["adjusted_pvalue"] is not None else sides.untested
        if row["verdict"] == "equivalent":
            side = sides.same
        elif winner is not None:
            side = sides.better if winner == name else sides.worse
        side[other] = row
    return sides


def _evidence(report: Any, found: dict[str, dict[str, Any]]) -> str:
    """Write how much, before the p-value."""
    rows = list(found.values())
    noise = _NOTHING * float(np.nanmax(np.abs(np.asarray(report.sample.scores, dtype=float))))
    nothing = [name for name, row in found.items() if abs(row["estimate"]) <= noise]
    sizes = [abs(row["estimate"]) for name, row in found.items() if name not in nothing]
    decimals = decimals_for(sizes)
    low, high = min(sizes, default=0.0), max(sizes, default=0.0)
    text, most = fixed(low, decimals), fixed(high, decimals)
    if low > 0 and not text.strip("0."):
        text = fixed(low, decimals_for([low]))
    size = text if text == most else f"{text} to {most}"
    by_rank = ""
    if rows[0]["scale"] == "mean rank":  # of another ranking, maybe: that of aligned scores
        by_rank = f" in {report.estimand.partition(' of ')[0]}"
    largest = pvalue_text(max(row["adjusted_pvalue"] for row in rows))
    by = [f"by {size}{by_rank}"] if sizes else []
    if nothing:  # the test may count who wins, and most differences be 0
        of_whom = f" from {listed(nothing)}" if sizes else ""
        by.append(f"typical difference{of_whom} 0")
    each = ""
    if len(rows) > 1:
        largest = largest.replace("p = ", "p \N{LESS-THAN OR EQUAL TO} ")
        each = "each "
    return f"{'; '.join(by)}; {each}adjusted {largest}"


def _equivalence(report: Any, found: dict[str, dict[str, Any]]) -> str:
    """Write within which margin, and how sure."""
    largest = pvalue_text(max(row["equivalence_pvalue"] for row in found.values()))
    each = ""
    if len(found) > 1:
        each, largest = "each ", largest.replace("p = ", "p \N{LESS-THAN OR EQUAL TO} ")
    return f"within the margin of {short(report.margin)}; {each}adjusted equivalence {largest}"


def _smallest(report: Any, rows: Iterable[dict[str, Any]]) -> str:
    """Write the smallest adjusted p, where no test of all at once has given one."""
    pvalues = [row["adjusted_pvalue"] for row in rows if row["adjusted_pvalue"] is not None]
    if report.omnibus is not None or not pvalues:
        return ""
    text = f"adjusted {pvalue_text(min(pvalues))}"
    return f" ({text})" if len(pvalues) == 1 else f" ({text} or more)"


def _counted(rows: list[dict[str, Any]], which: str) -> str:
    verdicts = [row["verdict"] for row in rows]
    n, n_same = len(rows), verdicts.count("equivalent")
    n_found = n - n_same - verdicts.count("undecided")
    comparisons = f"{which} {_comparisons(n)}"
    found = f"Of {comparisons}, {n_found} found a difference"
    if n_found in (0, n):
        found = f"{'None' if n_found == 0 else 'Each'} of {comparisons} found a difference"
    if n_same:
        others = f"{n_found} found a difference, " if n_found else ""
        found = f"Of {comparisons}, {others}{n_same} showed equivalence"
    untested = sum(row["adjusted_pvalue"] is None for row in rows)
    return f"{found}; for {untested} no test is possible" if untested else found


def listed(names: Sequence[str]) -> str:
    """Name systems in a sentence; of many the first."""
    names = [said(name) for name in names]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"
