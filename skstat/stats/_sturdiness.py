"""How many units a verdict rests on: the fewest whose removal turns it."""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _chance as tails
from skstat.stats._counts import AgreementTable
from skstat.stats._family import Comparison
from skstat.stats._kernels import SumKernel
from skstat.stats._literature import BRODERICK_ET_AL_2020, KUSCHNIG_ET_AL_2021
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import Reference, declared
from skstat.stats._scores import PairedScores
from skstat.stats._stored import Stored
from skstat.stats._words import check_alpha

_ROUNDS = 6  # of a search that settles after two or three
_ALIKE = 0.1  # by which the logarithms of p-values of one test may differ
_MOST_SCANNED = 4096  # sets of values side by side that are looked at
_MOST_TRIED = 400  # smaller sets that are tried one by one
_MOST_NAMED = 20
_MOST_DRAWN = 5_000_000  # numbers of a resampling test that is asked again and again
_FEW = 3  # times fewer than of bell-shaped differences with the same p-value

Places = NDArray[np.intp]
Test = Callable[[Any], Comparison]


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
        self.n, self.tail = len(values), tail
        self.order = np.argsort(-values, kind="stable")
        self.values = values[self.order] / (float(np.abs(values).max(initial=0.0)) or 1.0)
        powers = np.stack([self.values, self.values**2])
        # Sums, and sums of squares, of the first values.
        self.totals = np.pad(np.cumsum(powers, axis=1), ((0, 0), (1, 0)))

    def least(self, k: int) -> tuple[Places, float, bool]:
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
        m, x, totals = self.n - k, self.values, self.totals
        t = float(tails.t_isf(self.tail, m - 1))
        c = t * math.sqrt(m / (m - 1 + t * t))
        starts = np.unique(np.linspace(0, m, min(m + 1, _MOST_SCANNED)).astype(np.intp))
        is_bound = False
        for _ in range(_ROUNDS):
            sums, squares = totals[:, -1:] - (totals[:, starts + k] - totals[:, starts])
            squares = np.maximum(squares, 0.0)
            excesses = sums - c * np.sqrt(squares)
            best = int(excesses.argmin())
            start, left = int(starts[best]), float(squares[best])
            if not left:
                break
            slope = c / (2 * math.sqrt(left))
            nearest = bisect_left(range(m), True, key=lambda s: x[s] + x[s + k] <= 1 / slope)
            total, square = totals[:, -1] - (totals[:, nearest + k] - totals[:, nearest])
            least = total - c * math.sqrt(left) - slope * (max(square, 0.0) - left)
            is_bound = is_bound or bool(least > 1e-9 * totals[0, -1])
            if nearest == start:
                break
            starts = np.array([start, nearest])
        return self.order[start : start + k], float(excesses[best]), is_bound

    def fewest_to_undecide(self) -> int:
        """Return how many values to leave out for the t test not to reject; n - 1 if none."""
        ks = range(1, self.n - 1)
        return 1 + bisect_left(ks, True, key=lambda k: self.least(k)[1] <= 0)

    def fewest_to_reverse(self) -> int:
        """Return how many of the largest to leave out for a sum that is not positive."""
        sums, squares = self.totals
        return int(np.argmax(sums[-1] - sums <= 1e-12 * squares[-1] ** 0.5))


def _upper_tail(values: NDArray[np.float64]) -> float:
    """Return the upper tail probability of the t test; 0 where nothing varies."""
    n, mean = len(values), float(values.mean())
    spread = float(values.std(ddof=1)) if n > 1 else 0.0
    if spread <= 1e-6 * abs(mean):
        return 0.0
    return float(tails.t_sf(mean / spread * math.sqrt(n), n - 1))


def extremes_like(values: NDArray[np.float64], tail: float, pvalue: float) -> Extremes:
    """Order values for a test: by their ranks or signs, if its p-value is that of these.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The differences; those for the verdict are positive.
    tail, pvalue : float
        Upper tail probability at which the test rejects, and what it found.
    """

    def apart(found: Extremes) -> float:
        return abs(math.log(max(_upper_tail(found.values), 1e-300) / max(pvalue, 1e-300)))

    found = Extremes(values, tail)
    if found.n < 3 or apart(found) < _ALIKE:
        return found
    signs = np.sign(values)
    ranks = signs * tails.laws().rankdata(np.abs(values))
    return min((found, Extremes(ranks, tail), Extremes(signs, tail)), key=apart)


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
    found = Extremes(bell / np.std(bell, ddof=1) + t / math.sqrt(m), alpha / 2)
    k = found.fewest_to_undecide()
    if k >= m - 1:
        return float(n)
    # Between whole numbers: what is left of the last one.
    after, before = found.least(k)[1], found.least(k - 1)[1]
    share = before / (before - after) if before > after else 1.0
    return float(k - 1 + share) * math.sqrt(n / m)


