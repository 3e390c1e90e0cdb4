r"""LaTeX tables for papers: of blocks, of comparisons, of systems, of scores on data sets.

Conclusion, doubts and notes are comments, which only the author reads. Bold and underlined
cells use ``\textbf`` and ``\underline``, which need no package; the rules of a table are those
of booktabs, or ``\hline``.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
_FACTS = r"lp{0.75\linewidth}"  # columns of labels and texts
_PVALUES = {"p", "adjusted p", "equivalence p"}
_STARS = "Stars: * p < .05, ** p < .01, *** p < .001"


def escape_latex(text: str) -> str:
    """Make every character of `text` stand for itself."""
    return one_line(text).translate(_SPECIAL)


class TableStyle(NamedTuple):
    """How a table is set: with a caption or a label as a whole environment; with stars."""

    caption: str | None = None
    label: str | None = None
    booktabs: bool = True
    stars: bool = False


class _Table(NamedTuple):
    """A table with what is marked in it, by row and column."""

    cells: Cells
    notes: Sequence[str] = ()
    underlined: Collection[tuple[int, int]] = ()
    pvalues: Mapping[tuple[int, int], float] = {}
    of_stars: str = ""  # which p-values have them
    footer: bool = False  # whether the last row stands apart


def _written(comments: Iterable[str], table: _Table, style: TableStyle) -> str:
    """Write comments and a table, in an environment if it has a caption or a label."""
    cells = table.cells
    rules = (r"\toprule", r"\midrule", r"\bottomrule") if style.booktabs else (r"\hline",) * 3
    top, middle, bottom = rules

    def cell(place: tuple[int, int], text: str) -> str:
        shown = escape_latex(text)
        shown = rf"\textbf{{{shown}}}" if place in cells.bold else shown
        shown = rf"\underline{{{shown}}}" if place in table.underlined else shown
        p = table.pvalues.get(place, 1.0) if style.stars else 1.0
        n = sum(p < level for level in (0.05, 0.01, 0.001))
        return shown + (f"$^{{{'*' * n}}}$" if n else "")

    # Numbers stand to the right, as in a text.
    sides = ("l" if cells.is_text(place) else "r" for place in range(len(cells.header)))
    lines = [rf"\begin{{tabular}}{{{''.join(sides) or _FACTS}}}", top]
    header = [f"{t[:-1]}$p$" if t in _PVALUES else escape_latex(t) for t in cells.header]
    rows = [[cell((i, j), t) for j, t in enumerate(row)] for i, row in enumerate(cells.rows)]
    last = len(rows) - table.footer
    for part in filter(None, ([header] if header else [], rows[:last], rows[last:])):
        lines += [*(" & ".join(row) + r" \\" for row in part), middle]
    lines = [*lines[:-1], bottom, r"\end{tabular}"]
    if cells.note:
        note = rf"\parbox{{0.95\linewidth}}{{\footnotesize {escape_latex(cells.note)}}}"
        lines += [r"\par\smallskip", note]
    if style.caption is not None or style.label is not None:
        caption = [] if style.caption is None else [rf"\caption{{{style.caption}}}"]
        label = [] if style.label is None else [rf"\label{{{style.label}}}"]
        # The label takes the number of the caption, and has to stand behind it.
        lines = [r"\begin{table}", r"\centering", *caption, *label, *lines, r"\end{table}"]
    said = [*comments, *table.notes, *[f"{_STARS}{table.of_stars}."] * style.stars]
    said += [_NEEDS] * style.booktabs
    lines = [*(f"% {one_line(text)}" for text in said if text), *lines]
    return no_command("\n".join(lines)) + "\n"


def render_latex(blocks: Iterable[Block], style: TableStyle) -> str:
    """Render the tables of blocks that are not folded, or else their facts, as one table."""
    blocks = list(blocks)
    if style.stars:
        raise ValueError("stars=True marks p-values, and this table has none; leave it out.")
    tables = [block for block in blocks if isinstance(block, Cells)]
    if tables:
        rows = [row for cells in tables for row in cells.rows]
        note = " ".join(cells.note for cells in tables)
        table = _Table(tables[0]._replace(rows=rows, note=note))
        return _written(_comments(blocks), table, style)
    facts = [row for block in blocks if isinstance(block, Facts) for row in block.rows]
    said = [block for block in blocks if not isinstance(block, Facts)]
    return _written(_comments(said), _Table(Cells("", [], facts)), style)


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
    shown = (
        _pairs(list(_comparisons(found)))
        if systems is None or table == "pairs"
        else _systems(blocks, systems, table)
    )
    return _written(_comments(blocks), shown, style)


# --- systems -------------------------------------------------------------------------------


def _systems(blocks: Iterable[Block], r: Report, which: str) -> _Table:
    """Return the ranked systems, or their scores on every data set above the mean ranks.

    What ranks them is marked: the best is bold, and underlined what does not differ
    significantly from the best, or from the control.
    """
    reference = shown_name(r.control) if r.control else f"the {good_best(r)}"
    against = {name: pair.p for name, pair in r.against(r.control or r.names[0]).items()}
    asks_both = r.alternative == "two-sided" or r.control is not None
    notes = [] if r.direction_assumed else ["Bold: the best."]
    notes += [f"Underlined: no significant difference from {reference}."] * asks_both
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
    pvalues = {places[name]: p for name, p in against.items()}
    return _Table(
        cells._replace(bold=() if r.direction_assumed else bold, note=""),
        [*notes, cells.note],
        # As for letters: an equivalent system may differ significantly, or not.
        [place for place, p in pvalues.items() if asks_both and p >= r.alpha],
        pvalues,
        f", adjusted, against {reference}",
        footer=scores is not None,
    )


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


def _pairs(rows: Sequence[_Row]) -> _Table:
    """Return the comparisons; metric and test only where they differ, comments have them."""
    pairs, ranks = [row.pair for row in rows], [row.r.by_rank for row in rows]
    labels = {
        "Slice": [shown_name(row.slice) if row.slice else "" for row in rows],
        "First": [shown_name(pair.first) for pair in pairs],
        "Second": [shown_name(pair.second) for pair in pairs],
        "Metric": [row.r.metric for row in rows],
        "Test": [pair.test for pair in pairs],
        "Quantity": [
            "difference in mean rank" if row.r.by_rank else row.r.quantity.name for row in rows
        ],
    }
    shared = {key: texts[0] for key, texts in labels.items() if len(set(texts)) == 1}
    spared = {"Slice", "Quantity", *(("Metric", "Test") if len(rows) > 1 else ())}
    title = shared.get("Quantity", "difference")
    title = f"{title[0].upper()}{title[1:]}"
    if {"First", "Second"} <= set(shared):  # an only pair is named in the header
        names = [shared["First"], shared["Second"]]
        minus = " \N{MINUS SIGN} ".join(names[::-1] if all(ranks) else names)
        title, spared = f"{title} ({minus})", spared | {"First", "Second"}
    kept = {key: labels[key] for key in labels if key not in spared or key not in shared}
    lower = {row.r.metric for row in rows if row.r.lower and not row.r.by_rank}
    notes = [
        f"Lower {metric} is better: below 0, the first system is better."
        for metric in sorted(lower)
    ]
    if any(ranks):
        notes.append("Difference in mean rank: rank of the second - rank of the first.")
    columns = kept | _numbers(rows, title)
    place = next(i for i, key in enumerate(columns) if key in _PVALUES)
    body = list(zip(*columns.values(), strict=True))
    pvalues = {(row, place): pair.p for row, pair in enumerate(pairs)}
    return _Table(Cells("", list(columns), body, len(kept)), notes, pvalues=pvalues)


def _numbers(rows: Sequence[_Row], title: str) -> dict[str, list[str]]:
    """Return the columns of numbers by their titles; what no comparison has is none."""
    sizes: dict[str, list[float]] = {}
    for r, p, _ in rows:
        sizes.setdefault(r.metric, []).extend((p.estimate, p.low, p.high))
    decimals = {metric: decimals_for(values) for metric, values in sizes.items()}
    is_adjusted = any(not math.isnan(row.pair.adjusted) for row in rows)
    who = good(rows[0].r)
    cells: dict[str, Callable[[Report, Pair], str]] = {
        title: lambda r, p: fixed(p.estimate, decimals[r.metric], sign=True),
        f"{percent(rows[0].r.confidence_level)} interval": lambda r, p: _interval(
            p, decimals[r.metric]
        ),
        "adjusted p" if is_adjusted else "p": lambda r, p: _known(
            p.p, pvalue_cell, "undefined"
        ),
        "margin": lambda r, p: "" if r.margin is None else short(r.margin),
        "equivalence p": lambda r, p: _known(
            _equivalence(r, p), pvalue_cell, "undefined" * (r.margin is not None)
        ),
        "rope": lambda r, p: short(r.probabilities["rope"]) if r.probabilities else "",
        f"P(first {who})": lambda r, p: _known(p.p_better, short),
        "P(same)": lambda r, p: _known(p.p_same, short),
        f"P(second {who})": lambda r, p: _known(p.p_worse, short),
    }
    columns = {key: [cell(r, p) or "--" for r, p, _ in rows] for key, cell in cells.items()}
    return {key: texts for key, texts in columns.items() if set(texts) != {"--"}}


def _equivalence(r: Report, pair: Pair) -> float:
    adjusted = (r.equivalence or {}).get("adjusted_pvalue")
    return pair.equivalence_p if adjusted is None else adjusted


def _known(value: float, written: Callable[[float], str], otherwise: str = "") -> str:
    return otherwise if math.isnan(value) else written(value)


def _interval(pair: Pair, decimals: int) -> str:
    if math.isnan(pair.low) or math.isnan(pair.high):
        return "none"
    low, high = (fixed(end, decimals, sign=True) for end in (pair.low, pair.high))
    low = "\N{MINUS SIGN}\N{INFINITY}" if math.isinf(pair.low) else low
    high = "\N{INFINITY}" if math.isinf(pair.high) else high
    return f"[{low}, {high}]"
