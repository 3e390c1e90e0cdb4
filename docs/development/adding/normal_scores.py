"""Friedman's test with normal scores instead of ranks."""

import numpy as np
from scipy import stats

from skstat.stats._pairwise import OmnibusOutcome
from skstat.stats._procedure import procedure
from skstat.stats._score_table import ScoreTable, check_complete, check_independent
from skstat.stats._words import above_zero, population, unit_word


@procedure()
def normal_scores(table: ScoreTable) -> OmnibusOutcome:
    """Compare k systems by the normal quantiles of their ranks.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.

    Returns
    -------
    OmnibusOutcome
        The test's numbers.

    Raises
    ------
    ValueError
        If scores are missing, or the units are splits of one data set.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, normal_scores
    >>> outcome = normal_scores(ScoreTable([[9, 7, 5], [8, 7, 2], [9, 4, 6]], unit="dataset"))
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (4.667, 2, 0.097)
    """
    check_independent(table, "normal_scores")
    check_complete(table, "normal_scores")
    k = table.n_systems
    scores = stats.norm.ppf(table.ranks / (k + 1))
    scores = scores - scores.mean(axis=1, keepdims=True)
    within = float((scores**2).sum())
    between = float((scores.sum(axis=0) ** 2).sum())
    chi2 = (k - 1) * between / within if within else 0.0
    return OmnibusOutcome(
        test="Friedman test of normal scores",
        scale="rank",
        estimand=f"the normal scores of the systems over {population(table.unit, k)}",
        null_hypothesis=f"on every {unit_word(table.unit)} every ranking is equally likely",
        statistic=chi2,
        pvalue=above_zero(float(stats.chi2.sf(chi2, k - 1))),
        names=table.names,
        n_units=table.n_units,
        statistic_name="chi2",
        df=k - 1,
        assumptions=(f"the {unit_word(table.unit)}s are many, and independent",),
        effect_sizes={"range of normal scores": float(np.ptp(scores.mean(axis=0)))},
    )
