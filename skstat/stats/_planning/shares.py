"""How precisely a share is known: half the width of its Wilson interval."""

import math

from scipy import stats as law


def wilson_half_width(n: int, share: float, *, confidence_level: float = 0.95) -> float:
    """Half the width of the interval of `share` seen in `n` rows."""
    z = law.norm.isf((1 - confidence_level) / 2)
    inner = share * (1 - share) / n + z * z / (4 * n * n)
    return float(z / (1 + z * z / n) * math.sqrt(inner))


def wilson_size(share: float, half_width: float, *, confidence_level: float = 0.95) -> int:
    """Smallest number of rows with an interval at most this wide to both sides."""
    if not 0 < half_width < 0.5:
        raise ValueError(f"half_width={half_width!r} must lie between 0 and 0.5.")
    low, high = 0, 1
    while wilson_half_width(high, share, confidence_level=confidence_level) > half_width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        wide = wilson_half_width(middle, share, confidence_level=confidence_level) > half_width
        low, high = (middle, high) if wide else (low, middle)
    return high
