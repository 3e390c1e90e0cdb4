"""Samples of repeated K-fold cross-validation that know what every row contributed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import read_numbers
from skstat.stats._samples.projection_variance import (
    ProjectionVariance,
    joint_variance,
    projection_variance,
)
from skstat.stats._samples.row_contributions import RowContributions, contributions_of_means
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores, Scores, units_of

# What a simpler sample has not.
_LACKS = (
    "what every row contributed to the scores, and these are scores of splits alone (use "
    "corrected_t, or the estimators)"
)


def _check_rows(sample: Any, n_systems: int) -> None:
    rows = sample.rows
    if not isinstance(rows, RowContributions):
        raise TypeError(f"rows must be RowContributions, got {type(rows).__name__}.")
    if sample.n_repeats is None or sample.unit != "split":
        raise ValueError(
            "rows are known of repeated partitions only: n_repeats must say how many."
        )
    found = (rows.n_repeats, rows.n_folds, rows.values.shape[2])
    expected = (sample.n_repeats, sample.n_folds, n_systems)
    if found != expected:
        raise ValueError(
            f"rows are of {found[0]} repetitions, {found[1]} folds and {found[2]} systems, "
            f"and the scores of {expected[0]}, {expected[1]} and {expected[2]}."
        )
    if sample.halves is None:
        return
    if not isinstance(sample.halves, type(sample)):
        raise TypeError(
            f"halves must be {type(sample).__name__}, got {type(sample.halves).__name__}."
        )
    if sample.halves.rows.values.shape[1:] != rows.values.shape[1:] or sample.halves.halves:
        raise ValueError(
            "halves must be scores of the same rows and systems, on halves of the rows."
        )


@dataclass(frozen=True, eq=False)
class PairedFoldScores(PairedScores):
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
    lacks: ClassVar[str] = _LACKS

    rows: Any = field(kw_only=True)
    variance: Any = field(default=None, kw_only=True)
    halves: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_rows(self, 2)

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
        """Variance of the mean difference, by its parts."""
        if self.variance is not None:
            return self.variance
        if self.halves is None:
            return projection_variance(*self._as_one())
        scores, rows = self.halves._as_one()
        return projection_variance(scores, rows, self._as_one()[1])

    def _as_one(self) -> tuple[NDArray[np.float64], RowContributions]:
        """Differences of the folds, and what every row contributed to them."""
        differences = (np.asarray(self.a) - np.asarray(self.b))[:, None]
        values = self.rows.values
        return differences, replace(self.rows, values=values[:, :, :1] - values[:, :, 1:])

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance of the mean difference."""
        return _df(self)


@dataclass(frozen=True, eq=False)
class FoldScores(Scores):
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
    lacks: ClassVar[str] = _LACKS

    rows: Any = field(kw_only=True)
    halves: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_rows(self, 1)

    @cached_property
    def parts(self) -> ProjectionVariance:
        """Variance of the mean score, by its parts."""
        own = self if self.halves is None else self.halves
        larger = None if self.halves is None else self.rows
        return projection_variance(np.asarray(own.values)[:, None], own.rows, larger)

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance of the mean score."""
        return _df(self)

    def against(self, constant: float) -> PairedFoldScores:
        pair = super().against(constant)
        own = self.rows.values
        rows = replace(self.rows, values=np.concatenate([own, np.full_like(own, constant)], 2))
        halves = None if self.halves is None else self.halves.against(constant)
        return PairedFoldScores(pair.a, pair.b, rows=rows, halves=halves, **units_of(pair))


@dataclass(frozen=True, eq=False, repr=False)
class FoldScoreTable(ScoreTable):
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

    rows: Any = field(kw_only=True)
    halves: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.higher_is_better:
            raise ValueError("negate scores and rows yourself: higher_is_better must be True.")
        _check_rows(self, self.n_systems)

    @cached_property
    def parts(self) -> ProjectionVariance:
        """Covariance of the mean scores, as far as systems differ, by its parts."""
        own = self if self.halves is None else self.halves
        larger = None if self.halves is None else self.rows
        return joint_variance(own.scores, own.rows, larger)

    @property
    def df(self) -> float:
        """Degrees of freedom of the covariance of the mean scores."""
        return _df(self)

    def pair(self, a: str, b: str) -> PairedFoldScores:
        # The variance was found for all systems together.
        i, j = self.names.index(a), self.names.index(b)
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
        columns = [self.names.index(name) for name in names]
        return replace(
            self,
            scores=self.scores[:, columns],
            systems=tuple(names),
            rows=self.rows.of(columns),
            halves=None if self.halves is None else self.halves.take(names),
        )


def _df(sample: PairedFoldScores | FoldScores | FoldScoreTable) -> float:
    """Degrees of freedom of the rows that the variance is found on."""
    return (sample if sample.halves is None else sample.halves).rows.df


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
