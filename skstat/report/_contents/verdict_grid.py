"""Verdicts on very many pairs: a character each, in a square that a person can look over."""

from typing import Any

import numpy as np

from skstat._names import shown_name
from skstat.report._contents.grid import Grid

MOST_IN_FULL = 500  # pairs that are listed one by one
_MOST_SYSTEMS = 500  # of more, a line is too long to look at

_BETTER, _WORSE, _EQUIVALENT, _NEITHER, _UNTESTED, _ITSELF = "+-=.?o"
# From the side of the first and from that of the second.
_SIGNS = {
    "better": (_BETTER, _WORSE),
    "worse": (_WORSE, _BETTER),
    "higher": (_BETTER, _WORSE),
    "lower": (_WORSE, _BETTER),
    "equivalent": (_EQUIVALENT, _EQUIVALENT),
}


def verdict_grid(report: dict[str, Any]) -> Grid | None:
    """Return the verdicts on all pairs; None where a list of the pairs serves as well."""
    order = [row["name"] for row in report["ranking"]]
    few = len(report["pairs"]) <= MOST_IN_FULL
    if few or report["control"] is not None or len(order) > _MOST_SYSTEMS:
        return None
    place = {name: number for number, name in enumerate(order)}
    lines = [[_UNTESTED] * len(order) for _ in order]
    for number, line in enumerate(lines):
        line[number] = _ITSELF
    pairs = report["pairs"]
    tested = ~np.isnan(pairs.adjusted)
    for (a, b), verdict, known in zip(pairs.ends, pairs.verdicts, tested, strict=True):
        if known:
            i, j = place[a], place[b]
            lines[i][j], lines[j][i] = _SIGNS.get(verdict, (_NEITHER, _NEITHER))
    rows = [
        [str(number), shown_name(name), "".join(line)]
        for number, (name, line) in enumerate(zip(order, lines, strict=True), start=1)
    ]
    ruler = "".join(str(number % 10) for number in range(1, len(order) + 1))
    says = {
        _BETTER: "the system of the line is better",
        _WORSE: "it is worse",
        _EQUIVALENT: "equivalent",
        _NEITHER: "no significant difference",
        _UNTESTED: "no test",
    }
    used = {sign for line in lines for sign in line}
    meanings = ", ".join(f"{sign} {text}" for sign, text in says.items() if sign in used)
    return Grid(
        "All pairs: line against column, in the order of the ranking",
        ["", "", ruler],
        rows,
        n_names=2,
        words=2,
        signs=2,
        note=f"{meanings}. Numbers: to_frame().",
        is_detail=True,
    )
