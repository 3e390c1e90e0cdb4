"""The report of one comparison."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from skstat._names import shown_name
from skstat._times import Times, times_from_dict, times_to_dict
from skstat.report._adapter import Signed, model_of_pair, of_model, signed
from skstat.report._choosing import choose
from skstat.report._doubts import (
    Doubt,
    doubts_from_dicts,
)
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._model import Report
from skstat.report._own_scores import (
    OwnScores,
    Place,
    known_own_scores,
    own_scores_of,
)
from skstat.report._paper import (
    PaperForms,
)
from skstat.report._partition_stability import Stability
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._recommendation import Recommendation
from skstat.report._sensitivity import sensitivity
from skstat.report._sturdiness import Promised, sturdiness
from skstat.report._words import (
    ShownMetric,
    Verdict,
    better_of,
    conclude,
    drawing_error,
    interval_of,
    is_near,
    level_of,
    probabilities_of,
    verdict_of,
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
from skstat.stats._common import Readers, Stored, to_plain
from skstat.stats._outcomes import alpha_of, sampled_by
from skstat.stats._paired import check_margin
from skstat.stats._samples import sample_from_dict, turned
from skstat.stats._splits import SizeChange


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ComparisonReport(PaperForms, Stored):
    """What one comparison found, what it tested, and what to doubt.

    Attributes
    ----------
    outcome : Outcome
        The procedure's numbers.
    sample : PairedScores, PairedPredictions, AgreementTable, ...
        What they were computed from. A restored report has only a summary of samples
        that hold a whole test set.
    names : tuple of str
        Labels of A and B; the estimate is A - B.
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    direction_assumed : str
        Where which way the metric is better is a guess, because neither the user nor a log
        or scorer says it: what to say otherwise with. Else empty.
    confidence_level : float
        Level of the interval; verdicts use alpha = 1 - confidence_level.
    design : mapping
        Facts of the resampling design.
    ignored_variance : tuple of str
        Sources of variation that the test does not cover.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    constant : float or None
        What A was compared with, if it was a constant.
    choice : Recommendation or None
        Which test was chosen and why, when it was not the caller who chose.
    preface : str or None
        What must be known before the conclusion, when it answers another question than
        the one asked.
    adjusted_pvalue : float or None
        p-value adjusted for the family of comparisons, on which the verdict rests.
    adjustment : str or None
        How it was adjusted.
    stability : Stability or None
        What other partitions of the same rows said, if that was asked.
    posterior : Posterior or None
        The same read as probabilities, if that was asked by ``rope=``.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    adjusted_equivalence : EquivalenceOutcome or None
        Its tests of the margin, adjusted for the family of comparisons.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, if both
        systems were fitted here. No second run repeats them to the last digit.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : OwnScores or None
        Intervals of the scores of single systems that a restored report keeps. Else they are
        computed when somebody asks for them, as :meth:`summary_table` does.
    sturdy : Sturdiness or None
        What :meth:`sturdiness` returns, or a promise of it.
    """

    _by_name = True
    _readers: ClassVar[Readers] = {
        "sample": sample_from_dict,
        "design": dict,
        "doubts": doubts_from_dicts,
        "times": times_from_dict,
    }
    _newer = frozenset(
        {
            *("direction_assumed", "margin", "posterior", "stability", "times", "bounds"),
            *("own_scores", "sturdy"),
        }
    )

    outcome: Outcome
    sample: Any
    names: tuple[str, str]
    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    constant: float | None = None
    choice: Recommendation | None = None
    preface: str | None = None
    adjusted_pvalue: float | None = None
    adjustment: str | None = None
    margin: float | None = None
    adjusted_equivalence: EquivalenceOutcome | None = None
    posterior: Posterior | None = None
    stability: Stability | None = None
    times: Mapping[str, Times] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | None = None
    sturdy: Sturdiness | Promised | None = None

    def turned(self) -> "ComparisonReport":
        """Return the same comparison of the second system against the first.

        Returns
        -------
        ComparisonReport
            The same numbers, from the other side.

        Raises
        ------
        ValueError
            If the second is a number known in advance, and no system.
        """
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

    @cached_property
    def _model(self) -> Report:
        return model_of_pair(self)

    @property
    def _level(self) -> float:
        """Level at which the interval agrees with the p-value of the verdict."""
        return level_of(self.outcome, self.confidence_level, self.adjusted_pvalue)

    @property
    def _shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    @property
    def _shown_difference(self) -> ShownMetric:
        """How differences are shown: only those of the metric itself have its sign."""
        return ShownMetric(self.metric, self.is_loss and self.outcome.scale == "score")

    @cached_property
    def _signed(self) -> Signed:
        return signed(self.outcome, self._shown_difference)

    @property
    def test(self) -> str:
        """Name of the procedure."""
        return self.outcome.test

    @property
    def estimate(self) -> float:
        """Estimated difference A - B; of a loss, below 0 where A is better."""
        return float(self._shown_difference.value(self.outcome.estimate))

    @property
    def standard_error(self) -> float | None:
        """Standard error of the estimate, where the procedure has one."""
        return self.outcome.standard_error

    @property
    def statistic(self) -> float:
        """Value of the test statistic; what has a sign has that of the estimate."""
        return self._signed.statistic

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Degrees of freedom, if any."""
        return self.outcome.df

    @property
    def pvalue(self) -> float:
        """p-value, not adjusted for other comparisons."""
        return self.outcome.pvalue

    @property
    def alternative(self) -> str:
        """Direction of the alternative hypothesis."""
        return self.outcome.alternative

    @property
    def effect_sizes(self) -> Mapping[str, float]:
        """Standardised effects, each named with its unit."""
        return self._signed.effects

    @property
    def estimand(self) -> str:
        """Quantity that is estimated."""
        return self.outcome.estimand

    @property
    def null_hypothesis(self) -> str:
        """Hypothesis that the p-value assumes."""
        return self.outcome.null_hypothesis

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the p-value to mean what it says."""
        return self.outcome.assumptions

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return self.sample.n_units

    @property
    def compared(self) -> Any:
        """The sample; scores of one system in pairs with the constant."""
        if isinstance(self.sample, Scores) and self.constant is not None:
            return self.sample.against(self.constant)
        return self.sample

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Confidence interval of the estimate, with its sign.

        Parameters
        ----------
        confidence_level : float, optional
            Coverage, between 0 and 1; default the report's own. Among several comparisons
            the interval is then adjusted like the p-value, so that both say the same.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score.
        """
        if confidence_level is None:
            ends = self._interval
        else:
            ends = self.outcome.confidence_interval(confidence_level)
        return ConfidenceInterval(*self._shown_difference.interval(*ends))

    # A report is not changed, and its forms ask again and again: what a procedure computes
    # anew every time, draws of signs for instance, is kept.
    @cached_property
    def _interval(self) -> ConfidenceInterval:
        return interval_of(self.outcome, self.confidence_level, self.adjusted_pvalue)

    @cached_property
    def equivalence(self) -> EquivalenceOutcome | None:
        """Tests of the margin, of both sides; None without a margin."""
        if self.adjusted_equivalence is not None or self.margin is None:
            return self.adjusted_equivalence
        return equivalence(self.outcome, self.margin)

    @property
    def rope(self) -> float | None:
        """Largest difference that is practically none, if probabilities were asked."""
        return None if self.posterior is None else self.posterior.rope

    @cached_property
    def verdict(self) -> Verdict:
        """What was found about the first system, as a candidate against the second.

        ``"better"`` or ``"worse"``: the difference is significant. ``"equivalent"``: it was
        shown to be smaller than the margin, whether or not it differs from zero. ``"not
        inferior"``: the difference is undecided, but the first system was shown not to be
        worse by the margin. Else ``"undecided"``. Where nothing says which way the metric is
        better, a significant difference is ``"higher"`` or ``"lower"``.
        """
        side = self._direction if self._decisive_pvalue < self._alpha else 0
        found = verdict_of(side, self.equivalence, self._alpha)
        return without_direction(found) if self.direction_assumed else found

    @property
    def _direction(self) -> int:
        """Which system is better if the test rejects: 1 the first, -1 the second, 0 neither."""
        if math.isnan(self._interval[0]):  # they differ, but in no common direction
            return 0
        return {"greater": 1, "less": -1}.get(self.alternative, self.outcome.direction)

    @property
    def _decisive_pvalue(self) -> float:
        """The p-value that the verdict rests on."""
        return self.pvalue if self.adjusted_pvalue is None else self.adjusted_pvalue

    @property
    def _verdicts_of_draws(self) -> set[Verdict]:
        """The verdict, and those that other draws may well give."""
        pvalue = self._decisive_pvalue
        error = drawing_error(self.outcome, self.adjusted_pvalue)
        sides = {self._direction if pvalue < self._alpha else 0}
        if is_near(pvalue, self._alpha, error):
            sides = {self._direction, 0}
        return verdicts_of_draws(sides, self.equivalence, self._alpha)

    @property
    def better(self) -> str | None:
        """Name of the significantly better system; None if the verdict names none."""
        return better_of(self.verdict, *self.names)

    choose = of_model(choose)
    plan = of_model(plan)
    sensitivity = of_model(sensitivity)
    sturdiness = of_model(sturdiness)

    @property
    def conclusion(self) -> str:
        """One plain sentence: difference, interval, then p."""
        return " ".join(conclude(self._model))

    def _interval_kind(self) -> str:
        """How to read the limits, of which undefined and infinite ones are None."""
        low, high = self.confidence_interval()
        if math.isnan(low):
            return "none"
        if math.isinf(low) and math.isinf(high):
            return "unlimited"
        if math.isinf(high):
            return "at least"
        return "at most" if math.isinf(low) else "two-sided"

    @property
    def _probabilities(self) -> dict[str, Any] | None:
        """What the comparison comes to as probabilities, if that was asked."""
        if self.posterior is None:
            return None
        return probabilities_of(self.posterior, self.confidence_level)

    @property
    def _alpha(self) -> float:
        return alpha_of(self.confidence_level)

    def _equivalence_dict(self) -> dict[str, Any] | None:
        """The tests of the margin, but for the outcome, which the report holds."""
        found, shown = self.equivalence, self._shown_difference
        if found is None:
            return None
        if self.margin:
            check_margin(self.margin)  # nan would be written as no margin
        state = found.to_dict()
        del state["outcome"]
        return {
            **state,
            "confidence_level": round(1 - 2 * self._alpha, 12),
            "interval": to_plain(shown.interval(*found.interval(self._alpha))),
            "adjusted_pvalue": to_plain(found.adjusted_pvalue),
            "equivalent": found.equivalent(self._alpha),
            "noninferior": [found.noninferior(self._alpha, of=name) for name in "AB"],
        }

    @cached_property
    def _summaries(self) -> list[dict[str, float | None]]:
        found: list[dict[str, float | None]] = self.compared.summaries()
        if len(found) == 1:  # one system, counted
            found = [*found, {"mean": self.constant, "sd": None}]
        return found

    @property
    def _quantity(self) -> dict[str, Any]:
        """What the estimate is, and the difference of the scores where it is not that."""
        a, b = self._model.systems
        return asdict(self.outcome.quantity) | {"difference": to_plain(a.mean - b.mean)}

    @cached_property
    def _own(self) -> OwnScores:
        return own_scores_of(self, self.outcome)

    def _systems_with_samples(self) -> list[Place]:
        """Return every system, constants left out, with a sample that it is in."""
        both = enumerate(self.names if self.constant is None else self.names[:1])
        return [(name, self.sample, place) for place, name in both]

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        # They take time, and are only stored: no form reads them.
        own = to_plain(known_own_scores(self))
        sturdy = to_plain(self.sturdiness())
        return super()._plain(last) | {"own_scores": own, "sturdiness": sturdy}

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "comparison",
            "title": f"{shown_name(self.names[0])} against {shown_name(self.names[1])}",
            "conclusion": self.conclusion,
            "verdict": self.verdict,
            "better": self.better,
            "names": self.names,
            "metric": self.metric,
            "is_loss": self.is_loss,
            "direction_assumed": self.direction_assumed,
            "estimate": self.estimate,
            "scale": self.outcome.scale,
            "quantity": self._quantity,
            "confidence_level": self.confidence_level,
            "interval": self.confidence_interval(),
            "interval_kind": self._interval_kind(),
            "interval_level": self._level,
            "standard_error": self.standard_error,
            "test": self.test,
            "statistic_name": self.outcome.statistic_name,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "monte_carlo_error": getattr(self.outcome, "monte_carlo_error", None),
            "adjusted_pvalue": self.adjusted_pvalue,
            "adjustment": self.adjustment,
            "simultaneous": self.outcome.simultaneous,
            "margin": self.margin,
            "equivalence": self._equivalence_dict(),
            "probabilities": self._model.probabilities,
            "posterior": self.posterior,
            "alternative": self.alternative,
            "effect_sizes": self.effect_sizes,
            "scores": [to_plain({"mean": s.mean, "sd": s.sd}) for s in self._model.systems],
            "estimand": self.estimand,
            "null_hypothesis": self.null_hypothesis,
            "unit": self.unit,
            "n_units": self.n_units,
            "sampled": sampled_by(self.outcome),
            "choice": self.choice,
            "preface": self.preface,
            "design": self.design,
            "assumptions": self.assumptions,
            "ignored_variance": self.ignored_variance,
            "doubts": self.doubts,
            "constant": self.constant,
            **({} if (change := self._model.change) is None else {"change": change}),
            "stability": self.stability,
            "times": times_to_dict(self.times),
            "bounds": self.bounds,
            "sample": self.sample,
            "outcome": self.outcome,
        }

    @property
    def _size_change(self) -> SizeChange | None:
        """What more training rows change, where that is known."""
        if not isinstance(self.outcome, ProjectionOutcome):
            return None
        found = self.outcome.change(self.confidence_level)
        if found is None or (self.compared.identical and not found.change):
            return None
        return found

    @property
    def _shown_law(self) -> list[tuple[float, float]] | None:
        """Points of the density of the posterior to be drawn, losses as losses."""
        law = None if self.posterior is None else self.posterior._law()
        if law is None or self.outcome.scale != "score":
            return None
        view = self._shown_difference
        points = [(view.value(at), height) for at, height in zip(*law, strict=True)]
        return sorted((float(at), float(height)) for at, height in points[::4])

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        adjusted = state["adjusted_pvalue"]
        if adjusted is None and state["adjustment"] is not None:
            adjusted = math.nan
        equivalence = state.get("equivalence")
        if equivalence is not None:
            equivalence = {**equivalence, "outcome": state["outcome"]}
        return state | {
            "adjusted_pvalue": adjusted,
            "adjusted_equivalence": equivalence,
            "sturdy": state.get("sturdiness"),
        }

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw what the comparison rests on, with its estimate and interval.

        The differences of paired scores, the bootstrap replicates of a resampled
        metric, or else the interval alone.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        DifferencesDisplay or IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        return display_of(self._model).plot(ax=ax, width=width)

    def plot_posterior(
        self, ax: Any = None, *, kind: str | None = None, width: float | str | None = None
    ) -> Any:
        """Draw what is probable, if that was asked by ``rope=``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"law", "simplex", "shrinkage"}, optional
            ``"law"``: the law of the difference, cut at the ends of the region.
            ``"simplex"``: over data sets, draws of the chances that one system is better, both
            are the same, the other is. ``"shrinkage"``: of the hierarchical model, the
            difference on every data set as it was seen, and drawn towards the others. By
            default the last of these that the posterior has.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, as in :meth:`plot`.

        Returns
        -------
        PosteriorDisplay, SimplexDisplay or IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.

        Raises
        ------
        ValueError
            If there are no probabilities, or the posterior has no such picture.
        """
        return display_of(self._model, kind or "posterior").plot(ax=ax, width=width)

    def plot_training_sizes(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw the difference of learners trained on half of the rows and on nine tenths.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, as in :meth:`plot`.

        Returns
        -------
        IntervalsDisplay
            The display: a row for each size, and one for the change, with their intervals.

        Raises
        ------
        ValueError
            If one size is known only; ``train_size=0.9`` gives two. Scores of folds of fewer
            than 10 rows are not set beside those of halves, but for means over rows.
        """
        return display_of(self._model, "training sizes").plot(ax=ax, width=width)
