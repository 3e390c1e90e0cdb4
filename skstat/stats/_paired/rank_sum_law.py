"""Signed ranks, and the law of their sum where the signs are those of fair coins."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import mid_ranks_of_numbers
from skstat.stats._outcomes import above_zero
from skstat.stats._samples import PairedScores

# The exact distribution costs about n^3 / 2 additions; at this size it differs
# from the normal one in the fourth digit only.
EXACT_UP_TO = 200


def signed_ranks(sample: PairedScores, zero_method: str) -> tuple[np.ndarray, np.ndarray]:
    """Signs of the differences and mid-ranks of their sizes, without float noise."""
    steps = sample.steps
    if zero_method == "wilcox":
        steps = steps[steps != 0]
    return np.sign(steps), mid_ranks_of_numbers(np.abs(steps).astype(np.intp))


def exact_tails(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    """P(R+ <= rank_sum) and P(R+ >= rank_sum) over all sign patterns."""
    return tails_of(rank_sum_law(ranks), rank_sum)


def tails_of(law: tuple[np.ndarray, int], rank_sum: float) -> tuple[float, float]:
    """Return the same, by the law of the ranks."""
    chances, scale = law
    observed, total = int(np.rint(scale * rank_sum)), len(chances) - 1
    # The law is symmetric; both tails are summed from below so that swapping A and
    # B gives the same numbers to the last bit.
    lower, upper = chances[: observed + 1].sum(), chances[: total - observed + 1].sum()
    return min(1.0, float(lower)), min(1.0, float(upper))


def rank_sum_law(ranks: np.ndarray) -> tuple[np.ndarray, int]:
    """Law of R+ on the grid of whole numbers, or of halves, and points of it per 1."""
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64))  # mid-ranks are halves
    if np.any(doubled % 2):
        return _subset_sum_law(doubled), 2
    whole = doubled // 2
    n = len(whole)
    if n <= EXACT_UP_TO and np.array_equal(whole, np.arange(1, n + 1)):
        return untied_law(n), 1
    return _subset_sum_law(whole), 1


# One comparison asks for the same number of units again and again.
@lru_cache(maxsize=32)
def untied_law(n: int) -> np.ndarray:
    """Law of R+ of n untied units: the chance of 0, 1, ... to n (n + 1) / 2."""
    law = _subset_sum_law(np.arange(1, n + 1))
    law.setflags(write=False)
    return law


def _subset_sum_law(weights: np.ndarray) -> np.ndarray:
    """Law of the sum of `weights`, each taken or left by a fair coin."""
    law = np.zeros(int(weights.sum()) + 1)
    law[0] = 1.0
    reach = 0
    for weight in weights.tolist():
        shifted = law[: reach + 1] / 2
        law[: reach + 1] = shifted
        reach += weight
        law[weight : reach + 1] += shifted
    return law


def normal_tails(rank_sum: Any, total: Any, squares: Any) -> tuple[Any, Any]:
    """Return the same by the normal distribution, by the sum of ranks and of their squares."""
    z = (rank_sum - total / 2) / np.sqrt(np.where(squares > 0, squares, 1.0) / 4)
    lower, upper = (np.where(squares > 0, special.ndtr(side * z), 1.0) for side in (1, -1))
    return lower, upper


def pvalue_of_tails(lower: Any, upper: Any, alternative: str) -> float:
    """Return the p-value of a rank sum by its tails."""
    of = {"less": lower, "greater": upper}
    return above_zero(of.get(alternative, np.minimum(1.0, 2 * np.minimum(lower, upper))))


def chance_of_sum_up_to(rank_sum: int, n: int) -> float:
    """P(R+ <= rank_sum) for n untied units, by the law that gives the interval."""
    if n > EXACT_UP_TO:
        mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return float(special.ndtr((rank_sum + 0.5 - mean) / sd))
    return min(1.0, float(untied_law(n)[: rank_sum + 1].sum()))


def largest_sums_below(tails: ArrayLike, n: int) -> NDArray[np.int64]:
    """Largest w with P(R+ <= w) <= tail for n untied units, of each tail; below 0 if none."""
    tails = np.asarray(tails, dtype=float)
    if n > EXACT_UP_TO:
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        found = np.floor(mean + special.ndtri(tails) * math.sqrt(variance) - 0.5)
        return np.maximum(found, -1).astype(np.int64)
    cumulative = np.cumsum(untied_law(n))
    return np.asarray(np.searchsorted(cumulative, tails * (1 + 1e-12), side="right") - 1)


@lru_cache(maxsize=128)
def limits_of_averages(
    confidence_level: float, n: int, alternative: str
) -> tuple[int, int] | None:
    """Ranks (from 0) of the Walsh averages that are the limits; None where none are."""
    alpha = 1 - confidence_level
    cut = int(largest_sums_below(alpha / 2 if alternative == "two-sided" else alpha, n))
    return None if cut < 0 else (cut, n * (n + 1) // 2 - 1 - cut)
