"""Instances that come in groups: documents of an author, visits of a patient."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Written, aligned, codes_of, entries_of, rows_of
from skstat.stats._samples.row_contributions import effective_number
from skstat.stats._samples.scores import PairedScores

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


def group_sums(values: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums over every group, of every column."""
    return np.column_stack([np.bincount(codes, column) for column in values.T])
