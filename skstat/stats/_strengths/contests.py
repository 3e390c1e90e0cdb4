"""The contests of systems: their results, and how much each counts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skstat.stats._outcomes import NOISE
from skstat.stats._samples import ScoreTable

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class Contests:
    """Results of every pair of systems on every unit, and what one unit counts.

    The pairs are those of ``numpy.triu_indices(k, 1)``.

    Attributes
    ----------
    n_systems : int
        Number of systems, k.
    results : ndarray of shape (n_units, n_pairs)
        1 where the first of a pair wins, 0 where the second does, 0.5 of a tie; nan where they
        did not meet.
    weights : ndarray of shape (n_units,)
        What every unit counts in a likelihood that treats its contests as independent.
    """

    n_systems: int
    results: Numbers
    weights: Numbers

    @cached_property
    def ends(self) -> tuple[Places, Places]:
        """Places of both systems of every pair."""
        return np.triu_indices(self.n_systems, 1)

    @cached_property
    def met(self) -> Numbers:
        """Units on which each pair met."""
        return np.asarray((~np.isnan(self.results)).sum(axis=0), dtype=float)

    @cached_property
    def wins(self) -> Numbers:
        """Units on which the first of each pair won, ties counted half."""
        return np.asarray(np.nansum(self.results, axis=0))

    @cached_property
    def weighted(self) -> tuple[Numbers, Numbers]:
        """Wins and losses of the first of each pair, each unit with its weight."""
        wins = self.weights @ np.nan_to_num(self.results)
        return wins, self.weights @ ~np.isnan(self.results) - wins

    @property
    def mean_weight(self) -> float:
        """Mean weight of a unit."""
        return float(self.weights.mean())

    def sets_apart(self) -> list[list[int]]:
        """Return the sets of systems that no contest connects, the largest first."""
        first, second = self.ends
        return joined_sets(self.n_systems, first[self.met > 0], second[self.met > 0])


def joined_sets(n_systems: int, first: Places, second: Places) -> list[list[int]]:
    """Return the sets of systems that pairs connect, the largest first."""
    parent = np.arange(n_systems)
    for a, b in zip(first, second, strict=True):
        if parent[a] != parent[b]:
            parent[parent == parent[b]] = parent[a]
    found = [np.flatnonzero(parent == root).tolist() for root in np.unique(parent)]
    return sorted(found, key=len, reverse=True)


def check_sets(sets: list[list[int]], names: tuple[str, ...]) -> None:
    """Refuse systems that no contest connects with the others."""
    largest, *others = sets
    if others:
        apart = ", ".join(names[place] for place in others[0])
        raise ValueError(
            f"{apart} and {names[largest[0]]} have no unit in common, not even through other "
            "systems, so that they cannot be compared; leave one out."
        )


def contests_of_table(table: ScoreTable, rope: float) -> Contests:
    """Read which system wins on every unit of a table; differences up to `rope` are ties.

    The contests of one unit come from one ranking. If all systems are equal, the number of wins
    of one has the variance (k^2 - 1) / 12 on a unit, and not (k - 1) / 4, as if the contests
    were independent. A unit with k_d systems counts 3 / (k_d + 1), the ratio of the two.
    """
    if rope == 0:
        first, second = np.triu_indices(table.n_systems, 1)
        results = _of_levels(table, first, second)
    else:
        results = _beyond(table, rope)
    n_there = (~table.missing).sum(axis=1)
    kept = n_there > 1
    return Contests(
        n_systems=table.n_systems,
        results=results[kept],
        weights=3 / (n_there[kept] + 1.0),
    )


def _of_levels(table: ScoreTable, first: Places, second: Places) -> Numbers:
    """Compare scores as ranks do, which float noise does not change."""
    ranks = table.ranks
    return np.asarray((np.sign(ranks[:, second] - ranks[:, first]) + 1) / 2)


def _beyond(table: ScoreTable, rope: float) -> Numbers:
    first, second = np.triu_indices(table.n_systems, 1)
    differences = table.scores[:, first] - table.scores[:, second]
    size = np.nan_to_num(np.abs(differences)).max(axis=0, initial=0.0)
    border = rope + NOISE * np.maximum(rope, size)
    ahead = (differences > border).astype(float) - (differences < -border)
    return np.where(np.isnan(differences), np.nan, (ahead + 1) / 2)
