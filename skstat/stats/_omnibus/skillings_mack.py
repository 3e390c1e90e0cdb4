"""The test of Skillings and Mack: Friedman's, for tables with gaps."""

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure, tails
from skstat.stats._literature import SKILLINGS_MACK_1981
from skstat.stats._omnibus.friedman import check_several_units
from skstat.stats._outcomes import OmnibusOutcome, above_zero, population, unit_word
from skstat.stats._samples import ScoreTable, check_independent


@procedure(
    title="the Skillings-Mack test", missing_scores=True, references=(SKILLINGS_MACK_1981,)
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
    there = ~table.missing
    used = there.sum(axis=1) > 1
    k, unit = table.n_systems, unit_word(table.unit)
    check_several_units(int(used.sum()), "skillings_mack", f"{unit}s with two or more score")
    there, ranks = there[used], table.ranks[used]
    shared = there.T.astype(np.int64) @ there
    _check_connected(shared, table.names, unit)
    present = there.sum(axis=1, keepdims=True)
    scaled = np.sqrt(12 / (present + 1)) * (ranks - (present + 1) / 2)
    sums = np.nansum(scaled, axis=0)
    np.fill_diagonal(shared, 0)
    covariance = np.diag(shared.sum(axis=1)) - shared
    # The sums add up to zero, the only direction without variance; adding variance
    # there makes the inverse the generalised one for them.
    statistic = float(sums @ np.linalg.solve(covariance + 1.0, sums))
    assumptions = [
        f"the {unit}s are independent of each other",
        f"there are enough {unit}s for the chi-squared distribution",
    ]
    if not there.all():
        assumptions.append("whether a score is missing does not depend on what it would be")
    if _any_ties(ranks):
        assumptions.append("there is no correction for tied ranks: the p-value is too large")
    return OmnibusOutcome(
        test="Skillings-Mack test (chi-squared)",
        scale="rank",
        estimand=f"the mean ranks of the systems over {population(table.unit, k)}",
        null_hypothesis=(
            f"every ranking of the systems with a score is equally likely on every {unit}"
        ),
        statistic=statistic,
        pvalue=above_zero(tails.chi2_sf(statistic, k - 1)),
        names=table.names,
        n_units=len(ranks),
        statistic_name="SM",
        df=k - 1,
        assumptions=tuple(assumptions),
    )


def _check_connected(shared: NDArray[np.int64], names: tuple[str, ...], unit: str) -> None:
    """Refuse sets of systems that no chain of shared units connects."""
    if (shared[0] > 0).all():
        return  # one system is compared with all others
    from scipy.sparse.csgraph import connected_components

    n_sets, member = connected_components(shared, directed=False)
    if n_sets > 1:
        of_set = [[names[j] for j in np.flatnonzero(member == one)] for one in range(n_sets)]
        sets = [f"({', '.join(some)})" for some in of_set]
        raise ValueError(
            f"skillings_mack cannot compare systems that no {unit} connects, not even through "
            f"other systems: {', '.join(sets)}. Test each set by itself."
        )


def _any_ties(ranks: NDArray[np.float64]) -> bool:
    # Mid-ranks have a smaller sum of squares than the ranks that they stand for.
    m = (~np.isnan(ranks)).sum(axis=1)
    return bool(np.nansum(ranks**2) < np.sum(m * (m + 1) * (2 * m + 1)) / 6)
