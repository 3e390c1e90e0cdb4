"""Strengths of many systems by contests of two: their estimates, and the test of two of them.

Imports samples and what is below them.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from skstat.stats._family import Comparison
from skstat.stats._law import Student
from skstat.stats._literature import BRADLEY_TERRY_1952, LIANG_ZEGER_1986
from skstat.stats._preferences import Preferences
from skstat.stats._procedure import procedure
from skstat.stats._score_table import ScorePairs, ScoreTable
from skstat.stats._scores import PairedScores, check_enough_units
from skstat.stats._words import number

Numbers = NDArray[np.float64]

# Prior precision of every strength: a normal law about 0 with the standard deviation 3, so that
# one that won everything has a finite strength.
PRECISION = 1 / 9
_MOST_STEPS = 100


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


def of_preferences(sample: Preferences) -> Contests:
    wins, met = np.zeros((2, len(sample.names), len(sample.names)))
    np.add.at(wins, (sample.first, sample.second), sample.outcomes)
    np.add.at(met, (sample.first, sample.second), 1.0)
    return Contests(wins, met, sample.sided)


def check_connected(met: Numbers, names: tuple[str, ...]) -> None:
    """Refuse systems that no contest connects with the others."""
    from scipy.sparse.csgraph import connected_components

    part = connected_components(met, directed=False)[1]
    largest, *others = np.argsort(-np.bincount(part), kind="stable")
    if others:
        apart = ", ".join(names[place] for place in np.flatnonzero(part == others[0]))
        raise ValueError(
            f"{apart} and {names[np.argmax(part == largest)]} have no unit in common, not even "
            "through other systems, so that they cannot be compared; leave one out."
        )


def check_preferences(sample: Preferences, procedure_name: str) -> None:
    """Refuse what has no strengths that can be compared."""
    if sample.n_items < 2:
        raise ValueError(
            f"{procedure_name} needs two items or more, got {sample.n_items}: items are what "
            "is independent of each other. With item=None every comparison is one."
        )
    check_connected(of_preferences(sample).met, sample.names)


def mode(contests: Contests, prior: Numbers, start: Numbers) -> tuple[Numbers, Numbers]:
    """Find the most probable strengths by Newton's method, and minus the curvature there.

    `prior` is the precision of each about 0; what the side is worth comes last, if it counts.
    """
    wins, met, sided = contests
    k, found = len(wins), start
    for _ in range(_MOST_STEPS):
        strengths, side = found[:k], found[-1] if sided else 0.0
        chance = special.expit(strengths[:, None] - strengths + side)
        pull, weight = wins - met * chance, met * chance * (1 - chance)
        slope, hessian = -prior * found, np.diag(prior)
        slope[:k] += pull.sum(axis=1) - pull.sum(axis=0)
        of_first, of_second = weight.sum(axis=1), weight.sum(axis=0)
        hessian[:k, :k] += np.diag(of_first + of_second) - weight - weight.T
        if sided:
            slope[-1] += pull.sum()
            hessian[-1, -1] += weight.sum()
            hessian[-1, :k] = hessian[:k, -1] = of_first - of_second
        move = linalg.solve(hessian, slope, assume_a="pos")
        largest = float(np.abs(move).max())
        found = found + move * min(1.0, 2 / max(largest, 1e-300))
        if largest < 1e-10:
            break
    return found, hessian


def fitted(sample: Preferences) -> tuple[Numbers, Numbers, Numbers]:
    """Fit strengths to preferences, and what the side is worth.

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
    k, sided, first, second = len(sample.names), sample.sided, sample.first, sample.second
    prior = np.full(k + sided, PRECISION)
    found, information = mode(of_preferences(sample), prior, np.zeros(k + sided))
    odds = found[first] - found[second] + (found[-1] if sided else 0.0)
    residuals = sample.outcomes - special.expit(odds)
    slopes = np.zeros((sample.n_items, k + sided))
    np.add.at(slopes, (sample.items, first), residuals)
    np.add.at(slopes, (sample.items, second), -residuals)
    if sided:
        np.add.at(slopes[:, -1], sample.items, residuals)
    return found[:k], slopes - slopes.mean(axis=0), information


@procedure(references=(BRADLEY_TERRY_1952, LIANG_ZEGER_1986))
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
    strengths, slopes, information = fitted(sample)
    moves = len(slopes) * linalg.solve(information, slopes.T, assume_a="pos").T
    return ScoreTable(
        # In one order of memory, sums have the same rounding once they are restored.
        np.ascontiguousarray(strengths + moves[:, : len(strengths)]),
        systems=sample.names,
        unit="instance",
        n_items=len(slopes),
    )


def summarized(table: ScoreTable) -> ScoreTable:
    """Return two numbers for each system that have the means and covariances of all items.

    They lie on both sides of the strengths, along the columns of a root of the covariance: what
    a test of strengths reads of them is the same.
    """
    n, k = table.scores.shape
    means = table.scores.mean(axis=0)
    root = np.linalg.qr(table.scores - means, mode="r")
    root *= np.sqrt((2 * k - 1) / (2 * (n - 1)))
    return replace(table, scores=np.concatenate([means + root, means - root]))


@procedure(t_of_mean=True, needs="n_items", references=(BRADLEY_TERRY_1952, LIANG_ZEGER_1986))
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
