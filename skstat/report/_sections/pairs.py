"""Comparisons in tables: all pairs of a report, one pair in slices or with seeds, or both."""

from collections.abc import Iterable, Iterator, Sequence
from math import isnan, nan
from typing import Any, Literal, NamedTuple

from skstat._names import shown_name
from skstat.report._blocks import Cells
from skstat.report._model import InSlices, Pair, Report, ReportGrid
from skstat.report._sections.tables import (
    MINUS,
    TONES,
    Column,
    cells,
    decimals_of,
    pair_tone,
    span,
    table,
    test_of_pairs,
)
from skstat.report._words import (
    decimals_for,
    direction,
    fixed,
    good,
    good_best,
    is_turned,
    join_items,
    join_names,
    may_be_best,
    percent,
    probability_text,
    pvalue_cell,
    pvalue_text,
    short,
    where_text,
)
from skstat.stats._outcomes import unit_word

_MOST, _MOST_IN_FULL = 30, 500  # pairs of a screen; pairs that are listed one by one
_MOST_IN_SQUARE = 500  # systems; of more, a line of signs is too long to look at
_FIRST, _FIRST_SEEDS = 12, 8  # slices or seeds at first sight; pairs in slices on a screen
_MOST_SYSTEMS = 6  # whose scores fit beside each other
_SQUARED = "I\N{SUPERSCRIPT TWO}"


class Compared(NamedTuple):
    """A row: a comparison of two systems, on all units, in a slice or with a seed."""

    pair: Pair
    part: str = ""
    shrunken: float = nan  # the estimate, drawn towards that on all rows
    shared: bool = False  # significant only through rows that the slice shares with others


def comparisons(
    r: Report,
    title: str,
    rows: Sequence[Compared],
    *,
    by: str = "",
    beside: Sequence[Column] = (),
    n_left: int = 0,
    where: str = "to_frame()",
    full: bool = True,
) -> Cells:
    """Return comparisons as a table; a system that is the same in all rows has no column.

    Parameters
    ----------
    r : Report
        The question, or the first of several that differ in slice or seed.
    title : str
        What the rows are.
    rows : sequence of Compared
        The comparisons.
    by : str, optional
        What the parts are, if the rows are comparisons in several: "slice", "seed".
    beside : sequence of Column
        What stands between the names and the differences.
    n_left : int, default=0
        How many comparisons are not shown.
    where : str, optional
        Where these can be seen.
    full : bool, default=True
        Whether a text must find room for all of it.
    """
    pairs, own = [row.pair for row in rows], not by
    parts = Column(by, [shown_name(row.part) for row in rows], "name")
    ends = [
        Column("first", [shown_name(pair.first) for pair in pairs], "name"),
        Column("second", [shown_name(pair.second) for pair in pairs], "name"),
    ]
    varied = [column for column in ends if len(set(column.cells)) > 1] or ends * own
    a, b = (column.title if column in varied else column.cells[0] for column in ends)
    last = Column("verdict", [_verdict(r, row) for row in rows], "words")
    if varied:
        last = Column(good(r), [_verdict(r, row, "name") for row in rows], "words")
    return table(
        title,
        [*[parts] * (not own), *varied, *beside, *_numbers(r, rows, own, full), last],
        [*_notes(r, rows, a, b), *(_how_decided(r, pairs) if varied else ())],
        n_left=n_left,
        where=where,
        tones=[pair_tone(pair) if varied else TONES[pair.verdict] for pair in pairs],
        letters=[_verdict(r, row, "place") for row in rows] if len(varied) == 2 else (),
    )


