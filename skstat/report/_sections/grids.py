"""What is shown of several reports: by metric, by seed, or by slice; what they share once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from skstat._names import clip, shown_name
from skstat.report import _words as say
from skstat.report._blocks import (
    TONES,
    Bar,
    Bars,
    Block,
    Cells,
    Column,
    Doubts,
    Facts,
    Fold,
    Heading,
    Rows,
    Says,
    badges_of,
    heaviest_first,
    known,
    table,
)
from skstat.report._doubts import merged
from skstat.report._model import Report, ReportGrid
from skstat.report._sections.details import HOW, has_few_units
from skstat.report._sections.drawing import intervals
from skstat.report._sections.pairs import (
    between_table,
    in_parts,
    is_long,
    metrics_table,
    pairs_in_slices_table,
    parts_table,
    ways,
)
from skstat.report._would_take import would_take

Document = Callable[..., list[Any]]


def grid_document(
    grid: ReportGrid, full: bool, screen: bool, document: Document
) -> Iterator[Block]:
    """Walk the blocks that a grid is shown as; `document` gives those of each of its parts."""
    if grid.by == "slice":
        yield from _by_slice(grid, full, screen, document)
    else:
        yield from (_by_seed if grid.by == "seed" else _by_metric)(grid, full, document)
        parts = by_name(grid)
        found = [(name, one) for name, r in parts.items() for one in heaviest_first(r.doubts)]
        if found:
            yield Doubts(merged(found, len(parts), grid.by))
    if not full:
        yield Fold(HOW, ())


def by_name(grid: ReportGrid) -> Mapping[str, Report | ReportGrid]:
    """Return the reports by the names of their metrics as shown, if these differ."""
    shown = {r.metric: r for r in grid.reports.values()}
    return shown if len(shown) == len(grid.reports) else grid.reports


# --- by metric, by seed --------------------------------------------------------------------


def _by_metric(grid: ReportGrid, full: bool, document: Document) -> Iterator[Block]:
    metrics = [r.metric for r in grid.reports.values()]
    if not full and (said := say.slices_by_metric(grid)):
        grids: list[Any] = list(grid.reports.values())
        against = " against ".join(map(shown_name, grid.first.pairs[0][:2]))
        yield Says(said, heading=", ".join([against, *metrics]))
        yield metrics_table(grids)
        yield Facts(_by_label({r.metric: _about_slices(r) for r in grids}))
        return
    each = {name: document(r, full) for name, r in by_name(grid).items()}
    heads = [blocks.pop(0) for blocks in each.values()]
    leads = [head.sentences[0] for head in heads]
    follows, last = [" ".join(head.sentences[1:]) for head in heads], say.NOT_ADJUSTED
    if grid.first.is_performance:
        *leads, last = say.conclude(grid)
        follows = [""] * len(leads)
    heading = ", ".join([heads[0].heading, *metrics[1:]])
    yield Says([*leads, ""], heading=heading, follows=[*follows, last])
    if grid.first.is_performance:
        yield performance_table([part for _, part in grid.each()])
    for head, blocks in zip(heads, each.values(), strict=True):
        if grid.first.is_performance:
            blocks[:] = [block for block in blocks if not isinstance(block, Cells)]
        blocks[:0] = [Heading(head.heading, head.badges)] * full
    yield from _below_each_other(each, full)


def _by_seed(grid: ReportGrid, full: bool, document: Document) -> Iterator[Block]:
    against = " against ".join(map(shown_name, grid.systems))
    yield Says(say.conclude(grid), heading=f"{against}, seed by seed, {grid.metric}")
    yield from _bars(grid)
    yield parts_table(grid, full)
    each = {
        name: [one for one in document(r, full) if isinstance(one, Facts | Fold)]
        for name, r in grid.reports.items()
    }
    yield from _below_each_other(each, full, least=1 if full else len(each))


def _below_each_other(
    each: Mapping[str, Sequence[Block]], full: bool, least: int = 1
) -> Iterator[Block]:
    """Show what each part has of its own; then labels of several parts, one by one.

    A note that several tables have stands below the last one.
    """
    notes = [b.note for blocks in each.values() for b in blocks if isinstance(b, Cells)]
    shared: dict[str, list[tuple[str, str]]] = {name: [] for name in each}
    details: dict[str, list[tuple[str, str]]] = {name: [] for name in each}
    for name, blocks in each.items():
        for block in blocks:
            match block:
                case Cells():
                    notes.remove(block.note)
                    yield block._replace(note="") if block.note in notes else block
                case Facts():
                    own = [row for row in block.rows if row[0] in (name, f"Mean {name}")]
                    shared[name] += [row for row in block.rows if row not in own]
                    yield Facts(own)
                case Fold() if any(isinstance(one, Cells) for one in block.blocks):
                    yield block
                case Fold():
                    facts = [one for one in block.blocks if isinstance(one, Facts)]
                    details[name] += [row for one in facts for row in one.rows]
                case Doubts():
                    pass
                case _:
                    yield block
    if full:
        yield Heading("")
    yield Facts(_by_label(shared, least))
    if full:
        yield Fold(HOW, [Facts(_by_label(details))])


def _by_label(each: Mapping[str, Rows], least: int = 1) -> list[tuple[str, str]]:
    """Return rows that so many parts have or more, with the names of the parts if not all."""
    holders: dict[str, dict[str, list[str]]] = {}
    for name, rows in each.items():
        for label, text in rows:
            holders.setdefault(label, {}).setdefault(text, []).append(name)
    found: list[tuple[str, str]] = []
    for label, texts in holders.items():
        said = [
            text if len(names) == len(each) else f"{say.join_names(names)}: {text}"
            for text, names in texts.items()
            if len(names) >= least
        ]
        found += zip([label, *[""] * len(said)], said, strict=False)
    return found


def performance_table(reports: Sequence[Report]) -> Cells:
    """Return the estimates by one metric or several: a row per learner, one per difference."""
    first, several = reports[0], len(reports) > 1
    rows: list[list[str]] = []
    for r in reports:
        decimals, metric = say.decimals_of(r.systems), r.metric * several
        for s in r.systems:
            limits = say.span(s.low, s.high, decimals, sign=False)
            train = "" if isnan(s.training_score) else say.fixed(s.training_score, decimals)
            rows.append(
                [shown_name(s.name), metric, say.fixed(s.mean, decimals), limits, train]
            )
        for p in r.pairs:
            limits = say.span(p.low, p.high, decimals)
            size = say.fixed(p.estimate, decimals, sign=True)
            rows.append(
                [f" {say.MINUS} ".join(map(shown_name, p[:2])), metric, size, limits, ""]
            )
    names, metrics, sizes, spans, trained = zip(*rows, strict=True)
    note = "Training score: the mean score on the rows that a model was fitted to (optimistic)."
    return table(
        f"Performance, {ways(reports)}",
        [
            Column("", names, "name"),
            Column("metric", metrics, "name"),
            Column("estimate" if several else first.metric, sizes),
            Column(f"{say.percent(first.confidence_level)} interval", spans),
            Column("training score", trained, note=note),
        ],
    )


# --- by slice ------------------------------------------------------------------------------


def _by_slice(
    grid: ReportGrid, full: bool, screen: bool, document: Document
) -> Iterator[Block]:
    overall, rows = grid.first, in_parts(grid)
    head, *whole = document(overall, full, screen=screen)
    badges = []
    if overall.is_pair:
        verdicts = (row.pair.verdict for row in rows if not row.shared)
        badges = badges_of(verdicts, f"{clip(rows[0].pair.first)}: ")
    yield Says(say.conclude(grid), badges, head.heading)
    if overall.is_pair:
        yield from _bars(grid)
    yield parts_table(grid, full)
    is_open = not full and all(row.pair.verdict == "undecided" for row in rows)
    takes = would_take(overall) if is_open and not has_few_units(overall) else ""
    yield known([*_about_slices(grid), ("Would take", takes)])
    if grid.doubts:
        yield Doubts(grid.doubts)
    if not full:
        return
    tables = [] if overall.is_pair else [pairs_in_slices_table(grid, screen)]
    if (grid.between or grid.not_worse) and not (screen and is_long(grid)):
        tables.append(between_table(grid))
    for one in tables:
        yield Fold(one.title, [one])
    left = [f"{name} ({why})" for name, why in grid.left_out.items()]
    how = [("Between slices", one.test["test"]) for one in grid.between]
    how += [("Null, between slices", one.test["null_hypothesis"]) for one in grid.between]
    how += [("How slices were made", say.join_items(grid.notes))]
    how += [("Not compared", say.join_items(left))]
    yield Fold("How slices were compared", [known(dict.fromkeys(how))])
    yield Heading("All rows")
    yield from (block for block in whole if not isinstance(block, Doubts))


def _bars(grid: ReportGrid) -> Iterator[Bars]:
    """Draw the differences in slices, or with seeds, against zero, and that on all rows."""
    pairs = {row.part: row.pair for row in in_parts(grid)}
    if grid.overall is not None:
        pairs["all rows"] = grid.overall.pairs[0]
    rows = [
        Bar(name, pair.low, pair.estimate, pair.high, TONES[pair.verdict])
        for name, pair in pairs.items()
    ]
    who = f"{clip(grid.systems[0], 20)} {say.good(grid.first)}"
    yield from intervals(grid.first, rows, "difference", who, grid.first.margin)


def _about_slices(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    n, n_all, outside = len(grid.reports), grid.n_comparisons, grid.n_outside
    tests = "; ".join(dict.fromkeys(row.pair.test for row in in_parts(grid)))
    of = f"{n} slices" if n == n_all else f"{n_all} pairs in slices"
    adjusted = f", adjusted by {say.adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = say.join_names(grid.cut_by) if grid.cut_by else "one column"
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{tests}{adjusted}")]
