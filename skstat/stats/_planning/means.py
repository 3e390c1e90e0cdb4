"""Plans for tests of a mean difference: rows, groups, answers, seeds, data sets, splits."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr

from skstat.stats._common import Reference, laws, root_between
from skstat.stats._literature import (
    BROWNE_1995,
    NADEAU_BENGIO_2003,
    SATTERTHWAITE_1946,
    SCHUIRMANN_1987,
)
from skstat.stats._planning.planner import (
    MOST,
    Planner,
    Size,
    Variant,
    check_power,
    check_sd,
    check_share,
    check_test_level,
    smallest,
)
from skstat.stats._samples import check_count, check_number

_NODES = 1201

Law = tuple[NDArray, NDArray]  # values, and weights of a mean over them


@lru_cache(maxsize=256)
def errors_of(df: float) -> Law:
    """Law of an estimated standard error over the true one: ``sqrt(chi2 / df)``.

    Trapezoids in the logarithm of chi2.
    """
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    low, high = math.log(laws().chi2.ppf(1e-18, df)), math.log(laws().chi2.isf(1e-18, df))
    u = np.linspace(low, high, _NODES)
    density = np.exp(df * (u - math.log(2)) / 2 - np.exp(u) / 2 - gammaln(df / 2))
    weights = density * (u[1] - u[0])
    weights[[0, -1]] /= 2
    return np.exp((u - math.log(df)) / 2), weights


def mean_over(law: Law, values: Callable[[NDArray], NDArray]) -> float:
    """Mean of a function of the estimated standard error over the true one."""
    s, weights = law
    return float(min(1.0, weights @ values(s)))


def quantile(alpha: float, df: float) -> float:
    """Quantile of Student's t that is passed with probability `alpha`."""
    return float(laws().norm.isf(alpha) if math.isinf(df) else laws().t.isf(alpha, df))


def power_of(
    law: Law, noncentrality: float, df: float, *, alpha: float, one_sided: bool
) -> float:
    """Power of a test that compares the estimate over its standard error with Student's t.

    Given that the standard error is s times the true one, the test rejects beyond t s
    (Johnson, Kotz and Balakrishnan, 1995, equation 31.1).
    """
    beyond = quantile(alpha if one_sided else alpha / 2, df)

    def rejects(s: NDArray) -> NDArray:
        upper: NDArray = ndtr(noncentrality - beyond * s)
        return upper if one_sided else upper + ndtr(-noncentrality - beyond * s)

    return mean_over(law, rejects)


def t_power(
    noncentrality: float, df: float, *, alpha: float = 0.05, one_sided: bool = False
) -> float:
    """Power of a t test, of a normal law where `df` is infinite.

    SciPy's noncentral t is nan for large noncentralities; this integral is not.
    """
    check_test_level(alpha)
    check_number("noncentrality", noncentrality)
    if not df > 0:
        raise ValueError(f"df={df!r} must be a number of degrees of freedom above 0.")
    return power_of(errors_of(df), noncentrality, df, alpha=alpha, one_sided=one_sided)


