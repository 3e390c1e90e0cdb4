"""What is shown of one question: a list of sections, each a function of the report."""

from collections.abc import Callable, Iterator
from math import isnan
from typing import Any

from skstat._names import clip, one_line, shown_name
from skstat.report._blocks import Badge, Block, Cells, Doubts, Facts, Fold, Says, heaviest_first
from skstat.report._model import Report, ReportGrid
from skstat.report._sections.details import detail_rows
from skstat.report._sections.drawing import drawing
from skstat.report._sections.grids import grid_document
from skstat.report._sections.pairs import pairs_table, verdict_square
from skstat.report._sections.tables import (
    HOW,
    TONES,
    Column,
    against_control,
    cells,
    counted,
    decimals_of,
    has_few_units,
    known,
    performance_table,
    ranks_table,
    span,
    strengths_table,
    table,
    test_of_pairs,
)
from skstat.report._words import (
    best,
    conclude,
    decimals_for,
    design_line,
    direction,
    fixed,
    good_best,
    percent,
    probability_text,
    ranks_text,
    short,
    stability_text,
    time_text,
    units,
    word,
)
from skstat.report._would_take import would_take
from skstat.stats._outcomes import unit_word

_FEW, _MOST_FIRST = 6, 4  # systems all shown at first sight; of more, those shown
_FEW_RANKED, _TOP = 12, 8  # the same of a leaderboard
_MOST_ROWS = 50  # systems on a screen
_SHORT = 12  # letters of a name in a header


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
    if isinstance(r, ReportGrid):
        return list(grid_document(r, full, screen, document))
    return [block for section in SECTIONS for block in section(r, full, screen)]


