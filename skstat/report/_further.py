"""Methods of a report: choose a system, and check how sensitive the answer is."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from skstat._names import clip_all, listed, shown_name
from skstat.report import _terms as say
from skstat.report._blocks import Block, Cells, Summary
from skstat.report._conclude import asks_for_direction
from skstat.report._forms import Result
from skstat.report._model import Pair, Report
from skstat.report._say_pair import PROBABLE
from skstat.report._say_systems import against_leader
from skstat.stats._pairwise import check_margin
from skstat.stats._posterior import SCEPTICAL, Probabilities, check_rope
from skstat.stats._stored import Stored, to_plain
from skstat.stats._sturdiness import Sturdiness

Rule = Literal["margin", "one-standard-error"]
Cost = str | Mapping[str, float] | Callable[[str], float]

_TIMES = {"fit_time": "fit", "predict_time": "predict"}  # columns of the table of systems
_COSTS_HELP = (
    "'fit_time' or 'predict_time' where skstat made the fits, a parameter of a search, a "
    "mapping of name to number, or a function of a name"
)
_LONGEST = 20  # letters of a name in a header
_CLAIMS = {
    "better": "{a} is better",
    "same": "they are practically the same",
    "worse": "{b} is better",
}


# --- choose a system ---


@dataclass(frozen=True, kw_only=True)
class ChosenSystem:
    """The cheapest system that was shown to be as good as the best, or the best.

    Attributes
    ----------
    name : str
        The system.
    sentence : str
        Why it was chosen, and how it compares with the best.
    costs : mapping of str to float
        Cost of every system that may be the best or was shown to be as good, the cheapest
        first.
    """

    name: str
    sentence: str
    costs: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


def choose(
    self: Report, cost: Cost = "fit_time", *, margin: float | None = None, rule: Rule = "margin"
) -> ChosenSystem:
    """Return the cheapest system that was shown to be as good as the best, or the best.

    With few data no test rules out a cheaper system, although it may be far worse. It is
    chosen only if it was shown to lose less than the margin against every other one, by
    one-sided tests that are adjusted for all pairs. Otherwise the best one is chosen.

    Parameters
    ----------
    cost : {"fit_time", "predict_time"}, str, mapping or callable, default="fit_time"
        What is to be saved: the time of a fit, that of predicting and scoring the test
        rows of a split, a parameter of a search by its name (``"svc__C"``), a number for
        each system by its name, or a function from a name to a number. Where costs are
        equal, the better score decides.
    margin : float, optional
        The largest loss that does not matter, in the unit of the score; default that of
        the report. Without one only a system that was shown to lose nothing is as good.
    rule : {"margin", "one-standard-error"}, default="margin"
        ``"one-standard-error"``: the cheapest system whose score is within one standard
        error of the best one, a rule of thumb [1]_. It shows nothing, and forgets that
        the scores of systems move together.

    Returns
    -------
    ChosenSystem
        Its ``name``, a ``sentence`` why, and the ``costs``.

    Raises
    ------
    ValueError
        If the comparison does not say which may be the best (with a control or a constant,
        or one-sided), a cost is not known, or the rule does not fit.

    References
    ----------
    .. [1] Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984).
       Classification and regression trees. Wadsworth, section 3.4.3.

    Examples
    --------
    >>> import numpy as np
    >>> import skstat
    >>> rng = np.random.default_rng(0)
    >>> right = {name: rng.permutation(400) < 400 * share for name, share in
    ...          {"large": 0.9, "middle": 0.88, "small": 0.6}.items()}
    >>> report = skstat.compare_scores(right, unit="instance", random_state=0)
    >>> prices = {"large": 70, "middle": 8, "small": 1}
    >>> report.choose(prices).name, report.choose(prices, margin=0.1).name
    ('large', 'middle')
    """
    r = _checked(self, margin, rule)
    candidates = r.candidates()
    if not candidates:
        raise ValueError("no system may be the best: each is significantly worse than another.")
    best, as_good, what = candidates[0], _as_good(r), "was shown to be as good as the best"
    if r.margin is not None:
        what += f" within the margin of {say.short(r.margin)}"
    if rule != "margin":
        as_good = _within_one_error(r, best)
        what = "is within one standard error of the best score, which shows nothing"
    costs = _costs(r, cost, [*candidates, *sorted(as_good.difference(candidates))])
    kind = cost if isinstance(cost, str) else "cost"
    write = say.time_text if kind in _TIMES else say.short
    texts = {one: f"{shown_name(one)} ({kind} {write(paid)})" for one, paid in costs.items()}
    first, lead = next(iter(costs)), f"{texts[best]} leads"
    name = next(name for name in costs if name == best or name in as_good)
    if costs[name] == costs[best]:
        name = best
    if len(costs) == 1:
        why = f"{shown_name(best)} alone may be the best; its cost does not decide."
    elif name != best:
        why = f"{texts[name]} is the cheapest that {what}. {lead}; "
        why += f"{shown_name(name)} {_stands(r, name, best)}."
    elif costs[first] >= costs[best]:
        why = f"{lead}, and none that may be the best is cheaper."
    else:
        why = f"{lead}, and no cheaper one {what}. {texts[first]} {_stands(r, first, best)}."
        if r.margin is None and rule == "margin":
            why += " Say with margin= which loss does not matter."
    if r.invalid:
        why += f" The p-values are not valid: {r.invalid}."
    return ChosenSystem(name=name, sentence=why, costs=costs)


def _checked(r: Report, margin: float | None, rule: str) -> Report:
    """Return the report with the margin, or raise an error if nothing can be chosen."""
    if rule not in get_args(Rule):
        raise ValueError(f"rule={rule!r} is unknown; use 'margin' or 'one-standard-error'.")
    if margin is not None and rule != "margin":
        raise ValueError(f"margin={margin!r} belongs to rule='margin'; leave one of them out.")
    if r.direction_assumed:
        advice = asks_for_direction(r.metric, r.direction_assumed)
        raise ValueError(f"{advice} Else there is nothing to choose by.")
    if r.constant is not None:
        raise ValueError(f"there is nothing to choose: {r.names[1]} is not a system.")
    one_sided = r.is_pair and r.alternative != "two-sided"
    if one_sided or not r.asks_best or r.is_performance:
        why = "it is with a control, or one-sided. Compare all pairs, two-sided, to choose"
        raise ValueError(f"the comparison does not say which may be the best: {why}.")
    if margin is None:
        return r
    from skstat.report._report import report_of

    return report_of(replace(r.evidence, margin=check_margin(margin), margin_tests=None))


def _as_good(r: Report) -> frozenset[str]:
    """Return the systems that were shown to lose less than the margin against every other.

    Without a margin these are the systems that were shown not to be worse at all.
    """
    if r.margin is None and not (r.is_pair or r.simultaneous):
        return frozenset()

    def loses_less(pair: Pair) -> bool:
        if r.margin is None:
            return pair.high <= 0 if r.is_turned else pair.low >= 0
        return pair.noninferior_p < r.alpha and not math.isnan(pair.inner_low)

    return frozenset(name for name in r.names if all(map(loses_less, r.against(name).values())))


def _within_one_error(r: Report, best: str) -> frozenset[str]:
    """Return the systems whose mean score is within one standard error of the best one's."""
    mean, spread = r.systems[best].mean, r.systems[best].sd
    if math.isnan(mean + spread):
        needs = "scores of single units, whose standard deviation is known"
        raise ValueError(f"rule='one-standard-error' needs {needs}; use margin=.")
    reach, sign = spread / math.sqrt(r.n_units), -1 if r.lower else 1
    return frozenset(one.name for one in r.systems if sign * (mean - one.mean) <= reach)


