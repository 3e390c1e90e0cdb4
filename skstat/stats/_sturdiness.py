"""How many units a verdict rests on: the fewest whose removal turns it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Reference, Stored, declared, mid_ranks_of_numbers, tails
from skstat.stats._literature import BRODERICK_ET_AL_2020, KUSCHNIG_ET_AL_2021
from skstat.stats._outcomes import Outcome, check_alpha
from skstat.stats._resampling import SumKernel
from skstat.stats._samples import AgreementTable, PairedPredictions, PairedScores

_ROUNDS = 6  # of a search that settles after two or three
_ALIKE = 0.1  # by which the logarithms of p-values of one test may differ
_MOST_SCANNED = 4096  # values of which all that stand side by side are looked at

Places = NDArray[np.intp]

_MOST_TRIED = 400  # smaller sets that are tried one by one
_MOST_NAMED = 20
_MOST_DRAWN = 5_000_000  # numbers of a resampling test that is asked again and again
_FEW = 3  # times fewer than of bell-shaped differences with the same p-value


class Extremes:
    """Values in order, and what is left of their t statistic without some of them.

    The t statistic of m values with sum S and sum of squares Q is a growing function of
    S / sqrt(Q), so that it lies below a critical value exactly where S < c sqrt(Q), with a
    ``c`` that depends on m alone. The square root is concave: it lies below each of its
    tangents, and the tangent at Q - q turns the question which k values to leave out into
    which k values have the largest x - lambda x**2. In order of size these stand side by side,
    about 1 / (2 lambda). What the tangent says of them holds for all sets of k values.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The values, of which the mean is positive.
    tail : float
        Upper tail probability of the test.
    """

    def __init__(self, values: NDArray[np.float64], tail: float) -> None:
        if np.all(values[:-1] >= values[1:]):
            self.order = np.arange(len(values))
        else:
            self.order = np.argsort(-values, kind="stable")
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        self._falling = values[self.order] / size
        self._sums = np.concatenate(([0.0], np.cumsum(self._falling)))
        self._squares = np.concatenate(([0.0], np.cumsum(self._falling**2)))
        self._tail = tail
        self.n = len(values)

    def least(self, k: int) -> tuple[NDArray[np.intp], float, bool]:
        """Return k values to leave out, what is left, and whether no k values turn the test.

        Parameters
        ----------
        k : int
            How many to leave out; two or more stay.

        Returns
        -------
        places : ndarray of int of shape (k,)
            Where they are.
        excess : float
            S - c sqrt(Q) of the others; the test rejects where it is positive.
        is_bound : bool
            Whether the test is sure to reject without any k values.
        """
        c = self._critical(self.n - k)
        best, start, is_bound = self._excess(0, k, c), 0, False
        window = 0
        for _ in range(_ROUNDS):
            left = self._squares[-1] - self._squared(window, k)
            if left <= 0:
                break
            slope = c / (2 * math.sqrt(left))
            nearest = self._nearest(k, 1 / (2 * slope))
            taken = self._summed(nearest, k) - slope * self._squared(nearest, k)
            least = self._sums[-1] - c * math.sqrt(left) - taken
            least -= slope * self._squared(window, k)
            is_bound = is_bound or least > 1e-9 * self._sums[-1]
            excess = self._excess(nearest, k, c)
            if excess < best:
                best, start = excess, nearest
            if nearest == window:
                break
            window = nearest
        if best > 0 and self.n <= _MOST_SCANNED:
            sums = self._sums[-1] - self._sums[k:] + self._sums[: self.n - k + 1]
            squares = self._squares[-1] - self._squares[k:] + self._squares[: self.n - k + 1]
            excesses = sums - c * np.sqrt(np.maximum(squares, 0.0))
            start = int(excesses.argmin())
            best = float(excesses[start])
        return self.order[start : start + k], best, is_bound

    def fewest_to_undecide(self) -> int:
        """Return how many values to leave out for the t test not to reject; n - 1 if none."""
        return _first(lambda k: self.least(k)[1] <= 0, 1, self.n - 1)

    def fewest_to_reverse(self) -> int:
        """Return how many of the largest to leave out for a sum that is not positive."""
        return int(np.argmax(self._sums[-1] - self._sums <= 1e-12 * self._squares[-1] ** 0.5))

    def largest(self, k: int) -> NDArray[np.intp]:
        """Return where the k largest values are."""
        return self.order[:k]

    @property
    def pvalue(self) -> float:
        """Upper tail probability of the t test of all values."""
        return _upper_tail(self._sums[-1], self._squares[-1], self.n)

    def _critical(self, m: int) -> float:
        return _critical(self._tail, m)

    def _excess(self, start: int, k: int, c: float) -> float:
        left = max(0.0, self._squares[-1] - self._squared(start, k))
        return float(self._sums[-1] - self._summed(start, k) - c * math.sqrt(left))

    def _summed(self, start: int, k: int) -> float:
        return float(self._sums[start + k] - self._sums[start])

    def _squared(self, start: int, k: int) -> float:
        return float(self._squares[start + k] - self._squares[start])

    def _nearest(self, k: int, centre: float) -> int:
        """Return where the k values nearest to a centre begin."""
        values = self._falling

        def reaches(start: int) -> bool:
            return bool(values[start] - centre <= centre - values[start + k])

        return _first(reaches, 0, self.n - k)


def _first(holds, low: int, high: int) -> int:  # type: ignore[no-untyped-def]
    """Return the first number from low for which it holds, if it does from there on."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _critical(tail: float, m: int) -> float:
    """Return what S / sqrt(Q) of m values must exceed."""
    t = float(tails.t_isf(tail, m - 1))
    return t * math.sqrt(m / (m - 1 + t * t))


