"""What is shown of one question, in the order in which it is read."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

from skstat._names import clip, one_line, shown_name
from skstat.report import _words as say
from skstat.report._blocks import (
    TONES,
    Badge,
    Block,
    Cells,
    Column,
    Doubts,
    Facts,
    Fold,
    Says,
    badges_of,
    column,
    heaviest_first,
    known,
    table,
)
from skstat.report._model import Report, ReportGrid, System
from skstat.report._sections.details import (
    HOW,
    detail_rows,
    has_few_units,
    ranks_table,
    strengths_table,
)
from skstat.report._sections.drawing import drawing
from skstat.report._sections.grids import grid_document, performance_table
from skstat.report._sections.pairs import (
    against_control,
    pairs_table,
    test_of_pairs,
    verdict_square,
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
    return list(_of_one(r, full, screen))


def _of_one(r: Report, full: bool, screen: bool) -> Iterator[Block]:
    yield Says(say.conclude(r), _badges(r), f"{_subject(r)}, {r.metric}")
    if full or r.is_pair:
        yield from drawing(r)
    if r.is_performance:
        yield performance_table([r])
    elif not r.is_pair:
        yield _systems_table(r, full, screen)
    yield from _facts(r)
    if r.doubts:
        yield Doubts(heaviest_first(r.doubts))
    if full and not (r.is_pair or r.is_performance):
        square = None if screen else verdict_square(r)
        for one in (ranks_table(r), square, pairs_table(r, screen), strengths_table(r)):
            if one is not None:
                yield Fold(one.title, [one])
    yield Fold(HOW, [known(detail_rows(r))] if full else ())


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
    if r.is_pair:
        pair = r.pairs[0]
        is_named = pair.verdict not in ("equivalent", "undecided")
        says = f"{clip(pair.first)} is {pair.verdict}" if is_named else pair.verdict
        return [Badge(says, TONES[pair.verdict])]
    if r.control is not None:
        return badges_of(pair.verdict for pair in against_control(r).values())
    kept = r.may_be_best
    if len(kept) == 1:
        return [Badge(f"only {clip(kept[0])} may be best", "better")]
    return [Badge(f"{len(kept)} of {len(r.names)} may be best", "undecided")] if kept else []


# --- the systems ---------------------------------------------------------------------------


def _systems_table(r: Report, full: bool, screen: bool) -> Cells:
    """Return the systems, the best first; at first sight those that matter for a choice."""
    shown, left = _shown(r, full, screen)
    columns = _columns(r, [r.systems[place] for place in shown], full)
    return table(f"Ranking by {one_line(r.metric)}, {say.direction(r)}", columns, [left])


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


def _columns(r: Report, systems: Sequence[System], full: bool) -> Iterator[Column]:
    """Return what is known of systems; what is said of it stands below the details."""
    level, top = say.percent(r.confidence_level), say.good_best(r)
    decimals = max(3, say.decimals_for(r.systems.columns["mean"]))
    spare: Any = "number" if full else "spare"  # details have room for all of it

    def of(
        title: str, write: Any, *fields: str, kind: Any = "number", note: Any = ""
    ) -> Column:
        cells: list[str] = []
        if all(name in r.systems for name in fields):
            cells = [write(*(getattr(s, name) for name in fields)) for s in systems]
        return Column(title, cells, kind, note)

    def score(value: float) -> str:
        return "" if isnan(value) else say.fixed(value, decimals)

    has_mean = not r.is_leaderboard and ("sd" in r.systems or r.over_datasets)
    yield of("", shown_name, "name", kind="name")
    yield of("mean rank", lambda rank: say.fixed(rank, 2), "mean_rank")
    yield of("mean" if has_mean else say.word(r), score, "mean")
    if has_mean:
        note = f"sd: standard deviation over the {unit_word(r.unit)}s."
        yield of("sd", score, "sd", kind=spare, note=note * full)
    note = "Wins, ties and losses are against every other system on every data set."
    if r.missing:
        note += " Mean ranks allow for who has scores on which data sets."
    yield of(
        "higher/equal/lower" if r.direction_assumed else "wins/ties/losses",
        lambda *counts: "/".join(f"{count:g}" for count in counts),
        *("wins", "ties", "losses"),
        note=note * full,
    )
    if r.is_leaderboard:
        yield of(
            f"{level} interval",
            lambda low, high: say.span(low, high, decimals, sign=False),
            *("low", "high"),
            note="Intervals: of each score by itself.",
        )
        yield of("rank", "{:g}".format, "rank")
        note = f"May rank: {level} confidence in all of them together."
        yield of("may rank", say.ranks_text, "rank_low", "rank_high", note=note)
    elif not r.over_datasets and "best_low" in r.systems:
        ends = say.decimals_for(e for s in r.systems for e in (s.best_low, s.best_high))
        yield of(
            f"from the {top} other",
            lambda low, high: say.span(low, high, ends),
            *("best_low", "best_high"),
            note=f"From the {top} other: {say.word(r)} minus the {say.best(r)} of the others, "
            f"simultaneous {level} intervals.",
        )
    if r.may_be_best and not r.is_leaderboard:
        note = "May be best: no other one is significantly better." * full
        yield of("may be best", lambda may: "yes" if may else "no", "may_be_best", note=note)
    yield from _probabilities(r, systems)
    for kind in ("fit", "predict"):
        yield of(kind, say.time_text, kind, kind=spare)
    if not full:
        yield from _against_control(r, systems)
    if full or r.is_leaderboard:
        note = "Systems that share a letter: no significant difference was found."
        note += " Some pairs could not be tested." * bool(r.untested)
        yield of("group", str, "letters", kind="words", note=note * full)


def _probabilities(r: Report, systems: Sequence[System]) -> Iterator[Column]:
    """Return who is the best with what probability: over data sets by one model."""
    top, rope = say.good_best(r), (r.probabilities or {}).get("rope", 0.0)
    if r.strengths is not None:
        model, rope = r.strengths.model, 0.0
        draws = int(model.effective_size)
        shares = [model.best_probabilities[s.name] for s in systems]
        said = "probability to be the strongest, by a Bradley-Terry model"
    elif "probability_best" in r.systems:
        draws, shares = r.best_draws, [s.probability_best for s in systems]
        said = f"probability, given these scores, that its score is the {say.best(r)}"
        said += ", or so near to it" * bool(rope)
    else:
        return
    note = f"P({top}): {said}."
    if len(r.may_be_best) > 1:
        note += (
            f" P({top}) is not adjusted for the number of pairs: a high one does not rule out "
            "the others."
        )
    yield Column(
        f"P({top})", [say.probability_text(share, draws) for share in shares], note=note
    )
    if rope:
        near = [say.probability_text(s.probability_near_best, draws) for s in systems]
        yield Column(f"P(within {say.short(rope)})", near)


def _against_control(r: Report, systems: Sequence[System]) -> Iterator[Column]:
    """Return the interval and the verdict of every system against the control.

    Where the control comes first in its pairs, it is the one in question: sentences say it.
    Where it was chosen by its score, the column of those that may be the best says it.
    """
    if r.control is None or r.may_be_best or r.pairs[0].second != r.control:
        return
    found = against_control(r)
    decimals = say.decimals_of_pairs(*found.values())
    pairs = [found.get(s.name) for s in systems]
    minus = "minus" if r.scale == "score" else "against"
    title = f"{minus} {clip(shown_name(r.control), _SHORT)}"
    yield column(title, pairs, lambda pair: say.span(pair.low, pair.high, decimals))
    yield column("verdict", pairs, lambda p: "no test" if isnan(p.p) else p.verdict)


# --- what everybody should read ------------------------------------------------------------


def _facts(r: Report) -> Iterator[Facts]:
    """Say what everybody should read: scores, test and design, and what would decide it.

    Difference, interval and p-value of two systems are in the conclusion, and not said again.
    """
    label, test, rows = "Test", test_of_pairs(r), []
    if r.is_performance:
        label, test = "Method", "; ".join(r.tests)
    elif r.is_pair:
        yield Facts([_scores(r)])
        test = ", ".join(filter(None, [r.pairs[0].test, _asked(r), r.adjustment]))
        rows = [("More rows", _change(r))]
        for found in r.stability.values():
            rows.append(("Other partitions", say.stability_text(found)))
    design = say.design_line(r.design) or say.units(r.n_units, r.unit)
    takes = "" if has_few_units(r) else would_take(r)
    yield known([(label, test), ("Design", design), *rows, ("Would take", takes)])


def _scores(r: Report) -> tuple[str, str]:
    """Return the scores of two systems, and which way they are better."""
    decimals = max(say.decimals_of_pairs(r.pairs[0]), 3)
    scores = [
        f"{shown_name(s.name)} {say.fixed(s.mean, decimals)}"
        + ("" if isnan(s.sd) else f" (sd {say.fixed(s.sd, decimals)})")
        for s in r.systems
    ]
    label = f"Mean {r.metric}" if "sd" in r.systems else r.metric
    return label, "; ".join([*scores, say.direction(r)])


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
    decimals, (a, b) = say.decimals_of_pairs(pair), map(shown_name, pair[:2])
    ahead, behind = (a, b) if (low > 0) != r.lower else (b, a)
    found = f"{ahead} gains on {behind}"
    if low <= 0 <= high:
        found = "no significant change of the difference"
    half, by = (say.fixed(r.change[name], decimals, sign=True) for name in ("half", "change"))
    return (
        f"{found} from half of the rows to these training sets: {half} with half, changed by "
        f"{by} ({say.percent(r.confidence_level)} interval {say.span(low, high, decimals)})"
    )
