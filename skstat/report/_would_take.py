"""What would decide a comparison that is open, and what others are planned from it."""

import math
from collections.abc import Sequence
from contextlib import suppress
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from skstat._names import shown_name
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._terms import about, short
from skstat.stats import Plan
from skstat.stats._pilot import Asked, Pilot, pilot_of, pilot_of_estimate
from skstat.stats._score_table import ScoreTable, ends_of

USUAL_POWER = 0.8
USUAL_LIMIT = 0.8  # of what varied (Browne, 1995)
_LITTLE = 0.1  # share of an interval that is not worth more fits
_AS_CHEAP = 2  # times as many answers as by more items: an item costs more than its answers
_OPEN = {"undecided", "not inferior"}
_FEW_PAIRS = 30  # whose intervals are looked at to find the widest


def would_take(r: Report) -> str:
    """Say what would decide what is open; empty where that cannot be said at once."""
    judged_elsewhere = r.is_pair and not math.isnan(r.pairs[0].adjusted)
    if r.is_performance or judged_elsewhere or r.invalid:
        return ""
    if _OPEN.isdisjoint(r.pairs.column("verdict")) or not _open_places(r):
        return ""
    based, said = _based_on(r), []
    for more in (_more_units, _more_splits):
        with suppress(ValueError):  # nothing varied, it is not known what, or there are none
            said.append(more(based))
    return "; ".join(filter(None, said))


class _Based(NamedTuple):
    """A comparison of two systems that others are planned from.

    Attributes
    ----------
    pair : Pair
        What was found.
    evidence : object
        The outcome, and what it was computed from.
    alpha : float
        Level of the test.
    notes : tuple of str
        What the reader should know.
    """

    pair: Pair
    evidence: Any
    alpha: float
    notes: tuple[str, ...]

    @property
    def half_width(self) -> float:
        """Half of the width of the interval, or how far its only limit is; else nan."""
        return _half_width((self.pair.low, self.pair.high), self.pair.estimate)

    @property
    def answers(self) -> tuple[float, float] | None:
        """Answers to each item, where there are several of some."""
        parts = self.evidence.design.get("variance") or {}
        if not parts.get("samples") or not parts["standard_error"]:
            return None
        kept = parts["standard_error_with_any_number"] / parts["standard_error"]
        return parts["n_samples"], 1 - kept**2

    def planned(self, margin: float | None, limit: float | None, more: str | None) -> Pilot:
        """Return the plan of the same comparison, of its difference or against a margin."""
        outcome, design = self.evidence.outcome.by_itself, self.evidence.design
        gate = margin is not None and design.get("to_show") == "not worse"
        one_sided = outcome.alternative != "two-sided" or gate
        instance = str(design.get("instance", "row"))
        asked = Asked(self.alpha, one_sided, limit, more, instance, self.answers)
        found = pilot_of(outcome, self.evidence.compared, asked)
        if margin is None:
            return found
        return found._replace(planner=found.planner.within(margin))


def _based_on(r: Report | ReportGrid) -> _Based:
    """Return the comparison that is planned from: of several the one that varies most.

    Pairs that are decided are not asked, unless all are; each has its share of the level.
    """
    if isinstance(r, ReportGrid):
        part, note = r.overall, "of all rows; the report on a slice plans it by itself"
        if part is None:  # by seed
            name, part = max(
                r.each(), key=lambda each: np.nan_to_num(_based_on(each[1]).half_width)
            )
            note = f"for {name}, whose difference varies most, by itself"
        based = _based_on(part)
        return based._replace(notes=(note, *based.notes))
    if r.is_pair:
        notes = _not_valid(r)
        if not math.isnan(r.pairs[0].adjusted):
            notes = (*notes, "for this comparison by itself, not adjusted for others")
        return _Based(r.pairs[0], r.evidence, r.alpha, notes)
    pair = _widest(r, _open_places(r) or range(len(r.pairs)))
    alpha = r.alpha / r.n_family
    who = f"{shown_name(pair.first)} and {shown_name(pair.second)}"
    note = f"for {who}, whose difference varies most, at {alpha:.4g}"
    note += f": {r.n_family} comparisons (Bonferroni)"
    return _Based(pair, r.evidence[pair.first, pair.second], alpha, (note, *_not_valid(r)))


def planned(
    r: Report | ReportGrid, margin: float | None, limit: float | None, more: str | None
) -> tuple[Pilot, tuple[str, ...]]:
    """Return the plan of the same on other numbers of units, and what is to be known of it."""
    if isinstance(r, ReportGrid) or not r.is_performance:
        based = _based_on(r)
        return based.planned(margin, limit, more), based.notes
    if margin is not None:
        raise ValueError("margin= is for comparisons of systems; use compare_estimators.")
    row = max(r.evidence.rows, key=lambda row: row.estimate.standard_error or 0.0)
    n = r.design.get("n_samples")
    found = pilot_of_estimate(row.estimate, n, Asked(r.alpha, False, limit, more))
    return found, (f"for {shown_name(row.name)}, against a fixed score", *_not_valid(r))


