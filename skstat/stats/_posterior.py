"""A comparison read as probabilities: that A is better, that B is, that both are the same."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import signature
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import MeansNames, Reference, Stored, tails
from skstat.stats._samples import check_number
from skstat.stats._words import Turns, check_level

Numbers = NDArray[np.float64]

# From a region to probabilities; None where the prior needs a region.
Reread = Callable[[float], "Probabilities | None"]

SCEPTICAL = "sceptical"
_LEVELS = np.arange(1, 1000) / 1000
# Standard deviations within which a normal law has one half.
_HALF_WITHIN = 0.6744897501960817
# Chains, and draws of each, of a law that is known without drawing.
CHAINS = (4, 1000)

# Draws, and systems of up to which there are as many pairs as can be looked at one by one.
_N_DRAWS, _MOST = 100_000, 100
_TIED = 1e-9  # of the largest score: scores that differ by less share the first place
_DRAWN_AT_ONCE = 1 << 20


class Probabilities(NamedTuple):
    """Probabilities of the three things that can be true of A and B.

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


class CredibleInterval(NamedTuple):
    """Limits between which the difference is with some probability."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior(Turns, Stored, MeansNames, ABC):
    """What is probable of the difference of A and B, after the scores.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    references : tuple of Reference
        The works that describe it.
    """

    made_by: ClassVar[str] = "posterior(outcome)"
    # In words: what the probabilities are of, how a sentence on them begins and what it must
    # not be without, what is said of each, where they hold (with the word for a unit), the
    # model behind them, and what was done.
    subject: ClassVar[str]
    lead: ClassVar[str]
    caveat: ClassVar[str]
    model: ClassVar[str]
    done: ClassVar[str]
    said = where = ""
    # What the expected probabilities are of, with the word for a unit.
    another: ClassVar[str] = ""

    # What only some know. Probabilities of the same three on another unit, what they are of
    # (the units behind them, and how many must be there for them to rest on more than the
    # prior), and the errors of the probabilities from drawing.
    expected: ClassVar[Probabilities | None] = None
    n_seen: ClassVar[int | None] = None
    fewest: ClassVar[int] = 6
    monte_carlo_errors: ClassVar[Probabilities | None] = None
    # Number of random draws that they rest on, and what is known of the draws behind it.
    n_drawn: ClassVar[int] = 0
    how_drawn: ClassVar[str] = ""
    # Units of which the model does not know how much they vary, and whether differences are
    # drawn towards others that are on another scale.
    without_spread: ClassVar[tuple[str, ...]] = ()
    unequal_scales: ClassVar[bool] = False
    # Lowest and highest probabilities, wherever the prior lies, unless it is flat; whether
    # what has a probability of 0.95 depends on that; and the units on which the systems
    # differ, where no prior knows of others.
    bounds: ClassVar[tuple[Probabilities, Probabilities] | None] = None
    prior_decides: ClassVar[bool] = False
    n_telling: ClassVar[int | None] = None

    rope: float
    references: tuple[Reference, ...] = ()

    @property
    @abstractmethod
    def probabilities(self) -> Probabilities:
        """Probabilities that A is better, that both are practically the same, that B is better.

        nan where the scores show no variance to test a difference against.
        """

    def _limits(self, confidence_level: float) -> CredibleInterval | None:
        """Credible interval of the difference, where the posterior is of a difference."""
        return None

    def _law(self) -> tuple[Numbers, Numbers] | None:
        """Differences in rising order and their density, where it is of a difference."""
        return None

    def _chances(self, differences: Any, n_draws: int) -> Numbers | None:
        """Draw the chances of the three on another unit, (n_draws, 3); None without any.

        `differences` are those of the sample.
        """
        return None

    def _priors(self, differences: Any) -> dict[str, Reread]:
        """Return how the probabilities follow from a region, by the prior in words.

        The first is that of the posterior itself. `differences` are those of the sample.
        """
        return {}

    @abstractmethod
    def _draws(self) -> dict[str, Numbers]:
        """Draws of the parameters by name, each of shape (n_chains, n_draws)."""

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
            raise ImportError(
                "to_arviz() needs ArviZ, which is not installed: pip install arviz."
            ) from error
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
        return decided(self.probabilities._asdict(), probability)


def decided(probabilities: Mapping[str, float], probability: float) -> str:
    """Return the first that has the probability, or ``"undecided"``."""
    check_level(probability, name="probability")
    if probability <= 0.5:
        raise ValueError(f"probability={probability!r} must be above 0.5; write 0.95.")
    return next((name for name, p in probabilities.items() if p >= probability), "undecided")


@dataclass(frozen=True, kw_only=True, eq=False)
class DifferencePosterior(Posterior):
    """A posterior of a difference, between whose limits it is with some probability."""

    @abstractmethod
    def _between(self, confidence_level: float) -> CredibleInterval:
        """Limits with as much of the rest on either side."""

    def credible_interval(self, confidence_level: float = 0.95) -> CredibleInterval:
        """Limits that the difference is between with some probability.

        Parameters
        ----------
        confidence_level : float, default=0.95
            The probability, between 0 and 1; as much of the rest lies on either side.

        Returns
        -------
        CredibleInterval
            Named tuple ``(low, high)`` in the unit of the score.
        """
        check_level(confidence_level)
        return self._between(confidence_level)

    def _limits(self, confidence_level: float) -> CredibleInterval | None:
        return self.credible_interval(confidence_level)


@dataclass(frozen=True, kw_only=True, eq=False)
class StudentPosterior(DifferencePosterior):
    """Student's t about the estimate of a comparison: its interval, read as probabilities.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    estimate : float
        Where the difference is most probable.
    spread : float
        Scale of the law: the standard error of the comparison.
    df : float
        Degrees of freedom.
    references : tuple of Reference
        The works that describe it.
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

    @property
    def probabilities(self) -> Probabilities:
        if self.spread == 0:
            return _without_spread(self.estimate, self.rope)
        better = self.probability_above(self.rope)
        worse = float(tails.t_sf((self.estimate + self.rope) / self.spread, self.df))
        if self.rope == 0:
            return Probabilities(better, 0.0, worse)
        return Probabilities(better, max(0.0, 1 - better - worse), worse)

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
        z = (np.asarray(differences, dtype=float) - self.estimate) / self.spread
        half = (self.df + 1) / 2
        at_0 = math.exp(math.lgamma(half) - math.lgamma(self.df / 2))
        at_0 /= math.sqrt(self.df * math.pi) * self.spread
        return at_0 * (1 + z**2 / self.df) ** -half

    def _between(self, confidence_level: float) -> CredibleInterval:
        if self.spread == 0:
            known = 0.0 if self.estimate == 0 else math.nan
            return CredibleInterval(known, known)
        half = float(tails.t_isf((1 - confidence_level) / 2, self.df)) * self.spread
        return CredibleInterval(self.estimate - half, self.estimate + half)

    def _law(self) -> tuple[Numbers, Numbers] | None:
        if self.spread == 0:
            return None
        at = np.linspace(*self.credible_interval(0.999), 241)
        return at, self.density(at)

    def _priors(self, differences: Any) -> dict[str, Reread]:
        return {"flat": lambda rope: replace(self, rope=rope).probabilities} | sceptical(self)

    def _draws(self) -> dict[str, Numbers]:
        rng = np.random.default_rng(0)
        return {"difference": self.estimate + self.spread * rng.standard_t(self.df, CHAINS)}


