"""The exact binomial test of one classifier against a constant."""

import math
from bisect import bisect_left
from dataclasses import dataclass

from skstat.stats._common import procedure, tails
from skstat.stats._literature import FAY_2010
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    above_zero,
    check_alpha,
    null_relation,
    one_sided,
)
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    Scores,
    Successes,
    check_alternative,
    check_constant,
)
from skstat.stats._test_set.proportion_interval import (
    IntervalMethod,
    check_method,
    proportion_interval,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BinomialOutcome(Outcome):
    """Outcome of the binomial test: how often the system is right, and of how many.

    The statistic is the number of instances on which the system is right. The interval is that
    of the accuracy, less the constant.
    """

    successes: int
    n: int
    constant: float
    interval: str
    statistic_name: str = "right"

    @property
    def statistic(self) -> float:
        return self.successes

    @property
    def pvalue(self) -> float:
        return self._pvalue(self.successes)

    @property
    def smallest_pvalue(self) -> float:
        # The most extreme count: all right, or all wrong.
        ends = {"greater": [self.n], "less": [0]}.get(self.alternative, [0, self.n])
        return min(map(self._pvalue, ends))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        low, high = proportion_interval(
            self.successes,
            self.n,
            confidence_level,
            method=self.interval,
            alternative=self.alternative,
        )
        return one_sided(self.alternative, low - self.constant, high - self.constant)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        less = self.alternative == "less"
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        # Along these counts the tail only falls.
        counts = range(self.n, -1, -1) if less else range(self.n + 1)
        side = "less" if less else "greater"
        found = bisect_left(counts, True, key=lambda k: self._tail(k, side) <= tail)
        if found == len(counts):
            return -math.inf if less else math.inf
        return float(counts[found])

    def _pvalue(self, successes: int) -> float:
        if self.alternative != "two-sided":
            return above_zero(self._tail(successes, self.alternative))
        smaller = min(self._tail(successes, "less"), self._tail(successes, "greater"))
        return above_zero(min(1.0, 2 * smaller))

    def _tail(self, successes: int, side: str) -> float:
        """Chance of a count as low, or as high, as this one."""
        if side == "less":
            return float(tails.binomial_cdf(successes, self.n, self.constant))
        return float(tails.binomial_sf(successes - 1, self.n, self.constant))


@procedure(
    title="the exact binomial test", when="right and wrong answers", references=(FAY_2010,)
)
def binomial(
    sample: Successes | Scores,
    constant: float,
    *,
    interval: IntervalMethod = "clopper-pearson",
    alternative: str = "two-sided",
) -> BinomialOutcome:
    """Exact test of one classifier's accuracy against a constant known in advance.

    The number of instances that the system is right on is Binomial(n, constant) under
    the null hypothesis. The two-sided p-value is twice the smaller tail, so that the
    Clopper-Pearson interval contains exactly the constants that the test does not reject,
    one-sided and two-sided: p-value and interval cannot contradict each other.
    :func:`scipy.stats.binomtest` adds up all counts that are no more likely than the
    observed one instead, which may be less than this p-value, but has no such interval:
    the constants that it does not reject may have gaps [2]_. The other intervals are
    narrower approximations, and may disagree with the p-value near the level.

    Parameters
    ----------
    sample : Successes or Scores
        The counts, or scores 1 (right) and 0 (wrong) of every instance. No instance may have
        been used to fit or to select the system.
    constant : float
        The accuracy to compare with, between 0 and 1: chance, a published result.
    interval : {"clopper-pearson", "wilson", "jeffreys"}, default="clopper-pearson"
        Method of the interval, see :func:`proportion_interval`. Only the default inverts
        the test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the system is right more often than the constant.

    Returns
    -------
    BinomialOutcome
        The test's numbers; the estimate is the accuracy less the constant.

    Raises
    ------
    ValueError
        If the constant does not lie between 0 and 1, a score is neither 0 nor 1, or a
        unit is not an instance.

    See Also
    --------
    one_sample_t : The same for scores of splits, or of any other unit.

    References
    ----------
    .. [1] Japkowicz, N. & Shah, M. (2011). Evaluating Learning Algorithms: A
       Classification Perspective. Cambridge University Press, chapter 6.
    .. [2] Fay, M. P. (2010). Two-sided exact tests and matching confidence intervals for
       discrete data. The R Journal, 2(1), 53-58.

    Examples
    --------
    >>> from skstat.stats import Successes, binomial
    >>> outcome = binomial(Successes(4, 10), 0.7, alternative="less")
    >>> round(outcome.pvalue, 4), outcome.critical_value(0.05)
    (0.0473, 4.0)
    """
    check_alternative(alternative)
    check_method(interval, "interval")
    constant = check_constant(constant)
    if not 0 < constant < 1:
        raise ValueError(
            f"constant={constant!r} must lie between 0 and 1: a single instance refutes an "
            "accuracy of 0 or of 1 for certain."
        )
    counts = sample if isinstance(sample, Successes) else Successes.from_scores(sample)
    estimate = counts.accuracy - constant
    if abs(estimate) <= RELATIVE_RESOLUTION:  # 0.1 + 0.2 is not 0.3
        estimate = 0.0
    relation = null_relation(alternative)
    where = "over instances, for this fitted system"
    return BinomialOutcome(
        test="exact binomial test",
        estimand=f"accuracy(A) - the constant {constant:g} {where}",
        null_hypothesis=f"the accuracy of A {relation} the constant {constant:g}, {where}",
        alternative=alternative,
        assumptions=(
            "the instances are independent of each other",
            "no instance was used to fit or to select the system",
            f"the constant {constant:g} was known in advance",
        ),
        effect_sizes={
            "Cohen h": 2 * math.asin(math.sqrt(counts.accuracy))
            - 2 * math.asin(math.sqrt(constant)),
        },
        estimate=estimate,
        successes=counts.successes,
        n=counts.n,
        constant=float(constant),
        interval=interval,
    )
