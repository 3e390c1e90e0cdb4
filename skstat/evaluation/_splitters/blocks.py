"""Scores and sizes of splits that leave out every pair of blocks, block by block."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats import BlockScoreTable


def pairs_of_blocks(n_blocks: int) -> NDArray[np.intp]:
    """Numbers of the two blocks that every split leaves out, in the order of the splits."""
    return np.array(list(combinations(range(n_blocks), 2)))


def part_sizes(sizes: ArrayLike, n_blocks: int) -> NDArray[np.intp]:
    """Size of both blocks of every split, (n_splits, 2), from the size of its test set."""
    pairs = pairs_of_blocks(n_blocks)
    sizes = np.asarray(sizes)
    # Of the test sets that hold a block, K - 1 in number, each holds one of the others.
    of_its_tests = np.bincount(pairs.ravel(), weights=np.repeat(sizes, 2)).astype(np.intp)
    total = sizes.sum() // (n_blocks - 1)
    return np.asarray((of_its_tests - total) // (n_blocks - 2))[pairs]


def as_matrix(values: ArrayLike, n_blocks: int) -> NDArray[np.float64]:
    """Put values of both blocks of every split, (n_splits, 2, ...), into a matrix.

    In row g and column h is the value of block h where g and h were left out. The diagonal
    is nan.
    """
    first, second = pairs_of_blocks(n_blocks).T
    values = np.asarray(values, dtype=float)
    matrix = np.full((n_blocks, n_blocks, *values.shape[2:]), np.nan)
    matrix[second, first], matrix[first, second] = values[:, 0], values[:, 1]
    return matrix


def in_order(values: ArrayLike, n_blocks: int) -> NDArray[np.float64]:
    """Put values of both blocks of every split in the order of a sample of blocks."""
    return as_matrix(values, n_blocks)[~np.eye(n_blocks, dtype=bool)]


def block_table(
    scores: ArrayLike,
    names: Sequence[str],
    n_blocks: int,
    *,
    sizes: tuple[NDArray[Any], NDArray[Any]],
    size_unit: Literal["row", "group"],
) -> BlockScoreTable:
    """Make the sample of scores of both blocks of every split, (n_splits, 2, n_systems).

    `sizes` are those of the training and the test set of every split.
    """
    n_train, n_test = sizes
    return BlockScoreTable(
        in_order(scores, n_blocks),
        systems=names,
        n_train=in_order(np.stack([n_train, n_train], axis=1), n_blocks),
        n_test=in_order(part_sizes(n_test, n_blocks), n_blocks),
        size_unit=size_unit,
    )
