"""A plan: what it takes to find a difference, or what can be found with what there is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

from skstat.report._blocks import Block, Cells, Facts, Fold, Says
from skstat.report._forms import ReportForms
from skstat.report._recommendation import Recommendation
from skstat.report._words import fixed, short, units
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

USUAL_POWER = 0.8
OBSERVED_POWER = (
    "power at the difference that was seen only restates the p-value, and says nothing about "
    "the next comparison (Hoenig and Heisey, 2001). Say which difference matters: difference=."
)


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
    difference : float
        The difference; nan where none has the power.
    power : float
        The power.
    """

    assumed: str
    value: float
    n: int | None
    difference: float
    power: float

    _readers: ClassVar[Readers] = {
        "value": from_plain,
        "difference": from_plain,
        "power": from_plain,
    }


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparisonPlan(ReportForms, Stored):
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
    monte_carlo_error : float or None
        Standard error of `power`, if it was simulated.
    notes : tuple of str
        Where what was assumed comes from, and what must not be overlooked.
    choice : Recommendation or None
        The test that ``test="auto"`` takes for data of this size.
    """

    _by_name = True
    _more: ClassVar[str] = "print(plan.details)"
    _schema_version: ClassVar[int] = 1
    _newer: ClassVar[frozenset[str]] = frozenset({"choice", "half_width"})
    _readers: ClassVar[Readers] = {
        "planner": Planner.from_dict,
        "difference": from_plain,
        "power": from_plain,
    }

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
    monte_carlo_error: float | None = None
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
        if difference is not None:
            check_number("difference", difference)
        if n is not None:
            check_count("n", n)
        if half_width is not None:
            _check_half_width(planner, half_width, n, difference)
        margin = isinstance(planner, MarginPlanner)
        if margin and difference is None:
            difference = 0.0
        if n is not None and difference is not None and power is not None:
            raise ValueError(
                f"{planner.unit}s={n!r}, difference={difference!r} and power={power!r} are all "
                "given: leave out the one that you want to know."
            )
        unknown: Unknown = "size" if n is None else "difference"
        if n is not None and difference is not None:
            unknown = "power"
        if n is None and difference is None and half_width is None:
            raise ValueError(
                "difference is missing: say which difference matters, to learn how many "
                f"{planner.unit}s show it; or give the number of {planner.unit}s, to learn "
                "which difference they show."
            )
        target = None if unknown == "power" else USUAL_POWER if power is None else power
        first, *rows = [
            _answer(planner, words, value, n, difference, target, half_width)
            for words, value, planner in (
                ("", math.nan, planner),
                *_variants(planner, difference),
            )
        ]
        size = first.n
        if unknown == "size" and size is not None and difference is not None:
            found = planner.size(difference, target or USUAL_POWER)
            size = None if found is None else found.first
        error = None
        if isinstance(planner, SimulatedPlanner) and first.n is not None:
            error = planner.monte_carlo_error(first.n, first.power)
        return cls(
            planner=planner,
            unknown=unknown,
            n=first.n,
            first_n=size,
            difference=first.difference,
            power=first.power,
            target=target,
            half_width=half_width,
            metric=metric,
            sensitivity=tuple(rows),
            monte_carlo_error=error,
            notes=notes,
        )

    @property
    def unit(self) -> str:
        """What is counted: rows, groups, items, seeds, splits or data sets."""
        return self.planner.unit

    @property
    def title(self) -> str:
        """What is planned, in a few words."""
        sought = {
            "size": f"How many {self.unit}s?",
            "difference": "Which difference can be found?",
            "power": "With which power?",
        }
        return sought[self.unknown]

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
        counted = "" if self.n is None else units(self.n, self.unit)
        none = f"No number of {self.unit}s"
        power = f"with power {_power(self.power if self.unknown == 'power' else self.target)}"
        beyond = f". It would take {planner.beyond or 'more than 100 million'}."
        if self.floor is not None:
            beyond = (
                f": however many there are, {short(self.floor)} is the smallest that is found. "
                f"It takes {planner.beyond}."
            )
        if isinstance(planner, MarginPlanner):
            what, true = within_margin(planner, of), "if they are equal"
            if self.difference:
                plus = "+" if self.difference > 0 else ""
                true = f"if the true difference is {plus}{short(self.difference)}"
            if self.n is None:
                return f"{none} shows {what} {power}, {true}{beyond}"
            if self.unknown == "power":
                return f"On {counted} it is shown {power} {what}, {true}."
            return f"{counted} show {power} {what}, {true}."
        if self.half_width is not None:
            wanted = f"±{short(self.half_width)}{of}"
            if self.n is not None:
                return f"{counted} give a {self._level} of about {wanted}."
            beyond = f"; it takes {planner.beyond}" if planner.beyond else ""
            return f"{none} gives a {self._level} of {wanted}{beyond}."
        found = f"a difference of {short(self.difference)}{of}"
        if self.n is None:
            return f"{none} shows {found} {power}{beyond}"
        least = planner.smallest_pvalue(self.n)
        if least > planner.alpha:
            return (
                f"On {counted} no difference{of} can be found: the smallest p-value that is "
                f"possible is {short(least)}."
            )
        if math.isnan(self.difference):
            return f"On {counted} no difference{of} is found {power}, however large it is."
        if self.unknown == "power":
            return f"On {counted} {found} is found {power}."
        if self.unknown == "difference":
            return f"On {counted} {found} is the smallest that is found {power}."
        return f"{counted} show {found} {power}."

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
        """Draw what other numbers of units can show.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"power", "difference"}, default="power"
            The power against the number of units, with a line per difference; or the smallest
            difference that is found, with a line per power, and what more units do not pass.
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
        """
        from skstat.display import LinesDisplay

        planner = self.planner
        if isinstance(planner, SimulatedPlanner):  # for the eye
            planner = replace(planner, n_simulations=min(planner.n_simulations, 2000))
        ns = self._sizes_drawn() if sizes is None else list(sizes)
        target = self.target or USUAL_POWER
        if kind == "difference":
            powers = sorted({0.5, target, 0.9})
            curves = {
                f"power {power:g}": [planner.detectable(n, power) for n in ns]
                for power in powers
            }
            what = "smallest margin" if isinstance(planner, MarginPlanner) else "difference"
            quantity, level = f"{what} that is found", self.floor
        elif kind == "power":
            drawn = self._differences_drawn() if differences is None else differences
            curves = {
                f"difference {short(each)}": [planner.power(n, each) for n in ns]
                for each in drawn
            }
            quantity, level = "power", target
        else:
            raise ValueError(f"kind={kind!r} is unknown; use 'power' or 'difference'.")
        return LinesDisplay.from_sizes(
            ns, curves, unit=self.unit, quantity=quantity, level=level, planned=self.n
        ).plot(ax=ax, width=width)

    def plot_costs(self, cost_ratio: float, ax: Any = None, *, width: Any = None) -> Any:
        """Draw which designs have the power, and which of them is cheapest.

        Of items that are answered several times, or groups of rows: a line shows how many
        items (groups) it takes for each number of answers (rows), and designs that cost the
        same lie on a broken line. ``plan.planner.cheapest()`` computes the cheapest one.

        Parameters
        ----------
        cost_ratio : float
            Costs of one more item over those of one more answer; of one more group over those
            of one more row.
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, as in :meth:`Report.plot`.

        Returns
        -------
        LinesDisplay
            The display, with ``ax_`` and ``figure_``.

        Raises
        ------
        ValueError
            If the units of the plan have no parts, or no design has the power.
        """
        from skstat.display import LinesDisplay

        planner, target = self.planner, self.target or USUAL_POWER
        if not isinstance(planner, WithinUnitsPlanner):
            raise ValueError(
                f"{self.unit}s have no parts whose number could be chosen; plans of items with "
                "several answers (sd_answers=), and of groups (group_size=), have."
            )
        if math.isnan(self.difference):
            raise ValueError("the plan has no difference to be found: give it difference=.")
        least = planner.cheapest(self.difference, cost_ratio=cost_ratio, power=target)
        if least is None:
            raise ValueError(
                f"no design finds {short(self.difference)} with power {_power(target)}."
            )
        present = round(getattr(planner, planner.within))
        parts = range(1, max(2 * least.within, present, 4) + 1)
        curves = {}
        for power in sorted({0.5, target, 0.9}):
            sizes = [planner.with_parts(k).size(self.difference, power) for k in parts]
            curves[f"power {power:g}"] = [math.nan if s is None else s.stable for s in sizes]
        return LinesDisplay.from_costs(
            parts,
            curves,
            unit=self.unit,
            parts_words=planner.within_words,
            cost_ratio=cost_ratio,
            cheapest=(least.within, least.n),
            planned=None if self.n is None else (present, self.n),
        ).plot(ax=ax, width=width)

    def _sizes_drawn(self) -> list[int]:
        least = max(2, self.planner.least)
        most = max(2 * (self.n or 50), least + 10)
        steps = 12 if isinstance(self.planner, SimulatedPlanner) else 60
        found = [round(least + (most - least) * k / steps) for k in range(steps + 1)]
        return sorted(set(found))

    def _differences_drawn(self) -> list[float]:
        if isinstance(self.planner, MarginPlanner):
            margin = self.planner.margin
            return [0.0, -margin / 2, -margin]
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
            *self._variants_shown(),
            Facts(list(self._facts())),
            Fold(
                "What was assumed, and how it was computed",
                [Facts([(label, text) for label, text in about.items() if text])],
            ),
        ]

    def _facts(self) -> Iterator[tuple[str, str]]:
        planner, n = self.planner, self.n
        of = planner.of if isinstance(planner, MarginPlanner) else planner
        sides = "one-sided" if planner.one_sided else "two-sided"
        if isinstance(planner, MarginPlanner):
            sides = "" if planner.one_sided else "each"
        yield "Test", f"{planner.test}{sides and f', {sides}'} at {short(planner.alpha)}"
        values = [f"{words} {short(getattr(of, name))}" for name, words in of.assumed.items()]
        if values:
            yield "Assumed", "; ".join(values)
        if self.half_width is not None and not math.isnan(self.difference):
            found = f"a difference of {short(self.difference)}"
            yield "Finds", f"{found} with power {_power(self.power)}"
        elif n is not None and not math.isnan(self.power):
            error = self.monte_carlo_error
            simulated = f"{self.power:.3f} (simulated; standard error {error or 0:.4f})"
            yield "Power", f"{self.power:.4f}" if error is None else simulated
        if self.first_n is not None and self.first_n != n:
            first = units(self.first_n, self.unit)
            yield "Saw teeth", f"{first} have the power, but not all numbers up to {n} do"
        if isinstance(planner, MarginPlanner):
            yield from self._facts_on_margin(planner)
        elif self.floor is not None and n is not None:
            yield (
                "Limit",
                f"{short(self.floor)} is the smallest difference that more {self.unit}s can "
                f"show; below it takes {planner.beyond}",
            )
        if isinstance(planner, ProjectionPlanner):
            yield from self._facts_on_repetitions(planner)
        if isinstance(planner, MeanTypePlanner) and n is not None:
            half = planner.half_width(n, 1 - planner.alpha)
            yield "Precision", f"{self._level} of about ±{short(half)}"
        yield from (("Note", note) for note in self.notes)
        if self.choice is not None:
            yield "Call", self.choice.ask

    def _facts_on_repetitions(self, planner: ProjectionPlanner) -> Iterator[tuple[str, str]]:
        repeats, gain = planner.n_repeats, planner.sample_gain
        yield "Fits", f"{2 * repeats} of each learner, on halves of the rows"
        if gain() > 1:
            yield (
                "Sample gain",
                f"the estimate is as steady as one repetition on {short(gain())} times as many "
                f"rows; no number of repetitions makes it more than {short(gain(math.inf))}",
            )
        if self.n is not None and not math.isnan(self.difference):
            now, one, twice, limit = (
                _power(planner.repeats(self.n).power(times, self.difference))
                for times in (repeats, repeats + 1, 2 * repeats, math.inf)
            )
            yield (
                "More repetitions",
                f"power {now}; {one} with one more, {twice} with {2 * repeats}, {limit} with "
                "any number: beyond that rows decide",
            )

    def _facts_on_margin(self, planner: MarginPlanner) -> Iterator[tuple[str, str]]:
        if self.n is None:
            return
        equal, worse, disagree = (
            f"{100 * share:.1f} % of"
            for share in (
                planner.power(self.n),
                planner.power(self.n, -planner.margin),
                planner.flips(self.n),
            )
        )
        verb = "shown not to be worse" if planner.one_sided else "shown to be equivalent"
        yield "Equal systems", f"{verb} in {equal} runs"
        yield "Worse by the margin", f"{verb} in {worse} runs"
        yield "Two runs disagree", f"{disagree} pairs of runs, if both are equal"
        power = self.target or USUAL_POWER
        smallest = short(planner.detectable(self.n, power))
        yield "Smallest margin", f"{smallest} with power {_power(power)}, if both are equal"

    def _variants_shown(self) -> list[Block]:
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
        return PlanRow(
            assumed="", value=math.nan, n=self.n, difference=self.difference, power=self.power
        )

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "assumed": row.assumed or "as planned",
                "value": row.value,
                "unit": self.unit,
                "n": row.n,
                "difference": row.difference,
                "power": row.power,
            }
            for row in (self._planned, *self.sensitivity)
        ]

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.plan",
            "schema_version": self._schema_version,
            "kind": "plan",
            "title": self.title,
            "conclusion": self.conclusion,
            "unit": self.unit,
            "test": self.planner.test,
            "basis": self.planner.basis,
            "assumptions": self.planner.assumptions,
            "floor": self.floor,
        } | {name: getattr(self, name) for name in _FIELDS}

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        if state.get("schema") != "skstat.plan":
            raise ValueError("state lacks schema 'skstat.plan'.")
        return state


_FIELDS = (
    *("planner", "unknown", "n", "first_n", "difference", "power", "target", "half_width"),
    *("metric", "sensitivity", "monte_carlo_error", "notes", "choice"),
)
_BASES = {
    "exact": "exactly, by enumeration",
    "formula": "by formula, for estimates that are close to normal",
    "simulation": "by simulation",
}


def within_margin(
    planner: MarginPlanner,
    of: str = "",
    names: tuple[str, str] = ("the first system", "the second"),
) -> str:
    """Say what a plan with a margin is to show."""
    margin, (first, second) = short(planner.margin), names
    if planner.one_sided:
        return f"that {first} is not worse than {second} by {margin}{of}"
    return f"that {first} and {second} are equivalent{of} within {margin}"


def _variants(planner: Planner, difference: float | None) -> list[tuple[str, float, Planner]]:
    """Return plans at half and twice what is assumed, for which the difference is possible."""
    possible = 0.0 if difference is None else abs(difference)
    return [
        (words, value, other)
        for words, value, other in planner.variants()
        if other.largest >= possible
    ]


def _check_half_width(
    planner: Planner, half_width: float, n: int | None, difference: float | None
) -> None:
    check_number("half_width", half_width, above=0, what="a number above 0")
    if n is not None or difference is not None:
        raise ValueError(
            "half_width is given beside a number of units or a difference: leave these out."
        )
    if not isinstance(planner, MeanTypePlanner):
        raise ValueError(
            f"half_width= is not planned for the {planner.test}; give difference= instead."
        )


def _answer(
    planner: Planner,
    assumed: str,
    value: float,
    n: int | None,
    difference: float | None,
    power: float | None,
    half_width: float | None,
) -> PlanRow:
    """Find what was not given, for one value of what is assumed."""
    found: float | None
    if half_width is not None and isinstance(planner, MeanTypePlanner):
        n = planner.size_for(half_width, 1 - planner.alpha)
        if n is None:
            return PlanRow(
                assumed=assumed, value=value, n=None, difference=math.nan, power=math.nan
            )
    if power is None:
        assert n is not None
        assert difference is not None
        found = planner.power(n, difference)
    elif n is None:
        assert difference is not None
        size = planner.size(difference, power)
        n = None if size is None else size.stable
        found = math.nan if n is None else planner.power(n, difference)
    else:
        difference = planner.detectable(n, power)
        found = math.nan if math.isnan(difference) else power
    return PlanRow(assumed=assumed, value=value, n=n, difference=float(difference), power=found)


def _power(power: float | None) -> str:
    return "unknown" if power is None else f"{power:.2f}"
