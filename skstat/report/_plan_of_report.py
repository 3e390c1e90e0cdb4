"""Plans from a comparison that was made."""

from collections.abc import Mapping
from typing import Any

from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat.report._comparison_plan import OBSERVED_POWER, ComparisonPlan
from skstat.report._model import Report, ReportGrid
from skstat.report._would_take import USUAL_LIMIT, based_on, not_valid
from skstat.stats._planning import Pilot, check_number, plan_from_estimate


@explains_arguments(
    observed_power=OBSERVED_POWER, observed=OBSERVED_POWER, effect=OBSERVED_POWER
)
def plan(
    self: Report | ReportGrid,
    *,
    difference: float | Mapping[str, float] | None = None,
    power: float | None = None,
    n: int | None = None,
    margin: float | None = None,
    half_width: float | None = None,
    more: str | None = None,
    limit: float | None = USUAL_LIMIT,
) -> Any:
    """Plan the same comparison on other numbers of units: how many would it take?

    Only what varied is taken from the data, never the difference that was found: power at
    that only restates the p-value. By default it is an upper limit of what varied, because
    plans from an estimate miss their power half of the time (Browne, 1995).

    Parameters
    ----------
    difference : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score; with `margin` the
        true difference, 0 by default. Of several metrics one for each, by name, or one for
        all.
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
    ComparisonPlan, or dict of str to ComparisonPlan
        The answer, and how it depends on what was taken from the data; of several metrics
        one for each.

    Raises
    ------
    ValueError
        If nothing varied, a difference is missing, or more of that is not possible.
    """
    if limit is not None:
        check_number("limit", limit, least=0.5, most=0.999, what="None, or from 0.5 to 0.999")
    asked: dict[str, Any] = {"n": n, "power": power, "half_width": half_width}
    of: Any = difference
    if isinstance(self, ReportGrid) and self.by == "metric":
        of = of if isinstance(of, Mapping) else dict.fromkeys(self.reports, of)
        if set(of) != set(self.reports):
            raise ValueError(
                f"difference has {sorted(of)}, and the metrics are {list(self.reports)}: give "
                "one for each."
            )
        asked |= {"margin": margin, "more": more, "limit": limit}
        return {
            name: plan(part, difference=of[name], **asked)
            for name, part in self.reports.items()
        }
    found, notes = _planned(self, margin, limit, more)
    notes = (found.note, *found.assumed, *notes)
    return ComparisonPlan.of(
        found.planner, difference=of, metric=self.metric, notes=notes, **asked
    )


def _planned(
    r: Report | ReportGrid, margin: float | None, limit: float | None, more: str | None
) -> tuple[Pilot, tuple[str, ...]]:
    """Return the plan of the same on other numbers of units, and what is to be known of it."""
    if isinstance(r, ReportGrid) or not r.is_performance:
        based = based_on(r)
        return based.planned(margin, limit, more), based.notes
    if margin is not None:
        raise ValueError("margin= is for comparisons of systems; use compare_estimators.")
    row = max(r.evidence.rows, key=lambda row: row.estimate.standard_error or 0.0)
    n = r.design.get("n_samples")
    found = plan_from_estimate(row.estimate, n, alpha=r.alpha, limit=limit, more=more)
    return found, (f"for {shown_name(row.name)}, against a fixed score", *not_valid(r))
