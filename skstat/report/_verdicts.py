"""The verdict on the first of two systems, its level, and how heavy a doubt about it weighs."""

import math
from typing import Any, Literal, get_args

import numpy as np

from skstat.stats import Comparison
from skstat.stats._pairwise import EquivalenceOutcome

Weight = Literal["invalid", "weak", "note"]
# The heaviest first.
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
# Monte Carlo errors within which a number may be on the other side of a level.
_ERRORS = 3


def verdicts_by(side: Any, same: Any, not_worse: Any, *, directed: bool) -> list[str]:
    """Say what was found about the first of two systems, pair by pair.

    Parameters
    ----------
    side : ndarray of {1, -1, 0}
        Which system is significantly better: the first, the second, or neither.
    same, not_worse : ndarray of bool
        Whether it was shown that both are equivalent, and that the first is not worse by the
        margin.
    directed : bool
        Whether it is known which way the metric is better.

    Returns
    -------
    list of {"better", "worse", "higher", "lower", "equivalent", "not inferior", "undecided"}
        Equivalence comes first: a difference may be real and smaller than the margin. Not
        inferior is said where the difference is undecided.
    """
    words = ["equivalent", "higher", "lower", "undecided"]
    if directed:
        words = ["equivalent", "better", "worse", "not inferior"]
    return list(np.select([same, side > 0, side < 0, not_worse], words, "undecided").tolist())


def drawing_error(outcome: Comparison, adjusted_pvalue: float | None) -> float:
    """Return the Monte Carlo error of the p-value of a verdict; 0 where nothing was drawn."""
    error = outcome.monte_carlo_error
    if adjusted_pvalue is None or outcome.simultaneous or not error:
        return error
    return error * adjusted_pvalue / outcome.pvalue  # it is multiplied as well


def is_near(value: float, level: float, error: float) -> bool:
    """Tell whether other draws may well bring a number to the other side of a level."""
    return error > 0 and abs(value - level) <= _ERRORS * error


def margin_is_near(tests: EquivalenceOutcome | None, alpha: float) -> tuple[bool, bool]:
    """Tell whether draws decide that both are equivalent, and that A is not worse."""
    if tests is None:
        return False, False
    n, (of_a, _, of_both) = tests.outcome.by_itself.n_drawn, tests.judged_pvalues

    def near(own: float, pvalue: float) -> bool:
        drawn = n > 0 and own > 0
        return drawn and is_near(pvalue, alpha, math.sqrt(own * (1 - own) / n) * pvalue / own)

    return near(tests.pvalue, of_both), near(tests.lower_pvalue, of_a)
