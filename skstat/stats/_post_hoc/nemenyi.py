"""Mean ranks compared by one critical difference: Nemenyi, and Bonferroni-Dunn."""

import math
import sys
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from skstat.stats._common import procedure, root_between
from skstat.stats._literature import DEMSAR_2006, DUNN_1961, NEMENYI_1963
from skstat.stats._multiplicity import adjust_pvalues
from skstat.stats._outcomes import check_alpha
from skstat.stats._post_hoc.mean_ranks import (
    MeanRankOutcome,
    compare_mean_ranks,
    enough_units,
    friedman_error,
)
from skstat.stats._post_hoc.pairwise import PairwiseOutcome, pairs_of
from skstat.stats._post_hoc.rankings import rank
from skstat.stats._samples import ScoreTable, check_complete, check_independent

# The trapezoid rule is exact to rounding for so smooth an integrand: these nodes give all
# digits for up to 100 normals. Beyond the ends it holds less than 1e-15 of the integral.
_STEP = 0.125
_NODES = np.arange(-7, 8.5 + _STEP / 2, _STEP)


def range_sf(q: ArrayLike, k: int) -> NDArray[np.float64]:
    """P(largest - smallest of k standard normals > q), for q >= 0.

    With x the largest value, P(R > q) = k int phi(x) {Phi(x)^(k-1) - [Phi(x) - Phi(x -
    q)]^(k-1)} dx (Hartley, 1942, Biometrika 32, 334-348). Written as a product, the
    difference of powers loses no digit in the upper tail. Never 0, as `above_zero`.
    """
    half = np.asarray(q, dtype=float)[..., None] / 2
    x = half + _NODES  # in the tail the largest value lies near q/2
    below = ndtr(x)
    with np.errstate(divide="ignore", under="ignore"):  # log 0 where q = 0
        missed = -np.expm1((k - 1) * np.log1p(-ndtr(_NODES - half) / below))
        integrand = np.exp(-x * x / 2) * below ** (k - 1) * missed
    total = k * _STEP / math.sqrt(2 * math.pi) * integrand.sum(axis=-1)
    return np.asarray(np.clip(total, sys.float_info.min, 1.0))


@lru_cache(maxsize=256)
def range_isf(alpha: float, k: int) -> float:
    """Value that the range of k standard normals exceeds with probability `alpha`."""
    # One pair differs by more than all bounds require; k(k-1)/2 pairs by Bonferroni's.
    low = -math.sqrt(2) * float(ndtri(alpha / 2))
    high = -math.sqrt(2) * float(ndtri(alpha / (k * (k - 1))))
    if k == 2:
        return low

    def excess(q: float) -> float:
        return math.log(float(range_sf(q, k))) - math.log(alpha)

    # For tiny alpha Bonferroni's bound is sharp to all digits.
    return root_between(excess, low * (1 - 1e-9), high * (1 + 1e-9), xtol=1e-13, rtol=1e-14)


@dataclass(frozen=True, kw_only=True, eq=False)
class JointMeanRankOutcome(MeanRankOutcome):
    """One pair of a family with one critical difference.

    Its p-value is that of the pair alone; its critical value, a quantile of z, and its
    interval hold for all pairs of the family at once.

    Attributes
    ----------
    with_control : bool
        Whether the family is all comparisons with a control, instead of all pairs.
    """

    simultaneous = True

    with_control: bool

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        if self.with_control:
            return float(-ndtri(alpha / (2 * (self.n_systems - 1))))
        return range_isf(alpha, self.n_systems) / math.sqrt(2)


@dataclass(frozen=True, kw_only=True, eq=False)
class CriticalDifferenceOutcome(PairwiseOutcome):
    """Comparisons in pairs that one critical difference of mean ranks decides."""

    @property
    def smallest_pvalue(self) -> float:
        if self.control is not None:
            return super().smallest_pvalue
        first = self._first
        z = first.largest / (first.standard_error or math.inf)
        return float(range_sf(math.sqrt(2) * z, len(self.names)))

    def critical_difference(self, alpha: float = 0.05) -> float:
        return self._first.critical_value(alpha) * (self._first.standard_error or 0.0)

    @property
    def _first(self) -> JointMeanRankOutcome:
        first = self.outcomes[0]
        assert isinstance(first, JointMeanRankOutcome)
        return first


