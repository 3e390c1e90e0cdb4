"""Plans: power, sample sizes, detectable differences and precision of tests before data.

A plan is the standard error of a difference as a function of the number of units, with its
degrees of freedom; or the power of a test that is counted or simulated.
"""

import inspect
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, wraps
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, ndtri, stdtrit

from skstat.stats._chance import laws, root_between
from skstat.stats._procedure import Reference, works
from skstat.stats._read import shown
from skstat.stats._scores import check_count, check_number
from skstat.stats._stored import Stored
from skstat.stats._words import check_level, smallest_of_signs

MAX_UNITS = 10**8  # larger samples are not planned
_NODES = 1201

Errors = tuple[NDArray, NDArray]  # ratios of estimated to true standard errors, and weights
PLANS: dict[str, Callable[..., "Plan"]] = {}


_BELOW_1 = math.nextafter(1.0, 0.0)
_SD = "a finite standard deviation, in the unit of the score, "
_SOME = partial(check_number, above=0, what=f"{_SD}above 0")
_ANY = partial(check_number, least=0, what=f"{_SD}of at least 0")
_BETWEEN = partial(check_number, above=0, most=_BELOW_1, what="a share above 0 and below 1")
_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "alpha": partial(_BETWEEN, most=math.nextafter(0.5, 0.0), what="below 0.5 and above 0"),
    **dict.fromkeys(("sd", "standard_error"), _SOME),
    **dict.fromkeys(("sd_rows", "sd_seeds", "sd_rest", "sd_items", "sd_answers"), _ANY),
    "stays": _ANY,
    "ratio": partial(_SOME, what="test rows over training rows, above 0"),
    "df": partial(_SOME, what="a number above 0"),
    "icc": partial(_ANY, most=1, what="a correlation from 0 to 1"),
    "group_size": partial(check_number, least=1, what="at least 1 row per group"),
    "unequal": partial(check_number, least=1, what="at least 1, for one size"),
    "share": partial(_ANY, most=1, what="a share from 0 to 1"),
    "discordant": partial(_SOME, most=1, what="a share above 0 and at most 1"),
    "instability": partial(_ANY, most=_BELOW_1, what="a share of at least 0 and below 1"),
    **dict.fromkeys(("area", "prevalence"), _BETWEEN),
    **dict.fromkeys(("n", "n_answers"), check_count),
    "n_rows": partial(check_count, least=2),
    "n_systems": partial(check_count, least=3),
    "n_simulations": partial(check_count, least=100),
    "seed": partial(check_count, least=0),
}


def smallest(holds: Callable[[int], bool], *, minimum: int = 1) -> int | None:
    """Return the smallest whole number from which a monotone condition holds, if any.

    None above `MAX_UNITS`.
    """
    low, high = minimum - 1, minimum
    while not holds(high):
        if high >= MAX_UNITS:
            return None
        low, high = high, min(2 * high, MAX_UNITS)
    return low + 1 + bisect_left(range(low + 1, high), True, key=holds)


def _root(excess: Callable[[float], float], scale: float, upper: float) -> float:
    """Return the root of a rising function between 0 and `upper`; nan where there is none."""
    high = min(upper, max(scale, 1e-300))
    while excess(high) < 0:
        if high >= upper or high > 1e9 * scale:
            return math.nan
        high = min(2 * high, upper)
    return root_between(excess, 0.0, high, xtol=1e-9 * high, rtol=1e-12)


def normal(n: float) -> float:
    """Return infinity, the degrees of freedom of a normal law for any number of units."""
    return math.inf


