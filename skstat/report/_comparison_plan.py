"""A plan: what it takes to find a difference, or what can be found with what there is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

from skstat.report._blocks import Block, Cells, Facts, Fold, Says
from skstat.report._forms import Result
from skstat.report._recommendation import Recommendation
from skstat.report._words import fixed, short, units
from skstat.report._would_take import USUAL_POWER, within_margin
from skstat.stats import MarginPlanner, Planner, ProjectionPlanner
from skstat.stats._common import Readers, Stored, from_plain
from skstat.stats._planning import (
    MeanTypePlanner,
    SimulatedPlanner,
    WithinUnitsPlanner,
    check_number,
)
from skstat.stats._samples import check_count

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
    """The answer of a plan for one value of what was assumed.

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

    _readers: ClassVar[Readers] = dict.fromkeys(("value", "difference", "power"), from_plain)


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparisonPlan(Result, Stored):
    """What it takes to find a difference that matters; or what can be found with what there is.

    :func:`skstat.plan_comparison` makes one, and so does ``plan()`` of a report.

    Attributes
    ----------
    planner : Planner
        The test that is planned, with all that is assumed; it can be asked further questions.
    unknown : {"size", "difference", "power"}
        What was sought. The other two were given.
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
        Half of the width of the interval that was asked for; `difference` is then the
        smallest that is found with so many units.
    target : float or None
        The power that was asked for.
    metric : str
        Name of the score; maybe empty.
    sensitivity : tuple of PlanRow
        The same for half of, and twice, what was assumed.
    notes : tuple of str
        Where what was assumed comes from, and what must not be overlooked.
    choice : Recommendation or None
        The test that ``test="auto"`` takes for data of this size.
    """

    kind: ClassVar[str] = "plan"
    _more: ClassVar[str] = "print(plan.details)"
    _readers: ClassVar[Readers] = {"planner": Planner.from_dict}

    planner: Planner
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
        planner: Planner,
        *,
        n: int | None = None,
        difference: float | None = None,
        power: float | None = None,
        half_width: float | None = None,
        metric: str = "",
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Find the one of `n`, `difference` and `power` that is not given.

        With `half_width` the number of units is found that gives so narrow an interval.

        Parameters
        ----------
        planner : Planner
            The test that is planned.
        n : int, optional
            Number of units.
        difference : float, optional
            The smallest difference that matters; of a plan with a margin the true difference.
        power : float, optional
            Probability with which it is to be found; default 0.8, unless it is sought.
        half_width : float, optional
            Half of the width of the interval, instead of `n` and `difference`.
        metric : str, optional
            Name of the score.
        notes : tuple of str, optional
            What the reader should know.

        Returns
        -------
        ComparisonPlan
            The plan.

        Raises
        ------
        ValueError
            If not exactly one of the three is left out, or `half_width` is given beside them.
        """
        if difference is None and isinstance(planner, MarginPlanner):
            difference = 0.0
        unknown: Unknown = "size" if n is None else "difference"
        if n is not None and difference is not None:
            unknown = "power"
            if power is not None:
                raise ValueError(
                    f"{planner.unit}s={n!r}, difference={difference!r} and power={power!r} are "
                    "all given: leave out the one that you want to know."
                )
        target = None if unknown == "power" else USUAL_POWER if power is None else power
        asked = _Asked(n, difference, target, half_width)
        asked.check(planner)
        return cls(
            planner=planner,
            unknown=unknown,
            **asked.answer(planner),
            target=target,
            half_width=half_width,
            metric=metric,
            sensitivity=tuple(
                PlanRow(assumed=words, value=value, **asked.answer(other))
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
        if self.n is None or not isinstance(self.planner, SimulatedPlanner):
            return None
        return self.planner.monte_carlo_error(self.n, self.power)

    @property
    def floor(self) -> float | None:
        """Smallest difference that can be found, however many units there are; None if any."""
        if isinstance(self.planner, MarginPlanner) or self.target is None:
            return None
        return self.planner.floor(self.target) or None

    @property
    def conclusion(self) -> str:
        """The answer in a sentence or two."""
        planner, of = self.planner, f" in {self.metric}" if self.metric else ""
        power, floor, verb = f"with power {self._power:.2f}", self.floor, "show"
        found = f"a difference of {short(self.difference)}{of}"
        what = f"{found} {power}"
        if self.half_width is not None:
            about = "" if self.n is None else "about "
            what = f"a {self._level} of {about}±{short(self.half_width)}{of}"
            verb, floor = "give", None
        elif isinstance(planner, MarginPlanner):
            plus = "+" if self.difference > 0 else ""
            true = f"the true difference is {plus}{short(self.difference)}"
            true = true if self.difference else "they are equal"
            what = f"{power} {within_margin(planner, of)}, if {true}"
        if self.n is None:
            none = f"No number of {self.unit}s {verb}s {what}"
            if floor is None:
                return f"{none}. It would take {planner.beyond or 'more than 100 million'}."
            return (
                f"{none}: however many there are, {short(floor)} is the smallest that is "
                f"found. It takes {planner.beyond}."
            )
        counted, least = units(self.n, self.unit), planner.smallest_pvalue(self.n)
        if least > planner.alpha:
            return (
                f"On {counted} no difference{of} can be found: the smallest p-value that is "
                f"possible is {short(least)}."
            )
        if self.unknown == "difference":
            if math.isnan(self.difference):
                return f"On {counted} no difference{of} is found {power}, however large it is."
            return f"On {counted} {found} is the smallest that is found {power}."
        return f"{counted} {verb} {what}."

    @property
    def _level(self) -> str:
        return f"{100 * (1 - self.planner.alpha):.4g}% interval"

    @property
    def _power(self) -> float:
        """The power that was asked for, or else found."""
        return self.power if self.target is None else self.target

    def plot(
        self,
        ax: Any = None,
        *,
        kind: Literal["power", "difference", "costs"] = "power",
        differences: Sequence[float] | None = None,
        sizes: Sequence[int] | None = None,
        cost_ratio: float | None = None,
        width: Any = None,
    ) -> Any:
        """Draw what other numbers of units can show, or which design is the cheapest.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"power", "difference", "costs"}, default="power"
            ``"power"``: the power against the number of units, with a line per difference.
            ``"difference"``: the smallest difference that is found, with a line per power, and
            what more units do not pass. ``"costs"``: of items that are answered several times,
            or groups of rows, how many items (groups) it takes for each number of answers
            (rows). Designs that cost the same lie on a broken line, and the cheapest one is
            marked; ``plan.planner.cheapest()`` computes it.
        differences : sequence of float, optional
            The differences; default half of the planned one, itself, and one and a half of it.
            With a margin the true differences.
        sizes : sequence of int, optional
            Numbers of units.
        cost_ratio : float, optional
            Of costs: those of one more item over those of one more answer; of one more group
            over those of one more row.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, as in :meth:`Report.plot`.

        Returns
        -------
        LinesDisplay
            The display, with ``ax_`` and ``figure_``.

        Raises
        ------
        ValueError
            If the costs are asked of units that have no parts, or no design has the power.
        """
        from skstat.display import LinesDisplay

        planner, power = self.planner, self.target or USUAL_POWER
        powers = {f"power {each:g}": each for each in sorted({0.5, power, 0.9})}
        if kind == "costs":
            return self._of_costs(cost_ratio, powers).plot(ax=ax, width=width)
        if isinstance(planner, SimulatedPlanner):  # for the eye
            planner = replace(planner, n_simulations=min(planner.n_simulations, 2000))
        ns = self._sizes_drawn() if sizes is None else list(sizes)
        level, quantity, named = self.floor, "power", "more units find no less"
        if kind == "power":
            level, named = power, f"power {power:g}"
            drawn = self._differences_drawn() if differences is None else differences
            of = {f"difference {short(each)}": each for each in drawn}
            found = {name: [planner.power(n, each) for n in ns] for name, each in of.items()}
        elif kind == "difference":
            what = "smallest margin" if isinstance(planner, MarginPlanner) else "difference"
            quantity = f"{what} that is found"
            found = {
                name: [planner.detectable(n, each) for n in ns] for name, each in powers.items()
            }
        else:
            raise ValueError(f"kind={kind!r} is unknown; use 'power', 'difference' or 'costs'.")
        across = (-math.inf, math.inf)
        guides: dict[str, Any] = {} if level is None else {named: (across, (level, level))}
        if self.n is not None:
            planned = f"{self.n:,} {self.unit}{'s' * (self.n != 1)}, as planned"
            guides[planned] = ((self.n, self.n), across)
        return LinesDisplay(
            lines={name: (ns, values) for name, values in found.items()},
            guides=guides,
            xlabel=f"number of {self.unit}s",
            ylabel=quantity,
            ylim=(0.0, 1.02 if kind == "power" else None),
        ).plot(ax=ax, width=width)

    def _of_costs(self, cost_ratio: Any, powers: dict[str, float]) -> Any:
        """Return the picture of which designs have the power, and what they cost."""
        from skstat.display import LinesDisplay

        planner, power = self.planner, self.target or USUAL_POWER
        if not isinstance(planner, WithinUnitsPlanner):
            raise ValueError(
                f"{self.unit}s have no parts whose number could be chosen; plans of items with "
                "several answers (sd_answers=), and of groups (group_size=), have."
            )
        check_number("cost_ratio", cost_ratio, above=0, what="a number above 0")
        least = None
        if not math.isnan(self.difference):
            least = planner.cheapest(self.difference, cost_ratio=cost_ratio, power=power)
        if least is None:
            raise ValueError(f"no design finds the difference with power {power:.2f}.")
        present = round(getattr(planner, planner.within))
        parts = range(1, max(2 * least.within, present, 4) + 1)
        curves = {}
        for name, power in powers.items():
            sizes = [planner.with_parts(k).size(self.difference, power) for k in parts]
            curves[name] = parts, [math.nan if size is None else size.stable for size in sizes]
        alike = [least.n * (cost_ratio + least.within) / (cost_ratio + k) for k in parts]
        others = {"equal costs": 1.0, "half of these costs": 0.5, "twice these costs": 2.0}
        points = {f"cheapest: {least.within} {planner.within_words}": (least.within, least.n)}
        return LinesDisplay(
            lines=curves,
            guides={
                name: (parts, [by * each for each in alike]) for name, by in others.items()
            },
            points=points if self.n is None else points | {"as planned": (present, self.n)},
            xlabel=planner.within_words,
            ylabel=f"number of {self.unit}s",
            log=True,
        )

    def _sizes_drawn(self) -> list[int]:
        least = max(2, self.planner.least)
        most = max(2 * (self.n or 50), least + 10)
        steps = 12 if isinstance(self.planner, SimulatedPlanner) else 60
        return sorted({round(least + (most - least) * k / steps) for k in range(steps + 1)})

    def _differences_drawn(self) -> list[float]:
        if isinstance(self.planner, MarginPlanner):
            return [0.0, -self.planner.margin / 2, -self.planner.margin]
        if math.isnan(self.difference):
            return [self.planner.largest]
        wanted = [times * abs(self.difference) for times in (0.5, 1.0, 1.5)]
        return [each for each in wanted if each <= self.planner.largest]

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        about = {
            "Assumes": "; ".join(self.planner.assumptions),
            "Computed": _BASES[self.planner.basis],
            "Source": "; ".join(work.cited for work in self.planner.references),
        }
        return [
            Says([self.conclusion], heading=self.metric),
            *self._table(),
            Facts(list(self._facts())),
            Fold(
                "What was assumed, and how it was computed",
                [Facts([(label, text) for label, text in about.items() if text])],
            ),
        ]

    def _facts(self) -> Iterator[tuple[str, str]]:
        planner, n, floor = self.planner, self.n, self.floor
        margin = planner if isinstance(planner, MarginPlanner) else None
        of = planner if margin is None else margin.of
        sides = ", one-sided" if planner.one_sided else ", two-sided"
        if margin is not None:
            sides = "" if planner.one_sided else ", each"
        yield "Test", f"{planner.test}{sides} at {short(planner.alpha)}"
        values = [f"{words} {short(getattr(of, name))}" for name, words in of.assumed.items()]
        if values:
            yield "Assumed", "; ".join(values)
        if n is not None:
            yield from self._facts_on(n)
        if margin is not None and n is not None:
            disagree, power = 100 * margin.flips(n), self.target or USUAL_POWER
            yield "Two runs disagree", f"{disagree:.1f} % of pairs of runs, if both are equal"
            smallest = short(margin.detectable(n, power))
            yield "Smallest margin", f"{smallest} with power {power:.2f}, if both are equal"
        if floor is not None and n is not None:
            yield (
                "Limit",
                f"{short(floor)} is the smallest difference that more {self.unit}s can show; "
                f"below it takes {planner.beyond}",
            )
        yield from (("Note", note) for note in self.notes)
        if self.choice is not None:
            yield "Call", self.choice.ask

    def _facts_on(self, n: int) -> Iterator[tuple[str, str]]:
        """Say what so many units give beside what was asked."""
        planner, error, difference = self.planner, self.monte_carlo_error, self.difference
        if self.half_width is not None:
            power = f"{self.power:.2f} for a difference of {short(difference)}"
        elif error is None:
            power = f"{self.power:.4f}"
        else:
            power = f"{self.power:.3f} (simulated; standard error {error:.4f})"
        if not math.isnan(self.power):
            yield "Power", power
        if self.first_n != n:
            first = units(self.first_n or n, self.unit)
            yield "Saw teeth", f"{first} have the power, but not all numbers up to {n} do"
        if isinstance(planner, ProjectionPlanner):
            k, gain, most = (
                planner.n_repeats,
                planner.sample_gain(),
                planner.sample_gain(math.inf),
            )
            if gain > 1:
                yield (
                    "Sample gain",
                    f"the estimate is as steady as one repetition on {short(gain)} times as "
                    f"many rows; no number of repetitions makes it more than {short(most)}",
                )
            if not math.isnan(difference):
                has = planner.repeats(n).power
                one, twice, limit = (has(m, difference) for m in (k + 1, 2 * k, math.inf))
                yield (
                    "More repetitions",
                    f"power {one:.2f} with one more, {twice:.2f} with {2 * k}, {limit:.2f} "
                    "with any number: beyond that rows decide",
                )
        if isinstance(planner, MeanTypePlanner):
            half = planner.half_width(n, 1 - planner.alpha)
            yield "Precision", f"{self._level} of about ±{short(half)}"

    def _table(self) -> list[Block]:
        """Return the answers for half and twice of what was assumed, as a table."""
        if not self.sensitivity:
            return []

        def cell(row: PlanRow) -> str:
            if self.unknown == "size":
                return "no number" if row.n is None else str(row.n)
            if self.unknown == "difference":
                return "none" if math.isnan(row.difference) else short(row.difference)
            return fixed(row.power, 3)

        sought = f"{self.unit}s" if self.unknown == "size" else self.unknown
        rows = [[row.assumed, short(row.value), cell(row)] for row in self.sensitivity]
        rows.insert(0, ["as planned", "", cell(self._planned)])
        title = "If what was assumed is half of that, or twice"
        return [Cells(title, ["", "value", sought], rows)]

    @property
    def _planned(self) -> PlanRow:
        found = {name: getattr(self, name) for name in ("n", "first_n", "difference", "power")}
        return PlanRow(assumed="as planned", value=math.nan, **found)

    def _records(self) -> list[dict[str, Any]]:
        return [vars(row) | {"unit": self.unit} for row in (self._planned, *self.sensitivity)]

    def _known(self) -> dict[str, Any]:
        return super()._known() | {
            "unit": self.unit,
            "test": self.planner.test,
            "floor": self.floor,
        }


class _Asked(NamedTuple):
    """What is given of a plan; the power that was asked for, or None if it is sought."""

    n: int | None
    difference: float | None
    power: float | None
    half_width: float | None

    def check(self, planner: Planner) -> None:
        """Refuse wrong numbers, and what does not go together."""
        n, difference, _, half_width = self
        if difference is not None:
            check_number("difference", difference)
        if n is not None:
            check_count("n", n)
        if half_width is not None:
            check_number("half_width", half_width, above=0, what="a number above 0")
            if not isinstance(planner, MeanTypePlanner):
                raise ValueError(
                    f"half_width= is not planned for the {planner.test}; give difference= "
                    "instead."
                )
            if n is not None or difference is not None:
                raise ValueError(
                    "half_width is given beside a number of units or a difference: leave these "
                    "out."
                )
        elif n is None and difference is None:
            raise ValueError(
                "difference is missing: say which difference matters, not which one was found, "
                f"to learn how many {planner.unit}s show it; or give the number of "
                f"{planner.unit}s, to learn which difference they show."
            )

    def answer(self, planner: Any) -> dict[str, Any]:
        """Find what was not given: the number of units, the first one, difference, power."""
        first = n = self.n
        difference: Any = self.difference
        power: Any = math.nan
        if self.half_width is not None:
            first = n = planner.size_for(self.half_width, 1 - planner.alpha)
        elif n is None:
            first, n = planner.size(difference, self.power) or (None, None)
        if n is None:
            difference = math.nan if difference is None else difference
        elif difference is None:
            difference = planner.detectable(n, self.power)
            power = math.nan if math.isnan(difference) else self.power
        else:
            power = planner.power(n, difference)
        return {"n": n, "first_n": first, "difference": float(difference), "power": power}
