"""Many systems on many data sets: one strength for each, and what follows of their order."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from skstat.stats._common import MeansNames, Readers, Reference, Stored, procedure
from skstat.stats._literature import (
    BENAVOLI_ET_AL_2015,
    BRADLEY_TERRY_1952,
    PAULI_ET_AL_2011,
    WAINER_2023,
)
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import Preferences, ScoreTable, check_count
from skstat.stats._strengths.preferences import (
    ENOUGH_ITEMS,
    LEVEL,
    Contests,
    WinChances,
    check_preferences,
    contests_asked,
    ends_of_columns,
    fit_strengths,
    shares_of,
    win_chances_of,
)

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

LEAST_SIZE = 400
# The spread of the strengths is looked at on a grid of its logarithm, which has the standard
# deviation 1/2 beforehand.
_LOWEST, _HIGHEST, _POINTS = -3.0, 3.0, 31
_UNIFORM = 0.03  # of the draws lie anywhere on the grid
_LEAST_DF = 8  # fewer than Gaussian tails, where a system won all contests
_BLOCK = 1 << 20  # numbers at a time
_MOST_STEPS = 100


FEWEST_UNITS = 10  # below, win shares are surer than they should be
_REPLICATES = 1000
_NOISE = 0.02


class PoorDrawsError(ValueError):
    """Draws of which a few count for nearly all: they tell too little."""


class Meetings(NamedTuple):
    """Contests of pairs of systems, those that are alike counted together.

    Attributes
    ----------
    n_systems : int
        Number of systems, k.
    first, second : ndarray of int
        Whose contests each row counts.
    wins, losses : ndarray
        Of the first, with the weights of their units.
    side : ndarray or None
        1 where the first was shown first, -1 where second, 0 where that is not known. None
        where sides do not matter.
    """

    n_systems: int
    first: Places
    second: Places
    wins: Numbers
    losses: Numbers
    side: Numbers | None = None


class Draws(NamedTuple):
    """Weighted draws from the posterior.

    Attributes
    ----------
    strengths : ndarray of shape (n_draws, k)
        Logarithms of the odds against a system of strength 0.
    side : ndarray of shape (n_draws,), or None
        The same of being shown first.
    spreads : ndarray of shape (n_draws,)
        Standard deviation of the strengths.
    weights : ndarray of shape (n_draws,)
        What every draw counts; they add up to 1.
    """

    strengths: Numbers
    side: Numbers | None
    spreads: Numbers
    weights: Numbers

    @property
    def effective_size(self) -> float:
        """Number of draws of equal weight that are worth as much."""
        return float(1 / np.sum(self.weights**2))


def draw_strengths(meetings: Meetings, n_draws: int, seed: int) -> Draws:
    """Draw the strengths; four times as many where the first draws are worth too little.

    The strengths are normal about 0 with a spread whose logarithm is normal about 0 with the
    standard deviation 1/2; what the side is worth is standard normal.
    """
    posterior = _Posterior(meetings)
    rng = stream(np.random.SeedSequence(seed))
    for n in (n_draws, 4 * n_draws):
        found = posterior.draw(n, rng)
        if found.effective_size >= LEAST_SIZE:
            return found
    raise PoorDrawsError(
        f"of {4 * n_draws} draws of the strengths {found.effective_size:.0f} count, and "
        f"{LEAST_SIZE} must: so many systems won every contest that the model does not know "
        "by how much. Try more draws (n_draws=), or win_shares, which has no strengths."
    )


class _Posterior:
    """The posterior of strengths and spread, by its modes for spreads on a grid."""

    def __init__(self, meetings: Meetings) -> None:
        self.meetings = meetings
        self.n = meetings.wins + meetings.losses
        self.k = meetings.n_systems
        self.size = self.k + (meetings.side is not None)
        self.grid = np.linspace(_LOWEST, _HIGHEST, _POINTS)
        self.step = float(self.grid[1] - self.grid[0])
        found: list[tuple[Numbers, Numbers]] = []
        start = np.zeros(self.size)
        for log_spread in self.grid[::-1]:  # narrow ones start near what wide ones found
            start, hessian = self._mode(start, float(log_spread))
            found.append((start, linalg.cholesky(hessian, lower=True)))
        self.modes = np.array([mode for mode, _ in found[::-1]])
        self.roots = [root for _, root in found[::-1]]
        self.log_roots = np.array([np.log(np.diag(root)).sum() for root in self.roots])
        mass = self.log_density(self.modes, self.grid) - self.log_roots
        shares = np.exp(mass - mass.max())
        self.shares = (1 - _UNIFORM) * shares / shares.sum() + _UNIFORM / _POINTS

    def _precision(self, log_spread: float) -> Numbers:
        """Return the prior precision of every parameter."""
        found = np.ones(self.size)
        found[: self.k] = math.exp(-2 * log_spread)
        return found

    def _mode(self, start: Numbers, log_spread: float) -> tuple[Numbers, Numbers]:
        """Return the mode given the spread, by Newton's method, and minus the curvature."""
        first, second, wins, _, side = self.meetings[1:]
        prior, found = self._precision(log_spread), start
        for _ in range(_MOST_STEPS):
            chance = special.expit(self._odds(found[None])[0])
            pull = wins - self.n * chance
            slope = np.bincount(first, pull, self.size) - np.bincount(second, pull, self.size)
            weight = self.n * chance * (1 - chance)
            hessian = np.diag(
                np.bincount(first, weight, self.size)
                + np.bincount(second, weight, self.size)
                + prior
            )
            np.add.at(hessian, (first, second), -weight)
            np.add.at(hessian, (second, first), -weight)
            if side is not None:
                slope[-1] = pull @ side
                hessian[-1, -1] = weight @ side**2 + prior[-1]
                across = np.bincount(first, weight * side, self.size)
                across -= np.bincount(second, weight * side, self.size)
                hessian[-1, :-1] = hessian[:-1, -1] = across[:-1]
            move = linalg.solve(hessian, slope - prior * found, assume_a="pos")
            largest = float(np.abs(move).max())
            found = found + move * min(1.0, 2 / max(largest, 1e-300))
            if largest < 1e-10:
                break
        return found, hessian

    def _odds(self, parameters: Numbers) -> Numbers:
        """Return the log odds that the first of each row wins, of every draw."""
        _, first, second, _, _, side = self.meetings
        found = parameters[:, first] - parameters[:, second]
        return found if side is None else found + parameters[:, [-1]] * side

    def log_density(self, parameters: Numbers, log_spreads: Numbers) -> Numbers:
        """Return the logarithm of the density, up to a constant."""
        found = np.empty(len(parameters))
        size = max(1, _BLOCK // len(self.n))
        for start in range(0, len(parameters), size):
            odds = self._odds(parameters[start : start + size])
            gone = odds @ self.meetings.losses
            found[start : start + size] = np.logaddexp(0, -odds) @ -self.n - gone
        squares = (parameters[:, : self.k] ** 2).sum(axis=1)
        found -= squares * np.exp(-2 * log_spreads) / 2 + self.k * log_spreads
        found -= 2 * log_spreads**2
        return found - (parameters[:, self.k :] ** 2).sum(axis=1) / 2

    def draw(self, n_draws: int, rng: np.random.Generator) -> Draws:
        """Draw by Student's t about the modes, and weigh by the density."""
        df = max(_LEAST_DF, self.size)
        cells = rng.choice(len(self.grid), n_draws, p=self.shares)
        log_spreads = self.grid[cells] + self.step * (rng.random(n_draws) - 0.5)
        z = rng.standard_normal((n_draws, self.size))
        z /= np.sqrt(rng.chisquare(df, n_draws) / df)[:, None]
        parameters = np.empty_like(z)
        for cell in np.unique(cells):
            there = cells == cell
            away = linalg.solve_triangular(self.roots[cell], z[there].T, lower=True, trans="T")
            parameters[there] = self.modes[cell] + away.T
        proposed = np.log(self.shares[cells]) + self.log_roots[cells]
        proposed -= (df + self.size) / 2 * np.log1p((z**2).sum(axis=1) / df)
        logs = self.log_density(parameters, log_spreads) - proposed
        weights = np.exp(logs - logs.max())
        return Draws(
            strengths=parameters[:, : self.k],
            side=None if self.size == self.k else parameters[:, -1],
            spreads=np.exp(log_spreads),
            weights=weights / weights.sum(),
        )


class SideChance(NamedTuple):
    """How often the one that is shown first is preferred to an equal one.

    Attributes
    ----------
    mean : float
        Expected chance; 0.5 where the side does not matter.
    low, high : float
        Limits that it is between with a probability of 0.9.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class BradleyTerryPosterior(Stored, MeansNames):
    """Strengths of several systems, and which one is the best.

    Attributes
    ----------
    names : tuple of str
        The systems.
    rope : float
        Differences up to so much were ties, in the unit of the score.
    n_units : int
        Units on which two systems or more have scores.
    wins, met : ndarray of shape (n_pairs,)
        Units on which the first of each pair won, ties counted half, and on which both have
        scores, in the order of ``numpy.triu_indices(k, 1)``.
    strengths, deviations : ndarray of shape (k,)
        Expected strength of every system and its standard deviation: logarithms of odds.
    spread : float
        Expected standard deviation of the strengths of systems like these.
    weight : float
        What a unit counts in the likelihood, on average: 3 / (k + 1) where all have scores.
    model : WinChances
        What follows from the strengths.
    shares : WinChances or None
        The same by :func:`win_shares`, which knows no strengths; None of preferences.
    side : SideChance or None
        What being shown first is worth, where preferences say which one was.
    inside : float
        Share of pairs whose wins are inside the interval that the model predicts, of a level of
        0.9.
    seed : int
        Seed of the draws.
    references : tuple of Reference
        The works that describe it.
    """

    made_by: ClassVar[str] = "bradley_terry(table)"
    _readers: ClassVar[Readers] = {"side": lambda found: found and SideChance(*found)}

    names: tuple[str, ...]
    rope: float
    n_units: int
    wins: np.ndarray
    met: np.ndarray
    strengths: np.ndarray
    deviations: np.ndarray
    spread: float
    weight: float
    model: WinChances
    shares: WinChances | None
    inside: float
    seed: int
    side: SideChance | None = None
    references: tuple[Reference, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All pairs, in the order of the arrays."""
        return tuple(combinations(self.names, 2))

    @property
    def order(self) -> tuple[str, ...]:
        """The systems, the strongest first."""
        places = np.argsort(-self.strengths, kind="stable")
        return tuple(self.names[place] for place in places)

    @property
    def best_probabilities(self) -> dict[str, float]:
        """Probability of every system that it is the best, by the model."""
        return self.model.best_probabilities

    @property
    def outside(self) -> tuple[tuple[str, str], ...]:
        """Pairs whose chance by the model is outside the interval of their win share.

        By more than 0.02: less is an error of drawing, where nothing but ties was seen.
        """
        if self.shares is None:
            return ()
        low, high = self.shares.low - _NOISE, self.shares.high + _NOISE
        out = (self.model.mean < low) | (self.model.mean > high)
        return tuple(pair for pair, far in zip(self.pairs, out.tolist(), strict=True) if far)

    @property
    def fits(self) -> bool:
        """Whether one strength for each system describes which system wins."""
        few_outside = len(self.outside) <= 0.1 * len(self.pairs)
        return self.inside >= 0.8 and few_outside


@procedure(
    when="which of many systems is the best",
    missing_scores=True,
    references=(BRADLEY_TERRY_1952, WAINER_2023, PAULI_ET_AL_2011, BENAVOLI_ET_AL_2015),
    read_as=("bradley_terry", "bbt", "bayesian_bradley_terry", "win_shares"),
)
def bradley_terry(
    table: ScoreTable | Preferences,
    rope: float = 0.0,
    *,
    weight: float | None = None,
    n_draws: int = 8000,
    rng: int | np.random.Generator | None = None,
) -> BradleyTerryPosterior:
    r"""Strengths of several systems by Bradley and Terry's model: which one is the best?

    System i wins against system j on another unit with the chance :math:`1 / (1 +
    e^{\beta_j - \beta_i})` [1]_. The strengths :math:`\beta` are normal about 0 with a standard
    deviation that is log-normal about 1 [2]_.

    The contests of one unit come from one ranking of the systems and are not independent, as
    that likelihood assumes: its intervals are too narrow, the more so the more
    systems there are. Here a unit with k systems counts 3 / (k + 1), the ratio of the variances
    of a number of wins under independence and under rankings of equal systems (a composite
    likelihood of adjusted magnitude [3]_). Beside the strengths stand the shares of wins
    without any model, :func:`win_shares` [4]_.

    Parameters
    ----------
    table : ScoreTable or Preferences
        Scores of k systems on the same units, which are independent of each other. Or
        comparisons of two systems at a time, of which one was preferred.
    rope : float, default=0.0
        Differences from -rope to rope are ties, in the unit of the score. A tie is half a win
        for either.
    weight : float or None, default=None
        What every unit counts; None for 3 / (k + 1) of a unit with k systems. 1 for the model
        as it was published. Of preferences None is for the ratio of the variances of the
        strengths that independent comparisons would have, and that the sums of items have.
    n_draws : int, default=8000
        Number of draws; four times as many where these are worth too little.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    BradleyTerryPosterior
        Its ``best_probabilities``, ``order``, ``strengths``, and of every pair
        ``model.pair(a, b)`` and ``shares.pair(a, b)``.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, units are splits, there are fewer than two, or some
        systems have no unit in common with others, not even through further ones. Also if the
        draws are worth too little, as where many systems won every contest.

    See Also
    --------
    win_shares : Without strengths.
    friedman : The test that all systems are equal.

    Notes
    -----
    Nothing is drawn by Markov chains. For 31 spreads the mode of the strengths is found by
    Newton's method; the draws are Student's t about the modes, and weighted by the posterior
    over the density that they were drawn from. The effective size ``1 / sum(w ** 2)`` must be
    400.

    The chance that i wins against j rests on the contests of both with all others too, so that
    it may point the other way than their own: ``wins`` has those.

    References
    ----------
    .. [1] Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
       The method of paired comparisons. Biometrika, 39(3/4), 324-345.
    .. [2] Wainer, J. (2023). A Bayesian Bradley-Terry model to compare multiple ML algorithms
       on multiple data sets. Journal of Machine Learning Research, 24(341), 1-34.
    .. [3] Pauli, F., Racugno, W. & Ventura, L. (2011). Bayesian composite marginal likelihoods.
       Statistica Sinica, 21(1), 149-164.
    .. [4] Benavoli, A., Corani, G., Mangili, F. & Zaffalon, M. (2015). A Bayesian nonparametric
       procedure for comparing algorithms. ICML, 1264-1272.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import ScoreTable, bradley_terry
    >>> scores = np.random.default_rng(0).normal([0.85, 0.84, 0.80], 0.02, (20, 3))
    >>> table = ScoreTable(scores, systems=["a", "b", "c"], unit="dataset")
    >>> found = bradley_terry(table, rope=0.005, rng=0)
    >>> found.order[-1], found.weight
    ('c', 0.75)
    >>> found.best_probabilities["c"] < 0.01
    True
    """
    check_count("n_draws", n_draws)
    if isinstance(table, Preferences):
        return _of_preferences(table, rope, weight, n_draws, draw_seed(rng))
    contests = contests_asked(table, rope, "bradley_terry")
    if weight is not None:
        contests = _weighing(contests, weight)
    seed = draw_seed(rng)
    return strengths_of(contests, table.names, rope, n_draws, seed)


def strengths_of(
    contests: Contests, names: tuple[str, ...], rope: float, n_draws: int, seed: int
) -> BradleyTerryPosterior:
    """Draw the strengths, and the win shares beside them."""
    first, second = contests.ends
    wins, losses = contests.weighted
    drawn = draw_strengths(
        Meetings(contests.n_systems, first, second, wins, losses), n_draws, seed
    )
    weights, strengths = drawn.weights, drawn.strengths
    means = weights @ strengths

    def chances(places: slice) -> Numbers:
        apart = strengths[:, first[places]] - strengths[:, second[places]]
        return np.asarray(special.expit(apart))

    return BradleyTerryPosterior(
        names=names,
        rope=float(rope),
        n_units=len(contests.results),
        wins=contests.wins,
        met=contests.met,
        strengths=means,
        deviations=np.sqrt(weights @ (strengths - means) ** 2),
        spread=float(weights @ drawn.spreads),
        weight=contests.mean_weight,
        model=win_chances_of(names, chances, strengths, weights),
        shares=shares_of(contests, names, None, seed),
        inside=_inside(first, second, contests.wins, contests.met, drawn, seed),
        seed=seed,
    )


def _of_preferences(
    sample: Preferences, rope: float, weight: float | None, n_draws: int, seed: int
) -> BradleyTerryPosterior:
    """Draw the strengths, and what the side is worth."""
    if rope:
        raise ValueError(
            f"rope={rope!r} is of scores, and preferences have ties; leave it out."
        )
    check_preferences(sample, "bradley_terry")
    names, k = sample.names, len(sample.names)
    weight = _weight_of_items(sample) if weight is None else check_weight(weight)
    cells, cell = np.unique(sample.first * k + sample.second, return_inverse=True)
    ends = (np.asarray(cells // k, dtype=np.intp), np.asarray(cells % k, dtype=np.intp))
    wins = np.bincount(cell, sample.outcomes).astype(float)
    counts = np.bincount(cell).astype(float)
    drawn = draw_strengths(
        Meetings(
            k,
            *ends,
            np.asarray(weight * wins, dtype=float),
            np.asarray(weight * (counts - wins), dtype=float),
            np.ones(len(cells)) if sample.sided else None,
        ),
        n_draws,
        seed,
    )
    weights, strengths = drawn.weights, drawn.strengths
    means = weights @ strengths
    first, second = np.triu_indices(k, 1)
    won, met = _of_pairs(k, ends, wins, counts)
    side = None
    if drawn.side is not None:
        chance = special.expit(drawn.side)
        low, high = ends_of_columns(chance[:, None], weights)[:, 0]
        side = SideChance(float(weights @ chance), float(low), float(high))

    def chances(places: slice) -> Numbers:
        apart = strengths[:, first[places]] - strengths[:, second[places]]
        return np.asarray(special.expit(apart))

    return BradleyTerryPosterior(
        names=names,
        rope=0.0,
        n_units=sample.n_items,
        wins=won,
        met=met,
        strengths=means,
        deviations=np.sqrt(weights @ (strengths - means) ** 2),
        spread=float(weights @ drawn.spreads),
        weight=weight,
        model=win_chances_of(names, chances, strengths, weights),
        shares=None,
        inside=_inside(*ends, wins, counts, drawn, seed),
        seed=seed,
        side=side,
    )


def _weight_of_items(sample: Preferences) -> float:
    """Return what a comparison counts; of few items no more than from a ranking."""
    found = fit_strengths(sample).weight
    if sample.n_items >= ENOUGH_ITEMS:
        return found
    # Of every item: the systems that each one met on it.
    k = len(sample.names)
    met = np.zeros((sample.n_items, k, k), dtype=bool)
    met[sample.items, sample.first, sample.second] = True
    degrees = (met | met.transpose(0, 2, 1)).sum(axis=2)
    by_ranking = 3 * degrees.sum() / np.sum(degrees * (degrees + 2.0))
    repeats = degrees.sum() / 2 / sample.n_comparisons
    return float(min(found, by_ranking * repeats))


def _of_pairs(
    k: int, ends: tuple[Places, Places], wins: Numbers, counts: Numbers
) -> tuple[Numbers, Numbers]:
    """Add up both orders of every pair."""
    won, met = np.zeros((k, k)), np.zeros((k, k))
    won[ends], met[ends] = wins, counts
    total = met + met.T
    won += met.T - won.T
    first, second = np.triu_indices(k, 1)
    return won[first, second], total[first, second]


def _weighing(contests: Contests, weight: float) -> Contests:
    """Give every unit the same weight."""
    return Contests(
        n_systems=contests.n_systems,
        results=contests.results,
        weights=np.full(len(contests.results), check_weight(weight)),
    )


def check_weight(weight: float) -> float:
    """Return what a unit counts as a float."""
    if not 0 < weight <= 1:
        raise ValueError(
            f"weight={weight!r} must be above 0 and at most 1, what a unit counts in the model "
            "as it was published; None for 3 / (k + 1) of a unit with k systems."
        )
    return float(weight)


def _inside(
    first: Places, second: Places, wins: Numbers, counts: Numbers, drawn: Draws, seed: int
) -> float:
    """Share of rows whose wins are inside what the model predicts for as many contests."""
    rng = stream(np.random.SeedSequence(seed).spawn(1)[0])
    n = min(_REPLICATES, len(drawn.weights))
    taken = rng.choice(len(drawn.weights), n, p=drawn.weights)
    strengths = drawn.strengths[taken]
    side = 0.0 if drawn.side is None else drawn.side[taken][:, None]
    tail, found = (1 - LEVEL) / 2, 0
    size = max(1, 1_000_000 // n)
    for start in range(0, len(first), size):
        rows = slice(start, start + size)
        odds = strengths[:, first[rows]] - strengths[:, second[rows]] + side
        again = rng.binomial(counts[rows].astype(int), special.expit(odds))
        low, high = np.quantile(again, [tail, 1 - tail], axis=0)
        met, won = counts[rows] > 0, wins[rows]
        found += int(np.sum(met & (low <= won) & (won <= high)))
    return found / int(np.sum(counts > 0))
