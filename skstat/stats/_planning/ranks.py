"""Plans whose power is simulated: Wilcoxon's test, and several systems on many data sets."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Reference, laws
from skstat.stats._literature import HOLM_1979, NEMENYI_1963, WILCOXON_1945
from skstat.stats._paired import untied_law
from skstat.stats._planning.means import t_size
from skstat.stats._planning.planner import MOST, Basis, Planner, Size, check_sd
from skstat.stats._samples import check_count

_MOST_NUMBERS = 2_000_000  # normal deviates of a simulation
_BLOCK = 1_000_000
_LONGEST_SEARCH = 2000  # data sets
_MANY_SYSTEMS = 20  # of more, those that are equal are not compared with each other

PostHoc = Literal["wilcoxon", "nemenyi"]


@dataclass(frozen=True, kw_only=True)
class SimulatedPlanner(Planner):
    """A plan whose power is simulated, with the same random numbers for all sizes.

    Attributes
    ----------
    n_simulations : int
        Samples that are drawn, fewer for very many data sets. Of more than 2000 data sets the
        power is that of 2000 with a difference that is as large beside its standard error.
    seed : int
        Seed of the random numbers.
    """

    basis: ClassVar[Basis] = "simulation"

    n_simulations: int = 50_000
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n_simulations", self.n_simulations, least=100)
        check_count("seed", self.seed, least=0)

    def n_drawn(self, n: int) -> int:
        """Samples that are drawn of one size.

        Parameters
        ----------
        n : int
            Number of data sets.

        Returns
        -------
        int
            `n_simulations`, or fewer.
        """
        drawn = min(n, _LONGEST_SEARCH) * self._columns
        return max(100, min(self.n_simulations, _MOST_NUMBERS // drawn))

    def _as_drawn(self, n: float, effect: float) -> tuple[int, float]:
        """Return the number of data sets that are drawn, and the effect there.

        The power on many data sets depends on the effect times the root of their number.
        """
        drawn = int(min(n, _LONGEST_SEARCH))
        return drawn, effect * math.sqrt(n / drawn)

    def monte_carlo_error(self, n: int, power: float) -> float:
        """Standard error of a simulated power.

        Parameters
        ----------
        n : int
            Number of data sets.
        power : float
            The power that was found.

        Returns
        -------
        float
            ``sqrt(power (1 - power) / n_drawn(n))``.
        """
        return math.sqrt(max(0.0, power * (1 - power)) / self.n_drawn(n))

    @property
    def _columns(self) -> int:
        return 1

    def _draws(self, n: int) -> Iterator[NDArray[np.float64]]:
        """Walk blocks of normal deviates of shape (samples, n, columns)."""
        left, rng = self.n_drawn(n), np.random.default_rng(self.seed)
        while left:
            of = min(left, max(1, _BLOCK // (n * self._columns)))
            yield rng.standard_normal((of, n, self._columns))
            left -= of

    def _search(self, difference: float, power: float, start: int) -> Size | None:
        """Return the smallest size with the power that is near `start`."""
        n = max(self.least, start)
        if n > _LONGEST_SEARCH:
            return None if n >= MOST else Size(n, n)
        step = max(1, n // 20)
        while step:
            if self._power(n, difference) >= power:
                while n - step >= self.least and self._power(n - step, difference) >= power:
                    n -= step
            else:
                while self._power(n, difference) < power:
                    n += step
                    if n > 2 * _LONGEST_SEARCH:
                        return None
            step = 0 if step == 1 else max(1, step // 4)
        return Size(n, n)


def _signed_rank_tails(d: NDArray[np.float64]) -> tuple[NDArray, NDArray]:
    """One-sided p-values of signed ranks along the last axis, of either sign."""
    n = d.shape[-1]
    order = np.argsort(np.abs(d), axis=-1)
    positive = np.take_along_axis(d, order, axis=-1) > 0
    total = positive @ np.arange(1, n + 1)
    below = np.cumsum(untied_law(n)) if n <= 200 else None
    most = n * (n + 1) // 2
    if below is not None:
        return below[most - total], below[total]
    mean, sd = most / 2, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return laws().norm.sf((total - mean) / sd), laws().norm.sf((mean - total) / sd)


@dataclass(frozen=True, kw_only=True)
class WilcoxonPlanner(SimulatedPlanner):
    """Plan how many data sets: Wilcoxon's signed-rank test, for symmetric differences.

    They are taken to be normal. Of skewed ones the test has less power for their mean.

    The search begins at pi / 3 times what the t test takes, which is right for many normal
    differences (Hodges and Lehmann, 1956). Above 2000 data sets it also ends there.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences of the data sets, in the unit of the score.

    Examples
    --------
    >>> from skstat.stats import WilcoxonPlanner
    >>> plan = WilcoxonPlanner(sd=0.04)
    >>> n = plan.size(difference=0.04).stable
    >>> n, round(plan.power(n, 0.04), 1)
    (11, 0.8)
    """

    test: ClassVar[str] = "Wilcoxon's signed-rank test"
    function: ClassVar[str] = "wilcoxon"
    unit: ClassVar[str] = "data set"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation of the differences"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "data sets are independent, and their differences symmetric and close to normal",
    )
    references: ClassVar[tuple[Reference, ...]] = (WILCOXON_1945,)
    of_signs: ClassVar[bool] = True
    least: ClassVar[int] = 1

    sd: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)

    def _power(self, n: float, difference: float) -> float:
        if math.isinf(n):
            return 1.0 if difference else self.alpha
        return _wilcoxon_power(self, *self._as_drawn(n, difference / self.sd))

    def _near_size(self, difference: float, power: float) -> Size | None:
        alpha = 2 * self.alpha if self.one_sided else self.alpha
        near = math.ceil(t_size(difference / self.sd, power=power, alpha=alpha) * math.pi / 3)
        return None if near >= MOST else Size(near, near)

    def _size(self, difference: float, power: float) -> Size | None:
        near = self._near_size(difference, power)
        return near and self._search(difference, power, near.stable)

    def _scale(self) -> float:
        return self.sd


@lru_cache(maxsize=512)
def _wilcoxon_power(planner: WilcoxonPlanner, n: int, effect: float) -> float:
    found = 0
    for z in planner._draws(n):
        better, worse = _signed_rank_tails(z[..., 0] + effect)
        pvalue = better if planner.one_sided else 2 * np.minimum(better, worse)
        found += int((pvalue <= planner.alpha).sum())
    return found / planner.n_drawn(n)


@dataclass(frozen=True, kw_only=True)
class SystemsPlanner(SimulatedPlanner):
    """Plan how many data sets: one system that is better than all others, which are equal.

    The power is the expected share of the comparisons of that system that are significant
    after the adjustment.

    Attributes
    ----------
    sd : float
        Standard deviation of the difference of any two systems over data sets, in the unit of
        the score.
    n_systems : int
        Number of systems.
    post_hoc : {"wilcoxon", "nemenyi"}
        Wilcoxon's test of every pair with Holm's adjustment, or Nemenyi's test.
    control : bool
        Whether the better system is compared with each of the others only, and these not with
        each other.

    Examples
    --------
    >>> from skstat.stats import SystemsPlanner
    >>> pairs = SystemsPlanner(sd=0.04, n_systems=5, n_simulations=500)
    >>> control = SystemsPlanner(sd=0.04, n_systems=5, n_simulations=500, control=True)
    >>> control.power(30, 0.02) > pairs.power(30, 0.02)
    True
    """

    unit: ClassVar[str] = "data set"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation of the differences"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "data sets are independent, and scores on them normal",
        "one system is better than all others by the difference, and these are equal",
    )
    references: ClassVar[tuple[Reference, ...]] = (HOLM_1979, NEMENYI_1963)
    least: ClassVar[int] = 2

    sd: float
    n_systems: int
    post_hoc: PostHoc = "wilcoxon"
    control: bool = False
    n_simulations: int = 4000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)
        check_count("n_systems", self.n_systems, least=3)
        if self.post_hoc not in ("wilcoxon", "nemenyi"):
            raise ValueError(f"post_hoc={self.post_hoc!r} must be 'wilcoxon' or 'nemenyi'.")
        if self.post_hoc == "nemenyi" and self.control:
            raise ValueError("Nemenyi's test compares all pairs; leave control out.")
        if self.one_sided:
            raise ValueError("several systems are compared in both directions here.")

    @property
    def test(self) -> str:  # type: ignore[override]
        """Name of the test."""
        if self.post_hoc == "nemenyi":
            return "Nemenyi's test of all pairs"
        pairs = "the pairs with the control" if self.control else "all pairs"
        return f"Wilcoxon's test of {pairs}, adjusted by Holm's method"

    @property
    def _columns(self) -> int:
        return self.n_systems

    def _power(self, n: float, difference: float) -> float:
        if math.isinf(n):
            return 1.0 if difference else 0.0
        return _systems_power(self, *self._as_drawn(n, difference / self.sd))

    def _size(self, difference: float, power: float) -> Size | None:
        pairs = self.n_systems - 1 if self.control else math.comb(self.n_systems, 2)
        start = math.ceil(t_size(difference / self.sd, power=power, alpha=self.alpha / pairs))
        return self._search(difference, power, start)

    def _scale(self) -> float:
        return self.sd


@lru_cache(maxsize=512)
def _systems_power(planner: SystemsPlanner, n: int, effect: float) -> float:
    k, found = planner.n_systems, 0.0
    for z in planner._draws(n):
        z[..., 0] += effect * math.sqrt(2)
        if planner.post_hoc == "nemenyi":
            ranks = z.argsort(axis=-1).argsort(axis=-1).mean(axis=1)
            critical = laws().studentized_range.isf(planner.alpha, k, np.inf) / math.sqrt(2)
            least = critical * math.sqrt(k * (k + 1) / (6 * n))
            found += float((ranks[:, :1] - ranks[:, 1:] >= least).mean(axis=1).sum())
            continue
        first = [(0, j) for j in range(1, k)]
        others = [(i, j) for i in range(1, k) for j in range(i + 1, k)]
        alone = planner.control or k > _MANY_SYSTEMS
        pairs = first if alone else first + others
        tails = [_signed_rank_tails(z[..., i] - z[..., j]) for i, j in pairs]
        pvalues = np.stack([2 * np.minimum(*both) for both in tails], axis=1)
        better = np.stack([up <= down for up, down in tails], axis=1)
        m = len(first) if planner.control else len(first) + len(others)
        rejected = _holm(pvalues, planner.alpha, m) & better
        found += float(rejected[:, : k - 1].mean(axis=1).sum())
    return found / planner.n_drawn(n)


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
