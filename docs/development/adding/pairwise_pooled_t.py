"""Student's t of all pairs, with one error for all of them."""

import math

import numpy as np

from skstat.stats import Student
from skstat.stats._family import Comparison, effect_sizes
from skstat.stats._multiplicity import Adjustment, adjust_pvalues
from skstat.stats._pairwise import PairwiseOutcome, check_adjustment, pairs_of
from skstat.stats._procedure import procedure
from skstat.stats._score_table import ScoreTable, check_complete, check_independent
from skstat.stats._words import estimand, null_hypothesis, unit_word


@procedure()
def pairwise_pooled_t(
    table: ScoreTable, *, control: str | None = None, adjustment: Adjustment = "holm"
) -> PairwiseOutcome:
    """Compare mean scores in pairs by the error that is left of all systems.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units, at least two.
    control : str, optional
        Compare every other system (A) with this one (B) only, instead of all pairs.
    adjustment : str, default="holm"
        A method of :func:`adjust_pvalues`.

    Returns
    -------
    PairwiseOutcome
        One :class:`Comparison` per pair, and the adjusted p-values.

    Raises
    ------
    ValueError
        If scores are missing, or there is one unit only.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, pairwise_pooled_t
    >>> scores = {"a": [9, 8, 9, 7], "b": [5, 6, 4, 5], "c": [4, 7, 5, 3]}
    >>> outcome = pairwise_pooled_t(ScoreTable(scores, unit="dataset"))
    >>> outcome["a", "b"].df, outcome.adjusted_pvalues.round(3).tolist()
    (6, [0.013, 0.013, 0.763])
    """
    check_independent(table, "pairwise_pooled_t")
    check_complete(table, "pairwise_pooled_t")
    check_adjustment(adjustment, control)
    n, k = table.n_units, table.n_systems
    if n < 2:
        raise ValueError(f"pairwise_pooled_t needs at least 2 {unit_word(table.unit)}s.")
    scores = table.scores
    rest = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    error = math.sqrt(2 * float((rest**2).sum()) / ((n - 1) * (k - 1)) / n)
    pairs = pairs_of(table.names, control)
    outcomes = []
    for pair in (table.pair(a, b) for a, b in pairs):
        outcomes.append(
            Comparison(
                test="t test with a pooled error",
                estimand=estimand(pair),
                null_hypothesis=null_hypothesis(pair, "two-sided"),
                alternative="two-sided",
                assumptions=("all pairs of systems have differences of one variance",),
                effect_sizes=effect_sizes(pair),
                law=Student(
                    estimate=float(np.mean(pair.differences)),
                    standard_error=error if error > pair.resolution else 0.0,
                    df=(n - 1) * (k - 1),
                ),
            )
        )
    return PairwiseOutcome(
        test="pairwise t test with a pooled error",
        names=table.names,
        pairs=tuple(pairs),
        outcomes=tuple(outcomes),
        adjusted_pvalues=adjust_pvalues([found.pvalue for found in outcomes], adjustment),
        adjustment=adjustment,
        control=control,
        pool_dependent=True,
        weak_control=True,
    )
