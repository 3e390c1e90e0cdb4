"""What is shown of several reports: by metric, by seed, or by slice; what they share once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, isnan
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
    Rows,
    Says,
    heaviest_first,
)
from skstat.report._model import InSlices, Pair, Report, ReportGrid
from skstat.report._sections.details import detail_rows, planned_rows
from skstat.report._sections.drawing import pair_tone, tone_of
from skstat.report._sections.performance import performance_document, performance_table
from skstat.report._sections.report import (
    has_few_units,
    report_document,
    scores_row,
    would_take,
)
from skstat.report._sections.systems import interval_cell
from skstat.report._words.conclude import conclude
from skstat.report._words.metric import direction, good, good_best, is_turned
from skstat.report._words.numbers import (
    decimals_for,
    fixed,
    percent,
    pvalue_cell,
    pvalue_text,
    short,
)
from skstat.report._words.say_grid import (
    NOT_ADJUSTED,
    are_performances,
    may_be_best,
    of_seeds,
    slices_by_metric,
)
from skstat.report._words.terms import (
    adjustment_name,
    join_items,
    join_names,
    omnibus_text,
)
from skstat.stats._outcomes import unit_word

_MOST_BARS = 25  # slices; a page of dots says less than the table
_MOST_AGAINST = 3  # pairs whose verdicts fit beside each other
_MOST_SYSTEMS = 6  # whose scores fit beside each other
_FIRST, _FIRST_SEEDS = 12, 8  # slices and seeds that are shown at first sight
_LEAST_PAIRS = 5  # shown although they differ in no slice
_MOST_PAIRS = 30  # comparisons of a screen, of pairs in slices, that are listed one by one

_HOW = "What was tested, and how"

_Columns = list[tuple[str, list[str]]]


def document(r: Report | ReportGrid, full: bool, *, screen: bool = False) -> list[Block]:
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
        if r.is_performance:
            return performance_document(r, full)
        return report_document(r, full, screen=screen)
    if r.by == "metric":
        if not full and (said := slices_by_metric(r)):
            return list(_slices_of_metrics(r, said))
        return list(_by_metric(r, full, screen))
    if r.by == "seed":
        return list(_by_seed(r, full, screen))
    assert r.overall is not None
    by_slice = _slices_of_pair if r.overall.is_pair else _slices_of_systems
    return list(by_slice(r, r.overall, full, screen))


def _doubts(grid: ReportGrid) -> Iterator[Doubts]:
    found = _of_metrics(grid) if grid.by == "metric" else grid.doubts
    if found:
        yield Doubts(found)


def _of_metrics(grid: ReportGrid) -> list[Any]:
    """Return the doubts about several metrics, each kind once: the heaviest, and where else."""
    raised: dict[str, dict[str, Any]] = {}
    metrics = [r.metric for r in grid.reports.values()]
    for key, r in grid.reports.items():
        name = r.metric if metrics.count(r.metric) == 1 else key
        for doubt in heaviest_first(r.doubts):
            raised.setdefault(doubt.code, {}).setdefault(name, doubt)
    found = []
    for by in raised.values():
        told = heaviest_first(by.values())[0]
        if len(by) == len(grid.reports) and len({doubt.text for doubt in by.values()}) == 1:
            found.append(told)
            continue
        metric = next(name for name, doubt in by.items() if doubt is told)
        lead = "" if metric in told.text else f"{metric}: "
        others = join_names(name for name in by if name != metric) if len(by) > 1 else ""
        also = f" The same holds by {others}." if others else ""
        found.append(replace(told, text=f"{lead}{told.text}{also}"))
    return found


# --- parts below each other, and the rows that they share ---------------------------------


@dataclass
class _Part:
    """What one of several reports shows, its rows of label and text apart."""

    name: str
    title: str
    badges: Sequence[Badge] = ()
    says: Says | None = None
    shown: list[Block] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    details: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    place: int = 0  # among the parts of the same report


def _parts(name: str, blocks: Iterable[Block]) -> list[_Part]:
    """Return what a report shows, or its own parts; what these share stands with the first."""
    parts = [_Part(name, name)]
    part = parts[0]
    for block in blocks:
        match block:
            case Says(badges=badges, heading=heading) if part is parts[0]:
                part.says, part.title, part.badges = block, heading, badges
            case Says():
                part.says = block
            case Heading(text, badges):
                part = _Part(name, text, badges, place=len(parts)) if text else parts[0]
                parts += [part] if text else []
            case Facts():
                part.rows += block.rows
            case Fold(title, [Facts() as facts]):
                part.details.setdefault(title, []).extend(facts.rows)
            case Doubts():
                pass
            case _:
                part.shown.append(block)
    return parts


def _shared(each: Mapping[str, Rows], least: int) -> list[tuple[str, str]]:
    """Return rows that so many parts have or more, with the names of the parts if not all."""
    holders: dict[str, dict[str, list[str]]] = {}
    for name, rows in each.items():
        for label, text in rows:
            holders.setdefault(label, {}).setdefault(text, []).append(name)
    found = []
    for label, texts in holders.items():
        head = label
        for text, names in texts.items():
            if len(names) == len(each):
                found.append((head, text))
            elif len(names) >= least:
                found.append((head, f"{join_names(names)}: {text}"))
            else:
                continue
            head = ""
    return found


def _below_each_other(parts: Sequence[_Part]) -> Iterator[Block]:
    """Show parts under their titles; rows that several of them have come once, at the end.

    Of parts that have parts of their own, the first share rows with the first, and so on.
    """
    rows: dict[int, dict[str, Rows]] = {}
    details: dict[tuple[int, str], dict[str, Rows]] = {}
    for part in parts:
        rows.setdefault(part.place, {})[part.name] = part.rows
        for title, inner in part.details.items():
            details.setdefault((part.place, title), {})[part.name] = inner
    for part in parts:
        yield Heading(part.title, part.badges)
        if part.says is not None:
            yield part.says
        yield from (block for block in part.shown if not isinstance(block, Fold))
        yield Facts(_own(rows[part.place], part.name))
        yield from (block for block in part.shown if isinstance(block, Fold))
        for title in part.details:
            if own := _own(details[part.place, title], part.name):
                yield Fold(title, [Facts(own)])
    yield Heading("")
    yield Facts(_shared_by(rows.values(), 2))
    if same := _shared_by(details.values(), 2):
        several = "all" if same == _shared_by(details.values()) else "several"
        yield Fold(f"What is the same of {several}", [Facts(same)])


def _shared_by(
    families: Iterable[Mapping[str, Rows]], least: int | None = None
) -> list[tuple[str, str]]:
    """Return the rows that parts of each family share, each once; default those of all."""
    found = (row for each in families for row in _shared(each, least or len(each)))
    return list(dict.fromkeys(found))


def _own(each: Mapping[str, Rows], name: str) -> list[tuple[str, str]]:
    """Return the rows that no other part has."""
    others = [row for other, rows in each.items() if other != name for row in rows]
    return [row for row in each[name] if row not in others]


# --- by metric -----------------------------------------------------------------------------


def _by_metric(grid: ReportGrid, full: bool, screen: bool) -> Iterator[Block]:
    parts: list[_Part] = []
    leads, follows, subjects = [], [], set()
    for r in grid.reports.values():
        first, *others = _parts(r.metric, document(r, full, screen=screen))
        assert first.says is not None
        lead, *rest = first.says.sentences
        leads.append(lead)
        follows.append(" ".join([*rest, *first.says.follows]))
        subjects.add(first.title.removesuffix(f", {r.metric}"))
        first.says = None
        parts += [first, *others]
    of_all = NOT_ADJUSTED
    if are_performances(grid):
        *leads, of_all = conclude(grid)
        follows = [""] * len(leads)
    metrics = ", ".join(dict.fromkeys(r.metric for r in grid.reports.values()))
    heading = f"{subjects.pop()}, {metrics}" if len(subjects) == 1 else metrics
    yield Says([*leads, ""], heading=heading, follows=[*follows, of_all], leads="all")
    if are_performances(grid):
        yield performance_table([r for r in grid.reports.values() if isinstance(r, Report)])
        for part in parts:
            part.shown = [block for block in part.shown if not isinstance(block, Cells)]
    if full:
        yield from _doubts(grid)
        yield from _below_each_other(parts)
        return
    told = {}
    for part in parts:
        of_scores = (part.name, f"Mean {part.name}")
        yield from _with_notes_once(part, parts)
        yield Facts([row for row in part.rows if row[0] in of_scores])
        told[part.name] = [row for row in part.rows if row[0] not in of_scores]
    yield Facts(_shared(told, 1))
    yield from _doubts(grid)


def _with_notes_once(part: _Part, parts: Sequence[_Part]) -> Iterator[Block]:
    """Show what a part shows, but for notes below tables that a later table has too."""
    later = parts[parts.index(part) + 1 :]
    said = {b.note for other in later for b in other.shown if isinstance(b, Cells)}
    for block in part.shown:
        is_said = isinstance(block, Cells) and block.note in said
        yield block._replace(note="") if is_said else block  # type: ignore[call-arg]


def _slices_of_metrics(grid: ReportGrid, said: Sequence[str]) -> Iterator[Block]:
    """Show two systems in slices by several metrics, in one table."""
    grids = [r for r in grid.reports.values() if isinstance(r, ReportGrid)]
    first = grids[0].first
    pairs = {r.metric: r.pairs_in_slices[0] for r in grids}
    a, b = map(shown_name, first.pairs[0][:2])
    ways = {direction(r.first) for r in grids}
    lower = ", ".join(r.metric for r in grids if r.first.lower)
    way = ways.pop() if len(ways) == 1 else f"higher is better, but for {lower}"
    n_rows = {name: n for r in grids for name, n in r.n_rows.items()}
    n_sliced = max(len(r.reports) for r in grids)
    (_, of_first), *_ = pairs.items()
    names = sorted(n_rows, key=lambda name: _goodness(first, of_first.parts.get(name)))
    columns: _Columns = [
        ("slice", [shown_name(name) for name in names]),
        ("rows", [str(n_rows[name]) for name in names]),
    ]
    for metric, of in pairs.items():
        decimals = decimals_for(pair.estimate for pair in of.parts.values())
        cells = (of.parts.get(name) for name in names)
        columns.append((metric, [_with_p(pair, decimals) for pair in cells]))
    yield Says(said, heading=f"{a} against {b}, {', '.join(pairs)}")
    title = (
        f"Slice by slice, {a} \N{MINUS SIGN} {b}, with p adjusted for {n_sliced} slices; {way}"
    )
    yield _first_rows(_cells(title, columns))
    yield Facts(_shared({r.metric: _slice_facts(r) for r in grids}, 1))
    yield from _doubts(grid)
    yield Fold(_HOW, ())


def _with_p(pair: Pair | None, decimals: int) -> str:
    if pair is None:
        return "not compared"
    return f"{fixed(pair.estimate, decimals, sign=True)} ({pvalue_text(pair.p)})"


def _cells(title: str, columns: _Columns, **look: object) -> Cells:
    rows = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
    return Cells(title, [name for name, _ in columns], rows, **look)  # type: ignore[arg-type]


def _first_rows(cells: Cells, most: int = _FIRST) -> Cells:
    """Return the first rows of a table, and count the others."""
    left = len(cells.rows) - most
    if left <= 0:
        return cells
    note = f"{cells.note} Not shown: {left} more.".strip()
    return cells._replace(rows=cells.rows[:most], tones=cells.tones[:most], note=note)


# --- by seed -------------------------------------------------------------------------------


def _by_seed(grid: ReportGrid, full: bool, screen: bool) -> Iterator[Block]:
    first = grid.first
    against = " against ".join(map(shown_name, grid.systems))
    yield Says([of_seeds(grid)], heading=f"{against}, seed by seed, {first.metric}")
    table = _seeds_table(grid)
    yield table if full else _first_rows(table, _FIRST_SEEDS)
    each = {name: document(r, full, screen=screen) for name, r in grid.reports.items()}
    parts = [part for name, blocks in each.items() for part in _parts(name, blocks)]
    for part in parts:
        part.title = f"{part.name}: {part.title}"
    yield from _doubts(grid)
    if full:
        yield from _below_each_other(parts)
    else:
        yield Facts(_shared({part.name: part.rows for part in parts}, len(parts)))
        yield Fold(_HOW, ())


def _seeds_table(grid: ReportGrid) -> Cells:
    """Return scores, difference, interval, p-value and the better system for every seed."""
    reports = [r for r in grid.reports.values() if isinstance(r, Report)]
    first, pairs = reports[0], [r.pairs[0] for r in reports]
    a, b = map(shown_name, grid.systems)
    decimals = decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))
    verdicts = {"better": a, "worse": b, "higher": a, "lower": b}
    means = [[fixed(s.mean, max(3, decimals)) for s in r.systems] for r in reports]
    columns: _Columns = [
        ("", list(grid.reports)),
        (a, [one for one, _ in means]),
        (b, [other for _, other in means]),
        ("difference", [fixed(pair.estimate, decimals, sign=True) for pair in pairs]),
        (
            f"{percent(first.confidence_level)} interval",
            [interval_cell(pair, decimals) for pair in pairs],
        ),
        ("p", [pvalue_cell(pair.pvalue) for pair in pairs]),
        (
            good(first),
            [
                "no test" if isnan(p.pvalue) else verdicts.get(p.verdict, p.verdict)
                for p in pairs
            ],
        ),
    ]
    of = f"{a} \N{MINUS SIGN} {b}"
    if first.by_rank:
        of = f"rank of {b} \N{MINUS SIGN} rank of {a}"
    elif not first.quantity.is_difference:
        of = f"{first.quantity.name}, {of}"
    title = f"Seed by seed, {first.metric}, {direction(first)}"
    return _cells(title, columns, words=len(columns) - 1, note=f"Difference: {of}.")


# --- two systems by slice ------------------------------------------------------------------


def _slices_of_pair(
    grid: ReportGrid, overall: Report, full: bool, screen: bool
) -> Iterator[Block]:
    (of,) = grid.pairs_in_slices
    a, b = map(shown_name, of.overall[:2])
    yield Says(conclude(grid), _badges(of), f"{a} against {b}, {overall.metric}")
    yield from _bars(overall, of)
    table = _slices_table(grid, of, full)
    is_long = len(table.rows) > _FIRST
    yield table if full and screen else _first_rows(table)
    nothing = all(pair.verdict == "undecided" for pair in of.parts.values())
    takes = would_take(overall) if nothing and not has_few_units(overall) else ""
    yield Facts([*_slice_facts(grid), *([("Would take", takes)] if takes else [])])
    yield from _doubts(grid)
    if full and is_long and not screen:
        title = f"All slices. {table.title}"
        yield Fold(title, [table._replace(title=title)])
    if full:
        planned = planned_rows(overall) if takes else []
        of_all = [scores_row(overall), *detail_rows(overall), *planned]
        yield Fold(_HOW, [Facts([*_about_slices(grid, of), *of_all])])
    else:
        yield Fold(_HOW, ())


def _badges(of: InSlices) -> list[Badge]:
    """Count the slices of every verdict, the worst first."""
    verdicts = [p.verdict for name, p in of.parts.items() if name not in of.explained_by]
    return [
        Badge(f"{clip(of.overall.first)}: {n} {kind}", tone_of(kind))
        for kind in _VERDICTS
        if (n := verdicts.count(kind))
    ]


_VERDICTS = ("worse", "lower", "undecided", "not inferior", "equivalent", "higher", "better")


def _bars(overall: Report, of: InSlices) -> Iterator[Bars]:
    """Draw the differences in slices against zero, and that on all rows."""
    if len(of.parts) > _MOST_BARS:
        return
    ordered = sorted(of.parts.items(), key=lambda item: _goodness(overall, item[1]))
    rows = [
        Bar(name, pair.low, pair.estimate, pair.high, tone_of(pair.verdict))
        for name, pair in (*ordered, ("all rows", of.overall))
    ]
    if not any(isfinite(bar.low) or isfinite(bar.high) for bar in rows[:-1]):
        return
    who = f"{clip(of.overall.first, 20)} {good(overall)}"
    left, right = (who, "") if overall.lower else ("", who)
    says = "intervals of the difference in slices"
    yield Bars(rows, left, right, title="difference", margin=overall.margin, says=says)


def _goodness(r: Report, pair: Pair | None) -> float:
    """Order slices by what the first system gains there, the worst first."""
    if pair is None or isnan(pair.estimate):
        return 0.0
    return -pair.estimate if is_turned(r) else pair.estimate


def _slices_table(grid: ReportGrid, of: InSlices, full: bool) -> Cells:
    """Return slices as rows, the worst for the first system on top.

    At first sight without the scores that the difference is of.
    """
    overall = grid.first
    a, b = map(shown_name, of.overall[:2])
    names = sorted(of.parts, key=lambda name: _goodness(overall, of.parts[name]))
    pairs = [of.parts[name] for name in names]
    reports = [r for name in names if isinstance(r := grid.reports[name], Report)]
    decimals = decimals_for(
        end for p in (*pairs, of.overall) for end in (p.estimate, p.low, p.high)
    )
    columns: _Columns = [
        ("slice", [shown_name(name) for name in names]),
        ("rows", [str(grid.n_rows[name]) for name in names]),
    ]
    if full:
        if overall.unit not in ("instance", "split"):
            units = [str(r.n_units) for r in reports]
            columns.append((f"{unit_word(overall.unit)}s", units))
        for name, of_first in ((a, True), (b, False)):
            means = [r.systems[0 if of_first else 1].mean for r in reports]
            columns.append((name, [fixed(mean, max(3, decimals)) for mean in means]))
    several = len(pairs) > 1
    columns += [
        ("difference", [fixed(pair.estimate, decimals, sign=True) for pair in pairs]),
        (
            f"{percent(overall.confidence_level)} interval",
            [interval_cell(pair, decimals) for pair in pairs],
        ),
        ("adjusted p" if several else "p", [pvalue_cell(pair.p) for pair in pairs]),
    ]
    size = fixed(of.overall.estimate, decimals, sign=True)
    notes = [f"Difference: {a} \N{MINUS SIGN} {b}; over all rows {size}."]
    if all(r.simultaneous for r in reports):
        notes.append("Intervals are simultaneous.")
    elif several:
        notes.append("Intervals are adjusted.")
    if of.shrunken and full:
        drawn = [fixed(of.shrunken[name], decimals, sign=True) for name in names]
        columns.append(("shrunken", drawn))
        notes.append(_SHRUNKEN)
    if of.explained_by:
        by = dict.fromkeys(one for each in of.explained_by.values() for one in each)
        notes.append(f"Shared: not significant without the rows of {join_names(by)}.")
    columns.append(("verdict", [_verdict(of, name) for name in names]))
    return _cells(
        f"Slice by slice, {overall.metric}, {direction(overall)}",
        columns,
        words=len(columns) - 1,
        note=" ".join(notes),
        tones=[tone_of(pair.verdict) for pair in pairs],
    )


_SHRUNKEN = "Shrunken: drawn towards the common mean, as far as differences are noise."


def _verdict(of: InSlices, name: str) -> str:
    return of.parts[name].verdict + ", shared" * (name in of.explained_by)


def _slice_facts(grid: ReportGrid) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    n, overall = len(grid.reports), grid.first
    tests = dict.fromkeys(
        pair.test for r in grid.reports.values() if isinstance(r, Report) for pair in r.pairs
    )
    of = f"{n} slices" if overall.is_pair and n == grid.n_comparisons else ""
    of = of or f"{grid.n_comparisons} pairs in slices"
    adjusted = f", adjusted by {adjustment_name(grid.adjustment)} for {of}" * (n > 1)
    cut = join_names(grid.cut_by) if grid.cut_by else "one column"
    outside = grid.n_outside
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [("Slices", f"{n} by {cut}{rest}"), ("Tests", f"{'; '.join(tests)}{adjusted}")]


def _about_slices(grid: ReportGrid, of: InSlices) -> list[tuple[str, str]]:
    """Return the details of the slices of two systems, which stand before those of all rows."""
    rows = []
    if of.between is not None:
        test, asked = of.between.test, len(of.between.test["names"])
        known = f" (of {asked} slices in which it is known how much it varies)" * (
            asked < len(grid.reports)
        )
        adjusted = f", adjusted {pvalue_text(of.between.pvalue)}" * of.between.is_adjusted
        rows += [
            ("Between slices", f"{omnibus_text(test)}{adjusted}{known}"),
            ("Null, between slices", test["null_hypothesis"]),
            (
                "Spread of the true differences",
                f"standard deviation {short(test['effect_sizes']['tau'])}, estimated",
            ),
        ]
    if of.not_worse is not None:
        rows.append(
            (
                "Not worse in any slice",
                f"largest one-sided {pvalue_cell(of.not_worse.pvalue)}; every slice must be "
                "shown, so that nothing is adjusted",
            )
        )
    return [*rows, *_how_sliced(grid)]


def _how_sliced(grid: ReportGrid) -> list[tuple[str, str]]:
    left = join_items([f"{name} ({why})" for name, why in grid.left_out.items()])
    rows = [("How slices were made", join_items(grid.notes)), ("Not compared", left)]
    return [(label, text) for label, text in rows if text]


# --- several systems by slice --------------------------------------------------------------


def _slices_of_systems(
    grid: ReportGrid, overall: Report, full: bool, screen: bool
) -> Iterator[Block]:
    lead, *rest = conclude(grid)
    heading = f"{len(grid.systems)} systems, in slices of the rows, {overall.metric}"
    yield Says([lead], heading=heading, follows=[" ".join(rest)])
    table = _overview(grid, overall)
    yield table if full else _first_rows(table)
    yield Facts(_slice_facts(grid))
    yield from _doubts(grid)
    if not full:
        yield Fold(_HOW, ())
        return
    tables = [_pairs_by_slice(grid, overall)]
    if not screen or grid.n_comparisons <= _MOST_PAIRS:
        tables = [_pairs_of_slice(grid, overall, name) for name in grid.reports]
        tables[:-1] = [one._replace(note="") for one in tables[:-1]] if screen else tables[:-1]
        tables += [_between(grid)] if grid.between or grid.not_worse else []
    for one in tables:
        yield Fold(one.title, [one])
    yield Fold("How slices were compared", [Facts(_how_compared(grid))])
    yield Heading("All rows")
    for block in report_document(overall, full, screen=screen):
        if not isinstance(block, Says | Doubts):
            yield block


def _overview(grid: ReportGrid, overall: Report) -> Cells:
    """Return slices as rows: scores of the systems, and which of them may be the best."""
    parts = {name: r for name, r in grid.reports.items() if isinstance(r, Report)}
    scores = {name: {s.name: s.mean for s in r.systems} for name, r in parts.items()}
    decimals = decimals_for(score for each in scores.values() for score in each.values())
    columns: _Columns = [
        ("slice", [shown_name(name) for name in parts]),
        ("rows", [str(grid.n_rows[name]) for name in parts]),
    ]
    systems = grid.systems if len(grid.systems) <= _MOST_SYSTEMS else ()
    for system in systems:
        means = [scores[name].get(system) for name in parts]
        cells = ["" if mean is None else fixed(mean, decimals) for mean in means]
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
    return _cells(
        f"Slice by slice, {overall.metric}, {direction(overall)}",
        columns,
        words=2 + len(systems),
        spare=range(2, 2 + len(systems)),
        note=f"Adjusted for all {grid.n_comparisons} comparisons, of pairs in slices.",
    )


def _counted(r: Report) -> str:
    """Count the comparisons in a slice by their verdicts."""
    verdicts = list(r.verdicts)
    return ", ".join(f"{n} {kind}" for kind in _VERDICTS if (n := verdicts.count(kind)))


def _pairs_of_slice(grid: ReportGrid, overall: Report, slice_name: str) -> Cells:
    """Return all comparisons in one slice."""
    found = [of for of in grid.pairs_in_slices if slice_name in of.parts]
    pairs = [of.parts[slice_name] for of in found]
    decimals = decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))
    columns: _Columns = [
        ("first", [shown_name(pair.first) for pair in pairs]),
        ("second", [shown_name(pair.second) for pair in pairs]),
        ("difference", [fixed(pair.estimate, decimals, sign=True) for pair in pairs]),
        (
            f"{percent(overall.confidence_level)} interval",
            [interval_cell(pair, decimals) for pair in pairs],
        ),
        ("adjusted p", [pvalue_cell(pair.p) for pair in pairs]),
    ]
    notes = ["Difference: first \N{MINUS SIGN} second."]
    if overall.margin is not None:
        columns.append(("equivalence p", [pvalue_cell(pair.equivalence_p) for pair in pairs]))
    if any(of.shrunken for of in found):
        drawn = [of.shrunken.get(slice_name, float("nan")) for of in found]
        columns.append(("shrunken", [fixed(one, decimals, sign=True) for one in drawn]))
        notes.append(_SHRUNKEN)
    if any(slice_name in of.explained_by for of in found):
        notes.append("Shared: not significant without the rows that it shares with others.")
    better = []
    for of, pair in zip(found, pairs, strict=True):
        ahead = {"better": pair.first, "worse": pair.second}
        ahead |= {"higher": pair.first, "lower": pair.second}
        said = shown_name(ahead[pair.verdict]) if pair.verdict in ahead else pair.verdict
        shared = ", shared" * (slice_name in of.explained_by)
        better.append("no test" if isnan(pair.p) else f"{said}{shared}")
    columns.append((good(overall), better))
    letters = {
        "better": "1st",
        "higher": "1st",
        "worse": "2nd",
        "lower": "2nd",
        "equivalent": "=",
    }
    return _cells(
        f"In pairs, {shown_name(slice_name)}",
        columns,
        n_names=2,
        words=len(columns) - 1,
        note=" ".join(notes),
        tones=[pair_tone(pair) for pair in pairs],
        letters=[letters.get(pair.verdict, "\N{EN DASH}") for pair in pairs],
    )


def _pairs_by_slice(grid: ReportGrid, overall: Report) -> Cells:
    """Return the differences of many pairs, slice by slice, in one table.

    Of pairs that differ in no slice only the surest are shown.
    """
    found = sorted(grid.pairs_in_slices, key=_surest)
    n_telling = sum(_surest(of) < overall.alpha for of in found)
    left = len(found) - max(_LEAST_PAIRS, min(n_telling, _MOST_PAIRS))
    found = found[: len(found) - max(0, left)]
    decimals = decimals_for(p.estimate for of in found for p in of.parts.values())

    def cell(pair: Pair | None) -> str:
        if pair is None:
            return ""
        mark = "=" if pair.verdict == "equivalent" else "*" if pair.p < overall.alpha else " "
        return fixed(pair.estimate, decimals, sign=True) + mark

    columns: _Columns = [
        ("first", [shown_name(of.overall.first) for of in found]),
        ("second", [shown_name(of.overall.second) for of in found]),
    ]
    columns += [
        (shown_name(name), [cell(of.parts.get(name)) for of in found]) for name in grid.reports
    ]
    notes = [
        "Difference: first \N{MINUS SIGN} second. *: significant, adjusted for all "
        f"{grid.n_comparisons} comparisons.",
        "=: equivalent." * (overall.margin is not None),
        f"Not shown: {left} more pairs." * (left > 0),
        "All intervals and p-values: to_frame().",
    ]
    if grid.between:
        varies = ["" if of.between is None else pvalue_cell(of.between.pvalue) for of in found]
        columns.append(("varies", varies))
        notes.append("Varies: adjusted p of Cochran's Q between slices.")
    if grid.not_worse:
        shown = [
            "" if of.not_worse is None else pvalue_cell(of.not_worse.pvalue) for of in found
        ]
        columns.append(("not worse", shown))
        notes.append("Not worse: adjusted p of the first being worse by the margin in a slice.")
    title = f"In pairs, slice by slice, {overall.metric}, {direction(overall)}"
    return _cells(title, columns, n_names=2, note=" ".join(filter(None, notes)))


def _surest(of: InSlices) -> float:
    """Return the smallest p-value of a difference, of equivalence, or of variation."""
    found = [p for pair in of.parts.values() for p in (pair.p, pair.equivalence_p)]
    found += [] if of.between is None else [of.between.pvalue]
    return min((p for p in found if not isnan(p)), default=2.0)


_OF_TEST: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("Q", lambda test: short(test["statistic"])),
    ("I\N{SUPERSCRIPT TWO}", lambda test: short(test["effect_sizes"]["I\N{SUPERSCRIPT TWO}"])),
    ("spread", lambda test: short(test["effect_sizes"]["tau"])),
    ("p", lambda test: pvalue_cell(test["pvalue"])),
)


def _between(grid: ReportGrid) -> Cells:
    """Return whether the difference of every pair varies between slices."""
    found = grid.pairs_in_slices
    columns: _Columns = [
        ("first", [shown_name(of.overall.first) for of in found]),
        ("second", [shown_name(of.overall.second) for of in found]),
    ]
    notes = []
    if grid.between:
        tests = [None if of.between is None else of.between.test for of in found]
        for title, value in _OF_TEST:
            cells = ["" if test is None else value(test) for test in tests]
            columns.append((title, cells))
        adjusted = [
            "" if of.between is None else pvalue_cell(of.between.pvalue) for of in found
        ]
        columns.append(("adjusted p", adjusted))
        notes.append(
            "Q: Cochran's, over slices; I\N{SUPERSCRIPT TWO}: the share of its variation that "
            "is not noise; spread: estimated standard deviation of the true differences."
        )
    if grid.not_worse:
        shown = [
            "" if of.not_worse is None else pvalue_cell(of.not_worse.pvalue) for of in found
        ]
        columns.append(("not worse", shown))
        notes.append(
            "Not worse: adjusted p of the first being worse by the margin in some slice."
        )
    return _cells("Between slices", columns, n_names=2, note=" ".join(notes))


def _how_compared(grid: ReportGrid) -> list[tuple[str, str]]:
    tests = {one.test["test"]: one.test["null_hypothesis"] for one in grid.between}
    rows = [
        ("Between slices", "; ".join(tests)),
        ("Null, between slices", "; ".join(dict.fromkeys(tests.values()))),
    ]
    return [*((label, text) for label, text in rows if text), *_how_sliced(grid)]
