"""An interval of a difference, as every form draws it: against zero and the margin."""

from typing import Any, NamedTuple

from skstat.report._words import percent


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
    inner : tuple of float, or None
        Limits of the interval by which the margin is decided, where there are two.
    inner_says : str
        What that interval is.
    side : str
        What the system on a side of zero is there.
    """

    low: float | None
    high: float | None
    estimate: float
    margin: float | None
    left: str
    right: str
    inner: tuple[float, float] | None = None
    inner_says: str = ""
    side: str = "better"


def shown_interval(part: dict[str, Any]) -> ShownInterval | None:
    """Return the interval of a comparison, from its dictionary with losses as losses."""
    low, high = part["interval"]
    if (low is None and high is None) or part["estimate"] is None:
        return None
    a, b = part["names"]
    left, right = (a, b) if part["is_loss"] and part["scale"] == "score" else (b, a)
    margin, inner = part.get("margin"), inner_interval(part)
    says = "" if inner is None else inner_words(part)
    return ShownInterval(low, high, part["estimate"], margin, left, right, inner, says)


def inner_words(part: dict[str, Any]) -> str:
    """Say what the interval is by which a margin is decided."""
    level = percent(part["equivalence"]["confidence_level"])
    return f"the {level} interval, which decides about the margin"


def inner_interval(part: dict[str, Any]) -> tuple[float, float] | None:
    """Return the limits of the interval by which a margin is decided, if both exist."""
    found = part.get("equivalence")
    if found is None or found["adjustment"] or None in found["interval"]:
        return None  # of an adjusted p-value there is no such interval
    low, high = found["interval"]
    return low, high
