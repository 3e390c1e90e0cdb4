"""Exact power of the sign test."""

import numpy as np
from numpy.typing import NDArray
from scipy import stats as law

from skstat.stats._planning.mcnemar import _critical


def _powers(ns: NDArray, share: float, alpha: float) -> NDArray:
    critical = _critical(ns, alpha, "exact")
    found: NDArray = law.binom.cdf(critical, ns, share) + law.binom.cdf(critical, ns, 1 - share)
    return found


def sign_power(n: int, share: float, *, alpha: float = 0.05) -> float:
    """Power of the two-sided test on `n` units, of a share of which A is better."""
    return float(_powers(np.array([n]), share, alpha)[0])


def sign_size(share: float, *, power: float = 0.8, alpha: float = 0.05) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays."""
    if not 0 <= share <= 1 or share == 0.5:
        raise ValueError(f"share={share!r} must be a share other than one half.")
    z = law.norm.isf(alpha / 2) + law.norm.ppf(power)
    most = 100 + int(2 * z * z / (4 * (share - 0.5) ** 2))  # twice what the normal law says
    ns = np.arange(1, most + 1)
    enough = _powers(ns, share, alpha) >= power
    return int(ns[enough.argmax()]), int(ns[len(ns) - (~enough)[::-1].argmax()])