def t_size(effect: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Smallest number of independent units; `effect` is mean / standard deviation."""
    check_test_level(alpha)
    check_power(power, alpha)
    if effect == 0:
        raise ValueError("effect=0: no number of units shows a difference that does not exist.")

    def reaches(n: int) -> bool:
        return t_power(abs(effect) * math.sqrt(n), n - 1, alpha=alpha) >= power

    return smallest(reaches, least=2) or MOST


@dataclass(frozen=True, kw_only=True)
class MeanTypePlanner(Planner):
    """A plan whose estimate is close to normal, with a standard error that it can tell."""

    @abstractmethod
    def _error(self, n: float, difference: float) -> float:
        """Standard error on `n` units."""

    def _df(self, n: float) -> float:
        """Degrees of freedom on `n` units."""
        return math.inf

    def _errors(self, n: float) -> Law:
        """Law of the estimated standard error over the true one."""
        return errors_of(self._df(n))

    def standard_error(self, n: float, difference: float = 0.0) -> float:
        """Standard error of the difference of the scores.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            The true difference, which matters for right and wrong answers only.

        Returns
        -------
        float
            In the unit of the score.
        """
        return self._error(n, difference)

    def df(self, n: float) -> float:
        """Degrees of freedom of the test; infinite for a normal law.

        Parameters
        ----------
        n : int
            Number of units.

        Returns
        -------
        float
            Degrees of freedom.
        """
        return self._df(n)

    def _power(self, n: float, difference: float) -> float:
        error = self.standard_error(n, difference)
        if error == 0:
            return 1.0 if difference else 0.0
        return power_of(
            self._errors(n), difference / error, self.df(n), alpha=self.alpha,
            one_sided=self.one_sided,
        )  # fmt: skip

    def floor(self, power: float = 0.8) -> float:
        check_power(power, self.alpha)
        least = self.standard_error(math.inf)
        return 0.0 if least == 0 else self.detectable(math.inf, power)

    def half_width(self, n: float, confidence_level: float = 0.95) -> float:
        """Half of the expected width of the confidence interval of the difference.

        Parameters
        ----------
        n : int
            Number of units.
        confidence_level : float, default=0.95
            Level of the interval.

        Returns
        -------
        float
            In the unit of the score.
        """
        values, weights = self._errors(n)
        seen = self.standard_error(n) * math.sqrt(float(weights @ values**2))
        return quantile((1 - confidence_level) / 2, self.df(n)) * seen

    def size_for(self, half_width: float, confidence_level: float = 0.95) -> int | None:
        """Smallest number of units with an interval that is at most as wide.

        Parameters
        ----------
        half_width : float
            Half of the width of the interval, in the unit of the score.
        confidence_level : float, default=0.95
            Level of the interval.

        Returns
        -------
        int or None
            None where no number gives it, or it would take more than 10^8 units.
        """
        check_number("half_width", half_width, above=0, what="a number above 0")
        least = self.half_width(math.inf, confidence_level)
        if least >= half_width:
            return None
        return smallest(
            lambda n: self.half_width(n, confidence_level) <= half_width, least=self.least
        )

    def _scale(self) -> float:
        return self.standard_error(self.least) or 1.0


@dataclass(frozen=True, kw_only=True)
class RowsPlanner(MeanTypePlanner):
    """Plan a test set: two systems, any metric.

    The standard error is ``sd / sqrt(n)``. For a metric that is a mean over rows `sd` is the
    standard deviation of the differences of the rows. For any other it follows from the
    standard error on a pilot: ``sd = standard_error * sqrt(n_pilot)``.

    Attributes
    ----------
    sd : float
        Standard deviation of one row's part in the difference, in the unit of the score.

    Examples
    --------
    >>> from skstat.stats import RowsPlanner
    >>> RowsPlanner(sd=0.5).size(difference=0.05)
    Size(first=785, stable=785)
    """

    test: ClassVar[str] = "test of the difference by its standard error (normal law)"
    unit: ClassVar[str] = "row"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation per row"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "rows are independent, and their classes have the shares of the pilot",
    )

    sd: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)

    def _error(self, n: float, difference: float) -> float:
        return self.sd / math.sqrt(n)


@dataclass(frozen=True, kw_only=True)
class PairedTPlanner(MeanTypePlanner):
    """Plan a paired t test: two systems on data sets, on rows, or on other independent units.

    The standard error is ``sd / sqrt(n)``, with ``n - 1`` degrees of freedom.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences of the units, in the unit of the score.
    of : str
        What a unit is.

    Examples
    --------
    >>> from skstat.stats import PairedTPlanner
    >>> PairedTPlanner(sd=0.04).size(difference=0.02).stable
    34
    """

    test: ClassVar[str] = "paired t test"
    function: ClassVar[str] = "paired_t"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation of the differences"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "units are independent, and their differences close to normal",
    )

    sd: float
    of: str = "data set"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What a unit is."""
        return self.of

    def _error(self, n: float, difference: float) -> float:
        return self.sd / math.sqrt(n)

    def _df(self, n: float) -> float:
        return n - 1


@dataclass(frozen=True, kw_only=True)
class SeedsPlanner(MeanTypePlanner):
    """Plan how many seeds: systems with several seeds each, on the same test set.

    The variance of the difference is ``sd_rows^2 / n_rows + sd_seeds^2 / n + sd_rest^2 /
    (n_rows n)`` for n seeds. Its degrees of freedom are those of :func:`crossed_t`, by
    Satterthwaite's formula (1946, equation 17) of the expected mean squares. More seeds never
    get below the first part.

    Attributes
    ----------
    sd_rows : float
        Standard deviation over rows of the difference, in the unit of the score.
    sd_seeds : float
        Standard deviation over seeds of the difference of the mean scores: the root of the sum
        of both systems' variances, where seeds are not paired.
    sd_rest : float
        Standard deviation of what rows and seeds do together, in the same way.
    n_rows : int
        Rows of the test set.
    paired_seeds : bool
        Whether seed i of both systems belongs together.

    Examples
    --------
    >>> from skstat.stats import SeedsPlanner
    >>> plan = SeedsPlanner(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.3, n_rows=2000)
    >>> plan.size(difference=0.025).stable
    5
    >>> round(plan.floor(), 3)
    0.019
    """

    test: ClassVar[str] = "crossed t test over seeds and rows"
    function: ClassVar[str] = "crossed_t"
    beyond: ClassVar[str] = "a larger test set"
    unit: ClassVar[str] = "seed"
    assumed: ClassVar[dict[str, str]] = {
        "sd_seeds": "standard deviation over seeds",
        "sd_rows": "standard deviation over rows",
    }
    assumptions: ClassVar[tuple[str, ...]] = (
        "rows are independent of each other, and so are seeds",
        "effects of seeds and rows are close to normal",
    )
    references: ClassVar[tuple[Reference, ...]] = (SATTERTHWAITE_1946,)

    sd_rows: float
    sd_seeds: float
    sd_rest: float
    n_rows: int
    paired_seeds: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sd_rows", "sd_seeds", "sd_rest"):
            check_sd(name, getattr(self, name), zero=True)
        check_count("n_rows", self.n_rows, least=2)
        if self.sd_rows == self.sd_seeds == self.sd_rest == 0:
            raise ValueError("sd_rows, sd_seeds and sd_rest are 0: nothing varies.")

    def _parts(self, n: float) -> tuple[float, float, float]:
        rest = self.sd_rest**2 / (n * self.n_rows)
        return self.sd_rows**2 / self.n_rows, self.sd_seeds**2 / n, rest

    def _error(self, n: float, difference: float) -> float:
        return math.sqrt(sum(self._parts(n)))

    def _df(self, n: float) -> float:
        if math.isinf(n):
            return self.n_rows - 1
        rows, seeds, rest = self._parts(n)
        systems = 1 if self.paired_seeds else 2
        free = systems * (n - 1)
        terms = ((rows + rest, self.n_rows - 1), (seeds + rest, free))
        inverse = sum(term**2 / df for term, df in (*terms, (rest, free * (self.n_rows - 1))))
        return (rows + seeds + rest) ** 2 / inverse


@dataclass(frozen=True, kw_only=True)
class SplitsPlanner(MeanTypePlanner):
    """Plan how many splits of one data set: the corrected t test.

    If any two splits are correlated as Nadeau and Bengio (2003, section 3) assume, the
    statistic is noncentral t of ``n - 1`` degrees of freedom, with noncentrality ``difference /
    (sd sqrt(1 / n + n_test / n_train))``. More splits never get below ``sd sqrt(n_test /
    n_train)``.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences of splits, in the unit of the score.
    ratio : float
        Rows for testing over rows for training of a split.

    Examples
    --------
    >>> from skstat.stats import SplitsPlanner
    >>> plan = SplitsPlanner(sd=0.02, ratio=1 / 9)
    >>> round(plan.detectable(30), 4), round(plan.floor(), 4)
    (0.022, 0.0187)
    """

    test: ClassVar[str] = "corrected t test"
    function: ClassVar[str] = "corrected_t"
    beyond: ClassVar[str] = "more data"
    unit: ClassVar[str] = "split"
    assumed: ClassVar[dict[str, str]] = {"sd": "standard deviation of splits"}
    assumptions: ClassVar[tuple[str, ...]] = (
        "any two splits are correlated by n_test / (n_train + n_test); where the true "
        "correlation is larger the test rejects too often, and more so than planned",
    )
    references: ClassVar[tuple[Reference, ...]] = (NADEAU_BENGIO_2003,)

    sd: float
    ratio: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)
        check_number("ratio", self.ratio, above=0, what="test rows over training rows, above 0")

    def _error(self, n: float, difference: float) -> float:
        return self.sd * math.sqrt(1 / n + self.ratio)

    def _df(self, n: float) -> float:
        return n - 1