def _headline(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    yield Says(conclude(r), _badges(r), f"{_subject(r)}, {r.metric}")


def _subject(r: Report) -> str:
    """Name what was compared."""
    if r.is_performance:
        return f"Performance of {', '.join(map(shown_name, r.names))}"
    if r.is_pair:
        return " against ".join(map(shown_name, r.pairs[0][:2]))
    n = f"{len(r.names)} systems"
    title = f"Leaderboard of {n}" if r.is_leaderboard else n
    if r.over_datasets:
        title = f"{n} on {r.n_units} data sets"
    return title if r.control is None else f"{title} against {shown_name(r.control)}"


def _badges(r: Report) -> list[Badge]:
    """Return the verdicts, each in a few words."""
    if r.is_performance:
        return []
    if r.is_pair:
        pair = r.pairs[0]
        is_named = pair.verdict not in ("equivalent", "undecided")
        says = f"{clip(pair.first)} is {pair.verdict}" if is_named else pair.verdict
        return [Badge(says, TONES[pair.verdict])]
    if r.control is not None:
        counts = counted(pair.verdict for pair in against_control(r).values())
        return [Badge(f"{n} {kind}", TONES[kind]) for kind, n in counts.items()]
    kept = r.may_be_best
    if len(kept) == 1:
        return [Badge(f"only {clip(kept[0])} may be best", "better")]
    return [Badge(f"{len(kept)} of {len(r.names)} may be best", "undecided")] if kept else []


def _picture(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if full or r.is_pair:
        yield from drawing(r)


# --- the systems ---------------------------------------------------------------------------


def _systems(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if r.is_performance:
        yield performance_table([r])
    elif not r.is_pair:
        yield _systems_table(r, full, screen)


def _systems_table(r: Report, full: bool, screen: bool) -> Cells:
    """Return the systems, the best first; at first sight those that matter for a choice.

    A column is shown if the report knows all that it is made of.
    """
    fields, level, top = r.systems.columns, percent(r.confidence_level), good_best(r)
    shown, left = _shown(r, full, screen)
    decimals = max(3, decimals_for(fields["mean"]))
    columns: list[Column] = []
    notes: list[str] = []

    def add(
        title: str, write: Callable[..., str], *names: str, kind: Any = "number", note: str = ""
    ) -> None:
        if all(name in fields for name in names):
            rows = [[fields[name][place] for name in names] for place in shown]
            columns.append(Column(title, [write(*row) for row in rows], kind))
            notes.append(note)

    def score(value: float) -> str:
        return "" if isnan(value) else fixed(value, decimals)

    spare = "number" if full else "spare"  # details have room for all of it
    has_mean = not r.is_leaderboard and ("sd" in fields or r.over_datasets)
    add("", shown_name, "name", kind="name")
    add("mean rank", lambda rank: fixed(rank, 2), "mean_rank")
    add("mean" if has_mean else word(r), score, "mean")
    if has_mean:
        over = f"sd: standard deviation over the {unit_word(r.unit)}s."
        add("sd", score, "sd", kind=spare, note=over * full)
    counted = "higher/equal/lower" if r.direction_assumed else "wins/ties/losses"
    add(
        counted,
        lambda *counts: "/".join(f"{count:g}" for count in counts),
        *("wins", "ties", "losses"),
        note=_about_data_sets(r) * full,
    )
    if r.is_leaderboard:
        add(
            f"{level} interval",
            lambda low, high: span(low, high, decimals, sign=False),
            *("low", "high"),
            note="Intervals: of each score by itself.",
        )
        add("rank", lambda rank: f"{rank:g}", "rank")
        together = f"May rank: {level} confidence in all of them together."
        add("may rank", ranks_text, "rank_low", "rank_high", note=together)
    elif not r.over_datasets and "best_low" in fields:
        ends = decimals_for([*fields["best_low"], *fields["best_high"]])
        add(
            f"from the {top} other",
            lambda low, high: span(low, high, ends),
            *("best_low", "best_high"),
            note=f"From the {top} other: {word(r)} minus the {best(r)} of the others, "
            f"simultaneous {level} intervals.",
        )
    if r.may_be_best and not r.is_leaderboard:
        kept = "May be best: no other one is significantly better."
        add("may be best", lambda may: "yes" if may else "no", "may_be_best", note=kept * full)
    columns += _probabilities(r, shown, notes)
    for kind in ("fit", "predict"):
        add(kind, time_text, kind, kind=spare)
    if not full:
        columns += _against_control(r, shown)
    if full or r.is_leaderboard:
        share = "Systems that share a letter: no significant difference was found."
        untested = " Some pairs could not be tested." * bool(r.untested)
        letters = r.systems.column("letters")
        columns.append(Column("group", [letters[place] for place in shown], "words"))
        notes.append((share + untested) * (full and any(letters)))
    return table(f"Ranking by {one_line(r.metric)}, {direction(r)}", columns, [*notes, left])


def _shown(r: Report, full: bool, screen: bool) -> tuple[list[int], str]:
    """Return the places of the systems that are shown, and what is said of the others."""
    n, few, most = len(r.names), _FEW, _MOST_FIRST
    if full:
        shown = list(range(min(n, _MOST_ROWS) if screen else n))
        left = n - len(shown)
        return shown, f"{left} more in report.systems." if left else ""
    kept = r.may_be_best if "may_be_best" in r.systems else r.names
    if r.is_leaderboard:
        few, most, kept = _FEW_RANKED, _TOP, r.names
    if n <= few:
        return list(range(n)), ""
    first = {*kept[:most], r.control}
    shown = [place for place, name in enumerate(r.names) if name in first]
    left, n_kept = n - len(shown), len({*r.may_be_best} - first)
    counts = {"more that may be the best": n_kept, "ruled out": left - n_kept}
    if "may_be_best" not in r.systems:
        counts = {"more": left}
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return shown, f"Not shown: {said}."


def _about_data_sets(r: Report) -> str:
    said = "Wins, ties and losses are against every other system on every data set."
    if r.missing or any(
        isnan(one) for row in (r.scores or {"rows": ()})["rows"] for one in row
    ):
        said += " Mean ranks allow for who has scores on which data sets."
    return said


def _probabilities(r: Report, shown: list[int], notes: list[str]) -> Iterator[Column]:
    """Return who is the best with what probability: over data sets by one model."""
    top, rope = good_best(r), (r.probabilities or {}).get("rope", 0.0)
    found: dict[str, tuple[Any, int]] = {}
    said = "probability to be the strongest, by a Bradley-Terry model"
    if r.strengths is not None:
        chances = dict(zip(r.strengths.names, map(float, r.strengths.model.best), strict=True))
        draws = int(r.strengths.model.effective_size)
        found[f"P({top})"] = [chances[name] for name in r.names], draws
    elif "probability_best" in r.systems:
        found[f"P({top})"] = r.systems.column("probability_best"), r.best_draws
        said = f"probability, given these scores, that its score is the {best(r)}"
        if rope:
            near = r.systems.column("probability_near_best")
            found[f"P(within {short(rope)})"] = near, r.best_draws
            said += ", or so near to it"
    for title, (shares, draws) in found.items():
        yield Column(title, [probability_text(shares[place], draws) for place in shown])
    if found:
        notes.append(f"P({top}): {said}.")
    if found and len(r.may_be_best) > 1:
        notes.append(
            f"P({top}) is not adjusted for the number of pairs: a high one does not rule out "
            "the others."
        )


def _against_control(r: Report, shown: list[int]) -> Iterator[Column]:
    """Return the interval and the verdict of every system against the control.

    Where the control comes first in its pairs, it is the one in question: sentences say it.
    Where it was chosen by its score, the column of those that may be the best says it.
    """
    if r.control is None or r.may_be_best or r.pairs[0].second != r.control:
        return
    found = against_control(r)
    decimals = decimals_of(*found.values())
    pairs = [found.get(r.names[place]) for place in shown]
    minus = "minus" if r.scale == "score" else "against"
    limits = cells(pairs, lambda pair: span(pair.low, pair.high, decimals))
    yield Column(f"{minus} {clip(shown_name(r.control), _SHORT)}", limits)
    yield Column("verdict", cells(pairs, lambda p: "no test" if isnan(p.p) else p.verdict))


# --- what everybody should read, and what is read on request ------------------------------


def _facts(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    """Say what everybody should read: scores, test and design, and what would decide it.

    Difference, interval and p-value of two systems are in the conclusion, and not said again.
    """
    takes, test, rows = "" if has_few_units(r) else would_take(r), test_of_pairs(r), []
    if r.is_performance:
        test = "; ".join(r.tests)
    elif r.is_pair:
        test = ", ".join(filter(None, [r.pairs[0].test, _asked(r), r.adjustment]))
        rows = [("More rows", _change(r))]
        for found in r.stability.values():
            rows.append(("Other partitions", stability_text(found)))
        yield Facts([_scores(r)])
    design = ("Design", design_line(r.design) or units(r.n_units, r.unit))
    label = "Method" if r.is_performance else "Test"
    yield known([(label, test), design, *rows, ("Would take", takes)])


def _scores(r: Report) -> tuple[str, str]:
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
    a, b = map(shown_name, r.pairs[0][:2])
    above = (r.alternative == "greater") != r.lower
    return f"one-sided ({a} {'>' if above else '<'} {b})"


def _change(r: Report) -> str:
    """Write how the difference changes from half of the rows to the larger training sets."""
    if r.change is None:
        return ""
    pair, (low, high) = r.pairs[0], r.change["interval"]
    decimals, (a, b) = decimals_of(pair), map(shown_name, pair[:2])
    ahead, behind = (a, b) if (low > 0) != r.lower else (b, a)
    found = f"{ahead} gains on {behind}"
    if low <= 0 <= high:
        found = "no significant change of the difference"
    half, by = (fixed(r.change[name], decimals, sign=True) for name in ("half", "change"))
    return (
        f"{found} from half of the rows to these training sets: {half} with half, changed by "
        f"{by} ({percent(r.confidence_level)} interval {span(low, high, decimals)})"
    )


def _doubts(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    if r.doubts:
        yield Doubts(heaviest_first(r.doubts))


def _tables(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    """Show what stands beside the table of systems: ranks in resamples, pairs, chances."""
    if not full or r.is_pair or r.is_performance:
        return
    square = None if screen else verdict_square(r)
    for one in (ranks_table(r), square, pairs_table(r, screen), strengths_table(r)):
        if one is not None:
            yield Fold(one.title, [one])


def _details(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    yield Fold(HOW, [known(detail_rows(r))] if full else ())


SECTIONS: tuple[Callable[[Report, bool, bool], Iterator[Block]], ...] = (
    _headline,
    _picture,
    _systems,
    _facts,
    _doubts,
    _tables,
    _details,
)
