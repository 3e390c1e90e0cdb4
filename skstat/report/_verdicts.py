"""The verdict on the first of two systems, its level, and how heavy a doubt about it weighs."""

import math
from typing import Literal, get_args

from skstat.stats import Comparison, EquivalenceOutcome

Verdict = Literal[
    "better", "worse", "higher", "lower", "equivalent", "not inferior", "undecided"
]
Weight = Literal["invalid", "weak", "note"]
# The heaviest first.
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
# Verdicts on values of which nobody knows whether high or low ones are good.
WITHOUT_DIRECTION: dict[Verdict, Verdict] = {
    "better": "higher", "worse": "lower", "not inferior": "undecided",
}  # fmt: skip
# Monte Carlo errors within which a number may be on the other side of a level.
_ERRORS = 3


def verdict_by(side: float, same: bool, not_worse: bool) -> Verdict:
    """Say what was found about the first of two systems.

    Parameters
    ----------
    side : {1, -1, 0}
        Which system is significantly better: the first, the second, or neither.
    same, not_worse : bool
        Whether it was shown that both are equivalent, and that the first is not worse by the
        margin.

    Returns
    -------
    {"better", "worse", "equivalent", "not inferior", "undecided"}
        Equivalence comes first: a difference may be real and smaller than the margin. Not
        inferior is said where the difference is undecided.
    """
    if same:
        return "equivalent"
    if side:
        return "better" if side > 0 else "worse"
    return "not inferior" if not_worse else "undecided"


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
