"""Plans for tests of counts, which are exact: McNemar's test, and the sign test."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Reference, laws
from skstat.stats._literature import FAGERLAND_ET_AL_2013, MIETTINEN_1968
from skstat.stats._planning.means import MeanTypePlanner
from skstat.stats._planning.planner import (
    MOST,
    Basis,
    Planner,
    Size,
    check_power,
    check_sd,
    check_share,
    check_test_level,
    smallest,
)
from skstat.stats._samples import check_count, check_number

Method = Literal["midp", "exact", "chi2", "edwards"]
METHODS: tuple[Method, ...] = ("midp", "exact", "chi2", "edwards")
_MOST_COUNTED = 60_000  # counts up to here have their teeth looked at one by one

_REACH = 12  # standard deviations of the number of such rows that are summed
_SEVERAL = 256  # sizes whose power is found together

_VARIANTS = {
    "midp": "mid-p",
    "exact": "exact",
    "chi2": "chi-squared",
    "edwards": "chi-squared with Edwards's correction",
}
_CAUTIOUS: tuple[Method, ...] = ("exact", "edwards")  # they take about 2 / difference rows more
_QUICKLY_COUNTED = 3000  # rows
_COUNTED = 1_000_000  # of more, a formula is right to less than one in ten thousand


# Tests of counts against one half: where they reject, and bounds of their power.
#
# The power rises in saw teeth, because counts are whole numbers. All that is said here of the
# sizes from which it stays is proved, not searched within a width that was guessed.


def critical_counts(m: NDArray, alpha: float, method: Method) -> NDArray:
    """Return the largest smaller count of `m` that rejects; -1 where none does."""
    if method in ("chi2", "edwards"):
        z = laws().norm.isf(alpha / 2)
        found = np.floor((m - (method == "edwards") - z * np.sqrt(m)) / 2 + 1e-12)
        return np.where(m > 0, np.maximum(found, -1), -1)
    m = np.asarray(m, dtype=float)
    z = laws().norm.isf(alpha / 2)
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


def count_powers(
    m: NDArray, share: float, alpha: float, method: Method, *, one_sided: bool
) -> NDArray:
    """Power on `m` counts, of which a share of at least one half is expected on one side."""
    critical = critical_counts(m, 2 * alpha if one_sided else alpha, method)
    found: NDArray = laws().binom.cdf(critical, m, 1 - share)
    return found if one_sided else found + laws().binom.cdf(critical, m, share)


def counts_to_look_at(share: float, alpha: float, power: float, method: Method) -> int | None:
    """Return a number of counts from which the power stays; None where that is too large.

    By Hoeffding's inequality (1963, theorem 1) a test of level `alpha` rejects whenever the
    smaller of m counts is below ``m/2 - sqrt(m log(2/alpha)/2) - 2``, and a count of expected
    share ``1 - share`` is above that with a probability of at most ``exp(-2 m t^2)``, where
    ``t = share - 1/2 - sqrt(log(2/alpha)/(2 m)) - 2/m`` rises with m.
    """
    needed = math.sqrt(math.log(1 / (1 - power)) / 2)
    # chi2 and edwards are compared with a normal law: z < sqrt(2 log(1/alpha)) at alpha / 2.
    spread = math.sqrt(math.log(2 / alpha) / 2)
    # sqrt(m) t = sqrt(m) (share - 1/2) - spread - 2 / sqrt(m) is to reach `needed`.
    gap = share - 0.5
    root = (needed + spread + math.sqrt((needed + spread) ** 2 + 8 * gap)) / (2 * gap)
    counts = math.ceil(root * root) + 1
    return counts if counts <= _MOST_COUNTED else None


def check_method(method: object) -> None:
    """Refuse an unknown variant of the test."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown; use one of {', '.join(METHODS)}.")


