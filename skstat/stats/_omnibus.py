"""Omnibus tests of whether several systems differ: by ranks, right answers or means."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._bradley_terry import check_connected
from skstat.stats._chance import draw_seed, in_parts
from skstat.stats._counts import zero_one
from skstat.stats._family import MaxT
from skstat.stats._joint import JointFlips
from skstat.stats._ordering import RELATIVE_RESOLUTION, mid_ranks, resolution_of
from skstat.stats._pairwise import OmnibusOutcome, omnibus_pvalue
from skstat.stats._procedure import check_choice, procedure, works
from skstat.stats._score_table import ScoreTable, check_complete, check_independent
from skstat.stats._scores import check_count, check_enough_units
from skstat.stats._words import above_zero, population, unit_word

RankingName = Literal["friedman", "aligned", "quade"]

_CELLS = 20_000_000  # numbers to sort for an exact p-value: about a second
_LISTING = 100  # cost of listing one arrangement, in numbers sorted
_BLOCK = 1 << 22  # cells drawn at once; fixed, so that results never depend on memory
_UNCORRECTED = "there is no correction for tied ranks: the p-value is too large"


# The test of each ranking, and the works that describe it.
TESTS = {
    "friedman": ("Friedman test", (works.FRIEDMAN_1937, works.IMAN_DAVENPORT_1980)),
    "quade": ("Quade test", (works.QUADE_1979,)),
    "aligned": (
        "Friedman aligned ranks test",
        (works.HODGES_LEHMANN_1962, works.GARCIA_ET_AL_2010),
    ),
}


@dataclass(frozen=True, eq=False)
class Ranking:
    """Centred ranks of a table's scores, times the weights of the units.

    All numbers are whole, so that full agreement of the units is recognised exactly.

    Attributes
    ----------
    label : str
        Name of their mean.
    parts : ndarray of shape (n_units, n_systems)
        What every unit adds to the sums of the systems; 0 on average over these.
    total : int
        Divisor that turns sums into mean ranks.
    within : int
        Sum of squares of all parts, or what it would be without ties.
    by_size : bool
        Whether sizes of differences on different units are compared.
    """

    label: str
    parts: NDArray[np.int64]
    total: int
    within: int
    by_size: bool = False

    @property
    def between(self) -> int:
        """Sum of squares of the sums over units."""
        return sum_of_squares(self.parts.sum(axis=0))

    @property
    def chi2(self) -> float:
        """Friedman's statistic, or its formula applied to other ranks."""
        return (self.parts.shape[1] - 1) * self.between / self.within if self.between else 0.0

    @property
    def error(self) -> float:
        """Standard error of a difference of mean ranks, by exchanging systems within units."""
        return math.sqrt(2 / (self.parts.shape[1] - 1) * self.within) / self.total

    @property
    def smallest_pvalue(self) -> float:
        """Smallest p-value that rearranging these ranks within units can give."""
        logs = [math.log(_n_arrangements(row)) for row in self.parts.tolist()]
        # Exact summation, so that p does not depend on the order of the units.
        return math.exp(max(logs) - math.fsum(logs))


def rank(table: ScoreTable, ranking: str, *, untied: bool = False) -> Ranking:
    """Rank a complete table; `untied` takes the variance of Friedman's ranks without ties."""
    check_choice("ranking", ranking, get_args(RankingName))
    n, k = table.scores.shape
    # Doubled, mid-ranks are whole numbers too.
    parts, total = np.rint(2 * table.ranks).astype(np.int64) - (k + 1), 2 * n
    label, sizes = "mean rank", np.abs(table.scores).max(axis=1)
    if ranking == "quade":
        weights = _joint_ranks(np.ptp(table.scores, axis=1), sizes)
        parts, total = weights[:, None] * parts, 2 * int(weights.sum())
        label = "weighted mean rank"
    elif ranking == "aligned":
        aligned = table.scores.mean(axis=1, keepdims=True) - table.scores
        ranks = _joint_ranks(aligned.ravel(), np.repeat(sizes, k)).reshape(n, k)
        parts, total = k * ranks - ranks.sum(axis=1, keepdims=True), 2 * k * n
        label = "mean aligned rank"
    within = n * k * (k * k - 1) // 3 if untied else sum_of_squares(parts.ravel())
    return Ranking(label, parts, total, within, by_size=ranking != "friedman")


