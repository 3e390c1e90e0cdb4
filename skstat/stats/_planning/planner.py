"""What every plan can be asked: power, size, and the smallest detectable difference."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from skstat.stats._common import Reference, Stored, root_between
from skstat.stats._outcomes import check_alpha, smallest_of_signs
from skstat.stats._samples import check_count, check_number, shown

MOST = 10**8  # units: what would take more is not planned

Basis = Literal["exact", "formula", "simulation"]


def check_power(power: Any, alpha: float) -> float:
    """Return a power above the level of the test and below 1; refuse anything else."""
    number = isinstance(power, Real) and not isinstance(power, bool | np.bool_)
    if not number or not alpha < float(power) < 1:
        raise ValueError(
            f"power={shown(power)} must lie between alpha={alpha:g} and 1; write power=0.8."
        )
    return float(power)


def check_test_level(alpha: Any) -> float:
    """Return the level of a test that is planned; refuse anything outside (0, 0.5)."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 in a plan; write alpha=0.05.")
    return float(alpha)


def check_sd(name: str, value: Any, *, zero: bool = False) -> float:
    """Return a standard deviation above 0, or of at least 0."""
    words = "a finite standard deviation, in the unit of the score, "
    if zero:
        return check_number(name, value, least=0, what=words + "of at least 0")
    return check_number(name, value, above=0, what=words + "above 0")


def check_share(name: str, value: Any) -> float:
    """Return a share above 0 and at most 1."""
    return check_number(name, value, above=0, most=1, what="a share above 0 and at most 1")


def smallest(reaches: Callable[[int], bool], *, least: int = 1) -> int | None:
    """Return the smallest whole number from which something holds; None above `MOST`.

    It must hold for all larger numbers then.
    """
    low, high = least - 1, least
    while not reaches(high):
        if high >= MOST:
            return None
        low, high = high, min(2 * high, MOST)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


