"""What reports on one question rest on: how good systems are, or how two of them differ."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from skstat import stats
from skstat._times import Times, times_from_dict, times_to_dict
from skstat.report import _verdicts as judge
from skstat.report._about_tests import Recommendation
from skstat.report._doubts import Doubt
from skstat.report._further import Promised, Stability
from skstat.report._terms import ShownMetric, larger_text, more_of_design
from skstat.stats._common import Readers, Stored, to_plain
from skstat.stats._family import alpha_of, family_of, interval_at
from skstat.stats._own_estimates import (
    Draws,
    NoOwnEstimateError,
    needs_draws,
    needs_rows,
    own_estimate,
)
from skstat.stats._samples import sample_from_dict, turned
from skstat.stats._splits import Projection, SizeChange

# A system by its name: a sample that it is in, and its place there.
Place = tuple[str, Any, int]


def _design(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Read the facts of a design, of which no type is declared: what cannot be said is none."""
    more_of_design(facts), larger_text(facts)
    return dict(facts)


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnScores(Stored):
    """How good every system is by itself.

    Attributes
    ----------
    scores : mapping of str to tuple
        By system: estimate and both limits, higher is better, and how they were computed.
        Limits are nan where the scores do not vary.
    confidence_level : float
        Level of each interval.
    why_none : str
        Why there are none, as the end of a sentence; else empty.
    """

    scores: Mapping[str, Sequence[Any]]
    confidence_level: float
    why_none: str = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evidence(Stored):
    """What a report rests on: samples, outcomes and facts, in the sign of scores.

    Here higher is better, and a loss is its negative: the report turns it.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    direction_assumed : str
        Where which way the metric is better is a guess, because neither the user nor a log
        or scorer says it: what to say otherwise with. Else empty.
    confidence_level : float
        Level of intervals; verdicts use alpha = 1 - confidence_level.
    design : mapping
        How the scores came about, where that is known.
    ignored_variance : tuple of str
        Sources of variation that the tests do not cover.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    choice : Recommendation or None
        Which test was chosen and why, when it was not the caller who chose.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, of systems
        that were fitted here. No second run repeats them to the last digit.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : OwnScores or None
        Intervals of the scores of single systems that a restored report keeps. Else they are
        computed when somebody asks for them, as a summary table does.
    """

    _readers: ClassVar[Readers] = {
        "sample": sample_from_dict,
        "design": _design,
        "times": times_from_dict,
    }

    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    choice: Recommendation | None = None
    margin: float | None = None
    times: Mapping[str, Times] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | None = None

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @property
    def shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    @property
    def unit(self: Any) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self: Any) -> int:
        """Number of observations."""
        return int(self.sample.n_units)

    @property
    def n_resamples(self) -> int | None:
        """How often the tests were drawn, if they were."""
        return None

    def systems_with_samples(self) -> list[Place]:
        """Return every system, constants left out, with a sample that it is in."""
        return []

    @cached_property
    def own(self) -> OwnScores:
        """How good every system is by itself: what is stored, or else estimates."""
        level = self.confidence_level
        if self.own_scores is not None and self.own_scores.confidence_level == level:
            return self.own_scores
        usual, seed = Draws(), self.design.get("random_state")
        draws = Draws(self.n_resamples or usual.n_resamples, int(seed or usual.seed))
        scores = {}
        try:
            for name, sample, place in self.systems_with_samples():
                one = own_estimate(sample, place, bounds=self.bounds, draws=draws)
                scores[name] = (one.estimate, *one.confidence_interval(level), one.method)
        except NoOwnEstimateError as error:
            return OwnScores(scores={}, confidence_level=level, why_none=str(error))
        return OwnScores(scores=scores, confidence_level=level)

    def _plain(self) -> dict[str, Any]:
        # What a stored sample cannot tell; what must be drawn for, once somebody asked for it.
        own, samples = self.own_scores, [sample for _, sample, _ in self.systems_with_samples()]
        if own is None and any(map(needs_rows, samples)):
            asked = "own" in self.__dict__ or not any(map(needs_draws, samples))
            own = self.own if asked else None
        known = {"own_scores": to_plain(own), "times": times_to_dict(self.times)}
        return super()._plain() | known


