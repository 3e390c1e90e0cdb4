"""Plans for units of several parts: groups of rows, items with several answers."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from skstat.stats._common import Reference
from skstat.stats._literature import MILLER_2024
from skstat.stats._planning.checks import check_number, check_sd
from skstat.stats._planning.means import MeanTypePlanner
from skstat.stats._samples import check_count

_FURTHER = 3  # times the best number of parts for large samples, to which all are tried


class Cheapest(NamedTuple):
    """The cheapest design that has a power.

    Attributes
    ----------
    n : int
        Number of units: groups, or items.
    within : int
        Parts of each: rows, or answers.
    costs : float
        What it costs altogether, where one part costs 1.
    """

    n: int
    within: int
    costs: float


@dataclass(frozen=True, kw_only=True)
class WithinUnitsPlanner(MeanTypePlanner):
    """A plan of units that have several parts each, which cost something, too."""

    within: ClassVar[str]  # the field that says how many parts a unit has
    within_words: ClassVar[str]

    @abstractmethod
    def _best_within(self, cost_ratio: float) -> float:
        """Parts of a unit that are best for the same costs, in large samples."""

    def with_parts(self, number: int) -> Self:
        """Return the same plan for units of another number of parts.

        Parameters
        ----------
        number : int
            Rows of a group, or answers to an item.

        Returns
        -------
        Planner
            The plan.
        """
        changed: dict[str, Any] = {self.within: check_count("number", number)}
        return replace(self, **changed)

    def cheapest(
        self, difference: float, *, cost_ratio: float, power: float = 0.8
    ) -> Cheapest | None:
        """Find how many units, of how many parts each, show a difference for the least costs.

        All numbers of parts are tried, up to three times the one that is best in large samples.

        Parameters
        ----------
        difference : float
            The smallest difference that matters, in the unit of the score.
        cost_ratio : float
            Costs of one more unit over those of one more part of one: of finding another
            topic over labelling another row, or of writing another question over another
            answer.
        power : float, default=0.8
            Probability with which it is to be found.

        Returns
        -------
        Cheapest or None
            None where no design has this power.

        Raises
        ------
        ValueError
            If parts of a unit tell as much as other units, so that one unit is best.
        """
        best = self._best_within(cost_ratio)
        if math.isinf(best):
            raise ValueError(
                f"{self.within_words} have no best number: parts of one {self.unit} tell as "
                f"much as those of other {self.unit}s."
            )
        found = None
        for number in range(1, math.ceil(_FURTHER * best) + 2):
            size = self.with_parts(number).size(difference, power)
            if size is None:
                continue
            costs = float(size.stable * (cost_ratio + number))
            if found is None or costs < found.costs:
                found = Cheapest(size.stable, number, costs)
        return found


@dataclass(frozen=True, kw_only=True)
class GroupsPlanner(WithinUnitsPlanner):
    """Plan a test set whose rows come in groups, such as questions by topic.

    Rows of one group are alike, so that m of them are worth ``m / (1 + (m - 1) icc)``
    (Kish, 1965, section 5.4): the standard error on n groups is ``sd * sqrt((1 + (m - 1) icc) /
    (m n))``. The test is Student's t of as many degrees of freedom as groups less one. Where
    the squared sizes add up to u times as much as those of groups of one size, the standard
    error is ``sd * sqrt((1 + (u m - 1) icc) / (m n))``, and n groups weigh as n / u.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences of the rows, in the unit of the score.
    icc : float
        Correlation of two differences in one group, from 0 to 1
        (:func:`intraclass_correlation` of a pilot).
    group_size : float
        Rows per group, on average.
    unequal : float, default=1.0
        The sum of the squared sizes over their sum, as a multiple of `group_size`: 1 for groups
        of one size.

    Examples
    --------
    >>> from skstat.stats import GroupsPlanner
    >>> plan = GroupsPlanner(sd=0.5, icc=0.1, group_size=10)
    >>> plan.size(difference=0.05).stable
    152
    >>> round(plan.best_group_size(cost_ratio=20), 1)
    13.4
    """

    test: ClassVar[str] = "cluster-robust t test"
    function: ClassVar[str] = "clustered_t"
    unit: ClassVar[str] = "group"
    within: ClassVar[str] = "group_size"
    within_words: ClassVar[str] = "rows per group"
    assumed: ClassVar[dict[str, str]] = {
        "icc": "intraclass correlation",
        "sd": "standard deviation of the differences of rows",
    }

    sd: float
    icc: float
    group_size: float
    unequal: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)
        check_number("icc", self.icc, least=0, most=1, what="a correlation from 0 to 1")
        check_number("group_size", self.group_size, least=1, what="at least 1 row per group")
        check_number("unequal", self.unequal, least=1, what="at least 1, for one size")

    @property
    def assumptions(self) -> tuple[str, ...]:  # type: ignore[override]
        """What the plan takes for granted."""
        sizes = "all of one size" if self.unequal == 1 else "as unequal as the sizes given"
        return (
            f"groups are independent, and {sizes}",
            "means of groups are close to normal",
        )

    def _error(self, n: float, difference: float) -> float:
        alike = self.group_size * self.unequal - 1
        return self.sd * math.sqrt((1 + alike * self.icc) / (self.group_size * n))

    def _df(self, n: float) -> float:
        return max(n / self.unequal - 1, 1.0) if n > 1 else n - 1

    def best_group_size(self, cost_ratio: float) -> float:
        """Rows per group that give the smallest standard error for the same costs.

        Parameters
        ----------
        cost_ratio : float
            Costs of one more group over those of one more row.

        Returns
        -------
        float
            ``sqrt(cost_ratio (1 - icc) / icc)`` (Cochran, 1977, section 10.6), at least 1;
            infinite where rows of a group are not alike.
        """
        check_number("cost_ratio", cost_ratio, above=0, what="a ratio of costs above 0")
        if self.icc == 0:
            return math.inf
        return max(1.0, math.sqrt(cost_ratio * (1 - self.icc) / self.icc))

    def _best_within(self, cost_ratio: float) -> float:
        return self.best_group_size(cost_ratio)


@dataclass(frozen=True, kw_only=True)
class AnswersPlanner(WithinUnitsPlanner):
    """Plan a test set of items that each system answers several times.

    The variance of the difference is ``(sd_items^2 + sd_answers^2 / n_answers) / n`` (Miller,
    2024, section 3).

    Attributes
    ----------
    sd_items : float
        Standard deviation over items of the true difference of an item.
    sd_answers : float
        Standard deviation of the difference of one answer each, to one item: the root of the
        sum of the variances of the two systems.
    n_answers : int
        Answers of each system to an item.

    Examples
    --------
    >>> from skstat.stats import AnswersPlanner
    >>> plan = AnswersPlanner(sd_items=1 / 3, sd_answers=3**-0.5, n_answers=1)
    >>> plan.size(difference=0.03).stable
    3876
    """

    test: ClassVar[str] = "paired test of the means of items (normal law)"
    unit: ClassVar[str] = "item"
    within: ClassVar[str] = "n_answers"
    within_words: ClassVar[str] = "answers per item"
    assumed: ClassVar[dict[str, str]] = {
        "sd_answers": "standard deviation of answers to one item",
        "sd_items": "standard deviation over items",
    }
    assumptions: ClassVar[tuple[str, ...]] = (
        "items are independent, and so are the answers to one item",
    )
    references: ClassVar[tuple[Reference, ...]] = (MILLER_2024,)

    sd_items: float
    sd_answers: float
    n_answers: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd_items", self.sd_items, zero=self.sd_answers > 0)
        check_sd("sd_answers", self.sd_answers, zero=True)
        check_count("n_answers", self.n_answers)

    def _error(self, n: float, difference: float) -> float:
        return math.sqrt((self.sd_items**2 + self.sd_answers**2 / self.n_answers) / n)

    def best_n_answers(self, cost_ratio: float) -> int:
        """Answers per item that give the smallest standard error for the same costs.

        Parameters
        ----------
        cost_ratio : float
            Costs of one more item, such as labelling it, over those of one more answer.

        Returns
        -------
        int
            The whole number that is best. Where items cost nothing it is 1: more items always
            tell more than more answers.
        """
        check_number("cost_ratio", cost_ratio, least=0, what="a ratio of costs of at least 0")
        if self.sd_items == 0:
            raise ValueError(
                "sd_items=0: items do not differ, so that one item with many answers is best."
            )
        ideal = self.sd_answers / self.sd_items * math.sqrt(cost_ratio)

        def costs(k: int) -> float:
            return (self.sd_items**2 + self.sd_answers**2 / k) * (cost_ratio + k)

        near = (max(1, math.ceil(ideal)), max(1, math.floor(ideal)))  # of a tie, fewer items
        return min(near, key=lambda k: round(costs(k), 12))

    def _best_within(self, cost_ratio: float) -> float:
        return self.best_n_answers(cost_ratio)
