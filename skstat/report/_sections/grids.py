"""What is shown of several reports: by metric, by seed, or by slice; what they share once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._blocks import (
    Badge,
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
from skstat.report._model import Report, ReportGrid
from skstat.report._sections.performance import performance_document, performance_table
from skstat.report._sections.report import report_document
from skstat.report._sections.slices import (
    HOW,
    by_metric_table,
    cells_of,
    first_rows,
    sizes,
    slice_facts,
    slices_document,
)
from skstat.report._sections.systems import Columns
from skstat.report._words import (
    NOT_ADJUSTED,
    conclude,
    decimals_for,
    direction,
    fixed,
    good,
    join_names,
    pvalue_cell,
    slices_by_metric,
)

_FIRST_SEEDS = 8  # shown at first sight


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
    if r.by == "slice":
        return list(slices_document(r, full, screen))
    return list((_by_metric if r.by == "metric" else _by_seed)(r, full, screen))


def _doubts(grid: ReportGrid) -> Iterator[Doubts]:
    found = _of_metrics(grid) if grid.by == "metric" else grid.doubts
    if found:
        yield Doubts(found)


def _by_name(grid: ReportGrid) -> dict[str, Report | ReportGrid]:
    """Return the reports by the names of their metrics as shown, if these differ."""
    shown = {r.metric: r for r in grid.reports.values()}
    return shown if len(shown) == len(grid.reports) else dict(grid.reports)


def _of_metrics(grid: ReportGrid) -> list[Any]:
    """Return the doubts about several metrics, each kind once: the heaviest, and where else."""
    raised: dict[str, dict[str, Any]] = {}
    for name, r in _by_name(grid).items():
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
    if not full and (said := slices_by_metric(grid)):
        yield from _slices_of_two(grid, said)
    else:
        yield from _metric_by_metric(grid, full, screen)
    if not full:
        yield from _doubts(grid)
        yield Fold(HOW, ())


def _metric_by_metric(grid: ReportGrid, full: bool, screen: bool) -> Iterator[Block]:
    parts: list[_Part] = []
    leads, follows, subjects = [], [], set()
    for name, r in _by_name(grid).items():
        first, *others = _parts(name, document(r, full, screen=screen))
        assert first.says is not None
        lead, *rest = first.says.sentences
        leads.append(lead)
        after = " ".join([*rest, *first.says.follows])
        # Where parts are unfolded each says the rest itself.
        in_part = bool(full and not screen and after)
        follows.append("" if in_part else after)
        subjects.add(first.title.removesuffix(f", {r.metric}"))
        first.says = Says([after]) if in_part else None
        parts += [first, *others]
    of_all, tables = NOT_ADJUSTED, []
    if grid.first.is_performance:
        *leads, of_all = conclude(grid)
        follows = [""] * len(leads)
        tables = [performance_table([part for _, part in grid.each()])]
        for part in parts:
            part.shown = [block for block in part.shown if not isinstance(block, Cells)]
    metrics = ", ".join(dict.fromkeys(r.metric for r in grid.reports.values()))
    heading = f"{subjects.pop()}, {metrics}" if len(subjects) == 1 else metrics
    yield Says([*leads, ""], heading=heading, follows=[*follows, of_all], leads="all")
    yield from tables
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


def _with_notes_once(part: _Part, parts: Sequence[_Part]) -> Iterator[Block]:
    """Show what a part shows, but for notes below tables that a later table has too."""
    later = parts[parts.index(part) + 1 :]
    said = {b.note for other in later for b in other.shown if isinstance(b, Cells)}
    for block in part.shown:
        is_said = isinstance(block, Cells) and block.note in said
        yield block._replace(note="") if is_said else block  # type: ignore[call-arg]


def _slices_of_two(grid: ReportGrid, said: Sequence[str]) -> Iterator[Block]:
    """Show two systems in slices by several metrics, in one table."""
    grids = [r for r in grid.reports.values() if isinstance(r, ReportGrid)]
    against = " against ".join(map(shown_name, grid.first.pairs[0][:2]))
    yield Says(said, heading=", ".join([against, *(r.metric for r in grids)]))
    yield by_metric_table(grids)
    yield Facts(_shared({r.metric: slice_facts(r) for r in grids}, 1))


# --- by seed -------------------------------------------------------------------------------


def _by_seed(grid: ReportGrid, full: bool, screen: bool) -> Iterator[Block]:
    against = " against ".join(map(shown_name, grid.systems))
    yield Says(conclude(grid), heading=f"{against}, seed by seed, {grid.metric}")
    table = _seeds_table(grid)
    yield table if full else first_rows(table, _FIRST_SEEDS)
    each = {name: document(r, full, screen=screen) for name, r in grid.reports.items()}
    parts = [part for name, blocks in each.items() for part in _parts(name, blocks)]
    for part in parts:
        part.title = f"{part.name}: {part.title}"
    yield from _doubts(grid)
    if full:
        yield from _below_each_other(parts)
    else:
        yield Facts(_shared({part.name: part.rows for part in parts}, len(parts)))
        yield Fold(HOW, ())


def _seeds_table(grid: ReportGrid) -> Cells:
    """Return scores, difference, interval, p-value and the better system for every seed."""
    reports = [part for _, part in grid.each()]
    first, pairs = reports[0], [r.pairs[0] for r in reports]
    a, b = map(shown_name, grid.systems)
    decimals = decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))
    verdicts = {"better": a, "worse": b, "higher": a, "lower": b}
    means = [[fixed(s.mean, max(3, decimals)) for s in r.systems] for r in reports]
    columns: Columns = [
        ("", list(grid.reports)),
        (a, [one for one, _ in means]),
        (b, [other for _, other in means]),
        *sizes(first, pairs),
        ("p", [pvalue_cell(pair.pvalue) for pair in pairs]),
    ]
    found = [
        "no test" if isnan(p.pvalue) else verdicts.get(p.verdict, p.verdict) for p in pairs
    ]
    of = f"{a} \N{MINUS SIGN} {b}"
    if first.by_rank:
        of = f"rank of {b} \N{MINUS SIGN} rank of {a}"
    elif not first.quantity.is_difference:
        of = f"{first.quantity.name}, {of}"
    return cells_of(
        f"Seed by seed, {first.metric}, {direction(first)}",
        [*columns, (good(first), found)],
        words=len(columns),
        note=f"Difference: {of}.",
    )
