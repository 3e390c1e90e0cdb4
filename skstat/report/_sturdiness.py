"""What the verdict of a report rests on, computed when somebody asks."""

import math
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

from skstat.report._model import Report
from skstat.stats import Outcome, Sturdiness
from skstat.stats import sturdiness as sturdiness_of
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
            return sturdiness_of(sample, procedure, alpha=alpha)

    return Promised(compute)


def sturdiness(self: Report) -> Sturdiness | None:
    """Say how few units the verdict rests on: without which it would be another.

    A line of the details, *Leaving out* such units, says the same. It describes the data
    beside the p-value, which stays as it is.

    Returns
    -------
    Sturdiness or None
        As :func:`skstat.stats.sturdiness` finds it. None of a verdict that is not
        significant, not valid, or adjusted for other comparisons, and of units that
        cannot be left out one by one, such as splits, or only in much time.

    Examples
    --------
    >>> import skstat
    >>> y = [1] * 100
    >>> predictions = {"new": [1] * 90 + [0] * 10, "old": [1] * 70 + [0] * 30}
    >>> found = skstat.compare_predictions(y, predictions, metric="accuracy").sturdiness()
    >>> found.n_to_undecide, found.n_units
    (16, 100)
    """
    is_told = self.is_pair and self.pairs[0].better and math.isnan(self.pairs[0].adjusted)
    if not is_told or self.invalid:
        return None
    found = getattr(self.evidence, "sturdy", None)
    return found.value if isinstance(found, Promised) else found
