"""Confidence interval of a share that may be looked at after every instance."""

import math

from scipy.special import betaln, expit, log_expit, logit

from skstat.stats._common import root_between
from skstat.stats._outcomes import ConfidenceInterval, check_level
from skstat.stats._samples import Successes

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
