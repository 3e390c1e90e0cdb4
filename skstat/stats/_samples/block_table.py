"""A sample of several systems that were fitted without every pair of blocks of rows."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.block_scores import (
    PairedBlockScores,
    check_blocks,
    count_blocks,
    training_on_blocks,
)
from skstat.stats._samples.score_table import ScoreTable


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

    def __post_init__(self) -> None:
        if self.unit is None and self.datasets is None:
            object.__setattr__(self, "unit", "split")
        super().__post_init__()
        check_blocks(self)

    @property
    def n_blocks(self) -> int:
        """Number of blocks, K."""
        return count_blocks(self)

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
        return training_on_blocks(self)

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"type": "BlockScoreTable"}