def check_shares(psi: float, delta: float) -> None:
    """Refuse shares of rows that no two systems can have."""
    check_share("psi", psi)
    check_number("delta", delta)
    if not abs(delta) <= psi:
        raise ValueError(
            f"delta={delta!r} must not exceed psi={psi!r}: accuracies differ by no more than "
            "the share of rows on which exactly one system is right."
        )


def _window(n: int, psi: float) -> tuple[int, int]:
    """Return numbers of rows between which all that is likely lies."""
    spread = _REACH * math.sqrt(n * psi * (1 - psi)) + _REACH
    return max(0, math.floor(n * psi - spread)), min(n, math.ceil(n * psi + spread))


def _mean(n: int, psi: float, values: NDArray, at: int) -> float:
    """Mean over the number of such rows of what `values` says of each, from `at` on."""
    low, high = _window(n, psi)
    m = np.arange(low, high + 1)
    return float(laws().binom.pmf(m, n, psi) @ values[low - at : high - at + 1])


def mcnemar_power(
    n: int,
    psi: float,
    delta: float,
    *,
    alpha: float = 0.05,
    method: Method = "midp",
    one_sided: bool = False,
) -> float:
    """Power of the test on `n` rows, a sum over the rows on which exactly one system is right.

    `psi` is the share of rows on which exactly one system is right, `delta` the difference
    of the accuracies. Given m such rows the test is one of a share of one half, and one system
    is right on ``(1 + delta / psi) / 2`` of them (Fagerland, Lydersen and Laake, 2013; the
    sum is that of Miettinen, 1968, section 2, with the exact test in it).
    """
    check_count("n", n)
    check_shares(psi, delta)
    check_test_level(alpha)
    check_method(method)
    low, high = _window(n, psi)
    share = (1 + abs(delta) / psi) / 2
    found = count_powers(np.arange(low, high + 1), share, alpha, method, one_sided=one_sided)
    return _mean(n, psi, found, low)


