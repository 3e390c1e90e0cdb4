"""The level of one pair's interval among several: that of its adjusted p-value."""

import math

from skstat.stats import ConfidenceInterval, Outcome
from skstat.stats._outcomes import alpha_of


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


def interval_of(
    outcome: Outcome, confidence_level: float, adjusted: float | None
) -> ConfidenceInterval:
    """Interval of a comparison at the level of its adjusted p-value."""
    level = level_of(outcome, confidence_level, adjusted)
    if level >= 1:  # no p-value is that small
        return ConfidenceInterval(-math.inf, math.inf)
    return outcome.confidence_interval(level)
