"""Wilcoxon's signed-rank test, exact with ties and zeros."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from skstat.stats._common import Quantity, answers_by, procedure
from skstat.stats._literature import PRATT_1959, WILCOXON_1945
from skstat.stats._outcomes import (
    NOISE,
    ConfidenceInterval,
    Outcome,
    Posterior,
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
from skstat.stats._paired.rank_sum_law import (
    EXACT_UP_TO,
    chance_of_sum_up_to,
    exact_tails,
    limits_of_averages,
    normal_tails,
    pvalue_of_tails,
    rank_sum_law,
    signed_ranks,
)
from skstat.stats._paired.signed_rank_family import SignedRankFamily
from skstat.stats._paired.signed_rank_posterior import of_signed_ranks
from skstat.stats._paired.walsh_averages import hodges_lehmann, walsh_averages
from skstat.stats._samples import PairedScores, check_alternative, warn_if_dependent

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

    _signed = (*Outcome._signed, "differences")

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

    def _changes(self) -> dict[str, Any]:
        of_both = float(np.sum(self.ranks)) + 2 * self.rank_offset
        return super()._changes() | {"rank_sum": lambda own: of_both - own}

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
        ends = limits_of_averages(confidence_level, len(differences), self.alternative)
        if ends is None:
            return one_sided(self.alternative, -math.inf, math.inf)
        return one_sided(self.alternative, *walsh_averages(differences, ends))

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        side = 1 if alternative == "greater" else -1
        differences = side * (np.asarray(self.differences, dtype=float) - bound)
        noise = NOISE * max(abs(bound), float(np.abs(differences).max()))
        n = len(differences)
        # R- of the shifted differences: the Walsh averages that are not beyond the bound.
        ordered = np.sort(differences)
        up_to = np.searchsorted(ordered, 2 * noise - ordered, side="right")
        rank_sum = int(np.maximum(up_to - np.arange(n), 0).sum())
        return above_zero(chance_of_sum_up_to(rank_sum, n))

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        differences = np.asarray(self.differences, dtype=float)
        return of_signed_ranks(differences, rope, n_draws=n_draws, rng=rng)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        side = "less" if self.alternative == "less" else "greater"
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        ranks = np.asarray(self.ranks, dtype=float)
        if not self.exact:
            mean, sd = float(ranks.sum()) / 2, math.sqrt(float(np.sum(ranks**2)) / 4)
            quantile = float(-special.ndtri(tail)) * (-1 if side == "less" else 1)
            return mean + quantile * sd + self.rank_offset
        law, scale = rank_sum_law(ranks)
        sums = np.flatnonzero(law)
        below = np.cumsum(law)[sums]  # the law is symmetric: so is what lies above
        total = len(law) - 1
        rejecting = sums[below <= tail * (1 + 1e-12)]
        if side == "greater":
            rejecting = total - rejecting
        return limit(rejecting / scale + self.rank_offset, side)


@answers_by(SignedRankFamily)
@procedure(
    title="Wilcoxon's signed-rank test",
    when="outliers",
    because="this test ranks the sizes of differences, so that no single one decides",
    independent_units=True,
    references=(WILCOXON_1945, PRATT_1959),
    read_as=("signed_rank_posterior", "bayesian_signed_rank", "bayesian_wilcoxon"),
)
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
    signs, ranks = signed_ranks(sample, zero_method)
    split = float(ranks[signs == 0].sum()) / 2 if zero_method == "zsplit" else 0.0
    active = ranks[signs != 0]
    rank_sum = float(ranks[signs > 0].sum())
    exact = method == "exact" or (method == "auto" and len(active) <= EXACT_UP_TO)
    lower, upper = (
        exact_tails(active, rank_sum)
        if exact
        else normal_tails(rank_sum, active.sum(), np.sum(active**2))
    )
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
        estimate=hodges_lehmann(differences),
        rank_sum=rank_sum + split,
        tail_pvalue=pvalue_of_tails(lower, upper, alternative),
        differences=differences,
        ranks=active,
        rank_offset=split,
        exact=exact,
        references=(WILCOXON_1945, PRATT_1959) if zero_method == "pratt" else (WILCOXON_1945,),
    )
