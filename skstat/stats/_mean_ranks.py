"""Post-hoc tests of pairs of systems by their mean ranks."""

import math
import sys
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from skstat.stats._chance import root_between
from skstat.stats._family import Comparison, Joint, Law, Student, at_levels, wald_limits
from skstat.stats._multiplicity import Adjustment, adjust_pvalues
from skstat.stats._omnibus import TESTS, Ranking, RankingName, check_units, rank
from skstat.stats._pairwise import PairwiseOutcome, check_adjustment, pairs_of
from skstat.stats._procedure import Quantity, Reference, check_choice, procedure, works
from skstat.stats._score_table import ScoreTable, ends_of
from skstat.stats._words import above_zero, limit, number, unit_word

# The trapezoid rule is exact to rounding for so smooth an integrand: these nodes give all
# digits for up to 100 normals. Beyond the ends it holds less than 1e-15 of the integral.
_STEP = 0.125
_NODES = np.arange(-7, 8.5 + _STEP / 2, _STEP)

_MAX_RANK_SUMS = 30_000  # differences of rank sums to count: about two seconds


@lru_cache(maxsize=8)
def rank_sum_pvalues(n: int, k: int) -> NDArray[np.float64]:
    """Two-sided p-values of the differences 0, 1, ..., n (k - 1).

    On one unit without ties two of k systems differ by d ranks with probability (k -
    |d|) / (k (k - 1)); over n units these add up (Eisinga et al., 2017).
    """
    distances = np.abs(np.arange(-(k - 1), k))
    chances = np.where(distances, (k - distances) / (k * (k - 1)), 0.0)
    # Sums of products of positive numbers keep every tail to all digits; a Fourier
    # transform would not.
    law = reduce(np.convolve, [chances] * n)
    middle = n * (k - 1)
    tail = np.cumsum(law[: middle + 1])[::-1]  # smallest numbers first
    tail = np.minimum(1.0, 2 * tail)
    tail.setflags(write=False)
    return tail


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanRanks(Student):
    """Pairs of several systems, compared by their mean ranks; two-sided.

    The estimate is R_B - R_A: rank 1 is best, so that positive values favour A.

    The interval is the estimate minus and plus a quantile times the standard error, in ranks;
    it is nan when all units agree: they leave a p-value, but no error to say how far from zero
    the difference is. The critical value is that quantile of z or t, which abs(statistic) must
    exceed, or reach where `exact`.

    Attributes
    ----------
    n_units, n_systems : int
        Size of the table that was ranked.
    largest : float
        Largest estimate that these units can give: A the best on all, B the worst.
    by_size : bool
        Whether the sizes of differences on different units decide about the ranks, as they
        do about aligned ranks and Quade's.
    exact : bool
        Whether p-values count the rank sums, instead of treating them as normal.
    floor : float
        Least p-value that rearranging the ranks within units can give, below which no t
        is trusted; 0 where there is no such bound.
    compared : str
        Name of what the estimate is a difference of, as ``"weighted mean rank"``.
    """

    scale = "mean rank"
    chances = ("share of wins, ties half",)

    n_units: int
    n_systems: int
    largest: float
    by_size: bool = False
    exact: bool = False
    floor: float = 0.0
    compared: str = "mean rank"

    @property
    def quantity(self) -> Quantity:  # type: ignore[override]
        """What the estimate is."""
        how: Any = {"compares_sizes": "strongly" if self.by_size else "no"}
        return Quantity(name="difference in mean rank", is_difference=False, **how)

    def pvalue(self, alternative: str) -> Any:
        return self.pvalue_of(self.estimate)

    def smallest_pvalue(self, alternative: str) -> Any:
        return self.pvalue_of(self.largest) if self.df is None else self.floor

    def limits(self, tail: Any) -> tuple[Any, Any]:
        if self.exact:
            # In whole numbers: 0 is in it if and only if the test does not reject.
            differences = np.rint(np.multiply(self.estimate, self.n_units))
            half = at_levels(self._critical_count, np.multiply(2, tail)) - 1
            low, high = differences - half, differences + half
            return number(low / self.n_units), number(high / self.n_units)
        low, high = super().limits(tail)
        wide = np.less(np.multiply(2, tail), self.floor)
        return number(np.where(wide, -math.inf, low)), number(np.where(wide, math.inf, high))

    def critical_value(self, alternative: str, alpha: float) -> float:
        if self.exact:
            return self._critical_count(alpha) / self.n_units / (self.standard_error or 0.0)
        return math.inf if self.floor > alpha else float(self.quantile(alpha / 2))

    def _critical_count(self, alpha: float) -> float:
        """Return the smallest difference of two rank sums that rejects; inf if none does."""
        pvalues = rank_sum_pvalues(self.n_units, self.n_systems)
        # 1 - confidence_level is not alpha to the last bit.
        return limit(np.flatnonzero(pvalues <= alpha * (1 + 1e-12)), "greater")

    def pvalue_of(self, estimate: Any) -> Any:
        """Return the p-values of differences in mean rank."""
        if self.exact:
            differences = np.rint(np.abs(estimate) * self.n_units).astype(np.intp)
            return above_zero(rank_sum_pvalues(self.n_units, self.n_systems)[differences])
        if not self.standard_error:
            # All units agree: there is no standard error, but full agreement has a
            # probability.
            return number(np.where(np.equal(estimate, 0), 1.0, self.floor or math.nan))
        z = -np.abs(estimate) / self.standard_error
        return above_zero(np.maximum(2 * self._below(z), self.floor))


