"""Plans from a comparison that was made."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

from skstat._arguments import explains_arguments
from skstat.report._comparison_plan import OBSERVED_POWER, ComparisonPlan
from skstat.report._doubts import Doubt
from skstat.stats import MarginPlanner, Outcome
from skstat.stats._planning import MeanTypePlanner, check_number, plan_from


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
    notes : tuple of str
        What the reader should know.
    """

    outcome: Outcome
    sample: Any
    alpha: float
    metric: str
    notes: tuple[str, ...] = ()


def invalid_for_a_plan(doubts: Iterable[Doubt]) -> tuple[str, ...]:
    """Say which doubts make a comparison invalid, and with it what is planned from it."""
    codes = sorted({doubt.code for doubt in doubts if doubt.weight == "invalid"})
    if not codes:
        return ()
    return (f"the comparison is not valid ({', '.join(codes)}), and so may be the plan",)


class PlansFromPilot(ABC):
    """A report that others are planned from."""

    @abstractmethod
    def _pilot(self) -> Pilot:
        """Return the comparison that is planned from."""

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
        more: str | None = None,
        limit: float | None = 0.8,
    ) -> ComparisonPlan:
        """Plan the same comparison on other numbers of units: how many would it take?

        Only what varied is taken from the data, never the difference that was found: power at
        that only restates the p-value. By default it is an upper limit of what varied, because
        plans from an estimate miss their power half of the time (Browne, 1995).

        .. versionadded:: 0.2

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
        more : str, optional
            Of what there is to be more: ``"rows"`` (or ``"groups"``), or ``"splits"`` or
            ``"seeds"`` where there are some. Default what the scores were drawn from.
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
        if difference is None and margin is None and n is None:
            raise ValueError(
                "difference is missing: the smallest difference that matters to you, in the "
                "unit of the score, and not the one that was found."
            )
        pilot = self._pilot()
        one_sided = pilot.outcome.alternative != "two-sided"
        found = plan_from(
            pilot.outcome,
            pilot.sample,
            alpha=pilot.alpha,
            one_sided=one_sided,
            limit=limit,
            more=more,
        )
        planner = found.planner
        if margin is not None:
            if not isinstance(planner, MeanTypePlanner):
                raise ValueError(
                    f"margin= is not planned for the {planner.test}; give difference= instead."
                )
            planner = MarginPlanner(
                of=planner, margin=margin, alpha=pilot.alpha, one_sided=one_sided
            )
        return ComparisonPlan.of(
            planner,
            n=n,
            difference=difference,
            power=power,
            metric=pilot.metric,
            notes=(found.note, *pilot.notes),
        )
