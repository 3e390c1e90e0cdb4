"""Equivalence and non-inferiority: whether a difference is smaller than a margin."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skstat.stats._family import Comparison, family_of
from skstat.stats._literature import SCHUIRMANN_1987
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._procedure import procedure
from skstat.stats._scores import check_number
from skstat.stats._stored import Stored, read_plain
from skstat.stats._words import ConfidenceInterval, Turns, check_alpha, number


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceOutcome(Stored, Turns):
    """Two one-sided tests of an effect against a margin on either side of zero.

    Attributes
    ----------
    outcome : Comparison, or sequence of Comparison
        The comparison, whose interval is judged, or many: then all numbers are arrays.
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

    _beside = ("pvalue",)
    _swapped = ("lower_pvalue", "upper_pvalue")

    outcome: Any
    margin: float
    lower_pvalue: Any
    upper_pvalue: Any
    adjusted: tuple[Any, ...] | None = None
    adjustment: str | None = None

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {
            "adjusted": lambda found: found and (found[1], found[0], found[2]),
        }

    @property
    def pvalue(self) -> Any:
        """The larger of the two one-sided p-values (TOST); nan when either is."""
        return number(np.maximum(self.lower_pvalue, self.upper_pvalue))

    @property
    def adjusted_pvalue(self) -> Any:
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
        found: ConfidenceInterval = self.outcome._interval_alone(round(1 - 2 * alpha, 12))
        return found

    def equivalent(self, alpha: float = 0.05) -> Any:
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
        return self._shown(2, alpha)

    def noninferior(self, alpha: float = 0.05, *, of: str = "A", among: Any = True) -> Any:
        """Whether it was shown that a system is not worse by the margin or more.

        Parameters
        ----------
        alpha : float, default=0.05
            Level, below 0.5.
        of : {"A", "B"}, default="A"
            Which of the two systems is not worse than the other one.
        among : ndarray of bool, optional
            Of many comparisons, those that are asked.

        Returns
        -------
        bool
            By the adjusted p-value, if there is one.
        """
        if of not in ("A", "B"):
            raise ValueError(f"of={of!r} must be 'A' or 'B'.")
        return self._shown("AB".index(of), alpha, among)

    @property
    def judged_pvalues(self) -> tuple[Any, ...]:
        """p-values that A is not worse, that B is not, and of both, adjusted if they are."""
        return self.adjusted or (self.lower_pvalue, self.upper_pvalue, self.pvalue)

    def _shown(self, which: int, alpha: float, among: Any = True) -> Any:
        check_margin_alpha(alpha)
        found = np.logical_and(self.judged_pvalues[which] < alpha, among)
        if found.any():
            # The interval of the 5x2cv F test can be empty: then it excludes all effects.
            found = found & ~self.outcome.without_interval(round(1 - 2 * alpha, 12))
        return found if found.ndim else bool(found)

    def __iter__(self) -> Iterator["EquivalenceOutcome"]:
        return map(self.__getitem__, range(len(self.outcome)))

    def __getitem__(self, place: int) -> "EquivalenceOutcome":
        """Return the test of one of many comparisons."""
        every = (self.lower_pvalue, self.upper_pvalue, *(self.adjusted or ()))
        lower, upper, *adjusted = (float(each[place]) for each in every)
        one, both = self.outcome[place], tuple(adjusted) or None
        return replace(self, outcome=one, lower_pvalue=lower, upper_pvalue=upper, adjusted=both)

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        numbers = {"adjusted": tuple[float, ...] | None, "lower_pvalue": float}
        numbers["upper_pvalue"] = float
        return state | {n: read_plain(state[n], hint) for n, hint in numbers.items()}


@procedure(when="of an outcome that you have", references=(SCHUIRMANN_1987,))
def equivalence(outcome: Comparison, margin: float) -> EquivalenceOutcome:
    """Test whether a difference is smaller than a margin, by two one-sided tests.

    The outcome of a comparison may exclude an effect of -margin or less, and one of +margin
    or more. A and B are equivalent when it excludes both (TOST) [1]_, and A is not inferior
    to B when it excludes the first. This is the same as a 1 - 2 alpha interval inside the
    margin. It uses the standard error of the comparison: for splits of one data set the
    corrected one. For procedures without a standard error their own interval is used.

    Parameters
    ----------
    outcome : Comparison
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
    A comparison of a family is judged by itself, not by the joint distribution.

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


def equivalences(outcomes: Sequence[Comparison], margin: float) -> EquivalenceOutcome:
    """Test comparisons against one margin, each by itself."""
    family, margin = family_of(outcomes), check_margin(margin)
    for place in family.representatives:
        outcome = family[place]
        if outcome.scale != "score":
            raise ValueError(
                f"margin={margin!r} is in the unit of the score, and {outcome.test} compares "
                f"{outcome.scale}s; use a test of the scores themselves."
            )
    return EquivalenceOutcome(
        outcome=family,
        margin=margin,
        lower_pvalue=family.pvalues_beyond(-margin, "greater"),
        upper_pvalue=family.pvalues_beyond(margin, "less"),
    )


def equivalence_tests(
    outcomes: Sequence[Comparison],
    margin: float,
    method: Adjustment = "holm",
    *,
    n_family: int | None = None,
) -> EquivalenceOutcome:
    """Test a family of comparisons against one margin, with adjusted p-values.

    The TOST p-values are adjusted as one family. The one-sided p-values of both sides, for
    non-inferiority, are another family.

    Parameters
    ----------
    outcomes : sequence of Comparison
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
    EquivalenceOutcome
        Of arrays, with `adjusted` p-values.
    """
    found = equivalences(outcomes, margin)
    if adjustment_facts(method).logical:
        method = "holm"
    n = len(outcomes)
    m = n if n_family is None else n_family
    # Nothing is known of the others, and nothing claimed.
    others = [1.0] * (m - n)
    both = adjust_pvalues([*found.pvalue.tolist(), *others], method)[:n]
    one_sided = np.column_stack([found.lower_pvalue, found.upper_pvalue]).ravel().tolist()
    sides = adjust_pvalues([*one_sided, *others, *others], method)[: 2 * n]
    # Whoever is equivalent is not inferior either.
    lower, upper = np.fmin(sides[::2], both), np.fmin(sides[1::2], both)
    words = f"after {method.title()}'s adjustment for {m} comparisons"
    return replace(found, adjusted=(lower, upper, both), adjustment=words)


def check_margin(margin: Any, name: str = "margin") -> float:
    """Return a margin as a float; refuse anything but a positive, finite number."""
    matters = "the smallest difference that matters, in the unit of the score"
    return check_number(name, margin, above=0, what=f"a positive, finite number: {matters}")


def check_margin_alpha(alpha: float) -> None:
    """Refuse a level of two one-sided tests that is not below one half."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 for a margin.")