def _numbers(r: Report, rows: Sequence[Compared], own: bool, full: bool) -> Iterator[Column]:
    pairs = [row.pair for row in rows]
    decimals = decimals_of(*pairs)

    def sizes(values: Iterable[float]) -> list[str]:
        return cells(values, lambda size: fixed(size, decimals, sign=True))

    limits = [span(pair.low, pair.high, decimals) for pair in pairs]
    yield Column("difference", sizes(pair.estimate for pair in pairs))
    yield Column(f"{percent(r.confidence_level)} interval", limits)
    adjusted = any(not isnan(pair.adjusted) for pair in pairs)
    if own and any(n != r.n_units for n in r.pairs.columns["n"]):
        yield Column("n", [str(pair.n) for pair in pairs])
    if own or not adjusted:  # in slices the adjusted one decides
        yield Column("p", [pvalue_cell(pair.pvalue) for pair in pairs])
    if adjusted:
        yield Column("adjusted p", [pvalue_cell(pair.adjusted) for pair in pairs])
    equal = cells((pair.equivalence_p for pair in pairs), pvalue_cell)
    yield Column("equivalence p", equal, "number" if full else "spare")
    if own and r.probabilities is not None:
        kinds = {"first": "p_better", "same": "p_same", "second": "p_worse"}
        if not r.probabilities["rope"]:
            del kinds["same"]  # without a region two are left
        drawn = r.probabilities["n_drawn"]
        for who, kind in kinds.items():
            yield Column(
                f"P({who})", [probability_text(getattr(p, kind), drawn) for p in pairs]
            )
    yield Column("shrunken", sizes(row.shrunken for row in rows))


def _notes(r: Report, rows: Sequence[Compared], a: str, b: str) -> Iterator[str]:
    """Say what the numbers are of, and what they allow for."""
    yield from about_differences(r, [row.pair for row in rows], a, b)
    if not all(isnan(row.shrunken) for row in rows):
        yield "Shrunken: drawn towards the common mean, as far as differences are noise."
    if any(row.shared for row in rows):
        yield "Shared: not significant without the rows that it shares with others."


def about_differences(r: Report, pairs: Sequence[Pair], a: str, b: str) -> Iterator[str]:
    """Say what the differences of two are, which are called so, and what they allow for."""
    ends = (f"rank of {b}", f"rank of {a}") if r.by_rank else (a, b)
    yield f"Difference: {f' {MINUS} '.join(ends)}."
    if r.lower and not r.by_rank:
        yield f"Differences below 0: lower {r.metric}, {a} is better."
    if r.simultaneous:
        yield "Intervals are simultaneous."
    elif any(pair.adjusted > pair.pvalue for pair in pairs):
        yield "Intervals are adjusted like the p-values."
    if not (r.quantity.is_difference or r.by_rank):
        name = f"{r.quantity.name[0].upper()}{r.quantity.name[1:]}s"
        of = f" of single {unit_word(r.unit)}s" if r.quantity.of_units else ""
        yield f"{name}{of} are not differences of the mean scores."
    if any(isnan(pair.p) for pair in pairs):
        yield "No p-value: without variance no test is possible."


def _how_decided(r: Report, pairs: Sequence[Pair]) -> Iterator[str]:
    """Say when a pair is called better or equivalent, and what probabilities are of."""
    by = "adjusted " * any(not isnan(pair.adjusted) for pair in pairs)
    yield f"{good(r).capitalize()}: {by}p below {r.alpha:g}."
    if r.margin is not None:
        yield (
            f"Equivalent: {by}equivalence p below {r.alpha:g}, within the margin of "
            f"{short(r.margin)}."
        )
    if any(pair.verdict == "equivalent" and pair.adjusted < r.alpha for pair in pairs):
        yield "Equivalent, and who is ahead: both hold, a difference too small to matter."
    if r.probabilities is not None:
        rope = r.probabilities["rope"]
        beyond = f" by more than {short(rope)}" if rope else ""
        where = where_text(r.probabilities, r.unit)
        lead = f"{where}: that" if where else "that"
        adjusted = "; not adjusted for the number of pairs" * (len(pairs) > 1)
        yield (
            f"P: the comparison of the pair read as probabilities, {lead} the first or the "
            f"second system is {good(r)}{beyond}{adjusted}."
        )


