"""A sample of several systems on the same instances, which come in groups."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.clustered_scores import (
    ClusteredScores,
    effective_groups,
    group_codes,
)
from skstat.stats._samples.score_table import ScoreTable, levels
from skstat.stats._samples.scores import summary_of


@dataclass(frozen=True, eq=False, repr=False)
class ClusteredScoreTable(ScoreTable):
    """Scores of two or more systems on the same instances, which come in groups.

    The units are the groups. The `scores` of the table have a row for each of them, whose
    means are those of the instances; the scores of the instances are `instances`. Ranks and
    wins are those of the mean scores of the groups.

    Parameters
    ----------
    scores : array-like of shape (n_instances, n_systems), DataFrame, or mapping
        One row per instance and one column per system, or a mapping of name to scores.
    systems, higher_is_better
        As in :class:`ScoreTable`.
    groups : array-like of shape (n_instances,)
        Label of every instance's group: any hashable values.
    unit : {"group"}, default="group"
        The unit.
    datasets, n_train, n_test, n_repeats, size_unit, ordered
        Do not fit: the scores are those of instances.

    Raises
    ------
    ValueError
        If a score is missing, or a label of a group, and as :class:`ScoreTable`.

    See Also
    --------
    ClusteredScores : The same of two systems.

    Notes
    -----
    The score of group g is ``mean + G / n * sum_{i in g} (x_i - mean)``, with the mean over all
    n instances. Its mean over the G groups is that of the instances, and its sample variance
    the cluster-robust one (CR1).

    Examples
    --------
    >>> from skstat.stats import ClusteredScoreTable
    >>> scores = {"a": [1, 1, 0, 1], "b": [1, 0, 0, 0], "c": [0, 0, 0, 1]}
    >>> table = ClusteredScoreTable(scores, groups=["x", "x", "y", "z"])
    >>> table.unit, table.n_units, table.n_instances
    ('group', 3, 4)
    >>> table.pair("a", "b").differences.tolist()
    [0.0, 1.0, 0.0, 1.0]
    """

    made_by: ClassVar[str] = "ClusteredScoreTable(scores, groups=groups)"
    _written = (*ScoreTable._written, "groups")

    groups: Any = field(default=None, kw_only=True)
    instances: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.unit is None and self.datasets is None:
            object.__setattr__(self, "unit", "group")
        if self.unit != "group" or self.ordered:
            what = "ordered=True" if self.ordered else f"unit={self.unit!r}"
            raise ValueError(f"the units are the groups of instances; {what} does not fit.")
        if self.groups is None:
            raise ValueError("groups is missing: one label for each instance.")
        super().__post_init__()
        codes = group_codes(self.groups, len(self.scores))
        object.__setattr__(self, "groups", codes)
        # In one order of memory, sums have the same rounding wherever the columns came from.
        instances = np.ascontiguousarray(self.scores)
        instances.setflags(write=False)
        object.__setattr__(self, "instances", instances)
        means = self.instances.mean(axis=0)
        sums = _sums(self.instances - means, codes)
        values = means + len(sums) / len(self.instances) * sums
        values.setflags(write=False)
        object.__setattr__(self, "scores", values)

    @property
    def n_instances(self) -> int:
        """Number of instances."""
        return len(self.instances)

    @property
    def n_effective(self) -> float:
        """Effective number of groups: of one size they would weigh as these do."""
        return effective_groups(self.groups)

    @property
    def flipped(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sums of the scores of every group, and the numbers of instances in it."""
        return _sums(self.instances, self.groups), np.bincount(self.groups).astype(float)

    @cached_property
    def _levels(self) -> NDArray[np.float64]:
        """Numbers of the different mean scores of every group, the lowest first.

        Ranks and wins are those of the groups' own means: the score of a small group is close
        to the mean of all instances.
        """
        sums, sizes = self.flipped
        return levels(sums / sizes[:, None])

    def pair(self, a: str, b: str) -> Any:
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        ClusteredScores
            Their scores on all instances.
        """
        self.scores_of(a), self.scores_of(b)  # refuses unknown names
        first, second = self.names.index(a), self.names.index(b)
        return ClusteredScores(
            self.instances[:, first], self.instances[:, second], groups=self.groups
        )

    def per_group(self) -> ScoreTable:
        """Make every group one unit, so that procedures on independent units apply.

        Returns
        -------
        ScoreTable
            The table whose pairs are ``pair(a, b).per_group()``.
        """
        scale = self.n_units / self.n_instances
        values = self.flipped[0] * scale
        return ScoreTable(
            values if self.higher_is_better else 0.0 - values,
            systems=self.names,
            unit="group",
            higher_is_better=self.higher_is_better,
        )

    def take(self, names: Sequence[str]) -> Self:
        for name in names:
            self.scores_of(name)  # refuses unknown names
        columns = [self.names.index(name) for name in names]
        return self._of_instances(self.instances[:, columns], names)

    def complete(self) -> Self:
        return self

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the instances, of every system."""
        return [summary_of(column) for column in self.instances.T]

    @property
    def _rows(self) -> NDArray[np.float64]:
        return self.instances

    def __repr__(self) -> str:
        return (
            f"<ClusteredScoreTable of {self.n_systems} systems on {self.n_instances} instances "
            f"in {self.n_units} groups>"
        )

    def _of_instances(self, instances: NDArray[np.float64], names: Sequence[str]) -> Self:
        return type(self)(
            instances if self.higher_is_better else 0.0 - instances,
            systems=tuple(names),
            higher_is_better=self.higher_is_better,
            groups=self.groups,
        )


def _sums(values: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums over every group, of every column."""
    return np.column_stack([np.bincount(codes, column) for column in values.T])
