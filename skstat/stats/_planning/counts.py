"""Plans for tests of counts, which are exact: McNemar's test, and the sign test."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from skstat.stats._common import Reference
from skstat.stats._literature import FAGERLAND_ET_AL_2013, MIETTINEN_1968
from skstat.stats._planning.binomial import Method, count_powers, counts_to_look_at
from skstat.stats._planning.checks import (
    MOST,
    check_number,
    check_power,
    check_sd,
    check_share,
    check_test_level,
    laws,
)
from skstat.stats._planning.mcnemar import check_method, mcnemar_power, mcnemar_size
from skstat.stats._planning.means import MeanTypePlanner
from skstat.stats._planning.planner import Basis, Planner, Size
from skstat.stats._samples import check_count

_VARIANTS = {
    "midp": "mid-p",
    "exact": "exact",
    "chi2": "chi-squared",
    "edwards": "chi-squared with Edwards's correction",
}
_CAUTIOUS: tuple[Method, ...] = ("exact", "edwards")  # they take about 2 / difference rows more
_QUICKLY_COUNTED = 3000  # rows
_COUNTED = 1_000_000  # of more, a formula is right to less than one in ten thousand


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
