"""The sign test and Wilcoxon's signed-rank test, exact with ties and zeros."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._chance import binom_cdf, binom_tails
from skstat.stats._family import Comparison, Law, by_rows, compared, pvalue_of_tails
from skstat.stats._ordering import signed_ranks
from skstat.stats._posterior import Posterior
from skstat.stats._posteriors import sign_posterior, signed_rank_posterior
from skstat.stats._procedure import Quantity, check_choice, procedure, works
from skstat.stats._score_table import ScorePairs
from skstat.stats._scores import PairedScores, warn_if_dependent
from skstat.stats._stored import Number, Numbers
from skstat.stats._words import NOISE, estimand, limit, number, smallest_of_signs, unit_word

# The exact distribution costs about n^3 / 2 additions; at this size it differs
# from the normal one in the fourth digit only.
EXACT_UP_TO = 200

# Up to this number of differences, listing all averages is faster than a search.
LIST_UP_TO = 128

_RANK_SUMS = ("estimate", "rank_sum", "total", "below", "above", "n_untied", "exact")


_MEDIAN = Quantity(
    name="median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="no",
    claim="on more {unit}s than the reverse",
)

_PSEUDO_MEDIAN = Quantity(
    name="pseudo-median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="weakly",
    claim="by the signed ranks of single {unit}s",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderLaw(Law, ABC):
    """Law of a statistic of signed ranks, or of signs, whose ranks are all 1.

    Its limits are order statistics, the same number from either end; their coverage is at
    least the level.

    Attributes
    ----------
    rank_sum, total : float or ndarray
        Sum of the ranks of the units that A scored higher on, and of all.
    below, above : float or ndarray
        Chances of a sum that is at most, and of one that is at least, as large.
    n_untied : int or ndarray
        Units that are not tied.
    exact : bool or ndarray
        Whether the chances are those of all patterns of signs.
    """

    _signed = (*Law._signed, "differences")
    _swapped = ("below", "above")

    differences: Number
    rank_sum: Number
    total: Number
    below: Number
    above: Number
    n_untied: Number
    exact: Number

    @property
    def statistic(self) -> Any:
        return self.rank_sum

    @property
    def direction(self) -> Any:
        return number(np.sign(2 * self.rank_sum - self.total))

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {"rank_sum": self.total - self.rank_sum}

    def pvalue(self, alternative: str) -> Any:
        return pvalue_of_tails(self.below, self.above, alternative)

    def smallest_pvalue(self, alternative: str) -> Any:
        floor = smallest_of_signs(alternative, self.n_untied)
        return number(np.where(self.exact, floor, 0.0))

    def critical_value(self, alternative: str, alpha: float) -> float:
        # The law is symmetric: the upper critical value mirrors the lower one.
        low = self._rejected(alpha / 2 if alternative == "two-sided" else alpha)
        if alternative == "less":
            return limit(low, "less")
        return limit(self.total - low, "greater")

    @property
    def _as_scores(self) -> PairedScores:
        """Scores of independent units with these differences, for their posterior."""
        return PairedScores(self.differences, np.zeros(len(self.differences)), unit="dataset")

    @abstractmethod
    def _rejected(self, tail: float) -> Numbers:
        """Return the sums whose lower tail is at most `tail`."""

    @abstractmethod
    def _cuts(self, tails: Any, n: int) -> Any:
        """Return indices of the lower limits among sorted values of n units; -1 if none."""

    @abstractmethod
    def _ends(self, differences: Numbers, cut: int) -> tuple[float, float]:
        """Return the sorted values at an index from either end."""

    @abstractmethod
    def _chances(self, differences: Numbers, noise: Numbers) -> Numbers:
        """Return lower tail probabilities of the statistic of each row of differences."""

    def limits(self, tail: Any) -> tuple[Any, Any]:
        def ends(differences: Numbers, tails: Numbers) -> tuple[Numbers, Numbers]:
            cuts = self._cuts(tails, differences.shape[1]).tolist()
            unbounded, cut_rows = (-math.inf, math.inf), zip(differences, cuts, strict=True)
            pairs = [unbounded if cut < 0 else self._ends(row, cut) for row, cut in cut_rows]
            low, high = np.transpose(pairs)
            return low, high

        low, high = by_rows(self.differences, ends, tail)
        return low, high

    def tails(self, bound: float) -> tuple[Any, Any]:
        def chances(differences: Numbers, _: Numbers) -> tuple[Numbers, ...]:
            noise = NOISE * np.maximum(abs(bound), np.abs(differences).max(axis=1))[:, None]
            return tuple(self._chances(side * (differences - bound), noise) for side in (-1, 1))

        below, above = by_rows(self.differences, chances)
        return below, above


@dataclass(frozen=True, kw_only=True, eq=False)
class Signs(OrderLaw):
    """Law of the sign test, whose statistic is the number of wins of A.

    The limits for the median difference are order statistics of the differences.
    """

    statistic_name = "wins of A"
    quantity = _MEDIAN

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        return sign_posterior(self._as_scores, rope)

    def _rejected(self, tail: float) -> Numbers:
        return np.arange(self._cuts(tail, int(self.n_untied)) + 1)

    def _cuts(self, tails: Any, n: int) -> Any:
        chances = binom_cdf(np.arange(n + 1), n)
        return np.searchsorted(chances, np.multiply(tails, 1 + 1e-12), side="right") - 1

    def _ends(self, differences: Numbers, cut: int) -> tuple[float, float]:
        last = len(differences) - 1 - cut
        low, high = np.partition(differences, [cut, last])[[cut, last]]
        return low, high

    def _chances(self, differences: Numbers, noise: Numbers) -> Numbers:
        return binom_cdf(np.sum(differences <= noise, axis=1), differences.shape[1])


@procedure(
    when="scores on no common scale",
    independent_units=True,
    references=(works.CONOVER_1999,),
)
def sign(sample: PairedScores | ScorePairs, *, alternative: str = "two-sided") -> Comparison:
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
    Comparison
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
    warn_if_dependent(sample, "sign")
    relations = {"two-sided": "as often as", "greater": "no more often than"}
    relation = relations.get(alternative, "no less often than")

    def compute(rows: Numbers, _: Numbers) -> tuple[Any, ...]:
        wins, untied = (rows > 0).sum(axis=1), (rows != 0).sum(axis=1)
        median, exact = np.median(rows, axis=1), np.full(len(rows), True)
        return median, wins, untied, *binom_tails(wins, untied), untied, exact

    fields = dict(zip(_RANK_SUMS, sample.each(compute), strict=True))
    return compared(
        sample,
        alternative,
        Signs(differences=sample.differences, **fields),
        test="sign test",
        estimand=estimand(sample, "median"),
        null_hypothesis=f"A scores higher {relation} B does",
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other",),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRanks(OrderLaw):
    """Law of Wilcoxon's R+, the sum of the ranks of the differences above 0.

    The limits for the pseudo-median are ordered Walsh averages (Tukey). Critical values are
    for these ranks with their ties.
    """

    statistic_name = "R+"
    quantity = _PSEUDO_MEDIAN

    zeros: Number

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        return signed_rank_posterior(self._as_scores, rope, n_draws=n_draws, rng=rng)

    def _rejected(self, tail: float) -> Numbers:
        differences = np.asarray(self.differences, dtype=float)
        noise = np.full_like(differences, NOISE * np.abs(differences).max())
        ranks = np.abs(signed_ranks(differences, noise))
        ranks = ranks[ranks > 0] + self.zeros
        offset = (self.total - float(ranks.sum())) / 2  # half of the ranks of zeros
        if not self.exact:
            mean, sd = float(ranks.sum()) / 2, math.sqrt(float(np.sum(ranks**2)) / 4)
            return np.array([mean + float(special.ndtri(tail)) * sd + offset])
        law, scale = rank_sum_law(ranks)
        sums = np.flatnonzero(law)
        return sums[np.cumsum(law)[sums] <= tail * (1 + 1e-12)] / scale + offset

    def _cuts(self, tails: Any, n: int) -> Any:
        if n > EXACT_UP_TO:
            mean, sd = untied_moments(n)
            return np.maximum(np.floor(mean + special.ndtri(tails) * sd - 0.5), -1).astype(int)
        below = np.cumsum(untied_law(n))
        return np.searchsorted(below, np.multiply(tails, 1 + 1e-12), side="right") - 1

    def _ends(self, differences: Numbers, cut: int) -> tuple[float, float]:
        n = len(differences)
        low, high = walsh_averages(differences, [cut, n * (n + 1) // 2 - 1 - cut])
        return low, high

    def _chances(self, differences: Numbers, noise: Numbers) -> Numbers:
        n = differences.shape[1]
        rank_sums = [
            int(np.maximum(row.searchsorted(bound - row, "right") - np.arange(n), 0).sum())
            for row, bound in zip(np.sort(differences, axis=1), 2 * noise, strict=True)
        ]
        if n > EXACT_UP_TO:
            mean, sd = untied_moments(n)
            return np.asarray(special.ndtr((np.array(rank_sums) + 0.5 - mean) / sd))
        return np.minimum(1.0, [float(untied_law(n)[: row + 1].sum()) for row in rank_sums])


def untied_law(n: int) -> Numbers:
    """Return the law of R+ of n untied units: the chances of 0, 1, ..., n (n + 1) / 2."""
    return rank_sum_law(np.arange(1, n + 1))[0]


def untied_moments(n: int) -> tuple[float, float]:
    """Return mean and standard deviation of R+ of n untied units."""
    return n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)


def rank_sum_law(ranks: NDArray[Any]) -> tuple[Numbers, int]:
    """Return the law of R+ on a grid of whole numbers or halves, and the grid points per 1."""
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64))  # mid-ranks are halves
    scale = 1 + int(np.any(doubled % 2))
    return _subset_sum_law(tuple((scale * doubled // 2).tolist())), scale


# A comparison needs the law of one number of units many times.
@lru_cache(maxsize=32)
def _subset_sum_law(weights: tuple[int, ...]) -> Numbers:
    """Return the law of the sum of a random subset of `weights`, each in it with chance 1/2."""
    law, reach = np.zeros(sum(weights) + 1), 0
    law[0] = 1.0
    for weight in weights:
        shifted = law[: reach + 1] / 2
        law[: reach + 1] = shifted
        reach += weight
        law[weight : reach + 1] += shifted
    law.setflags(write=False)
    return law


def walsh_averages(differences: Numbers, ranks: list[int]) -> list[float]:
    """Return order statistics, counted from 0, of the Walsh averages of differences.

    Memory stays proportional to the number of differences: for n = 100 000 the list of all
    averages would take 40 GB.
    """
    if len(differences) <= LIST_UP_TO:
        sums = (differences[:, None] + differences)[np.tri(len(differences), dtype=bool)]
        return [float(total) / 2 for total in np.partition(sums, ranks)[ranks]]
    values, times = np.unique(differences, return_counts=True)
    adjacent = ranks[-1] - ranks[0] <= 1
    parts = [ranks] if adjacent else [[rank] for rank in ranks]
    return [total / 2 for part in parts for total in _sums_at(values, times, part)]


def _sums_at(values: Numbers, times: NDArray[np.int64], ranks: list[int]) -> list[float]:
    """Return the sums of two values, or of one and itself, at adjacent ranks.

    The first limits that enclose them come from a sample of the values. They are bisected until
    they enclose few sums, which are then listed. Distinct values have the same sum at most
    about n times, so that few lie between two limits even where most averages are tied.

    Parameters
    ----------
    values, times : ndarray of shape (n_values,)
        Different values in rising order, and how often each occurs.
    ranks : list of int
        From 0, the smallest first.
    """
    i, before = np.arange(len(values)), np.concatenate([[0], np.cumsum(times)])
    same_values, all_before = times * (times - 1) // 2, int(times @ before[:-1])

    def count(stop: NDArray[np.int64]) -> int:
        """Count the sums of two numbers i <= j < stop[i]."""
        return int(times @ before[stop]) - all_before - int(same_values @ (stop > i))

    low, high = 2 * float(values[0]), 2 * float(values[-1])
    first, last, guesses = i, np.full(len(values), len(values)), list[float]()
    if len(values) > LIST_UP_TO:
        step = round(len(values) ** (1 / 3))
        sample = values[(len(values) - 1) % step // 2 :: step]  # as far from both ends
        top, margin = len(sample) * (len(sample) + 1) // 2 - 1, 2 * math.sqrt(len(sample))
        centre = ranks[0] / count(last) * top
        near = np.clip([centre - margin, centre + margin], 0, top).astype(int).tolist()
        guesses = [2 * total for total in walsh_averages(sample, near)]
    while (last - first).sum() > 2 * len(values):
        if guesses:
            middle = min(max(guesses.pop(), low), high)
        elif not low < (middle := low / 2 + high / 2) < high:
            return [high] * len(ranks)
        stop = np.maximum(values.searchsorted(middle - values, "right"), i)
        if (n_below := count(stop)) > ranks[-1]:
            high, last = middle, stop
        elif n_below <= ranks[0]:
            low, first = middle, stop
        else:
            return [total for rank in ranks for total in _sums_at(values, times, [rank])]
    counts = last - first
    one = np.repeat(i, counts)
    other = np.arange(len(one)) + np.repeat(last - np.cumsum(counts), counts)
    pairs = times[one] * np.where(one == other, (times[one] + 1) / 2, times[other])
    sums = values[one] + values[other]
    order = np.argsort(sums)
    at = np.searchsorted(np.cumsum(pairs[order]), np.array(ranks) - count(first), "right")
    return [float(total) for total in sums[order[at]]]


def hodges_lehmann(differences: Numbers) -> float:
    """Return the median of the Walsh averages."""
    last = len(differences) * (len(differences) + 1) // 2 - 1
    low, high = walsh_averages(differences, [last // 2, (last + 1) // 2])
    return (low + high) / 2


@procedure(
    title="Wilcoxon's signed-rank test",
    when="outliers",
    because="this test ranks the sizes of differences, so that no single one decides",
    independent_units=True,
    references=(works.WILCOXON_1945, works.PRATT_1959),
)
def wilcoxon(
    sample: PairedScores | ScorePairs,
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "pratt",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    alternative: str = "two-sided",
) -> Comparison:
    """Wilcoxon signed-rank test (Wilcoxon, 1945), exact with ties and zeros.

    The statistic [2]_ is R+, the sum of the mid-ranks of abs(d) over the units with
    d > 0. Its exact null distribution, every sign pattern equally likely, is
    computed from the ranks as they are, ties included. Differences are rounded to
    the resolution of the scores before ranking.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    zero_method : {"pratt", "wilcox", "zsplit"}, default="pratt"
        ``"wilcox"`` drops zeros; ``"pratt"`` ranks them, then drops their ranks
        [1]_; ``"zsplit"`` gives half of their ranks to each side (the same exact
        p-value as ``"pratt"``, another statistic).
    method : {"auto", "exact", "asymptotic"}, default="auto"
        ``"auto"`` is exact up to 200 units, then normal with the tie-corrected
        variance.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the pseudo-median (Hodges-Lehmann).

    Raises
    ------
    ValueError
        If an option is unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    Notes
    -----
    The null hypothesis is symmetry of the differences about 0, not a zero mean.

    References
    ----------
    .. [1] Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed
       rank procedures. Journal of the American Statistical Association, 54, 655-667.
       :doi:`10.1080/01621459.1959.10501526`
    .. [2] Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics
       Bulletin, 1(6), 80-83. :doi:`10.2307/3001968`

    Examples
    --------
    >>> from skstat.stats import PairedScores, wilcoxon
    >>> a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> sample = PairedScores(a, b, unit="instance")
    >>> outcome = wilcoxon(sample, alternative="greater")
    >>> outcome.statistic, round(outcome.pvalue, 5)
    (40.0, 0.01953)
    """
    check_choice("zero_method", zero_method, ("pratt", "wilcox", "zsplit"))
    check_choice("method", method, ("auto", "exact", "asymptotic"))
    warn_if_dependent(sample, "wilcoxon")

    def compute(rows: Numbers, noise: Numbers) -> tuple[Any, ...]:
        middles = np.array([*map(hodges_lehmann, rows)])
        return middles, *_rank_sums(signed_ranks(rows, noise), zero_method, method)

    *fields_, zeros = sample.each(compute)
    fields: dict[str, Any] = dict(zip(_RANK_SUMS, fields_, strict=True))
    how = np.where(fields["exact"], "exact", "normal approximation")
    tests: Any = np.char.add(np.char.add("Wilcoxon signed-rank test (", how), ")")
    return compared(
        sample,
        alternative,
        SignedRanks(differences=sample.differences, zeros=zeros, **fields),
        test=tests if len(np.unique(tests)) > 1 else str(tests.flat[0]),
        estimand=estimand(sample, "pseudo-median"),
        null_hypothesis="the differences score(A) - score(B) are symmetric about 0",
        assumptions=(
            f"the {unit_word(sample.unit)}s are independent of each other",
            "the differences are symmetric about their centre",
        ),
        references=(works.WILCOXON_1945, *[works.PRATT_1959] * (zero_method == "pratt")),
    )


def _rank_sums(signed: Numbers, zero_method: str, method: str) -> tuple[Any, ...]:
    """Return rank sums of rows of signed ranks, 0 for equal scores, and their tails."""
    untied = signed != 0
    n_untied = untied.sum(axis=1)
    # Zeros are ranked, and their ranks dropped (Pratt): the other ranks are above them.
    zeros = (zero_method != "wilcox") * (signed.shape[1] - n_untied)
    ranks = np.where(untied, np.abs(signed) + zeros[:, None], 0.0)
    rank_sum, total = ranks.sum(axis=1, where=signed > 0), ranks.sum(axis=1)
    sd = np.sqrt(np.sum(ranks**2, axis=1) / 4)
    z = (rank_sum - total / 2) / np.where(sd > 0, sd, 1.0)
    below, above = (np.where(sd > 0, special.ndtr(side * z), 1.0) for side in (1, -1))
    exact = n_untied <= EXACT_UP_TO
    if method != "auto":
        exact = np.full(len(signed), method == "exact")
    for row in np.flatnonzero(exact).tolist():
        law, scale = rank_sum_law(ranks[row, untied[row]])
        # The law is symmetric; both tails are summed from below so that swapping A and
        # B gives the same numbers to the last bit.
        cuts = [int(np.rint(scale * cut_)) for cut_ in (rank_sum[row], (total - rank_sum)[row])]
        below[row], above[row] = (min(1.0, float(law[: cut_ + 1].sum())) for cut_ in cuts)
    half_of_zeros = zeros * (zeros + 1) / 4 * (zero_method == "zsplit")  # of the ranks of zeros
    sums = rank_sum + half_of_zeros, total + 2 * half_of_zeros
    return *sums, below, above, n_untied, exact, zeros
