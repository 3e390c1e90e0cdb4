"""Numbers as text, the same in every form of a report."""

import math
from collections.abc import Iterable
from typing import Any

from skstat.stats._outcomes import unit_word

# Beyond these, digits say less than a power of ten.
_MOST_DECIMALS = 7
_LARGEST = 1e7
_CLOCK = (  # up to how many seconds, unit, and the seconds of one
    (0.995e-3, "\N{MICRO SIGN}s", 1e-6),
    (0.995, "ms", 1e-3),
    (99.5, "s", 1.0),
    (5970.0, "min", 60.0),
    (math.inf, "h", 3600.0),
)


def decimals_for(values: Iterable[float | None]) -> int:
    """Decimals that give the largest of `values` three significant digits."""
    sizes = [abs(v) for v in values if v is not None and math.isfinite(v) and v != 0]
    if not sizes:
        return 3
    return max(0, 2 - math.floor(math.log10(max(sizes))))


def fixed(value: float | None, decimals: int, *, sign: bool = False) -> str:
    """Write a score or a difference; an open or undefined limit by its name."""
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "no limit"
    plus = "+" if sign else ""
    if decimals > _MOST_DECIMALS or abs(value) >= _LARGEST:
        return f"{value:{plus}.2e}".replace("-", "\N{MINUS SIGN}")
    text = f"{value:{plus}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def pvalue_text(pvalue: float | None) -> str:
    """Write ``p = 0.0312`` or ``p < 0.001``, never 0.000."""
    if pvalue is None or math.isnan(pvalue):
        return "no p-value"
    if pvalue < 0.001:
        return "p < 0.001"
    if pvalue > 0.9995:
        return "p = 1"
    return f"p = {pvalue:.4f}" if pvalue < 0.1 else f"p = {pvalue:.3f}"


def pvalue_cell(pvalue: float | None) -> str:
    """Write a p-value in a column whose header says what it is."""
    return pvalue_text(pvalue).removeprefix("p = ").removeprefix("p ")


def probability_text(
    probability: float | None, error: float | None = None, n_drawn: int = 0
) -> str:
    """Write ``0.905``, or ``< 0.001``, never 0 or 1; with no more digits than were drawn.

    Parameters
    ----------
    probability : float or None
        The probability.
    error : float, optional
        Its Monte Carlo error; the last digit that is shown stands for as much, or more.
    n_drawn : int, default=0
        The draws; what none of them had may still have three chances in so many.
    """
    if probability is None or math.isnan(probability):
        return "undefined"
    decimals = 3 if not error else min(3, max(1, math.floor(-math.log10(error))))
    least = 10.0**-decimals
    if n_drawn and probability in (0, 1):
        least = max(least, 3 / n_drawn)
    if probability < least:
        return f"< {least:.{decimals}g}"
    if probability > 1 - least:
        return f"> {1 - least:.{decimals}g}"
    return f"{probability:.{decimals}f}"


def drawn_text(probability: float | None, n_drawn: int) -> str:
    """Write a probability that is a share of draws, or was computed (no draws)."""
    if probability is None or math.isnan(probability) or not n_drawn:
        return probability_text(probability)
    error = math.sqrt(probability * (1 - probability) / n_drawn)
    return probability_text(probability, error, n_drawn)


def about(count: int) -> str:
    """Write a count that is an estimate, with two significant digits."""
    return str(round(count, min(0, 2 - len(str(count)))))


def percent(level: float) -> str:
    """Write a confidence level."""
    return f"{100 * level:g}%"


def short(value: object) -> str:
    """Write a statistic or an effect size with four significant digits."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "undefined"
    if isinstance(value, int | float):
        return f"{value:.4g}".replace("-", "\N{MINUS SIGN}")
    if isinstance(value, list | tuple):
        return " and ".join(short(item) for item in value)
    return str(value)


def df_text(df: Any) -> str:
    """Write degrees of freedom; whole ones to the last digit."""
    if isinstance(df, list | tuple):
        return " and ".join(map(df_text, df))
    number = float(df)
    return f"{number:.0f}" if number.is_integer() else short(number)


def time_text(seconds: float | None) -> str:
    """Write a time with two digits, in the unit that suits it."""
    if seconds is None or not math.isfinite(seconds):
        return "unknown"
    unit, size = next((unit, size) for limit, unit, size in _CLOCK if seconds < limit)
    value = float(f"{seconds / size:.2g}")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def units_behind(r: Any) -> str:
    """Write the units of a report: those of its standard error, and those of its scores."""
    scored = units(r.n_units, r.unit)
    if r.sampled is None:
        return scored
    return f"{units(r.sampled['n'], r.sampled['unit'])}, tested in {scored}"


def units(n: int, unit: str) -> str:
    """Write a number of units: ``1 split``, ``5 data sets``."""
    word = unit_word(unit)
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def ranks_text(low: float, high: float) -> str:
    """Write the ranks that a system may have."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def share_text(share: float) -> str:
    """Write a share of resamples; rounding makes none of them all, or nothing."""
    if 0.9995 <= share < 1:
        return "> 99.9%"
    return "< 0.1%" if 0 < share < 0.0005 else percent(round(share, 3))
