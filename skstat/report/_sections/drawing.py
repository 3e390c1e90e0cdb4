"""The drawing of a report: intervals on one axis, or systems on a line of ranks."""

from collections.abc import Iterator, Sequence
from math import isfinite, isnan
from typing import Any

from skstat._names import clip_all
from skstat.report._blocks import TONES, Bar, Bars, Tone
from skstat.report._model import Pair, Report
from skstat.report._sections.tables import against_control
from skstat.report._terms import MINUS, percent

_MOST, _MOST_SYSTEMS = 25, 60  # rows; a page of dots says less than the table


def drawing(r: Any) -> Iterator[Bars]:
    """Draw intervals of scores, of differences, or ranks."""
    if r.is_performance:
        rows = _of_systems(r, low="low", estimate="mean", high="high", mark="training_score")
        note = "Open circles: training scores (optimistic)." * ("training_score" in r.systems)
        if rows:
            yield Bars(rows, zero=False, note=note, says="intervals of the estimates")
    elif r.is_pair:
        yield from _difference(r)
    elif r.is_leaderboard or r.over_datasets:
        rank = "rank" if r.is_leaderboard else "mean_rank"
        rows = _of_systems(r, low="rank_low", estimate=rank, high="rank_high")
        groups = [group for group in r.groups if len(group) > 1]
        if rows:
            yield Bars(
                rows,
                title=rank.replace("_", " "),
                zero=False,
                ends=(1, len(rows)),
                groups=groups,
                note="Joined by a bar: no significant difference was found." * bool(groups),
                says=f"{rank.replace('_', ' ')}s, 1 is best",
            )
    elif all(isfinite(end) for s in r.systems for end in (s.best_low, s.best_high)):
        rows = _of_systems(r, low="best_low", high="best_high")
        yield from intervals(r, rows, f"from the {r.words.top} other", r.words.good)
    else:
        short = dict(zip(r.names, clip_all(r.names, 14), strict=True))
        rows = [bar_of(f"{short[p.first]} {MINUS} {short[p.second]}", p) for p in r.pairs]
        yield from intervals(r, rows, "difference", f"first {r.words.good}", r.margin)


def bar_of(name: str, pair: Pair) -> Bar:
    """Return the interval of a difference."""
    return Bar(name, pair.low, pair.estimate, pair.high, TONES[pair.verdict])


def intervals(
    r: Report, rows: list[Bar], title: str, who: str, margin: float | None = None
) -> Iterator[Bars]:
    """Draw differences against zero, if any is known and they are not too many.

    Parameters
    ----------
    r : Report
        What they are of.
    rows : list of Bar
        The differences.
    title : str
        What they are.
    who : str
        Who is better where they are good.
    margin : float, optional
        The smallest difference that matters.
    """
    if len(rows) <= _MOST and any(isfinite(end) for bar in rows for end in (bar.low, bar.high)):
        left, right = (who, "") if r.lower else ("", who)
        yield Bars(rows, left, right, title=title, margin=margin, says=f"intervals: {title}")


def inner_level(r: Report) -> str:
    """Write the level of the interval by which a margin is decided: 1 - 2 alpha."""
    return percent(round(2 * r.confidence_level - 1, 12))


def inner_of(r: Report, pair: Pair) -> tuple[float, float] | None:
    """Interval by which the margin is decided; of an adjusted p-value there is none."""
    known = r.equivalence is not None and not r.equivalence["adjustment"]
    limits = pair.inner_low, pair.inner_high
    return limits if known and not r.words.by_rank and isfinite(sum(limits)) else None


def _difference(r: Any) -> Iterator[Bars]:
    """Draw the interval of a difference against zero, the margin or the region."""
    pair, margin, turned = r.pairs[0], r.margin, r.is_turned
    if isnan(pair.estimate) or not any(map(isfinite, (pair.low, pair.high))):
        return
    inner = inner_of(r, pair)
    law: Sequence[tuple[float, float]] = ()
    if margin is None and r.probabilities is not None and r.scale == "score":
        margin, law = r.probabilities["rope"], r.evidence.shown_law
    first, second = clip_all(pair[:2], 20)
    first, second = f"{first} {r.words.good}", f"{second} {r.words.good}"
    note = ""
    if inner:
        note = f"Thick: the {inner_level(r)} interval, which decides about the margin."
    yield Bars(
        [bar_of("", pair)._replace(inner=inner or ())],
        first if turned else second,
        second if turned else first,
        margin=margin,
        law=law,
        sides=("better", "worse") if turned else ("worse", "better"),
        note=note,
        says=f"interval of the difference against zero: {r.sentences[0]}",
    )


def _of_systems(r: Report, **fields: str) -> list[Bar]:
    """Return a row of every system, if all are known, and they are not too many.

    The tone of a system is that against the control, or as one that may be the best.
    """
    tones: dict[str, Tone] = {}
    if r.control is not None:
        tones = {name: TONES[pair.verdict] for name, pair in against_control(r).items()}
    elif kept := r.may_be_best:
        of_kept: Tone = "better" if len(kept) == 1 else "undecided"
        tones = {name: of_kept if name in kept else "worse" for name in r.names}
    marks = {r.control: " (control)"}
    rows = []
    for s in r.systems:
        places = {place: getattr(s, field) for place, field in fields.items()}
        rows.append(Bar(s.name + marks.get(s.name, ""), tone=tones.get(s.name, ""), **places))
    unknown = any(isnan(bar.low) and isnan(bar.estimate) for bar in rows)
    return [] if unknown or len(rows) > _MOST_SYSTEMS else rows
