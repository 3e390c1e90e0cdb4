"""The differences of many pairs of a table at once, as `PairedScores` has them of one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.scores import (
    RELATIVE_RESOLUTION,
    Resampled,
    are_exact,
    noise_by_unit,
    rank_biserial,
    signed_ranks,
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
    rank_biserial : ndarray
        Rank-biserial correlations of the signed ranks.
    """

    n_units: int
    means: Numbers
    spreads: Numbers
    varies: Mask
    n_equal: Numbers
    n_won: Numbers
    rank_biserial: Numbers

    @cached_property
    def identical(self) -> Mask:
        """Whether both systems score the same on every unit."""
        return np.asarray(self.n_equal == self.n_units)

    @cached_property
    def shares_won(self) -> Numbers:
        """Shares of units on which A scores higher, equal scores counted half."""
        return np.asarray((self.n_won + self.n_equal / 2) / self.n_units)


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
        for places, differences, _ in _blocks(self.table.scores, *self.ends):
            yield places, differences

    def blocks_of_ranks(self) -> Iterator[Numbers]:
        """Signed ranks of the differences of some pairs after the other, a row each."""
        for _, differences, noise in _blocks(self.table.scores, *self.ends):
            yield signed_ranks(differences, noise)

    def of_pair(self, place: int) -> Numbers:
        """Differences of one pair on every unit."""
        found: Numbers = self.table.pair(*self.pairs[place]).differences
        return found


def ends_of(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[Places, Places]:
    """Return the columns of both systems of every pair."""
    place = {name: number for number, name in enumerate(names)}
    found = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
    return found[:, 0], found[:, 1]


def _blocks(
    scores: Numbers, first: Places, second: Places
) -> Iterator[tuple[slice, Numbers, Numbers]]:
    """Walk blocks of pairs: their places, and of every unit the differences and their noise."""
    systems = np.ascontiguousarray(scores.T)
    exact = np.array([are_exact(own) for own in systems])
    size = max(1, _BLOCK // systems.shape[1])
    for start in range(0, len(first), size):
        places = slice(start, start + size)
        a, b = first[places], second[places]
        noise = noise_by_unit(systems[a], systems[b])
        noise[exact[a] & exact[b]] = 0.0
        yield places, without_noise(systems[a] - systems[b], noise), noise


def pairs_of_table(scores: Numbers, first: Places, second: Places) -> PairsOfTable:
    """Look at many pairs of the columns of `scores`, two units or more, none missing.

    Every number is the one that `PairedScores` and `effect_sizes` give of the pair alone.
    """
    looked = []
    for _, differences, noise in _blocks(scores, first, second):
        spreads = np.std(differences, axis=1, ddof=1)
        resolution = np.max(noise, axis=1, where=differences != 0, initial=0.0)
        exact = RELATIVE_RESOLUTION * np.abs(differences).max(axis=1)
        resolution = np.where(noise.any(axis=1), resolution, exact)
        looked.append(
            {
                "means": np.mean(differences, axis=1),
                "spreads": spreads,
                "varies": spreads > resolution,
                "n_equal": np.count_nonzero(differences == 0, axis=1).astype(float),
                "n_won": np.count_nonzero(differences > 0, axis=1).astype(float),
                "rank_biserial": rank_biserial(signed_ranks(differences, noise)),
            }
        )
    columns = {name: np.concatenate([block[name] for block in looked]) for name in looked[0]}
    return PairsOfTable(n_units=len(scores), **columns)
