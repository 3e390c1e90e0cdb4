"""The differences of many pairs of a table at once, as `PairedScores` has them of one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import mid_ranks_of_counts
from skstat.stats._samples.scores import (
    RELATIVE_RESOLUTION,
    Resampled,
    are_exact,
    noise_by_unit,
    sizes_apart,
    units_of,
    without_noise,
)

# Numbers of one block of pairs: a few arrays of that size fit in the cache of a processor.
_BLOCK = 1 << 16

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsOfTable:
    """What is known of the differences A - B of many pairs; every array has one value each.

    Attributes
    ----------
    n_units : int
        Units that every pair is scored on.
    means : ndarray
        Mean differences.
    spreads : ndarray
        Standard deviations of the differences.
    varies : ndarray of bool
        Whether the differences vary by more than float noise.
    n_equal, n_won : ndarray
        Units on which both systems score the same, and on which A scores higher.
    rank_sums : ndarray
        Sums of the mid-ranks of the differences above 0; equal scores have no rank.
    rank_squares : ndarray
        Sums of the squares of all ranks.
    ties : mapping of int to bytes
        Places of the pairs with differences of one size, and what tells such pairs with the
        same ranks from others.
    """

    n_units: int
    means: Numbers
    spreads: Numbers
    varies: Mask
    n_equal: Numbers
    n_won: Numbers
    rank_sums: Numbers
    rank_squares: Numbers
    ties: Mapping[int, bytes]

    @cached_property
    def identical(self) -> Mask:
        """Whether both systems score the same on every unit."""
        return np.asarray(self.n_equal == self.n_units)

    @property
    def n_lost(self) -> Numbers:
        """Units on which B scores higher."""
        return np.asarray(self.n_units - self.n_equal - self.n_won)

    @cached_property
    def shares_won(self) -> Numbers:
        """Shares of units on which A scores higher, equal scores counted half."""
        return np.asarray((self.n_won + self.n_equal / 2) / self.n_units)

    @cached_property
    def rank_biserial(self) -> Numbers:
        """Rank-biserial correlation of the signed ranks."""
        n_ranked = self.n_units - self.n_equal
        total = n_ranked * (n_ranked + 1) / 2
        signed = 2 * self.rank_sums - total
        return np.divide(signed, total, out=np.zeros(len(total)), where=total > 0)


@dataclass(frozen=True, eq=False, kw_only=True)
class ScorePairs(Resampled):
    """Several pairs of the systems of a table; it says of each what `PairedScores` says of one.

    A test that takes it beside `PairedScores` answers about all pairs at once: by a
    :class:`Comparison` of arrays, or, as :func:`wilcoxon`, by a sequence of outcomes.

    Parameters
    ----------
    table : ScoreTable
        Scores, none missing, of two units or more. Its units are those of the pairs.
    pairs : sequence of tuple of str
        The comparisons.

    Examples
    --------
    >>> from skstat.stats import ScorePairs, ScoreTable, paired_t
    >>> a, b, c = [3.0, 2.5, 4.0, 3.1], [1.0, 2.0, 1.0, 2.2], [1.0, 2.0, 3.0, 1.0]
    >>> table = ScoreTable({"a": a, "b": b, "c": c}, unit="seed")
    >>> found = paired_t(ScorePairs(table=table, pairs=[("a", "b"), ("a", "c")]))
    >>> found.estimate.round(2).tolist(), found.pvalue.round(3).tolist()
    ([1.6, 1.4], [0.066, 0.037])
    """

    _written = ("type", "table", "pairs")

    table: Any
    pairs: Sequence[tuple[str, str]]

    def __post_init__(self) -> None:
        for name, value in units_of(self.table).items():
            object.__setattr__(self, name, value)

    @property
    def n_units(self) -> int:
        return int(self.table.n_units)

    @cached_property
    def ends(self) -> tuple[Places, Places]:
        """Columns of both systems of every pair."""
        return ends_of(self.table.names, self.pairs)

    @cached_property
    def differences(self) -> PairsOfTable:
        """What is known of the differences of every pair."""
        return pairs_of_table(self.table.scores, *self.ends)

    @property
    def mean(self) -> Numbers:
        """Mean differences."""
        return self.differences.means

    @property
    def spread(self) -> Numbers:
        """Standard deviations of the differences; 0 where they vary by float noise alone."""
        return np.where(self.differences.varies, self.differences.spreads, 0.0)

    @property
    def share_won(self) -> Numbers:
        """Shares of units on which A scores higher, equal scores counted half."""
        return self.differences.shares_won

    @property
    def rank_biserial(self) -> Numbers:
        """Rank-biserial correlations of the signed ranks."""
        return self.differences.rank_biserial

    @property
    def identical(self) -> Mask:
        """Whether both systems of a pair score the same on every unit."""
        return self.differences.identical

    def blocks(self) -> Iterator[tuple[slice, Numbers]]:
        """Differences of some pairs after the other, a row each, and their places."""
        systems, (first, second) = np.ascontiguousarray(self.table.scores.T), self.ends
        exact = np.array([are_exact(own) for own in systems])
        size = max(1, _BLOCK // self.n_units)
        for start in range(0, len(first), size):
            places = slice(start, start + size)
            a, b = first[places], second[places]
            noise = noise_by_unit(systems[a], systems[b])
            noise[exact[a] & exact[b]] = 0.0
            yield places, without_noise(systems[a] - systems[b], noise)

    def of_pair(self, place: int) -> Numbers:
        """Differences of one pair on every unit."""
        found: Numbers = self.table.pair(*self.pairs[place]).differences
        return found


def ends_of(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[Places, Places]:
    """Return the columns of both systems of every pair."""
    place = {name: number for number, name in enumerate(names)}
    found = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
    return found[:, 0], found[:, 1]


def pairs_of_table(scores: Numbers, first: Places, second: Places) -> PairsOfTable:
    """Look at many pairs of the columns of `scores`, two units or more, none missing.

    Every number is the one that `PairedScores` and `effect_sizes` give of the pair alone.
    """
    systems = np.ascontiguousarray(scores.T)
    n_pairs, n_units = len(first), systems.shape[1]
    found = {name: np.empty(n_pairs) for name in _COLUMNS}
    ties: dict[int, bytes] = {}
    exact = np.array([are_exact(own) for own in systems])
    kinds = exact[first] & exact[second]
    for kind in (False, True):
        if not (kinds == kind).any():
            continue
        noise = Noise(0.0, 0.0, exact=True) if kind else _noise_of_any_pair(systems)
        of_kind = np.flatnonzero(kinds == kind)
        _look(systems, (first, second), of_kind, noise, found, ties)
    varies = found.pop("varies") > 0
    return PairsOfTable(n_units=n_units, varies=varies, ties=ties, **found)


def _look(
    systems: Numbers,
    ends: tuple[Places, Places],
    of_kind: Places,
    noise: "Noise",
    found: dict[str, Any],
    ties: dict[int, bytes],
) -> None:
    """Look at some pairs, and write what is found at their places."""
    size = max(1, _BLOCK // systems.shape[1])
    for start in range(0, len(of_kind), size):
        places = of_kind[start : start + size]
        a, b = (systems[end[places]] for end in ends)
        for look in (_without_ties, _with_ties, _by_unit):
            looked = look(a, b, noise)
            known = looked.known
            for name, column in looked.columns.items():
                found[name][places[known]] = column[known]
            ties.update({int(places[row]): of for row, of in looked.ties.items() if known[row]})
            if known.all():
                break
            a, b, places = a[~known], b[~known], places[~known]


_COLUMNS = ("means", "spreads", "varies", "n_equal", "n_won", "rank_sums", "rank_squares")


class _Looked(NamedTuple):
    """Columns of pairs, what tells their ties from others, and of which pairs this is true."""

    columns: dict[str, Any]
    ties: dict[int, bytes]
    known: Mask


class Noise(NamedTuple):
    """Bounds of the `noise` that a unit of any pair can have; of exact scores none has any."""

    least: float
    largest: float
    exact: bool = False


def _noise_of_any_pair(systems: Numbers) -> Noise:
    """Bounds of the `noise` that a unit can have, whichever two systems it is of."""
    sizes = np.abs(systems)
    smallest = sizes.min(axis=0)  # of every unit
    least = max(float(smallest.min()), 1e-3 * float(np.median(smallest)))
    return Noise(RELATIVE_RESOLUTION * least, RELATIVE_RESOLUTION * float(sizes.max()))


class _Sorted:
    """Differences of pairs in the order of their sizes, as far as no unit has to be known.

    What is closer than the noise of every unit is equal, and what is further apart than that
    of any differs. `clear` are the pairs whose differences are so from 0, and vary so.
    """

    def __init__(self, a: Numbers, b: Numbers, noise: Noise) -> None:
        least, largest = noise.least, noise.largest
        differences = a - b
        bits = differences.view(np.uint64)
        # The sign behind the size: sorted as whole numbers they stand by size, with the sign.
        ordered = np.sort((bits << np.uint64(1)) | (bits >> np.uint64(63)), axis=1)
        above = (ordered & np.uint64(1)) == 0
        ordered >>= np.uint64(1)
        sizes = ordered.view(np.float64)
        self.gaps = np.diff(sizes, axis=1)
        equal = sizes <= least
        if equal.any():
            differences[np.abs(differences) <= least] = 0.0
            sizes[equal] = 0.0
            above &= ~equal
        self.n_equal = np.count_nonzero(equal, axis=1)
        self.sizes, self.above, self.equal = sizes, above, equal
        smallest = np.min(sizes, axis=1, where=~equal, initial=np.inf)
        spread = np.std(differences, axis=1, ddof=1)
        resolution = largest if not noise.exact else RELATIVE_RESOLUTION * sizes[:, -1]
        # Systems that are the same on all units are clear as well, and exact scores are.
        varies = spread > resolution
        self.clear = (smallest > largest) & (varies | equal.all(axis=1) | noise.exact)
        self.columns = {
            "means": np.mean(differences, axis=1),
            "spreads": spread,
            "varies": varies,
            "n_equal": self.n_equal,
            "n_won": np.count_nonzero(above, axis=1),
        }

    def gaps_are(self, kind: Mask) -> Mask:
        """Tell of which pairs all gaps between differences that are not 0 are of a kind."""
        return np.asarray((kind | self.equal[:, :-1]).all(axis=1))


def _without_ties(a: Numbers, b: Numbers, noise: Noise) -> _Looked:
    """Look at pairs whose differences, but for those that are 0, are of different sizes."""
    found = _Sorted(a, b, noise)
    n, zeros = a.shape[1], found.n_equal
    m = n - zeros
    places = found.above @ np.arange(1.0, n + 1)
    return _Looked(
        found.columns
        | {
            "rank_sums": places - zeros * found.columns["n_won"],
            "rank_squares": m * (m + 1) * (2 * m + 1) / 6,
        },
        {},
        found.clear & found.gaps_are(found.gaps > noise.largest),
    )


def _with_ties(a: Numbers, b: Numbers, noise: Noise) -> _Looked:
    """Look at pairs whose differences are of clearly different or clearly equal sizes."""
    least, largest = noise.least, noise.largest
    found = _Sorted(a, b, noise)
    apart = ~found.equal
    apart[:, 1:] &= (found.gaps > largest) | found.equal[:, :-1]
    ranks = _Ranks(apart)
    return _Looked(
        found.columns | ranks.columns(found.above),
        ranks.ties,
        found.clear & found.gaps_are((found.gaps > largest) | (found.gaps <= least)),
    )


def _by_unit(a: Numbers, b: Numbers, _: Noise) -> _Looked:
    """Look at every unit; never at exact scores."""
    found = _ByUnit(a, b, np.zeros(len(a), dtype=bool))
    differences = found.differences
    resolution = np.max(found.noise, axis=1, where=differences != 0, initial=0.0)
    sizes = np.take_along_axis(np.abs(differences), found.order, axis=1)
    signs = np.take_along_axis(np.sign(differences), found.order, axis=1)
    ranks = _Ranks(found.apart)
    spreads = np.std(differences, axis=1, ddof=1)
    columns = {
        "means": np.mean(differences, axis=1),
        "spreads": spreads,
        "varies": spreads > resolution,
        "n_equal": np.count_nonzero(sizes == 0, axis=1),
        "n_won": np.count_nonzero(signs > 0, axis=1),
    }
    columns |= ranks.columns(signs > 0)
    return _Looked(columns, ranks.ties, np.ones(len(a), dtype=bool))


class _ByUnit:
    """Differences of pairs by unit, and what `sizes_apart` tells of their sizes."""

    def __init__(self, a: Numbers, b: Numbers, exact: Mask) -> None:
        self.noise = noise_by_unit(a, b)
        self.noise[exact] = 0.0
        self.differences = without_noise(a - b, self.noise)
        self.order, self.apart = sizes_apart(self.differences, self.noise)


class _Ranks:
    """Mid-ranks of sizes in ascending order, of which each is apart from the last, or tied.

    Equal scores, before which nothing is apart, have no rank.
    """

    def __init__(self, apart: Mask) -> None:
        n_pairs, n_units = apart.shape
        numbers: Places = np.cumsum(apart, axis=1)
        places = numbers + (n_units + 1) * np.arange(n_pairs)[:, None]
        times = np.bincount(places.ravel(), minlength=n_pairs * (n_units + 1))
        times = times.reshape(n_pairs, n_units + 1)
        times[:, 0] = 0
        middle = np.take_along_axis(mid_ranks_of_counts(times), numbers, axis=1)
        self._ranks = np.where(numbers > 0, middle, 0.0)
        self._times = times

    @property
    def ties(self) -> dict[int, bytes]:
        """What tells the ties of a pair, if it has any, from others: how often each size is."""
        tied = np.flatnonzero((self._times > 1).any(axis=1)).tolist()
        return {row: self._times[row].astype(np.int32).tobytes() for row in tied}

    def columns(self, above: Mask) -> dict[str, Any]:
        return {
            "rank_sums": np.sum(self._ranks, axis=1, where=above),
            "rank_squares": np.sum(self._ranks**2, axis=1),
        }
