"""Two systems in slices of the rows: own tests, judged together, and what varies between."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine import between_slices as laws
from skstat.comparison._engine.ask import Compared, Influence, about_verdict, ask, compare
from skstat.comparison._engine.facts import with_doubts
from skstat.comparison._engine.joint import Pair
from skstat.comparison._question import JOINT, Question
from skstat.evaluation._slices import Slices, without_small
from skstat.report import _evidence as evidence
from skstat.report._terms import adjustment_name
from skstat.stats._family import alpha_of
from skstat.stats._min_p import JointMinP, smallest_pvalues
from skstat.stats._multiplicity import Adjustment, adjust_pvalues
from skstat.stats._pairwise import EquivalenceOutcome, OmnibusOutcome, equivalences

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
    """What was found in one slice, by itself until it is judged with all others."""

    name: str
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

    def ask(self, name: str, part: Compared, pair: Pair) -> _AskedSlice:
        two = part.take(pair)
        question = two.affordable(self.question)
        report = two.about_classes(ask(two, two.choose(question), question))
        return _AskedSlice(name=name, report=report, influence=two.influence())

    def ask_some(self, rows: _Rows, pair: Pair) -> evidence.ComparisonEvidence | None:
        """Ask some rows of a slice, if there are enough, and they can be compared."""
        if len(rows) < self.slices.fewest:
            return None
        try:
            return self.ask("", self.compared.part(rows, one_by_one=False), pair).report
        except ValueError:
            return None

    def contributions(
        self, tested: Sequence[_AskedSlice], *, by_unit: bool
    ) -> laws.Contributions | None:
        """Return what units contribute to the slices of which that is known; None of none."""
        known = [(one.name, one.influence) for one in tested if one.influence is not None]
        if not known:
            return None
        return laws.Contributions(
            values=[own.values for _, own in known],
            times=[own.times for _, own in known],
            units=[self.units[name] for name, _ in known] if by_unit else None,
        )


def compare_in_slices(
    compared: Compared, slices: Slices | None, question: Question, overall: Any = None
) -> Any:
    """Compare two systems, or every pair of several, in every slice, and adjust for all.

    Slices of a run share the training rows, and with them what these do to the learners: their
    errors correlate, which is left out of the adjustment (it is careful whatever the
    correlation is).

    Parameters
    ----------
    compared : Compared
        The systems.
    slices : Slices or None
        The rows of every slice. One in which they cannot be compared is left out. None for a
        comparison on all rows alone.
    question : Question
        Direction, level, seed of the draws, and how p-values of slices are adjusted: by their
        joint distribution, or a method of `adjust_pvalues`.
    overall : ComparisonEvidence, optional
        The comparison on all rows, of the same pairs, where the caller has made it.
    """
    if slices is None:
        return compare(compared, question)
    if overall is None:
        overall = compare(compared, on_all_rows(question))
    large, left_out = without_small(slices)
    of_pair = replace(question, control=None, adjustment="auto", standard_error="jackknife")
    sliced = _Sliced(compared=compared, slices=large, question=of_pair)
    found: dict[Pair, list[_AskedSlice]] = {pair: [] for pair in overall.pairwise.pairs}
    left = {pair: dict(left_out) for pair in found}
    jointly = sliced.shares_units or len(found) > 1
    for name, rows in large.rows.items():
        part = None
        for pair, tested in found.items():
            try:
                part = compared.part(rows, one_by_one=jointly) if part is None else part
                tested.append(sliced.ask(name, part, pair))
            except ValueError as error:
                first_sentence = str(error).split(". ")[0].split(":")[0].rstrip(".")
                left[pair][name] = f"{len(rows)} rows, and {first_sentence}"
    for (a, b), tested in found.items():
        if not tested:
            why = "; ".join(f"{k}: {reason}" for k, reason in [*left[a, b].items()][:5])
            raise ValueError(f"by has no slice in which {a} and {b} can be compared ({why}).")
    each = [*chain(*found.values())]
    where = "slices" if len(found) == 1 else "pairs in slices"
    contributions = sliced.contributions(each, by_unit=jointly)
    judged = iter(_judged(each, question, contributions, where))
    pairs = [
        _in_slices(sliced, pair, [*islice(judged, len(tested))], left[pair])
        for pair, tested in found.items()
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
    sliced: _Sliced, pair: Pair, tested: Sequence[_AskedSlice], left_out: dict[str, str]
) -> evidence.PairInSlices:
    """Return what was found of a pair, from the comparisons as they were judged together."""
    between, drawn_together = _between(sliced, tested)
    parts = {one.name: one.report for one in tested}
    varies = between is None or between.pvalue < alpha_of(sliced.question.confidence_level)
    return evidence.PairInSlices(
        names=pair,
        parts=parts,
        n_rows={name: len(sliced.slices.rows[name]) for name in parts},
        between=between,
        shrunken=drawn_together,
        left_out=left_out,
        explained_by=_explained(sliced, pair, parts) if varies else {},
    )


def _explained(
    sliced: _Sliced, pair: Pair, parts: Mapping[str, evidence.ComparisonEvidence]
) -> dict[str, tuple[str, ...]]:
    """Find the slices that differ through the rows which they share with others.

    The slice that differs most for certain, by the limit of its interval next to zero, is
    taken with all of its rows. Those that share some are asked again without these, at the
    level of one of all comparisons. Of those that still differ the next is taken.
    """
    rows_of, alpha = sliced.slices.rows, alpha_of(sliced.question.confidence_level)
    left = {
        name: (report, rows_of[name])
        for name, report in parts.items()
        if report.verdict in ("better", "worse")
    }
    levels = {}
    for name, (report, _) in left.items():
        law, of_one = report.outcome.joint, alpha / len(parts)
        levels[name] = law.level_of_one(alpha) if isinstance(law, JointMinP) else of_one

    def least(name: str) -> tuple[float, float]:
        # The smallest difference that an interval leaves; then how small the p-value is.
        report, _ = left[name]
        level = alpha if report.pairwise.adjustment else levels[name]
        low, high = report.outcome.confidence_interval(1 - level)
        return max(0.0, low, -high), -report.outcome.pvalue

    taken: list[str] = []
    found: dict[str, tuple[str, ...]] = {}
    while left:
        taken.append(max(left, key=least))
        del left[taken[-1]]
        for name, (judged, rows) in [*left.items()]:
            rest = np.setdiff1d(rows, rows_of[taken[-1]])
            if len(rest) == len(rows):
                continue
            again, way = sliced.ask_some(rest, pair), judged.outcome.direction
            differs = again is not None and again.outcome.pvalue < levels[name]
            if again is not None and differs and again.outcome.direction == way:
                left[name] = again, rest
                continue
            del left[name]
            shared = (one for one in taken if np.isin(rows_of[one], rows_of[name]).any())
            found[name] = tuple(shared)
    return found


def _between(
    sliced: _Sliced, tested: Sequence[_AskedSlice]
) -> tuple[OmnibusOutcome | None, tuple[float, ...] | None]:
    """Ask whether the difference varies, and shrink it.

    By what units contribute, where that is known, or by the standard errors of t tests.
    """
    outcomes, shared = [one.report.outcome for one in tested], sliced.shares_units
    contributions = sliced.contributions(tested, by_unit=shared)
    if len(tested) < 2 or (contributions is None and shared):
        return None, None
    if contributions is not None:
        known = [place for place, one in enumerate(tested) if one.influence is not None]
        steady = [number for number, place in enumerate(known) if tested[place].is_steady]
        places, variances = [known[number] for number in steady], contributions.own_variances
        law: laws.Contributions | laws.KnownErrors = contributions.take(steady)
    else:
        errors = np.array([one.standard_error or math.nan for one in outcomes], dtype=float)
        dfs = [one.df for one in outcomes]
        if not (np.isfinite(errors).all() and all(isinstance(df, float | int) for df in dfs)):
            return None, None
        places, variances = [*range(len(tested))], errors**2
        n_units = sum(len(sliced.slices.rows[one.name]) for one in tested)
        law = laws.KnownErrors(own_variances=variances, dfs=np.array(dfs), n_units=n_units)
    estimates, drawn_together = np.array([outcome.estimate for outcome in outcomes]), None
    if len(variances) == len(tested):
        drawn_together = tuple(laws.shrunken(estimates, variances).tolist())
    if len(places) < 2:
        return None, drawn_together
    names, seed = [tested[place].name for place in places], sliced.question.drawn_by
    where = f"the difference in {tested[0].report.metric}"
    found = laws.heterogeneity(names, estimates[places], law, where=where, seed=seed)
    return found, drawn_together


def _judged(
    tested: list[_AskedSlice], question: Question, known: laws.Contributions | None, where: str
) -> list[_AskedSlice]:
    """Adjust the p-values of all slices, and find the doubts about their verdicts."""
    reports, adjustment, n = [one.report for one in tested], question.adjustment, len(tested)
    outcomes = [report.outcome for report in reports]
    pvalues = np.array([outcome.pvalue for outcome in outcomes])
    if adjustment == JOINT:
        # Where contributions are not known the slices are taken to be independent, which is
        # careful whatever the correlation of normal errors is (Sidak, 1967).
        whole = known if known and len(known.values) == n else None
        correlation = whole.correlation if whole and n <= _MOST_CORRELATED else None
        how: Any = {"alternative": question.alternative, "correlation": correlation}
        alpha = alpha_of(question.confidence_level)
        law = smallest_pvalues(outcomes, question.drawn_by, alpha=alpha, **how)
        adjusted, (low, high) = law.adjusted(pvalues), reports[0].bounds
        largest = None if low is None or high is None else high - low
        spreads: list[Any] = [None] * n
        if whole:
            spreads = [replace(spread, largest=largest) for spread in whole.spreads]
        each = zip(outcomes, adjusted.tolist(), spreads, strict=True)
        outcomes = [replace(own, joint=replace(law, pvalue=p, spread=s)) for own, p, s in each]
    else:
        adjusted = adjust_pvalues(pvalues, cast(Adjustment, adjustment))
    of_margin: list[EquivalenceOutcome | None] = [None] * n
    if reports[0].margin is not None:
        # The law of the smallest p-value says nothing of a margin.
        method = "holm" if adjustment == JOINT else cast(Adjustment, adjustment)
        of_margin = [*equivalences(outcomes, reports[0].margin, method)]
    if n > 1:
        how = f"adjusted by {adjustment_name(adjustment)} for {n} {where}"
        found = zip(reports, outcomes, adjusted.tolist(), of_margin, strict=True)
        reports = [one.judged(own, p, how, n, margin) for one, own, p, margin in found]
    final = [with_doubts(report, partial(about_verdict, report)) for report in reports]
    return [replace(one, report=report) for one, report in zip(tested, final, strict=True)]
