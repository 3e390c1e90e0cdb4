"""Contents as a LaTeX table for a paper."""

from collections.abc import Sequence
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._contents import Contents
from skstat.report._forms.latex_table import (
    STARS,
    Table,
    TableStyle,
    escape_latex,
    starred,
    written,
)
from skstat.report._words import fixed, percent, pvalue_cell, short, stability_text


def render_latex(contents: Contents, style: TableStyle) -> str:
    """Render contents as a table, the conclusions as comments."""
    check_stars(style, contents.doubts)
    pairs = [pair for section in contents.sections for pair in section.comparisons]
    lines = comments(contents.conclusion, contents.doubts)
    if pairs:
        notes = [*_notes_on(pairs), *([f"{STARS}."] if style.stars else [])]
        return written([*lines, *notes], _table_of(pairs, stars=style.stars), style)
    if style.stars:
        raise ValueError("stars=True marks p-values, and this table has none; leave it out.")
    papers = [
        grid
        for section in contents.sections
        for grid in ([section.paper] if section.paper else section.grids)
    ]
    if not papers:
        links = [section.link for section in contents.sections if section.link]
        lines += [f"% {link.label}: {link.url}" for link in links]
        labelled = [row for section in contents.sections for row in section.rows]
        rows = [list(map(escape_latex, row)) for row in labelled]
        return written(lines, Table(r"lp{0.75\linewidth}", rows), style)
    lines += [f"% {one_line(grid.note)}" for grid in papers if grid.note]
    n_names, n_columns = papers[0].n_names, len(papers[0].header)
    rows = [list(map(escape_latex, row)) for grid in papers for row in grid.rows]
    columns = "l" * n_names + "r" + "l" * (n_columns - n_names - 1)
    header = list(map(escape_latex, papers[-1].header))
    return written(lines, Table(columns, rows, header), style)


def check_stars(style: TableStyle, doubts: Sequence[dict[str, Any]]) -> None:
    """Refuse stars for p-values that do not mean what they say."""
    code = next((doubt["code"] for doubt in doubts if doubt["weight"] == "invalid"), None)
    if style.stars and code is not None:
        raise ValueError(f"stars=True: the p-values are not valid ({code}); leave it out.")


def comments(conclusion: str, doubts: Sequence[dict[str, Any]]) -> list[str]:
    """Write the conclusion and the doubts where only the author reads them."""
    found = [f"% {one_line(conclusion)}"] if conclusion else []
    return found + [f"% {doubt['code']} {doubt['title']}" for doubt in doubts]


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
        f"% Lower {one_line(metric)} is better: below 0, the first system is better."
        for metric in losses
    ]
    other = {
        pair["test"]: pair["quantity"]["name"]
        for pair in of_scores
        if not pair["quantity"]["is_difference"]
    }
    lines += [f"% Difference of {test}: {name}." for test, name in other.items()]
    if len(of_scores) < len(pairs):
        lines.append("% Difference in mean rank: rank of the second - rank of the first.")
    said = (
        (word, _shared(pairs, key)) for word, key in (("Metric", "metric"), ("Test", "test"))
    )
    return lines + [f"% {word}: {one_line(value)}." for word, value in said if value]


def _shared(pairs: Sequence[dict[str, Any]], key: str) -> str:
    """Return what several pairs have in common: a column of it would only widen the table."""
    values = {pair[key] for pair in pairs}
    return str(values.pop()) if len(pairs) > 1 and len(values) == 1 else ""


def _table_of(pairs: Sequence[dict[str, Any]], *, stars: bool) -> Table:
    """Write a row per pair; the names of an only pair stand in the header."""
    level = percent(pairs[0]["confidence_level"])
    adjusted = any(pair["adjusted_pvalue"] is not None for pair in pairs)
    by_rank = [pair["scale"] == "mean rank" for pair in pairs]
    names = list(dict.fromkeys((pair["first"], pair["second"]) for pair in pairs))
    alone, sliced = len(names) == 1, any("slice" in pair for pair in pairs)
    suffix = "" if all(by_rank) else " in mean rank"
    of_each = {key: not _shared(pairs, key) for key in ("metric", "test")}
    header = [
        *["Slice"] * sliced,
        *([] if alone else ["First", "Second"]),
        *(["Metric"] if of_each["metric"] else []),
        _difference(names[0] if alone else None, in_ranks=all(by_rank)),
        f"{level} interval",
        *(["Test"] if of_each["test"] else []),
    ]
    header = [*map(escape_latex, header), "adjusted $p$" if adjusted else "$p$"]
    margins = any(pair.get("margin") is not None for pair in pairs)
    if margins:
        header += ["margin", "equivalence $p$"]
    probable = [key for key in _PROBABLE if any(pair.get(key) is not None for pair in pairs)]
    header += [_PROBABLE[key] for key in probable]
    rows = []
    for pair, in_ranks in zip(pairs, by_rank, strict=True):
        decimals = pair["decimals"]
        # All rows beside slices are one comparison, with nothing to adjust for.
        pvalue = pair["adjusted_pvalue"] if adjusted else pair["pvalue"]
        pvalue = pair["pvalue"] if sliced and pvalue is None else pvalue
        cells = [
            *([shown_name(pair.get("slice", ""))] if sliced else []),
            *([] if alone else [shown_name(pair["first"]), shown_name(pair["second"])]),
            *([pair["metric"]] if of_each["metric"] else []),
            fixed(pair["estimate"], decimals, sign=True) + suffix * in_ranks,
            _interval(pair, decimals),
            *([pair["test"]] if of_each["test"] else []),
            _pvalue(pvalue),
        ]
        if margins:
            cells += _margin_cells(pair)
        cells += [_probability(pair.get(key)) for key in probable]
        row = list(map(escape_latex, cells))
        if stars:
            row[-1 - 2 * margins - len(probable)] += starred(pvalue)
        rows.append(row)
    columns = (
        "l" * sliced
        + "ll" * (not alone)
        + "l" * of_each["metric"]
        + "rl"
        + "l" * of_each["test"]
    )
    return Table(columns + "l" + "ll" * margins + "l" * len(probable), rows, header)


def _difference(names: tuple[str, str] | None, *, in_ranks: bool) -> str:
    """Head the column of differences, with the names of the only pair."""
    text = "Difference in mean rank" if in_ranks else "Difference"
    if names is None:
        return text
    first, second = map(shown_name, reversed(names) if in_ranks else names)
    return f"{text} ({first} \N{MINUS SIGN} {second})"


def _interval(part: dict[str, Any], decimals: int) -> str:
    low, high = part["low"], part["high"]
    if part["undefined"]:
        return "none"
    below = _limit(low, decimals, open_end="\N{MINUS SIGN}\N{INFINITY}")
    above = _limit(high, decimals, open_end="\N{INFINITY}")
    return f"[{below}, {above}]"


# The columns of a comparison that was read as probabilities.
_PROBABLE = {
    "rope": "rope",
    "probability_better": "P(first better)",
    "probability_same": "P(same)",
    "probability_worse": "P(second better)",
}


def _probability(value: float | None) -> str:
    return "--" if value is None else short(value)


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
