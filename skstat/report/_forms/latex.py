r"""LaTeX tables for papers: of blocks, of comparisons, of systems, of scores on data sets.

Conclusion, doubts and notes are comments, which only the author reads. Bold and underlined
cells use ``\textbf`` and ``\underline``, which need no package; the rules of a table are those
of booktabs, or ``\hline``.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skstat._names import no_command, one_line, shown_name
from skstat.report._blocks import Block, Cells, Doubts, Facts, Link, Says
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._words import (
    adjustment_name,
    decimals_for,
    fixed,
    good,
    good_best,
    percent,
    pvalue_cell,
    short,
    stability_text,
)
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
    rows = list(_pair_rows(found))
    columns: list[tuple[str, str, list[str]]] = []  # alignment, title, cells

    def add(title: str, cells: Iterable[str], align: str = "l") -> None:
        columns.append((align, title, list(map(escape_latex, cells))))

    metric, test = _shared(r.metric for r, *_ in rows), _shared(p.test for _, p, *_ in rows)
    if any(row.slice for row in rows):
        add("Slice", (shown_name(row.slice) for row in rows))
    by_rank = all(r.by_rank for r, *_ in rows)
    head = "Difference in mean rank" if by_rank else "Difference"
    ends = list(dict.fromkeys(p[:2] for _, p, *_ in rows))
    if len(ends) == 1:  # the names of an only pair stand in the header
        first, second = map(shown_name, ends[0][::-1] if by_rank else ends[0])
        head = escape_latex(f"{head} ({first} \N{MINUS SIGN} {second})")
    else:
        add("First", (shown_name(p.first) for _, p, *_ in rows))
        add("Second", (shown_name(p.second) for _, p, *_ in rows))
    if not metric:
        add("Metric", (r.metric for r, *_ in rows))
    in_ranks = (" in mean rank" * (r.by_rank and not by_rank) for r, *_ in rows)
    sizes = (fixed(p.estimate, decimals, sign=True) for _, p, decimals, _ in rows)
    add(head, (size + of for size, of in zip(sizes, in_ranks, strict=True)), "r")
    level = escape_latex(percent(rows[0].report.confidence_level))
    add(f"{level} interval", map(_interval, rows))
    if not test:
        add("Test", (p.test for _, p, *_ in rows))
    adjusted = any(not math.isnan(p.adjusted) for _, p, *_ in rows)
    add("adjusted $p$" if adjusted else "$p$", (_pvalue(p.p) for _, p, *_ in rows))
    if style.stars:
        cells = columns[-1][2]
        cells[:] = [cell + starred(row.pair.p) for cell, row in zip(cells, rows, strict=True)]
    margins = [r.margin for r, *_ in rows]
    if any(margin is not None for margin in margins):
        add("margin", ("--" if margin is None else short(margin) for margin in margins))
        equal = ("--" if row.report.margin is None else _equivalence(row) for row in rows)
        add("equivalence $p$", equal)
    ropes = [(r.probabilities or {}).get("rope") for r, *_ in rows]
    if any(rope is not None for rope in ropes):
        add("rope", ("--" if rope is None else short(rope) for rope in ropes))
        who = good(rows[0].report)
        titles = {f"first {who}": "p_better", "same": "p_same", f"second {who}": "p_worse"}
        for title, name in titles.items():
            values = [getattr(p, name) for _, p, *_ in rows]
            if not all(map(math.isnan, values)):
                add(f"P({title})", ("--" if math.isnan(v) else short(v) for v in values))
    table = Table(
        "".join(align for align, *_ in columns),
        list(map(list, zip(*(cells for *_, cells in columns), strict=True))),
        [title for _, title, _ in columns],
    )
    said = {"Metric": metric, "Test": test}
    lines = _comments(blocks) + _notes_on(rows)
    lines += [f"% {word}: {one_line(value)}." for word, value in said.items() if value]
    return written(lines + [f"{STARS}."] * style.stars, table, style)


class _Row(NamedTuple):
    report: Report
    pair: Pair
    decimals: int
    slice: str = ""


def _pair_rows(found: Report | ReportGrid) -> Iterator[_Row]:
    """Walk the comparisons: of slices those of one pair together, and all rows apart."""
    if isinstance(found, Report):
        decimals = decimals_for(v for p in found.pairs for v in (p.estimate, p.low, p.high))
        yield from (_Row(found, pair, decimals) for pair in found.pairs)
        return
    parts = [
        row._replace(slice=name) if found.by == "slice" else row
        for name, part in found.reports.items()
        for row in _pair_rows(part)
    ]
    whole = [] if found.overall is None else list(_pair_rows(found.overall))
    whole = [row._replace(slice="all rows") for row in whole]
    yield from whole if len(whole) == 1 else ()
    if found.by == "slice":
        order = list(dict.fromkeys(p[:2] for _, p, *_ in parts))
        parts.sort(key=lambda row: order.index(row.pair[:2]))
    for row in parts:
        p = row.pair
        yield row._replace(decimals=decimals_for((p.estimate, p.low, p.high)))
    yield from whole if len(whole) > 1 else ()


def _shared(values: Iterable[str]) -> str:
    """Return what several pairs have in common: a column of it would only widen the table."""
    every = list(values)
    return every[0] if len(every) > 1 and len(set(every)) == 1 else ""


def _notes_on(rows: Sequence[_Row]) -> list[str]:
    """Say in comments what the columns of a table of pairs cannot."""
    lines = [
        f"% Other partitions: {stability_text(found.to_dict())}"
        for r, *_ in rows
        for found in r.stability.values()
        if r.is_pair
    ]
    of_scores = [row for row in rows if not row.report.by_rank]
    lines += [
        f"% Lower {one_line(metric)} is better: below 0, the first system is better."
        for metric in dict.fromkeys(r.metric for r, *_ in of_scores if r.lower)
    ]
    other = {p.test: r.quantity for r, p, *_ in of_scores if not r.quantity.is_difference}
    lines += [f"% Difference of {test}: {quantity.name}." for test, quantity in other.items()]
    if len(of_scores) < len(rows):
        lines.append("% Difference in mean rank: rank of the second - rank of the first.")
    return lines


def _interval(row: _Row) -> str:
    low, high = row.pair.low, row.pair.high
    if math.isnan(low) or math.isnan(high):
        return "none"
    below, above = (fixed(end, row.decimals, sign=True) for end in (low, high))
    below = "\N{MINUS SIGN}\N{INFINITY}" if math.isinf(low) else below
    above = "\N{INFINITY}" if math.isinf(high) else above
    return f"[{below}, {above}]"


def _equivalence(row: _Row) -> str:
    adjusted = (row.report.equivalence or {}).get("adjusted_pvalue")
    return _pvalue(row.pair.equivalence_p if adjusted is None else adjusted)


def _pvalue(pvalue: float) -> str:
    return "undefined" if math.isnan(pvalue) else pvalue_cell(pvalue)


def render_systems(blocks: Iterable[Block], r: Report, style: TableStyle) -> str:
    """Render the scores of several systems, on one data set or on many, as a table.

    On many data sets these are the rows, below them the mean ranks, of which those without a
    significant difference from the best one, or from the control, are underlined.
    """
    _check_stars(r, style)
    reference = one_line(shown_name(r.control or r.names[0]))
    against = {name: pair.p for name, pair in r.against(r.control or r.names[0]).items()}
    stars = {name: starred(against.get(name)) * style.stars for name in r.names}
    notes = [] if r.direction_assumed else [f"Bold: the best{' of a row' * bool(r.scores)}."]
    if r.scores is None:
        table = _table_of_systems(r, stars)
        if "letters" in r.systems:
            notes.append("Systems that share a letter do not differ significantly")
    else:
        reference = reference if r.control else f"the {good_best(r)}"
        alike = set()
        if r.alternative == "two-sided" or r.control:
            # As for letters: an equivalent system may differ significantly, or not.
            alike = {name for name, p in against.items() if p >= r.alpha}
            notes.append(f"Underlined mean ranks: no significant difference from {reference}")
        table = _table_of_scores(r, stars, alike)
    lines = [
        *_comments(blocks),
        f"% {' '.join(notes)}".rstrip(),
        f"% ({r.test}, p-values adjusted by {adjustment_name(r.adjustment)}).",
    ]
    if r.scores is None and "sd" in r.systems:
        lines.append(f"% sd: standard deviation over the {unit_word(r.unit)}s.")
    lines += [f"{STARS}, adjusted, against {reference}."] * style.stars
    return written(lines, table, style)


def _table_of_systems(r: Report, stars: dict[str, str]) -> Table:
    """Write a row per system: its score, and whether it may be the best."""
    decimals = max(3, decimals_for(row.mean for row in r.systems))
    means = _bold(
        [fixed(row.mean, decimals) for row in r.systems], None if r.direction_assumed else 0
    )
    has_sd, has_letters = "sd" in r.systems, "letters" in r.systems
    kept = [f"may be {good_best(r)}"] * bool(r.may_be_best)
    rows = []
    for row, mean in zip(r.systems, means, strict=True):
        cells = [escape_latex(shown_name(row.name)), mean + stars[row.name]]
        cells += [escape_latex(fixed(row.sd, decimals))] * has_sd
        cells += ["yes" if row.may_be_best else "no"] * len(kept)
        rows.append(cells + [escape_latex(row.letters)] * has_letters)
    header = ["", escape_latex(r.metric), *["sd"] * has_sd, *kept, *["group"] * has_letters]
    columns = "l" + "r" * (1 + has_sd) + "l" * (len(kept) + has_letters)
    return Table(columns, rows, header)


def _table_of_scores(r: Report, stars: dict[str, str], alike: set[str]) -> Table:
    """Write a row per data set, and the mean ranks below them."""
    table = r.scores or {}
    names, scores, is_bold = table["names"], table["rows"], not r.direction_assumed
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
    known = [""]
    if isinstance(found, Report) and found.ranked:
        known = ["ranks"] * found.is_leaderboard + ["scores", "pairs"]
    if table and table not in known:
        *first, last = map(repr, known)
        raise ValueError(f"table={table!r} is unknown; use {', '.join(first)} or {last}.")
    table = table or known[0]
    if table == "scores" and isinstance(found, Report):
        return render_systems(blocks, found, style)
    tested = any("pvalue" in row.report.pairs for row in _pair_rows(found))
    if table == "ranks" or not tested:
        return render_latex(blocks, style)
    return render_pairs(blocks, found, style)
