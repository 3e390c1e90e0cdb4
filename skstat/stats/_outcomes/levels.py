"""Levels of intervals and tests, limits found by inversion, and outcomes turned round."""

from collections.abc import Callable
from dataclasses import fields, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from skstat.stats._samples import shown

# Nearer to 1 a level has too few digits to invert.
_LEAST = 1e-12
_MIDDLE = 0.5 - 1e-9
_STEPS = 48
# Limits nearer than this to the bound, relative to it, are the bound and float noise.
NOISE = 1e-10


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


OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def negated(value: Any) -> Any:
    """Change the sign of a number or an array; None stays."""
    if value is None:
        return None
    return 0.0 - (np.asarray(value, dtype=float) if np.ndim(value) else value)


def _reversed(value: Any) -> Any:
    kind = type(value)
    return kind(*value[::-1]) if hasattr(value, "_fields") else value[::-1]


class Turns:
    """A dataclass about A and B, of which the fields that know which is which say so.

    A field that holds such a dataclass is turned with it.

    Attributes
    ----------
    _signed : tuple of str
        Fields whose numbers change sign.
    _ordered : tuple of str
        Fields that hold something of A, then the same of B; between these, of neither.
    _rising : tuple of str
        Fields of numbers in ascending order that change sign.
    _swapped : tuple of str
        Two fields that trade their values.
    """

    _signed: ClassVar[tuple[str, ...]] = ()
    _ordered: ClassVar[tuple[str, ...]] = ()
    _rising: ClassVar[tuple[str, ...]] = ()
    _swapped: ClassVar[tuple[str, ...]] = ()

    def turned(self) -> Self:
        """Return the same of B against A.

        Returns
        -------
        same type
            A copy, which is turned back by the same call.
        """
        changes = self._changes()
        found = {}
        for item in fields(self):  # type: ignore[arg-type]
            name, change = item.name, changes.get(item.name)
            held = vars(self)[name]
            if change is None:
                found[name] = held.turned() if isinstance(held, Turns) else held
            else:
                found[name] = change(held)
        return type(self)(**found)

    def _changes(self) -> dict[str, Callable[[Any], Any]]:
        """What is done with the fields that change, by their names."""
        trades = zip(self._swapped, self._swapped[::-1], strict=True)
        return {
            **dict.fromkeys(self._signed, negated),
            **dict.fromkeys(self._ordered, _reversed),
            **dict.fromkeys(self._rising, lambda value: negated(value)[::-1]),
            **{name: lambda _, other=other: getattr(self, other) for name, other in trades},  # type: ignore[misc]
        }
