"""What reports on several systems, on slices of the rows, and on seeds rest on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._times import select_times
from skstat.report._doubts import CATALOGUE, Doubt, by_code, merged
from skstat.report._evidence.evidence import Evidence, PairEvidence, Place
from skstat.report._further import Stability
from skstat.report._terms import adjustment_name
from skstat.report._verdicts import levels_of, verdict_by, without_direction
from skstat.stats._common import Readers, Stored, from_plain, names_of_fields, to_plain
from skstat.stats._equivalence import equivalence_tests
from skstat.stats._multiplicity import Adjustment
from skstat.stats._samples import sample_from_dict

Pair = tuple[str, str]
One = TypeVar("One")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SystemsEvidence(Evidence):
    """What the comparison of several systems rests on.

    Attributes
    ----------
    sample : ScoreTable, Predictions or PredictionsSummary
        What was compared. A restored report has only a summary of predictions, and so has one
        of several seeds.
    pairwise : PairwiseOutcome
        Comparisons in pairs, with adjusted p-values; verdicts rest on these.
    omnibus : OmnibusOutcome or None
        Test of all systems at once, where there is one: never for splits, which share
        training rows.
    kind : {"systems", "datasets", "leaderboard"}
        Whether systems are ordered by mean scores, by mean ranks over data sets, or by mean
        scores with the ranks that they may have.
    samples : tuple or None
        The sample of every pair, where it is not a part of `sample` as it stands.
    constants : mapping of str to float
        Systems that are a score known in advance, by name.
    posteriors : sequence of Posterior, or None
        The comparison of every pair read as probabilities, if that was asked by ``rope=``.
    strengths : BradleyTerryPosterior or None
        Which system is the best, with what probability, if that was asked by ``rope=`` over
        data sets.
    best_posterior : BestPosterior or None
        Which system is the best, with what probability, if that was asked by ``rope=`` of all
        pairs on one data set or test set.
    run : CrossValidationRun, DatasetsRun or None
        The run that the scores are from. A restored report has none.
    stability : mapping of tuple to Stability, or None
        What other partitions of the same rows said of every pair, if that was asked.
    next_step : str
        What could decide what these scores cannot, as a sentence; else empty.
    parameters : mapping of str to mapping, or None
        Parameters of every candidate of a search. A restored report has none.
    left_out : tuple of str
        Data sets that are not compared, each with the first reason why; `run` has all.
    rank_stability : RankStability or None
        The ranks in resamples of the units, and without parts of them. None where units
        cannot be resampled, as splits of one data set.
    part_word : str
        What a part is, such as "task".
    """

    _readers: ClassVar[Readers] = {
        **Evidence._readers,
        "samples": lambda samples: samples and tuple(map(sample_from_dict, samples)),
        "stability": lambda rows: {(a, b): Stability.from_dict(s) for a, b, s in rows} or None,
    }

    sample: Any
    pairwise: stats.PairwiseOutcome
    omnibus: stats.OmnibusOutcome | None = None
    kind: Literal["systems", "datasets", "leaderboard"] = "systems"
    samples: tuple[Any, ...] | None = None
    constants: Mapping[str, float] = field(default_factory=dict)
    posteriors: Sequence[stats.Posterior] | None = None
    strengths: stats.BradleyTerryPosterior | None = None
    best_posterior: stats.BestPosterior | None = None
    run: Any = None
    stability: Mapping[Pair, Stability] | None = None
    next_step: str = ""
    parameters: Mapping[str, Mapping[str, Any]] | None = None
    left_out: tuple[str, ...] = ()
    rank_stability: stats.RankStability | None = None
    part_word: str = "part"

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order they were given."""
        return tuple(self.sample.names)

    @property
    def control(self) -> str | None:
        """The system that the others are compared with, if there is one."""
        return self.pairwise.control

    @cached_property
    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of every system."""
        return list(self.sample.summaries())

    @cached_property
    def scores(self) -> dict[str, float]:
        """Score of every system, higher is better, the highest first."""
        means = (summary["mean"] for summary in self.summaries)
        found = dict(zip(self.names, map(from_plain, means), strict=True))
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    @property
    def by_rank(self) -> bool:
        """Whether mean ranks order the systems, instead of mean scores."""
        return self.kind == "datasets"

    # --- what every pair comes to ---

    @cached_property
    def n_units_of_pairs(self) -> NDArray[np.int64]:
        """Number of units that every pair was compared on."""
        if self.by_rank:
            there = (~self.sample.missing).astype(np.int64)
            return np.asarray((there.T @ there)[self.pairwise.ends])
        if self.samples is None:
            return np.full(len(self.pairwise.pairs), self.n_units)
        return np.array([int(sample.n_units) for sample in self.samples])

    @cached_property
    def levels(self) -> NDArray[np.float64]:
        """Level at which the interval of every pair agrees with its adjusted p-value."""
        pairwise = self.pairwise
        return levels_of(pairwise.outcomes, pairwise.adjusted_pvalues, self.confidence_level)

    @cached_property
    def directions(self) -> NDArray[np.float64]:
        """Which of both is better, should they differ: 1 the first, -1 the second, 0 none."""
        asked = self.pairwise.outcomes[0].alternative
        ahead = {"greater": 1.0, "less": -1.0}.get(asked, self.pairwise.directions)
        # Without limits there is no common direction, whatever the p-value.
        limited = ~np.isnan(self.pairwise.outcomes.beside_zero(self.levels))
        return np.asarray(np.where(limited, ahead, 0.0))

    @cached_property
    def verdicts(self) -> list[str]:
        """The verdict on every pair, as of two systems."""
        adjusted = self.pairwise.adjusted_pvalues
        ahead = np.where(adjusted < self.alpha, self.directions, 0.0)
        same = not_worse = np.zeros(len(adjusted), dtype=bool)
        if self.equivalences is not None:
            same = self.equivalences.equivalent(self.alpha)
            not_worse = self.equivalences.noninferior(self.alpha, among=~same & (ahead == 0))
        each = zip(ahead.tolist(), same.tolist(), not_worse.tolist(), strict=True)
        found = [verdict_by(*one) for one in each]
        return [*map(without_direction, found)] if self.direction_assumed else [*found]

    @cached_property
    def equivalences(self) -> stats.EquivalenceOutcome | None:
        """Tests of the margin of every pair, adjusted for all; None without a margin."""
        if self.margin is None:
            return None
        adjustment = self.pairwise.adjustment
        # The joint law of the differences says nothing of a margin.
        method = adjustment if adjustment in get_args(Adjustment) else "holm"
        return equivalence_tests(
            self.pairwise.outcomes,
            self.margin,
            cast(Adjustment, method),
            n_family=self.pairwise.n_family,
        )

    def __getitem__(self, pair: Pair) -> PairEvidence:
        """Return what the comparison of one pair rests on, as it was compared."""
        place, adjustment = self.pairwise.places[pair], self.pairwise.adjustment
        tests = self.equivalences
        n_pairs = self.pairwise.n_family or len(self.pairwise.pairs)
        shared = {name: getattr(self, name) for name in names_of_fields(Evidence)}
        return PairEvidence(
            **(shared | {"choice": None, "times": select_times(self.times, pair)}),
            outcome=self.pairwise.outcomes[place],
            sample=self.sample.pair(*pair) if self.samples is None else self.samples[place],
            names=pair,
            constant=self.constants.get(pair[1]),
            adjusted_pvalue=float(self.pairwise.adjusted_pvalues[place]),
            adjustment=f"adjusted by {adjustment_name(adjustment)} for {n_pairs} pairs",
            adjusted_equivalence=None if tests is None else tests[place],
            posterior=None if self.posteriors is None else self.posteriors[place],
        )

    # --- who is the best ---

    @property
    def all_pairs(self) -> bool:
        """Whether every two systems were asked whether they differ.

        One-sided, the answer depends on which system is named first, and so on the order of
        the columns.
        """
        asked = self.pairwise.outcomes.distinct("alternative")
        return self.control is None and set(asked) == {"two-sided"}

    @cached_property
    def best_pvalues(self) -> dict[str, float]:
        """p-value of every system that none is better; empty if that was not asked.

        It is the smallest adjusted one of the pairs in which the other is ahead, and 1
        where there is none: a system may be the best exactly if no pair contradicts it.
        """
        if not (self.all_pairs or self.pairwise.n_family):
            return {}
        first, second = self.pairwise.ends
        ahead = np.where(self.directions == 0, 0.0, self.pairwise.directions)
        adjusted = self.pairwise.adjusted_pvalues
        least = np.ones(len(self.pairwise.names))
        for behind, asked in ((second, ahead > 0), (first, ahead < 0)):
            np.fmin.at(least, behind[asked], adjusted[asked])  # a pair without p tells nothing
        return dict(zip(self.pairwise.names, least.tolist(), strict=True))

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Systems that no other one is significantly better than; empty if not asked.

        With adjusted p-values that control the family-wise error the best system is among
        them with a chance of at least the confidence level. That is not asked with a control,
        unless it was chosen by the scores, or in one direction.
        """
        if self.direction_assumed:  # which end is the best one nobody knows
            return ()
        found = self.best_pvalues.items()
        return tuple(name for name, pvalue in found if not pvalue < self.alpha)

    # --- what is stored ---

    @property
    def n_resamples(self) -> int | None:
        return self.pairwise.outcomes[0].by_itself.n_resamples

    def systems_with_samples(self) -> list[Place]:
        """Return every system, constants left out, with a sample that it is in."""
        wanted = [name for name in self.names if name not in self.constants]
        if self.samples is None:
            return [(name, self.sample, self.names.index(name)) for name in wanted]
        found: dict[str, Place] = {}
        for pair, sample in zip(self.pairwise.pairs, self.samples, strict=True):
            for place, name in enumerate(pair):
                if name in wanted:
                    found.setdefault(name, (name, sample, place))
            if len(found) == len(wanted):
                break
        return list(found.values())

    def _plain(self) -> dict[str, Any]:
        drawn, of_pairs = self.posteriors, (self.stability or {}).items()
        posteriors = None if drawn is None else [one.to_dict() for one in drawn]
        stability = [[*pair, found.to_dict()] for pair, found in of_pairs]
        not_stored = {"run": None, "parameters": None}
        return (
            super()._plain() | not_stored | {"posteriors": posteriors, "stability": stability}
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairInSlices(Stored):
    """What two systems come to in slices of the rows.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : mapping of str to PairEvidence
        The comparison within every slice; p-values and intervals are adjusted for all slices.
    n_rows : mapping of str to int
        Rows of every slice.
    between : OmnibusOutcome or None
        Test of whether the difference differs between slices; None of a metric without a
        formula, or of one slice.
    shrunken : tuple of float or None
        Differences drawn towards their common mean, as far as they are noise.
    left_out : mapping of str to str
        Slices that were not compared, and why.
    explained_by : mapping of str to tuple of str
        Slices that differ through the rows which they share with others, which these are.
        Asked without the rows of these they do not differ significantly.
    adjusted_between, adjusted_noninferior : float or None
        p-values of the test of variation, and of "worse by the margin in some slice", adjusted
        for the number of pairs (Holm), where there are others.
    """

    names: tuple[str, str]
    parts: Mapping[str, PairEvidence]
    n_rows: Mapping[str, int]
    between: stats.OmnibusOutcome | None = None
    shrunken: tuple[float, ...] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjusted_between: float | None = None
    adjusted_noninferior: float | None = None

    def turned(self) -> "PairInSlices":
        """Return the same comparisons of the second system against the first."""
        drawn_in = self.shrunken
        return replace(
            self,
            names=self.names[::-1],
            parts={name: part.turned() for name, part in self.parts.items()},
            shrunken=None if drawn_in is None else tuple(0.0 - one for one in drawn_in),
        )

    @property
    def noninferior_pvalue(self) -> float | None:
        """p-value of "the first system is worse by the margin in at least one slice".

        The largest of the one-sided p-values of all slices, which needs no adjustment: to
        show that none is worse each of them must be rejected (an intersection-union test;
        Berger, 1982). Where there are other pairs of systems, it is adjusted for these. None
        without a margin, nan where a slice has no p-value, as one that was left out.
        """
        if self.adjusted_noninferior is not None:
            return self.adjusted_noninferior
        found = [part.equivalence for part in self.parts.values()]
        pvalues = [one.lower_pvalue for one in found if one is not None]
        if not pvalues:
            return None
        return math.nan if self.left_out else float(np.max(pvalues))

    @property
    def doubts(self) -> list[Doubt]:
        """Doubts about the comparisons within slices, each once."""
        found = (
            (name, doubt)
            for name, part in self.parts.items()
            for doubt in part.doubts
            if not CATALOGUE[doubt.code].of_all_rows
        )
        return merged(found, len(self.parts), "slice")


def adjusted_for_pairs(pairs: Sequence[PairInSlices]) -> tuple[PairInSlices, ...]:
    """Adjust what is asked once of every pair, about all of its slices, for their number.

    What was adjusted of them for pairs is adjusted anew.
    """
    pairs = [replace(pair, adjusted_noninferior=None) for pair in pairs]
    between = [math.nan if one.between is None else one.between.pvalue for one in pairs]
    margins = [one.noninferior_pvalue for one in pairs]
    not_worse = stats.adjust_pvalues([math.nan if p is None else p for p in margins], "holm")
    return tuple(
        replace(
            pair,
            adjusted_between=None if pair.between is None else float(varies),
            adjusted_noninferior=None if margin is None else float(shown),
        )
        for pair, varies, shown, margin in zip(
            pairs, stats.adjust_pvalues(between, "holm"), not_worse, margins, strict=True
        )
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SlicesEvidence(Stored):
    """What the comparison of systems in slices of the rows rests on.

    Attributes
    ----------
    overall : PairEvidence or SystemsEvidence
        The comparison on all rows, as without slices.
    pairs : tuple of PairInSlices
        Every pair of systems in its slices.
    cut_by : tuple of str
        The columns that slices are made of.
    adjustment : str
        How p-values are adjusted: ``"min-p"``, by the joint distribution of the smallest one,
        or a method of :func:`skstat.stats.adjust_pvalues`.
    n_comparisons : int
        Comparisons that p-values are adjusted for.
    n_outside : int
        Rows in no slice that was compared.
    notes : tuple of str
        How columns of numbers were cut.
    """

    _readers: ClassVar[Readers] = {"overall": Evidence.from_dict}

    overall: PairEvidence | SystemsEvidence
    pairs: tuple[PairInSlices, ...]
    cut_by: tuple[str, ...] = ()
    adjustment: str = "min-p"
    n_comparisons: int
    n_outside: int = 0
    notes: tuple[str, ...] = ()

    def of_pair(self, names: tuple[str, str]) -> "SlicesEvidence":
        """Return that of one pair of systems, its first against the second."""
        stored = [pair.names for pair in self.pairs]
        is_turned = names not in stored
        place = stored.index(names[::-1] if is_turned else names)
        overall = self.overall
        if isinstance(overall, SystemsEvidence):
            overall = overall[stored[place]]
        if not is_turned:
            return replace(self, overall=overall, pairs=(self.pairs[place],))
        pairs = [*self.pairs]
        pairs[place] = pairs[place].turned()
        if len(pairs) > 1:
            pairs = [*adjusted_for_pairs(pairs)]
        return replace(self, overall=overall.turned(), pairs=(pairs[place],))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all comparisons, each once; those of slices say of which."""
        own = self.pairs[0].doubts
        if isinstance(self.overall, SystemsEvidence):
            each = ((pair.names, one) for pair in self.pairs for one in pair.doubts)
            own = merged(each, len(self.pairs))
        told = {(doubt.code, doubt.advice) for doubt in own}
        left = [one for one in self.overall.doubts if (one.code, one.advice) not in told]
        return by_code(own, left)


@dataclass(frozen=True, eq=False, repr=False)
class SliceEvidence(Stored):
    """What several systems in one slice rest on.

    Attributes
    ----------
    whole : SlicesEvidence
        That of all slices, for which p-values are adjusted.
    slice : str
        The slice.
    """

    whole: SlicesEvidence
    slice: str

    @property
    def parts(self) -> dict[tuple[str, str], PairEvidence]:
        """Every pair that was compared in the slice."""
        return {
            pair.names: pair.parts[self.slice]
            for pair in self.whole.pairs
            if self.slice in pair.parts
        }

    def __getitem__(self, pair: tuple[str, str]) -> PairEvidence:
        return self.parts[pair]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SeedsEvidence(Stored):
    """One comparison of two systems per seed, which describes how much depends on the seed.

    It is not a test: all seeds share the test set, and no p-value is adjusted for their number.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : tuple of PairEvidence
        The comparisons, in the order of the seeds.
    """

    names: tuple[str, str]
    parts: tuple[PairEvidence, ...]

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all comparisons, each once."""
        return tuple(dict.fromkeys(doubt for part in self.parts for doubt in part.doubts))


ByMetric = Mapping[str, Any]


def one_or_per_metric(found: Mapping[str, One]) -> One | Mapping[str, One]:
    """Return what the only metric rests on, or what each does."""
    return next(iter(found.values())) if len(found) == 1 else found


_OTHERS = {kind.__name__: kind for kind in (SlicesEvidence, SliceEvidence, SeedsEvidence)}


def evidence_to_dict(evidence: Any) -> dict[str, Any]:
    """Write what a report rests on as plain values."""
    if isinstance(evidence, Mapping):
        metrics = {name: evidence_to_dict(part) for name, part in evidence.items()}
        return {"type": "metrics", "metrics": metrics}
    found: dict[str, Any] = to_plain(evidence)
    return found


def evidence_from_dict(state: Mapping[str, Any]) -> Any:
    """Read it again."""
    if state["type"] == "metrics":
        return {name: evidence_from_dict(part) for name, part in state["metrics"].items()}
    kind: Any = _OTHERS.get(state["type"], Evidence)
    return kind.from_dict(state)
