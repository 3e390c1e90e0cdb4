"""Samples of repeated K-fold cross-validation that know what every row contributed."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import read_numbers
from skstat.stats._samples.row_contributions import (
    ProjectionVariance,
    RowContributions,
    contributions_of_means,
    joint_variance,
    projection_variance,
)
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores, Resampled, Scores, places_of, units_of

# What a simpler sample has not.
FEWEST_SPLITS = 3

FEWEST_BLOCKS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class OfFolds(Resampled):
    """What is known of scores on repeated partitions beside them.

    Attributes
    ----------
    rows : RowContributions
        What every row contributed, of all systems.
    halves : sample of the same kind, or None
        Scores on repeated halves of the same rows, of which the variance is carried over.
    """

    lacks: ClassVar[str] = (
        "what every row contributed to the scores, and these are scores of splits alone (use "
        "corrected_t, or the estimators)"
    )

    rows: Any
    halves: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()  # type: ignore[misc]
        rows = self.rows
        if not isinstance(rows, RowContributions):
            raise TypeError(f"rows must be RowContributions, got {type(rows).__name__}.")
        if self.n_repeats is None or self.unit != "split":
            raise ValueError(
                "rows are known of repeated partitions only: n_repeats must say how many."
            )
        found = (rows.n_repeats, rows.n_folds, rows.values.shape[2])
        expected = (self.n_repeats, self.n_folds, self._n_systems)
        if found != expected:
            raise ValueError(
                f"rows are of {found[0]} repetitions, {found[1]} folds and {found[2]} systems, "
                f"and the scores of {expected[0]}, {expected[1]} and {expected[2]}."
            )
        if self.halves is None:
            return
        if not isinstance(self.halves, type(self)):
            raise TypeError(
                f"halves must be {type(self).__name__}, got {type(self.halves).__name__}."
            )
        if self.halves.rows.values.shape[1:] != rows.values.shape[1:] or self.halves.halves:
            raise ValueError(
                "halves must be scores of the same rows and systems, on halves of the rows."
            )

    @property
    def _n_systems(self) -> int:
        raise NotImplementedError

    @cached_property
    def parts(self) -> ProjectionVariance:
        """Variance of the mean, or of the mean difference, by its parts."""
        if self.halves is None:
            return self._variance(*self._on_rows())
        _, larger = self._on_rows()
        return self._variance(*self.halves._on_rows(), larger)

    _variance: ClassVar[Callable[..., ProjectionVariance]] = staticmethod(projection_variance)

    def _on_rows(self) -> tuple[NDArray[np.float64], RowContributions]:
        """Scores of the folds, a column each, and what every row contributed to them."""
        raise NotImplementedError

    @property
    def df(self) -> float:
        """Degrees of freedom of the rows that the variance is found on."""
        found: float = (self if self.halves is None else self.halves).rows.df
        return found


@dataclass(frozen=True, eq=False)
class PairedFoldScores(OfFolds, PairedScores):
    """Scores of A and B on repeated partitions, and what every row contributed to them.

    It is a :class:`PairedScores` of splits, so that all tests of these take it too.

    Parameters
    ----------
    a, b : array-like of shape (n_repeats * n_folds,)
        Scores of A and of B on every fold, repetition by repetition; higher is better.
    rows : RowContributions
        What every row contributed, of A and of B.
    variance : ProjectionVariance, optional
        Variance of the mean difference where it was found together with other systems; by
        default from the two alone.
    halves : PairedFoldScores, optional
        Scores of A and B on repeated halves of the same rows. The variance is then found on
        these, and carried over to the larger training sets of `rows`.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.

    See Also
    --------
    PairedFoldScores.from_row_scores : The sample of scores of single rows.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedFoldScores
    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(20) % 2 for _ in range(5)])
    >>> right_a, right_b = rng.random((2, 5, 20)) < 0.7
    >>> sample = PairedFoldScores.from_row_scores(right_a, right_b, folds)
    >>> sample.n_units, sample.n_repeats, sample.rows.n_units
    (10, 5, 20)
    """

    made_by: ClassVar[str] = "PairedFoldScores.from_row_scores(a, b, folds)"
    _n_systems = 2

    variance: Any = field(default=None, kw_only=True)

    @classmethod
    def from_row_scores(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        folds: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make the sample from scores of single rows, of which a fold's score is the mean.

        Parameters
        ----------
        a, b : array-like of shape (n_repeats, n_rows)
            Score of every row as a test row of every repetition: 1 and 0 for right and
            wrong, or minus its loss. Higher is better.
        folds : array-like of int of shape (n_repeats, n_rows)
            Fold that tested the row, numbered from 0 in every repetition.
        groups : array-like of shape (n_rows,), optional
            Group of every row, kept together in folds. Groups are then the units.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        PairedFoldScores
            The sample.
        """
        both = [read_numbers("a", a), read_numbers("b", b)]
        if both[0].shape != both[1].shape:
            raise ValueError(
                f"a has shape {both[0].shape} and b has {both[1].shape}: both need a score of "
                "every row in every repetition."
            )
        scores = np.stack(both, axis=-1)
        means, rows = contributions_of_means(scores, folds, sample_weight)
        if groups is not None:
            rows = rows.by_group(groups, sample_weight)
        n_test = rows.sizes.ravel()
        return cls(
            means[:, 0],
            means[:, 1],
            rows=rows,
            n_repeats=rows.n_repeats,
            n_train=rows.n_units - n_test,
            n_test=n_test,
            size_unit="row" if groups is None else "group",
        )

    @cached_property
    def parts(self) -> ProjectionVariance:
        return super().parts if self.variance is None else self.variance

    def _on_rows(self) -> tuple[NDArray[np.float64], RowContributions]:
        """Differences of the folds, and what every row contributed to them."""
        differences = (np.asarray(self.a) - np.asarray(self.b))[:, None]
        values = self.rows.values
        return differences, replace(self.rows, values=values[:, :, :1] - values[:, :, 1:])


