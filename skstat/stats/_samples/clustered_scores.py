"""Instances that come in groups: documents of an author, visits of a patient."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Written, aligned, codes_of, entries_of, rows_of
from skstat.stats._samples.row_contributions import effective_number
from skstat.stats._samples.score_table import ScoreTable, levels
from skstat.stats._samples.scores import PairedScores, places_of, summary_of

# With fewer groups neither the t law of the clustered variance nor the 2^G sign
# patterns can support a verdict at 5 %. They are counted, whatever their sizes: those
# lower the degrees of freedom, and raise a doubt.
MIN_GROUPS = 6


@dataclass(frozen=True, eq=False)
class ClusteredScores(Written):
    """Scores of two systems A and B on the same instances, which come in groups.

    Parameters
    ----------
    a, b : array-like of shape (n_instances,)
        Scores of A and of B, in the same order of instances; higher is better.
    groups : array-like of shape (n_instances,)
        Label of every instance's group: any hashable values.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or a label is missing.

    See Also
    --------
    PairedScores : The same for independent instances.

    Examples
    --------
    >>> from skstat.stats import ClusteredScores
    >>> sample = ClusteredScores([1, 1, 0, 1], [1, 0, 0, 0], groups=["x", "x", "y", "z"])
    >>> sample.unit, sample.n_units, sample.n_instances
    ('group', 3, 4)
    >>> sample.per_group().differences.tolist()
    [0.75, 0.0, 0.75]
    """

    a: Any
    b: Any
    groups: Any = field(kw_only=True)

    made_by: ClassVar[str] = "ClusteredScores(a, b, groups=groups)"
    unit: ClassVar[str] = "group"

    def __post_init__(self) -> None:
        given = aligned({"a": self.a, "b": self.b, "groups": self.groups}, unit="score")
        pairs = PairedScores(given["a"], given["b"], unit="instance")
        object.__setattr__(self, "a", pairs.a)
        object.__setattr__(self, "b", pairs.b)
        object.__setattr__(self, "groups", group_codes(given["groups"], len(pairs.a)))

    @cached_property
    def instances(self) -> PairedScores:
        """The same scores without the groups."""
        return PairedScores(self.a, self.b, unit="instance")

    @property
    def n_units(self) -> int:
        """Number of groups."""
        return int(self.groups.max()) + 1

    @property
    def n_instances(self) -> int:
        """Number of instances."""
        return len(self.a)

    @property
    def n_effective(self) -> float:
        """Effective number of groups, see `effective_groups`."""
        return effective_groups(self.groups)

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """score(A) - score(B) of every instance; float noise is set to zero."""
        return self.instances.differences

    @property
    def identical(self) -> bool:
        """Whether A and B score the same on every instance."""
        return not self.differences.any()

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the instances, of A and of B."""
        return self.instances.summaries()

    def per_group(self) -> PairedScores:
        """Make every group one unit, so that procedures on independent units apply.

        Returns
        -------
        PairedScores
            The sums of the scores in every group times n_groups / n_instances: their
            mean over the groups is the mean over the instances.
        """
        scale = self.n_units / self.n_instances
        a, b = (np.bincount(self.groups, scores) * scale for scores in (self.a, self.b))
        return PairedScores(a, b, unit="group")

    @property
    def intraclass_correlation(self) -> float:
        """Correlation of two differences in one group; see `intraclass_correlation`."""
        return intraclass_correlation(self.differences, self.groups)

    @property
    def design_effect(self) -> float:
        """Variance of the mean difference over what independent instances would give.

        ``1 + (sum(n_g^2) / n - 1) * ICC`` (Kish, 1965, Survey Sampling, with the size
        that a random instance's group has), at least 0.
        """
        sizes = np.bincount(self.groups)
        mean_size = float(np.sum(sizes**2)) / self.n_instances
        effect = 1 + (mean_size - 1) * self.intraclass_correlation
        return effect if math.isnan(effect) else max(0.0, effect)