def _stands(r: Report, name: str, best: str) -> str:
    """Write how a system compares with the best one."""
    worse = r.against(best)[name].better == best
    return "is significantly worse" if worse else against_leader(r, name, best)


def _costs(r: Report, cost: Cost, names: Sequence[str]) -> dict[str, float]:
    """Return the costs of systems, the cheapest first; equal ones keep their order."""
    parameters = getattr(r.evidence, "parameters", None) or {}
    costs_by_name: dict[str, float] = {}
    for name in names:
        source, key = cost, name
        if isinstance(cost, str):
            times = {kind: getattr(r.systems[name], field) for kind, field in _TIMES.items()}
            source, key = {**times, **parameters.get(name, {})}, cost
        if not isinstance(source, Mapping) and not callable(source):
            raise TypeError(f"cost={cost!r} must be {_COSTS_HELP}.")
        if isinstance(source, Mapping) and key not in source:
            available = listed(map(str, source))
            raise ValueError(f"cost= has nothing for {key!r}; it has {available}.")
        value = source[key] if isinstance(source, Mapping) else source(key)
        if not isinstance(value, Real) or not math.isfinite(value):
            problem = f"cost of {name!r} is {value!r}, not a finite number"
            raise ValueError(f"{problem}: pass {_COSTS_HELP}.")
        costs_by_name[name] = float(value)
    return dict(sorted(costs_by_name.items(), key=lambda item: item[1]))