class Size(NamedTuple):
    """How many units a plan takes.

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


class Variant(NamedTuple):
    """The same plan for another value of what was assumed.

    Attributes
    ----------
    assumed : str
        What is assumed, in words.
    value : float
        Its other value.
    planner : Planner
        The plan then.
    """

    assumed: str
    value: float
    planner: "Planner"


@dataclass(frozen=True, kw_only=True)
class Planner(Stored, ABC):
    """A test that is planned: what it needs to be told, and what it can be asked.

    Its fields are what is assumed. No field is an effect that was seen: power at the estimate
    of the same data only restates its p-value (Hoenig and Heisey, 2001).

    Attributes
    ----------
    alpha : float
        Level of the test.
    one_sided : bool
        Whether only one direction counts.
    """

    test: ClassVar[str]
    unit: ClassVar[str]
    basis: ClassVar[Basis] = "formula"
    assumed: ClassVar[dict[str, str]] = {}  # by field, what is assumed in words
    assumptions: ClassVar[tuple[str, ...]] = ()
    references: ClassVar[tuple[Reference, ...]] = ()
    least: ClassVar[int] = 2  # units
    function: ClassVar[str] = ""  # what makes the test, a name of skstat.stats
    of_signs: ClassVar[bool] = False  # whether no p-value is smaller than that of equal signs
    beyond: ClassVar[str] = ""  # what helps where more units do not

    alpha: float = 0.05
    one_sided: bool = False

    def __post_init__(self) -> None:
        check_test_level(self.alpha)

    @abstractmethod
    def _power(self, n: float, difference: float) -> float:
        """Power at a size and a difference of at least 0."""

    @property
    def largest(self) -> float:
        """Largest difference that is possible, in the unit of the score."""
        return math.inf

    def power(self, n: float, difference: float) -> float:
        """Power on `n` units.

        Parameters
        ----------
        n : int
            Number of units.
        difference : float
            The true difference, in the unit of the score.

        Returns
        -------
        float
            Probability of a significant difference.
        """
        return self._power(self._checked(n), self._check_difference(difference))

    def size(self, difference: float, power: float = 0.8) -> Size | None:
        """Number of units that show a difference.

        Parameters
        ----------
        difference : float
            The smallest difference that matters, in the unit of the score.
        power : float, default=0.8
            Probability with which it is to be found.

        Returns
        -------
        Size or None
            None where no size has this power: the difference is below the :meth:`floor`, or
            it would take more than 10^8 units.
        """
        difference = self._check_difference(difference)
        check_power(power, self.alpha)
        if difference == 0:
            raise ValueError(
                "difference=0: no size shows a difference that does not exist. To show that "
                "two systems are the same, say which difference would matter: margin=."
            )
        if difference <= self.floor(power):
            return None
        return self._size(difference, power)

    def _size(self, difference: float, power: float) -> Size | None:
        n = smallest(lambda n: self._power(n, difference) >= power, least=self.least)
        return None if n is None else Size(n, n)

    def _near_size(self, difference: float, power: float) -> Size | None:
        """Return about that number of units, at once."""
        return self.size(difference, power)

    def detectable(self, n: float, power: float = 0.8) -> float:
        """Smallest difference that is found with this power.

        Parameters
        ----------
        n : int
            Number of units.
        power : float, default=0.8
            Probability with which it is to be found.

        Returns
        -------
        float
            In the unit of the score; nan where no difference has this power.
        """
        check_power(power, self.alpha)
        n = self._checked(n)
        high = min(self.largest, max(self._scale(), 1e-300))
        while self._power(n, high) < power:
            if high >= self.largest or high > 1e9 * self._scale():
                return math.nan
            high = min(2 * high, self.largest)
        found = root_between(
            lambda d: self._power(n, d) - power, 0.0, high, xtol=1e-9 * high, rtol=1e-12
        )
        return float(found)

    def floor(self, power: float = 0.8) -> float:
        """Smallest difference that can be found with this power, however many units there are.

        Parameters
        ----------
        power : float, default=0.8
            Probability with which it is to be found.

        Returns
        -------
        float
            0 where more units always help.
        """
        check_power(power, self.alpha)
        return 0.0

    def variants(self) -> Iterator[Variant]:
        """Walk the plans at half of, and twice, each value that is assumed.

        Yields
        ------
        Variant
            The value, and the plan.
        """
        for field, words in self.assumed.items():
            value = getattr(self, field)
            for times in (0.5, 2.0):
                if value:
                    found = self._scaled(field, times * value)
                    if found is not None:
                        yield Variant(words, times * value, found)

    def _scaled(self, field: str, value: float) -> Self | None:
        """Return the plan at another value; None where that is impossible."""
        try:
            changed: dict[str, Any] = {field: value}
            return replace(self, **changed)
        except ValueError:
            return None

    def smallest_pvalue(self, n: int) -> float:
        """Smallest p-value that is possible.

        Parameters
        ----------
        n : int
            Number of units.

        Returns
        -------
        float
            That of differences which all have one sign; 0 where the test has no such limit.
        """
        if not self.of_signs:
            return 0.0
        return smallest_of_signs("greater" if self.one_sided else "two-sided", n)

    def _scale(self) -> float:
        """Return a difference of the order of those that are found."""
        return 1.0

    def _checked(self, n: float) -> float:
        if math.isinf(n) and n > 0 and self.least > 0:
            return n
        found = check_count("n", n, least=self.least)
        if found > MOST:
            raise ValueError(
                f"n={shown(n)} is more than the {MOST} {self.unit}s that plans go up to; "
                "give fewer, or float('inf')."
            )
        return found

    def _check_difference(self, difference: float) -> float:
        found = abs(check_number("difference", difference))
        if found > self.largest:
            raise ValueError(
                f"difference={difference!r} is more than is possible: at most {self.largest:g}."
            )
        return found
