"""Reports as a LaTeX table for a paper."""

import re
from typing import Any

from skstat.display._names import one_line, said
from skstat.report._grids import grids_of
from skstat.report._numbers import decimals_for, fixed, percent, pvalue_text, short
from skstat.report._rows import (
    equivalence_pvalue,
    has_grids,
    parts_of,
)
from skstat.report._stability import stability_text

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{MINUS SIGN}": "$-$",
}


def render_latex(report: dict[str, Any]) -> str:
    """Render any report's dictionary as a tabular, the conclusions as comments."""
    if any(part["kind"] == "performance" for part in parts_of(report)):
        return _performance(report)
    parts = [pair for part in parts_of(report) for pair in _pairs(part)]
    level = percent(parts[0]["confidence_level"])
    adjusted = any(part["adjusted_pvalue"] is not None for part in parts)
    lines = [f"% {one_line(report['conclusion'])}"]
    lines += [f"% {doubt['code']} {doubt['title']}" for doubt in report["doubts"]]
    lines += [
        f"% Other partitions: {stability_text(part['stability'])}"
        for part in parts_of(report)
        if part["kind"] == "comparison" and part.get("stability")
    ]
    by_rank = [part["scale"] == "mean rank" for part in parts]
    of_scores = [part for part, ranks in zip(parts, by_rank, strict=True) if not ranks]
    losses = dict.fromkeys(part["metric"] for part in of_scores if part["is_loss"])
    lines += [
        f"% Lower {one_line(metric)} is better: A - B below 0, A is better."
        for metric in losses
    ]
    other = {
        part["test"]: part["quantity"]["name"]
        for part in of_scores
        if not part["quantity"]["is_difference"]
    }
    lines += [f"% A - B of {test}: {name}." for test, name in other.items()]
    suffix = " in mean rank" if all(by_rank) else " in mean rank (B \N{MINUS SIGN} A)"
    header = [
        "A",
        "B",
        "Metric",
        "rank of B -- A" if all(by_rank) else "A -- B",
        f"{escape(level)} interval",
        "Test",
        "adjusted $p$" if adjusted else "$p$",
    ]
    margins = any(part.get("margin") is not None for part in parts)
    if margins:
        header += ["margin", "equivalence $p$"]
    columns = "lllrlll" + "ll" * margins
    lines += [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        " & ".join(header) + r" \\",
        r"\hline",
    ]
    for part in parts:
        decimals = part["decimals"]
        in_ranks = part["scale"] == "mean rank"
        cells = [
            said(part["a"]),
            said(part["b"]),
            part["metric"],
            fixed(part["estimate"], decimals, sign=True) + suffix * in_ranks,
            _interval(part, decimals),
            part["test"],
            _pvalue(part["adjusted_pvalue"] if adjusted else part["pvalue"]),
        ]
        if margins:
            cells += _margin_cells(part)
        lines.append(" & ".join(escape(cell) for cell in cells) + r" \\")
    lines += [r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _performance(report: dict[str, Any]) -> str:
    """Render estimates of performance, one row each."""
    lines = [f"% {one_line(report['conclusion'])}"]
    lines += [f"% {doubt['code']} {doubt['title']}" for doubt in report["doubts"]]
    header = ["", "Metric", "Estimate", "interval", "In training"]
    rows = []
    for part in parts_of(report):
        (grid,) = grids_of(part)
        header[3] = escape(grid.header[2])
        rows += [[row[0], grid.header[1], *row[1:4]] for row in grid.rows]
    lines += [
        r"\begin{tabular}{llrll}",
        r"\hline",
        " & ".join(header) + r" \\",
        r"\hline",
        *(" & ".join(map(escape, row)) + r" \\" for row in rows),
        r"\hline",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Make every character of `text` stand for itself."""
    return re.sub(
        "|".join(map(re.escape, _SPECIAL)), lambda match: _SPECIAL[match[0]], one_line(text)
    ).replace("\N{INFINITY}", r"$\infty$")


def _pairs(part: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the comparisons of a part as flat rows."""
    if has_grids(part):
        pairs = part["pairs"]
        given = {
            "test": part["test"],
            "is_loss": part["is_loss"],
            "quantity": part["quantity"],
            "decimals": decimals_for(end for pair in pairs for end in _ends(pair)),
        }
        return [
            {**pair, **given, "undefined": pair["pvalue"] is None and pair["low"] is None}
            for pair in pairs
        ]
    (a, b), (low, high) = part["names"], part["interval"]
    row = {**part, "a": a, "b": b, "low": low, "high": high}
    if part["margin"] is not None:
        row["equivalence_pvalue"] = equivalence_pvalue(part)
    return [
        {
            **row,
            "undefined": part["interval_kind"] == "none",
            "decimals": decimals_for(_ends(row)),
        }
    ]


def _ends(row: dict[str, Any]) -> list[float | None]:
    return [row["estimate"], row["low"], row["high"]]


def _interval(part: dict[str, Any], decimals: int) -> str:
    low, high = part["low"], part["high"]
    if part["undefined"]:
        return "none"
    below = _limit(low, decimals, open_end="\N{MINUS SIGN}\N{INFINITY}")
    above = _limit(high, decimals, open_end="\N{INFINITY}")
    return f"[{below}, {above}]"


def _margin_cells(part: dict[str, Any]) -> list[str]:
    if part.get("margin") is None:
        return ["--", "--"]
    return [short(part["margin"]), _pvalue(part["equivalence_pvalue"])]


def _limit(value: float | None, decimals: int, *, open_end: str) -> str:
    return open_end if value is None else fixed(value, decimals, sign=True)


def _pvalue(pvalue: float | None) -> str:
    if pvalue is None:
        return "undefined"
    return pvalue_text(pvalue).removeprefix("p = ").removeprefix("p ")