@procedure(when="the diagram", references=(NEMENYI_1963, DEMSAR_2006))
def nemenyi(table: ScoreTable) -> CriticalDifferenceOutcome:
    """Nemenyi's test: all pairs of mean ranks, by one critical difference.

    Two systems differ if their mean ranks lie more than ``CD = q / sqrt(2) * sqrt(k (k
    + 1) / (6 N))`` apart, q the upper quantile of the range of k standard normals
    [1]_ [2]_. The adjusted p-value is the chance that the range of k normals exceeds
    ``sqrt(2) abs(z)``.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.

    Returns
    -------
    CriticalDifferenceOutcome
        One :class:`JointMeanRankOutcome` per pair, the adjusted p-values, and
        ``critical_difference(alpha)``.

    Raises
    ------
    ValueError
        If scores are missing, or the units are splits of one data set.

    See Also
    --------
    pairwise_wilcoxon : Verdicts that do not depend on the pool of systems.
    bonferroni_dunn : Comparisons with a control only; more power.

    Notes
    -----
    The ranks of a pair depend on the other systems in the table: with others
    the verdict may change [3]_. Ties are not corrected for, as in [2]_: they make the test
    conservative.

    References
    ----------
    .. [1] Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis,
       Princeton University.
    .. [2] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30.
    .. [3] Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc
       tests based on mean-ranks? Journal of Machine Learning Research, 17(5), 1-10.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, nemenyi
    >>> scores = {"A": [9, 9, 9, 9], "B": [8, 8, 8, 7], "C": [7, 7, 8, 8]}
    >>> table = ScoreTable(scores, unit="dataset")
    >>> outcome = nemenyi(table)
    >>> table.mean_ranks.tolist(), round(outcome.critical_difference(), 3)
    ([1.0, 2.375, 2.625], 1.657)
    >>> outcome.adjusted_pvalues.round(3).tolist()
    [0.126, 0.056, 0.933]
    """
    return _by_critical_difference(table, "nemenyi", None)


@procedure(when="the diagram", references=(DUNN_1961, DEMSAR_2006))
def bonferroni_dunn(table: ScoreTable, control: str) -> CriticalDifferenceOutcome:
    """Bonferroni-Dunn test: all mean ranks against that of a control.

    A system differs from the control if their mean ranks lie more than ``CD = z *
    sqrt(k (k + 1) / (6 N))`` apart, z the upper ``alpha / (2 (k - 1))`` quantile of
    the standard normal [1]_ [2]_. The adjusted p-value is ``min(1, (k - 1) p)``.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    control : str
        Compare every other system (A) with this one (B) only.

    Returns
    -------
    CriticalDifferenceOutcome
        One :class:`JointMeanRankOutcome` per other system, the adjusted p-values, and
        ``critical_difference(alpha)``.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, or `control` is not a
        system of the table.

    See Also
    --------
    pairwise_mean_ranks : The same z with Holm's adjustment, which rejects no less.

    Notes
    -----
    The critical value of k = 9 at .05 is 2.734; the 2.724 of [2]_ is a misprint. As
    :func:`nemenyi`, it depends on the pool of systems and ignores ties.

    References
    ----------
    .. [1] Dunn, O. J. (1961). Multiple comparisons among means. Journal of the American
       Statistical Association, 56(293), 52-64.
    .. [2] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, bonferroni_dunn
    >>> scores = {"A": [9, 9, 9, 9], "B": [8, 8, 8, 7], "C": [7, 7, 8, 8]}
    >>> outcome = bonferroni_dunn(ScoreTable(scores, unit="dataset"), control="A")
    >>> outcome.pairs, round(outcome.critical_difference(), 3)
    ((('B', 'A'), ('C', 'A')), 1.585)
    >>> outcome.adjusted_pvalues.round(3).tolist()
    [0.104, 0.043]
    """
    return _by_critical_difference(table, "bonferroni_dunn", control)


def _by_critical_difference(
    table: ScoreTable, procedure: str, control: str | None
) -> CriticalDifferenceOutcome:
    check_independent(table, procedure)
    check_complete(table, procedure)
    test = "Nemenyi test" if control is None else "Bonferroni-Dunn test"
    pairs = pairs_of(table.names, control)
    outcomes = compare_mean_ranks(
        JointMeanRankOutcome,
        table,
        rank(table, "friedman"),
        pairs,
        friedman_error(table.n_units, table.n_systems),
        test=test,
        assumptions=(enough_units(table),),
        with_control=control is not None,
    )
    if control is None:
        z = np.abs([outcome.statistic for outcome in outcomes])
        adjusted = range_sf(math.sqrt(2) * z, table.n_systems)
    else:
        adjusted = adjust_pvalues([outcome.pvalue for outcome in outcomes], "bonferroni")
    return CriticalDifferenceOutcome(
        test=test,
        names=table.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        adjusted_pvalues=adjusted,
        adjustment="studentized range" if control is None else "bonferroni",
        control=control,
        pool_dependent=True,
    )
