"""Tables of a report: pairs, also by slice or seed; performance, ranks, strengths."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import Any, NamedTuple

from skstat._names import shown_name
from skstat.report import _terms as say
from skstat.report._blocks import TONES, Cells, Column, column, table
from skstat.report._conclude import decimals_of
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._say_pair import where_text
from skstat.stats._words import unit_word

_MOST, _MOST_IN_FULL = 30, 500  # largest number of pairs that are listed, on a screen and else
_FIRST, _FIRST_SEEDS = 12, 8  # slices or seeds that are shown without details
_MOST_SYSTEMS = 6  # systems with a column of scores each
_SQUARED = "I\N{SUPERSCRIPT TWO}"


class Compared(NamedTuple):
    """A row of a table: a comparison of two systems, on all units, in a slice or for a seed."""

    pair: Pair
    part: str = ""
    shrunken: float = nan  # the estimate, shrunken towards the mean of all slices
    shared: bool = False  # significant only because of rows shared with other slices


def comparisons(
    r: Report,
    title: str,
    rows: Sequence[Compared],
    *,
    by: str = "",
    extra: Sequence[Column] = (),
    full: bool = True,
    **left: Any,
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
        Kind of the parts, if the rows are comparisons in parts: "slice" or "seed".
    extra : sequence of Column
        Columns between the names and the differences.
    full : bool, default=True
        Whether all columns must be shown.
    **left
        `n_left` and `where` of `table`: the number of rows that are not shown.
    """
    pairs, single = [row.pair for row in rows], not by
    columns = _ends(pairs)
    varying = [end for end in columns if len(set(end.cells)) > 1] or columns * single
    a, b = (end.title if end in varying else end.cells[0] for end in columns)
    parts = Column(by, [shown_name(row.part) for row in rows if by], "name")
    heading = " ".join(about_differences(r, pairs, a, b))
    numbers = _numbers(r, rows, single, full, heading)
    return table(
        title,
        [parts, *varying, *extra, *numbers, _verdicts(r, rows, bool(varying))],
        # In a table of several pairs neither system of a pair is the candidate.
        tones=["better" if varying and p.better else TONES[p.verdict] for p in pairs],
        **left,
    )


def _ends(pairs: Sequence[Any]) -> list[Column]:
    """Return the columns of the two systems of every pair."""
    names = [[shown_name(pair[i]) for pair in pairs] for i in (0, 1)]
    return [Column("first", names[0], "name"), Column("second", names[1], "name")]


def _numbers(
    r: Report, rows: Sequence[Compared], single: bool, full: bool, heading: str
) -> Iterator[Column]:
    pairs = [row.pair for row in rows]
    decimals = say.decimals_of_pairs(*pairs)

    size = partial(say.fixed, decimals=decimals, sign=True)
    limits = [say.span(pair.low, pair.high, decimals) for pair in pairs]
    adjusted = any(not isnan(pair.adjusted) for pair in pairs)
    yield column("difference", [pair.estimate for pair in pairs], size, note=heading)
    yield Column(f"{say.percent(r.confidence_level)} interval", limits)
    if single and any(n != r.n_units for n in r.pairs.column("n")):
        yield Column("n", [str(pair.n) for pair in pairs])
    if single or not adjusted:  # in parts only the deciding p-value is shown
        raw = [say.pvalue_cell(pair.pvalue) for pair in pairs]
        yield Column("p", raw, "spare" if adjusted else "number")
    if adjusted:
        yield Column("adjusted p", [say.pvalue_cell(pair.adjusted) for pair in pairs])
    pvalues = [pair.equivalence_p for pair in pairs]
    yield column("equivalence p", pvalues, say.pvalue_cell, "number" if full else "spare")
    if single and r.probabilities is not None:
        rope, n_drawn = r.probabilities["rope"], r.probabilities["n_drawn"]
        kinds = {"first": "p_better", "same": "p_same", "second": "p_worse"}
        if not rope:
            del kinds["same"]  # it needs a region
        where = where_text(r.probabilities, r.unit)
        note = (
            f"P: the comparison of the pair read as probabilities{', ' * bool(where)}{where}: "
            f"that the first or the second system is {r.words.good}"
            f"{f' by more than {say.short(rope)}' * bool(rope)}"
            f"{'; not adjusted for the number of pairs' * (len(pairs) > 1)}."
        )
        for key, field in kinds.items():
            shares = [say.probability_text(getattr(pair, field), n_drawn) for pair in pairs]
            kind: Any = "spare" if key == "same" else "number"
            yield Column(f"P({key})", shares, kind, note * (key == "first"))
    note = "Shrunken: drawn towards the common mean, as far as differences are noise."
    yield column("shrunken", [row.shrunken for row in rows if full], size, note=note)


