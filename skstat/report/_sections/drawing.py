"""What stands for a verdict beside its words: badges, tones, and the drawing of a report."""

from collections.abc import Iterator
from math import isfinite, isinf, isnan

from skstat._names import clip, clip_all
from skstat.report._blocks import Badge, Bar, Bars, Ranks, Tone
from skstat.report._model import Pair, Report
from skstat.report._words import conclude, good, good_best, is_turned, percent

_MOST = 25  # systems; a page of dots says less than the table
_MOST_RANKED = 60  # systems of a leaderboard
_TONES: dict[str, Tone] = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "not inferior": "equivalent",
    "undecided": "undecided",
    "higher": "",
    "lower": "",
}


def tone_of(verdict: str) -> Tone:
    """Return the tone of a verdict on the first system, as a candidate against the second."""
    return _TONES[verdict]


def pair_tone(pair: Pair) -> Tone:
    """Return the tone of one comparison among several, of which none is the candidate."""
    return "better" if pair.better is not None else tone_of(pair.verdict)


def against_control(r: Report) -> dict[str, Pair]:
    """Return the pair of every other system with the control, seen from that system."""
    if r.control is None:
        return {}
    found = r.against(r.control)
    return {name: pair.seen_from(name, r.alpha) for name, pair in found.items()}


def system_tones(r: Report) -> dict[str, Tone]:
    """Return the tone of every system: against the control, or as one that may be best."""
    if r.control is not None:
        return {name: tone_of(pair.verdict) for name, pair in against_control(r).items()}
    kept = r.may_be_best
    of_kept: Tone = "better" if len(kept) == 1 else "undecided"
    return {name: of_kept if name in kept else "worse" for name in r.names} if kept else {}


def badges(r: Report) -> list[Badge]:
    """Return the verdicts, each in a few words."""
    if r.is_pair:
        pair = r.pairs[0]
        is_named = pair.verdict not in ("equivalent", "undecided")
        says = f"{clip(pair.first)} is {pair.verdict}" if is_named else pair.verdict
        return [Badge(says, tone_of(pair.verdict))]
    if r.control is not None:
        found = [pair.verdict for pair in against_control(r).values()]
        return [
            Badge(f"{found.count(verdict)} {verdict}", tone)
            for verdict, tone in _TONES.items()
            if verdict in found
        ]
    kept = r.may_be_best
    if len(kept) == 1:
        return [Badge(f"only {clip(kept[0])} may be best", "better")]
    return [Badge(f"{len(kept)} of {len(r.names)} may be best", "undecided")] if kept else []


def drawing(r: Report) -> Iterator[Bars | Ranks]:
    """Draw intervals of differences, or ranks."""
    found: Bars | Ranks | None
    if r.is_pair:
        found = _of_pair(r)
    elif r.is_leaderboard:
        found = _of_leaderboard(r)
    elif r.over_datasets:
        found = _of_mean_ranks(r)
    else:
        found = _from_best(r) or _of_pairs(r)
    if found is not None:
        yield found


def _of_pair(r: Report) -> Bars | None:
    """Draw the interval of a difference against zero, the margin or the region."""
    pair = r.pairs[0]
    ends = pair.low, pair.high
    if isnan(pair.estimate) or any(map(isnan, ends)) or all(map(isinf, ends)):
        return None
    left, right = pair.second, pair.first
    if is_turned(r):
        left, right = right, left
    inner, says = None, ""
    adjusted = r.equivalence is not None and r.equivalence["adjustment"]
    # Of an adjusted p-value there is no interval that decides.
    if not adjusted and isfinite(pair.inner_low) and isfinite(pair.inner_high):
        inner = pair.inner_low, pair.inner_high
        says = f"the {inner_level(r)} interval, which decides about the margin"
    law = () if r.margin is not None else r.evidence.shown_law
    return Bars(
        [Bar("", pair.low, pair.estimate, pair.high, tone_of(pair.verdict))],
        left,
        right,
        side=good(r),
        margin=r.margin,
        inner=inner,
        inner_says=says,
        law=law,
        rope=r.probabilities["rope"] if law and r.probabilities else 0.0,
        sides=("better", "worse") if is_turned(r) else ("worse", "better"),
        says=f"interval of the difference against zero: {conclude(r)[0]}",
    )


def inner_level(r: Report) -> str:
    """Write the level of the interval by which a margin is decided: 1 - 2 alpha."""
    return percent(round(2 * r.confidence_level - 1, 12))


def _from_best(r: Report) -> Bars | None:
    """Draw how far every system may be from the best other one, against zero."""
    ends = [end for s in r.systems for end in (s.best_low, s.best_high)]
    if len(r.names) > _MOST or not all(map(isfinite, ends)):
        return None
    tones, nan = system_tones(r), float("nan")
    rows = [Bar(s.name, s.best_low, nan, s.best_high, tones.get(s.name, "")) for s in r.systems]
    title = f"from the {good_best(r)} other"
    what = "intervals of each score minus the best other"
    return _on_one_axis(r, rows, title, good(r), what)


def _of_pairs(r: Report) -> Bars | None:
    """Draw the differences in pairs against zero; with a control, those from it."""
    ends = (end for pair in r.pairs for end in (pair.low, pair.high))
    if len(r.pairs) > _MOST or not any(map(isfinite, ends)):
        return None
    tones, rows, title, who = system_tones(r), [], "difference", f"first {good(r)}"
    everyone = list(dict.fromkeys(name for pair in r.pairs for name in pair[:2]))
    short = dict(zip(everyone, clip_all(everyone, 14), strict=True))
    for pair in r.pairs:
        name = f"{short[pair.first]} \N{MINUS SIGN} {short[pair.second]}"
        tone = pair_tone(pair)
        if r.control in pair[:2]:
            name = pair.other(r.control)
            tone = tones[name]
        rows.append(Bar(name, pair.low, pair.estimate, pair.high, tone))
    rows.sort(key=lambda bar: 0.0 if isnan(bar.estimate) else -bar.estimate)
    if r.control is not None:
        name, is_first = clip(r.control, 20), r.pairs[0].first == r.control
        title = f"{name} minus" if is_first else f"minus {name}"
        who = f"{name} {good(r)}" if is_first else good(r)
    found = _on_one_axis(r, rows, title, who, f"intervals: {title}")
    return found._replace(margin=r.margin)


def _on_one_axis(r: Report, rows: list[Bar], title: str, who: str, what: str) -> Bars:
    left, right = (who, "") if r.lower else ("", who)
    return Bars(rows, left, right, title=title, says=what)


def _of_mean_ranks(r: Report) -> Ranks | None:
    """Draw the mean ranks, and a bar beside those that do not differ significantly."""
    ranks, tones = [s.mean_rank for s in r.systems], system_tones(r)
    if len(ranks) > _MOST or any(map(isnan, ranks)):
        return None
    joined = any(len(group) > 1 for group in r.groups)
    return Ranks(
        r.names,
        ranks,
        r.groups,
        [tones.get(name, "") for name in r.names],
        control=r.control or "",
        note="Joined by a bar: no significant difference was found." if joined else "",
        says="mean ranks, 1 is best",
    )


def _of_leaderboard(r: Report) -> Ranks | None:
    """Draw the ranks that every system may have."""
    if len(r.names) > _MOST_RANKED:
        return None
    tones = system_tones(r)
    return Ranks(
        r.names,
        [s.rank for s in r.systems],
        tones=[tones.get(name, "") for name in r.names],
        limits=[(s.rank_low, s.rank_high) for s in r.systems],
        title="rank",
        says="ranks that are possible",
    )
