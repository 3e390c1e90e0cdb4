"""The table of systems: ranked, on one data set or many, or a leaderboard."""

from collections.abc import Sequence
from math import isinf, isnan

from skstat._names import clip, one_line, shown_name
from skstat.report._blocks import Cells
from skstat.report._model import Pair, Report, System
from skstat.report._sections.drawing import against_control
from skstat.report._words import (
    best,
    decimals_for,
    direction,
    drawn_text,
    fixed,
    good_best,
    percent,
    ranks_text,
    short,
    time_text,
    word,
)
from skstat.stats._outcomes import unit_word

_FEW, _MOST_FIRST = 6, 4  # systems all shown at first sight; of more, those shown
_FEW_RANKED, _TOP = 12, 8  # the same of a leaderboard
_SHORT = 12  # letters of a name in a header
_MOST_ROWS, _MOST_RANKED = 50, 200  # of a screen
_SPARE = ("sd", "fit", "predict")  # columns that go first where there is no room

Columns = list[tuple[str, list[str]]]


def systems_table(r: Report, full: bool, screen: bool) -> Cells:
    """Return the systems, the best first; at first sight those that matter for a choice."""
    columns, notes = _leaderboard(r, full) if r.is_leaderboard else _ranking(r, full)
    letters = [s.letters for s in r.systems]
    shown: Sequence[int] = range(len(r.names))
    words = None
    if full:
        columns, notes = _with_groups(r, columns, notes, letters)
        words = len(columns) - 1 if any(letters) or r.is_leaderboard else None
        most, where = (
            (_MOST_RANKED, "to_frame()")
            if r.is_leaderboard
            else (_MOST_ROWS, "to_dict()['ranking']")
        )
        if screen and len(r.names) > most:
            shown = range(most)
            notes = [f"{len(r.names) - most} more in {where}.", *notes]
    elif r.is_leaderboard:
        columns.append(("group", letters))
        words = len(columns) - 1
        if len(r.names) > _FEW_RANKED:
            shown = range(_TOP)
            notes = [f"{len(r.names) - _TOP} more in print(report.details).", *notes]
    else:
        columns += _against_control(r)
        kept = r.may_be_best if "may_be_best" in r.systems else r.names
        if len(r.names) > _FEW:
            first = {*kept[:_MOST_FIRST], r.control}
            left = [s for s in r.systems if s.name not in first]
            shown = [place for place, s in enumerate(r.systems) if s.name in first]
            notes.append(_not_shown(left))
    titles = [title for title, _ in columns]
    return Cells(
        f"Ranking by {one_line(r.metric)}, {direction(r)}",
        titles,
        [[cells[place] for _, cells in columns] for place in shown],
        words=words,
        note=" ".join(filter(None, notes)),
        # Details have room for all of it.
        spare=[n for n, title in enumerate(titles) if title in _SPARE and not full],
    )


def _ranking(r: Report, full: bool) -> tuple[Columns, list[str]]:
    """Return means or mean ranks, who may be best, probabilities and times."""
    columns, notes = _scores(r), []
    if r.over_datasets:
        wins = [f"{s.wins:g}/{s.ties:g}/{s.losses:g}" for s in r.systems]
        kinds = "higher/equal/lower" if r.direction_assumed else "wins/ties/losses"
        columns.append((kinds, wins))
        if full:
            notes.append(
                "Wins, ties and losses are against every other system on every data set."
            )
            if r.missing or any(isnan(one) for row in (r.scores or {})["rows"] for one in row):
                notes.append("Mean ranks allow for who has scores on which data sets.")
    elif "best_low" in r.systems:
        top = good_best(r)
        ends = decimals_for(end for s in r.systems for end in (s.best_low, s.best_high))
        columns.append(
            (f"from the {top} other", [span(s.best_low, s.best_high, ends) for s in r.systems])
        )
        notes.append(
            f"From the {top} other: {word(r)} minus the {best(r)} of the others, "
            f"simultaneous {percent(r.confidence_level)} intervals."
        )
    if r.may_be_best:
        columns.append(("may be best", ["yes" if s.may_be_best else "no" for s in r.systems]))
    more, said = _probabilities(r, full)
    columns += more
    notes += said
    if more and len(r.may_be_best) > 1:
        notes.append(
            "P(best) is not adjusted for the number of pairs: a high one does not rule out the "
            "others."
        )
    for kind in ("fit", "predict"):
        if kind in r.systems:
            columns.append((kind, [time_text(getattr(s, kind)) for s in r.systems]))
    return columns, notes


def _scores(r: Report) -> Columns:
    decimals = max(3, decimals_for(s.mean for s in r.systems))
    columns = [("", [shown_name(s.name) for s in r.systems])]
    if r.over_datasets:
        columns.append(("mean rank", [fixed(s.mean_rank, 2) for s in r.systems]))
    is_mean = "sd" in r.systems
    title = "mean" if is_mean or r.over_datasets else word(r)
    columns.append((title, [fixed(s.mean, decimals) for s in r.systems]))
    if is_mean or r.over_datasets:
        blank = "" if r.over_datasets else fixed(None, decimals)
        columns.append(
            ("sd", [blank if isnan(s.sd) else fixed(s.sd, decimals) for s in r.systems])
        )
    return columns