def about_differences(r: Report, pairs: Sequence[Pair], a: str, b: str) -> Iterator[str]:
    """Write how differences and intervals of two systems are defined and adjusted."""
    ends = (f"rank of {b}", f"rank of {a}") if r.words.by_rank else (a, b)
    yield f"Difference: {f' {say.MINUS} '.join(ends)}."
    if r.lower and not r.words.by_rank:
        yield f"Differences below 0: lower {r.metric}, {a} is better."
    if r.simultaneous:
        yield "Intervals are simultaneous."
    elif any(pair.adjusted > pair.pvalue for pair in pairs):
        yield "Intervals are adjusted like the p-values."
    if not (r.quantity.is_difference or r.words.by_rank):
        name = f"{r.quantity.name[0].upper()}{r.quantity.name[1:]}s"
        of = f" of single {unit_word(r.unit)}s" if r.quantity.of_units else ""
        yield f"{name}{of} are not differences of the mean scores."
    if any(isnan(pair.p) for pair in pairs):
        yield "No p-value: without variance no test is possible."


def _verdicts(r: Report, rows: Sequence[Compared], named: bool) -> Column:
    """Return the column of verdicts, or of the better systems, with a note on the rule."""
    both, notes = False, []
    cells, brief = list[str](), list[str]()
    for pair, _, _, shared in rows:
        verdict, second = pair.verdict, pair.toward <= 0
        ahead, end = shown_name(pair[:2][second]), ("1st", "2nd")[second]
        short = {"undecided": "\N{EN DASH}", "equivalent": "="}.get(verdict, verdict)
        if named and verdict == "equivalent" and pair.adjusted < r.alpha:
            verdict, short, both = f"equivalent ({ahead})", f"= {end}", True
        elif named and verdict in ("better", "worse", "higher", "lower"):
            verdict, short = ahead, end
        for texts, text in ((cells, verdict), (brief, short)):
            texts.append("no test" if isnan(pair.p) else text + ", shared" * shared)
    if any(row.shared for row in rows):
        notes.append("Shared: not significant without the rows that it shares with others.")
    if not named:
        return Column("verdict", cells, "words", *notes)
    kind = "adjusted " * any(not isnan(row.pair.adjusted) for row in rows)
    notes.append(f"{r.words.good.capitalize()}: {kind}p below {r.alpha:g}.")
    if r.margin is not None:
        within = f"within the margin of {say.short(r.margin)}"
        notes.append(f"Equivalent: {kind}equivalence p below {r.alpha:g}, {within}.")
    ahead = "Equivalent, and who is ahead: both hold, a difference too small to matter."
    notes += [ahead] * both
    return Column(r.words.good, cells, "words", " ".join(notes), brief)


def against_control(r: Report) -> dict[str, Pair]:
    """Return the pair of every other system with the control, with that system first."""
    pairs = {} if r.control is None else r.against(r.control)
    return {name: pair.seen_from(name, r) for name, pair in pairs.items()}


def test_of_pairs(r: Report) -> str:
    """Write the test of the pairs, and how its p-values were adjusted."""
    tests = " / ".join(r.tests)
    if r.adjustment == "max-t":  # the name of the test has it
        return tests
    return f"{tests}, p-values adjusted by {say.adjustment_name(r.adjustment)}"


