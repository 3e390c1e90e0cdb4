"""Confidence intervals of a share."""

import math
from typing import Literal, get_args

from skstat.stats._common import Reference, tails
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
