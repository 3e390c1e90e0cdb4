"""Two systems in slices of the rows: own tests, judged together, and what varies between."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine.ask import Compared, Influence, ask, facts_of
from skstat.comparison._engine.family import compare
from skstat.comparison._engine.joint import Pair
from skstat.comparison._question import Question
from skstat.evaluation._slices import Slices, without_small
from skstat.report import _evidence as evidence
from skstat.report._doubts import Doubts, Facts, Pairs, find_doubts
from skstat.report._terms import adjustment_name
from skstat.stats import EquivalenceOutcome, OmnibusOutcome
from skstat.stats import _heterogeneity as laws
from skstat.stats._family import alpha_of
from skstat.stats._max_t import JointMinP, smallest_pvalues
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._pairwise import equivalence_tests

JOINT = "min-p"
# Units from which on the variance within a slice is known well enough to ask whether slices
# differ: of fewer groups, of unequal size, the test rejects too often (calibration/slices.py).
_FEWEST_UNITS = 20
# Rows of a class on which F1 or an area may be 1 in one system and 0 in the other without any
# variation.
_FEWEST_OF_A_CLASS = 10
# Comparisons of which correlations are drawn by; more take minutes.
_MOST_CORRELATED = 1_000
_Rows = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class _AskedSlice:
    """What was found in one slice, by itself: its verdict awaits those of the others."""

    report: evidence.ComparisonEvidence
    influence: Influence | None

    @property
    def is_steady(self) -> bool:
        """Whether contributions tell how much the difference varies."""
        if self.influence is None:
            return False
        values, times, rarest = self.influence
        if rarest is not None and rarest < _FEWEST_OF_A_CLASS:
            return False
        same_everywhere = not values.any() and self.report.outcome.estimate != 0
        return not same_everywhere and float(times.sum()) >= _FEWEST_UNITS


def check_slices_adjustment(adjustment: str) -> str:
    """Return how p-values of slices are adjusted; refuse what is for pairs of systems only."""
    if adjustment in ("auto", JOINT):
        return JOINT
    if adjustment not in get_args(Adjustment):
        known = ", ".join(map(repr, ("auto", JOINT, *get_args(Adjustment))))
        raise ValueError(
            f"adjustment={adjustment!r} does not adjust for slices; use one of {known}."
        )
    if adjustment_facts(adjustment).logical:
        raise ValueError(
            f"adjustment={adjustment!r} needs all pairs of several systems; for slices use "
            "'auto' or 'holm'."
        )
    return adjustment


def on_all_rows(question: Question) -> Question:
    """Return what is asked of all rows, where p-values of slices are adjusted so."""
    return replace(question, adjustment="auto") if question.adjustment == JOINT else question


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sliced:
    """Systems and slices, with the question about every pair in every slice."""

    compared: Compared
    slices: Slices
    question: Question

    @cached_property
    def units(self) -> dict[str, _Rows]:
        """Rows of every slice, or the groups that it has rows of."""
        groups = getattr(self.compared.sample, "groups", None)
        own = np.arange(self.slices.n_rows) if groups is None else groups
        return {name: np.unique(own[rows]) for name, rows in self.slices.rows.items()}

    @cached_property
    def shares_units(self) -> bool:
        """Whether a unit is in several slices."""
        every = np.concatenate([np.empty(0, dtype=np.int64), *self.units.values()])
        return bool((np.bincount(every) > 1).any())

    def ask(self, part: Compared, pair: Pair) -> _AskedSlice:
        two = part.take(pair)
        question = two.affordable(self.question)
        report = two.about_classes(ask(two, two.choose(question), question))
        return _AskedSlice(report=report, influence=two.influence())

    def ask_some(self, rows: _Rows, pair: Pair) -> evidence.ComparisonEvidence | None:
        """Ask some rows of a slice, if there are enough, and they can be compared."""
        if len(rows) < self.slices.fewest:
            return None
        try:
            return self.ask(self.compared.part(rows, one_by_one=False), pair).report
        except ValueError:
            return None


def compare_in_slices(
    compared: Compared,
    slices: Slices,
    question: Question,
    overall: evidence.ComparisonEvidence | None = None,
) -> evidence.SlicesEvidence:
    """Compare two systems, or every pair of several, in every slice, and adjust for all.

    Slices of a run share the training rows, and with them what these do to the learners: their
    errors correlate, which is left out of the adjustment (it is careful whatever the
    correlation is).

    Parameters
    ----------
    compared : Compared
        The systems.
    slices : Slices
        The rows of every slice. One in which they cannot be compared is left out.
    question : Question
        Direction, level, seed of the draws, and how p-values of slices are adjusted: by their
        joint distribution, or a method of `adjust_pvalues`.
    overall : ComparisonEvidence, optional
        The comparison on all rows, of the same pairs, where the caller has made it.
    """
    if overall is None:
        overall = compare(compared, on_all_rows(question))
    large, left_out = without_small(slices)
    of_pair = replace(question, control=None, adjustment="auto")
    sliced = _Sliced(compared=compared, slices=large, question=of_pair)
    found: dict[Pair, dict[str, _AskedSlice]] = {pair: {} for pair in overall.pairwise.pairs}
    left = {pair: dict(left_out) for pair in found}
    jointly = sliced.shares_units or len(found) > 1
    for name, rows in large.rows.items():
        part = None
        for pair, asked in found.items():
            try:
                part = compared.part(rows, one_by_one=jointly) if part is None else part
                asked[name] = sliced.ask(part, pair)
            except ValueError as error:
                first_sentence = str(error).split(". ")[0].split(":")[0].rstrip(".")
                left[pair][name] = f"{len(rows)} rows, and {first_sentence}"
    for (a, b), asked in found.items():
        if not asked:
            why = "; ".join(f"{k}: {reason}" for k, reason in [*left[a, b].items()][:5])
            raise ValueError(f"by has no slice in which {a} and {b} can be compared ({why}).")
    each = [(name, one) for asked in found.values() for name, one in asked.items()]
    contributions = _contributions(each, sliced.units if jointly else None)
    how = f"for {len(each)} {'slices' if len(found) == 1 else 'pairs in slices'}"
    judged = iter(_judged([one.report for _, one in each], question, contributions, how=how))
    pairs = [
        _in_slices(sliced, pair, asked, [*islice(judged, len(asked))], left[pair])
        for pair, asked in found.items()
    ]
    inside = np.concatenate([large.rows[name] for name in pairs[0].parts])
    return evidence.SlicesEvidence(
        overall=overall,
        pairs=(pairs[0],) if len(pairs) == 1 else evidence.adjusted_for_pairs(pairs),
        cut_by=tuple(name for name in large.cut_by if name),
        adjustment=question.adjustment,
        n_comparisons=len(each),
        n_outside=large.n_rows - len(np.unique(inside)),
        notes=large.notes,
    )


def _in_slices(
    sliced: _Sliced,
    pair: Pair,
    asked: dict[str, _AskedSlice],
    reports: list[evidence.ComparisonEvidence],
    left_out: dict[str, str],
) -> evidence.PairInSlices:
    """Return what was found of a pair, from the comparisons as they were judged together."""
    between, drawn_together = _between(sliced, asked, reports)
    parts = dict(zip(asked, reports, strict=True))
    alpha = alpha_of(sliced.question.confidence_level)
    varies = between is None or between.pvalue < alpha
    return evidence.PairInSlices(
        names=pair,
        parts=parts,
        n_rows={name: len(sliced.slices.rows[name]) for name in asked},
        between=between,
        shrunken=drawn_together,
        left_out=left_out,
        explained_by=_explained(sliced, pair, parts, alpha) if varies else {},
    )


def _explained(
    sliced: _Sliced,
    pair: Pair,
    parts: Mapping[str, evidence.ComparisonEvidence],
    alpha: float,
) -> dict[str, tuple[str, ...]]:
    """Find the slices that differ through the rows which they share with others.

    The slice that differs most for certain, by the limit of its interval next to zero, is
    taken with all of its rows. Those that share some are asked again without these, at the
    level of one of all comparisons. Of those that still differ the next is taken.
    """
    rows_of = sliced.slices.rows
    left = {
        name: (report, rows_of[name])
        for name, report in parts.items()
        if report.verdict in ("better", "worse")
    }
    levels = {
        name: _level_of_one(report, alpha, len(parts)) for name, (report, _) in left.items()
    }
    taken: list[str] = []
    found: dict[str, tuple[str, ...]] = {}
    while left:
        first = max(left, key=lambda name: _least(left[name][0], levels[name]))
        del left[first]
        taken.append(first)
        for name, (judged, rows) in [*left.items()]:
            rest = np.setdiff1d(rows, rows_of[first])
            if len(rest) == len(rows):
                continue
            again = sliced.ask_some(rest, pair)
            still = again is not None and again.outcome.pvalue < levels[name]
            if (
                again is not None
                and still
                and again.outcome.direction == judged.outcome.direction
            ):
                left[name] = again, rest
                continue
            del left[name]
            found[name] = tuple(
                one for one in taken if len(np.intersect1d(rows_of[one], rows_of[name]))
            )
    return found


def _between(
    sliced: _Sliced,
    asked: dict[str, _AskedSlice],
    reports: Sequence[evidence.ComparisonEvidence],
) -> tuple[OmnibusOutcome | None, tuple[float, ...] | None]:
    """Ask whether the difference varies, and shrink it.

    By what units contribute, where that is known, or by the standard errors of t tests.
    """
    outcomes, every = [report.outcome for report in reports], [*asked.values()]
    estimates = np.array([outcome.estimate for outcome in outcomes])
    known = [place for place, one in enumerate(every) if one.influence is not None]
    contributions = _contributions(
        [*asked.items()], sliced.units if sliced.shares_units else None
    )
    law: laws.Contributions | laws.KnownErrors
    if len(asked) < 2 or (contributions is None and sliced.shares_units):
        return None, None
    if contributions is not None:
        steady = [number for number, place in enumerate(known) if every[place].is_steady]
        places, variances = [known[number] for number in steady], contributions.own_variances
        law = contributions.take(steady)
    else:
        errors = np.array([one.standard_error or math.nan for one in outcomes], dtype=float)
        dfs = [one.df for one in outcomes]
        if not (np.isfinite(errors).all() and all(isinstance(df, float | int) for df in dfs)):
            return None, None
        places, variances = [*range(len(asked))], errors**2
        n_units = sum(len(sliced.slices.rows[name]) for name in asked)
        law = laws.KnownErrors(errors=errors, dfs=np.array(dfs, dtype=float), n_units=n_units)
    drawn_together = None
    if len(variances) == len(asked):
        drawn_together = tuple(laws.shrunken(estimates, variances).tolist())
    if len(places) < 2:
        return None, drawn_together
    found = laws.heterogeneity(
        [[*asked][place] for place in places],
        estimates[places],
        law,
        where=f"the difference in {reports[0].metric}",
        seed=sliced.question.drawn_by,
    )
    return found, drawn_together


def _level_of_one(report: evidence.ComparisonEvidence, alpha: float, n: int) -> float:
    """Level of one comparison that belongs to the level of all."""
    joint = report.outcome.joint
    return joint.level_of_one(alpha) if isinstance(joint, JointMinP) else alpha / n


def _least(report: evidence.ComparisonEvidence, level: float) -> tuple[float, float]:
    """The smallest difference that an interval leaves; then how small the p-value is."""
    level = alpha_of(report.confidence_level) if report.pairwise.adjustment else level
    low, high = report.outcome.confidence_interval(1 - level)
    return max(0.0, low, -high), -report.outcome.pvalue


def _contributions(
    asked: Sequence[tuple[str, _AskedSlice]], units: Mapping[str, NDArray[np.int64]] | None
) -> laws.Contributions | None:
    """Return what units contribute to the slices of which that is known; None of none."""
    known = [(name, one.influence) for name, one in asked if one.influence is not None]
    if not known:
        return None
    return laws.Contributions(
        values=[values for _, (values, _, _) in known],
        times=[times for _, (_, times, _) in known],
        units=None if units is None else [units[name] for name, _ in known],
    )


def _judged(
    reports: list[evidence.ComparisonEvidence],
    question: Question,
    contributions: laws.Contributions | None,
    *,
    how: str,
) -> list[evidence.ComparisonEvidence]:
    """Adjust the p-values of all slices, and find the doubts about their verdicts."""
    outcomes, adjustment = [report.outcome for report in reports], question.adjustment
    pvalues = np.array([outcome.pvalue for outcome in outcomes])
    if adjustment == JOINT:
        # Where contributions are not known the slices are taken to be independent, which is
        # careful whatever the correlation of normal errors is (Sidak, 1967).
        known = contributions is not None and len(contributions.values) == len(reports)
        few = len(reports) <= _MOST_CORRELATED
        correlation = contributions.correlation if known and few and contributions else None
        law = smallest_pvalues(
            outcomes,
            question.drawn_by,
            correlation=correlation,
            alternative=question.alternative,
            alpha=alpha_of(question.confidence_level),
        )
        adjusted = law.adjusted(pvalues)
        spreads: list[Any] = [None] * len(reports)
        if known and contributions:
            low, high = reports[0].bounds
            largest = None if low is None or high is None else high - low
            spreads = [replace(spread, largest=largest) for spread in contributions.spreads]
        outcomes = [
            law.judged(outcome, float(pvalue), spread)
            for outcome, pvalue, spread in zip(outcomes, adjusted, spreads, strict=True)
        ]
    else:
        adjusted = adjust_pvalues(pvalues, cast(Adjustment, adjustment))
    how = f"adjusted by {adjustment_name(adjustment)} {how}"
    of_margin: list[EquivalenceOutcome | None] = [None] * len(reports)
    if reports[0].margin is not None:
        # The law of the smallest p-value says nothing of a margin.
        method = "holm" if adjustment == JOINT else cast(Adjustment, adjustment)
        of_margin = [*equivalence_tests(outcomes, reports[0].margin, method)]
    judged = reports
    if len(reports) > 1:
        each = zip(reports, outcomes, adjusted.tolist(), of_margin, strict=True)
        judged = [
            report.judged(outcome, pvalue, how, len(reports), equivalent)
            for report, outcome, pvalue, equivalent in each
        ]
    return [
        replace(one, doubts=Doubts(one.doubts, partial(_about_verdict, one))) for one in judged
    ]


def _about_verdict(report: evidence.ComparisonEvidence) -> Doubts:
    """Look for doubts about the verdict on a slice, which rests on an adjusted p-value."""
    verdicts = Pairs(
        names=report.pairwise.pairs,
        outcomes=report.pairwise.outcomes,
        identical=np.array([report.compared.identical]),
        levels=report.levels,
        adjusted=report.pairwise.adjusted_pvalues,
    )
    return find_doubts(facts_of(report, Facts(), verdicts=verdicts))