def pairs_table(r: Report, screen: bool) -> Cells:
    """Return the comparisons, the smallest p-value first."""
    indices = r.by_pvalue[: _MOST if screen else _MOST_IN_FULL]
    with_control = "" if r.control is None else f" with {shown_name(r.control)}"
    title = f"In pairs{with_control}: {test_of_pairs(r)}"
    rows = [Compared(r.pairs[index]) for index in indices]
    return comparisons(r, title, rows, n_left=len(r.pairs) - len(indices))


def comparisons_table(r: Report | ReportGrid) -> Cells:
    """Return every comparison of a report, of slices or of seeds, for a paper."""
    if isinstance(r, Report):
        return comparisons(r, "", [Compared(pair) for pair in r.pairs])
    return parts_table(r, True) if r.first.is_pair else pairs_in_slices_table(r)


# --- in slices, or with seeds --------------------------------------------------------------


def in_parts(grid: ReportGrid) -> list[Compared]:
    """Return the comparisons with every seed, or of every pair in its slices.

    Slices of two systems are sorted by the gain of the first one, the smallest first; those of
    several systems by p-value.
    """
    if grid.overall is None:
        return [Compared(r.pairs[0], name) for name, r in grid.each()]
    rows = [
        Compared(pair, name, one.shrunken.get(name, nan), name in one.explained_by)
        for one in grid.pairs
        for name, pair in grid.parts[one[:2]].items()
    ]
    turn = -1 if grid.overall.is_turned else 1

    def key(row: Compared) -> float:
        if grid.first.is_pair:
            return 0.0 if isnan(row.pair.estimate) else turn * row.pair.estimate
        return 2.0 if isnan(row.pair.p) else row.pair.p

    return sorted(rows, key=key)


def parts_table(grid: ReportGrid, full: bool) -> Cells:
    """Return slices or seeds as rows: scores, and the differences or the best systems."""
    r, reports = grid.first, dict(grid.each())
    rows = in_parts(grid) if r.is_pair else []
    names = [row.part for row in rows] or list(reports)
    if not full:
        names = names[: _FIRST if grid.n_rows else _FIRST_SEEDS]
    title = f"{grid.by.capitalize()} by {grid.by}, {r.metric}, {r.words.direction}"
    left: Any = {"n_left": len(reports) - len(names), "where": "print(report.details)"}
    extra = list(_extra(grid, {name: reports[name] for name in names}, full))
    if rows:
        shown, part = rows[: len(names)], reports[names[0]]
        return comparisons(part, title, shown, by=grid.by, extra=extra, full=full, **left)
    note = f"Adjusted for all {grid.n_comparisons} comparisons, of pairs in slices."
    names_of = Column("slice", list(map(shown_name, names)), "name", note)
    return table(title, [names_of, *extra, _best_in_slices(grid, names)], **left)


def _extra(grid: ReportGrid, parts: dict[str, Report], full: bool) -> Iterator[Column]:
    """Return columns of the numbers of rows and units, and of scores of a few systems."""
    unit, systems = grid.first.unit, grid.systems
    yield Column("rows", [str(grid.n_rows[name]) for name in parts if grid.n_rows])
    if full and unit not in ("instance", "split"):
        yield Column(f"{unit_word(unit)}s", [str(r.n_units) for r in parts.values()])
    means = [{system.name: system.mean for system in r.systems} for r in parts.values()]
    decimals = say.decimals_for(mean for row in means for mean in row.values())
    if grid.first.is_pair:
        decimals = max(3, say.decimals_of_pairs(*(r.pairs[0] for r in parts.values())))
    for name in systems if len(systems) <= _MOST_SYSTEMS else ():
        scores = [row.get(name) for row in means]
        yield column(shown_name(name), scores, lambda mean: say.fixed(mean, decimals), "spare")


