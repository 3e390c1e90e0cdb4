"""Plans of tests whose power is counted or simulated: counts, ranks, and several systems.

The power of tests of counts rises in saw teeth, because counts are whole numbers. The sizes
from which it stays above a value are proved, not searched within a window that was guessed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._chance import in_parts, laws
from skstat.stats._mcnemar import TESTS
from skstat.stats._plan import MAX_UNITS, Plan, Size, planning, smallest
from skstat.stats._procedure import check_choice, works
from skstat.stats._ranks import untied_law

Method = Literal["midp", "exact", "chi2", "edwards"]
PostHoc = Literal["wilcoxon", "nemenyi"]
Count = Callable[[NDArray, float], float]  # rejections in samples, given the effect to add

_CAUTIOUS = ("exact", "edwards")  # they need about 2 / difference rows more
_QUICKLY_COUNTED = 3000  # rows
_COUNTED = 1_000_000  # rows; above, a formula is right to less than one in ten thousand
_TEETH = 60_000  # up to this count the saw teeth of the power are computed one by one
_REACH = 12  # standard deviations of the number of discordant rows that are summed
_MAX_NUMBERS = 2_000_000  # normal deviates of a simulation
_BLOCK = 1_000_000
_MAX_SEARCH = 2000  # data sets
_MANY_SYSTEMS = 20  # with more, pairs of equal systems are not simulated


def critical_counts(m: NDArray, alpha: float, method: Method) -> NDArray:
    """Return the largest value of the smaller of two counts of `m` that rejects; -1 if none."""
    z = laws().norm.isf(alpha / 2)
    m = np.asarray(m, dtype=float)
    if method in ("chi2", "edwards"):
        critical = np.floor((m - (method == "edwards") - z * np.sqrt(m)) / 2 + 1e-12)
        return np.where(m > 0, np.maximum(critical, -1), -1)
    # Start one above the quantile at half of the level, and step down.
    binom = laws().binom
    best = np.minimum(binom.ppf(alpha / 2, m, 0.5) + 1, np.ceil(m / 2) - 1)
    for _ in range(3):
        middle = binom.pmf(best, m, 0.5) if method == "midp" else 0.0
        best -= (best >= 0) & (2 * binom.cdf(best, m, 0.5) - middle > alpha)
    return best


@dataclass(frozen=True)
class _Counts:
    """Sign test of discordant rows: a share `psi` of all, of which A is right on `share`."""

    psi: float
    share: float
    method: Method
    alpha: float = 0.05
    one_sided: bool = False

    def given(self, m: NDArray) -> NDArray:
        """Return the power given m discordant rows."""
        cdf = laws().binom.cdf
        critical = critical_counts(m, self.alpha * (2 if self.one_sided else 1), self.method)
        chance: NDArray = cdf(critical, m, 1 - self.share)
        return chance if self.one_sided else chance + cdf(critical, m, self.share)

    def window(self, n: int) -> tuple[int, int]:
        """Return bounds between which the number of discordant rows practically lies."""
        mean, spread = n * self.psi, _REACH * math.sqrt(n * self.psi * (1 - self.psi)) + _REACH
        return max(0, math.floor(mean - spread)), min(n, math.ceil(mean + spread))

    def power(self, n: float, known: NDArray | None = None) -> float:
        """Return the power on n rows: the mean of the power given m, by default :meth:`given`.

        `known` holds the values for m = 0, 1, ..., of which the last is for all larger m.
        """
        low, high = self.window(int(n))
        m = np.arange(low, high + 1)
        values = self.given(m) if known is None else known[np.minimum(m, len(known) - 1)]
        return float(laws().binom.pmf(m, int(n), self.psi) @ values)

    def size(self, power: float) -> Size | None:
        """Return the first size with this power, and the first from which the power stays.

        The power given m discordant rows lies between its smallest value from m on and its
        largest up to m. Both rise with m, so their means rise with n: below the size where the
        larger mean reaches `power` no size has it, and from the one where the smaller does,
        all have. Each size between the two is checked. With more than 60 000 discordant rows
        teeth are less than 0.01 high, and are ignored.
        """
        target = (3 + power) / 4  # somewhat more, so that the mean can reach the power
        # By Hoeffding's inequality (1963, theorem 1) a test of level `alpha` rejects whenever
        # the smaller of m counts is below ``m/2 - sqrt(m log(2/alpha)/2) - 2``, and a count of
        # expected share ``1 - share`` is above that with a probability of at most ``exp(-2 m
        # t^2)``, where ``t = share - 1/2 - sqrt(log(2/alpha)/(2 m)) - 2/m`` rises with m.
        # Chi-squared is compared with a normal law: z < sqrt(2 log(1/alpha)) at alpha / 2.
        margin = math.sqrt(math.log(1 / (1 - target)) / 2)
        spread = math.sqrt(math.log(2 / self.alpha) / 2)
        # sqrt(m) t = sqrt(m) (share - 1/2) - spread - 2 / sqrt(m) is to reach `needed`.
        gap = max(self.share - 0.5, 1e-12)
        root = (margin + spread + math.sqrt((margin + spread) ** 2 + 8 * gap)) / (2 * gap)
        last = math.ceil(root * root) + 1
        if last > _TEETH:
            n = smallest(lambda n: self.power(n) >= power)
            return None if n is None else Size(n, n)
        counts = self.given(np.arange(last + 1))
        lower = np.append(np.minimum(np.minimum.accumulate(counts[::-1])[::-1], target), target)
        upper = np.append(np.maximum.accumulate(counts), 1.0)
        first = smallest(lambda n: self.power(n, upper) >= power)
        stable = smallest(lambda n: self.power(n, lower) >= power)
        if first is None or stable is None:
            return None
        further = np.arange(last + 1, self.window(stable)[1] + 1)
        counts = np.append(counts, self.given(further))
        too_low = [self.power(n, counts) < power for n in range(first, stable + 1)]
        if True not in too_low:
            return Size(first, first)
        return Size(first + too_low.index(False), stable + 1 - too_low[::-1].index(True))


@planning
def plan_mcnemar(
    discordant: float, *, method: Method = "midp", unit: str = "row", **level: Any
) -> Plan:
    """Plan a test set for two systems that are right or wrong on each row: McNemar's test.

    The power is exact: it is summed over all numbers of rows on which exactly one system is
    right (Miettinen, 1968, section 2), with the critical values of the test itself. The
    standard error of the difference is ``sqrt((discordant - difference^2) / n)``.

    Parameters
    ----------
    discordant : float
        Share of rows on which exactly one system is right. It is at least the difference of
        the accuracies, and at most the sum of the error rates. For independent errors of rates
        a and b it is ``a (1 - b) + b (1 - a)``.
    method : {"midp", "exact", "chi2", "edwards"}, default="midp"
        Variant of the test, as in :func:`mcnemar`.
    unit : str, default="row"
        What a unit is.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in rows.

    Raises
    ------
    ValueError
        If a number makes no sense, or the method is unknown.

    Examples
    --------
    >>> from skstat.stats import plan_mcnemar
    >>> plan = plan_mcnemar(discordant=0.1)
    >>> plan.size(difference=0.03)
    Size(first=862, stable=862)
    >>> round(plan.detectable(1000), 4)
    0.0278
    """
    check_choice("method", method, TESTS)

    def test(difference: float) -> _Counts:
        return _Counts(discordant, (1 + difference / discordant) / 2, method, **level)

    def search(difference: float, power: float, roughly: bool) -> Size | None:
        one_sided, tail = level["one_sided"], level["alpha"]
        # Miettinen's formula (1968).
        quantiles = laws().norm.isf([tail if one_sided else tail / 2, 1 - power])
        spread = math.sqrt(discordant**2 - difference**2 * (3 + discordant) / 4)
        square = float(quantiles @ [discordant, spread]) ** 2 / (discordant * difference**2)
        about = math.ceil(square) + (math.ceil(2 / difference) if method in _CAUTIOUS else 0)
        if about >= (_QUICKLY_COUNTED if roughly else _COUNTED):
            return None if about >= MAX_UNITS else Size(about, about)
        return test(difference).size(power)

    return Plan(
        test=TESTS[method][0],
        function="mcnemar",
        unit=unit,
        least=1,
        largest=discordant,
        varied={"discordant": "share with exactly one right"},
        assumptions=(f"{unit}s are independent",),
        references=(works.MIETTINEN_1968, works.FAGERLAND_ET_AL_2013),
        error=lambda n, difference: math.sqrt((discordant - difference**2) / n),
        exact=lambda n, difference: test(difference).power(n),
        search=search,
    )


def _simulated(
    n_simulations: int, seed: int, columns: int, reject: Count, by_t: Plan, times: float = 1.0
) -> dict[str, Any]:
    """Return the fields of a plan whose power is simulated: the mean share of rejections.

    The same random numbers are drawn for all sizes. The power on many data sets depends on the
    effect times the root of their number.
    """

    def n_samples(n: float) -> int:
        """Return the number of samples to draw, which is smaller for very many data sets."""
        drawn = int(min(n, _MAX_SEARCH)) * columns
        return max(100, min(n_simulations, _MAX_NUMBERS // drawn))

    @lru_cache(maxsize=512)
    def power(n: float, effect: float) -> float:
        drawn, rng, n_rejected = int(min(n, _MAX_SEARCH)), np.random.default_rng(seed), 0.0
        samples = n_samples(n)
        for part in in_parts(samples, drawn * columns, _BLOCK):
            z = rng.standard_normal((part.stop - part.start, drawn, columns))
            n_rejected += reject(z, effect * math.sqrt(n / drawn))
        return n_rejected / samples

    def search(difference: float, target: float, roughly: bool) -> Size | None:
        size = by_t.size(difference, target)
        n = MAX_UNITS if size is None else math.ceil(size.stable * times)
        # For several systems the t test is too rough an approximation.
        if (roughly and columns == 1) or n > _MAX_SEARCH:
            return None if n >= MAX_UNITS else Size(n, n)
        minimum = min(columns, 2)
        units = smallest(lambda n: power(n, difference) >= target, minimum=minimum)
        return None if units is None else Size(units, units)

    return {"exact": power, "drawn": n_samples, "search": search}


@planning
def plan_units(
    sd: float,
    *,
    unit: str = "data set",
    test: str = "paired_t",
    n_simulations: int = 50_000,
    seed: int = 0,
    **level: Any,
) -> Plan:
    """Plan how many data sets, or other independent units: t, Wilcoxon's, or the sign test.

    Differences are taken to be normal. The t test is planned by its formula. The sign test is
    exact: a system that is better by `difference` is better on a share ``Phi(difference / sd)``
    of the units. Wilcoxon's is simulated, and has less power for the mean of skewed
    differences.

    The search of Wilcoxon's test begins at pi / 3 times what the t test takes, which is right
    for many normal differences (Hodges and Lehmann, 1956). Above 2000 units it also ends there,
    and the power is that of 2000 with a difference of as many standard errors.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of the units, in the unit of the score.
    unit : str, default="data set"
        What they are called.
    test : {"paired_t", "wilcoxon", "sign"}, default="paired_t"
        Which test.
    n_simulations : int, default=50000
        Samples that are drawn of Wilcoxon's test, fewer for very many units.
    seed : int, default=0
        Seed of the random numbers.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in units.

    Raises
    ------
    ValueError
        If a number makes no sense, or `test` is unknown.

    Examples
    --------
    >>> from skstat.stats import plan_units
    >>> plan_units(sd=0.04).size(difference=0.02).stable
    34
    >>> plan = plan_units(sd=0.04, test="wilcoxon")
    >>> n = plan.size(difference=0.04).stable
    >>> n, round(plan.power(n, 0.04), 1)
    (11, 0.8)
    >>> plan_units(sd=0.04, test="sign").size(difference=0.02)
    Size(first=51, stable=61)
    """

    def signs(difference: float) -> _Counts:
        return _Counts(1.0, float(laws().norm.cdf(difference / sd)), "exact", **level)

    def reject(z: NDArray, effect: float) -> float:
        better, worse = _signed_rank_tails(z[..., 0] + effect / sd)
        pvalue = better if level["one_sided"] else 2 * np.minimum(better, worse)
        return float((pvalue <= level["alpha"]).sum())

    facts: dict[str, Any] = {
        "test": "paired t test",
        "assumptions": ("units are independent, and their differences close to normal",),
        "error": lambda n, difference: sd / math.sqrt(n),
        "df": lambda n: n - 1,
    }
    independent = f"{unit}s are independent, and their differences"
    if test == "sign":
        facts = {
            "test": "sign test",
            "assumptions": (f"{independent} normal", "no ties"),
            "exact": lambda n, difference: signs(difference).power(n),
            "search": lambda difference, power, roughly: signs(difference).size(power),
        }
    elif test == "wilcoxon":
        by_t = plan_units(sd, **level)
        facts = _simulated(n_simulations, seed, 1, reject, by_t, math.pi / 3) | {
            "test": "Wilcoxon's signed-rank test",
            "assumptions": (f"{independent} symmetric and close to normal",),
            "references": (works.WILCOXON_1945,),
        }
    elif test != "paired_t":
        raise ValueError(f"test={test!r} is unknown; use 'wilcoxon', 'sign' or 'paired_t'.")
    return Plan(
        function=test,
        of_signs=test != "paired_t",
        unit=unit,
        least=2 if test == "paired_t" else 1,
        varied={"sd": "standard deviation of the differences"},
        **facts,
    )


def _signed_rank_tails(d: NDArray[np.float64]) -> tuple[NDArray, NDArray]:
    """Return the one-sided p-values of signed ranks along the last axis, of either sign."""
    n = d.shape[-1]
    order = np.argsort(np.abs(d), axis=-1)
    positive = np.take_along_axis(d, order, axis=-1) > 0
    total, largest = positive @ np.arange(1, n + 1), n * (n + 1) // 2
    if n <= 200:
        below = np.cumsum(untied_law(n))
        return below[largest - total], below[total]
    z = (total - largest / 2) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return laws().norm.sf(z), laws().norm.sf(-z)


@planning
def plan_systems(
    sd: float,
    n_systems: int,
    *,
    post_hoc: PostHoc = "wilcoxon",
    with_control: bool = False,
    n_simulations: int = 4000,
    seed: int = 0,
    alpha: float = 0.05,
) -> Plan:
    """Plan how many data sets: one system that is better than all others, which are equal.

    The power is the expected share of the comparisons of that system that are significant
    after the adjustment. It is simulated.

    Parameters
    ----------
    sd : float
        Standard deviation of the difference of any two systems over data sets, in the unit of
        the score.
    n_systems : int
        Number of systems, at least 3.
    post_hoc : {"wilcoxon", "nemenyi"}, default="wilcoxon"
        Wilcoxon's test of every pair with Holm's adjustment, or Nemenyi's test.
    with_control : bool, default=False
        Whether the better system is compared with each of the others only, and these not with
        each other.
    n_simulations : int, default=4000
        Samples that are drawn, fewer for very many data sets.
    seed : int, default=0
        Seed of the random numbers.
    alpha : float, default=0.05
        Level of all comparisons together, below 0.5.

    Returns
    -------
    Plan
        The plan, in data sets.

    Raises
    ------
    ValueError
        If a number makes no sense, or Nemenyi's test is asked for a control.

    Examples
    --------
    >>> from skstat.stats import plan_systems
    >>> pairs = plan_systems(sd=0.04, n_systems=5, n_simulations=500)
    >>> control = plan_systems(sd=0.04, n_systems=5, n_simulations=500, with_control=True)
    >>> control.power(30, 0.02) > pairs.power(30, 0.02)
    True
    """
    check_choice("post_hoc", post_hoc, get_args(PostHoc))
    if post_hoc == "nemenyi" and with_control:
        raise ValueError("Nemenyi's test compares all pairs; leave with_control out.")
    k = n_systems
    pairs, m = [(0, j) for j in range(1, k)], k - 1 if with_control else math.comb(k, 2)
    if not with_control and k <= _MANY_SYSTEMS:
        pairs += [(i, j) for i in range(1, k) for j in range(i + 1, k)]

    def reject(z: NDArray, effect: float) -> float:
        z[..., 0] += effect / sd * math.sqrt(2)
        if post_hoc == "nemenyi":
            ranks = z.argsort(axis=-1).argsort(axis=-1).mean(axis=1)
            critical = laws().studentized_range.isf(alpha, k, np.inf) / math.sqrt(2)
            distance = critical * math.sqrt(k * (k + 1) / (6 * z.shape[1]))
            return float((ranks[:, :1] - ranks[:, 1:] >= distance).mean(axis=1).sum())
        tails = [_signed_rank_tails(z[..., i] - z[..., j]) for i, j in pairs]
        pvalues = np.stack([2 * np.minimum(*pair_tails) for pair_tails in tails], axis=1)
        better = np.stack([up <= down for up, down in tails], axis=1)
        # Holm's method. False rejections among equal systems, which at most one family in 20
        # has, would hardly raise the levels of many pairs.
        order = np.argsort(pvalues, axis=1)
        levels = alpha / np.arange(m, m - len(pairs), -1)
        below = np.take_along_axis(pvalues, order, axis=1) <= levels
        rejects = np.logical_and.accumulate(below, axis=1)
        rejected = np.take_along_axis(rejects, order.argsort(axis=1), axis=1) & better
        return float(rejected[:, : k - 1].mean(axis=1).sum())

    which = "the pairs with the control" if with_control else "all pairs"
    test = f"Wilcoxon's test of {which}, adjusted by Holm's method"
    return Plan(
        test="Nemenyi's test of all pairs" if post_hoc == "nemenyi" else test,
        unit="data set",
        varied={"sd": "standard deviation of the differences"},
        assumptions=(
            "data sets are independent, and scores on them normal",
            "one system is better than all others by the difference, and these are equal",
        ),
        references=(works.HOLM_1979, works.NEMENYI_1963),
        **_simulated(n_simulations, seed, k, reject, plan_units(sd, alpha=alpha / m)),
    )
