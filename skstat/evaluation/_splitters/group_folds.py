"""Repeated K-fold cross-validation with whole groups."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats._samples import check_count


class RepeatedGroupKFold(Splitter):
    """Cut the groups into K folds, shuffled anew in every repeat.

    It is like :class:`sklearn.model_selection.RepeatedKFold`, for rows that come in groups:
    no group is on both sides of a split, and every repeat tests each group once.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2; there must be as many groups.
    n_repeats : int, default=10
        How often the groups are shuffled and cut.
    stratify : bool, default=False
        Deal groups out so that the class shares of a binary or multiclass y are kept in the
        folds as far as whole groups allow, by ``StratifiedGroupKFold``. Else every fold has
        the same number of groups, by ``GroupKFold(shuffle=True)``.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the shuffles. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.GroupShuffleSplit : Random splits of groups.

    Notes
    -----
    The shuffles are independent of each other. ``StratifiedGroupKFold`` deals out the groups
    with the most uneven class counts first, so with ``stratify=True`` and few groups repeats
    may be alike.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import RepeatedGroupKFold
    >>> patients = np.array(["a", "a", "b", "b", "c", "d", "d", "e"])
    >>> cv = RepeatedGroupKFold(n_splits=2, n_repeats=2, random_state=0)
    >>> for _, test in cv.split(np.zeros((8, 1)), groups=patients):
    ...     print(*np.unique(patients[test]))
    a b d
    c e
    b d e
    a c
    """

    def __init__(
        self,
        n_splits: int = 5,
        n_repeats: int = 10,
        *,
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = check_count("n_splits", n_splits, least=2)
        self.n_repeats = check_count("n_repeats", n_repeats, least=1)
        self.stratify = check_switch("stratify", stratify)
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return folds times repeats; X, y and groups do not matter."""
        return self.n_splits * self.n_repeats

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        if units.groups is None:
            raise ValueError(
                "RepeatedGroupKFold needs groups; for rows without groups there are "
                "RepeatedKFold and RepeatedStratifiedKFold of scikit-learn."
            )
        if units.n < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} folds need as many groups, and there are {units.n}."
            )
        folds = StratifiedGroupKFold if self.stratify else GroupKFold
        seeds = np.random.SeedSequence(seed).generate_state(self.n_repeats)
        for one in seeds.tolist():
            cut = folds(n_splits=self.n_splits, shuffle=True, random_state=one)
            yield from cut.split(*units.for_folds())