def _verdict(
    r: Report, row: Compared, by: Literal["verdict", "name", "place"] = "verdict"
) -> str:
    """Write the verdict on the first system, or which one is better: its name, or its place."""
    pair, same = row.pair, row.pair.verdict == "equivalent"
    shared = ", shared" * row.shared
    if isnan(pair.p):
        return "no test"
    if by == "verdict":
        return pair.verdict + shared
    sides = {"better": 1, "higher": 1, "worse": -1, "lower": -1}
    side = sides.get(pair.verdict, 0)
    if same and pair.adjusted < r.alpha:
        side = pair.toward
    if by == "place":
        place = {1: "1st", -1: "2nd"}.get(side, "")
        return f"= {place}".strip() if same else place or "\N{EN DASH}"
    if not side or same:
        return pair.verdict + {1: " (first)", -1: " (second)"}.get(side, "") + shared
    return shown_name(pair.first if side > 0 else pair.second) + shared


def pairs_table(r: Report, screen: bool) -> Cells:
    """Return the comparisons, the surest first."""
    shown = r.surest[: _MOST if screen else _MOST_IN_FULL]
    with_control = "" if r.control is None else f" with {shown_name(r.control)}"
    rows = [Compared(r.pairs[place]) for place in shown]
    title = f"In pairs{with_control}: {test_of_pairs(r)}"
    return comparisons(r, title, rows, n_left=len(r.pairs) - len(shown))


def verdict_square(r: Report) -> Cells | None:
    """Return the verdicts on all pairs; None where a list of the pairs serves as well."""
    few = len(r.pairs) <= _MOST_IN_FULL
    if few or r.control is not None or len(r.names) > _MOST_IN_SQUARE:
        return None
    place = {name: number for number, name in enumerate(r.names)}
    lines = [["?"] * len(place) for _ in place]
    for number, line in enumerate(lines):
        line[number] = "o"
    won, lost, same = ("+", "-"), ("-", "+"), ("=", "=")
    sides = {"better": won, "higher": won, "worse": lost, "lower": lost, "equivalent": same}
    keys = ("first", "second", "verdict", "adjusted")
    columns = [r.pairs.columns[key] for key in keys]
    for first, second, verdict, adjusted in zip(*columns, strict=True):
        if not isnan(adjusted):
            i, j = place[first], place[second]
            lines[i][j], lines[j][i] = sides.get(verdict, (".", "."))
    # Of the system of a line against that of a column.
    signs = {
        "+": f"the system of the line is {good(r)}",
        "-": f"it is {good(r, up=False)}",
        "=": "equivalent",
        ".": "no significant difference",
        "?": "no test",
    }
    used = {sign for line in lines for sign in line}
    meanings = ", ".join(f"{sign} {text}" for sign, text in signs.items() if sign in used)
    numbers = range(1, len(lines) + 1)
    found = table(
        "All pairs: line against column, in the order of the ranking",
        [
            Column("", list(map(str, numbers)), "name"),
            Column("", [shown_name(name) for name in r.names], "name"),
            Column("".join(str(n % 10) for n in numbers), list(map("".join, lines)), "words"),
        ],
        [f"{meanings}. Numbers: to_frame()."],
    )
    return found._replace(signs=2)


def comparisons_table(r: Report | ReportGrid) -> Cells:
    """Return every comparison of a report, of slices or of seeds, for a paper."""
    if isinstance(r, Report):
        return comparisons(r, "", [Compared(pair) for pair in r.pairs])
    return parts_table(r, True) if r.first.is_pair else pairs_in_slices_table(r, False)


# --- in slices, or with seeds --------------------------------------------------------------


def worst_first(r: Report, of: InSlices) -> dict[str, Pair]:
    """Return slices by what the first system gains there, the worst first."""
    turn = -1 if is_turned(r) else 1

    def gain(name: str) -> float:
        estimate = of.parts[name].estimate
        return 0.0 if isnan(estimate) else turn * estimate

    return {name: of.parts[name] for name in sorted(of.parts, key=gain)}


