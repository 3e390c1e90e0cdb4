"""A sample of more than two systems, scored on the same units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import of_usable_size, to_plain
from skstat.stats._samples.clustered_scores import (
    ClusteredScores,
    effective_groups,
    group_codes,
    group_sums,
)
from skstat.stats._samples.noise import RELATIVE_RESOLUTION, are_exact, resolution_beside
from skstat.stats._samples.row_contributions import RowContributions
from skstat.stats._samples.score_frames import read_wide
from skstat.stats._samples.scores import (
    FACTS_OF_UNITS,
    PairedScores,
    Resampled,
    places_of,
    summary_of,
    units_of,
)

FEWEST_SPLITS = 3
# Scores so many times larger than their differences leave these half of the digits of floats.
_MUCH_LARGER = 1e6


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Resampled):
    """Scores of two or more systems on the same units.

    Parameters
    ----------
    scores : array-like of shape (n_units, n_systems), DataFrame, or mapping
        One row per unit and one column per system, or a mapping of name to scores. A
        score that does not exist is nan or None, for data sets only; procedures that
        need every score refuse such a table by name. pandas Series are paired by their
        index, lists and arrays by position.
    systems : sequence of str, optional
        Names of the columns of an array; default ``"system 1"`` and so on.
    datasets : sequence of str, or str, optional
        Names of the rows; they imply ``unit="dataset"``. A string names the column of
        a DataFrame or mapping that holds them. Default the index of a pandas DataFrame
        or of Series, else ``"1"`` and so on.
    groups : array-like of shape (n_units,), optional
        Label of the group of every instance: any hashable values. The units are then the
        groups.
    higher_is_better : bool, default=True
        False for errors, times and the like: they are negated, so that everywhere
        the higher score is the better one.
    unit, n_train, n_test, n_repeats, size_unit, ordered, n_blocks, rows, halves
        As in :class:`PairedScores`.

    Attributes
    ----------
    instances : ndarray of shape (n_instances, n_systems)
        The scores as they were given, but higher is better. Of groups the `scores` have a row
        for each, and ranks and wins are those of the mean scores of the groups.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a score is infinite or beyond 1e60, or missing
        where no score may be, names do not fit or repeat, or `unit` is missing.

    Warns
    -----
    UserWarning
        If no score is as large as 1e-60 in size: all count as 0.

    Notes
    -----
    The score of group g is ``mean + G / n * sum_{i in g} (x_i - mean)``, with the mean over all
    n instances. Its mean over the G groups is that of the instances, and its sample variance
    the cluster-robust one (CR1).

    Examples
    --------
    >>> from skstat.stats import ScoreTable
    >>> scores = {"tree": [0.9, 0.7, 0.8], "svm": [0.9, 0.8, 0.9]}
    >>> table = ScoreTable(scores, datasets=["iris", "wine", "digits"])
    >>> table.names, table.n_units
    (('tree', 'svm'), 3)
    >>> table.ranks.tolist()
    [[1.5, 1.5], [2.0, 1.0], [2.0, 1.0]]
    >>> table.pair("svm", "tree").differences.round(3).tolist()
    [0.0, 0.1, 0.1]

    Instances that come in groups:

    >>> scores = {"a": [1, 1, 0, 1], "b": [1, 0, 0, 0], "c": [0, 0, 0, 1]}
    >>> table = ScoreTable(scores, groups=["x", "x", "y", "z"])
    >>> table.unit, table.n_units, table.n_instances
    ('group', 3, 4)
    >>> table.pair("a", "b").differences.tolist()
    [0.0, 1.0, 0.0, 1.0]
    """

    made_by: ClassVar[str] = "ScoreTable({'a': scores_a, 'b': scores_b}, unit='dataset')"
    pair_type: ClassVar[type[PairedScores]] = PairedScores
    _written: ClassVar[tuple[str, ...]] = (
        *("scores", "systems", "datasets", "higher_is_better"),
        *FACTS_OF_UNITS,
    )

    scores: Any
    systems: Any = field(default=None, kw_only=True)
    datasets: Any = field(default=None, kw_only=True)
    higher_is_better: bool = field(default=True, kw_only=True)
    groups: Any = field(default=None, kw_only=True)
    instances: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        if self.groups is not None:
            if self.unit is None and self.datasets is None:
                object.__setattr__(self, "unit", "group")
            if self.unit != "group" or self.ordered:
                what = "ordered=True" if self.ordered else f"unit={self.unit!r}"
                raise ValueError(f"the units are the groups of instances; {what} does not fit.")
        if self.datasets is not None:
            if self.unit not in (None, "dataset"):
                raise ValueError(f"datasets names data sets, but unit={self.unit!r}.")
            object.__setattr__(self, "unit", "dataset")
        if self.rows is not None and not self.higher_is_better:
            raise ValueError("negate scores and rows yourself: higher_is_better must be True.")
        of_datasets = self.unit == "dataset"
        named = read_wide(self.scores, self.systems, self.datasets, index=of_datasets)
        values, rows = named.values, named.rows
        if of_datasets and rows is None:
            rows = tuple(str(row + 1) for row in range(len(values)))
        object.__setattr__(self, "datasets", rows)
        object.__setattr__(self, "systems", named.columns)
        object.__setattr__(self, "scores", values)
        self._check_units()
        self._check_scores()
        (values,) = of_usable_size("scores", values)
        values = values if self.higher_is_better else 0.0 - values  # not -0.0
        if self.groups is not None:
            # In one order of memory, sums have the same rounding wherever columns came from.
            values = np.ascontiguousarray(values)
            object.__setattr__(self, "groups", group_codes(self.groups, len(values)))
        values.setflags(write=False)
        object.__setattr__(self, "instances", values)
        if self.groups is not None:
            means = values.mean(axis=0)
            sums = group_sums(values - means, self.groups)
            values = means + len(sums) / len(values) * sums
            values.setflags(write=False)
        object.__setattr__(self, "scores", values)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems, which are the columns."""
        return tuple(self.systems)

    @property
    def n_units(self) -> int:
        return len(self.scores)

    @property
    def n_systems(self) -> int:
        """Number of columns."""
        return len(self.systems)

    @property
    def n_instances(self) -> int:
        """Number of rows that were given: of units, or of instances in groups."""
        return len(self.instances)

    @property
    def n_effective(self) -> float:
        """Effective number of groups: of one size they would weigh as these do."""
        return effective_groups(self.groups)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which scores do not exist."""
        return np.isnan(self.scores)

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Rank of every system on every unit: 1 for the best, mid-ranks for ties.

        Scores that differ by float noise only are tied. A missing score has no rank.
        """
        return ranked(-self._levels)

    @cached_property
    def _levels(self) -> NDArray[np.float64]:
        """Numbers of the different scores of every unit, the lowest first.

        Those of groups are of their own means: the score of a small group is close to the mean
        of all instances.
        """
        sums, sizes = self.flipped
        return levels(sums if sizes is None else sums / sizes[:, None])

    @property
    def mean_ranks(self) -> NDArray[np.float64]:
        """Mean rank of every system; where scores are missing, adjusted for the other systems.

        Plain means would favour a system that was ranked among weak ones only. With
        gaps, effects of units and systems are fitted by least squares to the centred
        ranks ``k / k_i (r_ij - (k_i + 1) / 2)``, k_i the number of systems on unit i and
        k that of all, and the effects of the systems are added to (k + 1) / 2, as in
        intra-block estimates of incomplete blocks. By the factor, balanced blocks that
        agree on one ranking have the ranks 1 to k of a table without gaps. If some mean
        ranks lie beyond 1 or k, all are moved towards the middle, in proportion.

        A unit with a single score is left out, and a system without other units has the
        mean rank nan. Systems that no unit connects, not even through other systems,
        cannot be compared: each such set has the mean (k + 1) / 2.
        """
        there = ~self.missing
        there[there.sum(axis=1) < 2] = False
        ranked_at_all = there.any(axis=0)
        found = np.full(self.n_systems, np.nan)
        used = there.any(axis=1)
        there = there[used][:, ranked_at_all]
        ranks = self.ranks[used][:, ranked_at_all]
        if there.all():
            if used.any():
                found[ranked_at_all] = ranks.sum(axis=0) / len(ranks)
            return found
        found[ranked_at_all] = _adjusted_mean_ranks(ranks, there)
        return found

    def wins(self) -> NDArray[np.int64]:
        """Count the units on which one system (row) scores higher than another (column)."""
        level = self._levels
        return np.stack([(level[:, [j]] > level).sum(axis=0) for j in range(self.n_systems)])

    def ties(self) -> NDArray[np.int64]:
        """Count the units on which two systems score the same."""
        level = self._levels
        return np.stack([(level[:, [j]] == level).sum(axis=0) for j in range(self.n_systems)])

    def complete(self) -> Self:
        """Leave out units on which some score is missing.

        Returns
        -------
        ScoreTable
            The rest; the same table if nothing is missing.

        Raises
        ------
        ValueError
            If no unit is complete.
        """
        kept = np.asarray(~self.missing.any(axis=1))
        if kept.all():
            return self
        if not kept.any():
            raise ValueError("no data set has the scores of all systems.")
        return self.rows_where(kept)

    def rows_where(self, kept: NDArray[np.bool_]) -> Self:
        """Return the table of some data sets.

        Parameters
        ----------
        kept : ndarray of bool, shape (n_units,)
            Which of them.

        Returns
        -------
        ScoreTable
            Their rows.
        """
        assert self.datasets is not None  # scores are missing of data sets only
        rows = tuple(
            name for name, keep in zip(self.datasets, kept.tolist(), strict=True) if keep
        )
        sign = 1.0 if self.higher_is_better else -1.0
        return type(self)(
            sign * self.scores[kept],
            systems=self.systems,
            datasets=rows,
            higher_is_better=self.higher_is_better,
        )

    def scores_of(self, name: str) -> NDArray[np.float64]:
        """Scores of one system.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        ndarray of shape (n_units,)
            The scores.
        """
        (place,) = places_of(self.names, (name,))
        return self.scores[:, place]

    def take(self, names: Sequence[str]) -> Self:
        """Return the table of some systems, in the order they are named.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        ScoreTable
            Their columns.
        """
        columns = places_of(self.names, names)
        sign = 1.0 if self.higher_is_better else -1.0  # errors were negated
        return replace(
            self,
            scores=sign * self.instances[:, columns],
            systems=tuple(names),
            rows=None if self.rows is None else self.rows.of(columns),
            halves=None if self.halves is None else self.halves.take(names),
        )

    @property
    def left_out_means(self) -> NDArray[np.float64]:
        """Mean scores without each block, of shape (n_blocks, n_systems)."""
        return self._left_out_means(self.scores)

    def _on_rows(self) -> tuple[NDArray[np.float64], RowContributions]:
        return self.scores, self.rows

    @property
    def flipped(self) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """What flips its sign together: sums by unit, and their sizes where they differ."""
        if self.groups is None:
            return self.scores, None
        sizes = np.bincount(self.groups).astype(float)
        return group_sums(self.instances, self.groups), sizes

    def per_group(self) -> "ScoreTable":
        """Make every group one unit, so that procedures on independent units apply.

        Returns
        -------
        ScoreTable
            The table whose pairs are ``pair(a, b).per_group()``.
        """
        values = self.flipped[0] * (self.n_units / self.n_instances)
        return replace(
            self, scores=values if self.higher_is_better else 0.0 - values, groups=None
        )

    def without_rows(self) -> "ScoreTable":
        """Return the scores alone, of a table that knows what every row contributed."""
        return self if self.rows is None else replace(self, rows=None, halves=None)

    def pair(self, a: str, b: str) -> Any:
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        PairedScores or ClusteredScores
            Their scores on the units that both have scores on, or on all instances.
        """
        if self.groups is not None:
            i, j = places_of(self.names, (a, b))
            return ClusteredScores(
                self.instances[:, i], self.instances[:, j], groups=self.groups
            )
        first, second = self.scores_of(a), self.scores_of(b)
        if self.missing.any():
            both = ~np.isnan(first + second)
            first, second = first[both], second[both]
        known: dict[str, Any] = {}
        if self.rows is not None:
            i, j = places_of(self.names, (a, b))
            contrast = np.zeros(self.n_systems)
            contrast[i], contrast[j] = 1.0, -1.0
            known = {
                "rows": self.rows.of([i, j]),
                # The variance was found for all systems together.
                "variance": self.parts.of(contrast) if self.n_systems > 2 else None,
                "halves": None if self.halves is None else self.halves.pair(a, b),
            }
        return self.pair_type(first, second, **known, **units_of(self))

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores, or of instances, of every system."""
        found: list[dict[str, float | None]] = []
        for column in self.instances.T:
            there = column[~np.isnan(column)]
            found.append(summary_of(there) if len(there) else {"mean": None, "sd": None})
        return found

    def _plain(self) -> dict[str, Any]:
        given = self.instances if self.higher_is_better else 0.0 - self.instances
        groups = {} if self.groups is None else {"groups": to_plain(self.groups)}
        return super()._plain() | {"scores": to_plain(given)} | groups

    def __repr__(self) -> str:
        unit = {"dataset": "data set"}.get(str(self.unit), self.unit)
        of = "" if self.groups is None else f"{self.n_instances} instances in "
        return f"<ScoreTable of {self.n_systems} systems on {of}{self.n_units} {unit}s>"

    def _check_scores(self) -> None:
        bad = np.argwhere(
            np.isinf(self.scores) if self.unit == "dataset" else ~np.isfinite(self.scores)
        )
        if bad.size:
            row, column = bad[0]
            where = f"unit {row}" if self.datasets is None else f"data set {self.datasets[row]}"
            raise ValueError(
                f"the score of {self.systems[column]!r} on {where} is "
                f"{self.scores[row, column]}: every score must be finite. Find out why it is "
                "undefined."
            )


