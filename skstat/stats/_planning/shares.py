"""How precisely a share is known: half the width of its Wilson interval."""

import math

from skstat.stats._outcomes import check_level
from skstat.stats._planning.checks import MOST, check_number, laws, smallest
from skstat.stats._samples import check_count


def wilson_half_width(n: int, share: float, *, confidence_level: float = 0.95) -> float:
    """Half the width of the interval of `share` seen in `n` rows (Wilson, 1927)."""
    check_count("n", n)
    check_number("share", share, least=0, most=1, what="a share from 0 to 1")
    check_level(confidence_level)
    z = laws().norm.isf((1 - confidence_level) / 2)
    inner = share * (1 - share) / n + z * z / (4 * n * n)
    return float(z / (1 + z * z / n) * math.sqrt(inner))


def wilson_size(share: float, half_width: float, *, confidence_level: float = 0.95) -> int:
    """Smallest number of rows with an interval at most this wide to both sides.

    The width falls with n: its square is ``z^2 (s + z^2 / 4n) n / (n + z^2)^2`` with ``s =
    share (1 - share)``, at most 1/4.
    """
    check_number(
        "half_width", half_width, above=0, most=0.4999, what="a number between 0 and 0.5"
    )

    def narrow(n: int) -> bool:
        found = wilson_half_width(n, share, confidence_level=confidence_level)
        return found <= half_width

    return smallest(narrow) or MOST