@dataclass(frozen=True, eq=False)
class FoldScores(OfFolds, Scores):
    """Scores of one system on repeated partitions, and what every row contributed.

    Parameters
    ----------
    values : array-like of shape (n_repeats * n_folds,)
        The scores, repetition by repetition; higher is better.
    rows : RowContributions
        What every row contributed.
    halves : FoldScores, optional
        Scores on repeated halves of the same rows, of which the variance is carried over.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.
    """

    made_by: ClassVar[str] = "FoldScores(values, rows=rows, n_repeats=n_repeats)"
    _n_systems = 1

    def _on_rows(self) -> tuple[NDArray[np.float64], RowContributions]:
        return np.asarray(self.values)[:, None], self.rows

    def against(self, constant: float) -> PairedFoldScores:
        pair = super().against(constant)
        own = self.rows.values
        rows = replace(self.rows, values=np.concatenate([own, np.full_like(own, constant)], 2))
        halves = None if self.halves is None else self.halves.against(constant)
        return PairedFoldScores(pair.a, pair.b, rows=rows, halves=halves, **units_of(pair))


@dataclass(frozen=True, eq=False, repr=False)
class FoldScoreTable(OfFolds, ScoreTable):
    """Scores of several systems on repeated partitions, and what every row contributed.

    Parameters
    ----------
    scores : array-like of shape (n_repeats * n_folds, n_systems)
        One row per fold, repetition by repetition, and one column per system.
    rows : RowContributions
        What every row contributed, of all systems.
    halves : FoldScoreTable, optional
        Scores on repeated halves of the same rows, of which the variance is carried over.
    systems, higher_is_better, unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`ScoreTable`.
    """

    _variance = staticmethod(joint_variance)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.higher_is_better:
            raise ValueError("negate scores and rows yourself: higher_is_better must be True.")

    @property
    def _n_systems(self) -> int:
        return self.n_systems

    def _on_rows(self) -> tuple[NDArray[np.float64], RowContributions]:
        return self.scores, self.rows

    def pair(self, a: str, b: str) -> PairedFoldScores:
        # The variance was found for all systems together.
        i, j = places_of(self.names, (a, b))
        contrast = np.zeros(self.n_systems)
        contrast[i], contrast[j] = 1.0, -1.0
        return PairedFoldScores(
            self.scores_of(a),
            self.scores_of(b),
            rows=self.rows.of([i, j]),
            variance=self.parts.of(contrast) if self.n_systems > 2 else None,
            halves=None if self.halves is None else self.halves.pair(a, b),
            **units_of(self),
        )

    def without_rows(self) -> ScoreTable:
        return ScoreTable(self.scores, systems=self.names, **units_of(self))

    def take(self, names: Sequence[str]) -> Self:
        columns = places_of(self.names, names)
        return replace(
            self,
            scores=self.scores[:, columns],
            systems=tuple(names),
            rows=self.rows.of(columns),
            halves=None if self.halves is None else self.halves.take(names),
        )


def table_of(
    scores: NDArray[np.float64],
    rows: RowContributions | None,
    halves: ScoreTable | None = None,
    **facts: Any,
) -> ScoreTable:
    """Make a table, of the kind that knows its rows if these are given."""
    if rows is None:
        return ScoreTable(scores, **facts)
    return FoldScoreTable(scores, rows=rows, halves=halves, **facts)


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
    lacks: ClassVar[str] = "the scores on every split of every data set"

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


