"""Which of several systems may be the best, from what was found of their pairs."""

import math
from collections.abc import Sequence

from skstat.stats import ConfidenceInterval, PairwiseOutcome


def best_pvalues(pairwise: PairwiseOutcome, names: Sequence[str]) -> dict[str, float]:
    """Return the p-value of every system that no other is better.

    It is the smallest adjusted one of the pairs in which the other is ahead, and 1 where there
    is none: a system may be the best exactly if no pair contradicts it.
    """
    found = dict.fromkeys(names, 1.0)
    for (a, b), outcome, pvalue in zip(
        pairwise.pairs, pairwise.outcomes, pairwise.adjusted_pvalues.tolist(), strict=True
    ):
        behind = {1: b, -1: a}.get(outcome.direction)
        if behind is not None and pvalue < found[behind]:
            found[behind] = pvalue
    return found


def intervals_from_best(
    pairwise: PairwiseOutcome, names: Sequence[str], confidence_level: float
) -> dict[str, ConfidenceInterval]:
    """Return intervals of each score minus the highest of the others.

    They follow from the simultaneous intervals of all pairs, and hold together with them.
    """
    lows: dict[str, list[float]] = {name: [] for name in names}
    highs: dict[str, list[float]] = {name: [] for name in names}
    for (a, b), outcome in zip(pairwise.pairs, pairwise.outcomes, strict=True):
        low, high = outcome.confidence_interval(confidence_level)
        lows[a].append(low)
        lows[b].append(-high)
        highs[a].append(high)
        highs[b].append(-low)
    # A pair that cannot be judged sets no limit.
    return {
        name: ConfidenceInterval(
            -math.inf if any(map(math.isnan, lows[name])) else min(lows[name]),
            min((high for high in highs[name] if not math.isnan(high)), default=math.inf),
        )
        for name in names
    }
