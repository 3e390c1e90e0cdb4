"""Leave out every pair of blocks of rows: the splits of the block jackknife."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from skstat.evaluation._inputs import Data
from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats._literature import EFRON_STEIN_1981
from skstat.stats._samples import check_count

MOST_BLOCKS = 8
_FEWEST_BLOCKS = 5
# With so many rows of every class all of 8 blocks hold some, but once in 600 data sets.
FEWEST_IN_BLOCKS = 64


class LeaveTwoBlocksOut(Splitter):
    """Leave out every pair of blocks of rows.

    The rows are dealt to K blocks. Every split trains on the rows of K - 2 blocks; its test
    rows are those of the two others: ``K (K - 1) / 2`` splits. They are the splits of the
    block jackknife [1]_, a test for any learner and any metric, which scores each of the two
    blocks for itself.

    The order is fixed: blocks (0, 1), (0, 2), ..., (K - 2, K - 1) are left out, and the test
    rows are those of the first block of the pair, then those of the second.

    Parameters
    ----------
    n_blocks : int, default=8
        Number of blocks (K), at least 3. The test has K - 1 degrees of freedom.
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in the blocks.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the blocks. An int gives the same splits in every call, None new ones.

    See Also
    --------
    skstat.stats.block_jackknife_t : The test that these splits are for.
    NestedKFold : The same fits and those without one fold, for the score of one estimator.

    Notes
    -----
    Groups are dealt to blocks whole. Blocks then hold the same number of groups, not of
    rows; with ``stratify=True`` groups go where they keep the class shares best.

    References
    ----------
    .. [1] Efron, B. & Stein, C. (1981). The jackknife estimate of variance. Annals of
       Statistics, 9(3), 586-596. :doi:`10.1214/aos/1176345462`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import LeaveTwoBlocksOut
    >>> cv = LeaveTwoBlocksOut(3, random_state=0)
    >>> for train, test in cv.split(np.zeros((6, 1))):
    ...     print(train, test)
    [0 4] [2 5 1 3]
    [1 3] [2 5 0 4]
    [2 5] [1 3 0 4]
    """

    references = (EFRON_STEIN_1981,)

    def __init__(
        self, n_blocks: int = MOST_BLOCKS, *, stratify: bool = False, random_state: Any = None
    ) -> None:
        self.n_blocks = check_count("n_blocks", n_blocks, least=3)
        self.stratify = check_switch("stratify", stratify)
        self.random_state = random_state

    def _how_drawn(self) -> str:
        return f"every two of {self.n_blocks} blocks left out"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return ``K * (K - 1) / 2``; X, y and groups do not matter."""
        return self.n_blocks * (self.n_blocks - 1) // 2

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        self._check(units)
        stratify = units.classes is not None
        if units.groups is None:
            folds: Any = StratifiedKFold if stratify else KFold
        else:
            folds = StratifiedGroupKFold if stratify else GroupKFold
        cut = folds(n_splits=self.n_blocks, shuffle=True, random_state=seed)
        blocks = [block for _, block in cut.split(*units.for_folds())]
        for first, second in combinations(blocks, 2):
            train = np.ones(units.n_rows, dtype=bool)
            train[first] = train[second] = False
            yield np.flatnonzero(train), np.concatenate([first, second])

    def _check(self, units: Units) -> None:
        if units.n < self.n_blocks:
            raise ValueError(
                f"n_blocks={self.n_blocks} blocks need as many {units.word}s, and there "
                f"are {units.n}."
            )
        if units.classes is None or units.groups is not None:
            return
        counts = np.bincount(units.classes)
        if counts.min() < self.n_blocks:
            scarce = units.named(int(counts.argmin()))
            raise ValueError(
                f"n_blocks={self.n_blocks} blocks cannot each hold a row{scarce}, "
                f"of which there are {counts.min()}: use fewer blocks, or stratify=False."
            )


def blocks_for(data: Data, seed: int, *, most: int = MOST_BLOCKS) -> LeaveTwoBlocksOut:
    """Make the splitter that suits the data: 8 blocks, or fewer where they allow no more.

    Rows go to blocks whatever their classes: blocks that all hold the same shares depend on
    each other, and the inequality is one for independent blocks. Only where a class has fewer
    rows than `FEWEST_IN_BLOCKS` all classes are dealt out evenly.
    """
    limits = {f"{data.n_samples} rows": data.n_samples}
    if data.groups is not None:
        n_groups = len(np.unique(np.asarray(data.groups)))
        limits = {f"{n_groups} groups": n_groups}
    elif data.class_counts is not None:
        limits |= {f"{n} rows of class {name!r}": n for name, n in data.class_counts.items()}
    scarce = min(limits, key=limits.__getitem__)
    if limits[scarce] < _FEWEST_BLOCKS:
        raise ValueError(
            f"there are {scarce}, which is too few for the {_FEWEST_BLOCKS} blocks that the "
            "block jackknife needs at least. Collect more of them, or give "
            "cv=LeaveTwoBlocksOut(n_blocks) yourself."
        )
    counts = {} if data.class_counts is None else data.class_counts
    few = min(counts.values(), default=FEWEST_IN_BLOCKS) < FEWEST_IN_BLOCKS
    stratify = data.stratifiable and (data.groups is not None or few)
    return LeaveTwoBlocksOut(min(most, limits[scarce]), stratify=stratify, random_state=seed)
