"""Strengths from preferences: their estimates by items, and how the items move them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from skstat.stats._common import MeansNames, Stored, procedure
from skstat.stats._literature import (
    BENAVOLI_ET_AL_2015,
    BRADLEY_TERRY_1952,
    LIANG_ZEGER_1986,
    RUBIN_1981,
)
from skstat.stats._outcomes import (
    NOISE,
    Comparison,
    CredibleInterval,
    Student,
    check_level,
    check_rope,
)
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import (
    PairedStrengths,
    Preferences,
    ScoreTable,
    StrengthTable,
    check_alternative,
    check_count,
    check_enough_units,
    check_independent,
)

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


# Prior precision of every strength: a normal law about 0 with the standard deviation 3, so that
# one that won everything has a finite strength.
_PRECISION = 1 / 9
_MOST_STEPS = 100
# Below, the sums of items say too little of how they depend on each other.
ENOUGH_ITEMS = 30


LEVEL = 0.9  # of the intervals that are kept
EVEN = 0.05  # chances so near to one half are practically even
_TIED = 1e-12
_BLOCK = 1 << 18  # numbers at a time


_MOST_DRAWS, _LEAST_DRAWS = 20_000, 4000
_NUMBERS = 4_000_000  # draws of chances
STRENGTH = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Contests:
    """Results of every pair of systems on every unit, and what one unit counts.

    The pairs are those of ``numpy.triu_indices(k, 1)``.

    Attributes
    ----------
    n_systems : int
        Number of systems, k.
    results : ndarray of shape (n_units, n_pairs)
        1 where the first of a pair wins, 0 where the second does, 0.5 of a tie; nan where they
        did not meet.
    weights : ndarray of shape (n_units,)
        What every unit counts in a likelihood that treats its contests as independent.
    """

    n_systems: int
    results: Numbers
    weights: Numbers

    @cached_property
    def ends(self) -> tuple[Places, Places]:
        """Places of both systems of every pair."""
        return np.triu_indices(self.n_systems, 1)

    @cached_property
    def met(self) -> Numbers:
        """Units on which each pair met."""
        return np.asarray((~np.isnan(self.results)).sum(axis=0), dtype=float)

    @cached_property
    def wins(self) -> Numbers:
        """Units on which the first of each pair won, ties counted half."""
        return np.asarray(np.nansum(self.results, axis=0))

    @cached_property
    def weighted(self) -> tuple[Numbers, Numbers]:
        """Wins and losses of the first of each pair, each unit with its weight."""
        wins = self.weights @ np.nan_to_num(self.results)
        return wins, self.weights @ ~np.isnan(self.results) - wins

    @property
    def mean_weight(self) -> float:
        """Mean weight of a unit."""
        return float(self.weights.mean())

    def sets_apart(self) -> list[list[int]]:
        """Return the sets of systems that no contest connects, the largest first."""
        first, second = self.ends
        return joined_sets(self.n_systems, first[self.met > 0], second[self.met > 0])


def joined_sets(n_systems: int, first: Places, second: Places) -> list[list[int]]:
    """Return the sets of systems that pairs connect, the largest first."""
    parent = np.arange(n_systems)
    for a, b in zip(first, second, strict=True):
        if parent[a] != parent[b]:
            parent[parent == parent[b]] = parent[a]
    found = [np.flatnonzero(parent == root).tolist() for root in np.unique(parent)]
    return sorted(found, key=len, reverse=True)


def check_sets(sets: list[list[int]], names: tuple[str, ...]) -> None:
    """Refuse systems that no contest connects with the others."""
    largest, *others = sets
    if others:
        apart = ", ".join(names[place] for place in others[0])
        raise ValueError(
            f"{apart} and {names[largest[0]]} have no unit in common, not even through other "
            "systems, so that they cannot be compared; leave one out."
        )


def contests_of_table(table: ScoreTable, rope: float) -> Contests:
    """Read which system wins on every unit of a table; differences up to `rope` are ties.

    The contests of one unit come from one ranking. If all systems are equal, the number of wins
    of one has the variance (k^2 - 1) / 12 on a unit, and not (k - 1) / 4, as if the contests
    were independent. A unit with k_d systems counts 3 / (k_d + 1), the ratio of the two.
    """
    if rope == 0:
        first, second = np.triu_indices(table.n_systems, 1)
        results = _of_levels(table, first, second)
    else:
        results = _beyond(table, rope)
    n_there = (~table.missing).sum(axis=1)
    kept = n_there > 1
    return Contests(
        n_systems=table.n_systems,
        results=results[kept],
        weights=3 / (n_there[kept] + 1.0),
    )


def _of_levels(table: ScoreTable, first: Places, second: Places) -> Numbers:
    """Compare scores as ranks do, which float noise does not change."""
    ranks = table.ranks
    return np.asarray((np.sign(ranks[:, second] - ranks[:, first]) + 1) / 2)


def _beyond(table: ScoreTable, rope: float) -> Numbers:
    first, second = np.triu_indices(table.n_systems, 1)
    differences = table.scores[:, first] - table.scores[:, second]
    size = np.nan_to_num(np.abs(differences)).max(axis=0, initial=0.0)
    border = rope + NOISE * np.maximum(rope, size)
    ahead = (differences > border).astype(float) - (differences < -border)
    return np.where(np.isnan(differences), np.nan, (ahead + 1) / 2)


class FittedStrengths(NamedTuple):
    """Strengths that suit the preferences best, and what every item says of them.

    Attributes
    ----------
    strengths : ndarray of shape (k,)
        Logarithms of odds; their sum is 0.
    side : float or None
        The same of being shown first; None where sides are not known.
    slopes : ndarray of shape (n_items, k) or (n_items, k + 1)
        Slopes of the logarithm of the likelihood of every item, that of the side last.
    information : ndarray
        Minus its curvature, with that of the prior.
    """

    strengths: Numbers
    side: float | None
    slopes: Numbers
    information: Numbers

    @property
    def moves(self) -> Numbers:
        """How far every item moves the estimates, times the number of items."""
        centred = self.slopes - self.slopes.mean(axis=0)
        return np.asarray(
            len(centred) * linalg.solve(self.information, centred.T, assume_a="pos").T
        )

    @property
    def weight(self) -> float:
        """What a comparison counts, of an independent one.

        The ratio of the variances of the estimates, added up: by the curvature, which treats
        comparisons as independent, and by the sums of items.
        """
        centred = self.slopes - self.slopes.mean(axis=0)
        n = len(centred)
        products = centred.T @ centred * (n / max(1, n - 1))
        values, vectors = np.linalg.eigh(self.information)
        # The sum of all strengths is known by the prior alone.
        known = values > 1.5 * _PRECISION
        inverse = (vectors[:, known] / values[known]) @ vectors[:, known].T
        return float(min(1.0, known.sum() / max(np.trace(inverse @ products), 1e-300)))


def fit_strengths(sample: Preferences) -> FittedStrengths:
    """Fit strengths, and what the side is worth, by Newton's method."""
    k, n = len(sample.names), sample.n_comparisons
    size = k + sample.sided
    rows = np.arange(n)
    design = np.zeros((n, size))
    design[rows, sample.first] = 1.0
    design[rows, sample.second] = -1.0
    if sample.sided:
        design[:, -1] = 1.0
    # Comparisons that are alike are added up.
    cells = sample.first * k + sample.second
    _, where, cell = np.unique(cells, return_index=True, return_inverse=True)
    alike, counts = design[where], np.bincount(cell).astype(float)
    wins = np.bincount(cell, sample.outcomes)
    found = np.zeros(size)
    for _ in range(_MOST_STEPS):
        chance = special.expit(alike @ found)
        slope = alike.T @ (wins - counts * chance) - _PRECISION * found
        weight = counts * chance * (1 - chance)
        information = alike.T @ (weight[:, None] * alike) + _PRECISION * np.eye(size)
        move = linalg.solve(information, slope, assume_a="pos")
        largest = float(np.abs(move).max())
        found = found + move * min(1.0, 2 / max(largest, 1e-300))
        if largest < 1e-10:
            break
    residuals = sample.outcomes - special.expit(design @ found)
    slopes = np.zeros((sample.n_items, size))
    np.add.at(slopes, (sample.items, sample.first), residuals)
    np.add.at(slopes, (sample.items, sample.second), -residuals)
    if sample.sided:
        np.add.at(slopes[:, -1], sample.items, residuals)
    return FittedStrengths(
        found[:k], float(found[-1]) if sample.sided else None, slopes, information
    )


