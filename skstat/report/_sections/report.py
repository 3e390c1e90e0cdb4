"""What is shown of one report: a list of sections, each a function of the report."""

from collections.abc import Callable, Iterator
from math import isnan

from skstat._names import shown_name
from skstat.report._blocks import Block, Cells, Doubts, Facts, Fold, Says, heaviest_first
from skstat.report._model import Report
from skstat.report._sections.beside import rank_stability_table, strengths_table
from skstat.report._sections.details import decimals_of, detail_rows, planned_rows, sturdy_rows
from skstat.report._sections.drawing import badges, drawing
from skstat.report._sections.pairs import pairs_table, test_of_pairs, verdict_square
from skstat.report._sections.systems import systems_table
from skstat.report._words import (
    conclude,
    design_line,
    direction,
    fixed,
    percent,
    stability_text,
    units,
)
from skstat.report._would_take import would_take

_HOW = "What was tested, and how"
_FEW_UNITS = 10  # of fewer, nobody should plan by what varied


def report_document(r: Report, full: bool, *, screen: bool = False) -> list[Block]:
    """Return the blocks that a report is shown as.

    Parameters
    ----------
    r : Report
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
    return [block for section in SECTIONS for block in section(r, full, screen)]


def _headline(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    yield Says(conclude(r), badges(r), f"{subject(r)}, {r.metric}")


def subject(r: Report) -> str:
    """Name what was compared."""
    if r.is_pair:
        return f"{shown_name(r.pairs[0].first)} against {shown_name(r.pairs[0].second)}"
    n = f"{len(r.names)} systems"
    title = f"Leaderboard of {n}" if r.is_leaderboard else n
    if r.over_datasets:
        title = f"{n} on {r.n_units} data sets"
    return title if r.control is None else f"{title} against {shown_name(r.control)}"


def _picture(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if full or r.is_pair:
        yield from drawing(r)


def _systems(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if not r.is_pair:
        yield systems_table(r, full, screen)


def _facts(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    """Say what everybody should read: scores, test and design, and what would decide it.

    Difference, interval and p-value of two systems are in the conclusion, and not said again.
    """
    design = design_line(r.design) or units(r.n_units, r.unit)
    if not r.is_pair:
        rows = [("Test", test_of_pairs(r)), ("Design", design)]
    else:
        pair = r.pairs[0]
        test = ", ".join(filter(None, [pair.test, _asked(r), r.adjustment]))
        rows = [scores_row(r), ("Test", test), ("Design", design)]
        if r.change is not None:
            rows.append(("More rows", _change(r)))
        for found in r.stability.values():
            rows.append(("Other partitions", stability_text(found.to_dict())))
    takes = "" if has_few_units(r) else would_take(r)
    if takes:
        rows.append(("Would take", takes))
    yield Facts(rows)


def has_few_units(r: Report) -> bool:
    """Whether so little is known of what varied that nobody should plan by it at once."""
    return (r.n_units if r.sampled is None else r.sampled["n"]) < _FEW_UNITS


def scores_row(r: Report) -> tuple[str, str]:
    """Return the scores of two systems, and which way they are better."""
    decimals = max(decimals_of(r.pairs[0]), 3)
    scores = [
        f"{shown_name(s.name)} {fixed(s.mean, decimals)}"
        + ("" if isnan(s.sd) else f" (sd {fixed(s.sd, decimals)})")
        for s in r.systems
    ]
    label = f"Mean {r.metric}" if "sd" in r.systems else r.metric
    return label, "; ".join([*scores, direction(r)])


def _asked(r: Report) -> str:
    """Write the direction of the alternative, of the values that are shown."""
    if r.alternative == "two-sided":
        return "two-sided"
    a, b = shown_name(r.pairs[0].first), shown_name(r.pairs[0].second)
    above = (r.alternative == "greater") != r.lower
    return f"one-sided ({a} {'>' if above else '<'} {b})"


def _change(r: Report) -> str:
    """Write how the difference changes from half of the rows to the larger training sets."""
    change, pair = r.change or {}, r.pairs[0]
    decimals, (low, high) = decimals_of(pair), change["interval"]
    names = shown_name(pair.first), shown_name(pair.second)
    ahead, behind = names if (low > 0) != r.lower else names[::-1]
    found = (
        "no significant change of the difference"
        if low <= 0 <= high
        else f"{ahead} gains on {behind}"
    )
    half, by, low, high = (
        fixed(value, decimals, sign=True)
        for value in (change["half"], change["change"], low, high)
    )
    return (
        f"{found} from half of the rows to these training sets: {half} with half, changed by "
        f"{by} ({percent(r.confidence_level)} interval {low} to {high})"
    )


def _doubts(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if r.doubts:
        yield Doubts(heaviest_first(r.doubts))


def _tables(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    """Show what stands beside the table of systems: ranks in resamples, pairs, chances."""
    if not full or r.is_pair:
        return
    tables: list[Cells | None] = [rank_stability_table(r)]
    if not screen:
        tables.append(verdict_square(r))
    tables += [pairs_table(r, screen), strengths_table(r)]
    for table in tables:
        if table is not None:
            yield Fold(table.title, [table])


def _details(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if not full:
        yield Fold(_HOW, ())
        return
    rows = [*detail_rows(r), *sturdy_rows(r)]
    takes = would_take(r)
    if takes:
        few = [("Would take", takes)] if has_few_units(r) else []
        rows += [*few, *planned_rows(r)]
    yield Fold(_HOW, [Facts(rows)])


SECTIONS: tuple[Callable[[Report, bool, bool], Iterator[Block]], ...] = (
    _headline,
    _picture,
    _systems,
    _facts,
    _doubts,
    _tables,
    _details,
)
