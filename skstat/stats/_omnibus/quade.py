"""Quade's test: Friedman's, with larger weights for units on which the systems differ more."""

import math

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Ordering, procedure, tails
from skstat.stats._literature import QUADE_1979
from skstat.stats._omnibus.friedman import (
    check_several_units,
    doubled_ranks,
    f_ratio,
    least_friedman_pvalue,
    sum_of_squares,
)
from skstat.stats._outcomes import OmnibusOutcome, above_zero, population, unit_word
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    ScoreTable,
    check_complete,
    check_independent,
)


@procedure(when="2 to 4 systems", references=(QUADE_1979,))
def quade(table: ScoreTable) -> OmnibusOutcome:
    """Quade's test of k systems by ranks that are weighted by the rank of the unit.

    ``F = (N - 1) B / (A - B)`` with ``S_ij = Q_i (r_ij - (k + 1) / 2)``, r the rank of a
    system on unit i, Q the rank of the unit by the range of its scores, A the sum of all
    squared S, and B that of the squared sums of S over units, divided by N [1]_, [2]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units. Their differences must be
        commensurable between units.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. When the units agree on one ranking and on the range, F is
        infinite, and the p-value is the share of all rearrangements of the ranks within
        units that make them agree. Effect size: their
        weighted agreement B / A, which is 1 then.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, or there is only
        one unit.

    See Also
    --------
    friedman : Every unit counts the same, however its scores are scaled.

    Notes
    -----
    It gains power over :func:`friedman` for few systems, about up to five [2]_.

    References
    ----------
    .. [1] Quade, D. (1979). Using weighted rankings in the analysis of complete blocks
       with additive block effects. Journal of the American Statistical Association,
       74(367), 680-683. :doi:`10.1080/01621459.1979.10481670`
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., section
       5.8, eq. 8-13. Wiley.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, quade
    >>> sold = [[5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4]]
    >>> sold += [[10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7]]
    >>> outcome = quade(ScoreTable(sold, unit="dataset"))
    >>> round(outcome.statistic, 4), outcome.df, round(outcome.pvalue, 5)
    (3.8293, (4, 24), 0.01519)
    """
    check_independent(table, "quade")
    check_complete(table, "quade")
    n, k, unit = table.n_units, table.n_systems, unit_word(table.unit)
    check_several_units(n, "quade", unit)
    sizes = np.abs(table.scores).max(axis=1)
    weights = np.rint(2 * ranked_together(np.ptp(table.scores, axis=1), sizes))
    ranks = doubled_ranks(table)
    weighted = weights.astype(np.int64)[:, None] * ranks
    between, within = sum_of_squares(weighted.sum(axis=0)), sum_of_squares(weighted)
    statistic = f_ratio(between, within, n)
    assumptions = [
        f"the {unit}s are independent of each other",
        f"differences of scores are commensurable between {unit}s",
    ]
    df = (k - 1, (k - 1) * (n - 1))
    exact = math.isinf(statistic)
    # For few units F alone would give less than any rearrangement of the ranks can.
    pvalue = max(tails.f_sf(statistic, *df), least_friedman_pvalue(ranks))
    if exact:
        how = f"all {unit}s agree"
        assumptions.append(
            f"under the null hypothesis the systems are exchangeable on every {unit}"
        )
    else:
        how = "F distribution"
        assumptions.append(f"there are enough {unit}s for the F distribution")
    return OmnibusOutcome(
        test=f"Quade test ({how})",
        scale="rank",
        compares_sizes="strongly",
        estimand=(
            "the mean ranks of the systems, weighted by the range of the scores, over "
            f"{population(table.unit, k)}"
        ),
        null_hypothesis=f"every ranking of the systems is equally likely on every {unit}",
        statistic=statistic,
        pvalue=above_zero(pvalue),
        names=table.names,
        n_units=n,
        statistic_name="F",
        df=None if exact else df,
        assumptions=tuple(assumptions),
        effect_sizes={"weighted agreement": between / (n * within) if between else 0.0},
    )


def ranked_together(
    values: NDArray[np.float64], sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mid-ranks of numbers that were computed from scores of the given sizes.

    Numbers that differ by the float noise of either's scores only are tied.
    """
    order = np.lexsort((sizes, values))
    noise = RELATIVE_RESOLUTION * np.maximum(sizes, 1e-3 * np.median(sizes))[order]
    apart = np.diff(values[order]) > np.maximum(noise[1:], noise[:-1])
    numbers = np.empty(len(values))
    numbers[order] = np.concatenate([[0], np.cumsum(apart)])
    return Ordering(numbers).mid_ranks
