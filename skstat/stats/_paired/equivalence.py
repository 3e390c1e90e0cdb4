"""Equivalence and non-inferiority: is the difference smaller than one that matters?"""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure, restoring
from skstat.stats._literature import SCHUIRMANN_1987
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    check_alpha,
    from_plain,
    to_plain,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceOutcome:
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

    outcome: Outcome
    margin: float
    lower_pvalue: float
    upper_pvalue: float
    adjusted: tuple[float, float, float] | None = None
    adjustment: str | None = None

    @property
    def pvalue(self) -> float:
        """The larger of the two one-sided p-values (TOST); nan when either is."""
        if math.isnan(self.lower_pvalue) or math.isnan(self.upper_pvalue):
            return math.nan
        return max(self.lower_pvalue, self.upper_pvalue)

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
        check_margin_alpha(alpha)
        pvalue = self._pvalues[2]
        # The interval of the 5x2cv F test can be empty: then it excludes all effects.
        return pvalue < alpha and not math.isnan(self.interval(alpha).low)

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
        check_margin_alpha(alpha)
        if of not in ("A", "B"):
            raise ValueError(f"of={of!r} must be 'A' or 'B'.")
        return self._pvalues["AB".index(of)] < alpha and not math.isnan(
            self.interval(alpha).low
        )

    @property
    def _pvalues(self) -> tuple[float, float, float]:
        raw = (self.lower_pvalue, self.upper_pvalue, self.pvalue)
        return raw if self.adjusted is None else self.adjusted

    def to_dict(self) -> dict[str, Any]:
        """Return the stored fields, and the p-value, as plain values."""
        return {
            "type": "EquivalenceOutcome",
            "outcome": self.outcome.to_dict(),
            "margin": self.margin,
            "lower_pvalue": to_plain(self.lower_pvalue),
            "upper_pvalue": to_plain(self.upper_pvalue),
            "pvalue": to_plain(self.pvalue),
            "adjusted": to_plain(self.adjusted),
            "adjustment": self.adjustment,
        }

    @staticmethod
    @restoring
    def from_dict(state: dict[str, Any]) -> "EquivalenceOutcome":
        """Rebuild it from its ``to_dict()``."""
        adjusted = None
        if state["adjusted"] is not None:
            lower, upper, both = map(from_plain, state["adjusted"])
            adjusted = (lower, upper, both)
        return EquivalenceOutcome(
            outcome=Outcome.from_dict(state["outcome"]),
            margin=state["margin"],
            lower_pvalue=from_plain(state["lower_pvalue"]),
            upper_pvalue=from_plain(state["upper_pvalue"]),
            adjusted=adjusted,
            adjustment=state["adjustment"],
        )


@procedure(scale=False, references=(SCHUIRMANN_1987,))
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
    margin = check_margin(margin)
    check_scale(outcome, margin)
    return EquivalenceOutcome(
        outcome=outcome,
        margin=margin,
        lower_pvalue=outcome._pvalue_beyond(-margin, "greater"),
        upper_pvalue=outcome._pvalue_beyond(margin, "less"),
    )


def check_scale(outcome: Outcome, margin: float) -> None:
    """Refuse a margin, which is in the unit of the score, of what compares ranks."""
    if outcome.scale != "score":
        raise ValueError(
            f"margin={margin!r} is in the unit of the score, and {outcome.test} compares "
            f"{outcome.scale}s; use a test of the scores themselves."
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
