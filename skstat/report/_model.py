"""The data of a report: its facts, its table of systems and its table of pairs.

All values have the sign in which people read the metric: losses are losses. Code that reads a
report never has to negate a value.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from skstat.report._terms import Words
from skstat.stats import BradleyTerryPosterior
from skstat.stats._family import alpha_of
from skstat.stats._leaderboard import RankStability
from skstat.stats._procedure import DIFFERENCE, Quantity
from skstat.stats._stored import to_plain

nan = math.nan


class System(NamedTuple):
    """A row of the table of systems; the best stands first.

    What is not known of a system is nan, None or an empty text.

    Attributes
    ----------
    name : str
        The system.
    mean, sd : float
        Mean and standard deviation of its scores.
    low, high : float
        Confidence interval of its own score.
    standard_error : float
        Standard error of its own score.
    training_score : float
        Its score on the rows that it was trained on (optimistic).
    method, estimand : str
        How its score was estimated, and what is estimated.
    mean_rank : float
        Mean of its ranks over data sets; 1 is the best.
    wins, ties, losses : float
        How often it was better than another system, the same, or worse, over all data sets.
    best_low, best_high : float
        Simultaneous interval of its score minus the best of the others.
    best_pvalue : float
        p-value of the hypothesis that no other system is better.
    may_be_best : bool or None
        Whether no other system is significantly better; None if that was not asked.
    rank, rank_low, rank_high : float
        Its rank, and those that it may have: with the confidence level they are right for all
        systems together.
    resampled_low, resampled_high : float
        Its ranks in most resamples of the units.
    without_low, without_high : float
        Its ranks without each part of the units.
    first_share : float
        Share of the resamples in which it was first, maybe together with others.
    letters : str
        No significant difference was found between systems that share a letter.
    probability_best, probability_near_best : float
        Probability that its score is the highest; and that it is so near to the highest that
        the difference does not matter.
    fit, predict : float
        Mean seconds of a fit, and of predicting and scoring the test rows of one split.
    """

    name: str
    mean: float = nan
    sd: float = nan
    low: float = nan
    high: float = nan
    standard_error: float = nan
    training_score: float = nan
    method: str = ""  # by which its score was estimated
    estimand: str = ""
    mean_rank: float = nan
    wins: float = nan
    ties: float = nan
    losses: float = nan
    best_low: float = nan
    best_high: float = nan
    best_pvalue: float = nan
    may_be_best: bool | None = None
    rank: float = nan
    rank_low: float = nan
    rank_high: float = nan
    resampled_low: float = nan
    resampled_high: float = nan
    without_low: float = nan
    without_high: float = nan
    first_share: float = nan
    letters: str = ""
    probability_best: float = nan
    probability_near_best: float = nan
    fit: float = nan
    predict: float = nan


class Pair(NamedTuple):
    """A row of the table of pairs: the first system as a candidate against the second.

    What is not known of a pair is nan or None.

    Attributes
    ----------
    first, second : str
        The two systems.
    n : int
        How many units they were compared on.
    estimate : float
        Estimated difference, the first minus the second.
    low, high : float
        Its confidence interval. A limit is infinite where there is none, and nan where there
        is no interval.
    level : float
        Level at which the interval agrees with the p-value that decides.
    standard_error, statistic, df : float, float, object
        What the test computed.
    pvalue, adjusted : float
        p-value by itself, and adjusted for other comparisons; `p` is the one that decides.
    verdict : str
        What was found about the first system, as in `skstat.Report.verdict`.
    toward : int
        1 if the first is better, should the difference be real; -1 if the second is.
    test, estimand : str
        Name of the test, and what is estimated.
    inner_low, inner_high : float
        The interval that decides about the margin.
    equivalence_p : float
        p-value of equivalence within the margin.
    noninferior_p, noninferior_p_second : float
        p-value of the first, and of the second, not being worse by the margin.
    p_better, p_same, p_worse : float
        Probabilities that the first is better by more than matters, that both are practically
        the same, and that the first is worse.
    same_verdict : float
        Share of other partitions of the rows that gave the same verdict.
    effects : mapping of str to float
        Standardised effect sizes by name.
    """

    first: str
    second: str
    n: int = 0
    estimate: float = nan
    low: float = nan
    high: float = nan
    level: float = nan
    standard_error: float = nan
    statistic: float = nan
    df: float | tuple[float, float] | None = None
    pvalue: float = nan
    adjusted: float = nan
    verdict: str = "undecided"
    toward: int = 0
    test: str = ""
    estimand: str = ""
    inner_low: float = nan
    inner_high: float = nan
    equivalence_p: float = nan
    noninferior_p: float = nan
    noninferior_p_second: float = nan
    p_better: float = nan
    p_same: float = nan
    p_worse: float = nan
    same_verdict: float = nan
    effects: Mapping[str, float] = {}

    @property
    def p(self) -> float:
        """The p-value that decides."""
        return self.pvalue if math.isnan(self.adjusted) else self.adjusted

    @property
    def better(self) -> str | None:
        """Name of the better system, if one is significantly better."""
        return {"better": self.first, "worse": self.second}.get(self.verdict)

    def other(self, name: str) -> str:
        """Return the system that one is compared with."""
        return self.second if name == self.first else self.first

    def seen_from(self, name: str, report: "Report") -> "Pair":
        """Return the same pair with the named system first: signs and sides are swapped.

        The statistic and the effect sizes are left out, because not all of them only change
        their sign.
        """
        if name == self.first:
            return self
        verdict = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}
        turned = verdict.get(self.verdict, self.verdict)
        if turned in ("undecided", "not inferior"):
            # An empty interval, as the 5x2cv F test may have, shows nothing.
            can_show = not (report.direction_assumed or math.isnan(self.inner_low))
            shown = can_show and self.noninferior_p_second < report.alpha
            turned = "not inferior" if shown else "undecided"
        swapped = {name: getattr(self, other) for name, other in _SWAPPED.items()}
        negated = {name: 0.0 - getattr(self, other) for name, other in _NEGATED.items()}
        return self._replace(
            **swapped, **negated, statistic=nan, effects={}, verdict=turned, toward=-self.toward
        )


_ENDS = {"low": "high", "inner_low": "inner_high"}
_NEGATED = {"estimate": "estimate", **_ENDS, **{high: low for low, high in _ENDS.items()}}
_SWAPS = {"first": "second", "noninferior_p": "noninferior_p_second", "p_better": "p_worse"}
_SWAPPED = _SWAPS | {second: first for first, second in _SWAPS.items()}


Facts = Mapping[str, Any]


class InSlices(NamedTuple):
    """A row of the table of pairs of a grid by slice: tests of all slices at once.

    Attributes
    ----------
    first, second : str
        The two systems.
    between : mapping or None
        Cochran's test of whether their difference varies between slices; None where it cannot
        be computed.
    between_p : float
        Its p-value.
    not_worse_p : float
        p-value of "the first is worse by the margin in some slice".
    is_adjusted : bool
        Whether both p-values are adjusted for the number of pairs.
    shrunken : mapping of str to float
        By slice the difference, shrunken towards the mean of all slices.
    explained_by : mapping of str to tuple of str
        By slice the other slices whose shared rows explain its difference.
    """

    first: str
    second: str
    between: Facts | None = None
    between_p: float = nan
    not_worse_p: float = nan
    is_adjusted: bool = False
    shrunken: Mapping[str, float] = {}
    explained_by: Mapping[str, Sequence[str]] = {}


Row = TypeVar("Row", System, Pair, InSlices)


class Table(Generic[Row]):
    """Columns of one length; a row is made when it is read.

    A column in which every value is the default of its field is not stored.

    Parameters
    ----------
    row : type
        `System`, `Pair` or `InSlices`.
    columns : mapping of str to sequence
        Values by the fields of the row.
    """

    def __init__(self, row: type[Row], columns: Mapping[str, Sequence[Any]]) -> None:
        self.row: Any = row  # it is called with values by name
        self.columns: dict[str, Sequence[Any]] = {}
        self._rows: dict[int, Row] = {}  # those that were read
        if len({*map(len, columns.values())}) > 1:
            raise ValueError("the columns of a table differ in length.")
        for name in (field for field in row._fields if field in columns):
            default, column = row._field_defaults.get(name, self), columns[name]
            # nan, which does not equal itself, counts as equal to a default of nan.
            differs = (v != default and (v == v or default == default) for v in column)
            if default is self or any(differs):  # self stands for "no default"
                self.columns[name] = column

    @classmethod
    def of(cls, rows: Sequence[Row], row: type[Row]) -> "Table[Row]":
        """Make a table of rows."""
        return cls(row, {name: [r[i] for r in rows] for i, name in enumerate(row._fields)})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, key: Any) -> Any:
        """Return the row of an index, or of the name of a system; of a slice a list of rows."""
        if isinstance(key, slice):
            return [*self][key]
        if isinstance(key, str):
            names = list(self.columns["name" if "name" in self.columns else "first"])
            if key not in names:
                raise KeyError(f"no {self.row.__name__.lower()} {key!r}; there are {names}.")
            key = names.index(key)
        index = range(len(self))[key]
        if index not in self._rows:
            values = {name: column[index] for name, column in self.columns.items()}
            self._rows[index] = self.row(**values)
        return self._rows[index]

    def __iter__(self) -> Iterator[Row]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def _plain(self) -> Any:
        return to_plain(self.columns)

    def column(self, name: str) -> Sequence[Any]:
        """Return the values of a column, or its default for every row if it is not stored."""
        if name in self.columns:
            return self.columns[name]
        return [self.row._field_defaults[name]] * len(self)


class Kind:
    """Properties that follow from the facts of a report: its kind, and the words for it."""

    is_performance: bool  # tells how good single systems are
    is_pair: bool  # is one comparison of two systems, in the order of the question
    is_leaderboard: bool  # has the ranks that systems may have
    over_datasets: bool  # ranks systems by their mean ranks over data sets
    is_turned: bool  # a positive estimate is worse for the first system, as with losses
    words: Words


class Report(Kind):
    """The answer to one question: which of these systems is better by this metric.

    The kind of report follows from its columns: it has mean ranks if it is over data sets,
    limits of ranks if it is a leaderboard, and no pairs if it is of the performance of systems.

    Attributes
    ----------
    systems : Table of System
        The systems, the best first.
    pairs : Table of Pair
        The comparisons.
    metric : str
        Name of the metric; a negated loss has the name of the loss.
    lower : bool
        Whether lower is better.
    direction_assumed : str
        Where it is not known whether higher is better: the argument that would say it. Else
        empty.
    evidence : object
        The samples and outcomes that everything else is computed from, in the sign of scores.
    """

    systems: Table[System]
    pairs: Table[Pair]
    metric: str = "score"
    lower: bool = False
    direction_assumed: str = ""
    unit: str = "instance"
    n_units: int = 0
    sampled: Mapping[str, Any] | None = None
    confidence_level: float = 0.95
    alternative: str = "two-sided"
    control: str | None = None
    ranked: bool = True  # whether the best system is first; else in the order of the question
    asks_best: bool = True  # whether it says who may be the best
    all_pairs: bool = True  # whether every two systems were asked whether they differ
    n_family: int = 1  # comparisons that p-values are adjusted for
    identical: bool = False  # all systems score the same on every unit
    noise: float = 0.0  # largest difference that rounding errors may make
    tests: tuple[str, ...] = ()
    test: str = ""
    statistic_name: str = ""
    adjustment: str = ""  # for one pair within a sentence; for several the name of the method
    simultaneous: bool = False  # intervals hold for all comparisons at once
    scale: str = "score"  # or "mean rank"
    in_ranks: str = ""  # which ranking it is, where the scale is a rank
    quantity: Quantity = DIFFERENCE
    smallest_pvalue: float = 0.0
    n_resamples: int | None = None
    monte_carlo_error: float | None = None
    why_no_pvalue: Mapping[str, Sequence[tuple[str, str]]] = {}
    margin: float | None = None
    equivalence: Facts | None = None  # tests of one pair, with their adjustment
    probabilities: Facts | None = None
    best_draws: int = 0  # draws that the probabilities of being the best were computed from
    omnibus: Facts | None = None
    critical_difference: float | None = None
    groups: Sequence[tuple[str, ...]] = ()
    undrawn: Sequence[tuple[str, str]] = ()
    tie_groups: Sequence[tuple[str, ...]] = ()
    constant: float | None = None
    constants: tuple[str, ...] = ()  # systems that are no more than a score, known in advance
    sd_over: str = ""  # what the sd of a score is taken over, if not the units alone
    estimand: str = ""
    null_hypotheses: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    ignored_variance: tuple[str, ...] = ()
    choice: Any  # a Recommendation
    preface: str = ""
    next_step: str = ""
    design: Mapping[str, Any] = {}
    left_out: tuple[str, ...] = ()
    missing: str = ""  # where scores are missing: on how many data sets pairs were compared
    change: Facts | None = None  # of the score with more training rows
    stability: Mapping[tuple[str, str], Any] = {}
    training_share: float | None = None
    reason: str = ""  # why this method of estimating a performance was used
    n_fits: int = 0
    doubts: tuple[Any, ...] = ()
    beside_equivalent: str = ""  # the doubt for which an equivalence is worth little
    evidence: Any

    @property
    def strengths(self) -> BradleyTerryPosterior | None:
        """Posterior of which of several systems is the best, by a model of wins."""
        return getattr(self.evidence, "strengths", None)

    @property
    def scores(self) -> Mapping[str, Any] | None:
        """Over data sets: the names of the systems, the data sets, and the rows of scores."""
        if not self.over_datasets:
            return None
        table, shown = self.evidence.sample, self.evidence.shown_metric.value
        return {
            "names": tuple(table.names),
            "units": tuple(table.datasets or ()),
            "rows": [[*map(shown, row)] for row in table.scores],
        }

    @property
    def rank_stability(self) -> RankStability | None:
        """The ranks in resamples of the units, of a leaderboard."""
        return getattr(self.evidence, "rank_stability", None)

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, the best first; of two in the order of the question."""
        return tuple(self.systems.columns["name"])

    @cached_property
    def invalid(self) -> str:
        """Title and code of the first doubt that makes p-values invalid; empty without one."""
        invalid = (doubt for doubt in self.doubts if doubt.weight == "invalid")
        return next((f"{doubt.title} ({doubt.code})" for doubt in invalid), "")

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Systems that no other one is significantly better than, the best first.

        With adjusted p-values that control the family-wise error the best system is among
        them with a chance of at least the confidence level. Empty if that was not asked: with
        a control, unless it was chosen by the scores, or in one direction.
        """
        flags = self.systems.column("may_be_best")
        return tuple(name for name, flag in zip(self.names, flags, strict=True) if flag)

    def candidates(self) -> list[str]:
        """Return the systems that no verdict calls worse than another, the best first.

        One that is significantly worse than another, but equivalent to it, is among them.
        """
        columns = map(self.pairs.column, ("first", "second", "verdict"))
        candidates = [*self.names]
        if self.is_pair and self.pairs[0].toward < 0:
            candidates.reverse()
        worse = {{"better": b, "worse": a}.get(v) for a, b, v in zip(*columns, strict=True)}
        return [name for name in candidates if name not in worse]

    def against(self, name: str) -> dict[str, Pair]:
        """Return every comparison with a system, seen from it, the best other one first."""
        rows = self._pair_rows.get(name, {})
        others = [other for other in self.names if other in rows]
        return {other: self.pairs[rows[other]].seen_from(name, self) for other in others}

    @cached_property
    def _pair_rows(self) -> dict[str, dict[str, int]]:
        """Index of the row of a pair, by the name of either system and then the other."""
        rows: dict[str, dict[str, int]] = {name: {} for name in self.names}
        names = zip(*map(self.pairs.column, ("first", "second")), strict=True)
        for index, (a, b) in enumerate(names):
            rows[a][b] = rows[b][a] = index
        return rows

    @property
    def verdicts(self) -> Sequence[str]:
        """The verdict on every pair."""
        return self.pairs.column("verdict")

    @cached_property
    def by_pvalue(self) -> list[int]:
        """Indices of the pairs, the smallest p-value first; those without one are last."""
        keys = [np.asarray(self.pairs.column(name), float) for name in ("pvalue", "adjusted")]
        return list(np.lexsort(np.nan_to_num(keys, nan=2.0)).tolist())


FACTS = tuple(name for name in Report.__annotations__ if name != "evidence")
DEFAULTS = {name: vars(Report)[name] for name in FACTS if name in vars(Report)}
for _name in DEFAULTS:
    delattr(Report, _name)  # so that reading a fact computes it, and never returns the default


class ReportGrid:
    """Reports by metric, by slice, or by seed.

    Attributes
    ----------
    by : {"metric", "slice", "seed"}
        What the reports differ in.
    reports : mapping of str to Report or ReportGrid
        The reports by name.
    overall : Report or None
        By slice, the report on all rows.
    evidence : object
        The samples and outcomes that everything else is computed from, in the sign of scores.
    """

    by: str
    reports: Mapping[str, Any]
    systems: tuple[str, ...] = ()  # in the order of the question
    overall: Any = None
    n_rows: Mapping[str, int] = {}
    pairs: Table[InSlices] = Table.of((), InSlices)
    n_comparisons: int = 0
    adjustment: str = ""
    cut_by: tuple[str, ...] = ()
    n_outside: int = 0
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = {}
    doubts: tuple[Any, ...] = ()
    evidence: Any

    @property
    def first(self) -> Report:
        """The report on all rows, or the first one, for facts that all reports share."""
        first = self.overall or next(iter(self.reports.values()))
        return first if isinstance(first, Report) else first.first

    def each(self) -> Iterator[tuple[str, Report]]:
        """Iterate over names and reports, without those that are grids themselves."""
        return ((name, r) for name, r in self.reports.items() if isinstance(r, Report))

    @property
    def metric(self) -> str:
        """Name of the metric, the first one of several."""
        return self.first.metric

    @cached_property
    def parts(self) -> dict[tuple[str, str], dict[str, Pair]]:
        """The comparisons of every pair of systems, by slice."""
        parts: dict[tuple[str, str], dict[str, Pair]] = {row[:2]: {} for row in self.pairs}
        for name, report in self.each():
            for pair in report.pairs:
                parts[pair[:2]][name] = pair
        return parts

    @property
    def may_be_best(self) -> dict[str, tuple[str, ...]]:
        """Systems that no other one is significantly better than, report by report.

        True of all slices at once with the confidence level. Empty if that was not asked: with
        a control, or in one direction.
        """
        return {name: r.may_be_best for name, r in self.each() if "may_be_best" in r.systems}

    @property
    def may_be_best_everywhere(self) -> tuple[str, ...]:
        """Systems that may be the best in every slice; empty if that was not asked."""
        by_slice = self.may_be_best.values()
        names = self.first.names if by_slice else ()
        return tuple(name for name in names if all(name in best for best in by_slice))


FACTS_OF_GRID = tuple(name for name in ReportGrid.__annotations__ if name != "evidence")
