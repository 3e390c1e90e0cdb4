"""The splits of one replicate, each model fitted once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from skstat.evaluation import RepeatedGroupKFold, RepeatedHalves
from skstat.evaluation._splitters import FEWEST_IN_BLOCKS
from skstat.stats._row_contributions import FEW_OF_CLASS

Masks = NDArray[np.bool_]
HALVES = "15 x 2"
RANDOM = "30 x 1/3"
FIVE = "5 x 2"  # the first five of the fifteen halvings
BLOCKS = "8 blocks"
NINE = "2 x 10"  # folds whose scores have the variance of the fifteen halvings
N_BLOCKS = 8
N_FOLDS = {HALVES: 2, FIVE: 2, NINE: 10}


@dataclass(frozen=True, eq=False)
class Design:
    """Splits of one kind.

    Parameters
    ----------
    trains : ndarray of bool of shape (n_models, n_rows)
        Training rows of every model.
    tests : ndarray of bool of shape (n_tests, n_rows)
        Test rows.
    models : ndarray of shape (n_tests,)
        Model of every test set.
    stratified : bool
        Whether all test sets hold the same share of every class.
    """

    trains: Masks
    tests: Masks
    models: NDArray[np.int64]
    stratified: bool = False


def make_designs(
    y: NDArray[Any], groups: NDArray[Any] | None, rng: np.random.Generator
) -> dict[str, Design]:
    """Draw the splits of one replicate.

    Halves and blocks are those of the front doors. Other splits are stratified where y has
    classes and rows no groups, as people make them.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Classes or numbers.
    groups : ndarray of shape (n,) or None
        Group of every row, kept together.
    rng : Generator
        Seeds the splitters.
    """
    seeds = rng.integers(0, 2**31, 3).tolist()
    classes = y.dtype.kind == "i" and groups is None
    if groups is not None:
        folds, random = GroupKFold, GroupShuffleSplit
    else:
        folds = StratifiedKFold if classes else KFold
        random = StratifiedShuffleSplit if classes else ShuffleSplit
    X = np.zeros((len(y), 1))
    rarest = int(np.bincount(y).min()) if classes else len(y)
    halved, dealt = (classes and rarest < n for n in (FEW_OF_CLASS, FEWEST_IN_BLOCKS))
    halves = RepeatedHalves(15, stratify=halved, balanced=True, random_state=seeds[0])
    shuffles = random(30, test_size=1 / 3, random_state=seeds[1])
    of_blocks = folds if groups is not None or dealt else KFold
    parts = of_blocks(N_BLOCKS, shuffle=True, random_state=seeds[2])
    return {
        HALVES: _of_splits(len(y), list(halves.split(X, y, groups)), halved),
        RANDOM: _of_splits(len(y), list(shuffles.split(X, y, groups)), classes),
        BLOCKS: _of_blocks(len(y), [test for _, test in parts.split(X, y, groups)]),
    }


def make_folds(
    y: NDArray[Any], groups: NDArray[Any] | None, rng: np.random.Generator
) -> dict[str, Design]:
    """Draw the folds that train on nine tenths of the rows, and the halves beside them.

    Both are those of the front doors.

    Parameters
    ----------
    y, groups, rng
        As in `make_designs`.
    """
    first, second = rng.integers(0, 2**31, 2).tolist()
    classes = y.dtype.kind == "i" and groups is None
    X = np.zeros((len(y), 1))
    halved = classes and int(np.bincount(y).min()) < FEW_OF_CLASS
    halves = RepeatedHalves(15, stratify=halved, balanced=True, random_state=first)
    known: dict[str, Any] = {"n_splits": N_FOLDS[NINE], "n_repeats": 2, "random_state": second}
    folds: Any = RepeatedGroupKFold(**known)
    if groups is None:
        folds = (RepeatedStratifiedKFold if classes else RepeatedKFold)(**known)
    return {
        HALVES: _of_splits(len(y), list(halves.split(X, y, groups)), halved),
        NINE: _of_splits(len(y), list(folds.split(X, y, groups)), halved),
    }


def _of_splits(n: int, splits: Sequence[tuple[Any, Any]], stratified: bool) -> Design:
    trains, tests = ([_mask(n, side) for side in sides] for sides in zip(*splits, strict=True))
    return Design(np.array(trains), np.array(tests), np.arange(len(splits)), stratified)


def _of_blocks(n: int, blocks: Sequence[Any]) -> Design:
    masks = np.array([_mask(n, block) for block in blocks])
    pairs = list(combinations(range(len(blocks)), 2))
    trains = np.array([~(masks[g] | masks[h]) for g, h in pairs])
    tests = np.array([masks[block] for pair in pairs for block in pair])
    return Design(trains, tests, np.repeat(np.arange(len(pairs)), 2))


def _mask(n: int, rows: Any) -> Masks:
    mask = np.zeros(n, dtype=bool)
    mask[rows] = True
    return mask
