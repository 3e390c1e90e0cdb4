"""Equivalence and non-inferiority: is the difference smaller than one that matters?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import LazySequence, Readers, Stored, from_plain, procedure
from skstat.stats._literature import SCHUIRMANN_1987
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    OutcomeFamily,
    Turns,
    check_alpha,
    family_of,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceOutcome(Stored, Turns):
    """Two one-sided tests of an effect against a margin on either side of zero.

    Attributes
    ----------
    outcome : Outcome
        The comparison, whose interval is judged.
    margin : float
        The smallest difference that matters, in the unit of the score.
    lower_pvalue : float
        p-value of the hypothesis that the effect is -margin or less: small where A is not
        worse than B by the margin.
    upper_pvalue : float
        p-value of the hypothesis that the effect is the margin or more: small where B is
        not worse than A by the margin.
    adjusted : tuple of float or None
        `lower_pvalue`, `upper_pvalue` and `pvalue` adjusted for a family of comparisons.
    adjustment : str or None
        How they were adjusted.
    """

    _written = (
        *("type", "outcome", "margin", "lower_pvalue", "upper_pvalue"),
        *("pvalue", "adjusted", "adjustment"),
    )
    _by_name = True
    _readers: ClassVar[Readers] = {"lower_pvalue": from_plain, "upper_pvalue": from_plain}

    _swapped = ("lower_pvalue", "upper_pvalue")

    outcome: Outcome
    margin: float
    lower_pvalue: float
    upper_pvalue: float
    adjusted: tuple[float, float, float] | None = None
    adjustment: str | None = None

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {
            "adjusted": lambda found: found and (found[1], found[0], found[2]),
        }

    @property
    def pvalue(self) -> float:
        """The larger of the two one-sided p-values (TOST); nan when either is."""
        return float(self._alone.pvalues[0])

    @property
    def adjusted_pvalue(self) -> float | None:
        """`pvalue` adjusted for a family of comparisons, if it belongs to one."""
        return None if self.adjusted is None else self.adjusted[2]

    def interval(self, alpha: float = 0.05) -> ConfidenceInterval:
        """Two-sided interval with coverage 1 - 2 alpha: inside the margin, equivalent.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of each of the two tests, below 0.5; 0.05 belongs to the 90 % interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)`` of this comparison alone, whatever family it belongs to.
        """
        check_margin_alpha(alpha)
        return self.outcome._interval_alone(round(1 - 2 * alpha, 12))

    def equivalent(self, alpha: float = 0.05) -> bool:
        """Whether a difference of the margin or more is excluded in both directions.

        Parameters
        ----------
        alpha : float, default=0.05
            Level, below 0.5.

        Returns
        -------
        bool
            By the adjusted p-value, if there is one.
        """
        return bool(self._alone.equivalent(alpha)[0])

    def noninferior(self, alpha: float = 0.05, *, of: str = "A") -> bool:
        """Whether it was shown that a system is not worse by the margin or more.

        Parameters
        ----------
        alpha : float, default=0.05
            Level, below 0.5.
        of : {"A", "B"}, default="A"
            Which of the two systems is not worse than the other one.

        Returns
        -------
        bool
            By the adjusted p-value, if there is one.
        """
        if of not in ("A", "B"):
            raise ValueError(f"of={of!r} must be 'A' or 'B'.")
        return bool(self._alone.not_worse(alpha)["AB".index(of)][0])

    @property
    def _pvalues(self) -> tuple[float, float, float]:
        return self.adjusted or (self.lower_pvalue, self.upper_pvalue, self.pvalue)

    @property
    def _alone(self) -> "EquivalenceFamily":
        """The comparison as a family of one."""
        lower, upper = np.array([[self.lower_pvalue], [self.upper_pvalue]])
        adjusted: Any = self.adjusted and tuple(np.array([each]) for each in self.adjusted)
        return EquivalenceFamily(
            family_of((self.outcome,)), self.margin, lower, upper, adjusted
        )

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        if (adjusted := state["adjusted"]) is not None:
            lower, upper, both = map(from_plain, adjusted)
            adjusted = (lower, upper, both)
        return state | {"adjusted": adjusted}


class EquivalenceFamily(LazySequence[EquivalenceOutcome]):
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

    def _built(self, place: int) -> EquivalenceOutcome:
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


@procedure(when="of an outcome that you have", references=(SCHUIRMANN_1987,))
def equivalence(outcome: Outcome, margin: float) -> EquivalenceOutcome:
    """Test whether a difference is smaller than a margin, by two one-sided tests.

    The outcome of a comparison may exclude an effect of -margin or less, and one of +margin
    or more. A and B are equivalent when it excludes both (TOST) [1]_, and A is not inferior
    to B when it excludes the first. This is the same as a 1 - 2 alpha interval inside the
    margin. It uses the standard error of the comparison: for splits of one data set the
    corrected one. For procedures without a standard error their own interval is used.

    Parameters
    ----------
    outcome : Outcome
        Any comparison of two systems in the unit of their score, two-sided or one-sided.
    margin : float
        The smallest difference that matters, in the unit of the score. It is a matter of
        what the systems are for, to be fixed before the scores are seen.

    Returns
    -------
    EquivalenceOutcome
        The p-values of both sides, the larger of them, and the 1 - 2 alpha interval. They are
        nan where the differences show no variance to test a margin against, as those of
        identical systems in a t test or a bootstrap.

    Raises
    ------
    ValueError
        If `margin` is not positive and finite, or the outcome compares mean ranks.

    Notes
    -----
    A test that finds no difference does not show that there is none: the sample may be small.
    A `SimultaneousOutcome` is judged by the comparison alone, not by the joint distribution.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and
       the power approach for assessing the equivalence of average bioavailability. Journal
       of Pharmacokinetics and Biopharmaceutics, 15(6), 657-680. :doi:`10.1007/BF01068419`

    Examples
    --------
    >>> from skstat.stats import PairedScores, corrected_t, equivalence
    >>> a = [0.812, 0.805, 0.821, 0.809, 0.815, 0.818, 0.803, 0.811]
    >>> b = [0.810, 0.808, 0.819, 0.811, 0.812, 0.817, 0.806, 0.809]
    >>> outcome = corrected_t(PairedScores(a, b, n_train=200, n_test=100))
    >>> found = equivalence(outcome, margin=0.01)
    >>> found.equivalent(alpha=0.05), round(found.pvalue, 4)
    (True, 0.0008)
    >>> [round(limit, 4) for limit in found.interval(alpha=0.05)]
    [-0.0035, 0.004]
    """
    return equivalences((outcome,), margin)[0]


def equivalences(outcomes: Sequence[Outcome], margin: float) -> EquivalenceFamily:
    """Test comparisons against one margin, each by itself."""
    family, margin = family_of(outcomes), check_margin(margin)
    for place in family.representatives:
        outcome = family[place]
        if outcome.scale != "score":
            raise ValueError(
                f"margin={margin!r} is in the unit of the score, and {outcome.test} compares "
                f"{outcome.scale}s; use a test of the scores themselves."
            )
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


def check_margin(margin: Any, name: str = "margin") -> float:
    """Return a margin as a float; refuse anything but a positive, finite number."""
    number = isinstance(margin, Real) and not isinstance(margin, bool | np.bool_)
    value = float(margin) if number else math.nan
    if not (math.isfinite(value) and value > 0):
        raise ValueError(
            f"{name}={margin!r} must be a positive, finite number: the smallest difference "
            "that matters, in the unit of the score."
        )
    return value


def check_margin_alpha(alpha: float) -> None:
    """Refuse a level of two one-sided tests that is not below one half."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 for a margin.")