def _best_in_slices(grid: ReportGrid, names: Sequence[str]) -> Column:
    """Return the column of systems that may be the best in each slice, or of verdicts."""
    if candidates := grid.may_be_best:
        n, title = len(grid.systems), f"may be the {grid.first.words.top}"
        names_in = [candidates[name] for name in names]
        cells = [f"each of {n}" if len(s) == n else say.join_names(s) for s in names_in]
        return Column(title, cells, "words")
    verdicts: dict[str, list[str]] = {name: [] for name in names}
    for names_of, parts in grid.parts.items():
        a, b = map(shown_name, names_of)
        who = a if names_of[1] == grid.first.control else f"{a} against {b}"
        for name in set(parts).intersection(verdicts):
            if parts[name].verdict != "undecided":
                verdicts[name].append(f"{who}: {parts[name].verdict}")
    cells = [say.join_items(texts, 3) or "undecided" for texts in verdicts.values()]
    return Column("verdicts", cells, "words")


def pairs_in_slices_table(grid: ReportGrid, is_cut: bool = False) -> Cells:
    """Return the comparisons of pairs in slices, the smallest p-value first."""
    rows, limit = in_parts(grid), _FIRST if is_cut else _MOST_IN_FULL
    title = f"In pairs, slice by slice, {grid.metric}, {grid.first.words.direction}"
    part = next(part for _, part in grid.each())
    return comparisons(part, title, rows[:limit], by="slice", n_left=max(0, len(rows) - limit))


def between_table(grid: ReportGrid) -> Cells:
    """Return the tests of every pair over all slices: of variation, and of the margin."""
    pairs, bad = grid.pairs, grid.first.words.bad
    between = [row.between or None for row in pairs]
    tests = {
        "slices": lambda test: str(len(test["names"])),
        "Q": lambda test: say.short(test["statistic"]),
        _SQUARED: lambda test: say.short(test["effect_sizes"][_SQUARED]),
        "spread": lambda test: say.short(test["effect_sizes"]["tau"]),
        "p": lambda test: say.pvalue_cell(test["pvalue"]),
    }
    adjusted = [row.between_p if row.between and row.is_adjusted else None for row in pairs]
    not_worse = [row.not_worse_p for row in pairs]
    note = f"Not {bad}: the largest p, of all slices, of the first being {bad} by the margin."
    columns = [
        *_ends([*pairs]),
        *(column(title, between, write) for title, write in tests.items()),
        column("adjusted p", adjusted, say.pvalue_cell),
        column(f"not {bad}", not_worse, say.pvalue_cell, note=note),
    ]
    share = f"{_SQUARED}: the share of its variation that is not noise"
    spread = "spread: estimated standard deviation of the true differences"
    varying = f"Q: Cochran's, over slices; {share}; {spread}."
    return table("Between slices", columns, [varying * any(map(bool, between))])


def metrics_table(grids: Sequence[ReportGrid]) -> Cells:
    """Return the differences and p-values of two systems in slices by several metrics."""
    n_rows = {name: n for grid in grids for name, n in grid.n_rows.items()}
    slices = dict.fromkeys([*(row.part for row in in_parts(grids[0])), *n_rows])
    names = list(slices)[:_FIRST]
    columns = [Column("slice", list(map(shown_name, names)), "name")]
    columns.append(Column("rows", [str(n_rows[name]) for name in names]))
    for grid in grids:
        (parts,) = grid.parts.values()
        decimals = say.decimals_for(pair.estimate for pair in parts.values())
        cells = {
            name: f"{say.fixed(pair.estimate, decimals, sign=True)} ({say.pvalue_text(pair.p)})"
            for name, pair in parts.items()
        }
        columns.append(Column(grid.metric, [cells.get(n, "not compared") for n in names]))
    minus = f" {say.MINUS} ".join(map(shown_name, grids[0].first.pairs[0][:2]))
    n, way = max(len(grid.reports) for grid in grids), ways([grid.first for grid in grids])
    return table(
        f"Slice by slice, {minus}, with p adjusted for {n} slices; {way}",
        columns,
        n_left=len(slices) - len(names),
        where="print(report.details)",
    )