def _not_valid(r: Report) -> tuple[str, ...]:
    """Say that nothing of the comparison is valid, where that is so."""
    said = f"the comparison is not valid, and so the plan may not be: {r.invalid}"
    return (said,) if r.invalid else ()


def _open_places(r: Report) -> list[int]:
    """Return the pairs that are open: of those that may be the best, or with a control."""
    only = r.alternative != "two-sided" or r.design.get("to_show") == "not worse"
    is_open = {"undecided"} if only else _OPEN
    asked = set(r.candidates() if r.all_pairs else r.names)
    pairs = zip(*map(r.pairs.column, ("first", "second", "verdict")), strict=True)
    return [n for n, (a, b, told) in enumerate(pairs) if told in is_open and {a, b} <= asked]


def _widest(r: Report, places: Sequence[int]) -> Pair:
    """Return the pair with the widest interval; of many, among those that vary most.

    The call has no intervals of all pairs, which take longer than all that is printed.
    """
    table = getattr(r.evidence, "sample", None)  # a slice has none of its own
    if len(places) > _FEW_PAIRS and type(table) is ScoreTable and not table.missing.any():
        of = np.cov(table.scores, rowvar=False)
        first, second = (end[places] for end in ends_of(table.names, r.evidence.pairwise.pairs))
        varies = of[first, first] + of[second, second] - 2 * of[first, second]
        places = np.asarray(places)[np.argsort(-varies, kind="stable")[:_FEW_PAIRS]].tolist()
    level, asked = r.confidence_level, (r.evidence[r.pairs[n][:2]].outcome for n in places)
    widths = [_half_width(one.confidence_interval(level), one.estimate) for one in asked]
    return r.pairs[places[int(np.argmax(np.nan_to_num(widths)))]]


def _half_width(interval: Sequence[float], estimate: float) -> float:
    """Return half of the width of an interval, or how far its only limit is; else nan."""
    ends = [end for end in interval if math.isfinite(end)]
    if len(ends) == 2:
        return (ends[1] - ends[0]) / 2
    return abs(ends[0] - estimate) if ends else math.nan


def _more_units(based: _Based) -> str:
    """Say how many units show what matters: a margin, or half of the interval's width."""
    asks_margin = based.evidence.design.get("to_show") != "better"  # of a gate
    margin = based.evidence.margin if asks_margin else None
    planner, n, *_ = based.planned(margin, USUAL_LIMIT, None)
    power, half, difference = f"with power {USUAL_POWER:g}", based.half_width, 0.0
    if planner.margin is not None:
        names = map(shown_name, based.pair[:2])
        what = f"{power} {within_margin(planner, *names)}, if they are equal"
    elif based.evidence.outcome.scale == "score" and half > 0:
        difference = float(f"{half:.1e}")  # two digits
        what = f"a difference of {short(difference)} {power}"
    else:
        return ""
    size = planner.size(difference, USUAL_POWER, roughly=True)
    if size is None:
        beyond = f"; it takes {planner.beyond}" if planner.beyond else ""
        return f"no number of {planner.unit}s shows {what}{beyond}"
    ways = [f"about {about(size.stable)} {planner.unit}s (now {n})"]
    if based.answers is not None:
        planner, n_answers, *_ = based.planned(margin, USUAL_LIMIT, "answers")
        more = planner.size(difference, USUAL_POWER, roughly=True)
        if more is not None:
            cheap = more.stable / n_answers <= _AS_CHEAP * size.stable / n
            way = f"about {about(more.stable)} answers to each item (now {n_answers})"
            ways.insert(0 if cheap else 1, way)
    return f"{' or '.join(ways)} to show {what}"


def _more_splits(based: _Based) -> str:
    """Say what more splits of the same rows are worth."""
    found: Any = based.planned(None, None, "splits")
    # With ever more splits the law of Student's t becomes the normal one.
    level = 1 - found.planner.alpha
    least = NormalDist().inv_cdf((1 + level) / 2) * found.planner.standard_error(math.inf)
    gain = 1 - least / found.planner.half_width(found.n, level)
    if gain < _LITTLE:
        return "more splits hardly help"
    return f"more splits narrow the interval by at most {100 * gain:.0f} %"


def within_margin(planner: Plan, first: str, second: str, of: str = "") -> str:
    """Say what a plan with a margin is to show."""
    margin = short(planner.margin)
    if planner.one_sided:
        return f"that {first} is not worse than {second} by {margin}{of}"
    return f"that {first} and {second} are equivalent{of} within {margin}"
