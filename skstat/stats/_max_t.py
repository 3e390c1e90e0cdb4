"""Several comparisons at once: the distribution of the largest statistic."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._bootstrap import UnitSpread
from skstat.stats._family import Comparison, Joint
from skstat.stats._kernels import weighted_sums
from skstat.stats._law import Law, Student, about, at_levels
from skstat.stats._noise import without_levels
from skstat.stats._resampling import (
    CellPlan,
    ResamplingPlan,
    UnitPlan,
    many_units,
    stream,
    sums_of_blocks,
)
from skstat.stats._words import (
    TOWARDS,
    ConfidenceInterval,
    check_alpha,
    one_sided,
    smallest_of_signs,
)

# Of that many draws every tenth in the order of their size is kept, which varies little.
N_KEPT = 9_999
_PER_KEPT = 10
_DRAWS_AT_ONCE = 4_096
_NOISE = 1e-9
# How far the level of an interval is moved, and in how many steps it is found.
_NEAR, _HALVINGS = 3.0, 20


# More digits would say nothing, and fill reports that are kept. Ties are ties up to that.
MAXIMA_DECIMALS = 5
_TOLERANCE = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class JointMaxT(Joint):
    """The law of the largest statistic of a family.

    The interval is the estimate minus and plus the critical value of the maxima times the
    standard error: it excludes 0 exactly where the adjusted p-value is below the level. The
    critical value is what abs(statistic) must exceed, at the level of the family.

    Attributes
    ----------
    pvalue : float or ndarray
        p-value adjusted for the family: the share of draws whose largest statistic over
        all comparisons is at least this one's.
    errors : float or ndarray
        Standard errors under the joint distribution.
    maxima : ndarray of shape (n_resamples,)
        Largest statistic of the family under its joint distribution: of every draw, resample
        or pattern of signs, the smallest first.
    n_resamples, seed : int
        Number and seed of the draws.
    least : float or None
        Smallest p-value that the units can give, if that is more than what the draws can.
    """

    statistic_name = "t"
    _of_all = frozenset({"maxima"})

    n_resamples: int
    errors: Any
    maxima: Any
    least: float | None = None

    def standard_error(self, law: Law) -> Any:
        return self.errors

    def df(self, law: Law) -> Any:
        return None

    def n_drawn(self, law: Law) -> int:
        return 0

    def statistic(self, law: Law) -> Any:
        return Student(estimate=law.estimate, standard_error=self.errors).statistic

    def monte_carlo_error(self, own: Comparison) -> float:
        return math.sqrt(self.pvalue * (1 - self.pvalue) / max(1, self.n_resamples))

    def smallest_pvalue(self, law: Law, alternative: str) -> float:
        return max(1 / (1 + self.n_resamples), self.least or 0.0)

    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        critical = at_levels(
            lambda level: self.critical_value(law, alternative, level), np.round(alpha, 12)
        )
        found = ConfidenceInterval(*about(law.estimate, self.errors, critical))
        spread: UnitSpread | None = getattr(law, "spread", None)
        if spread is None:
            return found
        return spread.lengthen(found, law.estimate, float(special.ndtr(-critical)))

    def critical_value(self, law: Law, alternative: str, alpha: float) -> float:
        if self.smallest_pvalue(law, alternative) >= round(alpha, 12):
            return math.inf
        return critical_maximum(np.asarray(self.maxima, dtype=float), alpha)


class MaxT(NamedTuple):
    """Joint p-values of a family of differences, and the maxima behind its intervals.

    Attributes
    ----------
    t : ndarray of shape (n_comparisons,)
        Statistics, in the direction of the alternative.
    estimates, standard_errors : ndarray of shape (n_comparisons,)
        What they are made of.
    maxima : ndarray of shape (n_resamples,)
        Draws of the largest statistic of the family, sorted and rounded, to be kept.
    pvalues : ndarray of shape (n_comparisons,)
        Adjusted p-values; nan where a constant difference leaves nothing to test against.
    how : str
        Name of the law.
    n_resamples, seed : int
        Draws that were asked for, and their seed; of signs there may be fewer patterns.
    least : float
        Smallest p-value that the units can give.
    alone : ndarray of shape (n_comparisons,), or None
        p-values of every comparison by itself, from the same draws.
    """

    t: NDArray[np.float64]
    estimates: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    maxima: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    how: str
    n_resamples: int
    seed: int
    least: float = 0.0
    alone: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, t: Any, estimates: Any, errors: Any, maxima: Any, **facts: Any) -> "MaxT":
        """Find the p-values of statistics whose largest one was drawn."""
        maxima = np.sort(np.round(maxima, MAXIMA_DECIMALS))
        reached = np.searchsorted(maxima, t - _tolerance(t))
        pvalues = (1 + len(maxima) - reached) / (1 + len(maxima))
        pvalues = np.maximum(pvalues, facts.get("least", 0.0))
        pvalues = np.where(np.isnan(errors), math.nan, pvalues)
        return cls(t, estimates, errors, maxima, pvalues, **facts)

    @property
    def by_flips(self) -> bool:
        """Whether the law is that of flipped signs."""
        return self.alone is not None

    @property
    def drawn_by(self) -> int | None:
        """The seed of the draws; None where every pattern of signs was taken once."""
        every = self.by_flips and len(self.maxima) < self.n_resamples
        return None if every else self.seed


def as_large(drawn: NDArray[np.float64], observed: NDArray[np.float64]) -> Any:
    """Count the draws (rows) that reach each observed value, ties within noise included."""
    return np.sum(drawn >= observed - _tolerance(observed), axis=0)


def critical_maximum(maxima: NDArray[np.float64], alpha: float) -> float:
    """Return the value above which a statistic has a p-value below `alpha`.

    It is the one of the sorted maxima that only as many others exceed as may, so that
    p-values and intervals cannot contradict each other.
    """
    # A p-value (1 + n) / (1 + B) is below alpha for up to so many maxima n.
    most = math.ceil(round(alpha * (1 + len(maxima)), 9)) - 2
    if most < 0:
        return math.inf
    reached = float(maxima[-1 - most])
    # The observed value is taken to be larger by the tolerance.
    if abs(reached) <= 1 - _TOLERANCE:
        return reached + _TOLERANCE
    return reached / (1 - math.copysign(_TOLERANCE, reached))


def _tolerance(observed: Any) -> Any:
    return _TOLERANCE * np.maximum(1.0, np.abs(observed))


@dataclass(frozen=True, kw_only=True, eq=False)
class JointMinP(Joint):
    """The law of the smallest p-value of a family.

    Every comparison keeps its own test. The adjusted p-value is the chance that the smallest
    p-value of the family is as small as its own where no two systems differ (single-step min-P;
    Westfall & Young, 1993, equation 2.8). p-values that are far from every level, as of few
    right and wrong answers, cost the others nothing.

    The interval is that of the own test, at the level of one of `n_effective` independent
    comparisons. That has no gain from coarse p-values, which belongs to the hypothesis of no
    difference alone. An interval that would contradict the adjusted p-value has the level at
    which they agree.

    Attributes
    ----------
    pvalue : float
        p-value adjusted for the family.
    minima : ndarray of shape (9999,)
        Quantiles of the smallest p-value of the family, in ascending order.
    n_effective : float
        Number of independent comparisons that are as many as these, which may share units.
    seed : int
        Seed of the draws behind them.
    spread : UnitSpread or None
        How much what the units contribute varies. At the level of one of many comparisons
        intervals of few units are too short: this one is at least that of the jackknife, on
        the side of the longer tail by as much longer as a t has it (Hall, 1992, section 2.6),
        but never so long that it contains 0 against the test.
    """

    minima: Any
    n_effective: float
    spread: UnitSpread | None = None

    def monte_carlo_error(self, own: Comparison) -> float:
        # Of the draws of both laws.
        p, n_drawn = self.pvalue, (len(self.minima) + 1) * _PER_KEPT
        error = own.monte_carlo_error
        return math.hypot(error and error * p / own.pvalue, math.sqrt(p * (1 - p) / n_drawn))

    def smallest_pvalue(self, law: Law, alternative: str) -> float:
        return float(self.adjusted(law.smallest_pvalue(alternative)))

    def adjusted(self, pvalues: Any) -> Any:
        """Share of the smallest p-values that are as small, that of the data included.

        nan, which no test is behind, stays nan.
        """
        bound = np.multiply(pvalues, 1 + _NOISE)
        reached = np.searchsorted(np.asarray(self.minima), bound, side="right")
        return np.where(np.isnan(pvalues), math.nan, (1 + reached) / (1 + len(self.minima)))

    def judged(
        self, own: Comparison, pvalue: float, spread: UnitSpread | None = None
    ) -> Comparison:
        """Judge what a comparison found by itself within its family."""
        return replace(own, joint=replace(self, pvalue=pvalue, spread=spread))

    def level_of_one(self, alpha: float = 0.05) -> float:
        """Level of one comparison that belongs to a level of the family.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the family.

        Returns
        -------
        float
            The adjusted p-value is below `alpha` exactly where the own one is below it; 0
            where none can be.
        """
        check_alpha(alpha)
        minima = np.asarray(self.minima, dtype=float)
        # A p-value (1 + k) / (1 + B) is below alpha for fewer minima k than that.
        least = math.ceil(round(alpha * (1 + len(minima)), 9)) - 1
        return 0.0 if least < 1 else float(minima[least - 1])

    def interval(self, law: Law, alternative: str, alpha: Any) -> tuple[Any, Any]:
        alpha = round(alpha, 12)
        rejecting = self.level_of_one(alpha) * (1 - _NOISE)
        level = level_of_each(alpha, self.n_effective)
        pvalue = law.pvalue(alternative)
        rejects = pvalue < rejecting
        if rejects != (pvalue < level):
            level = rejecting
        if level <= 0:
            return ConfidenceInterval(-math.inf, math.inf)
        level = min(level, 1 - _NOISE)
        found = _agreeing(law, alternative, level, rejects)
        if self.spread is None or law.follows_skewness:
            return found
        tail = level / 2 if alternative == "two-sided" else level
        return self.spread.lengthen(found, law.estimate, tail)


def _agreeing(law: Law, alternative: str, level: float, rejects: bool) -> ConfidenceInterval:
    """Interval at a level, or the nearest at which it excludes 0 as the test does."""

    def at(level: float) -> ConfidenceInterval:
        return one_sided(alternative, *law.interval(alternative, level))

    found = at(level)
    if _excludes_zero(found) in (rejects, None):
        return found
    # Where the two agree at last; further away they differ by more than their kinds.
    other = level * _NEAR if rejects else level / _NEAR
    if not 0 < other < 1 or _excludes_zero(at(other)) != rejects:
        return found
    for _ in range(_HALVINGS):
        middle = math.sqrt(level * other)
        if _excludes_zero(at(middle)) == rejects:
            other = middle
        else:
            level = middle
    return at(other)


def _excludes_zero(interval: ConfidenceInterval) -> bool | None:
    """Whether an interval excludes 0; None where there is none."""
    if math.isnan(interval.low):
        return None
    return not interval.low <= 0 <= interval.high


def level_of_each(alpha: float, n: float) -> float:
    """Level of each of n independent comparisons (Sidak, 1967)."""
    return float(-np.expm1(np.log1p(-alpha) / n))


def smallest_pvalues(
    outcomes: Sequence[Comparison],
    seed: int,
    *,
    correlation: NDArray[np.float64] | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
) -> JointMinP:
    """Find the law of the smallest p-value of several comparisons.

    A p-value that can take few values only, as of a sign test, is drawn from these.

    Parameters
    ----------
    outcomes : sequence of Comparison
        The comparisons.
    seed : int
        Seed of the draws.
    correlation : ndarray of shape (n_outcomes, n_outcomes), optional
        Correlation of the estimates, where comparisons share units; by default they are
        independent. p-values are drawn as those of normal errors with this correlation (a
        Gaussian copula).
    alternative : {"two-sided", "less", "greater"}
        Direction of every comparison.
    alpha : float, default=0.05
        Level at which the number of independent comparisons is counted.

    Returns
    -------
    JointMinP
        The law, which no comparison is judged by yet.
    """
    rng = stream(np.random.SeedSequence(seed))
    laws = [outcome.law.null_pvalues(outcome.alternative) for outcome in outcomes]
    root = None
    if correlation is not None:  # it may be singular: a slice may come twice
        values, vectors = np.linalg.eigh(correlation)
        root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    total = (N_KEPT + 1) * _PER_KEPT - 1
    minima, plain = np.empty(total), np.empty(total)
    for start in range(0, total, _DRAWS_AT_ONCE):
        rows = slice(start, min(start + _DRAWS_AT_ONCE, total))
        n = rows.stop - rows.start
        if root is None:
            chances = rng.random((n, len(laws)))
        else:
            errors = rng.standard_normal((n, len(root))) @ root
            chances = special.ndtr(-np.abs(errors)) * 2
            if alternative != "two-sided":
                chances = special.ndtr(errors)
        drawn = [law.of(chances[:, place]) for place, law in enumerate(laws)]
        minima[rows], plain[rows] = np.minimum.reduce(drawn), chances.min(axis=1)
    minima.sort()
    n_effective = float(len(laws))
    if root is not None:
        each = float(np.quantile(plain, alpha))
        n_effective = min(n_effective, max(1.0, math.log1p(-alpha) / math.log1p(-each)))
    kept = minima[_PER_KEPT - 1 :: _PER_KEPT]
    return JointMinP(minima=kept, n_effective=n_effective, seed=seed)


# A spread of differences that is less than this part of their squares is taken to be it.
_LEAST_SPREAD = 1e-8
# Below, the flips of all units are drawn soon enough. Drawing how many of c kinds of units flip
# costs as much as drawing the flips of about 20 c units.
_MANY_UNITS = 2_048
_TOO_MANY_TO_LIST = 60
_UNITS_PER_KIND = 20
_LOOKED_AT = 1_000
_PATTERNS_AT_ONCE = 256
_IN_CACHE = 1 << 16
_NUMBERS_AT_ONCE = 1 << 21
_Pairs = Sequence[tuple[int, int]]
_Numbers = NDArray[np.float64]


class JointFlips:
    """Per-unit scores of k systems whose signs are flipped together, unit by unit.

    If no two systems differed, all differences of a unit could change their signs
    together, which keeps their correlation (Westfall & Young, 1993, section 4). A
    comparison's statistic is the mean difference over its standard error, both of the
    flipped differences. The scores themselves are flipped, and then subtracted, so that
    the cost hardly depends on the number of pairs. All patterns are counted where they
    are no more than the draws asked for. Of many units of few kinds (right and wrong answers)
    it is drawn how many of each kind flip, which is binomial: nothing is approximated.

    Of more than 65,536 other units, those of a block flip together, in 16,381 blocks of units
    that stand far apart. These patterns are a subgroup of all, so that the level is as exact as
    that of all patterns. The statistic of a pattern has the standard error of its blocks; what
    it is compared with has that of all units.

    Parameters
    ----------
    scores : ndarray of shape (n_units, n_systems)
        Sums of the scores of every unit.
    sizes : ndarray of shape (n_units,), optional
        Rows of every unit, where they are not alike: the means are those of all rows, and
        the standard errors cluster-robust (CR1). By default every unit is one.
    n_resamples : int
        Patterns of signs to draw.
    seed : int
        Seed of the patterns.
    """

    how = "joint sign flips"

    def __init__(
        self, scores: _Numbers, sizes: _Numbers | None = None, *, n_resamples: int, seed: int
    ) -> None:
        self.n_resamples, self.seed = n_resamples, seed
        contrasts = without_levels(scores)
        self._scale = float(np.abs(contrasts).max(initial=0.0)) or 1.0
        contrasts = contrasts / self._scale
        self.n_units, self._k = scores.shape
        self._sizes = np.ones(self.n_units) if sizes is None else np.asarray(sizes, float)
        active = np.ptp(contrasts, axis=1) > 0
        #: Units on which any two systems differ; flipping others changes nothing.
        self.n_active = int(active.sum())
        x, self._drawn_from = contrasts[active], self
        self._plan: ResamplingPlan = UnitPlan(self.n_active)
        many = self.n_units >= _MANY_UNITS and self.n_active >= _TOO_MANY_TO_LIST
        if sizes is not None:  # beside the terms of means, those of their standard errors
            x = np.hstack([x, self._sizes[active, None] * x])
        elif many and (kinds := _kinds_of(x)) is not None:
            x, self._plan = kinds
        elif many_units(self.n_active):  # a block is taken for a unit
            in_blocks = sums_of_blocks(np.ones((self.n_units, 1)))[:, 0]
            of_blocks = sums_of_blocks(contrasts), in_blocks
            self._drawn_from = JointFlips(*of_blocks, n_resamples=n_resamples, seed=seed)
            self.how = f"{type(self).how} of blocks"
        self._x, self._times = x, self._plan.multiplicity

    def max_t(
        self, pairs: _Pairs, alternative: str = "two-sided", *, family: _Pairs | None = None
    ) -> MaxT:
        """Judge the mean differences of some pairs by the largest t of the family.

        Parameters
        ----------
        pairs : sequence of tuple of int
            The comparisons.
        alternative : {"two-sided", "less", "greater"}
            Direction of every comparison.
        family : sequence of tuple of int, optional
            All comparisons of the family, where they are more than `pairs`.

        Returns
        -------
        MaxT
            p-values of every comparison alone and in the family, and the maxima.
        """
        shown, n, drawn_from = set(pairs), len(pairs), self._drawn_from
        judged = [*pairs, *(pair for pair in family or () if pair not in shown)]
        first, second = np.array(judged).T
        squares = self._squares(first, second)
        own = squares if drawn_from is self else drawn_from._squares(first, second)
        means, errors = self._moments(self._times @ self._x, first, second, squares)
        t = TOWARDS[alternative](_ratio(means, errors))
        counts, maxima = np.zeros(len(judged)), [np.empty(0)]
        sums = drawn_from._times @ drawn_from._x
        for flips in drawn_from._patterns():
            flipped = sums - 2 * weighted_sums(flips, drawn_from._x)  # taken away twice
            largest = np.full(len(flips), -np.inf)
            for part in _parts(len(judged), len(flips), _IN_CACHE):
                found = drawn_from._moments(flipped, first[part], second[part], own[part])
                drawn = TOWARDS[alternative](_ratio(*found))
                counts[part] += as_large(drawn, t[part])
                np.maximum(largest, drawn.max(axis=1), out=largest)
            maxima.append(largest)
        drawn = np.concatenate(maxima)
        least = smallest_of_signs(alternative, self.n_active)
        return MaxT.of(
            t[:n],
            means[:n] * self._scale,
            errors[:n] * self._scale,
            drawn,
            how=self.how,
            n_resamples=self.n_resamples,
            seed=self.seed,
            least=least,
            alone=np.maximum((1 + counts[:n]) / (1 + len(drawn)), least),
        )

    def _squares(self, first: Any, second: Any) -> _Numbers:
        """Sums of squares of the differences of pairs, which no flip changes."""
        found, x = np.empty(len(first)), self._x
        for part in _parts(len(first), len(x), _NUMBERS_AT_ONCE):
            found[part] = self._times @ (x[:, first[part]] - x[:, second[part]]) ** 2
        return found

    def _moments(
        self, sums: _Numbers, first: Any, second: Any, squares: _Numbers
    ) -> tuple[_Numbers, _Numbers]:
        """Mean differences of pairs and their standard errors, for sums of flipped terms."""
        n, total = self.n_units, float(self._sizes.sum())
        own, crossed = sums[..., : self._k], sums[..., -self._k :]
        mean = (own[..., first] - own[..., second]) / total
        mean = np.where(squares > 0, mean, 0.0)
        spread = squares - 2 * mean * (crossed[..., first] - crossed[..., second])
        spread += mean**2 * float(self._sizes @ self._sizes)
        scale = n / max(1, n - 1) / total**2
        return mean, np.sqrt(np.maximum(spread, _LEAST_SPREAD * squares) * scale)

    def _patterns(self) -> Iterator[NDArray[Any]]:
        """How many units of each kind flip: in all patterns but the one without, or in some."""
        n = self.n_active
        rows = _PATTERNS_AT_ONCE
        if isinstance(self._plan, UnitPlan):
            rows = max(1, min(rows, _NUMBERS_AT_ONCE // max(1, self.n_units)))
        every = n < _TOO_MANY_TO_LIST and 2**n - 1 <= self.n_resamples
        total = 2**n - 1 if every else self.n_resamples
        rng = stream(np.random.SeedSequence(self.seed))
        for start in range(0, total, rows):
            stop = min(start + rows, total)
            if every:
                yield np.arange(start + 1, stop + 1)[:, None] >> np.arange(n) & 1
            else:
                yield self._plan.swaps(rng, stop - start)


def _ratio(means: _Numbers, errors: _Numbers) -> _Numbers:
    return np.divide(means, errors, out=np.zeros_like(means), where=errors > 0)


def _parts(n: int, of_each: int, at_once: int) -> Iterator[slice]:
    """Places of n things, of which so many numbers each are held at once."""
    size = max(1, at_once // max(1, of_each))
    return (slice(start, start + size) for start in range(0, n, size))


def _kinds_of(x: _Numbers) -> tuple[_Numbers, CellPlan] | None:
    """Rows that differ, and how often each comes; None if they are too many to be worth it."""
    most = len(x) // _UNITS_PER_KIND
    if len(np.unique(x[:_LOOKED_AT], axis=0)) > min(most, _LOOKED_AT // 2):
        return None
    kind = np.zeros(len(x), dtype=np.int64)
    for column in x.T:  # which takes much less time than rows as a whole
        _, codes = np.unique(column, return_inverse=True)
        kind = kind * (int(codes.max()) + 1) + codes
        values, kind = np.unique(kind, return_inverse=True)
        if len(values) > most:
            return None
    _, first, times = np.unique(kind, return_index=True, return_counts=True)
    order = np.argsort(first)  # of kinds too, the first comes first
    return x[first[order]], CellPlan(times[order])
