"""Bradley-Terry strengths and win shares of several systems, and which system is the best."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import linalg, sparse, special

from skstat.stats._chance import draw_seed, in_parts, stream
from skstat.stats._counts import Preferences
from skstat.stats._family import Comparison, Student
from skstat.stats._posterior import CredibleInterval, check_rope, decision_of
from skstat.stats._procedure import Reference, procedure, works
from skstat.stats._score_table import ScorePairs, ScoreTable, check_independent
from skstat.stats._scores import PairedScores, check_count, check_enough_units, indices_of
from skstat.stats._stored import Numbers, Stored, SuggestsNames
from skstat.stats._words import NOISE, number

FEWEST_UNITS = 10  # with fewer, the intervals of win shares are too narrow
ENOUGH_ITEMS = 30  # with fewer, sums of items estimate the dependence of comparisons badly
LEVEL = 0.9  # of the intervals that are stored
EVEN = 0.05  # chances this near to one half are practically even
_TIED = 1e-12
_NOISE = 0.02  # Monte Carlo error of a drawn chance
_BLOCK = 1 << 18  # numbers in memory at a time

# The logarithm of the spread of strengths has the standard deviation 1/2 beforehand.
_LOG_SPREADS = np.linspace(-3.0, 3.0, 31)
_UNIFORM = 0.03  # of the draws lie anywhere on this grid
_MIN_DF = 8  # of the proposal: heavier tails than normal, for systems that won all contests
_MIN_SIZE = 400
_REPLICATES = 1000
_MAX_DRAWS, _MIN_DRAWS = 20_000, 4000
_MAX_CHANCES = 4_000_000  # draws of chances
# Prior precision of every strength: a normal law about 0 with the standard deviation 3, so that
# one that won everything has a finite strength.
PRECISION = 1 / 9
_MAX_STEPS = 100
_CLUSTERED = (works.BRADLEY_TERRY_1952, works.LIANG_ZEGER_1986)


class Contests(NamedTuple):
    """Contests of every system, as the first of two (row), with every other (column).

    Attributes
    ----------
    wins, met : ndarray of shape (k, k)
        Wins of the first, ties counted half, and how often the two met.
    sided : bool
        Whether the first was shown first, which may be worth something.
    """

    wins: Numbers
    met: Numbers
    sided: bool = False

    def as_regression(self) -> tuple[Any, Numbers, Numbers]:
        """Return the design of the pairs that met, their wins and how often they met."""
        ends = first, second = np.nonzero(self.met)
        design = _design(len(self.met), first, second, self.sided)
        return design, self.wins[ends], self.met[ends]


def _design(k: int, first: Any, second: Any, sided: bool) -> Any:
    """Return a sparse row per pair; its product with strengths and side is the log odds."""
    unit = sparse.eye_array(k, format="csr")
    contrasts = unit[first] - unit[second]
    side = [np.ones((len(first), 1))] * sided
    return sparse.hstack([contrasts, *side], format="csr")


def contests_of(sample: Preferences) -> Contests:
    """Count the wins and the contests of all pairs."""
    wins, met = np.zeros((2, len(sample.names), len(sample.names)))
    np.add.at(wins, (sample.first, sample.second), sample.outcomes)
    np.add.at(met, (sample.first, sample.second), 1.0)
    return Contests(wins, met, sample.sided)


def check_connected(met: Numbers, names: tuple[str, ...]) -> None:
    """Raise ValueError if no chain of contests connects some systems with the others."""
    from scipy.sparse.csgraph import connected_components

    part = connected_components(met, directed=False)[1]
    largest, *others = np.argsort(-np.bincount(part), kind="stable")
    if others:
        alone = ", ".join(names[i] for i in np.flatnonzero(part == others[0]))
        raise ValueError(
            f"no units connect {alone} and {names[np.argmax(part == largest)]}; leave one out."
        )


def check_preferences(sample: Preferences, procedure_name: str) -> None:
    """Raise ValueError if there are too few items, or systems are not connected."""
    if sample.n_items < 2:
        got = f"got {sample.n_items}; with item=None every comparison is one"
        raise ValueError(f"{procedure_name} needs two items or more, {got}.")
    check_connected(contests_of(sample).met, sample.names)


def mode(contests: Contests, prior: Numbers, start: Numbers) -> tuple[Numbers, Numbers]:
    """Return the posterior mode of the strengths, by Newton's method, and minus its Hessian.

    `prior` is the precision of each about 0; the effect of the side comes last, if any.
    """
    (design, wins, met), beta = contests.as_regression(), start
    for _ in range(_MAX_STEPS):
        chance = special.expit(design @ beta)
        slope = design.T @ (wins - met * chance) - prior * beta
        weighted = design.multiply((met * chance * (1 - chance))[:, None])
        hessian = np.diag(prior) + (design.T @ weighted).toarray()
        move = linalg.solve(hessian, slope, assume_a="pos")
        largest = float(np.abs(move).max())
        beta = beta + move * min(1.0, 2 / max(largest, 1e-300))
        if largest < 1e-10:
            break
    return beta, hessian


def fit_strengths(sample: Preferences) -> tuple[Numbers, Numbers, Numbers]:
    """Fit strengths to preferences, and the effect of the side.

    Returns
    -------
    strengths : ndarray of shape (k,)
        Logarithms of odds; their sum is 0.
    slopes : ndarray of shape (n_items, k) or (n_items, k + 1)
        Slopes of the logarithm of the likelihood of every item less their mean, that of the
        side last.
    information : ndarray
        Minus its curvature, with that of the prior.
    """
    k, n = len(sample.names), sample.n_comparisons
    design = _design(k, sample.first, sample.second, sample.sided)
    prior = np.full(k + sample.sided, PRECISION)
    beta, information = mode(contests_of(sample), prior, np.zeros(k + sample.sided))
    residuals = sample.outcomes - special.expit(design @ beta)
    positions = sample.items, np.arange(n)
    by_item = sparse.csr_array((residuals, positions), shape=(sample.n_items, n))
    slopes = (by_item @ design).toarray()
    return beta[:k], slopes - slopes.mean(axis=0), information


@procedure(references=_CLUSTERED)
def strength_table(sample: Preferences) -> ScoreTable:
    """Strengths of several systems by preferences, as a table that tests can be applied to.

    A system is preferred to another one with the chance ``1 / (1 + exp(-(a - b + side)))``,
    with their strengths a and b [1]_; `side` is what being shown first is worth. The table has
    a row for each item: the strengths, and what the item moves them by, times the number of
    items. The mean of a column is the strength, and its sample variance over the number of
    items the variance of that, whatever the dependence of comparisons on one item [2]_.

    Parameters
    ----------
    sample : Preferences
        Comparisons of two systems or more.

    Returns
    -------
    ScoreTable
        One column per system.

    Raises
    ------
    ValueError
        If there are fewer than two items, or systems that no comparison connects.

    See Also
    --------
    bradley_terry : The same model with a prior: how probable it is that each is the best.
    strength_t : The test of two of the columns.

    Notes
    -----
    Strengths are drawn a little towards 0, by a normal law with a standard deviation of 3: a
    system that was always preferred would have an infinite one.

    References
    ----------
    .. [1] Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
       The method of paired comparisons. Biometrika, 39(3/4), 324-345.
    .. [2] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized
       linear models. Biometrika, 73(1), 13-22.

    Examples
    --------
    >>> from skstat.stats import Preferences, strength_table
    >>> seen = Preferences(["a", "b"] * 20, ["b", "a"] * 20, [1, 0, 1, 0, 0, 1, 1, 0] * 5)
    >>> table = strength_table(seen)
    >>> table.n_units, bool(table.scores.mean(axis=0)[0] > 0)
    (40, True)
    """
    check_preferences(sample, "strength_table")
    strengths, slopes, information = fit_strengths(sample)
    moves = len(slopes) * linalg.solve(information, slopes.T, assume_a="pos").T
    return ScoreTable(
        # In one order of memory, sums have the same rounding once they are restored.
        np.ascontiguousarray(strengths + moves[:, : len(strengths)]),
        systems=sample.names,
        unit="instance",
        n_items=len(slopes),
    )


@procedure(t_of_mean=True, needs="n_items", references=_CLUSTERED)
def strength_t(
    sample: PairedScores | ScorePairs, *, alternative: str = "two-sided"
) -> Comparison:
    """Test whether two systems have the same strength, by the sums of items.

    Student's t of the mean over items of what they say of both strengths, with one degree of
    freedom less than there are items: a cluster-robust Wald test of a Bradley-Terry model [1]_
    [2]_.

    Parameters
    ----------
    sample : PairedScores
        Two columns of a :class:`ScoreTable`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is the stronger one.

    Returns
    -------
    Comparison
        Its ``estimate`` is the difference of the strengths: the logarithm of the odds that A is
        preferred to B, shown on sides that favour none.

    Raises
    ------
    ValueError
        If there are fewer than two items.

    See Also
    --------
    strength_table : Makes the sample.

    References
    ----------
    .. [1] Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I.
       The method of paired comparisons. Biometrika, 39(3/4), 324-345.
    .. [2] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized
       linear models. Biometrika, 73(1), 13-22.

    Examples
    --------
    >>> from skstat.stats import Preferences, strength_t, strength_table
    >>> seen = Preferences(["a", "b"] * 20, ["b", "a"] * 20, [1, 0, 1, 0, 0, 1, 1, 0] * 5)
    >>> outcome = strength_t(strength_table(seen).pair("a", "b"))
    >>> outcome.df, round(outcome.effect_sizes["chance to be preferred"], 1)
    (39, 0.7)
    """
    check_enough_units(sample, 2, "strength_t")
    error = sample.spread / float(np.sqrt(sample.n_units))
    null = {"two-sided": "equal to", "greater": "at most", "less": "at least"}[alternative]
    return Comparison(
        test="cluster-robust Wald test of strengths",
        estimand="strength(A) - strength(B), the logarithm of odds",
        null_hypothesis=f"strength(A) is {null} strength(B)",
        alternative=alternative,
        assumptions=(
            "the items are independent of each other",
            "there is one strength for each system",
            "there are enough items, and comparisons of every system",
        ),
        effect_sizes={"chance to be preferred": number(special.expit(sample.mean))},
        law=Student(estimate=sample.mean, standard_error=error, df=sample.n_units - 1),
    )


def _results(table: ScoreTable, rope: float, procedure_name: str) -> Numbers:
    """Return the results of all pairs on every unit, shape (n_units, n_pairs).

    1 where the first wins, 0.5 for a tie, 0 where the second wins, nan if a score is missing.
    Differences up to `rope` are ties. Units with a single score are left out.
    """
    check_independent(table, procedure_name)
    first, second = np.triu_indices(table.n_systems, 1)
    # Ranks are not changed by float noise.
    values = -table.ranks if check_rope(rope) == 0 else table.scores
    differences = values[:, first] - values[:, second]
    size = np.nan_to_num(np.abs(differences)).max(axis=0, initial=0.0)
    border = rope + NOISE * np.maximum(rope, size)
    ahead = np.sign(np.where(np.abs(differences) <= border, 0.0, differences))
    results = ((ahead + 1) / 2)[(~table.missing).sum(axis=1) > 1]
    if len(results) < 2:
        raise ValueError(f"{procedure_name} needs two units or more, got {len(results)}.")
    check_connected(_add_results(results, table.n_systems).met, table.names)
    return results


def _add_results(results: Numbers, k: int, weights: Numbers | None = None) -> Contests:
    """Add up the results of all units, each with its weight."""
    of_units = np.ones(len(results)) if weights is None else weights
    wins, met = np.zeros((2, k, k))
    pairs = np.triu_indices(k, 1)
    wins[pairs] = of_units @ np.nan_to_num(results)
    met[pairs] = of_units @ ~np.isnan(results)
    return Contests(wins, met)


class PairChances(NamedTuple):
    """How often A wins against B on units like these, ties counted half.

    Attributes
    ----------
    mean : float
        Expected chance that A wins on another unit.
    better : float
        Probability that the chance is above one half.
    even : float
        Probability that it is between 0.45 and 0.55: practically even.
    interval : CredibleInterval
        Limits that the chance is between with a probability of 0.9.
    """

    mean: float
    better: float
    even: float
    interval: CredibleInterval

    def decision(self, probability: float = 0.95) -> str:
        """Name what has a probability of at least so much.

        Parameters
        ----------
        probability : float, default=0.95
            How probable it must be; above 0.5.

        Returns
        -------
        str
            ``"same"`` where the chance is practically even, else ``"better"`` or ``"worse"``,
            of A, or ``"undecided"``.
        """
        chances = {"same": self.even, "better": self.better, "worse": 1 - self.better}
        return decision_of(chances, probability)


@dataclass(frozen=True, kw_only=True, eq=False)
class WinChances(Stored, SuggestsNames):
    """How often each system wins against each other one, and which one is the best.

    Attributes
    ----------
    names : tuple of str
        The systems.
    mean, better, even, low, high : ndarray of shape (n_pairs,)
        What :meth:`pair` tells of every pair, in the order of ``numpy.triu_indices(k, 1)``.
    best : ndarray of shape (k,)
        Probability of every system that it is the best.
    n_draws : int
        Draws behind them.
    effective_size : float
        Draws of equal weight that these are worth.
    """

    names: tuple[str, ...]
    mean: np.ndarray
    better: np.ndarray
    even: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray
    n_draws: int
    effective_size: float

    def pair(self, a: str, b: str) -> PairChances:
        """Return how often one system wins against another.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        PairChances
            Of `a` against `b`.
        """
        first, second = places = indices_of(self.names, (a, b))
        if first == second:
            raise ValueError(f"{a!r} does not meet itself; name two systems.")
        i, j = sorted(places)
        index = i * len(self.names) - i * (i + 1) // 2 + j - i - 1
        columns = (self.mean, self.better, self.even, self.low, self.high)
        mean, better, even, low, high = (float(column[index]) for column in columns)
        if first > second:
            mean, better, low, high = 1 - mean, 1 - better, 1 - high, 1 - low
        return PairChances(mean, better, even, CredibleInterval(low, high))

    @property
    def best_probabilities(self) -> dict[str, float]:
        """Probability of every system that it is the best, the most probable first."""
        chances = dict(zip(self.names, self.best.tolist(), strict=True))
        return dict(sorted(chances.items(), key=lambda item: -item[1]))


def _win_chances(
    names: tuple[str, ...], chances: Any, levels: Numbers, weights: Numbers
) -> WinChances:
    """Summarise draws of chances, each with its weight.

    `chances` returns those of a slice of the pairs, (n_draws, n_slice); `levels` ranks the
    systems in every draw, (n_draws, k), a higher one being better.
    """
    n_draws, n_pairs = len(levels), math.comb(len(names), 2)
    summary = np.empty((5, n_pairs))
    for pairs in in_parts(n_pairs, n_draws, _BLOCK):
        drawn = chances(pairs)
        lead = drawn - 0.5
        above = (lead > _TIED) + (np.abs(lead) <= _TIED) / 2
        near = np.abs(lead) <= EVEN + _TIED
        summary[:3, pairs] = weights @ drawn, weights @ above, weights @ near
        summary[3:, pairs] = _limits(drawn, weights)
    mean, better, even, low, high = summary
    first = levels >= levels.max(axis=1, keepdims=True) - _TIED
    best = weights @ (first / first.sum(axis=1, keepdims=True))
    better, even, best = (np.clip(values, 0.0, 1.0) for values in (better, even, best))
    return WinChances(
        names=names, mean=mean, better=better, even=even, low=low, high=high, best=best,
        n_draws=n_draws, effective_size=float(1 / np.sum(weights**2)),
    )  # fmt: skip


def _limits(drawn: Numbers, weights: Numbers) -> Any:
    """Return the equal-tailed limits of every column."""
    tail = (1 - LEVEL) / 2
    options: dict[str, Any] = {"weights": weights, "method": "inverted_cdf"}
    return np.quantile(drawn, [tail, 1 - tail], axis=0, **options)


@procedure(missing_scores=True, references=(works.BENAVOLI_ET_AL_2015, works.RUBIN_1981))
def win_shares(
    table: ScoreTable,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> WinChances:
    """Shares of units on which each system wins against each other one, without a model.

    The units have weights that follow a Dirichlet law, with 1 for every unit, and 1 for one
    that was not seen, on which all systems tie [1]_ [2]_. The share of a pair is the weight of
    the units on which the first wins, ties counted half. Nothing is assumed of how systems
    depend on each other: A may win against B, B against C, and C against A.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units, which are independent of each other.
    rope : float, default=0.0
        Differences from -rope to rope are ties, in the unit of the score.
    n_draws : int or None, default=None
        Number of draws; None for 20 000, and fewer where there are many pairs.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    WinChances
        Of every pair the expected share, and how probable it is that it is above one half;
        of every system how probable it is that its mean share is the largest.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, units are splits, there are fewer than two, or some
        systems have no unit in common with others, not even through further ones.

    See Also
    --------
    bradley_terry : A model with one strength for every system.
    sign_posterior : Of two systems, with a probability of a tie.

    Notes
    -----
    With fewer than ten units the intervals are too narrow. Where a score is missing the shares
    of a pair are those of the units that both have scores on.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Mangili, F. & Zaffalon, M. (2015). A Bayesian nonparametric
       procedure for comparing algorithms. ICML, 1264-1272.
    .. [2] Rubin, D. B. (1981). The Bayesian bootstrap. The Annals of Statistics, 9(1), 130-134.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, win_shares
    >>> scores = {"a": [5, 7, 6, 8, 9, 7, 6, 5, 8, 7], "b": [4, 6, 7, 7, 8, 6, 5, 4, 7, 6]}
    >>> result = win_shares(ScoreTable(scores, unit="dataset"), rng=0)
    >>> round(result.pair("a", "b").mean, 2)  # (9 + 1/2) / 11
    0.86
    """
    results = _results(table, rope, "win_shares")
    won, scored = np.nan_to_num(results), ~np.isnan(results)
    n_units, n_pairs = results.shape
    if n_draws is None:
        n_draws = int(np.clip(_MAX_CHANCES // n_pairs, _MIN_DRAWS, _MAX_DRAWS))
    n_draws = check_count("n_draws", n_draws)
    rng = stream(np.random.SeedSequence(draw_seed(rng)))
    units = rng.standard_exponential((n_draws, n_units))
    unseen = rng.standard_gamma(1.0, (n_draws, 1))

    def chances(pairs: slice) -> Numbers:
        total = units @ scored[:, pairs] + unseen
        return np.asarray((units @ won[:, pairs] + unseen / 2) / total)

    # The level of a system is the share of its contests that it wins.
    k = table.n_systems
    first, second = (np.eye(k)[ends] for ends in np.triu_indices(k, 1))
    of_systems = won @ first + (scored - won) @ second
    levels = units @ of_systems + unseen * (k - 1) / 2
    levels /= units @ (scored @ (first + second)) + unseen * (k - 1)
    return _win_chances(table.names, chances, levels, np.full(n_draws, 1 / n_draws))


def _draw(contests: Contests, n_draws: int, rng: np.random.Generator) -> tuple[Numbers, ...]:
    """Draw strengths by importance sampling, from Student's t about their modes.

    Returns the strengths, as log odds against a system of strength 0, with the effect of being
    shown first last; their standard deviations; and the weights of the draws, which sum to 1.

    The strengths are normal about 0 with a spread whose logarithm is normal about 0 with the
    standard deviation 1/2; the effect of the side is standard normal. The modes are those
    given spreads on a grid.
    """
    k, grid = len(contests.wins), _LOG_SPREADS
    (design, wins, met), size = contests.as_regression(), k + contests.sided

    def log_density(parameters: Numbers, log_spreads: Numbers) -> Numbers:
        squares = (parameters[:, :k] ** 2).sum(axis=1)
        log_p = -squares * np.exp(-2 * log_spreads) / 2 - k * log_spreads - 2 * log_spreads**2
        log_p -= (parameters[:, k:] ** 2).sum(axis=1) / 2
        for rows in in_parts(len(parameters), len(met), 4 * _BLOCK):
            odds = (design @ parameters[rows].T).T
            log_p[rows] -= np.logaddexp(0, -odds) @ met + odds @ (met - wins)
        return log_p

    modes, roots = np.empty((len(grid), size)), np.empty((len(grid), size, size))
    start = np.zeros(size)
    for i in reversed(range(len(grid))):  # each starts at the mode of the wider spread
        prior = np.where(np.arange(size) < k, math.exp(-2 * grid[i]), 1.0)
        start, hessian = mode(contests, prior, start)
        modes[i], roots[i] = start, linalg.cholesky(hessian, lower=True)
    log_roots = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    mass = log_density(modes, grid) - log_roots
    shares = np.exp(mass - mass.max())
    shares = (1 - _UNIFORM) * shares / shares.sum() + _UNIFORM / len(grid)

    df = max(_MIN_DF, size)
    cells = rng.choice(len(grid), n_draws, p=shares)
    log_spreads = grid[cells] + (grid[1] - grid[0]) * (rng.random(n_draws) - 0.5)
    z = rng.standard_normal((n_draws, size))
    z /= np.sqrt(rng.chisquare(df, n_draws) / df)[:, None]
    parameters = modes[cells]
    for cell in np.unique(cells):
        chosen = cells == cell
        moves = linalg.solve_triangular(roots[cell], z[chosen].T, lower=True, trans="T")
        parameters[chosen] += moves.T
    proposed = np.log(shares[cells]) + log_roots[cells]
    proposed -= (df + size) / 2 * np.log1p((z**2).sum(axis=1) / df)
    logs = log_density(parameters, log_spreads) - proposed
    weights = np.exp(logs - logs.max())
    return parameters, np.exp(log_spreads), weights / weights.sum()


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
class BradleyTerryPosterior(Stored, SuggestsNames):
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

    example: ClassVar[str] = "bradley_terry(table)"
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
        return tuple(self.names[i] for i in places)

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
    references=(
        works.BRADLEY_TERRY_1952,
        works.WAINER_2023,
        works.PAULI_ET_AL_2011,
        works.BENAVOLI_ET_AL_2015,
    ),
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
    >>> result = bradley_terry(table, rope=0.005, rng=0)
    >>> result.order[-1], result.weight
    ('c', 0.75)
    >>> result.best_probabilities["c"] < 0.01
    True
    """
    check_count("n_draws", n_draws)
    if weight is not None and not 0 < weight <= 1:
        raise ValueError(f"weight={weight!r} must be above 0 and at most 1, or None.")
    names, k = table.names, len(table.names)
    if isinstance(table, Preferences):
        if rope:
            raise ValueError(f"rope={rope!r} is of scores, not of preferences; leave it out.")
        check_preferences(table, "bradley_terry")
        seen, n_units = contests_of(table), table.n_items
        mean_weight = _weight_of_items(table) if weight is None else float(weight)
        weighted = seen._replace(wins=mean_weight * seen.wins, met=mean_weight * seen.met)
    else:
        results = _results(table, rope, "bradley_terry")
        n_units, seen = len(results), _add_results(results, k)
        # The contests of one unit come from one ranking. If all systems are equal, the number
        # of wins of one has the variance (k^2 - 1) / 12, and not (k - 1) / 4, as if they were
        # independent; 3 / (k + 1) is the ratio of the two.
        sizes = (~table.missing).sum(axis=1)
        of_units = 3 / (sizes[sizes > 1] + 1.0) if weight is None else np.full(n_units, weight)
        mean_weight, weighted = float(of_units.mean()), _add_results(results, k, of_units)
    seed = draw_seed(rng)
    rng = stream(np.random.SeedSequence(seed))
    for n in (n_draws, 4 * n_draws):
        parameters, spreads, weights = _draw(weighted, n, rng)
        size = 1 / np.sum(weights**2)
        if size >= _MIN_SIZE:
            break
    else:
        raise ValueError(
            f"of {n} draws of the strengths {size:.0f} count, and {_MIN_SIZE} must: too many "
            "systems won every contest. Try n_draws=, or win_shares, which has no strengths."
        )
    strengths = parameters[:, :k]
    means = weights @ strengths
    first, second = pairs = np.triu_indices(k, 1)

    def chances(columns: slice) -> Numbers:
        lead = strengths[:, first[columns]] - strengths[:, second[columns]]
        return np.asarray(special.expit(lead))

    side = None
    if seen.sided:
        chance = special.expit(parameters[:, k])
        side = SideChance(float(weights @ chance), *_limits(chance, weights).tolist())
    return BradleyTerryPosterior(
        names=names,
        rope=float(rope),
        n_units=n_units,
        wins=(seen.wins + (seen.met - seen.wins).T)[pairs],
        met=(seen.met + seen.met.T)[pairs],
        strengths=means,
        deviations=np.sqrt(weights @ (strengths - means) ** 2),
        spread=float(weights @ spreads),
        weight=mean_weight,
        model=_win_chances(names, chances, strengths, weights),
        shares=None if isinstance(table, Preferences) else win_shares(table, rope, rng=seed),
        inside=_inside(seen, parameters, weights, seed),
        seed=seed,
        side=side,
    )


