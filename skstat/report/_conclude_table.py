"""A comparison over many data sets in a few plain sentences."""

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from skstat.report._numbers import decimals_for, fixed, pvalue_text, units
from skstat.report._table_rows import omnibus_text, said, some

_NAMED = 6  # systems listed by name before the rest is counted
_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make


class _Sides(NamedTuple):
    """Rows of pairs with one system, by what was found, and the other systems of them."""

    better: dict[str, dict[str, Any]]
    alike: dict[str, dict[str, Any]]
    worse: dict[str, dict[str, Any]]
    untested: dict[str, dict[str, Any]]


def conclude_table(report: Any) -> list[str]:
    """Write what was found: all at once, who is best, and which pairs differ.

    Parameters
    ----------
    report : TableReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    rows = report._pairs()
    if _identical(report):
        found = [_nothing_differs(report)]
    elif report.pairwise.smallest_pvalue >= report.alpha:
        found = [_hopeless(report), _all_at_once(report), f"{_lead(report)}."]
    elif report.control:
        found = [_all_at_once(report), _against_control(report, rows)]
    else:
        found = [_all_at_once(report), _against_best(report, rows)]
    if report.left_out:
        gaps = report.table.missing.any()
        what = "Missing" if gaps else "Only data sets with every score are compared; left out"
        found.append(f"{what}: {some(report.left_out, _NAMED)}.")
    return found


def _identical(report: Any) -> bool:
    return all(report.table.pair(*pair).identical for pair in report.pairwise.pairs)


def _nothing_differs(report: Any) -> str:
    return (
        f"No difference was found: all {len(report.names)} systems have the same "
        f"{report.metric} on all {units(report.n_units, report.unit)} (each has the mean rank "
        f"{_rank(report, report.names[0])}; {pvalue_text(report.omnibus.pvalue)})."
    )


def _hopeless(report: Any) -> str:
    return (
        f"No rejection is possible with {units(report.n_units, report.unit)} where systems "
        f"are compared in pairs: of {_comparisons(len(report))}, the smallest adjusted "
        f"p-value that the {report.test} can give is {report.pairwise.smallest_pvalue:.3g}."
    )


def _all_at_once(report: Any) -> str:
    omnibus, metric = report.omnibus, report.metric
    where = f"over {units(omnibus.n_units, report.unit)}"
    if omnibus.n_units < report.n_units and report.table.missing.any():
        where = (
            f"over {omnibus.n_units} of {units(report.n_units, report.unit)}, those with two "
            "scores or more"
        )
    names = list(report.mean_ranks)
    k, first, last = len(names), said(names[0]), said(names[-1])
    top, bottom = _rank(report, names[0]), _rank(report, names[-1])
    spread = f"mean ranks go from {top} ({first}) to {bottom} ({last})"
    if len(_best(report)) == k:
        spread = f"all have the mean rank {top}"
    elif report.table.n_units > 1 and (report.table.ranks == report.table.ranks[0]).all():
        spread = (
            f"all of them rank the systems alike, from {first} (mean rank {top}) to {last} "
            f"({bottom})"
        )
    if isnan(omnibus.pvalue):
        return f"No test of all {k} systems at once is possible {where}: {spread}."
    found = f"No difference in {metric} between the {k} systems was found {where}"
    if omnibus.pvalue < report.alpha:
        found = f"The {k} systems differ in {metric} {where}"
    return f"{found}: {spread} ({omnibus_text(omnibus.to_dict())})."


def _best(report: Any) -> list[str]:
    ranks = report.mean_ranks
    best = min(ranks.values())
    return [name for name in ranks if ranks[name] <= best + 1e-9]


def _lead(report: Any) -> str:
    best = _best(report)
    if len(best) == len(report.names):
        return f"All systems have the same mean rank ({_rank(report, best[0])})"
    if len(best) > 1:
        return f"{_listed(best)} share the best mean rank ({_rank(report, best[0])})"
    return f"{said(best[0])} has the best mean rank ({_rank(report, best[0])})"


def _against_best(report: Any, rows: list[dict[str, Any]]) -> str:
    best = _best(report)
    if len(best) == len(report.names) > 2:
        return f"{_lead(report)}. {_counted(rows, 'the')}."
    name = best[0]
    subject = f". {said(name)}" if len(best) > 1 else ": it"
    claims = _claims(report, name, _sides(report, rows, name))
    sentence = f"{_lead(report)}{subject} {'; it '.join(claims)}."
    others = [row for row in rows if name not in (row["a"], row["b"])]
    if len(others) == 1:
        (row,) = others
        name = row["b"] if row["verdict"] == "B" else row["a"]
        claim = _claims(report, name, _sides(report, others, name))[0]
        sentence += f" {said(name)} {claim}."
    elif others:
        sentence += f" {_counted(others, 'the other')}."
    return sentence


def _against_control(report: Any, rows: list[dict[str, Any]]) -> str:
    control = report.control
    better, alike, worse, untested = _sides(report, rows, control)
    claims = _claims(report, control, _Sides(better, {}, worse, {}))
    bits = [f"{said(control)} {'; it '.join(claims)}"] if claims else []
    if alike:
        bits.append(_not_shown(report, control, list(alike)))
    if untested:
        bits.append(f"no test is possible between {said(control)} and {_listed([*untested])}")
    text = "; ".join(bits)
    return f"{text if claims else text[0].upper() + text[1:]}."


def _claims(report: Any, name: str, sides: _Sides) -> list[str]:
    better, alike, worse, untested = sides
    by_rank = report.pairwise.outcomes[0].scale == "mean rank"
    if by_rank:
        up, down = "ranks better than", "ranks worse than"
    elif report.is_loss:
        up, down = "has a lower error than", "has a higher error than"
    else:
        up, down = "scores higher than", "scores lower than"
    claims = []
    if better:
        claims.append(f"{up} {_listed(list(better))} ({_evidence(report, better)})")
    if worse:  # of the best too: means and ranks may point in different directions
        claims.append(f"{down} {_listed(list(worse))} ({_evidence(report, worse)})")
    if alike:
        asked = ""
        if report.pairwise.outcomes[0].alternative != "two-sided":
            asked = " in the direction asked"
        claims.append(f"was not told apart from {_listed(list(alike))}{asked}")
    if untested:
        others = _listed(list(untested))
        claims.append(f"could not be compared with {others} (no test is possible)")
    return claims


def _not_shown(report: Any, control: str, others: list[str]) -> str:
    alternative = report.pairwise.outcomes[0].alternative
    if alternative == "two-sided":
        any_of = {1: "", 2: "either of "}.get(len(others), "any of ")
        return f"no difference was found between {said(control)} and {any_of}{_listed(others)}"
    than = "higher" if (alternative == "greater") != report.is_loss else "lower"
    one = len(others) == 1
    what = f"score{'s' * one} {than} than"
    if report.is_loss:
        what = f"{'has' if one else 'have'} a {than} error than"
    return f"it was not shown that {_listed(others)} {what} {said(control)}"


def _sides(report: Any, rows: list[dict[str, Any]], name: str) -> _Sides:
    """Pairs in which `name` is better, not told apart, or worse, by the other system."""
    sides = _Sides({}, {}, {}, {})
    order = list(report.mean_ranks)
    found = {
        (row["b"] if row["a"] == name else row["a"]): row
        for row in rows
        if name in (row["a"], row["b"])
    }
    for other in sorted(found, key=order.index):
        row = found[other]
        winner = {"A": row["a"], "B": row["b"]}.get(row["verdict"])
        side = sides.alike if row["adjusted_pvalue"] is not None else sides.untested
        if winner is not None:
            side = sides.better if winner == name else sides.worse
        side[other] = row
    return sides


def _evidence(report: Any, found: dict[str, dict[str, Any]]) -> str:
    """Write how much, before the p-value."""
    rows = list(found.values())
    noise = _NOTHING * float(np.nanmax(np.abs(report.table.scores)))
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
        of_whom = f" from {_listed(nothing)}" if sizes else ""
        by.append(f"typical difference{of_whom} 0")
    each = ""
    if len(rows) > 1:
        largest = largest.replace("p = ", "p \N{LESS-THAN OR EQUAL TO} ")
        each = "each "
    return f"{'; '.join(by)}; {each}adjusted {largest}"


def _counted(rows: list[dict[str, Any]], which: str) -> str:
    n, n_found = len(rows), sum(row["verdict"] != "undecided" for row in rows)
    comparisons = f"{which} {_comparisons(n)}"
    found = f"Of {comparisons}, {n_found} found a difference"
    if n_found in (0, n):
        found = f"{'None' if n_found == 0 else 'Each'} of {comparisons} found a difference"
    untested = sum(row["adjusted_pvalue"] is None for row in rows)
    return f"{found}; for {untested} no test is possible" if untested else found


def _listed(names: Sequence[str]) -> str:
    names = [said(name) for name in names]
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _rank(report: Any, name: str) -> str:
    return f"{report.mean_ranks[name]:.2f}"


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"
