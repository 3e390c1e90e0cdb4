"""The evidence behind reports: samples and outcomes, with a sign such that higher is better."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, ClassVar, Literal, Self, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._times import Times, select_times
from skstat.report import _own_estimates as estimates
from skstat.report._about_tests import Recommendation
from skstat.report._doubts import CATALOGUE, Doubt, Doubts, merged, verdict
from skstat.report._further import Stability
from skstat.report._terms import ShownMetric, adjustment_name
from skstat.stats._family import OutcomeFamily, alpha_of, family_of
from skstat.stats._leaderboard import RankStability
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import EquivalenceOutcome, equivalences
from skstat.stats._posterior import BestPosterior
from skstat.stats._seeds import turned
from skstat.stats._stored import Stored, names_of_fields, to_plain
from skstat.stats._sturdiness import Sturdiness

T = TypeVar("T")
Pair = tuple[str, str]
# The name of a system, a sample that it is in, and its index there.
SystemSample = tuple[str, Any, int]
OwnScores = Mapping[str, tuple[float, float, str]]
_TOWARD = {"greater": 1.0, "less": -1.0, "two-sided": 0.0}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evidence(Stored):
    """Samples, outcomes and facts behind a report, in the sign of scores.

    Here higher is better, and losses are negated: the report shows them with their own sign.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    direction_assumed : str
        Where the direction of the metric is a guess, because neither the user nor a log or
        scorer gives it: the argument that would say it. Else empty.
    confidence_level : float
        Level of intervals; verdicts use alpha = 1 - confidence_level.
    design : mapping
        How the scores came about, where that is known.
    ignored_variance : tuple of str
        Sources of variation that the tests do not cover.
    doubts : sequence of Doubt
        Coded reasons to trust the conclusion less.
    choice : Recommendation, partial or None
        Which test was chosen and why, when it was not the caller who chose; or a function
        without arguments that returns it. Read it by :attr:`chosen`.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, of systems
        that were fitted here. They differ from run to run.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : mapping of str to tuple, str or None
        By system the confidence limits of its own score, higher is better, and how they were
        computed; or why there are none, as the end of a sentence. A restored report has them.
        Else they are computed at the first access to :attr:`own`, as by a summary table.
    """

    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: Sequence[Doubt] = ()
    choice: Recommendation | partial[Recommendation] | None = None
    margin: float | None = None
    times: Mapping[str, Times] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | str | None = None

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @cached_property
    def chosen(self) -> Recommendation | None:
        """Which test was chosen and why."""
        return self.choice() if isinstance(self.choice, partial) else self.choice

    @property
    def shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)


def alone(
    names: Pair, outcome: stats.Comparison, pvalue: float, how: str = "", n: int | None = None
) -> stats.PairwiseOutcome:
    """Return a family of one pair, with how p was adjusted, and for how many comparisons."""
    return stats.PairwiseOutcome(
        test=outcome.test,
        names=names,
        pairs=(names,),
        outcomes=(outcome,),
        adjusted_pvalues=np.array([pvalue]),
        adjustment=how,
        n_family=n,
    )


def verdicts_by(side: Any, same: Any, not_worse: Any, *, directed: bool) -> list[str]:
    """Return the verdict on the first of two systems, pair by pair.

    Parameters
    ----------
    side : ndarray of {1, -1, 0}
        Which system is significantly better: the first, the second, or neither.
    same, not_worse : ndarray of bool
        Whether it was shown that both are equivalent, and that the first is not worse by the
        margin.
    directed : bool
        Whether it is known which way the metric is better.

    Returns
    -------
    list of {"better", "worse", "higher", "lower", "equivalent", "not inferior", "undecided"}
        Equivalence takes precedence: a difference may be real and smaller than the margin. "Not
        inferior" is used only where the difference is undecided.
    """
    words = ["equivalent", "higher", "lower", "undecided"]
    if directed:
        words = ["equivalent", "better", "worse", "not inferior"]
    return list(np.select([same, side > 0, side < 0, not_worse], words, "undecided").tolist())


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ComparisonEvidence(Evidence):
    """Evidence of a comparison of two systems or more, and its verdicts.

    Two systems are a family of one pair. Properties of the only pair raise an error for several
    pairs: select one of them, ``evidence["a", "b"]``.

    Attributes
    ----------
    sample : PairedScores, ScoreTable, Predictions, ...
        What was compared. A restored report has only a summary of samples that hold a whole
        test set, and so has one of several systems with several seeds.
    pairwise : PairwiseOutcome
        Comparisons in pairs, with the p-values that verdicts rest on: adjusted ones, where the
        adjustment has a name.
    kind : {"pair", "systems", "datasets", "leaderboard"}
        Whether it is one comparison, in the order of the question, or systems are ordered by
        mean scores, by mean ranks over data sets, or by mean scores with the ranks that they
        may have.
    omnibus : OmnibusOutcome or None
        Test of all systems at once, where there is one: never for splits, which share
        training rows.
    samples : tuple or None
        The sample of every pair, where it is not a part of `sample` as it stands.
    constants : mapping of str to float
        Systems that are a score known in advance, by name.
    margin_tests : EquivalenceOutcome or None
        Of one pair the tests of its margin, adjusted for the family of comparisons.
    posteriors : sequence of Posterior, or None
        Probabilities of every pair, if they were asked for by ``rope=``.
    strengths : BradleyTerryPosterior or None
        Probability of every system to be the best, if asked for by ``rope=`` over data sets.
    best_posterior : BestPosterior or None
        Probability of every system to be the best, if asked for by ``rope=`` for all pairs on
        one data set or test set.
    run : CrossValidationRun, DatasetsRun or None
        The run that the scores are from. A restored report has none.
    stability : mapping of tuple to Stability, or None
        Verdicts on every pair from other partitions of the same rows, if asked for.
    sturdy : Sturdiness, callable or None
        How few units the verdict on one pair rests on, or a function that computes it.
    preface : str
        A sentence before the conclusion, where it answers another question than the one asked;
        else empty.
    next_step : str
        What could decide what these scores cannot, as a sentence; else empty.
    parameters : mapping of str to mapping, or None
        Parameters of every candidate of a search. A restored report has none.
    left_out : tuple of str
        Data sets that are not compared, each with the first reason; `run` has all reasons.
    rank_stability : RankStability or None
        The ranks in resamples of the units, and without parts of them. None where units
        cannot be resampled, as splits of one data set.
    part_word : str
        What a part is, such as "task".
    """

    _not_written: ClassVar[tuple[str, ...]] = ("run", "parameters")

    sample: Any
    pairwise: stats.PairwiseOutcome
    kind: Literal["pair", "systems", "datasets", "leaderboard"] = "systems"
    omnibus: stats.OmnibusOutcome | None = None
    samples: tuple[Any, ...] | None = None
    constants: Mapping[str, float] = field(default_factory=dict)
    margin_tests: EquivalenceOutcome | None = None
    posteriors: Sequence[stats.Posterior] | None = None
    strengths: stats.BradleyTerryPosterior | None = None
    best_posterior: BestPosterior | None = None
    run: Any = None
    stability: Mapping[Pair, Stability] | None = None
    sturdy: Sturdiness | Callable[[], Sturdiness] | None = None
    preface: str = ""
    next_step: str = ""
    parameters: Mapping[str, Mapping[str, Any]] | None = None
    left_out: tuple[str, ...] = ()
    rank_stability: RankStability | None = None
    part_word: str = "part"

    def judged(
        self,
        outcome: stats.Comparison,
        pvalue: float,
        adjustment: str,
        n_family: int,
        margin_tests: EquivalenceOutcome | None,
    ) -> Self:
        """Return the only pair as one of a family, for which its p-value was adjusted."""
        pairwise = alone(self.pair, outcome, pvalue, adjustment, n_family)
        return replace(self, pairwise=pairwise, margin_tests=margin_tests)

    def named(self, names: Pair) -> Self:
        """Return the only pair under other names."""
        return replace(self, pairwise=replace(self.pairwise, names=names, pairs=(names,)))

    def turned(self) -> Self:
        """Return the only pair the other way round: the second system against the first."""
        (a, b), tests, stability = self.pair, self.margin_tests, self.stability
        if self.constants:
            order = f"{b} is a number that {a} is compared with: the comparison has this order"
            raise ValueError(f"{order} only.")
        outcomes = (self.outcome.turned(),)
        return replace(
            self,
            pairwise=replace(self.pairwise, names=(b, a), pairs=((b, a),), outcomes=outcomes),
            sample=turned(self.sample),
            margin_tests=tests and tests.turned(),
            posteriors=self.posteriors and [one.turned() for one in self.posteriors],
            stability=stability and {(b, a): stability[a, b].turned()},
        )

    # --- systems ---

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order they were given."""
        return self.pairwise.names

    @property
    def compared(self) -> Any:
        """The sample; scores of one system in pairs with the constant."""
        return self._compared_of(0) if self.kind == "pair" else self.sample

    @property
    def outcomes(self) -> OutcomeFamily:
        """The outcomes of all pairs."""
        return self.pairwise.outcomes

    def identical_pairs(self) -> list[bool]:
        """Tell for every pair whether both systems score the same on every unit."""
        return [self._compared_of(n).identical for n in range(len(self.pairwise.pairs))]

    def _compared_of(self, index: int) -> Any:
        pair, sample = self.pairwise.pairs[index], self._sample_of(index)
        if self.constants and isinstance(sample, stats.Scores):
            return sample.against(*(self.constants[n] for n in pair if n in self.constants))
        return sample

    def _sample_of(self, index: int) -> Any:
        if self.samples is not None or self.kind == "pair":
            return self.samples[index] if self.samples is not None else self.sample
        return self.sample.pair(*self.pairwise.pairs[index])

    @cached_property
    def summaries(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means of all systems, and their standard deviations."""
        rows = [(s["mean"], s["sd"]) for s in self.compared.summaries()]
        if len(rows) < len(self.names):  # one system compared with a constant
            rows += [(constant, None) for constant in self.constants.values()]
        means, sds = np.array(rows, dtype=float).T
        return means, sds

    @cached_property
    def scores(self) -> dict[str, float]:
        """Score of every system, higher is better, the highest first."""
        means = zip(self.names, self.summaries[0].tolist(), strict=True)
        return dict(sorted(means, key=lambda item: -item[1]))

    def systems_with_samples(self) -> list[SystemSample]:
        """Return every system but the constants, with a sample that it is in."""
        names = [name for name in self.names if name not in self.constants]
        if self.samples is None:
            return [(name, self.sample, self.names.index(name)) for name in names]
        samples: dict[str, SystemSample] = {}
        for pair, sample in zip(self.pairwise.pairs, self.samples, strict=True):
            for index, name in enumerate(pair):
                if name in names:
                    samples.setdefault(name, (name, sample, index))
        return list(samples.values())

    @cached_property
    def own(self) -> OwnScores | str:
        """Confidence limits of the score of every system: those stored, or else computed."""
        if self.own_scores is not None:
            return self.own_scores
        drawn = self.pairwise.outcomes[0].unadjusted.n_resamples or 9_999
        draws = {"n_resamples": drawn, "rng": int(self.design.get("random_state") or 0)}
        scores = {}
        try:
            for name, sample, index in self.systems_with_samples():
                one = estimates.own_estimate(sample, index, bounds=self.bounds, **draws)
                scores[name] = (*one.confidence_interval(self.confidence_level), one.method)
        except estimates.NoOwnEstimateError as error:
            return str(error)
        return scores

    # --- results of all pairs ---

    @cached_property
    def n_units_of_pairs(self) -> NDArray[np.int64]:
        """Number of units that every pair was compared on."""
        if self.kind == "datasets":
            present = (~self.sample.missing).astype(np.int64)
            return np.asarray((present.T @ present)[self.pairwise.ends])
        if self.samples is None:
            return np.full(len(self.pairwise.pairs), self.sample.n_units)
        return np.array([int(sample.n_units) for sample in self.samples])

    @cached_property
    def levels(self) -> NDArray[np.float64]:
        """Level at which the interval of every pair agrees with its adjusted p-value."""
        # The adjusted p-value is below alpha where the raw one is below alpha times raw over
        # adjusted. An interval that inverts the test, at one minus that level, excludes 0 in
        # exactly these cases. Simultaneous intervals agree at the confidence level itself.
        family, adjusted = self.pairwise.outcomes, self.pairwise.adjusted_pvalues
        pvalues, kinds = family.numbers("pvalue"), family.distinct("simultaneous")
        single = (pvalues < adjusted) & (not all(kinds))
        if single.any() and any(kinds):
            single &= [not outcome.simultaneous for outcome in family]
        levels = np.full(len(adjusted), self.confidence_level)
        levels[single] = 1 - self.alpha * pvalues[single] / adjusted[single]
        return levels

    @cached_property
    def directions(self) -> NDArray[np.float64]:
        """Which system of every pair is ahead: 1 the first, -1 the second, 0 none."""
        outcomes = self.pairwise.outcomes
        sides = outcomes.distinct("alternative")
        # A test function of the caller may use another alternative for every pair.
        sides = sides if len(sides) < 2 else tuple(one.alternative for one in outcomes)
        toward = np.array([_TOWARD[side] for side in sides])
        ahead = np.where(toward == 0, outcomes.numbers("direction"), toward)
        # Without an interval neither is ahead, whatever the p-value.
        has_limits = ~np.isnan(outcomes.side_of_zero(self.levels))
        return np.asarray(np.where(has_limits, ahead, 0.0))

    @cached_property
    def equivalence(self) -> EquivalenceOutcome | None:
        """Tests of the margin of every pair, adjusted for all; None without a margin."""
        if self.margin_tests is not None or self.margin is None:
            return self.margin_tests
        if self.kind == "pair":
            return stats.equivalence(self.outcome, self.margin)
        pairwise, method = self.pairwise, cast(Adjustment, self.pairwise.adjustment)
        if method not in get_args(Adjustment):
            method = "holm"  # the joint distribution of differences is of no use for a margin
        return equivalences(pairwise.outcomes, self.margin, method, n_family=pairwise.n_family)

    @cached_property
    def _decided(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Which system is better, whether both are equivalent, and the first not inferior."""
        tests, adjusted = self.equivalence, self.pairwise.adjusted_pvalues
        ahead = np.where(adjusted < self.alpha, self.directions, 0.0)
        if tests is None:
            none = np.zeros(len(adjusted), dtype=bool)
            return ahead, none, none
        same = np.atleast_1d(tests.equivalent(self.alpha))
        among = True if self.kind == "pair" else ~same & (ahead == 0)  # only where it matters
        not_worse = tests.noninferior(self.alpha, among=among)
        return ahead, same, np.atleast_1d(not_worse)

    @cached_property
    def verdicts(self) -> list[str]:
        """The verdict on the first system of every pair, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        return verdicts_by(*self._decided, directed=not self.direction_assumed)

    def __getitem__(self, pair: Pair) -> "ComparisonEvidence":
        """Return the evidence of one pair, in the order in which it was compared."""
        if self.kind == "pair" and pair == self.pair:
            return self
        pairwise, tests = self.pairwise, self.equivalence
        index, n_pairs = pairwise.places[pair], pairwise.n_family or len(pairwise.pairs)
        shared = {name: getattr(self, name) for name in names_of_fields(Evidence)}
        shared |= {"choice": None, "times": select_times(self.times, pair)}
        return ComparisonEvidence(
            kind="pair",
            pairwise=alone(
                pair,
                pairwise.outcomes[index],
                float(pairwise.adjusted_pvalues[index]),
                f"adjusted by {adjustment_name(pairwise.adjustment)} for {n_pairs} pairs",
                n_pairs,
            ),
            margin_tests=None if tests is None else tests[index],
            sample=self._sample_of(index),
            constants={name: self.constants[name] for name in pair if name in self.constants},
            posteriors=None if self.posteriors is None else [self.posteriors[index]],
            **shared,
        )

    # --- who is the best ---

    @property
    def all_pairs(self) -> bool:
        """Whether every two systems were asked whether they differ.

        One-sided, the answer depends on which system is named first, and so on the order of
        the columns.
        """
        tests = self.pairwise.outcomes.distinct("alternative")
        return self.pairwise.control is None and set(tests) == {"two-sided"}

    @cached_property
    def best_pvalues(self) -> dict[str, float]:
        """p-value of every system that none is better; empty if that was not asked.

        It is the smallest adjusted one of the pairs in which the other is ahead, and 1
        where there is none: a system may be the best exactly if no pair contradicts it.
        """
        if not (self.all_pairs or self.pairwise.n_family):
            return {}
        first, second = self.pairwise.ends
        ahead = np.where(self.directions == 0, 0.0, self.pairwise.outcomes.numbers("direction"))
        adjusted = self.pairwise.adjusted_pvalues
        pvalues = np.ones(len(self.names))
        for behind, mask in ((second, ahead > 0), (first, ahead < 0)):
            np.fmin.at(pvalues, behind[mask], adjusted[mask])  # this ignores p-values of nan
        return dict(zip(self.names, pvalues.tolist(), strict=True))

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Systems that no other one is significantly better than; empty if not asked.

        With adjusted p-values that control the family-wise error the best system is among
        them with a chance of at least the confidence level. That is not asked with a control,
        unless it was chosen by the scores, or in one direction.
        """
        if self.direction_assumed:  # whether the highest score is the best is not known
            return ()
        pvalues = self.best_pvalues.items()
        return tuple(name for name, pvalue in pvalues if not pvalue < self.alpha)

    # --- the only pair ---

    @property
    def pair(self) -> Pair:
        """Names of both systems."""
        (pair,) = self.pairwise.pairs
        return pair

    @property
    def outcome(self) -> stats.Comparison:
        """The outcome of the only pair."""
        if self.kind != "pair":
            a, b = self.pairwise.pairs[0]
            raise AttributeError(f"there are several pairs; ask one of them: [{a!r}, {b!r}].")
        return self.pairwise.outcomes[0]

    @property
    def posterior(self) -> stats.Posterior | None:
        """Probabilities of the only pair, if they were asked for."""
        return None if self.posteriors is None or self.kind != "pair" else self.posteriors[0]

    @property
    def verdict(self) -> str:
        """The verdict on the only pair."""
        (verdict,) = self.verdicts
        return verdict

    @property
    def shown_difference(self) -> ShownMetric:
        """How differences are shown: only those of the metric itself have its sign."""
        of_scores = self.pairwise.outcomes[0].scale == "score"
        return ShownMetric(self.metric, self.is_loss and of_scores)

    @property
    def verdicts_of_draws(self) -> list[str]:
        """The verdict on the only pair, then those that other random draws may well give."""
        (side,), (same,), (not_worse,) = self._decided
        pvalue = self.pairwise.adjusted_pvalues.item()
        if self.equivalence is None and not self.pairwise.outcomes[0].monte_carlo_error:
            return self.verdicts
        error = verdict.drawing_error(self.pairwise.outcomes[0], pvalue)
        near, near_worse = verdict.margin_is_near(self.equivalence, self.alpha)
        sides = {float(side)}
        if verdict.is_near(pvalue, self.alpha, error):
            sides = {*self.directions.tolist(), 0.0}
        cases = product(sides, {same, same != near}, {not_worse, not_worse != near_worse})
        results = np.array([*cases]).T
        drawn = verdicts_by(results[0], *results[1:] > 0, directed=not self.direction_assumed)
        return list(dict.fromkeys([*self.verdicts, *sorted(drawn)]))

    @cached_property
    def sturdiness(self) -> Sturdiness | None:
        """How few units the verdict on the only pair rests on; None where it is not defined."""
        if self.sturdy is None or self.pairwise.adjustment:
            return None
        decided = self.verdict in ("better", "worse")
        if not decided or any(doubt.weight == "invalid" for doubt in self.doubts):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the doubts of the report say the same
            return self.sturdy() if callable(self.sturdy) else self.sturdy

    def __getstate__(self) -> dict[str, Any]:
        own = {"own": self.own} if "own" in vars(self) else {}
        return super().__getstate__() | {"sturdy": self.sturdiness} | own

    # --- what is stored ---

    def _plain(self) -> dict[str, Any]:
        facts = super()._plain() | to_plain({"sturdy": self.sturdiness, "choice": self.chosen})
        if self.margin_tests is not None:
            del facts["margin_tests"]["outcome"]  # it is stored with the pairs
        # Store what a stored sample cannot give; a bootstrap only if it has already been run.
        samples = [sample for _, sample, _ in self.systems_with_samples()]
        if self.own_scores is None and any(map(estimates.needs_rows, samples)):
            at_hand = "own" in vars(self) or not any(map(estimates.needs_draws, samples))
            facts["own_scores"] = to_plain(self.own if at_hand else None)
        return facts

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        tests = state["margin_tests"]
        if tests is None:
            return state
        return state | {"margin_tests": {**tests, "outcome": state["pairwise"]["outcomes"][0]}}


@dataclass(frozen=True, kw_only=True, eq=False)
class Performance(Stored):
    """The performance of one estimator, or the difference of two.

    Attributes
    ----------
    name : str
        Label of the estimator, or ``"A - B"`` for two.
    estimate : Estimate
        The estimate, with its interval and what it means.
    training_score : float or None
        Mean score on the rows that the models were fitted to; None for a difference. It is
        optimistic, and not an estimate.
    """

    name: str
    estimate: stats.Estimate
    training_score: float | None = None

    @property
    def gap(self) -> float | None:
        """How much higher the score is on the training rows."""
        training_score, estimate = self.training_score, self.estimate.estimate
        return None if training_score is None else training_score - estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PerformanceEvidence(Evidence):
    """Evidence of a report on the performance of estimators.

    Attributes
    ----------
    rows : tuple of Performance
        The estimators, in the order they were given.
    difference : Performance or None
        First minus second estimator, where there are two and the method estimates it.
    method : str
        Name of the method, as passed by the caller.
    reason : str
        Why this method was chosen; empty if the caller chose it.
    training_share : float or None
        Share of the rows, or of the groups, in the training sets that the estimate is for;
        None where it is for training on all of them.
    n_fits : int
        Fits that were made, of all estimators together.
    """

    rows: tuple[Performance, ...]
    difference: Performance | None = None
    method: str = ""
    reason: str = ""
    training_share: float | None = None
    n_fits: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the estimators."""
        return tuple(row.name for row in self.rows)

    @property
    def sample(self) -> stats.Estimate:
        """The estimate of the first estimator."""
        return self.rows[0].estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairInSlices(Stored):
    """Evidence of two systems in slices of the rows.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : mapping of str to ComparisonEvidence
        The comparison within every slice; p-values and intervals are adjusted for all slices.
    n_rows : mapping of str to int
        Rows of every slice.
    between : OmnibusOutcome or None
        Test of whether the difference varies between slices; None for a metric without a
        formula, or for one slice.
    shrunken : tuple of float or None
        Differences shrunken towards their common mean.
    left_out : mapping of str to str
        Slices that were not compared, and why.
    explained_by : mapping of str to tuple of str
        By slice the other slices that explain its difference: without the rows that it shares
        with them there is no significant difference.
    adjusted_between, adjusted_noninferior : float or None
        p-values of the test of variation, and of "worse by the margin in some slice", adjusted
        for the number of pairs (Holm), where there are others.
    """

    names: tuple[str, str]
    parts: Mapping[str, ComparisonEvidence]
    n_rows: Mapping[str, int]
    between: stats.OmnibusOutcome | None = None
    shrunken: tuple[float, ...] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjusted_between: float | None = None
    adjusted_noninferior: float | None = None

    def turned(self) -> "PairInSlices":
        """Return the same comparisons of the second system against the first."""
        return replace(
            self,
            names=self.names[::-1],
            parts={name: part.turned() for name, part in self.parts.items()},
            shrunken=self.shrunken and tuple(0.0 - one for one in self.shrunken),
        )

    @property
    def noninferior_pvalue(self) -> float | None:
        """p-value of "the first system is worse by the margin in at least one slice".

        The largest of the one-sided p-values of all slices, which needs no adjustment: to
        show that none is worse each of them must be rejected (an intersection-union test;
        Berger, 1982). Where there are other pairs of systems, it is adjusted for these. None
        without a margin, nan where a slice has no p-value, as one that was left out.
        """
        tests = [part.equivalence for part in self.parts.values()]
        pvalues = [one.lower_pvalue for one in tests if one is not None]
        if self.adjusted_noninferior is not None or not pvalues:
            return self.adjusted_noninferior
        return math.nan if self.left_out else float(np.max(pvalues))

    @property
    def doubts(self) -> list[Doubt]:
        """Doubts about the comparisons within slices, each once."""
        doubts: list[tuple[str, Doubt]] = []
        for name, part in self.parts.items():
            doubts += [(name, d) for d in part.doubts if not CATALOGUE[d.code].of_all_rows]
        return merged(doubts, len(self.parts), "slice")


def adjusted_for_pairs(pairs: Sequence[PairInSlices]) -> tuple[PairInSlices, ...]:
    """Adjust the tests of all slices at once, one per pair, for the number of pairs.

    Earlier adjustments of these tests are replaced.
    """
    pairs = [replace(pair, adjusted_noninferior=None) for pair in pairs]
    tests = [pair.between for pair in pairs]
    between = _by_holm([None if test is None else test.pvalue for test in tests])
    margins = _by_holm([pair.noninferior_pvalue for pair in pairs])
    return tuple(
        replace(pair, adjusted_between=varies, adjusted_noninferior=not_worse)
        for pair, varies, not_worse in zip(pairs, between, margins, strict=True)
    )


def _by_holm(pvalues: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values by Holm's method; None stays None."""
    values = [math.nan if pvalue is None else pvalue for pvalue in pvalues]
    adjusted = stats.adjust_pvalues(values, "holm").tolist()
    return [p if p is None else new for p, new in zip(pvalues, adjusted, strict=True)]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SlicesEvidence(Stored):
    """Evidence of a comparison of systems in slices of the rows.

    Attributes
    ----------
    overall : ComparisonEvidence
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

    overall: ComparisonEvidence
    pairs: tuple[PairInSlices, ...]
    cut_by: tuple[str, ...] = ()
    adjustment: str = "min-p"
    n_comparisons: int
    n_outside: int = 0
    notes: tuple[str, ...] = ()

    def of_pair(self, names: tuple[str, str]) -> "SlicesEvidence":
        """Return the evidence of one pair of systems, the first named against the second."""
        stored = [pair.names for pair in self.pairs]
        is_turned = names not in stored
        index = stored.index(names[::-1] if is_turned else names)
        overall = self.overall[stored[index]]
        if not is_turned:
            return replace(self, overall=overall, pairs=(self.pairs[index],))
        pairs = [*self.pairs]
        pairs[index] = pairs[index].turned()
        if len(pairs) > 1:
            pairs = [*adjusted_for_pairs(pairs)]
        return replace(self, overall=overall.turned(), pairs=(pairs[index],))

    @property
    def doubts(self) -> Doubts:
        """Doubts about all comparisons, each once; those of slices say of which."""
        of_slices = self.pairs[0].doubts
        if len(self.pairs) > 1:
            by_pair = ((pair.names, doubt) for pair in self.pairs for doubt in pair.doubts)
            of_slices = merged(by_pair, len(self.pairs))
        cases = {(doubt.code, doubt.advice) for doubt in of_slices}
        others = [one for one in self.overall.doubts if (one.code, one.advice) not in cases]
        return Doubts(of_slices, others)


@dataclass(frozen=True, eq=False, repr=False)
class SliceEvidence(Stored):
    """Evidence of several systems in one slice.

    Attributes
    ----------
    whole : SlicesEvidence
        Evidence of all slices, for whose number p-values are adjusted.
    slice : str
        The slice.
    """

    whole: SlicesEvidence
    slice: str

    @property
    def parts(self) -> dict[tuple[str, str], ComparisonEvidence]:
        """Every pair that was compared in the slice."""
        pairs = [pair for pair in self.whole.pairs if self.slice in pair.parts]
        return {pair.names: pair.parts[self.slice] for pair in pairs}

    @property
    def outcomes(self) -> OutcomeFamily:
        """The outcomes of all pairs."""
        return family_of([part.outcome for part in self.parts.values()])

    def __getitem__(self, pair: tuple[str, str]) -> ComparisonEvidence:
        return self.parts[pair]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SeedsEvidence(Stored):
    """One comparison of two systems per seed, which describes how much depends on the seed.

    It is not a test: all seeds share the test set, and no p-value is adjusted for their number.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    parts : tuple of ComparisonEvidence
        The comparisons, in the order of the seeds.
    """

    names: tuple[str, str]
    parts: tuple[ComparisonEvidence, ...]


ByMetric = Mapping[str, Any]


def one_or_per_metric(by_metric: Mapping[str, T]) -> T | Mapping[str, T]:
    """Return the value of the only metric, or the mapping if there are several."""
    return next(iter(by_metric.values())) if len(by_metric) == 1 else by_metric
