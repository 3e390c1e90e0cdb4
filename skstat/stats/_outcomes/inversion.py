"""p-values of any null value, read off the intervals of an outcome."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

# Nearer to 1 a level has too few digits to invert.
_LEAST = 1e-12
_MIDDLE = 0.5 - 1e-9
_STEPS = 48
# Limits nearer than this to the bound, relative to it, are the bound and float noise.
NOISE = 1e-10


def pvalue_by_inversion(outcome: Any, bound: float, alternative: str) -> float:
    """p-value of an effect that is `bound` or worse for the alternative.

    The least alpha at which the two-sided 1 - 2 alpha interval leaves `bound` out on the
    side that the alternative names; for an estimate on the other side of the bound, 1 less
    that of the opposite question. nan where the outcome has no interval.
    """
    both = replace(outcome, alternative="two-sided")
    noise = NOISE * max(abs(bound), abs(outcome.estimate))

    def leaves_out(side: str) -> Callable[[float], bool]:
        end, sign = (0, 1) if side == "greater" else (1, -1)

        def found(tail: float) -> bool:
            limit = both.confidence_interval(1 - 2 * tail)[end]
            return bool(sign * (limit - bound) > noise)

        return found

    low, high = both.confidence_interval(0.5)
    if low != low or high != high:
        return float("nan")
    least = max(_LEAST, least_one_sided_pvalue(outcome))
    other = "less" if alternative == "greater" else "greater"
    tail = _smallest(leaves_out(alternative), least)
    if tail is not None:
        return tail
    tail = _smallest(leaves_out(other), least)
    return 0.5 if tail is None else 1 - tail


def least_one_sided_pvalue(outcome: Any) -> float:
    """Least one-sided p-value that so many units, or resamples, can give."""
    n_resamples = getattr(outcome, "n_resamples", None)
    differences = getattr(outcome, "differences", None)
    n_units = getattr(outcome, "n_units", None)
    if n_units is None and differences is not None:
        n_units = len(differences)
    of_draws = 1 / (1 + n_resamples) if n_resamples else 0.0  # nothing need be drawn
    of_signs = 0.0 if n_units is None else 2.0 ** -min(n_units, 1000)
    return min(_MIDDLE, max(of_draws, of_signs))


def _smallest(rejects: Callable[[float], bool], least: float) -> float | None:
    """Smallest tail that rejects, as more and more do with a growing tail; else None."""
    if rejects(least):
        return least
    if not rejects(_MIDDLE):
        return None
    below, above = least, _MIDDLE
    for _ in range(_STEPS):
        # Small p-values need as many digits as large ones.
        tail = float((below * above) ** 0.5)
        if not below < tail < above:
            break
        if rejects(tail):
            above = tail
        else:
            below = tail
    return above
