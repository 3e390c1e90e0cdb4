"""Levels of intervals and of tests."""

from numbers import Real
from typing import Any

from skstat.stats._samples import shown


def check_level(confidence_level: Any, *, name: str = "confidence_level") -> None:
    """Refuse anything but a number in (0, 1)."""
    if type(confidence_level) is float and 0 < confidence_level < 1:  # asked of every pair
        return
    number = isinstance(confidence_level, Real) and not isinstance(confidence_level, bool)
    if number and 0 < float(confidence_level) < 1:
        return
    usual = "0.05" if name == "alpha" else "0.95"
    if number and 1 < float(confidence_level) < 100:
        usual = f"{float(confidence_level) / 100:g}"
    raise ValueError(
        f"{name}={shown(confidence_level)} must lie between 0 and 1; write {name}={usual}."
    )


def alpha_of(confidence_level: float) -> float:
    """Level of the test that an interval goes with: 1 - 0.99 is more than 0.01 in floats."""
    return round(1 - confidence_level, 12)


def check_alpha(alpha: Any) -> None:
    """Refuse a level of a test that is not a number in (0, 1)."""
    check_level(alpha, name="alpha")
