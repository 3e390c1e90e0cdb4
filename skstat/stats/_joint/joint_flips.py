"""Sign flips of whole units: the law of the largest t of many pairs, from one set of draws."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._joint.max_t import MaxT, as_large
from skstat.stats._resampling import (
    fair_bits,
    many_units,
    stream,
    sums_of_blocks,
    weighted_sums,
)
from skstat.stats._samples import without_levels
from skstat.stats._words import TOWARDS, smallest_of_signs

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
    """

    how = "joint sign flips"

    def __init__(self, scores: _Numbers, sizes: _Numbers | None = None) -> None:
        contrasts = without_levels(scores)
        self._scale = float(np.abs(contrasts).max(initial=0.0)) or 1.0
        contrasts = contrasts / self._scale
        self.n_units, self._k = scores.shape
        self._sizes = np.ones(self.n_units) if sizes is None else np.asarray(sizes, float)
        active = np.ptp(contrasts, axis=1) > 0
        #: Units on which any two systems differ; flipping others changes nothing.
        self.n_active = int(active.sum())
        x, self._times = contrasts[active], np.ones(self.n_active, dtype=np.int64)
        self._by_kind, self._drawn_from = False, self
        if sizes is not None:  # beside the terms of means, those of their standard errors
            x = np.hstack([x, self._sizes[active, None] * x])
        else:
            many = self.n_units >= _MANY_UNITS and self.n_active >= _TOO_MANY_TO_LIST
            kinds = _kinds_of(x) if many else None
            if kinds is not None:
                x, self._times = kinds
                self._by_kind = True
            elif many_units(self.n_active):  # a block is taken for a unit
                in_blocks = sums_of_blocks(np.ones((self.n_units, 1)))[:, 0]
                self._drawn_from = JointFlips(sums_of_blocks(contrasts), in_blocks)
                self.how = f"{type(self).how} of blocks"
        self._x = x

    def max_t(
        self,
        pairs: _Pairs,
        n_resamples: int,
        seed: int,
        alternative: str = "two-sided",
        *,
        family: _Pairs | None = None,
    ) -> MaxT:
        """Judge the mean differences of some pairs by the largest t of the family.

        Parameters
        ----------
        pairs : sequence of tuple of int
            The comparisons.
        n_resamples : int
            Patterns of signs to draw.
        seed : int
            Seed of the patterns.
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
        for flips in drawn_from._patterns(n_resamples, seed):
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
            least,
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

    def _patterns(self, n_resamples: int, seed: int) -> Iterator[NDArray[Any]]:
        """How many units of each kind flip: in all patterns but the one without, or in some."""
        n = self.n_active
        rows = max(1, min(_PATTERNS_AT_ONCE, _NUMBERS_AT_ONCE // max(1, self.n_units)))
        if self._by_kind:
            rows = _PATTERNS_AT_ONCE
        every = n < _TOO_MANY_TO_LIST and 2**n - 1 <= n_resamples
        total = 2**n - 1 if every else n_resamples
        rng = stream(np.random.SeedSequence(seed))
        for start in range(0, total, rows):
            stop = min(start + rows, total)
            flips: NDArray[Any]
            if every:
                numbers = np.arange(start + 1, stop + 1)[:, None]
                flips = numbers >> np.arange(n) & 1
            elif self._by_kind:
                flips = rng.binomial(self._times, 0.5, (stop - start, len(self._times)))
            else:
                flips = np.unpackbits(fair_bits(rng, rows, n), axis=1)[: stop - start, :n]
            yield flips


def _ratio(means: _Numbers, errors: _Numbers) -> _Numbers:
    return np.divide(means, errors, out=np.zeros_like(means), where=errors > 0)


def _parts(n: int, of_each: int, at_once: int) -> Iterator[slice]:
    """Places of n things, of which so many numbers each are held at once."""
    size = max(1, at_once // max(1, of_each))
    return (slice(start, start + size) for start in range(0, n, size))


def _kinds_of(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
    """Rows that differ, and how often each comes; None if they are too many to be worth it."""
    most = len(x) // _UNITS_PER_KIND
    if len(np.unique(x[:_LOOKED_AT], axis=0)) > min(most, _LOOKED_AT // 2):
        return None
    kind = np.zeros(len(x), dtype=np.int64)
    for column in x.T:
        _, codes = np.unique(column, return_inverse=True)
        kind = kind * (int(codes.max()) + 1) + codes
        values, kind = np.unique(kind, return_inverse=True)
        if len(values) > most:
            return None
    _, first, times = np.unique(kind, return_index=True, return_counts=True)
    order = np.argsort(first)  # of kinds too, the first comes first
    return x[first[order]], times[order]