def range_sf(q: ArrayLike, k: int) -> NDArray[np.float64]:
    """Return P(largest - smallest of k standard normals > q), for q >= 0.

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
    """Return the value that the range of k standard normals exceeds with chance `alpha`."""
    # One pair differs by more than all bounds require; k(k-1)/2 pairs by Bonferroni's.
    low = -math.sqrt(2) * float(ndtri(alpha / 2))
    high = -math.sqrt(2) * float(ndtri(alpha / (k * (k - 1))))

    def excess(q: float) -> float:
        return math.log(float(range_sf(q, k))) - math.log(alpha)

    # For tiny alpha Bonferroni's bound is sharp to all digits.
    return root_between(excess, low * (1 - 1e-9), high * (1 + 1e-9), xtol=1e-13, rtol=1e-14)


@dataclass(frozen=True, kw_only=True, eq=False)
class CriticalDifference(Joint):
    """One critical difference for a family, whose intervals hold for all pairs at once.

    The p-values are those of the pairs alone; the critical value is a quantile of z.

    Attributes
    ----------
    n_systems : int
        Number of systems.
    with_control : bool
        Whether the family is all comparisons with a control, instead of all pairs.
    """

    n_systems: int
    with_control: bool

    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        critical = at_levels(lambda level: self.critical_value(law, alternative, level), alpha)
        return wald_limits(law.estimate, law.standard_error, critical)

    def critical_value(self, law: Law, alternative: str, alpha: float) -> float:
        if self.with_control:
            return float(-ndtri(alpha / (2 * (self.n_systems - 1))))
        return range_isf(alpha, self.n_systems) / math.sqrt(2)

    def critical_difference(self, law: Law, alpha: float) -> float | None:
        return self.critical_value(law, "two-sided", alpha) * float(law.standard_error)


@procedure(
    when="the diagram",
    variants={"bonferroni_dunn": {}},
    references=(works.NEMENYI_1963, works.DUNN_1961, works.DEMSAR_2006),
)
def nemenyi(table: ScoreTable, *, control: str | None = None) -> PairwiseOutcome:
    """Nemenyi's test of all pairs of mean ranks, or that of Bonferroni and Dunn with a control.

    Two systems differ if their mean ranks lie more than ``CD = q / sqrt(2) * sqrt(k (k
    + 1) / (6 N))`` apart, q the upper quantile of the range of k standard normals
    [1]_ [2]_. The adjusted p-value is the chance that the range of k normals exceeds
    ``sqrt(2) abs(z)``.

    With a control ``CD = z * sqrt(k (k + 1) / (6 N))``, z the upper ``alpha / (2 (k - 1))``
    quantile of the standard normal, which gives more power [4]_ [2]_. The adjusted p-value is
    ``min(1, (k - 1) p)``.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    control : str, optional
        Compare every other system (A) with this one (B) only.

    Returns
    -------
    PairwiseOutcome
        One :class:`Comparison` per pair, the adjusted p-values, and
        ``critical_difference(alpha)``.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, or `control` is not a
        system of the table.

    See Also
    --------
    pairwise : Verdicts that do not depend on the pool of systems.
    pairwise_mean_ranks : The same z with Holm's adjustment, which rejects no less than
        Bonferroni's.

    Notes
    -----
    The ranks of a pair depend on the other systems in the table: with others
    the verdict may change [3]_. Ties are not corrected for, as in [2]_: they make the test
    conservative. The critical value with a control of k = 9 at .05 is 2.734; the 2.724 of
    [2]_ is a misprint.

    References
    ----------
    .. [1] Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis,
       Princeton University.
    .. [2] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30.
    .. [3] Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc
       tests based on mean-ranks? Journal of Machine Learning Research, 17(5), 1-10.
    .. [4] Dunn, O. J. (1961). Multiple comparisons among means. Journal of the American
       Statistical Association, 56(293), 52-64.

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
    >>> nemenyi(table, control="A").adjusted_pvalues.round(3).tolist()
    [0.104, 0.043]
    """
    check_units(table, "nemenyi")
    joint = CriticalDifference(n_systems=table.n_systems, with_control=control is not None)
    test = "Nemenyi test" if control is None else "Bonferroni-Dunn test"
    ranked = rank(table, "friedman", untied=True)
    outcome = _by_mean_ranks(table, ranked, control, "bonferroni", test=test, joint=joint)
    if control is not None:
        return replace(outcome, test=test, references=(works.DUNN_1961, works.DEMSAR_2006))
    law = outcome.outcomes.comparisons.law
    z = np.append(law.statistic, law.largest / law.standard_error)
    *adjusted, smallest = range_sf(math.sqrt(2) * np.abs(z), table.n_systems)
    return replace(
        outcome,
        test=test,
        adjusted_pvalues=np.array(adjusted),
        adjustment="studentized range",
        least=float(smallest),
        references=(works.NEMENYI_1963, works.DEMSAR_2006),
    )


@procedure(
    variants={
        "conover": {"method": "t"},
        "conover_quade": {"method": "t", "ranking": "quade"},
        "exact_mean_ranks": {"method": "exact"},
        "aligned_ranks": {"ranking": "aligned"},
        "quade": {"ranking": "quade"},
    },
    references=(works.DEMSAR_2006, works.EISINGA_ET_AL_2017, works.CONOVER_1999),
)
def pairwise_mean_ranks(
    table: ScoreTable,
    *,
    ranking: RankingName = "friedman",
    method: Literal["normal", "exact", "t"] = "normal",
    control: str | None = None,
    adjustment: Adjustment = "holm",
) -> PairwiseOutcome:
    """Compare mean ranks in pairs, with adjusted p-values.

    ``z = (R_B - R_A) / se`` [4]_, or Conover's t. The ranks of a pair depend on the other
    systems in the table: with others the verdict may change (Benavoli et al., 2016). Prefer
    :func:`wilcoxon` of every pair unless a study needs mean ranks.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    ranking : {"friedman", "aligned", "quade"}, default="friedman"
        ``"friedman"``: ranks within units. ``"aligned"``: all scores minus the mean of
        their unit, ranked together [1]_; scores of different units must be
        commensurable. ``"quade"``: ranks within units, weighted by the rank of the
        unit's range of scores [2]_.
    method : {"normal", "exact", "t"}, default="normal"
        ``"exact"`` counts the differences of Friedman's rank sums [3]_. ``"t"`` is Conover's
        t [5]_ of Friedman's or Quade's ranks: more power, from the spread of the ranks at
        hand, but also too many false rejections (see Notes).
    control : str, optional
        Compare every other system (A) with this one (B) only, instead of all pairs.
    adjustment : str, default="holm"
        A method of :func:`adjust_pvalues`.

    Returns
    -------
    PairwiseOutcome
        One :class:`Comparison` per pair, and the adjusted p-values. Where all units agree on
        every rank, t has no error left: systems that differ have the least p-value, the
        others 1, and intervals are nan or, where that p is above their level, infinite.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, an argument is
        unknown, ``method="exact"`` meets ties, too many units, or other ranks than
        Friedman's, or ``method="t"`` one unit or aligned ranks.

    See Also
    --------
    nemenyi : All pairs, by one critical difference.

    Notes
    -----
    The standard error of Friedman's ranks is ``sqrt(k (k + 1) / (6 N))``, whether
    there are ties or not, as everywhere in the literature; ties make the test
    conservative. For aligned and Quade's ranks it is that of exchanging the systems
    within units, ties and all. The usual formula for aligned ranks, ``sqrt(k (k N + 1)
    / 6)``, takes all k N ranks for exchangeable, which they are within units only: it
    rejects 10 % of true hypotheses at a nominal 0.05 for three systems, 7 % for six.

    For t, with weights Q of the units (1 for Friedman's ranks) and ``S_ij = Q_i (r_ij - (k +
    1) / 2)``, the difference of two rank sums has the standard error ``sqrt(2 N (sum S_ij^2 -
    sum S_j^2 / N) / ((N - 1) (k - 1)))``, with (N - 1)(k - 1) degrees of freedom. Ties are
    corrected for. Where some systems differ the error becomes small for all pairs, including
    those that are equal: the family-wise error is controlled only where no systems differ at
    all, whatever the adjustment (``weak_control``). With three pairs of equal systems, the
    pairs far apart, Holm's method found a difference between equal systems in 28 and 16 % of
    1000 simulated tables of 10 and 30 data sets at a nominal 0.05 (Friedman's ranks), and with
    :func:`wilcoxon` in 3 and 5 %; with all six equal in 3 and 4 %. For few units and almost
    perfect agreement t alone would give far too small p-values. As in :func:`friedman`, none is
    below the least one that rearranging the ranks within units can give: the chance that all
    units agree on one ranking.

    References
    ----------
    .. [1] Hodges, J. L. & Lehmann, E. L. (1962). Rank methods for combination of
       independent experiments in analysis of variance. Annals of Mathematical
       Statistics, 33(2), 482-497.
    .. [2] Quade, D. (1979). Using weighted rankings in the analysis of complete blocks
       with additive block effects. Journal of the American Statistical Association,
       74(367), 680-683.
    .. [3] Eisinga, R., Heskes, T., Pelzer, B. & Te Grotenhuis, M. (2017). Exact p-values
       for pairwise comparison of Friedman rank sums, with application to comparing
       classifiers. BMC Bioinformatics, 18, 68.
    .. [4] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
       Journal of Machine Learning Research, 7, 1-30.
    .. [5] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed. Wiley,
       section 5.8.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, pairwise_mean_ranks
    >>> scores = {"a": [9, 8, 9, 7, 8], "b": [5, 6, 4, 5, 3], "c": [1, 7, 2, 3, 4]}
    >>> table = ScoreTable(scores, unit="dataset")
    >>> outcome = pairwise_mean_ranks(table, method="exact")
    >>> outcome["a", "b"].estimate, outcome.adjusted_pvalues.round(3).tolist()
    (1.4, [0.073, 0.039, 0.887])
    >>> outcome = pairwise_mean_ranks(table, method="t")
    >>> outcome["a", "b"].df, outcome.adjusted_pvalues.round(3).tolist()
    (8, [0.007, 0.005, 0.58])
    """
    check_choice("method", method, ("normal", "exact", "t"))
    by_t, plain = method == "t", ranking == "friedman"
    check_units(table, "pairwise_mean_ranks", 2 if by_t else 1)
    ranked, (n, k) = rank(table, ranking, untied=plain and not by_t), table.scores.shape
    test, law = f"{ranked.label} z test", dict[str, Any]()
    references: tuple[Reference, ...] = TESTS[ranking][1][:1]
    if plain:
        references = (works.DEMSAR_2006,)
    if method == "exact":
        _check_exact(table, ranking)
        test, references = "exact rank-sum test", (works.EISINGA_ET_AL_2017,)
        law = {"exact": True}
    elif by_t:
        if ranking == "aligned":
            raise ValueError("method='t' has no ranking='aligned'; use 'friedman' or 'quade'.")
        test = f"Conover t test of {ranked.label}s"
        references = (works.CONOVER_1999, *[works.QUADE_1979] * (not plain))
        df = (n - 1) * (k - 1)
        # In whole numbers: with full agreement this is exactly 0.
        residual = n * ranked.within - ranked.between
        error = math.sqrt(2 * residual / df) / ranked.total
        law = {"df": df, "standard_error": error, "floor": ranked.smallest_pvalue}
    outcome = _by_mean_ranks(table, ranked, control, adjustment, test=test, **law)
    least = None if by_t else _smallest_adjusted(outcome, ranked)
    return replace(outcome, references=references, least=least, weak_control=by_t)


def _check_exact(table: ScoreTable, ranking: str) -> None:
    if ranking != "friedman":
        raise ValueError(f"method='exact' has no ranking={ranking!r}; use method='normal'.")
    if table.n_units * (table.n_systems - 1) > _MAX_RANK_SUMS:
        raise ValueError(
            f"method='exact' takes too long for {table.n_units} units of {table.n_systems} "
            "systems; use method='normal'."
        )
    tied = np.flatnonzero(np.any(np.diff(np.sort(table.ranks, axis=1), axis=1) == 0, axis=1))
    if tied.size:
        first, unit = int(tied[0]), unit_word(table.unit)
        where = first if table.datasets is None else repr(table.datasets[first])
        raise ValueError(
            f"method='exact' needs scores without ties, but {len(tied)} {unit}s have some, the "
            f"first is {unit} {where}; use method='normal'."
        )


def _by_mean_ranks(
    table: ScoreTable,
    ranking: Ranking,
    control: str | None,
    adjustment: Adjustment,
    *,
    test: str,
    joint: Joint | None = None,
    **law: Any,
) -> PairwiseOutcome:
    """Return the outcome of all pairs by mean ranks; `law` holds fields of their law."""
    pairs = pairs_of(table.names, control)
    check_adjustment(adjustment, control)
    first, second = ends_of(table.names, pairs)
    sums, ranks, n = ranking.parts.sum(axis=0), table.mean_ranks, table.n_units
    wins = table.wins() + table.ties() / 2
    k, unit, label = table.n_systems, unit_word(table.unit), ranking.label
    comparisons = Comparison(
        test=test,
        estimand=f"{label} of B - {label} of A, over {unit}s, among these {k} systems",
        null_hypothesis=f"all {k} systems are exchangeable on every {unit}",
        assumptions=(
            f"the {unit}s are independent of each other",
            *[f"scores of different {unit}s are commensurable"] * ranking.by_size,
            *[f"there are enough {unit}s for mean ranks to be close to normal"]
            * (not law.get("exact")),
        ),
        effect_sizes={
            "difference in mean rank": ranks[second] - ranks[first],
            "share of wins, ties half": wins[first, second] / n,
        },
        joint=joint,
        law=MeanRanks(
            estimate=(sums[second] - sums[first]) / ranking.total,
            n_units=n,
            n_systems=k,
            # Ties are not evidence: on a unit where all are tied nobody is better.
            largest=float(np.ptp(ranking.parts, axis=1).sum() / ranking.total),
            compared=label,
            by_size=ranking.by_size,
            **{"standard_error": ranking.error} | law,
        ),
    )
    return PairwiseOutcome(
        test=f"pairwise {test}",
        names=table.names,
        pairs=tuple(pairs),
        outcomes=comparisons,
        adjusted_pvalues=adjust_pvalues(comparisons.pvalue, adjustment),
        adjustment=adjustment,
        control=control,
        pool_dependent=True,
    )


def _smallest_adjusted(outcome: PairwiseOutcome, ranking: Ranking) -> float | None:
    """Return a bound of the smallest adjusted p-value that exchanges within units can give.

    Only the best and the worst system can be as far apart as possible. The j largest
    differences add up to no more than they can where all units agree on one ranking,
    and the smallest of them is at most their mean. None for Bergmann-Hommel, where it matters
    which pair has which p-value.
    """
    adjustment: Any = outcome.adjustment
    if adjustment == "bergmann-hommel":
        return None
    law = outcome.outcomes.comparisons.law
    sums_ = np.sort(ranking.parts, axis=1).sum(axis=0) / ranking.total
    gaps, m = np.abs(np.subtract.outer(sums_, sums_)), len(law.estimate)
    if outcome.control is None:  # otherwise a row for each rank that the control may have
        gaps = gaps[np.triu_indices(len(sums_), 1)][None]
    sums = np.cumsum(-np.sort(-gaps, axis=1), axis=1)[:, :m].max(axis=0)
    differences = sums / np.arange(1, m + 1)
    if law.exact:  # whole rank sums
        differences = np.floor(differences * law.n_units + 1e-9) / law.n_units
    return float(np.min(adjust_pvalues(law.pvalue_of(differences), adjustment)))