def can_leave_out(sample: Any) -> bool:
    """Whether units of a sample can be left out honestly.

    Splits of one data set share their rows, and a series in time has no gaps. Rows of
    predictions are units of equal weight, and the metric a function of sums over them.
    """
    if isinstance(sample, PairedScores):
        return sample.unit != "split" and not (sample.ordered or sample.only_test)
    if not isinstance(sample, Predictions):
        return isinstance(sample, AgreementTable)
    beside = (sample.groups, sample.sample_weight, sample.strata, sample.order, sample.counts)
    return all(each is None for each in beside) and isinstance(sample.kernel, SumKernel)


def values_of(sample: Any) -> NDArray[np.float64]:
    """Return what every unit adds to the estimate, for A if positive.

    Of counts the units that differ stand for all.
    """
    if isinstance(sample, AgreementTable):
        return np.repeat([1.0, -1.0], [sample.only_a, sample.only_b])
    if isinstance(sample, PairedScores):
        return sample.differences
    score_a, score_b = sample.scores
    influence = sample.with_rows().kernel.influence()
    return np.asarray(score_a - score_b + influence[:, 0] - influence[:, 1])


def without(sample: Any, places: Places) -> Any:
    """Return a sample without the units at these places of its values."""
    if isinstance(sample, AgreementTable):
        of_a = int(np.count_nonzero(places < sample.only_a))
        of_b = len(places) - of_a
        return replace(sample, only_a=sample.only_a - of_a, only_b=sample.only_b - of_b)
    if isinstance(sample, PairedScores):
        a, b = np.delete(sample.a, places), np.delete(sample.b, places)
        return PairedScores(a, b, unit=sample.unit)
    return sample.on_rows(np.delete(np.arange(sample.n_rows), places)).pair(*sample.names)


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


def can_be_asked_again(sample: Any, procedure: Callable[..., Any], outcome: Comparison) -> bool:
    """Whether units can be left out of a sample, and a test be asked again in little time."""
    if declared(procedure).side_effects or not can_leave_out(sample):
        return False
    if isinstance(sample, Predictions):
        return outcome.n_drawn * len(sample.kernel.plan.multiplicity) <= _MOST_DRAWN
    return True


def sturdiness(sample: Any, procedure: Test, *, alpha: float = 0.05) -> Sturdiness:
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
    sample : AgreementTable, PairedScores or Predictions
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
    if not can_leave_out(sample):
        unit = getattr(sample, "unit", "")
        of = f" of {unit}s" if unit else ""
        raise TypeError(
            f"no units can be left out of {type(sample).__name__}{of}; give AgreementTable, "
            "PairedScores of independent units, or Predictions of a metric of sums."
        )
    if not callable(procedure):
        raise TypeError(f"procedure={procedure!r} must be a test, as skstat.stats.mcnemar.")
    outcome = procedure(sample)
    return _Search(sample, procedure, outcome, alpha).found()


def rests_on_few(
    sample: Any, procedure: Test, outcome: Comparison, alpha: float
) -> tuple[Sturdiness, float] | None:
    """Tell a verdict that rests on far fewer units than others with the same p-value.

    Parameters
    ----------
    sample, procedure, alpha : object
        As for :func:`sturdiness`.
    outcome : Comparison
        What the procedure found.

    Returns
    -------
    tuple of Sturdiness and float, or None
        How many units it is, and how many of bell-shaped differences it would be; None where
        it is not far fewer. Little is computed then: nothing at all of p-values near the level.
    """
    # Counts are units of one size, of which none is an outlier.
    if isinstance(sample, AgreementTable) or not can_leave_out(sample):
        return None
    if not outcome.pvalue < alpha:
        return None
    values, sides = values_of(sample), 1 if outcome.alternative == "two-sided" else 2
    n, tail = int(np.count_nonzero(values)), sides * alpha / 2
    usual = fewest_if_even(n, sides * outcome.pvalue, 2 * tail)
    most = min(math.floor(usual / _FEW), n - 3)
    if most < 1:
        return None
    rest = np.partition(outcome.direction * values, len(values) - most)[:-most]
    if _upper_tail(rest) < tail:  # in linear time
        return None
    search = _Search(sample, procedure, outcome, alpha)
    if search.extremes.least(most)[1] > 0 or search.rejects(most):
        return None
    found = search.found()
    k = found.n_to_undecide
    return None if k is None or k > most or found.too_few_left else (found, usual)


