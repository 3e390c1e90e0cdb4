"""Scores and sizes of splits that leave out every pair of blocks, block by block."""

from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats import PairedBlockScores


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
    """Put values of both blocks of every split, (n_splits, 2), into a matrix.

    In row g and column h is the value of block h where g and h were left out. The diagonal
    is nan.
    """
    first, second = pairs_of_blocks(n_blocks).T
    matrix = np.full((n_blocks, n_blocks), np.nan)
    matrix[second, first], matrix[first, second] = np.asarray(values, dtype=float).T
    return matrix


def block_sample(
    a: Any,
    b: Any,
    n_blocks: int,
    *,
    n_train: NDArray[Any],
    n_test: NDArray[Any],
    size_unit: Literal["row", "group"],
) -> PairedBlockScores:
    """Make the sample of two estimators' scores of both blocks of every split."""
    sizes = {
        "n_train": np.stack([n_train, n_train], axis=1),
        "n_test": part_sizes(n_test, n_blocks),
    }
    return PairedBlockScores.from_matrices(
        as_matrix(a, n_blocks),
        as_matrix(b, n_blocks),
        **{name: as_matrix(values, n_blocks) for name, values in sizes.items()},
        size_unit=size_unit,
    )
