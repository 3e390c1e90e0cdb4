"""Friedman's aligned ranks: scores of all units in one ranking, less the unit's mean."""

import numpy as np

from skstat.stats._common import procedure, tails
from skstat.stats._literature import GARCIA_ET_AL_2010, HODGES_LEHMANN_1962
from skstat.stats._omnibus.friedman import check_several_units
from skstat.stats._omnibus.quade import ranked_together
from skstat.stats._outcomes import OmnibusOutcome, above_zero, population, unit_word
from skstat.stats._samples import ScoreTable, check_complete, check_independent


@procedure(references=(HODGES_LEHMANN_1962, GARCIA_ET_AL_2010))
def friedman_aligned(table: ScoreTable) -> OmnibusOutcome:
    """Test of k systems by the ranks of all their scores, aligned by unit.

    The mean of a unit is taken off its scores, and all k N of them are ranked together.
    ``T = (k - 1) [sum_j(R_j^2) - k N^2 (k N + 1)^2 / 4] / [sum(r^2) - sum_i(R_i^2) / k]``
    with r the ranks, R_j their sums by system and R_i by unit [1]_, [2]_; without ties
    ``sum(r^2)`` is ``k N (k N + 1) (2 k N + 1) / 6``.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units. Their differences must be
        commensurable between units.

    Returns
    -------
    OmnibusOutcome
        The test's numbers, with k - 1 degrees of freedom of chi-squared. Effect sizes: the
        agreement of the aligned ranks, which is T over N (k - 1), its largest possible
        value, and the range of the mean ranks out of k N.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, or there is only
        one unit.

    See Also
    --------
    friedman : For scores that are commensurable within units only.
    quade : Ranks within units, weighted by the range of the unit.

    References
    ----------
    .. [1] Hodges, J. L. & Lehmann, E. L. (1962). Rank methods for combination of
       independent experiments in analysis of variance. Annals of Mathematical
       Statistics, 33(2), 482-497. :doi:`10.1214/aoms/1177704575`
    .. [2] García, S., Fernández, A., Luengo, J. & Herrera, F. (2010). Advanced
       nonparametric tests for multiple comparisons in the design of experiments in
       computational intelligence and data mining. Information Sciences, 180(10),
       2044-2064, section 3.2. :doi:`10.1016/j.ins.2009.12.010`

    Examples
    --------
    >>> from skstat.stats import ScoreTable, friedman_aligned
    >>> a, b, c = [0.9, 0.8, 0.7, 0.9], [0.8, 0.6, 0.6, 0.7], [0.7, 0.6, 0.4, 0.5]
    >>> outcome = friedman_aligned(ScoreTable({"A": a, "B": b, "C": c}, unit="dataset"))
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 4)
    (7.051, 2, 0.0294)
    """
    check_independent(table, "friedman_aligned")
    check_complete(table, "friedman_aligned")
    n, k, unit = table.n_units, table.n_systems, unit_word(table.unit)
    check_several_units(n, "friedman_aligned", unit)
    aligned = table.scores - table.scores.mean(axis=1, keepdims=True)
    sizes = np.repeat(np.abs(table.scores).max(axis=1), k)
    ranks = ranked_together(aligned.ravel(), sizes).reshape(n, k)
    # Both sums of the formula, less what is common to them, as squared deviations.
    between = np.sum((ranks.sum(axis=0) - n * (k * n + 1) / 2) ** 2)
    within = np.sum((ranks - ranks.mean(axis=1, keepdims=True)) ** 2)
    statistic = float((k - 1) * between / within) if between else 0.0
    return OmnibusOutcome(
        test="Friedman aligned ranks test (chi-squared)",
        scale="rank",
        compares_sizes="strongly",
        estimand=(
            f"the mean ranks of the systems' aligned scores over {population(table.unit, k)}"
        ),
        null_hypothesis=(
            f"every assignment of the aligned scores to the systems is equally likely on "
            f"every {unit}"
        ),
        statistic=statistic,
        pvalue=above_zero(tails.chi2_sf(statistic, k - 1)),
        names=table.names,
        n_units=n,
        statistic_name="T",
        df=k - 1,
        assumptions=(
            f"the {unit}s are independent of each other",
            f"differences of scores are commensurable between {unit}s",
            f"there are enough {unit}s for the chi-squared distribution",
        ),
        effect_sizes={
            "agreement of aligned ranks": statistic / (n * (k - 1)),
            "range of mean aligned ranks": float(np.ptp(ranks.mean(axis=0))),
        },
    )
