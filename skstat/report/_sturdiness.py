"""What the verdict of a report rests on, computed when somebody asks."""

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

from skstat.stats import Outcome, Sturdiness, sturdiness
from skstat.stats._sturdiness import can_be_asked_again


class Promised:
    """How sturdy a verdict is; other processes get it as its value.

    Parameters
    ----------
    compute : callable
        Gives it.
    """

    def __init__(self, compute: Callable[[], Sturdiness | None]) -> None:
        self._compute = compute

    @cached_property
    def value(self) -> Sturdiness | None:
        """The value, which is computed once."""
        return self._compute()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _itself, (self.value,)


def _itself(value: Sturdiness | None) -> Sturdiness | None:
    return value


def promised_sturdiness(
    sample: Any, procedure: Callable[[Any], Outcome], outcome: Outcome, alpha: float
) -> Promised | None:
    """Return how sturdy a verdict is, to be computed later; None where nobody can tell.

    Parameters
    ----------
    sample, procedure, outcome, alpha : object
        What was asked of what, what was found, and the level of the verdict.
    """
    if not outcome.pvalue < alpha or not can_be_asked_again(sample, procedure, outcome):
        return None

    def compute() -> Sturdiness:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the report has them as doubts
            return sturdiness(sample, procedure, alpha=alpha)

    return Promised(compute)