def parts_table(grid: ReportGrid, full: bool) -> Cells:
    """Return slices or seeds as rows: scores, and the difference of two or who may be best."""
    r, each, of = grid.first, dict(grid.each()), None
    if grid.overall is not None and r.is_pair:
        (of,) = grid.pairs_in_slices
        each = {name: each[name] for name in worst_first(r, of)}
    most = _FIRST if grid.n_rows else _FIRST_SEEDS
    names = list(each) if full else list(each)[:most]
    parts = [each[name] for name in names]
    title = f"{grid.by.capitalize()} by {grid.by}, {r.metric}, {direction(r)}"
    left: Any = {"n_left": len(each) - len(names), "where": "print(report.details)"}
    beside = [*_sizes_of_parts(grid, names, full), *_scores_of_parts(grid, parts)]
    if not r.is_pair:
        names_of = Column("slice", list(map(shown_name, names)), "name")
        note = f"Adjusted for all {grid.n_comparisons} comparisons, of pairs in slices."
        return table(title, [names_of, *beside, _best_in_slices(grid, names)], [note], **left)
    rows = []
    for name, part in zip(names, parts, strict=True):
        a, b = grid.systems  # of seeds, those of the parts have other names
        row = Compared(part.pairs[0]._replace(first=a, second=b), name)
        if of is not None:
            near = of.shrunken.get(name, nan) if full else nan
            row = row._replace(shrunken=near, shared=name in of.explained_by)
        rows.append(row)
    return comparisons(parts[0], title, rows, by=grid.by, beside=beside, full=full, **left)


def _sizes_of_parts(grid: ReportGrid, names: Sequence[str], full: bool) -> Iterator[Column]:
    """Return how many rows there are in slices, and units where these are something else."""
    reports, r = dict(grid.each()), grid.first
    if grid.n_rows:
        yield Column("rows", [str(grid.n_rows[name]) for name in names])
    if full and r.unit not in ("instance", "split"):
        yield Column(f"{unit_word(r.unit)}s", [str(reports[name].n_units) for name in names])


def _scores_of_parts(grid: ReportGrid, parts: Sequence[Report]) -> Iterator[Column]:
    """Return the scores of every system, if not too many, for a line that has room."""
    is_pair, found = grid.first.is_pair, []
    for part in parts:
        names = grid.systems if is_pair else part.names
        found.append(dict(zip(names, part.systems.column("mean"), strict=True)))
    decimals = decimals_for(score for scores in found for score in scores.values())
    if is_pair:
        decimals = max(3, decimals_of(*(part.pairs[0] for part in parts)))
    for system in grid.systems if len(grid.systems) <= _MOST_SYSTEMS else ():
        scores = cells((one.get(system) for one in found), lambda size: fixed(size, decimals))
        yield Column(shown_name(system), scores, "spare")


def _best_in_slices(grid: ReportGrid, names: Sequence[str]) -> Column:
    """Return which systems may be the best in each slice, or which pairs differ there."""
    if kept := may_be_best(grid):
        n, title = len(grid.systems), f"may be the {good_best(grid.first)}"
        found = [kept[name] for name in names]
        said = [f"each of {n}" if len(one) == n else join_names(one) for one in found]
        return Column(title, said, "words")
    verdicts: dict[str, list[str]] = {name: [] for name in names}
    for of in grid.pairs_in_slices:
        a, b = map(shown_name, of.overall[:2])
        pair = a if of.overall.second == grid.first.control else f"{a} against {b}"
        for name in names:
            if name in of.parts and of.parts[name].verdict != "undecided":
                verdicts[name].append(f"{pair}: {of.parts[name].verdict}")
    said = [join_items(found, 3) or "undecided" for found in verdicts.values()]
    return Column("verdicts", said, "words")


