"""Pairs of mean scores that are judged together: as arrays, and one by one when asked for."""

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine.joint import Joint, Pair
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report import ComparisonReport
from skstat.report._doubts import Context, Doubt, FamilyCase, doubts_of_family
from skstat.stats import (
    DependenceWarning,
    MeanOutcome,
    Outcome,
    PairedScores,
    ScoreTable,
    SimultaneousOutcome,
)
from skstat.stats._common import are_usual, declared
from skstat.stats._outcomes import Limits, OutcomeFamily, alpha_of
from skstat.stats._samples import PairsOfTable, pairs_of_table

Numbers = NDArray[np.float64]


class FamilyOfMeans(OutcomeFamily):
    """Outcomes of t tests of means whose joint distribution is known.

    The numbers of all pairs are those of the differences and of the joint distribution. The
    procedure is asked only about pairs that somebody looks at.

    Attributes
    ----------
    pairs : tuple of tuple of str
        The comparisons.
    ignored_variance : tuple of str
        Sources of variance of single pairs that the tests do not cover.
    """

    def __init__(
        self,
        table: ScoreTable,
        joint: Joint,
        procedure: Procedure,
        question: Question,
        metric: str,
        ask: Callable[[Pair], ComparisonReport],
    ) -> None:
        place = {name: number for number, name in enumerate(table.names)}
        ends = np.array([(place[a], place[b]) for a, b in joint.pairs], dtype=np.intp)
        self.pairs = joint.pairs
        self.ignored_variance: tuple[str, ...] = ()
        self._differences = pairs_of_table(table.scores, ends[:, 0], ends[:, 1])
        self._table, self._joint, self._procedure = table, joint, procedure
        self._question, self._metric = question, metric
        self._ask = ask

    def __len__(self) -> int:
        return len(self.pairs)

    def _built(self, place: int) -> Outcome:
        pair = self.pairs[place]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DependenceWarning)  # it is said as a doubt
            return self._joint.asking(pair, self._procedure)(
                self._table.pair(*pair), alternative=self._question.alternative
            )

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

    def doubts(self) -> tuple[Doubt, ...]:
        """Gather the doubts of all pairs."""
        level = self._question.confidence_level
        low, high = self.limits(level)
        found = self._joint.found
        case = FamilyCase(
            pairs=self._differences,
            untested=~self._differences.varies & (self.estimates != 0),
            estimates=self.estimates,
            low=low,
            high=high,
            adjusted=found.pvalues,
            n_resamples=len(found.maxima),
            smallest_pvalue=self[0].smallest_pvalue,
            alpha=alpha_of(level),
            unit=str(self._table.unit),
            metric=self._metric,
        )
        return doubts_of_family(lambda place: self._ask(self.pairs[place]), case)


def family_of_means(
    table: ScoreTable,
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    context: Context | None,
    ask: Callable[[Pair], ComparisonReport],
) -> FamilyOfMeans | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a t test of means that is judged by a joint distribution, of complete scores
    of usual size, and without a margin, whose test is a pair's own.
    """
    if joint is None or joint.by_flips or not declared(procedure).t_of_mean:
        return None
    if context is not None and context.majority_share is not None:
        return None
    if not are_usual(table.scores):
        return None
    first = ask(joint.pairs[0])
    plain = type(first.sample) is PairedScores and first.margin is None
    outcome = first.outcome
    if not (plain and isinstance(outcome, SimultaneousOutcome)):
        return None
    if type(outcome.own) is not MeanOutcome:
        return None
    return FamilyOfMeans(table, joint, procedure, question, first.metric, ask)