@dataclass(frozen=True, eq=False, kw_only=True)
class OfBlocks(Resampled):
    """Scores of models that were fitted without pairs of blocks."""

    only_test: ClassVar[str] = "block_jackknife_t"

    def __post_init__(self) -> None:
        if self.unit is None and getattr(self, "datasets", None) is None:
            object.__setattr__(self, "unit", "split")
        super().__post_init__()  # type: ignore[misc]
        if self.unit != "split" or self.n_repeats is not None or self.ordered:
            raise ValueError(
                "scores of pairs of blocks are scores of splits, form no repeats and have no "
                f"order; got unit={self.unit!r}, n_repeats={self.n_repeats}, "
                f"ordered={self.ordered}. Leave these out."
            )
        if self.n_blocks < FEWEST_BLOCKS or self.n_blocks * (self.n_blocks - 1) != self.n_units:
            raise ValueError(
                f"{self.n_units} scores are not those of all pairs of blocks: K blocks have "
                "K (K - 1) scores, 6 for 3 blocks and 56 for 8. With matrices of them use "
                "PairedBlockScores.from_matrices."
            )

    @property
    def n_blocks(self) -> int:
        """Number of blocks, K."""
        return (1 + math.isqrt(1 + 4 * self.n_units)) // 2

    @property
    def training(self) -> str:
        blocks = f"{self.n_blocks - 2} of {self.n_blocks} blocks"
        if self.training_size is None:
            return f"for training sets of {blocks} of the rows from the same population"
        size = f"{self.training_size:.0f} {self.size_unit}s"
        return f"for training sets of {size} ({blocks}) from the same population"


