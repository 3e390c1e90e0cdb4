"""Wilcoxon's signed-rank test, exact with ties and zeros."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from skstat.stats._common import Quantity, mid_ranks_of_numbers, procedure
from skstat.stats._literature import PRATT_1959, WILCOXON_1945
from skstat.stats._outcomes import (
    NOISE,
    ConfidenceInterval,
    Outcome,
    above_zero,
    check_alpha,
    check_level,
    effect_sizes,
    estimand,
    limit,
    one_sided,
    smallest_of_signs,
    unit_word,
)
from skstat.stats._paired.walsh_averages import walsh_average, walsh_averages
from skstat.stats._samples import PairedScores, check_alternative, warn_if_dependent

# The exact distribution costs about n^3 / 2 additions; at this size it differs
# from the normal one in the fourth digit only.
_EXACT_UP_TO = 200


_PSEUDO_MEDIAN = Quantity(
    name="pseudo-median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="weakly",
    claim="by the signed ranks of single {unit}s",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankOutcome(Outcome):
    """Outcome of the signed-rank test: the rank sum of the wins of A.

    The statistic is R+, the rank sum; `critical_value` is for these ranks with their ties.
    The interval for the pseudo-median is made of the ordered Walsh averages (Tukey); its
    coverage is at least the level.
    """

    in_score_units: ClassVar[tuple[str, ...]] = (*Outcome.in_score_units, "differences")

    rank_sum: float
    tail_pvalue: float
    differences: Any
    ranks: Any
    rank_offset: float
    exact: bool
    statistic_name: str = "R+"

    @property
    def statistic(self) -> float:
        return self.rank_sum

    @property
    def pvalue(self) -> float:
        return self.tail_pvalue

    @property
    def quantity(self) -> Quantity:
        return _PSEUDO_MEDIAN

    @property
    def direction(self) -> int:
        return int(np.sign(2 * (self.rank_sum - self.rank_offset) - np.sum(self.ranks)))

    @property
    def smallest_pvalue(self) -> float:
        if not self.exact:
            return 0.0
        return smallest_of_signs(self.alternative, int(np.count_nonzero(self.differences)))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        differences = np.asarray(self.differences, dtype=float)
        n = len(differences)
        alpha = 1 - confidence_level
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        cut = _largest_sum_below(tail, n)
        if cut < 0:
            return one_sided(self.alternative, -math.inf, math.inf)
        last = n * (n + 1) // 2 - 1
        return one_sided(self.alternative, *walsh_averages(differences, [cut, last - cut]))

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        side = 1 if alternative == "greater" else -1
        differences = side * (np.asarray(self.differences, dtype=float) - bound)
        noise = NOISE * max(abs(bound), float(np.abs(differences).max()))
        n = len(differences)
        # R- of the shifted differences: the Walsh averages that are not beyond the bound.
        ordered = np.sort(differences)
        up_to = np.searchsorted(ordered, 2 * noise - ordered, side="right")
        rank_sum = int(np.maximum(up_to - np.arange(n), 0).sum())
        return above_zero(_chance_of_sum_up_to(rank_sum, n))

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        side = "less" if self.alternative == "less" else "greater"
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        ranks = np.asarray(self.ranks, dtype=float)
        if not self.exact:
            mean, sd = _moments(ranks)
            quantile = float(-special.ndtri(tail)) * (-1 if side == "less" else 1)
            return mean + quantile * sd + self.rank_offset
        law, scale = _rank_sum_law(ranks)
        sums = np.flatnonzero(law)
        below = np.cumsum(law)[sums]  # the law is symmetric: so is what lies above
        total = len(law) - 1
        rejecting = sums[below <= tail * (1 + 1e-12)]
        if side == "greater":
            rejecting = total - rejecting
        return limit(rejecting / scale + self.rank_offset, side)


@procedure(independent_units=True, references=(WILCOXON_1945, PRATT_1959))
def wilcoxon(
    sample: PairedScores,
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "pratt",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    alternative: str = "two-sided",
) -> SignedRankOutcome:
    """Wilcoxon signed-rank test (Wilcoxon, 1945), exact with ties and zeros.

    The statistic [2]_ is R+, the sum of the mid-ranks of abs(d) over the units with
    d > 0. Its exact null distribution, every sign pattern equally likely, is
    computed from the ranks as they are, ties included. Differences are rounded to
    the resolution of the scores before ranking.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    zero_method : {"pratt", "wilcox", "zsplit"}, default="pratt"
        ``"wilcox"`` drops zeros; ``"pratt"`` ranks them, then drops their ranks
        [1]_; ``"zsplit"`` gives half of their ranks to each side (the same exact
        p-value as ``"pratt"``, another statistic).
    method : {"auto", "exact", "asymptotic"}, default="auto"
        ``"auto"`` is exact up to 200 units, then normal with the tie-corrected
        variance.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    SignedRankOutcome
        The test's numbers; the estimate is the pseudo-median (Hodges-Lehmann).

    Raises
    ------
    ValueError
        If an option is unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    Notes
    -----
    The null hypothesis is symmetry of the differences about 0, not a zero mean.

    References
    ----------
    .. [1] Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed
       rank procedures. Journal of the American Statistical Association, 54, 655-667.
       :doi:`10.1080/01621459.1959.10501526`
    .. [2] Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics
       Bulletin, 1(6), 80-83. :doi:`10.2307/3001968`

    Examples
    --------
    >>> from skstat.stats import PairedScores, wilcoxon
    >>> a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> sample = PairedScores(a, b, unit="instance")
    >>> outcome = wilcoxon(sample, alternative="greater")
    >>> outcome.statistic, round(outcome.pvalue, 5)
    (40.0, 0.01953)
    """
    if zero_method not in ("wilcox", "pratt", "zsplit"):
        raise ValueError(
            f"zero_method={zero_method!r} is unknown; use 'pratt', 'wilcox' or 'zsplit'."
        )
    if method not in ("auto", "exact", "asymptotic"):
        raise ValueError(f"method={method!r} is unknown; use 'auto', 'exact' or 'asymptotic'.")
    check_alternative(alternative)
    warn_if_dependent(sample, "wilcoxon")
    differences = sample.differences
    signs, ranks = _ranks(sample, zero_method)
    split = float(ranks[signs == 0].sum()) / 2 if zero_method == "zsplit" else 0.0
    active = ranks[signs != 0]
    rank_sum = float(ranks[signs > 0].sum())
    exact = method == "exact" or (method == "auto" and len(active) <= _EXACT_UP_TO)
    lower, upper = (_exact_tails if exact else _normal_tails)(active, rank_sum)
    tails = {"less": lower, "greater": upper, "two-sided": min(1.0, 2 * min(lower, upper))}
    n = len(differences)
    return SignedRankOutcome(
        test=f"Wilcoxon signed-rank test ({'exact' if exact else 'normal approximation'})",
        estimand=estimand(sample, "pseudo-median"),
        null_hypothesis="the differences score(A) - score(B) are symmetric about 0",
        alternative=alternative,
        assumptions=(
            f"the {unit_word(sample.unit)}s are independent of each other",
            "the differences are symmetric about their centre",
        ),
        effect_sizes=effect_sizes(sample),
        estimate=walsh_average(differences, (n * (n + 1) // 2 - 1) / 2),
        rank_sum=rank_sum + split,
        tail_pvalue=above_zero(tails[alternative]),
        differences=differences,
        ranks=active,
        rank_offset=split,
        exact=exact,
        references=(WILCOXON_1945, PRATT_1959) if zero_method == "pratt" else (WILCOXON_1945,),
    )


def _ranks(sample: PairedScores, zero_method: str) -> tuple[np.ndarray, np.ndarray]:
    """Signs of the differences and mid-ranks of their sizes, without float noise."""
    steps = sample.steps
    if zero_method == "wilcox":
        steps = steps[steps != 0]
    return np.sign(steps), mid_ranks_of_numbers(np.abs(steps).astype(np.intp))


def _exact_tails(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    """P(R+ <= rank_sum) and P(R+ >= rank_sum) over all sign patterns."""
    law, scale = _rank_sum_law(ranks)
    observed, total = int(np.rint(scale * rank_sum)), len(law) - 1
    # The law is symmetric; both tails are summed from below so that swapping A and
    # B gives the same numbers to the last bit.
    lower, upper = law[: observed + 1].sum(), law[: total - observed + 1].sum()
    return min(1.0, float(lower)), min(1.0, float(upper))


def _rank_sum_law(ranks: np.ndarray) -> tuple[np.ndarray, int]:
    """Law of R+ on the grid of whole numbers, or of halves, and points of it per 1."""
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64))  # mid-ranks are halves
    if np.any(doubled % 2):
        return _subset_sum_law(doubled), 2
    whole = doubled // 2
    n = len(whole)
    if n <= _EXACT_UP_TO and np.array_equal(whole, np.arange(1, n + 1)):
        return _untied_law(n), 1
    return _subset_sum_law(whole), 1


# One comparison asks for the same number of units again and again.
@lru_cache(maxsize=32)
def _untied_law(n: int) -> np.ndarray:
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


def _normal_tails(ranks: np.ndarray, rank_sum: float) -> tuple[float, float]:
    if not ranks.size:
        return 1.0, 1.0
    mean, sd = _moments(ranks)
    z = (rank_sum - mean) / sd
    return float(special.ndtr(z)), float(special.ndtr(-z))


def _moments(ranks: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation of R+; ties are in the ranks themselves."""
    return float(ranks.sum()) / 2, math.sqrt(float(np.sum(ranks**2)) / 4)


def _chance_of_sum_up_to(rank_sum: int, n: int) -> float:
    """P(R+ <= rank_sum) for n untied units, by the law that gives the interval."""
    if n > _EXACT_UP_TO:
        mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return float(special.ndtr((rank_sum + 0.5 - mean) / sd))
    return min(1.0, float(_untied_law(n)[: rank_sum + 1].sum()))


def _largest_sum_below(tail: float, n: int) -> int:
    """Largest w with P(R+ <= w) <= tail for n untied units; -1 if none."""
    if n > _EXACT_UP_TO:
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        return math.floor(mean + special.ndtri(tail) * math.sqrt(variance) - 0.5)
    cumulative = np.cumsum(_untied_law(n))
    return int(np.searchsorted(cumulative, tail * (1 + 1e-12), side="right")) - 1
