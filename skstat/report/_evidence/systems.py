"""What the comparison of several systems rests on, and what follows from all pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat._times import select_times
from skstat.report._evidence.evidence import Evidence, Place
from skstat.report._evidence.pair import PairEvidence
from skstat.report._sturdiness import Stability
from skstat.report._words import adjustment_name, levels_of, verdict_by, without_direction
from skstat.stats import (
    BestPosterior,
    BradleyTerryPosterior,
    OmnibusOutcome,
    PairwiseOutcome,
    Posterior,
    RankStability,
    ScoreTable,
)
from skstat.stats._common import Readers, from_plain, names_of_fields
from skstat.stats._multiplicity import Adjustment
from skstat.stats._paired import EquivalenceFamily, equivalence_tests
from skstat.stats._samples import ends_of, ranked, sample_from_dict

Pair = tuple[str, str]


def _stability_of_pairs(rows: Any) -> dict[Pair, Stability] | None:
    return {(a, b): Stability.from_dict(found) for a, b, found in rows or ()} or None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SystemsEvidence(Evidence):
    """What the comparison of several systems rests on.

    Attributes
    ----------
    sample : ScoreTable, Predictions or SystemsSummary
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
        "constants": dict,
        "stability": _stability_of_pairs,
        "rank_stability": lambda found: found and RankStability.from_dict(found),
    }

    sample: Any
    pairwise: PairwiseOutcome
    omnibus: OmnibusOutcome | None = None
    kind: Literal["systems", "datasets", "leaderboard"] = "systems"
    samples: tuple[Any, ...] | None = None
    constants: Mapping[str, float] = field(default_factory=dict)
    posteriors: Sequence[Posterior] | None = None
    strengths: BradleyTerryPosterior | None = None
    best_posterior: BestPosterior | None = None
    run: Any = None
    stability: Mapping[Pair, Stability] | None = None
    next_step: str = ""
    parameters: Mapping[str, Mapping[str, Any]] | None = None
    left_out: tuple[str, ...] = ()
    rank_stability: RankStability | None = None
    part_word: str = "part"

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order they were given."""
        return tuple(self.sample.names)

    @property
    def control(self) -> str | None:
        """The system that the others are compared with, if there is one."""
        return self.pairwise.control

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return int(self.sample.n_units)

    @property
    def estimand(self) -> str:
        """What is compared in pairs."""
        each = "; ".join(self.pairwise.family.distinct("estimand"))
        return each if len(self.pairwise.pairs) == 1 else f"of every pair, {each}"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the p-values to mean what they say."""
        all_at_once = () if self.omnibus is None else self.omnibus.assumptions
        pairs = chain.from_iterable(self.pairwise.family.distinct("assumptions"))
        return tuple(dict.fromkeys((*all_at_once, *pairs)))

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
        return levels_of(self.pairwise, self.confidence_level)

    @cached_property
    def directions(self) -> NDArray[np.float64]:
        """Which of both is better, should they differ: 1 the first, -1 the second, 0 none."""
        asked: Sequence[str] = self.pairwise.family.distinct("alternative")
        if len(asked) > 1:
            asked = [outcome.alternative for outcome in self.pairwise.family]
        toward = np.array([{"greater": 1.0, "less": -1.0}.get(each, 0.0) for each in asked])
        ahead = np.where(toward == 0, self.pairwise.directions, toward)
        # Without limits there is no common direction, whatever the p-value.
        limited = ~np.isnan(self.pairwise.family.beside_zero(self.levels))
        return np.asarray(np.where(limited, ahead, 0.0))

    @cached_property
    def verdicts(self) -> list[str]:
        """The verdict on every pair, as of two systems."""
        adjusted = self.pairwise.adjusted_pvalues
        ahead = np.where(adjusted < self.alpha, self.directions, 0.0)
        same = not_worse = np.zeros(len(adjusted), dtype=bool)
        if self.equivalences is not None:
            same = self.equivalences.equivalent(self.alpha)
            not_worse = self.equivalences.noninferior(self.alpha, ~same & (ahead == 0))
        each = zip(ahead.tolist(), same.tolist(), not_worse.tolist(), strict=True)
        found = [verdict_by(*one) for one in each]
        return [*map(without_direction, found)] if self.direction_assumed else [*found]

    @cached_property
    def equivalences(self) -> EquivalenceFamily | None:
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
            sample=self._sample_of(place),
            names=pair,
            constant=self.constants.get(pair[1]),
            adjusted_pvalue=float(self.pairwise.adjusted_pvalues[place]),
            adjustment=f"adjusted by {adjustment_name(adjustment)} for {n_pairs} pairs",
            adjusted_equivalence=None if tests is None else tests[place],
            posterior=None if self.posteriors is None else self.posteriors[place],
        )

    def _sample_of(self, place: int) -> Any:
        if self.samples is not None:
            return self.samples[place]
        return self.sample.pair(*self.pairwise.pairs[place])

    # --- who is the best ---

    @property
    def all_pairs(self) -> bool:
        """Whether every two systems were asked whether they differ.

        One-sided, the answer depends on which system is named first, and so on the order of
        the columns.
        """
        asked = self.pairwise.family.distinct("alternative")
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
        return getattr(self.pairwise.outcomes[0].by_itself, "n_resamples", None)

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

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        drawn, of_pairs = self.posteriors, (self.stability or {}).items()
        posteriors = None if drawn is None else [one.to_dict() for one in drawn]
        stability = [[*pair, found.to_dict()] for pair, found in of_pairs]
        not_stored = {"run": None, "parameters": None}
        state = super()._plain(last)
        known = _rows_of_pairs(self.sample, self.pairwise.pairs)
        for name, part, values in _derived(state["pairwise"]["outcomes"], known):
            if part[name] == values.tolist():
                part[name] = None
        return state | not_stored | {"posteriors": posteriors, "stability": stability}

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        sample, pairwise = sample_from_dict(state["sample"]), state["pairwise"]
        known = _rows_of_pairs(sample, pairwise["pairs"])
        outcomes = [
            {key: dict(own) if key == "own" and own else own for key, own in outcome.items()}
            for outcome in pairwise["outcomes"]
        ]
        for name, part, values in _derived(outcomes, known):
            if part[name] is None:
                part[name] = values
        return {**state, "pairwise": {**pairwise, "outcomes": outcomes}}


# Differences of scores, and their ranks, follow from the table. They are not written: of very
# many pairs they would be most of a file.


def _rows_of_pairs(sample: Any, pairs: Sequence[Pair]) -> dict[str, NDArray[np.float64]]:
    """Return what follows from a table for every pair; nothing of another sample."""
    if not isinstance(sample, ScoreTable) or not {*chain(*pairs)} <= {*sample.names}:
        return {}
    first, second = ends_of(sample.names, pairs)
    differences = sample.scores.T[first] - sample.scores.T[second]
    return {"differences": differences, "ranks": ranked(np.abs(differences))}


def _derived(
    outcomes: Sequence[dict[str, Any]], known: Mapping[str, NDArray[np.float64]]
) -> Iterator[tuple[str, dict[str, Any], NDArray[np.float64]]]:
    """Walk what follows from the table in outcomes: its name, where it is, its values."""
    for name, rows in known.items():
        for outcome, values in zip(outcomes, rows, strict=True):
            for part in (outcome, outcome.get("own")):
                if isinstance(part, dict) and name in part:
                    yield name, part, values
