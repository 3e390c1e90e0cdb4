"""Two systems in slices of the rows: own tests, judged together, and what varies between."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._engine.ask import Compared, Influence, ask, facts_of
from skstat.comparison._engine.family import compare
from skstat.comparison._question import Question
from skstat.evaluation._slices import Slices, without_small
from skstat.report import _evidence as evidence
from skstat.report._doubts import Doubt, Facts, Pairs, by_code, find_doubts
from skstat.report._terms import adjustment_name
from skstat.stats import EquivalenceOutcome, OmnibusOutcome
from skstat.stats import _heterogeneity as laws
from skstat.stats._equivalence import equivalence_tests
from skstat.stats._family import alpha_of
from skstat.stats._max_t import JointMinP, smallest_pvalues
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts

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
    of_pair = replace(question, control=None, adjustment="auto")

    def ask_slice(part: Compared, names: tuple[str, str]) -> _AskedSlice:
        two = part.take(names)
        own = two.affordable(of_pair)
        report = two.about_classes(ask(two, two.choose(own), own))
        return _AskedSlice(report=report, influence=two.influence())

    seed, unit_of_row = question.drawn_by, getattr(compared.sample, "groups", None)
    on_every_row = [overall[pair] for pair in overall.pairwise.pairs]
    large, left_out = without_small(slices)
    own = np.arange(large.n_rows) if unit_of_row is None else unit_of_row
    units = {name: np.unique(own[rows]) for name, rows in large.rows.items()}
    every = np.concatenate([np.empty(0, dtype=np.int64), *units.values()])
    shares_units = bool((np.bincount(every) > 1).any())
    pairs = [
        _AskedPair(overall=one, asked={}, left_out=dict(left_out), shares_units=shares_units)
        for one in on_every_row
    ]
    for name, rows in large.rows.items():
        try:
            part = compared.part(rows, one_by_one=shares_units or len(pairs) > 1)
        except ValueError as error:
            for pair in pairs:
                pair.leave_out(name, rows, error)
            continue
        for pair in pairs:
            try:
                pair.asked[name] = ask_slice(part, pair.overall.pair)
            except ValueError as error:
                pair.leave_out(name, rows, error)
    for pair in pairs:
        pair.check()
    shared = units if shares_units or len(pairs) > 1 else None
    each = [(name, one) for pair in pairs for name, one in pair.asked.items()]
    judged = iter(
        _judged(
            [one.report for _, one in each],
            question,
            _contributions(each, shared),
            how=f"for {len(each)} " + ("slices" if len(pairs) == 1 else "pairs in slices"),
        )
    )

    def without(rows: _Rows, names: tuple[str, str]) -> _AskedSlice | None:
        if len(rows) < large.fewest:
            return None
        try:
            return ask_slice(compared.part(rows, one_by_one=False), names)
        except ValueError:
            return None

    found = [
        pair.in_slices(list(islice(judged, len(pair.asked))), large, units, seed, without)
        for pair in pairs
    ]
    inside = np.concatenate([large.rows[name] for name in found[0].parts])
    return evidence.SlicesEvidence(
        overall=overall,
        pairs=(found[0],) if len(found) == 1 else evidence.adjusted_for_pairs(found),
        cut_by=tuple(name for name in large.cut_by if name),
        adjustment=question.adjustment,
        n_comparisons=len(each),
        n_outside=large.n_rows - len(np.unique(inside)),
        notes=large.notes,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _AskedPair:
    """What was found of one pair of systems, slice by slice."""

    overall: evidence.ComparisonEvidence
    asked: dict[str, _AskedSlice]
    left_out: dict[str, str]
    shares_units: bool

    def leave_out(self, name: str, rows: _Rows, error: ValueError) -> None:
        first_sentence = str(error).split(". ")[0].split(":")[0].rstrip(".")
        self.left_out[name] = f"{len(rows)} rows, and {first_sentence}"

    def check(self) -> None:
        """Refuse a pair that cannot be compared in any slice."""
        if not self.asked:
            a, b = self.overall.names
            why = "; ".join(f"{k}: {reason}" for k, reason in [*self.left_out.items()][:5])
            raise ValueError(f"by has no slice in which {a} and {b} can be compared ({why}).")

    def in_slices(
        self,
        reports: list[evidence.ComparisonEvidence],
        slices: Slices,
        units: Mapping[str, NDArray[np.int64]],
        seed: int,
        without: Callable[[_Rows, tuple[str, str]], _AskedSlice | None],
    ) -> evidence.PairInSlices:
        """Return what was found, from the comparisons as they were judged together.

        `without` asks some rows of the pair again, if there are enough.
        """
        asked = [*self.asked.items()]
        contributions = _contributions(asked, units if self.shares_units else None)
        between: OmnibusOutcome | None = None
        drawn_together = None
        if len(asked) > 1:
            if contributions is not None:
                between, drawn_together = self._between(reports, contributions, seed)
            elif not self.shares_units:
                sizes = [len(slices.rows[name]) for name, _ in asked]
                between, drawn_together = self._between_errors(reports, sizes, seed)
        varies = between is None or between.pvalue < alpha_of(self.overall.confidence_level)
        return evidence.PairInSlices(
            names=self.overall.pair,
            parts=dict(zip(self.asked, reports, strict=True)),
            n_rows={name: len(slices.rows[name]) for name in self.asked},
            between=between,
            shrunken=drawn_together,
            left_out=self.left_out,
            explained_by=self._explained(reports, slices, without) if varies else {},
        )

    def _explained(
        self,
        reports: Sequence[evidence.ComparisonEvidence],
        slices: Slices,
        without: Callable[[_Rows, tuple[str, str]], _AskedSlice | None],
    ) -> dict[str, tuple[str, ...]]:
        """Find the slices that differ through the rows which they share with others.

        The slice that differs most for certain, by the limit of its interval next to zero, is
        taken with all of its rows. Those that share some are asked again without these, at the
        level of one of all comparisons. Of those that still differ the next is taken.
        """
        alpha = alpha_of(self.overall.confidence_level)
        differs = [report.verdict in ("better", "worse") for report in reports]
        each = zip(self.asked, reports, differs, strict=True)
        left = {name: (report, slices.rows[name]) for name, report, is_one in each if is_one}
        levels = {
            name: _level_of_one(report, alpha, len(reports))
            for name, (report, _) in left.items()
        }
        taken: list[str] = []
        found: dict[str, tuple[str, ...]] = {}
        while left:
            first = max(left, key=lambda name: _least(left[name][0], levels[name]))
            del left[first]
            taken.append(first)
            for name, (judged, rows) in [*left.items()]:
                rest = np.setdiff1d(rows, slices.rows[first])
                if len(rest) == len(rows):
                    continue
                again = without(rest, self.overall.pair)
                side = judged.outcome.direction
                still = again is not None and again.report.outcome.pvalue < levels[name]
                if again is not None and still and again.report.outcome.direction == side:
                    left[name] = again.report, rest
                    continue
                del left[name]
                own = slices.rows[name]
                found[name] = tuple(
                    one for one in taken if len(np.intersect1d(slices.rows[one], own))
                )
        return found

    def _between(
        self,
        reports: Sequence[evidence.ComparisonEvidence],
        contributions: laws.Contributions,
        seed: int,
    ) -> tuple[OmnibusOutcome | None, tuple[float, ...] | None]:
        """Ask whether the difference varies, by what units contribute; and shrink it."""
        asked = [*self.asked.items()]
        estimates = np.array([report.outcome.estimate for report in reports])
        known = [place for place, (_, one) in enumerate(asked) if one.influence is not None]
        drawn_together = None
        if len(known) == len(asked):
            drawn_together = tuple(
                laws.shrunken(estimates, contributions.own_variances).tolist()
            )
        steady = [n for n, place in enumerate(known) if asked[place][1].is_steady]
        places = [known[number] for number in steady]
        if len(places) < 2:
            return None, drawn_together
        found = laws.heterogeneity(
            [asked[place][0] for place in places],
            estimates[places],
            contributions.take(steady),
            where=self._where,
            seed=seed,
        )
        return found, drawn_together

    def _between_errors(
        self, reports: Sequence[evidence.ComparisonEvidence], sizes: Sequence[int], seed: int
    ) -> tuple[OmnibusOutcome | None, tuple[float, ...] | None]:
        """Ask it of t tests, of which standard errors are known; of others nobody."""
        outcomes = [report.outcome for report in reports]
        errors = np.array([one.standard_error or math.nan for one in outcomes], dtype=float)
        dfs = [one.df for one in outcomes]
        if not (np.isfinite(errors).all() and all(isinstance(df, float | int) for df in dfs)):
            return None, None
        estimates = np.array([report.outcome.estimate for report in reports])
        known = laws.KnownErrors(
            errors=errors, dfs=np.array(dfs, dtype=float), n_units=sum(sizes)
        )
        found = laws.heterogeneity(
            [*self.asked], estimates, known, where=self._where, seed=seed
        )
        return found, tuple(laws.shrunken(estimates, errors**2).tolist())

    @property
    def _where(self) -> str:
        return f"the difference in {self.overall.metric}"


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
    return [replace(one, doubts=by_code(one.doubts, _about_verdict(one))) for one in judged]


def _about_verdict(report: evidence.ComparisonEvidence) -> tuple[Doubt, ...]:
    """Look for doubts about the verdict on a slice, which rests on an adjusted p-value."""
    verdicts = Pairs(
        names=report.pairwise.pairs,
        outcomes=report.pairwise.outcomes,
        identical=np.array([report.compared.identical]),
        levels=report.levels,
        adjusted=report.pairwise.adjusted_pvalues,
    )
    return find_doubts(facts_of(report, Facts(), verdicts=verdicts))
