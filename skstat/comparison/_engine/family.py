"""Pairs that are judged together: as reports on each, or as arrays."""

import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine.joint import Joint, Pair
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report._doubts import Doubt, Facts, merged
from skstat.report._evidence import PairEvidence
from skstat.stats import (
    Comparison,
    DependenceWarning,
    PairedScores,
    PairedStrengths,
    ScoreTable,
)
from skstat.stats._common import takes
from skstat.stats._outcomes import ComparedPairs, OutcomeFamily
from skstat.stats._samples import PairsOfTable, ScorePairs

Numbers = NDArray[np.float64]


class ReportedPairs:
    """Pairs that were reported on one by one.

    Attributes
    ----------
    first : PairEvidence
        The report on the first pair: metric, margin and design are those of all.
    pairs : tuple of tuple of str
        The comparisons.
    outcomes : sequence of Comparison
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
        self.outcomes: Sequence[Comparison] = tuple(report.outcome for report in reports)
        self.samples: tuple[Any, ...] | None = tuple(report.sample for report in reports)
        ignored = chain.from_iterable(report.ignored_variance for report in reports)
        self.ignored_variance = tuple(dict.fromkeys(ignored))
        self.identical = np.array([report.compared.identical for report in reports])
        found = ((report.names, doubt) for report in reports for doubt in report.doubts)
        self.doubts = tuple(merged(found, len(reports)))


class PairsAtOnce:
    """Pairs of a table that a test answered about at once, as arrays.

    It tells of the pairs what `ReportedPairs` tell.

    Parameters
    ----------
    sample : ScorePairs
        The pairs of the table.
    found : Comparison
        What the test says of all of them.
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
        sample: ScorePairs,
        found: Comparison,
        *,
        ask: Callable[[Pair], PairEvidence],
        first: PairEvidence,
        ignored_variance: Callable[[Pair], tuple[str, ...]] | None,
    ) -> None:
        self.pairs, self.first, self._report = tuple(sample.pairs), first, ask
        self.scored = sample.differences
        self.outcomes = ComparedPairs(found, self.scored)
        self.identical = self.scored.identical
        each = () if ignored_variance is None else map(ignored_variance, self.pairs)
        ignored = (*first.ignored_variance, *chain.from_iterable(each))
        self.ignored_variance = tuple(dict.fromkeys(ignored))

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about the design, which all pairs share: those of one that differs."""
        differing = int(self.identical.argmin())
        report = self._report(self.pairs[differing]) if differing else self.first
        return tuple(one for one in report.doubts if not one.of_pair)


def pairs_at_once(
    table: ScoreTable,
    pairs: Sequence[Pair],
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    facts: Facts | None,
    options: dict[str, Any],
    ask: Callable[[Pair], PairEvidence],
    ignored_variance: Callable[[Pair], tuple[str, ...]] | None = None,
) -> PairsAtOnce | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a test that takes all pairs at once, of complete scores, and finds the same of
    all, or is a pair's own.
    """
    guessed = facts is not None and facts.is_baseline
    if guessed or table.missing.any() or not takes(procedure, ScorePairs):
        return None
    if type(table.pair(*pairs[0])) not in (PairedScores, PairedStrengths):
        return None
    first = ask(pairs[0])
    sample = ScorePairs(table=table, pairs=pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
        asked = procedure if joint is None else joint.asking(None, procedure)
        found = asked(sample, alternative=question.alternative, **options)
    if isinstance(found, OutcomeFamily):
        return None
    return PairsAtOnce(sample, found, ask=ask, first=first, ignored_variance=ignored_variance)
