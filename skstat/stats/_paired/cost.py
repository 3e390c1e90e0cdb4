"""Tests of a mean difference of costs: McNemar's question when errors differ in price."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from skstat.stats._common import procedure, root_between
from skstat.stats._literature import OWEN_1988
from skstat.stats._outcomes import (
    NOISE,
    ConfidenceInterval,
    Outcome,
    effect_sizes,
    estimand,
    least_one_sided_pvalue,
    null_hypothesis,
    one_sided,
)
from skstat.stats._paired import signed_root as _signed_root
from skstat.stats._paired.sign_flip import sign_flip
from skstat.stats._samples import PairedScores, check_alternative


@dataclass(frozen=True, kw_only=True, eq=False)
class EmpiricalLikelihoodOutcome(Outcome):
    """Outcome of Owen's empirical likelihood ratio test of a mean difference.

    The statistic is the likelihood ratio, or its signed root z when one-sided; its law is
    chi-squared, or normal. The interval contains all means that the test does not reject, and
    lies between the smallest and the largest difference.
    """

    in_score_units: ClassVar[tuple[str, ...]] = (*Outcome.in_score_units, "differences")
    seed: ClassVar[None] = None  # nothing is drawn

    differences: Any
    statistic_name: str = "LR"

    @property
    def statistic(self) -> float:
        return _signed_root.statistic(*self._ratio, self.alternative)

    @property
    def pvalue(self) -> float:
        """p-value of the chi-squared distribution; 1 when no costs differ."""
        if not np.any(self.differences):
            return 1.0
        return _signed_root.pvalue(*self._ratio, self.alternative)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        z = _signed_root.normal_quantile(confidence_level, self.alternative)
        differences = np.asarray(self.differences, dtype=float)
        return one_sided(
            self.alternative, -_upper_limit(-differences, z), _upper_limit(differences, z)
        )

    def critical_value(self, alpha: float = 0.05) -> float:
        return _signed_root.critical_value(alpha, self.alternative)

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        side = 1 if alternative == "greater" else -1
        beyond = side * (np.asarray(self.differences, dtype=float) - bound)
        beyond[np.abs(beyond) <= NOISE * max(abs(bound), abs(self.estimate))] = 0.0
        sign = float(np.sign(np.mean(beyond)))
        ratio = _likelihood_ratio(beyond, 0.0)
        pvalue = _signed_root.pvalue(ratio, sign, "greater") if sign else 0.5
        least = least_one_sided_pvalue(self)
        return min(max(pvalue, least), 1 - least)

    @property
    def _ratio(self) -> tuple[float, float]:
        """Likelihood ratio statistic and the side that it favours."""
        differences = np.asarray(self.differences, dtype=float)
        sign = float(np.sign(self.estimate))
        # Turned to the side of A, so that no bit depends on which system is called A.
        return _likelihood_ratio(sign * differences, 0.0), sign


@procedure(independent_units=True, references=(OWEN_1988,))
def cost(
    sample: PairedScores,
    *,
    method: Literal["sign-flip", "empirical-likelihood"] = "sign-flip",
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
) -> Outcome:
    """Test equal expected cost of two classifiers on the same instances.

    The scores are minus the cost of every instance, so that positive differences say
    that A is cheaper. With costs of 0 and 1 this is McNemar's question: the sign-flip
    p-value is that of the exact McNemar test, and the likelihood ratio is the G test
    of b against c.

    Parameters
    ----------
    sample : PairedScores
        Minus the costs of A and B, by instance or by group of instances.
    method : {"sign-flip", "empirical-likelihood"}, default="sign-flip"
        ``"sign-flip"``: permutation of the studentised mean difference. Its p-value
        is that of :func:`sign_flip`, because a flip leaves the sum of the squared
        differences as it is. ``"empirical-likelihood"``: Owen's likelihood ratio
        against chi-squared with one degree of freedom [1]_, which rejects somewhat
        too often in small samples. When all differences have one sign the ratio is
        infinite; then the sign-flip test is done instead, and the outcome says so.
    n_resamples : int, default=9999
        Sign patterns to draw when they are too many to count.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is cheaper.

    Returns
    -------
    Outcome
        A :class:`SignFlipOutcome` or an :class:`EmpiricalLikelihoodOutcome`; the
        estimate is the mean of cost(B) - cost(A).

    Raises
    ------
    ValueError
        If the units are neither instances nor groups, or `method` is unknown.

    See Also
    --------
    mcnemar : The same for costs of 0 and 1.

    References
    ----------
    .. [1] Owen, A. B. (1988). Empirical likelihood ratio confidence intervals for a
       single functional. Biometrika, 75(2), 237-249. :doi:`10.1093/biomet/75.2.237`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, cost
    >>> cost_a = np.array([0, 0, 1, 0, 5, 0, 0, 1, 0, 0])
    >>> cost_b = np.array([0, 5, 1, 5, 0, 1, 5, 0, 5, 1])
    >>> outcome = cost(PairedScores(-cost_a, -cost_b, unit="instance"))
    >>> outcome.estimate, outcome.pvalue
    (1.6, 0.21875)
    """
    check_alternative(alternative)
    if method not in ("sign-flip", "empirical-likelihood"):
        raise ValueError(
            f"method={method!r} is unknown; use 'sign-flip' or 'empirical-likelihood'."
        )
    if sample.unit not in ("instance", "group"):
        raise ValueError(
            f"cost compares the costs of instances or groups, but unit={sample.unit!r}."
        )
    differences = sample.differences
    one_sign = bool(np.all(differences >= 0) or np.all(differences <= 0))
    hypothesis = null_hypothesis(sample, alternative) + "; a score is minus a cost"
    if method == "sign-flip" or (one_sign and not sample.identical):
        # Among the sign patterns sum(d^2) = S is fixed, so that the studentised mean
        # t = m sqrt(n (n - 1) / (S - n m^2)) grows with the mean m: both count the same
        # patterns as extreme, for the p-value and for every shift of the interval.
        outcome = sign_flip(sample, n_resamples=n_resamples, rng=rng, alternative=alternative)
        how = "exact" if outcome.seed is None else "drawn"
        name = f"studentised sign-flip test of costs ({how})"
        if method == "empirical-likelihood":
            name += ", because only one side has costs and the likelihood ratio is infinite"
        return replace(
            outcome,
            test=name,
            null_hypothesis=hypothesis,
            assumptions=(
                *outcome.assumptions,
                f"the {sample.unit}s are many, or under the null hypothesis the "
                "differences are symmetric about 0",
            ),
        )
    return EmpiricalLikelihoodOutcome(
        test="empirical likelihood ratio test of costs",
        estimand=estimand(sample),
        null_hypothesis=hypothesis,
        alternative=alternative,
        assumptions=(
            f"the {sample.unit}s are independent of each other",
            f"the costs differ on enough {sample.unit}s for the chi-squared distribution",
        ),
        effect_sizes=effect_sizes(sample),
        statistic_name=_signed_root.statistic_name(alternative, "LR"),
        df=1 if alternative == "two-sided" else None,
        estimate=float(np.mean(differences)),
        differences=differences,
    )


def _likelihood_ratio(differences: np.ndarray, mean: float) -> float:
    """-2 log of the largest likelihood with this mean, over that without a constraint."""
    # Costs take few values, each of which needs one term.
    values, counts = np.unique(differences - mean, return_counts=True)
    values, counts = values[values != 0], counts[values != 0]
    if not values.size:
        return 0.0
    if values[0] > 0 or values[-1] < 0:
        return math.inf
    values = values / np.abs(values).max()
    # No weight 1 / (n (1 + lambda d)) exceeds 1, which bounds lambda; twice that leaves
    # room for float noise at the ends.
    n = int(counts.sum())
    bounds = ((0.5 / n - 1) / values[-1], (0.5 / n - 1) / values[0])

    def slope(multiplier: float) -> float:
        return float(np.sum(counts * values / (1 + multiplier * values)))

    multiplier = root_between(slope, *bounds)
    # The ratio is at its maximum over lambda: an error there counts squared.
    return max(0.0, 2 * float(np.sum(counts * np.log1p(multiplier * values))))


def _upper_limit(differences: np.ndarray, z: float) -> float:
    """Largest mean whose signed root is within z."""
    if z < 0:  # a one-sided limit below the estimate, at levels under 50 %
        return -_upper_limit(-differences, -z)
    mean, top = float(np.mean(differences)), float(np.max(differences))
    # The ratio grows without limit towards the largest difference, but so slowly that
    # a high level can lie beyond the last float in front of it.
    last = top - 1e-12 * (top - mean)

    def excess(shifted: float) -> float:
        return _likelihood_ratio(differences, shifted) - z * z

    if z == 0 or mean == top:
        return mean
    if excess(last) <= 0:
        return top
    return root_between(excess, mean, last, xtol=1e-13 * (top - mean))
