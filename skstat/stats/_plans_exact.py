"""Plans of tests whose power is counted or simulated: counts, ranks, and several systems.

The power of counts rises in saw teeth, because they are whole numbers. All that is said here
of the sizes from which it stays is proved, not searched within a width that was guessed.
"""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import check_choice, laws
from skstat.stats._literature import (
    FAGERLAND_ET_AL_2013,
    HOLM_1979,
    MIETTINEN_1968,
    NEMENYI_1963,
    WILCOXON_1945,
)
from skstat.stats._plan import MOST, Plan, Size, check_sd, planning, smallest
from skstat.stats._plans import plan_units
from skstat.stats._ranks import untied_law
from skstat.stats._samples import check_count, check_number

Method = Literal["midp", "exact", "chi2", "edwards"]
PostHoc = Literal["wilcoxon", "nemenyi"]
Powers = Callable[[NDArray], NDArray]  # of numbers of rows on which exactly one is right

_METHODS = {
    "midp": "mid-p",
    "exact": "exact",
    "chi2": "chi-squared",
    "edwards": "chi-squared with Edwards's correction",
}
_CAUTIOUS = ("exact", "edwards")  # they take about 2 / difference rows more
_QUICKLY_COUNTED = 3000  # rows
_COUNTED = 1_000_000  # of more, a formula is right to less than one in ten thousand
_TEETH = 60_000  # counts up to here have their teeth looked at one by one
_REACH = 12  # standard deviations of the number of such rows that are summed
_MOST_NUMBERS = 2_000_000  # normal deviates of a simulation
_BLOCK = 1_000_000
_LONGEST_SEARCH = 2000  # data sets
_MANY_SYSTEMS = 20  # of more, those that are equal are not compared with each other


def independent_errors(error_a: float, error_b: float) -> float:
    """Share of rows on which exactly one of two systems is right, if errors are independent.

    Systems that find the same rows hard, as most do, have less.
    """
    for name, value in (("error_a", error_a), ("error_b", error_b)):
        check_number(name, value, least=0, most=1, what="a share from 0 to 1")
    return error_a * (1 - error_b) + error_b * (1 - error_a)


def critical_counts(m: NDArray, alpha: float, method: Method) -> NDArray:
    """Return the largest smaller count of `m` that rejects; -1 where none does."""
    z = laws().norm.isf(alpha / 2)
    m = np.asarray(m, dtype=float)
    if method in ("chi2", "edwards"):
        found = np.floor((m - (method == "edwards") - z * np.sqrt(m)) / 2 + 1e-12)
        return np.where(m > 0, np.maximum(found, -1), -1)
    # The normal law is off by little; step by step to the last count that rejects.
    best = np.clip(np.floor((m - z * np.sqrt(m)) / 2), -1, np.ceil(m / 2) - 1)
    step, left = np.zeros(m.shape), np.arange(m.size)
    while left.size:
        now = np.where(_rejects(best[left], m[left], alpha, method), 1.0, -1.0)
        turned = step[left] * now < 0
        # Those that came from below are one too far; those from above have arrived.
        best[left[turned & (now < 0)]] -= 1
        left, now = left[~turned], now[~turned]
        step[left] = now
        best[left] += now
    return best


def _rejects(count: NDArray, m: NDArray, alpha: float, method: Method) -> NDArray:
    """Whether the smaller of `m` counts rejects; -1 does and one half does not."""
    pvalue = 2 * laws().binom.cdf(count, m, 0.5)
    if method == "midp":
        pvalue = pvalue - laws().binom.pmf(count, m, 0.5)
    return np.asarray((count < 0) | ((2 * count < m) & (pvalue <= alpha)))


def _powers(share: float, alpha: float, method: Method, *, one_sided: bool) -> Powers:
    """Power on m counts, of which a share of at least one half is expected on one side."""

    def powers(m: NDArray) -> NDArray:
        critical = critical_counts(m, 2 * alpha if one_sided else alpha, method)
        found: NDArray = laws().binom.cdf(critical, m, 1 - share)
        return found if one_sided else found + laws().binom.cdf(critical, m, share)

    return powers