def mcnemar_size(
    psi: float,
    delta: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: Method = "midp",
    one_sided: bool = False,
) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays.

    The power goes up in saw teeth, because the counts are whole numbers. The power given m
    rows on which exactly one system is right lies between its smallest value from m on and its
    largest up to m. Both rise with m, so their means rise with n: below the size where the
    larger mean reaches `power` no size has it, and from the one where the smaller does, all
    have. No size between the two is left out that could be one of those sought. Where
    that would take more than 60 000 rows on which exactly one system is right, teeth are less
    than 0.01 high and are passed over.
    """
    check_shares(psi, delta)
    check_test_level(alpha)
    check_power(power, alpha)
    check_method(method)
    if delta == 0:
        raise ValueError("delta=0: no number of rows shows a difference that does not exist.")
    share = (1 + abs(delta) / psi) / 2
    # Somewhat more, so that the mean can reach the power that is asked for.
    most = counts_to_look_at(share, alpha, (3 + power) / 4, method)

    def reaches(n: int) -> bool:
        found = mcnemar_power(n, psi, delta, alpha=alpha, method=method, one_sided=one_sided)
        return found >= power

    if most is None:
        n = smallest(reaches) or MOST
        return n, n
    counts = count_powers(np.arange(most + 1), share, alpha, method, one_sided=one_sided)
    beyond = (3 + power) / 4
    lower = np.minimum(np.minimum.accumulate(counts[::-1])[::-1], beyond)
    upper = np.maximum.accumulate(counts)

    def mean_of(values: NDArray, n: int, after: float) -> float:
        low, high = _window(n, psi)
        m = np.arange(low, high + 1)
        known = np.where(m < len(values), values[np.minimum(m, len(values) - 1)], after)
        return float(laws().binom.pmf(m, n, psi) @ known)

    start = smallest(lambda n: mean_of(upper, n, 1.0) >= power) or MOST
    stays = smallest(lambda n: mean_of(lower, n, beyond) >= power) or MOST
    if stays == MOST:
        return MOST, MOST
    low, high = _window(start, psi)[0], _window(stays, psi)[1]
    if high > most:
        m = np.arange(most + 1, high + 1)
        further = count_powers(m, share, alpha, method, one_sided=one_sided)
        counts = np.concatenate([counts, further])
    # One row more changes the power by psi times the mean change of that given m, of which
    # there are so many and so few.
    per_row = psi * float(np.abs(np.diff(counts[low : high + 2])).max(initial=0.0))

    def steps(n: int) -> tuple[bool, int]:
        """Whether a size has the power, and how far it is at least to one where that ends."""
        missing = power - mean_of(counts, n, 1.0)
        return missing <= 0, max(1, math.floor(abs(missing) / per_row)) if per_row else high

    first = start
    while first < stays and not (found := steps(first))[0]:
        first = min(first + found[1], stays)
    stable = stays
    while stable > first and (found := steps(stable - 1))[0]:
        stable = max(stable - found[1], first)
    return first, stable


def independent_errors(error_a: float, error_b: float) -> float:
    """Share of rows on which exactly one of two systems is right, if errors are independent.

    Systems that find the same rows hard, as most do, have less.
    """
    for name, value in (("error_a", error_a), ("error_b", error_b)):
        check_number(name, value, least=0, most=1, what="a share from 0 to 1")
    return error_a * (1 - error_b) + error_b * (1 - error_a)


@dataclass(frozen=True, kw_only=True)
class McNemarPlanner(MeanTypePlanner):
    """Plan a test set for two systems that are right or wrong on each row: McNemar's test.

    The power is exact: it is summed over all numbers of rows on which exactly one system is
    right (Miettinen, 1968, section 2), with the critical values of the test itself. The
    standard error of the difference is ``sqrt((discordant - difference^2) / n)``.

    Attributes
    ----------
    discordant : float
        Share of rows on which exactly one system is right. It is at least the difference of
        the accuracies, and at most the sum of the error rates. For independent errors of rates
        a and b it is ``a (1 - b) + b (1 - a)``.
    method : {"midp", "exact", "chi2", "edwards"}
        Variant of the test, as in :func:`mcnemar`.
    of : str
        What a unit is.

    Examples
    --------
    >>> from skstat.stats import McNemarPlanner
    >>> plan = McNemarPlanner(discordant=0.1)
    >>> plan.size(difference=0.03)
    Size(first=862, stable=862)
    >>> round(plan.detectable(1000), 4)
    0.0278
    """

    function: ClassVar[str] = "mcnemar"
    basis: ClassVar[Basis] = "exact"
    assumed: ClassVar[dict[str, str]] = {"discordant": "share with exactly one right"}
    references: ClassVar[tuple[Reference, ...]] = (MIETTINEN_1968, FAGERLAND_ET_AL_2013)
    least: ClassVar[int] = 1

    discordant: float
    method: Method = "midp"
    of: str = "row"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("discordant", self.discordant)
        check_method(self.method)

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What a unit is."""
        return self.of

    @property
    def assumptions(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is taken for granted."""
        return (f"{self.of}s are independent",)

    @property
    def test(self) -> str:  # type: ignore[override]
        """Name of the test."""
        return f"McNemar's test ({_VARIANTS[self.method]})"

    @property
    def largest(self) -> float:
        """Largest difference that is possible: the share of rows with exactly one right."""
        return self.discordant

    def _error(self, n: float, difference: float) -> float:
        return math.sqrt((self.discordant - difference**2) / n)

    def _power(self, n: float, difference: float) -> float:
        if math.isinf(n):
            return 1.0 if difference else self.alpha
        return mcnemar_power(
            int(n), self.discordant, difference, alpha=self.alpha, method=self.method,
            one_sided=self.one_sided,
        )  # fmt: skip

    def _size(self, difference: float, power: float) -> Size | None:
        if (near := self._nearly(difference, power)) >= _COUNTED:
            return None if near >= MOST else Size(near, near)
        first, stable = mcnemar_size(
            self.discordant, difference, power=power, alpha=self.alpha, method=self.method,
            one_sided=self.one_sided,
        )  # fmt: skip
        return None if stable >= MOST else Size(first, stable)

    def _near_size(self, difference: float, power: float) -> Size | None:
        """Miettinen's formula (1968) where counting would take long."""
        near = self._nearly(self._check_difference(difference), power)
        if near < _QUICKLY_COUNTED:
            return self.size(difference, power)
        return None if near >= MOST else Size(near, near)

    def _nearly(self, delta: float, power: float) -> int:
        psi = self.discordant
        sided = self.alpha if self.one_sided else self.alpha / 2
        quantiles = laws().norm.isf([sided, 1 - power])
        spreads = [psi, math.sqrt(psi**2 - delta**2 * (3 + psi) / 4)]
        near = math.ceil(float(quantiles @ spreads) ** 2 / (psi * delta**2))
        return near + (math.ceil(2 / delta) if self.method in _CAUTIOUS else 0)

    def _scale(self) -> float:
        return self.discordant


@dataclass(frozen=True, kw_only=True)
class SignPlanner(Planner):
    """Plan how many data sets: the sign test, which is exact.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences of the data sets, in the unit of the score. If
        they are normal, a system that is better by `difference` is better on a share
        ``Phi(difference / sd)`` of them.

    Examples
    --------
    >>> from skstat.stats import SignPlanner
    >>> SignPlanner(sd=0.04).size(difference=0.02)
    Size(first=51, stable=61)
    """

    test: ClassVar[str] = "sign test"
    function: ClassVar[str] = "sign"
    unit: ClassVar[str] = "data set"
    basis: ClassVar[Basis] = "exact"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation of the differences"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "data sets are independent, and their differences normal",
        "no ties",
    )
    of_signs: ClassVar[bool] = True
    least: ClassVar[int] = 1

    sd: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)

    def _share(self, difference: float) -> float:
        return float(laws().norm.cdf(difference / self.sd))

    def _power(self, n: float, difference: float) -> float:
        if math.isinf(n):
            return 1.0 if difference else self.alpha
        share = self._share(difference)
        return sign_power(int(n), share, alpha=self.alpha, one_sided=self.one_sided)

    def _size(self, difference: float, power: float) -> Size | None:
        share = self._share(difference)
        first, stable = sign_size(
            share, power=power, alpha=self.alpha, one_sided=self.one_sided
        )
        return None if stable >= MOST else Size(first, stable)

    def _scale(self) -> float:
        return self.sd


