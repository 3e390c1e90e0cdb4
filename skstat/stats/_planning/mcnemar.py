"""Exact power of McNemar's test: every number of rows on which exactly one system is right."""

import math

import numpy as np
from numpy.typing import NDArray

from skstat.stats._planning.binomial import METHODS, Method, count_powers, counts_to_look_at
from skstat.stats._planning.checks import (
    MOST,
    check_number,
    check_power,
    check_share,
    check_test_level,
    laws,
    root_of,
    smallest,
)
from skstat.stats._samples import check_count

_REACH = 12  # standard deviations of the number of such rows that are summed
_SEVERAL = 256  # sizes whose power is found together


def check_method(method: object) -> None:
    """Refuse an unknown variant of the test."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown; use one of {', '.join(METHODS)}.")


def check_shares(psi: float, delta: float) -> None:
    """Refuse shares of rows that no two systems can have."""
    check_share("psi", psi)
    check_number("delta", delta)
    if not abs(delta) <= psi:
        raise ValueError(
            f"delta={delta!r} must not exceed psi={psi!r}: accuracies differ by no more than "
            "the share of rows on which exactly one system is right."
        )


def _window(n: int, psi: float) -> tuple[int, int]:
    """Return numbers of rows between which all that is likely lies."""
    spread = _REACH * math.sqrt(n * psi * (1 - psi)) + _REACH
    return max(0, math.floor(n * psi - spread)), min(n, math.ceil(n * psi + spread))


def _mean(n: int, psi: float, values: NDArray, at: int) -> float:
    """Mean over the number of such rows of what `values` says of each, from `at` on."""
    low, high = _window(n, psi)
    m = np.arange(low, high + 1)
    return float(laws().binom.pmf(m, n, psi) @ values[low - at : high - at + 1])


def mcnemar_power(
    n: int,
    psi: float,
    delta: float,
    *,
    alpha: float = 0.05,
    method: Method = "midp",
    one_sided: bool = False,
) -> float:
    """Power of the test on `n` rows, a sum over the rows on which exactly one system is right.

    `psi` is the share of rows on which exactly one system is right, `delta` the difference
    of the accuracies. Given m such rows the test is one of a share of one half, and one system
    is right on ``(1 + delta / psi) / 2`` of them (Fagerland, Lydersen and Laake, 2013; the
    sum is that of Miettinen, 1968, section 2, with the exact test in it).
    """
    check_count("n", n)
    check_shares(psi, delta)
    check_test_level(alpha)
    check_method(method)
    low, high = _window(n, psi)
    share = (1 + abs(delta) / psi) / 2
    found = count_powers(np.arange(low, high + 1), share, alpha, method, one_sided=one_sided)
    return _mean(n, psi, found, low)


def mcnemar_size(
    psi: float,
    delta: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: Method = "midp",
    one_sided: bool = False,
) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays.

    The power goes up in saw teeth, because the counts are whole numbers. The power given m
    rows on which exactly one system is right lies between its smallest value from m on and its
    largest up to m. Both rise with m, so their means rise with n: below the size where the
    larger mean reaches `power` no size has it, and from the one where the smaller does, all
    have. No size between the two is left out that could be one of those sought. Where
    that would take more than 60 000 rows on which exactly one system is right, teeth are less
    than 0.01 high and are passed over.
    """
    check_shares(psi, delta)
    check_test_level(alpha)
    check_power(power, alpha)
    check_method(method)
    if delta == 0:
        raise ValueError("delta=0: no number of rows shows a difference that does not exist.")
    share = (1 + abs(delta) / psi) / 2
    # Somewhat more, so that the mean can reach the power that is asked for.
    most = counts_to_look_at(share, alpha, (3 + power) / 4, method)

    def reaches(n: int) -> bool:
        found = mcnemar_power(n, psi, delta, alpha=alpha, method=method, one_sided=one_sided)
        return found >= power

    if most is None:
        n = smallest(reaches) or MOST
        return n, n
    counts = count_powers(np.arange(most + 1), share, alpha, method, one_sided=one_sided)
    beyond = (3 + power) / 4
    lower = np.minimum(np.minimum.accumulate(counts[::-1])[::-1], beyond)
    upper = np.maximum.accumulate(counts)

    def mean_of(values: NDArray, n: int, after: float) -> float:
        low, high = _window(n, psi)
        m = np.arange(low, high + 1)
        known = np.where(m < len(values), values[np.minimum(m, len(values) - 1)], after)
        return float(laws().binom.pmf(m, n, psi) @ known)

    start = smallest(lambda n: mean_of(upper, n, 1.0) >= power) or MOST
    stays = smallest(lambda n: mean_of(lower, n, beyond) >= power) or MOST
    if stays == MOST:
        return MOST, MOST
    low, high = _window(start, psi)[0], _window(stays, psi)[1]
    if high > most:
        m = np.arange(most + 1, high + 1)
        further = count_powers(m, share, alpha, method, one_sided=one_sided)
        counts = np.concatenate([counts, further])
    # One row more changes the power by psi times the mean change of that given m, of which
    # there are so many and so few.
    per_row = psi * float(np.abs(np.diff(counts[low : high + 2])).max(initial=0.0))

    def steps(n: int) -> tuple[bool, int]:
        """Whether a size has the power, and how far it is at least to one where that ends."""
        missing = power - mean_of(counts, n, 1.0)
        return missing <= 0, max(1, math.floor(abs(missing) / per_row)) if per_row else high

    first = start
    while first < stays and not (found := steps(first))[0]:
        first = min(first + found[1], stays)
    stable = stays
    while stable > first and (found := steps(stable - 1))[0]:
        stable = max(stable - found[1], first)
    return first, stable


def mcnemar_detectable(
    n: int,
    psi: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: Method = "midp",
    one_sided: bool = False,
) -> float:
    """Return the smallest difference with this power on `n` rows; nan where none has it."""
    check_share("psi", psi)
    check_test_level(alpha)
    check_power(power, alpha)

    def missing(delta: float) -> float:
        found = mcnemar_power(n, psi, delta, alpha=alpha, method=method, one_sided=one_sided)
        return found - power

    return float(root_of(missing, 0.0, psi, xtol=1e-10)) if missing(psi) >= 0 else math.nan
