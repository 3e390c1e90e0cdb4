"""What is shown of a report, or of several by metric, seed or slice: what they share once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skstat._names import clip
from skstat.report import _blocks as show
from skstat.report import _terms as say
from skstat.report._conclude import NOT_ADJUSTED, slices_by_metric
from skstat.report._doubts import merged
from skstat.report._model import Report, ReportGrid
from skstat.report._sections import tables
from skstat.report._sections.report import HOW, bar_of, has_few_units, intervals, of_one

_MOST = 24  # pairs in slices for which a screen has room


def document(r: Any, full: bool, *, screen: bool = False) -> list[Any]:
    """Return the blocks that a report is shown as.

    Parameters
    ----------
    r : Report or ReportGrid
        What was found.
    full : bool
        Whether to show all that is known; details are folds. Else what a terminal shows
        first.
    screen : bool, default=False
        Whether long tables of the details are cut for a terminal.

    Returns
    -------
    list of Block
        In the order in which they are read.
    """
    if isinstance(r, Report):
        return list(of_one(r, full, screen))
    return list(_of_grid(r, full, screen))


def _of_grid(grid: Any, full: bool, screen: bool) -> Iterator[show.Block]:
    if grid.by == "slice":
        yield from _by_slice(grid, full, screen)
    else:
        yield from _by_seed(grid, full) if grid.by == "seed" else _by_metric(grid, full)
        doubts = ((name, one) for name, r in grid.reports.items() for one in r.doubts)
        yield show.Doubts(merged(doubts, len(grid.reports), grid.by))
    if not full:
        yield show.Fold(HOW, ())


# --- by metric, by seed --------------------------------------------------------------------


def _by_metric(grid: Any, full: bool) -> Iterator[show.Block]:
    first, grids = grid.first, list(grid.reports.values())
    heading = ", ".join([first.title, *(r.metric for r in grids)])
    if not full and (texts := slices_by_metric(grid)):
        yield show.Says(texts, heading=heading)
        yield tables.metrics_table(grids)
        yield show.Facts(_by_label({r.metric: _about_slices(r) for r in grids}))
        return
    heads: list[Any] = []
    each: dict[str, list[show.Block]] = {}
    for name, r in grid.reports.items():
        head, *blocks = document(r, full)
        heads.append(head)
        if first.is_performance:  # one table has them all
            blocks = [block for block in blocks if not isinstance(block, show.Cells)]
        each[name] = [*[show.Heading(head.heading, head.badges)] * full, *blocks]
    if first.is_performance:
        yield show.Says(grid.sentences, heading=heading)
        yield tables.performance_table(grids)
    else:
        leads = [head.sentences[0] for head in heads]
        follows = [" ".join(head.sentences[1:]) for head in heads]
        yield show.Says([*leads, ""], heading=heading, follows=[*follows, NOT_ADJUSTED])
    yield from _below_each_other(each, full)


def _by_seed(grid: Any, full: bool) -> Iterator[show.Block]:
    yield show.Says(grid.sentences, heading=f"{grid.title}, {grid.metric}")
    yield from _bars(grid)
    yield tables.parts_table(grid, full)
    each = {
        name: [one for one in document(r, full) if isinstance(one, show.Facts | show.Fold)]
        for name, r in grid.reports.items()
    }
    yield from _below_each_other(each, full, least=1 if full else len(each))


def _below_each_other(
    each: Mapping[str, Sequence[show.Block]], full: bool, least: int = 1
) -> Iterator[show.Block]:
    """Show what each part has of its own; then labels of several parts, one by one.

    A note that several tables have stands below the last one.
    """
    notes = [b.note for blocks in each.values() for b in blocks if isinstance(b, show.Cells)]
    shared: dict[str, list[tuple[str, str]]] = {name: [] for name in each}
    details: dict[str, list[tuple[str, str]]] = {name: [] for name in each}
    for name, blocks in each.items():
        for block in blocks:
            match block:
                case show.Cells():
                    notes.remove(block.note)
                    yield block._replace(note="") if block.note in notes else block
                case show.Facts():
                    own = [row for row in block.rows if row[0] in (name, f"Mean {name}")]
                    shared[name] += [row for row in block.rows if row not in own]
                    yield show.Facts(own)
                case show.Fold(blocks=[show.Facts(rows)]):
                    details[name] += rows
                case show.Doubts() | show.Fold(blocks=()):
                    pass
                case _:
                    yield block
    if full:
        yield show.Heading("")
    yield show.Facts(_by_label(shared, least))
    if full:
        yield show.Fold(HOW, [show.Facts(_by_label(details))])


def _by_label(each: Mapping[str, show.Rows], least: int = 1) -> list[tuple[str, str]]:
    """Return rows that so many parts have or more, with the names of the parts if not all."""
    labels: dict[str, list[str]] = {}
    for (label, text), names in say.holders_of(each.items()).items():
        if len(names) >= least:
            who = "" if len(names) == len(each) else f"{say.join_names(names)}: "
            labels.setdefault(label, []).append(who + text)
    rows: list[tuple[str, str]] = []
    for label, texts in labels.items():
        rows += zip([label, *[""] * len(texts)], texts, strict=False)
    return rows


# --- by slice ------------------------------------------------------------------------------


def _by_slice(grid: Any, full: bool, screen: bool) -> Iterator[show.Block]:
    overall, rows = grid.first, tables.in_parts(grid)
    head, *whole = document(overall, full, screen=screen)
    badges = []
    if overall.is_pair:
        verdicts = (row.pair.verdict for row in rows if not row.shared)
        badges = show.badges_of(verdicts, f"{clip(rows[0].pair.first)}: ")
    yield show.Says(grid.sentences, badges, head.heading)
    if overall.is_pair:
        yield from _bars(grid)
    yield tables.parts_table(grid, full)
    is_open = not full and all(row.pair.verdict == "undecided" for row in rows)
    takes = overall.would_take if is_open and not has_few_units(overall) else ""
    yield show.known([*_about_slices(grid), ("To decide", takes)])
    yield show.Doubts(grid.doubts)
    if not full:
        return
    is_cut = screen and len(rows) > _MOST
    behind = [] if overall.is_pair else [tables.pairs_in_slices_table(grid, is_cut)]
    tests = [one.between for one in grid.pairs if one.between]
    if (tests or overall.margin is not None) and not is_cut:
        behind.append(tables.between_table(grid))
    for one in behind:
        yield show.Fold(one.title, [one])
    left = [f"{name} ({why})" for name, why in grid.left_out.items()]
    how = [("Between slices", test["test"]) for test in tests]
    how += [("Null, between slices", test["null_hypothesis"]) for test in tests]
    how += [("How slices were made", say.join_items(grid.notes))]
    how += [("Not compared", say.join_items(left))]
    yield show.Fold("How slices were compared", [show.known(dict.fromkeys(how))])
    yield show.Heading("All rows")
    yield from (block for block in whole if not isinstance(block, show.Doubts))


def _bars(grid: ReportGrid) -> Iterator[show.Bars]:
    """Draw the differences in slices, or with seeds, against zero, and that on all rows."""
    pairs = {row.part: row.pair for row in tables.in_parts(grid)}
    if grid.overall is not None:
        pairs["all rows"] = grid.overall.pairs[0]
    rows = [bar_of(name, pair) for name, pair in pairs.items()]
    who = f"{clip(grid.systems[0], 20)} {grid.first.words.good}"
    yield from intervals(grid.first, rows, "difference", who, grid.first.margin)


def _about_slices(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    n, n_all, outside = len(grid.reports), grid.n_comparisons, grid.n_outside
    tests = "; ".join(dict.fromkeys(row.pair.test for row in tables.in_parts(grid)))
    of = f"{n} slices" if n == n_all else f"{n_all} pairs in slices"
    adjusted = f", adjusted by {say.adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = say.join_names(grid.cut_by) if grid.cut_by else "one column"
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{tests}{adjusted}")]
