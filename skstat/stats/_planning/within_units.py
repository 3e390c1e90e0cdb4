"""Plans for units of several parts: groups of rows, items with several answers."""

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from skstat.stats._common import Reference, laws
from skstat.stats._literature import EVE_ET_AL_2026, HAJEK_1968, MILLER_2024
from skstat.stats._planning.means import Law, MeanTypePlanner, errors_of
from skstat.stats._planning.planner import Variant, check_sd
from skstat.stats._samples import check_count, check_number, usual_correlation
from skstat.stats._splits import FEWEST_REPEATS

_USUAL_REPEATS = 15
_POINTS = 4096

_FURTHER = 3  # times the best number of parts for large samples, to which all are tried


@lru_cache(maxsize=256)
def projected_errors(n_repeats: float, instability: float, correlation: float) -> Law:
    """Law of the standard error of the projection test on halves over the true one.

    Row i scores ``a_i + e_ri`` in repetition r: a_i is its own, and e_ri changes with the
    training half. Let M be the difference of the means of a over both halves, and g that of e.
    Over repetitions the M are independent, as the g are, and the estimate is independent of
    both. In units of ``var(a) / n``, with ``q = 2 var(e) / var(a)``, M has the variance 4 and g
    2 q, and the test's own formula (:func:`projection_t`) is

        F = 4 - mean((M + g) M) + max(mean((M + g)^2) / 2 - v, 0) / 2
        SE^2 = max(F, 1) + v (kappa + 1 / 2R),    v = q chi2 / (R - 1)

    where only the lengths of M and of g, the angle between them, and v matter: four numbers,
    whose law is averaged over points that fill four dimensions evenly.
    """
    q = 2 * instability / (1 - instability)
    true = 1 + q / (2 * n_repeats)
    if math.isinf(n_repeats):
        return np.array([math.sqrt(1 + q * correlation)]), np.ones(1)
    r = n_repeats
    # Multiples of the powers of the root of x^5 = x + 1.
    steps = 1.1673039782614187 ** -np.arange(1, 5)
    at = (0.5 + np.outer(np.arange(1, _POINTS + 1), steps)) % 1
    chi2 = laws().chi2
    m = chi2.ppf(at[:, 0], r)  # sum of M^2, over 4
    if q == 0:
        m = chi2.ppf((np.arange(_POINTS) + 0.5) / _POINTS, r)
        v, along, g = np.zeros(1), np.zeros(1), np.zeros(1)
    else:
        u = laws().norm.ppf(at[:, 1])
        along = 2 * np.sqrt(2 * q * m) * u  # sum of M g
        g = 2 * q * (u**2 + chi2.ppf(at[:, 2], r - 1))  # sum of g^2
        v = q * chi2.ppf(at[:, 3], r - 1) / (r - 1)
    within = (4 * m + 2 * along + g) / (2 * r)
    first_order = 4 - (4 * m + along) / r + np.maximum(within - v, 0) / 2
    square = np.maximum(first_order, 1) + v * (correlation + 1 / (2 * r))
    return np.sqrt(square / true), np.full(_POINTS, 1 / _POINTS)


@dataclass(frozen=True, kw_only=True)
class _Projected(MeanTypePlanner):
    """A plan of the projection t test on repeated halves."""

    function: ClassVar[str] = "projection_t"
    assumed: ClassVar[dict[str, str]] = {
        "sd": "standard deviation of one row's difference",
        "instability": "share of that from the training rows",
    }
    assumptions: ClassVar[tuple[str, ...]] = (
        "rows are independent, and what one row's difference owes to other training rows is "
        "independent of what another's does",
        "a row matters as a test row more than as a training row; where the loss of strongly "
        "regularised learners is planned, take twice the standard deviation",
        "the difference and the standard deviation stay as they are with more rows",
    )
    references: ClassVar[tuple[Reference, ...]] = (HAJEK_1968, EVE_ET_AL_2026)

    sd: float
    instability: float = 0.0
    of_mean: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sd("sd", self.sd)
        what = "a share of at least 0 and below 1"
        if check_number("instability", self.instability, least=0, what=what) >= 1:
            raise ValueError(f"instability={self.instability!r} must be {what}.")

    @abstractmethod
    def _design(self, n: float) -> tuple[float, float]:
        """Rows and repetitions."""

    @property
    def correlation(self) -> float:
        """Correlation of the instabilities of two splits that the test assumes."""
        return usual_correlation(of_mean=self.of_mean)

    def _error(self, n: float, difference: float) -> float:
        rows, repeats = self._design(n)
        changing = self.instability / repeats
        return self.sd * math.sqrt((1 - self.instability + changing) / rows)

    def _df(self, n: float) -> float:
        return self._design(n)[1]

    def _errors(self, n: float) -> Law:
        rows, repeats = self._design(n)
        if math.isinf(rows):
            return errors_of(repeats)
        return projected_errors(repeats, self.instability, self.correlation)

    def variants(self) -> Iterator[Variant]:
        if self.instability == 0:
            yield Variant(self.assumed["instability"], 0.5, replace(self, instability=0.5))
        yield from super().variants()