def _joint_ranks(values: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return doubled mid-ranks of numbers that were computed from scores of the given sizes.

    Numbers that differ only by float noise of the scores are tied.
    """
    order = np.lexsort((sizes, values))
    noise = RELATIVE_RESOLUTION * np.maximum(sizes, 1e-3 * np.median(sizes))[order]
    differ = np.diff(values[order]) > np.maximum(noise[1:], noise[:-1])
    ranks = np.empty(len(values))
    ranks[order] = mid_ranks(differ[None])[0]
    return np.rint(2 * ranks).astype(np.int64)


def sum_of_squares(values: NDArray[np.int64]) -> int:
    """Return the sum of squares of whole numbers, which need not fit into 64 bits."""
    return sum(value * value for value in values.tolist())


def check_units(table: ScoreTable, procedure: str, minimum: int = 1) -> None:
    """Raise ValueError for units that are dependent, lack a score or are too few."""
    check_independent(table, procedure)
    check_complete(table, procedure)
    check_enough_units(table, minimum, procedure)


@procedure(
    title="Friedman's test (Iman-Davenport)",
    when="the data sets with every score",
    variants={"friedman_aligned": {"ranking": "aligned"}, "quade": {"ranking": "quade"}},
    references=tuple(work for _, works_ in TESTS.values() for work in works_),
)
def friedman(
    table: ScoreTable,
    *,
    ranking: RankingName = "friedman",
    statistic: Literal["f", "chi2", "exact"] | None = None,
    ties: Literal["corrected", "uncorrected"] = "corrected",
) -> OmnibusOutcome:
    """Test of k systems by their ranks on the same N units: Friedman's, Quade's, or aligned.

    ``chi2 = (k - 1) (sum(T^2) - N C) / (A - C)`` with T the rank sums of the systems, A
    the sum of all squared ranks, and ``C = N k (k + 1)^2 / 4`` [1]_, [2]_. The F of Iman
    and Davenport, ``F = (N - 1) chi2 / (N (k - 1) - chi2)``, is closer to its
    distribution [3]_, [4]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    ranking : {"friedman", "quade", "aligned"}, default="friedman"
        ``"friedman"``: ranks within units. ``"quade"``: these, weighted by the rank of the
        unit by the range of its scores, ``S_ij = Q_i (r_ij - (k + 1) / 2)`` in place of
        ranks [5]_. ``"aligned"``: the mean of a unit is taken off its scores, and all k N of
        them are ranked together [6]_, [7]_. For the last two, differences of scores must be
        commensurable between units.
    statistic : {"f", "chi2", "exact"}, optional
        ``"f"``: F with k - 1 and (k - 1)(N - 1) degrees of freedom, the default and the only
        one of Quade's ranks. ``"chi2"``: chi-squared with k - 1, the only one of aligned
        ranks, where it is T. ``"exact"``: the share of all rearrangements of the
        ranks within units that give at least this chi-squared.
    ties : {"corrected", "uncorrected"}, default="corrected"
        ``"uncorrected"``, for Friedman's ranks, computes chi-squared as if none were tied, as
        in [4]_; with ties it is smaller. It does not change the exact p-value.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. When all units agree on one ranking, and for Quade's on the
        range, F is infinite, and the p-value is the exact one. Effect sizes: the agreement
        of the units (Kendall's W), which is chi-squared over its largest possible value
        N (k - 1), and the range of the mean ranks.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, an argument is
        unknown, there is only one unit and the test is not exact, or an exact one has
        too many rearrangements to count.

    See Also
    --------
    skillings_mack : The test of a table with gaps.
    cochran_q : The test of scores that are only right or wrong.

    Notes
    -----
    For few units and almost perfect agreement F alone would give far too small a
    p-value, smaller than the exact one for perfect agreement. It is therefore never
    taken below the least one that rearranging the ranks can give.

    Quade's ranks gain power over Friedman's for few systems, about up to five [2]_.

    References
    ----------
    .. [1] Friedman, M. (1937). The use of ranks to avoid the assumption of normality
       implicit in the analysis of variance. Journal of the American Statistical
       Association, 32(200), 675-701. :doi:`10.1080/01621459.1937.10503522`
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., section
       5.8, eq. 3-5 and 8-13. Wiley.
    .. [3] Iman, R. L. & Davenport, J. M. (1980). Approximations of the critical region
       of the Friedman statistic. Communications in Statistics, 9(6), 571-595.
       :doi:`10.1080/03610928008827904`
    .. [4] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30, section 3.2.2.
    .. [5] Quade, D. (1979). Using weighted rankings in the analysis of complete blocks
       with additive block effects. Journal of the American Statistical Association,
       74(367), 680-683. :doi:`10.1080/01621459.1979.10481670`
    .. [6] Hodges, J. L. & Lehmann, E. L. (1962). Rank methods for combination of
       independent experiments in analysis of variance. Annals of Mathematical
       Statistics, 33(2), 482-497. :doi:`10.1214/aoms/1177704575`
    .. [7] García, S., Fernández, A., Luengo, J. & Herrera, F. (2010). Advanced
       nonparametric tests for multiple comparisons in the design of experiments in
       computational intelligence and data mining. Information Sciences, 180(10),
       2044-2064, section 3.2. :doi:`10.1016/j.ins.2009.12.010`

    Examples
    --------
    >>> from skstat.stats import ScoreTable, friedman
    >>> a, b, c = [0.9, 0.8, 0.7, 0.9], [0.8, 0.6, 0.6, 0.7], [0.7, 0.6, 0.4, 0.5]
    >>> table = ScoreTable({"A": a, "B": b, "C": c}, unit="dataset")
    >>> outcome = friedman(table)
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 6)
    (57.0, (2, 6), 0.009259)
    >>> round(friedman(table, statistic="exact").pvalue, 4)
    0.0093
    >>> outcome = friedman(table, ranking="aligned")
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 4)
    (7.051, 2, 0.0294)
    """
    by_rank, default = ranking == "friedman", "chi2" if ranking == "aligned" else "f"
    form = statistic or default
    check_choice("statistic", form, ("f", "chi2", "exact") if by_rank else (default,))
    check_choice("ties", ties, ("corrected", "uncorrected") if by_rank else ("corrected",))
    check_units(table, "friedman", 1 if form == "exact" else 2)
    ranked, (n, k) = rank(table, ranking, untied=ties == "uncorrected"), table.scores.shape
    symbol, value, df = "chi2" if by_rank else "T", ranked.chi2, cast(Any, k - 1)
    law, pvalue = "chi-squared distribution", cast(Any, omnibus_pvalue(value, df))
    if form == "f":
        between, residual = ranked.between, n * ranked.within - ranked.between
        symbol, df, smallest = "F", (k - 1, (k - 1) * (n - 1)), ranked.smallest_pvalue
        value = (n - 1) * between / residual if residual else math.inf if between else 0.0
        law = "Iman-Davenport F distribution" if by_rank else "F distribution"
        pvalue = max(omnibus_pvalue(value, df), smallest)
        if value == math.inf:
            law, pvalue, df = f"all {unit_word(table.unit)}s agree", smallest, None
    elif form == "exact":
        law, pvalue, df = "exact permutation", share_of_arrangements(ranked.parts), None
        if pvalue is None:
            raise ValueError(f"{k} systems: too many arrangements to count; use statistic='f'.")
    untied = df is not None and ranked.within > sum_of_squares(ranked.parts.ravel())
    (test, references), label = TESTS[ranking], ranked.label
    return _rank_outcome(
        table,
        f"{test} ({law})",
        law,
        f"{label}s",
        by_size=not by_rank,
        assuming=[_UNCORRECTED] * untied,
        statistic_name=symbol,
        statistic=value,
        df=df,
        pvalue=above_zero(pvalue),
        effect_sizes={
            "Kendall's W" if by_rank else f"agreement of {label}s": ranked.chi2 / (n * (k - 1)),
            f"range of {label}s": int(np.ptp(ranked.parts.sum(axis=0))) / ranked.total,
        },
        references=references if form == "f" or not by_rank else references[:1],
    )


@procedure(
    title="the Skillings-Mack test",
    missing_scores=True,
    references=(works.SKILLINGS_MACK_1981,),
)
def skillings_mack(table: ScoreTable) -> OmnibusOutcome:
    """Test of k systems by their ranks on units, where scores may be missing.

    The k_i scores that unit i has are ranked, and ``a_j = sum_i sqrt(12 / (k_i + 1))
    (r_ij - (k_i + 1) / 2)`` adds up over the units that system j was scored on. ``SM =
    a' S^- a`` with the covariance matrix S of a: off its diagonal minus the number of
    units that two systems share, with rows that add up to zero [1]_. Units with fewer
    than two scores are left out.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units; nan where one is missing.

    Returns
    -------
    OmnibusOutcome
        The test's numbers, with k - 1 degrees of freedom of chi-squared; `n_units`
        counts units with two or more scores. Without gaps SM is the chi-squared of
        :func:`friedman` without its correction of ties.

    Raises
    ------
    ValueError
        If the units are splits of one data set, only one has two or more scores, or
        the systems fall into sets that share no unit, not even through others.

    See Also
    --------
    friedman : The test of a table without gaps, which corrects for ties.

    References
    ----------
    .. [1] Skillings, J. H. & Mack, G. A. (1981). On the use of a Friedman-type statistic
       in balanced and unbalanced block designs. Technometrics, 23(2), 171-177.
       :doi:`10.1080/00401706.1981.10486261`

    Examples
    --------
    >>> from skstat.stats import ScoreTable, skillings_mack
    >>> a = [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, None, 4.3, 3.5]
    >>> b = [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, None]
    >>> c = [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7]
    >>> d = [4.2, 4.0, 4.8, 4.0, 3.9, None, None, 4.9, 3.9]
    >>> times = {"A": a, "B": b, "C": c, "D": d}
    >>> outcome = skillings_mack(ScoreTable(times, unit="dataset", higher_is_better=False))
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 4)
    (15.493, 3, 0.0014)
    """
    check_independent(table, "skillings_mack")
    scored = ~table.missing
    used = scored.sum(axis=1) > 1
    if used.sum() < 2:
        raise ValueError("skillings_mack needs at least 2 units with two scores.")
    scored, ranks = scored[used], table.ranks[used]
    shared = scored.T.astype(np.int64) @ scored
    check_connected(shared, table.names)
    n_scored = scored.sum(axis=1, keepdims=True)
    scaled = np.sqrt(12 / (n_scored + 1)) * (ranks - (n_scored + 1) / 2)
    sums = np.nansum(scaled, axis=0)
    np.fill_diagonal(shared, 0)
    covariance = np.diag(shared.sum(axis=1)) - shared
    # The sums add up to zero, the only direction without variance; adding variance
    # there makes the inverse the generalised one for them.
    statistic = float(sums @ np.linalg.solve(covariance + 1.0, sums))
    # Mid-ranks have a smaller sum of squares than the ranks that they stand for.
    tied = np.nansum(ranks**2) < np.sum(n_scored * (n_scored + 1) * (2 * n_scored + 1)) / 6
    at_random = "whether a score is missing does not depend on what it would be"
    assuming = [at_random] * (not scored.all()) + [_UNCORRECTED] * bool(tied)
    df = table.n_systems - 1
    return _rank_outcome(
        table,
        "Skillings-Mack test (chi-squared)",
        "chi-squared distribution",
        assuming=assuming,
        n_units=len(ranks),
        statistic_name="SM",
        statistic=statistic,
        df=df,
        pvalue=omnibus_pvalue(statistic, df),
    )


def _rank_outcome(
    table: ScoreTable,
    test: str,
    law: str,
    what: str = "mean ranks",
    *,
    assuming: Sequence[str] = (),
    by_size: bool = False,
    **facts: Any,
) -> OmnibusOutcome:
    """Return the outcome of a test of ranks, which assumes more than `assuming`."""
    unit = unit_word(table.unit)
    among = "the systems with a score" if table.missing.any() else "the systems"
    about_sizes = [f"differences of scores are commensurable between {unit}s"] * by_size
    about_law = [f"there are enough {unit}s for the {law}"] * (facts["df"] is not None)
    return omnibus(
        table,
        test,
        what,
        assuming=(*about_sizes, *about_law, *assuming),
        null_hypothesis=f"every ranking of {among} is equally likely on every {unit}",
        scale="rank",
        compares_sizes="strongly" if by_size else "no",
        **facts,
    )


def omnibus(
    table: ScoreTable, test: str, what: str, *, assuming: Sequence[str] = (), **facts: Any
) -> OmnibusOutcome:
    """Return the outcome of a test of all systems, which assumes more than `assuming`."""
    unit, where = unit_word(table.unit), f"over {population(table.unit, table.n_systems)}"
    alike = f"under the null hypothesis the systems are exchangeable on every {unit}"
    about_units = (f"the {unit}s are independent of each other", *assuming)
    words: Any = {"n_units": table.n_units, "null_hypothesis": f"all {what} are equal, {where}"}
    return OmnibusOutcome(
        test=test,
        estimand=f"the {what} of the systems {where}",
        names=table.names,
        assumptions=about_units if facts.get("df") is not None else (*about_units, alike),
        **words | facts,
    )


def _n_arrangements(ranks: list[int]) -> int:
    tied = Counter(ranks).values()
    return math.factorial(len(ranks)) // math.prod(map(math.factorial, tied))


def _arrangements(ranks: list[int]) -> list[list[int]]:
    """Return all distinct orders of the ranks."""
    return [
        [first, *others]
        for i, first in enumerate(ranks)
        if first not in ranks[:i]
        for others in _arrangements(ranks[:i] + ranks[i + 1 :])
    ] or [[]]


def share_of_arrangements(rows: NDArray[np.int64]) -> float | None:
    """Return the share of arrangements within rows whose column sums spread at least as much.

    None where there are too many to count.
    """
    k = rows.shape[1]
    # Sorted, so that p does not depend on the order of rows; the row with the most arrangements
    # comes last, where the sums need not be stored.
    units = sorted((_n_arrangements(row), sorted(row)) for row in rows.tolist())
    if len(units) < 2:
        return 1.0
    budget, base = _CELLS, 1 + sum(row[-1] - row[0] for _, row in units)
    if base**k >= 2**63:  # the sums are coded as the digits of one number
        return None
    # Only the sorted sums matter: arrangements of a row treat all systems alike.
    sums: NDArray[np.int64] = np.array([units[0][1]])
    share: NDArray = np.ones(1)
    for count, row in units[1:]:
        is_last = row is units[-1][1]
        budget -= (len(sums) * (1 if is_last else k) + _LISTING) * count
        if budget < 0:
            return None
        arrangements = np.array(_arrangements(row))
        if is_last:
            break
        following = np.sort((sums[:, None] + arrangements).reshape(-1, k), axis=1)
        codes = following @ base ** np.arange(k)
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        sums, share = following[first], np.bincount(inverse, np.repeat(share / count, count))
    # |sums + last|^2: only the products vary, as the squares are the same for all orders.
    threshold = sum_of_squares(rows.sum(axis=0)) - sum_of_squares(np.array(row))
    extreme = 2 * sums @ arrangements.T >= (threshold - np.sum(sums**2, axis=1))[:, None]
    return min(1.0, float(np.sum(share * extreme.mean(axis=1))))


@procedure(title="Cochran's Q", references=(works.COCHRAN_1950,))
def cochran_q(
    table: ScoreTable,
    *,
    method: Literal["auto", "chi2", "permutation"] = "auto",
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
) -> OmnibusOutcome:
    """Cochran's Q test of equal accuracy of k classifiers on the same instances.

    ``Q = (k - 1) (k sum(G^2) - T^2) / (k T - sum(L^2))`` with G the number of
    instances that each system is right on, L the number of systems that are right on
    each instance, and T the sum of either [1]_. Instances on which all systems are
    right, or all wrong, say nothing and change nothing. For two systems Q is the
    McNemar chi-squared statistic.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units: 1 (right) and 0 (wrong), a row per instance.
    method : {"auto", "chi2", "permutation"}, default="auto"
        ``"chi2"``: chi-squared with k - 1 degrees of freedom. ``"permutation"``: the systems
        are permuted within each instance; all arrangements are counted if that is feasible,
        else some are drawn and ``p = (1 + count) / (1 + n_resamples)``. ``"auto"``:
        chi-squared from four instances and 24 cells on, not counting instances that say
        nothing (the rule of [2]_), else permutation.
    n_resamples : int, default=9999
        Arrangements to draw when they are too many to count.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. Effect sizes: eta squared, which is Q over its largest
        possible value n (k - 1) [3]_, and the range of the accuracies.

    Raises
    ------
    ValueError
        If a score is neither 0 nor 1, the units are splits, or an argument is unknown.

    See Also
    --------
    mcnemar : The test of two systems, to follow this one up.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika, 37(3/4), 256-266. :doi:`10.1093/biomet/37.3-4.256`
    .. [2] Tate, M. W. & Brown, S. M. (1970). Note on the Cochran Q test. Journal of
       the American Statistical Association, 65(329), 155-160.
    .. [3] Serlin, R. C., Carr, J. & Marascuilo, L. A. (1982). A measure of association
       for selected nonparametric procedures. Psychological Bulletin, 92(3), 786-790.
       :doi:`10.1037/0033-2909.92.3.786`

    Examples
    --------
    >>> from skstat.stats import ScoreTable, cochran_q
    >>> a, b, c = [1] * 9 + [0], [1, 0, 1, 1, 0, 1, 0, 0, 1, 0], [0, 0, 1] + [0] * 7
    >>> table = ScoreTable({"A": a, "B": b, "C": c}, unit="instance")
    >>> outcome = cochran_q(table)
    >>> outcome.statistic, outcome.df, round(outcome.pvalue, 4)
    (12.0, 2, 0.0025)
    """
    check_choice("method", method, ("auto", "chi2", "permutation"))
    check_count("n_resamples", n_resamples)
    if table.unit == "split":
        raise ValueError("cochran_q needs independent units, but unit='split'.")
    right = np.column_stack([zero_one(name, table.scores_of(name)) for name in table.names])
    # A unit that all systems agree on stays as it is in every arrangement.
    right = right[np.ptp(right.astype(int), axis=1) > 0].astype(np.int64)
    k, n, unit = table.n_systems, table.n_units, unit_word(table.unit)
    parts = k * right - right.sum(axis=1, keepdims=True)
    q = Ranking("accuracy", parts, k * n, sum_of_squares(parts.ravel())).chi2
    if method == "auto":
        method = "chi2" if len(right) >= 4 and right.size >= 24 else "permutation"
    how, facts = "chi-squared", dict[str, Any](df=k - 1, pvalue=omnibus_pvalue(q, k - 1))
    assuming = [f"the systems differ on enough {unit}s for the chi-squared distribution"]
    if method == "permutation":
        how, assuming, facts = "exact permutation", [], {"pvalue": share_of_arrangements(right)}
        if facts["pvalue"] is None:
            how, seed = "drawn permutations", draw_seed(rng)
            pvalue = _drawn_pvalue(right, n_resamples, seed)
            facts = {"pvalue": pvalue, "n_resamples": n_resamples, "seed": seed}
    return omnibus(
        table,
        f"Cochran Q test ({how})",
        "accuracies",
        assuming=assuming,
        statistic=q,
        statistic_name="Q",
        effect_sizes={
            "eta squared": q / (n * (k - 1)),
            "range of accuracies": float(np.ptp(table.scores.mean(axis=0))),
        },
        **facts,
    )


def _drawn_pvalue(right: NDArray[np.int64], n_resamples: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    observed, count = int(np.sum(right.sum(axis=0) ** 2)), 0
    for block in in_parts(n_resamples, right.size, _BLOCK):
        shape = (block.stop - block.start, *right.shape)
        drawn = rng.permuted(np.broadcast_to(right, shape), axis=2)
        count += int(np.sum(np.sum(drawn.sum(axis=1) ** 2, axis=1) >= observed))
    return (1 + count) / (1 + n_resamples)


@procedure(
    when="all at once", references=(works.GREENHOUSE_GEISSER_1959, works.HUYNH_FELDT_1976)
)
def repeated_measures_anova(
    table: ScoreTable,
    *,
    correction: Literal["greenhouse-geisser", "huynh-feldt"] | None = "greenhouse-geisser",
) -> OmnibusOutcome:
    """Analysis of variance of k systems scored on the same N units.

    ``F = MS_systems / MS_residual``. Without sphericity, which is equal variances of
    all differences between two systems, F has fewer degrees of freedom than k - 1 and
    (k - 1)(N - 1): both are multiplied by an estimate of epsilon, which lies between
    1 / (k - 1) and 1. With C the covariance matrix of the systems, centred by rows and
    columns, that of Greenhouse and Geisser is ``tr(C)^2 / ((k - 1) sum(C^2))`` [1]_; that
    of Huynh and Feldt makes up for its bias near 1, ``(N (k - 1) eps - 2) / ((k - 1)
    (N - 1 - (k - 1) eps))`` and at most 1 [2]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    correction : {"greenhouse-geisser", "huynh-feldt"} or None, \
