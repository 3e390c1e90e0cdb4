"""Friedman's test: do several systems rank alike on the same units?"""

import math
from collections import Counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure, tails
from skstat.stats._literature import FRIEDMAN_1937, IMAN_DAVENPORT_1980
from skstat.stats._outcomes import OmnibusOutcome, above_zero, population, unit_word
from skstat.stats._samples import ScoreTable, check_complete, check_independent

_CELLS = 20_000_000  # numbers to sort for an exact p-value: about a second
_LISTING = 100  # numbers that can be sorted while one arrangement is listed
_LAW = {
    "f": "Iman-Davenport F distribution",
    "chi2": "chi-squared distribution",
    "exact": "exact permutation",
}

# Sums of squares of doubled centred ranks are whole numbers: perfect agreement is seen
# for certain, and no float noise can break a tie between arrangements.


@procedure(
    title="Friedman's test (Iman-Davenport)",
    when="the data sets with every score",
    references=(FRIEDMAN_1937,),
)
def friedman(
    table: ScoreTable,
    *,
    statistic: Literal["f", "chi2", "exact"] = "f",
    ties: Literal["corrected", "uncorrected"] = "corrected",
) -> OmnibusOutcome:
    """Friedman's test of k systems by their ranks on the same N units.

    ``chi2 = (k - 1) (sum(T^2) - N C) / (A - C)`` with T the rank sums of the systems, A
    the sum of all squared ranks, and ``C = N k (k + 1)^2 / 4`` [1]_, [2]_. The F of Iman
    and Davenport, ``F = (N - 1) chi2 / (N (k - 1) - chi2)``, is closer to its
    distribution [3]_, [4]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    statistic : {"f", "chi2", "exact"}, default="f"
        ``"f"``: F with k - 1 and (k - 1)(N - 1) degrees of freedom. ``"chi2"``:
        chi-squared with k - 1. ``"exact"``: the share of all rearrangements of the
        ranks within units that give at least this chi-squared.
    ties : {"corrected", "uncorrected"}, default="corrected"
        ``"uncorrected"`` computes chi-squared as if no ranks were tied, as in [4]_; with
        ties it is smaller. It does not change the exact p-value.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. When all units agree on one ranking, F is infinite, and the
        p-value is the exact one. Effect sizes: Kendall's W, which is chi-squared over
        its largest possible value N (k - 1), and the range of the mean ranks.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, an argument is
        unknown, there is only one unit and the test is not exact, or an exact one has
        too many rearrangements to count.

    See Also
    --------
    quade : Units on which the systems differ more count more.
    skillings_mack : The test of a table with gaps.
    cochran_q : The test of scores that are only right or wrong.

    Notes
    -----
    For few units and almost perfect agreement F alone would give far too small a
    p-value, smaller than the exact one for perfect agreement. It is therefore never
    taken below the least one that rearranging the ranks can give.

    References
    ----------
    .. [1] Friedman, M. (1937). The use of ranks to avoid the assumption of normality
       implicit in the analysis of variance. Journal of the American Statistical
       Association, 32(200), 675-701. :doi:`10.1080/01621459.1937.10503522`
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., section
       5.8, eq. 3-5. Wiley.
    .. [3] Iman, R. L. & Davenport, J. M. (1980). Approximations of the critical region
       of the Friedman statistic. Communications in Statistics, 9(6), 571-595.
       :doi:`10.1080/03610928008827904`
    .. [4] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30, section 3.2.2.

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
    """
    if statistic not in ("f", "chi2", "exact"):
        raise ValueError(f"statistic={statistic!r} is unknown; use 'f', 'chi2' or 'exact'.")
    if ties not in ("corrected", "uncorrected"):
        raise ValueError(f"ties={ties!r} is unknown; use 'corrected' or 'uncorrected'.")
    check_independent(table, "friedman")
    check_complete(table, "friedman")
    n, k, unit = table.n_units, table.n_systems, unit_word(table.unit)
    if statistic != "exact":
        check_several_units(n, "friedman", unit)
    ranks = doubled_ranks(table)
    sums = ranks.sum(axis=0)
    between, within = sum_of_squares(sums), sum_of_squares(ranks)
    tied = within < n * k * (k * k - 1) // 3
    if ties == "uncorrected":
        within = n * k * (k * k - 1) // 3
    chi2 = (k - 1) * between / within if between else 0.0
    independent = f"the {unit}s are independent of each other"
    changing = f"under the null hypothesis the systems are exchangeable on every {unit}"
    assumptions = [independent, f"there are enough {unit}s for the {_LAW[statistic]}"]
    value, name, how = chi2, "chi2", _LAW[statistic]
    df: float | tuple[float, float] | None = k - 1
    if statistic == "exact":
        df, assumptions = None, [independent, changing]
        pvalue = _exact_pvalue(ranks)
    elif statistic == "chi2":
        pvalue = tails.chi2_sf(chi2, k - 1)
    else:
        value, name = f_ratio(between, within, n), "F"
        df = (k - 1, (k - 1) * (n - 1))
        pvalue = max(tails.f_sf(value, *df), least_friedman_pvalue(ranks))
        if math.isinf(value):
            df, assumptions, how = None, [independent, changing], f"all {unit}s agree"
    if ties == "uncorrected" and tied and statistic != "exact":
        assumptions.append("there is no correction for tied ranks: the p-value is too large")
    return OmnibusOutcome(
        test=f"Friedman test ({how})",
        scale="rank",
        estimand=f"the mean ranks of the systems over {population(table.unit, k)}",
        null_hypothesis=f"every ranking of the systems is equally likely on every {unit}",
        statistic=value,
        pvalue=above_zero(pvalue),
        names=table.names,
        n_units=n,
        statistic_name=name,
        df=df,
        assumptions=tuple(assumptions),
        effect_sizes={
            "Kendall's W": chi2 / (n * (k - 1)),
            "range of mean ranks": int(np.ptp(sums)) / (2 * n),
        },
        references=(FRIEDMAN_1937, IMAN_DAVENPORT_1980)
        if statistic == "f"
        else (FRIEDMAN_1937,),
    )


