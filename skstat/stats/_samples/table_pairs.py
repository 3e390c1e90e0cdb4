"""Many pairs of a table at once, which say what `PairedScores` says of one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.noise import (
    are_exact,
    noise_by_unit,
    rank_biserial,
    signed_ranks,
    spread_of,
    without_noise,
)
from skstat.stats._samples.scores import Resampled, units_of

# Numbers of one block of pairs: a few arrays of that size fit in the cache of a processor.
_BLOCK = 1 << 16

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


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

    _written = ("table", "pairs")

    table: Any
    pairs: Sequence[tuple[str, str]]

    def __post_init__(self) -> None:
        for name, value in units_of(self.table).items():
            object.__setattr__(self, name, value)

    @property
    def n_units(self) -> int:
        return int(self.table.n_units)

    @property
    def differences(self) -> Self:
        """The pairs themselves: the differences of many are looked at in `blocks`."""
        return self

    @property
    def mean(self) -> Numbers:
        """Mean differences."""
        return self._looked[0]

    @property
    def spread(self) -> Numbers:
        """Standard deviations of the differences; 0 where they vary by float noise alone."""
        return self._looked[1]

    @property
    def n_equal(self) -> Numbers:
        """Units on which both systems score the same."""
        return self._looked[2]

    @property
    def share_won(self) -> Numbers:
        """Shares of units on which A scores higher, equal scores counted half."""
        return (self._looked[3] + self.n_equal / 2) / self.n_units

    @property
    def rank_biserial(self) -> Numbers:
        """Rank-biserial correlations of the signed ranks."""
        return self._looked[4]

    @property
    def identical(self) -> NDArray[np.bool_]:
        """Whether both systems of a pair score the same on every unit."""
        return np.asarray(self.n_equal == self.n_units)

    @cached_property
    def _looked(self) -> tuple[Numbers, ...]:
        looked = [
            (
                np.mean(differences, axis=1),
                spread_of(differences, noise),
                np.count_nonzero(differences == 0, axis=1).astype(float),
                np.count_nonzero(differences > 0, axis=1).astype(float),
                rank_biserial(signed_ranks(differences, noise)),
            )
            for _, differences, noise in self._blocks()
        ]
        return tuple(map(np.concatenate, zip(*looked, strict=True)))

    def blocks(self) -> Iterator[tuple[slice, Numbers]]:
        """Differences of some pairs after the other, a row each, and their places."""
        for places, differences, _ in self._blocks():
            yield places, differences

    def blocks_of_ranks(self) -> Iterator[Numbers]:
        """Signed ranks of the differences of some pairs after the other, a row each."""
        for _, differences, noise in self._blocks():
            yield signed_ranks(differences, noise)

    def _blocks(self) -> Iterator[tuple[slice, Numbers, Numbers]]:
        systems = np.ascontiguousarray(self.table.scores.T)
        exact = np.array([are_exact(own) for own in systems])
        first, second = ends_of(self.table.names, self.pairs)
        size = max(1, _BLOCK // self.n_units)
        for start in range(0, len(first), size):
            places = slice(start, start + size)
            a, b = first[places], second[places]
            noise = noise_by_unit(systems[a], systems[b])
            noise[exact[a] & exact[b]] = 0.0
            yield places, without_noise(systems[a] - systems[b], noise), noise

    def of_pair(self, place: int) -> Numbers:
        """Differences of one pair on every unit."""
        found: Numbers = self.table.pair(*self.pairs[place]).differences
        return found


def ends_of(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[Places, Places]:
    """Return the columns of both systems of every pair."""
    place = {name: number for number, name in enumerate(names)}
    found = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp)
    return found[:, 0], found[:, 1]