def _leaderboard(r: Report, full: bool) -> tuple[Columns, list[str]]:
    """Return scores, ranks, and the ranks that every system may have."""
    decimals = max(3, decimals_for(s.mean for s in r.systems))
    level = percent(r.confidence_level)
    columns: Columns = [
        ("", [shown_name(s.name) for s in r.systems]),
        (word(r), [fixed(s.mean, decimals) for s in r.systems]),
    ]
    notes = []
    if "low" in r.systems:
        own = [f"{fixed(s.low, decimals)} to {fixed(s.high, decimals)}" for s in r.systems]
        columns.append((f"{level} interval", own))
        notes.append("Intervals: of each score by itself.")
    columns += [
        ("rank", [f"{s.rank:g}" for s in r.systems]),
        ("may rank", [ranks_text(s.rank_low, s.rank_high) for s in r.systems]),
    ]
    notes.append(f"May rank: {level} confidence in all of them together.")
    more, said = _by_strengths(r, full)
    return columns + more, notes + said


def _probabilities(r: Report, full: bool) -> tuple[Columns, list[str]]:
    """Return who is the best with what probability: over data sets by one model."""
    columns, notes = _by_strengths(r, full)
    if "probability_best" not in r.systems:
        return columns, notes
    top = good_best(r)
    rope = r.probabilities["rope"] if r.probabilities else 0.0
    kinds = {f"P({top})": "probability_best"}
    if rope:
        kinds[f"P(within {short(rope)})"] = "probability_near_best"
    for title, key in kinds.items():
        found = [drawn_text(getattr(s, key), r.best_draws) for s in r.systems]
        columns.append((title, found))
    within = ", or so near to it" * bool(rope)
    notes.append(
        f"P({top}): probability, given these scores, that its score is the {best(r)}{within}."
    )
    return columns, notes


def _by_strengths(r: Report, full: bool) -> tuple[Columns, list[str]]:
    found = r.strengths
    if found is None:
        return [], []
    place = {name: number for number, name in enumerate(found.names)}
    top = good_best(r)
    columns: Columns = []
    for title, one in ((f"P({top})", found.model), ("by wins", found.shares)):
        if one is not None and (full or one is found.model):
            draws = int(one.effective_size)
            shares = [drawn_text(float(one.best[place[name]]), draws) for name in r.names]
            columns.append((title, shares))
    note = f"P({top}): probability to be the strongest, by a Bradley-Terry model"
    if len(columns) > 1:
        note += "; by wins: to have the largest share of wins, without a model"
    return columns, [f"{note}."]


def _with_groups(
    r: Report, columns: Columns, notes: list[str], letters: list[str]
) -> tuple[Columns, list[str]]:
    """Add the letters that systems share, and what is to be said of all columns."""
    group = ("group", letters)
    if r.is_leaderboard:
        share = "Systems that share a letter do not differ significantly."
        return [*columns, group], [*notes, share]
    if any(title == "sd" for title, _ in columns):
        notes = [*notes, f"sd: standard deviation over the {unit_word(r.unit)}s."]
    if r.may_be_best:
        notes = [*notes, "May be best: no other one is significantly better."]
    if not any(letters):
        return columns, notes
    share = "Systems that share a letter: no significant difference was found."
    untested = "Some pairs could not be tested." if r.untested else ""
    return [*columns, group], [share, untested, *notes]


def _not_shown(left: list[System]) -> str:
    """Count the systems that are left out, by whether they may be the best."""
    if not left:
        return ""
    if all(s.may_be_best is None for s in left):
        return f"Not shown: {len(left)} more."
    n_kept = sum(bool(s.may_be_best) for s in left)
    counts = {"more that may be the best": n_kept, "ruled out": len(left) - n_kept}
    return f"Not shown: {', '.join(f'{n} {what}' for what, n in counts.items() if n)}."


def _against_control(r: Report) -> Columns:
    """Return the interval and the verdict of every system against the control.

    Where the control comes first in its pairs, it is the one in question: sentences say it.
    Where it was chosen by its score, the column of those that may be the best says it.
    """
    if r.control is None or r.may_be_best or r.pairs[0].second != r.control:
        return []
    found = against_control(r)
    decimals = decimals_for(end for pair in found.values() for end in (pair.low, pair.high))
    pairs = [found.get(name) for name in r.names]
    minus = "minus" if r.scale == "score" else "against"
    title = f"{minus} {clip(shown_name(r.control), _SHORT)}"
    return [
        (title, ["" if pair is None else interval_cell(pair, decimals) for pair in pairs]),
        ("verdict", ["" if pair is None else _verdict(pair) for pair in pairs]),
    ]


def _verdict(pair: Pair) -> str:
    return "no test" if isnan(pair.p) else pair.verdict


def interval_cell(pair: Pair, decimals: int) -> str:
    """Write the interval of a pair for a column of a table."""
    if isnan(pair.low):
        return "none" if isnan(pair.pvalue) else "no limit"
    return span(pair.low, pair.high, decimals)


def span(low: float, high: float, decimals: int) -> str:
    """Write limits, of which either may be infinite."""
    below, above = (fixed(end, decimals, sign=True) for end in (low, high))
    if isnan(low):
        return "undefined"
    if isinf(low) and isinf(high):
        return "no limit"
    if isinf(high):
        return f"at least {below}"
    return f"at most {above}" if isinf(low) else f"{below} to {above}"