class Size(NamedTuple):
    """Number of units that a plan needs.

    Attributes
    ----------
    first : int
        The first size that has the power.
    stable : int
        The size from which all larger ones have it, too. It is larger than `first` where the
        power rises in saw teeth, because counts are whole numbers.
    """

    first: int
    stable: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan(Stored):
    """A planned test: its assumptions, power, sample size and precision.

    The functions ``plan_...`` of :mod:`skstat.stats` make plans. The difference to plan for is
    never an observed one: power at the estimate of the same data only restates its p-value
    (Hoenig and Heisey, 2001). Plans of the same call are equal.

    Attributes
    ----------
    test : str
        Name of the test.
    unit : str
        What is counted.
    varied : mapping of str to str
        Parameters that :meth:`variants` halves and doubles, with what they are in words.
    assumptions : tuple of str
        What must hold.
    error : callable or None
        Standard error of the difference, of the number of units and the true difference; None
        where the test has none.
    df : callable
        Degrees of freedom, of the number of units; infinite for a normal law.
    errors : callable or None
        Law of the ratio of the estimated to the true standard error, as values and weights, of
        the number of units; by default that of `df`.
    width : callable or None
        Half of the width of the interval, of the number of units and the level, where it does
        not follow from the standard error.
    exact : callable or None
        Power that is counted or simulated, of the number of units and the difference.
    search : callable or None
        Size of such a plan, of the difference, the power, and whether an approximate size is
        enough.
    drawn : callable or None
        Number of simulated samples, of the number of units.
    references : tuple of Reference
        The works behind it.
    least : int
        The smallest number of units.
    largest : float
        The largest difference that is possible.
    function : str
        The function of :mod:`skstat.stats` that makes the test; maybe empty.
    of_signs : bool
        Whether no p-value is smaller than that of differences which all have one sign.
    beyond : str
        What helps where more units do not.
    zeros : mapping of str to float
        Values that :meth:`variants` tries for parameters that are 0.
    made_by : str
        The function that made the plan.
    assumed : mapping of str to object
        All parameters that it was called with.
    alpha, one_sided : float, bool
        Level of the test, and whether only one direction counts.
    margin : float or None
        The margin within which two systems are to be shown to be the same: :meth:`within`.
    """

    _written: ClassVar[tuple[str, ...]] = ("made_by", "assumed", "margin")

    test: str
    unit: str
    varied: Mapping[str, str]
    assumptions: tuple[str, ...]
    error: Callable[[float, float], float] | None = None
    df: Callable[[float], float] = normal
    errors: Callable[[float], Errors] | None = None
    width: Callable[[float, float], float] | None = None
    exact: Callable[[float, float], float] | None = None
    search: Callable[[float, float, bool], Size | None] | None = None
    drawn: Callable[[int], int] | None = None
    references: tuple[Reference, ...] = ()
    least: int = 2
    largest: float = math.inf
    function: str = ""
    of_signs: bool = False
    beyond: str = ""
    zeros: Mapping[str, float] = field(default_factory=dict)
    made_by: str = ""
    assumed: Mapping[str, Any] = field(default_factory=dict)
    alpha: float = 0.05
    one_sided: bool = False
    margin: float | None = None

    @classmethod
    def _read(cls, state: Mapping[str, Any]) -> Any:
        plan = PLANS[state["made_by"]](**state["assumed"])
        return plan if state["margin"] is None else plan.within(state["margin"])

    def __reduce__(self) -> Any:
        return Plan.from_dict, (self.to_dict(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.to_dict() == other.to_dict()

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.assumed.items())
        margin = "" if self.margin is None else f".within({self.margin!r})"
        return f"{self.made_by}({arguments}){margin}"

    @property
    def basis(self) -> Literal["exact", "formula", "simulation"]:
        """How the power is computed."""
        if self.exact is None:
            return "formula"
        return "simulation" if self.drawn else "exact"

    @property
    def has_interval(self) -> bool:
        """Whether the plan knows how wide the interval of the difference will be."""
        return self.error is not None and self.margin is None

    def assuming(self, **changes: Any) -> "Plan":
        """Return the same plan with other values of its parameters.

        Parameters
        ----------
        **changes
            Parameters of the function that made the plan, with their new values.

        Returns
        -------
        Plan
            The plan.
        """
        return Plan._read(vars(self) | {"assumed": {**self.assumed, **changes}})

    def within(self, margin: float) -> "Plan":
        """Return the plan to show that two systems are the same within a margin.

        With ``one_sided=True`` one test is made, that the first system is not worse by the
        margin, as a gate does. Otherwise there are two, that it is neither worse nor better by
        it (Schuirmann, 1987). The true difference that power and size are asked at is that of
        the first system from the second; 0, if they are equal.

        Parameters
        ----------
        margin : float
            The smallest difference that matters, in the unit of the score.

        Returns
        -------
        Plan
            The plan, by the same standard error.

        Raises
        ------
        ValueError
            If the margin is not above 0, or the test has no standard error.

        Examples
        --------
        >>> from skstat.stats import plan_mcnemar
        >>> plan_mcnemar(0.1).within(0.02).size().stable
        2141
        >>> gate = plan_mcnemar(0.1, one_sided=True).within(0.02)
        >>> gate.size().stable, round(gate.flips(1546), 2)
        (1546, 0.32)
        """
        check_number("margin", margin, above=0, what="a difference above 0")
        if self.error is None:
            advice = "over data sets say test='paired_t'"
            raise ValueError(f"margin= is not planned for the {self.test}; {advice}.")
        test = "one-sided test" if self.one_sided else "two one-sided tests"
        return replace(
            self,
            test=f"{test} against the margin",
            assumptions=(*self.assumptions, "the estimate is close to normal"),
            references=(works.SCHUIRMANN_1987,),
            exact=None,
            search=None,
            largest=math.inf,
            margin=margin,
        )

    def power(self, n: float, difference: float = 0.0) -> float:
        """Return the power on `n` units.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            The true difference, in the unit of the score; with a margin that of the first
            system from the second.

        Returns
        -------
        float
            Probability of a significant difference, or of what a margin is to show.
        """
        return self._power(self._check_n(n), self._check_difference(difference))

    def _power(self, n: float, difference: float) -> float:
        if self.exact is not None and math.isfinite(n):
            return self.exact(n, difference)
        error, margin = self.standard_error(n, difference), self.margin
        if error == 0 or self.exact is not None:
            return self._limit_power(difference)
        # Given that the standard error is s times the true one, a test rejects beyond t s
        # (Johnson, Kotz and Balakrishnan, 1995, equation 31.1); SciPy's noncentral t is nan
        # for large noncentralities.
        s, weights = self._errors_at(n)
        both = not self.one_sided
        tail = self.alpha / 2 if both and margin is None else self.alpha
        critical, border = self._quantile(tail, n) * s, margin or 0.0
        rejects = ndtr((border + difference) / error - critical)
        if both:
            rejects = rejects + ndtr((border - difference) / error - critical)
            rejects = rejects if margin is None else np.maximum(0.0, rejects - 1)
        return float(min(1.0, weights @ rejects))

    def _limit_power(self, difference: float) -> float:
        """Return the power where the standard error is 0."""
        if self.margin is None:
            return 1.0 if difference else self.alpha
        inside = -self.margin < difference and (self.one_sided or difference < self.margin)
        return float(inside)

    def size(
        self, difference: float = 0.0, power: float = 0.8, *, roughly: bool = False
    ) -> Size | None:
        """Return the number of units for a test of a difference, or against the margin.

        Parameters
        ----------
        difference : float, default=0.0
            The smallest difference that matters, in the unit of the score; with a margin the
            true difference of the first system from the second, below 0 if it is worse.
        power : float, default=0.8
            Power of the test.
        roughly : bool, default=False
            Whether an approximate number is enough, where the exact one would take long.

        Returns
        -------
        Size or None
            None where no size has this power: the difference is below the :meth:`floor`, or
            it would take more than 10^8 units.
        """
        self._check_power(power)
        difference = self._check_difference(difference)
        if self.margin is None and difference == 0:
            raise ValueError("no size shows difference=0; to show equality give margin=.")
        if self.margin is not None and not self._limit_power(difference):
            reason = f"not within the margin of {self.margin:g}: no size shows that it is"
            raise ValueError(f"difference={difference!r} is {reason}.")
        if self._power(math.inf, difference) < power:
            return None
        if self.search is not None:
            return self.search(difference, power, roughly)
        n = smallest(lambda n: self._power(n, difference) >= power, minimum=self.least)
        return None if n is None else Size(n, n)

    def detectable(self, n: float, power: float = 0.8) -> float:
        """Return the smallest difference that is significant with this power.

        Parameters
        ----------
        n : int
            Number of units.
        power : float, default=0.8
            Power of the test.

        Returns
        -------
        float
            In the unit of the score; nan where no difference has this power. With a margin
            the smallest one within which equal systems are shown to be the same, or not worse.
        """
        self._check_power(power)
        n = self._check_n(n)
        error = self.standard_error(n if self.margin is not None else self.least)
        if self.margin is None:
            scale = float(self.assumed["sd"]) if self.error is None else error or 1.0
            return _root(lambda d: self._power(n, d) - power, scale, self.largest)
        if error == 0:
            return 0.0
        return _root(lambda m: replace(self, margin=m)._power(n, 0) - power, error, math.inf)

    def floor(self, power: float = 0.8) -> float:
        """Return the smallest detectable difference with infinitely many units.

        Parameters
        ----------
        power : float, default=0.8
            Power of the test.

        Returns
        -------
        float
            0 where more units always help.
        """
        self._check_power(power)
        helps = not self.has_interval or self.standard_error(math.inf) == 0
        return 0.0 if helps else self.detectable(math.inf, power)

    def standard_error(self, n: float, difference: float = 0.0) -> float:
        """Return the standard error of the difference of the scores.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            The true difference, which matters for right and wrong answers only.

        Returns
        -------
        float
            In the unit of the score; nan where the test has none.
        """
        return math.nan if self.error is None else self.error(n, difference)

    def half_width(self, n: float, confidence_level: float = 0.95) -> float:
        """Return half of the expected width of the confidence interval.

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
        check_level(confidence_level)
        n = self._check_n(n)
        if self.width is not None:
            return self.width(n, confidence_level)
        s, weights = self._errors_at(n)
        error = self.standard_error(n) * math.sqrt(float(weights @ s**2))
        return self._quantile((1 - confidence_level) / 2, n) * error

    def size_for(self, half_width: float, confidence_level: float = 0.95) -> int | None:
        """Return the smallest number of units with an interval that is at most as wide.

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
        if not self.has_interval:
            raise ValueError(f"half_width= has no plan for the {self.test}; give difference=.")
        if self.half_width(math.inf, confidence_level) >= half_width:
            return None
        return smallest(
            lambda n: self.half_width(n, confidence_level) <= half_width, minimum=self.least
        )

    def flips(self, n: float, difference: float = 0.0) -> float:
        """Return the probability that two runs on new units disagree.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float, default=0.0
            The true difference.

        Returns
        -------
        float
            ``2 p (1 - p)``, where p is the power.
        """
        p = self.power(n, difference)
        return 2 * p * (1 - p)

    def variants(self) -> Iterator[tuple[str, float, "Plan"]]:
        """Yield the plans with each varied parameter halved and doubled.

        Yields
        ------
        (str, float, Plan)
            The parameter in words, its other value, and the plan with it.
        """
        trials = [(name, new) for name, new in self.zeros.items() if not self.assumed[name]]
        trials += [(name, c * self.assumed[name]) for name in self.varied for c in (0.5, 2.0)]
        for name, value in trials:
            try:
                plan = self.assuming(**{name: value})
            except ValueError:  # the value is not possible
                continue
            if value:
                yield self.varied[name], value, plan

    def smallest_pvalue(self, n: int) -> float:
        """Return the smallest possible p-value.

        Parameters
        ----------
        n : int
            Number of units.

        Returns
        -------
        float
            That of differences which all have one sign; 0 where the test has no such limit.
        """
        alternative = "greater" if self.one_sided else "two-sided"
        return smallest_of_signs(alternative, n) if self.of_signs else 0.0

    def monte_carlo_error(self, n: int, power: float) -> float:
        """Return the standard error of a simulated power.

        Parameters
        ----------
        n : int
            Number of units.
        power : float
            The simulated power.

        Returns
        -------
        float
            ``sqrt(power (1 - power) / samples)``; 0 where nothing is simulated.
        """
        if self.drawn is None:
            return 0.0
        return math.sqrt(max(0.0, power * (1 - power)) / self.drawn(n))

    def _errors_at(self, n: float) -> Errors:
        return errors_of(self.df(n)) if self.errors is None else self.errors(n)

    def _quantile(self, tail: float, n: float) -> float:
        """Return the upper quantile of Student's t, or of the normal law."""
        df = self.df(n)
        return -float(ndtri(tail) if math.isinf(df) else stdtrit(df, tail))

    def _check_power(self, power: Any) -> None:
        what = f"between alpha={self.alpha:g} and 1; write power=0.8"
        check_number("power", power, above=self.alpha, most=_BELOW_1, what=what)

    def _check_n(self, n: float) -> float:
        if n == math.inf:
            return n
        count = check_count("n", n, least=self.least)
        if count > MAX_UNITS:
            limit = f"the {MAX_UNITS} {self.unit}s that plans go up to"
            raise ValueError(f"n={shown(n)} is more than {limit}; give fewer, or float('inf').")
        return count

    def _check_difference(self, difference: float) -> float:
        value = check_number("difference", difference)
        if self.margin is None and abs(value) > self.largest:
            limit = f"more than is possible: at most {self.largest:g}"
            raise ValueError(f"difference={difference!r} is {limit}.")
        return abs(value) if self.margin is None else value


def _level_parameters(*, alpha: float = 0.05, one_sided: bool = False) -> None:
    """Declare the parameters of plans that take ``**level``."""


def planning(function: Callable[..., Plan]) -> Callable[..., Plan]:
    """Decorate a function that makes plans: check its arguments, and store them in the plan."""
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    if len(parameters) < len(signature.parameters):
        parameters += inspect.signature(_level_parameters).parameters.values()
    signature = signature.replace(parameters=parameters)

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Plan:
        call = signature.bind(*args, **kwargs)
        call.apply_defaults()
        assumed = call.arguments
        for name, check in _CHECKS.items():
            if name in assumed and assumed[name] is not signature.parameters[name].default:
                check(name, assumed[name])
        level = {name: assumed[name] for name in ("alpha", "one_sided") if name in assumed}
        plan = function(*call.args, **call.kwargs)
        return replace(plan, made_by=function.__name__, assumed=assumed, **level)

    wrapper.__signature__ = signature  # type: ignore[attr-defined]
    PLANS[function.__name__] = wrapper
    return wrapper


@lru_cache(maxsize=256)
def errors_of(df: float) -> Errors:
    """Return the law of an estimated standard error over the true one: ``sqrt(chi2 / df)``.

    Values and weights of the trapezoid rule in the logarithm of chi2.
    """
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    low, high = math.log(laws().chi2.ppf(1e-18, df)), math.log(laws().chi2.isf(1e-18, df))
    u = np.linspace(low, high, _NODES)
    density = np.exp(df * (u - math.log(2)) / 2 - np.exp(u) / 2 - gammaln(df / 2))
    weights = density * (u[1] - u[0])
    weights[[0, -1]] /= 2
    return np.exp((u - math.log(df)) / 2), weights
