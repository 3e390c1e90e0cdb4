"""Strengths from preferences: their estimates by items, and how the items move them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from skstat.stats._common import procedure
from skstat.stats._literature import BRADLEY_TERRY_1952, LIANG_ZEGER_1986
from skstat.stats._outcomes import MeanOutcome, spread_of
from skstat.stats._samples import (
    PairedStrengths,
    Preferences,
    StrengthTable,
    check_alternative,
    check_enough_units,
)
from skstat.stats._strengths.contests import check_sets, joined_sets

Numbers = NDArray[np.float64]

# Prior precision of every strength: a normal law about 0 with the standard deviation 3, so that
# one that won everything has a finite strength.
_PRECISION = 1 / 9
_MOST_STEPS = 100
# Below, the sums of items say too little of how they depend on each other.
ENOUGH_ITEMS = 30


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
def strength_t(sample: PairedStrengths, *, alternative: str = "two-sided") -> MeanOutcome:
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
    MeanOutcome
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
    estimate = float(np.mean(sample.differences))
    null = {"two-sided": "equal to", "greater": "at most", "less": "at least"}[alternative]
    return MeanOutcome(
        test="cluster-robust Wald test of strengths",
        estimand="strength(A) - strength(B), the logarithm of odds",
        null_hypothesis=f"strength(A) is {null} strength(B)",
        alternative=alternative,
        assumptions=(
            "the items are independent of each other",
            "there is one strength for each system",
            "there are enough items, and comparisons of every system",
        ),
        effect_sizes={"chance to be preferred": float(special.expit(estimate))},
        estimate=estimate,
        standard_error=spread_of(sample) / np.sqrt(sample.n_units),
        df=sample.n_units - 1,
    )
