r"""LaTeX tables for papers: of blocks, of comparisons, of systems, of scores on data sets.

Conclusion, doubts and notes are comments, which only the author reads. Bold and underlined
cells use ``\textbf`` and ``\underline``, which need no package; the rules of a table are those
of booktabs, or ``\hline``.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from skstat._names import no_command, one_line, shown_name
from skstat.report._blocks import Block, Cells, Doubts, Facts, Link, Says
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._words.metric import best, good, good_best
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_cell, short
from skstat.report._words.stability import stability_text
from skstat.report._words.terms import adjustment_name
from skstat.stats._outcomes import unit_word

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
    "\N{INFINITY}": r"$\infty$",
}
_NEEDS = r"% In the preamble: \usepackage{booktabs}"
STARS = "% Stars: * p < .05, ** p < .01, *** p < .001"


def escape_latex(text: str) -> str:
    """Make every character of `text` stand for itself."""
    special = "|".join(map(re.escape, _SPECIAL))
    return re.sub(special, lambda match: _SPECIAL[match[0]], one_line(text))


def starred(pvalue: float | None) -> str:
    """Return the stars of a p-value, in LaTeX."""
    n = 0 if pvalue is None else sum(pvalue < level for level in (0.05, 0.01, 0.001))
    return f"$^{{{'*' * n}}}$" if n else ""


class TableStyle(NamedTuple):
    """How a table is set: with a caption or a label as a whole environment; with stars."""

    caption: str | None = None
    label: str | None = None
    booktabs: bool = True
    stars: bool = False


class Table(NamedTuple):
    """A table whose cells are LaTeX, and a note that readers see below it."""

    columns: str
    rows: Sequence[Sequence[str]]
    header: Sequence[str] = ()
    footer: Sequence[str] = ()
    note: str = ""


def written(comments: Sequence[str], table: Table, style: TableStyle) -> str:
    """Write comments and a table, in an environment if it has a caption or a label."""
    rules = (r"\toprule", r"\midrule", r"\bottomrule") if style.booktabs else (r"\hline",) * 3
    top, middle, bottom = rules
    lines = [rf"\begin{{tabular}}{{{table.columns}}}", top]
    blocks = [[table.header], table.rows, [table.footer]]
    for block in ([row for row in block if row] for block in blocks):
        if block:
            lines += [*(" & ".join(cells) + r" \\" for cells in block), middle]
    lines = [*lines[:-1], bottom, r"\end{tabular}"]
    if table.note:
        note = rf"\parbox{{0.95\linewidth}}{{\footnotesize {table.note}}}"
        lines += [r"\par\smallskip", note]
    if style.caption is not None or style.label is not None:
        caption = [] if style.caption is None else [rf"\caption{{{style.caption}}}"]
        label = [] if style.label is None else [rf"\label{{{style.label}}}"]
        # The label takes the number of the caption, and has to stand behind it.
        lines = [r"\begin{table}", r"\centering", *caption, *label, *lines, r"\end{table}"]
    needs = [_NEEDS] if style.booktabs else []
    return no_command("\n".join([*comments, *needs, *lines])) + "\n"


def render_latex(blocks: Iterable[Block], style: TableStyle) -> str:
    """Render the tables of blocks that are not folded, or else their facts, as one table."""
    blocks = list(blocks)
    if style.stars:
        raise ValueError("stars=True marks p-values, and this table has none; leave it out.")
    lines = _comments(blocks)
    tables = [block for block in blocks if isinstance(block, Cells)]
    if not tables:
        lines += [
            f"% {block.label}: {block.url}" for block in blocks if isinstance(block, Link)
        ]
        facts = [row for block in blocks if isinstance(block, Facts) for row in block.rows]
        rows = [list(map(escape_latex, row)) for row in facts]
        return written(lines, Table(r"lp{0.75\linewidth}", rows), style)
    lines += [f"% {one_line(cells.note)}" for cells in tables if cells.note]
    first, n = tables[0], len(tables[0].header)
    columns = "".join(
        "r" if column == first.n_names and n > first.n_names else "l" for column in range(n)
    )
    rows = [list(map(escape_latex, row)) for cells in tables for row in cells.rows]
    return written(lines, Table(columns, rows, list(map(escape_latex, first.header))), style)


def _comments(blocks: Iterable[Block]) -> list[str]:
    """Write conclusion and doubts where only the author reads them."""
    said: list[str] = []
    codes: list[str] = []
    for block in blocks:
        if isinstance(block, Says):
            said += [text for pair in block.paragraphs() for text in pair]
        elif isinstance(block, Doubts):
            codes += [f"% {doubt.code} {doubt.title}" for doubt in block.found]
    conclusion = one_line(" ".join(filter(None, said)))
    return [f"% {conclusion}"] * bool(conclusion) + list(dict.fromkeys(codes))


def render_pairs(blocks: Iterable[Block], found: Report | ReportGrid, style: TableStyle) -> str:
    """Render the comparisons of a report, or of all in a grid, as a table.

    Parameters
    ----------
    blocks : iterable of Block
        What the report shows, of which conclusion and doubts are taken.
    found : Report or ReportGrid
        The comparisons.
    style : TableStyle
        How the table is set.
    """
    _check_stars(found, style)
    lines, rows = _comments(blocks), list(_pair_rows(found))
    lines += _notes_on(rows) + [f"{STARS}."] * style.stars
    by_rank = all(row.report.by_rank for row in rows)
    ends = list(dict.fromkeys((row.pair.first, row.pair.second) for row in rows))
    sliced = any(row.slice for row in rows)
    metrics, tests = (_shared(rows, key) for key in (_metric_of, _test_of))
    adjusted = any(not math.isnan(row.pair.adjusted) for row in rows)
    head = "Difference in mean rank" if by_rank else "Difference"
    if len(ends) == 1:  # the names of an only pair stand in the header
        first, second = map(shown_name, ends[0][::-1] if by_rank else ends[0])
        head = f"{head} ({first} \N{MINUS SIGN} {second})"
    columns: list[tuple[str, str, list[str]]] = []  # alignment, title, cells

    def add(title: str, cells: Iterable[str], align: str = "l") -> None:
        columns.append((align, escape_latex(title), list(map(escape_latex, cells))))

    if sliced:
        add("Slice", (shown_name(row.slice) for row in rows))
    if len(ends) > 1:
        add("First", (shown_name(row.pair.first) for row in rows))
        add("Second", (shown_name(row.pair.second) for row in rows))
    if not metrics:
        add("Metric", map(_metric_of, rows))
    add(
        head,
        (
            fixed(row.pair.estimate, row.decimals, sign=True)
            + " in mean rank" * (row.report.by_rank and not by_rank)
            for row in rows
        ),
        "r",
    )
    add(f"{percent(rows[0].report.confidence_level)} interval", map(_interval, rows))
    if not tests:
        add("Test", map(_test_of, rows))
    add("p", (_pvalue(row.pair.p) for row in rows))
    columns[-1] = ("l", "adjusted $p$" if adjusted else "$p$", columns[-1][2])
    if style.stars:
        cells = [c + starred(row.pair.p) for c, row in zip(columns[-1][2], rows, strict=True)]
        columns[-1] = (*columns[-1][:2], cells)
    if any(row.report.margin is not None for row in rows):
        margins = [row.report.margin for row in rows]
        add("margin", ("--" if margin is None else short(margin) for margin in margins))
        add(
            "equivalence p",
            (
                "--" if row.report.margin is None else _pvalue(_equivalence_p(row))
                for row in rows
            ),
        )
        columns[-1] = ("l", "equivalence $p$", columns[-1][2])
    if any(row.report.probabilities for row in rows):
        ropes = [(row.report.probabilities or {}).get("rope") for row in rows]
        add("rope", ("--" if rope is None else short(rope) for rope in ropes))
        for title, key in (
            ("first {}", "better"),
            ("same", "same"),
            ("second {}", "worse"),
        ):
            values = [getattr(row.pair, f"p_{key}") for row in rows]
            if not all(map(math.isnan, values)):
                add(
                    f"P({title.format(good(rows[0].report))})",
                    ("--" if math.isnan(v) else short(v) for v in values),
                )
    rows_of_cells = [list(row) for row in zip(*(column[2] for column in columns), strict=True)]
    header = [title for _, title, _ in columns]
    table = Table("".join(align for align, _, _ in columns), rows_of_cells, header)
    return written(lines, table, style)


class _Row(NamedTuple):
    report: Report
    pair: Pair
    decimals: int
    slice: str = ""


def _pair_rows(found: Report | ReportGrid) -> Iterator[_Row]:
    """Walk the comparisons: of slices those of one pair together, and all rows apart."""
    if isinstance(found, Report):
        pairs = list(found.pairs)
        decimals = decimals_for(v for one in pairs for v in (one.estimate, one.low, one.high))
        yield from (_Row(found, pair, decimals) for pair in pairs)
        return
    parts = [(name, row) for name, part in found.reports.items() for row in _pair_rows(part)]
    if found.by != "slice":
        yield from (row for _, row in parts)
        return
    overall = [] if found.overall is None else list(_pair_rows(found.overall))
    whole = [row._replace(slice="all rows") for row in overall]
    yield from whole if len(whole) == 1 else ()
    for ends in dict.fromkeys((row.pair.first, row.pair.second) for _, row in parts):
        of_pair = [
            (name, row) for name, row in parts if (row.pair.first, row.pair.second) == ends
        ]
        for name, row in of_pair:
            ends_of = (row.pair.estimate, row.pair.low, row.pair.high)
            yield row._replace(slice=name, decimals=decimals_for(ends_of))
    yield from whole if len(whole) > 1 else ()


def _reports_in(found: Report | ReportGrid) -> Iterator[Report]:
    for part in [found] if isinstance(found, Report) else found.reports.values():
        yield from [part] if isinstance(part, Report) else _reports_in(part)


def _metric_of(row: _Row) -> str:
    return row.report.metric


def _test_of(row: _Row) -> str:
    return row.pair.test


def _shared(rows: Sequence[_Row], key: Any) -> str:
    """Return what several pairs have in common: a column of it would only widen the table."""
    values = set(map(key, rows))
    return str(values.pop()) if len(rows) > 1 and len(values) == 1 else ""


def _notes_on(rows: Sequence[_Row]) -> list[str]:
    """Say in comments what the columns of a table of pairs cannot."""
    steady = {id(row.report): row.report.stability for row in rows if row.report.is_pair}
    lines = [
        f"% Other partitions: {stability_text(found.to_dict())}"
        for each in steady.values()
        for found in each.values()
    ]
    of_scores = [row for row in rows if not row.report.by_rank]
    losses = dict.fromkeys(row.report.metric for row in of_scores if row.report.lower)
    lines += [
        f"% Lower {one_line(metric)} is better: below 0, the first system is better."
        for metric in losses
    ]
    other = {
        row.pair.test: row.report.quantity.name
        for row in of_scores
        if not row.report.quantity.is_difference
    }
    lines += [f"% Difference of {test}: {name}." for test, name in other.items()]
    if len(of_scores) < len(rows):
        lines.append("% Difference in mean rank: rank of the second - rank of the first.")
    said = (("Metric", _shared(rows, _metric_of)), ("Test", _shared(rows, _test_of)))
    return lines + [f"% {word}: {one_line(value)}." for word, value in said if value]


def _interval(row: _Row) -> str:
    low, high = row.pair.low, row.pair.high
    if math.isnan(low) or math.isnan(high):
        return "none"
    below = (
        "\N{MINUS SIGN}\N{INFINITY}" if math.isinf(low) else fixed(low, row.decimals, sign=True)
    )
    above = "\N{INFINITY}" if math.isinf(high) else fixed(high, row.decimals, sign=True)
    return f"[{below}, {above}]"


def _equivalence_p(row: _Row) -> float:
    adjusted = (row.report.equivalence or {}).get("adjusted_pvalue")
    return row.pair.equivalence_p if adjusted is None else adjusted


def _pvalue(pvalue: float) -> str:
    return "undefined" if math.isnan(pvalue) else pvalue_cell(pvalue)


def render_systems(blocks: Iterable[Block], r: Report, style: TableStyle) -> str:
    """Render the scores of several systems, on one data set or on many, as a table.

    On many data sets these are the rows, below them the mean ranks, of which those without a
    significant difference from the best one, or from the control, are underlined.
    """
    _check_stars(r, style)
    names = r.names if r.scores is None else r.scores["names"]
    reference = r.control or r.names[0]
    against = {name: pair.p for name, pair in r.against(reference).items()}
    starred_for = {name: starred(against.get(name)) * style.stars for name in names}
    named = shown_name(reference)
    if r.scores is not None and r.control is None:
        named = f"the {good_best(r)}"
    bold = (
        "" if r.direction_assumed else f" Bold: the best{' of a row' * (r.scores is not None)}."
    )
    if r.scores is None:
        shared = " Systems that share a letter do not differ significantly"
        note = shared if "letters" in r.systems else ""
        table = _table_of_systems(r, starred_for, is_bold=bool(bold))
    else:
        told = r.alternative == "two-sided" or r.control is not None
        # As for letters: an equivalent system may differ significantly, or not.
        alike = {name for name, p in against.items() if told and p >= r.alpha}
        shared = f" Underlined mean ranks: no significant difference from {one_line(named)}"
        note = shared if told else ""
        table = _table_of_scores(r, starred_for, alike, is_bold=bool(bold))
    lines = _comments(blocks)
    lines += [
        f"%{bold}{note}",
        f"% ({r.test}, p-values adjusted by {adjustment_name(r.adjustment)}).",
    ]
    if r.scores is None and "sd" in r.systems:
        lines.append(f"% sd: standard deviation over the {unit_word(r.unit)}s.")
    if style.stars:
        lines.append(f"{STARS}, adjusted, against {one_line(named)}.")
    return written(lines, table, style)


def _table_of_systems(r: Report, stars: dict[str, str], *, is_bold: bool) -> Table:
    """Write a row per system: its score, and whether it may be the best."""
    decimals = max(3, decimals_for(row.mean for row in r.systems))
    means = _bold([fixed(row.mean, decimals) for row in r.systems], 0 if is_bold else None)
    rows = []
    for row, mean in zip(r.systems, means, strict=True):
        cells = [escape_latex(shown_name(row.name)), mean + stars[row.name]]
        cells += [escape_latex(fixed(row.sd, decimals))] * ("sd" in r.systems)
        cells += ["yes" if row.may_be_best else "no"] * bool(r.may_be_best())
        rows.append(cells + [escape_latex(row.letters)] * ("letters" in r.systems))
    header = ["", escape_latex(r.metric)] + ["sd"] * ("sd" in r.systems)
    words = [f"may be {best(r) if r.direction_assumed else 'best'}"] * bool(r.may_be_best()) + [
        "group"
    ] * ("letters" in r.systems)
    columns = "l" + "r" * (len(header) - 1) + "l" * len(words)
    return Table(columns, rows, header + words)


def _table_of_scores(
    r: Report, stars: dict[str, str], alike: set[str], *, is_bold: bool
) -> Table:
    """Write a row per data set, and the mean ranks below them."""
    table = r.scores or {}
    names, scores = table["names"], table["rows"]
    decimals = max(3, decimals_for(score for row in scores for score in row))
    rows = []
    for unit, row in zip(table["units"], scores, strict=True):
        known = [score for score in row if score is not None and not math.isnan(score)]
        top = (min if r.lower else max)(known, default=math.nan)
        texts = ["--" if score not in known else fixed(score, decimals) for score in row]
        place = row.index(top) if is_bold and top in row else None
        rows.append([escape_latex(unit), *_bold(texts, place)])
    of = dict(zip(r.names, r.systems.columns["mean_rank"], strict=True))
    ranks = [fixed(of[name], 2) for name in names]
    first = min(range(len(names)), key=lambda place: of[names[place]])
    footer = [
        (rf"\underline{{{text}}}" if name in alike else text) + stars[name]
        for name, text in zip(names, _bold(ranks, first if is_bold else None), strict=True)
    ]
    header = ["", *(escape_latex(shown_name(name)) for name in names)]
    return Table("l" + "r" * len(names), rows, header, ["mean rank", *footer])


def _bold(texts: Sequence[str], best: int | None) -> list[str]:
    """Escape numbers; the best one is bold, and so are those that are written the same."""
    return [
        rf"\textbf{{{escape_latex(text)}}}"
        if best is not None and text == texts[best]
        else escape_latex(text)
        for text in texts
    ]


def _check_stars(found: Report | ReportGrid, style: TableStyle) -> None:
    """Refuse stars for p-values that do not mean what they say."""
    code = next((doubt.code for doubt in found.doubts if doubt.weight == "invalid"), None)
    if style.stars and code is not None:
        raise ValueError(f"stars=True: the p-values are not valid ({code}); leave it out.")


def report_latex(
    blocks: Iterable[Block], found: Report | ReportGrid, table: str, style: TableStyle
) -> str:
    """Render the table of a report that is asked for; default what such a report is about."""
    blocks = list(blocks)
    is_board = isinstance(found, Report) and found.is_leaderboard
    if isinstance(found, Report) and found.ranked:
        known = ["ranks"] * is_board + ["scores", "pairs"]
        if table and table not in known:
            *first, last = map(repr, known)
            raise ValueError(f"table={table!r} is unknown; use {', '.join(first)} or {last}.")
        if (table or known[0]) == "scores":
            return render_systems(blocks, found, style)
    if (
        table == "ranks"
        or (is_board and not table)
        or not any("pvalue" in part.pairs for part in _reports_in(found))
    ):
        return render_latex(blocks, style)
    return render_pairs(blocks, found, style)
