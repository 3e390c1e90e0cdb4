"""Plans of comparisons: number of units, difference that can be found, or power."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from skstat.display import LinesDisplay
from skstat.report._about_tests import Recommendation
from skstat.report._blocks import Block, Cells, Fold, Summary, nonempty
from skstat.report._forms import Result
from skstat.report._terms import probability_text, short, units
from skstat.stats import Plan
from skstat.stats._procedure import check_choice
from skstat.stats._stored import Stored, to_plain

USUAL_POWER = 0.8
Unknown = Literal["size", "difference", "power"]

OBSERVED_POWER = (
    "power at the difference that was seen only restates the p-value, and says nothing about "
    "the next comparison (Hoenig and Heisey, 2001). Say which difference matters: difference=."
)
_BASES = {
    "exact": "exactly, by enumeration",
    "formula": "by formula, for estimates that are close to normal",
    "simulation": "by simulation",
}


@dataclass(frozen=True, kw_only=True)
class PlanRow(Stored):
    """The answer of a plan for another value of one assumption.

    Attributes
    ----------
    assumed : str
        What was assumed, in words; empty for the plan itself.
    value : float
        The value; nan for the plan itself.
    n : int or None
        Number of units; None where no number has the power.
    first_n : int or None
        The first number with the power.
    difference : float
        The difference; nan where none has the power.
    power : float
        The power.
    """

    assumed: str
    value: float
    n: int | None
    first_n: int | None
    difference: float
    power: float


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparisonPlan(Result, Stored):
    """The size of a comparison that finds a difference; or the difference or power for a size.

    :func:`skstat.plan_comparison` makes one, and so does ``plan()`` of a report.

    Attributes
    ----------
    planner : Plan
        The test that is planned, with all assumptions. Its methods answer further questions.
    unknown : {"size", "difference", "power"}
        Which of these was computed from the other two.
    n : int or None
        Number of units: rows, groups, splits, data sets. The power stays for all larger
        numbers. None where no number has it.
    first_n : int or None
        The first number with the power. Smaller than `n` where the power rises in saw teeth,
        because counts are whole numbers.
    difference : float
        The difference, in the unit of the score; of a plan with a margin the true difference.
        nan where no difference has the power.
    power : float
        Probability of finding it with `n` units; nan where no number has the power.
    half_width : float or None
        Half of the width of the interval, if that was given; `difference` is then the smallest
        that is found with so many units.
    target : float or None
        The power that was asked for.
    metric : str
        Name of the score; maybe empty.
    sensitivity : tuple of PlanRow
        The answers for half and for twice of each assumption.
    notes : tuple of str
        Sources of the assumptions, and cautions.
    choice : Recommendation or None
        The test that ``test="auto"`` takes for data of this size.
    """

    kind: ClassVar[str] = "plan"
    _more: ClassVar[str] = "print(plan.details)"

    planner: Plan
    unknown: Unknown
    n: int | None
    first_n: int | None
    difference: float
    power: float
    target: float | None = None
    half_width: float | None = None
    metric: str = ""
    sensitivity: tuple[PlanRow, ...] = ()
    notes: tuple[str, ...] = ()
    choice: Recommendation | None = None

    @classmethod
    def of(
        cls,
        planner: Plan,
        *,
        n: int | None = None,
        difference: float | None = None,
        power: float | None = None,
        half_width: float | None = None,
        metric: str = "",
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Compute the one of `n`, `difference` and `power` that is not given.

        With `half_width` it is the number of units for an interval of this width.

        Parameters
        ----------
        planner : Plan
            The test that is planned.
        n : int, optional
            Number of units.
        difference : float, optional
            The smallest difference that matters; of a plan with a margin the true difference.
        power : float, optional
            Probability with which it is to be found; default 0.8, unless it is computed.
        half_width : float, optional
            Half of the width of the interval, instead of `n` and `difference`.
        metric : str, optional
            Name of the score.
        notes : tuple of str, optional
            Notes for the reader.

        Returns
        -------
        ComparisonPlan
            The plan.

        Raises
        ------
        ValueError
            If not exactly one of the three is left out, or `half_width` is given beside them.
        """
        if difference is None and planner.margin is not None:
            difference = 0.0
        given = (n, difference) != (None, None)
        if half_width is not None and given:
            raise ValueError("half_width= beside a size or a difference: leave these out.")
        if half_width is None and not given:
            hint = "say which difference matters, not which one was found"
            size = f"give the number of {planner.unit}s, to learn which difference they show"
            raise ValueError(f"difference is missing: {hint}; or {size}.")
        if None not in (n, difference, power):
            hint = f"{planner.unit}s={n!r}, difference={difference!r} and power={power!r}"
            raise ValueError(f"{hint} are all given: leave out the one that you want to know.")
        unknown: Unknown = "difference" if difference is None else "power"
        unknown = "size" if n is None else unknown
        target = None if unknown == "power" else USUAL_POWER if power is None else power

        def answer(planner: Any) -> dict[str, Any]:
            power: Any = math.nan
            first, size, delta = n, n, difference
            if half_width is not None:
                first = size = planner.size_for(half_width, 1 - planner.alpha)
            elif n is None:
                first, size = planner.size(difference, target) or (None, None)
            if size is not None and delta is None:
                delta = planner.detectable(size, target)
                power = math.nan if math.isnan(delta) else target
            elif size is not None:
                power = planner.power(size, delta)
            delta = math.nan if delta is None else float(delta)
            return {"n": size, "first_n": first, "difference": delta, "power": power}

        return cls(
            planner=planner,
            unknown=unknown,
            **answer(planner),
            target=target,
            half_width=half_width,
            metric=metric,
            sensitivity=tuple(
                PlanRow(assumed=words, value=value, **answer(other))
                for words, value, other in planner.variants()
                if other.largest >= abs(difference or 0.0)
            ),
            notes=notes,
        )

    @property
    def unit(self) -> str:
        """What is counted: rows, groups, items, seeds, splits or data sets."""
        return self.planner.unit

    @property
    def title(self) -> str:
        """What is planned, in a few words."""
        return f"Plan of the {self.planner.test}"

    @property
    def monte_carlo_error(self) -> float | None:
        """Standard error of `power`, if it was simulated."""
        if self.n is None or self.planner.drawn is None:
            return None
        return self.planner.monte_carlo_error(self.n, self.power)

    @property
    def floor(self) -> float | None:
        """Smallest difference that can be found, however many units there are; None if any."""
        return None if self.target is None else self.planner.floor(self.target) or None

    @property
    def conclusion(self) -> str:
        """The answer in a sentence or two."""
        planner, n, of = self.planner, self.n, f" in {self.metric}" if self.metric else ""
        target = self.power if self.target is None else self.target
        power = f"with power {probability_text(target, error=0.01)}"
        verb, change = "show", f"a difference of {short(self.difference)}{of}"
        what, limit = f"{change} {power}", ""
        if self.half_width is not None:
            verb, what = "give", f"a {self._level} of about ±{short(self.half_width)}{of}"
        elif planner.margin is not None:
            shown = within_margin(planner, "the first system", "the second", of)
            plus = "+" if self.difference > 0 else ""
            true = f"the true difference is {plus}{short(self.difference)}"
            what = f"{power} {shown}, if {true if self.difference else 'they are equal'}"
        elif self.floor is not None:
            limit = f": {short(self.floor)} is the smallest that any number of them finds"
        if n is None:
            takes = planner.beyond or "more than 100 million"
            return f"No number of {self.unit}s {verb}s {what}{limit}. It takes {takes}."
        counted, smallest = units(n, self.unit), planner.smallest_pvalue(n)
        if smallest > planner.alpha:
            limit = f"the smallest p-value that is possible is {short(smallest)}"
            return f"On {counted} no difference{of} can be found: {limit}."
        if self.unknown != "difference":
            return f"{counted} {verb} {what}."
        if math.isnan(self.difference):
            return f"On {counted} no difference{of} is found {power}, however large it is."
        return f"On {counted} {change} is the smallest that is found {power}."

    @property
    def _level(self) -> str:
        return f"{100 * (1 - self.planner.alpha):.4g}% interval"

    def plot(
        self,
        ax: Any = None,
        *,
        kind: Literal["power", "difference"] = "power",
        differences: Sequence[float] | None = None,
        sizes: Sequence[int] | None = None,
        width: Any = None,
    ) -> Any:
        """Draw power, or the smallest difference that is found, against the number of units.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"power", "difference"}, default="power"
            ``"power"``: the power against the number of units, with a line per difference.
            ``"difference"``: the smallest difference that is found, with a line per power, and
            the limit for any number of units.
        differences : sequence of float, optional
            The differences; default half of the planned one, itself, and one and a half of it.
            With a margin the true differences.
        sizes : sequence of int, optional
            Numbers of units.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, as in :meth:`Report.plot`.

        Returns
        -------
        LinesDisplay
            The display, with ``ax_`` and ``figure_``.

        Raises
        ------
        ValueError
            If `kind` is unknown.
        """
        planner, power = self.planner, self.target or USUAL_POWER
        powers = {f"power {v:g}": v for v in sorted({0.5, power, 0.9})}
        check_choice("kind", kind, ("power", "difference"))
        steps = 60 if planner.drawn is None else 12
        if planner.drawn is not None:  # for a plot fewer simulations are enough
            fewer = min(planner.assumed["n_simulations"], 2000)
            planner = planner.assuming(n_simulations=fewer)
        smallest = max(2, planner.least)
        reach = max(2 * (self.n or 50) - smallest, 10)
        if sizes is None:
            # Very few units find huge differences only, beside which all others look alike.
            counts = range(0 if kind == "power" else steps // 8, steps + 1)
            sizes = sorted({round(smallest + reach * k / steps) for k in counts})
        what = "difference" if planner.margin is None else "smallest margin"
        curves, quantity, guide = powers, f"{what} that is found", "more units find no less"
        ask: Any = planner.detectable
        level, top = self.floor, None
        if kind == "power":
            deltas = self._differences_drawn() if differences is None else differences
            ask, curves = planner.power, {f"difference {short(v)}": v for v in deltas}
            level, top, quantity, guide = power, 1.02, "power", f"power {power:g}"
        across = (-math.inf, math.inf)
        guides: dict[str, Any] = {} if level is None else {guide: (across, (level, level))}
        if self.n is not None:
            guides[f"{units(self.n, self.unit)}, as planned"] = ((self.n, self.n), across)
        return LinesDisplay(
            lines={name: (sizes, [ask(n, v) for n in sizes]) for name, v in curves.items()},
            guides=guides,
            xlabel=f"number of {self.unit}s",
            ylabel=quantity,
            ylim=(0.0, top),
        ).plot(ax=ax, width=width)

    def _differences_drawn(self) -> list[float]:
        if self.planner.margin is not None:
            return [0.0, -self.planner.margin / 2, -self.planner.margin]
        if math.isnan(self.difference):
            return [self.planner.largest]
        sizes = [times * abs(self.difference) for times in (0.5, 1.0, 1.5)]
        return [size for size in sizes if size <= self.planner.largest]

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        planner, n = self.planner, self.n
        about = [
            ("Assumes", "; ".join(planner.assumptions)),
            ("Computed", _BASES[planner.basis]),
            ("Source", "; ".join(work.cited for work in planner.references)),
        ]
        facts = [*self._question(), *(self._results(n) if n is not None else ())]
        facts += [("Note", note) for note in self.notes]
        facts.append(("Call", "" if self.choice is None else self.choice.ask))
        return [
            Summary([self.conclusion], heading=self.metric),
            *[self._table()] * bool(self.sensitivity),
            nonempty(facts),
            Fold("What was assumed, and how it was computed", [nonempty(about)]),
        ]

    def _question(self) -> Iterator[tuple[str, str]]:
        planner = self.planner
        sides = ", one-sided" if planner.one_sided else ", two-sided"
        sides *= planner.margin is None
        yield "Test", f"{planner.test}{sides} at {short(planner.alpha)}"
        values = (f"{of} {short(planner.assumed[name])}" for name, of in planner.varied.items())
        yield "Assumed", "; ".join(values)

    def _results(self, n: int) -> Iterator[tuple[str, str]]:
        """Write further properties of a comparison of n units."""
        planner, error, difference = self.planner, self.monte_carlo_error, self.difference
        if not math.isnan(self.power):
            drawn = "" if error is None else f" (simulated; standard error {error:.4f})"
            chance = f"{probability_text(self.power)}{drawn}"
            yield "Power", f"{chance} for a difference of {short(difference)}"
        if self.first_n != n:
            first = units(self.first_n or n, self.unit)
            yield "Saw teeth", f"{first} have the power, but not all numbers up to {n} do"
        of_rows = planner.function == "projection_t" and planner.unit == "row"
        if of_rows and planner.margin is None:
            repeats = planner.assuming(n_rows=n)
            one, limit_ = (repeats.standard_error(k) for k in (1, math.inf))
            gain = (one / planner.standard_error(n)) ** 2
            steady = f"as steady as one repetition on {short(gain)} times as many rows"
            any_number = f"on {short((one / limit_) ** 2)} times as many"
            gains = f"{steady}; with any number of repetitions {any_number}"
            yield "Sample gain", gains * (gain > 1)
            if not math.isnan(difference):
                limit = repeats.power(math.inf, difference)
                yield "More repetitions", f"power {limit:.2f} with any number; then rows decide"
        if planner.has_interval:
            half = planner.half_width(n, 1 - planner.alpha)
            yield "Precision", f"{self._level} of about ±{short(half)}"
        if planner.margin is not None:
            disagree, power = 100 * planner.flips(n), self.target or USUAL_POWER
            yield "Two runs disagree", f"{disagree:.1f} % of pairs of runs, if both are equal"
            smallest = short(planner.detectable(n, power))
            yield "Smallest margin", f"{smallest} with power {power:.2f}, if both are equal"
        if self.floor is not None:
            text = f"{short(self.floor)} is the smallest difference that more {self.unit}s can"
            yield "Limit", f"{text} show; below it takes {planner.beyond}"

    def _table(self) -> Cells:
        """Return the table of answers for half and for twice of each assumption."""
        column = f"{self.unit}s" if self.unknown == "size" else self.unknown
        rows = []
        for row in self._rows:
            texts = {"difference": short(row.difference), "power": probability_text(row.power)}
            value = "" if math.isnan(row.value) else short(row.value)
            rows.append([row.assumed, value, texts.get(column, str(row.n or "no number"))])
        title = "If what was assumed is half of that, or twice"
        return Cells(title, ["", "value", column], rows)

    @property
    def _rows(self) -> list[PlanRow]:
        facts = {name: getattr(self, name) for name in ("n", "first_n", "difference", "power")}
        return [PlanRow(assumed="as planned", value=math.nan, **facts), *self.sensitivity]

    def _records(self) -> list[dict[str, Any]]:
        return [vars(row) | {"unit": self.unit} for row in self._rows]

    def _plain(self) -> dict[str, Any]:
        facts = {"unit": self.unit, "test": self.planner.test, "floor": self.floor}
        return super()._plain() | to_plain(facts)


def within_margin(planner: Plan, first: str, second: str, of: str = "") -> str:
    """Write the claim that a plan with a margin is to show."""
    margin = short(planner.margin)
    if planner.one_sided:
        return f"that {first} is not worse than {second} by {margin}{of}"
    return f"that {first} and {second} are equivalent{of} within {margin}"