def upper_limit(sd: float, df: float, level: float = 0.8) -> float:
    """Upper limit of a standard deviation that was estimated on `df` degrees of freedom.

    ``sd * sqrt(df / q)``, where q is the ``1 - level`` quantile of chi-squared (Browne, 1995).
    Plans from the estimate itself miss their power half of the time.
    """
    check_share("level", level)
    return float(sd * math.sqrt(df / laws().chi2.ppf(1 - level, df)))


@dataclass(frozen=True, kw_only=True)
class PilotPlanner(MeanTypePlanner):
    """Plan from the standard error of a comparison that was made, of any test.

    The variance of the difference on `n` units is ``falls^2 n_pilot / n + stays^2``.

    Attributes
    ----------
    falls : float
        Standard error in the pilot, as far as it falls with more units; better an upper limit
        of it.
    n_pilot : int
        Units of the pilot.
    stays : float
        The rest of it, which more units do not change.
    of : str
        What a unit is.
    freedom : float or None
        Degrees of freedom of the test, where more units do not change them. None where they
        are one less than the units.
    made_by : str
        Name of the test.
    helps : str
        What makes `stays` smaller.

    Examples
    --------
    >>> from skstat.stats import PilotPlanner
    >>> PilotPlanner(falls=0.0418, n_pilot=113, freedom=1e6).size(difference=0.05).stable
    620
    """

    assumed: ClassVar[dict[str, str]] = {"falls": "standard error in the pilot"}
    references: ClassVar[tuple[Reference, ...]] = (BROWNE_1995,)

    falls: float
    n_pilot: int
    stays: float = 0.0
    of: str = "row"
    freedom: float | None = None
    made_by: str = "same test"
    helps: str = "more rows"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("falls", self.falls)
        check_sd("stays", self.stays, zero=True)
        check_count("n_pilot", self.n_pilot)
        if self.freedom is not None:
            check_number("freedom", self.freedom, above=0, what="a number above 0")

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What a unit is."""
        return self.of

    @property
    def test(self) -> str:  # type: ignore[override]
        """Name of the test."""
        return self.made_by

    @property
    def beyond(self) -> str:  # type: ignore[override]
        """What helps where more units do not."""
        return self.helps

    @property
    def assumptions(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is taken for granted."""
        return (
            f"more {self.of}s are like those of the pilot, and vary as much",
            "the difference stays as it is with more of them",
        )

    def _error(self, n: float, difference: float) -> float:
        return math.hypot(self.falls * math.sqrt(self.n_pilot / n), self.stays)

    def _df(self, n: float) -> float:
        return n - 1 if self.freedom is None else self.freedom


