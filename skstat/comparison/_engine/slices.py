"""Comparison of systems in slices of the rows, and of the differences between slices."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine import between_slices as laws
from skstat.comparison._engine.ask import Compared, Influence, ask, compare, verdict_facts
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

# Units of a slice from which on its variance is estimated well enough to test whether slices
# differ. With fewer groups, of unequal size, it rejects too often (calibration/slices.py).
_FEWEST_UNITS = 20
# With fewer rows of a class, F1 or an area may be 1 for one system and 0 for the other without
# any variance.
_FEWEST_OF_A_CLASS = 10
# Most comparisons whose correlations are used in the adjustment; more take minutes.
_MOST_CORRELATED = 1_000
_Rows = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class _SliceReport:
    """Comparison in one slice; its p-value is not adjusted until all slices are known."""

    name: str
    report: evidence.ComparisonEvidence
    influence: Influence | None

    @property
    def is_steady(self) -> bool:
        """Whether the contributions give a usable variance of the difference."""
        if self.influence is None:
            return False
        values, times, rarest = self.influence
        if rarest is not None and rarest < _FEWEST_OF_A_CLASS:
            return False
        same_everywhere = not values.any() and self.report.outcome.estimate != 0
        return not same_everywhere and float(times.sum()) >= _FEWEST_UNITS


def on_all_rows(question: Question) -> Question:
    """Return the question for all rows, which has no joint adjustment over slices."""
    return replace(question, adjustment="auto") if question.adjustment == JOINT else question


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sliced:
    """Systems, slices, and the question for every pair in every slice."""

    compared: Compared
    slices: Slices
    question: Question

    @cached_property
    def units(self) -> dict[str, _Rows]:
        """Rows of every slice, or the groups that have rows in it."""
        groups = getattr(self.compared.sample, "groups", None)
        units = np.arange(self.slices.n_rows) if groups is None else groups
        return {name: np.unique(units[rows]) for name, rows in self.slices.rows.items()}

    @cached_property
    def shares_units(self) -> bool:
        """Whether a unit is in several slices."""
        all_units = np.concatenate([np.empty(0, dtype=np.int64), *self.units.values()])
        return bool((np.bincount(all_units) > 1).any())

    def ask(self, name: str, part: Compared, pair: Pair) -> _SliceReport:
        two = part.take(pair)
        question = two.affordable(self.question)
        report = two.with_class_doubts(ask(two, two.choose(question), question))
        return _SliceReport(name=name, report=report, influence=two.influence())

    def ask_rows(self, rows: _Rows, pair: Pair) -> evidence.ComparisonEvidence | None:
        """Compare a pair on some rows; None if they are too few, or the metric is undefined."""
        if len(rows) < self.slices.fewest:
            return None
        try:
            return self.ask("", self.compared.part(rows, one_by_one=False), pair).report
        except ValueError:
            return None

    def contributions(
        self, tested: Sequence[_SliceReport], *, by_unit: bool
    ) -> laws.Contributions | None:
        """Return contributions to the slices for which they are known; None if for no slice."""
        informative = [(one.name, one.influence) for one in tested if one.influence is not None]
        if not informative:
            return None
        return laws.Contributions(
            values=[influence.values for _, influence in informative],
            times=[influence.times for _, influence in informative],
            units=[self.units[name] for name, _ in informative] if by_unit else None,
        )


def compare_in_slices(
    compared: Compared, slices: Slices | None, question: Question, overall: Any = None
) -> Any:
    """Compare every pair of systems in every slice, and adjust p-values for all comparisons.

    Slices of a run share the training rows, so that their errors correlate. The adjustment does
    not use this, and is conservative whatever the correlation is.

    Parameters
    ----------
    compared : Compared
        The systems.
    slices : Slices or None
        The rows of every slice. Slices in which the systems cannot be compared are left out.
        None for a comparison on all rows only.
    question : Question
        Direction, level, seed of the draws, and how p-values of slices are adjusted: by their
        joint distribution, or a method of `adjust_pvalues`.
    overall : ComparisonEvidence, optional
        The comparison of the same pairs on all rows, where the caller has made it.
    """
    if slices is None:
        return compare(compared, question)
    if overall is None:
        overall = compare(compared, on_all_rows(question))
    large, left_out = without_small(slices)
    of_pair = replace(question, control=None, adjustment="auto", standard_error="jackknife")
    sliced = _Sliced(compared=compared, slices=large, question=of_pair)
    tested_of: dict[Pair, list[_SliceReport]] = {pair: [] for pair in overall.pairwise.pairs}
    omitted = {pair: dict(left_out) for pair in tested_of}
    by_unit = sliced.shares_units or len(tested_of) > 1
    for name, rows in large.rows.items():
        part = None
        for pair, tested in tested_of.items():
            try:
                part = compared.part(rows, one_by_one=by_unit) if part is None else part
                tested.append(sliced.ask(name, part, pair))
            except ValueError as error:
                first_sentence = str(error).split(". ")[0].split(":")[0].rstrip(".")
                omitted[pair][name] = f"{len(rows)} rows, and {first_sentence}"
    for (a, b), tested in tested_of.items():
        if not tested:
            why = "; ".join(f"{k}: {reason}" for k, reason in [*omitted[a, b].items()][:5])
            raise ValueError(f"by has no slice in which {a} and {b} can be compared ({why}).")
    all_tested = [*chain(*tested_of.values())]
    where = "slices" if len(tested_of) == 1 else "pairs in slices"
    contributions = sliced.contributions(all_tested, by_unit=by_unit)
    judged = iter(_judged(all_tested, question, contributions, where))
    pairs = [
        _in_slices(sliced, pair, [*islice(judged, len(tested))], omitted[pair])
        for pair, tested in tested_of.items()
    ]
    inside = np.concatenate([large.rows[name] for name in pairs[0].parts])
    return evidence.SlicesEvidence(
        overall=overall,
        pairs=(pairs[0],) if len(pairs) == 1 else evidence.adjusted_for_pairs(pairs),
        cut_by=tuple(name for name in large.cut_by if name),
        adjustment=question.adjustment,
        n_comparisons=len(all_tested),
        n_outside=large.n_rows - len(np.unique(inside)),
        notes=large.notes,
    )


def _in_slices(
    sliced: _Sliced, pair: Pair, tested: Sequence[_SliceReport], left_out: dict[str, str]
) -> evidence.PairInSlices:
    """Return the report on one pair from its comparisons with adjusted p-values."""
    between, shrunken = _between(sliced, tested)
    parts = {one.name: one.report for one in tested}
    varies = between is None or between.pvalue < alpha_of(sliced.question.confidence_level)
    return evidence.PairInSlices(
        names=pair,
        parts=parts,
        n_rows={name: len(sliced.slices.rows[name]) for name in parts},
        between=between,
        shrunken=shrunken,
        left_out=left_out,
        explained_by=_explained(sliced, pair, parts) if varies else {},
    )


def _explained(
    sliced: _Sliced, pair: Pair, parts: Mapping[str, evidence.ComparisonEvidence]
) -> dict[str, tuple[str, ...]]:
    """Return slices whose difference is explained by the rows they share with other slices.

    The slice whose interval is farthest from zero comes first. Slices that share rows with it
    are tested again without these rows, at the level of a single comparison. Those that still
    differ remain, and the procedure goes on with the next.
    """
    rows_of, alpha = sliced.slices.rows, alpha_of(sliced.question.confidence_level)
    remaining = {
        name: (report, rows_of[name])
        for name, report in parts.items()
        if report.verdict in ("better", "worse")
    }
    levels = {}
    for name, (report, _) in remaining.items():
        law, of_one = report.outcome.joint, alpha / len(parts)
        levels[name] = law.level_of_one(alpha) if isinstance(law, JointMinP) else of_one

    def distance(name: str) -> tuple[float, float]:
        # Distance of the interval from zero; ties are broken by the p-value.
        report, _ = remaining[name]
        level = alpha if report.pairwise.adjustment else levels[name]
        low, high = report.outcome.confidence_interval(1 - level)
        return max(0.0, low, -high), -report.outcome.pvalue

    explaining: list[str] = []
    explained: dict[str, tuple[str, ...]] = {}
    while remaining:
        explaining.append(max(remaining, key=distance))
        del remaining[explaining[-1]]
        for name, (judged, rows) in [*remaining.items()]:
            other_rows = np.setdiff1d(rows, rows_of[explaining[-1]])
            if len(other_rows) == len(rows):
                continue
            again, direction = sliced.ask_rows(other_rows, pair), judged.outcome.direction
            differs = again is not None and again.outcome.pvalue < levels[name]
            if again is not None and differs and again.outcome.direction == direction:
                remaining[name] = again, other_rows
                continue
            del remaining[name]
            shared = (one for one in explaining if np.isin(rows_of[one], rows_of[name]).any())
            explained[name] = tuple(shared)
    return explained


def _between(
    sliced: _Sliced, tested: Sequence[_SliceReport]
) -> tuple[OmnibusOutcome | None, tuple[float, ...] | None]:
    """Test whether the difference varies between slices, and shrink the estimates.

    This uses the contributions of units, where they are known, or standard errors of t tests.
    """
    outcomes, shared = [one.report.outcome for one in tested], sliced.shares_units
    contributions = sliced.contributions(tested, by_unit=shared)
    if len(tested) < 2 or (contributions is None and shared):
        return None, None
    if contributions is not None:
        informative = [index for index, one in enumerate(tested) if one.influence is not None]
        steady = [i for i, index in enumerate(informative) if tested[index].is_steady]
        indices, variances = [informative[i] for i in steady], contributions.observed_variances
        law: laws.SliceLaw = contributions.take(steady)
    else:
        errors = np.array([one.standard_error or math.nan for one in outcomes], dtype=float)
        dfs = [one.df for one in outcomes]
        if not (np.isfinite(errors).all() and all(isinstance(df, float | int) for df in dfs)):
            return None, None
        indices, variances = [*range(len(tested))], errors**2
        n_units = sum(len(sliced.slices.rows[one.name]) for one in tested)
        law = laws.KnownErrors(observed_variances=variances, dfs=np.array(dfs), n_units=n_units)
    estimates, shrunken = np.array([outcome.estimate for outcome in outcomes]), None
    if len(variances) == len(tested):
        shrunken = tuple(laws.shrunken(estimates, variances).tolist())
    if len(indices) < 2:
        return None, shrunken
    names, seed = [tested[index].name for index in indices], sliced.question.drawn_by
    where = f"the difference in {tested[0].report.metric}"
    return laws.heterogeneity(names, estimates[indices], law, where=where, seed=seed), shrunken


def _judged(
    tested: list[_SliceReport], question: Question, known: laws.Contributions | None, where: str
) -> list[_SliceReport]:
    """Adjust the p-values of all slices, and add doubts about their verdicts."""
    reports, adjustment, n = [one.report for one in tested], question.adjustment, len(tested)
    outcomes = [report.outcome for report in reports]
    pvalues = np.array([outcome.pvalue for outcome in outcomes])
    if adjustment == JOINT:
        # Where contributions are not known, slices are treated as independent, which is
        # conservative for any correlation of normal errors (Sidak, 1967).
        complete = known if known and len(known.values) == n else None
        correlation = complete.correlation if complete and n <= _MOST_CORRELATED else None
        options: Any = {"alternative": question.alternative, "correlation": correlation}
        alpha = alpha_of(question.confidence_level)
        law = smallest_pvalues(outcomes, question.drawn_by, alpha=alpha, **options)
        adjusted, (low, high) = law.adjusted(pvalues), reports[0].bounds
        largest = None if low is None or high is None else high - low
        spreads: list[Any] = [None] * n
        if complete:
            spreads = [replace(spread, largest=largest) for spread in complete.spreads]
        each = zip(outcomes, adjusted.tolist(), spreads, strict=True)
        outcomes = [replace(one, joint=replace(law, pvalue=p, spread=s)) for one, p, s in each]
    else:
        adjusted = adjust_pvalues(pvalues, cast(Adjustment, adjustment))
    equivalence: list[EquivalenceOutcome | None] = [None] * n
    if reports[0].margin is not None:
        # The law of the smallest p-value does not apply to tests of a margin.
        method = "holm" if adjustment == JOINT else cast(Adjustment, adjustment)
        equivalence = [*equivalences(outcomes, reports[0].margin, method)]
    if n > 1:
        how = f"adjusted by {adjustment_name(adjustment)} for {n} {where}"
        rows = zip(reports, outcomes, adjusted.tolist(), equivalence, strict=True)
        reports = [report.judged(one, p, how, n, margin) for report, one, p, margin in rows]
    final = [with_doubts(report, partial(verdict_facts, report)) for report in reports]
    return [replace(one, report=report) for one, report in zip(tested, final, strict=True)]
