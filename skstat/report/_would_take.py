"""What would decide a comparison that is open, in a line that everybody should read."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from statistics import NormalDist
from typing import Any

from skstat.report._comparison_plan import USUAL_POWER, within_margin
from skstat.report._doubts import Doubt
from skstat.report._plans_from_pilot import (
    USUAL_LIMIT,
    Pilot,
    PlansFromPilot,
    half_width,
    invalid_for_a_plan,
    planned,
)
from skstat.report._words import about, short
from skstat.stats import MarginPlanner
from skstat.stats._planning import MeanTypePlanner

_LITTLE = 0.1  # share of an interval that is not worth more fits
_AS_CHEAP = 2  # times as many answers as by more items: an item costs more than its answers


class SaysWhatItTakes(PlansFromPilot):
    """A report that says what would decide it, where it is open."""

    doubts: tuple[Doubt, ...]
    margin: float | None
    design: Mapping[str, Any]

    @property
    @abstractmethod
    def alternative(self) -> str:
        """Direction of the tests."""

    @property
    @abstractmethod
    def _is_open(self) -> bool:
        """Whether more units could decide what the comparison left open."""

    @property
    def _open_verdicts(self) -> set[str]:
        """Verdicts that leave open what was asked."""
        only = self.alternative != "two-sided" or self.design.get("to_show") == "not worse"
        return {"undecided"} if only else {"undecided", "not inferior"}

    @cached_property
    def _would_take(self) -> str:
        """What would decide it, where it is open; empty where that cannot be said at once."""
        if not self._is_open or invalid_for_a_plan(self.doubts):
            return ""
        pilot, says = self._pilot(), []
        with suppress(ValueError):  # nothing varied, or it is not known what
            says.append(_would_take(pilot, self.margin))
        with suppress(ValueError):
            says.append(_more_splits(pilot))
        return "; ".join(filter(None, says))


def _would_take(pilot: Pilot, margin: float | None) -> str:
    """Say how many units show what matters: a margin, or half of the interval's width."""
    margin = None if pilot.to_show == "better" else margin
    planner, n, *_ = planned(pilot, margin, limit=USUAL_LIMIT, more=None)
    power = f"with power {USUAL_POWER:g}"
    if isinstance(planner, MarginPlanner):
        difference = 0.0
        what = f"{power} {within_margin(planner, names=pilot.names)}, if they are equal"
    else:
        difference = _half_of(pilot)
        if not difference:
            return ""
        what = f"a difference of {short(difference)} {power}"
    size = planner._near_size(difference, USUAL_POWER)
    if size is None:
        beyond = f"; it takes {planner.beyond}" if planner.beyond else ""
        return f"no number of {planner.unit}s shows {what}{beyond}"
    ways = [f"about {about(size.stable)} {planner.unit}s (now {n})"]
    if pilot.answers is not None:
        planner, n_answers, *_ = planned(pilot, margin, limit=USUAL_LIMIT, more="answers")
        more = planner._near_size(difference, USUAL_POWER)
        if more is not None:
            cheap = more.stable / n_answers <= _AS_CHEAP * size.stable / n
            way = f"about {about(more.stable)} answers to each item (now {n_answers})"
            ways.insert(0 if cheap else 1, way)
    return f"{' or '.join(ways)} to show {what}"


def _half_of(pilot: Pilot) -> float:
    """Return half of the interval's width with two digits; 0 where it has no limits."""
    half = half_width(pilot.interval, pilot.outcome.estimate)
    known = pilot.outcome.scale == "score" and math.isfinite(half)
    return float(f"{half:.1e}") if known else 0.0


def _more_splits(pilot: Pilot) -> str:
    """Say what more splits of the same rows are worth; empty where there are none."""
    if pilot.sample.unit != "split":
        return ""
    planner, n, *_ = planned(pilot, None, limit=None, more="splits")
    if not isinstance(planner, MeanTypePlanner):
        return ""
    # With ever more splits the law of Student's t becomes the normal one.
    level = 1 - planner.alpha
    least = NormalDist().inv_cdf((1 + level) / 2) * planner.standard_error(math.inf)
    gain = 1 - least / planner.half_width(n, level)
    if gain < _LITTLE:
        return "more splits hardly help"
    return f"more splits narrow the interval by at most {100 * gain:.0f} %"
