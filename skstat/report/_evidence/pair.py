"""What the comparison of two systems rests on."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skstat.report._evidence.evidence import Evidence, Place
from skstat.report._sturdiness import Promised, Stability
from skstat.report._words import (
    ShownMetric,
    Verdict,
    drawing_error,
    is_near,
    level_of,
    verdict_by,
    verdicts_of_draws,
    without_direction,
)
from skstat.stats import (
    ConfidenceInterval,
    EquivalenceOutcome,
    Outcome,
    Posterior,
    ProjectionOutcome,
    Scores,
    Sturdiness,
    equivalence,
)
from skstat.stats._common import to_plain
from skstat.stats._outcomes import interval_at
from skstat.stats._samples import turned
from skstat.stats._splits import SizeChange


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairEvidence(Evidence):
    """What the comparison of two systems rests on, and its verdict.

    Attributes
    ----------
    outcome : Outcome
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

    outcome: Outcome
    sample: Any
    names: tuple[str, str]
    constant: float | None = None
    preface: str = ""
    adjusted_pvalue: float | None = None
    adjustment: str | None = None
    adjusted_equivalence: EquivalenceOutcome | None = None
    posterior: Posterior | None = None
    stability: Stability | None = None
    sturdy: Sturdiness | Promised | None = None

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
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return int(self.sample.n_units)

    @property
    def compared(self) -> Any:
        """The sample; scores of one system in pairs with the constant."""
        if isinstance(self.sample, Scores) and self.constant is not None:
            return self.sample.against(self.constant)
        return self.sample

    @property
    def level(self) -> float:
        """Level at which the interval agrees with the p-value of the verdict."""
        return level_of(self.outcome, self.confidence_level, self.adjusted_pvalue)

    @cached_property
    def interval(self) -> ConfidenceInterval:
        """Interval of the estimate at that level."""
        return interval_at(self.outcome, self.level)

    def shown_interval(self, confidence_level: float) -> ConfidenceInterval:
        """Interval of the estimate at another level, as readers see it."""
        ends = self.outcome.confidence_interval(confidence_level)
        return ConfidenceInterval(*self.shown_difference.interval(*ends))

    @cached_property
    def equivalence(self) -> EquivalenceOutcome | None:
        """Tests of the margin, of both sides; None without a margin."""
        if self.adjusted_equivalence is not None or self.margin is None:
            return self.adjusted_equivalence
        return equivalence(self.outcome, self.margin)

    @cached_property
    def verdict(self) -> Verdict:
        """What was found about the first system, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        side = self.direction if self.decisive_pvalue < self.alpha else 0
        tests, alpha = self.equivalence, self.alpha
        same = tests is not None and tests.equivalent(alpha)
        not_worse = tests is not None and tests.noninferior(alpha, of="A")
        found = verdict_by(side, same, not_worse)
        return without_direction(found) if self.direction_assumed else found

    @property
    def direction(self) -> int:
        """Which system is better if the test rejects: 1 the first, -1 the second, 0 neither."""
        if math.isnan(self.interval[0]):  # they differ, but in no common direction
            return 0
        return {"greater": 1, "less": -1}.get(self.outcome.alternative, self.outcome.direction)

    @property
    def verdicts_of_draws(self) -> set[Verdict]:
        """The verdict, and those that other draws may well give."""
        pvalue = self.decisive_pvalue
        error = drawing_error(self.outcome, self.adjusted_pvalue)
        sides = {self.direction if pvalue < self.alpha else 0}
        if is_near(pvalue, self.alpha, error):
            sides = {self.direction, 0}
        return verdicts_of_draws(sides, self.equivalence, self.alpha)

    @cached_property
    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of both."""
        found: list[dict[str, float | None]] = self.compared.summaries()
        if len(found) == 1:  # one system, counted
            found = [*found, {"mean": self.constant, "sd": None}]
        return found

    @property
    def n_resamples(self) -> int | None:
        return getattr(self.outcome.by_itself, "n_resamples", None)

    @property
    def sturdiness(self) -> Sturdiness | None:
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
        if not isinstance(self.outcome, ProjectionOutcome):
            return None
        found = self.outcome.change(self.confidence_level)
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

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        state = super()._plain(last) | {"sturdy": to_plain(self.sturdiness)}
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
