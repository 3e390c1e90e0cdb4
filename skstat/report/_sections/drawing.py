"""The drawing of a report: intervals on one axis, or systems on a line of ranks."""

from collections.abc import Iterator, Mapping
from math import isfinite, isinf, isnan, nan
from typing import Any

from skstat._names import clip, clip_all
from skstat.report._blocks import TONES, Bar, Bars, Tone
from skstat.report._model import Report
from skstat.report._sections.tables import against_control, pair_tone
from skstat.report._words import MINUS, good, good_best, is_turned, percent

_MOST = 25  # rows; a page of dots says less than the table
_MOST_RANKED = 60  # systems of a leaderboard


def drawing(r: Any) -> Iterator[Bars]:
    """Draw intervals of scores, of differences, or ranks."""
    if r.is_performance:
        yield from _scores(r)
    elif r.is_pair:
        yield from _difference(r)
    elif r.is_leaderboard or r.over_datasets:
        yield from _ranks(r)
    elif all(isfinite(end) for s in r.systems for end in (s.best_low, s.best_high)):
        tones = _tones(r)
        rows = [
            Bar(s.name, s.best_low, nan, s.best_high, tones.get(s.name, "")) for s in r.systems
        ]
        yield from intervals(r, rows, f"from the {good_best(r)} other", good(r))
    else:
        yield from _differences(r)


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


def _scores(r: Report) -> Iterator[Bars]:
    shown = [one for one in r.systems if not isnan(one.low)]
    trained = "training_score" in r.systems
    if 0 < len(shown) <= _MOST:
        yield Bars(
            [Bar(one.name, one.low, one.mean, one.high) for one in shown],
            marks=[one.training_score for one in shown] if trained else (),
            mark_says="training score (optimistic)",
            zero=False,
            says="intervals of the estimates" + "; open circles: training scores" * trained,
        )


def _difference(r: Any) -> Iterator[Bars]:
    """Draw the interval of a difference against zero, the margin or the region."""
    pair = r.pairs[0]
    ends = pair.low, pair.high
    if isnan(pair.estimate) or any(map(isnan, ends)) or all(map(isinf, ends)):
        return
    turned, inner = is_turned(r), (pair.inner_low, pair.inner_high)
    adjusted = r.equivalence is not None and r.equivalence["adjustment"]
    # Of an adjusted p-value there is no interval that decides.
    is_inner = not adjusted and all(map(isfinite, inner))
    law = () if r.margin is not None else r.evidence.shown_law
    yield Bars(
        [Bar("", pair.low, pair.estimate, pair.high, TONES[pair.verdict])],
        pair.first if turned else pair.second,
        pair.second if turned else pair.first,
        side=good(r),
        margin=r.margin,
        inner=inner if is_inner else None,
        inner_says=f"the {inner_level(r)} interval, which decides about the margin",
        law=law,
        rope=r.probabilities["rope"] if law and r.probabilities else 0.0,
        sides=("better", "worse") if turned else ("worse", "better"),
        says=f"interval of the difference against zero: {r.sentences[0]}",
    )


def _differences(r: Report) -> Iterator[Bars]:
    """Draw the differences in pairs against zero; with a control, those from it."""
    if len(r.pairs) > _MOST:
        return
    tones, title, who = _tones(r), "difference", f"first {good(r)}"
    everyone = list(dict.fromkeys(name for pair in r.pairs for name in pair[:2]))
    short, rows = dict(zip(everyone, clip_all(everyone, 14), strict=True)), []
    for pair in sorted(r.pairs, key=lambda p: 0.0 if isnan(p.estimate) else -p.estimate):
        name, tone = f"{short[pair.first]} {MINUS} {short[pair.second]}", pair_tone(pair)
        if r.control is not None:
            name = pair.other(r.control)
            tone = tones[name]
        rows.append(Bar(name, pair.low, pair.estimate, pair.high, tone))
    if r.control is not None:
        control, is_first = clip(r.control, 20), r.pairs[0].first == r.control
        title = f"{control} minus" if is_first else f"minus {control}"
        who = f"{control} {good(r)}" if is_first else good(r)
    yield from intervals(r, rows, title, who, r.margin)


def _tones(r: Report) -> Mapping[str, Tone]:
    """Return the tone of every system: against the control, or as one that may be best."""
    if r.control is not None:
        return {name: TONES[pair.verdict] for name, pair in against_control(r).items()}
    kept = r.may_be_best
    of_kept: Tone = "better" if len(kept) == 1 else "undecided"
    return {name: of_kept if name in kept else "worse" for name in r.names} if kept else {}


def _ranks(r: Report) -> Iterator[Bars]:
    """Draw mean ranks, joined where they do not differ, or the ranks that are possible."""
    is_board, tones = r.is_leaderboard, _tones(r)
    rows = [
        Bar(s.name, s.rank_low, s.rank if is_board else s.mean_rank, s.rank_high)
        for s in r.systems
    ]
    most = _MOST_RANKED if is_board else _MOST
    if len(rows) > most or any(isnan(bar.estimate) for bar in rows):
        return
    joined = any(len(group) > 1 for group in r.groups) and not is_board
    yield Bars(
        [bar._replace(tone=tones.get(bar.name, "")) for bar in rows],
        title="rank" if is_board else "mean rank",
        zero=False,
        ends=(1, len(rows)),
        bold=None if is_board else r.control,
        groups=r.groups if joined else (),
        note="Joined by a bar: no significant difference was found." * joined,
        says="ranks that are possible" if is_board else "mean ranks, 1 is best",
    )
