"""Which ranks every system may have, from comparisons of all pairs."""

from typing import NamedTuple

import numpy as np

from skstat.stats._common import procedure
from skstat.stats._literature import MOGSTAD_ET_AL_2024
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import alpha_of, check_level
from skstat.stats._post_hoc import PairwiseOutcome


class RankInterval(NamedTuple):
    """Ranks that a system may have; 1 is the best."""

    low: int
    high: int


@procedure(references=(MOGSTAD_ET_AL_2024,))
def rank_intervals(
    pairwise: PairwiseOutcome, confidence_level: float = 0.95
) -> dict[str, RankInterval]:
    """Find the ranks that every system may have, from comparisons of all pairs.

    A system ranks below all that are significantly better, and above all that are
    significantly worse [1]_. Where the adjusted p-values control the family-wise error, all
    these intervals are simultaneous at the confidence level: no verdict is wrong with that
    chance, and then no rank is outside its interval. The rank of a system is one more than
    the number of systems that are truly better, so that equal systems share the best rank
    of their group.

    Parameters
    ----------
    pairwise : PairwiseOutcome
        Two-sided comparisons of all pairs, with p-values adjusted by a method that controls
        the family-wise error.
    confidence_level : float, default=0.95
        Level at which the intervals hold for all systems at once.

    Returns
    -------
    dict of str to RankInterval
        The lowest and the highest rank of every system, in the order of ``pairwise.names``. A
        pair that could not be tested says nothing.

    Raises
    ------
    ValueError
        If the systems were compared with a control only, or in one direction, or the
        adjustment controls the false discovery rate only.

    See Also
    --------
    compact_letters : Groups without a significant difference, from the same comparisons.
    rank_stability : How the ranks move when units are resampled or left out.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for
       ranks with applications to mobility across neighbourhoods and academic achievement
       across countries. Review of Economic Studies, 91(1), 476-518.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, paired_t, pairwise, rank_intervals
    >>> scores = {"a": [3.0, 2.9, 3.2, 3.1], "b": [3.1, 2.8, 3.0, 3.2], "c": [1.0, 1.1, 0.9, 1]}
    >>> found = rank_intervals(pairwise(ScoreTable(scores, unit="seed"), paired_t))
    >>> found["a"], found["c"]
    (RankInterval(low=1, high=2), RankInterval(low=3, high=3))
    """
    check_level(confidence_level)
    if pairwise.control is not None:
        raise ValueError(
            f"the systems were compared with {pairwise.control!r} only: ranks need all pairs, "
            "without control=."
        )
    if set(pairwise.family.distinct("alternative")) != {"two-sided"}:
        raise ValueError("ranks need two-sided comparisons: which is the better one is open.")
    if adjustment_facts(pairwise.adjustment).false_discoveries:
        raise ValueError(
            f"adjustment={pairwise.adjustment!r} controls the false discovery rate; "
            "simultaneous intervals of ranks need the family-wise error, as by 'holm'."
        )
    first, second = pairwise.ends
    significant = pairwise.adjusted_pvalues < alpha_of(confidence_level)  # nan is not
    ahead = np.where(significant, pairwise.directions, 0.0)
    k = len(pairwise.names)
    n_better, n_worse = (
        np.bincount(second[sign * ahead > 0], minlength=k)
        + np.bincount(first[sign * ahead < 0], minlength=k)
        for sign in (1.0, -1.0)
    )
    ends = zip(pairwise.names, (1 + n_better).tolist(), (k - n_worse).tolist(), strict=True)
    return {name: RankInterval(low, high) for name, low, high in ends}