def _counts_to_look_at(share: float, alpha: float, power: float) -> int | None:
    """Return a number of counts from which the power stays; None where that is too large.

    By Hoeffding's inequality (1963, theorem 1) a test of level `alpha` rejects whenever the
    smaller of m counts is below ``m/2 - sqrt(m log(2/alpha)/2) - 2``, and a count of expected
    share ``1 - share`` is above that with a probability of at most ``exp(-2 m t^2)``, where
    ``t = share - 1/2 - sqrt(log(2/alpha)/(2 m)) - 2/m`` rises with m. Chi-squared is compared
    with a normal law: z < sqrt(2 log(1/alpha)) at alpha / 2.
    """
    needed = math.sqrt(math.log(1 / (1 - power)) / 2)
    spread = math.sqrt(math.log(2 / alpha) / 2)
    # sqrt(m) t = sqrt(m) (share - 1/2) - spread - 2 / sqrt(m) is to reach `needed`.
    gap = share - 0.5
    root = (needed + spread + math.sqrt((needed + spread) ** 2 + 8 * gap)) / (2 * gap)
    counts = math.ceil(root * root) + 1
    return counts if counts <= _TEETH else None


@planning
def plan_mcnemar(
    discordant: float,
    *,
    method: Method = "midp",
    unit: str = "row",
    alpha: float = 0.05,
    one_sided: bool = False,
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
    check_number(
        "discordant", discordant, above=0, most=1, what="a share above 0 and at most 1"
    )
    check_choice("method", method, _METHODS)

    def powers(difference: float) -> Powers:
        """Given m rows on which exactly one is right, it is a test of a share of one half."""
        share = (1 + difference / discordant) / 2
        return _powers(share, alpha, method, one_sided=one_sided)

    def power_at(n: float, difference: float) -> float:
        low, high = _window(int(n), discordant)
        m = np.arange(low, high + 1)
        return float(laws().binom.pmf(m, int(n), discordant) @ powers(difference)(m))

    def near(difference: float, power: float) -> int:
        """Miettinen's formula (1968)."""
        quantiles = laws().norm.isf([alpha if one_sided else alpha / 2, 1 - power])
        spread = math.sqrt(discordant**2 - difference**2 * (3 + discordant) / 4)
        square = float(quantiles @ [discordant, spread]) ** 2 / (discordant * difference**2)
        return math.ceil(square) + (math.ceil(2 / difference) if method in _CAUTIOUS else 0)

    def search(difference: float, power: float, roughly: bool) -> Size | None:
        about = near(difference, power)
        if about >= (_QUICKLY_COUNTED if roughly else _COUNTED):
            return None if about >= MOST else Size(about, about)
        # Somewhat more, so that the mean can reach the power that is asked for.
        share, beyond = (1 + difference / discordant) / 2, (3 + power) / 4
        most = _counts_to_look_at(share, alpha, beyond)
        if most is None:
            n = smallest(lambda n: power_at(n, difference) >= power)
            return None if n is None else Size(n, n)
        return _teeth(discordant, powers(difference), power, most)

    return Plan(
        test=f"McNemar's test ({_METHODS[method]})",
        function="mcnemar",
        unit=unit,
        least=1,
        largest=discordant,
        varied={"discordant": "share with exactly one right"},
        assumptions=(f"{unit}s are independent",),
        references=(MIETTINEN_1968, FAGERLAND_ET_AL_2013),
        error=lambda n, difference: math.sqrt((discordant - difference**2) / n),
        exact=power_at,
        search=search,
    )


def _window(n: int, psi: float) -> tuple[int, int]:
    """Return numbers of rows between which all that is likely lies."""
    spread = _REACH * math.sqrt(n * psi * (1 - psi)) + _REACH
    return max(0, math.floor(n * psi - spread)), min(n, math.ceil(n * psi + spread))


def _teeth(psi: float, powers: Powers, power: float, most: int) -> Size | None:
    """Return the first size with this power, and the first from which the power stays.

    The power given m rows on which exactly one system is right lies between its smallest value
    from m on and its largest up to m. Both rise with m, so their means rise with n: below the
    size where the larger mean reaches `power` no size has it, and from the one where the
    smaller does, all have. No size between the two is left out that could be one of those
    sought. Where that would take more than 60 000 rows on which exactly one system is right,
    teeth are less than 0.01 high and are passed over.
    """
    counts, beyond = powers(np.arange(most + 1)), (3 + power) / 4
    lower = np.minimum(np.minimum.accumulate(counts[::-1])[::-1], beyond)
    upper = np.maximum.accumulate(counts)

    def mean_of(values: NDArray, n: int, after: float) -> float:
        low, high = _window(n, psi)
        m = np.arange(low, high + 1)
        known = np.where(m < len(values), values[np.minimum(m, len(values) - 1)], after)
        return float(laws().binom.pmf(m, n, psi) @ known)

    start = smallest(lambda n: mean_of(upper, n, 1.0) >= power)
    stays = smallest(lambda n: mean_of(lower, n, beyond) >= power)
    if start is None or stays is None:
        return None
    low, high = _window(start, psi)[0], _window(stays, psi)[1]
    if high > most:
        counts = np.concatenate([counts, powers(np.arange(most + 1, high + 1))])
    # One row more changes the power by psi times the mean change of that given m, of which
    # there are so many and so few.
    per_row = psi * float(np.abs(np.diff(counts[low : high + 2])).max(initial=0.0))

    def steps(n: int) -> tuple[bool, int]:
        """Whether a size has the power, and how far it is at least to one where that ends."""
        missing = power - mean_of(counts, n, 1.0)
        return missing <= 0, max(1, math.floor(abs(missing) / per_row)) if per_row else high

    first, stable = start, stays
    while first < stays and not (found := steps(first))[0]:
        first = min(first + found[1], stays)
    while stable > first and (found := steps(stable - 1))[0]:
        stable = max(stable - found[1], first)
    return Size(first, stable)


class _Draws(NamedTuple):
    """Normal deviates for many samples: the same random numbers for all sizes."""

    n_simulations: int
    seed: int
    columns: int = 1

    def number(self, n: int) -> int:
        """Return how many samples of `n` data sets are drawn: fewer of very many."""
        drawn = min(n, _LONGEST_SEARCH) * self.columns
        return max(100, min(self.n_simulations, _MOST_NUMBERS // drawn))

    def blocks(self, n: int) -> Iterator[NDArray[np.float64]]:
        """Walk blocks of shape (samples, n, columns)."""
        left, rng = self.number(n), np.random.default_rng(self.seed)
        while left:
            of = min(left, max(1, _BLOCK // (n * self.columns)))
            yield rng.standard_normal((of, n, self.columns))
            left -= of


def _draws(n_simulations: int, seed: int, columns: int = 1) -> _Draws:
    check_count("n_simulations", n_simulations, least=100)
    check_count("seed", seed, least=0)
    return _Draws(n_simulations, seed, columns)


def _as_drawn(n: float, effect: float) -> tuple[int, float]:
    """Return the number of data sets that are drawn, and the effect there.

    The power on many data sets depends on the effect times the root of their number.
    """
    drawn = int(min(n, _LONGEST_SEARCH))
    return drawn, effect * math.sqrt(n / drawn)


def _smallest_near(start: int, least: int, reaches: Callable[[int], bool]) -> Size | None:
    """Return the smallest size for which something that is simulated holds, near `start`."""
    n = max(least, start)
    if n > _LONGEST_SEARCH:
        return None if n >= MOST else Size(n, n)
    step = max(1, n // 20)
    while step:
        if reaches(n):
            while n - step >= least and reaches(n - step):
                n -= step
        else:
            while not reaches(n):
                n += step
                if n > 2 * _LONGEST_SEARCH:
                    return None
        step = 0 if step == 1 else max(1, step // 4)
    return Size(n, n)


@planning
def plan_sign(sd: float, *, alpha: float = 0.05, one_sided: bool = False) -> Plan:
    """Plan how many data sets: the sign test, which is exact.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of the data sets, in the unit of the score. If
        they are normal, a system that is better by `difference` is better on a share
        ``Phi(difference / sd)`` of them.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in data sets.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_sign
    >>> plan_sign(sd=0.04).size(difference=0.02)
    Size(first=51, stable=61)
    """
    check_sd("sd", sd)

    def share_of(difference: float) -> float:
        return float(laws().norm.cdf(difference / sd))

    def powers(n: NDArray, difference: float) -> NDArray:
        return _powers(share_of(difference), alpha, "exact", one_sided=one_sided)(n)

    def search(difference: float, power: float, roughly: bool) -> Size | None:
        """Try every size up to one from which the power cannot fall again."""
        share = share_of(difference)
        most = _counts_to_look_at(share, alpha, power) if share > 0.5 else None
        if most is None:
            return None
        enough = powers(np.arange(1, most + 1), difference) >= power
        too_few = np.flatnonzero(~enough)
        return Size(int(enough.argmax()) + 1, int(too_few.max(initial=-1)) + 2)

    return Plan(
        test="sign test",
        function="sign",
        unit="data set",
        least=1,
        of_signs=True,
        varied={"sd": "standard deviation of the differences"},
        assumptions=(
            "data sets are independent, and their differences normal",
            "no ties",
        ),
        exact=lambda n, difference: float(powers(np.array([n]), difference).item()),
        search=search,
    )


@planning
def plan_wilcoxon(
    sd: float,
    *,
    n_simulations: int = 50_000,
    seed: int = 0,
    alpha: float = 0.05,
    one_sided: bool = False,
) -> Plan:
    """Plan how many data sets: Wilcoxon's signed-rank test, for symmetric differences.

    They are taken to be normal, and the test is simulated. Of skewed ones it has less power for
    their mean.

    The search begins at pi / 3 times what the t test takes, which is right for many normal
    differences (Hodges and Lehmann, 1956). Above 2000 data sets it also ends there, and the
    power is that of 2000 with a difference that is as large beside its standard error.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of the data sets, in the unit of the score.
    n_simulations : int, default=50000
        Samples that are drawn, fewer for very many data sets.
    seed : int, default=0
        Seed of the random numbers.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in data sets.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_wilcoxon
    >>> plan = plan_wilcoxon(sd=0.04)
    >>> n = plan.size(difference=0.04).stable
    >>> n, round(plan.power(n, 0.04), 1)
    (11, 0.8)
    """
    check_sd("sd", sd)
    draws = _draws(n_simulations, seed)

    def power_at(n: float, difference: float) -> float:
        return _wilcoxon_power(draws, *_as_drawn(n, difference / sd), alpha, one_sided)

    def search(difference: float, power: float, roughly: bool) -> Size | None:
        by_t = plan_units(sd, alpha=alpha, one_sided=one_sided).size(difference, power)
        near = MOST if by_t is None else math.ceil(by_t.stable * math.pi / 3)
        if roughly:
            return None if near >= MOST else Size(near, near)
        return _smallest_near(near, 1, lambda n: power_at(n, difference) >= power)

    return Plan(
        test="Wilcoxon's signed-rank test",
        function="wilcoxon",
        unit="data set",
        least=1,
        of_signs=True,
        varied={"sd": "standard deviation of the differences"},
        assumptions=(
            "data sets are independent, and their differences symmetric and close to normal",
        ),
        references=(WILCOXON_1945,),
        exact=power_at,
        search=search,
        drawn=draws.number,
    )


def _signed_rank_tails(d: NDArray[np.float64]) -> tuple[NDArray, NDArray]:
    """One-sided p-values of signed ranks along the last axis, of either sign."""
    n = d.shape[-1]
    order = np.argsort(np.abs(d), axis=-1)
    positive = np.take_along_axis(d, order, axis=-1) > 0
    total, most = positive @ np.arange(1, n + 1), n * (n + 1) // 2
    if n <= 200:
        below = np.cumsum(untied_law(n))
        return below[most - total], below[total]
    z = (total - most / 2) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return laws().norm.sf(z), laws().norm.sf(-z)


@lru_cache(maxsize=512)
def _wilcoxon_power(
    draws: _Draws, n: int, effect: float, alpha: float, one_sided: bool
) -> float:
    found = 0
    for z in draws.blocks(n):
        better, worse = _signed_rank_tails(z[..., 0] + effect)
        pvalue = better if one_sided else 2 * np.minimum(better, worse)
        found += int((pvalue <= alpha).sum())
    return found / draws.number(n)


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
    check_sd("sd", sd)
    check_count("n_systems", n_systems, least=3)
    draws = _draws(n_simulations, seed, n_systems)
    check_choice("post_hoc", post_hoc, get_args(PostHoc))
    if post_hoc == "nemenyi" and with_control:
        raise ValueError("Nemenyi's test compares all pairs; leave with_control out.")

    def power_at(n: float, difference: float) -> float:
        return _systems_power(
            draws, *_as_drawn(n, difference / sd), alpha, post_hoc, with_control
        )

    def search(difference: float, power: float, roughly: bool) -> Size | None:
        pairs = n_systems - 1 if with_control else math.comb(n_systems, 2)
        by_t = plan_units(sd, alpha=alpha / pairs).size(difference, power)
        start = MOST if by_t is None else by_t.stable
        return _smallest_near(start, 2, lambda n: power_at(n, difference) >= power)

    of = "the pairs with the control" if with_control else "all pairs"
    test = f"Wilcoxon's test of {of}, adjusted by Holm's method"
    return Plan(
        test="Nemenyi's test of all pairs" if post_hoc == "nemenyi" else test,
        unit="data set",
        varied={"sd": "standard deviation of the differences"},
        assumptions=(
            "data sets are independent, and scores on them normal",
            "one system is better than all others by the difference, and these are equal",
        ),
        references=(HOLM_1979, NEMENYI_1963),
        exact=power_at,
        search=search,
        drawn=draws.number,
    )


@lru_cache(maxsize=512)
def _systems_power(
    draws: _Draws, n: int, effect: float, alpha: float, post_hoc: PostHoc, control: bool
) -> float:
    k, found = draws.columns, 0.0
    first = [(0, j) for j in range(1, k)]
    others = [(i, j) for i in range(1, k) for j in range(i + 1, k)]
    pairs = first if control or k > _MANY_SYSTEMS else first + others
    m = len(first) if control else len(first) + len(others)
    for z in draws.blocks(n):
        z[..., 0] += effect * math.sqrt(2)
        if post_hoc == "nemenyi":
            ranks = z.argsort(axis=-1).argsort(axis=-1).mean(axis=1)
            critical = laws().studentized_range.isf(alpha, k, np.inf) / math.sqrt(2)
            least = critical * math.sqrt(k * (k + 1) / (6 * n))
            found += float((ranks[:, :1] - ranks[:, 1:] >= least).mean(axis=1).sum())
            continue
        tails = [_signed_rank_tails(z[..., i] - z[..., j]) for i, j in pairs]
        pvalues = np.stack([2 * np.minimum(*both) for both in tails], axis=1)
        better = np.stack([up <= down for up, down in tails], axis=1)
        rejected = _holm(pvalues, alpha, m) & better
        found += float(rejected[:, : k - 1].mean(axis=1).sum())
    return found / draws.number(n)


def _holm(pvalues: NDArray, alpha: float, m: int) -> NDArray[np.bool_]:
    """Which hypotheses of each row Holm's method rejects, of m of which the others stay.

    Equal systems that are said to differ, which at most one family in 20 has, would make the
    levels of many pairs hardly any larger.
    """
    order = np.argsort(pvalues, axis=1)
    levels = alpha / np.arange(m, m - pvalues.shape[1], -1)
    below = np.take_along_axis(pvalues, order, axis=1) <= levels
    kept = np.logical_and.accumulate(below, axis=1)
    rejected = np.zeros_like(kept)
    np.put_along_axis(rejected, order, kept, axis=1)
    return rejected
