"""Pairs that are judged together: as reports on each, or as arrays."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison._engine.joint import Joint, Pair
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report import ComparisonReport
from skstat.report._doubts import (
    Context,
    Doubt,
    FamilyCase,
    doubts_of_family,
    doubts_of_pairs,
)
from skstat.stats import (
    DependenceWarning,
    MeanOutcome,
    Outcome,
    PairedScores,
    ScoreTable,
    SignFlipOutcome,
    SimultaneousOutcome,
)
from skstat.stats._common import are_usual, declared, family_by
from skstat.stats._outcomes import (
    AskedOutcomes,
    Limits,
    OutcomeFamily,
    alpha_of,
    effect_sizes_at,
)
from skstat.stats._paired import equivalences
from skstat.stats._samples import PairsOfTable, pairs_of_table

Numbers = NDArray[np.float64]


class ComparedPairs(Protocol):
    """What comparisons of pairs found, for the report on all of them.

    Attributes
    ----------
    first : ComparisonReport
        The report on the first pair: metric, margin and design are those of all.
    pairs : tuple of tuple of str
        The comparisons.
    outcomes : sequence of Outcome
        What they found.
    samples : tuple or None
        The sample of every pair, where it is not a part of what is compared.
    ignored_variance : tuple of str
        Sources of variance of any pair that the tests do not cover.
    """

    @property
    def first(self) -> ComparisonReport: ...
    @property
    def pairs(self) -> tuple[Pair, ...]: ...
    @property
    def outcomes(self) -> Sequence[Outcome]: ...
    @property
    def samples(self) -> tuple[Any, ...] | None: ...
    @property
    def ignored_variance(self) -> tuple[str, ...]: ...
    def doubts(self, adjusted: Numbers) -> tuple[Doubt, ...]: ...


class ReportedPairs:
    """Pairs that were reported on one by one."""

    def __init__(self, reports: Sequence[ComparisonReport]) -> None:
        self._reports = reports
        self.first = reports[0]
        self.pairs: tuple[Pair, ...] = tuple(report.names for report in reports)
        self.outcomes: Sequence[Outcome] = tuple(report.outcome for report in reports)
        self.samples = tuple(report.sample for report in reports)
        ignored = chain.from_iterable(report.ignored_variance for report in reports)
        self.ignored_variance = tuple(dict.fromkeys(ignored))

    def doubts(self, adjusted: Numbers) -> tuple[Doubt, ...]:
        """Gather the doubts of all pairs, by their adjusted p-values."""
        return doubts_of_pairs(self._reports, adjusted.tolist())


class FamilyOfMeans(OutcomeFamily):
    """Outcomes of t tests or sign flips of means whose joint distribution is known.

    The numbers of all pairs are those of the differences and of the joint distribution. An
    outcome is built for pairs that somebody looks at.

    Parameters
    ----------
    table : ScoreTable
        The scores.
    joint : Joint
        Their joint distribution.
    own : OutcomeFamily
        What the procedure found of every pair by itself.
    question : Question
        What was asked.
    ask : callable
        From a pair to the report on it.
    first : ComparisonReport
        That on the first pair.
    ignored_variance : callable, optional
        From a pair to its sources of variance that the tests do not cover.
    """

    samples = None

    def __init__(
        self,
        table: ScoreTable,
        joint: Joint,
        own: OutcomeFamily,
        question: Question,
        *,
        ask: Callable[[Pair], ComparisonReport],
        first: ComparisonReport,
        ignored_variance: Callable[[Pair], tuple[str, ...]] | None,
    ) -> None:
        self.pairs, self.first = joint.pairs, first
        each = () if ignored_variance is None else map(ignored_variance, joint.pairs)
        ignored = (*first.ignored_variance, *chain.from_iterable(each))
        self.ignored_variance = tuple(dict.fromkeys(ignored))
        self._differences = own.differences or pairs_of_table(
            table.scores, *_ends(table, joint.pairs)
        )
        self._table, self._joint, self._own = table, joint, own
        self._question, self._ask = question, ask

    def __len__(self) -> int:
        return len(self.pairs)

    def _built(self, place: int) -> Outcome:
        return self._joint.within_family(place, self._own[place])

    @property
    def outcomes(self) -> OutcomeFamily:
        """The outcomes, which are those of the family itself."""
        return self

    @property
    def representatives(self) -> Sequence[int]:
        return (0,)  # words are those of the design and of the question

    @property
    def differences(self) -> PairsOfTable:
        return self._differences

    @property
    def estimates(self) -> Numbers:
        return self._differences.means

    @property
    def standard_errors(self) -> Numbers:
        errors = self._joint.found.standard_errors
        return np.where(np.isnan(errors), 0.0, errors)

    @property
    def statistics(self) -> Numbers:
        estimates, errors = self.estimates, self.standard_errors
        alone = np.where(estimates == 0, 0.0, np.copysign(np.inf, estimates))
        return np.divide(estimates, errors, out=alone, where=errors != 0)

    @property
    def pvalues(self) -> Numbers:
        return self._own.pvalues

    @property
    def smallest_pvalues(self) -> Numbers:
        return np.full(len(self), self[0].smallest_pvalue)

    @property
    def directions(self) -> Numbers:
        return np.sign(self.estimates)

    def limits(self, confidence_level: float = 0.95) -> Limits:
        """Return the lower and the upper limits of the intervals."""
        estimates, errors = self.estimates, self.standard_errors
        critical = self[0].critical_value(alpha_of(confidence_level))
        half = np.multiply(critical, errors, out=np.zeros(len(self)), where=errors != 0)
        unknown = (errors == 0) & (estimates != 0)
        alternative = self._question.alternative
        low = estimates - half if alternative != "less" else np.full(len(self), -np.inf)
        high = estimates + half if alternative != "greater" else np.full(len(self), np.inf)
        return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)

    def beside_zero(self, levels: Numbers) -> Numbers:
        found = np.full(len(self), np.nan)
        for level in np.unique(levels).tolist():
            low, high = self.limits(level)
            sides = np.where(low > 0, 1.0, np.where(high < 0, -1.0, 0.0))
            found = np.where((levels == level) & ~np.isnan(low), sides, found)
        return found

    def pvalues_beyond(self, bound: float, alternative: str) -> Numbers:
        # A margin is judged by a pair alone.
        return self._own.pvalues_beyond(bound, alternative)

    def without_interval(
        self, confidence_level: float, places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        return self._own.without_interval(confidence_level, places)

    @property
    def _untested(self) -> NDArray[np.bool_]:
        """Pairs without a p-value: without variance a t test cannot judge them."""
        if self._joint.by_flips:
            return np.zeros(len(self), dtype=bool)
        return ~self._differences.varies & (self.estimates != 0)

    def doubts(self, adjusted: Numbers) -> tuple[Doubt, ...]:
        """Gather the doubts of all pairs, by their adjusted p-values."""
        level = self._question.confidence_level
        low, high = self.limits(level)
        case = FamilyCase(
            pairs=self._differences,
            untested=self._untested,
            estimates=self.estimates,
            low=low,
            high=high,
            adjusted=adjusted,
            n_resamples=len(self._joint.found.maxima),
            smallest_pvalue=self[0].smallest_pvalue,
            alpha=alpha_of(level),
            unit=str(self._table.unit),
            metric=self.first.metric,
            margin=self.first.margin,
            equivalent=None
            if self.first.margin is None
            else equivalences(self, self.first.margin).equivalent(alpha_of(level)),
        )
        return doubts_of_family(lambda place: self._ask(self.pairs[place]), case)


def family_of_means(
    table: ScoreTable,
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    context: Context | None,
    ask: Callable[[Pair], ComparisonReport],
    ignored_variance: Callable[[Pair], tuple[str, ...]] | None = None,
) -> FamilyOfMeans | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a t test of means, or for sign flips, that are judged by a joint distribution,
    of complete scores of usual size, whose test is a pair's own.
    """
    if joint is None:
        return None
    if not (procedure is stats.sign_flip if joint.by_flips else declared(procedure).t_of_mean):
        return None
    if context is not None and context.baseline.majority_share is not None:
        return None
    if not are_usual(table.scores):
        return None
    first = ask(joint.pairs[0])
    outcome = first.outcome
    plain = type(table.pair(*joint.pairs[0])) is PairedScores
    if not (plain and isinstance(outcome, SimultaneousOutcome)):
        return None
    if type(outcome.own) not in (MeanOutcome, SignFlipOutcome):
        return None
    own: OutcomeFamily
    if isinstance(outcome.own, SignFlipOutcome):
        own = _FlippedPairs(table, joint, outcome.own)
    else:
        own = _by_themselves(table, joint.pairs, procedure, question.alternative)
    return FamilyOfMeans(
        table, joint, own, question, ask=ask, first=first, ignored_variance=ignored_variance
    )


