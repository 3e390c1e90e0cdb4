"""The fits of nested cross-validation, each made once."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats._literature import BATES_ET_AL_2024
from skstat.stats._samples import check_count


class NestedKFold(Splitter):
    """Leave one fold out, then two: all fits of nested cross-validation, each made once.

    Nested cross-validation [1]_ estimates the mean squared error of a cross-validated score:
    within the K - 1 folds beside fold j it cross-validates again, so it trains on all folds
    but i and j, and tests on fold i; and later, with i and j swapped, it makes the same fit
    again. Here it is one split, whose test rows are those of both folds:
    ``K (K + 1) / 2`` fits per repeat in place of ``K * K``.

    The order is fixed. In each repeat first come the splits that leave fold 0, 1, ... K - 1
    out, then those that leave two folds i < j out, in the order (0, 1), (0, 2), ...
    (K - 2, K - 1); of these the test rows are those of fold i, then those of fold j. So the
    test rows of the first K splits of a repeat are its folds.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds (K), at least 3.
    n_repeats : int, default=1
        How often the rows are shuffled and cut.
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in the folds.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the shuffles. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.RepeatedKFold : The splits that leave one fold out, alone.

    Notes
    -----
    Groups are refused: no theory covers them. Scores of these splits must not be tested as
    if they were one sample: their training sets are of two sizes.

    This is not the nested search for parameters, in which a ``GridSearchCV`` is
    cross-validated; that needs no splitter of its own.

    References
    ----------
    .. [1] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical Association,
       119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import NestedKFold
    >>> cv = NestedKFold(3, random_state=0)
    >>> for train, test in cv.split(np.zeros((6, 1))):
    ...     print(train, test)
    [1 2 3 4] [0 5]
    [0 2 4 5] [1 3]
    [0 1 3 5] [2 4]
    [2 4] [0 5 1 3]
    [1 3] [0 5 2 4]
    [0 5] [1 3 2 4]
    """

    references = (BATES_ET_AL_2024,)

    _read_by = "nested_cv"

    def __init__(
        self,
        n_splits: int = 10,
        n_repeats: int = 1,
        *,
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = check_count("n_splits", n_splits, least=3)
        self.n_repeats = check_count("n_repeats", n_repeats, least=1)
        self.stratify = check_switch("stratify", stratify)
        self.random_state = random_state

    def _how_drawn(self) -> str:
        repeats = "" if self.n_repeats == 1 else f"{self.n_repeats} times "
        return f"{repeats}nested {self.n_splits}-fold cross-validation"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return ``n_repeats * K * (K + 1) / 2``; X, y and groups do not matter."""
        return self.n_repeats * self.n_splits * (self.n_splits + 1) // 2

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        if units.groups is not None:
            raise ValueError(
                "NestedKFold takes no groups: the theory of nested cross-validation is about "
                "independent rows. Use RepeatedGroupKFold and the corrected t."
            )
        folds = StratifiedKFold if self.stratify else KFold
        X, y, _ = units.for_folds()
        seeds = np.random.SeedSequence(seed).generate_state(self.n_repeats)
        for one in seeds.tolist():
            cut = folds(n_splits=self.n_splits, shuffle=True, random_state=one)
            splits = list(cut.split(X, y))
            yield from splits
            for (_, first), (_, second) in combinations(splits, 2):
                train = np.ones(units.n_rows, dtype=bool)
                train[first] = train[second] = False
                yield np.flatnonzero(train), np.concatenate([first, second])
