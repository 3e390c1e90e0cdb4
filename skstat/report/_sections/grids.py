"""What is shown of several reports: by metric, by seed, or by slice; what they share once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skstat._names import clip, shown_name
from skstat.report._blocks import (
    Badge,
    Bar,
    Bars,
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Heading,
    Rows,
    Says,
    heaviest_first,
)
from skstat.report._model import InSlices, Report, ReportGrid
from skstat.report._sections.drawing import intervals
from skstat.report._sections.pairs import (
    between_table,
    is_long,
    metrics_table,
    pairs_in_slices_table,
    parts_table,
    worst_first,
)
from skstat.report._sections.tables import (
    HOW,
    TONES,
    counted,
    has_few_units,
    known,
    performance_table,
)
from skstat.report._words import (
    NOT_ADJUSTED,
    adjustment_name,
    conclude,
    good,
    join_items,
    join_names,
    slices_by_metric,
)
from skstat.report._would_take import would_take

Document = Callable[..., list[Block]]


def grid_document(
    grid: ReportGrid, full: bool, screen: bool, document: Document
) -> Iterator[Block]:
    """Walk the blocks that a grid is shown as; `document` gives those of each of its parts."""
    shown = {"metric": _by_metric, "seed": _by_seed, "slice": _by_slice}[grid.by]
    yield from shown(grid, full, screen, document)
    if not full:
        yield Fold(HOW, ())


# --- parts below each other, and what they share --------------------------------------------


def _below_each_other(each: Mapping[str, Sequence[Block]], full: bool) -> Iterator[Block]:
    """Show what each part has of its own; then labels of several parts, one by one.

    A note that several tables have stands below the last one.
    """
    facts = {name: _rows(blocks) for name, blocks in each.items()}
    own = {label for name in each for label in (name, f"Mean {name}")}
    notes = [b.note for blocks in each.values() for b in blocks if isinstance(b, Cells)]
    for block in (block for blocks in each.values() for block in blocks):
        if isinstance(block, Cells):
            notes.remove(block.note)
            yield block._replace(note="") if block.note in notes else block
        elif isinstance(block, Facts):
            yield Facts([row for row in block.rows if row[0] in own])
        elif not (isinstance(block, Doubts) or _is_of_rows(block)):
            yield block
    if full:
        yield Heading("")
    yield Facts([row for row in _by_label(facts) if row[0] not in own])
    if full:
        details = {name: _rows(_inner(blocks)) for name, blocks in each.items()}
        yield Fold(HOW, [Facts(_by_label(details))])


def _is_of_rows(block: Block) -> bool:
    return isinstance(block, Fold) and not any(isinstance(b, Cells) for b in block.blocks)


def _inner(blocks: Iterable[Block]) -> list[Block]:
    return [one for block in blocks if isinstance(block, Fold) for one in block.blocks]


def _rows(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    return [row for block in blocks if isinstance(block, Facts) for row in block.rows]


def _by_label(each: Mapping[str, Rows], least: int = 1) -> list[tuple[str, str]]:
    """Return rows that so many parts have or more, with the names of the parts if not all."""
    holders: dict[str, dict[str, list[str]]] = {}
    for name, rows in each.items():
        for label, text in rows:
            holders.setdefault(label, {}).setdefault(text, []).append(name)
    found: list[tuple[str, str]] = []
    for label, texts in holders.items():
        said = [
            text if len(names) == len(each) else f"{join_names(names)}: {text}"
            for text, names in texts.items()
            if len(names) >= least
        ]
        found += zip([label, *[""] * len(said)], said, strict=False)
    return found


def _doubts(grid: ReportGrid) -> Iterator[Doubts]:
    """Show the doubts about parts, each kind once: the heaviest, and of what else."""
    raised: dict[str, dict[str, Any]] = {}
    parts = by_name(grid)
    for name, r in parts.items():
        for doubt in heaviest_first(r.doubts):
            raised.setdefault(doubt.code, {}).setdefault(name, doubt)
    found = []
    for by in raised.values():
        told = heaviest_first(by.values())[0]
        if len(by) < len(parts) or len({doubt.text for doubt in by.values()}) > 1:
            part = next(name for name, doubt in by.items() if doubt is told)
            lead = "" if part in told.text else f"{part}: "
            others = [name for name in by if name != part]
            also = f" The same holds for {join_names(others)}." if others else ""
            told = replace(told, text=f"{lead}{told.text}{also}")
        found.append(told)
    if found:
        yield Doubts(found)


def by_name(grid: ReportGrid) -> Mapping[str, Report | ReportGrid]:
    """Return the reports by the names of their metrics as shown, if these differ."""
    shown = {r.metric: r for r in grid.reports.values()}
    return shown if len(shown) == len(grid.reports) else grid.reports


# --- by metric, by seed --------------------------------------------------------------------


def _by_metric(
    grid: ReportGrid, full: bool, screen: bool, document: Document
) -> Iterator[Block]:
    if not full and (said := slices_by_metric(grid)):
        grids = [r for r in grid.reports.values() if isinstance(r, ReportGrid)]
        against = " against ".join(map(shown_name, grid.first.pairs[0][:2]))
        yield Says(said, heading=", ".join([against, *(r.metric for r in grids)]))
        yield metrics_table(grids)
        yield Facts(_by_label({r.metric: _about_slices(r) for r in grids}))
        yield from _doubts(grid)
        return
    parts = {
        name: _split(document(r, full, screen=screen)) for name, r in by_name(grid).items()
    }
    heads = {name: head for name, (head, _) in parts.items()}
    tables: list[Block] = []
    leads = [head.sentences[0] for head in heads.values()]
    follows, last = [" ".join(head.sentences[1:]) for head in heads.values()], NOT_ADJUSTED
    if grid.first.is_performance:
        *leads, last = conclude(grid)
        follows = [""] * len(leads)
        tables = [performance_table([part for _, part in grid.each()])]
    subjects = {head.heading.removesuffix(f", {name}") for name, head in heads.items()}
    about = [*subjects] if len(subjects) == 1 else []
    heading = ", ".join([*about, *(r.metric for r in grid.reports.values())])
    yield Says([*leads, ""], heading=heading, follows=[*follows, last], leads="all")
    yield from tables
    each: dict[str, list[Block]] = {}
    for name, (head, blocks) in parts.items():
        each[name] = [Heading(head.heading, head.badges)] if full else []
        each[name] += [b for b in blocks if not (tables and isinstance(b, Cells))]
    yield from _below_each_other(each, full)
    yield from _doubts(grid)


def _split(blocks: list[Block]) -> tuple[Says, list[Block]]:
    """Take what a part says from what it shows."""
    head, *shown = blocks
    assert isinstance(head, Says)
    return head, shown


def _by_seed(grid: ReportGrid, full: bool, screen: bool, document: Document) -> Iterator[Block]:
    against = " against ".join(map(shown_name, grid.systems))
    yield Says(conclude(grid), heading=f"{against}, seed by seed, {grid.metric}")
    yield parts_table(grid, full)
    each: dict[str, list[Block]] = {}
    for name, r in grid.reports.items():
        head, blocks = _split(document(r, full, screen=screen))
        title = Heading(f"{name}: {head.heading}", head.badges)
        each[name] = [title, Says(head.sentences), *blocks] if full else blocks
    if full:
        yield from _below_each_other(each, full)
    else:
        rows = {name: _rows(blocks) for name, blocks in each.items()}
        yield Facts(_by_label(rows, len(rows)))
    yield from _doubts(grid)


# --- by slice ------------------------------------------------------------------------------


def _by_slice(
    grid: ReportGrid, full: bool, screen: bool, document: Document
) -> Iterator[Block]:
    overall = grid.first
    head, whole = _split(document(overall, full, screen=screen))
    badges: list[Badge] = []
    if overall.is_pair:
        (of,) = grid.pairs_in_slices
        first = clip(of.overall.first)
        verdicts = (p.verdict for name, p in of.parts.items() if name not in of.explained_by)
        badges = [
            Badge(f"{first}: {n} {kind}", TONES[kind]) for kind, n in counted(verdicts).items()
        ]
    yield Says(conclude(grid), badges, head.heading)
    if overall.is_pair:
        yield from _bars(overall, of)
    yield parts_table(grid, full)
    nothing = {verdict for _, part in grid.each() for verdict in part.verdicts} == {"undecided"}
    takes = "" if full or not nothing or has_few_units(overall) else would_take(overall)
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
    rows = [("Between slices", one.test["test"]) for one in grid.between]
    rows += [("Null, between slices", one.test["null_hypothesis"]) for one in grid.between]
    rows.append(("How slices were made", join_items(grid.notes)))
    rows.append(("Not compared", join_items(left)))
    yield Fold("How slices were compared", [known(dict.fromkeys(rows))])
    yield Heading("All rows")
    yield from (block for block in whole if not isinstance(block, Doubts))


def _bars(overall: Report, of: InSlices) -> Iterator[Bars]:
    """Draw the differences in slices against zero, and that on all rows."""
    pairs = {**worst_first(overall, of), "all rows": of.overall}
    rows = [
        Bar(name, pair.low, pair.estimate, pair.high, TONES[pair.verdict])
        for name, pair in pairs.items()
    ]
    who = f"{clip(of.overall.first, 20)} {good(overall)}"
    yield from intervals(overall, rows, "difference", who, overall.margin)


def _about_slices(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    n, n_all, outside = len(grid.reports), grid.n_comparisons, grid.n_outside
    parts = [pair for of in grid.pairs_in_slices for pair in of.parts.values()]
    tests = "; ".join(dict.fromkeys(pair.test for pair in parts))
    of = f"{n} slices" if n == n_all else f"{n_all} pairs in slices"
    adjusted = f", adjusted by {adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = join_names(grid.cut_by) if grid.cut_by else "one column"
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{tests}{adjusted}")]