# --- other priors and regions ---


class Reading(NamedTuple):
    """Probabilities with one prior and one region.

    Attributes
    ----------
    prior : str
        The prior, in words.
    rope : float
        Half width of the region.
    better, same, worse : float
        Probabilities that the first system is better by more than `rope`, that both are
        practically the same, and that the second is.
    error : float
        Largest Monte Carlo error of the three; 0 where nothing was drawn.
    asked : bool
        Whether they are those of the report.
    """

    prior: str
    rope: float
    better: float
    same: float
    worse: float
    error: float
    asked: bool

    @property
    def decision(self) -> str:
        """``"better"``, ``"same"`` or ``"worse"``, if it has 0.95; else ``"undecided"``."""
        claims = (name for name in _CLAIMS if getattr(self, name) >= PROBABLE)
        return next(claims, "undecided")

    @property
    def region(self) -> str:
        """The region in words."""
        return f"\N{PLUS-MINUS SIGN}{say.short(self.rope)}" if self.rope else "none"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sensitivity(Result):
    """How much the probabilities of a comparison depend on the prior and on the region.

    Attributes
    ----------
    names : tuple of str
        The systems.
    metric : str
        Name of the score.
    said : str
        Text that qualifies each probability, and follows it.
    readings : tuple of Reading
        One for each prior and region; the first is that of the report.
    """

    kind: ClassVar[str] = "sensitivity"

    names: tuple[str, str]
    metric: str
    said: str
    readings: tuple[Reading, ...]

    @property
    def title(self) -> str:
        """What was compared, by which metric."""
        a, b = map(shown_name, self.names)
        return f"{a} against {b} by prior and region, {self.metric}"

    @property
    def conclusion(self) -> str:
        """What depends on prior and region, in one sentence or two."""
        first, *others = self.readings
        differ = [reading for reading in others if reading.decision != first.decision]
        start, claim = f"The decision at {PROBABLE:g}", self._claim(first)
        tried = f"on prior and region (tried: {len(self.readings)})"
        if not differ:
            return f"{start} does not depend {tried}: {claim}."
        other = f"(region: {differ[0].region}; prior: {differ[0].prior})"
        other += f" {self._claim(differ[0])}"
        return f"{start} depends {tried}: as asked {claim}; elsewhere {other}."

    def _claim(self, reading: Reading) -> str:
        if reading.decision == "undecided":
            return f"nothing has {PROBABLE:g}"
        a, b = map(shown_name, self.names)
        return _CLAIMS[reading.decision].format(a=a, b=b) + self.said

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        first, second = clip_all(self.names, _LONGEST)
        header = ["prior", "region", first, "the same", second, f"at {PROBABLE:g}"]
        rows = []
        for reading in self.readings:
            shares = reading.better, reading.same, reading.worse
            chances = [say.probability_text(share, error=reading.error) for share in shares]
            chances[1] *= bool(reading.rope)  # without a region nothing is the same
            decision = reading.decision + ", as asked" * reading.asked
            rows.append([reading.prior, reading.region, *chances, decision])
        note = (
            f"Probabilities that a system is better, or both the same{self.said}. At "
            f"{PROBABLE:g}: what has so much, of {first}. Prior and region are to be fixed "
            "before the scores are seen; the most convenient of them shows nothing."
        )
        if any(reading.prior == SCEPTICAL for reading in self.readings):
            note += " Sceptical: normal about 0, with half of all differences in the region."
        table = Cells(self.title, header, rows, words=5, note=note)
        return [Summary([self.conclusion], heading=self.metric), table]

    def _records(self) -> list[dict[str, Any]]:
        return [reading._asdict() | {"decision": reading.decision} for reading in self.readings]

    def _plain(self) -> dict[str, Any]:
        return super()._plain() | {"readings": to_plain(self._records())}


