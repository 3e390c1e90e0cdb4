"""A plan: what it takes to find a difference, or what can be found with what there is."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat.display import LinesDisplay
from skstat.report._about_tests import Recommendation
from skstat.report._blocks import Block, Cells, Fold, Says, known
from skstat.report._forms import Result
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._pilot import Asked, Pilot, pilot_of, pilot_of_estimate
from skstat.report._terms import about, half_width, probability_text, short, units
from skstat.stats import Plan
from skstat.stats._procedure import check_choice
from skstat.stats._score_table import ScoreTable, ends_of
from skstat.stats._scores import check_number
from skstat.stats._stored import Stored, to_plain

USUAL_POWER = 0.8
USUAL_LIMIT = 0.8  # of what varied (Browne, 1995)
_LITTLE = 0.1  # share of an interval that is not worth more fits
_AS_CHEAP = 2  # times as many answers as by more items: an item costs more than its answers
_OPEN = {"undecided", "not inferior"}
_FEW_PAIRS = 30  # whose intervals are looked at to find the widest
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


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparisonPlan(Result, Stored):
    """What it takes to find a difference that matters; or what can be found with what there is.

    :func:`skstat.plan_comparison` makes one, and so does ``plan()`` of a report.

    Attributes
    ----------
    planner : Plan
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
        """Find the one of `n`, `difference` and `power` that is not given.

        With `half_width` the number of units is found that gives so narrow an interval.

        Parameters
        ----------
        planner : Plan
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
        if difference is None and planner.margin is not None:
            difference = 0.0
        given = (n, difference) != (None, None)
        if half_width is not None and given:
            raise ValueError("half_width= beside a size or a difference: leave these out.")
        if half_width is None and not given:
            known = "say which difference matters, not which one was found"
            size = f"give the number of {planner.unit}s, to learn which difference they show"
            raise ValueError(f"difference is missing: {known}; or {size}.")
        if None not in (n, difference, power):
            known = f"{planner.unit}s={n!r}, difference={difference!r} and power={power!r}"
            raise ValueError(f"{known} are all given: leave out the one that you want to know.")
        unknown: Unknown = "difference" if difference is None else "power"
        unknown = "size" if n is None else unknown
        target = None if unknown == "power" else USUAL_POWER if power is None else power

        def answer(planner: Any) -> dict[str, Any]:
            found: Any = math.nan
            first, size, sought = n, n, difference
            if half_width is not None:
                first = size = planner.size_for(half_width, 1 - planner.alpha)
            elif n is None:
                first, size = planner.size(difference, target) or (None, None)
            if size is not None and sought is None:
                sought = planner.detectable(size, target)
                found = math.nan if math.isnan(sought) else target
            elif size is not None:
                found = planner.power(size, sought)
            sought = math.nan if sought is None else float(sought)
            return {"n": size, "first_n": first, "difference": sought, "power": found}

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
        wanted = self.power if self.target is None else self.target
        power = f"with power {probability_text(wanted, error=0.01)}"
        verb, found = "show", f"a difference of {short(self.difference)}{of}"
        what, least = f"{found} {power}", ""
        if self.half_width is not None:
            verb, what = "give", f"a {self._level} of about ±{short(self.half_width)}{of}"
        elif planner.margin is not None:
            shown = within_margin(planner, "the first system", "the second", of)
            plus = "+" if self.difference > 0 else ""
            true = f"the true difference is {plus}{short(self.difference)}"
            what = f"{power} {shown}, if {true if self.difference else 'they are equal'}"
        elif self.floor is not None:
            least = f": {short(self.floor)} is the smallest that any number of them finds"
        if n is None:
            takes = planner.beyond or "more than 100 million"
            return f"No number of {self.unit}s {verb}s {what}{least}. It takes {takes}."
        counted, smallest = units(n, self.unit), planner.smallest_pvalue(n)
        if smallest > planner.alpha:
            least = f"the smallest p-value that is possible is {short(smallest)}"
            return f"On {counted} no difference{of} can be found: {least}."
        if self.unknown != "difference":
            return f"{counted} {verb} {what}."
        if math.isnan(self.difference):
            return f"On {counted} no difference{of} is found {power}, however large it is."
        return f"On {counted} {found} is the smallest that is found {power}."

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
            ``"power"``: the power against the number of units, with a line per difference.
            ``"difference"``: the smallest difference that is found, with a line per power, and
            what more units do not pass.
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
        powers = {f"power {each:g}": each for each in sorted({0.5, power, 0.9})}
        check_choice("kind", kind, ("power", "difference"))
        steps = 60 if planner.drawn is None else 12
        if planner.drawn is not None:  # for the eye
            fewer = min(planner.assumed["n_simulations"], 2000)
            planner = planner.assuming(n_simulations=fewer)
        least = max(2, planner.least)
        reach = max(2 * (self.n or 50) - least, 10)
        if sizes is None:
            sizes = sorted({round(least + reach * k / steps) for k in range(steps + 1)})
        what = "difference" if planner.margin is None else "smallest margin"
        of, quantity, named = powers, f"{what} that is found", "more units find no less"
        ask: Any = planner.detectable
        level, top = self.floor, None
        if kind == "power":
            drawn = self._differences_drawn() if differences is None else differences
            ask, of = planner.power, {f"difference {short(each)}": each for each in drawn}
            level, top, quantity, named = power, 1.02, "power", f"power {power:g}"
        across = (-math.inf, math.inf)
        guides: dict[str, Any] = {} if level is None else {named: (across, (level, level))}
        if self.n is not None:
            guides[f"{units(self.n, self.unit)}, as planned"] = ((self.n, self.n), across)
        return LinesDisplay(
            lines={name: (sizes, [ask(n, each) for n in sizes]) for name, each in of.items()},
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
        wanted = [times * abs(self.difference) for times in (0.5, 1.0, 1.5)]
        return [each for each in wanted if each <= self.planner.largest]

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        planner, n = self.planner, self.n
        about = [
            ("Assumes", "; ".join(planner.assumptions)),
            ("Computed", _BASES[planner.basis]),
            ("Source", "; ".join(work.cited for work in planner.references)),
        ]
        facts = [*self._asked(), *(self._found(n) if n is not None else ())]
        facts += [("Note", note) for note in self.notes]
        facts.append(("Call", "" if self.choice is None else self.choice.ask))
        return [
            Says([self.conclusion], heading=self.metric),
            *[self._table()] * bool(self.sensitivity),
            known(facts),
            Fold("What was assumed, and how it was computed", [known(about)]),
        ]

    def _asked(self) -> Iterator[tuple[str, str]]:
        planner = self.planner
        sides = ", one-sided" if planner.one_sided else ", two-sided"
        sides *= planner.margin is None
        yield "Test", f"{planner.test}{sides} at {short(planner.alpha)}"
        values = (f"{of} {short(planner.assumed[name])}" for name, of in planner.varied.items())
        yield "Assumed", "; ".join(values)

    def _found(self, n: int) -> Iterator[tuple[str, str]]:
        """Say what so many units give beside what was asked."""
        planner, error, difference = self.planner, self.monte_carlo_error, self.difference
        if not math.isnan(self.power):
            drawn = "" if error is None else f" (simulated; standard error {error:.4f})"
            found = f"{probability_text(self.power)}{drawn}"
            yield "Power", f"{found} for a difference of {short(difference)}"
        if self.first_n != n:
            first = units(self.first_n or n, self.unit)
            yield "Saw teeth", f"{first} have the power, but not all numbers up to {n} do"
        of_rows = planner.function == "projection_t" and planner.unit == "row"
        if of_rows and planner.margin is None:
            repeats = planner.assuming(n_rows=n)
            one, most = (repeats.standard_error(k) for k in (1, math.inf))
            gain = (one / planner.standard_error(n)) ** 2
            steady = f"as steady as one repetition on {short(gain)} times as many rows"
            any_number = f"on {short((one / most) ** 2)} times as many"
            told = f"{steady}; with any number of repetitions {any_number}"
            yield "Sample gain", told * (gain > 1)
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
            least = f"{short(self.floor)} is the smallest difference that more {self.unit}s can"
            yield "Limit", f"{least} show; below it takes {planner.beyond}"

    def _table(self) -> Cells:
        """Return the answers for half and twice of what was assumed."""
        sought = f"{self.unit}s" if self.unknown == "size" else self.unknown
        rows = []
        for row in self._rows:
            found = {"difference": short(row.difference), "power": probability_text(row.power)}
            value = "" if math.isnan(row.value) else short(row.value)
            rows.append([row.assumed, value, found.get(sought, str(row.n or "no number"))])
        title = "If what was assumed is half of that, or twice"
        return Cells(title, ["", "value", sought], rows)

    @property
    def _rows(self) -> list[PlanRow]:
        found = {name: getattr(self, name) for name in ("n", "first_n", "difference", "power")}
        return [PlanRow(assumed="as planned", value=math.nan, **found), *self.sensitivity]

    def _records(self) -> list[dict[str, Any]]:
        return [vars(row) | {"unit": self.unit} for row in self._rows]

    def _plain(self) -> dict[str, Any]:
        beside = {"unit": self.unit, "test": self.planner.test, "floor": self.floor}
        return super()._plain() | to_plain(beside)


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
    if isinstance(self, ReportGrid) and self.by == "metric":
        of: Any = difference
        of = of if isinstance(of, Mapping) else dict.fromkeys(self.reports, of)
        if set(of) != set(self.reports):
            every = f"the metrics are {list(self.reports)}: give one for each"
            raise ValueError(f"difference has {sorted(of)}, and {every}.")
        asked |= {"margin": margin, "more": more, "limit": limit}
        parts = self.reports.items()
        return {name: plan(part, difference=of[name], **asked) for name, part in parts}
    found, notes = planned(self, margin, limit, more)
    notes = (*found.notes, *notes)
    asked |= {"difference": difference, "metric": self.metric, "notes": notes}
    return ComparisonPlan.of(found.planner, **asked)


# What would decide a comparison that is open


def would_take(r: Report) -> str:
    """Say what would decide what is open; empty where that cannot be said at once."""
    judged_elsewhere = r.is_pair and not math.isnan(r.pairs[0].adjusted)
    if r.is_performance or judged_elsewhere or r.invalid or not _open_places(r):
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
        width = half_width(self.pair.low, self.pair.high, self.pair.estimate)
        return float(width) if math.isfinite(width) else math.nan

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
            widths = {name: np.nan_to_num(_based_on(one).half_width) for name, one in r.each()}
            name = max(widths, key=widths.__getitem__)
            part, note = r.reports[name], f"for {name}, whose difference varies most, by itself"
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

    Intervals of all pairs may take longer than all that is printed.
    """
    table = getattr(r.evidence, "sample", None)  # a slice has none of its own
    if len(places) > _FEW_PAIRS and type(table) is ScoreTable and not table.missing.any():
        of = np.cov(table.scores, rowvar=False)
        first, second = (end[places] for end in ends_of(table.names, r.evidence.pairwise.pairs))
        varies = of[first, first] + of[second, second] - 2 * of[first, second]
        places = np.asarray(places)[np.argsort(-varies, kind="stable")[:_FEW_PAIRS]].tolist()
    asked = [r.evidence.outcomes[place] for place in places]
    found = [(*one.confidence_interval(r.confidence_level), one.estimate) for one in asked]
    widths = half_width(*np.transpose(found))
    return r.pairs[places[int(np.argmax(np.nan_to_num(widths, posinf=0.0)))]]


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
