"""Sign flips of whole units: the law of the largest t of many pairs, from one set of draws."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._joint.max_t import MaxT, as_large
from skstat.stats._outcomes import TOWARDS, smallest_of_signs
from skstat.stats._resampling import fair_bits, many_units, stream, sums_of_blocks
from skstat.stats._samples import without_levels

# A spread of differences that is less than this part of their squares is taken to be it.
_LEAST_SPREAD = 1e-8
# Below, the flips of all units are drawn soon enough. Drawing how many of c kinds of units flip
# costs as much as drawing the flips of about 20 c units.
_MANY_UNITS = 2_048
_TOO_MANY_TO_LIST = 60
_UNITS_PER_KIND = 20
_LOOKED_AT = 1_000
_EXACT_SINGLE = 1 << 24
_PATTERNS_AT_ONCE = 256
_FEWEST_PATTERNS = 24
_IN_CACHE = 1 << 16
_NUMBERS_AT_ONCE = 1 << 21
_Pairs = Sequence[tuple[int, int]]


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

    def __init__(
        self, scores: NDArray[np.float64], sizes: NDArray[np.float64] | None = None
    ) -> None:
        contrasts = without_levels(scores)
        self._scale = float(np.abs(contrasts).max(initial=0.0)) or 1.0
        self._contrasts = contrasts / self._scale
        self._sizes = None if sizes is None else np.asarray(sizes, dtype=float)
        self.n_units = len(scores)
        self._total = self.n_units if self._sizes is None else float(self._sizes.sum())
        active = np.ptp(self._contrasts, axis=1) > 0
        #: Units on which any two systems differ; flipping others changes nothing.
        self.n_active = int(active.sum())
        x, of_active = self._contrasts[active], None
        self._times = np.ones(len(x), dtype=np.int64)
        self._drawn_by_kind = False
        if self._sizes is not None:
            of_active = self._sizes[active]
        elif self.n_units >= _MANY_UNITS and len(x) >= _TOO_MANY_TO_LIST:
            kinds = _kinds_of(x)
            if kinds is not None:
                x, self._times = kinds
                self._drawn_by_kind = True
        whole = np.array_equal(x, np.rint(x)) and self._times.sum() < _EXACT_SINGLE
        # Sums of a few whole numbers have no rounding in single precision either.
        kind = (
            np.float32
            if whole and of_active is None and np.abs(x).max(initial=0) <= 1
            else float
        )
        self._x = np.asarray(x, dtype=kind)
        self._weighted = None if of_active is None else of_active[:, None] * x
        self._in_blocks: JointFlips | None = None
        if not self._drawn_by_kind and many_units(len(x)) and self._sizes is None:
            # A block is taken for a unit.
            sums, n_units = sums_of_blocks(self._contrasts), np.ones((len(scores), 1))
            self._in_blocks = JointFlips(sums, sums_of_blocks(n_units)[:, 0])
            self.how = f"{type(self).how} of blocks"

    def smallest_pvalue(self, alternative: str) -> float:
        """Smallest p-value that the signs of so many units can give."""
        return smallest_of_signs(alternative, self.n_active)

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
        shown = set(pairs)
        judged = [*pairs, *(pair for pair in family or () if pair not in shown)]
        terms = _Terms(self, judged)
        observed = terms.t(np.zeros((1, len(self._x)), dtype=np.uint8))[0]
        t = TOWARDS[alternative](observed)
        counts, maxima = np.zeros(len(judged)), []
        drawn_from, drawn_terms = self, terms
        if self._in_blocks is not None:
            drawn_from = self._in_blocks
            drawn_terms = _Terms(drawn_from, judged)
        for flips in _together(drawn_from._patterns(n_resamples, seed)):
            flipped = TOWARDS[alternative](drawn_terms.t(flips))
            counts += as_large(flipped, t)
            maxima.append(flipped.max(axis=1, initial=-np.inf))
        n = len(pairs)
        drawn = np.concatenate(maxima) if maxima else np.empty(0)
        least = self.smallest_pvalue(alternative)
        return MaxT(
            t=t[:n],
            estimates=terms.estimates[:n] * self._scale,
            standard_errors=terms.standard_errors[:n] * self._scale,
            maxima=drawn,
            least=least,
            alone=np.maximum((1 + counts[:n]) / (1 + len(drawn)), least),
        )

    def _patterns(self, n_resamples: int, seed: int) -> Iterator[NDArray[Any]]:
        """How many units of each kind flip: in all patterns but the one without, or in some."""
        n = self.n_active
        rows = max(1, min(_PATTERNS_AT_ONCE, _NUMBERS_AT_ONCE // max(1, self.n_units)))
        if self._drawn_by_kind:
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
            elif self._drawn_by_kind:
                flips = rng.binomial(self._times, 0.5, (stop - start, len(self._times)))
            else:
                flips = np.unpackbits(fair_bits(rng, rows, n), axis=1)[: stop - start, :n]
            yield flips


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


def _together(blocks: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Join small blocks: a product takes as long for two rows as for ten."""
    held: list[NDArray[Any]] = []
    for block in blocks:
        held.append(block)
        if sum(map(len, held)) >= _FEWEST_PATTERNS:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


