"""Tables: their columns and cells, those of one kind of report; rows of label and text."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import isinf, isnan
from typing import Any, Literal, NamedTuple

from skstat._names import shown_name
from skstat.report._blocks import Cells, Facts, Tone
from skstat.report._model import Pair, Report
from skstat.report._words import (
    PROBABLE,
    adjustment_name,
    decimals_for,
    direction,
    fixed,
    percent,
    probability_text,
    ranks_text,
    share_text,
)
from skstat.report._words import decimals_of as decimals_of_scores
from skstat.stats import BradleyTerryPosterior
from skstat.stats._outcomes import unit_word

HOW = "What was tested, and how"
MINUS = "\N{MINUS SIGN}"
_MOST_CHANCES = 30  # pairs
_STRONGER = {"first": "1st", "second": "2nd", "even": "even", "undecided": "\N{EN DASH}"}
_FEW_UNITS = 10  # of fewer, nobody should plan by what varied
# Of a verdict on the first system, as a candidate against the second; the worst first.
TONES: dict[str, Tone] = {
    "worse": "worse",
    "lower": "",
    "undecided": "undecided",
    "not inferior": "equivalent",
    "equivalent": "equivalent",
    "higher": "",
    "better": "better",
}


class Column(NamedTuple):
    """A column of a table; of a spare one a text may do without, where it has no room."""

    title: str
    cells: Sequence[str]
    kind: Literal["name", "number", "spare", "words"] = "number"


def table(
    title: str,
    columns: Iterable[Column],
    notes: Iterable[str] = (),
    *,
    n_left: int = 0,
    where: str = "to_frame()",
    tones: Sequence[Tone] = (),
    letters: Sequence[str] = (),
) -> Cells:
    """Return a table of the columns in which a cell says something.

    Parameters
    ----------
    title : str
        What the rows are.
    columns : iterable of Column
        Those of names first.
    notes : iterable of str
        What is said below the table; empty ones are left out.
    n_left : int, default=0
        How many rows are not shown.
    where : str, optional
        Where these can be seen.
    tones, letters : sequence of str
        Of the last cell of every row: its tone, and what stands for it in little room.
    """
    shown = [column for column in columns if any(column.cells)]
    kinds = [column.kind for column in shown]
    left = f"{n_left} more in {where}." if n_left else ""
    return Cells(
        title,
        [column.title for column in shown],
        [list(row) for row in zip(*(column.cells for column in shown), strict=True)],
        n_names=kinds.count("name"),
        words=kinds.index("words") if "words" in kinds else None,
        note=" ".join(filter(None, [left, *notes])),
        tones=tones,
        letters=letters,
        spare=[place for place, kind in enumerate(kinds) if kind == "spare"],
    )


def cells(values: Iterable[Any], write: Callable[[Any], str]) -> list[str]:
    """Write values; of what is not known nothing is written."""
    return [
        "" if value is None or (isinstance(value, float) and isnan(value)) else write(value)
        for value in values
    ]


def decimals_of(*pairs: Pair) -> int:
    """Return the decimals of the differences of pairs, and of their limits."""
    return decimals_for(end for p in pairs for end in (p.estimate, p.low, p.high))


def span(low: float, high: float, decimals: int, *, sign: bool = True) -> str:
    """Write limits, of which either may be infinite."""
    if isnan(low):
        return "none exists"
    if isinf(low) and isinf(high):
        return "no limit"
    below, above = (fixed(end, decimals, sign=sign) for end in (low, high))
    if isinf(high):
        return f"at least {below}"
    return f"at most {above}" if isinf(low) else f"{below} to {above}"


def counted(verdicts: Iterable[str]) -> dict[str, int]:
    """Count verdicts, the worst first."""
    found = Counter(verdicts)
    return {verdict: found[verdict] for verdict in TONES if verdict in found}


def pair_tone(pair: Pair) -> Tone:
    """Return the tone of one comparison among several, of which none is the candidate."""
    return "better" if pair.better is not None else TONES[pair.verdict]


def against_control(r: Report) -> dict[str, Pair]:
    """Return the pair of every other system with the control, seen from that system."""
    found = {} if r.control is None else r.against(r.control)
    return {name: pair.seen_from(name, r) for name, pair in found.items()}


def test_of_pairs(r: Report) -> str:
    """Name the test of the pairs, and how its p-values were adjusted."""
    tests = " / ".join(r.tests)
    if r.adjustment == "max-t":  # the name of the test has it
        return tests
    return f"{tests}, p-values adjusted by {adjustment_name(r.adjustment)}"


def has_few_units(r: Report) -> bool:
    """Whether so little is known of what varied that nobody should plan by it at once."""
    return (r.n_units if r.sampled is None else r.sampled["n"]) < _FEW_UNITS


def known(rows: Iterable[tuple[str, str]]) -> Facts:
    """Return the rows of which something is known."""
    return Facts([(label, text) for label, text in rows if text])


# --- of one kind of report -----------------------------------------------------------------


def performance_table(reports: Sequence[Report]) -> Cells:
    """Return the estimates by one metric or several: a row per learner, one per difference."""
    rows = [row for r in reports for row in _performances(r)]
    first, several = reports[0], len(reports) > 1
    titles = ["", "metric", "estimate" if several else first.metric]
    titles += [f"{percent(first.confidence_level)} interval", "training score", "gap"]
    columns = [Column(*each) for each in zip(titles, zip(*rows, strict=True), strict=True)]
    names, metrics, *numbers = columns
    names, metrics = names._replace(kind="name"), metrics._replace(kind="name")
    ways = {direction(r) for r in reports}
    lower = ", ".join(r.metric for r in reports if r.lower)
    trained = any("training_score" in r.systems for r in reports)
    return table(
        ", ".join(["Performance", *ways]) if len(ways) == 1 else "Performance",
        [names, *[metrics] * several, *numbers],
        [
            f"Higher is better, but for {lower}." * (len(ways) > 1),
            "Training score: the mean score on the rows that a model was fitted to "
            "(optimistic). Gap: by how much it is better." * trained,
        ],
    )


def _performances(r: Report) -> list[list[str]]:
    """Return the cells of every learner, and of their difference."""
    decimals, rows = decimals_of_scores(r.systems), []
    for s in r.systems:
        gap = s.mean - s.training_score if r.lower else s.training_score - s.mean
        limits = span(s.low, s.high, decimals, sign=False)
        trained = cells([s.training_score], lambda score: fixed(score, decimals))
        better = cells([gap], lambda size: fixed(size, decimals, sign=True))
        size = fixed(s.mean, decimals)
        rows.append([shown_name(s.name), r.metric, size, limits, *trained, *better])
    for p in r.pairs:
        size, limits = fixed(p.estimate, decimals, sign=True), span(p.low, p.high, decimals)
        rows.append([f" {MINUS} ".join(map(shown_name, p[:2])), r.metric, size, limits, "", ""])
    return rows


def ranks_table(r: Report) -> Cells | None:
    """Return how the ranks move in resamples, and without one part; None if not asked."""
    found = r.rank_stability
    if found is None:
        return None
    firsts = [share_text(s.first_share) for s in r.systems]
    middle = [ranks_text(s.resampled_low, s.resampled_high) for s in r.systems]
    columns = [
        Column("", [shown_name(name) for name in r.names], "name"),
        Column("rank", [f"{s.rank:g}" for s in r.systems]),
        Column("first in", firsts),
        Column(f"middle {percent(r.confidence_level)}", middle),
    ]
    if found.parts:
        without = [ranks_text(s.without_low, s.without_high) for s in r.systems]
        columns.append(Column(f"without one {r.part_word}", without))
    note = (
        "They say how firmly these scores fix the order. A share of resamples is not the "
        "chance to be the best. A first place that systems share counts for each of them."
    )
    title = f"Ranks in {found.n_resamples} resamples of the {unit_word(found.unit)}s"
    return table(title, columns, [note])


def strengths_table(r: Report) -> Cells | None:
    """Return how often each system wins against each other; None where that was not asked."""
    found = r.strengths
    if found is None:
        return None
    pairs, unit, model = list(combinations(found.order, 2)), unit_word(r.unit), found.model
    shown, draws = pairs[:_MOST_CHANCES], int(model.effective_size)
    chances = [model.pair(*pair) for pair in shown]
    limits = ["\N{EN DASH}".join(f"{end:.2f}" for end in c.interval) for c in chances]
    notes = [
        "Wins: of the first and the second, ties counted half. Model: chance that the first "
        f"wins on another {unit}, by strengths, and limits that it is between with a "
        f"probability of 90%. P: that the chance is above one half. Stronger: P {PROBABLE:g} "
        "or more; even: the chance is 0.45 to 0.55 with as much. Not adjusted for the number "
        "of pairs."
    ]
    columns = [
        Column("first", [shown_name(a) for a, _ in shown], "name"),
        Column("second", [shown_name(b) for _, b in shown], "name"),
        Column("wins", [_wins(found, *pair) for pair in shown]),
        Column("model", [f"{chance.mean:.2f}" for chance in chances]),
        Column("90%", limits),
        Column("P", [probability_text(chance.better, draws) for chance in chances]),
    ]
    decided = [_stronger(found, *pair) for pair in shown]
    names = [{"first": shown_name(a), "second": shown_name(b)} for a, b in shown]
    stronger = [name.get(one, one) for name, one in zip(names, decided, strict=True)]
    return table(
        f"Chances to win on another {unit}",
        [*columns, Column("stronger", stronger, "words")],
        notes,
        n_left=len(pairs) - len(shown),
        where="report.strengths",
        letters=[_STRONGER[one] for one in decided],
    )


def _wins(found: BradleyTerryPosterior, a: str, b: str) -> str:
    turned = (a, b) not in found.pairs
    place = found.pairs.index((b, a) if turned else (a, b))
    wins = found.wins[place], found.met[place] - found.wins[place]
    return " : ".join(f"{won:g}" for won in (wins[::-1] if turned else wins))


def _stronger(found: BradleyTerryPosterior, a: str, b: str) -> str:
    """Say which of two is stronger, if either is; that they are even comes first."""
    model = found.model.pair(a, b)
    kinds = {"even": model.even, "first": model.better, "second": 1 - model.better}
    return next((name for name, share in kinds.items() if share >= PROBABLE), "undecided")