@dataclass(frozen=True, kw_only=True, eq=False)
class Performance(Stored):
    """How good one estimator is, or how far two are apart.

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
        """How much better the score is on rows that a model has seen."""
        if self.training_score is None:
            return None
        return self.training_score - self.estimate.estimate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PerformanceEvidence(Evidence):
    """What a report on how good estimators are rests on.

    Attributes
    ----------
    rows : tuple of Performance
        The estimators, in the order they were given.
    difference : Performance or None
        First minus second estimator, where there are two and the method knows of it.
    method : str
        Name of the method, as it is asked for.
    reason : str
        Why this method was chosen; empty if it was the caller who did.
    training_share : float or None
        Share of the rows, or of the groups, in the training sets that the estimate is for;
        None where it is not for training sets smaller than all.
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
    def unit(self) -> str:
        """What one observation is."""
        return self.first.unit

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return self.first.n_units

    @property
    def first(self) -> stats.Estimate:
        """The estimate of the first estimator."""
        return self.rows[0].estimate

    def shown_interval(self, confidence_level: float) -> stats.ConfidenceInterval:
        """Interval of the score of the first estimator, as readers see it."""
        ends = self.first.confidence_interval(confidence_level)
        return stats.ConfidenceInterval(*self.shown_metric.interval(*ends))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairEvidence(Evidence):
    """What the comparison of two systems rests on, and its verdict.

    Attributes
    ----------
    outcome : Comparison
        The procedure's numbers.
    sample : PairedScores, PairedPredictions, AgreementTable, ...
        What they were computed from. A restored report has only a summary of samples
        that hold a whole test set.
    names : tuple of str
        Labels of A and B; the estimate is A - B.
    constant : float or None
        What A was compared with, if it was a constant.
    preface : str
        What must be known before the conclusion, when it answers another question than
        the one asked; else empty.
    adjusted_pvalue : float or None
        p-value adjusted for the family of comparisons, on which the verdict rests.
    adjustment : str or None
        How it was adjusted.
    adjusted_equivalence : EquivalenceOutcome or None
        Its tests of the margin, adjusted for the family of comparisons.
    posterior : Posterior or None
        The same read as probabilities, if that was asked by ``rope=``.
    stability : Stability or None
        What other partitions of the same rows said, if that was asked.
    sturdy : Sturdiness or None
        How few units the verdict rests on, or a promise of it.
    """

    outcome: stats.Comparison
    sample: Any
    names: tuple[str, str]
    constant: float | None = None
    preface: str = ""
    adjusted_pvalue: float | None = None
    adjustment: str | None = None
    adjusted_equivalence: stats.EquivalenceOutcome | None = None
    posterior: stats.Posterior | None = None
    stability: Stability | None = None
    sturdy: stats.Sturdiness | Promised | None = None

    def turned(self) -> "PairEvidence":
        """Return the same comparison of the second system against the first."""
        if self.constant is not None:
            raise ValueError(
                f"{self.names[1]} is a number that {self.names[0]} is compared with: the "
                "comparison has this order only."
            )
        equivalence, posterior = self.adjusted_equivalence, self.posterior
        return replace(
            self,
            outcome=self.outcome.turned(),
            sample=turned(self.sample),
            names=self.names[::-1],
            adjusted_equivalence=equivalence and equivalence.turned(),
            posterior=posterior and posterior.turned(),
            stability=self.stability and self.stability.turned(),
        )

    @property
    def shown_difference(self) -> ShownMetric:
        """How differences are shown: only those of the metric itself have its sign."""
        return ShownMetric(self.metric, self.is_loss and self.outcome.scale == "score")

    @property
    def pvalue(self) -> float:
        """p-value, not adjusted for other comparisons."""
        return self.outcome.pvalue

    @property
    def decisive_pvalue(self) -> float:
        """The p-value that the verdict rests on."""
        return self.pvalue if self.adjusted_pvalue is None else self.adjusted_pvalue

    @property
    def compared(self) -> Any:
        """The sample; scores of one system in pairs with the constant."""
        if isinstance(self.sample, stats.Scores) and self.constant is not None:
            return self.sample.against(self.constant)
        return self.sample

    @property
    def level(self) -> float:
        """Level at which the interval agrees with the p-value of the verdict."""
        family, adjusted = family_of((self.outcome,)), np.array([self.decisive_pvalue])
        return float(judge.levels_of(family, adjusted, self.confidence_level)[0])

    @cached_property
    def interval(self) -> stats.ConfidenceInterval:
        """Interval of the estimate at that level."""
        return interval_at(self.outcome, self.level)

    def shown_interval(self, confidence_level: float) -> stats.ConfidenceInterval:
        """Interval of the estimate at another level, as readers see it."""
        ends = self.outcome.confidence_interval(confidence_level)
        return stats.ConfidenceInterval(*self.shown_difference.interval(*ends))

    @cached_property
    def equivalence(self) -> stats.EquivalenceOutcome | None:
        """Tests of the margin, of both sides; None without a margin."""
        if self.adjusted_equivalence is not None or self.margin is None:
            return self.adjusted_equivalence
        return stats.equivalence(self.outcome, self.margin)

    @cached_property
    def verdict(self) -> judge.Verdict:
        """What was found about the first system, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        found = judge.verdict_by(*self._shown)
        return judge.without_direction(found) if self.direction_assumed else found

    @property
    def _shown(self) -> tuple[int, bool, bool]:
        """Which system is better, whether both are equivalent, and the first not inferior."""
        side = self.direction if self.decisive_pvalue < self.alpha else 0
        tests, alpha = self.equivalence, self.alpha
        if tests is None:
            return side, False, False
        return side, tests.equivalent(alpha), tests.noninferior(alpha, of="A")

    @property
    def direction(self) -> int:
        """Which system is better if the test rejects: 1 the first, -1 the second, 0 neither."""
        if math.isnan(self.interval[0]):  # they differ, but in no common direction
            return 0
        return {"greater": 1, "less": -1}.get(self.outcome.alternative, self.outcome.direction)

    @property
    def verdicts_of_draws(self) -> set[judge.Verdict]:
        """The verdict, and those that other draws may well give."""
        side, *shown = self._shown
        error = judge.drawing_error(self.outcome, self.adjusted_pvalue)
        is_near = judge.is_near(self.decisive_pvalue, self.alpha, error)
        sides = {self.direction, 0} if is_near else {side}
        near = judge.margin_is_near(self.equivalence, self.alpha)
        same, not_worse = ({one, one != close} for one, close in zip(shown, near, strict=True))
        return {judge.verdict_by(*each) for each in product(sides, same, not_worse)}

    @cached_property
    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of both."""
        found: list[dict[str, float | None]] = self.compared.summaries()
        if len(found) == 1:  # one system, counted
            found = [*found, {"mean": self.constant, "sd": None}]
        return found

    @property
    def n_resamples(self) -> int | None:
        return self.outcome.by_itself.n_resamples

    @property
    def sturdiness(self) -> stats.Sturdiness | None:
        """How few units the verdict rests on; None where nobody can tell."""
        is_told = self.verdict in ("better", "worse") and self.adjusted_pvalue is None
        if not is_told or any(doubt.weight == "invalid" for doubt in self.doubts):
            return None
        return self.sturdy.value if isinstance(self.sturdy, Promised) else self.sturdy

    def systems_with_samples(self) -> list[Place]:
        """Return every system, constants left out, with a sample that it is in."""
        both = enumerate(self.names if self.constant is None else self.names[:1])
        return [(name, self.sample, place) for place, name in both]

    @property
    def size_change(self) -> SizeChange | None:
        """What more training rows change, where that is known."""
        law = self.outcome.law
        if not isinstance(law, Projection):
            return None
        found = law.change(self.confidence_level)
        if found is None or (self.compared.identical and not found.change):
            return None
        return found

    @property
    def shown_law(self) -> list[tuple[float, float]]:
        """Points of the density of the posterior, as readers see it, where it is known."""
        law = None if self.posterior is None else self.posterior._law()
        if law is None or self.outcome.scale != "score":
            return []
        points = zip(*law, strict=True)
        shown = self.shown_difference.value
        return sorted((float(shown(at)), float(height)) for at, height in [*points][::4])

    def _plain(self) -> dict[str, Any]:
        state = super()._plain() | {"sturdy": to_plain(self.sturdiness)}
        if state["adjusted_equivalence"] is not None:
            del state["adjusted_equivalence"]["outcome"]
        return state

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        adjusted, tests = state["adjusted_pvalue"], state["adjusted_equivalence"]
        if adjusted is None and state["adjustment"] is not None:
            adjusted = math.nan
        if tests is not None:
            tests = {**tests, "outcome": state["outcome"]}
        return {**state, "adjusted_pvalue": adjusted, "adjusted_equivalence": tests}