default="greenhouse-geisser"
        Estimate of epsilon that multiplies the degrees of freedom; None assumes
        sphericity.

    Returns
    -------
    OmnibusOutcome
        The test's numbers; the p-value is nan when the systems differ by the same
        amounts on all units, which leaves nothing to test them against. Effect sizes: partial
        eta squared, and both epsilons.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, the correction is
        unknown, there is only one unit, or two for that of Huynh and Feldt.

    See Also
    --------
    friedman : Assumes neither normality nor commensurable scores.
    paired_t : The test of two systems.

    Notes
    -----
    Over data sets, scores are seldom commensurable or normal: prefer :func:`friedman`
    there [3]_.

    References
    ----------
    .. [1] Greenhouse, S. W. & Geisser, S. (1959). On methods in the analysis of profile
       data. Psychometrika, 24(2), 95-112. :doi:`10.1007/BF02289823`
    .. [2] Huynh, H. & Feldt, L. S. (1976). Estimation of the Box correction for degrees
       of freedom from sample data in randomized block and split-plot designs. Journal
       of Educational Statistics, 1(1), 69-82. :doi:`10.3102/10769986001001069`
    .. [3] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30, section 3.2.1.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, repeated_measures_anova
    >>> a, b = [2.2, 3.1, 4.3, 4.1, 7.2], [1.1, 2.5, 4.1, 5.2, 6.4]
    >>> table = ScoreTable({"A": a, "B": b, "C": [8.2, 4.5, 3.4, 6.2, 7.2]}, unit="seed")
    >>> outcome = repeated_measures_anova(table)
    >>> round(outcome.statistic, 3), round(outcome.pvalue, 3)
    (2.154, 0.212)
    >>> round(outcome.effect_sizes["Greenhouse-Geisser epsilon"], 3)
    0.559
    """
    check_choice("correction", correction, ("greenhouse-geisser", "huynh-feldt", None))
    check_units(table, "repeated_measures_anova", 2)
    (n, k), unit = table.scores.shape, unit_word(table.unit)
    if correction == "huynh-feldt" and n < 3:
        raise ValueError(f"huynh-feldt needs 3 {unit}s, got {n}; use 'greenhouse-geisser'.")
    x = table.scores
    within = x - x.mean(axis=1, keepdims=True)
    effects = within.mean(axis=0)
    effects, residuals = (
        np.where(np.abs(part).max() <= resolution_of(x), 0.0, part)
        for part in (effects, within - effects)
    )
    between, residual = n * np.sum(effects**2), np.sum(residuals**2)
    gg, hf = _epsilons(residuals)
    name = correction.title() if correction else "sphericity assumed"
    epsilon = {"greenhouse-geisser": gg, "huynh-feldt": hf}.get(str(correction), 1.0)
    epsilon = 1.0 if math.isnan(epsilon) else epsilon
    df = (epsilon * (k - 1), epsilon * (k - 1) * (n - 1))
    statistic = (n - 1) * between / residual if residual else math.inf if between else 0.0
    assuming = [f"differences of scores are commensurable between {unit}s, and close to normal"]
    if correction is None and k > 2:
        assuming.append("differences of any two systems have the same variance (sphericity)")
    return omnibus(
        table,
        f"repeated-measures ANOVA ({name})",
        "mean scores",
        assuming=assuming,
        statistic=float(statistic),
        # Without variance there is nothing to judge a difference by: p = 0 would claim
        # certainty from a handful of equal numbers.
        pvalue=math.nan if math.isinf(statistic) else omnibus_pvalue(statistic, df),
        compares_sizes="strongly",
        statistic_name="F",
        df=df,
        effect_sizes={
            "partial eta squared": float(between / (between + residual)) if between else 0.0,
            "Greenhouse-Geisser epsilon": gg,
            "Huynh-Feldt epsilon": hf,
        },
    )


def _epsilons(residuals: NDArray[np.float64]) -> tuple[float, float]:
    """Return Greenhouse and Geisser's epsilon, and Huynh and Feldt's; nan if undefined."""
    n, k = residuals.shape
    if not residuals.any():
        return math.nan, math.nan
    if k == 2:
        return 1.0, 1.0
    residuals = residuals / np.abs(residuals).max()  # squares of squares underflow
    covariance = np.einsum("ij,ik->jk", residuals, residuals)
    trace = np.trace(covariance)
    gg = float(trace**2 / ((k - 1) * np.sum(covariance**2)))
    if n == 2:
        return gg, math.nan  # 0 / 0
    denominator = (k - 1) * (n - 1 - (k - 1) * gg)
    numerator = n * (k - 1) * gg - 2
    # The denominator is 0 when the residuals fill all n - 1 dimensions evenly.
    return gg, numerator / denominator if denominator > numerator else 1.0


@procedure(references=(works.WESTFALL_YOUNG_1993,))
def largest_t(
    table: ScoreTable, *, n_resamples: int = 9_999, rng: int | np.random.Generator | None = None
) -> OmnibusOutcome:
    """Max-T sign-flip test of equal mean scores of k systems on the same units.

    The statistic is the largest absolute t of all pairs. If no two systems differed,
    the differences of a unit could change their signs, all of them together, which
    keeps their correlation ([1]_, section 4). For scores that are 1 (right) or 0 (wrong)
    :func:`cochran_q` is the classical test.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    n_resamples : int, default=9999
        Patterns of signs to draw.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    OmnibusOutcome
        The test's numbers; ``p = (1 + count) / (1 + n_resamples)``.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set or ordered, or there
        are fewer than two of them.

    See Also
    --------
    friedman : A test of ranks, for scores that mean different things on every unit.

    References
    ----------
    .. [1] Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing.
       Wiley.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, largest_t
    >>> a, b = [3.1, 2.9, 4.0, 3.4, 3.6, 3.8], [3.0, 3.1, 3.8, 3.3, 3.9, 3.5]
    >>> table = ScoreTable({"a": a, "b": b, "c": [2.0, 2.2, 3.1, 2.3, 2.4, 2.9]}, unit="seed")
    >>> outcome = largest_t(table, rng=0)
    >>> round(outcome.statistic, 2), outcome.pvalue < 0.05
    (13.13, True)
    """
    check_units(table, "largest_t", 2)
    if table.ordered:
        raise ValueError("largest_t treats units as independent, but these are ordered.")
    check_count("n_resamples", n_resamples)
    seed = draw_seed(rng)
    pairs = list(combinations(range(table.n_systems), 2))
    flips = JointFlips(*table.flipped, n_resamples=n_resamples, seed=seed)
    return largest_of(flips.max_t(pairs), table)


def largest_of(joint: MaxT, table: ScoreTable) -> OmnibusOutcome:
    """Return the test of all systems from the joint distribution of all pairs.

    Its p-value is the smallest adjusted p-value of a pair.
    """
    how = "sign flips" if joint.alone is not None else joint.how.removeprefix("the ")
    t = np.abs(joint.estimates[joint.errors > 0]) / joint.errors[joint.errors > 0]
    means, tested = table.scores.mean(axis=0), joint.pvalue[~np.isnan(joint.pvalue)]
    return omnibus(
        table,
        f"max-T test of all pairs ({how})",
        "mean scores",
        statistic=float(np.max(t, initial=0.0)),
        pvalue=float(np.min(tested, initial=1.0)) if tested.size else math.nan,
        compares_sizes="strongly",
        statistic_name="max |t|",
        effect_sizes={"range of means": float(np.ptp(means))},
        n_resamples=len(joint.maxima),
        seed=joint.drawn_by,
    )
