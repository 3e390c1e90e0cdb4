"""Samples of several systems on the same units, their pairs, and splits of many data sets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat._columns import no_systems
from skstat.stats import _read as read
from skstat.stats import _scores as samples
from skstat.stats._ordering import are_exact, noise_by_unit, rank_rows
from skstat.stats._scores import FACTS_OF_UNITS, PairedScores, units_of
from skstat.stats._stored import Numbers, to_plain

Indices = NDArray[np.intp]

# Numbers in a block of pairs: a few arrays of that size fit in the cache of a processor.
_BLOCK = 1 << 16
FEWEST_SPLITS = 3


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(samples.Resampled):
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
    unit, n_train, n_test, n_repeats, size_unit, ordered, n_blocks, rows
        As in :class:`PairedScores`.

    Attributes
    ----------
    instances : ndarray of shape (n_instances, n_systems)
        The scores as given, but higher is better. With groups, the `scores` have a row for
        each, and ranks and wins are those of the mean scores of the groups.

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

    example: ClassVar[str] = "ScoreTable({'a': scores_a, 'b': scores_b}, unit='dataset')"
    _written = ("scores", "systems", "datasets", "higher_is_better", *FACTS_OF_UNITS, "groups")

    scores: Any
    systems: Any = field(default=None, kw_only=True)
    datasets: Any = field(default=None, kw_only=True)
    higher_is_better: bool = field(default=True, kw_only=True)
    instances: Numbers = field(init=False)

    def __post_init__(self) -> None:
        if self.datasets is not None:
            if self.unit not in (None, "dataset"):
                raise ValueError(f"datasets names data sets, but unit={self.unit!r}.")
            vars(self).update(unit="dataset")
        if self.rows is not None and not self.higher_is_better:
            raise ValueError("negate scores and rows yourself: higher_is_better must be True.")
        named = self.unit == "dataset"
        values, systems, rows = read_wide(self.scores, self.systems, self.datasets, index=named)
        if named and rows is None:
            rows = tuple(str(row + 1) for row in range(len(values)))
        vars(self).update(datasets=rows, systems=systems)
        bad = np.argwhere(np.isinf(values) if named else ~np.isfinite(values))
        if bad.size:
            row, column = bad[0]
            where = f"unit {row}" if rows is None else f"data set {rows[row]}"
            raise ValueError(
                f"the score of {systems[column]!r} on {where} is {values[row, column]}; scores "
                "must be finite."
            )
        (values,) = read.of_usable_size("scores", values)
        # 0.0 - values avoids -0.0. One memory layout makes the rounding of sums the same for
        # all kinds of input.
        values = values if self.higher_is_better else 0.0 - values
        values = values if self.groups is None else np.ascontiguousarray(values)
        vars(self).update(instances=values)
        self._check_units()
        scores = values
        if self.groups is not None:
            means = values.mean(axis=0)
            sums = _group_sums(values - means, self.groups)
            scores = means + len(sums) / len(values) * sums
        for array in (values, scores):
            array.setflags(write=False)
        vars(self).update(scores=scores)

    @property
    def columns(self) -> Numbers:
        return self.instances.T

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems, which are the columns."""
        return tuple(self.systems)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which scores are missing."""
        return np.isnan(self.scores)

    @cached_property
    def ranks(self) -> Numbers:
        """Rank of every system on every unit: 1 for the best, mid-ranks for ties.

        Scores that differ by float noise only are tied. A missing score has no rank.
        """
        sums, sizes = self.flipped
        # Rank the means of groups: the score of a small group is close to the overall mean.
        return rank_rows(-sums if sizes is None else -sums / sizes[:, None])

    @property
    def mean_ranks(self) -> Numbers:
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
        scored = ~self.missing
        scored[scored.sum(axis=1) < 2] = False
        means, is_ranked = np.full(self.n_systems, np.nan), scored.any(axis=0)
        used = np.ix_(scored.any(axis=1), is_ranked)
        scored, ranks = scored[used], self.ranks[used]
        if scored.all():
            means[is_ranked] = ranks.sum(axis=0) / len(ranks)
            return means
        k, n_scored = ranks.shape[1], scored.sum(axis=1, keepdims=True)
        centred = np.where(scored, k / n_scored * (ranks - (n_scored + 1) / 2), 0.0)
        counts = scored.astype(float)
        # Normal equations of the effects of systems, with those of units eliminated.
        equations = np.diag(counts.sum(axis=0)) - (counts / n_scored).T @ counts
        # With the generalised inverse, the effects of every connected set add up to zero.
        effects = np.linalg.pinv(equations, hermitian=True) @ centred.sum(axis=0)
        shrink = min(1.0, (k - 1) / 2 / max(np.abs(effects).max(), 0.5))
        # Rounded, so that equal mean ranks are exactly equal.
        means[is_ranked] = np.round((k + 1) / 2 + shrink * effects, 12)
        return means

    def wins(self) -> NDArray[np.int64]:
        """Count the units on which one system (row) scores higher than another (column)."""
        return np.stack([(ranks[:, None] < self.ranks).sum(axis=0) for ranks in self.ranks.T])

    def ties(self) -> NDArray[np.int64]:
        """Count the units on which two systems score the same."""
        return np.stack([(ranks[:, None] == self.ranks).sum(axis=0) for ranks in self.ranks.T])

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
        return self._with(self.scores[kept], datasets=tuple(compress(self.datasets, kept)))

    def _with(self, scores: Numbers, **changes: Any) -> Self:
        original = scores if self.higher_is_better else 0.0 - scores  # errors were negated
        return replace(self, scores=original, **changes)

    def scores_of(self, name: str) -> Numbers:
        """Return the scores of one system.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        ndarray of shape (n_units,)
            The scores.
        """
        (index,) = samples.indices_of(self.names, (name,))
        return self.scores[:, index]

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
        columns = samples.indices_of(self.names, names)
        rows = None if self.rows is None else self.rows.of(columns)
        return self._with(self.instances[:, columns], systems=tuple(names), rows=rows)

    @property
    def left_out_means(self) -> Numbers:
        """Mean scores without each block, of shape (n_blocks, n_systems)."""
        by_block = self.scores.reshape(self.n_blocks, -1, self.n_systems)
        return np.asarray(by_block.mean(axis=1))

    @property
    def flipped(self) -> tuple[Numbers, Numbers | None]:
        """Arguments of sign flips: sums by unit, and the sizes of the units if they differ."""
        if self.groups is None:
            return self.scores, None
        sizes = np.bincount(self.groups).astype(float)
        return _group_sums(self.instances, self.groups), sizes

    def per_group(self) -> "ScoreTable":
        """Make every group one unit, so that procedures on independent units apply.

        Returns
        -------
        ScoreTable
            The table whose pairs are ``pair(a, b).per_group()``.
        """
        scale = self.n_units / self.n_instances
        return self._with(self.flipped[0] * scale, groups=None)

    def pair(self, a: str, b: str) -> PairedScores:
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        PairedScores
            Their scores on the units that both have scores on, or on all instances.
        """
        indices = samples.indices_of(self.systems, (a, b))
        scores = np.ascontiguousarray(self.instances[:, indices].T)
        scored = ~np.isnan(scores).any(axis=0)
        scores = scores if scored.all() else scores[:, scored]
        facts = dict[str, Any](units_of(self), groups=self.groups)
        if self.rows is not None:
            facts["rows"], contrast = self.rows.of(indices), np.zeros(self.n_systems)
            contrast[indices] = 1.0, -1.0
            if self.n_systems > 2:  # the variance was found for all systems together
                facts["variance"] = self.parts.of(contrast)
        return PairedScores(*scores, **facts)

    def _plain(self) -> dict[str, Any]:
        original = self.instances if self.higher_is_better else 0.0 - self.instances
        return super()._plain() | {"scores": to_plain(original)}

    def __repr__(self) -> str:
        unit = {"dataset": "data set"}.get(str(self.unit), self.unit)
        of = "" if self.groups is None else f"{self.n_instances} instances in "
        return f"<ScoreTable of {self.n_systems} systems on {of}{self.n_units} {unit}s>"


