"""Exact power of McNemar's test: every number of rows on which exactly one system is right."""

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats as law
from scipy.optimize import brentq

Method = Literal["midp", "exact", "chi2", "edwards"]
_REACH = 12  # standard deviations of the number of such rows that are summed


def _critical(m: NDArray, alpha: float, method: Method) -> NDArray:
    """Return the largest smaller count of `m` that rejects; -1 where none does."""
    if method in ("chi2", "edwards"):
        z = law.norm.isf(alpha / 2)
        found = np.floor((m - (method == "edwards") - z * np.sqrt(m)) / 2 + 1e-12)
        return np.where(m > 0, np.maximum(found, -1), -1)
    start = law.binom.ppf(alpha / 2, m, 0.5)
    best = np.full(m.shape, -1.0)
    for count in (start - 1, start, start + 1):
        pvalue = 2 * law.binom.cdf(count, m, 0.5)
        if method == "midp":
            pvalue = pvalue - law.binom.pmf(count, m, 0.5)
        rejects = (count >= 0) & (2 * count < m) & (pvalue <= alpha)
        best = np.where(rejects, count, best)
    return best


def _check(psi: float, delta: float) -> None:
    if not 0 < psi <= 1:
        raise ValueError(f"psi={psi!r} must be a share above 0 and at most 1.")
    if not abs(delta) <= psi:
        raise ValueError(
            f"delta={delta!r} must not exceed psi={psi!r}: accuracies differ by no more than "
            "the share of rows on which exactly one system is right."
        )


def _powers(ns: NDArray, psi: float, delta: float, alpha: float, method: Method) -> NDArray:
    """Return the power at every size of an increasing row of sizes."""
    spread = _REACH * np.sqrt(ns * psi * (1 - psi)) + 1
    lows = np.maximum(0, np.floor(ns * psi - spread)).astype(int)
    highs = np.minimum(ns, np.ceil(ns * psi + spread)).astype(int)
    m = np.arange(lows.min(), highs.max() + 1)
    critical, share = _critical(m, alpha, method), (1 + delta / psi) / 2
    found = law.binom.cdf(critical, m, share) + law.binom.cdf(critical, m, 1 - share)
    at = lows[0]
    return np.array(
        [
            law.binom.pmf(m[low - at : high - at + 1], n, psi) @ found[low - at : high - at + 1]
            for n, low, high in zip(ns, lows, highs, strict=True)
        ]
    )


def mcnemar_power(
    n: int, psi: float, delta: float, *, alpha: float = 0.05, method: Method = "midp"
) -> float:
    """Power of the two-sided test on `n` rows.

    `psi` is the share of rows on which exactly one system is right, `delta` the difference
    of the accuracies.
    """
    _check(psi, delta)
    return float(_powers(np.array([n]), psi, delta, alpha, method)[0])


def mcnemar_size(
    psi: float,
    delta: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: Method = "midp",
) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays.

    The power goes up in saw teeth, because the counts are whole numbers.
    """
    _check(psi, delta)
    if delta == 0:
        raise ValueError("delta=0: no number of rows shows a difference that does not exist.")

    def reaches(n: int) -> bool:
        return bool(mcnemar_power(n, psi, delta, alpha=alpha, method=method) >= power)

    high = 1
    while not reaches(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    # Teeth are a few rows wide of those on which exactly one system is right.
    width = math.ceil(12 / psi) + 10
    ns = np.arange(max(1, high - width), high + width + 1)
    enough = _powers(ns, psi, delta, alpha, method) >= power
    return int(ns[enough.argmax()]), int(ns[len(ns) - (~enough)[::-1].argmax()])


def mcnemar_detectable(
    n: int, psi: float, *, power: float = 0.8, alpha: float = 0.05, method: Method = "midp"
) -> float:
    """Return the smallest difference with this power on `n` rows; nan where none has it."""

    def missing(delta: float) -> float:
        return mcnemar_power(n, psi, delta, alpha=alpha, method=method) - power

    return float(brentq(missing, 0.0, psi, xtol=1e-10)) if missing(psi) >= 0 else math.nan
