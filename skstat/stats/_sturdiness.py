"""Robustness of a verdict: the fewest units whose removal changes it."""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _chance as tails
from skstat.stats._counts import AgreementTable
from skstat.stats._family import Comparison
from skstat.stats._kernels import SumKernel
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import declared, works
from skstat.stats._scores import PairedScores
from skstat.stats._stored import Stored
from skstat.stats._words import check_alpha

_MAX_TRIED = 400  # smaller sets, up to which all are tried
_MAX_NAMED = 20

Test = Callable[[Any], Comparison]


class Extremes:
    """Sorted values, and their t statistic without some of the largest.

    The t statistic of m values with sum S and sum of squares Q is a growing function of
    S / sqrt(Q), so that it lies below a critical value exactly where S < c sqrt(Q), with a
    ``c`` that depends on m alone. The square root is concave: it lies below each of its
    tangents, and the tangent at Q - q turns the question which k values to leave out into
    which k values have the largest x - lambda x**2. In sorted order these are adjacent, about
    1 / (2 lambda). The bound by the tangent holds for all sets of k values.

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
        powers = np.stack([self.values, self.values**2], axis=1)
        # Sums, and sums of squares, of the first values.
        self.totals = np.pad(np.cumsum(powers, axis=0), ((1, 0), (0, 0)))

    def drop(self, k: int) -> tuple[NDArray[np.intp], float, bool]:
        """Return k values to leave out, the excess without them, and whether it is a bound.

        Parameters
        ----------
        k : int
            How many to leave out; two or more must be left.

        Returns
        -------
        indices : ndarray of int of shape (k,)
            Indices of the values to leave out.
        excess : float
            S - c sqrt(Q) of the others; the test rejects where it is positive.
        is_bound : bool
            Whether the test rejects whichever k values are left out.
        """
        m, x, totals = self.n - k, self.values, self.totals
        t = float(tails.t_isf(self.tail, m - 1))
        c = t * math.sqrt(m / (m - 1 + t * t))

        # Larger values than those left out are kept only if they exceed sqrt(Q) / 2 c, and
        # there are at most 4 c**2 such values.
        starts = np.arange(min(m, int(4 * c * c)) + 1)
        sums, squares = (totals[-1] - (totals[starts + k] - totals[starts])).T
        roots = np.sqrt(np.maximum(squares, 0.0))
        excesses = sums - c * roots
        start = int(excesses.argmin())
        root = max(float(roots[start]), 1e-150)
        nearest = bisect_left(range(m), True, key=lambda s: x[s] + x[s + k] <= 2 * root / c)
        total, square = totals[-1] - (totals[nearest + k] - totals[nearest])
        least = total - c / 2 * (root + max(square, 0.0) / root)  # by the tangent
        return self.order[start : start + k], excesses[start], least > 1e-9 * totals[-1, 0]

    def fewest_to_undecide(self) -> int:
        """Return how many values to leave out for the t test not to reject; n - 1 if none."""
        return 1 + bisect_left(range(1, self.n - 1), True, key=lambda k: self.drop(k)[1] <= 0)

    def fewest_to_reverse(self) -> int:
        """Return how many of the largest to leave out for a sum that is not positive."""
        sums, squares = self.totals.T
        return int(np.argmax(sums[-1] - sums <= 1e-12 * squares[-1] ** 0.5))


def can_leave_out(sample: Any) -> bool:
    """Whether units of a sample can be left out.

    They cannot where splits share their rows, or in a time series. Rows of predictions must be
    units of equal weight, and the metric a function of sums over them.
    """
    if isinstance(sample, PairedScores):
        return sample.unit != "split" and not (sample.ordered or sample.only_test)
    if not isinstance(sample, Predictions):
        return isinstance(sample, AgreementTable)
    others = (sample.groups, sample.sample_weight, sample.strata, sample.order, sample.counts)
    return all(option is None for option in others) and isinstance(sample.kernel, SumKernel)


def values_of(sample: Any) -> NDArray[np.float64]:
    """Return the contribution of every unit to the estimate, positive for A.

    For counts, only of the units that differ.
    """
    if isinstance(sample, AgreementTable):
        return np.repeat([1.0, -1.0], [sample.only_a, sample.only_b])
    if isinstance(sample, PairedScores):
        return sample.differences
    influence = sample.with_rows().kernel.influence()
    return np.asarray(np.subtract(*sample.scores) + influence[:, 0] - influence[:, 1])


def without(sample: Any, indices: Any) -> Any:
    """Return a sample without the units at these indices of its values."""
    if isinstance(sample, AgreementTable):
        n_a, n_b = np.bincount(np.greater_equal(indices, sample.only_a), minlength=2)
        return replace(sample, only_a=sample.only_a - n_a, only_b=sample.only_b - n_b)
    if isinstance(sample, PairedScores):
        return PairedScores(*np.delete((sample.a, sample.b), indices, axis=1), unit=sample.unit)
    return sample.on_rows(np.delete(np.arange(sample.n_rows), indices)).pair(*sample.names)


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
        The fewest units without which the same test does not reject; None if there is no such
        set among those tried.
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
    >>> result = sturdiness(AgreementTable(54, 18, 6, 22), mcnemar)
    >>> result.n_to_undecide, result.n_to_reverse, result.is_exact
    (3, 12, True)
    """

    references: ClassVar = (works.BRODERICK_ET_AL_2020, works.KUSCHNIG_ET_AL_2021)

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
    >>> result = sturdiness(sample, paired_t)
    >>> result.n_to_undecide, result.n_units, result.is_exact
    (5, 11, False)
    """
    check_alpha(alpha)
    if not can_leave_out(sample):
        of = f" of {sample.unit}s" if getattr(sample, "unit", "") else ""
        raise TypeError(
            f"no units can be left out of {type(sample).__name__}{of}; give AgreementTable, "
            "PairedScores of independent units, or Predictions of a metric of sums."
        )
    if not callable(procedure):
        raise TypeError(f"procedure={procedure!r} must be a test, as skstat.stats.mcnemar.")
    return Search(sample, procedure, procedure(sample), alpha).result()


class Search:
    """The search for the fewest units, which caches the outcomes of its tests."""

    def __init__(self, sample: Any, procedure: Test, outcome: Comparison, alpha: float) -> None:
        self.sample, self.procedure = sample, procedure
        self.outcome, self.alpha = outcome, alpha
        self.side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction) or 1
        tail = alpha / 2 if outcome.alternative == "two-sided" else alpha
        self.extremes = Extremes(self.side * values_of(sample), tail)
        # Units with the same value are interchangeable. On predictions a test takes too long to
        # be repeated without many sets of rows.
        self.are_alike = isinstance(sample, AgreementTable)
        self.is_costly = isinstance(sample, Predictions)
        facts = declared(procedure)
        self.is_t = facts.t_of_mean and not facts.units
        self.without = cache(self._without)

    def result(self) -> Sturdiness:
        """Return both numbers of units."""
        extremes, n = self.extremes, self.extremes.n
        facts: Any = {"n_units": self.sample.n_units, "unit": str(self.sample.unit)}
        if not self.outcome.pvalue < self.alpha:
            return Sturdiness(n_to_undecide=0, n_to_reverse=0, is_exact=True, **facts)
        facts["n_to_reverse"] = self._fewest(self._reverses, extremes.fewest_to_reverse())
        k = self._fewest(self.undecides, extremes.fewest_to_undecide())
        if k is None:
            return Sturdiness(n_to_undecide=None, **facts)
        indices, after = self.without(k)
        fewer = range(1, k)
        exact = self.are_alike or (self.is_t and all(extremes.drop(m)[2] for m in fewer))
        if not (exact or self.is_costly) and sum(math.comb(n, m) for m in fewer) <= _MAX_TRIED:
            exact = True
            smaller = (chosen for m in fewer for chosen in combinations(range(n), m))
            indices = next((s for s in smaller if self._is_turned(self._test(s))), indices)
            after = self._test(indices)
        listed = not self.are_alike and len(indices) <= _MAX_NAMED
        return Sturdiness(
            n_to_undecide=len(indices),
            is_exact=exact or k == 1,
            too_few_left=bool(after.smallest_pvalue >= self.alpha),
            places=tuple(np.sort(indices).tolist()) if listed else (),
            **facts,
        )

    def undecides(self, k: int) -> bool:
        """Whether the test without k units does not reject, or favours the other system."""
        return self._is_turned(self.without(k)[1])

    def _is_turned(self, outcome: Comparison) -> bool:
        return bool(outcome.pvalue >= self.alpha or outcome.estimate * self.side < 0)

    def _reverses(self, k: int) -> bool:
        return bool(self._test(self.extremes.order[:k]).estimate * self.side <= 0)

    def _without(self, k: int) -> tuple[Any, Comparison]:
        """Return the k most influential units, and the outcome of the test without them."""
        choices = [self.extremes.order[:k]]
        if k <= self.extremes.n - 2 and not self.are_alike:
            choices.append(self.extremes.drop(k)[0])
        if self.is_t or self.is_costly or np.array_equal(choices[0], choices[-1]):
            choices = choices[-1:]
        tries = [(indices, self._test(indices)) for indices in choices]
        return next((result for result in tries if self._is_turned(result[1])), tries[0])

    def _test(self, indices: Any) -> Comparison:
        try:
            return self.procedure(without(self.sample, indices))
        except ValueError:  # too few units are left, or none of a class: no change
            return self.outcome

    def _fewest(self, is_turned: Callable[[int], bool], guess: int) -> int | None:
        """Return the first k for which the verdict is turned, searched from a guess."""
        # Counts and t tests need two units that differ, or two units.
        largest = self.extremes.n - (0 if self.are_alike else 2)
        high = max(1, min(guess, largest))
        low, step = high - 1, 1  # invariant: turned without `high` units, not without `low`
        while not is_turned(high):
            if high >= largest:
                return None
            low, high, step = high, min(largest, high + step), 2 * step
        while low > 0 and is_turned(low):
            step *= 2
            low, high = max(0, low - step), low
        return low + 1 + bisect_left(range(low + 1, high), True, key=is_turned)