@dataclass(frozen=True, eq=False)
class PairedBlockScores(OfBlocks, PairedScores):
    """Scores of two systems A and B that were fitted without every pair of blocks.

    The rows are cut into K blocks. For every pair of blocks g and h both systems are fitted
    to the rows of the other K - 2 blocks, and scored on the rows of g and of h apart from
    each other: ``K (K - 1) / 2`` fits and ``K (K - 1)`` scores of each system. ``T[g, h]``
    is the score of the model without g and h on block h, ``T[h, g]`` that of the same model
    on block g.

    The scores are stored row by row of T without its diagonal: ``T[0, 1], T[0, 2], ...,
    T[0, K - 1], T[1, 0], T[1, 2], ...``. So the first K - 1 of them are a
    cross-validation that has never seen block 0, the next K - 1 one that has never seen
    block 1, and so on.

    Parameters
    ----------
    a, b : array-like of shape (n_blocks * (n_blocks - 1),)
        Scores of A and of B in this order; higher is better. For matrices there is
        :meth:`from_matrices`.
    unit : "split", optional
        The scores are of splits; nothing else fits.
    n_train, n_test : int or array-like of shape (n_blocks * (n_blocks - 1),), optional
        Training and test size behind every score, in `size_unit`.
    n_repeats : None
        Every block is tested K - 1 times; that is not a partition, and has no repeats.
    size_unit : {"row", "group"}, default="row"
        What `n_train` and `n_test` count.
    ordered : False
        Blocks are left out in pairs, whatever their order in time.

    Raises
    ------
    ValueError
        If the number of scores is not K (K - 1) for some K of at least 3, a score is not
        finite, or the units are described as anything else.

    See Also
    --------
    block_jackknife_t : The test of these scores.
    skstat.evaluation.LeaveTwoBlocksOut : The splits that make them.

    Examples
    --------
    >>> from skstat.stats import PairedBlockScores
    >>> a = [0.7, 0.8, 0.9, 0.8, 0.9, 0.7]
    >>> b = [0.6, 0.8, 0.8, 0.7, 0.8, 0.7]
    >>> sample = PairedBlockScores(a, b, n_train=40, n_test=40)
    >>> sample.n_blocks, sample.n_units, sample.unit
    (3, 6, 'split')
    >>> sample.left_out_means.round(2).tolist()
    [0.05, 0.1, 0.05]
    """

    # Its variance is that between blocks of rows: what other rows would give is in it.
    covers_other_rows: ClassVar[bool] = True
    made_by: ClassVar[str] = "PairedBlockScores.from_matrices(a, b)"
    _written = PairedScores._written
    # What a simpler sample has not.
    lacks: ClassVar[str] = (
        "scores of models that were fitted without every pair of blocks, which the splits of "
        "LeaveTwoBlocksOut make"
    )

    @classmethod
    def from_matrices(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        *,
        n_train: Any = None,
        n_test: Any = None,
        **units: Any,
    ) -> Self:
        """Make the sample of two matrices of scores.

        Parameters
        ----------
        a, b : array-like of shape (n_blocks, n_blocks)
            Scores of A and of B: in row g and column h that of the model without blocks g
            and h on block h. The diagonal is ignored, and may be nan.
        n_train, n_test : int or array-like of shape (n_blocks, n_blocks), optional
            Training and test size behind every score; the diagonal is ignored.
        **units
            `size_unit`, as in the class.

        Returns
        -------
        PairedBlockScores
            The sample.

        Raises
        ------
        ValueError
            If a matrix is not square, or the class refuses its scores.

        Examples
        --------
        >>> from skstat.stats import PairedBlockScores
        >>> a = [[None, 0.7, 0.8], [0.9, None, 0.8], [0.9, 0.7, None]]
        >>> b = [[None, 0.6, 0.8], [0.8, None, 0.7], [0.8, 0.7, None]]
        >>> PairedBlockScores.from_matrices(a, b).b.tolist()
        [0.6, 0.8, 0.8, 0.7, 0.8, 0.7]
        """
        units |= {
            name: value if value is None or np.ndim(value) == 0 else off_diagonal(name, value)
            for name, value in (("n_train", n_train), ("n_test", n_test))
        }
        return cls(off_diagonal("a", a), off_diagonal("b", b), **units)

    @property
    def left_out_means(self) -> NDArray[np.float64]:
        """Mean difference of the cross-validation that has never seen a block, by block."""
        return np.asarray(self.differences.reshape(self.n_blocks, -1).mean(axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class BlockScoreTable(OfBlocks, ScoreTable):
    """Scores of two or more systems that were fitted without every pair of blocks.

    Parameters
    ----------
    scores : array-like of shape (n_blocks * (n_blocks - 1), n_systems), or mapping
        One row per score and one column per system, the rows in the order of
        :class:`PairedBlockScores`.
    systems, higher_is_better
        As in :class:`ScoreTable`.
    unit, n_train, n_test, size_unit
        As in :class:`PairedBlockScores`.
    datasets, n_repeats, ordered
        Do not fit: the scores are those of splits of one data set.

    Raises
    ------
    ValueError
        If the number of rows is not K (K - 1) for some K of at least 3, and as
        :class:`ScoreTable`.

    Notes
    -----
    The joint distribution of the mean scores of the systems, which :func:`compare_with_best`,
    :func:`model_confidence_set` and simultaneous intervals rest on, is the multivariate t with
    K - 1 degrees of freedom and the covariance ``sum_g (theta_(g) - mean(theta)) (theta_(g) -
    mean(theta))'``, where theta_(g) holds the mean scores of the systems in the
    cross-validation that has never seen block g. The variance of every difference is then that
    of :func:`block_jackknife_t`.

    Examples
    --------
    >>> from skstat.stats import BlockScoreTable
    >>> scores = {"a": [0.7, 0.8, 0.9, 0.8, 0.9, 0.7], "b": [0.6, 0.8, 0.8, 0.7, 0.8, 0.7]}
    >>> table = BlockScoreTable(scores)
    >>> table.n_blocks, type(table.pair("a", "b")).__name__
    (3, 'PairedBlockScores')
    """

    pair_type: ClassVar[type[PairedBlockScores]] = PairedBlockScores
    _written = ScoreTable._written

    @property
    def left_out_means(self) -> NDArray[np.float64]:
        """Mean scores without each block, of shape (n_blocks, n_systems)."""
        n_blocks = self.n_blocks
        parts = self.scores.reshape(n_blocks, n_blocks - 1, self.n_systems)
        return np.asarray(parts.mean(axis=1))

    @property
    def test_train_ratio(self) -> float | None:
        """Total test size over total training size: one block over K - 2 if not known."""
        return super().test_train_ratio or 1 / (self.n_blocks - 2)


def independent_blocks(n_blocks: int) -> str:
    """State what is assumed of the blocks."""
    return (
        "the rows, or the groups where rows come in groups, are independent and from one "
        f"population, and were dealt to {n_blocks} blocks of nearly equal size at random"
    )


def off_diagonal(name: str, matrix: ArrayLike) -> NDArray[np.float64]:
    """Entries of a square matrix row by row, without the diagonal."""
    values = read_numbers(name, matrix)  # None becomes nan
    if values.ndim != 2 or len(values) != values.shape[1] or len(values) < FEWEST_BLOCKS:
        raise ValueError(
            f"{name} has shape {values.shape}; it needs (K, K) for K blocks, at least "
            f"{FEWEST_BLOCKS}: in row g and column h the score on block h without g and h."
        )
    return values[~np.eye(len(values), dtype=bool)]