class _Search:
    """The search for the fewest units, which remembers what it asked."""

    def __init__(self, sample: Any, procedure: Test, outcome: Comparison, alpha: float) -> None:
        self.sample, self.procedure = sample, procedure
        self.outcome, self.alpha = outcome, alpha
        sides = 2 if outcome.alternative == "two-sided" else 1
        self.side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction) or 1
        values = self.side * values_of(sample)
        self.extremes = extremes_like(values, alpha / sides, outcome.pvalue / sides)
        # Units with the same value are the same, so that none is a better choice. Of most
        # sets of rows, to ask a test again takes long: too long to try many sets.
        self.are_alike = isinstance(sample, AgreementTable)
        self.is_costly = isinstance(sample, Predictions)
        facts = declared(procedure)
        self.is_t = facts.t_of_mean and not facts.units
        # Counts and t tests need two units that differ, or two units.
        self.most = len(values) - (0 if self.are_alike else 2)
        self.without = cache(self._without)

    def found(self) -> Sturdiness:
        """Return what the verdict rests on."""
        facts: dict[str, Any] = {"n_units": self.sample.n_units, "unit": str(self.sample.unit)}
        if not self.outcome.pvalue < self.alpha:
            return Sturdiness(n_to_undecide=0, n_to_reverse=0, is_exact=True, **facts)
        extremes, n = self.extremes, self.extremes.n
        guess = extremes.fewest_to_undecide() if n > 2 else 1
        k = self._fewest(lambda k: not self.rejects(k), guess)
        facts["n_to_reverse"] = self._fewest(self._reversed, extremes.fewest_to_reverse())
        if k is None:
            return Sturdiness(n_to_undecide=None, **facts)
        is_exact = self.are_alike or k == 1
        is_exact |= self.is_t and all(extremes.least(fewer)[2] for fewer in range(1, k))
        smaller = sum(math.comb(n, fewer) for fewer in range(1, k))
        places, after = self.without(k)
        if not (is_exact or self.is_costly) and smaller <= _MOST_TRIED:
            is_exact = True
            for chosen in chain.from_iterable(combinations(range(n), m) for m in range(1, k)):
                tried = np.array(chosen, dtype=np.intp)
                if not _pvalue(outcome := self._ask(tried)) < self.alpha:
                    k, places, after = len(chosen), tried, outcome
                    break
        return Sturdiness(
            n_to_undecide=k,
            is_exact=is_exact,
            too_few_left=after is not None and after.smallest_pvalue >= self.alpha,
            places=() if self.are_alike or k > _MOST_NAMED else tuple(np.sort(places).tolist()),
            **facts,
        )

    def rejects(self, k: int) -> bool:
        """Whether the test rejects without k units; it does not where it is not possible."""
        return _pvalue(self.without(k)[1]) < self.alpha

    def _without(self, k: int) -> tuple[Places, Comparison | None]:
        """Return k units that are the worst to miss, and what the test says of the others."""
        choices = [self.extremes.order[:k]]
        if k <= self.extremes.n - 2 and not self.are_alike:
            chosen = self.extremes.least(k)[0]
            alone = self.is_t or self.is_costly or np.array_equal(chosen, choices[0])
            choices = [chosen] if alone else [*choices, chosen]
        found = [(places, self._ask(places)) for places in choices]
        return max(found, key=lambda each: _pvalue(each[1]))

    def _ask(self, places: Places) -> Comparison | None:
        try:
            return self.procedure(without(self.sample, places))
        except ValueError:  # too few units are left, or none of a class
            return None

    def _reversed(self, k: int) -> bool:
        outcome = self._ask(self.extremes.order[:k])
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
        while low < high - step and turns(high - step):  # the guess is seldom wrong
            high, step = high - step, 2 * step
        low = max(low, high - step) + 1
        return low + bisect_left(range(low, high), True, key=turns)


def _pvalue(outcome: Comparison | None) -> float:
    """Return a p-value; 0 where no test is possible, which turns nothing."""
    return 0.0 if outcome is None or math.isnan(outcome.pvalue) else outcome.pvalue