def _group_sums(values: Numbers, codes: NDArray[np.int64]) -> Numbers:
    """Return the sums over every group, of every column."""
    return np.column_stack([np.bincount(codes, column) for column in values.T])


def check_complete(table: ScoreTable, procedure: str) -> None:
    """Raise ValueError for a table with missing scores, naming the first one."""
    gaps = np.argwhere(table.missing)
    if gaps.size:
        row, column = gaps[0]
        raise ValueError(
            f"{procedure} needs every score, and {len(gaps)} are missing, as that of "
            f"{table.names[column]!r} on {table.datasets[row]!r}; take table.complete(), or "
            "ask skillings_mack."
        )


def check_independent(table: ScoreTable, procedure: str) -> None:
    """Raise ValueError for splits of one data set, which are not independent units."""
    if table.unit == "split":
        raise ValueError(f"{procedure} needs independent units, not splits; average them.")


@dataclass(frozen=True, eq=False, kw_only=True)
class ScorePairs(samples.Compared):
    """Several pairs of the systems of a table, with the attributes of `PairedScores` as arrays.

    A test that takes it, as well as `PairedScores`, tests all pairs at once. It returns a
    :class:`Comparison` of arrays or a sequence of outcomes.

    Parameters
    ----------
    table : ScoreTable
        Scores, none missing, of two units or more. Its units are those of the pairs.
    pairs : sequence of tuple of str
        The comparisons.
    """

    _written = ("table", "pairs")

    table: ScoreTable
    pairs: Sequence[tuple[str, str]]

    def __post_init__(self) -> None:
        check_complete(self.table, "ScorePairs")
        n, k = self.table.n_units, self.table.n_systems
        vars(self).update(units_of(self.table), n_systems=k, n_instances=n, n_units=n)

    @property
    def differences(self) -> Self:
        """The pairs themselves, whose differences are computed in `blocks`."""
        return self

    def __rsub__(self, zero: float) -> Self:
        """Return the negated differences: those of the same pairs the other way round."""
        return replace(self, pairs=[pair[::-1] for pair in self.pairs])

    def each(self, compute: samples.Compute) -> tuple[Any, ...]:
        """Apply a function to the differences of all pairs, block by block."""
        parts = [compute(differences, noise) for _, differences, noise in self.blocks()]
        return tuple(map(np.concatenate, zip(*parts, strict=True)))

    def blocks(self) -> Iterator[tuple[slice, Numbers, Numbers]]:
        """Yield slices of the pairs, with their differences, a row per pair, and noise."""
        systems = np.ascontiguousarray(self.table.scores.T)
        exact = np.array([*map(are_exact, systems)])
        first, second = ends_of(self.table.names, self.pairs)
        size = max(1, _BLOCK // self.n_units)
        for start in range(0, len(first), size):
            part = slice(start, start + size)
            a, b = first[part], second[part]
            noise = noise_by_unit(systems[a], systems[b])
            noise[exact[a] & exact[b]] = 0.0
            differences = systems[a] - systems[b]
            differences[np.abs(differences) <= noise] = 0.0
            yield part, differences, noise

    def of_pair(self, index: int) -> Numbers:
        """Return the differences of one pair on every unit."""
        return self.table.pair(*self.pairs[index]).differences


def ends_of(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[Indices, Indices]:
    """Return the column indices of the first and the second system of every pair."""
    index = {name: number for number, name in enumerate(names)}
    indices = np.array([(index[a], index[b]) for a, b in pairs], dtype=np.intp)
    return indices[:, 0], indices[:, 1]


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

    unit: ClassVar[str] = "dataset"
    example: ClassVar[str] = "DatasetSplits({'name': PairedScores(a, b, n_repeats=10), ...})"

    samples: Mapping[str, PairedScores]

    def __post_init__(self) -> None:
        if not isinstance(self.samples, Mapping) or not self.samples:
            raise ValueError("samples must be a mapping of name to PairedScores, not empty.")
        samples = {str(name): sample for name, sample in self.samples.items()}
        for name, sample in samples.items():
            of_splits = isinstance(sample, PairedScores) and sample.test_train_ratio is not None
            if not of_splits or sample.n_units < FEWEST_SPLITS:
                raise ValueError(
                    f"samples[{name!r}] must be PairedScores of {FEWEST_SPLITS} splits or "
                    "more, with n_train and n_test, or n_repeats."
                )
        object.__setattr__(self, "samples", samples)

    @property
    def n_units(self) -> int:
        """Number of data sets."""
        return len(self.samples)

    @property
    def names(self) -> tuple[str, ...]:
        """The data sets."""
        return tuple(self.samples)


def read_wide(
    scores: Any, systems: Any, datasets: Any, *, index: bool
) -> tuple[Numbers, tuple[str, ...], tuple[str, ...] | None]:
    """Return an array with one column per system, the names of the columns, and maybe of rows.

    `index` says whether the index of a frame names the rows.
    """
    is_frame = hasattr(scores, "columns") and not isinstance(scores, Mapping)
    if is_frame or isinstance(scores, Mapping):
        if systems is not None:
            raise ValueError("scores are given by name already; leave systems out.")
        systems = list(scores.columns if is_frame else scores)
        if len(set(systems)) < len(systems):
            (repeated, _), *_ = Counter(systems).most_common(1)
            raise ValueError(f"scores has the column {repeated!r} twice; rename one.")
        columns = {name: scores[name] for name in systems}
        if datasets is None and index:
            labels = [getattr(scores, "index", None), *map(read.labels_of, columns.values())]
            datasets = next((names for names in labels if names is not None), None)
        if not is_frame:  # align Series and mappings with the labels of the first
            matched = read.aligned(
                {repr(str(name)): column for name, column in columns.items()},
                unit="score",
                if_lacking="If it does not exist pass pandas.DataFrame(scores), where it "
                "becomes a missing score. ",
            )
            columns = dict(zip(columns, matched.values(), strict=True))
        if isinstance(datasets, str):
            if datasets not in columns:
                raise ValueError(f"datasets={datasets!r} is not a column; there are {systems}.")
            datasets = np.asarray(columns.pop(datasets)).tolist()
        systems, named = list(columns), {str(name): column for name, column in columns.items()}
        # Only frames are checked for columns such as "fold": the keys of a mapping are chosen.
        for name, why in (no_systems(named) if is_frame else {}).items():
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop or "
                f"rename it, or pass ScoreTable(scores, datasets={name!r}) if it names data "
                "sets. A frame with one row per score is turned by its pivot() first, or by "
                "pivot_table() if a system has several on a data set."
            )
        arrays = {name: _column(name, column) for name, column in named.items()}
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"unequal numbers of scores {lengths}: give one for each unit.")
        values = np.stack(list(arrays.values()), axis=-1) if arrays else np.empty((0, 0))
    elif isinstance(datasets, str):
        raise ValueError(f"datasets={datasets!r} names a column, and scores has none.")
    else:
        values = read.read_numbers("scores", scores)
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            f"scores have shape {values.shape}; they need a row per unit, and two columns or "
            "more."
        )
    n, k = values.shape
    if systems is None:
        systems = [f"system {i + 1}" for i in range(k)]
    rows = None if datasets is None else _names("datasets", datasets, n)
    return values, _names("systems", systems, k), rows


