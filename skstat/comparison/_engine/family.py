"""Pairs that are judged together: as reports on each, or as arrays."""

import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison._engine.joint import Joint, Pair
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report._doubts import Doubt, Facts, merged
from skstat.report._evidence import PairEvidence
from skstat.stats import (
    DependenceWarning,
    MeanOutcome,
    Outcome,
    PairedScores,
    PairedStrengths,
    ScoreTable,
    SignFlipOutcome,
    SimultaneousOutcome,
)
from skstat.stats._common import declared, family_by
from skstat.stats._outcomes import ArrayFamily, MeanFamily, OutcomeFamily, TableFamily, alpha_of
from skstat.stats._samples import PairsOfTable

Numbers = NDArray[np.float64]


class ReportedPairs:
    """Pairs that were reported on one by one.

    Attributes
    ----------
    first : PairEvidence
        The report on the first pair: metric, margin and design are those of all.
    pairs : tuple of tuple of str
        The comparisons.
    outcomes : sequence of Outcome
        What they found.
    samples : tuple or None
        The sample of every pair, where it is not a part of what is compared.
    ignored_variance : tuple of str
        Sources of variance of any pair that the tests do not cover.
    doubts : tuple of Doubt
        What is doubtful whatever the verdicts are.
    identical : ndarray of bool
        Whether both systems of a pair score the same on every unit.
    scored : PairsOfTable or None
        The scores of the pairs on every unit, unless the doubts have looked at them.
    """

    scored: PairsOfTable | None = None  # they were looked at one by one

    def __init__(self, reports: Sequence[PairEvidence]) -> None:
        self._reports = reports
        self.first = reports[0]
        self.pairs: tuple[Pair, ...] = tuple(report.names for report in reports)
        self.outcomes: Sequence[Outcome] = tuple(report.outcome for report in reports)
        self.samples: tuple[Any, ...] | None = tuple(report.sample for report in reports)
        ignored = chain.from_iterable(report.ignored_variance for report in reports)
        self.ignored_variance = tuple(dict.fromkeys(ignored))
        self.identical = np.array([report.compared.identical for report in reports])
        found = ((report.names, doubt) for report in reports for doubt in report.doubts)
        self.doubts = tuple(merged(found, len(reports)))


class FamilyOfMeans(MeanFamily):
    """Outcomes of t tests or sign flips of means whose joint distribution is known.

    It tells of the pairs what `ReportedPairs` tell.

    The numbers of all pairs are those of the differences and of the joint distribution. An
    outcome is built for pairs that somebody looks at.

    Parameters
    ----------
    own : TableFamily
        What the procedure found of every pair of the table by itself.
    joint : Joint
        The joint distribution.
    question : Question
        What was asked.
    ask : callable
        From a pair to the report on it.
    first : PairEvidence
        That on the first pair.
    ignored_variance : callable, optional
        From a pair to its sources of variance that the tests do not cover.
    """

    samples = None

    def __init__(
        self,
        own: TableFamily,
        joint: Joint,
        question: Question,
        *,
        ask: Callable[[Pair], PairEvidence],
        first: PairEvidence,
        ignored_variance: Callable[[Pair], tuple[str, ...]] | None,
    ) -> None:
        super().__init__(own.table, joint.pairs, question.alternative, lambda _: first.outcome)
        self.pairs, self.first = joint.pairs, first
        each = () if ignored_variance is None else map(ignored_variance, joint.pairs)
        ignored = (*first.ignored_variance, *chain.from_iterable(each))
        self.ignored_variance = tuple(dict.fromkeys(ignored))
        self._joint, self._own, self._question, self._report = joint, own, question, ask

    def _built(self, place: int) -> Outcome:
        found = self._joint.within_family(place, self._own[place])
        return self._answering(place, found, "statistic")

    @property
    def outcomes(self) -> OutcomeFamily:
        """The outcomes, which are those of the family itself."""
        return self

    @property
    def differences(self) -> PairsOfTable:
        return self._own.differences

    @property
    def standard_errors(self) -> Numbers:
        errors = self._joint.found.standard_errors
        return np.where(np.isnan(errors), 0.0, errors)

    @property
    def pvalues(self) -> Numbers:
        return self._own.pvalues

    def _critical_values(self, levels: Numbers) -> Numbers:
        each, of_pair = np.unique(levels, return_inverse=True)
        found = [self[0].critical_value(alpha_of(level)) for level in each.tolist()]
        return np.array(found)[of_pair]

    def pvalues_beyond(self, bound: float, alternative: str) -> Numbers:
        # A margin is judged by a pair alone.
        return self._own.pvalues_beyond(bound, alternative)

    def without_interval(
        self, confidence_level: float, places: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        return self._own.without_interval(confidence_level, places)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about the design, which all pairs share: those of one that differs."""
        differing = int(self.differences.identical.argmin())
        report = self._report(self.pairs[differing]) if differing else self.first
        return tuple(one for one in report.doubts if not one.of_pair)

    @property
    def identical(self) -> NDArray[np.bool_]:
        return self.differences.identical

    @property
    def scored(self) -> PairsOfTable:
        return self.differences


def family_of_means(
    table: ScoreTable,
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    facts: Facts | None,
    ask: Callable[[Pair], PairEvidence],
    ignored_variance: Callable[[Pair], tuple[str, ...]] | None = None,
) -> FamilyOfMeans | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a t test of means, or for sign flips, that are judged by a joint distribution,
    of complete scores, whose test is a pair's own.
    """
    if joint is None:
        return None
    suits = procedure is stats.sign_flip if joint.by_flips else declared(procedure).t_of_mean
    guessed = facts is not None and facts.is_baseline
    if not suits or guessed or table.missing.any():
        return None
    first = ask(joint.pairs[0])
    outcome = first.outcome
    plain = type(table.pair(*joint.pairs[0])) in (PairedScores, PairedStrengths)
    if not (plain and isinstance(outcome, SimultaneousOutcome)):
        return None
    if type(outcome.own) not in (MeanOutcome, SignFlipOutcome):
        return None
    own: TableFamily
    if isinstance(outcome.own, SignFlipOutcome):
        own = _FlippedPairs(table, joint, question.alternative, outcome.own)
    else:
        own = _by_themselves(table, joint.pairs, procedure, question.alternative)
    return FamilyOfMeans(
        own, joint, question, ask=ask, first=first, ignored_variance=ignored_variance
    )


class _FlippedPairs(ArrayFamily):
    """Sign flips of pairs by themselves, from the patterns of all of them."""

    def __init__(
        self, table: ScoreTable, joint: Joint, alternative: str, first: SignFlipOutcome
    ) -> None:
        super().__init__(table, joint.pairs, alternative, lambda _: first)
        self._joint = joint

    def _numbers_at(self, place: int) -> dict[str, Any]:
        return {
            "estimate": float(self.differences.means[place]),
            "flip_pvalue": float(self.pvalues[place]),
            "differences": self.table.pair(*self._pairs[place]).differences,
        }

    @cached_property
    def pvalues(self) -> Numbers:
        assert self._joint.found.alone is not None
        return self._joint.found.alone


def _by_themselves(
    table: ScoreTable, pairs: tuple[Pair, ...], procedure: Procedure, alternative: str
) -> TableFamily:
    """Return what a procedure finds of every pair by itself."""

    def alone(pair: Pair) -> Outcome:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
            return procedure(table.pair(*pair), alternative=alternative)

    make = family_by(procedure) or TableFamily
    family: TableFamily = make(table, pairs, alternative, alone)
    return family
