"""The blocks of any report, and of grids by metric, seed or slice without repetitions."""

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

_MOST = 24  # largest number of pairs in slices on a screen


def document(r: Any, full: bool, *, screen: bool = False) -> list[Any]:
    """Return the blocks of a report.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    full : bool
        Whether to add the details, as folds. Else only the main results are returned.
    screen : bool, default=False
        Whether long tables of the details are cut for a terminal.

    Returns
    -------
    list of Block
        The blocks in reading order.
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
        yield show.Summary(texts, heading=heading)
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
        yield show.Summary(grid.sentences, heading=heading)
        yield tables.performance_table(grids)
    else:
        leads = [head.sentences[0] for head in heads]
        follows = [" ".join(head.sentences[1:]) for head in heads]
        yield show.Summary([*leads, ""], heading=heading, follows=[*follows, NOT_ADJUSTED])
    yield from _merged_parts(each, full)


def _by_seed(grid: Any, full: bool) -> Iterator[show.Block]:
    yield show.Summary(grid.sentences, heading=f"{grid.title}, {grid.metric}")
    yield from _bars(grid)
    yield tables.parts_table(grid, full)
    parts = {
        name: [b for b in document(r, full) if isinstance(b, show.Facts | show.Fold)]
        for name, r in grid.reports.items()
    }
    yield from _merged_parts(parts, full, 1 if full else len(parts))


def _merged_parts(
    parts: Mapping[str, Sequence[show.Block]], full: bool, min_parts: int = 1
) -> Iterator[show.Block]:
    """Iterate over the blocks of each part, and then the facts of all parts by label.

    A note that several tables share is shown below the last one.
    """
    notes = [b.note for blocks in parts.values() for b in blocks if isinstance(b, show.Cells)]
    shared: dict[str, list[tuple[str, str]]] = {name: [] for name in parts}
    details: dict[str, list[tuple[str, str]]] = {name: [] for name in parts}
    for name, blocks in parts.items():
        for block in blocks:
            match block:
                case show.Cells():
                    notes.remove(block.note)
                    yield block._replace(note="") if block.note in notes else block
                case show.Facts():
                    single = [row for row in block.rows if row[0] in (name, f"Mean {name}")]
                    shared[name] += [row for row in block.rows if row not in single]
                    yield show.Facts(single)
                case show.Fold(blocks=[show.Facts(rows)]):
                    details[name] += rows
                case show.Doubts() | show.Fold(blocks=()):
                    pass
                case _:
                    yield block
    if full:
        yield show.Heading("")
    yield show.Facts(_by_label(shared, min_parts))
    if full:
        yield show.Fold(HOW, [show.Facts(_by_label(details))])


def _by_label(parts: Mapping[str, show.Rows], min_parts: int = 1) -> list[tuple[str, str]]:
    """Return rows that enough parts have, with the names of the parts if not all have them."""
    labels: dict[str, list[str]] = {}
    for (label, text), names in say.holders_of(parts.items()).items():
        if len(names) >= min_parts:
            who = "" if len(names) == len(parts) else f"{say.join_names(names)}: "
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
    yield show.Summary(grid.sentences, badges, head.heading)
    if overall.is_pair:
        yield from _bars(grid)
    yield tables.parts_table(grid, full)
    is_open = not full and all(row.pair.verdict == "undecided" for row in rows)
    takes = overall.would_take if is_open and not has_few_units(overall) else ""
    yield show.nonempty([*_about_slices(grid), ("To decide", takes)])
    yield show.Doubts(grid.doubts)
    if not full:
        return
    is_cut = screen and len(rows) > _MOST
    details = [] if overall.is_pair else [tables.pairs_in_slices_table(grid, is_cut)]
    tests = [table.between for table in grid.pairs if table.between]
    if (tests or overall.margin is not None) and not is_cut:
        details.append(tables.between_table(grid))
    for table in details:
        yield show.Fold(table.title, [table])
    left_out = [f"{name} ({why})" for name, why in grid.left_out.items()]
    how = [("Between slices", test["test"]) for test in tests]
    how += [("Null, between slices", test["null_hypothesis"]) for test in tests]
    how += [("How slices were made", say.join_items(grid.notes))]
    how += [("Not compared", say.join_items(left_out))]
    yield show.Fold("How slices were compared", [show.nonempty(dict.fromkeys(how))])
    yield show.Heading("All rows")
    yield from (block for block in whole if not isinstance(block, show.Doubts))


def _bars(grid: ReportGrid) -> Iterator[show.Bars]:
    """Return a plot of the differences in slices, or with seeds, and on all rows."""
    pairs = {row.part: row.pair for row in tables.in_parts(grid)}
    if grid.overall is not None:
        pairs["all rows"] = grid.overall.pairs[0]
    rows = [bar_of(name, pair) for name, pair in pairs.items()]
    who = f"{clip(grid.systems[0], 20)} {grid.first.words.good}"
    yield from intervals(grid.first, rows, "difference", who, grid.first.margin)


def _about_slices(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return the main facts on slices and their tests."""
    n, n_all, outside = len(grid.reports), grid.n_comparisons, grid.n_outside
    tests = "; ".join(dict.fromkeys(row.pair.test for row in tables.in_parts(grid)))
    of = f"{n} slices" if n == n_all else f"{n_all} pairs in slices"
    adjusted = f", adjusted by {say.adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = say.join_names(grid.cut_by) if grid.cut_by else "one column"
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{tests}{adjusted}")]
