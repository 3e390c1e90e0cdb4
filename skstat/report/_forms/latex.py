r"""LaTeX tables for papers: of blocks, of comparisons, of systems, of scores on data sets.

Conclusion, doubts and notes are comments, which only the author reads. Bold and underlined
cells use ``\textbf`` and ``\underline``, which need no package; the rules of a table are those
of booktabs, or ``\hline``.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from skstat._names import no_command, one_line, shown_name
from skstat.report._blocks import Block, Cells, Doubts, Facts, Heading, Link, Says
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._words import (
    decimals_for,
    fixed,
    good,
    good_best,
    percent,
    pvalue_cell,
    short,
)

_NAMED = {
    "\\": "textbackslash",
    "~": "textasciitilde",
    "^": "textasciicircum",
    "<": "textless",
    ">": "textgreater",
    "|": "textbar",
}
_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "{}&%$#_"}
    | {sign: rf"\{name}{{}}" for sign, name in _NAMED.items()}
    | {"\N{MINUS SIGN}": "$-$", "\N{INFINITY}": r"$\infty$"}
)
_NEEDS = r"In the preamble: \usepackage{booktabs}"
_STARS = "Stars: * p < .05, ** p < .01, *** p < .001"


def escape_latex(text: str) -> str:
    """Make every character of `text` stand for itself."""
    return one_line(text).translate(_SPECIAL)


def _starred(pvalue: float) -> str:
    """Return the stars of a p-value, in LaTeX."""
    n = sum(pvalue < level for level in (0.05, 0.01, 0.001))
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
    said = [*comments, *[_NEEDS] * style.booktabs]
    lines = [*(f"% {one_line(text)}" for text in said if text), *lines]
    return no_command("\n".join(lines)) + "\n"


def render_latex(blocks: Iterable[Block], style: TableStyle) -> str:
    """Render the tables of blocks that are not folded, or else their facts, as one table."""
    blocks = list(blocks)
    if style.stars:
        raise ValueError("stars=True marks p-values, and this table has none; leave it out.")
    tables = [block for block in blocks if isinstance(block, Cells)]
    if tables:
        rows = [row for cells in tables for row in _rows(cells)]
        note = escape_latex(" ".join(cells.note for cells in tables))
        return written(_comments(blocks), _table(tables[0], rows)._replace(note=note), style)
    facts = [row for block in blocks if isinstance(block, Facts) for row in block.rows]
    rows = [list(map(escape_latex, row)) for row in facts]
    said = [block for block in blocks if not isinstance(block, Facts)]
    return written(_comments(said), Table(r"lp{0.75\linewidth}", rows), style)


def _table(cells: Cells, rows: Sequence[Sequence[str]]) -> Table:
    """Return a table with the header of a block; numbers stand to the right, as in a text."""
    places = range(len(cells.header))
    columns = "".join("l" if cells.is_text(place) else "r" for place in places)
    return Table(columns, rows, list(map(escape_latex, cells.header)))


def _rows(cells: Cells) -> Iterator[list[str]]:
    """Walk the rows of a block, with its bold cells."""
    for place, row in enumerate(cells.rows):
        yield [
            rf"\textbf{{{escape_latex(text)}}}"
            if (place, column) in cells.bold
            else escape_latex(text)
            for column, text in enumerate(row)
        ]


def _comments(blocks: Iterable[Block]) -> list[str]:
    """Say what stands beside the tables of the whole, not of its parts."""
    said: list[str] = []
    in_part = False
    for block in blocks:
        if isinstance(block, Heading):
            in_part = bool(block.text)
        if in_part:
            continue
        match block:
            case Says():
                said.append(" ".join(filter(None, chain(*block.paragraphs()))))
            case Cells():
                said.append(block.title)
            case Facts():
                said += map(": ".join, block.rows)
            case Link():
                said.append(f"{block.label}: {block.url}")
            case Doubts():
                said += [f"{doubt.code} {doubt.title}" for doubt in block.found]
    return list(dict.fromkeys(said))


def report_latex(
    blocks: Iterable[Block], found: Report | ReportGrid, table: str, style: TableStyle
) -> str:
    """Render the table of a report that is asked for; default what such a report is about.

    Parameters
    ----------
    blocks : iterable of Block
        What the report shows.
    found : Report or ReportGrid
        The report.
    table : {"scores", "ranks", "pairs", ""}
        The scores on every data set, the systems as they are ranked (also as scores, where
        there is one data set), the comparisons; or the default.
    style : TableStyle
        How the table is set.
    """
    blocks = list(blocks)
    r = found if isinstance(found, Report) else found.first
    systems = r if r is found and r.ranked else None
    known = ["scores", "ranks", "pairs"] if systems else ["pairs"]
    if table and table not in known:
        raise ValueError(f"table={table!r} is unknown; use {' or '.join(map(repr, known))}.")
    if "pvalue" not in r.pairs:
        return render_latex(blocks, style)
    if style.stars and (invalid := [one for one in found.doubts if one.weight == "invalid"]):
        code = invalid[0].code
        raise ValueError(f"stars=True: the p-values are not valid ({code}); leave it out.")
    notes, shown = (
        _pairs(list(_comparisons(found)), style.stars)
        if systems is None or table == "pairs"
        else _systems(blocks, systems, table, style.stars)
    )
    return written(_comments(blocks) + notes, shown, style)


# --- systems -------------------------------------------------------------------------------


def _systems(
    blocks: Iterable[Block], r: Report, which: str, stars: bool
) -> tuple[list[str], Table]:
    """Return the ranked systems, or their scores on every data set above the mean ranks.

    What ranks them is marked: the best is bold, and underlined what does not differ
    significantly from the best, or from the control.
    """
    reference = shown_name(r.control) if r.control else f"the {good_best(r)}"
    against = {name: pair.p for name, pair in r.against(r.control or r.names[0]).items()}
    asks_both = r.alternative == "two-sided" or r.control is not None
    notes = [] if r.direction_assumed else ["Bold: the best."]
    notes += [f"Underlined: no significant difference from {reference}."] * asks_both
    notes += [f"{_STARS}, adjusted, against {reference}."] * stars

    scores = None if which == "ranks" else r.scores
    if scores is not None:
        cells = _by_dataset(r, scores)
        last = len(cells.rows) - 1
        places = {name: (last, i) for i, name in enumerate(scores["names"], start=1)}
    else:
        cells = next(block for block in blocks if isinstance(block, Cells))
        places = {name: (row, cells.n_names) for row, name in enumerate(r.names)}
    texts = {place: cells.rows[place[0]][place[1]] for place in places.values()}
    best = texts[places[r.names[0]]]
    bold = {*cells.bold, *(place for place, text in texts.items() if text == best)}
    rows = list(_rows(cells._replace(bold=() if r.direction_assumed else bold)))
    for name, (row, column) in places.items():
        p = against.get(name, math.nan)
        # As for letters: an equivalent system may differ significantly, or not.
        if asks_both and p >= r.alpha:
            rows[row][column] = rf"\underline{{{rows[row][column]}}}"
        rows[row][column] += _starred(p) * stars
    footer = () if scores is None else rows.pop()
    return [*notes, cells.note], _table(cells, rows)._replace(footer=footer)


def _by_dataset(r: Report, table: Mapping[str, Any]) -> Cells:
    """Return the scores on every data set, the best of a row bold, and the mean ranks."""
    decimals = max(3, decimals_for(score for row in table["rows"] for score in row))
    rows, bold = [], set()
    for place, (unit, scores) in enumerate(zip(table["units"], table["rows"], strict=True)):
        known = [one for one in scores if one is not None and not math.isnan(one)]
        best = fixed((min if r.lower else max)(known, default=None), decimals)
        texts = [fixed(score, decimals) if score in known else "--" for score in scores]
        rows.append([unit, *texts])
        bold |= {(place, i) for i, text in enumerate(texts, start=1) if text == best}
    ranks = {one.name: fixed(one.mean_rank, 2) for one in r.systems}
    rows.append(["mean rank", *(ranks[name] for name in table["names"])])
    return Cells("", ["", *map(shown_name, table["names"])], rows, bold=bold)


# --- comparisons ---------------------------------------------------------------------------


class _Row(NamedTuple):
    r: Report
    pair: Pair
    slice: str


def _comparisons(found: Report | ReportGrid, where: str = "") -> Iterator[_Row]:
    """Walk the comparisons of a report, or of all in a grid, those on all rows first."""
    if isinstance(found, Report):
        yield from (_Row(found, pair, where) for pair in found.pairs)
        return
    if found.overall is not None:
        yield from _comparisons(found.overall, "all rows")
    for name, part in found.reports.items():
        yield from _comparisons(part, name if found.by == "slice" else where)


def _pairs(rows: Sequence[_Row], stars: bool) -> tuple[list[str], Table]:
    """Return the comparisons; metric and test only where they differ, comments have them."""
    pairs, ranks = [row.pair for row in rows], [row.r.by_rank for row in rows]
    labels: dict[str, list[str]] = {}
    if any(row.slice for row in rows):
        labels["Slice"] = [shown_name(row.slice) for row in rows]
    labels["First"] = [shown_name(pair.first) for pair in pairs]
    labels["Second"] = [shown_name(pair.second) for pair in pairs]
    labels["Metric"] = [row.r.metric for row in rows]
    labels["Test"] = [pair.test for pair in pairs]
    labels["Quantity"] = [
        "difference in mean rank" if row.r.by_rank else row.r.quantity.name for row in rows
    ]
    for key in ("Metric", "Test"):
        if len(rows) > 1 == len(set(labels[key])):
            del labels[key]
    title = "Difference"
    if len(set(labels["Quantity"])) == 1:
        title = labels.pop("Quantity")[0]
        title = f"{title[0].upper()}{title[1:]}"
    if len({pair[:2] for pair in pairs}) == 1:  # an only pair is named in the header
        ends = [labels.pop(key)[0] for key in ("First", "Second")]
        minus = " \N{MINUS SIGN} ".join(ends[::-1] if all(ranks) else ends)
        title = f"{title} ({minus})"
    lower = {row.r.metric for row in rows if row.r.lower and not row.r.by_rank}
    notes = [
        f"Lower {metric} is better: below 0, the first system is better."
        for metric in sorted(lower)
    ]
    if any(ranks):
        notes.append("Difference in mean rank: rank of the second - rank of the first.")
    notes += [f"{_STARS}."] * stars
    numbers = _numbers(rows, escape_latex(title), stars)
    columns = {key: list(map(escape_latex, texts)) for key, texts in labels.items()} | numbers
    look = "l" * len(labels) + "r" + "l" * (len(numbers) - 1)
    return notes, Table(look, list(zip(*columns.values(), strict=True)), list(columns))


def _numbers(rows: Sequence[_Row], title: str, stars: bool) -> dict[str, list[str]]:
    """Return the columns of numbers by their titles; what no comparison has is none."""
    sizes: dict[str, list[float]] = {}
    for r, p, _ in rows:
        sizes.setdefault(r.metric, []).extend((p.estimate, p.low, p.high))
    decimals = {metric: decimals_for(values) for metric, values in sizes.items()}
    is_adjusted = any(not math.isnan(row.pair.adjusted) for row in rows)
    who = good(rows[0].r)
    titles = (
        *(title, escape_latex(f"{percent(rows[0].r.confidence_level)} interval")),
        *("adjusted $p$" if is_adjusted else "$p$", "margin", "equivalence $p$", "rope"),
        *(f"P(first {who})", "P(same)", f"P(second {who})"),
    )
    cells = []
    for r, p, _ in rows:
        adjusted = (r.equivalence or {}).get("adjusted_pvalue")
        equal = _pvalue(p.equivalence_p if adjusted is None else adjusted)
        chances = (p.p_better, p.p_same, p.p_worse)
        found = (
            fixed(p.estimate, decimals[r.metric], sign=True),
            _interval(p, decimals[r.metric]),
            _pvalue(p.p),
            *(("", "") if r.margin is None else (short(r.margin), equal)),
            short(r.probabilities["rope"]) if r.probabilities else "",
            *("" if math.isnan(share) else short(share) for share in chances),
        )
        marks = ("", "", _starred(p.p) * stars, *[""] * 6)
        cells.append(
            [(escape_latex(t) + of) or "--" for t, of in zip(found, marks, strict=True)]
        )
    columns = zip(titles, zip(*cells, strict=True), strict=True)
    return {title: list(texts) for title, texts in columns if set(texts) != {"--"}}


def _interval(pair: Pair, decimals: int) -> str:
    if math.isnan(pair.low) or math.isnan(pair.high):
        return "none"
    low, high = (fixed(end, decimals, sign=True) for end in (pair.low, pair.high))
    low = "\N{MINUS SIGN}\N{INFINITY}" if math.isinf(pair.low) else low
    high = "\N{INFINITY}" if math.isinf(pair.high) else high
    return f"[{low}, {high}]"


def _pvalue(pvalue: float) -> str:
    return "undefined" if math.isnan(pvalue) else pvalue_cell(pvalue)
