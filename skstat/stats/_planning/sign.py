"""Exact power of the sign test."""

import numpy as np

from skstat.stats._planning.binomial import count_powers, counts_to_look_at
from skstat.stats._planning.checks import MOST, check_power, check_share, check_test_level
from skstat.stats._samples import check_count


def sign_power(n: int, share: float, *, alpha: float = 0.05, one_sided: bool = False) -> float:
    """Power of the exact test on `n` units, on a share of which one system is better.

    Units on which both are equal do not count (Dixon and Mood, 1946).
    """
    check_count("n", n)
    check_share("share", share)
    check_test_level(alpha)
    share = max(share, 1 - share)
    return float(count_powers(np.array([n]), share, alpha, "exact", one_sided=one_sided).item())


def sign_size(
    share: float, *, power: float = 0.8, alpha: float = 0.05, one_sided: bool = False
) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays.

    Every size is tried up to one from which the power cannot fall again
    (`counts_to_look_at`).
    """
    check_test_level(alpha)
    check_power(power, alpha)
    if not 0 <= share <= 1 or share == 0.5:
        raise ValueError(f"share={share!r} must be a share other than one half.")
    share = max(share, 1 - share)
    most = counts_to_look_at(share, alpha, power, "exact")
    if most is None:
        return MOST, MOST
    ns = np.arange(1, most + 1)
    enough = count_powers(ns, share, alpha, "exact", one_sided=one_sided) >= power
    last = len(ns) - int((~enough)[::-1].argmax()) if not enough.all() else 0
    return int(ns[enough.argmax()]), int(ns[last])
