"""Confidence intervals of a share."""

import math
from typing import Literal, get_args

from scipy.special import betaln, expit, log_expit, logit

from skstat.stats._common import Reference, root_between, tails
from skstat.stats._literature import BROWN_ET_AL_2001, CLOPPER_PEARSON_1934, WILSON_1927
from skstat.stats._outcomes import ConfidenceInterval, check_level
from skstat.stats._samples import Successes, check_alternative

IntervalMethod = Literal["wilson", "clopper-pearson", "jeffreys"]
INTERVAL_REFERENCES: dict[str, tuple[Reference, ...]] = {
    "wilson": (WILSON_1927,),
    "clopper-pearson": (CLOPPER_PEARSON_1934,),
    "jeffreys": (BROWN_ET_AL_2001,),
}


def proportion_interval(
    successes: int,
    n: int,
    confidence_level: float = 0.95,
    *,
    method: str = "wilson",
    alternative: str = "two-sided",
) -> ConfidenceInterval:
    """Confidence interval of a share, such as an accuracy or an error rate.

    Parameters
    ----------
    successes : int
        Instances that count.
    n : int
        All instances.
    confidence_level : float, default=0.95
        Coverage, between 0 and 1.
    method : {"wilson", "clopper-pearson", "jeffreys"}, default="wilson"
        ``"wilson"`` inverts the score test, and covers the level on average [2]_ [3]_.
        ``"clopper-pearson"`` inverts both one-sided exact tests, and covers at least
        the level, often more [1]_. ``"jeffreys"`` takes the quantiles of
        Beta(x + 1/2, n - x + 1/2), and 0 or 1 as limit where x is 0 or n [3]_.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: a lower limit only, the upper one being 1; ``"less"``: an upper
        limit only.

    Returns
    -------
    ConfidenceInterval
        ``(low, high)``, between 0 and 1.

    Raises
    ------
    ValueError
        If a count, the level or the method makes no sense.

    References
    ----------
    .. [1] Clopper, C. J. & Pearson, E. S. (1934). The use of confidence or fiducial
       limits illustrated in the case of the binomial. Biometrika, 26(4), 404-413.
       :doi:`10.1093/biomet/26.4.404`
    .. [2] Wilson, E. B. (1927). Probable inference, the law of succession, and
       statistical inference. Journal of the American Statistical Association,
       22(158), 209-212. :doi:`10.1080/01621459.1927.10502953`
    .. [3] Brown, L. D., Cai, T. T. & DasGupta, A. (2001). Interval estimation for a
       binomial proportion. Statistical Science, 16(2), 101-133.
       :doi:`10.1214/ss/1009213286`

    Examples
    --------
    >>> from skstat.stats import proportion_interval
    >>> low, high = proportion_interval(10, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    >>> low, high = proportion_interval(0, 30, method="clopper-pearson")
    >>> round(low, 4), round(high, 4)
    (0.0, 0.1157)
    """
    counts = Successes(successes, n)
    check_level(confidence_level)
    check_alternative(alternative)
    check_method(method, "method")
    alpha = 1 - confidence_level
    tail = alpha / 2 if alternative == "two-sided" else alpha
    low = _lower_limit(counts.successes, counts.n, tail, method)
    high = 1 - _lower_limit(counts.n - counts.successes, counts.n, tail, method)
    return ConfidenceInterval(
        low if alternative != "less" else 0.0, high if alternative != "greater" else 1.0
    )


def _lower_limit(x: int, n: int, tail: float, method: str) -> float:
    """Lower limit; the upper one is that of the instances that do not count."""
    if method == "wilson":
        z = float(tails.normal_isf(tail))
        if x == 0 and z >= 0:
            return 0.0
        share = x / n
        centre = share + z * z / (2 * n)
        spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (centre - spread) / (1 + z * z / n)
    if x == 0:
        return 0.0
    if method == "clopper-pearson":
        return tails.beta_ppf(tail, x, n - x + 1)
    return tails.beta_ppf(tail, x + 0.5, n - x + 0.5)


