"""Contents as a LaTeX table for a paper."""

import re
from collections.abc import Sequence
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._contents import Contents
from skstat.report._words import fixed, percent, pvalue_cell, short, stability_text

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


def render_latex(contents: Contents) -> str:
    """Render contents as a tabular, the conclusions as comments."""
    pairs = [pair for section in contents.sections for pair in section.comparisons]
    lines = comments(contents.conclusion, contents.doubts)
    if pairs:
        return "\n".join([*lines, *_notes_on(pairs), *_table_of(pairs)]) + "\n"
    papers = [
        grid
        for section in contents.sections
        for grid in ([section.paper] if section.paper else section.grids)
    ]
    if not papers:
        links = [section.link for section in contents.sections if section.link]
        lines += [f"% {link.label}: {link.url}" for link in links]
        labelled = [row for section in contents.sections for row in section.rows]
        lines += tabular(
            r"lp{0.75\linewidth}", [list(map(escape_latex, row)) for row in labelled]
        )
        return "\n".join(lines) + "\n"
    lines += [f"% {one_line(grid.note)}" for grid in papers if grid.note]
    n_names, n_columns = papers[0].n_names, len(papers[0].header)
    rows = [row for grid in papers for row in grid.rows]
    lines += tabular(
        "l" * n_names + "r" + "l" * (n_columns - n_names - 1),
        [list(map(escape_latex, row)) for row in rows],
        header=list(map(escape_latex, papers[-1].header)),
    )
    return "\n".join(lines) + "\n"


def comments(conclusion: str, doubts: Sequence[dict[str, Any]]) -> list[str]:
    """Write the conclusion and the doubts where only the author reads them."""
    found = [f"% {one_line(conclusion)}"] if conclusion else []
    return found + [f"% {doubt['code']} {doubt['title']}" for doubt in doubts]


def tabular(
    columns: str,
    rows: Sequence[Sequence[str]],
    *,
    header: Sequence[str] = (),
    footer: Sequence[str] = (),
) -> list[str]:
    """Write the lines of a table, whose cells are LaTeX, that needs no package."""
    blocks = [[header] if header else [], rows, [footer] if footer else []]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\hline"]
    for block in filter(None, blocks):
        lines += [*(" & ".join(cells) + r" \\" for cells in block), r"\hline"]
    return [*lines, r"\end{tabular}"]


def _notes_on(pairs: Sequence[dict[str, Any]]) -> list[str]:
    """Say in comments what the columns of a table of pairs cannot."""
    lines = [
        f"% Other partitions: {stability_text(pair['stability'])}"
        for pair in pairs
        if pair.get("stability")
    ]
    of_scores = [pair for pair in pairs if pair["scale"] != "mean rank"]
    losses = dict.fromkeys(pair["metric"] for pair in of_scores if pair["is_loss"])
    lines += [
        f"% Lower {one_line(metric)} is better: A - B below 0, A is better."
        for metric in losses
    ]
    other = {
        pair["test"]: pair["quantity"]["name"]
        for pair in of_scores
        if not pair["quantity"]["is_difference"]
    }
    return lines + [f"% A - B of {test}: {name}." for test, name in other.items()]


def _table_of(pairs: Sequence[dict[str, Any]]) -> list[str]:
    """Write a row per pair."""
    level = percent(pairs[0]["confidence_level"])
    adjusted = any(pair["adjusted_pvalue"] is not None for pair in pairs)
    by_rank = [pair["scale"] == "mean rank" for pair in pairs]
    suffix = " in mean rank" if all(by_rank) else " in mean rank (B \N{MINUS SIGN} A)"
    header = [
        "First",
        "Second",
        "Metric",
        "rank of B -- A" if all(by_rank) else "A -- B",
        f"{escape_latex(level)} interval",
        "Test",
        "adjusted $p$" if adjusted else "$p$",
    ]
    margins = any(pair.get("margin") is not None for pair in pairs)
    if margins:
        header += ["margin", "equivalence $p$"]
    rows = []
    for pair, in_ranks in zip(pairs, by_rank, strict=True):
        decimals = pair["decimals"]
        cells = [
            shown_name(pair["first"]),
            shown_name(pair["second"]),
            pair["metric"],
            fixed(pair["estimate"], decimals, sign=True) + suffix * in_ranks,
            _interval(pair, decimals),
            pair["test"],
            _pvalue(pair["adjusted_pvalue"] if adjusted else pair["pvalue"]),
        ]
        if margins:
            cells += _margin_cells(pair)
        rows.append(list(map(escape_latex, cells)))
    return tabular("lllrlll" + "ll" * margins, rows, header=header)


def escape_latex(text: str) -> str:
    """Make every character of `text` stand for itself."""
    return re.sub(
        "|".join(map(re.escape, _SPECIAL)), lambda match: _SPECIAL[match[0]], one_line(text)
    ).replace("\N{INFINITY}", r"$\infty$")


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
    return pvalue_cell(pvalue)