def sensitivity(self: Report, ropes: Sequence[float] | None = None) -> Sensitivity:
    """Return how much the probabilities depend on the prior and on the region.

    Parameters
    ----------
    ropes : sequence of float, optional
        Regions to try beside that of the report, in the unit of the score; default none,
        one half of it, and twice of it.

    Returns
    -------
    Sensitivity
        The probabilities with each prior and region, and which of them reach 0.95. For the
        posterior of a difference a sceptical prior is tried: normal about 0, with half of all
        differences in the region. For others the prior is put elsewhere.

    Raises
    ------
    ValueError
        If there are no probabilities, or a number in `ropes` is negative or not finite.
    """
    posterior = getattr(self.evidence, "posterior", None)
    if posterior is None:
        advice = "ask two systems with rope=, the difference that is practically none"
        raise ValueError(f"there are no probabilities whose sensitivity can be told: {advice}.")
    rope, n_drawn, names = posterior.rope, posterior.n_drawn, self.pairs[0][:2]
    if ropes is None:
        ropes = (0.0, rope / 2, 2 * rope) if rope else ()
    sizes = dict.fromkeys([rope, *(check_rope(each, "ropes") for each in ropes)])
    differences = getattr(self.evidence.compared, "differences", None)
    readings: list[Reading] = []
    for size in sizes:
        for prior, values in posterior.by_prior(size, differences).items():
            chances: Probabilities = values if readings else posterior.probabilities
            error = max(p * (1 - p) for p in chances) / n_drawn if n_drawn else 0.0
            text = say.in_names(prior, *map(shown_name, names))
            readings.append(Reading(text, size, *chances, error**0.5, not readings))
    shared = {"names": names, "metric": self.metric, "said": posterior.said}
    return Sensitivity(**shared, readings=tuple(readings))


# --- other partitions of the rows, and some units left out ---


@dataclass(frozen=True, kw_only=True)
class Stability(Stored):
    """How much a verdict depends on the partition into training and test rows.

    The partitions share all their data: their p-values are not independent evidence, and
    must not be combined. They show how much the answer depends on one draw of splits.

    Attributes
    ----------
    verdict : str
        Verdict of the report itself: ``"better"``, ``"worse"`` or ``"undecided"``, and with
        a margin also ``"equivalent"`` or ``"not inferior"``, about the first system.
    seeds : tuple of int
        Seeds of the other partitions.
    estimates, pvalues : tuple of float
        Their results; p-values are adjusted if that of the report is.
    verdicts : tuple of str
        Their verdicts.

    Examples
    --------
    >>> from skstat.report import Stability
    >>> stability = Stability(
    ...     verdict="better",
    ...     seeds=(1, 2, 3),
    ...     estimates=(0.02, 0.03, 0.01),
    ...     pvalues=(0.03, 0.01, 0.2),
    ...     verdicts=("better", "better", "undecided"),
    ... )
    >>> stability.n_same, round(stability.share, 2)
    (2, 0.67)
    """

    _extra = ("n_same", "share")

    verdict: str
    seeds: tuple[int, ...]
    estimates: tuple[float, ...]
    pvalues: tuple[float, ...]
    verdicts: tuple[str, ...]

    def __post_init__(self) -> None:
        lengths = {*map(len, (self.seeds, self.estimates, self.pvalues, self.verdicts))}
        if len(lengths) > 1 or 0 in lengths:
            what = "seeds, estimates, pvalues and verdicts"
            raise ValueError(f"{what} must be equally long, and not empty: {sorted(lengths)}.")

    def turned(self) -> "Stability":
        """Return the same for the second system against the first."""
        opposite = {"better": "worse", "worse": "better"}
        return replace(
            self,
            verdict=opposite.get(self.verdict, self.verdict),
            estimates=tuple(0.0 - value for value in self.estimates),
            verdicts=tuple(opposite.get(word, word) for word in self.verdicts),
        )

    @property
    def n_same(self) -> int:
        """Number of partitions with the same verdict."""
        return sum(verdict == self.verdict for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """Share of partitions with the same verdict."""
        return self.n_same / len(self.seeds)


def sturdiness(self: Report) -> Sturdiness | None:
    """Return how few units the verdict rests on: without them it would be another.

    The details of the report have it as *Leaving out*. It describes the data, and does not
    change the p-value.

    Returns
    -------
    Sturdiness or None
        Result of :func:`skstat.stats.sturdiness`. None if the verdict is not significant, not
        valid, or adjusted for other comparisons, and for units that cannot be left out one by
        one, such as splits, or only in much time.

    Examples
    --------
    >>> import skstat
    >>> y = [1] * 100
    >>> predictions = {"new": [1] * 90 + [0] * 10, "old": [1] * 70 + [0] * 30}
    >>> result = skstat.compare_predictions(y, predictions, metric="accuracy").sturdiness()
    >>> result.n_to_undecide, result.n_units
    (16, 100)
    """
    return self.evidence.sturdiness if self.is_pair else None
