"""Pairs that are judged together: as reports on each, or as arrays."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from skstat.stats._family import OutcomeFamily, family_of
from skstat.stats._samples import PairsOfTable, ScorePairs

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class AskedPairs:
    """What was found of every pair.

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

    first: PairEvidence
    pairs: tuple[Pair, ...]
    outcomes: Sequence[Comparison]
    samples: tuple[Any, ...] | None = None
    ignored_variance: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    identical: NDArray[np.bool_]
    scored: PairsOfTable | None = None

    @classmethod
    def of_reports(cls, reports: Sequence[PairEvidence]) -> "AskedPairs":
        """Join pairs that were reported on one by one."""
        ignored = chain.from_iterable(report.ignored_variance for report in reports)
        found = ((report.names, doubt) for report in reports for doubt in report.doubts)
        return cls(
            first=reports[0],
            pairs=tuple(report.names for report in reports),
            outcomes=tuple(report.outcome for report in reports),
            samples=tuple(report.sample for report in reports),
            ignored_variance=tuple(dict.fromkeys(ignored)),
            doubts=tuple(merged(found, len(reports))),
            identical=np.array([report.compared.identical for report in reports]),
        )


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
) -> AskedPairs | None:
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
    each = () if ignored_variance is None else map(ignored_variance, pairs)
    ignored = (*first.ignored_variance, *chain.from_iterable(each))
    looked = sample.differences
    differing = int(looked.identical.argmin())
    of_design = ask(pairs[differing]) if differing else first  # all pairs share it
    return AskedPairs(
        first=first,
        pairs=tuple(pairs),
        outcomes=family_of(found),
        ignored_variance=tuple(dict.fromkeys(ignored)),
        doubts=tuple(one for one in of_design.doubts if not one.of_pair),
        identical=looked.identical,
        scored=looked,
    )