def check_several_units(n: int, procedure: str, unit: str) -> None:
    """Refuse one unit: nothing shows how much another one would differ from it."""
    if n < 2:
        raise ValueError(f"{procedure} needs at least 2 {unit}s, but has {n}.")


def doubled_ranks(table: ScoreTable) -> NDArray[np.int64]:
    """Ranks less their mean within a unit, doubled: whole numbers, and mid-ranks too."""
    return np.rint(2 * table.ranks).astype(np.int64) - (table.n_systems + 1)


def sum_of_squares(values: NDArray) -> int:
    """Sum of squares of whole numbers, which need not fit into 64 bits."""
    if values.ndim == 1:
        return sum(value * value for value in values.tolist())
    return sum(np.sum(values**2, axis=1).tolist())


def f_ratio(between: int, within: int, n: int) -> float:
    """F of rows without a row effect: infinite when all n rows are the same.

    `between` is the sum of squares of the column sums, `within` that of all cells.
    """
    if not between:
        return 0.0
    rest = n * within - between
    return (n - 1) * between / rest if rest else math.inf


def least_friedman_pvalue(ranks: NDArray[np.int64]) -> float:
    """Least p-value that rearranging these ranks within units can give.

    Renaming the systems changes no statistic, and renames a unit's ranking to each of
    its arrangements. Where all units agree this is the exact p-value.
    """
    patterns, counts = np.unique(np.sort(ranks, axis=1), axis=0, return_counts=True)
    logs = np.array([math.log(_n_arrangements(row)) for row in patterns.tolist()])
    # Correctly rounded, so that p does not depend on the order of units by a bit.
    return math.exp(logs.max() - math.fsum(logs * counts))


def _n_arrangements(ranks: list[int]) -> int:
    tied = Counter(ranks).values()
    return math.factorial(len(ranks)) // math.prod(map(math.factorial, tied))


def _arrangements(ranks: list[int]) -> list[list[int]]:
    """All different orders of the ranks."""
    if not ranks:
        return [[]]
    found = []
    for first in sorted(set(ranks)):
        rest = ranks.copy()
        rest.remove(first)
        found += [[first, *others] for others in _arrangements(rest)]
    return found


def _exact_pvalue(ranks: NDArray[np.int64]) -> float:
    """Share of all arrangements within units with at least this spread of rank sums."""
    n, k = ranks.shape
    # Sorted, so that p does not depend on the order of units by a bit; the unit with the
    # most arrangements comes last, where no sums of ranks need to be kept any more.
    units = sorted((_n_arrangements(unit), sorted(unit)) for unit in ranks.tolist())
    if len(units) < 2:
        return 1.0
    budget = _CELLS
    base = 2 * (k - 1) * n + 1  # rank sums are digits of one number, their state

    def arrangements(count: int, unit: list[int], states: int) -> NDArray[np.int64]:
        nonlocal budget
        budget -= (states + _LISTING) * count
        if budget < 0 or base**k >= 2**63:
            raise ValueError(
                f"the exact Friedman test of {k} systems on {n} units has too many "
                "arrangements to count; use statistic='f'."
            )
        return np.array(_arrangements(unit))

    # Only the sorted rank sums matter: a unit's arrangements treat all systems alike.
    sums: NDArray[np.int64] = np.array([units[0][1]])
    share: NDArray = np.ones(1)
    for count, unit in units[1:-1]:
        following = sums[:, None] + arrangements(count, unit, len(sums) * k)
        following = np.sort(following.reshape(-1, k), axis=1)
        codes = following @ base ** np.arange(k)
        _, at, which = np.unique(codes, return_index=True, return_inverse=True)
        sums, share = following[at], np.bincount(which, np.repeat(share / count, count))
    count, unit = units[-1]
    last = arrangements(count, unit, len(sums))
    # |sums + last|^2, with the products first: they are all that varies.
    needed = sum_of_squares(ranks.sum(axis=0)) - sum_of_squares(np.array(unit))
    extreme = 2 * sums @ last.T >= (needed - np.sum(sums**2, axis=1))[:, None]
    return min(1.0, float(np.sum(share * extreme.mean(axis=1))))