class _FlippedPairs(OutcomeFamily):
    """Sign flips of pairs by themselves, from the patterns of all of them."""

    def __init__(self, table: ScoreTable, joint: Joint, first: SignFlipOutcome) -> None:
        self._table, self._joint, self._first = table, joint, first

    def __len__(self) -> int:
        return len(self._joint.pairs)

    def _built(self, place: int) -> Outcome:
        differences = self._table.pair(*self._joint.pairs[place]).differences
        return replace(
            self._first,
            estimate=float(self.differences.means[place]),
            flip_pvalue=float(self.pvalues[place]),
            effect_sizes=effect_sizes_at(self.differences, place, str(self._table.unit)),
            differences=differences,
        )

    @cached_property
    def differences(self) -> PairsOfTable:
        return pairs_of_table(self._table.scores, *_ends(self._table, self._joint.pairs))

    @cached_property
    def pvalues(self) -> Numbers:
        assert self._joint.found.alone is not None
        return self._joint.found.alone


def _ends(
    table: ScoreTable, pairs: Sequence[Pair]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Columns of both systems of every pair."""
    place = {name: number for number, name in enumerate(table.names)}
    first, second = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp).T
    return first, second


def _by_themselves(
    table: ScoreTable, pairs: tuple[Pair, ...], procedure: Procedure, alternative: str
) -> OutcomeFamily:
    """Return what a procedure finds of every pair by itself."""

    def alone(pair: Pair) -> Outcome:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
            return procedure(table.pair(*pair), alternative=alternative)

    make = family_by(procedure)
    if make is None:
        return AskedOutcomes(len(pairs), lambda place: alone(pairs[place]))
    family: OutcomeFamily = make(table, pairs, alternative, alone)
    return family