def _adjusted_mean_ranks(
    ranks: NDArray[np.float64], there: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Mean ranks of systems that were ranked among different company."""
    k = ranks.shape[1]
    present = there.sum(axis=1, keepdims=True)
    centred = np.where(there, k / present * (ranks - (present + 1) / 2), 0.0)
    counts = there.astype(float)
    # Normal equations of the systems' effects, with those of the units eliminated.
    equations = np.diag(counts.sum(axis=0)) - (counts / present).T @ counts
    # The effects of every connected set add up to zero by the generalised inverse.
    effects = np.linalg.pinv(equations, hermitian=True) @ centred.sum(axis=0)
    shrink = min(1.0, (k - 1) / 2 / max(np.abs(effects).max(), 0.5))
    # Rounded, so that systems with equal ranks are seen to be equal.
    return np.asarray(np.round((k + 1) / 2 + shrink * effects, 12))


def check_complete(table: ScoreTable, procedure: str) -> None:
    """Refuse a table with missing scores, naming the first one."""
    gaps = np.argwhere(table.missing)
    if gaps.size:
        row, column = gaps[0]
        assert table.datasets is not None
        raise ValueError(
            f"{procedure} needs every score, and {len(gaps)} of the table are missing: the "
            f"first is that of {table.names[column]!r} on data set {table.datasets[row]!r}. "
            "Take table.complete(), or ask skillings_mack, which allows gaps."
        )


def check_independent(table: ScoreTable, procedure: str) -> None:
    """Refuse splits of one data set, which are not independent units."""
    if table.unit == "split":
        raise ValueError(
            f"{procedure} needs independent units, but unit='split': splits of one data set "
            "share training rows. Average them; a data set is one unit."
        )


def levels(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number the different values of every row in ascending order, from 0; nan stays nan.

    Values that differ by float noise get one number: noise breaks ties, and so changes
    every rank statistic. Rounding to a grid would be wrong: it tears values apart that lie
    on both sides of a border.
    """
    order = np.argsort(values, axis=1)  # nan sorts last
    ascending = np.take_along_axis(values, order, axis=1)
    apart = np.diff(ascending, axis=1) > noise_of_neighbours(ascending)
    numbers = np.cumsum(np.pad(apart, ((0, 0), (1, 0))), axis=1).astype(float)
    numbers[np.isnan(ascending)] = np.nan
    found = np.empty_like(numbers)
    np.put_along_axis(found, order, numbers, axis=1)
    return found


def noise_of_neighbours(ascending: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences of neighbours in a sorted row up to which they count as equal."""
    sizes = np.abs(ascending)
    if are_exact(ascending[~np.isnan(ascending)]):
        return np.zeros_like(sizes[:, 1:])
    # Neighbours have scales of their own; about 0 the other rows must give the scale.
    middle = np.median(np.nan_to_num(sizes).max(axis=1))
    larger = np.maximum(sizes[:, 1:], sizes[:, :-1])
    return np.asarray(RELATIVE_RESOLUTION * np.maximum(larger, 1e-3 * middle))


def resolution_of_table(scores: NDArray[np.float64]) -> float:
    """Size below which numbers made of differences of systems are float noise."""
    return resolution_beside(scores, without_levels(scores) if are_exact(scores) else scores)


def with_all_digits(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take away what the scores of a row have in common, where it would hide differences.

    In means of numbers of another size too few digits of their differences would be left.
    Other scores are returned as they are.
    """
    contrasts = without_levels(scores)
    largest = float(np.abs(contrasts).max())
    usual = largest == 0 or float(np.abs(scores).max()) <= _MUCH_LARGER * largest
    return scores if usual else contrasts


def without_levels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take a score in the middle of every row away from all of its scores.

    Differences of systems stay, and have all their digits, however much one row, or one score,
    is larger than the others. Scores that differ by float noise become the same.
    """
    middle = scores.shape[1] // 2
    if are_exact(scores):
        return scores - np.partition(scores, middle, axis=1)[:, [middle]]
    ascending = np.sort(scores, axis=1)
    alike = np.diff(ascending, axis=1) <= noise_of_neighbours(ascending)
    found = scores - ascending[:, [middle]]
    noisy = (alike & (ascending[:, 1:] > ascending[:, :-1])).any(axis=1)
    if noisy.any():
        found[noisy] = _settled(scores[noisy], alike[noisy])
    return found


def _settled(scores: NDArray[np.float64], alike: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Make the same of every row's scores that are alike, and take that of the middle away."""
    order = np.argsort(scores, axis=1, kind="stable")
    ascending = np.take_along_axis(scores, order, axis=1)
    begins = np.pad(~alike, ((0, 0), (1, 0)), constant_values=True)
    places = np.where(begins, np.arange(scores.shape[1]), 0)
    settled = np.take_along_axis(ascending, np.maximum.accumulate(places, axis=1), axis=1)
    found = np.empty_like(scores)
    np.put_along_axis(found, order, settled, axis=1)
    return np.asarray(found - settled[:, [scores.shape[1] // 2]])


def ranked(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mid-ranks of every row, 1 for the lowest value; nan has no rank."""
    order = np.argsort(values, axis=1)  # nan sorts last
    ascending = np.take_along_axis(values, order, axis=1)
    differs = ascending[:, 1:] != ascending[:, :-1]
    k = values.shape[1]
    places = np.arange(1, k + 1)
    # A run of ties starts where a value differs from the last, and ends where from the next.
    first = np.where(np.pad(differs, ((0, 0), (1, 0)), constant_values=True), places, 0)
    last = np.where(np.pad(differs, ((0, 0), (0, 1)), constant_values=True), places, k)
    first = np.maximum.accumulate(first, axis=1)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    found = np.empty(values.shape)
    np.put_along_axis(found, order, (first + last) / 2, axis=1)
    found[np.isnan(values)] = np.nan
    return found


@dataclass(frozen=True, eq=False)
class DatasetSplits:
    """Scores of A and B on the splits of many data sets.

    Parameters
    ----------
    samples : mapping of str to PairedScores
        By name of the data set, scores on its splits, with their sizes. Data sets may differ in
        the number of their splits.

    Raises
    ------
    ValueError
        If units are not splits, sizes of splits are not known, or a data set has fewer than
        three.

    Examples
    --------
    >>> from skstat.stats import DatasetSplits, PairedScores
    >>> splits = DatasetSplits(
    ...     {
    ...         "first": PairedScores([0.8, 0.7, 0.9], [0.7, 0.7, 0.8], n_train=60, n_test=30),
    ...         "second": PairedScores([0.5, 0.6, 0.6], [0.6, 0.6, 0.5], n_repeats=1),
    ...     }
    ... )
    >>> splits.n_units, splits.names
    (2, ('first', 'second'))
    """

    made_by: ClassVar[str] = "DatasetSplits({'name': PairedScores(a, b, n_repeats=10), ...})"

    samples: Mapping[str, PairedScores]

    def __post_init__(self) -> None:
        if not isinstance(self.samples, Mapping) or not self.samples:
            raise ValueError("samples must be a mapping of name to PairedScores, not empty.")
        object.__setattr__(
            self, "samples", {str(name): sample for name, sample in self.samples.items()}
        )
        for name, sample in self.samples.items():
            _check(name, sample)

    @property
    def unit(self) -> str:
        """What one unit is."""
        return "dataset"

    @property
    def n_units(self) -> int:
        """Number of data sets."""
        return len(self.samples)

    @property
    def names(self) -> tuple[str, ...]:
        """The data sets."""
        return tuple(self.samples)


def _check(name: str, sample: Any) -> None:
    if not isinstance(sample, PairedScores):
        raise ValueError(
            f"samples[{name!r}] is {type(sample).__name__}; give PairedScores of its splits."
        )
    if sample.unit != "split":
        raise ValueError(
            f"samples[{name!r}] has unit={sample.unit!r}; on every data set the units are "
            "splits."
        )
    if sample.n_units < FEWEST_SPLITS:
        raise ValueError(
            f"samples[{name!r}] has {sample.n_units} splits; {FEWEST_SPLITS} are needed to "
            "tell how much they vary."
        )
    if sample.test_train_ratio is None:
        raise ValueError(
            f"samples[{name!r}] does not say how its splits overlap: give n_train and n_test, "
            "or n_repeats for complete partitions."
        )