def sceptical(posterior: Posterior) -> dict[str, Reread]:
    """Return the probabilities with a normal prior about 0 that has half in the region.

    Half of all differences between systems are practically none then, before the scores are
    seen. The law, which has a flat prior, is multiplied by it. Without a region there is no
    such prior, and nothing is returned.
    """
    law = posterior._law()
    if law is None:
        return {}
    at, density = law

    def read(rope: float) -> Probabilities | None:
        if rope == 0:
            return None
        size = rope / _HALF_WITHIN
        ends = (min(at[0], -6 * size), max(at[-1], 6 * size))
        fine = np.union1d(np.linspace(*ends, 4001), [-rope, rope])
        heights = np.interp(fine, at, density, left=0, right=0)
        heights = heights * np.exp(-((fine / size) ** 2) / 2)
        steps = np.diff(fine) * (heights[1:] + heights[:-1]) / 2
        below = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
        low, high = np.interp([-rope, rope], fine, below)
        return Probabilities(float(1 - high), float(high - low), float(low))

    return {SCEPTICAL: read}


def quantiles_of(draws: Numbers) -> Numbers:
    """Return 999 quantiles of draws, which are what is kept of them."""
    return np.asarray(np.quantile(draws, _LEVELS))


def between_quantiles(quantiles: Numbers, confidence_level: float) -> CredibleInterval:
    """Return limits with as much on either side, from quantiles that were kept."""
    tail = (1 - confidence_level) / 2
    low, high = np.interp([tail, 1 - tail], _LEVELS, quantiles)
    return CredibleInterval(float(low), float(high))


def from_quantiles(quantiles: Numbers, levels: Numbers) -> Numbers:
    """Return the values at some levels, such as random ones, from quantiles that were kept."""
    return np.asarray(np.interp(levels, _LEVELS, quantiles))


