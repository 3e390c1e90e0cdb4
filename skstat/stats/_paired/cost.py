"""Tests of a mean difference of costs: McNemar's question when errors differ in price."""

from dataclasses import replace

import numpy as np

from skstat.stats._common import procedure
from skstat.stats._literature import FISHER_1935
from skstat.stats._outcomes import null_hypothesis
from skstat.stats._paired.sign_flip import SignFlipOutcome, sign_flip
from skstat.stats._samples import PairedScores, check_alternative


@procedure(
    title="the studentised permutation test of the cost differences",
    when="errors that cost unequally",
    because="this test holds its level with few costly rows",
    independent_units=True,
    references=(FISHER_1935,),
)
def cost(
    sample: PairedScores,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
) -> SignFlipOutcome:
    """Test equal expected cost of two classifiers on the same instances.

    The scores are minus the cost of every instance, so that positive differences say
    that A is cheaper. With costs of 0 and 1 this is McNemar's question: the sign-flip
    p-value is that of the exact McNemar test.

    The signs of the differences are flipped [1]_. That their mean is studentised leaves the
    p-value of :func:`sign_flip` as it is, because a flip does not change the sum of squares.

    Parameters
    ----------
    sample : PairedScores
        Minus the costs of A and B, by instance or by group of instances.
    n_resamples : int, default=9999
        Sign patterns to draw when they are too many to count.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is cheaper.

    Returns
    -------
    SignFlipOutcome
        Its estimate is the mean of cost(B) - cost(A).

    Raises
    ------
    ValueError
        If the units are neither instances nor groups.

    See Also
    --------
    mcnemar : The same for costs of 0 and 1.

    References
    ----------
    .. [1] Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.

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
    if sample.unit not in ("instance", "group"):
        raise ValueError(
            f"cost compares the costs of instances or groups, but unit={sample.unit!r}."
        )
    hypothesis = null_hypothesis(sample, alternative) + "; a score is minus a cost"
    # Among the sign patterns sum(d^2) = S is fixed, so that the studentised mean
    # t = m sqrt(n (n - 1) / (S - n m^2)) grows with the mean m: both count the same
    # patterns as extreme, for the p-value and for every shift of the interval.
    outcome = sign_flip(sample, n_resamples=n_resamples, rng=rng, alternative=alternative)
    how = "exact" if outcome.seed is None else "drawn"
    name = f"studentised sign-flip test of costs ({how})"
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