def ways(reports: Sequence[Report]) -> str:
    """Write which values are better, for several metrics."""
    lower = [r.metric for r in reports if r.lower]
    if 0 < len(lower) < len(reports):
        return f"higher is better, but for {', '.join(lower)}"
    return reports[0].words.direction


# --- systems -------------------------------------------------------------------------------


def performance_table(reports: Sequence[Report]) -> Cells:
    """Return the estimates by one metric or several: a row per learner, one per difference."""
    first, several = reports[0], len(reports) > 1
    rows = []
    for r in reports:
        decimals, metric = decimals_of(r.systems), r.metric * several
        for row in (*r.systems, *r.pairs):
            sign = isinstance(row, Pair)
            name = f" {say.MINUS} ".join(map(shown_name, row[: 1 + sign]))
            size, trained = (row.estimate, nan) if sign else (row.mean, row.training_score)
            limits = say.span(row.low, row.high, decimals, sign=sign)
            train = "" if isnan(trained) else say.fixed(trained, decimals)
            rows.append((name, metric, say.fixed(size, decimals, sign=sign), limits, train))
    names, metrics, sizes, spans, training = zip(*rows, strict=True)
    note = "Training score: the mean score on the rows that a model was fitted to (optimistic)."
    return table(
        f"Performance, {ways(reports)}",
        [
            Column("", names, "name"),
            Column("metric", metrics, "name"),
            Column("estimate" if several else first.metric, sizes),
            Column(f"{say.percent(first.confidence_level)} interval", spans),
            Column("training score", training, note=note),
        ],
    )


def ranks_table(r: Report) -> Cells | None:
    """Return the ranks in resamples, and without one part; None if there are none."""
    moves, systems = r.rank_stability, list(r.systems)
    if moves is None:
        return None
    middle = [say.ranks_text(s.resampled_low, s.resampled_high) for s in systems]
    without = [say.ranks_text(s.without_low, s.without_high) for s in systems if moves.parts]
    return table(
        f"Ranks in {moves.n_resamples} resamples of the {unit_word(moves.unit)}s",
        [
            Column("", [shown_name(s.name) for s in systems], "name"),
            column("rank", [s.rank for s in systems], "{:g}".format),
            column("first in", [s.first_share for s in systems], say.share_text),
            Column(f"middle {say.percent(r.confidence_level)}", middle),
            Column(f"without one {r.evidence.part_word}", without),
        ],
        [
            "They say how firmly these scores fix the order. A share of resamples is not the "
            "chance to be the best. A first place that systems share counts for each of them."
        ],
    )


def strengths_table(r: Report) -> Cells | None:
    """Return the chances of systems to win against each other; None without a model of wins."""
    posterior = r.strengths
    if posterior is None:
        return None
    unit, pairs = unit_word(r.unit), list(combinations(posterior.order, 2))
    won = {}
    for (a, b), wins, met in zip(posterior.pairs, posterior.wins, posterior.met, strict=True):
        won[a, b], won[b, a] = f"{wins:g} : {met - wins:g}", f"{met - wins:g} : {wins:g}"
    shown, limits = pairs[:_MOST], "{:.2f}\N{EN DASH}{:.2f}"
    chances = [posterior.model.pair(*pair) for pair in shown]

    share = partial(say.probability_text, n_drawn=int(posterior.model.effective_size))
    note = (
        "Wins: of the first and the second, ties counted half. Model: chance that the first "
        f"wins on another {unit}, by strengths, and limits that it is between with a "
        "probability of 90%. P(> 0.5): that it is above one half; P(even): that it is 0.45 to "
        "0.55. Not adjusted for the number of pairs."
    )
    return table(
        f"Chances to win on another {unit}",
        [
            *_ends(shown),
            Column("wins", [won[pair] for pair in shown]),
            Column("model", [f"{chance.mean:.2f}" for chance in chances]),
            Column("90%", [limits.format(*chance.interval) for chance in chances]),
            column("P(> 0.5)", [chance.better for chance in chances], share),
            column("P(even)", [chance.even for chance in chances], share),
        ],
        [note],
        n_left=len(pairs) - len(shown),
        where="report.strengths",
    )
