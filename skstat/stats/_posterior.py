"""Posteriors of a comparison: probabilities that A is better, both are the same, or B is."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from skstat.stats import _chance as tails
from skstat.stats._procedure import Reference
from skstat.stats._scores import check_number
from skstat.stats._stored import Numbers, Stored, SuggestsNames
from skstat.stats._words import Swappable, check_level

SCEPTICAL = "sceptical"
_PROBABLE = 0.95  # the usual probability of a decision
_LEVELS = np.arange(1, 1000) / 1000
# The upper quartile of the standard normal law.
_HALF_WITHIN = 0.6744897501960817
# Chains, and draws of each, of a law that is known without drawing.
CHAINS = (4, 1000)
_TIED = 1e-9  # of the largest score: scores that differ by less share the first rank


class Probabilities(NamedTuple):
    """Probabilities that A is better, both are practically the same, or B is better.

    Attributes
    ----------
    better : float
        That A is better, by more than the region of practical equivalence.
    same : float
        That the difference is inside the region: A and B are practically the same.
    worse : float
        That B is better, by more than the region.
    """

    better: float
    same: float
    worse: float

    @classmethod
    def beyond(cls, better: float, worse: float, rope: float) -> Self:
        """Return the three, given those of both sides; without a region `same` is 0."""
        return cls(better, max(0.0, 1 - better - worse) if rope else 0.0, worse)


def range_over_priors(by_prior: Sequence[Probabilities]) -> dict[str, Any]:
    """Return the probabilities by the first prior, and the range of those by all priors."""
    ends = (Probabilities(*end(by_prior, axis=0).tolist()) for end in (np.min, np.max))
    return dict(zip(("lowest", "highest"), ends, strict=True), probabilities=by_prior[0])


class CredibleInterval(NamedTuple):
    """Limits of a credible interval of the difference."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior(Swappable, Stored, SuggestsNames, ABC):
    """The posterior of the difference of A and B, given the scores.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    probabilities : Probabilities
        That A is better, that both are practically the same, that B is better; nan where the
        scores show no variance to test a difference against.
    lowest, highest : Probabilities or None
        Range of the probabilities over the possible locations of the prior, unless it is flat.
    expected : Probabilities or None
        Probabilities of the same three on another unit.
    n_seen : int or None
        Number of units that these rest on.
    fewest : int
        Number of units from which they rest on more than the prior.
    n_telling : int or None
        Units on which the systems differ, where no prior knows of others.
    n_drawn : int
        Random draws that the probabilities rest on.
    seed : int or None
        Seed of the draws.
    references : tuple of Reference
        The works that describe it.
    """

    example: ClassVar[str] = "posterior(outcome)"
    # Texts: what the probabilities are of, in a report and in the methods section; how a
    # sentence on them begins, the method and its details, a caveat, what follows "better",
    # where they hold (with the word for a unit), and the model.
    subject: ClassVar[str]
    what: ClassVar[str]
    begins: ClassVar[str] = "By"
    by: ClassVar[str]
    also: ClassVar[str] = ""
    caveat: ClassVar[str]
    model: ClassVar[str]
    said = where = ""
    # What the expected probabilities are of, with the word for a unit.
    another: ClassVar[str] = ""
    # Texts on the draws, units without variance in the model, and whether differences are
    # shrunken towards others on another scale.
    how_drawn: ClassVar[str] = ""
    without_spread: ClassVar[tuple[str, ...]] = ()
    unequal_scales: ClassVar[bool] = False

    _ordered: ClassVar[tuple[str, ...]] = ("probabilities", "lowest", "highest", "expected")

    rope: float
    probabilities: Probabilities
    lowest: Probabilities | None = None
    highest: Probabilities | None = None
    expected: Probabilities | None = None
    n_seen: int | None = None
    fewest: int = 6
    n_telling: int | None = None
    n_drawn: int = 0
    seed: int | None = None
    references: tuple[Reference, ...] = ()

    @property
    def lead(self) -> str:
        """The beginning of a sentence on the probabilities."""
        return f"{self.begins} {self.by}"

    @property
    def done(self) -> str:
        """A sentence of the methods section, to be formatted with the pairs and the works."""
        computed = f"Probabilities of {self.what} were computed{{for_pairs}}"
        return f"{computed} by {self.by}{{works}}{self.also}"

    @property
    def monte_carlo_errors(self) -> Probabilities | None:
        """Standard errors of the probabilities from drawing."""
        if not self.n_drawn:
            return None
        errors = (math.sqrt(p * (1 - p) / self.n_drawn) for p in self.probabilities)
        return Probabilities(*errors)

    @property
    def prior_decides(self) -> bool:
        """Whether the location of the prior decides which probability reaches 0.95."""
        ends = zip(self.lowest or (), self.highest or (), strict=True)
        return any(low < _PROBABLE <= high for low, high in ends)

    def _law(self) -> tuple[Numbers, Numbers] | None:
        """Return ascending differences and their density; None for other quantities."""
        return None

    def _chances(self, differences: Any, n_draws: int) -> Numbers | None:
        """Return about `n_draws` draws of the chances of the three on another unit, if any."""
        if not self.said:
            return None
        drawn = self._draws(differences)
        chances = np.column_stack([drawn[name].ravel() for name in Probabilities._fields])
        return chances[:: max(1, len(chances) // n_draws)]

    @abstractmethod
    def by_prior(self, rope: float, differences: Any) -> dict[str, Probabilities]:
        """Return the probabilities for a region by prior, the one that was asked for first.

        Parameters
        ----------
        rope : float
            The region.
        differences : ndarray or None
            The differences of the units, where the posterior does not store them.
        """

    @abstractmethod
    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        """Return draws of the parameters by name, each of shape (n_chains, n_draws).

        Chances on another unit are named as the fields of :class:`Probabilities`.
        """

    def to_arviz(self) -> Any:
        """Return draws of the posterior for ArviZ, whose plots and tables then apply.

        Returns
        -------
        arviz.InferenceData
            With the group ``posterior``, in newer versions as a DataTree. The draws of Markov
            chains are those of the chains; of a law that is known without drawing they are
            independent, always the same four chains of 1000.

        Raises
        ------
        ImportError
            If ArviZ is not installed.
        ValueError
            If the posterior rests on draws and was restored: they are not stored.
        """
        try:
            arviz = import_module("arviz")
        except ImportError as error:
            raise ImportError("to_arviz() needs ArviZ: pip install arviz.") from error
        draws = self._draws()
        # Before ArviZ 1.0 groups were arguments.
        if "posterior" in signature(arviz.from_dict).parameters:
            return arviz.from_dict(posterior=draws)
        return arviz.from_dict({"posterior": draws})

    def decision(self, probability: float = 0.95) -> str:
        """Name what has a probability of at least so much.

        Parameters
        ----------
        probability : float, default=0.95
            How probable it must be; above 0.5, so that only one of the three can be.

        Returns
        -------
        str
            ``"better"``, ``"same"`` or ``"worse"``, of A; else ``"undecided"``.
        """
        return decision_of(self.probabilities._asdict(), probability)


def decision_of(probabilities: Mapping[str, float], probability: float) -> str:
    """Return the first name whose probability is large enough, or ``"undecided"``."""
    check_level(probability, name="probability")
    if probability <= 0.5:
        raise ValueError(f"probability={probability!r} must be above 0.5; write 0.95.")
    return next((name for name, p in probabilities.items() if p >= probability), "undecided")


@dataclass(frozen=True, kw_only=True, eq=False)
class DifferencePosterior(Posterior):
    """A posterior of a difference, which has credible intervals."""

    what, begins = "the difference", "Read as probabilities, by"

    @abstractmethod
    def _quantile(self, share: Any) -> Any:
        """Return the quantile of the difference."""

    def credible_interval(self, confidence_level: float = 0.95) -> CredibleInterval:
        """Return the equal-tailed credible interval of the difference.

        Parameters
        ----------
        confidence_level : float, default=0.95
            The probability of the interval, between 0 and 1.

        Returns
        -------
        CredibleInterval
            Named tuple ``(low, high)`` in the unit of the score.
        """
        check_level(confidence_level)
        tail = (1 - confidence_level) / 2
        return CredibleInterval(float(self._quantile(tail)), float(self._quantile(1 - tail)))

    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        return {"difference": self._quantile(np.random.default_rng(0).random(CHAINS))}

    def _sceptical(self, rope: float) -> dict[str, Probabilities]:
        """Return the probabilities with a prior that has one half in the region.

        The prior is normal about 0, and needs a region. It multiplies the density of the flat
        prior, which is the likelihood.
        """
        law = self._law() if rope else None
        if law is None:
            return {}
        (points, density), size = law, rope / _HALF_WITHIN
        ends = (min(points[0], -6 * size), max(points[-1], 6 * size))
        grid = np.union1d(np.linspace(*ends, 4001), [-rope, rope])
        heights = np.interp(grid, points, density, left=0, right=0)
        heights = heights * np.exp(-((grid / size) ** 2) / 2)
        steps = np.diff(grid) * (heights[1:] + heights[:-1]) / 2
        below = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
        low, high = np.interp([-rope, rope], grid, below)
        return {SCEPTICAL: Probabilities(float(1 - high), float(high - low), float(low))}


@dataclass(frozen=True, kw_only=True, eq=False)
class StudentPosterior(DifferencePosterior):
    """Student's t about the estimate of a comparison: the posterior with a flat prior.

    Attributes
    ----------
    estimate : float
        The mode of the difference.
    spread : float
        Scale of the law: the standard error of the comparison.
    df : float
        Degrees of freedom.
    rope, probabilities, references
        As in :class:`Posterior`.
    """

    subject = "the expected difference"
    lead = "Read as probabilities, with a flat prior"
    caveat = "the same information, not more"
    done = "The comparison{of_pairs} was also read as probabilities{works}, with a flat prior"
    model = (
        "Student's t about the estimate, with the standard error and the degrees of freedom of "
        "the test: what a flat prior makes of them"
    )

    _signed = ("estimate",)

    estimate: float
    spread: float
    df: float

    @classmethod
    def of(cls, estimate: float, spread: float, df: float, rope: float, **facts: Any) -> Self:
        """Return the posterior for a region; without spread only an estimate of 0 has one."""
        better = worse = 0.0 if rope else 0.5
        if spread:
            ends = np.array([rope - estimate, rope + estimate]) / spread
            better, worse = tails.t_sf(ends, df).tolist()
        probabilities = Probabilities.beyond(better, worse, rope)
        if estimate and not spread:
            probabilities = Probabilities(math.nan, math.nan, math.nan)
        law: dict[str, Any] = {"estimate": estimate, "spread": spread, "df": df}
        return cls(**law, rope=rope, probabilities=probabilities, **facts)

    def probability_above(self, bound: float) -> float:
        """Probability that A is better than B by more than a bound.

        Parameters
        ----------
        bound : float
            The bound, in the unit of the score; below 0, that B is not better by so much.

        Returns
        -------
        float
            A probability; nan where the scores show no variance to test a difference against.
        """
        if self.spread == 0:
            return math.nan
        return float(tails.t_sf((bound - self.estimate) / self.spread, self.df))

    def density(self, differences: Any) -> Any:
        """Density of the law, to be drawn.

        Parameters
        ----------
        differences : array-like
            Where.

        Returns
        -------
        ndarray
            The density at every difference; it integrates to 1.
        """
        return tails.laws().t.pdf(differences, self.df, self.estimate, self.spread)

    def _quantile(self, share: Any) -> Any:
        if self.spread == 0:
            return 0.0 if self.estimate == 0 else math.nan
        return self.estimate - self.spread * tails.t_isf(share, self.df)

    def _law(self) -> tuple[Numbers, Numbers] | None:
        if self.spread == 0:
            return None
        points = np.linspace(*self.credible_interval(0.999), 241)
        return points, self.density(points)

    def by_prior(self, rope: float, differences: Any) -> dict[str, Probabilities]:
        flat = self.of(self.estimate, self.spread, self.df, rope).probabilities
        return {"flat": flat, **self._sceptical(rope)}


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnPosterior(DifferencePosterior):
    """A posterior of a difference that was drawn, stored as quantiles.

    Attributes
    ----------
    quantiles : ndarray of shape (999,)
        Quantiles of the difference.
    """

    _rising = ("quantiles",)

    quantiles: np.ndarray

    def _quantile(self, share: Any) -> Any:
        return np.interp(share, _LEVELS, self.quantiles)


def quantiles_of(draws: Numbers) -> Numbers:
    """Return 999 quantiles of draws, which are stored in place of them."""
    return np.asarray(np.quantile(draws, _LEVELS))


def check_rope(rope: Any, name: str = "rope") -> float:
    """Return the half width of a region as a float; raise ValueError unless finite and >= 0."""
    what = (
        "a finite number, 0 or more: differences up to so much, in the unit of the score, are "
        "practically none. 0 is for no such region"
    )
    return check_number(name, rope, least=0, what=what)


@dataclass(frozen=True, kw_only=True, eq=False)
class BestPosterior(Stored, SuggestsNames):
    """Probability of every system that it is the best, and that it is practically as good.

    Attributes
    ----------
    names : tuple of str
        The systems.
    rope : float
        Differences up to so much are practically none, in the unit of the score.
    best : ndarray of shape (n_systems,)
        Probability that the score of a system is the highest of all; ties are shared.
    near : ndarray of shape (n_systems,)
        Probability that it is `rope` below the highest at most.
    n_draws, seed : int
        Number and seed of the draws.
    """

    example: ClassVar[str] = "compare_scores(scores, rope=0.01).best_posterior"

    names: tuple[str, ...]
    rope: float
    best: np.ndarray
    near: np.ndarray
    n_draws: int
    seed: int

    @property
    def probabilities(self) -> Mapping[str, float]:
        """Probability of every system that it is the best."""
        return dict(zip(self.names, self.best.tolist(), strict=True))


def best_of_draws(
    names: Sequence[str], rope: float, blocks: Iterable[Numbers], seed: int
) -> BestPosterior:
    """Return how often each is best, or nearly so, in blocks of draws (n_draws, n_systems)."""
    best, near, n = np.zeros(len(names)), np.zeros(len(names)), 0
    for drawn in blocks:
        highest = drawn.max(axis=1, keepdims=True)
        noise = _TIED * float(np.abs(drawn).max())
        first = drawn >= highest - noise
        best += (first / np.count_nonzero(first, axis=1, keepdims=True)).sum(axis=0)
        near += np.count_nonzero(drawn >= highest - rope - noise, axis=0)
        n += len(drawn)
    return BestPosterior(
        names=tuple(names), rope=rope, best=best / n, near=near / n, n_draws=n, seed=seed
    )
