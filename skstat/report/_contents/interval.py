"""An interval of a difference, as every form draws it: against zero and the margin."""

from typing import Any, NamedTuple


class ShownInterval(NamedTuple):
    """An interval, and which system is better on which side of zero.

    Attributes
    ----------
    low, high : float or None
        Limits; None where there is none.
    estimate : float
        The estimated difference.
    margin : float or None
        The smallest difference that matters.
    left, right : str
        Names of the system that is better below zero, and above it.
    """

    low: float | None
    high: float | None
    estimate: float
    margin: float | None
    left: str
    right: str


def shown_interval(part: dict[str, Any]) -> ShownInterval | None:
    """Return the interval of a comparison, from its dictionary with losses as losses."""
    low, high = part["interval"]
    if (low is None and high is None) or part["estimate"] is None:
        return None
    a, b = part["names"]
    left, right = (a, b) if part["is_loss"] and part["scale"] == "score" else (b, a)
    return ShownInterval(low, high, part["estimate"], part.get("margin"), left, right)