def _weight_of_items(sample: Preferences) -> float:
    """Return the weight of a comparison, relative to an independent one.

    It is the ratio of the summed variances of the estimates: by the curvature, which treats
    comparisons as independent, and by the sums of items. With few items it is at most the
    weight that comparisons have in a ranking.
    """
    _, slopes, information = fit_strengths(sample)
    n = len(slopes)
    products = slopes.T @ slopes * (n / max(1, n - 1))
    values, vectors = np.linalg.eigh(information)
    # Only the prior determines the sum of all strengths: that direction is left out.
    estimable = values > 1.5 * PRECISION
    inverse = (vectors[:, estimable] / values[estimable]) @ vectors[:, estimable].T
    weight = min(1.0, estimable.sum() / max(np.trace(inverse @ products), 1e-300))
    if n >= ENOUGH_ITEMS:
        return float(weight)
    # The number of opponents of every system on every item.
    k = len(sample.names)
    met = np.zeros((n, k, k), dtype=bool)
    met[sample.items, sample.first, sample.second] = True
    degrees = (met | met.transpose(0, 2, 1)).sum(axis=2)
    by_ranking = 3 * degrees.sum() / np.sum(degrees * (degrees + 2.0))
    repeats = degrees.sum() / 2 / sample.n_comparisons
    return float(min(weight, by_ranking * repeats))


def _inside(contests: Contests, parameters: Numbers, weights: Numbers, seed: int) -> float:
    """Return the share of pairs whose wins lie in the model's predictive interval."""
    rng = stream(np.random.SeedSequence(seed).spawn(1)[0])
    n, (design, wins, met) = min(_REPLICATES, len(weights)), contests.as_regression()
    parameters = parameters[rng.choice(len(weights), n, p=weights)]
    tail, n_inside = (1 - LEVEL) / 2, 0
    for rows in np.array_split(np.arange(len(met)), -(-len(met) * n // 1_000_000)):
        odds = (design[rows] @ parameters.T).T
        replicates = rng.binomial(met[rows].astype(int), special.expit(odds))
        low, high = np.quantile(replicates, [tail, 1 - tail], axis=0)
        n_inside += int(np.sum((low <= wins[rows]) & (wins[rows] <= high)))
    return n_inside / len(met)
