"""Plans that show that two systems are the same, or that one is not worse, within a margin."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from skstat.stats._common import Reference
from skstat.stats._literature import SCHUIRMANN_1987
from skstat.stats._planning.checks import (
    MOST,
    check_number,
    check_power,
    check_share,
    check_test_level,
    laws,
    root_of,
    smallest,
)
from skstat.stats._planning.means import MeanTypePlanner
from skstat.stats._planning.planner import Planner, Size, Variant
from skstat.stats._planning.split_t import Law, errors_of, mean_over, quantile
from skstat.stats._samples import check_count


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


def equivalence_power(
    n: int, psi: float, margin: float, *, delta: float = 0.0, alpha: float = 0.05
) -> float:
    """Power of two one-sided z tests of accuracies, where the true difference is `delta`."""
    check_count("n", n)
    check_share("psi", psi)
    check_test_level(alpha)
    check_number("margin", margin, above=0, what="a difference above 0")
    error = math.sqrt((psi - delta * delta) / n)
    return margin_power(error, margin, delta, alpha=alpha)


def equivalence_size(
    psi: float, margin: float, *, delta: float = 0.0, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Smallest number of rows on which equivalence is shown with this power."""
    check_test_level(alpha)
    check_power(power, alpha)
    if not abs(delta) < margin:
        raise ValueError(f"delta={delta!r} must lie within the margin={margin!r}.")

    def reaches(n: int) -> bool:
        return equivalence_power(n, psi, margin, delta=delta, alpha=alpha) >= power

    return smallest(reaches) or MOST


def noninferiority_size(
    psi: float, margin: float, *, delta: float = 0.0, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Smallest number of rows on which a system is shown not to be worse by the margin."""
    check_share("psi", psi)
    check_test_level(alpha)
    check_power(power, alpha)
    if not -delta < margin:
        raise ValueError(f"delta={delta!r}: the system is worse by the margin={margin!r}.")
    z = laws().norm.isf(alpha) + laws().norm.ppf(power)
    return math.ceil(z * z * (psi - delta * delta) / (margin + delta) ** 2)


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
        return float(root_of(missing, 1e-9 * error, high))

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


def power_for_flips(flips: float) -> float:
    """Power from which two runs disagree with this probability at most.

    Parameters
    ----------
    flips : float
        Probability that two runs disagree, below 0.5.

    Returns
    -------
    float
        The larger root p of ``2 p (1 - p) = flips``.
    """
    check_number("flips", flips, above=0, most=0.4999, what="a share above 0 and below 0.5")
    return (1 + math.sqrt(1 - 2 * flips)) / 2