@procedure(references=(BRADLEY_TERRY_1952, LIANG_ZEGER_1986))
def strength_table(sample: Preferences) -> StrengthTable:
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
    StrengthTable
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
    found = fit_strengths(sample)
    k = len(sample.names)
    return StrengthTable(
        # In one order of memory, sums have the same rounding once they are restored.
        np.ascontiguousarray(found.strengths + found.moves[:, :k]),
        systems=sample.names,
        unit="instance",
        n_comparisons=sample.n_comparisons,
    )


def check_preferences(sample: Preferences, procedure_name: str) -> None:
    """Refuse what has no strengths that can be compared."""
    if sample.n_items < 2:
        raise ValueError(
            f"{procedure_name} needs two items or more, got {sample.n_items}: items are what "
            "is independent of each other. With item=None every comparison is one."
        )
    check_sets(joined_sets(len(sample.names), sample.first, sample.second), sample.names)


@procedure(t_of_mean=True, references=(BRADLEY_TERRY_1952, LIANG_ZEGER_1986))
def strength_t(sample: PairedStrengths, *, alternative: str = "two-sided") -> Comparison:
    """Test whether two systems have the same strength, by the sums of items.

    Student's t of the mean over items of what they say of both strengths, with one degree of
    freedom less than there are items: a cluster-robust Wald test of a Bradley-Terry model [1]_
    [2]_.

    Parameters
    ----------
    sample : PairedStrengths
        Two columns of a :class:`StrengthTable`.
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
    check_alternative(alternative)
    check_enough_units(sample, 2, "strength_t")
    error = sample.spread / math.sqrt(sample.n_units)
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
        effect_sizes={"chance to be preferred": float(special.expit(sample.mean))},
        law=Student(estimate=sample.mean, standard_error=error, df=sample.n_units - 1),
    )


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

    @property
    def turned(self) -> "PairChances":
        """The same of B against A."""
        low, high = self.interval
        return PairChances(
            1 - self.mean, 1 - self.better, self.even, CredibleInterval(1 - high, 1 - low)
        )

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
        check_level(probability, name="probability")
        if probability <= 0.5:
            raise ValueError(f"probability={probability!r} must be above 0.5; write 0.95.")
        if self.even >= probability:
            return "same"
        if self.better >= probability:
            return "better"
        return "worse" if 1 - self.better >= probability else "undecided"


@dataclass(frozen=True, kw_only=True, eq=False)
class WinChances(Stored, MeansNames):
    """How often each system wins against each other one, and which one is the best.

    Attributes
    ----------
    names : tuple of str
        The systems.
    mean, better, even, low, high : ndarray of shape (n_pairs,)
        What :meth:`pair` tells of every pair, in the order of ``numpy.triu_indices(k, 1)``.
    best : ndarray of shape (k,)
        Probability of every system that it is the best.
    rank_low, rank_high : ndarray of shape (k,)
        Ranks that it is between with a probability of 0.9 or more.
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
    rank_low: np.ndarray
    rank_high: np.ndarray
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
        for name in (a, b):
            if name not in self.names:
                raise ValueError(f"{name!r} is unknown; there are {', '.join(self.names)}.")
        i, j = self.names.index(a), self.names.index(b)
        if i == j:
            raise ValueError(f"{a!r} does not meet itself; name two systems.")
        place = _place(min(i, j), max(i, j), len(self.names))
        columns = (self.mean, self.better, self.even, self.low, self.high)
        mean, better, even, low, high = (float(column[place]) for column in columns)
        found = PairChances(mean, better, even, CredibleInterval(low, high))
        return found if i < j else found.turned

    @property
    def best_probabilities(self) -> dict[str, float]:
        """Probability of every system that it is the best, the most probable first."""
        found = dict(zip(self.names, self.best.tolist(), strict=True))
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def win_chances_of(
    names: tuple[str, ...],
    chances: Callable[[slice], Numbers],
    levels: Numbers,
    weights: Numbers | None,
) -> WinChances:
    """Sum up draws of chances.

    Parameters
    ----------
    names : tuple of str
        The systems.
    chances : callable
        Gives the chances of some pairs, (n_draws, n_some), by the places of the pairs.
    levels : ndarray of shape (n_draws, k)
        What ranks the systems in every draw; a higher one is better.
    weights : ndarray of shape (n_draws,), or None
        What every draw counts; None for alike.
    """
    k, n_draws = len(names), len(levels)
    n_pairs = k * (k - 1) // 2
    alike = np.full(n_draws, 1 / n_draws)
    counts = alike if weights is None else weights
    found = np.empty((5, n_pairs))
    size = max(1, _BLOCK // n_draws)
    for start in range(0, n_pairs, size):
        places = slice(start, min(start + size, n_pairs))
        drawn = chances(places)
        apart = drawn - 0.5
        above = (apart > _TIED) + (np.abs(apart) <= _TIED) / 2
        near = np.abs(apart) <= EVEN + _TIED
        found[:3, places] = counts @ drawn, counts @ above, counts @ near
        found[3:, places] = ends_of_columns(drawn, weights)
    first = levels >= levels.max(axis=1, keepdims=True) - _TIED
    shared = first / first.sum(axis=1, keepdims=True)
    low, high = ends_of_columns(_ranks(levels), weights)
    mean, better, even, least, most = found
    return WinChances(
        names=names,
        mean=mean,
        better=np.clip(better, 0.0, 1.0),
        even=np.clip(even, 0.0, 1.0),
        low=least,
        high=most,
        best=np.clip(counts @ shared, 0.0, 1.0),
        rank_low=np.floor(low + _TIED),
        rank_high=np.ceil(high - _TIED),
        n_draws=n_draws,
        effective_size=float(1 / np.sum(counts**2)),
    )


def _ranks(levels: Numbers) -> Numbers:
    """Return the ranks of every draw, 1 for the best."""
    order = np.argsort(-levels, axis=1, kind="stable")
    found = np.empty(levels.shape)
    np.put_along_axis(found, order, np.arange(1.0, levels.shape[1] + 1)[None], axis=1)
    return found


def ends_of_columns(drawn: Numbers, weights: Numbers | None) -> Numbers:
    """Return the limits of every column, with as much of the rest on either side."""
    tail = (1 - LEVEL) / 2
    if weights is None:
        return np.asarray(np.quantile(drawn, [tail, 1 - tail], axis=0))
    order = np.argsort(drawn, axis=0)
    reached = np.cumsum(weights[order], axis=0)
    ends = [np.argmax(reached >= level, axis=0) for level in (tail, 1 - tail)]
    columns = np.arange(drawn.shape[1])
    return np.stack([drawn[order[end, columns], columns] for end in ends])


def _place(i: int, j: int, k: int) -> int:
    """Place of a pair i < j among all pairs."""
    return i * k - i * (i + 1) // 2 + j - i - 1


@procedure(missing_scores=True, references=(BENAVOLI_ET_AL_2015, RUBIN_1981))
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
    >>> found = win_shares(ScoreTable(scores, unit="dataset"), rng=0)
    >>> round(found.pair("a", "b").mean, 2)  # (9 + 1/2) / 11
    0.86
    """
    contests = contests_asked(table, rope, "win_shares")
    return shares_of(contests, table.names, n_draws, draw_seed(rng))


def contests_asked(table: ScoreTable, rope: float, procedure_name: str) -> Contests:
    """Read the contests of a table, and refuse what cannot be compared."""
    check_independent(table, procedure_name)
    found = contests_of_table(table, check_rope(rope))
    if len(found.results) < 2:
        raise ValueError(
            f"{procedure_name} needs two units or more with scores of two systems, got "
            f"{len(found.results)}."
        )
    check_sets(found.sets_apart(), table.names)
    return found


def shares_of(
    contests: Contests, names: tuple[str, ...], n_draws: int | None, seed: int
) -> WinChances:
    """Draw the weights of the units, and sum up the shares."""
    results, there = np.nan_to_num(contests.results), ~np.isnan(contests.results)
    n_units, n_pairs = results.shape
    if n_draws is None:
        n_draws = int(np.clip(_NUMBERS // n_pairs, _LEAST_DRAWS, _MOST_DRAWS))
    n_draws = check_count("n_draws", n_draws)
    rng = stream(np.random.SeedSequence(seed))
    units = rng.standard_exponential((n_draws, n_units))
    unseen = rng.standard_gamma(STRENGTH, (n_draws, 1))
    complete = bool(there.all())

    def chances(places: slice) -> Numbers:
        total = units.sum(axis=1, keepdims=True) if complete else units @ there[:, places]
        return np.asarray((units @ results[:, places] + unseen / 2) / (total + unseen))

    # What every system wins, of all that it meets.
    first, second = contests.ends
    k = contests.n_systems
    won, met = np.zeros((n_units, k)), np.zeros((n_units, k))
    for place in range(k):
        of_first, of_second = first == place, second == place
        won[:, place] = results[:, of_first].sum(axis=1)
        won[:, place] += (there[:, of_second] - results[:, of_second]).sum(axis=1)
        met[:, place] = (there[:, of_first | of_second]).sum(axis=1)
    levels = (units @ won + unseen * (k - 1) / 2) / (units @ met + unseen * (k - 1))
    return win_chances_of(names, chances, levels, None)
