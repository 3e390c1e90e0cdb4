"""Intervals of the scores of single systems, which the tests of a report do not need."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, cast

from skstat.report._words import ShownMetric, join_names
from skstat.stats import Estimate
from skstat.stats._common import Readers, Stored, numbers_of
from skstat.stats._leaderboard import (
    Draws,
    NoOwnEstimateError,
    needs_draws,
    needs_rows,
    own_estimate,
)

# A system by its name: a sample that it is in, and its place there.
Place = tuple[str, Any, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnScores(Stored):
    """How good every system of a report is by itself.

    Attributes
    ----------
    scores : mapping of str to tuple of float
        Estimate and both limits by system, higher is better; limits are nan where the scores
        do not vary.
    confidence_level : float
        Level of each interval.
    methods : mapping of str to str
        How each interval was computed.
    why_none : str
        Why there are none, as the end of a sentence; else empty.
    """

    _written = ("scores", "confidence_level", "methods", "why_none")
    _readers: ClassVar[Readers] = {
        "scores": lambda scores: {name: numbers_of(own) for name, own in scores.items()},
        "methods": dict,
    }

    scores: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    confidence_level: float
    methods: Mapping[str, str] = field(default_factory=dict)
    why_none: str = ""

    @classmethod
    def of_estimates(cls, estimates: Mapping[str, Estimate], confidence_level: float) -> Self:
        """Read estimates by system."""
        return cls(
            scores={
                name: (found.estimate, *found.confidence_interval(confidence_level))
                for name, found in estimates.items()
            },
            confidence_level=confidence_level,
            methods={name: found.method for name, found in estimates.items()},
        )

    @property
    def method(self) -> str:
        """How they were computed; where that differs, with the systems."""
        systems: dict[str, list[str]] = {}
        for name, method in self.methods.items():
            systems.setdefault(method, []).append(name)
        if len(systems) < 2:
            return next(iter(systems), "")
        return "; ".join(f"{join_names(names)}: {one}" for one, names in systems.items())


def known_own_scores(evidence: Any) -> OwnScores | None:
    """Return what is stored of own scores: what the stored sample cannot tell.

    What must be drawn for is stored if somebody asked for it.
    """
    if evidence.own_scores is not None:
        return cast(OwnScores, evidence.own_scores)
    samples = [sample for _, sample, _ in evidence.systems_with_samples()]
    if not any(map(needs_rows, samples)):
        return None
    if "own" not in evidence.__dict__ and any(map(needs_draws, samples)):
        return None
    return cast(OwnScores, evidence.own)


def own_scores_of(evidence: Any, outcome: Any) -> OwnScores:
    """Return the own scores of systems: those that are stored, or else estimates.

    Parameters
    ----------
    evidence : PairEvidence or SystemsEvidence
        The samples.
    outcome : Outcome
        One of its outcomes, which knows how often was drawn.
    """
    known: OwnScores | None = evidence.own_scores
    if known is not None and known.confidence_level == evidence.confidence_level:
        return known
    usual = Draws()
    draws = Draws(
        getattr(outcome.by_itself, "n_resamples", None) or usual.n_resamples,
        int(evidence.design.get("random_state") or usual.seed),
    )
    estimates = {}
    try:
        for name, sample, place in evidence.systems_with_samples():
            estimates[name] = own_estimate(sample, place, bounds=evidence.bounds, draws=draws)
    except NoOwnEstimateError as error:
        return OwnScores(confidence_level=evidence.confidence_level, why_none=str(error))
    return OwnScores.of_estimates(estimates, evidence.confidence_level)


def shown_own_scores(r: Any) -> OwnScores:
    """Return the interval of every score by itself, as readers see it: drawing takes time."""
    parts = getattr(r.evidence, "parts", None)
    found = [r.evidence.own] if parts is None else [part.own for part in parts.values()]
    view = ShownMetric(r.metric, r.lower)
    each = [(name, own) for one in found for name, own in one.scores.items()]
    return replace(
        found[0],
        scores={n: (view.value(score), *view.interval(*ends)) for n, (score, *ends) in each},
        methods={name: method for one in found for name, method in one.methods.items()},
    )