def density_of_quantiles(quantiles: Numbers) -> tuple[Numbers, Numbers] | None:
    """Return differences and a smooth density, from quantiles at levels that lie even.

    A normal kernel, as wide as Silverman's rule has it; None where nothing varies.
    """
    values = np.asarray(quantiles, dtype=float)
    low, high = np.quantile(values, [0.25, 0.75])
    size = min(float(values.std()), (high - low) / 1.349) or float(values.std())
    if size == 0:
        return None
    width = 0.9 * size * len(values) ** -0.2
    at = np.linspace(values[0] - 3 * width, values[-1] + 3 * width, 241)
    heights = np.exp(-(((at[:, None] - values) / width) ** 2) / 2).mean(axis=1)
    return at, heights / (width * math.sqrt(2 * math.pi))


def _without_spread(estimate: float, rope: float) -> Probabilities:
    """Return what is known where all differences are equal: of 0 all, else nothing."""
    if estimate != 0:
        return Probabilities(math.nan, math.nan, math.nan)
    return Probabilities(0.0, 1.0, 0.0) if rope > 0 else Probabilities(0.5, 0.0, 0.5)


def check_rope(rope: Any, name: str = "rope") -> float:
    """Return the half width of a region as a float; refuse anything but a finite one from 0."""
    what = (
        "a finite number, 0 or more: differences up to so much, in the unit of the score, are "
        "practically none. 0 is for no such region"
    )
    return check_number(name, rope, least=0, what=what)


@dataclass(frozen=True, kw_only=True, eq=False)
class BestPosterior(Stored, MeansNames):
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

    made_by: ClassVar[str] = "compare_scores(scores, rope=0.01).best_posterior"

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


class BestOfDraws:
    """Counts who is the best, in draws of the scores of all systems that come in blocks.

    Parameters
    ----------
    names : sequence of str
        The systems.
    rope : float
        Differences up to so much are practically none.
    """

    def __init__(self, names: Sequence[str], rope: float) -> None:
        self.names, self.rope = tuple(names), rope
        self._best, self._near = np.zeros(len(names)), np.zeros(len(names))
        self._n = 0

    def add(self, drawn: Numbers) -> None:
        """Count a block of draws, of shape (n_draws, n_systems)."""
        highest = drawn.max(axis=1, keepdims=True)
        noise = _TIED * float(max(drawn.max(initial=0.0), -drawn.min(initial=0.0)))
        first = drawn >= highest - noise
        tied = np.count_nonzero(first, axis=1)
        if tied.max(initial=1) == 1:  # nearly always
            self._best += np.count_nonzero(first, axis=0)
        else:
            self._best += (first / tied[:, None]).sum(axis=0)
        self._near += np.count_nonzero(drawn >= highest - self.rope - noise, axis=0)
        self._n += len(drawn)

    def found(self, seed: int) -> BestPosterior:
        """Return the shares of the draws."""
        return BestPosterior(
            names=self.names,
            rope=self.rope,
            best=self._best / self._n,
            near=self._near / self._n,
            n_draws=self._n,
            seed=seed,
        )


def best_of_pairs(
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    posteriors: Sequence[Posterior],
    seed: int,
) -> BestPosterior | None:
    """Return who is the best by the Student posteriors of all pairs; None without them.

    The differences of all systems from the first follow a multivariate t, whose covariance is
    that of the spreads of all pairs: each pair then has its own posterior again. Where their
    degrees of freedom differ, the law has the median.
    """
    k = len(names)
    if len(pairs) != math.comb(k, 2) or k > _MOST:
        return None
    place = {name: number for number, name in enumerate(names)}
    apart, spreads, degrees = np.zeros((k, k)), np.zeros((k, k)), []
    for (a, b), own in zip(pairs, posteriors, strict=True):
        if not isinstance(own, StudentPosterior) or (own.spread == 0 and own.estimate != 0):
            return None
        i, j = place[a], place[b]
        apart[i, j], apart[j, i] = own.estimate, -own.estimate
        spreads[i, j] = spreads[j, i] = own.spread
        degrees.append(own.df)
    squares = spreads**2
    covariance = (
        squares[:, :1] + squares[:1, :] - squares
    ) / 2  # of differences from the first
    sizes, directions = np.linalg.eigh(covariance)
    kept = sizes > 1e-12 * max(float(sizes.max()), 0.0)
    root = np.sqrt(np.where(kept, sizes, 0.0))[:, None] * directions.T
    df = float(np.median(degrees))
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    counted = BestOfDraws(names, posteriors[0].rope)
    size = max(1, _DRAWN_AT_ONCE // k)
    for start in range(0, _N_DRAWS, size):
        n = min(size, _N_DRAWS - start)
        wide = np.sqrt(df / rng.chisquare(df, (n, 1)))
        counted.add(apart[:, 0] + (rng.standard_normal((n, k)) @ root) * wide)
    return counted.found(seed)