def _upper_tail(total: float, squares: float, m: int) -> float:
    """Return the upper tail probability of the t test of m values."""
    if m < 2 or squares <= 0 or total * total >= m * squares * (1 - 1e-12):
        return 0.0
    ratio = total / math.sqrt(squares)
    return float(tails.t_sf(ratio * math.sqrt((m - 1) / (m - ratio * ratio)), m - 1))


def extremes_like(values: NDArray[np.float64], tail: float, pvalue: float) -> Extremes:
    """Order values for a test: by their ranks or signs, if its p-value is that of these.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The differences; those for the verdict are positive.
    tail, pvalue : float
        Upper tail probability at which the test rejects, and what it found.
    """
    found = Extremes(values, tail)
    if found.n < 3 or _near(found.pvalue, pvalue) < _ALIKE:
        return found
    numbers = np.unique(np.abs(values), return_inverse=True)[1]
    ranked = Extremes(np.sign(values) * mid_ranks_of_numbers(numbers), tail)
    signs = Extremes(np.sign(values), tail)
    return min((found, ranked, signs), key=lambda each: _near(each.pvalue, pvalue))


def _near(one: float, other: float) -> float:
    """Return how far apart two probabilities are, by their logarithms."""
    return abs(math.log(max(one, 1e-300)) - math.log(max(other, 1e-300)))


def turns_without_largest(values: NDArray[np.float64], k: int, tail: float) -> bool:
    """Whether a t test does not reject without the k largest values, in linear time."""
    rest = np.partition(values, len(values) - k)[: len(values) - k]
    return _upper_tail(float(rest.sum()), float(rest @ rest), len(rest)) >= tail