def margin_power(
    error: float,
    margin: float,
    delta: float,
    *,
    alpha: float,
    df: float = math.inf,
    both: bool = True,
    law: Law | None = None,
) -> float:
    """Power of one-sided tests against a margin, or of two of them (Schuirmann, 1987).

    Where the standard error is s times the true one, both reject if the estimate lies within
    ``margin - t s error`` of zero. `law` is that of s, by default the one of `df`.
    """
    beyond = quantile(alpha, df)

    def rejects(s: NDArray) -> NDArray:
        lower: NDArray = ndtr((margin + delta) / error - beyond * s)
        if not both:
            return lower
        return np.maximum(0.0, lower + ndtr((margin - delta) / error - beyond * s) - 1)

    return mean_over(errors_of(df) if law is None else law, rejects)


@dataclass(frozen=True, kw_only=True)
class MarginPlanner(Planner):
    """Plan to show that two systems are the same within a margin, or that one is not worse.

    With ``one_sided=True`` one test is made, that the first system is not worse by the margin,
    as a gate does. Otherwise there are two, that it is neither worse nor better by it
    (Schuirmann, 1987). The true difference that power and size are asked at is that of the
    first system from the second; 0, if they are equal.

    Attributes
    ----------
    of : MeanTypePlanner
        Plan whose standard error is used: of a test set, groups, items with several answers,
        seeds, or splits.
    margin : float
        The smallest difference that matters, in the unit of the score.

    Examples
    --------
    >>> from skstat.stats import MarginPlanner, McNemarPlanner
    >>> rows = McNemarPlanner(discordant=0.1)
    >>> MarginPlanner(of=rows, margin=0.02).size().stable
    2141
    >>> gate = MarginPlanner(of=rows, margin=0.02, one_sided=True)
    >>> gate.size().stable, round(gate.flips(1546), 2)
    (1546, 0.32)
    """

    assumed: ClassVar[dict[str, str]] = {}
    references: ClassVar[tuple[Reference, ...]] = (SCHUIRMANN_1987,)

    of: MeanTypePlanner
    margin: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("margin", self.margin, above=0, what="a difference above 0")

    @property
    def test(self) -> str:  # type: ignore[override]
        """Name of the test."""
        if self.one_sided:
            return "one-sided test against the margin"
        return "two one-sided tests against the margin"

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What a unit is."""
        return self.of.unit

    @property
    def beyond(self) -> str:  # type: ignore[override]
        """What helps where more units do not."""
        return self.of.beyond

    @property
    def least(self) -> int:  # type: ignore[override]
        """Smallest number of units."""
        return self.of.least

    @property
    def assumptions(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is taken for granted."""
        return (*self.of.assumptions, "the estimate is close to normal")

    def variants(self) -> Iterator[Variant]:
        for words, value, planner in self.of.variants():
            if isinstance(planner, MeanTypePlanner):
                yield Variant(words, value, replace(self, of=planner))

    def power(self, n: float, difference: float = 0.0) -> float:
        """Probability that it is shown, on `n` units.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            True difference of the first system from the second; below 0 if it is worse.

        Returns
        -------
        float
            The power.
        """
        return self._power(self._checked(n), check_number("difference", difference))

    def _power(self, n: float, difference: float) -> float:
        error, both = self.of.standard_error(n, difference), not self.one_sided
        if error == 0:
            inside = -self.margin < difference and (not both or difference < self.margin)
            return float(inside)
        return margin_power(
            error, self.margin, difference, alpha=self.alpha, df=self.of.df(n), both=both,
            law=self.of._errors(n),
        )  # fmt: skip

    def size(self, difference: float = 0.0, power: float = 0.8) -> Size | None:
        """Number of units on which it is shown.

        Parameters
        ----------
        difference : float, default=0.0
            True difference of the first system from the second; below 0 if it is worse.
        power : float, default=0.8
            Probability with which it is to be shown.

        Returns
        -------
        Size or None
            None where no size has this power.
        """
        check_power(power, self.alpha)
        check_number("difference", difference)
        if difference <= -self.margin or (not self.one_sided and difference >= self.margin):
            raise ValueError(
                f"difference={difference!r} is not within the margin of {self.margin:g}, so "
                "that no size shows that it is. Give a true difference that is smaller."
            )
        if self._power(math.inf, difference) < power:
            return None
        return self._size(difference, power)

    def detectable(self, n: float, power: float = 0.8) -> float:
        """Smallest margin within which equal systems are shown to be the same, or not worse.

        Parameters
        ----------
        n : int
            Number of units.
        power : float, default=0.8
            Probability with which it is to be shown.

        Returns
        -------
        float
            In the unit of the score.
        """
        check_power(power, self.alpha)
        n = self._checked(n)
        error = self.of.standard_error(n)
        if error == 0:
            return 0.0

        def missing(margin: float) -> float:
            return replace(self, margin=margin)._power(n, 0.0) - power

        high = error
        while missing(high) < 0:
            high *= 2
        return float(root_between(missing, 1e-9 * error, high))

    def flips(self, n: float, difference: float = 0.0) -> float:
        """Probability that two runs on new units disagree whether it is shown.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            True difference of the first system from the second.

        Returns
        -------
        float
            ``2 p (1 - p)``, where p is the power.
        """
        shown = self.power(n, difference)
        return 2 * shown * (1 - shown)
