"""The level of one pair's interval among several: that of its adjusted p-value."""

import numpy as np
from numpy.typing import NDArray

from skstat.stats import ConfidenceInterval, Outcome, PairwiseOutcome
from skstat.stats._outcomes import alpha_of, interval_at


def level_of(outcome: Outcome, confidence_level: float, adjusted: float | None) -> float:
    """Level at which the interval of a comparison agrees with its adjusted p-value.

    The adjusted p-value is below alpha where the p-value is below alpha times the ratio
    of the two: at one minus that level the interval of a test that it inverts excludes 0
    exactly then. Intervals that hold for all pairs at once agree as they are.
    """
    pvalue = outcome.pvalue
    if adjusted is None or outcome.simultaneous or not pvalue < adjusted:
        return confidence_level
    return 1 - alpha_of(confidence_level) * pvalue / adjusted


def levels_of(pairwise: PairwiseOutcome, confidence_level: float) -> NDArray[np.float64]:
    """Levels of the intervals of all pairs: as `level_of` has them one by one."""
    adjusted = pairwise.adjusted_pvalues
    levels = np.full(len(adjusted), confidence_level)
    apart = np.zeros(len(adjusted), dtype=bool)
    if not all(pairwise.family.distinct("simultaneous")):
        apart = pairwise.pvalues < adjusted
        if any(pairwise.family.distinct("simultaneous")):
            apart &= [not outcome.simultaneous for outcome in pairwise.family]
    if apart.any():
        shares = alpha_of(confidence_level) * pairwise.pvalues[apart] / adjusted[apart]
        levels[apart] = 1 - shares
    return levels


def sides_of(pairwise: PairwiseOutcome, confidence_level: float) -> NDArray[np.float64]:
    """Tell on which side of 0 the intervals of all pairs lie; nan where there is none."""
    return pairwise.family.beside_zero(levels_of(pairwise, confidence_level))


def interval_of(
    outcome: Outcome, confidence_level: float, adjusted: float | None
) -> ConfidenceInterval:
    """Interval of a comparison at the level of its adjusted p-value."""
    return interval_at(outcome, level_of(outcome, confidence_level, adjusted))