@dataclass(frozen=True, kw_only=True)
class ProjectionPlanner(_Projected):
    """Plan how many rows: the default test of :func:`skstat.compare_estimators`.

    That is the projection t test over repeated halves (:func:`projection_t`). With a row's
    difference of variance ``sd^2``, of which a share h comes from which rows the learners were
    trained on, the variance of the estimate is ``sd^2 ((1 - h) + h / n_repeats) / n``. The
    power is that of the test itself: with so few repetitions its standard error is noisy, and
    on average larger than the true one.

    Attributes
    ----------
    sd : float
        Standard deviation of the difference of one row, for learners that were fitted once, in
        the unit of the score. For right and wrong answers it is ``sqrt(discordant -
        difference^2)``.
    instability : float
        Share of this variance that changes with the training rows, from 0 to below 1. 0 takes
        the most rows: then every repetition says the same of a row.
    of_mean : bool
        Whether the metric is a mean over rows, as accuracy and log loss are; for all others the
        test assumes more.
    n_repeats : int
        Repetitions of two halves; 15 by default, as in the test.

    See Also
    --------
    RepeatsPlanner : How many repetitions, on the rows that there are.

    Notes
    -----
    What single rows do in training is left out. In learners that have converged it is small;
    for a smooth loss of strongly regularised ones it is what the row does in testing once
    more, so that `sd` counts twice. What other training rows change is taken to be independent
    from row to row; where they move all rows together, as in a stump that jumps, it takes more.

    Examples
    --------
    >>> from skstat.stats import ProjectionPlanner
    >>> plan = ProjectionPlanner(sd=0.4)
    >>> n = plan.size(difference=0.05).stable
    >>> 700 < n < 800
    True
    >>> steady = ProjectionPlanner(sd=0.4, instability=0.6)
    >>> steady.size(difference=0.05).stable < n
    True
    >>> round(steady.sample_gain(), 2)
    2.27
    """

    unit: ClassVar[str] = "row"
    least: ClassVar[int] = 16

    n_repeats: int = _USUAL_REPEATS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n_repeats", self.n_repeats, least=FEWEST_REPEATS)

    @property
    def test(self) -> str:  # type: ignore[override]
        """Name of the test."""
        return f"projection t test on {self.n_repeats} x 2 folds"

    def _design(self, n: float) -> tuple[float, float]:
        return n, self.n_repeats

    def repeats(self, n_rows: int) -> "RepeatsPlanner":
        """Return the plan of repetitions on a number of rows.

        Parameters
        ----------
        n_rows : int
            Number of rows.

        Returns
        -------
        RepeatsPlanner
            The plan, with the same assumptions.
        """
        return RepeatsPlanner(
            sd=self.sd, instability=self.instability, of_mean=self.of_mean, n_rows=n_rows,
            alpha=self.alpha, one_sided=self.one_sided,
        )  # fmt: skip

    def sample_gain(self, n_repeats: float | None = None) -> float:
        """How many times the rows of one repetition would tell as much as several do.

        The gain of more splits as Eve, Varoquaux and Moreau (2026) measure it: in rows, by the
        variance of the estimate.

        Parameters
        ----------
        n_repeats : int or inf, optional
            Number of repetitions; default the planned one.

        Returns
        -------
        float
            ``1 / (1 - h + h / n_repeats)``, where h is the instability: at least 1, and with
            any number of repetitions at most ``1 / (1 - h)``.
        """
        repeats = self.n_repeats if n_repeats is None else n_repeats
        if not repeats >= 1:
            raise ValueError(f"n_repeats={n_repeats!r} must be at least 1 repetition.")
        return 1 / (1 - self.instability + self.instability / repeats)


@dataclass(frozen=True, kw_only=True)
class RepeatsPlanner(_Projected):
    """Plan how many repetitions: the default test over splits, on the rows that there are.

    More repetitions average out what the choice of the training rows changes, and make the
    standard error of the test steadier. They never get below what the rows decide: see
    ``floor()``.

    Attributes
    ----------
    sd, instability, of_mean
        As in :class:`ProjectionPlanner`.
    n_rows : int
        Number of rows.

    See Also
    --------
    ProjectionPlanner : How many rows.

    Examples
    --------
    >>> from skstat.stats import RepeatsPlanner
    >>> plan = RepeatsPlanner(sd=0.4, instability=0.6, n_rows=400)
    >>> plan.size(difference=0.03) is None  # more rows, then
    True
    >>> plan.floor() > 0.03
    True
    """

    unit: ClassVar[str] = "repetition"
    beyond: ClassVar[str] = "more rows"
    least: ClassVar[int] = FEWEST_REPEATS
    test: ClassVar[str] = "projection t test on repeated halves"

    n_rows: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n_rows", self.n_rows, least=ProjectionPlanner.least)

    def _design(self, n: float) -> tuple[float, float]:
        return self.n_rows, n


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
