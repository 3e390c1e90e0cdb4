"""What is shown of systems in slices of the rows: two of them, or several."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Any

from skstat._names import clip, clip_all, shown_name
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
    Says,
)
from skstat.report._model import Between, InSlices, Pair, Report, ReportGrid
from skstat.report._sections.details import detail_rows, planned_rows
from skstat.report._sections.drawing import pair_tone, tone_of
from skstat.report._sections.report import (
    has_few_units,
    report_document,
    scores_row,
)
from skstat.report._sections.systems import Columns, interval_cell
from skstat.report._words import (
    adjustment_name,
    conclude,
    decimals_for,
    direction,
    fixed,
    good,
    good_best,
    is_turned,
    join_items,
    join_names,
    may_be_best,
    omnibus_text,
    percent,
    pvalue_cell,
    pvalue_text,
    short,
)
from skstat.report._would_take import would_take
from skstat.stats._outcomes import unit_word

HOW = "What was tested, and how"
_MOST_BARS = 25  # slices; a page of dots says less than the table
_MOST_SYSTEMS, _MOST_AGAINST = 6, 3  # scores, and verdicts of pairs, that fit beside each other
_FIRST = 12  # slices, or pairs in slices, that a terminal shows
_MOST = 500  # pairs in slices that are listed one by one
_MINUS, _SQUARED = "\N{MINUS SIGN}", "I\N{SUPERSCRIPT TWO}"
_VERDICTS = ("worse", "lower", "undecided", "not inferior", "equivalent", "higher", "better")
_SHRUNKEN = "Shrunken: drawn towards the common mean, as far as differences are noise."


def slices_document(grid: ReportGrid, full: bool, screen: bool) -> Iterator[Block]:
    """Walk the blocks that slices are shown as: `full` and `screen` as in `document`."""
    assert grid.overall is not None
    shown = _of_two if grid.overall.is_pair else _of_several
    yield from shown(grid, grid.overall, full, screen)
    if not full:
        yield Fold(HOW, ())


def cells_of(title: str, columns: Columns, **look: Any) -> Cells:
    """Return columns as a table."""
    rows = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
    return Cells(title, [name for name, _ in columns], rows, **look)


def first_rows(cells: Cells, most: int = _FIRST) -> Cells:
    """Return the first rows of a table, and count the others."""
    left = len(cells.rows) - most
    if left <= 0:
        return cells
    note = f"{cells.note} Not shown: {left} more.".strip()
    return cells._replace(rows=cells.rows[:most], tones=cells.tones[:most], note=note)


def sizes(r: Report, pairs: Sequence[Pair], overall: Sequence[Pair] = ()) -> Columns:
    """Return differences and intervals, with as many decimals as those of all rows have."""
    decimals = decimals_for(
        end for pair in (*pairs, *overall) for end in (pair.estimate, pair.low, pair.high)
    )
    return [
        ("difference", [fixed(pair.estimate, decimals, sign=True) for pair in pairs]),
        (
            f"{percent(r.confidence_level)} interval",
            [interval_cell(pair, decimals) for pair in pairs],
        ),
    ]


# --- two systems ---------------------------------------------------------------------------


def _of_two(grid: ReportGrid, overall: Report, full: bool, screen: bool) -> Iterator[Block]:
    (of,) = grid.pairs_in_slices
    a, b = map(shown_name, of.overall[:2])
    yield Says(conclude(grid), _badges(of), f"{a} against {b}, {overall.metric}")
    yield from _bars(overall, of)
    table = _table(grid, of, full)
    yield table if full and screen else first_rows(table)
    nothing = all(pair.verdict == "undecided" for pair in of.parts.values())
    takes = would_take(overall) if nothing and not has_few_units(overall) else ""
    yield Facts([*slice_facts(grid), *([("Would take", takes)] if takes else [])])
    if grid.doubts:
        yield Doubts(grid.doubts)
    if not full:
        return
    if len(table.rows) > _FIRST and not screen:
        title = f"All slices. {table.title}"
        yield Fold(title, [table._replace(title=title)])
    planned = planned_rows(overall) if takes else []
    rows = [*_about(grid, of), scores_row(overall), *detail_rows(overall), *planned]
    yield Fold(HOW, [Facts(rows)])


def _badges(of: InSlices) -> list[Badge]:
    """Count the slices of every verdict, the worst first."""
    verdicts = [p.verdict for name, p in of.parts.items() if name not in of.explained_by]
    return [
        Badge(f"{clip(of.overall.first)}: {verdicts.count(kind)} {kind}", tone_of(kind))
        for kind in _VERDICTS
        if kind in verdicts
    ]


def _bars(overall: Report, of: InSlices) -> Iterator[Bars]:
    """Draw the differences in slices against zero, and that on all rows."""
    rows = [
        Bar(name, pair.low, pair.estimate, pair.high, tone_of(pair.verdict))
        for name, pair in [*worst_first(overall, of).items(), ("all rows", of.overall)]
    ]
    known = any(isfinite(bar.low) or isfinite(bar.high) for bar in rows[:-1])
    if known and len(of.parts) <= _MOST_BARS:
        who = f"{clip(of.overall.first, 20)} {good(overall)}"
        left, right = (who, "") if overall.lower else ("", who)
        says = "intervals of the difference in slices"
        yield Bars(rows, left, right, title="difference", margin=overall.margin, says=says)


def worst_first(r: Report, of: InSlices) -> dict[str, Pair]:
    """Return slices by what the first system gains there, the worst first."""
    turn = -1 if is_turned(r) else 1

    def gain(name: str) -> float:
        estimate = of.parts[name].estimate
        return 0.0 if isnan(estimate) else turn * estimate

    return {name: of.parts[name] for name in sorted(of.parts, key=gain)}


def _table(grid: ReportGrid, of: InSlices, full: bool) -> Cells:
    """Return slices as rows; at first sight without the scores that the difference is of."""
    overall, parts = grid.first, worst_first(grid.first, of)
    pairs, several = list(parts.values()), len(parts) > 1
    by_name = dict(grid.each())
    reports = [by_name[name] for name in parts]
    a, b = map(shown_name, of.overall[:2])
    decimals = decimals_for(
        end for p in (*pairs, of.overall) for end in (p.estimate, p.low, p.high)
    )
    columns = _names_and_rows(grid, parts)
    if full and overall.unit not in ("instance", "split"):
        columns.append((f"{unit_word(overall.unit)}s", [str(r.n_units) for r in reports]))
    if full:
        means = [[fixed(s.mean, max(3, decimals)) for s in r.systems] for r in reports]
        columns += [(a, [first for first, _ in means]), (b, [second for _, second in means])]
    columns += sizes(overall, pairs, [of.overall])
    columns.append(("adjusted p" if several else "p", [pvalue_cell(p.p) for p in pairs]))
    size = fixed(of.overall.estimate, decimals, sign=True)
    notes = [f"Difference: {a} {_MINUS} {b}; over all rows {size}."]
    if all(r.simultaneous for r in reports):
        notes.append("Intervals are simultaneous.")
    elif several:
        notes.append("Intervals are adjusted.")
    if of.shrunken and full:
        drawn = [fixed(of.shrunken[name], decimals, sign=True) for name in parts]
        columns.append(("shrunken", drawn))
        notes.append(_SHRUNKEN)
    if of.explained_by:
        by = dict.fromkeys(one for each in of.explained_by.values() for one in each)
        notes.append(f"Shared: not significant without the rows of {join_names(by)}.")
    verdicts = [p.verdict + _shared(of, name) for name, p in parts.items()]
    return cells_of(
        _title(overall),
        [*columns, ("verdict", verdicts)],
        words=len(columns),
        note=" ".join(notes),
        tones=[tone_of(pair.verdict) for pair in pairs],
    )


def _title(overall: Report) -> str:
    return f"Slice by slice, {overall.metric}, {direction(overall)}"


def _shared(of: InSlices, name: str) -> str:
    return ", shared" if name in of.explained_by else ""


def _names_and_rows(grid: ReportGrid, names: Mapping[str, Any]) -> Columns:
    return [
        ("slice", [shown_name(name) for name in names]),
        ("rows", [str(grid.n_rows[name]) for name in names]),
    ]


def slice_facts(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    n, n_all = len(grid.reports), grid.n_comparisons
    tests = dict.fromkeys(
        pair.test for of in grid.pairs_in_slices for pair in of.parts.values()
    )
    of = f"{n} slices" if n == n_all else f"{n_all} pairs in slices"
    adjusted = f", adjusted by {adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = join_names(grid.cut_by) if grid.cut_by else "one column"
    outside = grid.n_outside
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{'; '.join(tests)}{adjusted}")]


def _about(grid: ReportGrid, of: InSlices) -> list[tuple[str, str]]:
    """Return the details of the slices of two systems, which stand before those of all rows."""
    rows = []
    if of.between is not None:
        found = of.between.test
        asked = len(found["names"])
        known = f" (of {asked} slices in which it is known how much it varies)"
        adjusted = f", adjusted {pvalue_text(of.between.pvalue)}" * of.between.is_adjusted
        tau = f"standard deviation {short(found['effect_sizes']['tau'])}, estimated"
        rows = [
            (
                "Between slices",
                omnibus_text(found) + adjusted + known * (asked < len(of.parts)),
            ),
            ("Null, between slices", found["null_hypothesis"]),
            ("Spread of the true differences", tau),
        ]
    if of.not_worse is not None:
        shown = (
            f"largest one-sided {pvalue_cell(of.not_worse.pvalue)}; every slice must be shown"
        )
        label = f"Not {good(grid.first, up=False)} in any slice"
        rows.append((label, f"{shown}, so that nothing is adjusted"))
    return [*rows, *_how_sliced(grid)]


def _how_sliced(grid: ReportGrid) -> list[tuple[str, str]]:
    left = join_items([f"{name} ({why})" for name, why in grid.left_out.items()])
    rows = [("How slices were made", join_items(grid.notes)), ("Not compared", left)]
    return [(label, text) for label, text in rows if text]


# --- several systems -----------------------------------------------------------------------


def _of_several(grid: ReportGrid, overall: Report, full: bool, screen: bool) -> Iterator[Block]:
    lead, *rest = conclude(grid)
    heading = f"{len(grid.systems)} systems, in slices of the rows, {overall.metric}"
    yield Says([lead], heading=heading, follows=[" ".join(rest)])
    table = _overview(grid, overall)
    yield table if full else first_rows(table)
    yield Facts(slice_facts(grid))
    if grid.doubts:
        yield Doubts(grid.doubts)
    if not full:
        return
    many = screen and grid.n_comparisons > 2 * _FIRST
    tables = [_pairs(grid, overall, _FIRST if many else _MOST)]
    if not many and (grid.between or grid.not_worse):
        tables.append(_between(grid))
    for one in tables:
        yield Fold(one.title, [one])
    tests = {one.test["test"]: one.test["null_hypothesis"] for one in grid.between}
    rows = [("Between slices", test) for test in tests]
    rows += [("Null, between slices", null) for null in dict.fromkeys(tests.values())]
    yield Fold("How slices were compared", [Facts([*rows, *_how_sliced(grid)])])
    yield Heading("All rows")
    for block in report_document(overall, full, screen=screen):
        if not isinstance(block, Says | Doubts):
            yield block


def _overview(grid: ReportGrid, overall: Report) -> Cells:
    """Return slices as rows: scores of the systems, and which of them may be the best."""
    parts = dict(grid.each())
    scores = [{s.name: s.mean for s in r.systems} for r in parts.values()]
    decimals = decimals_for(score for each in scores for score in each.values())
    columns = _names_and_rows(grid, parts)
    systems = grid.systems if len(grid.systems) <= _MOST_SYSTEMS else ()
    for system in systems:
        cells = [fixed(each[system], decimals) if system in each else "" for each in scores]
        columns.append((shown_name(system), cells))
    if kept := may_be_best(grid):
        n = len(grid.systems)
        among = [f"each of {n}" if len(one) == n else join_names(one) for one in kept.values()]
        columns.append((f"may be the {good_best(overall)}", among))
    elif len(grid.pairs_in_slices) <= _MOST_AGAINST:
        for of in grid.pairs_in_slices:
            verdicts = [of.parts[name].verdict if name in of.parts else "" for name in parts]
            columns.append((" against ".join(clip_all(of.overall[:2], 14)), verdicts))
    else:
        columns.append(("verdicts", [_counted(r) for r in parts.values()]))
    return cells_of(
        _title(overall),
        columns,
        words=2 + len(systems),
        spare=range(2, 2 + len(systems)),
        note=f"Adjusted for all {grid.n_comparisons} comparisons, of pairs in slices.",
    )


def _counted(r: Report) -> str:
    """Count the comparisons in a slice by their verdicts."""
    verdicts = list(r.verdicts)
    return ", ".join(f"{verdicts.count(kind)} {kind}" for kind in _VERDICTS if kind in verdicts)


def _pairs(grid: ReportGrid, overall: Report, most: int) -> Cells:
    """Return the comparisons of pairs in slices, the surest first."""
    found = [(of, name) for of in grid.pairs_in_slices for name in of.parts]
    found.sort(key=lambda one: _or_last(one[0].parts[one[1]].p))
    left, found = len(found) - most, found[:most]
    pairs = [of.parts[name] for of, name in found]
    columns: Columns = [
        ("slice", [shown_name(name) for _, name in found]),
        ("first", [shown_name(pair.first) for pair in pairs]),
        ("second", [shown_name(pair.second) for pair in pairs]),
        *sizes(overall, pairs),
        ("adjusted p", [pvalue_cell(pair.p) for pair in pairs]),
    ]
    notes = [f"{left} more in to_frame()."] * (left > 0)
    notes += [f"Difference: first {_MINUS} second."]
    if overall.margin is not None:
        columns.append(("equivalence p", [pvalue_cell(pair.equivalence_p) for pair in pairs]))
    if grid.shrunken:
        decimals = decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))
        drawn = [of.shrunken.get(name, nan) for of, name in found]
        columns.append(("shrunken", [fixed(one, decimals, sign=True) for one in drawn]))
        notes.append(_SHRUNKEN)
    if grid.explained_by:
        notes.append("Shared: not significant without the rows that it shares with others.")
    better = []
    for of, name in found:
        pair = of.parts[name]
        ahead = {"better": pair.first, "worse": pair.second}
        ahead |= {"higher": pair.first, "lower": pair.second}
        said = shown_name(ahead[pair.verdict]) if pair.verdict in ahead else pair.verdict
        better.append("no test" if isnan(pair.p) else said + _shared(of, name))
    return cells_of(
        f"In pairs, slice by slice, {overall.metric}, {direction(overall)}",
        [*columns, (good(overall), better)],
        n_names=3,
        words=len(columns),
        note=" ".join(notes),
        tones=[pair_tone(pair) for pair in pairs],
    )


def _or_last(pvalue: float) -> float:
    return 2.0 if isnan(pvalue) else pvalue


def _between(grid: ReportGrid) -> Cells:
    """Return whether the difference of every pair varies between slices, and the margin."""
    found, notes = grid.pairs_in_slices, []
    columns: Columns = [
        ("first", [shown_name(of.overall.first) for of in found]),
        ("second", [shown_name(of.overall.second) for of in found]),
    ]
    if grid.between:
        blank = ("", "", "", "", "")
        known = [blank if of.between is None else _of_test(of.between) for of in found]
        titles = ("Q", _SQUARED, "spread", "p", "adjusted p")
        columns += [(title, list(cells)) for title, *cells in zip(titles, *known, strict=True)]
        notes.append(
            f"Q: Cochran's, over slices; {_SQUARED}: the share of its variation that is not "
            "noise; spread: estimated standard deviation of the true differences."
        )
    if grid.not_worse:
        shown = [
            "" if of.not_worse is None else pvalue_cell(of.not_worse.pvalue) for of in found
        ]
        columns.append(("not worse", shown))
        notes.append("Not worse: adjusted p of the first being worse by the margin in a slice.")
    return cells_of("Between slices", columns, n_names=2, note=" ".join(notes))


def _of_test(between: Between) -> tuple[str, ...]:
    test = between.test
    numbers = (test["statistic"], test["effect_sizes"][_SQUARED], test["effect_sizes"]["tau"])
    return *map(short, numbers), pvalue_cell(test["pvalue"]), pvalue_cell(between.pvalue)


# --- two systems by several metrics --------------------------------------------------------


def by_metric_table(grids: Sequence[ReportGrid]) -> Cells:
    """Return the differences and p-values of two systems by several metrics."""
    first, lower = grids[0].first, [r.metric for r in grids if r.first.lower]
    n_rows = {name: n for r in grids for name, n in r.n_rows.items()}
    names = dict.fromkeys([*worst_first(first, grids[0].pairs_in_slices[0]), *n_rows])
    columns: Columns = [
        ("slice", [shown_name(name) for name in names]),
        ("rows", [str(n_rows[name]) for name in names]),
    ]
    for r in grids:
        parts = r.pairs_in_slices[0].parts
        decimals = decimals_for(pair.estimate for pair in parts.values())
        cells = [
            f"{fixed(parts[name].estimate, decimals, sign=True)} ({pvalue_text(parts[name].p)})"
            if name in parts
            else "not compared"
            for name in names
        ]
        columns.append((r.metric, cells))
    a, b = map(shown_name, first.pairs[0][:2])
    way = f"higher is better, but for {', '.join(lower)}"
    if len(lower) in (0, len(grids)):
        way = direction(first)
    n = max(len(r.reports) for r in grids)
    title = f"Slice by slice, {a} {_MINUS} {b}, with p adjusted for {n} slices; {way}"
    return first_rows(cells_of(title, columns))