def _product(flips: NDArray[Any], x: NDArray[Any]) -> NDArray[np.float64]:
    """Sums of the rows of `x` that flip; in parts that stay in cache while they are numbers."""
    width = max(1, _IN_CACHE // (len(flips) + x.shape[1]))
    found = np.zeros((len(flips), x.shape[1]))
    for left in range(0, len(x), width):
        part = slice(left, left + width)
        found += flips[:, part].astype(x.dtype) @ x[part]
    return found


class _Terms:
    """What the t values of some pairs are made of, for any pattern of signs."""

    def __init__(self, flips: JointFlips, pairs: _Pairs) -> None:
        self._flips = flips
        self._by_first: dict[int, list[int]] = {}
        for place, (a, _) in enumerate(pairs):
            self._by_first.setdefault(a, []).append(place)
        self._second = np.array([b for _, b in pairs], dtype=np.intp)
        self._squares = np.empty(len(pairs))
        x, times = flips._x.astype(float), flips._times.astype(float)
        for a, places in self._by_first.items():
            differences = x[:, [a]] - x[:, self._second[places]]
            self._squares[places] = times @ differences**2
        self._sums = sums = (times @ x)[None]
        self._weighted = weighted = None
        if flips._weighted is not None:
            self._weighted = weighted = flips._weighted.sum(axis=0)[None]
        self.estimates = np.empty(len(pairs))
        self.standard_errors = np.empty(len(pairs))
        for _, places, mean, error in self._pieces(sums, weighted):
            self.estimates[places], self.standard_errors[places] = mean[0], error[0]

    def t(self, flips: NDArray[Any]) -> NDArray[np.float64]:
        """Return t values of shape (n_patterns, n_pairs)."""
        # What flips is taken away twice.
        sums = self._sums - 2 * _product(flips, self._flips._x)
        weighted = None
        if self._weighted is not None and self._flips._weighted is not None:
            weighted = self._weighted - 2 * _product(flips, self._flips._weighted)
        found = np.empty((len(flips), len(self._squares)))
        for defined, places, mean, error in self._pieces(sums, weighted):
            found[:, places] = np.where(defined, mean / np.where(defined, error, 1.0), 0.0)
        return found

    def _pieces(
        self, sums: NDArray[np.float64], weighted: NDArray[np.float64] | None
    ) -> Iterator[
        tuple[NDArray[np.bool_], list[int], NDArray[np.float64], NDArray[np.float64]]
    ]:
        """Mean differences and their standard errors, of the pairs of one system at a time."""
        flips = self._flips
        n, total, sizes = flips.n_units, flips._total, flips._sizes
        of_sizes = n if sizes is None else float(sizes @ sizes)
        correction = n / max(1, n - 1) / total**2
        for a, places in self._by_first.items():
            second, squares = self._second[places], self._squares[places]
            mean = (sums[:, [a]] - sums[:, second]) / total
            crossed = mean * total
            if weighted is not None:
                crossed = weighted[:, [a]] - weighted[:, second]
            spread = squares - 2 * mean * crossed + mean**2 * of_sizes
            error = np.sqrt(np.maximum(spread, _LEAST_SPREAD * squares) * correction)
            defined = squares > 0
            yield defined, places, np.where(defined, mean, 0.0), error