def check_method(method: str, name: str) -> None:
    """Refuse an unknown method of interval."""
    methods = get_args(IntervalMethod)
    if method not in methods:
        raise ValueError(f"{name}={method!r} is unknown; use {', '.join(map(repr, methods))}.")


_SMALLEST = 1e-12


def anytime_proportion_interval(
    successes: int,
    n: int,
    confidence_level: float = 0.95,
    *,
    expected: float = 0.5,
    weight: float = 1.0,
) -> ConfidenceInterval:
    r"""Confidence interval of a share that holds at all times at once.

    A usual interval holds for a number of instances that was fixed beforehand. These hold
    together, for every number of instances: they may be looked at after each one, and the
    collection of data may stop whenever they are short enough (a *confidence sequence*) [1]_
    [2]_. The price is a longer interval.

    Parameters
    ----------
    successes : int
        Instances that count, so far.
    n : int
        All instances so far.
    confidence_level : float, default=0.95
        Probability, at least, that the intervals of all n hold the share, between 0 and 1.
    expected : float, default=0.5
        The share for which the intervals are to be short, between 0 and 1; chosen before the
        first instance.
    weight : float, default=1.0
        How many instances this expectation is worth; 1 with 0.5 is the prior of Jeffreys.

    Returns
    -------
    ConfidenceInterval
        ``(low, high)``, between 0 and 1.

    Raises
    ------
    ValueError
        If a count, the level, the expectation or its weight makes no sense.

    Notes
    -----
    The likelihood of the instances, averaged over a Beta(a, b) distribution of the share with
    a = `weight` * `expected` and b = `weight` - a, over that of a share p is

    .. math:: E_n(p) = \frac{B(x + a, n - x + b)}{B(a, b)\, p^x (1 - p)^{n - x}}.

    If p is the true share, :math:`E_n(p)` is a martingale of expectation 1, and ever exceeds
    :math:`1/\alpha` with a probability of at most α (Ville's inequality). The interval contains
    all p with :math:`E_n(p) < 1/\alpha`.

    References
    ----------
    .. [1] Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm.
       The Annals of Mathematical Statistics, 41(5), 1397-1409. :doi:`10.1214/aoms/1177696786`
    .. [2] Howard, S. R., Ramdas, A., McAuliffe, J. & Sekhon, J. (2021). Time-uniform,
       nonparametric, nonasymptotic confidence sequences. The Annals of Statistics, 49(2),
       1055-1080. :doi:`10.1214/20-AOS1991`

    Examples
    --------
    >>> from skstat.stats import anytime_proportion_interval
    >>> low, high = anytime_proportion_interval(4, 100)
    >>> round(low, 3), round(high, 3)
    (0.004, 0.14)
    """
    counts = Successes(successes, n)
    check_level(confidence_level)
    if not 0 < expected < 1:
        raise ValueError(f"expected={expected!r} must be a share between 0 and 1.")
    if not (weight > 0 and math.isfinite(weight)):
        raise ValueError(f"weight={weight!r} must be a number of instances above 0.")
    x, n = counts.successes, counts.n
    a = weight * expected
    b = weight - a
    mixed = float(betaln(x + a, n - x + b) - betaln(a, b)) + math.log(1 - confidence_level)

    # By the logit, which is as exact beside 1 as it is beside 0.
    def excess(z: float) -> float:
        return mixed - float(x * log_expit(z) + (n - x) * log_expit(-z))

    share = float(logit(min(max(x / n, _SMALLEST), 1 - _SMALLEST)))
    low, high = 0.0, 1.0
    if x > 0:
        low = float(expit(root_between(excess, min(mixed / x, share) - 1, share)))
    if x < n:
        high = float(expit(root_between(excess, share, max(-mixed / (n - x), share) + 1)))
    return ConfidenceInterval(low, high)