def _column(name: str, column: Any) -> Numbers:
    try:
        scores = read.read_numbers(f"column {name!r}", column)
    except ValueError as error:
        cells = np.ravel(np.array(column, dtype=object)).tolist()
        if any(not isinstance(cell, str) or read.is_number(cell) for cell in cells):
            raise  # a typing error in one cell
        raise ValueError(
            f"{error}. If column {name!r} names the data sets, pass ScoreTable(scores, "
            f"datasets={name!r})"
        ) from error
    scores = scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores
    if scores.ndim != 1:
        raise ValueError(f"column {name!r} has shape {scores.shape}, not one score per unit.")
    return scores


def _names(argument: str, names: Any, n: int) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise ValueError(f"{argument}={names!r} must be a list of names.")
    labels = tuple(names_of(argument, names, "column" if argument == "systems" else "row"))
    if len(labels) != n:
        raise ValueError(f"{argument} holds {len(labels)} names for {n}.")
    if len(set(labels)) < n:
        (repeated, _), *_ = Counter(labels).most_common(1)
        raise ValueError(f"{argument} holds the name {repeated!r} twice; rename one.")
    return labels


def names_of(argument: str, names: Iterable[Any], axis: str = "row") -> list[str]:
    """Return names as text, the whole numbers of a float column without ".0"."""
    names = list(names)
    if {*map(type, names)} <= {str}:
        return names
    for i, name in enumerate(names):
        if read.is_missing(name):
            raise ValueError(f"{argument} has no name in {axis} {i}, counted from 0.")
    integral = all(name.is_integer() for name in names if isinstance(name, float))
    return [str(int(name) if integral and isinstance(name, float) else name) for name in names]