def pairs_in_slices_table(grid: ReportGrid, screen: bool) -> Cells:
    """Return the comparisons of pairs in slices, the surest first."""
    rows = [
        Compared(pair, name, of.shrunken.get(name, nan), name in of.explained_by)
        for of in grid.pairs_in_slices
        for name, pair in of.parts.items()
    ]
    rows.sort(key=lambda row: 2.0 if isnan(row.pair.p) else row.pair.p)
    shown = rows[: _FIRST if screen and is_long(grid) else _MOST_IN_FULL]
    title = f"In pairs, slice by slice, {grid.metric}, {direction(grid.first)}"
    part = next(part for _, part in grid.each())
    return comparisons(part, title, shown, by="slice", n_left=len(rows) - len(shown))


def is_long(grid: ReportGrid) -> bool:
    """Whether a screen has no room for all pairs in slices."""
    return grid.n_comparisons > 2 * _FIRST


def between_table(grid: ReportGrid) -> Cells:
    """Return whether the difference of every pair varies between slices, and the margin."""
    found = grid.pairs_in_slices
    tests = [of.between and of.between.test for of in found]
    spreads = [test and test["effect_sizes"] for test in tests]
    adjusted = [
        of.between.pvalue if of.between and of.between.is_adjusted else nan for of in found
    ]
    not_worse = [of.not_worse.pvalue if of.not_worse else nan for of in found]
    notes, worse = [], good(grid.first, up=False)
    if grid.between:
        notes.append(
            f"Q: Cochran's, over slices; {_SQUARED}: the share of its variation that is not "
            "noise; spread: estimated standard deviation of the true differences."
        )
    if grid.not_worse:
        notes.append(
            f"Not {worse}: the largest p, of all slices, of the first being {worse} by the "
            "margin."
        )
    return table(
        "Between slices",
        [
            Column("first", [shown_name(of.overall.first) for of in found], "name"),
            Column("second", [shown_name(of.overall.second) for of in found], "name"),
            Column("slices", cells(tests, lambda test: str(len(test["names"])))),
            Column("Q", cells(tests, lambda test: short(test["statistic"]))),
            Column(_SQUARED, cells(spreads, lambda sizes: short(sizes[_SQUARED]))),
            Column("spread", cells(spreads, lambda sizes: short(sizes["tau"]))),
            Column("p", cells(tests, lambda test: pvalue_cell(test["pvalue"]))),
            Column("adjusted p", cells(adjusted, pvalue_cell)),
            Column(f"not {worse}", cells(not_worse, pvalue_cell)),
        ],
        notes,
    )


def metrics_table(grids: Sequence[ReportGrid]) -> Cells:
    """Return the differences and p-values of two systems in slices by several metrics."""
    first, lower = grids[0].first, [r.metric for r in grids if r.first.lower]
    n_rows = {name: n for r in grids for name, n in r.n_rows.items()}
    every = dict.fromkeys([*worst_first(first, grids[0].pairs_in_slices[0]), *n_rows])
    names = list(every)[:_FIRST]
    columns = [
        Column("slice", [shown_name(name) for name in names], "name"),
        Column("rows", [str(n_rows[name]) for name in names]),
    ]
    for r in grids:
        parts = r.pairs_in_slices[0].parts
        decimals = decimals_for(pair.estimate for pair in parts.values())
        found = [
            f"{fixed(parts[name].estimate, decimals, sign=True)} ({pvalue_text(parts[name].p)})"
            if name in parts
            else "not compared"
            for name in names
        ]
        columns.append(Column(r.metric, found))
    minus = f" {MINUS} ".join(map(shown_name, first.pairs[0][:2]))
    way = direction(first)
    if 0 < len(lower) < len(grids):
        way = f"higher is better, but for {', '.join(lower)}"
    n = max(len(r.reports) for r in grids)
    return table(
        f"Slice by slice, {minus}, with p adjusted for {n} slices; {way}",
        columns,
        n_left=len(every) - len(names),
        where="print(report.details)",
    )
