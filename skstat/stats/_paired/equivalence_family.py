"""Many comparisons against one margin, as arrays and one by one when asked for."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._outcomes import Outcome, OutcomeFamily, family_of
from skstat.stats._paired.equivalence import (
    EquivalenceOutcome,
    check_margin,
    check_margin_alpha,
    check_scale,
)

Numbers = NDArray[np.float64]


class EquivalenceFamily(Sequence[EquivalenceOutcome]):
    """Tests of a family of comparisons against one margin, each built when it is asked for.

    Parameters
    ----------
    outcomes : OutcomeFamily
        The comparisons.
    margin : float
        The smallest difference that matters.
    lower, upper : ndarray
        One-sided p-values.
    adjusted : tuple of ndarray, or None
        Both, and the larger of the two, adjusted for the family.
    adjustment : str or None
        How they were adjusted.
    """

    def __init__(
        self,
        outcomes: OutcomeFamily,
        margin: float,
        lower: Numbers,
        upper: Numbers,
        adjusted: tuple[Numbers, Numbers, Numbers] | None = None,
        adjustment: str | None = None,
    ) -> None:
        self._outcomes, self.margin = outcomes, margin
        self.lower, self.upper = lower, upper
        self._adjusted, self._adjustment = adjusted, adjustment

    @property
    def pvalues(self) -> Numbers:
        """The larger p-value of every comparison; nan when either is."""
        return np.maximum(self.lower, self.upper)

    def __len__(self) -> int:
        return len(self._outcomes)

    @overload
    def __getitem__(self, place: int) -> EquivalenceOutcome: ...
    @overload
    def __getitem__(self, place: slice) -> list[EquivalenceOutcome]: ...
    def __getitem__(self, place: int | slice) -> EquivalenceOutcome | list[EquivalenceOutcome]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        place = range(len(self))[place]
        adjusted: Any = self._adjusted and tuple(float(each[place]) for each in self._adjusted)
        return EquivalenceOutcome(
            outcome=self._outcomes[place],
            margin=self.margin,
            lower_pvalue=float(self.lower[place]),
            upper_pvalue=float(self.upper[place]),
            adjusted=adjusted,
            adjustment=self._adjustment,
        )

    def equivalent(self, alpha: float) -> NDArray[np.bool_]:
        """Tell of which comparisons a difference of the margin or more is excluded."""
        return self._shown(self._pvalues[2], alpha)

    def noninferior(self, alpha: float, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell in which of some A is not worse by the margin or more."""
        return self._shown(np.where(among, self._pvalues[0], np.nan), alpha)

    def not_worse(self, alpha: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell in which comparisons A, and in which B, is not worse by the margin or more."""
        below, above, _ = self._pvalues
        return self._shown(below, alpha), self._shown(above, alpha)

    @property
    def _pvalues(self) -> tuple[Numbers, Numbers, Numbers]:
        return self._adjusted or (self.lower, self.upper, self.pvalues)

    def _shown(self, pvalues: Numbers, alpha: float) -> NDArray[np.bool_]:
        check_margin_alpha(alpha)
        found = np.asarray(pvalues < alpha)
        places = np.flatnonzero(found)
        # The interval of the 5x2cv F test can be empty: then it excludes all effects.
        level = round(1 - 2 * alpha, 12)
        found[places] = ~self._outcomes.without_interval(level, places)
        return found


def equivalences(outcomes: Sequence[Outcome], margin: float) -> EquivalenceFamily:
    """Test comparisons against one margin, each by itself, as :func:`equivalence` does."""
    family, margin = family_of(outcomes), check_margin(margin)
    for place in family.representatives:
        check_scale(family[place], margin)
    lower = family.pvalues_beyond(-margin, "greater")
    return EquivalenceFamily(family, margin, lower, family.pvalues_beyond(margin, "less"))


def equivalence_tests(
    outcomes: Sequence[Outcome],
    margin: float,
    method: Adjustment = "holm",
    *,
    n_family: int | None = None,
) -> EquivalenceFamily:
    """Test a family of comparisons against one margin, with adjusted p-values.

    The TOST p-values are adjusted as one family. The one-sided p-values of both sides, for
    non-inferiority, are another family.

    Parameters
    ----------
    outcomes : sequence of Outcome
        The comparisons.
    margin : float
        The smallest difference that matters, in the unit of the estimate.
    method : str, default="holm"
        A method of :func:`adjust_pvalues`. The logical relations that ``"shaffer"`` and
        ``"bergmann-hommel"`` use hold for equality and not for a margin: for both, Holm's
        method is used.
    n_family : int, optional
        Comparisons in the family, where they are more than these.

    Returns
    -------
    sequence of EquivalenceOutcome
        With `adjusted` p-values.
    """
    found = equivalences(outcomes, margin)
    if adjustment_facts(method).logical:
        method = "holm"
    m = len(found) if n_family is None else n_family
    # Nothing is known of the others, and nothing claimed.
    others = [1.0] * (m - len(found))
    both = adjust_pvalues([*found.pvalues.tolist(), *others], method)
    one_sided = np.column_stack([found.lower, found.upper]).ravel().tolist()
    sides = adjust_pvalues([*one_sided, *others, *others], method)
    both, sides = both[: len(found)], sides[: 2 * len(found)]
    # Whoever is equivalent is not inferior either.
    lower, upper = np.fmin(sides[::2], both), np.fmin(sides[1::2], both)
    words = f"after {method.title()}'s adjustment for {m} comparisons"
    adjusted = (lower, upper, both)
    return EquivalenceFamily(
        found._outcomes, found.margin, found.lower, found.upper, adjusted, words
    )
