"""How firmly a verdict stands: with other partitions of the rows, and without some units."""

import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from skstat.report._model import Report
from skstat.stats import Outcome, Sturdiness
from skstat.stats import sturdiness as sturdiness_of
from skstat.stats._common import Readers, Stored, numbers_of
from skstat.stats._sturdiness import can_be_asked_again


@dataclass(frozen=True, kw_only=True)
class Stability(Stored):
    """Whether a verdict depends on how the rows were cut into training and test rows.

    The partitions share all their data: their p-values are not independent evidence, and
    must not be combined. They show how much the answer depends on one draw of splits.

    Attributes
    ----------
    verdict : str
        Verdict of the report itself: ``"better"``, ``"worse"`` or ``"undecided"``, and with
        a margin also ``"equivalent"`` or ``"not inferior"``, about the first system.
    seeds : tuple of int
        Seeds of the other partitions.
    estimates, pvalues : tuple of float
        What they gave; the p-value is adjusted where the verdict rests on an adjusted one.
    verdicts : tuple of str
        Their verdicts.

    Examples
    --------
    >>> from skstat.report import Stability
    >>> found = Stability(
    ...     verdict="better",
    ...     seeds=(1, 2, 3),
    ...     estimates=(0.02, 0.03, 0.01),
    ...     pvalues=(0.03, 0.01, 0.2),
    ...     verdicts=("better", "better", "undecided"),
    ... )
    >>> found.n_same, round(found.share, 2)
    (2, 0.67)
    """

    _written = ("verdict", "seeds", "estimates", "pvalues", "verdicts", "n_same", "share")
    _by_name = True
    _readers: ClassVar[Readers] = dict.fromkeys(("estimates", "pvalues"), numbers_of)

    verdict: str
    seeds: tuple[int, ...]
    estimates: tuple[float, ...]
    pvalues: tuple[float, ...]
    verdicts: tuple[str, ...]

    def __post_init__(self) -> None:
        lengths = {*map(len, (self.seeds, self.estimates, self.pvalues, self.verdicts))}
        if len(lengths) > 1 or 0 in lengths:
            raise ValueError(
                "seeds, estimates, pvalues and verdicts hold one value per partition, and at "
                f"least one; got {sorted(lengths)} values."
            )

    def turned(self) -> "Stability":
        """Return the same of the second system against the first."""
        opposite = {"better": "worse", "worse": "better"}
        return replace(
            self,
            verdict=opposite.get(self.verdict, self.verdict),
            estimates=tuple(0.0 - one for one in self.estimates),
            verdicts=tuple(opposite.get(one, one) for one in self.verdicts),
        )

    @property
    def n_same(self) -> int:
        """How many of them gave the same verdict."""
        return sum(verdict == self.verdict for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """Share of them that gave the same verdict."""
        return self.n_same / len(self.seeds)


class Promised:
    """How sturdy a verdict is, found when somebody asks; other processes get what is found.

    Parameters
    ----------
    sample, procedure, alpha : object
        What was asked of what, and the level of the verdict.
    """

    def __init__(self, sample: Any, procedure: Callable[[Any], Outcome], alpha: float) -> None:
        self._asked = sample, procedure, alpha

    @cached_property
    def value(self) -> Sturdiness:
        """The value, which is computed once."""
        sample, procedure, alpha = self._asked
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the report has them as doubts
            return sturdiness_of(sample, procedure, alpha=alpha)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Sturdiness]]:
        return copy, (self.value,)


def promised_sturdiness(
    sample: Any, procedure: Callable[[Any], Outcome], outcome: Outcome, alpha: float
) -> Promised | None:
    """Return how sturdy a verdict is, to be computed later; None where nobody can tell.

    Parameters
    ----------
    sample, procedure, outcome, alpha : object
        What was asked of what, what was found, and the level of the verdict.
    """
    told = outcome.pvalue < alpha and can_be_asked_again(sample, procedure, outcome)
    return Promised(sample, procedure, alpha) if told else None


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
    return self.evidence.sturdiness if self.is_pair else None
