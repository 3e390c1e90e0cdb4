"""Which of very many systems may be the best, by the largest lead, without their pairs."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._joint.candidates import Candidates
from skstat.stats._joint.law_of_means import check_table, splits_correlate
from skstat.stats._literature import HSU_1984, HSU_1996
from skstat.stats._outcomes import population, unit_word
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import BlockScoreTable, ScoreTable, resolution_of_table

# Errors of a block of draws: they stay in the processor's cache, or nearly.
_NUMBERS_AT_ONCE = 1 << 18

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class LeadOutcome(Candidates):
    """Which of k systems may be the best, by the largest lead over each of them.

    The p-value of a system is that of the hypothesis that no other one is better.

    `leads` are how far the best score is ahead of each one, 0 for the best.
    """

    @property
    def leads(self) -> Numbers:
        """How far the best score is ahead of each one."""
        return np.asarray(self.estimates.max() - self.estimates)


@procedure(references=(HSU_1984, HSU_1996))
def largest_lead(
    table: ScoreTable,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
) -> LeadOutcome:
    """Tell which of very many systems may have the highest mean score.

    A system is ruled out where the best score is further ahead of it than the best of all
    errors is, by chance, ahead of its own. The errors of all means are drawn together, from the
    multivariate t with their sample covariance, so that systems that err alike count as few.
    A lead is not divided by a standard error of its own: one number per system and draw is
    enough, where :func:`compare_with_best` needs one per pair. Ten thousand systems are 50
    million pairs.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units: data sets, instances, groups, seeds, or splits
        with their sizes.
    n_resamples : int, default=9999
        Draws from the joint distribution.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    LeadOutcome
        p-values, and ``may_be_best(alpha)``.

    Raises
    ------
    ValueError
        If scores are missing, there is one unit (two splits), the sizes of the splits
        are unknown, or the units stand in time order.

    See Also
    --------
    compare_with_best : The same for fewer systems, with intervals and a standard error for
        every pair, which rules out more where some systems vary more than others.

    Notes
    -----
    Multiple comparisons with the best ([1]_, [2]_ section 4.2) with one allowance for all
    systems, as where their variances are equal; with others the level holds as well. With
    few units it is careful: of 200 or 2000 independent systems of equal means and normal
    scores, one was ruled out in less than 1 % of simulated tables of 5 and 10 units, in 1 to
    2 % of 30 and 3 to 5 % of 100, at a nominal 0.05.

    References
    ----------
    .. [1] Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple
       comparisons with the best. Annals of Statistics, 12(3), 1136-1144.
       :doi:`10.1214/aos/1176346732`
    .. [2] Hsu, J. C. (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import ScoreTable, largest_lead
    >>> draws = np.random.default_rng(0)
    >>> true_scores = np.linspace(0.5, 0.9, 2000)
    >>> scores = true_scores + 0.02 * draws.standard_normal((50, 2000))
    >>> outcome = largest_lead(ScoreTable(scores, unit="dataset"), rng=0)
    >>> kept = outcome.may_be_best()
    >>> len(kept), kept[-1]
    (60, 'system 2000')
    """
    check_table(table, "largest_lead", "t", n_resamples)
    unit = unit_word(table.unit)
    if table.ordered and table.unit != "split":
        raise ValueError(
            f"the {unit}s are ordered, and neighbours may be similar: largest_lead takes units "
            "that are independent of each other; use compare_with_best, which draws blocks."
        )
    root, n = _root(table)
    estimates = table.scores.mean(axis=0)
    leads = estimates.max() - estimates
    noise = resolution_of_table(table.scores)
    seed = draw_seed(rng)
    reached = _reached(root, leads - noise, n - 1, n_resamples, seed)
    pvalues = (1 + reached) / (1 + n_resamples)
    # A lead that is the same on all units has nothing to be judged by.
    apart = np.linalg.norm(root - root[:, [int(estimates.argmax())]], axis=0)
    pvalues = np.where((leads > noise) & (apart <= noise), math.nan, pvalues)
    split = table.unit == "split"
    quantity = "expected score" if split else "mean score"
    where = table.training if split else f"over {population(table.unit, table.n_systems)}"
    return LeadOutcome(
        test="largest lead over each system (Hsu 1984), multivariate t",
        estimand=f"the highest {quantity} minus that of each system, {where}",
        null_hypothesis=f"no other system has a higher {quantity}, {where}",
        names=table.names,
        estimates=estimates,
        pvalues=pvalues,
        n_units=table.n_units,
        assumptions=(
            splits_correlate(table) if split else f"the {unit}s are independent of each other",
            "the differences are close to normal",
        ),
        df=n - 1,
        n_resamples=n_resamples,
        seed=seed,
        smallest_pvalue=1 / (1 + n_resamples),
    )


def _root(table: ScoreTable) -> tuple[Numbers, int]:
    """Root of the covariance of the means, a row per unit, and the number of units."""
    if isinstance(table, BlockScoreTable):
        # The jackknife's squares are added up, not averaged over n - 1.
        left_out, n = table.left_out_means, table.n_blocks
        return left_out - table.scores.mean(axis=0), n
    n = table.n_units
    ratio = (table.test_train_ratio or 0.0) if table.unit == "split" else 0.0
    centred = table.scores - table.scores.mean(axis=0)
    return centred * math.sqrt((1 / n + ratio) / (n - 1)), n


def _reached(
    root: Numbers, leads: Numbers, df: int, n_resamples: int, seed: int
) -> NDArray[np.int64]:
    """Count the draws in which the best error is as far ahead of each as its lead."""
    rng = stream(np.random.SeedSequence(seed))
    counts = np.zeros(len(leads), dtype=np.int64)
    size = max(1, _NUMBERS_AT_ONCE // len(leads))
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        errors = rng.standard_normal((n, len(root))) @ root
        errors /= np.sqrt(rng.chisquare(df, (n, 1)) / df)
        ahead = errors.max(axis=1, keepdims=True) - errors
        counts += np.count_nonzero(ahead >= leads, axis=0)
    return counts
