"""The sign test."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Quantity, answers_by, procedure, tails
from skstat.stats._literature import CONOVER_1999
from skstat.stats._outcomes import (
    NOISE,
    ArrayFamily,
    ConfidenceInterval,
    Outcome,
    Posterior,
    above_zero,
    check_alpha,
    check_level,
    effect_sizes,
    estimand,
    limit,
    one_sided,
    sides_of_order,
    smallest_of_signs,
    unit_word,
)
from skstat.stats._paired.sign_posterior import of_signs
from skstat.stats._samples import PairedScores, check_alternative, warn_if_dependent

Numbers = NDArray[np.float64]

_MEDIAN = Quantity(
    name="median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="no",
    claim="on more {unit}s than the reverse",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignOutcome(Outcome):
    """Outcome of the sign test: how often A and B scored higher.

    The statistic is the number of wins of A. The interval for the median difference is made of
    order statistics; its coverage is at least the level.
    """

    _signed = (*Outcome._signed, "differences")
    _swapped = ("wins", "losses")

    wins: int
    losses: int
    differences: Any
    statistic_name: str = "wins of A"

    @property
    def statistic(self) -> float:
        return self.wins

    @property
    def pvalue(self) -> float:
        return sign_pvalue(self.wins, self.wins + self.losses, self.alternative)

    @property
    def quantity(self) -> Quantity:
        return _MEDIAN

    @property
    def direction(self) -> int:
        return int(np.sign(self.wins - self.losses))

    @property
    def smallest_pvalue(self) -> float:
        return smallest_of_signs(self.alternative, self.wins + self.losses)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        ordered = np.sort(np.asarray(self.differences, dtype=float))
        n = len(ordered)
        cut = int(_cut_off(confidence_level, n, self.alternative))
        if cut < 0:
            return one_sided(self.alternative, -math.inf, math.inf)
        return one_sided(self.alternative, ordered[cut], ordered[n - 1 - cut])

    def _pvalue_beyond(self, bound: float, alternative: str) -> float:
        differences = np.asarray(self.differences, dtype=float)
        side = 1 if alternative == "greater" else -1
        noise = NOISE * max(abs(bound), float(np.abs(differences).max()))
        not_beyond = int(np.sum(side * (differences - bound) <= noise))
        return above_zero(tails.binomial_cdf(not_beyond, len(differences), 0.5))

    def _posterior(
        self, rope: float, *, n_draws: int | None = None, rng: Any = None
    ) -> Posterior | None:
        return of_signs(np.asarray(self.differences, dtype=float), rope)

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        untied = self.wins + self.losses
        side = "less" if self.alternative == "less" else "greater"
        wins = np.arange(untied + 1)
        tail = tails.binomial_cdf(wins if side == "less" else untied - wins, untied, 0.5)
        rejecting = wins[tail * (2 if self.alternative == "two-sided" else 1) <= alpha]
        return limit(rejecting, side)


class SignFamily(ArrayFamily):
    """Outcomes of the sign test of pairs of a table, by the wins of all of them."""

    def _numbers_at(self, place: int) -> dict[str, Any]:
        differences = self.table.pair(*self._pairs[place]).differences
        return {
            "estimate": float(np.median(differences)),
            "wins": int(self.differences.n_won[place]),
            "losses": int(self.differences.n_lost[place]),
            "differences": differences,
        }

    @property
    def statistics(self) -> Numbers:
        return self.differences.n_won

    @property
    def directions(self) -> Numbers:
        return np.asarray(np.sign(self.differences.n_won - self.differences.n_lost))

    @cached_property
    def pvalues(self) -> Numbers:
        # Wins and units without a tie decide, which many pairs share.
        counts = np.column_stack([self.differences.n_won, self._n_untied])
        kinds, of_pair = np.unique(counts.astype(np.int64), axis=0, return_inverse=True)
        found = [sign_pvalue(wins, n, self._alternative) for wins, n in kinds.tolist()]
        return np.array(found)[of_pair.ravel()]

    @property
    def smallest_pvalues(self) -> Numbers:
        return np.asarray(smallest_of_signs(self._alternative, self._n_untied))

    def beside_zero(self, levels: Numbers) -> Numbers:
        found = self.differences
        cut = _cut_off(levels, found.n_units, self._alternative)
        counts = found.n_units, found.n_won, found.n_lost
        return sides_of_order(*counts, cut, self._alternative)

    @property
    def _n_untied(self) -> Numbers:
        return np.asarray(self.differences.n_units - self.differences.n_equal)


def _cut_off(confidence_level: Any, n: int, alternative: str) -> Any:
    """Largest number of order statistics that an interval leaves out at one end, or -1."""
    alpha = 1 - confidence_level
    tail = alpha / 2 if alternative == "two-sided" else alpha
    cut = tails.binomial_ppf(tail, n, 0.5)
    return np.where(tails.binomial_cdf(cut, n, 0.5) > tail, cut - 1, cut)


def sign_pvalue(wins: int, untied: int, alternative: str) -> float:
    """Exact binomial p-value; swapping A and B changes no bit of it."""
    if untied == 0:
        return 1.0
    if alternative == "less":
        wins, alternative = untied - wins, "greater"
    return above_zero(tails.binomial_pvalue(wins, untied, alternative))


@answers_by(SignFamily)
@procedure(
    when="scores on no common scale",
    independent_units=True,
    references=(CONOVER_1999,),
    read_as=("sign_posterior", "bayesian_sign"),
)
def sign(sample: PairedScores, *, alternative: str = "two-sided") -> SignOutcome:
    """Exact sign test on the untied units.

    The number of units on which A scores higher is Binomial(untied, 1/2) under the
    null hypothesis (Arbuthnott, 1710; [1]_, section 3.4).

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher more often.

    Returns
    -------
    SignOutcome
        The test's numbers; the estimate is the median difference.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    References
    ----------
    .. [1] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed. Wiley.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, sign
    >>> heads = np.array([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    >>> outcome = sign(PairedScores(heads, 1 - heads, unit="instance"))
    >>> outcome.statistic, round(outcome.pvalue, 4)
    (2, 0.1094)
    """
    check_alternative(alternative)
    warn_if_dependent(sample, "sign")
    differences = sample.differences
    relation = {
        "two-sided": "as often as",
        "greater": "no more often than",
        "less": "no less often than",
    }[alternative]
    return SignOutcome(
        test="sign test",
        estimand=estimand(sample, "median"),
        null_hypothesis=f"A scores higher {relation} B does",
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other",),
        effect_sizes=effect_sizes(sample),
        estimate=float(np.median(differences)),
        wins=int(np.sum(differences > 0)),
        losses=int(np.sum(differences < 0)),
        differences=differences,
    )