def clustered_variance(sums: NDArray[Any], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """Variance of a mean over instances in groups, and its degrees of freedom.

    CR2 and the degrees of freedom of Bell & McCaffrey (2002), see `clustered_t`.

    Parameters
    ----------
    sums : ndarray of shape (n_groups,)
        Sum over each group of the deviations from the mean.
    sizes : ndarray of shape (n_groups,)
        Instances in each group.
    """
    n, n_groups = int(sizes.sum()), len(sizes)
    shares = sizes / n
    variance = float(np.sum(sums**2 / (1 - shares))) / n**2
    if np.ptp(sizes) == 0:
        return variance, n_groups - 1
    q = shares**2 / (1 - shares)
    inverse = np.sum(shares**2) + np.sum(q) ** 2 - np.sum(q**2)
    return variance, float(1 / inverse)


def effective_groups(groups: NDArray[np.int64]) -> float:
    """Groups of one size that would weigh as these do: ``(sum n_g)^2 / sum n_g^2``.

    Parameters
    ----------
    groups : ndarray of int of shape (n,)
        Number of every instance's group, from 0.
    """
    return effective_number(np.bincount(groups))


def intraclass_correlation(values: ArrayLike, groups: Any) -> float:
    """Intraclass correlation: how alike the values within one group are.

    One-way analysis of variance estimator for groups of unequal sizes [1]_:
    ``(MSB - MSW) / (MSB + (n0 - 1) * MSW)`` with the mean squares between and within
    the G groups and ``n0 = (n - sum(n_g^2) / n) / (G - 1)``. It may be negative.

    Parameters
    ----------
    values : array-like of shape (n,)
        One number for every instance.
    groups : array-like of shape (n,)
        Label of every instance's group.

    Returns
    -------
    float
        The correlation; nan when there is one group only, no group has two instances,
        or the values do not vary.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, or a label is missing.

    References
    ----------
    .. [1] Donner, A. (1986). A review of inference procedures for the intraclass
       correlation coefficient in the one-way random effects model. International
       Statistical Review, 54(1), 67-82. :doi:`10.2307/1403259`

    Examples
    --------
    >>> from skstat.stats import intraclass_correlation
    >>> round(intraclass_correlation([1, 2, 5, 6, 9], ["x", "x", "y", "y", "z"]), 3)
    0.961
    """
    # Against zeros, values have the checks and the float resolution of scores.
    given = aligned({"values": values, "groups": groups}, unit="value")
    values = np.asarray(given["values"])
    pairs = PairedScores(values, np.zeros(np.shape(values)), unit="instance")
    x, resolution = pairs.differences, pairs.resolution
    codes = group_codes(given["groups"], len(x))
    sizes = np.bincount(codes)
    n, n_groups = len(x), len(sizes)
    if n_groups == 1 or n_groups == n or float(np.std(x)) <= resolution:
        return math.nan
    means = np.bincount(codes, x) / sizes
    between = float(np.sum(sizes * (means - x.mean()) ** 2)) / (n_groups - 1)
    within = float(np.sum((x - means[codes]) ** 2)) / (n - n_groups)
    n0 = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
    return (between - within) / (between + (n0 - 1) * within)


def group_codes(groups: Any, n: int) -> NDArray[np.int64]:
    """Number the groups from 0 in the order in which they first appear."""
    # An array would merge 1 and "1", and unpack tuples.
    listed = isinstance(groups, list | tuple)
    labels = rows_of("groups", entries_of(groups) if listed else groups)
    if labels.ndim != 1:
        raise ValueError(f"groups must be one-dimensional, got shape {labels.shape}.")
    if len(labels) != n:
        raise ValueError(f"groups has {len(labels)} labels for {n} instances.")
    codes = codes_of(labels, "groups")
    codes.setflags(write=False)
    return codes


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
        first, second = places_of(self.names, (a, b))
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
        columns = places_of(self.names, names)
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
