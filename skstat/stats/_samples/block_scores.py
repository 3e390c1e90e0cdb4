"""Samples of systems that were fitted without every pair of blocks of rows."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import read_numbers
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores, _Resampled

FEWEST_BLOCKS = 3


@dataclass(frozen=True, eq=False)
class PairedBlockScores(PairedScores):
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
    only_test: ClassVar[str] = "block_jackknife_t"
    made_by: ClassVar[str] = "PairedBlockScores.from_matrices(a, b)"
    _written = PairedScores._written
    # What a simpler sample has not.
    lacks: ClassVar[str] = (
        "scores of models that were fitted without every pair of blocks, which the splits of "
        "LeaveTwoBlocksOut make"
    )

    def __post_init__(self) -> None:
        if self.unit is None:
            object.__setattr__(self, "unit", "split")
        super().__post_init__()
        _check_blocks(self)

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
    def n_blocks(self) -> int:
        """Number of blocks, K."""
        return _count_blocks(self)

    @property
    def left_out_means(self) -> NDArray[np.float64]:
        """Mean difference of the cross-validation that has never seen a block, by block."""
        return np.asarray(self.differences.reshape(self.n_blocks, -1).mean(axis=1))

    @property
    def training(self) -> str:
        return _training_on_blocks(self)


@dataclass(frozen=True, eq=False, repr=False)
class BlockScoreTable(ScoreTable):
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

    only_test: ClassVar[str] = PairedBlockScores.only_test
    pair_type: ClassVar[type[PairedBlockScores]] = PairedBlockScores
    _written = ScoreTable._written

    def __post_init__(self) -> None:
        if self.unit is None and self.datasets is None:
            object.__setattr__(self, "unit", "split")
        super().__post_init__()
        _check_blocks(self)

    @property
    def n_blocks(self) -> int:
        """Number of blocks, K."""
        return _count_blocks(self)

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

    @property
    def training(self) -> str:
        return _training_on_blocks(self)


def _count_blocks(sample: _Resampled) -> int:
    """Count the blocks whose pairs have as many scores."""
    return (1 + math.isqrt(1 + 4 * sample.n_units)) // 2


def _check_blocks(sample: _Resampled) -> None:
    """Refuse what cannot be the scores of all pairs of blocks."""
    if sample.unit != "split" or sample.n_repeats is not None or sample.ordered:
        raise ValueError(
            "scores of pairs of blocks are scores of splits, form no repeats and have no "
            f"order; got unit={sample.unit!r}, n_repeats={sample.n_repeats}, "
            f"ordered={sample.ordered}. Leave these out."
        )
    n_blocks = _count_blocks(sample)
    if n_blocks < FEWEST_BLOCKS or n_blocks * (n_blocks - 1) != sample.n_units:
        raise ValueError(
            f"{sample.n_units} scores are not those of all pairs of blocks: K blocks have "
            "K (K - 1) scores, 6 for 3 blocks and 56 for 8. With matrices of them use "
            "PairedBlockScores.from_matrices."
        )


def independent_blocks(n_blocks: int) -> str:
    """State what is assumed of the blocks."""
    return (
        "the rows, or the groups where rows come in groups, are independent and from one "
        f"population, and were dealt to {n_blocks} blocks of nearly equal size at random"
    )


def _training_on_blocks(sample: _Resampled) -> str:
    """For which training sets scores of pairs of blocks speak, in words."""
    n_blocks = _count_blocks(sample)
    blocks = f"{n_blocks - 2} of {n_blocks} blocks"
    if sample.training_size is None:
        return f"for training sets of {blocks} of the rows from the same population"
    size = f"{sample.training_size:.0f} {sample.size_unit}s"
    return f"for training sets of {size} ({blocks}) from the same population"


def off_diagonal(name: str, matrix: ArrayLike) -> NDArray[np.float64]:
    """Entries of a square matrix row by row, without the diagonal."""
    values = read_numbers(name, matrix)  # None becomes nan
    if values.ndim != 2 or len(values) != values.shape[1] or len(values) < FEWEST_BLOCKS:
        raise ValueError(
            f"{name} has shape {values.shape}; it needs (K, K) for K blocks, at least "
            f"{FEWEST_BLOCKS}: in row g and column h the score on block h without g and h."
        )
    return values[~np.eye(len(values), dtype=bool)]