def fewest_if_even(n: int, pvalue: float, alpha: float) -> float:
    """Return how many of n bell-shaped differences carry a t test of this p-value.

    Parameters
    ----------
    n : int
        Number of differences that are not 0.
    pvalue, alpha : float
        The two-sided p-value, and the level, which is larger.

    Returns
    -------
    float
        How many of the largest must be left out for p > alpha, about; it grows with sqrt(n).
    """
    m = min(n, 2000)
    if m < 3:
        return 0.0
    bell = tails.normal_isf((np.arange(1, m + 1) - 0.375) / (m + 0.25))
    t = float(tails.t_isf(max(pvalue, 1e-300) / 2, m - 1))
    values = bell / np.std(bell, ddof=1) + t / math.sqrt(m)
    found = Extremes(values, alpha / 2)
    # Between whole numbers: what is left of the last one.
    k = found.fewest_to_undecide()
    if k >= m - 1:
        return float(n)
    after, before = found.least(k)[1], found.least(k - 1)[1]
    share = before / (before - after) if before > after else 1.0
    return float(k - 1 + share) * math.sqrt(n / m)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The units of a sample.

    Attributes
    ----------
    values : ndarray of shape (n,)
        What every unit adds to the estimate, for A if positive. Of counts the units that
        differ stand for all.
    n_units : int
        Number of all units.
    without : callable
        Makes the sample without the units at these places of `values`.
    are_alike : bool
        Whether units with the same value are the same, so that none is a better choice.
    is_costly : bool
        Whether asking a test again of most of them takes long: too long to try many sets.
    """

    values: NDArray[np.float64]
    n_units: int
    without: Callable[[Places], Any]
    are_alike: bool = False
    is_costly: bool = False


def parts_of(sample: Any) -> Parts | None:
    """Return the units of a sample; None where none can be left out honestly."""
    make = how_to_part(sample)
    return None if make is None else make(sample)


def how_to_part(sample: Any) -> Callable[[Any], Parts] | None:
    """Return what tells the units of a sample; None where none can be left out honestly.

    Splits of one data set share their rows, and a series in time has no gaps.
    """
    if isinstance(sample, AgreementTable):
        return _of_counts
    if type(sample) is PairedScores and sample.unit != "split" and not sample.ordered:
        return _of_scores
    if type(sample) is PairedPredictions and _are_plain_rows(sample):
        return _of_predictions
    return None


def _are_plain_rows(pair: PairedPredictions) -> bool:
    """Whether rows are units of equal weight, and the metric a function of sums over them."""
    beside = (pair.groups, pair.sample_weight, pair.strata, pair.order)
    return all(each is None for each in beside) and isinstance(pair.kernel, SumKernel)


def _of_predictions(pair: PairedPredictions) -> Parts:
    kernel = pair.with_rows().kernel
    score_a, score_b = pair.scores
    influence = kernel.influence()

    def without(places: Places) -> PairedPredictions:
        kept = np.delete(np.arange(pair.n_rows), places)
        return pair.on_rows(kept).pair(*pair.names)

    return Parts(
        values=np.asarray(score_a - score_b + influence[:, 0] - influence[:, 1]),
        n_units=pair.n_rows,
        without=without,
        is_costly=True,
    )


def _of_counts(table: AgreementTable) -> Parts:
    values = np.repeat([1.0, -1.0], [table.only_a, table.only_b])

    def without(places: Places) -> AgreementTable:
        of_a = int(np.count_nonzero(places < table.only_a))
        of_b = len(places) - of_a
        return replace(table, only_a=table.only_a - of_a, only_b=table.only_b - of_b)

    return Parts(values=values, n_units=table.n_units, without=without, are_alike=True)


def _of_scores(sample: PairedScores) -> Parts:
    def without(places: Places) -> PairedScores:
        kept = np.ones(sample.n_units, dtype=bool)
        kept[places] = False
        return PairedScores(sample.a[kept], sample.b[kept], unit=sample.unit)

    return Parts(values=sample.differences, n_units=sample.n_units, without=without)


@dataclass(frozen=True, kw_only=True)
class Sturdiness(Stored):
    """How many units a significant verdict rests on.

    Attributes
    ----------
    n_units : int
        Number of all units.
    unit : str
        What one unit is.
    n_to_undecide : int or None
        The fewest units without which the same test does not reject; None if no such set was
        found.
    n_to_reverse : int or None
        The fewest units without which the estimate does not favour the same system.
    is_exact : bool
        Whether `n_to_undecide` is known to be the smallest number. Otherwise fewer units may
        be enough.
    too_few_left : bool
        Whether so few units that differ are left then that no result could be significant.
    places : tuple of int
        Where the units of `n_to_undecide` are in the sample, from 0; empty of counts, and of
        more than 20.

    Examples
    --------
    >>> from skstat.stats import AgreementTable, mcnemar, sturdiness
    >>> found = sturdiness(AgreementTable(54, 18, 6, 22), mcnemar)
    >>> found.n_to_undecide, found.n_to_reverse, found.is_exact
    (3, 12, True)
    """

    _written = (
        *("n_units", "unit", "n_to_undecide", "n_to_reverse", "is_exact"),
        *("too_few_left", "places"),
    )

    references: ClassVar[tuple[Reference, ...]] = (BRODERICK_ET_AL_2020, KUSCHNIG_ET_AL_2021)

    n_units: int
    unit: str
    n_to_undecide: int | None
    n_to_reverse: int | None
    is_exact: bool = False
    too_few_left: bool = False
    places: tuple[int, ...] = ()

    @property
    def share(self) -> float | None:
        """Share of all units that `n_to_undecide` is."""
        return None if self.n_to_undecide is None else self.n_to_undecide / self.n_units


def can_be_asked_again(sample: Any, procedure: Callable[..., Any], outcome: Outcome) -> bool:
    """Whether units can be left out of a sample, and a test be asked again in little time."""
    if declared(procedure).side_effects or how_to_part(sample) is None:
        return False
    if isinstance(sample, PairedPredictions):
        return outcome.n_drawn * len(sample.kernel.plan.multiplicity) <= _MOST_DRAWN
    return True


def sturdiness(
    sample: Any, procedure: Callable[[Any], Outcome], *, alpha: float = 0.05
) -> Sturdiness:
    """Find the fewest units whose removal turns a significant verdict.

    Leaving out the units that speak most for a result is the worst that can happen to it, not
    what is likely to happen. A p-value just below the level always rests on a few units; a
    small one that does, rests on outliers. It is a description of the data beside the p-value,
    which stays as it is.

    The units are chosen by their influence [1]_, and the test is asked again of the others:
    no number rests on an approximation. Of counts of right and wrong answers, and mostly of
    the t test of a mean, it is shown that no fewer units are enough; of other tests so few
    units that all smaller sets can be tried. Elsewhere the number is an upper bound, because
    one outlier may hide another one [2]_.

    Parameters
    ----------
    sample : AgreementTable, PairedScores or PairedPredictions
        Counts of instances; scores of instances, groups, seeds or data sets, not of splits;
        or predictions for independent rows of equal weight, with a metric of
        ``skstat.metrics`` that is a function of sums over rows.
    procedure : callable
        The test, such as :func:`mcnemar`, :func:`paired_t` or :func:`wilcoxon`; with other
        options as ``functools.partial``.
    alpha : float, default=0.05
        Level of the verdict.

    Returns
    -------
    Sturdiness
        The numbers of units. Where the test does not reject, there is nothing to turn, and
        both are 0.

    Raises
    ------
    TypeError
        If no units can be left out of such a sample: splits share their rows, and units in
        time order have no gaps.

    References
    ----------
    .. [1] Broderick, T., Giordano, R. & Meager, R. (2020). An automatic finite-sample
       robustness metric: When can dropping a little data make a big difference?
       arXiv:2011.14999.
    .. [2] Kuschnig, N., Zens, G. & Crespo Cuaresma, J. (2021). Hidden in plain sight:
       Influential sets in linear models. CESifo Working Paper 8981.

    Examples
    --------
    Ten of eleven differences have one sign, and no few of them carry the verdict:

    >>> import numpy as np
    >>> from skstat.stats import PairedScores, paired_t, sturdiness
    >>> gains = np.array([0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2, 0.3, 0.1, 0.2, -0.1])
    >>> sample = PairedScores(gains, np.zeros(11), unit="dataset")
    >>> found = sturdiness(sample, paired_t)
    >>> found.n_to_undecide, found.n_units, found.is_exact
    (5, 11, False)
    """
    check_alpha(alpha)
    parts = parts_of(sample)
    if parts is None:
        unit = getattr(sample, "unit", "")
        of = f" of {unit}s" if unit else ""
        raise TypeError(
            f"sample is a {type(sample).__name__}{of}, of which no units can be left out; "
            "give an AgreementTable, PairedScores of instances, groups, seeds or data sets "
            "without a time order, or PairedPredictions for rows and a metric of sums."
        )
    if not callable(procedure):
        raise TypeError(
            f"procedure={procedure!r} must be a test, such as skstat.stats.mcnemar."
        )
    return _Search(sample, parts, procedure, procedure(sample), alpha).found()


def rests_on_few(
    sample: Any, procedure: Callable[[Any], Outcome], outcome: Outcome, alpha: float
) -> tuple[Sturdiness, float] | None:
    """Tell a verdict that rests on far fewer units than others with the same p-value.

    Parameters
    ----------
    sample, procedure, alpha : object
        As for :func:`sturdiness`.
    outcome : Outcome
        What the procedure found.

    Returns
    -------
    tuple of Sturdiness and float, or None
        How many units it is, and how many of bell-shaped differences it would be; None where
        it is not far fewer. Little is computed then: nothing at all of p-values near the level.
    """
    parts = parts_of(sample)
    if parts is None or parts.are_alike or not outcome.pvalue < alpha:
        return None
    n = int(np.count_nonzero(parts.values))
    pvalue, level = outcome.pvalue, alpha
    if outcome.alternative != "two-sided":
        pvalue, level = 2 * pvalue, 2 * alpha
    usual = fewest_if_even(n, pvalue, level)
    most = min(math.floor(usual / _FEW), n - 3)
    if most < 1:
        return None
    if not turns_without_largest(parts.values * outcome.direction, most, level / 2):
        return None
    search = _Search(sample, parts, procedure, outcome, alpha)
    if search.extremes.least(most)[1] > 0 or search.rejects(most):
        return None
    found = search.found()
    k = found.n_to_undecide
    return None if k is None or k > most or found.too_few_left else (found, usual)


class _Search:
    """The search for the fewest units, which remembers what it asked."""

    def __init__(
        self,
        sample: Any,
        parts: Parts,
        procedure: Callable[[Any], Outcome],
        outcome: Outcome,
        alpha: float,
    ) -> None:
        self.parts, self.procedure, self.outcome, self.alpha = parts, procedure, outcome, alpha
        self.unit = str(sample.unit)
        side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction)
        self.side = side or 1
        one_sided = outcome.alternative != "two-sided"
        self.extremes = extremes_like(
            self.side * parts.values,
            alpha if one_sided else alpha / 2,
            outcome.pvalue if one_sided else outcome.pvalue / 2,
        )
        # Counts and t tests need two units that differ, or two units.
        self.most = len(parts.values) - (0 if parts.are_alike else 2)
        self._asked: dict[int, tuple[NDArray[np.intp], Outcome | None]] = {}
        facts = declared(procedure)
        self._is_t = facts.t_of_mean and not facts.units

    def found(self) -> Sturdiness:
        """Return what the verdict rests on."""
        if not self.outcome.pvalue < self.alpha:
            return self._as(0, 0, is_exact=True)
        k = self._fewest(lambda k: not self.rejects(k), self._first_guess())
        places: tuple[int, ...] = ()
        is_exact = False
        if k is not None:
            is_exact = self._none_smaller(k)
            if not is_exact and (smallest := self._smaller(k)) is not None:
                k, is_exact = smallest, True
            taken = self._asked_without(k)[0]
            if not self.parts.are_alike and k <= _MOST_NAMED:
                places = tuple(sorted(map(int, taken)))
        reverse = self._fewest(self._reversed, self.extremes.fewest_to_reverse())
        after = None if k is None else self._ask(k)
        return self._as(
            k,
            reverse,
            is_exact=is_exact,
            too_few_left=after is not None and after.smallest_pvalue >= self.alpha,
            places=places,
        )

    def rejects(self, k: int) -> bool:
        """Whether the test rejects without k units; it does not where it is not possible."""
        return _pvalue(self._ask(k)) < self.alpha

    def _as(self, k: int | None, reverse: int | None, **facts: Any) -> Sturdiness:
        return Sturdiness(
            n_units=self.parts.n_units,
            unit=self.unit,
            n_to_undecide=k,
            n_to_reverse=reverse,
            **facts,
        )

    def _ask(self, k: int) -> Outcome | None:
        return self._asked_without(k)[1]

    def _asked_without(self, k: int) -> tuple[NDArray[np.intp], Outcome | None]:
        """Return the k units that were left out, and what the test says of the others."""
        if k not in self._asked:
            found = [(places, self._ask_without(places)) for places in self._choices(k)]
            self._asked[k] = max(found, key=lambda each: _pvalue(each[1]))
        return self._asked[k]

    def _ask_without(self, places: NDArray[np.intp]) -> Outcome | None:
        try:
            return self.procedure(self.parts.without(places))
        except ValueError:  # too few units are left, or none of a class
            return None

    def _choices(self, k: int) -> list[NDArray[np.intp]]:
        """Return sets of k units that may be the worst to miss."""
        largest = self.extremes.largest(k)
        if k > self.extremes.n - 2 or self.parts.are_alike:
            return [largest]
        chosen = self.extremes.least(k)[0]
        if self._is_t or self.parts.is_costly or np.array_equal(chosen, largest):
            return [chosen]
        return [largest, chosen]

    def _first_guess(self) -> int:
        return self.extremes.fewest_to_undecide() if self.extremes.n > 2 else 1

    def _reversed(self, k: int) -> bool:
        outcome = self._ask_without(self.extremes.largest(k))
        return outcome is not None and outcome.estimate * self.side <= 0

    def _fewest(self, turns: Callable[[int], bool], guess: int) -> int | None:
        """Return the first k for which it turns, searched for from a guess on."""
        turns = cache(turns)
        high = max(1, min(guess, self.most))
        low, step = 0, 1  # at low it does not turn
        while not turns(high):
            if high >= self.most:
                return None
            low, high, step = high, min(self.most, high + step), 2 * step
        step = 1
        while low < high - 1:
            # Near the guess first, which is seldom wrong.
            middle = max(low + 1, high - step) if step else (low + high) // 2
            if turns(middle):
                high, step = middle, 2 * step
            else:
                low, step = middle, 0
        return high

    def _none_smaller(self, k: int) -> bool:
        """Whether it is certain that no fewer units turn it."""
        if self.parts.are_alike or k == 1:
            return True
        if not self._is_t:
            return False
        return all(self.extremes.least(fewer)[2] for fewer in range(1, k))

    def _smaller(self, k: int) -> int | None:
        """Return the size of the smallest set that turns it, if all smaller ones are few."""
        n = self.extremes.n
        if (
            self.parts.is_costly
            or sum(math.comb(n, fewer) for fewer in range(1, k)) > _MOST_TRIED
        ):
            return None
        for fewer in range(1, k):
            for chosen in combinations(range(n), fewer):
                places = np.array(chosen, dtype=np.intp)
                outcome = self._ask_without(places)
                if not _pvalue(outcome) < self.alpha:
                    self._asked[fewer] = places, outcome
                    return fewer
        return k


def _pvalue(outcome: Outcome | None) -> float:
    """Return a p-value; 0 where no test is possible, which turns nothing."""
    return 0.0 if outcome is None or math.isnan(outcome.pvalue) else outcome.pvalue
