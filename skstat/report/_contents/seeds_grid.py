"""One comparison per seed as the rows of a table."""

from collections.abc import Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._contents.grid import Grid
from skstat.report._contents.ranking_grid import interval_cell
from skstat.report._words import decimals_for, direction_text, fixed, percent, pvalue_cell

_MOST_SEEDS = 8


def seeds_overview(names: tuple[str, str], parts: Sequence[dict[str, Any]]) -> Grid:
    """Return scores, difference, interval, p-value and the better system for every seed.

    Parameters
    ----------
    names : tuple of str
        The two systems, without their seeds.
    parts : sequence of dict
        The comparisons, losses as losses.

    Returns
    -------
    Grid
        The first seeds; the rest is counted.
    """
    a, b = map(shown_name, names)
    first = parts[0]
    decimals = decimals_for(
        value for part in parts for value in (part["estimate"], *part["interval"])
    )
    of_scores = max(3, decimals)
    verdicts = {"better": a, "worse": b, "higher": a, "lower": b}
    rows = []
    for number, part in enumerate(parts[:_MOST_SEEDS], start=1):
        low, high = part["interval"]
        limits = {"low": low, "high": high, "pvalue": part["pvalue"]}
        means = [fixed(score["mean"], of_scores) for score in part["scores"]]
        untested = part["pvalue"] is None
        rows.append(
            [
                f"seed {number}",
                *means,
                fixed(part["estimate"], decimals, sign=True),
                interval_cell(limits, decimals),
                pvalue_cell(part["pvalue"]),
                "no test" if untested else verdicts.get(part["verdict"], part["verdict"]),
            ]
        )
    header = [
        "", a, b, "difference", f"{percent(first['confidence_level'])} interval", "p", "better"
    ]  # fmt: skip
    left = len(parts) - len(rows)
    minus = f"Difference: {a} \N{MINUS SIGN} {b}."
    if first["scale"] == "mean rank":
        minus = f"Difference: rank of {b} \N{MINUS SIGN} rank of {a}."
    elif not first["quantity"]["is_difference"]:
        minus = f"Difference: {first['quantity']['name']}, {a} \N{MINUS SIGN} {b}."
    note = f"{minus} Not shown: {left} more." if left else minus
    return Grid(
        f"Seed by seed, {first['metric']}, {direction_text(first)}",
        header,
        rows,
        words=len(header) - 1,
        note=note,
    )
