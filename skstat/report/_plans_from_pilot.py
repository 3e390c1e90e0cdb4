"""Plans from a comparison that was made."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from skstat._arguments import explains_arguments
from skstat.report._comparison_plan import (
    OBSERVED_POWER,
    ComparisonPlan,
)
from skstat.report._doubts import Doubt
from skstat.stats import ConfidenceInterval, MarginPlanner, Outcome, Planner
from skstat.stats._planning import Answers, MeanTypePlanner, check_number, plan_from
from skstat.stats._planning import Pilot as Planned

USUAL_LIMIT = 0.8  # of what varied (Browne, 1995)


class Pilot(NamedTuple):
    """A comparison that was made, as far as others are planned from it.

    Attributes
    ----------
    outcome, sample : object
        What was found, and what it was computed from.
    alpha : float
        Level of the test.
    metric : str
        Name of the score.
    names : tuple of str
        The two systems.
    interval : ConfidenceInterval
        Interval of the difference that the report shows.
    design : mapping
        Facts of the design: what an instance is called, where the variance lies, and what the
        margin is to show.
    notes : tuple of str
        What the reader should know.
    """

    outcome: Outcome
    sample: Any
    alpha: float
    metric: str
    names: tuple[str, str]
    interval: ConfidenceInterval
    design: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def instance(self) -> str:
        """What an instance is called."""
        return str(self.design.get("instance", "row"))

    @property
    def answers(self) -> Answers | None:
        """Answers to each item, where there are several of some."""
        parts = self.design.get("variance") or {}
        if not parts.get("samples"):
            return None
        kept = parts["standard_error_with_any_number"] / parts["standard_error"]
        return Answers(parts["n_samples"], 1 - kept**2)

    @property
    def one_sided(self) -> bool:
        """Whether a margin is to show that the first is not worse, and no more."""
        return self.outcome.alternative != "two-sided" or self.to_show == "not worse"

    @property
    def to_show(self) -> str:
        """What a gate asks: that the first is ``"not worse"`` or ``"better"``; else empty."""
        return str(self.design.get("to_show", ""))


def invalid_for_a_plan(doubts: Iterable[Doubt]) -> tuple[str, ...]:
    """Say which doubts make a comparison invalid, and with it what is planned from it."""
    codes = sorted({doubt.code for doubt in doubts if doubt.weight == "invalid"})
    if not codes:
        return ()
    return (f"the comparison is not valid ({', '.join(codes)}), and so may be the plan",)


class Found(NamedTuple):
    """What is planned, from which comparison.

    Attributes
    ----------
    planner : Planner
        The plan.
    metric : str
        Name of the score.
    notes : tuple of str
        What the reader should know.
    """

    planner: Planner
    metric: str
    notes: tuple[str, ...]


class Plans(ABC):
    """A report that others are planned from."""

    @abstractmethod
    def _planned(self, margin: float | None, limit: float | None, more: str | None) -> Found:
        """Return the plan of the same on other numbers of units."""

    @explains_arguments(
        observed_power=OBSERVED_POWER, observed=OBSERVED_POWER, effect=OBSERVED_POWER
    )
    def plan(
        self,
        *,
        difference: float | None = None,
        power: float | None = None,
        n: int | None = None,
        margin: float | None = None,
        half_width: float | None = None,
        more: str | None = None,
        limit: float | None = USUAL_LIMIT,
    ) -> ComparisonPlan:
        """Plan the same comparison on other numbers of units: how many would it take?

        Only what varied is taken from the data, never the difference that was found: power at
        that only restates the p-value. By default it is an upper limit of what varied, because
        plans from an estimate miss their power half of the time (Browne, 1995).

        Parameters
        ----------
        difference : float, optional
            The smallest difference that matters, in the unit of the score; with `margin` the
            true difference, 0 by default.
        power : float, optional
            Probability with which it is to be found, 0.8 by default. Leave it out where it is
            what you want to know.
        n : int, optional
            Number of units: with `difference` the power is found, without it the smallest
            difference.
        margin : float, optional
            Plan to show that both are equivalent within this, or of a one-sided comparison that
            the first is not worse by it.
        half_width : float, optional
            Half of the width of the interval that is to be reached, instead of `n` and
            `difference`.
        more : str, optional
            Of what there is to be more: ``"rows"`` (or ``"items"``, ``"groups"``), or
            ``"splits"``, ``"seeds"`` or ``"answers"`` to each item where there are some.
            Default what the scores were drawn from.
        limit : float or None, default=0.8
            Level of the upper limit of what varied; None takes it as estimated.

        Returns
        -------
        ComparisonPlan
            The answer, and how it depends on what was taken from the data.

        Raises
        ------
        ValueError
            If nothing varied, a difference is missing, or more of that is not possible.
        """
        if limit is not None:
            check_number(
                "limit", limit, least=0.5, most=0.999, what="None, or from 0.5 to 0.999"
            )
        if difference is None and margin is None and n is None and half_width is None:
            raise ValueError(
                "difference is missing: the smallest difference that matters to you, in the "
                "unit of the score, and not the one that was found."
            )
        planner, metric, notes = self._planned(margin, limit, more)
        return ComparisonPlan.of(
            planner,
            n=n,
            difference=difference,
            power=power,
            half_width=half_width,
            metric=metric,
            notes=notes,
        )


class PlansFromPilot(Plans):
    """A report with a comparison that others are planned from."""

    @abstractmethod
    def _pilot(self) -> Pilot:
        """Return the comparison that is planned from."""

    def _planned(self, margin: float | None, limit: float | None, more: str | None) -> Found:
        pilot = self._pilot()
        found = planned(pilot, margin, limit=limit, more=more)
        notes = (found.note, *found.assumed, *pilot.notes)
        return Found(found.planner, pilot.metric, notes)


def of_all_rows(overall: Any, of_slice: str) -> Pilot:
    """Return the comparison on all rows; `of_slice` is how the report on a slice is written."""
    pilot: Pilot = overall._pilot()
    note = f"of all rows; {of_slice}.plan(...) is of the rows of one slice, by itself"
    return pilot._replace(notes=(note, *pilot.notes))


def least_known(reports: Sequence[Any]) -> int:
    """Return the place of the report with the widest interval."""
    pilots = [report._pilot() for report in reports]
    widths = [half_width(pilot.interval, pilot.outcome.estimate) for pilot in pilots]
    return int(np.argmax(np.nan_to_num(widths)))


def half_width(interval: Sequence[float], estimate: float) -> float:
    """Return half of the width of an interval, or how far its only limit is; else nan."""
    ends = np.asarray(interval)
    if np.isfinite(ends).all():
        return float(ends[1] - ends[0]) / 2
    limit = ends[np.isfinite(ends)]
    return float(abs(limit[0] - estimate)) if limit.size else math.nan


def planned(
    pilot: Pilot, margin: float | None, *, limit: float | None, more: str | None
) -> Planned:
    """Return the plan of the same comparison, of its difference or against a margin."""
    found = plan_from(
        pilot.outcome,
        pilot.sample,
        alpha=pilot.alpha,
        one_sided=pilot.outcome.alternative != "two-sided",
        limit=limit,
        more=more,
        instance=pilot.instance,
        answers=pilot.answers,
    )
    if margin is None:
        return found
    if not isinstance(found.planner, MeanTypePlanner):
        raise ValueError(
            f"margin= is not planned for the {found.planner.test}; give difference= instead."
        )
    planner = MarginPlanner(
        of=found.planner, margin=margin, alpha=pilot.alpha, one_sided=pilot.one_sided
    )
    return found._replace(planner=planner)
