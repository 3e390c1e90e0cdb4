"""Tests for five repeats of twofold cross-validation."""

import math
from dataclasses import dataclass, replace

import numpy as np

from skstat.stats._common import Quantity, procedure, tails
from skstat.stats._literature import ALPAYDIN_1999, DIETTERICH_1998
from skstat.stats._outcomes import (
    ConfidenceInterval,
    MeanOutcome,
    Outcome,
    above_zero,
    check_alpha,
    check_level,
    effect_sizes,
    estimand,
    null_hypothesis,
)
from skstat.stats._samples import (
    AlternativeError,
    PairedScores,
    check_alternative,
    check_plain_splits,
)

_ASSUMPTIONS = (
    "the differences are close to normal, with equal variances",
    "the five repeats behave as if independent of each other",
)
_SUITED = "five_by_two_cv_test makes such splits."

_FIRST = Quantity(name="first difference", is_difference=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class FiveByTwoOutcome(Outcome):
    """Outcome of the combined F test: sums of squares of the ten differences.

    The law of the statistic is F with 10 and 5 degrees of freedom. The interval contains all
    shifts that the test does not reject; it is nan when no shift passes, or when the variance
    is zero.
    """

    sum_of_squares: float
    within: float
    statistic_name: str = "F"

    @property
    def statistic(self) -> float:
        if self.within:
            return self.sum_of_squares / (2 * self.within)
        return math.inf if self.sum_of_squares else 0.0

    @property
    def pvalue(self) -> float:
        if not self.within:
            return math.nan if self.sum_of_squares else 1.0
        return above_zero(tails.f_sf(self.statistic, *self._df))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        # ``{delta : sum((p - delta)^2) / (2 sum(s^2)) <= F_crit}`` is a quadratic in delta
        # around the mean of the ten differences, because no s_i^2 depends on delta. It excludes
        # 0 exactly when p < alpha.
        check_level(confidence_level)
        if not self.within:
            limit = math.nan if self.sum_of_squares else 0.0
            return ConfidenceInterval(limit, limit)
        # Around the mean m: sum((p - delta)^2) = sum(p^2) - 10 m^2 + 10 (delta - m)^2
        mean = self.estimate
        spread = self.sum_of_squares - 10 * mean**2
        allowed = 2 * self.within * self.critical_value(1 - confidence_level) - spread
        if allowed < 0:
            return ConfidenceInterval(math.nan, math.nan)
        half_width = math.sqrt(allowed / 10)
        return ConfidenceInterval(mean - half_width, mean + half_width)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        return float(tails.f_isf(alpha, *self._df))

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        if not self.within:
            return math.nan
        # sum((p - bound)^2); half of its two-sided p belongs to either side.
        squares = self.sum_of_squares - 10 * bound * (2 * self.estimate - bound)
        half = replace(self, sum_of_squares=squares).pvalue / 2
        beyond = self.estimate > bound if alternative == "greater" else self.estimate < bound
        return half if beyond else 1 - half

    @property
    def _df(self) -> tuple[float, float]:
        assert isinstance(self.df, tuple)
        return self.df


@procedure(
    title="the 5x2cv F test",
    when="accuracy on 5x2 halves, to compare with older results",
    because="this test uses all ten differences",
    units=("split",),
    suited_splits=_SUITED,
    references=(ALPAYDIN_1999,),
)
def five_by_two_f(sample: PairedScores, *, alternative: str = "two-sided") -> FiveByTwoOutcome:
    """Combined 5x2cv F test (Alpaydin, 1999).

    ``F = sum_ij p_ij^2 / (2 sum_i s_i^2)`` with 10 and 5 degrees of freedom ([1]_,
    eq. 4), where p_i1 and p_i2 are the differences of repeat i and s_i^2 their sum
    of squared deviations from their mean.

    Parameters
    ----------
    sample : PairedScores
        Ten scores of A and B from five repeats of two folds, repeat by repeat.
    alternative : {"two-sided"}, default="two-sided"
        The F statistic has no direction.

    Returns
    -------
    FiveByTwoOutcome
        The test's numbers; the estimate is the mean of all ten differences.

    Raises
    ------
    ValueError
        If the sample is not a 5x2 cross-validation, or `alternative` is one-sided.

    References
    ----------
    .. [1] Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised
       classification learning algorithms. Neural Computation, 11(8), 1885-1892.
       :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> from skstat.stats import PairedScores, five_by_two_f
    >>> a = [0.82, 0.80, 0.83, 0.79, 0.81, 0.84, 0.80, 0.82, 0.83, 0.81]
    >>> b = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]
    >>> outcome = five_by_two_f(PairedScores(a, b, n_repeats=5))
    >>> round(outcome.statistic, 3), round(outcome.pvalue, 3)
    (3.0, 0.118)
    """
    if alternative != "two-sided":
        raise AlternativeError(
            f"alternative={alternative!r}: the F statistic has no direction. Use "
            "alternative='two-sided', or five_by_two_t."
        )
    differences, within = _halves(sample, "five_by_two_f")
    return FiveByTwoOutcome(
        test="5x2cv F test",
        estimand=estimand(sample),
        null_hypothesis=null_hypothesis(sample, alternative),
        alternative=alternative,
        assumptions=_ASSUMPTIONS,
        effect_sizes=effect_sizes(sample),
        estimate=float(differences.mean()),
        df=(10, 5),
        sum_of_squares=float(np.sum(differences**2)),
        within=within,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstDifferenceOutcome(MeanOutcome):
    """Outcome of the 5x2cv t test, whose estimate is the first of ten differences."""

    @property
    def quantity(self) -> Quantity:
        return _FIRST


@procedure(
    when="the older test, one-sided too: depends on which half came first",
    units=("split",),
    suited_splits=_SUITED,
    references=(DIETTERICH_1998,),
)
def five_by_two_t(
    sample: PairedScores, *, alternative: str = "two-sided"
) -> FirstDifferenceOutcome:
    """5x2cv paired t test (Dietterich, 1998).

    ``t = p_11 / sqrt(sum_i s_i^2 / 5)`` with 5 degrees of freedom ([1]_, section
    3.5). Only the first of the ten differences stands in the numerator, so that
    estimate and interval are centred on that one and the answer depends on which
    half came first. :func:`five_by_two_f` uses all ten.

    Parameters
    ----------
    sample : PairedScores
        Ten scores of A and B from five repeats of two folds, repeat by repeat.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    FirstDifferenceOutcome
        The test's numbers; the estimate is the first difference.

    Raises
    ------
    ValueError
        If the sample is not a 5x2 cross-validation.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`

    Examples
    --------
    >>> from skstat.stats import PairedScores, five_by_two_t
    >>> a = [0.82, 0.80, 0.83, 0.79, 0.81, 0.84, 0.80, 0.82, 0.83, 0.81]
    >>> b = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]
    >>> outcome = five_by_two_t(PairedScores(a, b, n_repeats=5))
    >>> round(outcome.statistic, 3), round(outcome.critical_value(0.05), 4)
    (2.272, 2.5706)
    """
    check_alternative(alternative)
    differences, within = _halves(sample, "five_by_two_t")
    # A first difference of 0 says nothing of equality where others differ.
    undefined = within == 0 and differences[0] == 0 and differences.any()
    return FirstDifferenceOutcome(
        test="5x2cv paired t test",
        estimand=f"{estimand(sample)}, estimated by the first of the ten differences",
        null_hypothesis=null_hypothesis(sample, alternative),
        alternative=alternative,
        assumptions=_ASSUMPTIONS,
        effect_sizes=effect_sizes(sample)
        | {"mean of all ten differences": float(differences.mean())},
        estimate=float(differences[0]),
        standard_error=math.nan if undefined else math.sqrt(within / 5),
        df=5,
    )


def _halves(sample: PairedScores, procedure: str) -> tuple[np.ndarray, float]:
    """Differences of the ten halves, and the sum of the repeats' s_i^2."""
    check_plain_splits(sample, procedure)
    if sample.n_repeats != 5 or sample.n_folds != 2:
        raise ValueError(
            f"{procedure} needs five repeats of twofold cross-validation (10 scores, "
            f"n_repeats=5); this sample has {sample.n_units} {sample.unit}s and "
            f"n_repeats={sample.n_repeats}."
        )
    differences = sample.differences
    pairs = differences.reshape(5, 2)
    # s_i^2 = (p_i1 - m_i)^2 + (p_i2 - m_i)^2 = (p_i1 - p_i2)^2 / 2
    gaps = pairs[:, 0] - pairs[:, 1]
    gaps = np.where(np.abs(gaps) <= sample.resolution, 0.0, gaps)
    return differences, float(np.sum(gaps**2) / 2)
