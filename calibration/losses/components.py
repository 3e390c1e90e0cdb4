"""What the tests of one replicate are made of: a few sums over its splits.

A replicate kept as these numbers can be asked again by a test with other constants, without
fits. They are written for one series of differences, row by row, apart from `skstat.stats`;
``tests/test_calibration_losses.py`` holds the two to each other.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.losses.designs import BLOCKS, FIVE, HALVES, N_BLOCKS, RANDOM, Design

Floats = NDArray[np.float64]
PARTS = ("estimate", "v_e", "v_d", "var_alpha", "noise", "c", "between")
NAMES = (
    *((design, part) for design in (HALVES, FIVE) for part in PARTS),
    (FIVE, "squares"),
    (FIVE, "within"),
    (RANDOM, "estimate"),
    (RANDOM, "sd"),
    (RANDOM, "rows"),
    (BLOCKS, "estimate"),
    (BLOCKS, "V"),
)


def components(
    designs: dict[str, Design],
    scores: dict[str, Floats],
    rows: dict[str, Floats],
    groups: NDArray[np.int64] | None,
    y: NDArray[Any],
) -> Floats:
    """Sum up one system, or the difference of two.

    Parameters
    ----------
    designs : mapping of str to Design
        The splits.
    scores : mapping of str to ndarray of shape (n_tests,)
        Scores, or differences, on the test sets of every design.
    rows : mapping of str to ndarray of shape (n_tests, n_rows)
        What every row contributes to them.
    groups : ndarray of shape (n_rows,) or None
        Group of every row.
    y : ndarray of shape (n_rows,)
        Classes, which count where folds are stratified by them.

    Returns
    -------
    ndarray of shape (n_names,)
        The sums, in the order of `NAMES`.
    """
    found: list[float] = []
    for name in (HALVES, FIVE):
        source = HALVES if name == FIVE else name
        used = 10 if name == FIVE else 30
        found += _projection(
            scores[source][:used],
            rows[source][:used],
            designs[source].tests[:used],
            2,
            groups,
            y if designs[source].stratified else None,
        )
    pairs = scores[HALVES][:10].reshape(5, 2)
    found += [float((pairs**2).sum()), float(((pairs[:, 0] - pairs[:, 1]) ** 2).sum() / 2)]
    d, n_test = scores[RANDOM], designs[RANDOM].tests.sum(axis=1)
    found += [
        d.mean(),
        d.std(ddof=1),
        float(np.mean(np.nanvar(rows[RANDOM], axis=1, ddof=1) / n_test)),
    ]
    table = np.zeros((N_BLOCKS, N_BLOCKS))
    for number, (g, h) in enumerate(combinations(range(N_BLOCKS), 2)):
        # The model without g and h, tested on g, is one that has never seen h.
        table[h, g], table[g, h] = scores[BLOCKS][2 * number : 2 * number + 2]
    without = table.sum(axis=1) / (N_BLOCKS - 1)
    found += [float(without.mean()), float(((without - without.mean()) ** 2).sum())]
    return np.array(found)


def _projection(
    scores: Floats,
    rows: Floats,
    tests: NDArray[np.bool_],
    k: int,
    groups: NDArray[np.int64] | None,
    strata: NDArray[np.int64] | None,
) -> list[float]:
    n_repeats = len(scores) // k
    T = scores.reshape(n_repeats, k)
    folds = tests.reshape(n_repeats, k, -1)
    fold_of = folds.argmax(axis=1)
    values = np.take_along_axis(rows.reshape(n_repeats, k, -1), fold_of[:, None], axis=1)[:, 0]
    if groups is not None:
        values, folds, fold_of = _by_group(T, values, folds, fold_of, groups)
    theta = T.mean(axis=1, keepdims=True)
    others = (values.sum(axis=0) - values) / (n_repeats - 1)
    means = (folds * others[:, None]).sum(axis=2) / folds.sum(axis=2)
    means -= means.mean(axis=1, keepdims=True)
    down = n_repeats * (k - 1)
    between = 0.0
    if strata is not None:
        alpha = values.mean(axis=0)
        counts = np.bincount(strata)
        of_class = np.bincount(strata, alpha) / counts
        between = float((counts * (of_class - alpha.mean()) ** 2).sum() / (len(alpha) - 1))
    return [
        float(T.mean()),
        float(k * theta.var(ddof=1)),
        float(((T - theta) ** 2).sum() / down),
        float(values.mean(axis=0).var(ddof=1)),
        float(values.var(axis=0, ddof=1).mean() / n_repeats),
        float(((T - theta) * means).sum() / down * (k - 1) / k),
        between,
    ]


def _by_group(
    T: Floats,
    values: Floats,
    folds: NDArray[np.bool_],
    fold_of: NDArray[np.int64],
    groups: NDArray[np.int64],
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """Add up the influences of the rows of a group, of which one is the unit."""
    n_groups = int(groups.max()) + 1
    first = np.unique(groups, return_index=True)[1]
    repeats = np.arange(len(T))[:, None]
    influence = values - T[repeats, fold_of]
    sums = np.zeros((len(T), n_groups))
    np.add.at(sums, (repeats, groups[None, :]), influence)
    fold_of = fold_of[:, first]
    rows_in, groups_in = folds.sum(axis=2), folds[:, :, first].sum(axis=2)
    scale = (groups_in / rows_in)[repeats, fold_of]
    return T[repeats, fold_of] + scale * sums, folds[:, :, first], fold_of
