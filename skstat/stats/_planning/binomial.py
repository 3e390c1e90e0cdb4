"""Tests of counts against one half: where they reject, and bounds of their power.

The power rises in saw teeth, because counts are whole numbers. All that is said here of the
sizes from which it stays is proved, not searched within a width that was guessed.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._planning.checks import laws

Method = Literal["midp", "exact", "chi2", "edwards"]
METHODS: tuple[Method, ...] = ("midp", "exact", "chi2", "edwards")
_MOST_COUNTED = 60_000  # counts up to here have their teeth looked at one by one


def critical_counts(m: NDArray, alpha: float, method: Method) -> NDArray:
    """Return the largest smaller count of `m` that rejects; -1 where none does."""
    if method in ("chi2", "edwards"):
        z = laws().norm.isf(alpha / 2)
        found = np.floor((m - (method == "edwards") - z * np.sqrt(m)) / 2 + 1e-12)
        return np.where(m > 0, np.maximum(found, -1), -1)
    m = np.asarray(m, dtype=float)
    z = laws().norm.isf(alpha / 2)
    # The normal law is off by little; step by step to the last count that rejects.
    best = np.clip(np.floor((m - z * np.sqrt(m)) / 2), -1, np.ceil(m / 2) - 1)
    step, left = np.zeros(m.shape), np.arange(m.size)
    while left.size:
        now = np.where(_rejects(best[left], m[left], alpha, method), 1.0, -1.0)
        turned = step[left] * now < 0
        # Those that came from below are one too far; those from above have arrived.
        best[left[turned & (now < 0)]] -= 1
        left, now = left[~turned], now[~turned]
        step[left] = now
        best[left] += now
    return best


def _rejects(count: NDArray, m: NDArray, alpha: float, method: Method) -> NDArray:
    """Whether the smaller of `m` counts rejects; -1 does and one half does not."""
    pvalue = 2 * laws().binom.cdf(count, m, 0.5)
    if method == "midp":
        pvalue = pvalue - laws().binom.pmf(count, m, 0.5)
    return np.asarray((count < 0) | ((2 * count < m) & (pvalue <= alpha)))


def count_powers(
    m: NDArray, share: float, alpha: float, method: Method, *, one_sided: bool
) -> NDArray:
    """Power on `m` counts, of which a share of at least one half is expected on one side."""
    critical = critical_counts(m, 2 * alpha if one_sided else alpha, method)
    found: NDArray = laws().binom.cdf(critical, m, 1 - share)
    return found if one_sided else found + laws().binom.cdf(critical, m, share)


def counts_to_look_at(share: float, alpha: float, power: float, method: Method) -> int | None:
    """Return a number of counts from which the power stays; None where that is too large.

    By Hoeffding's inequality (1963, theorem 1) a test of level `alpha` rejects whenever the
    smaller of m counts is below ``m/2 - sqrt(m log(2/alpha)/2) - 2``, and a count of expected
    share ``1 - share`` is above that with a probability of at most ``exp(-2 m t^2)``, where
    ``t = share - 1/2 - sqrt(log(2/alpha)/(2 m)) - 2/m`` rises with m.
    """
    needed = math.sqrt(math.log(1 / (1 - power)) / 2)
    # chi2 and edwards are compared with a normal law: z < sqrt(2 log(1/alpha)) at alpha / 2.
    spread = math.sqrt(math.log(2 / alpha) / 2)
    # sqrt(m) t = sqrt(m) (share - 1/2) - spread - 2 / sqrt(m) is to reach `needed`.
    gap = share - 0.5
    root = (needed + spread + math.sqrt((needed + spread) ** 2 + 8 * gap)) / (2 * gap)
    counts = math.ceil(root * root) + 1
    return counts if counts <= _MOST_COUNTED else None