def sign_power(n: int, share: float, *, alpha: float = 0.05, one_sided: bool = False) -> float:
    """Power of the exact test on `n` units, on a share of which one system is better.

    Units on which both are equal do not count (Dixon and Mood, 1946).
    """
    check_count("n", n)
    check_share("share", share)
    check_test_level(alpha)
    share = max(share, 1 - share)
    return float(count_powers(np.array([n]), share, alpha, "exact", one_sided=one_sided).item())


def sign_size(
    share: float, *, power: float = 0.8, alpha: float = 0.05, one_sided: bool = False
) -> tuple[int, int]:
    """Return the first size with this power, and the first from which the power stays.

    Every size is tried up to one from which the power cannot fall again
    (`counts_to_look_at`).
    """
    check_test_level(alpha)
    check_power(power, alpha)
    if not 0 <= share <= 1 or share == 0.5:
        raise ValueError(f"share={share!r} must be a share other than one half.")
    share = max(share, 1 - share)
    most = counts_to_look_at(share, alpha, power, "exact")
    if most is None:
        return MOST, MOST
    ns = np.arange(1, most + 1)
    enough = count_powers(ns, share, alpha, "exact", one_sided=one_sided) >= power
    last = len(ns) - int((~enough)[::-1].argmax()) if not enough.all() else 0
    return int(ns[enough.argmax()]), int(ns[last])
